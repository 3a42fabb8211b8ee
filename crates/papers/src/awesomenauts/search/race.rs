//! Searches beside each other at equal evaluations.

use anyhow::Result;
use matchwright_lobby::CertifiedLobbies;
use matchwright_solver::{Limits, Watch};
use serde::Serialize;

use super::super::Awesomenauts;
use super::{Contender, Round, bound_limits, check_pools};
use crate::settings::{SettingError, within};
use crate::workers::Workers;
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, paired_test};

/// Totals that are this close are the same.
const TIE: f64 = 1e-9;

/// What decides [`run_race`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaceConfig {
    /// Players of a pool, 12 to 2,000. Default 96: the article's "more than 100" in whole matches.
    pub players: usize,
    /// Pools, 2 to 10,000. Default 20.
    pub pools: usize,
    /// Evaluations, each a race of its own: times that the quality of a match in one split was judged, 1,000 to 1e10.
    /// Default 300,000, about one local optimum of 96 players, four and sixteen times as many.
    pub evaluations: Vec<u64>,
    /// Who searches; at least one. Default all.
    pub contenders: Vec<Contender>,
    /// The gap, as a share of the bound, at which the search for a bound ends; 0 to 1, where 1 asks for none but
    /// that no match is worth more than 1. Default 0.01.
    pub gap: f64,
}

impl Default for RaceConfig {
    fn default() -> Self {
        Self {
            players: 96,
            pools: 20,
            evaluations: vec![300_000, 1_200_000, 4_800_000],
            contenders: Contender::ALL.to_vec(),
            gap: 0.01,
        }
    }
}

impl RaceConfig {
    pub(crate) fn check(&self) -> Result<(), SettingError> {
        check_pools(self.players, self.pools)?;
        within("contenders", self.contenders.len(), &(1..=20))?;
        within("races", self.evaluations.len(), &(1..=20))?;
        for &evaluations in &self.evaluations {
            within("evaluations", evaluations, &(1_000..=10_000_000_000))?;
        }
        within("gap", self.gap, &(0.0..=1.0))
    }

    /// The totals of the contenders on pool `number`, each after as long as a new `watch` says less than 1. A
    /// reader's annealing, which needs to know when to be cold, takes the least of the evaluations for a run, and
    /// starts anew.
    ///
    /// # Errors
    /// [`SettingError`](crate::SettingError) for a setting out of range.
    pub fn totals_while(
        &self,
        (seed, number): (u64, usize),
        watch: &mut dyn FnMut() -> Box<dyn Fn() -> f64 + Sync>,
    ) -> Result<Vec<f64>> {
        self.check()?;
        let round = Round::new(self.players, seed, number)?;
        let evaluations = self.evaluations.iter().copied().min().unwrap_or_default();
        let one = |contender: Contender| {
            let used = watch();
            let watch: Watch<'_> = &|_| used();
            let limits = Limits::unlimited().with_watch(watch);
            contender.total(&round, number as u64 + 1, evaluations, &limits)
        };
        self.contenders.iter().copied().map(one).collect()
    }
}

/// One contender at one number of evaluations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaceRow {
    /// How many evaluations.
    pub evaluations: u64,
    /// Who.
    pub contender: Contender,
    /// The mean quality of the matches, over pools.
    pub total: Estimate,
    /// Pools on which no other search's mean quality is better, ties included.
    pub best: usize,
    /// Its total less that of starting anew, pool by pool; of no pools if that does not take part.
    pub over_starting_anew: MeanTest,
    /// Its total less that of forced swaps alone, likewise.
    pub over_forced: MeanTest,
    /// The bound less its total, as a share of the bound.
    pub gap: Estimate,
}

/// One start, with and without a dozen forced swaps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ForcedReport {
    /// The mean quality at the first local optimum.
    pub without: Estimate,
    /// What forced swaps add, while each local optimum is higher than the one before, pool by pool.
    pub gain: MeanTest,
    /// Evaluations with them, as a multiple of those without.
    pub work: Estimate,
    /// What one more start adds to the first local optimum, pool by pool.
    pub second_start: MeanTest,
    /// Evaluations with it, as a multiple of those without.
    pub second_work: Estimate,
    /// The better of two starts less one start with forced swaps, pool by pool.
    pub second_over_forced: MeanTest,
}

