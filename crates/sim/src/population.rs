//! Generated populations: players whose hidden skill and habits we know, and the matches they play.
//!
//! The real data behind EOMM are private. This generator makes a stand-in whose true churn function
//! is known, so that a method can be judged under the truth and not only under the model it
//! optimises (see `docs/papers.md`, chen2017eomm). [`generate`] returns the history that estimators
//! may read and the [`Truth`] that only judges may.
//!
//! [`lobby_players`] generates another kind of players: those who wait for a match of teams at one moment.

mod assumptions;
mod churn_truth;
mod generate;
mod laws;
mod lobby;
mod params;
mod ready;
mod truth;

pub use generate::{Generated, generate, generate_region};
pub use lobby::{LobbyWorldError, LobbyWorldParams, lobby_players};
pub use params::{GeneratorError, GeneratorParams, LogNormalGap, OutcomeEffects, SevenDayEffects};
pub use truth::{TrueSide, Truth};
