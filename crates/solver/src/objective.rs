//! Which end of the scale is wanted.

/// Whether the sum of costs is to be as small or as large as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Objective {
    /// The least sum: costs proper.
    #[default]
    Minimize,
    /// The largest sum: the twin, on the same numbers.
    Maximize,
}

impl Objective {
    /// `cost` if minimised, `-cost` if maximised: the number to make small.
    #[must_use]
    pub fn as_minimum(self, cost: f64) -> f64 {
        match self {
            Self::Minimize => cost,
            Self::Maximize => -cost,
        }
    }
}
