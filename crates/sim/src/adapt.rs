//! The one place where two vocabularies meet: candidates as a solver sees them, and results as rating, churn and scoring
//! each call them.

mod lobby;
#[cfg(feature = "rate")]
mod outcomes;
mod scored;
mod total;
mod unmatched;

pub use lobby::{LobbyScoring, NoTerms, lobby_pool, unmatched_penalty};
#[cfg(feature = "rate")]
pub use outcomes::{chances_between, chances_of, outcome_of, score_of};
pub use scored::Scored;
pub use total::TotalSearch;
pub use unmatched::{UnmatchedReason, unmatched_reasons};
