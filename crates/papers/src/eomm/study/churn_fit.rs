//! The churn model of section 5.2: strength by grid search and cross-validation on earlier rows,
//! judged on later rows, then fitted again on all.

use anyhow::{Result, ensure};
use matchwright_churn::{
    Calibration, CoefficientEstimate, CrossValidation, Dataset, Evaluation, FeatureSpec, Horizon,
    IsotonicCalibration, Label, LogisticModel, LogisticParams, OutOfFold, PlattScaling, cross_validate,
    eomm_feature_specs, evaluate, out_of_fold_predictions,
};
use rand::seq::index::sample;
use serde::{Deserialize, Serialize};

use super::config::{GRID, HOLDOUT, StudyConfig};
use super::rows::{Row, RowId};
use crate::random::Purpose;
use matchwright_sim::progress::Progress;
use matchwright_sim::random::{derived_seed, stream};
use matchwright_sim::statistics::share_of;

/// Bins of the reliability tables (Fig. 2 and 3).
pub(super) const BINS: usize = 10;

/// One input of the fitted model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coefficient {
    /// Input.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Change of the logit per unit of the input.
    pub per_unit: f64,
    /// Its standard error; none where errors are not defined.
    pub standard_error: Option<f64>,
}

/// How a calibration of the model's forecasts predicts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CalibratedForecast {
    /// Its name.
    pub name: String,
    /// On the held-out player-matches.
    pub holdout: Evaluation,
}

/// How the churn model was fitted and how well it predicts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChurnReport {
    /// Player-matches that the final model was fitted on.
    pub rows: usize,
    /// Those on which strength was chosen.
    pub training_rows: usize,
    /// The grid search.
    pub cross_validation: CrossValidation,
    /// The chosen strength C.
    pub chosen_c: f64,
    /// On later player-matches that took no part in the choice or in the fit.
    pub holdout: Evaluation,
    /// The same forecasts after Platt's and isotonic calibration, fitted to out-of-fold predictions of the rows on which
    /// the strength was chosen; without those that such predictions do not admit.
    pub calibrated: Vec<CalibratedForecast>,
    /// Intercept of the final model, a logit.
    pub intercept: f64,
    /// Its standard error; none where errors are not defined: the data are separated or collinear.
    pub intercept_error: Option<f64>,
    /// Coefficients of the final model.
    pub coefficients: Vec<Coefficient>,
}

/// Samples which labelled player-matches the model is fitted on, ascending.
pub(crate) fn sample_labelled(config: &StudyConfig, labels: &[Label]) -> Vec<RowId> {
    let labelled = || {
        let rows = (0..).zip(labels);
        rows.filter(|(_, label)| **label != Label::Censored)
            .map(|(row, _)| row)
    };
    let count = labelled().count();
    if count <= config.fit_rows {
        return labelled().collect();
    }
    let mut rng = stream(config.seed, Purpose::Rows, 0, 0);
    let mut chosen = sample(&mut rng, count, config.fit_rows).into_vec();
    chosen.sort_unstable();
    let mut chosen = chosen.into_iter().peekable();
    let is_chosen = |(place, _): &(usize, RowId)| chosen.next_if_eq(place).is_some();
    (0..)
        .zip(labelled())
        .filter(is_chosen)
        .map(|(_, row)| row)
        .collect()
}

/// Fits the model; `rows` are in time order.
pub(crate) fn fit(
    config: &StudyConfig,
    rows: &[&Row],
    labels: &[Label],
    progress: &dyn Progress,
) -> Result<(LogisticModel, ChurnReport)> {
    let (training, holdout) = split_by_time(config, rows)?;
    let all = dataset(rows, labels)?;
    let earlier = dataset(&rows[..training], labels)?;
    let base = LogisticParams::default();
    progress.begin("choosing the regularisation", 0);
    let (folds, by) = (config.folds, config.fold_by);
    let seed = derived_seed(config.seed, Purpose::Folds, 0, 0);
    let chosen = cross_validate(&earlier, by, folds, &GRID, &base, seed)?;
    let params = LogisticParams {
        c: chosen.best_c(),
        ..base
    };
    progress.begin("fitting the churn model", 0);
    let judge = params.clone().build()?.fit(&earlier)?.model;
    let (mut predicted, mut churned) = (Vec::new(), Vec::new());
    for row in &rows[holdout..] {
        predicted.push(churn_after(&judge, row));
        churned.push(labels[row.id as usize] == Label::Churned);
    }
    let judged = evaluate(&predicted, &churned, BINS)?;
    let held_out = out_of_fold_predictions(&earlier, by, folds, &params, seed)?;
    let calibrated = calibrations(&held_out)
        .map(|(name, calibration)| {
            let predicted: Vec<f64> = predicted.iter().map(|&p| calibration.calibrate(p)).collect();
            let holdout = evaluate(&predicted, &churned, BINS)?;
            Ok(CalibratedForecast {
                name: name.to_owned(),
                holdout,
            })
        })
        .collect::<Result<_>>()?;
    let regression = params.clone().build()?;
    let model = regression.fit(&all)?.model;
    // Separated or collinear data have estimates, by the penalty, and no errors.
    let errors = regression.standard_errors(&all, &model).unwrap_or_default();
    let report = ChurnReport {
        rows: rows.len(),
        training_rows: training,
        chosen_c: params.c,
        cross_validation: chosen,
        holdout: judged,
        calibrated,
        intercept: model.intercept(),
        intercept_error: errors.first().map(|intercept| intercept.standard_error),
        coefficients: coefficients(&model, errors.get(1..).unwrap_or_default()),
    };
    Ok((model, report))
}

