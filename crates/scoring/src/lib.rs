//! How good a candidate match is: scorers that give a quality from 0 to 1, and EOMM's edge.
//!
//! | item | answers | choose it when |
//! |---|---|---|
//! | [`SkillGap`] | how fair is it? | fairness is the aim, or the baseline to beat |
//! | [`EommScorer`], [`churn_edge`] | how many of the two leave? | you can predict churn after each outcome |
//! | [`WeightedSum`] | all of these together | several factors count, or one may forbid |
//! | [`Curve`] | how good is a ping, a gap, a share? | a measure has caps, or counts more near one end |
//! | [`Projection`] | the same of another candidate | scorers speak of numbers, the program of players |
//! | [`Pool`], [`Player`], [`TeamMatch`] | who might play with whom? | matches are of teams |
//! | [`ScoringPolicy`], `PolicyDocument` | how good is this match of teams, and why? | a document decides |
//! | [`TeamFactor`], [`Decomposition`] | how does a factor add up? | you write a factor, or a solver |
//! | [`Total`], [`PowerMean`] | how good are all together? | bad matches should count more, or less |
//! | [`lead_balance`] | how close was this match? | its lead over time is known, such as in gold |
//!
//! The factors of team matches, each of which is its settings, with defaults that fit its source:
//!
//! | source | factors (F), rules (R) |
//! |---|---|
//! | Awesomenauts | F [`TeamSkill`], [`PlayerSkill`], [`Premades`], [`EnemyPing`], [`OpponentVariation`], [`Hosts`] |
//! | Dota 2 | F [`WinProbability`], [`SkillSpread`], [`Experience`], [`BestAgainstBest`] |
//! | | F [`PartyCount`], [`Languages`], [`Wait`] |
//! | DomiNations | F [`Strength`], [`Variance`], [`Glory`]; R [`TeamSizes`] |
//! | EOMM | F [`TeamChurn`], for other models of outcomes [`team_churn`]; R [`Regions`], [`Friends`], [`Blocks`] |
//! | live games | F [`Roles`], [`BestRegion`], [`RecentTeamMates`]; R [`Griefers`], [`PingLimit`] |
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
//!     ChurnByOutcome, EommScorer, MatchScorer, OutcomeChances, SkillGapParams, Projection, WeightedSum,
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
//!     OutcomeChances::new(win, 0.2, 0.8 - win).ok()
//! };
//! let eomm = EommScorer::new(chances, |player: &Player| player.churn);
//! let gap = SkillGapParams { scale: 1000.0, cap: Some(600.0) }.build()?;
//! let parts: Vec<(f64, Box<dyn MatchScorer<Pair>>)> = vec![
//!     (4.0, Box::new(eomm)),
//!     (1.0, Box::new(Projection::new(gap, |pair: &Pair| (pair.0.rating, pair.1.rating)))),
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
//! A match of teams, scored by a policy, is shown at [`ScoringPolicy`]; a policy as a document at `PolicyDocument`.
//!
//! # Features
//! - `serde`: players, policies, chances, churn and settings as data; what is read is checked, and an unknown key is
//!   refused with the one that was probably meant.
//! - `laws`: the contract of [`MatchScorer`] as a suite that anyone can run on an implementation.

mod combine;
mod curve;
mod eomm;
mod error;
mod factors;
#[cfg(feature = "laws")]
pub mod laws;
mod lead;
mod mean;
mod outcome;
mod policy;
mod scorer;
mod skill_gap;
mod team;
mod total;

pub use combine::WeightedSum;
pub use curve::{Curve, CurveError, CurveParams};
pub use eomm::{EommScorer, churn_edge, expected_churn};
pub use error::{QualityError, ScoringError};
pub use factors::*;
pub use lead::{LeadBalance, LeadError, lead_balance};
pub use mean::PowerMean;
pub use outcome::{ChurnByOutcome, OutcomeChances};
pub use policy::*;
pub use scorer::{MatchScorer, Projection};
pub use skill_gap::{SkillGap, SkillGapParams};
pub use team::{
    BalanceCurve, Decomposition, PairTable, Player, PlayerField, Pool, PoolError, TeamFactor, TeamMatch,
    TeamMatchError, TeamScorer,
};
pub use total::{Quantile, Total};

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
