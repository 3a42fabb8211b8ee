//! How draws get their probability: by a model whose rate is learnt, or never.

use matchwright_rating::history::{History, Side};
use matchwright_rating::{DrawKind, DrawModel, fit_draw_probability};

use super::error::RateError;
use super::prediction::Prediction;
use crate::adapt::score_of;

/// A draw model, whichever.
pub type SomeDraws = Box<dyn DrawModel + Send + Sync>;

/// Refuses draws where there are none, in a history whose games follow `before` others.
///
/// # Errors
/// [`RateError::Drawn`] names the first.
pub(super) fn refuse_draws(draws: DrawKind, history: &History, before: usize) -> Result<(), RateError> {
    if draws != DrawKind::Never {
        return Ok(());
    }
    for game in history.games() {
        let mut sides: Vec<Side<'_>> = game.sides().collect();
        sides.sort_by_key(|side| side.rank());
        let Some(tied) = sides.windows(2).find(|pair| pair[0].rank() == pair[1].rank()) else {
            continue;
        };
        let name = |side: Side<'_>| format!("`{}`", history.players()[side.players()[0] as usize]);
        return Err(RateError::Drawn {
            game: before + game.index() + 1,
            time: game.time(),
            players: format!("{} and {}", name(tied[0]), name(tied[1])),
        });
    }
    Ok(())
}

/// The rate of draws is learnt from at most this many of the latest predictions, whether games are kept or not.
pub(super) const DRAWS_FROM: usize = 1 << 16;

/// A draw model with its rate between equals, as the latest [`DRAWS_FROM`] of these predictions have it.
pub(super) fn learn_draws(learnt: &[Prediction], draws: DrawKind) -> Result<(f64, SomeDraws), RateError> {
    learn_latest_draws(learnt, draws, DRAWS_FROM)
}

fn learn_latest_draws(
    learnt: &[Prediction],
    draws: DrawKind,
    latest: usize,
) -> Result<(f64, SomeDraws), RateError> {
    let draw_rate = learn_draw_rate(&learnt[learnt.len().saturating_sub(latest)..], draws)?;
    Ok((draw_rate, draws.model(draw_rate)?))
}

/// A draw model's rate between equals, by maximum likelihood on these predictions.
///
/// Never 0, but under [`DrawKind::Never`]: a draw that was never seen before must stay possible.
///
/// # Errors
/// [`RateError::DrawRate`] when there is nothing to learn from.
pub fn learn_draw_rate(learnt: &[Prediction], draws: DrawKind) -> Result<f64, RateError> {
    if draws == DrawKind::Never {
        return Ok(0.0);
    }
    let games: Vec<_> = learnt
        .iter()
        .map(|p| (p.expected, p.expected_reverse, score_of(p.outcome)))
        .collect();
    let fitted = fit_draw_probability(|rate| draws.model(rate), &games)?;
    Ok(fitted.max(0.5 / (learnt.len() as f64 + 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;
    use matchwright_churn::Outcome;

    #[test]
    fn the_draw_rate_is_that_of_the_latest_predictions() {
        let even = Prediction {
            expected: 0.5,
            expected_reverse: 0.5,
            gap: 0.0,
            outcome: Outcome::Draw,
        };
        let mut predictions = vec![even; 100];
        for (k, p) in predictions.iter_mut().enumerate().skip(60) {
            p.outcome = if k % 4 == 0 { Outcome::Draw } else { Outcome::Loss };
        }
        let rate = |latest| {
            learn_latest_draws(&predictions, DrawKind::Fixed, latest)
                .unwrap()
                .0
        };
        assert_abs_diff_eq!(rate(40), 0.25, epsilon = 1e-6);
        assert_abs_diff_eq!(rate(100), 0.7, epsilon = 1e-6);
        assert_abs_diff_eq!(rate(1000), 0.7, epsilon = 1e-6);
    }
}
