//! Logistic regression against published values and against its own definition.

use matchwright_churn::{
    ChurnModel, CrossValidation, Dataset, FitError, Folds, LogisticFit, LogisticParams, LogisticSolver,
    ParamError, cross_validate, out_of_fold_predictions,
};
use proptest::prelude::*;

const X: [[f64; 2]; 10] = [
    [0.5, 1.0],
    [1.5, -0.3],
    [-0.7, 0.8],
    [2.2, 0.1],
    [-1.1, -1.4],
    [0.3, -0.9],
    [1.9, 1.7],
    [-0.2, 0.4],
    [-1.6, 0.6],
    [0.9, -2.0],
];
const Y: [bool; 10] = [true, true, false, true, false, false, true, true, false, false];
const SOLVERS: [LogisticSolver; 2] = [LogisticSolver::Newton, LogisticSolver::Lbfgs];

fn data(width: usize, rows: Vec<f64>, labels: Vec<bool>) -> Dataset {
    Dataset::new(
        (0..width).map(|column| format!("x{column}")).collect(),
        rows,
        labels,
    )
    .unwrap()
}

fn golden_data() -> Dataset {
    data(2, X.concat(), Y.to_vec())
}

fn fit(data: &Dataset, params: LogisticParams) -> LogisticFit {
    params.build().unwrap().fit(data).unwrap()
}

fn assert_fit(found: &LogisticFit, coefficients: &[f64], intercept: f64, tolerance: f64) {
    assert!(found.converged, "{found:?}");
    for (found, expected) in found.model.coefficients().iter().zip(coefficients) {
        assert!((found - expected).abs() < tolerance, "{found} against {expected}");
    }
    let found = found.model.intercept();
    assert!(
        (found - intercept).abs() < tolerance,
        "{found} against {intercept}"
    );
}

/// scikit-learn 1.9.1, raw columns: C, coefficients, intercept.
#[test]
fn both_solvers_give_the_published_coefficients() {
    let goldens = [
        (0.1, [0.293073967115, 0.217987126423], -0.106531861704),
        (1.0, [1.064342711866, 0.882404177245], -0.321492157195),
        (10.0, [2.491711896268, 2.143686875165], -0.474160672199),
    ];
    for solver in SOLVERS {
        for (c, coefficients, intercept) in goldens {
            let found = fit(
                &golden_data(),
                LogisticParams {
                    c,
                    solver,
                    standardize: false,
                    ..Default::default()
                },
            );
            assert_fit(&found, &coefficients, intercept, 1e-9);
            if c == 1.0 {
                assert!((found.objective - 3.945008060731).abs() < 1e-10);
            }
        }
    }
}

#[test]
fn class_weights_give_the_published_coefficients() {
    for solver in SOLVERS {
        let params = LogisticParams {
            solver,
            class_weights: [1.0, 3.0],
            standardize: false,
            ..Default::default()
        };
        let found = fit(&golden_data(), params);
        assert_fit(&found, &[1.2718915453638, 1.1472411212252], 0.4642611077048, 1e-9);
    }
}

#[test]
fn separable_data_and_extreme_strengths_stay_finite() {
    let separable = data(
        1,
        (0..20).map(f64::from).collect(),
        (0..20).map(|row| row >= 10).collect(),
    );
    for data in [&separable, &golden_data()] {
        for solver in SOLVERS {
            for standardize in [true, false] {
                for c in [f64::MIN_POSITIVE, 1e-100, 1e-9, 1.0, 1e9, 1e100, f64::MAX] {
                    let params = LogisticParams {
                        c,
                        solver,
                        standardize,
                        ..Default::default()
                    };
                    let found = fit(data, params);
                    assert!(
                        found.model.coefficients().iter().all(|w| w.is_finite()),
                        "{params:?}"
                    );
                    assert!(found.converged, "{params:?} {found:?}");
                    if c < 1e-50 {
                        assert!(found.model.coefficients()[0].abs() < 1e-20);
                        assert!(found.model.intercept().abs() < 1e-9, "the base rate is 1/2");
                    }
                }
            }
        }
    }
}

#[test]
fn an_intercept_is_not_penalised() {
    let rows = data(
        1,
        vec![1.0, 1.0, 1.0, 1.0, 1.0],
        vec![true, true, true, true, false],
    );
    for solver in SOLVERS {
        let found = fit(
            &rows,
            LogisticParams {
                c: 1e-6,
                solver,
                ..Default::default()
            },
        );
        assert!((found.model.churn_probability(&[1.0][..]) - 0.8).abs() < 1e-9);
        assert_eq!(
            found.model.coefficients(),
            [0.0],
            "a constant column explains nothing"
        );
    }
}

