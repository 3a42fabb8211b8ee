//! How good a candidate match is: scorers that give a quality from 0 to 1, and EOMM's edge.
//!
//! | item | answers | choose it when |
//! |---|---|---|
//! | [`SkillGap`] | how fair is it? | fairness is the aim, or the baseline to beat |
//! | [`EommScorer`], [`churn_edge`] | how many of the two leave? | you can predict churn after each outcome |
//! | [`WeightedSum`] | all of these together | several factors count, or one may forbid |
//! | [`Curve`] | how good is a ping, a gap, a share? | a measure has caps, or counts more near one end |
//! | [`Viewed`] | the same of another candidate | scorers speak of numbers, the program of players |
//!
//! Everything that scores implements [`MatchScorer`]: quality from 0 to 1, higher is better, `None`
//! for a match that must not be made. The crate knows neither ratings nor churn models nor solvers:
//! chances, probabilities and skills come in as numbers or closures, qualities (or EOMM's cost, in
//! expected leavers) go out.
//!
//! # Example
//!
//! Engagement first, fairness second, and no match across more than 600 points:
//!
//! ```
//! use matchwright_scoring::{
//!     ChurnByOutcome, EommScorer, MatchScorer, OutcomeChances, SkillGapParams, Viewed, WeightedSum,
//! };
//!
//! #[derive(Clone, Copy)]
//! struct Player {
//!     rating: f64,
//!     churn: ChurnByOutcome,
//! }
//! type Pair = (Player, Player);
//!
//! let chances = |a: &Player, b: &Player| {
//!     let win = 0.8 / (1.0 + 10_f64.powf((b.rating - a.rating) / 400.0));
//!     OutcomeChances::new(win, 0.2, 0.8 - win).unwrap()
//! };
//! let eomm = EommScorer::new(chances, |player: &Player| player.churn);
//! let gap = SkillGapParams { scale: 1000.0, cap: Some(600.0) }.check()?;
//! let parts: Vec<(f64, Box<dyn MatchScorer<Pair>>)> = vec![
//!     (4.0, Box::new(eomm)),
//!     (1.0, Box::new(Viewed::new(gap, |pair: &Pair| (pair.0.rating, pair.1.rating)))),
//! ];
//! let scorer = WeightedSum::new(parts)?;
//!
//! let player = |rating| Player { rating, churn: ChurnByOutcome::new(0.3, 0.35, 0.45).unwrap() };
//! let close = scorer.quality(&(player(1500.0), player(1510.0)));
//! let far = scorer.quality(&(player(1500.0), player(2000.0)));
//! assert!(close > far);
//! assert_eq!(scorer.quality(&(player(1500.0), player(2101.0))), None);
//! # Ok::<(), matchwright_scoring::ScoringError>(())
//! ```
//!
//! # Features
//! - `serde`: chances, churn and settings as data; what is read is checked.
//! - `laws`: the contract of [`MatchScorer`] as a suite that anyone can run on an implementation.

mod combine;
mod curve;
mod eomm;
mod error;
mod factors;
#[cfg(feature = "laws")]
pub mod laws;
mod mean;
mod outcome;
mod policy;
mod scorer;
mod skill_gap;
mod team;

pub use combine::WeightedSum;
pub use curve::{Curve, CurveError, CurveParams};
pub use eomm::{EommScorer, churn_edge, expected_churn};
pub use error::ScoringError;
pub use factors::*;
pub use mean::PowerMean;
pub use outcome::{ChurnByOutcome, OutcomeChances};
pub use policy::*;
pub use scorer::{MatchScorer, Viewed};
pub use skill_gap::{SkillGap, SkillGapParams};
pub use team::{
    BalanceCurve, PairTable, Parts, Player, PlayerField, Pool, PoolError, TeamFactor, TeamMatch,
    TeamMatchError,
};
