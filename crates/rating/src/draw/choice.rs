//! [`DrawChoice`]: one of this crate's draw models, chosen at run time.

use crate::draw::{Davidson, DrawModel, FixedDraw, OutcomeProbabilities, RaoKupper};

/// Which [`DrawModel`] turns expectations into win, draw and loss, as a setting.
///
/// ```
/// use matchwright_rating::{FixedDraw, DrawChoice, DrawModel};
///
/// let rare = DrawChoice::FixedDraw(FixedDraw::new(0.01)?);
/// assert_eq!(rare.outcome_probabilities(0.5, 0.5).draw, 0.01);
/// assert!((DrawChoice::default().outcome_probabilities(0.5, 0.5).draw - 0.1).abs() < 1e-15);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum DrawChoice {
    /// Draws of one probability at any gap.
    FixedDraw(FixedDraw),
    /// Draws that get rarer with the gap, by the geometric mean of the strengths.
    Davidson(Davidson),
    /// Draws that get rarer with the gap, by a threshold.
    RaoKupper(RaoKupper),
}

impl Default for DrawChoice {
    /// Davidson's model with one draw in ten games of equals.
    fn default() -> Self {
        Self::Davidson(Davidson::ONE_IN_TEN)
    }
}

impl DrawModel for DrawChoice {
    fn outcome_probabilities(&self, expected: f64, expected_reverse: f64) -> OutcomeProbabilities {
        match self {
            Self::FixedDraw(model) => model.outcome_probabilities(expected, expected_reverse),
            Self::Davidson(model) => model.outcome_probabilities(expected, expected_reverse),
            Self::RaoKupper(model) => model.outcome_probabilities(expected, expected_reverse),
        }
    }
}
