//! Evaluation of forecasts: of all matches with win, draw and loss, and of decisive games only.

use matchwright_churn::{Evaluation, MetricError, Outcome, expected_calibration_error};
use matchwright_rating::history::{Game, History, Side};
use matchwright_rating::{DrawKind, DrawModel};
use serde::Serialize;

use super::contexts::slope;
use super::draws::learn_draws;
use super::error::RateError;
use super::prediction::{Prediction, SidePair};
use super::team_pass::comes_first;
use crate::statistics::share_of;

/// Bins of every calibration error here.
const BINS: usize = 10;
/// No forecast is taken to be surer than this when its log loss is counted.
const SUREST: f64 = 1e-15;

/// What was forecast for one match, seen from its first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// Probability of a win, a draw and a loss, in this order.
    pub probabilities: [f64; 3],
    /// What happened.
    pub outcome: Outcome,
}

/// Quality of win, draw and loss forecasts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ThreeWay {
    /// Matches.
    pub n: usize,
    /// Share in which the likeliest outcome happened.
    pub accuracy: f64,
    /// Mean of -ln(probability of what happened).
    pub log_loss: f64,
    /// The same for a forecast that always gives the outcomes' own shares of these matches: the least that any
    /// constant forecast can have.
    pub constant_log_loss: f64,
    /// Mean of the squared distance between forecast and outcome over the three classes, 0 to 2.
    pub brier: f64,
    /// Expected calibration error, the mean of the three classes' own.
    pub ece: f64,
    /// The ranked probability score of that constant forecast.
    pub constant_rps: f64,
    /// Ranked probability score, 0 to 1: half the squared distance of the cumulative shares of win, draw, loss, so that
    /// a draw is nearer to a win than a loss is. Epstein 1969, halved.
    pub rps: f64,
}

/// Quality of the forecasts of decided matches, draws left out: win / (win + loss).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TwoWay {
    /// Share in which the favourite won; an even forecast counts half.
    pub accuracy: f64,
    /// The slope of what happened on the log odds of the forecasts, by maximum likelihood and through 0: 1 where they are as
    /// sure as they may be, below 1 where they are too sure, above where they could be surer. None where all are
    /// even, and where no result or every one is an upset.
    pub log_odds_slope: Option<f64>,
    /// Its standard error, if games are independent.
    pub log_odds_slope_error: Option<f64>,
    /// All measures of a binary forecast, with the reliability table.
    #[serde(flatten)]
    pub evaluation: Evaluation,
}

/// How well a rating system predicted the last part of a history.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingEvaluation {
    /// Matches rated.
    pub matches: usize,
    /// Index of the first match that is evaluated.
    pub evaluated_from: usize,
    /// The draw model.
    pub draws: DrawKind,
    /// Its draw rate between equals, fitted on the latest 65,536 predictions before the evaluated ones.
    pub draw_rate: f64,
    /// Win, draw, loss.
    pub three_way: ThreeWay,
    /// Draws left out.
    pub two_way: TwoWay,
}

/// Evaluates predictions from the share `evaluate_from` of the history on, and returns the forecasts of all
/// matches.
///
/// The draw rate is fitted by maximum likelihood on the latest 65,536 predictions before that point, so no
/// evaluated match has been looked at before it is predicted.
///
/// # Errors
/// [`RateError`] when there is nothing to train on or to evaluate.
pub fn evaluate(
    predictions: &[Prediction],
    evaluate_from: f64,
    draws: DrawKind,
) -> Result<(RatingEvaluation, Vec<Forecast>), RateError> {
    evaluate_part(predictions, None, evaluate_from, draws)
}

/// If at least this many decided games all list their sides in order of place, that is no accident.
pub(super) const DECISIVE_GAMES: usize = 20;