/// How a race ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaceReport {
    /// What decided it.
    pub config: RaceConfig,
    /// For each number of evaluations, all contenders.
    pub rows: Vec<RaceRow>,
    /// How often a total was above the bound by more than rounding: 0, or something is wrong.
    pub above_bound: usize,
    /// Forced swaps at one start.
    pub forced: ForcedReport,
}

impl RaceReport {
    /// The row of a contender with the most evaluations.
    #[must_use]
    pub fn last(&self, contender: Contender) -> Option<&RaceRow> {
        self.rows.iter().rev().find(|row| row.contender == contender)
    }
}

/// What one pool brings.
struct Lap {
    /// By evaluations and contender.
    totals: Vec<Vec<f64>>,
    bound: f64,
    /// Total and splits of one start, of one with forced swaps, and of two starts.
    starts: [(f64, f64); 3],
}

/// Lets all contenders search the same pools with the same evaluations.
///
/// The same for any number of threads.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
///
/// ```
/// use matchwright_papers::Workers;
/// use matchwright_sim::progress::Quiet;
/// use matchwright_papers::awesomenauts::{Contender, RaceConfig, run_race};
///
/// let config = RaceConfig { players: 24, pools: 2, evaluations: vec![20_000], ..RaceConfig::default() };
/// let report = run_race(&config, 1, &Workers::new(1, &Quiet))?;
/// assert_eq!((report.rows.len(), report.above_bound), (Contender::ALL.len(), 0));
/// # anyhow::Ok(())
/// ```
pub fn run_race(config: &RaceConfig, seed: u64, workers: &Workers<'_>) -> Result<RaceReport> {
    config.check()?;
    let laps = workers.in_order("searches beside each other", config.pools, |number| {
        lap(config, seed, number)
    })?;
    let above = |lap: &Lap| {
        let totals = lap.totals.iter().flatten();
        totals.filter(|total| **total > lap.bound + TIE).count()
    };
    Ok(RaceReport {
        config: config.clone(),
        rows: rows(config, &laps),
        above_bound: laps.iter().map(above).sum(),
        forced: forced(&laps),
    })
}

fn lap(config: &RaceConfig, seed: u64, number: usize) -> Result<Lap> {
    let round = Round::new(config.players, seed, number)?;
    let own = number as u64 + 1;
    let race = |&evaluations: &u64| {
        let total =
            |contender: &Contender| contender.total(&round, own, evaluations, &contender.limits(evaluations));
        config.contenders.iter().map(total).collect::<Result<Vec<_>>>()
    };
    let start = |solver: Awesomenauts| -> Result<(f64, f64)> {
        let lineups = round.solve(&solver, &Limits::unlimited())?;
        Ok((lineups.value / round.matches(), lineups.work as f64))
    };
    let [one, forced, two] = Contender::few_starts(own).map(start);
    let bound = if config.gap < 1.0 {
        let certified = CertifiedLobbies::new(own).with_gap(config.gap);
        let bound = round.solve(&certified, &bound_limits())?.bound();
        bound.unwrap_or(f64::NAN) / round.matches()
    } else {
        // No match is worth more.
        1.0
    };
    Ok(Lap {
        totals: config.evaluations.iter().map(race).collect::<Result<_>>()?,
        bound,
        starts: [one?, forced?, two?],
    })
}

