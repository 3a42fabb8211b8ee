//! From games with parties to the columns of a regression, and what these can tell apart.

use crate::party::bonus::{parties, size_index};
use crate::party::fit::{Identification, PartyFitOptions, PartyTerm};
use crate::party::regression::{Cholesky, Rows};
use crate::system::RatingEstimate;
use crate::team::{Member, Side, TeamGame, TeamSkill};

/// What may have a coefficient: the gap, the first side's advantage, the spread, the four sizes.
pub(super) const TERMS: [PartyTerm; 7] = [
    PartyTerm::Rating,
    PartyTerm::FirstSide,
    PartyTerm::Spread,
    PartyTerm::Size(2),
    PartyTerm::Size(3),
    PartyTerm::Size(4),
    PartyTerm::Size(5),
];

/// Columns as in [`TERMS`], all of them.
const WIDTH: usize = TERMS.len();

/// One game: first side less second.
type Row = [f64; WIDTH];

/// What rounding alone leaves of the square of a difference between equals.
const ROUNDING: f64 = 1e-20;

/// Part of a column that the others do not explain, below which they explain it all.
const DEPENDENT: f64 = 1e-9;

pub(super) struct Design {
    rows: Vec<Row>,
    scores: Vec<f64>,
    /// Whether a party of which the term speaks played at all.
    present: [bool; WIDTH],
    /// Sum of both sides' squares, which those of their differences are held against.
    squares: Row,
}

/// Which terms are fitted, and what is known of all.
pub(super) struct Plan {
    /// By [`TERMS`].
    pub(super) identification: [Identification; WIDTH],
    /// Positions in [`TERMS`] of the columns to fit, ascending.
    pub(super) columns: Vec<usize>,
}

/// What one side brings to a row.
fn side_of<R: RatingEstimate>(side: &Side<R>, options: &PartyFitOptions, present: &mut [bool; WIDTH]) -> Row {
    let members: &[Member<R>] = &side.members;
    let mut row = [0.0; WIDTH];
    row[0] = members.iter().map(|one| one.share * one.rating.rating()).sum();
    for party in parties(members) {
        let shares: f64 = party.members.iter().map(|&at| members[at].share).sum();
        let shares = party.presence * shares;
        let beyond = (party.spread - options.free_spread).max(0.0);
        row[2] += shares * beyond;
        present[2] |= beyond > 0.0;
        let size = 3 + size_index(party.members.len());
        row[size] += shares;
        present[size] = true;
    }
    if options.skill == TeamSkill::Mean {
        let shares: f64 = members.iter().map(|one| one.share).sum();
        for value in &mut row {
            *value /= shares;
        }
    }
    row
}

