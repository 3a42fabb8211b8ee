//! Who plays with whom in matches of two teams.

mod objective;
mod terms;

pub use objective::LobbyObjective;
pub use terms::{Balance, LobbyTerms, TermsError};
