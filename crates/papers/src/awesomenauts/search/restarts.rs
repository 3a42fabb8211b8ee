//! A few starts against many thousands.

use anyhow::Result;
use matchwright_lobby::CertifiedLobbies;
use serde::Serialize;

use super::super::{Ascent, Awesomenauts};
use super::{Round, bound_limits, check_pools};
use crate::settings::{SettingError, within};
use crate::workers::Workers;
use matchwright_sim::statistics::{Estimate, Summary};
use matchwright_solver::Limits;

/// Starts that one thread makes in a row.
const BLOCK: usize = 100;

/// What decides [`run_restarts`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RestartsConfig {
    /// Players of a pool, 12 to 2,000. Default 96.
    pub players: usize,
    /// Pools, 1 to 10,000; one has no standard errors. Default 3.
    pub pools: usize,
    /// Starts in each pool, 2 to 1,000,000. Default 2,500.
    pub starts: usize,
    /// How many starts are a few; the article's "a couple of retries" within five seconds. Default 5, at most
    /// `starts`.
    pub few: usize,
}

impl RestartsConfig {
    pub(crate) fn check(&self) -> Result<(), SettingError> {
        check_pools(self.players, self.pools.max(2))?;
        within("pools", self.pools, &(1..=10_000))?;
        within("starts", self.starts, &(2..=1_000_000))?;
        within("few", self.few, &(1..=self.starts))
    }
}

impl Default for RestartsConfig {
    fn default() -> Self {
        Self {
            players: 96,
            pools: 3,
            starts: 2_500,
            few: 5,
        }
    }
}

/// The best of a number of starts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RestartPoint {
    /// How many starts.
    pub starts: usize,
    /// The mean quality of the best of them, expected over which starts they are, then over pools.
    pub total: Estimate,
}

/// What many starts bring.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RestartsReport {
    /// What decided it.
    pub config: RestartsConfig,
    /// By number of starts, rising.
    pub by_number: Vec<RestartPoint>,
    /// The mean quality of a semi-random lineup, before any swap.
    pub before: Estimate,
    /// The best of all less the best of a few.
    pub many_over_few: Estimate,
    /// The first local optimum less its start.
    pub ascent: Estimate,
    /// Our annealing of a million exchanges less the best of all.
    pub ours_over_many: Estimate,
    /// What no lineup exceeds.
    pub bound: Estimate,
}

/// What one pool brings.
struct Ends {
    rising: Vec<f64>,
    start: f64,
    ours: f64,
    bound: f64,
}

/// Starts many ascents of the port from semi-random lineups, and says what the best of 1, 2, 5, ... of them are
/// worth.
///
/// The same for any number of threads.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
///
/// ```
/// use matchwright_papers::Workers;
/// use matchwright_sim::progress::Quiet;
/// use matchwright_papers::awesomenauts::{RestartsConfig, run_restarts};
///
/// let config = RestartsConfig { players: 24, pools: 2, starts: 20, ..RestartsConfig::default() };
/// let report = run_restarts(&config, 1, &Workers::new(1, &Quiet))?;
/// assert_eq!(report.by_number.iter().map(|point| point.starts).collect::<Vec<_>>(), [1, 2, 5, 10, 20]);
/// # anyhow::Ok(())
/// ```
pub fn run_restarts(config: &RestartsConfig, seed: u64, workers: &Workers<'_>) -> Result<RestartsReport> {
    config.check()?;
    let blocks = config.starts.div_ceil(BLOCK);
    let done = workers.in_order("many starts", config.pools * blocks, |task| {
        ascents(config, seed, (task / blocks, task % blocks))
    })?;
    let limits = workers.in_order("what many starts can reach", config.pools, |pool| {
        limits(config, seed, pool)
    })?;
    let matches = (config.players / super::MATCH) as f64;
    let ends = |(blocks, (ours, bound)): (&[Vec<Ascent>], (f64, f64))| {
        let all = blocks.concat();
        let mut rising: Vec<f64> = all.iter().map(|ascent| ascent.end / matches).collect();
        rising.sort_by(f64::total_cmp);
        Ends {
            rising,
            start: Summary::of(all.iter().map(|ascent| ascent.start / matches)).mean(),
            ours,
            bound,
        }
    };
    let pools: Vec<Ends> = done.chunks(blocks).zip(limits).map(ends).collect();
    Ok(report(config, &pools))
}

fn report(config: &RestartsConfig, pools: &[Ends]) -> RestartsReport {
    let over = |of: &dyn Fn(&Ends) -> f64| Summary::of(pools.iter().map(of)).estimate();
    let best = |pool: &Ends, starts: usize| expected_best(&pool.rising, starts);
    let all = config.starts;
    let by_number = |starts| RestartPoint {
        starts,
        total: over(&|pool| best(pool, starts)),
    };
    RestartsReport {
        config: config.clone(),
        by_number: numbers(all).into_iter().map(by_number).collect(),
        before: over(&|pool| pool.start),
        many_over_few: over(&|pool| best(pool, all) - best(pool, config.few)),
        ascent: over(&|pool| best(pool, 1) - pool.start),
        ours_over_many: over(&|pool| pool.ours - best(pool, all)),
        bound: over(&|pool| pool.bound),
    }
}