impl Design {
    /// The games' rows; the position of the first game that has not two sides otherwise.
    pub(super) fn of<R: RatingEstimate>(
        games: &[TeamGame<R>],
        options: &PartyFitOptions,
    ) -> Result<Self, (usize, usize)> {
        let mut present = [false; WIDTH];
        (present[0], present[1]) = (true, true);
        let mut squares = [0.0; WIDTH];
        let (mut rows, mut scores) = (Vec::with_capacity(games.len()), Vec::with_capacity(games.len()));
        for (index, game) in games.iter().enumerate() {
            let [first, second] = game.sides() else {
                return Err((index, game.sides().len()));
            };
            let mut row = side_of(first, options, &mut present);
            let other = side_of(second, options, &mut present);
            for ((value, other), squares) in row.iter_mut().zip(other).zip(&mut squares) {
                *squares += *value * *value + other * other;
                *value -= other;
            }
            row[1] = 1.0;
            rows.push(row);
            scores.push(match first.place.cmp(&second.place) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            });
        }
        Ok(Self {
            rows,
            scores,
            present,
            squares,
        })
    }

    /// Sorts the terms into those that these games can tell, and the others with the reason.
    pub(super) fn plan(&self, options: &PartyFitOptions) -> Plan {
        let mut identification: [Identification; WIDTH] = std::array::from_fn(|_| Identification::Identified);
        let mut columns: Vec<usize> = Vec::new();
        let gram = self.gram();
        for k in 0..WIDTH {
            let wanted = match TERMS[k] {
                PartyTerm::Rating => options.log_odds_per_point.is_none(),
                PartyTerm::FirstSide => options.first_side,
                _ => true,
            };
            if !wanted {
                continue;
            }
            if !self.present[k] {
                identification[k] = Identification::Absent;
            } else if gram[k * WIDTH + k] <= ROUNDING * self.squares[k] {
                identification[k] = Identification::Balanced;
            } else if k > 1 && self.one_way(k) {
                identification[k] = Identification::OneWay;
            } else if let Some(with) = dependence(&gram, &columns, k) {
                for &other in &with {
                    identification[other].confound(TERMS[k]);
                }
                identification[k] = Identification::Confounded {
                    with: with.iter().map(|&other| TERMS[other]).collect(),
                };
            } else {
                columns.push(k);
            }
        }
        Plan {
            identification,
            columns,
        }
    }

    /// X^T X.
    fn gram(&self) -> Vec<f64> {
        let mut gram = vec![0.0; WIDTH * WIDTH];
        for row in &self.rows {
            for i in 0..WIDTH {
                for j in 0..WIDTH {
                    gram[i * WIDTH + j] += row[i] * row[j];
                }
            }
        }
        gram
    }

    /// Whether the side with more of a term won every such game, or lost every one.
    fn one_way(&self, k: usize) -> bool {
        let mut games = self
            .rows
            .iter()
            .zip(&self.scores)
            .filter(|(row, _)| row[k] != 0.0)
            .map(|(row, score)| if row[k] > 0.0 { *score } else { 1.0 - score });
        let Some(first) = games.next() else { return false };
        first != 0.5 && games.all(|score| score == first)
    }

    /// The regression of a plan. Games that go one way by a term without limit say nothing of the
    /// others: they are left out, as the limit would.
    pub(super) fn rows(&self, plan: &Plan, options: &PartyFitOptions) -> Rows {
        let one_way = |row: &Row| {
            let terms = row.iter().zip(&plan.identification);
            terms
                .into_iter()
                .any(|(value, identification)| *value != 0.0 && *identification == Identification::OneWay)
        };
        let kept: Vec<(&Row, f64)> = self
            .rows
            .iter()
            .zip(self.scores.iter().copied())
            .filter(|(row, _)| !one_way(row))
            .collect();
        let scale = options.log_odds_per_point;
        // With a known scale the regression is in points already, but for that factor.
        let unit = |k: usize| if k == 1 { 1.0 } else { scale.unwrap_or(1.0) };
        Rows {
            columns: plan.columns.len(),
            values: kept
                .iter()
                .flat_map(|(row, _)| plan.columns.iter().map(move |&k| row[k] * unit(k)))
                .collect(),
            offsets: kept
                .iter()
                .map(|(row, _)| scale.map_or(0.0, |scale| scale * row[0]))
                .collect(),
            scores: kept.iter().map(|(_, score)| *score).collect(),
        }
    }
}

/// The columns of `accepted` that together give column `k`; none if they do not.
fn dependence(gram: &[f64], accepted: &[usize], k: usize) -> Option<Vec<usize>> {
    let n = accepted.len();
    // Columns of length 1, so that units do not decide.
    let length = |i: usize| gram[i * WIDTH + i].sqrt();
    let cosine = |i: usize, j: usize| gram[i * WIDTH + j] / (length(i) * length(j));
    let matrix: Vec<f64> = accepted
        .iter()
        .flat_map(|&i| accepted.iter().map(move |&j| (i, j)))
        .map(|(i, j)| cosine(i, j))
        .collect();
    let right: Vec<f64> = accepted.iter().map(|&i| cosine(i, k)).collect();
    let shares = Cholesky::of(&matrix, n)?.solve(&right);
    let explained: f64 = shares
        .iter()
        .zip(&right)
        .map(|(share, right)| share * right)
        .sum();
    if 1.0 - explained > DEPENDENT {
        return None;
    }
    let takes_part = |(_, share): &(&usize, f64)| share.abs() > 1e-6;
    Some(
        accepted
            .iter()
            .zip(shares)
            .filter(takes_part)
            .map(|(&i, _)| i)
            .collect(),
    )
}
