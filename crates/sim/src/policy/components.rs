//! Principal components of a table with many rows and few columns.

use nalgebra::{DMatrix, SymmetricEigen};

/// One principal component.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Component {
    /// By column: a row's part in the component is the row times these. The mean square of all rows' parts is 1.
    pub(super) weights: Vec<f64>,
    /// By column: how much of the component is in it. A table is the sum of rows' parts times columns' shares over
    /// all its components.
    pub(super) shares: Vec<f64>,
}

/// The `N` largest principal components, the largest first, of a table given by its rows, all of length `columns`.
///
/// ```text
/// G = R^T R = sum over k of lambda_k u_k u_k^T      n rows; weights sqrt(n / lambda_k) u_k, shares sqrt(lambda_k / n) u_k
/// ```
///
/// Components that the table does not have are zeros, as all are of a table with infinite squares. The rows are taken
/// as they are: take means out beforehand. O(rows columns^2 + columns^3).
///
/// Jolliffe, "Principal component analysis", 2nd edition, 2002, section 3.5 (doi 10.1007/b98835).
pub(super) fn principal_components<const N: usize>(rows: &[Vec<f64>], columns: usize) -> [Component; N] {
    let found = eigen(rows, columns);
    let mut order: Vec<usize> = (0..columns).collect();
    let none = Component {
        weights: vec![0.0; columns],
        shares: vec![0.0; columns],
    };
    let Some(SymmetricEigen {
        eigenvectors,
        eigenvalues,
    }) = found
    else {
        return std::array::from_fn(|_| none.clone());
    };
    order.sort_by(|&a, &b| eigenvalues[b].total_cmp(&eigenvalues[a]));
    // What is left after the last real component is rounding.
    let least = 1e-12 * eigenvalues.sum();
    std::array::from_fn(|k| {
        let largest = order.get(k).filter(|&&e| eigenvalues[e] > least);
        largest.map_or(none.clone(), |&e| {
            let root = (eigenvalues[e] / rows.len() as f64).sqrt();
            let direction = eigenvectors.column(e);
            Component {
                weights: direction.iter().map(|u| u / root).collect(),
                shares: direction.iter().map(|u| u * root).collect(),
            }
        })
    })
}

/// None of a table without columns, and none or NaN of one with squares beyond the range of numbers.
fn eigen(rows: &[Vec<f64>], columns: usize) -> Option<SymmetricEigen<f64, nalgebra::Dyn>> {
    /// Far more than the two or three a column that it takes.
    const STEPS_PER_COLUMN: usize = 100;
    let table = DMatrix::from_fn(columns, rows.len(), |column, row| rows[row][column]);
    let gram = &table * table.transpose();
    if columns == 0 {
        return None;
    }
    // With a limit, since numbers beyond the range never converge.
    SymmetricEigen::try_new(gram, f64::EPSILON, STEPS_PER_COLUMN * columns)
}

/// The sum of products.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    #[test]
    fn a_table_made_of_two_components_has_these_and_no_third() {
        let (first, second) = ([3.0, -1.0, -2.0, 0.0], [0.5, 0.5, -0.25, -0.75]);
        let rows: Vec<Vec<f64>> = (0..50)
            .map(|i| {
                let (x, y) = (f64::from(i % 7) - 3.0, f64::from(i % 5) - 2.0);
                (0..4).map(|s| x * first[s] + y * second[s]).collect()
            })
            .collect();
        let found: [Component; 3] = principal_components(&rows, 4);
        for row in &rows {
            let part = |component: &Component| dot(row, &component.weights);
            let parts: Vec<f64> = found.iter().map(part).collect();
            for (s, &entry) in row.iter().enumerate() {
                let sum: f64 = found.iter().zip(&parts).map(|(c, part)| part * c.shares[s]).sum();
                assert_abs_diff_eq!(sum, entry, epsilon = 1e-9);
            }
        }
        let mean_square = |component: &Component| {
            let squares = rows.iter().map(|row| dot(row, &component.weights).powi(2));
            squares.sum::<f64>() / 50.0
        };
        assert_abs_diff_eq!(mean_square(&found[0]), 1.0, epsilon = 1e-9);
        assert_abs_diff_eq!(mean_square(&found[1]), 1.0, epsilon = 1e-9);
        assert!(dot(&found[0].shares, &found[0].shares) > dot(&found[1].shares, &found[1].shares));
        assert_eq!(found[2].weights, [0.0; 4]);
    }

    #[test]
    fn a_table_without_differences_or_beyond_numbers_has_no_component() {
        for rows in [
            vec![vec![0.0; 3]; 5],
            Vec::new(),
            vec![vec![f64::NAN; 3]; 2],
            vec![vec![1e200; 3]; 2],
        ] {
            let [component] = principal_components(&rows, 3);
            assert_eq!(
                (component.weights, component.shares),
                (vec![0.0; 3], vec![0.0; 3])
            );
        }
        let [none] = principal_components(&[], 0);
        assert!(none.weights.is_empty());
    }
}
