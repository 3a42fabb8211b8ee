//! The parties that stay in a match when others leave it, and the best split with any parties that come in.

use super::evaluator::{Evaluator, FORBIDDEN, MOST_PLAYERS};

/// The parties that stay, and all ways to divide them.
#[derive(Debug)]
pub(super) struct Rest {
    parties: Vec<usize>,
    /// Way by way, the side of each party: 0 or 1.
    sides: Vec<u8>,
    ways: Vec<Way>,
    /// Way by way, the sums of levels of the first team, and of the second.
    levels: Vec<f64>,
}

/// One way to divide them.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// How many players the first team lacks.
    room_a: usize,
    /// The sum of the pairs' terms.
    pairs: f64,
}

/// What parties add to a match when they come in, each to a given side.
struct Added {
    /// How many players come to the first team.
    size_a: usize,
    /// The sum of the terms among them.
    pairs: f64,
    /// For each party that stays, of which there are as many as players at most, the sum of its terms with them if it is on side 0, and on side 1.
    with: [[f64; 2]; 2 * MOST_PLAYERS],
    /// Their levels, of side 0 and then of side 1.
    levels: Vec<f64>,
}

impl Rest {
    /// These parties, divided in each of these ways: a side for each party, way after way.
    pub(super) fn new(evaluator: &Evaluator<'_>, parties: &[usize], sides: Vec<u8>) -> Self {
        let mut rest = Self {
            parties: Vec::new(),
            sides: Vec::new(),
            ways: Vec::new(),
            levels: Vec::new(),
        };
        for way in sides.chunks_exact(parties.len().max(1)) {
            // A way is what the parties add to an empty match.
            let added = rest.added(evaluator, parties, |at| usize::from(way[at]));
            rest.levels.extend(added.levels);
            rest.ways.push(Way {
                room_a: evaluator.sizes.0 - added.size_a,
                pairs: added.pairs,
            });
        }
        (rest.parties, rest.sides) = (parties.to_vec(), sides);
        rest
    }

    /// The value of the best split of the match with these parties come in, and its way; minus infinity if they do not
    /// fill the teams, or the value is surely below `least`. Adds to `tried` how many splits there were.
    pub(super) fn best_with(
        &self,
        evaluator: &Evaluator<'_>,
        come: &[usize],
        least: f64,
        tried: &mut u64,
    ) -> (f64, usize) {
        let (units, balances) = (self.parties.len(), evaluator.balances());
        let count = balances.len();
        let (size_a, size_b) = evaluator.sizes;
        let size = evaluator.size(come);
        let (most_balances, most_links) = evaluator.most;
        let mut best = (f64::NEG_INFINITY, 0);
        // The first of those who come is on side 0; then all change sides.
        for sides in 0..1_usize << come.len().saturating_sub(1) {
            let added = self.added(evaluator, come, |at| sides << 1 >> at & 1);
            for flip in 0..=usize::from(!come.is_empty()) {
                let wanted = if flip == 0 {
                    added.size_a
                } else {
                    size - added.size_a
                };
                for (at, way) in self.ways.iter().enumerate() {
                    if way.room_a != wanted {
                        continue;
                    }
                    *tried += 1;
                    let mut value = way.pairs + added.pairs;
                    for (with, &side) in added.with.iter().zip(&self.sides[at * units..][..units]) {
                        value += with[usize::from(side) ^ flip];
                    }
                    // Balances cost most, and seldom matter.
                    if value + most_balances <= best.0.max(least - most_links) {
                        continue;
                    }
                    let levels = &self.levels[2 * at * count..][..2 * count];
                    for (k, balance) in balances.iter().enumerate() {
                        let a = levels[k] + added.levels[flip * count + k];
                        let b = levels[count + k] + added.levels[(1 - flip) * count + k];
                        value += balance.worth(a / size_a as f64 - b / size_b as f64);
                    }
                    if value > best.0 {
                        best = (value, at);
                    }
                }
            }
        }
        if best.0 == f64::NEG_INFINITY {
            return best;
        }
        let parties = self.parties.iter().chain(come);
        let value = best.0 + evaluator.links(parties.flat_map(|&party| evaluator.members(party)).copied());
        let forbidden = (value / FORBIDDEN).round();
        if forbidden >= 1.0 {
            return (forbidden * FORBIDDEN, best.1);
        }
        (value.clamp(0.0, 1.0), best.1)
    }

    /// What these parties add, each on its side.
    #[inline]
    fn added(&self, evaluator: &Evaluator<'_>, come: &[usize], side_of: impl Fn(usize) -> usize) -> Added {
        let count = evaluator.balances().len();
        let mut added = Added {
            size_a: 0,
            pairs: 0.0,
            with: [[0.0; 2]; 2 * MOST_PLAYERS],
            levels: vec![0.0; 2 * count],
        };
        for (k, &party) in come.iter().enumerate() {
            let (side, members) = (side_of(k), evaluator.members(party));
            added.size_a += if side == 0 { members.len() } else { 0 };
            for (at, &player) in members.iter().enumerate() {
                let row = evaluator.row(player);
                for (with, &other) in added.with.iter_mut().zip(&self.parties) {
                    for &other in evaluator.members(other) {
                        with[side] += row[other][0];
                        with[1 - side] += row[other][1];
                    }
                }
                added.pairs += members[..at].iter().map(|&mate| row[mate][0]).sum::<f64>();
                for (l, &other) in come[..k].iter().enumerate() {
                    let against = usize::from(side != side_of(l));
                    let others = evaluator.members(other).iter();
                    added.pairs += others.map(|&other| row[other][against]).sum::<f64>();
                }
                for (k, balance) in evaluator.balances().iter().enumerate() {
                    added.levels[side * count + k] += balance.levels()[player];
                }
            }
        }
        added
    }
}

impl Evaluator<'_> {
    /// The value of the best split of a match, and its sides; minus infinity if none fills the teams. Adds to `tried`
    /// how many splits there were.
    pub(super) fn best_split(&self, parties: &[usize], tried: &mut u64) -> (f64, Vec<u8>) {
        let all = self.ways(parties, true);
        let mut ways = all.chunks_exact(parties.len().max(1));
        if self.terms.is_some() {
            let (value, way) =
                Rest::new(self, parties, all.clone()).best_with(self, &[], f64::NEG_INFINITY, tried);
            return (value, ways.nth(way).unwrap_or_default().to_vec());
        }
        let mut best = (f64::NEG_INFINITY, Vec::new());
        for way in ways {
            *tried += 1;
            let quality = self.objective.checked_quality(&self.teams(parties, way));
            let value = quality.ok().flatten().unwrap_or(FORBIDDEN);
            if value > best.0 {
                best = (value, way.to_vec());
            }
        }
        best
    }
}
