//! Cross-validation: [`cross_validate`] chooses the regularisation, [`out_of_fold_predictions`] predicts every row.

use super::folds::Fold;
use super::regression::Path;
use super::{Dataset, FitError, Folds, LogisticParams, ParamError};
use crate::ChurnModel;
use crate::metrics::row_log_loss;

/// How one strength did.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RegularisationPoint {
    /// The value of C.
    pub c: f64,
    /// Mean over the folds of the validation log loss, nats.
    pub mean_log_loss: f64,
    /// Standard error of that mean: sample deviation over the folds / sqrt(k). Folds differ in difficulty, so that it
    /// says more about the level than about the difference of two strengths, which saw the same folds.
    pub standard_error: f64,
    /// The validation log loss of each fold, by the rows' weights.
    pub fold_log_loss: Vec<f64>,
    /// Whether the fit of every fold converged.
    pub converged: bool,
}

/// What cross-validation found, for each strength in ascending order of C.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CrossValidation {
    /// How the rows were cut.
    pub folds: Folds,
    /// Rows trained on and rows validated on, per fold.
    pub fold_sizes: Vec<(usize, usize)>,
    /// One entry per distinct value of the grid, C ascending.
    pub scores: Vec<RegularisationPoint>,
}

impl CrossValidation {
    /// The strength with the lowest mean log loss; of equals the smallest C, the strongest penalty.
    #[must_use]
    pub fn best(&self) -> Option<&RegularisationPoint> {
        self.scores.iter().reduce(|best, score| {
            if score.mean_log_loss < best.mean_log_loss {
                score
            } else {
                best
            }
        })
    }

    /// The C of [`best`](Self::best); NaN for a report without scores, which [`cross_validate`] never returns.
    #[must_use]
    pub fn best_c(&self) -> f64 {
        self.best().map_or(f64::NAN, |score| score.c)
    }
}

/// Scores every C of `grid` by `k`-fold cross-validation; the other parameters are those of `base` (its C is
/// ignored).
///
/// Each fold is standardised by its own training rows and fitted along the grid from strong to weak, each fit
/// starting where the last ended. Class weights enter the fits, not the scores.
///
/// `seed` shuffles players into folds ([`Folds::GroupKFold`]); the same seed gives the same folds on every machine.
/// Complexity: k times a fit per value of the grid.
///
/// # Errors
///
/// [`FitError`]: an empty grid or one with a value that is no strength, rows without players or times, more folds
/// than can be cut, a fold with one class alone.
///
/// Source: EOMM (2017), section 5.2: "5-fold cross validation and grid search to determine the proper L2
/// regularization strength"; Stone, "Cross-validatory choice and assessment of statistical predictions", 1974, DOI
/// 10.1111/j.2517-6161.1974.tb00994.x.
///
/// ```
/// use matchwright_churn::{Dataset, Folds, LogisticParams, cross_validate};
///
/// // Twenty players with three matches each; churn gets likelier with x.
/// let x: Vec<f64> = (0..60).map(|i| f64::from(i % 10)).collect();
/// let churned: Vec<bool> = (0..60).map(|i| (i * 7) % 10 < i % 10).collect();
/// let data = Dataset::new(vec!["x".to_owned()], x, churned)?.with_groups((0..60).map(|i| i / 3).collect())?;
///
/// let found = cross_validate(&data, Folds::GroupKFold, 5, &[10.0, 0.001, 0.1], &LogisticParams::default(), 1)?;
/// assert_eq!(found.scores.iter().map(|score| score.c).collect::<Vec<_>>(), [0.001, 0.1, 10.0]);
/// let model = LogisticParams { c: found.best_c(), ..LogisticParams::default() }.build()?.fit(&data)?.model;
/// assert!(model.coefficients()[0] > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cross_validate(
    data: &Dataset,
    folds: Folds,
    k: usize,
    grid: &[f64],
    base: &LogisticParams,
    seed: u64,
) -> Result<CrossValidation, FitError> {
    let grid = strengths(grid)?;
    LogisticParams { c: 1.0, ..*base }.build()?;
    let cut = folds.cut(data, k, seed)?;
    let mut by_fold = Vec::with_capacity(k);
    for (fold, rows) in cut.iter().enumerate() {
        let scored = score_path(data, rows, &grid, base);
        by_fold.push(scored.map_err(|source| in_fold(fold, source))?);
    }
    let scores = grid
        .iter()
        .enumerate()
        .map(|(place, &c)| {
            let column: Vec<(f64, bool)> = by_fold.iter().map(|scores| scores[place]).collect();
            summarise(c, &column)
        })
        .collect();
    let fold_sizes = cut
        .iter()
        .map(|fold| (fold.train.len(), fold.validate.len()))
        .collect();
    Ok(CrossValidation {
        folds,
        fold_sizes,
        scores,
    })
}

/// Out-of-fold predictions: of each row, by a fit to other folds.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OutOfFold {
    /// The rows, ascending: all with [`Folds::GroupKFold`], all but the first block's with [`Folds::RollingOrigin`].
    pub rows: Vec<usize>,
    /// The probability of churn of each of them, from a fit that did not see its fold.
    pub predictions: Vec<f64>,
    /// The label of each of them.
    pub labels: Vec<bool>,
    /// Whether the fit of every fold converged.
    pub converged: bool,
}

