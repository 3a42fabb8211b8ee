//! The only place where ratings, churn, scoring and pairing meet: populations, policies and experiments. Games come
//! as a `History` of `matchwright-rating`, from a file or a generator.
//!
//! | module | what it does | feature |
//! |---|---|---|
//! | [`policy`] | when a queue matches whom: policies that score and search, and the document that holds one | - |
//! | [`adapt`] | where one crate's vocabulary becomes another's | - |
//! | `rate` | a rating system over a history, predict then update, and how good it was | `rate` |
//! | `replay` | a log of tickets under another policy, what it costs, and the least it could have cost | `replay` |
//! | `arrivals` | tickets that arrive at a queue, generated | `replay` |
//! | `population` | generated players whose true churn function is known and kept from estimators | `simulate` |
//! | `simulate` | worlds of players under policies, compared | `simulate` |
//! | [`random`], [`statistics`] | seeded streams; means and tests of them | `random`, `statistics` |
//! | [`threads`], [`progress`] | thread pools; what long work says of itself | `parallel` for more than one |
//!
//! Without features it is what a game server needs: policies from a document, in memory. `journal` lets them be saved and
//! restored; `schema` gives JSON Schemas of scenarios.

pub mod adapt;
#[cfg(feature = "replay")]
pub mod arrivals;
pub mod policy;
#[cfg(feature = "simulate")]
pub mod population;
pub mod progress;
pub mod random;
#[cfg(feature = "rate")]
pub mod rate;
#[cfg(feature = "replay")]
pub mod replay;
#[cfg(feature = "simulate")]
pub mod simulate;
pub mod statistics;
pub mod threads;

/// The code of the README, run as a doc test.
#[cfg(all(doctest, feature = "simulate"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// The code of the README of the whole project.
#[cfg(all(doctest, feature = "simulate"))]
#[doc = include_str!("../../../README.md")]
struct ProjectReadme;
