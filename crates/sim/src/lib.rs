//! The only place where ratings, churn, scoring and pairing meet: populations, policies and experiments. Games come
//! as a [`History`](matchwright_rating::history::History), from a file or a generator.
//!
//! - [`population`]: generated players whose true churn function is known and kept from estimators.
//! - [`arrivals`]: tickets that arrive at a queue, generated.
//! - [`rate`]: a rating system over a history, predict then update, and how good it was.
//! - [`adapt`]: where one crate's vocabulary becomes another's.
//! - [`policy`]: when a queue matches whom: policies that score and search, and the document that holds one.
//! - [`progress`]: what long work says of itself.
//! - [`replay`]: a log of tickets under another policy, what it costs, and the least it could have cost.
//! - [`random`], [`threads`], [`statistics`]: seeded streams, thread pools and tests of means.

pub mod adapt;
pub mod arrivals;
pub mod policy;
pub mod population;
pub mod progress;
pub mod random;
pub mod rate;
pub mod replay;
pub mod simulate;
pub mod statistics;
pub mod threads;

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The code of the README of the whole project.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ProjectReadme;