/// As [`evaluate`] for the predictions of pairs of sides.
///
/// The share is one of games, and every pair of a game counts. Forecasts are seen from the first side of each
/// pair. So is the evaluation, but for histories in which all games name the winners first: there a side's position would
/// give the result away, so that each pair is seen from the side whose first player comes first by name.
///
/// # Errors
/// [`RateError`] when there is nothing to train on or to evaluate.
pub fn evaluate_games(
    history: &History,
    predictions: &[Prediction],
    pairs: &[SidePair],
    evaluate_from: f64,
    draws: DrawKind,
) -> Result<(RatingEvaluation, Vec<Forecast>), RateError> {
    evaluate_part(predictions, Some((history, pairs)), evaluate_from, draws)
}

/// Whether every game has its sides in the order of their places.
pub(super) fn sides_follow_result(history: &History) -> bool {
    let is_decided = |game: &Game<'_>| game.side(0).rank() != game.side(1).rank();
    history.games().filter(is_decided).count() >= DECISIVE_GAMES
        && history
            .games()
            .all(|game| game.sides().is_sorted_by_key(Side::rank))
}

/// Evaluates predictions of matches, or of pairs of sides; where positions tell results, pairs are seen by name.
fn evaluate_part(
    predictions: &[Prediction],
    pairs: Option<(&History, &[SidePair])>,
    evaluate_from: f64,
    draws: DrawKind,
) -> Result<(RatingEvaluation, Vec<Forecast>), RateError> {
    if !(evaluate_from > 0.0 && evaluate_from < 1.0) {
        return Err(RateError::EvaluateFrom { value: evaluate_from });
    }
    let matches = pairs.map_or(predictions.len(), |(history, _)| history.len());
    let evaluated_from = share_of(matches, evaluate_from);
    let first = pairs.map_or(evaluated_from, |(_, pairs)| {
        pairs.partition_point(|pair| pair.game < evaluated_from)
    });
    let (learnt, evaluated) = predictions.split_at(first);
    let decided = evaluated.iter().filter(|p| p.outcome != Outcome::Draw).count();
    if learnt.is_empty() || decided == 0 {
        return Err(RateError::TooFew {
            matches,
            learnt: evaluated_from,
            evaluated: matches - evaluated_from,
        });
    }
    let (draw_rate, model) = learn_draws(learnt, draws)?;
    let forecasts: Vec<Forecast> = predictions.iter().map(|p| forecast(&*model, p)).collect();
    let by_name = pairs.filter(|(history, _)| sides_follow_result(history));
    let is_turned = |index: usize| {
        by_name.is_some_and(|(history, pairs)| {
            let pair = &pairs[index];
            !comes_first(history, history.game(pair.game), pair.side, pair.other)
        })
    };
    let judged = (first..).zip(evaluated).map(|(index, prediction)| {
        if is_turned(index) {
            forecast(&*model, &prediction.reversed())
        } else {
            forecasts[index]
        }
    });
    let judged: Vec<Forecast> = judged.collect();
    let evaluation = RatingEvaluation {
        matches,
        evaluated_from,
        draws,
        draw_rate,
        three_way: three_way(&judged.iter().copied())?,
        two_way: two_way(judged.iter().copied())?,
    };
    Ok((evaluation, forecasts))
}

pub(super) fn forecast(model: &dyn DrawModel, prediction: &Prediction) -> Forecast {
    let p = model.outcome_probabilities(prediction.expected, prediction.expected_reverse);
    let mut probabilities = [0.0; 3];
    probabilities[Outcome::Win.index()] = p.win;
    probabilities[Outcome::Draw.index()] = p.draw;
    probabilities[Outcome::Loss.index()] = p.loss;
    Forecast {
        probabilities,
        outcome: prediction.outcome,
    }
}

