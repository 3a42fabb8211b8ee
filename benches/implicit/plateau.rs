//! Costs that are 0 for all pairs near enough.

use matchwright_solver::CostOracle;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A gap in skill, in thousands of points, of which the first tenth costs nothing:
///
/// ```text
/// c_ij = max(0, |s_i - s_j| - 0.1),   s about normal with standard deviation 0.3
/// ```
///
/// A natural cost of matchmaking: within a tolerance all opponents are equally good, and many pairs are tied.
#[derive(Debug, Clone)]
pub struct PlateauCosts {
    skills: Vec<f64>,
}

impl PlateauCosts {
    const TOLERANCE: f64 = 0.1;

    /// The graph of a seed.
    #[must_use]
    pub fn draw(n: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // The sum of twelve numbers drawn evenly from (0, 1) has the variance 1.
        let mut skill = || 0.3 * (0..12).map(|_| rng.random::<f64>()).sum::<f64>();
        Self {
            skills: (0..n).map(|_| skill()).collect(),
        }
    }

    pub(crate) fn gap(&self, i: usize, j: usize) -> f64 {
        ((self.skills[i] - self.skills[j]).abs() - Self::TOLERANCE).max(0.0)
    }
}

impl CostOracle for PlateauCosts {
    fn vertices(&self) -> usize {
        self.skills.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some(self.gap(i, j))
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        for (j, out) in (from..).zip(&mut *out) {
            *out = self.gap(i, j);
        }
        if let Some(own) = i.checked_sub(from).and_then(|at| out.get_mut(at)) {
            *own = f64::NAN;
        }
    }

    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let skills = vertices.iter().map(|&i| self.skills[i as usize]).collect();
        Some(Box::new(Self { skills }))
    }
}
