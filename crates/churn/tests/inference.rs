//! Standard errors: a published example, the curvature of the objective, and data that tell nothing.

use matchwright_churn::{CoefficientEstimate, Dataset, FitError, LogisticModel, LogisticParams, ModelError};
use proptest::prelude::*;

/// Vasoconstriction of the fingers after one breath: Finney, "The estimation from individual records of the relationship
/// between dose and quantal response", 1947, DOI 10.1093/biomet/34.3-4.320. Volume of air, rate, whether it occurred.
const FINNEY: [(f64, f64, u8); 39] = [
    (3.7, 0.825, 1),
    (3.5, 1.09, 1),
    (1.25, 2.5, 1),
    (0.75, 1.5, 1),
    (0.8, 3.2, 1),
    (0.7, 3.5, 1),
    (0.6, 0.75, 0),
    (1.1, 1.7, 0),
    (0.9, 0.75, 0),
    (0.9, 0.45, 0),
    (0.8, 0.57, 0),
    (0.55, 2.75, 0),
    (0.6, 3.0, 0),
    (1.4, 2.33, 1),
    (0.75, 3.75, 1),
    (2.3, 1.64, 1),
    (3.2, 1.6, 1),
    (0.85, 1.415, 1),
    (1.7, 1.06, 0),
    (1.8, 1.8, 1),
    (0.4, 2.0, 0),
    (0.95, 1.36, 0),
    (1.35, 1.35, 0),
    (1.5, 1.36, 0),
    (1.6, 1.78, 1),
    (0.6, 1.5, 0),
    (1.8, 1.5, 1),
    (0.95, 1.9, 0),
    (1.9, 0.95, 1),
    (1.6, 0.4, 0),
    (2.7, 0.75, 1),
    (2.35, 0.03, 0),
    (1.1, 1.83, 0),
    (1.1, 2.2, 1),
    (1.2, 2.0, 1),
    (0.8, 3.33, 1),
    (0.95, 1.9, 0),
    (0.75, 1.9, 0),
    (1.3, 1.625, 1),
];

fn named(names: &[&str], rows: Vec<f64>, labels: Vec<bool>) -> Dataset {
    Dataset::new(names.iter().map(|&name| name.to_owned()).collect(), rows, labels).unwrap()
}

fn finney() -> Dataset {
    let rows = FINNEY.iter().flat_map(|row| [row.0.ln(), row.1.ln()]).collect();
    named(
        &["log_volume", "log_rate"],
        rows,
        FINNEY.iter().map(|row| row.2 == 1).collect(),
    )
}

fn table(data: &Dataset, params: LogisticParams) -> Result<Vec<CoefficientEstimate>, FitError> {
    let regression = params.build().unwrap();
    let model = regression.fit(data)?.model;
    regression.standard_errors(data, &model)
}

fn weak(standardize: bool) -> LogisticParams {
    LogisticParams {
        c: 1e12,
        standardize,
        ..LogisticParams::default()
    }
}

/// Pregibon, "Logistic regression diagnostics", 1981, DOI 10.1214/aos/1176345513, prints -2.875 (1.321), 5.179 (1.865),
/// 4.562 (1.838); more digits, p-values and intervals from statsmodels 0.14.
#[test]
fn finneys_data_give_the_published_errors() {
    let published = [
        (-2.87542171, 1.32079329, 0.02947748, [-5.464129, -0.28671442]),
        (5.17932402, 1.86484965, 0.00548056, [1.52428586, 8.83436218]),
        (4.56167528, 1.83799105, 0.01306909, [0.95927901, 8.16407155]),
    ];
    for standardize in [true, false] {
        let found = table(&finney(), weak(standardize)).unwrap();
        let names: Vec<Option<&str>> = found.iter().map(|row| row.column.as_deref()).collect();
        assert_eq!(names, [None, Some("log_volume"), Some("log_rate")]);
        for (found, (estimate, error, p, [low, high])) in found.iter().zip(published) {
            let [found_low, found_high] = found.interval(0.95).unwrap();
            for (found, expected) in [
                (found.estimate, estimate),
                (found.standard_error, error),
                (found.z(), estimate / error),
                (found.p_value(), p),
                (found_low, low),
                (found_high, high),
            ] {
                assert!((found - expected).abs() < 2e-7, "{found} against {expected}");
            }
        }
    }
}

#[test]
fn p_values_and_intervals_are_those_of_the_normal_distribution() {
    let estimate = |z: f64| CoefficientEstimate {
        column: None,
        estimate: z,
        standard_error: 1.0,
    };
    // Abramowitz and Stegun, table 26.1 (2 Q(z)), and scipy for the tails.
    for (z, p) in [
        (0.0, 1.0),
        (0.5, 0.6170750774519738),
        (1.0, 0.31731050786291415),
        (1.96, 0.04999579029644087),
        (2.8, 0.005110260660855861),
        (2.9, 0.0037316266258076555),
        (6.0, 1.973175290075396e-9),
        (-30.0, 9.8134279e-198),
    ] {
        let found = estimate(z).p_value();
        assert!(
            (found - p).abs() <= 1e-7 * p.min(found.abs()),
            "{z}: {found} against {p}"
        );
    }
    for (level, within) in [
        (0.5, 0.6744897501960817),
        (0.95, 1.959963984540054),
        (0.999, 3.2905267314919255),
    ] {
        let [low, high] = estimate(10.0).interval(level).unwrap();
        assert!(
            (high - 10.0 - within).abs() < 1e-9 && (10.0 - low - within).abs() < 1e-9,
            "{level}"
        );
    }
    for level in [0.0, 1.0, -0.5, f64::NAN] {
        assert_eq!(estimate(1.0).interval(level), None);
    }
}

