//! Draw models: from two expected scores to the probabilities of win, draw and loss.

mod choice;
mod davidson;
mod fit;
mod fixed;
mod kind;
mod rao_kupper;

pub use choice::DrawChoice;
pub use davidson::Davidson;
pub use fit::{FitError, fit_draw_probability};
pub use fixed::FixedDraw;
pub use kind::DrawKind;
pub use rao_kupper::RaoKupper;

use crate::error::{ParamError, within};

/// Probabilities of one game's three results from one player's view; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawProbabilities"))]
pub struct OutcomeProbabilities {
    /// The player wins.
    pub win: f64,
    /// Nobody wins.
    pub draw: f64,
    /// The player loses.
    pub loss: f64,
}

/// Rounding that three probabilities may bring along.
const SUM_TOLERANCE: f64 = 1e-9;

impl OutcomeProbabilities {
    /// The three probabilities as given.
    ///
    /// # Errors
    /// [`ParamError`] if one is NaN or outside \[0, 1\], or their sum is more than 1e-9 from 1.
    pub fn new(win: f64, draw: f64, loss: f64) -> Result<Self, ParamError> {
        within("win", win, 0.0..=1.0)?;
        within("draw", draw, 0.0..=1.0)?;
        within("loss", loss, 0.0..=1.0)?;
        within(
            "OutcomeProbabilities: the sum",
            win + draw + loss,
            1.0 - SUM_TOLERANCE..=1.0 + SUM_TOLERANCE,
        )?;
        Ok(Self { win, draw, loss })
    }

    /// The same game from the opponent's view.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            win: self.loss,
            draw: self.draw,
            loss: self.win,
        }
    }

    /// Conditional on a decided game: win / (win + loss) and loss / (win + loss); 1/2 each if both are 0.
    #[must_use]
    pub fn decided(self) -> Self {
        let decided = self.win + self.loss;
        let (win, loss) = if decided > 0.0 {
            (self.win / decided, self.loss / decided)
        } else {
            (0.5, 0.5)
        };
        Self { win, draw: 0.0, loss }
    }

    /// win + draw / 2, in \[0, 1\].
    #[must_use]
    pub fn expected_score(self) -> f64 {
        self.win + 0.5 * self.draw
    }
}

/// What is read before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct RawProbabilities {
    win: f64,
    draw: f64,
    loss: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<RawProbabilities> for OutcomeProbabilities {
    type Error = ParamError;

    fn try_from(raw: RawProbabilities) -> Result<Self, ParamError> {
        Self::new(raw.win, raw.draw, raw.loss)
    }
}

/// How likely win, draw and loss are, given what a rating system expects from both sides.
///
/// # Contract
/// `expected` is E(a, b) and `expected_reverse` E(b, a), of any
/// [`RatingSystem`](crate::RatingSystem). They need not sum to 1 (Glicko's do not), so a model
/// looks at their share E(a, b) / (E(a, b) + E(b, a)), the strength of a in a decided game.
/// - Total on \[0, 1\] x \[0, 1\]: both 0 count as even; numbers outside are pulled in and NaN
///   counts as no information.
/// - The result sums to 1 (to rounding), and swapping the arguments swaps win and loss and keeps
///   the draw.
/// - Pure; object-safe; forwarded through `&` and `Box`.
///
/// ```
/// use matchwright_rating::{Davidson, FixedDraw, DrawModel};
///
/// let davidson = Davidson::from_draw_probability(0.2)?;
/// let models: [Box<dyn DrawModel>; 2] = [Box::new(FixedDraw::EOMM), Box::new(davidson)];
/// for model in models {
///     assert!((model.outcome_probabilities(0.5, 0.5).draw - 0.2).abs() < 1e-15);
/// }
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
pub trait DrawModel {
    /// Probabilities from the view of the player who expects `expected`.
    fn outcome_probabilities(&self, expected: f64, expected_reverse: f64) -> OutcomeProbabilities;

    /// [`outcome_probabilities`](Self::outcome_probabilities) of many games in one call, to the end of the shortest
    /// of the three.
    ///
    /// There is no reason to write another: the default is compiled for each model, so that a caller
    /// who holds a `dyn DrawModel` pays for one dynamic call a row of games.
    fn outcome_probabilities_of(
        &self,
        expected: &[f64],
        expected_reverse: &[f64],
        out: &mut [OutcomeProbabilities],
    ) {
        for ((out, &expected), &reverse) in out.iter_mut().zip(expected).zip(expected_reverse) {
            *out = self.outcome_probabilities(expected, reverse);
        }
    }
}

impl<M: DrawModel + ?Sized> DrawModel for &M {
    fn outcome_probabilities(&self, expected: f64, expected_reverse: f64) -> OutcomeProbabilities {
        (**self).outcome_probabilities(expected, expected_reverse)
    }

    fn outcome_probabilities_of(
        &self,
        expected: &[f64],
        expected_reverse: &[f64],
        out: &mut [OutcomeProbabilities],
    ) {
        (**self).outcome_probabilities_of(expected, expected_reverse, out);
    }
}

impl<M: DrawModel + ?Sized> DrawModel for Box<M> {
    fn outcome_probabilities(&self, expected: f64, expected_reverse: f64) -> OutcomeProbabilities {
        (**self).outcome_probabilities(expected, expected_reverse)
    }

