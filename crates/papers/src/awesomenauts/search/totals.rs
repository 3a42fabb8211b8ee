//! Other totals than the mean: powers, and quantiles.

use anyhow::Result;
use matchwright_lobby::Annealing;
use matchwright_scoring::{PowerMean, ScoringError, Total};
use matchwright_sim::adapt::TotalSearch;
use serde::Serialize;

use super::{Round, check_pools};
use crate::settings::{SettingError, within};
use crate::workers::Workers;
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, paired_test};
use matchwright_solver::Limits;

/// What decides [`run_totals`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TotalsConfig {
    /// Players of a pool, 12 to 2,000. Default 96.
    pub players: usize,
    /// Pools, 2 to 10,000. Default 20.
    pub pools: usize,
    /// Exchanges of each search, 1 to 1e9. Default 300,000.
    pub moves: u64,
    /// What lineups are made for; the first is what the others are compared with. Default: mean, root mean square,
    /// exponents -1 and -4, median, 10th percentile and the worst match.
    pub totals: Vec<Total>,
}

impl TotalsConfig {
    pub(crate) fn check(&self) -> Result<(), SettingError> {
        check_pools(self.players, self.pools)?;
        within("moves", self.moves, &(1..=1_000_000_000))?;
        within("totals", self.totals.len(), &(1..=50))
    }
}

impl Default for TotalsConfig {
    fn default() -> Self {
        Self {
            players: 96,
            pools: 20,
            moves: 300_000,
            totals: default_totals().unwrap_or_default(),
        }
    }
}

fn default_totals() -> Result<Vec<Total>, ScoringError> {
    let mut totals = vec![Total::AVERAGE];
    for exponent in [2.0, -1.0, -4.0] {
        totals.push(PowerMean::new(exponent)?.into());
    }
    for share in [0.5, TENTH, 0.0] {
        totals.push(Total::quantile(share)?);
    }
    Ok(totals)
}

/// The share of the matches below the 10th percentile.
const TENTH: f64 = 0.1;

/// Lineups made for one total.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TotalRow {
    /// What they were made for.
    pub made_for: Total,
    /// How they are by that total, less how lineups made for the first total are, pool by pool.
    pub own_over_first: MeanTest,
    /// Mean quality.
    pub mean: Estimate,
    /// Root mean square.
    pub root_mean_square: Estimate,
    /// Median.
    pub median: Estimate,
    /// 10th percentile.
    pub tenth: Estimate,
    /// The worst match.
    pub worst: Estimate,
    /// The worst match less that of lineups made for the first total, pool by pool.
    pub worst_over_first: MeanTest,
}

/// Lineups by the total that they were made for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TotalsReport {
    /// What decided it.
    pub config: TotalsConfig,
    /// One row a total.
    pub rows: Vec<TotalRow>,
}

/// Makes lineups for one total after another by [`TotalSearch`], and judges all of them by all.
///
/// Lineups for another total take eight times the exchanges. The same for any number of `threads`.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_totals(config: &TotalsConfig, seed: u64, workers: &Workers<'_>) -> Result<TotalsReport> {
    config.check()?;
    let pools = workers.in_order("other totals", config.pools, |number| pool(config, seed, number))?;
    let square = PowerMean::new(2.0)?.into();
    let (tenth, worst) = (Total::quantile(TENTH)?, Total::quantile(0.0)?);
    let row = |(place, &made_for): (usize, &Total)| {
        let mean = |by: Total| Summary::of(pools.iter().map(|pool| by.of(&pool[place]))).estimate();
        let over = |by: Total| paired_test(pools.iter().map(|pool| by.of(&pool[place]) - by.of(&pool[0])));
        TotalRow {
            made_for,
            own_over_first: over(made_for),
            mean: mean(Total::AVERAGE),
            root_mean_square: mean(square),
            median: mean(Total::MEDIAN),
            tenth: mean(tenth),
            worst: mean(worst),
            worst_over_first: over(worst),
        }
    };
    Ok(TotalsReport {
        config: config.clone(),
        rows: config.totals.iter().enumerate().map(row).collect(),
    })
}

/// The qualities of the matches by total.
fn pool(config: &TotalsConfig, seed: u64, number: usize) -> Result<Vec<Vec<f64>>> {
    let round = Round::new(config.players, seed, number)?;
    let seed = number as u64 + 1;
    let by_sum = Annealing::new(seed).with_moves(config.moves);
    let made = |&total: &Total| {
        let search = TotalSearch {
            total,
            by_sum: &by_sum,
            seed,
            moves: config.moves,
            threads: 1,
        };
        let lineups = round.solve(&search, &Limits::unlimited())?;
        Ok(lineups.lobbies.iter().map(|lobby| lobby.quality).collect())
    };
    config.totals.iter().map(made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    #[test]
    fn what_lineups_are_made_for_they_are_best_at() {
        let config = TotalsConfig {
            players: 48,
            pools: 4,
            moves: 60_000,
            totals: vec![
                Total::AVERAGE,
                PowerMean::new(-4.0).unwrap().into(),
                Total::quantile(0.1).unwrap(),
            ],
        };
        let report = run_totals(&config, 1, &Workers::new(2, &Quiet)).unwrap();
        assert_eq!(report, run_totals(&config, 1, &Workers::new(1, &Quiet)).unwrap());
        assert!(report.rows[1].own_over_first.difference > 0.0);
        assert!(report.rows[2].own_over_first.difference >= 0.0);
        assert!(
            report
                .rows
                .iter()
                .all(|row| row.mean.mean <= report.rows[0].mean.mean + 1e-3)
        );
        let bad = TotalsConfig { moves: 0, ..config };
        let error = run_totals(&bad, 1, &Workers::new(1, &Quiet)).unwrap_err();
        assert!(error.to_string().starts_with("moves"), "{error}");
    }
}