#[test]
fn data_of_one_class_and_data_without_weight_are_refused() {
    let regression = LogisticParams::default().build().unwrap();
    let one = data(1, vec![1.0, 2.0], vec![true, true]);
    assert_eq!(
        regression.fit(&one),
        Err(FitError::SingleClass { rows: 2, label: true })
    );
    let hidden = data(1, vec![1.0, 2.0], vec![true, false])
        .with_weights(vec![1.0, 0.0])
        .unwrap();
    assert_eq!(
        regression.fit(&hidden),
        Err(FitError::SingleClass { rows: 1, label: true })
    );
    let weightless = data(1, vec![1.0, 2.0], vec![true, false])
        .with_weights(vec![0.0, 0.0])
        .unwrap();
    assert_eq!(regression.fit(&weightless), Err(FitError::Empty));
    assert_eq!(regression.fit(&data(1, vec![], vec![])), Err(FitError::Empty));
}

#[test]
fn a_fit_that_is_cut_short_says_so() {
    let params = LogisticParams {
        solver: LogisticSolver::Lbfgs,
        max_iterations: 1,
        ..Default::default()
    };
    let found = fit(&golden_data(), params);
    assert!(!found.converged && found.iterations == 1 && found.gradient_norm > params.tolerance);
}

#[test]
fn columns_of_huge_and_tiny_units_fit_as_well() {
    let rows: Vec<f64> = X
        .iter()
        .flat_map(|row| [row[0] * 1e200, row[1] * 1e-200])
        .collect();
    for solver in SOLVERS {
        let params = LogisticParams {
            solver,
            ..Default::default()
        };
        let (found, plain) = (
            fit(&data(2, rows.clone(), Y.to_vec()), params),
            fit(&golden_data(), params),
        );
        assert!(found.converged);
        for (found, plain) in found
            .standardized_coefficients
            .iter()
            .zip(&plain.standardized_coefficients)
        {
            assert!((found - plain).abs() < 1e-8, "{found} {plain}");
        }
    }
}

/// Rows with noise, both classes present, and integer weights.
fn weighted_rows() -> impl Strategy<Value = (usize, Vec<f64>, Vec<bool>, Vec<u8>)> {
    (1_usize..4, 4_usize..30).prop_flat_map(|(width, rows)| {
        (
            Just(width),
            prop::collection::vec(-2.0_f64..2.0, width * rows),
            prop::collection::vec(any::<bool>(), rows).prop_map(|mut labels| {
                (labels[0], labels[1]) = (true, false);
                labels
            }),
            prop::collection::vec(0_u8..4, rows).prop_map(|mut weights| {
                (weights[0], weights[1]) = (1, 2);
                weights
            }),
        )
    })
}

proptest! {
    #[test]
    fn a_weight_counts_like_so_many_rows((width, rows, labels, weights) in weighted_rows(), standardize in any::<bool>()) {
        let plain = data(width, rows, labels);
        let repeated: Vec<usize> =
            weights.iter().enumerate().flat_map(|(row, &times)| vec![row; usize::from(times)]).collect();
        let repeated = plain.subset(&repeated).unwrap();
        let weighted = plain.with_weights(weights.into_iter().map(f64::from).collect()).unwrap();
        for solver in SOLVERS {
            let params = LogisticParams { solver, standardize, tolerance: 1e-12, ..Default::default() };
            let (a, b) = (fit(&weighted, params), fit(&repeated, params));
            assert_fit(&a, b.model.coefficients(), b.model.intercept(), 1e-8);
        }
    }

    #[test]
    fn class_weights_are_weights_of_the_rows_of_a_class((width, rows, labels, _) in weighted_rows()) {
        let plain = data(width, rows, labels.clone());
        let weights = labels.iter().map(|&label| if label { 3.0 } else { 0.5 }).collect();
        let params = LogisticParams { standardize: false, ..Default::default() };
        let a = fit(&plain, LogisticParams { class_weights: [0.5, 3.0], ..params });
        let b = fit(&plain.with_weights(weights).unwrap(), params);
        assert_fit(&a, b.model.coefficients(), b.model.intercept(), 1e-8);
    }

    #[test]
    fn folding_standardisation_back_changes_no_prediction((width, rows, labels, _) in weighted_rows()) {
        let data = data(width, rows, labels);
        let found = fit(&data, LogisticParams::default());
        for row in 0..data.len() {
            let mut log_odds = found.standardized_intercept;
            for column in 0..width {
                let z = (data.row(row)[column] - found.means[column]) / found.scales[column];
                log_odds += found.standardized_coefficients[column] * z;
            }
            prop_assert!((found.model.linear_predictor(data.row(row)) - log_odds).abs() < 1e-10);
        }
    }

    #[test]
    fn a_standardised_fit_does_not_depend_on_units((width, rows, labels, _) in weighted_rows()) {
        let scaled = data(width, rows.iter().map(|value| 1_000.0 * value - 77.0).collect(), labels.clone());
        let plain = data(width, rows, labels);
        let (a, b) = (fit(&plain, LogisticParams::default()), fit(&scaled, LogisticParams::default()));
        for row in 0..plain.len() {
            let (a, b) = (a.model.churn_probability(plain.row(row)), b.model.churn_probability(scaled.row(row)));
            prop_assert!((a - b).abs() < 1e-8);
        }
    }

    #[test]
    fn both_solvers_find_the_same_minimum((width, rows, labels, _) in weighted_rows(), log_c in -4.0_f64..4.0) {
        let data = data(width, rows, labels);
        let params = LogisticParams { c: 10_f64.powf(log_c), ..Default::default() };
        let [a, b] = SOLVERS.map(|solver| fit(&data, LogisticParams { solver, ..params }));
        prop_assert!(a.converged && b.converged);
        prop_assert!((a.objective - b.objective).abs() <= 1e-9 * a.objective.abs());
    }

    #[test]
    fn a_stronger_penalty_never_lengthens_the_coefficients((width, rows, labels, _) in weighted_rows()) {
        let data = data(width, rows, labels);
        let lengths: Vec<f64> = [1e-3, 1e-1, 1e1].iter().map(|&c| {
            fit(&data, LogisticParams { c, ..Default::default() }).standardized_coefficients.iter().map(|w| w * w).sum()
        }).collect();
        prop_assert!(lengths[0] <= lengths[1] + 1e-12 && lengths[1] <= lengths[2] + 1e-9);
    }
}