    fn outcome_probabilities_of(
        &self,
        expected: &[f64],
        expected_reverse: &[f64],
        out: &mut [OutcomeProbabilities],
    ) {
        (**self).outcome_probabilities_of(expected, expected_reverse, out);
    }
}

// Object safety is part of the interface: this stops compiling if a change loses it.
const _: Option<&dyn DrawModel> = None;

/// Both sides' shares of the expected scores, Bradley and Terry's `pi_i / (pi_i + pi_j)` and its
/// complement.
///
/// Computed alike for both sides, so that swapping the arguments swaps the shares to the last bit.
#[inline]
fn shares(expected: f64, expected_reverse: f64) -> (f64, f64) {
    let (ours, theirs) = (expected.clamp(0.0, 1.0), expected_reverse.clamp(0.0, 1.0));
    let sum = ours + theirs;
    // Also false for NaN.
    if sum > 0.0 {
        (ours / sum, theirs / sum)
    } else {
        (0.5, 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn models(rate: f64) -> [Box<dyn DrawModel>; 3] {
        [
            Box::new(FixedDraw::new(rate).unwrap()),
            Box::new(Davidson::from_draw_probability(rate).unwrap()),
            Box::new(RaoKupper::from_draw_probability(rate).unwrap()),
        ]
    }

    proptest! {
        #[test]
        fn outcomes_sum_to_one_and_swapping_the_players_swaps_win_and_loss(
            rate in 0.0..0.999_f64, e in 0.0..=1.0_f64, reverse in 0.0..=1.0_f64,
        ) {
            for model in models(rate) {
                let p = model.outcome_probabilities(e, reverse);
                prop_assert!(OutcomeProbabilities::new(p.win, p.draw, p.loss).is_ok(), "{p:?}");
                prop_assert!((p.win + p.draw + p.loss - 1.0).abs() < 1e-14);
                prop_assert_eq!(p.reversed(), model.outcome_probabilities(reverse, e));
                prop_assert!((p.expected_score() + p.reversed().expected_score() - 1.0).abs() < 1e-14);
            }
        }

        #[test]
        fn a_draw_gets_strictly_less_likely_with_the_gap(
            rate in 0.01..0.99_f64, near in 0.0..0.49_f64, step in 0.001..0.01_f64,
        ) {
            let draw = |model: &dyn DrawModel, gap: f64| model.outcome_probabilities(0.5 + gap, 0.5 - gap).draw;
            let [fixed, davidson, rao_kupper] = models(rate);
            prop_assert!(draw(&davidson, near + step) < draw(&davidson, near));
            prop_assert!(draw(&rao_kupper, near + step) < draw(&rao_kupper, near));
            // Eq. 10 of EOMM: the same whatever the gap.
            prop_assert_eq!(draw(&fixed, near), rate);
        }

        #[test]
        fn without_draws_every_model_is_bradley_terry(
            pi_i in 0.001..1000.0_f64,
            pi_j in 0.001..1000.0_f64,
        ) {
            let e = pi_i / (pi_i + pi_j);
            for model in models(0.0) {
                let p = model.outcome_probabilities(e, 1.0 - e);
                prop_assert!((p.win - e).abs() < 1e-12 && p.draw == 0.0);
            }
        }

        #[test]
        fn the_stronger_player_wins_more_often(
            rate in 0.0..0.99_f64,
            e in 0.5..1.0_f64,
            more in 0.0..0.1_f64,
        ) {
            for model in models(rate) {
                let better = (e + more).min(1.0);
                let (p, q) = (model.outcome_probabilities(e, 1.0 - e), model.outcome_probabilities(better, 1.0 - better));
                prop_assert!(q.win >= p.win - 1e-15 && q.loss <= p.loss + 1e-15);
            }
        }
    }

    #[test]
    fn saturated_and_meaningless_expectations_still_give_probabilities() {
        for model in models(0.2) {
            let even = model.outcome_probabilities(0.5, 0.5);
            for (e, reverse) in [
                (0.0, 0.0),
                (f64::NAN, 0.3),
                (0.3, f64::NAN),
                (-1.0, -2.0),
                (7.0, f64::INFINITY),
            ] {
                assert_eq!(model.outcome_probabilities(e, reverse), even, "{e} {reverse}");
            }
            assert_eq!(model.outcome_probabilities(0.0, 1.0).win, 0.0);
            assert_eq!(model.outcome_probabilities(1.0, 0.0).loss, 0.0);
        }
    }

    #[test]
    fn the_draw_rate_of_every_model_is_met_at_equal_strength() {
        for rate in [0.0, 0.1, 0.26, 0.5, 0.9] {
            for model in models(rate) {
                assert!((model.outcome_probabilities(0.4, 0.4).draw - rate).abs() < 1e-15);
            }
        }
        for bad in [-0.1, 1.0, f64::NAN] {
            assert!(Davidson::from_draw_probability(bad).is_err());
            assert!(RaoKupper::from_draw_probability(bad).is_err());
        }
    }

    #[test]
    fn probabilities_that_do_not_sum_to_one_are_refused() {
        assert!(OutcomeProbabilities::new(0.5, 0.2, 0.3).is_ok());
        for (win, draw, loss) in [(0.5, 0.2, 0.2), (1.2, 0.0, -0.2), (f64::NAN, 0.5, 0.5)] {
            assert!(OutcomeProbabilities::new(win, draw, loss).is_err());
        }
    }
}
