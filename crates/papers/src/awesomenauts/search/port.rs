//! The port of the search, counted and checked.

use anyhow::Result;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use matchwright_lobby::{LobbyPool, LobbySolver};
use serde::Serialize;

use super::super::Awesomenauts;
use super::{MATCH, Round, TEAM, best_swap, check_pools};
use crate::workers::Workers;
use matchwright_sim::statistics::{Estimate, Summary};
use matchwright_solver::Limits;

/// What decides [`run_port`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PortConfig {
    /// Players of a pool, 12 to 2,000. Default 96, the article's own sum.
    pub players: usize,
    /// Pools, 2 to 10,000. Default 20.
    pub pools: usize,
    /// Splits after which the search is cut off; none by default. Then it is at no local optimum, as a rule.
    pub most_splits: u64,
}

impl Default for PortConfig {
    fn default() -> Self {
        Self {
            players: 96,
            pools: 20,
            most_splits: u64::MAX,
        }
    }
}

/// What one step of the search looks at, if all players came alone, as whom it asks for qualities sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PortCount {
    /// Different swaps, from the different groups of six that were asked about: each swap makes two.
    pub swaps: u64,
    /// Questions, but for those that split the start.
    pub splits: u64,
    /// The same number as the search itself reports it.
    pub reported: u64,
}

/// What the port does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PortReport {
    /// What decided it.
    pub config: PortConfig,
    /// One step, counted.
    pub count: PortCount,
    /// Swaps that one ascent from the sorted start carries out.
    pub swaps: Estimate,
    /// Splits that it tries.
    pub splits: Estimate,
    /// What the best swap gains at the start, over pools.
    pub best_at_start: Estimate,
    /// The most that any swap gains at the end, over all pools; not above 1e-9 at local optima.
    pub best_at_end: f64,
}

/// Counts one step of the port, and looks for swaps that would improve the lineups that it ends with.
///
/// The same for any number of threads.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_port(config: &PortConfig, seed: u64, workers: &Workers<'_>) -> Result<PortReport> {
    check_pools(config.players, config.pools)?;
    let ascents = workers.in_order("the steps of the port", config.pools, |number| {
        ascent(config, seed, number)
    })?;
    let of = |which: usize| Summary::of(ascents.iter().map(|ascent| ascent[which])).estimate();
    let at_end = ascents.iter().map(|ascent| ascent[3]);
    Ok(PortReport {
        config: config.clone(),
        count: count_step(config.players / MATCH * MATCH)?,
        swaps: of(0),
        splits: of(1),
        best_at_start: of(2),
        best_at_end: at_end.fold(f64::NEG_INFINITY, f64::max),
    })
}

/// Swaps, splits, and what the best swap gains before and after.
fn ascent(config: &PortConfig, seed: u64, number: usize) -> Result<[f64; 4]> {
    let round = Round::new(config.players, seed, number)?;
    let scoring = round.scoring();
    let within =
        |splits| one_start().ascents(&round.lobbies, &scoring, &Limits::unlimited().with_work(splits));
    let (start, _) = within(0)?;
    let (end, ascents) = within(config.most_splits)?;
    let best = |lineups| best_swap(&round.lobbies, &scoring, lineups);
    let (swaps, splits) = (ascents[0].swaps as f64, ascents[0].splits as f64);
    Ok([swaps, splits, best(&start), best(&end)])
}

/// The search from the sorted start alone.
pub(super) const fn one_start() -> Awesomenauts {
    Awesomenauts {
        starts: 1,
        ..Awesomenauts::new(1)
    }
}

/// One step among players who are all alike, so that there is no second one.
fn count_step(players: usize) -> Result<PortCount> {
    let asked: Mutex<(HashSet<Vec<usize>>, u64)> = Mutex::default();
    let objective = |a: &[usize], b: &[usize]| {
        let mut six = [a, b].concat();
        six.sort_unstable();
        let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.0.insert(six);
        asked.1 += 1;
        Some(0.5)
    };
    let pool = LobbyPool::new(players, [TEAM, TEAM])?;
    let lineups = one_start().solve(&pool, &objective)?;
    let (sixes, questions) = asked.into_inner().unwrap_or_else(PoisonError::into_inner);
    let matches = lineups.lobbies.len() as u64;
    // The ten splits of each match of the start; and the answer asks once for each match.
    let start = 10 * matches;
    Ok(PortCount {
        swaps: (sixes.len() as u64 - matches) / 2,
        splits: questions - start - matches,
        reported: lineups.work - start,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    fn small() -> PortConfig {
        PortConfig {
            players: 48,
            pools: 3,
            ..PortConfig::default()
        }
    }

    #[test]
    fn the_counts_are_those_of_the_article() {
        let count = count_step(96).unwrap();
        assert_eq!(
            (count.swaps, count.splits, count.reported),
            (4_320, 86_400, 86_400)
        );
        let count = count_step(48).unwrap();
        assert_eq!(
            (count.swaps, count.splits),
            Awesomenauts::count_of_step(48, (3, 3))
        );
    }

    #[test]
    fn no_swap_is_left_at_the_end_and_some_are_when_it_is_cut_off() {
        let report = run_port(&small(), 1, &Workers::new(2, &Quiet)).unwrap();
        assert_eq!(report, run_port(&small(), 1, &Workers::new(1, &Quiet)).unwrap());
        assert!(report.best_at_start.mean > 0.01, "{report:?}");
        assert!(report.best_at_end <= 1e-9, "{report:?}");
        let cut = PortConfig {
            most_splits: 20_000,
            ..small()
        };
        assert!(run_port(&cut, 1, &Workers::new(1, &Quiet)).unwrap().best_at_end > 1e-4);
    }
}
