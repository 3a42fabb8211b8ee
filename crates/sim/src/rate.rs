//! Rating a history in one pass: predict each game from what was known before it, then learn. Duels have a pass of their
//! own (`pass`), since systems of two players rate them directly; `team_pass` takes all other games. A `rater` is a
//! system, whichever, with what it knows of all players.

mod accounts;
mod advantage;
mod batch;
mod comparison;
mod comparisons;
mod contexts;
mod draws;
mod error;
mod evaluation;
mod odds;
mod party;
mod pass;
mod period;
mod points;
mod prediction;
mod rated;
mod rater;
#[cfg(feature = "simulate")]
mod regions;
mod search;
mod seasons;
mod stream;
mod systems;
mod team_pass;
mod through_time;
mod together;
mod told;
mod tuning;

pub use accounts::{AccountTrack, Accounts};
pub use comparison::{LossDifference, decided_losses};
pub use draws::{SomeDraws, learn_draw_rate};
pub use error::RateError;
pub use evaluation::{Forecast, RatingEvaluation, ThreeWay, TwoWay, evaluate, evaluate_games};
pub use odds::{TeamMate, points_for_ten_to_one, team_odds};
pub use party::{PartyFitChoice, PartyLearnt, learn_parties, learn_parties_by};
pub use points::{PointsCourse, PointsPiece, points_course};
pub use prediction::{Prediction, SidePair, Standing};
pub use rated::{
    AtOnce, CONSERVATIVE, ContextRatings, Course, CoursePoint, Estimate, Rated, RatedPlayer, Smoothed,
    WITHIN_95,
};
pub use rater::{PairRater, Rater, TeamRater, rate, rater_of};
#[cfg(feature = "simulate")]
pub use regions::{RatedRegion, rate_regions};
pub use search::{CoordinateSearch, STEPS};
pub use stream::RatingStream;
pub use systems::{check_games, rate_games};
pub use team_pass::{ALL_PAIRS_UP_TO, predicted_pairs};
pub use told::Told;
pub use tuning::{Tuned, tune, tune_games};