/// Sixty players with four rows each, a day apart; churn depends on the first column.
fn players() -> Dataset {
    let rows: Vec<f64> = (0_u32..480)
        .map(|i| f64::from(i.wrapping_mul(2_654_435_761) % 1_000) / 500.0 - 1.0)
        .collect();
    let labels = (0..240)
        .map(|row| rows[2 * row] + rows[(2 * row + 77) % 480] > 0.2)
        .collect();
    data(2, rows, labels)
        .with_groups((0..240).map(|row| row / 4).collect())
        .and_then(|data| {
            data.with_times(
                (0..240)
                    .map(|row| i64::from(row % 4) * 86_400 + i64::from(row) * 60)
                    .collect(),
            )
        })
        .unwrap()
}

fn validated(folds: Folds, grid: &[f64]) -> Result<CrossValidation, FitError> {
    cross_validate(&players(), folds, 4, grid, &LogisticParams::default(), 7)
}

#[test]
fn cross_validation_scores_what_fits_by_hand_score() {
    let (data, found) = (players(), validated(Folds::RollingOrigin, &[0.01, 10.0]).unwrap());
    let mut order: Vec<usize> = (0..240).collect();
    order.sort_by_key(|&row| data.times().unwrap()[row]);
    for score in &found.scores {
        let mut losses = vec![];
        for fold in 0..4 {
            let train = data.subset(&order[..48 * (fold + 1)]).unwrap();
            let test = data.subset(&order[48 * (fold + 1)..48 * (fold + 2)]).unwrap();
            let model = fit(
                &train,
                LogisticParams {
                    c: score.c,
                    ..Default::default()
                },
            )
            .model;
            losses.push(
                matchwright_churn::log_loss(&model.predictions(&test).unwrap(), test.labels()).unwrap(),
            );
        }
        let mean = losses.iter().sum::<f64>() / 4.0;
        let variance = losses.iter().map(|loss| (loss - mean).powi(2)).sum::<f64>() / 3.0;
        assert!((score.mean_log_loss - mean).abs() < 1e-10);
        assert!((score.standard_error - (variance / 4.0).sqrt()).abs() < 1e-10);
        assert!(
            score
                .fold_log_loss
                .iter()
                .zip(&losses)
                .all(|(a, b)| (a - b).abs() < 1e-9)
        );
    }
    assert_eq!(found.fold_sizes, [(48, 48), (96, 48), (144, 48), (192, 48)]);
}

#[test]
fn the_best_strength_has_the_lowest_mean_and_the_grid_may_come_in_any_order() {
    let found = validated(Folds::GroupKFold, &[10.0, 1e-6, 0.1, 10.0]).unwrap();
    assert_eq!(
        found.scores.iter().map(|score| score.c).collect::<Vec<_>>(),
        [1e-6, 0.1, 10.0]
    );
    let lowest = found
        .scores
        .iter()
        .map(|score| score.mean_log_loss)
        .fold(f64::INFINITY, f64::min);
    assert_eq!(found.best().unwrap().mean_log_loss, lowest);
    assert!(found.best_c() > 1e-6 && found.scores.iter().all(|score| score.converged));
    assert_eq!(found, validated(Folds::GroupKFold, &[1e-6, 0.1, 10.0]).unwrap());
}

