//! [`Decomposition`]: a factor as a sum over players, pairs and teams, for solvers and their bounds.

use std::sync::Arc;

use crate::curve::Curve;

/// A factor over matches of two teams of equal size, taken apart. Players are places in the list that it was made
/// for.
#[derive(Debug, Clone, PartialEq)]
pub enum Decomposition {
    /// The mean over all pairs of the kinds given; 1 if there is no such pair.
    Pairs {
        /// The quality of two as team mates; `None`: such pairs do not count.
        together: Option<PairTable>,
        /// The quality of two as opponents; `None`: such pairs do not count.
        against: Option<PairTable>,
    },
    /// curve(|mean level of one team - mean level of the other|).
    Balance {
        /// A player's level; NaN if it is unknown, which makes the quality the curve's worst.
        level: Vec<f64>,
        /// From the difference to the quality.
        curve: BalanceCurve,
    },
    /// By how many of the match's players are linked to all its others.
    Hubs {
        /// Row-major: whether the row's player is linked to the column's. Need not be symmetric.
        linked: Vec<bool>,
        /// Quality with 0, 1, ... such players, the last for so many and more; `None` forbids. Never empty.
        by_count: Vec<Option<f64>>,
    },
    /// Quality 1, or forbidden.
    PairRule {
        /// Row-major, symmetric: whether these two must not be team mates.
        together_forbidden: Vec<bool>,
        /// Row-major, symmetric: whether these two must not be opponents.
        against_forbidden: Vec<bool>,
    },
}

/// A quality for each pair of the listed players: symmetric, every entry finite and in \[0, 1\], the diagonal 0.
///
/// No entry forbids: what must not be stands in [`Decomposition::PairRule`].
#[derive(Debug, Clone, PartialEq)]
pub struct PairTable {
    size: usize,
    /// Shared, as what mates and opponents are worth is often the same.
    values: Arc<Vec<f64>>,
}

/// Rows and columns of a table that are mirrored at a time.
const BLOCK: usize = 32;

impl PairTable {
    /// The table of `quality`, asked once for each pair of `players` and cut to \[0, 1\] (NaN becomes 0). O(n^2).
    pub fn of(players: &[usize], quality: impl Fn(usize, usize) -> f64) -> Self {
        let size = players.len();
        let mut values = vec![0.0; size * size];
        for a in 0..size {
            for b in a + 1..size {
                let value = quality(players[a], players[b]);
                values[a * size + b] = if value >= 0.0 { value.min(1.0) } else { 0.0 };
            }
        }
        // Block by block: a whole column at a time would leave the cache behind.
        for rows in (0..size).step_by(BLOCK) {
            for columns in (rows..size).step_by(BLOCK) {
                for a in rows..size.min(rows + BLOCK) {
                    for b in columns.max(a + 1)..size.min(columns + BLOCK) {
                        values[b * size + a] = values[a * size + b];
                    }
                }
            }
        }
        Self {
            size,
            values: Arc::new(values),
        }
    }

    /// How many players.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Row after row.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The quality of two, by their places in the list.
    #[must_use]
    pub fn at(&self, a: usize, b: usize) -> f64 {
        self.values[a * self.size + b]
    }
}

/// From a difference of levels to a quality that does not depend on its sign.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum BalanceCurve {
    /// curve(|difference|).
    Plain(Curve),
    /// curve(|p - 1/2|) with p = 1 / (1 + e^(-rate |difference|)), the chance that the stronger team wins.
    Logistic {
        /// Log-odds for a unit of difference, above 0.
        rate: f64,
        /// From the distance to 1/2, in \[0, 0.5\], to the quality.
        curve: Curve,
    },
}

impl BalanceCurve {
    /// The quality at `difference`, in \[0, 1\]; NaN gets the curve's worst.
    #[must_use]
    pub fn quality(&self, difference: f64) -> f64 {
        match self {
            Self::Plain(curve) => curve.quality(difference.abs()),
            Self::Logistic { rate, curve } => curve.quality(0.5 * (0.5 * rate * difference.abs()).tanh()),
        }
    }
}

/// Row-major truth over the pairs of `players`, false on the diagonal.
pub(crate) fn square(players: &[usize], holds: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let cell = |a: usize, b: usize| a != b && holds(players[a], players[b]);
    let size = players.len();
    (0..size)
        .flat_map(|a| (0..size).map(move |b| (a, b)))
        .map(|(a, b)| cell(a, b))
        .collect()
}

impl Decomposition {
    /// The quality of two teams, as places in the list: the meaning of the parts, and no quick way to search.
    ///
    /// ```
    /// use matchwright_scoring::{PairTable, Decomposition};
    ///
    /// let table = PairTable::of(&[7, 8, 9, 10], |a, b| if a + b == 17 { 0.5 } else { 1.0 });
    /// let parts = Decomposition::Pairs { together: None, against: Some(table) };
    /// assert_eq!(parts.quality([&[0, 1], &[2, 3]]), Some(0.75));
    /// ```
    #[must_use]
    pub fn quality(&self, teams: [&[usize]; 2]) -> Option<f64> {
        match self {
            Self::Pairs { together, against } => Some(pairs(teams, together.as_ref(), against.as_ref())),
            Self::Balance { level, curve } => {
                let mean = |team: &[usize]| {
                    team.iter().map(|&player| level[player]).sum::<f64>() / team.len() as f64
                };
                Some(curve.quality(mean(teams[0]) - mean(teams[1])))
            }
            Self::Hubs { linked, by_count } => {
                let size = linked.len().isqrt();
                let everybody = || teams.into_iter().flatten().copied();
                let hub = |&a: &usize| everybody().all(|b| a == b || linked[a * size + b]);
                let count = everybody().filter(hub).count();
                *by_count.get(count).or(by_count.last())?
            }
            Self::PairRule {
                together_forbidden,
                against_forbidden,
            } => {
                let size = together_forbidden.len().isqrt();
                let apart = teams.into_iter().all(|team| {
                    team.iter()
                        .all(|&a| team.iter().all(|&b| !together_forbidden[a * size + b]))
                });
                let against = |&a: &usize| teams[1].iter().all(|&b| !against_forbidden[a * size + b]);
                (apart && teams[0].iter().all(against)).then_some(1.0)
            }
        }
    }
}

fn pairs(teams: [&[usize]; 2], together: Option<&PairTable>, against: Option<&PairTable>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_usize);
    if let Some(table) = together {
        for team in teams {
            for (seat, &a) in team.iter().enumerate() {
                sum += team[seat + 1..].iter().map(|&b| table.at(a, b)).sum::<f64>();
                count += team.len() - seat - 1;
            }
        }
    }
    if let Some(table) = against {
        for &a in teams[0] {
            sum += teams[1].iter().map(|&b| table.at(a, b)).sum::<f64>();
        }
        count += teams[0].len() * teams[1].len();
    }
    if count == 0 { 1.0 } else { sum / count as f64 }
}
