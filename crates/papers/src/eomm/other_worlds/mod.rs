//! How much of EOMM's gain remains among players who are not as its model assumes.
//!
//! The paper simulates churn from the very model that EOMM optimises (section 5.3), and the default population shares
//! that model's assumptions. Here each is broken in turn ([`Departures`](matchwright_sim::population::Departures)), by
//! strengths that were chosen before any gain was looked at ([`World::chosen_because`]):
//!
//! | the study assumes | broken by |
//! |---|---|
//! | churn after an outcome does not depend on the opponent (Eq. 2) | one-sided matches repel both players |
//! | draws are as likely at any gap (Eq. 10) | draws get rarer with the gap |
//! | an outcome moves all players with one history alike | factors of their own, some below 0 |
//! | skills do not change | skills wander |
//!
//! In each world the study of section 5 runs as ever: ratings, churn model and EOMM know of no departure. Its pairs are
//! then judged twice: by its own models, which is what it promises, and by the truth. A fourth pairing, the exact optimum
//! of the *true* edges, bounds what any matchmaker could gain there.
//!
//! Everything is done for several populations of each world, and errors are those across populations: they count the
//! luck of players, matches and fit, not only that of the rounds. The worlds of one number share their seed.
//!
//! ```
//! use matchwright_papers::Workers;
//! use matchwright_papers::eomm::Method;
//! use matchwright_papers::eomm::other_worlds::{OtherWorldsConfig, run_other_worlds};
//! use matchwright_sim::progress::Quiet;
//!
//! let mut config = OtherWorldsConfig { populations: 2, ..OtherWorldsConfig::default() };
//! (config.population.players, config.population.days) = (200, 8.0);
//! (config.study.pools, config.study.rounds, config.study.fit_rows) = (vec![20], 4, 1_000);
//! config.worlds.truncate(2);
//! let report = run_other_worlds(&config, 1, &Workers::new(1, &Quiet))?;
//! let base = report.worlds[0].over(Method::Skill).unwrap();
//! assert!(base.promised.difference > 0.0 && base.attainable.difference >= base.truth.difference);
//! # anyhow::Ok(())
//! ```

mod config;
mod population;
mod report;
mod run;

pub use config::{OtherWorldsConfig, World, WorldKind};
pub use population::{Kept, PopulationResult};
pub use report::{DrawGap, Gains, OtherWorldsReport, WorldResult};
pub use run::{OtherWorldsPart, run_other_worlds, run_other_worlds_part};
