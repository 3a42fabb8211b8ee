//! Rating a history in one pass: predict each match from what was known before it, then learn.

mod evaluation;
mod pass;
mod regions;
mod systems;

pub use evaluation::{
    DrawChoice, Forecast, RateError, RatingEvaluation, ThreeWay, TwoWay, evaluate, learn_draw_rate,
};
pub use pass::{Prediction, RatingRun, Standing, run};
pub use regions::{RatedRegion, rate_regions};
pub use systems::{RatedPlayer, SystemChoice, SystemParams, rate_history};
