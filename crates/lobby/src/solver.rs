//! What every lobby solver promises.

use crate::{Lineups, LobbyError, LobbyObjective, LobbyPool};

/// Puts the players of a pool into matches of two teams.
///
/// Contract: teams are full, parties whole, no player is in two teams, and each match is allowed by the objective,
/// whose quality it has; everybody else is left out. The same input gives the same lineups.
pub trait LobbySolver {
    /// The lineups that this solver finds.
    ///
    /// # Errors
    /// [`LobbyError`] if the objective breaks its contract.
    fn solve(&self, pool: &LobbyPool, objective: &dyn LobbyObjective) -> Result<Lineups, LobbyError>;
}

const _: Option<&dyn LobbySolver> = None;