/// How many rows come before the holdout with labels that were known by then, and where the holdout begins.
///
/// Rows of one moment stay together. A label looks one horizon ahead, so the rows of the last horizon
/// before the holdout would tell about the matches that judge the model: they stay out.
fn split_by_time(config: &StudyConfig, rows: &[&Row]) -> Result<(usize, usize)> {
    let mut holdout = share_of(rows.len(), 1.0 - HOLDOUT);
    let time = |row: usize| rows.get(row).map(|row| row.time);
    while holdout > 0 && time(holdout).is_some() && time(holdout) == time(holdout - 1) {
        holdout -= 1;
    }
    let horizon = Horizon::hours(config.horizon_hours).seconds();
    let starts = rows.get(holdout).map_or(i64::MIN, |row| row.time);
    let training = rows[..holdout].partition_point(|row| row.time.saturating_add(horizon) <= starts);
    let needed = 2 * config.folds;
    ensure!(
        training >= needed,
        "{} labelled player-matches, of which {training} lie a horizon of {} h before the latest ones that judge the model, and {needed} are needed; give a longer history, times finer than days, or a shorter horizon",
        rows.len(),
        config.horizon_hours
    );
    Ok((training, holdout))
}

fn churn_after(model: &LogisticModel, row: &Row) -> f64 {
    use matchwright_churn::ChurnModel;
    model.churn_probability(row.state.columns_after(row.outcome).as_slice())
}

/// From the rows that were sampled: `Dataset::from_matches` of the churn crate makes the same rows, but takes all
/// player-matches at once, which at the paper's scale are 3 GB.
fn dataset(rows: &[&Row], labels: &[Label]) -> Result<Dataset> {
    let specs = eomm_feature_specs().iter();
    let names = specs.map(|spec| spec.name.to_owned()).collect();
    let columns = |row: &&Row| row.state.columns_after(row.outcome);
    let values = rows.iter().flat_map(columns).collect();
    let churned = rows
        .iter()
        .map(|row| labels[row.id as usize] == Label::Churned)
        .collect();
    let players = rows.iter().map(|row| u64::from(row.player)).collect();
    let times = rows.iter().map(|row| row.time).collect();
    let all = Dataset::new(names, values, churned)?;
    Ok(all.with_groups(players)?.with_times(times)?)
}

/// The calibrations that can be fitted: not where all labels or all predictions agree.
fn calibrations(held_out: &OutOfFold) -> impl Iterator<Item = (&'static str, Box<dyn Calibration>)> {
    let (predicted, labels) = (&held_out.predictions, &held_out.labels);
    let platt = PlattScaling::fit(predicted, labels).ok();
    let isotonic = IsotonicCalibration::fit(predicted, labels).ok();
    let platt = platt.map(|platt| ("Platt", Box::new(platt) as Box<dyn Calibration>));
    let isotonic = isotonic.map(|isotonic| ("isotonic", Box::new(isotonic) as Box<dyn Calibration>));
    platt.into_iter().chain(isotonic)
}

fn coefficients(model: &LogisticModel, errors: &[CoefficientEstimate]) -> Vec<Coefficient> {
    let specs = eomm_feature_specs().iter();
    let coefficient = |(place, (spec, &per_unit)): (usize, (&FeatureSpec, &f64))| Coefficient {
        name: spec.name.to_owned(),
        unit: spec.unit.to_owned(),
        per_unit,
        standard_error: errors.get(place).map(|of| of.standard_error),
    };
    let both = specs.zip(model.coefficients());
    both.enumerate().map(coefficient).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_churn::{Outcome, PlayerHistory};

    /// One row an hour.
    fn hourly(hours: i64) -> Vec<Row> {
        let row = |hour: i64| Row {
            id: 0,
            player: 0,
            time: hour * 3600,
            outcome: Outcome::Win,
            state: PlayerHistory::new().state_at(hour * 3600).unwrap(),
        };
        (0..hours).map(row).collect()
    }

    #[test]
    fn rows_are_drawn_as_from_a_list_of_all_that_have_a_label() {
        let labels: Vec<Label> = (0..1000)
            .map(|k| [Label::Returned, Label::Censored, Label::Churned][k * k % 3])
            .collect();
        let all: Vec<RowId> = (0..1000)
            .filter(|&row| labels[row as usize] != Label::Censored)
            .collect();
        let config = |fit_rows| StudyConfig {
            fit_rows,
            ..StudyConfig::default()
        };
        assert_eq!(sample_labelled(&config(1000), &labels), all);
        let drawn = sample(&mut stream(1, Purpose::Rows, 0, 0), all.len(), 100);
        let mut wanted: Vec<RowId> = drawn.into_iter().map(|place| all[place]).collect();
        wanted.sort_unstable();
        assert_eq!(sample_labelled(&config(100), &labels), wanted);
    }

    #[test]
    fn no_training_label_looks_into_the_holdout() {
        let rows = hourly(100);
        let rows: Vec<&Row> = rows.iter().collect();
        let split = split_by_time(&StudyConfig::default(), &rows).unwrap();
        // A row's label is known eight hours later: row 72's just as row 80 begins.
        assert_eq!(split, (73, 80));
    }

    #[test]
    fn too_short_a_history_has_no_holdout_and_says_so() {
        let rows = hourly(12);
        let rows: Vec<&Row> = rows.iter().collect();
        let refused = split_by_time(&StudyConfig::default(), &rows);
        assert!(refused.unwrap_err().to_string().starts_with("12 labelled"));
        assert!(split_by_time(&StudyConfig::default(), &[]).is_err());
    }
}
