//! Fits to enough rows that samples of them are fitted first: the same minimum, whatever the samples hold.

use matchwright_churn::{Dataset, LogisticFit, LogisticParams, LogisticSolver};

/// More than the rows from which on a sample of a sample of three unknowns is fitted.
const ROWS: usize = 60_000;

/// A number in [-1, 1) from a hash of two.
fn noise(row: usize, column: usize) -> f64 {
    let mixed = (row as u64 * 31 + column as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn data(rows: &[[f64; 2]], labels: Vec<bool>) -> Dataset {
    let names = ["x", "y"].map(str::to_owned).to_vec();
    Dataset::new(names, rows.concat(), labels).unwrap()
}

fn plain() -> Dataset {
    let rows: Vec<[f64; 2]> = (0..ROWS)
        .map(|row| [noise(row, 0), 5.0 + 0.1 * noise(row, 1)])
        .collect();
    let labels = rows
        .iter()
        .enumerate()
        .map(|(row, [x, y])| x + 10.0 * (y - 5.0) + 3.0 * noise(row, 2) > 1.0)
        .collect();
    data(&rows, labels)
}

fn fit(data: &Dataset, solver: LogisticSolver, standardize: bool) -> LogisticFit {
    let params = LogisticParams {
        solver,
        standardize,
        tolerance: 1e-13,
        ..LogisticParams::default()
    };
    params.build().unwrap().fit(data).unwrap()
}

fn assert_same_minimum(data: &Dataset) {
    for standardize in [true, false] {
        let newton = fit(data, LogisticSolver::Newton, standardize);
        let lbfgs = fit(data, LogisticSolver::Lbfgs, standardize);
        assert!(newton.converged && lbfgs.converged, "{newton:?} {lbfgs:?}");
        let pairs = newton
            .standardized_coefficients
            .iter()
            .zip(&lbfgs.standardized_coefficients);
        for (a, b) in pairs {
            assert!((a - b).abs() < 1e-7 * (1.0 + a.abs()), "{a} against {b}");
        }
    }
}

#[test]
fn samples_change_nothing_but_the_time() {
    let data = plain();
    assert_same_minimum(&data);
    let found = fit(&data, LogisticSolver::Newton, true);
    assert!(found.iterations <= 8, "{} steps on all rows", found.iterations);
    assert_eq!(found, fit(&data, LogisticSolver::Newton, true));
}

#[test]
fn rows_sorted_by_label_are_fitted_as_well() {
    let data = plain();
    let mut order: Vec<usize> = (0..ROWS).collect();
    order.sort_by_key(|&row| data.labels()[row]);
    assert_same_minimum(&data.subset(&order).unwrap());
}

#[test]
fn a_label_that_samples_miss_is_fitted_all_the_same() {
    let rows: Vec<[f64; 2]> = (0..ROWS).map(|row| [noise(row, 0), noise(row, 1)]).collect();
    assert_same_minimum(&data(
        &rows,
        (0..ROWS).map(|row| (40..44).contains(&row)).collect(),
    ));
}

#[test]
fn a_column_that_varies_outside_the_samples_alone_is_fitted_as_well() {
    let rare = |row: usize| {
        if (32..50).contains(&(row % 4_096)) {
            1.0
        } else {
            0.0
        }
    };
    let rows: Vec<[f64; 2]> = (0..ROWS).map(|row| [noise(row, 0), rare(row)]).collect();
    let labels = rows
        .iter()
        .enumerate()
        .map(|(row, [x, y])| x + 2.0 * y + 2.0 * noise(row, 2) > 0.5)
        .collect();
    assert_same_minimum(&data(&rows, labels));
}

#[test]
fn weights_that_samples_miss_are_fitted_as_well() {
    let weights = (0..ROWS)
        .map(|row| if row % 512 == 40 { 1e6 } else { 1e-6 })
        .collect();
    assert_same_minimum(&plain().with_weights(weights).unwrap());
}
