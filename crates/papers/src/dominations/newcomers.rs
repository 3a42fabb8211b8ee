//! Newcomers under DOM MMR's schedule of K, beside one K for all.

use matchwright_rating::{DomMmrParams, DomRating};
use serde::Serialize;

use crate::climb::{Climb, ClimbConfig, climb};
use crate::settings::within;
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, paired_test};

/// What decides [`run_newcomers`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NewcomersConfig {
    /// The schedule. The constant K beside it is its `k`.
    pub dom: DomMmrParams,
    /// True strengths of newcomers, in points. Default 10,000 to 14,000 in steps of 1,000: newcomers start at
    /// 12,000, and the document gives no strengths.
    pub strengths: Vec<f64>,
    /// How they are followed.
    pub climb: ClimbConfig,
}

impl Default for NewcomersConfig {
    fn default() -> Self {
        Self {
            dom: DomMmrParams::default(),
            strengths: (10..=14).map(|thousand| 1_000.0 * f64::from(thousand)).collect(),
            climb: ClimbConfig::default(),
        }
    }
}

/// Newcomers of one strength.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NewcomerRow {
    /// The true strength, points.
    pub strength: f64,
    /// Games until half way to it, under the schedule.
    pub half_scheduled: Estimate,
    /// The same under the constant K.
    pub half_constant: Estimate,
    /// Schedule less constant, newcomer by newcomer.
    pub half_difference: MeanTest,
    /// Games until the first win, under the schedule.
    pub win_scheduled: Estimate,
    /// The same under the constant K.
    pub win_constant: Estimate,
    /// Schedule less constant, newcomer by newcomer.
    pub win_difference: MeanTest,
    /// Mean rating after 0, 1, ... games under the schedule.
    pub ratings_scheduled: Vec<f64>,
    /// The same under the constant K.
    pub ratings_constant: Vec<f64>,
}

/// How newcomers fared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NewcomerReport {
    /// What decided it.
    pub config: NewcomersConfig,
    /// The constant K.
    pub constant_k: f64,
    /// One row a strength.
    pub rows: Vec<NewcomerRow>,
    /// How far settled ratings wander: root mean square distance from the strength of an average player in the
    /// second half of the games, under the schedule, the constant K, and a constant K of the newcomers' size.
    pub wander: [f64; 3],
}

/// Follows newcomers of each strength under both systems, with the same luck.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
///
/// ```
/// use matchwright_papers::{ClimbConfig, dominations::{NewcomersConfig, run_newcomers}};
///
/// let config = NewcomersConfig {
///     strengths: vec![14_000.0],
///     climb: ClimbConfig { newcomers: 100, ..ClimbConfig::default() },
///     ..NewcomersConfig::default()
/// };
/// let report = run_newcomers(&config, 1)?;
/// assert!(report.rows[0].half_difference.difference < 0.0);
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn run_newcomers(config: &NewcomersConfig, seed: u64) -> anyhow::Result<NewcomerReport> {
    let DomMmrParams { k, initial, .. } = config.dom;
    let run = |params: DomMmrParams, strength: f64| -> anyhow::Result<Climb> {
        within("strength", strength, &(-1e8..=1e8))?;
        let settled = |glory| DomRating::new(glory, u32::MAX, 0);
        let start = DomRating::new(initial, 0, 0)?;
        climb(&params.build()?, &start, strength, settled, &config.climb, seed)
    };
    let constant = |k| DomMmrParams {
        initial,
        curve: config.dom.curve,
        keep_sum: config.dom.keep_sum,
        ..DomMmrParams::constant_k(k)
    };
    let row = |&strength: &f64| -> anyhow::Result<NewcomerRow> {
        let (scheduled, plain) = (run(config.dom, strength)?, run(constant(k), strength)?);
        Ok(NewcomerRow {
            strength,
            half_scheduled: mean(&scheduled.games_to_half),
            half_constant: mean(&plain.games_to_half),
            half_difference: compare(&scheduled.games_to_half, &plain.games_to_half),
            win_scheduled: mean(&scheduled.games_to_win),
            win_constant: mean(&plain.games_to_win),
            win_difference: compare(&scheduled.games_to_win, &plain.games_to_win),
            ratings_scheduled: scheduled.ratings,
            ratings_constant: plain.ratings,
        })
    };
    let rows = config.strengths.iter().map(row).collect::<Result<_, _>>()?;
    let wander = [
        run(config.dom, initial)?.wander,
        run(constant(k), initial)?.wander,
        run(constant(config.dom.newcomer_k), initial)?.wander,
    ];
    Ok(NewcomerReport {
        config: config.clone(),
        constant_k: k,
        rows,
        wander,
    })
}

fn mean(games: &[u32]) -> Estimate {
    Summary::of(games.iter().copied().map(f64::from)).estimate()
}

fn compare(first: &[u32], second: &[u32]) -> MeanTest {
    let pairs = first.iter().zip(second);
    paired_test(pairs.map(|(a, b)| f64::from(*a) - f64::from(*b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> NewcomersConfig {
        NewcomersConfig {
            strengths: vec![10_000.0, 14_000.0],
            climb: ClimbConfig {
                newcomers: 300,
                ..ClimbConfig::default()
            },
            ..NewcomersConfig::default()
        }
    }

    #[test]
    fn a_schedule_moves_newcomers_sooner_and_no_schedule_changes_nothing() {
        let report = run_newcomers(&small(), 1).unwrap();
        for row in &report.rows {
            assert!(row.half_difference.t < -4.0, "{row:?}");
        }
        let [scheduled, plain, fast] = report.wander;
        assert!(plain < fast && scheduled < fast, "{:?}", report.wander);
        let constant = NewcomersConfig {
            dom: DomMmrParams::constant_k(128.0),
            ..small()
        };
        for row in run_newcomers(&constant, 1).unwrap().rows {
            assert_eq!(row.half_scheduled, row.half_constant);
            assert_eq!(row.win_difference.difference, 0.0);
        }
    }

    #[test]
    fn the_seed_decides_everything() {
        let run = |seed| run_newcomers(&small(), seed).unwrap();
        assert_eq!(run(3), run(3));
        assert_ne!(run(3), run(4));
        let bad = NewcomersConfig {
            strengths: vec![f64::NAN],
            ..small()
        };
        assert!(
            run_newcomers(&bad, 1)
                .unwrap_err()
                .to_string()
                .starts_with("strength")
        );
    }
}
