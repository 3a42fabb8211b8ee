//! The only place where ratings, churn, scoring and pairing meet: histories, populations, policies
//! and experiments.
//!
//! - [`history`]: matches in time order, from a file or a generator.
//! - [`team_history`]: the same for games of teams and free-for-alls.
//! - [`population`]: generated players whose true churn function is known and kept from estimators.
//! - [`rate`]: a rating system over a history, predict then update, and how good it was.
//! - [`adapt`]: where one crate's vocabulary becomes another's.
//! - [`progress`]: what long work says of itself.
//! - [`random`], [`threads`], [`statistics`]: seeded streams, thread pools and tests of means.

pub mod adapt;
pub mod history;
pub mod population;
pub mod progress;
pub mod random;
pub mod rate;
pub mod statistics;
pub mod team_history;
pub mod threads;
