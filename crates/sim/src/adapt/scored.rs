//! [`Scored`]: pairs under any scorer, as a pairing solver sees them.

use matchwright_scoring::MatchScorer;
use matchwright_solver::CostOracle;

/// Pairs of a list under a scorer, as a solver's graph: a pair costs 1 less its quality, and one that is forbidden is absent.
///
/// ```
/// use matchwright_scoring::SkillGapParams;
/// use matchwright_sim::adapt::Scored;
/// use matchwright_solver::{ExactPairing, PairingSolver};
///
/// let skills = [1500.0, 1900.0, 1520.0, 1850.0];
/// let gap = SkillGapParams { scale: 400.0, cap: Some(300.0) }.build()?;
/// let pairs = Scored::new(4, gap, |i, j| (skills[i], skills[j]));
/// assert_eq!(ExactPairing::minimum().solve(&pairs)?.mates(), [2, 3, 0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Scored<S, F> {
    vertices: usize,
    scorer: S,
    candidate: F,
}

impl<S, F> Scored<S, F> {
    /// As many vertices, and what `scorer` is to look at for the pair of `i` < `j`.
    pub const fn new(vertices: usize, scorer: S, candidate: F) -> Self {
        Self {
            vertices,
            scorer,
            candidate,
        }
    }
}

impl<M, S, F> CostOracle for Scored<S, F>
where
    S: MatchScorer<M> + Sync,
    F: Fn(usize, usize) -> M + Sync,
{
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let candidate = (self.candidate)(i.min(j), i.max(j));
        Some(1.0 - self.scorer.quality(&candidate)?)
    }
}
