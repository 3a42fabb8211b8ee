//! The families of instances, by name.

mod eomm;
mod infeasible;
mod instance;
mod sparse;

use std::fmt;
use std::str::FromStr;

use matchwright_solver::{CostOracle, EuclideanCosts, GraphError};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) use eomm::{Player, players};
pub use infeasible::{Infeasible, InfeasibleCosts};
pub use instance::{Instance, STEPS};
pub use sparse::{Edges, SparseFamily};

use crate::{EommCosts, HashedCosts, PlateauCosts};

/// A kind of complete graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Costs of the shape that EOMM's edges have: smooth, with the best partners far away.
    Eomm,
    /// Costs without any structure.
    Uniform,
    /// Distances in the plane.
    Euclid,
    /// The same of points in clusters.
    Clusters,
    /// Gaps in skill, of which the first part costs nothing: most optima are tied.
    Plateau,
}

/// A word that names no family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFamily(pub String);

impl Family {
    /// All families.
    pub const ALL: [Self; 5] = [
        Self::Eomm,
        Self::Uniform,
        Self::Euclid,
        Self::Clusters,
        Self::Plateau,
    ];

    /// The graph as a matrix of integers.
    #[must_use]
    pub fn matrix(self, n: usize, seed: u64) -> Instance {
        match self {
            Self::Eomm => eomm(n, seed),
            Self::Uniform => uniform(n, seed),
            Self::Euclid => distances(n, &points(n, seed)),
            Self::Clusters => distances(n, &clustered(n, seed)),
            Self::Plateau => plateau(n, seed),
        }
    }

    /// The graph as a function of two vertices, in memory of order `n`; costs are real numbers.
    ///
    /// # Errors
    /// [`GraphError::TooLarge`].
    pub fn implicit(self, n: usize, seed: u64) -> Result<Box<dyn CostOracle>, GraphError> {
        Ok(match self {
            Self::Eomm => Box::new(EommCosts::draw(n, seed)),
            Self::Uniform => Box::new(HashedCosts::draw(n, seed)),
            Self::Euclid => Box::new(EuclideanCosts::from_points(2, points(n, seed))?),
            Self::Clusters => Box::new(EuclideanCosts::from_points(2, clustered(n, seed))?),
            Self::Plateau => Box::new(PlateauCosts::draw(n, seed)),
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Eomm => "eomm",
            Self::Uniform => "uniform",
            Self::Euclid => "euclid",
            Self::Clusters => "clusters",
            Self::Plateau => "plateau",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for UnknownFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Family::ALL.map(Family::name).join(", ");
        write!(f, "there is no family `{}`; take one of {known}", self.0)
    }
}

impl std::error::Error for UnknownFamily {}

impl FromStr for Family {
    type Err = UnknownFamily;

    fn from_str(text: &str) -> Result<Self, UnknownFamily> {
        let found = Self::ALL.into_iter().find(|family| family.name() == text);
        found.ok_or_else(|| UnknownFamily(text.to_owned()))
    }
}

/// Costs of the shape that EOMM's edges have: Glicko expectations mix two players' churn after a win,
/// a draw and a loss.
#[must_use]
pub fn eomm(n: usize, seed: u64) -> Instance {
    let players = players(n, seed);
    Instance::from_fn(n, |i, j| players[i].edge(&players[j]))
}

/// Costs drawn evenly from (0, 1).
#[must_use]
pub fn uniform(n: usize, seed: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Instance::from_fn(n, |_, _| rng.random::<f64>())
}

/// Distances of points drawn evenly from the unit square.
#[must_use]
pub fn euclid(n: usize, seed: u64) -> Instance {
    distances(n, &points(n, seed))
}

fn distances(n: usize, points: &[f64]) -> Instance {
    let point = |i: usize| (points[2 * i], points[2 * i + 1]);
    Instance::from_fn(n, |i, j| {
        let ((x, y), (other_x, other_y)) = (point(i), point(j));
        (x - other_x).hypot(y - other_y)
    })
}

/// Gaps between skills beyond a tolerance, see [`PlateauCosts`].
#[must_use]
pub fn plateau(n: usize, seed: u64) -> Instance {
    let costs = PlateauCosts::draw(n, seed);
    Instance::from_fn(n, |i, j| costs.gap(i, j))
}

/// Coordinates in the unit square, two for each point.
fn points(n: usize, seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..2 * n).map(|_| rng.random()).collect()
}

/// The same around centres, 300 points each, with a spread of one fiftieth.
fn clustered(n: usize, seed: u64) -> Vec<f64> {
    const EACH: usize = 300;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let centres: Vec<f64> = (0..2 * n.div_ceil(EACH)).map(|_| rng.random()).collect();
    (0..2 * n)
        .map(|k| centres[2 * (k / 2 / EACH) + k % 2] + 0.02 * rng.random::<f64>())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The real cost and the integer one are the same number to half a step.
    fn agree(family: Family) -> bool {
        let (matrix, implicit) = (family.matrix(60, 3), family.implicit(60, 3).unwrap());
        matrix
            .edges()
            .all(|(i, j, cost)| (implicit.cost(i, j).unwrap() * STEPS - f64::from(cost)).abs() <= 0.5 + 1e-6)
    }

    #[test]
    fn eomm_and_euclid_are_the_same_graph_with_and_without_a_matrix() {
        assert!(agree(Family::Eomm));
        assert!(agree(Family::Euclid));
        assert!(agree(Family::Clusters));
        assert!(agree(Family::Plateau));
        assert!(!agree(Family::Uniform));
    }

    #[test]
    fn a_family_is_read_by_the_name_that_it_shows() {
        for family in Family::ALL {
            assert_eq!(family.to_string().parse(), Ok(family));
        }
        let error = "euclidean".parse::<Family>().unwrap_err();
        assert!(
            error
                .to_string()
                .contains("eomm, uniform, euclid, clusters, plateau"),
            "{error}"
        );
    }

    #[test]
    fn another_seed_is_another_graph() {
        for family in Family::ALL {
            assert_eq!(family.matrix(20, 5), family.matrix(20, 5));
            assert_ne!(family.matrix(20, 5), family.matrix(20, 6));
        }
    }
}
