//! [`Decomposition`]: a factor by numbers of single players and of pairs, for solvers and their bounds.

use std::sync::Arc;

use super::candidate::{greatest, range_of};
use crate::curve::Curve;

/// A factor over matches of two teams of equal size, taken apart. Players are places in the list that it was made
/// for.
///
/// All but [`Spread`](Self::Spread), [`Greatest`](Self::Greatest) and [`CommonShare`](Self::CommonShare) are sums
/// over players, pairs and teams ([`is_sum`](Self::is_sum)).
#[derive(Debug, Clone, PartialEq)]
pub enum Decomposition {
    /// The mean over all players.
    Players {
        /// The quality of each, in \[0, 1\].
        quality: Vec<f64>,
    },
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
        /// Quality with 0, 1, ... such players, the last for that many or more; `None` forbids. Never empty.
        by_count: Vec<Option<f64>>,
    },
    /// Quality 1, or forbidden.
    PairRule {
        /// Row-major, symmetric: whether these two must not be team mates.
        together_forbidden: Vec<bool>,
        /// Row-major, symmetric: whether these two must not be opponents.
        against_forbidden: Vec<bool>,
    },
    /// curve(greatest level of the match - least level of the match).
    Spread {
        /// A player's level, or that of its party; NaN if it is unknown, which makes the quality the curve's worst.
        level: Vec<f64>,
        /// From the difference to the quality.
        curve: Curve,
    },
    /// curve(|greatest level of one team - greatest level of the other|).
    Greatest {
        /// A player's level; NaN if it is unknown, which makes the quality the curve's worst.
        level: Vec<f64>,
        /// From the difference to the quality.
        curve: Curve,
    },
    /// s (mean over the teams of curve(share of the team)) + (1 - s) curve(share of the match), s the team share: by the
    /// largest share of players who have one trait in common, 1 if there are no traits.
    CommonShare {
        /// Player by player in rows of one length, eight traits at a time: 1 for each that the player has.
        traits: Vec<[u8; 8]>,
        /// The length of a row; 0 without traits.
        row: usize,
        /// How much of the quality is decided within the teams, in \[0, 1\].
        team_share: f64,
        /// From the share to the quality.
        curve: Curve,
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
            Self::Players { quality } => {
                let sum = |team: &[usize]| team.iter().map(|&player| quality[player]).sum::<f64>();
                let count = (teams[0].len() + teams[1].len()) as f64;
                Some(((sum(teams[0]) + sum(teams[1])) / count).clamp(0.0, 1.0))
            }
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
            Self::PairRule { .. } => (self.forbidden_pairs(teams) == 0).then_some(1.0),
            Self::Spread { level, curve } => {
                let [a, b] = teams.map(|team| team.iter().map(|&player| level[player]));
                Some(curve.quality(range_of(a.chain(b))))
            }
            Self::Greatest { level, curve } => {
                let most = |team: &[usize]| greatest(team.iter().map(|&player| level[player]));
                Some(curve.quality((most(teams[0]) - most(teams[1])).abs()))
            }
            Self::CommonShare {
                traits,
                row,
                team_share,
                curve,
            } => {
                let [a, b, all] = common_shares(teams, traits, *row).map(|share| curve.quality(share));
                let within_teams = 0.5 * (a + b);
                Some((team_share * within_teams + (1.0 - team_share) * all).clamp(0.0, 1.0))
            }
        }
    }

    /// Whether the quality is a sum over players, pairs and teams, as the terms of a lobby solver are.
    #[must_use]
    pub const fn is_sum(&self) -> bool {
        !matches!(
            self,
            Self::Spread { .. } | Self::Greatest { .. } | Self::CommonShare { .. }
        )
    }

    /// How many pairs of the match are forbidden by a [`PairRule`](Self::PairRule); 0 of all others.
    #[must_use]
    pub fn forbidden_pairs(&self, teams: [&[usize]; 2]) -> usize {
        let Self::PairRule {
            together_forbidden,
            against_forbidden,
        } = self
        else {
            return 0;
        };
        let size = together_forbidden.len().isqrt();
        let count = |table: &[bool], a: usize, others: &[usize]| {
            others.iter().filter(|&&b| table[a * size + b]).count()
        };
        let mates = teams.into_iter().flat_map(|team| {
            let seats = team.iter().enumerate();
            seats.map(move |(seat, &a)| count(together_forbidden, a, &team[seat + 1..]))
        });
        let opponents = teams[0].iter().map(|&a| count(against_forbidden, a, teams[1]));
        mates.sum::<usize>() + opponents.sum::<usize>()
    }
}

/// The largest share of players with one trait in common: of each team, and of the match.
fn common_shares(teams: [&[usize]; 2], traits: &[[u8; 8]], row: usize) -> [f64; 3] {
    let mut most = [0; 3];
    for group in 0..row {
        let having = |team: &[usize]| {
            let mut sums = [0_u32; 8];
            for &player in team {
                for (sum, has) in sums.iter_mut().zip(traits[player * row + group]) {
                    *sum += u32::from(has);
                }
            }
            sums
        };
        let [a, b] = teams.map(having);
        for (a, b) in a.into_iter().zip(b) {
            most = [a.max(most[0]), b.max(most[1]), (a + b).max(most[2])];
        }
    }
    let [a, b] = teams.map(<[usize]>::len);
    let share = |most: u32, of: usize| {
        if row == 0 {
            1.0
        } else {
            f64::from(most) / of as f64
        }
    };
    [share(most[0], a), share(most[1], b), share(most[2], a + b)]
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
