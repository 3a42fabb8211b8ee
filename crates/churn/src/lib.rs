//! Who will stop playing: labels, features of a history, models, fit, calibration.
//!
//! This crate answers one question about one player: how likely are they to stop playing, given their history and the
//! outcome of the match that just ended? It knows nothing of ratings, opponents or pairings, reads no clock and no
//! file.
//!
//! # What to choose
//!
//! | You have | Use |
//! |---|---|
//! | any predictor of your own | [`ChurnModel`], or [`FromFn`] around a closure |
//! | nothing but an overall rate | [`ConstantModel`] |
//! | rates by the last K outcomes | [`TableModel`] (EOMM, Table 1) |
//! | a history of matches with times | [`PlayerHistory`], the paper's 67 inputs, and `LogisticRegression` (feature `fit`) |
//! | short histories of busy sessions | [`ExtendedHistory`]: fewer columns, more about session and habits |
//!
//! `Dataset::from_matches` (feature `fit`) makes labelled rows of a history; [`label_matches`] labels alone. Score with
//! [`evaluate`], choose the penalty with `cross_validate`: by player for new players, by time for new days. Calibrate
//! with [`PlattScaling`] or [`IsotonicCalibration`] on `out_of_fold_predictions`; `LogisticRegression::standard_errors` has
//! the coefficients' standard errors, z, p-values and intervals.
//!
//! # From a history to a fitted model
//!
//! A row holds what was known of the player before a match, and the match's own outcome; its label is what became of the
//! player after it.
//!
#![cfg_attr(feature = "fit", doc = "```")]
#![cfg_attr(not(feature = "fit"), doc = "```ignore")]
//! use matchwright_churn::{
//!     ChurnModel, Dataset, LogisticParams, MatchObserved, Outcome, PlayerHistory, RowParams,
//! };
//!
//! // Two players: one comes back after wins alone, the other always does.
//! let mut matches = vec![];
//! for (player, gap_after_loss) in [(7, 40_000), (9, 1_200)] {
//!     let mut time = 1_091_793_600;
//!     for i in 0..40 {
//!         let outcome = if i % 3 == 0 { Outcome::Loss } else { Outcome::Win };
//!         matches.push((player, MatchObserved { time, outcome, goal_difference: outcome.score() - 0.5 }));
//!         time += if outcome == Outcome::Loss { gap_after_loss } else { 900 };
//!     }
//! }
//! let data = Dataset::from_matches(&PlayerHistory::new(), &matches, &RowParams::default())?;
//! let fit = LogisticParams::default().build()?.fit(&data)?;
//! assert!(fit.converged);
//!
//! // What would become of a newcomer? The model's row after each outcome:
//! let state = PlayerHistory::new().state_at(1_091_793_600)?;
//! let [win, _, loss] = Outcome::ALL.map(|outcome| fit.model.churn_probability(&state.columns_after(outcome)[..]));
//! assert!(loss > win);
//! # Ok::<(), Box<dyn std::error::Error>>(())
#![doc = "```"]
//!
//! # Other targets
//!
//! A matchmaker asks only "how bad is this state, from 0 to 1?". Any target fits behind [`ChurnModel`] that way, play
//! time and spending among them: EOMM, section 3.1, calls churn "a concrete metric of disengagement", one of many.
//! Here the share of a planned evening that a player will not play, from a model of play time:
//!
//! ```
//! use matchwright_churn::{ChurnModel, Outcome};
//!
//! struct PlayTime {
//!     /// Mean further minutes after a win, draw, loss.
//!     minutes: [f64; 3],
//!     /// What counts as a full evening, minutes.
//!     evening: f64,
//! }
//!
//! impl ChurnModel<[Outcome]> for PlayTime {
//!     fn churn_probability(&self, last: &[Outcome]) -> f64 {
//!         let minutes = last.last().map_or(self.evening / 2.0, |outcome| self.minutes[outcome.index()]);
//!         (1.0 - minutes / self.evening).clamp(0.0, 1.0)
//!     }
//! }
//!
//! let model: &dyn ChurnModel<[Outcome]> = &PlayTime { minutes: [90.0, 45.0, 30.0], evening: 120.0 };
//! assert_eq!(model.churn_probability(&[Outcome::Loss]), 0.75);
//! ```
//!
//! # What the two feature sets are worth
//!
//! On a public history (Halo 2 beta, head-to-head: 6,028 matches, 1,653 players, 3.2 days; 8-hour churn, 11,380
//! labelled matches, split 70/30 by time), standardised on the training rows, C chosen by `Folds::RollingOrigin` on the
//! training rows alone, the test rows looked at once:
//!
//! | | columns | C | test log loss | AUC | Brier | ECE |
//! |---|---|---|---|---|---|---|
//! | constant (training rate) | 0 | | .5109 | | | |
//! | a published 19-column fit, the opponent's rating included | 19 | 1 | .4918 | .666 | .1577 | .053 |
//! | [`EommState`] | 78 | .001 | .4894 | .671 | .1574 | .049 |
//! | [`ExtendedState`] | 32 | .01 | .4804 | .686 | .1544 | .042 |
//!
//! Three days of one beta cannot show weekly habits, and its players left with it: fit on your own history.
//!
//! # Features
//!
//! - `fit`: data sets, logistic regression, cross-validation, standard errors (compiles nalgebra).
//! - `serde`: models, calibrations, reports, data sets, histories and states, checked when they are read.
//! - `laws`: the laws of [`ChurnModel`] as functions, for your own tests.

mod calibration;
mod features;
#[cfg(feature = "fit")]
mod fit;
mod labels;
#[cfg(feature = "laws")]
pub mod laws;
mod metrics;
mod model;
mod models;
mod numeric;
mod outcome;

pub use calibration::{Calibrated, Calibration, CalibrationError, IsotonicCalibration, PlattScaling};
pub use features::{
    EOMM_COLUMNS, EOMM_INPUTS, EXTENDED_COLUMNS, EommState, ExtendedHistory, ExtendedState, FeatureHistory,
    FeatureSpec, HistoryError, MatchObserved, PlayerHistory, Scale, eomm_feature_specs,
    eomm_raw_feature_specs, extended_feature_specs, states_before,
};
#[cfg(feature = "fit")]
pub use fit::{
    CoefficientEstimate, CrossValidation, Dataset, DatasetError, FitError, Folds, LogisticFit,
    LogisticParams, LogisticRegression, LogisticSolver, MatchesError, OutOfFold, ParamError,
    RegularisationPoint, RowParams, cross_validate, out_of_fold_predictions,
};
pub use labels::{Horizon, Label, LabelCounts, LabelError, label_matches};
pub use metrics::{
    Evaluation, MetricError, ReliabilityBin, auc, average_precision, brier, constant_log_loss, evaluate,
    expected_calibration_error, log_loss, reliability_table,
};
pub use model::{ChurnModel, FromFn};
pub use models::{
    ConstantModel, LogisticModel, MAX_TABLE_OUTCOMES, ModelError, PatternCounts, TableCounts, TableModel,
};
pub use outcome::{Outcome, OutcomeError};

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
