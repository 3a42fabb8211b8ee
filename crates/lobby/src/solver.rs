//! The contract of lobby solvers.

use matchwright_solver::Limits;

use crate::{Lineups, LobbyError, LobbyObjective, LobbyPool};

/// Puts the players of a pool into matches of teams.
///
/// Contract: teams are full, parties whole, no player is in two teams, and each match is allowed by the objective,
/// whose quality it has; all other players are unmatched. The same input gives the same lineups, unless a watch ends
/// the call.
pub trait LobbySolver {
    /// The lineups that this solver finds within limits of work and time. [`Lineups::status`] says whether one of them
    /// ended it. A solver that takes no longer than to look at each player a few times need not look at the limits.
    ///
    /// # Errors
    /// [`LobbyError`] if the objective breaks its contract.
    fn solve_within(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<Lineups, LobbyError>;

    /// The same without limits.
    ///
    /// # Errors
    /// As [`solve_within`](Self::solve_within).
    fn solve(&self, pool: &LobbyPool, objective: &dyn LobbyObjective) -> Result<Lineups, LobbyError> {
        self.solve_within(pool, objective, &Limits::unlimited())
    }
}

const _: Option<&dyn LobbySolver> = None;