/// 1, 2, 5, 10, ..., and the last.
fn numbers(last: usize) -> Vec<usize> {
    let decades = (0..7).map(|power| 10_usize.pow(power));
    let mut numbers: Vec<usize> = decades
        .flat_map(|decade| [1, 2, 5].map(|step| step * decade))
        .filter(|&number| number < last)
        .collect();
    numbers.push(last);
    numbers
}

/// The ascents of one block of a pool's starts.
fn ascents(config: &RestartsConfig, seed: u64, (pool, block): (usize, usize)) -> Result<Vec<Ascent>> {
    let round = Round::new(config.players, seed, pool)?;
    let starts = BLOCK.min(config.starts - block * BLOCK);
    // The first start of a search is not random: it does not count.
    let search = Awesomenauts {
        starts: starts + 1,
        ..Awesomenauts::new(block as u64 + 1)
    };
    let (_, mut ascents) = search.ascents(&round.lobbies, &round.scoring(), &Limits::unlimited())?;
    Ok(ascents.split_off(1))
}

/// What our annealing reaches, and what nothing exceeds.
fn limits(config: &RestartsConfig, seed: u64, pool: usize) -> Result<(f64, f64)> {
    let round = Round::new(config.players, seed, pool)?;
    let lineups = round.solve(&CertifiedLobbies::new(1).with_gap(0.01), &bound_limits())?;
    let bound = lineups.bound().unwrap_or(f64::NAN);
    Ok((lineups.value / round.matches(), bound / round.matches()))
}

/// The expected greatest of `few` of these values, drawn without putting any back; the values rise.
///
/// ```text
/// sum over i of x_i C(i - 1, few - 1) / C(n, few),   i = 1 ... n
/// ```
///
/// `few` counts as 1 below that, and as all above all. NaN of nothing. O(n).
///
/// ```
/// use matchwright_papers::awesomenauts::expected_best;
///
/// // Of 1, 2, 3 two are {1, 2}, {1, 3} or {2, 3}.
/// assert!((expected_best(&[1.0, 2.0, 3.0], 2) - 8.0 / 3.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn expected_best(rising: &[f64], few: usize) -> f64 {
    let all = rising.len();
    let few = few.clamp(1, all.max(1));
    // The chance that the value at hand is the greatest, from the last one down.
    let mut chance = few as f64 / all as f64;
    let mut sum = if rising.is_empty() { f64::NAN } else { 0.0 };
    for (place, value) in rising.iter().enumerate().rev() {
        sum += chance * value;
        if place < few {
            break;
        }
        chance *= (place + 1 - few) as f64 / place as f64;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    #[test]
    fn the_best_of_few_is_the_mean_over_all_choices() {
        let values = [0.1, 0.4, 0.5, 0.9, 1.6, 1.7];
        for few in 1..=6_u32 {
            let (mut sum, mut count) = (0.0, 0);
            for choice in 0..64_u32 {
                if choice.count_ones() == few {
                    let chosen = (0..6).filter(|k| choice >> k & 1 == 1).map(|k| values[k]);
                    sum += chosen.fold(0.0, f64::max);
                    count += 1;
                }
            }
            let ours = expected_best(&values, few as usize);
            assert!((ours - sum / f64::from(count)).abs() < 1e-12, "{few}");
        }
        assert_eq!(expected_best(&values, 99), 1.7);
        assert!(expected_best(&[], 1).is_nan());
    }

    #[test]
    fn the_best_of_more_is_better_and_below_the_bound() {
        let config = RestartsConfig {
            players: 36,
            pools: 3,
            starts: 130,
            ..RestartsConfig::default()
        };
        let report = run_restarts(&config, 1, &Workers::new(2, &Quiet)).unwrap();
        assert_eq!(
            report,
            run_restarts(&config, 1, &Workers::new(1, &Quiet)).unwrap()
        );
        let totals: Vec<f64> = report.by_number.iter().map(|point| point.total.mean).collect();
        assert!(totals.windows(2).all(|two| two[0] <= two[1]), "{totals:?}");
        assert!(report.before.mean < totals[0] && totals[totals.len() - 1] <= report.bound.mean + 1e-9);
        assert!(report.many_over_few.mean > 0.0 && report.many_over_few.mean < report.ascent.mean);
        let few = RestartsConfig { few: 131, ..config };
        assert!(
            run_restarts(&few, 1, &Workers::new(1, &Quiet))
                .unwrap_err()
                .to_string()
                .starts_with("few")
        );
    }
}
