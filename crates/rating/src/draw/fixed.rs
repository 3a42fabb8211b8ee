//! [`FixedDraw`]: one draw probability whatever the rating gap, EOMM's rule.

use crate::draw::{DrawModel, OutcomeProbabilities, shares};
use crate::error::{ParamError, within};

/// ```text
/// P(draw) = d                      p = E(a, b), p' = E(b, a)
/// P(win)  = (1 - d) p / (p + p')
/// P(loss) = 1 - P(draw) - P(win)
/// ```
///
/// Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", 2017, eq. 10-12 with d = .2
/// (doi 10.1145/3038912.3052559). The paper saw no link between draws and the gap in its game.
/// Under this model churn that depends on the outcome alone makes every pairing equally good; where
/// draws get rarer with the gap, use [`Davidson`](crate::Davidson) or
/// [`RaoKupper`](crate::RaoKupper).
///
/// ```
/// use matchwright_rating::{FixedDraw, GlickoParams, GaussianRating, DrawModel, RatingSystem};
///
/// let glicko = GlickoParams::default().build()?;
/// let (ann, bob) = (GaussianRating::new(1700.0, 50.0)?, GaussianRating::new(1500.0, 200.0)?);
/// let (e, reverse) = (glicko.expected_score(&ann, &bob), glicko.expected_score(&bob, &ann));
/// let p = FixedDraw::EOMM.outcome_probabilities(e, reverse);
/// assert_eq!((p.win * 1e4).round(), 5994.0);
/// assert_eq!((p.loss * 1e4).round(), 2006.0);
/// assert_eq!(p.draw, 0.2);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct FixedDraw {
    draw: f64,
}

impl FixedDraw {
    /// No draws.
    pub const NONE: Self = Self { draw: 0.0 };

    /// The paper's 20 %.
    pub const EOMM: Self = Self { draw: 0.2 };

    /// Draws with probability `draw`.
    ///
    /// # Errors
    /// [`ParamError`] if `draw` is NaN or outside \[0, 1\].
    pub fn new(draw: f64) -> Result<Self, ParamError> {
        let draw = within("FixedDraw", draw, 0.0..=1.0)?;
        Ok(Self { draw })
    }

    /// d.
    #[must_use]
    pub const fn draw_probability(&self) -> f64 {
        self.draw
    }
}

impl DrawModel for FixedDraw {
    #[inline]
    fn outcome_probabilities(&self, expected: f64, expected_reverse: f64) -> OutcomeProbabilities {
        let (ours, theirs) = shares(expected, expected_reverse);
        OutcomeProbabilities {
            win: (1.0 - self.draw) * ours,
            draw: self.draw,
            loss: (1.0 - self.draw) * theirs,
        }
    }
}

impl TryFrom<f64> for FixedDraw {
    type Error = ParamError;

    fn try_from(draw: f64) -> Result<Self, ParamError> {
        Self::new(draw)
    }
}

impl From<FixedDraw> for f64 {
    fn from(model: FixedDraw) -> Self {
        model.draw
    }
}
