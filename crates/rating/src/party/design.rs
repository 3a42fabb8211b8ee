//! The design matrix of the party regression, and which of its terms the games identify.

use crate::party::bonus::{parties, size_index};
use crate::party::options::{Identification, PartyFitOptions, PartyTerm};
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

/// Part of two numbers below which their difference is rounding.
const EQUAL: f64 = 1e-13;

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

/// Which terms are fitted to which games, and what is known of all terms.
pub(super) struct Plan {
    /// By [`TERMS`].
    pub(super) identification: [Identification; WIDTH],
    /// Positions in [`TERMS`] of the columns to fit, ascending.
    pub(super) columns: Vec<usize>,
    /// By game: whether it is in the regression.
    kept: Vec<bool>,
}

/// What one side brings to the row of a game of this length, in which skill shows sqrt(length) times as clearly as in a
/// whole one.
fn side_of<R: RatingEstimate>(
    side: &Side<R>,
    length: f64,
    options: &PartyFitOptions,
    present: &mut [bool; WIDTH],
) -> Row {
    let members: &[Member<R>] = &side.members;
    let mut row = [0.0; WIDTH];
    row[0] = members.iter().map(|one| one.share * one.rating.rating()).sum();
    for party in parties(members) {
        let shares: f64 = party.members.iter().map(|&at| members[at].share).sum();
        let shares = party.presence / length * shares;
        let beyond = (party.spread - options.free_spread).max(0.0);
        row[2] += shares * beyond;
        present[2] |= beyond > 0.0;
        let size = 3 + size_index(party.members.len());
        row[size] += shares;
        present[size] = true;
    }
    let whole = match options.skill {
        TeamSkill::Mean => members.iter().map(|one| one.share).sum(),
        TeamSkill::Sum => length,
    };
    row.map(|value| value / whole * length.sqrt())
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
            let length = game.length();
            let mut row = side_of(first, length, options, &mut present);
            let other = side_of(second, length, options, &mut present);
            for ((value, other), squares) in row.iter_mut().zip(other).zip(&mut squares) {
                *squares += *value * *value + other * other;
                let size = value.abs() + other.abs();
                *value -= other;
                // Of equals that were summed in another order only rounding is left.
                if value.abs() <= EQUAL * size {
                    *value = 0.0;
                }
            }
            row[1] = length.sqrt();
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
        let wanted: Vec<usize> = (0..WIDTH).filter(|&k| options.wants(TERMS[k])).collect();
        for &k in &wanted {
            let square: f64 = self.rows.iter().map(|row| row[k] * row[k]).sum();
            if !self.present[k] {
                identification[k] = Identification::Absent;
            } else if square <= ROUNDING * self.squares[k] {
                identification[k] = Identification::Balanced;
            }
        }
        let kept = self.set_one_way_apart(&wanted, &mut identification);
        let gram = self.gram(&kept);
        let mut columns: Vec<usize> = Vec::new();
        for k in wanted {
            if identification[k] != Identification::Identified {
                continue;
            }
            if gram[k * WIDTH + k] <= ROUNDING * self.squares[k] {
                // All of its games were decided by others.
                let one_way = (0..WIDTH).filter(|&other| identification[other] == Identification::OneWay);
                let with = one_way.map(|other| TERMS[other]).collect();
                identification[k] = Identification::Confounded { with };
            } else if let Some(mut set) = dependence(&gram, &columns, k) {
                set.push(k);
                for &term in &set {
                    let others = set.iter().filter(|&&other| other != term);
                    others.for_each(|&other| identification[term].confound(TERMS[other]));
                }
            } else {
                columns.push(k);
            }
        }
        Plan {
            identification,
            columns,
            kept,
        }
    }

    /// Finds the terms that go one way, and the games that are left without them. Games that go one way by a
    /// term without limit say nothing of the others, as the limit would; among those left, more terms
    /// may go one way.
    fn set_one_way_apart(&self, wanted: &[usize], identification: &mut [Identification; WIDTH]) -> Vec<bool> {
        let mut kept = vec![true; self.rows.len()];
        loop {
            let open = wanted.iter().copied();
            let found: Vec<usize> = open
                .filter(|&k| {
                    k > 1 && identification[k] == Identification::Identified && self.one_way(k, &kept)
                })
                .collect();
            if found.is_empty() {
                return kept;
            }
            for (kept, row) in kept.iter_mut().zip(&self.rows) {
                *kept &= found.iter().all(|&k| row[k] == 0.0);
            }
            for k in found {
                identification[k] = Identification::OneWay;
            }
        }
    }

    /// The rows of the games that are `kept`, with their scores.
    fn rows_of<'a>(&'a self, kept: &'a [bool]) -> impl Iterator<Item = (&'a Row, f64)> {
        let rows = self.rows.iter().zip(self.scores.iter().copied());
        rows.zip(kept).filter_map(|(row, kept)| kept.then_some(row))
    }

    /// X^T X.
    fn gram(&self, kept: &[bool]) -> Vec<f64> {
        let mut gram = vec![0.0; WIDTH * WIDTH];
        for (row, _) in self.rows_of(kept) {
            for i in 0..WIDTH {
                for j in 0..WIDTH {
                    gram[i * WIDTH + j] += row[i] * row[j];
                }
            }
        }
        gram
    }

    /// Whether the side with more of a term won every such game, or lost every one.
    fn one_way(&self, k: usize, kept: &[bool]) -> bool {
        let mut games = self
            .rows_of(kept)
            .filter(|(row, _)| row[k] != 0.0)
            .map(|(row, score)| if row[k] > 0.0 { score } else { 1.0 - score });
        let Some(first) = games.next() else { return false };
        first != 0.5 && games.all(|score| score == first)
    }

    /// The regression of a plan.
    pub(super) fn rows(&self, plan: &Plan, options: &PartyFitOptions) -> Rows {
        let kept = || self.rows_of(&plan.kept);
        let scale = options.log_odds_per_point;
        // With a known scale the regression is in points already, but for that factor.
        let unit = |k: usize| if k == 1 { 1.0 } else { scale.unwrap_or(1.0) };
        Rows {
            columns: plan.columns.len(),
            values: kept()
                .flat_map(|(row, _)| plan.columns.iter().map(move |&k| row[k] * unit(k)))
                .collect(),
            offsets: kept()
                .map(|(row, _)| scale.map_or(0.0, |scale| scale * row[0]))
                .collect(),
            scores: kept().map(|(_, score)| score).collect(),
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
