//! Other totals than the mean: powers, and quantiles.

use anyhow::Result;
use matchwright_lobby::{Annealing, Lineups, LobbyObjective, LobbySolver, LobbyTerms};
use matchwright_scoring::PowerMean;
use serde::Serialize;

use super::{Round, TEAM, check_pools};
use crate::settings::{SettingError, within};
use crate::workers::Workers;
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, paired_test, quantile};

/// A total of the matches' qualities that lineups are made for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Total {
    /// The power mean with this exponent: 1 the mean, 2 the root mean square.
    Power(f64),
    /// The quality that this share of the matches is below: 0.5 the median.
    Quantile(f64),
}

impl Total {
    /// In words.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Power(1.0) => "mean".to_owned(),
            Self::Power(2.0) => "root mean square".to_owned(),
            Self::Power(exponent) => format!("power mean, exponent {exponent}"),
            Self::Quantile(0.5) => "median".to_owned(),
            Self::Quantile(share) => format!("{}th percentile", 100.0 * share),
        }
    }

    /// Of these qualities, which rise.
    fn of(self, qualities: &[f64]) -> f64 {
        match self {
            Self::Power(exponent) => PowerMean::new(exponent).map_or(f64::NAN, |mean| mean.of(qualities)),
            Self::Quantile(share) => quantile(qualities, share),
        }
    }
}

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
    /// exponents -1 and -4, median and 10th percentile.
    pub totals: Vec<Total>,
}

impl TotalsConfig {
    pub(crate) fn check(&self) -> Result<(), SettingError> {
        check_pools(self.players, self.pools)?;
        within("moves", self.moves, &(1..=1_000_000_000))?;
        within("totals", self.totals.len(), &(1..=50))?;
        for total in &self.totals {
            match *total {
                Total::Power(exponent) => within("exponent", exponent, &(-20.0..=20.0))?,
                Total::Quantile(share) => within("quantile", share, &(0.0..=1.0))?,
            }
        }
        Ok(())
    }
}

impl Default for TotalsConfig {
    fn default() -> Self {
        Self {
            players: 96,
            pools: 20,
            moves: 300_000,
            totals: vec![
                Total::Power(1.0),
                Total::Power(2.0),
                Total::Power(-1.0),
                Total::Power(-4.0),
                Total::Quantile(0.5),
                Total::Quantile(0.1),
            ],
        }
    }
}

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

/// Makes lineups for one total after another, and judges all of them by all.
///
/// Power means are sums of their elements, which annealing takes in the place of qualities. A quantile is no sum: the
/// search asks for as many matches as possible above a limit, which it raises for as long as the quantile rises.
/// Every search of one total has the same number of exchanges, without tables, which these totals do not have. The
/// same for any number of `threads`.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_totals(config: &TotalsConfig, seed: u64, workers: &Workers<'_>) -> Result<TotalsReport> {
    config.check()?;
    let pools = workers.in_order("other totals", config.pools, |number| pool(config, seed, number))?;
    let row = |(place, &made_for): (usize, &Total)| {
        let mean = |by: Total| Summary::of(pools.iter().map(|pool| by.of(&pool[place]))).estimate();
        let over = |by: Total| paired_test(pools.iter().map(|pool| by.of(&pool[place]) - by.of(&pool[0])));
        TotalRow {
            made_for,
            own_over_first: over(made_for),
            mean: mean(Total::Power(1.0)),
            root_mean_square: mean(Total::Power(2.0)),
            median: mean(Total::Quantile(0.5)),
            tenth: mean(Total::Quantile(0.1)),
            worst: mean(Total::Quantile(0.0)),
            worst_over_first: over(Total::Quantile(0.0)),
        }
    };
    Ok(TotalsReport {
        config: config.clone(),
        rows: config.totals.iter().enumerate().map(row).collect(),
    })
}

/// The qualities of the matches, rising, by total.
fn pool(config: &TotalsConfig, seed: u64, number: usize) -> Result<Vec<Vec<f64>>> {
    let round = Round::new(config.players, seed, number)?;
    let scoring = round.scoring();
    let players: Vec<usize> = (0..round.pool.len()).collect();
    let terms = scoring.lobby_terms(&players, (TEAM, TEAM))?;
    let search = Search {
        round: &round,
        terms: &terms,
        solver: Annealing::new(number as u64 + 1).with_moves(config.moves),
    };
    let made = |&total: &Total| match total {
        Total::Power(exponent) => {
            let mean = PowerMean::new(exponent)?;
            search.qualities(&|quality| risen(mean, quality))
        }
        Total::Quantile(share) => search.for_quantile(share),
    };
    config.totals.iter().map(made).collect()
}

