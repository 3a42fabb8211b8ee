//! The home (first-side) advantage, fitted for any rating system.

use matchwright_churn::Outcome;
use matchwright_rating::{AdvantageError, HomeAdvantage};

use super::error::RateError;
use super::prediction::Prediction;

/// The search goes this far either way, in log odds: 55 to 1.
const FARTHEST: f64 = 4.0;
/// Its steps: the bracket shrinks by the golden ratio each time, to a thousandth of a log odd.
const STEPS: u32 = 19;

/// The advantage under which a system's predictions are likeliest, with `unit` points to a log odd.
///
/// Every candidate is a whole pass of predicting and learning, since ratings absorb an advantage that the pass leaves
/// out; so no formula of the ratings is needed, and the fit goes with any system. A draw counts as half a win.
/// Golden-section search. Cost: some twenty passes.
pub(super) fn fit_advantage(
    unit: f64,
    predict: impl Fn(HomeAdvantage) -> Result<Vec<Prediction>, RateError>,
) -> Result<HomeAdvantage, RateError> {
    let seen = predict(HomeAdvantage::NONE)?;
    let Some(first) = seen.first() else {
        return Err(RateError::Advantage(AdvantageError::NoGames));
    };
    if first.outcome != Outcome::Draw && seen.iter().all(|one| one.outcome == first.outcome) {
        let games = seen.len();
        return Err(RateError::Advantage(AdvantageError::OneWay { games }));
    }
    let loss = |log_odds: f64| -> Result<f64, RateError> {
        let predictions = predict(HomeAdvantage::new(log_odds * unit)?)?;
        Ok(predictions.iter().map(surprise).sum())
    };
    let shrink = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (-FARTHEST, FARTHEST);
    let mut inner = [high - shrink * (high - low), low + shrink * (high - low)];
    let mut losses = [loss(inner[0])?, loss(inner[1])?];
    for _ in 0..STEPS {
        if losses[0] <= losses[1] {
            high = inner[1];
            inner = [high - shrink * (high - low), inner[0]];
            losses = [loss(inner[0])?, losses[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + shrink * (high - low)];
            losses = [losses[1], loss(inner[1])?];
        }
    }
    Ok(HomeAdvantage::new(0.5 * (low + high) * unit)?)
}

/// -ln of the probability of what happened, draws as half a win.
fn surprise(prediction: &Prediction) -> f64 {
    let sum = prediction.expected + prediction.expected_reverse;
    let share = |own: f64| if sum > 0.0 { (own / sum).max(1e-15) } else { 0.5 };
    let (win, loss) = (
        share(prediction.expected).ln(),
        share(prediction.expected_reverse).ln(),
    );
    match prediction.outcome {
        Outcome::Win => -win,
        Outcome::Draw => -0.5 * (win + loss),
        Outcome::Loss => -loss,
    }
}
