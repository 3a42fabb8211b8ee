//! One group into teams.

mod best;
mod by_exchanges;
mod divide;
mod error;
mod exhaustive;
mod group;
mod pack;
mod relaxed;

pub use best::BestSplit;
pub(crate) use divide::best_division;
pub use error::SplitError;
pub use exhaustive::ExhaustiveSplit;
pub use group::{AcrossTeams, Group};

use crate::LobbyObjective;

/// Splits a group of players into teams.
///
/// Contract: every player is in one of the teams, each team in the group's order and of its size, parties together;
/// the split is allowed; its quality is what the objective says ([`AcrossTeams`] for more than two teams), and no
/// split of the group is better than its bound; the same input gives the same split.
pub trait TeamSplitter {
    /// The split that this splitter finds for the group.
    ///
    /// # Errors
    /// [`SplitError`] if there is none, or the objective does not keep its contract.
    fn split(&self, group: &Group, objective: &dyn LobbyObjective) -> Result<TeamSplit, SplitError>;
}

const _: fn(&dyn TeamSplitter, &dyn LobbyObjective) = |_, _| {};

/// Teams, how well they match, and how much better they might.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TeamSplit {
    /// The teams, in the order of their sizes in the group, each in the group's order; among teams of one size the
    /// one with the group's first player comes first, and so on.
    pub teams: Vec<Vec<usize>>,
    /// The quality of the match, in [0, 1].
    pub quality: f64,
    /// What the quality of no split of the group exceeds, in [quality, 1].
    pub bound: f64,
    /// Where the bound comes from.
    pub proof: SplitProof,
}

/// Why no split is better than a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum SplitProof {
    /// All splits were tried.
    Exhausted,
    /// The terms of the objective, relaxed.
    Terms,
    /// Nothing is known but that no quality exceeds 1.
    Range,
}

impl TeamSplit {
    /// The first team.
    #[must_use]
    pub fn team_a(&self) -> &[usize] {
        self.teams.first().map_or(&[], Vec::as_slice)
    }

    /// The second team.
    #[must_use]
    pub fn team_b(&self) -> &[usize] {
        self.teams.get(1).map_or(&[], Vec::as_slice)
    }

    /// How much better the best split may be at most.
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.bound - self.quality
    }

    /// Whether no split is better, but for rounding (1e-12).
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.gap() <= ROUNDING
    }
}

/// Qualities nearer than that count as equal where splits are ruled out.
const ROUNDING: f64 = 1e-12;
