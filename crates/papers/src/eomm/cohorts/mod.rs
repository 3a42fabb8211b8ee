//! EOMM over many rounds: those who stay queue again, those who leave are replaced by newcomers.
//!
//! The paper counts one round, and says that in a constant population the benefit accumulates (section 5.4). Here the
//! pool has a constant size. A player's true churn logit in a round, after an outcome, is
//!
//! ```text
//! a + u + effect(outcome),   u normal, with deviation `habit_deviation`, the player's own
//! ```
//!
//! where u is drawn anew for each round, as the paper's states are, or persists. In both worlds a first round is the same.
//! The service sees a rating with an error, a noisy signal of u, outcomes, and who stayed; it fits a logistic
//! model on an earlier population that was paired at random, and EOMM pairs for the fewest expected leavers.
//!
//! A pairing for **lifetime value** weighs a leaver by the matches that one like it would still have played. That is
//! what the long run asks for: with g leavers a match and a player that leaves after V more matches on average, its
//! departure brings forward one newcomer, who is worth g V in leavers (the relative value of a renewal process; Puterman,
//! "Markov Decision Processes", 1994, section 8.2). Where nothing persists all V are alike, and the two are the same.
//!
//! ```
//! use matchwright_papers::Workers;
//! use matchwright_papers::eomm::cohorts::{CohortsConfig, Strategy, run_cohorts};
//! use matchwright_sim::progress::Quiet;
//!
//! let config = CohortsConfig { worlds: 2, players: 20, rounds: 4, record_pools: 10, ..CohortsConfig::default() };
//! let report = run_cohorts(&config, 1, &Workers::new(1, &Quiet))?;
//! let eomm = report.settings[0].of(Strategy::Eomm);
//! assert!(eomm.kept[4].mean < eomm.kept[1].mean);
//! # anyhow::Ok(())
//! ```

mod config;
mod report;
mod run;
mod service;
mod world;

pub use config::{CohortsConfig, Setting};
pub use report::{CohortsReport, SettingReport, StrategyReport};
pub use run::{Strategy, run_cohorts};
