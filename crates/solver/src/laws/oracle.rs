//! The laws of an oracle.

use super::violation::{Law, LawViolation};
use crate::costs::CostOracle;

/// Checks every pair of an oracle: costs are finite, both directions agree, and `for_each_neighbour` visits
/// exactly the allowed pairs, once each, at their cost. O(n^2) and as much memory as one row.
///
/// # Errors
/// The first [`LawViolation`].
///
/// ```
/// use matchwright_solver::laws::check_oracle;
/// use matchwright_solver::{CostOracle, SparseCosts};
///
/// check_oracle(&SparseCosts::from_edges(3, [(0, 1, 2.5), (1, 2, -1.0)]).unwrap())?;
///
/// struct OneWay;
/// impl CostOracle for OneWay {
///     fn vertices(&self) -> usize {
///         2
///     }
///     fn cost(&self, i: usize, j: usize) -> Option<f64> {
///         (i < j).then_some(1.0)
///     }
/// }
/// assert!(check_oracle(&OneWay).is_err());
/// # Ok::<(), matchwright_solver::laws::LawViolation>(())
/// ```
pub fn check_oracle(costs: &dyn CostOracle) -> Result<(), LawViolation> {
    let vertices = costs.vertices();
    let broken = |law, detail| LawViolation {
        law,
        detail,
        graph: format!("{vertices} vertices"),
    };
    for i in 0..vertices {
        let mut visited = Vec::new();
        costs.for_each_neighbour(i, &mut |j, cost| visited.push((j, cost)));
        visited.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut allowed = Vec::new();
        for j in (0..vertices).filter(|&j| j != i) {
            let (forward, backward) = (costs.cost(i, j), costs.cost(j, i));
            if let Some(cost) = forward.filter(|cost| !cost.is_finite()) {
                return Err(broken(Law::FiniteCosts, format!("({i}, {j}) costs {cost}")));
            }
            if forward != backward {
                let detail = format!("({i}, {j}) costs {forward:?}, the other way {backward:?}");
                return Err(broken(Law::SymmetricCosts, detail));
            }
            allowed.extend(forward.map(|cost| (j, cost)));
        }
        if visited != allowed {
            let detail = format!("vertex {i} visits {visited:?} instead of {allowed:?}");
            return Err(broken(Law::Neighbours, detail));
        }
    }
    Ok(())
}
