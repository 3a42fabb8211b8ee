//! Players seen in two snapshots: points of wins and losses, and offsets of divisions by robust least squares.

use std::collections::{BTreeMap, HashMap};

use crate::answer::{Answer, Interval};
use crate::numeric::invert;
use crate::snapshot::{DivisionSnapshot, Member};

/// What a win and a loss change, from players who stayed in their division.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GainFit {
    /// A.
    pub per_win: Interval,
    /// Points of a loss, positive.
    pub per_loss: Interval,
    /// Variance of points less bonus that is not explained, per game, square points.
    pub variance_per_game: f64,
    /// Players.
    pub players: usize,
}

/// A player seen in two divisions, or in one twice.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// Place of the division in the earlier snapshot, counted through all snapshots.
    pub(super) from: usize,
    /// Likewise in the later one.
    pub(super) to: usize,
    /// Change of P + U - B.
    pub(super) change: f64,
    pub(super) wins: f64,
    pub(super) losses: f64,
}

/// Players who are in more than one snapshot, by name, from each to the next that has them; first those who stayed,
/// then those who moved.
pub(super) fn seen_again(snapshots: &[&[DivisionSnapshot]]) -> (Vec<Seen>, Vec<Seen>) {
    let mut before: HashMap<&str, (usize, &DivisionSnapshot, &Member)> = HashMap::new();
    let (mut stayed, mut moved) = (Vec::new(), Vec::new());
    let mut first = 0;
    for snapshot in snapshots {
        let mut now = Vec::new();
        for (to, division) in (first..).zip(*snapshot) {
            for member in &division.members {
                now.push((to, division, member));
                let Some(&(from, earlier_division, earlier)) = before.get(&*member.name) else {
                    continue;
                };
                let (Some(wins), Some(losses)) = (
                    member.wins.checked_sub(earlier.wins),
                    member.losses.checked_sub(earlier.losses),
                ) else {
                    continue;
                };
                let seen = Seen {
                    from,
                    to,
                    change: division.differential(member) - earlier_division.differential(earlier),
                    wins: f64::from(wins),
                    losses: f64::from(losses),
                };
                let list = if earlier_division.name == division.name {
                    &mut stayed
                } else {
                    &mut moved
                };
                list.push(seen);
            }
        }
        before.extend(
            now.into_iter()
                .map(|(to, division, member)| (&*member.name, (to, division, member))),
        );
        first += snapshot.len();
    }
    (stayed, moved)
}

/// Least squares of change = A wins - L losses; errors by division, since all its players are read at one delay.
pub(super) fn gains(stayed: &[Seen], divisions: usize) -> Answer<GainFit> {
    let played: Vec<&Seen> = stayed
        .iter()
        .filter(|seen| seen.wins + seen.losses > 0.0)
        .collect();
    let row = |seen: &Seen| [seen.wins, -seen.losses];
    let mut normal = vec![vec![0.0; 2]; 2];
    let mut right = [0.0; 2];
    for seen in &played {
        let x = row(seen);
        for i in 0..2 {
            right[i] += x[i] * seen.change;
            for j in 0..2 {
                normal[i][j] += x[i] * x[j];
            }
        }
    }
    let inverse = invert(&normal).filter(|_| played.len() >= 10);
    let Some(inverse) = inverse else {
        return Answer::unknown(
            format!("{} players played and stayed where they were", played.len()),
            "two snapshots some days apart with at least ten players who won and lost in between",
        );
    };
    let value = [0, 1].map(|i| inverse[i][0] * right[0] + inverse[i][1] * right[1]);
    let mut scores = vec![[0.0; 2]; divisions];
    let (mut squares, mut games) = (0.0, 0.0);
    for seen in &played {
        let x = row(seen);
        let rest = seen.change - x[0] * value[0] - x[1] * value[1];
        squares += rest * rest;
        games += seen.wins + seen.losses;
        for i in 0..2 {
            scores[seen.from][i] += x[i] * rest;
        }
    }
    let error = |i: usize| {
        let of = |score: &[f64; 2]| (inverse[i][0] * score[0] + inverse[i][1] * score[1]).powi(2);
        scores.iter().map(of).sum::<f64>().sqrt()
    };
    let interval = |i: usize| Interval {
        value: value[i],
        low: value[i] - 1.96 * error(i),
        high: value[i] + 1.96 * error(i),
    };
    Answer::Found(GainFit {
        per_win: interval(0),
        per_loss: interval(1),
        variance_per_game: squares / games,
        players: played.len(),
    })
}

/// Places of groups on one line, from jumps between them: group `anchor` lies at 0.
pub(super) struct Places {
    /// Where each group lies; none for groups that no jumps connect with the anchor.
    pub(super) value: Vec<Option<f64>>,
    /// Covariance of the values, by group.
    pub(super) covariance: Vec<Vec<f64>>,
    /// Jumps into or out of each group that were used.
    pub(super) jumps: Vec<usize>,
}

