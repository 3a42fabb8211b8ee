//! Neighbours in a sorted line.

use super::pair_in_order;
use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::limits::Limits;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};

/// Sorts the vertices by a key and pairs neighbours: the usual skill-based matchmaking.
///
/// Ties go by index. It looks at costs only to add them up. If the cost of a pair is the distance of its
/// keys, the pairing is a minimum: a chain of crossing or nested intervals never covers less of the line.
/// O(n log n).
///
/// ```
/// use matchwright_solver::{DenseCosts, PairingSolver, SortAdjacent};
///
/// let skills = vec![1700.0, 1400.0, 1650.0, 1420.0_f64];
/// let costs = DenseCosts::from_fn(4, |i, j| (skills[i] - skills[j]).abs()).unwrap();
/// let pairing = SortAdjacent::by_keys(skills).solve(&costs)?;
/// assert_eq!(pairing.mates(), [2, 3, 0, 1]);
/// assert_eq!(pairing.cost(), 70.0);
/// # Ok::<(), matchwright_solver::SolveError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SortAdjacent {
    keys: Option<Vec<f64>>,
}

impl SortAdjacent {
    /// Sorts by these keys, one a vertex.
    #[must_use]
    pub const fn by_keys(keys: Vec<f64>) -> Self {
        Self { keys: Some(keys) }
    }

    /// Takes the vertices as they come: 0 with 1, 2 with 3.
    #[must_use]
    pub const fn by_index() -> Self {
        Self { keys: None }
    }
}

impl PairingSolver for SortAdjacent {
    /// The unit of work is a pair that is priced.
    ///
    /// # Errors
    /// [`SolveError::KeyCount`], [`SolveError::KeyNotANumber`], [`SolveError::OddVertices`], and
    /// [`SolveError::ForbiddenPair`] if two neighbours may not be paired.
    fn solve_within(&self, costs: &dyn CostOracle, limits: &Limits<'_>) -> Result<Pairing, SolveError> {
        self.solve_in(&mut Workspace::new(), costs, limits)
    }

    fn solve_in(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        limits: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        pair_in_order(workspace, costs, limits, |order| {
            let Some(keys) = &self.keys else { return Ok(()) };
            let (keys, vertices) = (keys.as_slice(), order.len());
            if keys.len() != vertices {
                let keys = keys.len();
                return Err(SolveError::KeyCount { keys, vertices });
            }
            if let Some(vertex) = keys.iter().position(|key| key.is_nan()) {
                return Err(SolveError::KeyNotANumber { vertex });
            }
            // Adding 0 makes one zero of the two, so that they tie.
            order.sort_by(|&i, &j| (keys[i] + 0.0).total_cmp(&(keys[j] + 0.0)));
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::{DenseCosts, SparseCosts};

    fn solve(solver: &SortAdjacent, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        solver.solve(costs)
    }

    #[test]
    fn equal_keys_go_by_index() {
        let costs = DenseCosts::from_fn(6, |_, _| 1.0).unwrap();
        let keys = vec![0.0, -1.0, -0.0, 0.0, -1.0, 0.0];
        assert_eq!(
            solve(&SortAdjacent::by_keys(keys), &costs).unwrap().mates(),
            [2, 4, 0, 5, 1, 3]
        );
        let zeros = vec![0.0, 0.0, -0.0, 0.0, 1.0, 1.0];
        assert_eq!(
            solve(&SortAdjacent::by_keys(zeros), &costs).unwrap().mates(),
            [1, 0, 3, 2, 5, 4]
        );
        assert_eq!(
            solve(&SortAdjacent::by_index(), &costs).unwrap().mates(),
            [1, 0, 3, 2, 5, 4]
        );
    }

    #[test]
    fn keys_that_do_not_fit_are_refused() {
        let costs = DenseCosts::from_fn(4, |_, _| 1.0).unwrap();
        let error = |keys| solve(&SortAdjacent::by_keys(keys), &costs).unwrap_err();
        assert_eq!(error(vec![1.0; 3]), SolveError::KeyCount { keys: 3, vertices: 4 });
        assert_eq!(
            error(vec![1.0, 2.0, f64::NAN, 0.0]),
            SolveError::KeyNotANumber { vertex: 2 }
        );
    }

    #[test]
    fn a_forbidden_neighbour_is_an_error() {
        let costs = SparseCosts::from_edges(4, [(0, 2, 1.0), (1, 3, 1.0)]).unwrap();
        let error = solve(&SortAdjacent::by_index(), &costs).unwrap_err();
        assert_eq!(error, SolveError::ForbiddenPair { i: 0, j: 1 });
    }

    #[test]
    fn an_odd_pool_is_an_error() {
        let costs = DenseCosts::from_fn(3, |_, _| 1.0).unwrap();
        assert_eq!(
            solve(&SortAdjacent::by_index(), &costs),
            Err(SolveError::OddVertices { vertices: 3 })
        );
    }
}
