//! Costs that are distances between points.

use super::{Coordinates, CostOracle};
use crate::error::GraphError;

/// The complete graph of points in a space of a few dimensions; a pair costs its Euclidean distance, in units
/// of the coordinates.
///
/// ```text
/// c_ij = sqrt(sum over d of (x_id - x_jd)^2)        rounded: the nearest whole number, halves up
/// ```
///
/// Memory: 8 bytes a coordinate. [`ExactPairing`](crate::ExactPairing) never looks at all pairs of it.
///
/// ```
/// use matchwright_solver::{CostOracle, EuclideanCosts, ExactPairing, PairingSolver};
///
/// // Rating and ping, both in units that weigh the same.
/// let costs = EuclideanCosts::from_points(2, vec![1.5, 0.2, 1.8, 0.6, 1.5, 0.3, 1.8, 0.5])?;
/// assert_eq!(costs.vertices(), 4);
/// assert_eq!(costs.cost(0, 1), Some((0.3_f64.powi(2) + 0.4_f64.powi(2)).sqrt()));
/// let pairing = ExactPairing::minimum().solve(&costs)?;
/// assert_eq!(pairing.mates(), [2, 3, 0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct EuclideanCosts {
    dimensions: usize,
    values: Vec<f64>,
    rounded: bool,
}

impl EuclideanCosts {
    /// The graph of the points whose coordinates are `values`, `dimensions` of them after the other for each
    /// point.
    ///
    /// # Errors
    /// [`GraphError::CoordinateCount`] if `values` are no whole number of points or `dimensions` is 0;
    /// [`GraphError::CoordinateNotFinite`] names the first coordinate that is NaN, infinite, or so large that
    /// distances overflow (beyond 10^150); [`GraphError::TooLarge`].
    pub fn from_points(dimensions: usize, values: Vec<f64>) -> Result<Self, GraphError> {
        /// Squares of differences and their sums stay finite.
        const LARGEST: f64 = 1e150;
        if dimensions == 0 || !values.len().is_multiple_of(dimensions) {
            return Err(GraphError::CoordinateCount {
                values: values.len(),
                dimensions,
            });
        }
        let vertices = values.len() / dimensions;
        if vertices > super::MAX_VERTICES {
            return Err(GraphError::TooLarge {
                vertices,
                limit: super::MAX_VERTICES,
            });
        }
        let unusable = |value: &f64| value.is_nan() || value.abs() > LARGEST;
        if let Some(at) = values.iter().position(unusable) {
            return Err(GraphError::CoordinateNotFinite {
                vertex: at / dimensions,
                coordinate: at % dimensions,
                value: values[at],
            });
        }
        Ok(Self {
            dimensions,
            values,
            rounded: false,
        })
    }

    /// The same with distances rounded to whole numbers, halves up, as `EUC_2D` of TSPLIB has them (Reinelt, "TSPLIB: a
    /// traveling salesman problem library", ORSA Journal on Computing 3, 1991).
    ///
    /// ```
    /// use matchwright_solver::{CostOracle, EuclideanCosts};
    ///
    /// let costs = EuclideanCosts::from_points(1, vec![0.0, 2.5, 6.0])?.rounded();
    /// assert_eq!([costs.cost(0, 1), costs.cost(1, 2)], [Some(3.0), Some(4.0)]);
    /// # Ok::<(), matchwright_solver::GraphError>(())
    /// ```
    #[must_use]
    pub fn rounded(self) -> Self {
        Self {
            rounded: true,
            ..self
        }
    }

    fn points(&self) -> Coordinates<'_> {
        Coordinates {
            dimensions: self.dimensions,
            values: &self.values,
            slack: if self.rounded { 0.5 } else { 0.0 },
        }
    }
}

impl CostOracle for EuclideanCosts {
    fn vertices(&self) -> usize {
        self.values.len() / self.dimensions
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let distance = self.points().distance(i, j);
        Some(if self.rounded {
            (distance + 0.5).floor()
        } else {
            distance
        })
    }

    fn coordinates(&self) -> Option<Coordinates<'_>> {
        Some(self.points())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_are_none_are_refused() {
        let error = |dimensions, values: &[f64]| {
            EuclideanCosts::from_points(dimensions, values.to_vec()).unwrap_err()
        };
        assert_eq!(
            error(0, &[]),
            GraphError::CoordinateCount {
                values: 0,
                dimensions: 0
            }
        );
        assert_eq!(
            error(2, &[1.0; 5]),
            GraphError::CoordinateCount {
                values: 5,
                dimensions: 2
            }
        );
        for bad in [f64::NAN, f64::INFINITY, -2e150] {
            let found = error(2, &[0.0, 0.0, 1.0, bad]);
            assert!(matches!(
                found,
                GraphError::CoordinateNotFinite {
                    vertex: 1,
                    coordinate: 1,
                    ..
                }
            ));
        }
    }

    #[test]
    fn a_row_holds_the_costs_and_no_number_for_the_vertex_itself() {
        let costs = EuclideanCosts::from_points(1, vec![0.0, 3.0, -1.0]).unwrap();
        let mut row = [0.0; 2];
        costs.cost_row(1, 1, &mut row);
        assert!(row[0].is_nan());
        assert_eq!(row[1], 4.0);
    }
}