/// Weighted least squares of jump = place(to) - place(from), outliers weighed down (Tukey's biweight).
///
/// The variance of a jump is that of its games and of the delays of both divisions, `delay_variance` each; the delay
/// of a division in a snapshot is shared by all jumps into or out of it, which the covariance of the places takes into
/// account.
pub(super) fn places(
    jumps: &[(Seen, f64)],
    group_of: &dyn Fn(&Seen) -> (usize, usize),
    groups: usize,
    anchor: usize,
    variance_per_game: f64,
    delay_variance: f64,
) -> Places {
    let connected = connected(jumps, group_of, groups, anchor);
    let column = columns(&connected, anchor);
    let unknowns = column.iter().flatten().count();
    let used: Vec<&(Seen, f64)> = jumps
        .iter()
        .filter(|(seen, _)| connected[group_of(seen).0])
        .collect();
    let variance = |seen: &Seen| 0.2 + variance_per_game * (seen.wins + seen.losses) + 2.0 * delay_variance;
    let mut robust = vec![1.0; used.len()];
    let mut values = vec![0.0; unknowns];
    let mut inverse = Vec::new();
    let place = |values: &[f64], group: usize| column[group].map_or(0.0, |at| values[at]);
    for _ in 0..12 {
        let weighted = used.iter().zip(&robust).map(|((seen, jump), robust)| {
            let (from, to) = group_of(seen);
            ([column[from], column[to]], robust / variance(seen), *jump)
        });
        let (normal, right) = normal_equations(weighted, unknowns);
        let Some(found) = invert(&normal) else {
            break;
        };
        for (value, row) in values.iter_mut().zip(&found) {
            *value = row.iter().zip(&right).map(|(a, b)| a * b).sum();
        }
        inverse = found;
        for ((seen, jump), robust) in used.iter().zip(&mut robust) {
            let (from, to) = group_of(seen);
            let rest = jump - place(&values, to) + place(&values, from);
            let z = rest / (5.0 * variance(seen).sqrt());
            *robust = if z.abs() < 1.0 { (1.0 - z * z).powi(2) } else { 0.0 };
        }
    }
    let covariance = covariance(
        &used,
        &robust,
        &column,
        &inverse,
        group_of,
        &variance,
        delay_variance,
    );
    let full = |a: usize, b: usize| match (column[a], column[b]) {
        (Some(a), Some(b)) if !covariance.is_empty() => covariance[a][b],
        _ => 0.0,
    };
    let mut count = vec![0; groups];
    for ((seen, _), _) in used.iter().zip(&robust).filter(|(_, robust)| **robust > 0.0) {
        let (from, to) = group_of(seen);
        count[from] += 1;
        count[to] += 1;
    }
    Places {
        value: (0..groups)
            .map(|group| connected[group].then(|| place(&values, group)))
            .collect(),
        covariance: (0..groups)
            .map(|a| (0..groups).map(|b| full(a, b)).collect())
            .collect(),
        jumps: count,
    }
}

/// The column of each group whose place is unknown.
fn columns(connected: &[bool], anchor: usize) -> Vec<Option<usize>> {
    let mut next = 0;
    let mut number = |group: usize| {
        let is_unknown = connected[group] && group != anchor;
        next += usize::from(is_unknown);
        is_unknown.then(|| next - 1)
    };
    (0..connected.len()).map(&mut number).collect()
}

/// The normal equations of jumps, each with the columns that it goes from and to and its weight.
fn normal_equations(
    jumps: impl Iterator<Item = ([Option<usize>; 2], f64, f64)>,
    unknowns: usize,
) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut normal = vec![vec![0.0; unknowns]; unknowns];
    let mut right = vec![0.0; unknowns];
    for ([from, to], weight, jump) in jumps {
        let ends = [(from, -1.0), (to, 1.0)];
        for (at, sign) in ends.iter().filter_map(|(at, sign)| Some(((*at)?, sign))) {
            right[at] += weight * sign * jump;
            for (other, its) in ends.iter().filter_map(|(at, sign)| Some(((*at)?, sign))) {
                normal[at][other] += weight * sign * its;
            }
        }
    }
    // A trace of a ridge keeps a group whose jumps were all taken for outliers from breaking the others.
    for (at, row) in normal.iter_mut().enumerate() {
        row[at] += 1e-9;
    }
    (normal, right)
}

/// Which groups jumps connect with the anchor.
fn connected(
    jumps: &[(Seen, f64)],
    group_of: &dyn Fn(&Seen) -> (usize, usize),
    groups: usize,
    anchor: usize,
) -> Vec<bool> {
    let mut connected = vec![false; groups];
    connected[anchor] = true;
    let mut grows = true;
    while grows {
        grows = false;
        for (seen, _) in jumps {
            let (from, to) = group_of(seen);
            if connected[from] != connected[to] {
                connected[from] = true;
                connected[to] = true;
                grows = true;
            }
        }
    }
    connected
}