pub(super) fn three_way(
    forecasts: &(impl Iterator<Item = Forecast> + Clone),
) -> Result<ThreeWay, MetricError> {
    let count = forecasts.clone().count();
    let n = count as f64;
    let (mut right, mut log_loss, mut brier, mut rps) = (0.0, 0.0, 0.0, 0.0);
    for forecast in forecasts.clone() {
        let p = forecast.probabilities;
        let happened = forecast.outcome.index();
        let best = p.iter().copied().fold(0.0, f64::max);
        if p[happened] == best {
            // Several likeliest outcomes share the point.
            right += 1.0 / p.iter().filter(|&&q| q == best).count() as f64;
        }
        log_loss -= p[happened].clamp(SUREST, 1.0).ln();
        brier += (0..3)
            .map(|k| (p[k] - f64::from(u8::from(k == happened))).powi(2))
            .sum::<f64>();
        let [win, _, loss] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|outcome| {
            let is_so = f64::from(u8::from(forecast.outcome == outcome));
            p[outcome.index()] - is_so
        });
        rps += 0.5 * (win * win + loss * loss);
    }
    let (mut ece, mut constant_log_loss, mut constant_rps) = (0.0, 0.0, 0.0);
    for outcome in Outcome::ALL {
        let of_it = forecasts
            .clone()
            .map(|f| (f.probabilities[outcome.index()], f.outcome == outcome));
        let (p, y): (Vec<f64>, Vec<bool>) = of_it.unzip();
        ece += expected_calibration_error(&p, &y, BINS)? / 3.0;
        let share = y.iter().filter(|happened| **happened).count() as f64 / n;
        if share > 0.0 {
            constant_log_loss -= share * share.ln();
        }
        if outcome != Outcome::Draw {
            constant_rps += 0.5 * share * (1.0 - share);
        }
    }
    Ok(ThreeWay {
        n: count,
        accuracy: right / n,
        log_loss: log_loss / n,
        constant_log_loss,
        constant_rps,
        brier: brier / n,
        ece,
        rps: rps / n,
    })
}

pub(super) fn two_way(forecasts: impl Iterator<Item = Forecast>) -> Result<TwoWay, MetricError> {
    let decided = forecasts.filter(|f| f.outcome != Outcome::Draw);
    let both = decided.map(|f| (win_share(&f.probabilities), f.outcome == Outcome::Win));
    let (p, y): (Vec<f64>, Vec<bool>) = both.unzip();
    let points = p.iter().zip(&y).map(|(&p, &won)| {
        if p == 0.5 {
            0.5
        } else {
            f64::from(u8::from((p > 0.5) == won))
        }
    });
    let accuracy = points.sum::<f64>() / p.len() as f64;
    let of_winner = p
        .iter()
        .zip(&y)
        .map(|(&p, &won)| if won { [p, 1.0 - p] } else { [1.0 - p, p] });
    let (log_odds_slope, log_odds_slope_error) = slope(of_winner).unzip();
    Ok(TwoWay {
        accuracy,
        log_odds_slope,
        log_odds_slope_error,
        evaluation: matchwright_churn::evaluate(&p, &y, BINS)?,
    })
}