#[test]
fn cross_validation_says_what_it_misses() {
    assert_eq!(validated(Folds::RollingOrigin, &[]), Err(FitError::EmptyGrid));
    assert_eq!(
        validated(Folds::RollingOrigin, &[1.0, -1.0]),
        Err(FitError::Param(ParamError::Strength(-1.0)))
    );
    let bare = golden_data();
    let base = LogisticParams::default();
    assert_eq!(
        cross_validate(&bare, Folds::GroupKFold, 2, &[1.0], &base, 0),
        Err(FitError::NoGroups)
    );
    assert_eq!(
        cross_validate(&bare, Folds::RollingOrigin, 2, &[1.0], &base, 0),
        Err(FitError::NoTimes)
    );
    let timed = data(1, vec![0.0; 6], vec![true, true, true, true, false, false])
        .with_times((0..6).collect())
        .unwrap();
    let error = cross_validate(&timed, Folds::RollingOrigin, 2, &[1.0], &base, 0).unwrap_err();
    assert!(
        matches!(&error, FitError::Fold { fold: 0, source } if matches!(**source, FitError::SingleClass { .. }))
    );
    assert!(error.to_string().contains("use fewer folds"), "{error}");
}

#[test]
fn out_of_fold_predictions_have_the_losses_of_cross_validation() {
    let (data, params) = (players(), LogisticParams::default());
    for (folds, from) in [(Folds::GroupKFold, 0), (Folds::RollingOrigin, 48)] {
        let found = out_of_fold_predictions(&data, folds, 4, &params, 7).unwrap();
        assert_eq!(
            found,
            out_of_fold_predictions(&data, folds, 4, &params, 7).unwrap()
        );
        assert_eq!((found.rows.len(), found.converged), (240 - from, true));
        assert!(found.rows.is_sorted());
        assert!(
            found
                .rows
                .iter()
                .zip(&found.labels)
                .all(|(&row, label)| data.labels()[row] == *label)
        );
        let scored = cross_validate(&data, folds, 4, &[1.0], &params, 7).unwrap();
        let sizes = scored.fold_sizes.iter().map(|size| size.1 as f64);
        let losses = sizes
            .zip(&scored.scores[0].fold_log_loss)
            .map(|(size, loss)| size * loss);
        let mean = losses.sum::<f64>() / found.rows.len() as f64;
        let loss = matchwright_churn::log_loss(&found.predictions, &found.labels).unwrap();
        assert!((loss - mean).abs() < 1e-9, "{loss} against {mean}");
    }
    let of_seed = |seed| out_of_fold_predictions(&data, Folds::GroupKFold, 4, &params, seed).unwrap();
    assert_ne!(of_seed(7).predictions, of_seed(8).predictions);
}

#[test]
fn a_players_own_labels_never_reach_the_players_predictions() {
    let (data, params) = (players(), LogisticParams::default());
    let before = out_of_fold_predictions(&data, Folds::GroupKFold, 4, &params, 7).unwrap();
    for player in [0, 17, 59] {
        let own = 4 * player..4 * player + 4;
        let rows = (0..240).flat_map(|row| data.row(row).to_vec()).collect();
        let labels = data
            .labels()
            .iter()
            .enumerate()
            .map(|(row, label)| *label != own.contains(&row))
            .collect();
        let turned = Dataset::new(data.columns().to_vec(), rows, labels).unwrap();
        let turned = turned.with_groups(data.groups().unwrap().to_vec()).unwrap();
        let after = out_of_fold_predictions(&turned, Folds::GroupKFold, 4, &params, 7).unwrap();
        assert_eq!(before.predictions[own.clone()], after.predictions[own]);
        assert_ne!(before.predictions, after.predictions);
    }
}

#[test]
fn out_of_fold_predictions_say_what_they_miss() {
    let params = LogisticParams::default();
    assert_eq!(
        out_of_fold_predictions(&golden_data(), Folds::GroupKFold, 2, &params, 0),
        Err(FitError::NoGroups)
    );
    let bad = LogisticParams { c: -1.0, ..params };
    assert_eq!(
        out_of_fold_predictions(&players(), Folds::GroupKFold, 2, &bad, 0),
        Err(FitError::Param(ParamError::Strength(-1.0)))
    );
    let one = data(1, vec![0.0; 4], vec![true, false, false, false])
        .with_groups(vec![1, 2, 3, 4])
        .unwrap();
    assert!(matches!(
        out_of_fold_predictions(&one, Folds::GroupKFold, 2, &params, 0),
        Err(FitError::Fold { .. })
    ));
}
