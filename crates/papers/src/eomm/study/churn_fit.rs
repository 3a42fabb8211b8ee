//! The churn model of section 5.2: strength by grid search and cross-validation on earlier rows,
//! judged on later rows, then fitted again on all.

use anyhow::{Result, ensure};
use matchwright_churn::{
    CrossValidation, Dataset, Evaluation, FeatureSpec, Horizon, Label, LogisticModel, LogisticParams,
    cross_validate, eomm_feature_specs, evaluate,
};
use rand::seq::index::sample;
use serde::{Deserialize, Serialize};

use super::config::{GRID, HOLDOUT, StudyConfig};
use super::rows::{Row, RowId};
use crate::random::Purpose;
use matchwright_sim::progress::Progress;
use matchwright_sim::random::{derived_seed, stream};
use matchwright_sim::statistics::share_of;

/// Bins of the reliability table (Fig. 3).
const BINS: usize = 10;

/// One input of the fitted model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coefficient {
    /// Input.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Change of the logit per unit of the input.
    pub per_unit: f64,
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
    /// Intercept of the final model, a logit.
    pub intercept: f64,
    /// Coefficients of the final model.
    pub coefficients: Vec<Coefficient>,
}

/// Samples which labelled player-matches the model is fitted on, ascending.
pub(crate) fn sample_labelled(config: &StudyConfig, labels: &[Label]) -> Vec<RowId> {
    let labelled = (0..labels.len()).filter(|row| labels[*row] != Label::Censored);
    let labelled: Vec<RowId> = labelled.collect();
    if labelled.len() <= config.fit_rows {
        return labelled;
    }
    let mut rng = stream(config.seed, Purpose::Rows, 0, 0);
    let chosen = sample(&mut rng, labelled.len(), config.fit_rows);
    let mut rows: Vec<RowId> = chosen.into_iter().map(|k| labelled[k]).collect();
    rows.sort_unstable();
    rows
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
        churned.push(labels[row.id] == Label::Churned);
    }
    let judged = evaluate(&predicted, &churned, BINS)?;
    let model = params.clone().build()?.fit(&all)?.model;
    let report = ChurnReport {
        rows: rows.len(),
        training_rows: training,
        chosen_c: params.c,
        cross_validation: chosen,
        holdout: judged,
        intercept: model.intercept(),
        coefficients: coefficients(&model),
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

fn dataset(rows: &[&Row], labels: &[Label]) -> Result<Dataset> {
    let specs = eomm_feature_specs().iter();
    let names = specs.map(|spec| spec.name.to_owned()).collect();
    let columns = |row: &&Row| row.state.columns_after(row.outcome);
    let values = rows.iter().flat_map(columns).collect();
    let churned = rows.iter().map(|row| labels[row.id] == Label::Churned).collect();
    let players = rows.iter().map(|row| u64::from(row.player)).collect();
    let times = rows.iter().map(|row| row.time).collect();
    let all = Dataset::new(names, values, churned)?;
    Ok(all.with_groups(players)?.with_times(times)?)
}

fn coefficients(model: &LogisticModel) -> Vec<Coefficient> {
    let specs = eomm_feature_specs().iter();
    let coefficient = |(spec, &per_unit): (&FeatureSpec, &f64)| Coefficient {
        name: spec.name.to_owned(),
        unit: spec.unit.to_owned(),
        per_unit,
    };
    specs.zip(model.coefficients()).map(coefficient).collect()
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
