//! Who plays with whom in matches of two teams.

mod annealing;
mod awesomenauts;
#[cfg(feature = "bounds")]
mod bound;
#[cfg(feature = "bounds")]
mod certified;
mod error;
mod lineup;
mod objective;
mod parts;
mod pool;
mod progress;
mod start;
#[cfg(test)]
mod symmetric;
mod terms;

pub use annealing::Annealing;
pub use awesomenauts::{Ascent, Awesomenauts, SwapCount};
#[cfg(feature = "bounds")]
pub use certified::CertifiedLobbies;
pub use error::LobbyError;
pub use lineup::{Lineups, Lobby, LobbyCertificate};
pub use objective::LobbyObjective;
pub use pool::LobbyPool;
pub use progress::{LobbyProgress, LobbyStage, LobbyWatch};
pub use terms::{Balance, LobbyTerms, TermsError};

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