/// inverse * (sum w^2 var x x' + delay * sum over snapshots of (sum w x)(sum w x)') * inverse.
#[allow(clippy::too_many_arguments, reason = "the parts of one formula")]
fn covariance(
    used: &[&(Seen, f64)],
    robust: &[f64],
    column: &[Option<usize>],
    inverse: &[Vec<f64>],
    group_of: &dyn Fn(&Seen) -> (usize, usize),
    variance: &dyn Fn(&Seen) -> f64,
    delay_variance: f64,
) -> Vec<Vec<f64>> {
    let n = inverse.len();
    let mut middle = vec![vec![0.0; n]; n];
    let mut add = |vector: &BTreeMap<usize, f64>, factor: f64| {
        for (&a, x) in vector {
            for (&b, y) in vector {
                middle[a][b] += factor * x * y;
            }
        }
    };
    // Each division of each snapshot was read at a delay of its own, which makes a player who comes into it look better
    // and one who leaves it worse.
    // In the order of their places, so that sums round alike each time.
    let mut shared: BTreeMap<usize, BTreeMap<usize, f64>> = BTreeMap::new();
    for ((seen, _), robust) in used.iter().zip(robust) {
        let own = variance(seen);
        let weight = robust / own;
        let (from, to) = group_of(seen);
        let mut vector = BTreeMap::new();
        for (at, sign) in [(column[from], -1.0), (column[to], 1.0)] {
            if let Some(at) = at {
                *vector.entry(at).or_insert(0.0) += sign;
            }
        }
        add(&vector, weight * weight * (own - 2.0 * delay_variance));
        for (place, of_delay) in [(seen.from, -1.0), (seen.to, 1.0)] {
            let sums = shared.entry(place).or_default();
            for (&at, sign) in &vector {
                *sums.entry(at).or_insert(0.0) += weight * of_delay * sign;
            }
        }
    }
    for sums in shared.values() {
        add(sums, delay_variance);
    }
    let product = |a: &[Vec<f64>], b: &[Vec<f64>]| -> Vec<Vec<f64>> {
        let cell = |i: usize, j: usize| (0..n).map(|k| a[i][k] * b[k][j]).sum();
        (0..n).map(|i| (0..n).map(|j| cell(i, j)).collect()).collect()
    };
    product(&product(inverse, &middle), inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amounts::{PoolTotal, RankPoints, Unspent};

    /// Name, points, wins, losses.
    type Row<'a> = (&'a str, f64, u32, u32);

    fn snapshot(total: f64, divisions: &[(&str, &[Row<'_>])]) -> Vec<DivisionSnapshot> {
        let member = |&(name, points, wins, losses): &Row<'_>| Member {
            name: name.to_owned(),
            points: RankPoints::new(points).unwrap(),
            unspent: Unspent::new(0.0).unwrap(),
            wins,
            losses,
        };
        let division = |&(name, members): &(&str, &[Row<'_>])| DivisionSnapshot {
            name: name.to_owned(),
            league: "Gold".to_owned(),
            total: PoolTotal::new(total).unwrap(),
            members: members.iter().map(member).collect(),
        };
        divisions.iter().map(division).collect()
    }

    #[test]
    fn players_are_followed_from_each_snapshot_to_the_next_that_has_them() {
        let first = snapshot(
            1000.0,
            &[("a", &[("stays", 1100.0, 10, 5), ("moves", 900.0, 1, 1)])],
        );
        let second = snapshot(1010.0, &[("b", &[]), ("a", &[("stays", 1130.0, 12, 6)])]);
        let third = snapshot(
            1020.0,
            &[
                ("a", &[("stays", 1150.0, 13, 6), ("new", 5.0, 1, 0)]),
                ("b", &[("moves", 950.0, 4, 2)]),
            ],
        );
        let (stayed, moved) = seen_again(&[&first, &second, &third]);
        let facts = |seen: &Seen| (seen.from, seen.to, seen.change, seen.wins, seen.losses);
        // Divisions are counted through: one, two and two of them.
        let of_stayed: Vec<_> = stayed.iter().map(facts).collect();
        assert_eq!(of_stayed, [(0, 2, 20.0, 2.0, 1.0), (2, 3, 10.0, 1.0, 0.0)]);
        let of_moved: Vec<_> = moved.iter().map(facts).collect();
        assert_eq!(of_moved, [(0, 4, 30.0, 3.0, 1.0)]);
        // A player with fewer games than before is another player of that name.
        let (stayed, moved) = seen_again(&[&third, &first]);
        assert!(stayed.is_empty() && moved.is_empty());
    }
}