/// Predicts each row by a fit to the other folds: predictions of players or days that the fit has not seen, to
/// [`evaluate`](crate::evaluate) or to fit a [`Calibration`](crate::Calibration) to, with no row set aside.
///
/// `seed` shuffles players into folds ([`Folds::GroupKFold`]); the same seed gives the same bits. Complexity: k fits.
///
/// # Errors
///
/// As [`cross_validate`].
///
/// Source: Stone, 1974, DOI 10.1111/j.2517-6161.1974.tb00994.x; for calibration Platt, "Probabilistic outputs for support
/// vector machines and comparisons to regularized likelihood methods", 1999, section 2.1.
///
/// ```
/// use matchwright_churn::{
///     Calibrated, ChurnModel, Dataset, Folds, LogisticParams, PlattScaling, evaluate, out_of_fold_predictions,
/// };
///
/// // Two hundred players with three matches each; churn gets likelier with x.
/// let x: Vec<f64> = (0..600).map(|i| f64::from(i * 7 % 100) / 10.0).collect();
/// let churned: Vec<bool> = (0..600).map(|i| i * 37 % 100 < i * 7 % 100).collect();
/// let data = Dataset::new(vec!["x".to_owned()], x, churned)?.with_groups((0..600).map(|i| i / 3).collect())?;
///
/// let params = LogisticParams { c: 0.001, ..LogisticParams::default() };     // too strong: an underconfident model
/// let held_out = out_of_fold_predictions(&data, Folds::GroupKFold, 5, &params, 1)?;
/// let calibration = PlattScaling::fit(&held_out.predictions, &held_out.labels)?;
/// assert!(calibration.slope() > 1.5);
/// let model = Calibrated { model: params.build()?.fit(&data)?.model, calibration };
/// assert!(model.churn_probability(&[9.5][..]) > 0.85);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn out_of_fold_predictions(
    data: &Dataset,
    folds: Folds,
    k: usize,
    params: &LogisticParams,
    seed: u64,
) -> Result<OutOfFold, FitError> {
    params.build()?;
    let cut = folds.cut(data, k, seed)?;
    let mut predicted: Vec<(usize, f64)> = Vec::with_capacity(data.len());
    let mut converged = true;
    for (fold, Fold { train, validate }) in cut.iter().enumerate() {
        let fit = Path::new(params, data, train).and_then(|mut path| path.fit(params.c));
        let fit = fit.map_err(|source| in_fold(fold, source))?;
        converged &= fit.converged;
        predicted.extend(
            validate
                .iter()
                .map(|&row| (row, fit.model.churn_probability(data.row(row)))),
        );
    }
    predicted.sort_unstable_by_key(|row| row.0);
    let (rows, predictions): (Vec<usize>, Vec<f64>) = predicted.into_iter().unzip();
    Ok(OutOfFold {
        labels: rows.iter().map(|&row| data.labels()[row]).collect(),
        rows,
        predictions,
        converged,
    })
}

fn in_fold(fold: usize, source: FitError) -> FitError {
    FitError::Fold {
        fold,
        source: Box::new(source),
    }
}

/// The grid, checked, ascending, each value once.
fn strengths(grid: &[f64]) -> Result<Vec<f64>, FitError> {
    if let Some(&bad) = grid.iter().find(|c| !(**c > 0.0 && c.is_finite())) {
        return Err(ParamError::Strength(bad).into());
    }
    if grid.is_empty() {
        return Err(FitError::EmptyGrid);
    }
    let mut grid = grid.to_vec();
    grid.sort_by(f64::total_cmp);
    grid.dedup();
    Ok(grid)
}

/// The validation log loss at each strength, and whether the fit converged.
fn score_path(
    data: &Dataset,
    fold: &Fold,
    grid: &[f64],
    base: &LogisticParams,
) -> Result<Vec<(f64, bool)>, FitError> {
    let weight: f64 = fold.validate.iter().map(|&row| data.weight(row)).sum();
    if weight <= 0.0 {
        return Err(FitError::Empty);
    }
    let mut path = Path::new(base, data, &fold.train)?;
    grid.iter()
        .map(|&c| {
            let fit = path.fit(c)?;
            let loss: f64 = fold
                .validate
                .iter()
                .map(|&row| {
                    let p = fit.model.churn_probability(data.row(row));
                    data.weight(row) / weight * row_log_loss(p, data.labels()[row])
                })
                .sum();
            Ok((loss, fit.converged))
        })
        .collect()
}

fn summarise(c: f64, folds: &[(f64, bool)]) -> RegularisationPoint {
    let fold_log_loss: Vec<f64> = folds.iter().map(|fold| fold.0).collect();
    let k = fold_log_loss.len() as f64;
    let mean = fold_log_loss.iter().sum::<f64>() / k;
    let variance = fold_log_loss
        .iter()
        .map(|loss| (loss - mean).powi(2))
        .sum::<f64>()
        / (k - 1.0);
    RegularisationPoint {
        c,
        mean_log_loss: mean,
        standard_error: (variance / k).sqrt(),
        fold_log_loss,
        converged: folds.iter().all(|fold| fold.1),
    }
}
