//! [`Aggregate`]: one number for a party (mean, greatest, least or each member).

use crate::curve::Curve;
use crate::team::{Decomposition, Pool, TeamMatch, greatest, range_of};

/// What stands for a party whose members differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Aggregate {
    /// The mean of its members.
    #[default]
    Mean,
    /// Its greatest member.
    Greatest,
    /// Its least member.
    Least,
    /// Nothing: each member stands for itself.
    Members,
}

impl Aggregate {
    /// Greatest less least over the parties of a match, solo players as parties of one; NaN if one player's is.
    ///
    /// "Dota 2: Matchmaking", section on parties: aggregates of the party replace its members in the criteria of
    /// skill and of experience, so that a solo player meets parties whose mean is near its own. Members on
    /// different teams count as two parties.
    #[must_use]
    pub fn spread(self, candidate: &TeamMatch<'_>, value: impl Fn(usize) -> f64) -> f64 {
        if self == Self::Members {
            return range_of(candidate.players().map(value));
        }
        let parties = candidate
            .teams()
            .iter()
            .flat_map(|team| candidate.parties_of(team));
        range_of(parties.map(|members| self.of(members.iter().map(|&member| value(member)))))
    }

    /// The spread taken apart, for matches in which no party is split: each player stands for its party.
    pub(super) fn spread_terms(
        self,
        pool: &Pool,
        players: &[usize],
        curve: &Curve,
        value: impl Fn(usize) -> f64,
    ) -> Decomposition {
        let level = |&player: &usize| match pool.party_of(player) {
            Some(party) if self != Self::Members => {
                self.of(pool.parties()[party].iter().map(|&member| value(member)))
            }
            _ => value(player),
        };
        Decomposition::Spread {
            level: players.iter().map(level).collect(),
            curve: curve.clone(),
        }
    }

    fn of(self, values: impl ExactSizeIterator<Item = f64>) -> f64 {
        let count = values.len() as f64;
        match self {
            Self::Mean | Self::Members => values.sum::<f64>() / count,
            Self::Greatest => greatest(values),
            Self::Least => -greatest(values.map(|value| -value)),
        }
    }
}
