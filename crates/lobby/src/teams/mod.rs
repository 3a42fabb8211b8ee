//! One group into teams.

mod allowed;
mod best;
mod by_exchanges;
mod by_turns;
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
pub use group::Group;

use matchwright_solver::{Limits, Status};

use crate::{BoundSource, LobbyObjective};

/// Splits a group of players into teams.
///
/// Contract: every player is in one of the teams, each team in the group's order and of its size, parties together;
/// the split is allowed; its quality is what the objective says ([`LobbyObjective::quality_of`]), and no
/// split of the group is better than its bound; the same input gives the same split.
pub trait TeamSplitter {
    /// The split that this splitter finds for the group within limits of work and time. [`TeamSplit::status`] says
    /// whether one of them ended it. A splitter that takes no longer than to look at each player a few times need not
    /// look at the limits.
    ///
    /// # Errors
    /// [`SplitError`] if there is none, or the objective does not keep its contract; [`SplitError::NotFound`] if a limit
    /// is reached before there is a split.
    fn split_within(
        &self,
        group: &Group,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<TeamSplit, SplitError>;

    /// The same without limits.
    ///
    /// # Errors
    /// As [`split_within`](Self::split_within).
    fn split(&self, group: &Group, objective: &dyn LobbyObjective) -> Result<TeamSplit, SplitError> {
        self.split_within(group, objective, &Limits::unlimited())
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<T: TeamSplitter + ?Sized> TeamSplitter for $pointer {
            fn split_within(
                &self,
                group: &Group,
                objective: &dyn LobbyObjective,
                limits: &Limits<'_>,
            ) -> Result<TeamSplit, SplitError> {
                (**self).split_within(group, objective, limits)
            }
        }
    )+};
}

forward!(&T, Box<T>, std::sync::Arc<T>);

const _: fn(&dyn TeamSplitter, &dyn LobbyObjective) = |_, _| {};

/// Teams, the quality of their match, and an upper bound on that of any split.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TeamSplit {
    /// The teams, in the order of their sizes in the group, each in the group's order; among teams of one size the
    /// one with the group's first player comes first, and so on.
    pub teams: Vec<Vec<usize>>,
    /// The quality of the match, in [0, 1].
    pub quality: f64,
    /// An upper bound on the quality of splits of the group, in [quality, 1].
    pub bound: f64,
    /// Where the bound comes from.
    pub source: BoundSource,
    /// How the call ended; [`Status::Optimal`] where the bound is the quality, but for rounding (1e-12).
    pub status: Status,
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
        self.status == Status::Optimal
    }
}

/// Qualities nearer than that count as equal.
const ROUNDING: f64 = 1e-12;
