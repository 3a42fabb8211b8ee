//! [`DrawKind`]: a draw model whose rate between equals is yet to be learnt.

use super::{Davidson, DrawModel, FixedDraw, RaoKupper};
use crate::error::ParamError;

/// How draws get their probability from two expected scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum DrawKind {
    /// The same whatever the gap (EOMM Eq. 10).
    Fixed,
    /// Davidson 1970: less likely with the gap.
    #[default]
    Davidson,
    /// Rao and Kupper 1967: a draw when the difference stays below a threshold.
    RaoKupper,
    /// No draws: matches that are drawn are refused, and their probability is 0.
    Never,
}

impl DrawKind {
    /// Those that have a rate of draws.
    pub const ALL: [Self; 3] = [Self::Fixed, Self::Davidson, Self::RaoKupper];

    /// The model in which equal players draw at this rate.
    ///
    /// # Errors
    /// [`ParamError`] if the rate is none.
    pub fn model(self, draw_rate: f64) -> Result<Box<dyn DrawModel + Send + Sync>, ParamError> {
        Ok(match self {
            Self::Fixed => Box::new(FixedDraw::new(draw_rate)?),
            Self::Davidson => Box::new(Davidson::from_draw_probability(draw_rate)?),
            Self::RaoKupper => Box::new(RaoKupper::from_draw_probability(draw_rate)?),
            Self::Never => Box::new(FixedDraw::NONE),
        })
    }
}
