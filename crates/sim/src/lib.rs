//! The only place where ratings, churn, scoring and pairing meet: populations, policies and experiments. Games come
//! as a [`History`](matchwright_rating::history::History), from a file or a generator.
//!
//! - [`population`]: generated players whose true churn function is known and kept from estimators.
//! - [`rate`]: a rating system over a history, predict then update, and how good it was.
//! - [`policy`]: who plays whom, usable without anything else here.
//! - [`study`]: the case study of EOMM, end to end.
//! - [`theory`]: what EOMM proves of itself (section 4), held against every pairing of small pools.
//! - [`gain_law`]: how much EOMM can gain, in closed form and measured.
//! - [`trials`]: what the ratings of the Dota 2, DomiNations and StarCraft II documents do over many games.
//! - [`adapt`]: where one crate's vocabulary becomes another's.
//! - [`paper`]: the figures that EOMM and the other documents print.
//! - [`random`], [`threads`], [`statistics`]: seeded streams, thread pools and tests of means.
//!
//! ```
//! use matchwright_sim::population::{GeneratorParams, generate};
//! use matchwright_sim::study::{Quiet, StudyConfig, run_study};
//!
//! let params = GeneratorParams { players: 300, days: 10.0, ..GeneratorParams::default() };
//! let world = generate(&params, 1)?;
//! let config = StudyConfig { rounds: 20, pools: vec![20], fit_rows: 2_000, ..StudyConfig::default() };
//! let report = run_study(&config, &world.history, Some(&world.truth), 1, &Quiet)?;
//! let eomm_over_worst = &report.pools[0].fitted.comparisons[2].paired_expected;
//! assert!(eomm_over_worst.difference > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod adapt;
pub mod gain_law;
pub mod paper;
pub mod policy;
pub mod population;
pub mod random;
pub mod rate;
pub mod statistics;
pub mod study;
pub mod theory;
pub mod threads;
pub mod trials;
