//! Why a solve ends early.

use super::integer::Overflow;
use super::quantise::OutOfRange;
use super::unfinished::Unfinished;
use crate::certificate::Certificate;
use crate::error::SolveError;

/// Steps of a tree between two questions whether to end: a fraction of a millisecond.
pub(super) const STEPS_BETWEEN_LOOKS: u64 = 4096;

/// No optimum at this scale, or none at all.
#[derive(Debug)]
pub(super) enum Halt {
    /// A dual or time outgrew its integers.
    Overflow,
    /// This cost is larger than the scale was chosen for.
    OutOfRange(f64),
    /// Costs are so large that sums of a few may be infinite.
    MagnitudeOverflow,
    /// There is no perfect matching.
    NotPerfect,
    /// The watch asked for it, or the work is used up.
    Stopped(Box<Unfinished>),
    /// The same, with the bound that the duals give.
    Bounded(Box<(Unfinished, Certificate)>),
    /// The oracle broke its contract.
    Broken(SolveError),
}

impl Halt {
    /// The same of a graph in which vertex k is `vertices[k]`.
    pub(super) fn renumbered(self, vertices: &[u32]) -> Self {
        match self {
            Self::Broken(error) => Self::Broken(error.restated(|v| vertices[v] as usize, |cost| cost)),
            other => other,
        }
    }
}

impl From<Overflow> for Halt {
    fn from(Overflow: Overflow) -> Self {
        Self::Overflow
    }
}

impl From<OutOfRange> for Halt {
    fn from(OutOfRange(cost): OutOfRange) -> Self {
        Self::OutOfRange(cost)
    }
}

impl From<SolveError> for Halt {
    fn from(error: SolveError) -> Self {
        Self::Broken(error)
    }
}
