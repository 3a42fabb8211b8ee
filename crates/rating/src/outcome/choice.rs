//! One of this crate's outcome models, chosen at run time.

use crate::outcome::{Davidson, FixedDraw, OutcomeModel, OutcomeProbabilities, RaoKupper};

/// Which [`OutcomeModel`] turns expectations into win, draw and loss, as a setting.
///
/// ```
/// use matchwright_rating::{FixedDraw, OutcomeChoice, OutcomeModel};
///
/// let rare = OutcomeChoice::FixedDraw(FixedDraw::new(0.01)?);
/// assert_eq!(rare.probabilities(0.5, 0.5).draw, 0.01);
/// assert!((OutcomeChoice::default().probabilities(0.5, 0.5).draw - 0.1).abs() < 1e-15);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum OutcomeChoice {
    /// Draws of one probability at any gap.
    FixedDraw(FixedDraw),
    /// Draws that get rarer with the gap, by the geometric mean of the strengths.
    Davidson(Davidson),
    /// Draws that get rarer with the gap, by a threshold.
    RaoKupper(RaoKupper),
}

impl Default for OutcomeChoice {
    /// Davidson's model with one draw in ten games of equals.
    fn default() -> Self {
        Self::Davidson(Davidson::ONE_IN_TEN)
    }
}

impl OutcomeModel for OutcomeChoice {
    fn probabilities(&self, expected: f64, expected_reverse: f64) -> OutcomeProbabilities {
        match self {
            Self::FixedDraw(model) => model.probabilities(expected, expected_reverse),
            Self::Davidson(model) => model.probabilities(expected, expected_reverse),
            Self::RaoKupper(model) => model.probabilities(expected, expected_reverse),
        }
    }
}
