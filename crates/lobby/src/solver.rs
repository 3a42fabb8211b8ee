//! The contract of lobby solvers.

use matchwright_solver::{Limits, Progress};

use crate::{Lineups, LobbyError, LobbyObjective, LobbyPool};

/// Puts the players of a pool into matches of two teams.
///
/// Contract: teams are full, parties whole, no player is in two teams, and each match is allowed by the objective,
/// whose quality it has; all other players are unmatched. The same input gives the same lineups, unless a watch ends
/// the call.
pub trait LobbySolver {
    /// The lineups that this solver finds.
    ///
    /// # Errors
    /// [`LobbyError`] if the objective breaks its contract.
    fn solve(&self, pool: &LobbyPool, objective: &dyn LobbyObjective) -> Result<Lineups, LobbyError>;

    /// The same within limits of work and time. [`Lineups::status`] says whether one of them ended it.
    ///
    /// By default it is [`solve`](Self::solve), or no match if a limit is reached before: for solvers that take no
    /// longer than to look at each player a few times.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    fn solve_within(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<Lineups, LobbyError> {
        match limits.reached(&Progress::new("start")) {
            None => self.solve(pool, objective),
            Some(status) => Ok(Lineups {
                status,
                ..Lineups::of_teams(pool, objective, [])?
            }),
        }
    }
}

const _: Option<&dyn LobbySolver> = None;
