//! [`Davidson`]: the extension of Bradley-Terry to draws by Davidson (1970).

use crate::draw::{DrawModel, OutcomeProbabilities, shares};
use crate::error::{ParamError, within};

/// ```text
/// P(win)  = pi_i / S                 S = pi_i + pi_j + nu sqrt(pi_i pi_j)
/// P(draw) = nu sqrt(pi_i pi_j) / S
/// P(loss) = pi_j / S
/// ```
///
/// Here `pi_i` and `pi_j` are the shares that E(a, b) and E(b, a) have in their sum. A draw is
/// likeliest at equal strength, with probability nu / (2 + nu), and gets strictly rarer with the gap;
/// the odds of win to loss stay those of the shares; nu = 0 is Bradley-Terry.
///
/// Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
/// experiments", 1970 (doi 10.1080/01621459.1970.10481082).
///
/// ```
/// use matchwright_rating::{Davidson, DrawModel};
///
/// let model = Davidson::from_draw_probability(0.25)?;
/// assert_eq!(model.outcome_probabilities(0.5, 0.5).draw, 0.25);
/// assert!(model.outcome_probabilities(0.8, 0.2).draw < 0.25);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct Davidson {
    nu: f64,
}

impl Davidson {
    /// One draw in ten games of equals.
    pub const ONE_IN_TEN: Self = Self { nu: 2.0 / 9.0 };

    /// With Davidson's own parameter nu.
    ///
    /// # Errors
    /// [`ParamError`] if `nu` is not from 0 to 1e12.
    pub fn new(nu: f64) -> Result<Self, ParamError> {
        let nu = within("nu", nu, 0.0..=1e12)?;
        Ok(Self { nu })
    }

    /// With the draw probability at equal strength, d = nu / (2 + nu), so nu = 2 d / (1 - d).
    ///
    /// # Errors
    /// [`ParamError`] unless `draw` is at least 0 and below 1.
    pub fn from_draw_probability(draw: f64) -> Result<Self, ParamError> {
        let draw = within("draw_probability", draw, 0.0..=1.0 - 1e-11)?;
        Self::new(2.0 * draw / (1.0 - draw))
    }

    /// nu.
    #[must_use]
    pub const fn nu(&self) -> f64 {
        self.nu
    }

    /// The draw probability at equal strength.
    #[must_use]
    pub fn draw_probability(&self) -> f64 {
        self.nu / (2.0 + self.nu)
    }
}

impl DrawModel for Davidson {
    #[inline]
    fn outcome_probabilities(&self, expected: f64, expected_reverse: f64) -> OutcomeProbabilities {
        let (ours, theirs) = shares(expected, expected_reverse);
        let tie = self.nu * (ours * theirs).sqrt();
        let total = ours + theirs + tie;
        OutcomeProbabilities {
            win: ours / total,
            draw: tie / total,
            loss: theirs / total,
        }
    }
}

impl TryFrom<f64> for Davidson {
    type Error = ParamError;

    fn try_from(nu: f64) -> Result<Self, ParamError> {
        Self::new(nu)
    }
}

impl From<Davidson> for f64 {
    fn from(model: Davidson) -> Self {
        model.nu
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_follow_davidsons_formula() {
        // pi = 3 and 1, nu = 1/2: S = 4 + sqrt(3)/2.
        let p = Davidson::new(0.5).unwrap().outcome_probabilities(0.75, 0.25);
        let s = 4.0 + 3.0_f64.sqrt() / 2.0;
        assert!((p.win - 3.0 / s).abs() < 1e-15);
        assert!((p.draw - 0.5 * 3.0_f64.sqrt() / s).abs() < 1e-15);
        assert!((p.loss - 1.0 / s).abs() < 1e-15);
    }
}