/// The first player's share of the decided probability; 1/2 if that is 0.
#[must_use]
pub(crate) fn win_share(probabilities: &[f64; 3]) -> f64 {
    let (win, loss) = (
        probabilities[Outcome::Win.index()],
        probabilities[Outcome::Loss.index()],
    );
    if win + loss > 0.0 { win / (win + loss) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    fn prediction(expected: f64, outcome: Outcome) -> Prediction {
        Prediction {
            expected,
            expected_reverse: 1.0 - expected,
            gap: 0.0,
            outcome,
        }
    }

    #[test]
    fn hand_counted_measures_come_out() {
        let forecasts = [
            Forecast {
                probabilities: [0.5, 0.2, 0.3],
                outcome: Outcome::Win,
            },
            Forecast {
                probabilities: [0.1, 0.3, 0.6],
                outcome: Outcome::Draw,
            },
        ];
        let three = three_way(&forecasts.iter().copied()).unwrap();
        assert_abs_diff_eq!(three.accuracy, 0.5);
        assert_abs_diff_eq!(
            three.log_loss,
            -(0.5_f64.ln() + 0.3_f64.ln()) / 2.0,
            epsilon = 1e-12
        );
        assert_abs_diff_eq!(
            three.brier,
            (0.25 + 0.04 + 0.09 + 0.01 + 0.49 + 0.36) / 2.0,
            epsilon = 1e-12
        );
        // (0.5^2 + 0.3^2) / 2 and (0.1^2 + 0.6^2) / 2.
        assert_abs_diff_eq!(three.rps, f64::midpoint(0.17, 0.185), epsilon = 1e-12);
        // Half wins, half draws.
        assert_abs_diff_eq!(three.constant_log_loss, 2.0_f64.ln(), epsilon = 1e-12);
        assert_abs_diff_eq!(three.constant_rps, 0.125, epsilon = 1e-12);
        let two = two_way(forecasts.iter().copied()).unwrap();
        assert_eq!(two.evaluation.n, 1);
        assert_abs_diff_eq!(two.evaluation.log_loss, -(0.5_f64 / 0.8).ln(), epsilon = 1e-12);
        assert_abs_diff_eq!(two.accuracy, 1.0);
    }

    #[test]
    fn the_draw_rate_is_fitted_before_the_evaluated_part() {
        let mut predictions = vec![prediction(0.5, Outcome::Win); 60];
        for (k, p) in predictions.iter_mut().enumerate().take(40) {
            p.outcome = if k % 4 == 0 { Outcome::Draw } else { Outcome::Loss };
        }
        let (quarter, _) = evaluate(&predictions, 40.5 / 60.0, DrawKind::Fixed).unwrap();
        assert_abs_diff_eq!(quarter.draw_rate, 0.25, epsilon = 1e-6);
        // Draws after that point change nothing.
        predictions[50].outcome = Outcome::Draw;
        let (again, _) = evaluate(&predictions, 40.5 / 60.0, DrawKind::Fixed).unwrap();
        assert_eq!(again.draw_rate, quarter.draw_rate);
    }

    #[test]
    fn where_there_are_no_draws_their_probability_is_0() {
        let predictions = vec![prediction(0.75, Outcome::Win); 10];
        let (evaluation, forecasts) = evaluate(&predictions, 0.5, DrawKind::Never).unwrap();
        assert_eq!(evaluation.draw_rate, 0.0);
        assert!(
            forecasts
                .iter()
                .all(|forecast| forecast.probabilities == [0.75, 0.0, 0.25])
        );
        // Any other model leaves room for one.
        let (evaluation, _) = evaluate(&predictions, 0.5, DrawKind::Fixed).unwrap();
        assert!(evaluation.draw_rate > 0.0);
    }

    #[test]
    fn a_draw_never_seen_before_costs_much_but_not_infinitely_much() {
        let mut predictions = vec![prediction(0.5, Outcome::Win); 10];
        predictions[9].outcome = Outcome::Draw;
        let (evaluation, _) = evaluate(&predictions, 0.5, DrawKind::Davidson).unwrap();
        assert!(evaluation.three_way.log_loss.is_finite());
        assert_eq!(evaluation.two_way.evaluation.n, 4);
    }

    #[test]
    fn what_cannot_be_evaluated_is_an_error() {
        let one = [prediction(0.5, Outcome::Win)];
        assert!(matches!(
            evaluate(&one, 0.8, DrawKind::Fixed),
            Err(RateError::TooFew { learnt: 0, .. })
        ));
        assert!(matches!(
            evaluate(&[], 0.8, DrawKind::Fixed),
            Err(RateError::TooFew { .. })
        ));
        assert!(matches!(
            evaluate(&one, f64::NAN, DrawKind::Fixed),
            Err(RateError::EvaluateFrom { .. })
        ));
        assert!(matches!(
            evaluate(&one, 1.0, DrawKind::Fixed),
            Err(RateError::EvaluateFrom { .. })
        ));
    }
}