/// C times the weighted log losses and half the squared coefficients, in raw units: the objective as published.
fn objective(data: &Dataset, weights: &[f64], c: f64, at: &[f64]) -> f64 {
    let losses = (0..data.len()).map(|row| {
        let margin = at[0]
            + data
                .row(row)
                .iter()
                .zip(&at[1..])
                .map(|(x, w)| x * w)
                .sum::<f64>();
        let signed = if data.labels()[row] { margin } else { -margin };
        weights[row] * (-signed).exp().ln_1p()
    });
    losses.sum::<f64>() + at[1..].iter().map(|w| w * w).sum::<f64>() / (2.0 * c)
}

proptest! {
    /// The objective's Hessian by central differences, inverted.
    #[test]
    fn errors_are_the_inverse_curvature_of_the_penalised_likelihood(
        rows in prop::collection::vec(-2.0_f64..2.0, 40),
        weights in prop::collection::vec(0.2_f64..3.0, 20),
        log_c in -2.0_f64..2.0,
    ) {
        let c = 10_f64.powf(log_c);
        let data = named(&["x", "y"], rows, (0..20).map(|row| row % 3 == 0).collect()).with_weights(weights.clone()).unwrap();
        let params = LogisticParams { c, standardize: false, tolerance: 1e-12, ..LogisticParams::default() };
        let found = table(&data, params);
        // Few draws are separated by chance, and have no errors.
        prop_assume!(found != Err(FitError::Separated));
        let found = found.unwrap();
        let at: Vec<f64> = found.iter().map(|row| row.estimate).collect();
        let h = 1e-3;
        let value = |i: usize, a: f64, j: usize, b: f64| {
            let mut moved = at.clone();
            moved[i] += a;
            moved[j] += b;
            objective(&data, &weights, c, &moved)
        };
        let curvature = |i, j| (value(i, h, j, h) - value(i, h, j, -h) - value(i, -h, j, h) + value(i, -h, j, -h)) / (4.0 * h * h);
        let information = nalgebra::Matrix3::from_fn(curvature);
        let covariance = information.try_inverse().unwrap();
        for (place, row) in found.iter().enumerate() {
            let expected = covariance[(place, place)].sqrt();
            prop_assert!((row.standard_error / expected - 1.0).abs() < 1e-4, "{} against {}", row.standard_error, expected);
        }
    }
}

#[test]
fn columns_in_another_order_have_the_same_errors() {
    let rows = FINNEY
        .iter()
        .flat_map(|row| [row.1.ln(), 7.0 * row.0, row.0.ln()])
        .collect();
    let labels = FINNEY.iter().map(|row| row.2 == 1).collect();
    let shuffled = named(&["log_rate", "other", "log_volume"], rows, labels);
    let regression = weak(true).build().unwrap();
    let model = regression.fit(&finney()).unwrap().model;
    assert_eq!(
        regression.standard_errors(&shuffled, &model),
        regression.standard_errors(&finney(), &model)
    );
    assert_eq!(model.predictions(&shuffled), model.predictions(&finney()));
    let other = LogisticModel::new(0.0, [("log_volume", 1.0), ("age", 1.0)]).unwrap();
    let missing = ModelError::MissingColumn {
        column: "age".to_owned(),
    };
    assert_eq!(
        regression.standard_errors(&finney(), &other),
        Err(FitError::Model(missing.clone()))
    );
    assert_eq!(other.predictions(&finney()), Err(missing));
}

#[test]
fn a_constant_column_has_the_error_of_the_penalty() {
    let labels: Vec<bool> = FINNEY.iter().map(|row| row.2 == 1).collect();
    let rows = FINNEY.iter().flat_map(|row| [row.0, 4.0]).collect();
    let data = named(&["volume", "constant"], rows, labels);
    let params = LogisticParams {
        c: 9.0,
        ..LogisticParams::default()
    };
    let found = table(&data, params).unwrap();
    assert_eq!((found[2].estimate, found[2].p_value()), (0.0, 1.0));
    assert!((found[2].standard_error - 3.0).abs() < 1e-12);
}

#[test]
fn a_collinear_column_is_named_unless_the_penalty_identifies_its_coefficient() {
    let labels: Vec<bool> = FINNEY.iter().map(|row| row.2 == 1).collect();
    let rows = FINNEY
        .iter()
        .flat_map(|row| [row.0, row.1, row.0 - 2.0 * row.1])
        .collect();
    let data = named(&["volume", "rate", "both"], rows, labels);
    let error = table(&data, weak(true)).unwrap_err();
    assert_eq!(
        error,
        FitError::Collinear {
            column: Some("both".to_owned())
        }
    );
    assert!(
        error
            .to_string()
            .starts_with("the coefficient of `both` is not identified"),
        "{error}"
    );
    assert!(table(&data, LogisticParams::default()).is_ok());
}

#[test]
fn separated_data_have_no_errors() {
    let data = named(
        &["x"],
        (0..20).map(f64::from).collect(),
        (0..20).map(|row| row >= 10).collect(),
    );
    for c in [1e-3, 1.0, f64::MAX] {
        let params = LogisticParams {
            c,
            ..LogisticParams::default()
        };
        assert_eq!(table(&data, params), Err(FitError::Separated));
    }
}

#[test]
fn data_that_cannot_be_fitted_have_no_errors() {
    let regression = LogisticParams::default().build().unwrap();
    let model = LogisticModel::new(0.0, [("x", 1.0)]).unwrap();
    let one = named(&["x"], vec![1.0, 2.0], vec![true, true]);
    assert_eq!(
        regression.standard_errors(&one, &model),
        Err(FitError::SingleClass { rows: 2, label: true })
    );
    assert_eq!(
        regression.standard_errors(&named(&["x"], vec![], vec![]), &model),
        Err(FitError::Empty)
    );
}