fn rows(config: &RaceConfig, laps: &[Lap]) -> Vec<RaceRow> {
    let mut rows = Vec::new();
    for (race, &evaluations) in config.evaluations.iter().enumerate() {
        for (place, contender) in config.contenders.iter().copied().enumerate() {
            let of = |lap: &Lap, place: usize| lap.totals[race][place];
            let best = |lap: &&Lap| {
                let most = lap.totals[race].iter().copied().fold(f64::NEG_INFINITY, f64::max);
                of(lap, place) >= most - TIE
            };
            let over = |other: Contender| {
                let other = config.contenders.iter().position(|one| *one == other);
                let differences = |other| laps.iter().map(move |lap| of(lap, place) - of(lap, other));
                paired_test(other.into_iter().flat_map(differences))
            };
            rows.push(RaceRow {
                evaluations,
                contender,
                total: Summary::of(laps.iter().map(|lap| of(lap, place))).estimate(),
                best: laps.iter().filter(best).count(),
                over_starting_anew: over(Contender::StartingAnew),
                over_forced: over(Contender::ForcedSwaps),
                gap: Summary::of(laps.iter().map(|lap| 1.0 - of(lap, place) / lap.bound)).estimate(),
            });
        }
    }
    rows
}

fn forced(laps: &[Lap]) -> ForcedReport {
    let estimate = |value: fn(&Lap) -> f64| Summary::of(laps.iter().map(value)).estimate();
    let over = |which: usize, other: usize| {
        paired_test(laps.iter().map(|lap| lap.starts[which].0 - lap.starts[other].0))
    };
    ForcedReport {
        without: estimate(|lap| lap.starts[0].0),
        gain: over(1, 0),
        work: estimate(|lap| lap.starts[1].1 / lap.starts[0].1),
        second_start: over(2, 0),
        second_work: estimate(|lap| lap.starts[2].1 / lap.starts[0].1),
        second_over_forced: over(2, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    fn small() -> RaceConfig {
        RaceConfig {
            players: 48,
            pools: 6,
            evaluations: vec![60_000, 400_000],
            ..RaceConfig::default()
        }
    }

    #[test]
    fn more_evaluations_are_no_worse_and_annealing_beats_starting_anew() {
        let report = run_race(&small(), 1, &Workers::new(2, &Quiet)).unwrap();
        assert_eq!(report.above_bound, 0);
        let (first, last) = report.rows.split_at(Contender::ALL.len());
        for (few, many) in first.iter().zip(last) {
            assert!(few.total.mean <= many.total.mean + 1e-3, "{few:?} {many:?}");
            assert!(many.gap.mean > 0.0 && many.gap.mean < 0.05, "{many:?}");
        }
        let ours = report.last(Contender::OurAnnealing).unwrap();
        assert!(ours.over_starting_anew.difference > 0.0);
        assert!(ours.best >= 2, "{ours:?}");
        assert!(report.forced.gain.difference >= 0.0 && report.forced.work.mean > 1.0);
    }

    #[test]
    fn threads_do_not_show_and_the_seed_does() {
        let config = RaceConfig {
            evaluations: vec![6_000],
            players: 24,
            pools: 2,
            ..small()
        };
        let run = |seed, threads| run_race(&config, seed, &Workers::new(threads, &Quiet)).unwrap();
        assert_eq!(run(1, 1), run(1, 3));
        assert_ne!(run(1, 1).rows, run(2, 1).rows);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        for (config, name) in [
            (
                RaceConfig {
                    players: 6,
                    ..small()
                },
                "players",
            ),
            (RaceConfig { pools: 1, ..small() }, "pools"),
            (
                RaceConfig {
                    evaluations: vec![],
                    ..small()
                },
                "races",
            ),
            (
                RaceConfig {
                    evaluations: vec![9],
                    ..small()
                },
                "evaluations",
            ),
            (
                RaceConfig {
                    gap: f64::NAN,
                    ..small()
                },
                "gap",
            ),
        ] {
            let error = run_race(&config, 1, &Workers::new(1, &Quiet)).unwrap_err();
            assert!(error.to_string().starts_with(name), "{error}");
        }
    }

    #[test]
    fn a_watch_ends_each_contender_in_turn() {
        let mut watches = 0;
        let totals = small().totals_while((1, 0), &mut || {
            watches += 1;
            let asked = std::sync::atomic::AtomicU32::new(0);
            Box::new(move || f64::from(asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) / 2_000.0)
        });
        let totals = totals.unwrap();
        assert_eq!((watches, totals.len()), (5, 5));
        assert!(
            totals.iter().all(|total| (0.5..1.0).contains(total)),
            "{totals:?}"
        );
    }
}