/// The quality at which elements change as fast as qualities do.
const TYPICAL: f64 = 0.9;
/// What the worst qualities are left with.
const LEAST: f64 = 0.1;

/// The element of a quality, moved and stretched into \[0, 1\] so that around 0.9 it changes as qualities do, and
/// annealing's temperatures mean the same. What would be below 0.1 falls in a line to 0 instead.
fn risen(mean: PowerMean, quality: f64) -> f64 {
    let element = |quality: f64| mean.element(quality).unwrap_or(quality);
    let slope = (element(TYPICAL + 1e-6) - element(TYPICAL - 1e-6)) / 2e-6;
    let value = 1.0 - (element(1.0) - element(quality)) / slope;
    if value >= LEAST {
        return value.min(1.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..30 {
        let middle = f64::midpoint(low, high);
        if 1.0 - (element(1.0) - element(middle)) / slope < LEAST {
            low = middle;
        } else {
            high = middle;
        }
    }
    LEAST * quality / high
}

/// How far a limit is raised at a time, and how many times at most.
const RAISE: f64 = 0.01;
const RAISES: usize = 5;

/// Searches of one pool.
struct Search<'a> {
    round: &'a Round,
    terms: &'a LobbyTerms,
    solver: Annealing,
}

impl Search<'_> {
    /// The qualities, rising, of lineups made for the sum of `worth` of them.
    fn qualities(&self, worth: &(dyn Fn(f64) -> f64 + Sync)) -> Result<Vec<f64>> {
        let quality = |a: &[usize], b: &[usize]| self.terms.quality(a, b);
        let objective = |a: &[usize], b: &[usize]| quality(a, b).map(worth);
        let objective: &dyn LobbyObjective = &objective;
        let found: Lineups = self.solver.solve(&self.round.lobbies, objective)?;
        let found = found.lobbies.iter();
        let found = found.filter_map(|lobby| quality(&lobby.team_a, &lobby.team_b));
        let mut qualities: Vec<f64> = found.collect();
        qualities.sort_by(f64::total_cmp);
        Ok(qualities)
    }

    /// The best that was found for a quantile, from the lineups made for the mean on.
    fn for_quantile(&self, share: f64) -> Result<Vec<f64>> {
        let mut best = self.qualities(&|quality| quality)?;
        for _ in 0..RAISES {
            let limit = quantile(&best, share) + RAISE;
            // A smooth step, so that the search sees who is nearly there, and some of the quality itself.
            let step = |quality: f64| 0.8 / (1.0 + ((limit - quality) / RAISE).exp()) + 0.2 * quality;
            let next = self.qualities(&step)?;
            if quantile(&next, share) <= quantile(&best, share) {
                break;
            }
            best = next;
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    #[test]
    fn elements_rise_from_0_to_1_and_change_as_qualities_do_around_nine_tenths() {
        for exponent in [2.0, 1.0, 0.0, -1.0, -4.0, -20.0] {
            let mean = PowerMean::new(exponent).unwrap();
            let values: Vec<f64> = (0..=1000)
                .map(|step| risen(mean, f64::from(step) / 1000.0))
                .collect();
            assert!(values.windows(2).all(|two| two[0] < two[1]), "{exponent}");
            assert!(values[0] >= 0.0 && values[1000] <= 1.0, "{exponent}");
            assert!((values[905] - values[895] - 0.01).abs() < 1e-3, "{exponent}");
        }
        assert!((risen(PowerMean::AVERAGE, 0.3) - 0.3).abs() < 1e-9);
    }

    #[test]
    fn what_lineups_are_made_for_they_are_best_at() {
        let config = TotalsConfig {
            players: 48,
            pools: 4,
            moves: 60_000,
            totals: vec![Total::Power(1.0), Total::Power(-4.0), Total::Quantile(0.1)],
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
        let bad = TotalsConfig {
            totals: vec![Total::Quantile(1.5)],
            ..config
        };
        let error = run_totals(&bad, 1, &Workers::new(1, &Quiet)).unwrap_err();
        assert!(error.to_string().starts_with("quantile"), "{error}");
    }
}
