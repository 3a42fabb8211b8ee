//! The five documents that matchwright grows from, reproduced: the figures that each prints, the runs that answer
//! them, and the claims checked by library calls.
//!
//! - [`eomm`]: "EOMM: An Engagement Optimized Matchmaking Framework" (WWW 2017): its case study end to end, the theory of
//!   section 4, and how much it can gain.
//! - [`awesomenauts`]: the matchmaking algorithm of Awesomenauts: its search for matches of teams beside others.
//! - [`dota`]: ratings, parties and individual performance in Dota 2.
//! - [`dominations`]: ratings of alliances in `DomiNations`.
//! - [`sc2`]: the hidden rating behind StarCraft II's ladder.
//!
//! ```
//! use matchwright_papers::Workers;
//! use matchwright_papers::eomm::study::{StudyConfig, run_study};
//! use matchwright_sim::population::{GeneratorParams, generate};
//! use matchwright_sim::progress::Quiet;
//!
//! let params = GeneratorParams { players: 300, days: 10.0, ..GeneratorParams::default() };
//! let world = generate(&params, 1)?;
//! let config = StudyConfig { rounds: 20, pools: vec![20], fit_rows: 2_000, ..StudyConfig::default() };
//! let report = run_study(&config, &world.history, Some(&world.truth), &Workers::new(1, &Quiet))?;
//! let eomm_over_worst = &report.pools[0].fitted.comparisons[2].paired_expected;
//! assert!(eomm_over_worst.difference > 0.0);
//! # anyhow::Ok(())
//! ```

#![allow(
    clippy::unnecessary_wraps,
    reason = "all checks of claims, and all statements of pages, have one signature, also those that cannot fail"
)]

pub mod awesomenauts;
mod check;
mod claims;
mod climb;
pub mod dominations;
pub mod dota;
pub mod eomm;
mod random;
mod reproduction;
pub mod sc2;
mod scene;
mod settings;
mod workers;

pub use check::simulated::WorldSize;
pub use claims::{CheckedClaims, ClaimsOptions, Depth, Document, check_claims};
pub use climb::{Climb, ClimbConfig, climb};
pub use reproduction::Reproduction;
pub use settings::SettingError;
pub use workers::Workers;

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
