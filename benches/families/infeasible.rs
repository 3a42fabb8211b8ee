//! Graphs without a perfect matching: gaps in skill, where some pairs are forbidden.

use std::fmt;

use matchwright_solver::CostOracle;

use super::points;

/// Why there is no perfect matching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Infeasible {
    /// An odd number of vertices.
    Odd,
    /// Two components with an odd number of vertices each.
    TwoComponents,
    /// One vertex whose removal leaves three odd components (Tutte).
    Hub,
    /// One more than half of the vertices may not be paired with each other.
    Independent,
}

impl Infeasible {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Odd, Self::TwoComponents, Self::Hub, Self::Independent];
}

impl fmt::Display for Infeasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Odd => "odd",
            Self::TwoComponents => "two odd components",
            Self::Hub => "hub of three odd components",
            Self::Independent => "n/2 + 1 mutually forbidden",
        })
    }
}

/// Gaps in skill from 0 to 1, where a kind of infeasibility forbids pairs.
#[derive(Debug, Clone)]
pub struct InfeasibleCosts {
    skills: Vec<f64>,
    kind: Option<Infeasible>,
}

impl InfeasibleCosts {
    /// The complete graph of `n` vertices.
    #[must_use]
    pub fn feasible(n: usize) -> Self {
        let mut skills = points(n, 1);
        skills.truncate(n);
        Self { skills, kind: None }
    }

    /// A graph of this kind with `n` vertices, which are even, or one more.
    #[must_use]
    pub fn draw(kind: Infeasible, n: usize) -> Self {
        Self {
            kind: Some(kind),
            ..Self::feasible(n + usize::from(kind == Infeasible::Odd))
        }
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        let n = self.skills.len();
        let odd = |size: usize| size | 1;
        match self.kind {
            None | Some(Infeasible::Odd) => true,
            Some(Infeasible::TwoComponents) => (i < odd(n / 2)) == (j < odd(n / 2)),
            Some(Infeasible::Hub) => {
                let part = |v: usize| ((v - 1) / odd(n / 3)).min(2);
                i == 0 || j == 0 || part(i) == part(j)
            }
            Some(Infeasible::Independent) => i > n / 2 || j > n / 2,
        }
    }
}

impl CostOracle for InfeasibleCosts {
    fn vertices(&self) -> usize {
        self.skills.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.is_allowed(i, j)
            .then(|| (self.skills[i] - self.skills[j]).abs())
    }
}
