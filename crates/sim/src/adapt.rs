//! The one place where two vocabularies meet: candidates as a solver sees them, and results as rating, churn and scoring
//! each call them.

#[cfg(feature = "import")]
mod import;
mod lobby;
#[cfg(feature = "rate")]
mod outcomes;
mod scored;
mod total;
mod unmatched;

#[cfg(all(feature = "import", feature = "replay"))]
pub use import::{LoggedTickets, logged};
#[cfg(all(feature = "import", feature = "rate"))]
pub use import::{enter, read_history};
#[cfg(feature = "import")]
pub use import::{pool_of, refuse_player};
pub use lobby::{LobbyScoring, NoTerms, lobby_pool, unmatched_penalty};
#[cfg(feature = "rate")]
pub use outcomes::{chances_between, chances_of, outcome_of, score_of};
pub use scored::Scored;
pub use total::TotalSearch;
pub use unmatched::{UnmatchedReason, unmatched_reasons};
