//! [`RaoKupper`]: the extension of Bradley-Terry to draws by Rao and Kupper (1967).

use crate::draw::{DrawModel, OutcomeProbabilities, shares};
use crate::error::{ParamError, within};

/// ```text
/// P(win)  = pi_i / (pi_i + theta pi_j)
/// P(loss) = pi_j / (pi_j + theta pi_i)
/// P(draw) = (theta^2 - 1) pi_i pi_j / ((pi_i + theta pi_j) (pi_j + theta pi_i))
/// ```
///
/// Here `pi_i` and `pi_j` are the shares that E(a, b) and E(b, a) have in their sum. ln theta is the
/// threshold below which a difference in performance is not seen. A draw is likeliest at equal
/// strength, with probability (theta - 1) / (theta + 1), and gets strictly rarer with the gap, faster
/// than [`Davidson`](crate::Davidson)'s; theta = 1 is Bradley-Terry.
///
/// Rao and Kupper, "Ties in paired-comparison experiments: a generalization of the Bradley-Terry
/// model", 1967 (doi 10.1080/01621459.1967.10482901).
///
/// ```
/// use matchwright_rating::{DrawModel, RaoKupper};
///
/// let model = RaoKupper::new(2.0)?;
/// let p = model.outcome_probabilities(0.5, 0.5);
/// assert!((p.draw - 1.0 / 3.0).abs() < 1e-15 && (p.win - 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct RaoKupper {
    theta: f64,
}

impl RaoKupper {
    /// With Rao and Kupper's own parameter theta.
    ///
    /// # Errors
    /// [`ParamError`] if `theta` is not from 1 to 1e12.
    pub fn new(theta: f64) -> Result<Self, ParamError> {
        let theta = within("theta", theta, 1.0..=1e12)?;
        Ok(Self { theta })
    }

    /// With the draw probability at equal strength, d = (theta - 1) / (theta + 1), so theta = (1 +
    /// d) / (1 - d).
    ///
    /// # Errors
    /// [`ParamError`] unless `draw` is at least 0 and below 1.
    pub fn from_draw_probability(draw: f64) -> Result<Self, ParamError> {
        let draw = within("draw_probability", draw, 0.0..=1.0 - 1e-11)?;
        Self::new((1.0 + draw) / (1.0 - draw))
    }

    /// theta.
    #[must_use]
    pub const fn theta(&self) -> f64 {
        self.theta
    }

    /// The draw probability at equal strength.
    #[must_use]
    pub fn draw_probability(&self) -> f64 {
        (self.theta - 1.0) / (self.theta + 1.0)
    }
}

impl DrawModel for RaoKupper {
    #[inline]
    fn outcome_probabilities(&self, expected: f64, expected_reverse: f64) -> OutcomeProbabilities {
        let (ours, theirs) = shares(expected, expected_reverse);
        let (lead, trail) = (ours + self.theta * theirs, theirs + self.theta * ours);
        let (win, loss) = (ours / lead, theirs / trail);
        OutcomeProbabilities {
            win,
            draw: (self.theta - 1.0) * (self.theta + 1.0) * (win * loss),
            loss,
        }
    }
}

impl TryFrom<f64> for RaoKupper {
    type Error = ParamError;

    fn try_from(theta: f64) -> Result<Self, ParamError> {
        Self::new(theta)
    }
}

impl From<RaoKupper> for f64 {
    fn from(model: RaoKupper) -> Self {
        model.theta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_follow_rao_and_kuppers_formula() {
        // pi = 3 and 1, theta = 2.
        let p = RaoKupper::new(2.0).unwrap().outcome_probabilities(0.75, 0.25);
        assert!((p.win - 3.0 / 5.0).abs() < 1e-15);
        assert!((p.loss - 1.0 / 7.0).abs() < 1e-15);
        assert!((p.draw - 3.0 * 3.0 / 35.0).abs() < 1e-15);
    }
}
