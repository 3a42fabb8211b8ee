//! The exact solver.

use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::simple::BruteForce;
use crate::solver::{PairingSolver, Workspace};

/// Minimum-weight perfect matching; for now by trying all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExactPairing {
    objective: Objective,
}

impl ExactPairing {
    /// The pairing with the least sum of costs.
    #[must_use]
    pub const fn minimum() -> Self {
        Self::new(Objective::Minimize)
    }

    /// The pairing with the largest sum of costs.
    #[must_use]
    pub const fn maximum() -> Self {
        Self::new(Objective::Maximize)
    }

    /// The pairing at this end of the scale.
    #[must_use]
    pub const fn new(objective: Objective) -> Self {
        Self { objective }
    }
}

impl PairingSolver for ExactPairing {
    fn solve(&self, workspace: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        BruteForce::new(self.objective).solve(workspace, costs)
    }
}
