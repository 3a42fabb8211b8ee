//! Generated people, apart from any matchmaker, and what is made of them: histories of matches, and players who wait.
//!
//! The real data behind EOMM are private. This generator makes a stand-in whose true churn function is known, so that
//! a method can be judged under the truth and not only under the model it optimises (see `docs/papers.md`,
//! chen2017eomm).
//!
//! - [`Person`], [`Traits`]: one person; [`Behaviour`]: its true churn and its next arrival after a match. A result
//!   depends on the person, its own matches and the random numbers that it is given, never on other people.
//! - [`Departures`]: what EOMM assumes of people and need not be so.
//! - [`Matchmaker`], [`NearestSkill`]: which two of the people in [`Arrivals`] meet.
//! - [`generate`]: the history of a population, which estimators may read, and its [`Truth`], which only judges may.
//! - [`lobby_players`]: the people who wait for a match of teams at one moment.

mod assumptions;
mod behaviour;
mod departures;
mod generate;
mod home;
mod lobby;
mod matchmaker;
mod params;
mod person;
mod rules;
mod truth;

pub use behaviour::{Behaviour, Decision};
pub use departures::Departures;
pub use generate::{Generated, expected_matches, generate, generate_region, generate_watched, generate_with};
pub use home::Home;
pub use lobby::{LobbyWorldError, LobbyWorldParams, lobby_players};
pub use matchmaker::{Arrivals, Matchmaker, Meeting, NearestSkill};
pub use params::{GeneratorError, GeneratorParams, LogNormalParams, OutcomeEffects, SevenDayEffects};
pub use person::{Person, PlayedMatch, Traits};
pub use truth::{TrueSide, Truth};
