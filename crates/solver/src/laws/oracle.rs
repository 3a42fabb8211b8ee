//! The laws of an oracle.

use super::forms::{check_forms, check_neighbours};
use super::violation::{Law, LawViolation};
use crate::costs::CostOracle;

/// Checks every pair of an oracle: costs are finite, both directions agree, and whatever else it offers says the same
/// as [`cost`](CostOracle::cost).
///
/// | method | law |
/// |---|---|
/// | [`for_each_neighbour`](CostOracle::for_each_neighbour) | visits exactly the allowed pairs, once each, at their cost; [`is_sparse`](CostOracle::is_sparse) or not |
/// | [`cost_row`](CostOracle::cost_row) | the same costs to the bit, NaN for forbidden pairs and the vertex itself, in whole rows and parts |
/// | [`lower_bounds`](CostOracle::lower_bounds) | for all rows or none; no bound is above its cost, none of an allowed pair is NaN |
/// | [`among`](CostOracle::among) | an oracle of the vertices asked for, in their order, which keeps all these laws; or none |
/// | [`as_dense`](CostOracle::as_dense) | a matrix of the same costs to the bit |
/// | [`coordinates`](CostOracle::coordinates) | finite, as many as needed, and no pair is cheaper than its distance, rounding aside |
///
/// O(n^2) and, but for samples, as much memory as one row. An oracle of many vertices is best checked small: its laws
/// do not depend on how many there are, unless its forms do.
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
    let forms = |(law, detail)| broken(law, detail);
    for i in 0..vertices {
        for j in (0..vertices).filter(|&j| j != i) {
            let (forward, backward) = (costs.cost(i, j), costs.cost(j, i));
            if let Some(cost) = forward.filter(|cost| !cost.is_finite()) {
                return Err(broken(Law::FiniteCosts, format!("({i}, {j}) costs {cost}")));
            }
            if forward != backward {
                let detail = format!("({i}, {j}) costs {forward:?}, the other way {backward:?}");
                return Err(broken(Law::SymmetricCosts, detail));
            }
        }
        check_neighbours(costs, i, &|i, j| costs.cost(i, j)).map_err(forms)?;
    }
    check_forms(costs).map_err(forms)
}
