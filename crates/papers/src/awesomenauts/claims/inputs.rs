//! What the checks of Awesomenauts look at: its policy, what it prints, and searches small enough for seconds.

use std::ops::RangeInclusive;
use std::sync::Arc;

use anyhow::Result;
use matchwright_sim::progress::{Progress, Quiet};
use toml::Table;

use crate::awesomenauts::days::{DaysReport, run_days};
use crate::awesomenauts::printed::{FAVOUR, PREMADES, PrintedPremades, PrintedSwap, READER};
use crate::awesomenauts::{
    BatchesConfig, BatchesReport, Contender, PortConfig, PortReport, RaceConfig, RaceReport, RepeatsConfig,
    RepeatsReport, RestartsConfig, RestartsReport, StartsConfig, StartsReport, TotalsConfig, TotalsReport,
    run_batches, run_port, run_race, run_repeats, run_restarts, run_starts, run_totals,
};
use crate::check::Once;
use crate::check::queues::{altered, table};
use crate::check::simulated::{WorldsConfig, WorldsReport, run_worlds};
use crate::workers::Workers;

/// Evaluations of a start and two more: a local optimum of 96 players takes some 300,000.
pub(crate) const COUPLE_OF_RETRIES: u64 = 900_000;

/// All that the checks look at.
pub(crate) struct AwesomenautsInputs {
    pub(crate) seed: u64,
    /// `examples/policies/awesomenauts.toml`.
    pub(crate) policy: String,
    pub(crate) premades: Vec<PrintedPremades>,
    pub(crate) favour: PrintedSwap,
    /// The share of the players above the cap of skills.
    pub(crate) above_cap: f64,
    /// The share of players whose skill is not known yet: ours.
    pub(crate) beginners: f64,
    pub(crate) reader: [(f64, f64); 2],
    /// Powers for each pair that should explain the reader's figures.
    pub(crate) reader_powers: Vec<f64>,
    /// Swaps a second: "a few hundred", 200 to 500, on a machine up to ten times as slow or as fast.
    pub(crate) a_few_hundred: RangeInclusive<f64>,
    /// The penalty of a player who was unmatched in the round before.
    pub(crate) carried_penalty: f64,
    /// Starting anew against forced swaps.
    pub(crate) forced: RaceConfig,
    /// Starting anew against a reader's annealing.
    pub(crate) annealing: RaceConfig,
    pub(crate) restarts: RestartsConfig,
    pub(crate) batches: BatchesConfig,
    pub(crate) starts: StartsConfig,
    pub(crate) totals: TotalsConfig,
    pub(crate) port: PortConfig,
    pub(crate) repeats: RepeatsConfig,
    /// Rounds, and matches at once.
    pub(crate) evenings: WorldsConfig,
    /// Whole days of the same game.
    pub(crate) days: WorldsConfig,
    /// How many players at most come at each rate to be told of rounds.
    pub(crate) told: usize,
    /// Threads of the runs; 0 for one on each core.
    pub(crate) threads: usize,
    /// Reports the progress of the longer runs.
    pub(crate) progress: Arc<dyn Progress>,
    pub(crate) runs: AwesomenautsRuns,
}

/// The runs made so far, which several checks read.
#[derive(Clone, Default)]
pub(crate) struct AwesomenautsRuns {
    pub(crate) forced_race: Once<RaceReport>,
    pub(crate) annealing_race: Once<RaceReport>,
    pub(crate) restarts: Once<RestartsReport>,
    pub(crate) batches: Once<BatchesReport>,
    pub(crate) starts: Once<StartsReport>,
    pub(crate) totals: Once<TotalsReport>,
    pub(crate) port: Once<PortReport>,
    pub(crate) repeats: Once<RepeatsReport>,
    pub(crate) schools: Once<WorldsReport>,
    pub(crate) days: Once<DaysReport>,
    pub(crate) gathering: Once<DaysReport>,
}

impl AwesomenautsInputs {
    /// The library as it is.
    pub(crate) fn new(seed: u64, progress: Arc<dyn Progress>) -> Self {
        let race = |pools, evaluations: &[u64], contenders: &[Contender]| RaceConfig {
            pools,
            evaluations: evaluations.to_vec(),
            contenders: contenders.to_vec(),
            // No bound is asked for.
            gap: 1.0,
            ..RaceConfig::default()
        };
        let anew = Contender::StartingAnew;
        let forced = [anew, Contender::ForcedSwaps];
        let policy = include_str!("../../../policies/awesomenauts.toml").to_owned();
        let scenario = include_str!("../../../scenarios/awesomenauts.toml").to_owned();
        Self {
            seed,
            told: usize::MAX,
            threads: 0,
            progress,
            runs: AwesomenautsRuns::default(),
            premades: PREMADES.to_vec(),
            favour: FAVOUR,
            above_cap: 0.003,
            beginners: 0.1,
            reader: READER,
            reader_powers: vec![1.5, 2.0],
            a_few_hundred: 20.0..=5_000.0,
            carried_penalty: 2.0,
            forced: race(40, &[COUPLE_OF_RETRIES, 4_800_000], &forced),
            annealing: race(20, &[1_200_000], &[anew, Contender::ReadersAnnealing]),
            restarts: RestartsConfig {
                pools: 2,
                starts: 400,
                ..RestartsConfig::default()
            },
            batches: BatchesConfig {
                streams: 4,
                sizes: vec![50, 100, 200, 300, 400],
                moves_per_player: 2_000,
                ..BatchesConfig::default()
            },
            starts: StartsConfig {
                pools: 50,
                moves: 200_000,
                ..StartsConfig::default()
            },
            totals: TotalsConfig {
                pools: 16,
                moves: 200_000,
                ..TotalsConfig::default()
            },
            port: PortConfig {
                pools: 5,
                ..PortConfig::default()
            },
            repeats: RepeatsConfig::default(),
            evenings: WorldsConfig {
                scenario: scenario.clone(),
                policies: vec![
                    policy.clone(),
                    include_str!("../../../policies/awesomenauts-at-once.toml").to_owned(),
                ],
                judge: 0,
                worlds: 20,
                hours: None,
            },
            days: WorldsConfig {
                scenario,
                policies: vec![policy.clone()],
                judge: 0,
                worlds: 20,
                hours: Some((24.0, 0.0)),
            },
            policy,
        }
    }

    /// With no more reports of progress.
    pub(crate) fn quiet(mut self) -> Self {
        self.progress = Arc::new(Quiet);
        self
    }

    /// Searches as long as the document has them.
    pub(crate) fn deepen(&mut self) {
        self.restarts.pools = 1;
        self.restarts.starts = 20_000;
    }

    pub(crate) fn workers(&self) -> Workers<'_> {
        Workers::new(self.threads, &*self.progress)
    }

    /// Starting anew and forced swaps.
    pub(crate) fn forced_race(&self) -> Result<&RaceReport> {
        self.runs
            .forced_race
            .run(run_race, &self.forced, self.seed, &self.workers())
    }

    /// Starting anew and annealing.
    pub(crate) fn annealing_race(&self) -> Result<&RaceReport> {
        self.runs
            .annealing_race
            .run(run_race, &self.annealing, self.seed, &self.workers())
    }

    /// Many starts.
    pub(crate) fn restarts(&self) -> Result<&RestartsReport> {
        self.runs
            .restarts
            .run(run_restarts, &self.restarts, self.seed, &self.workers())
    }

    /// Batches of different sizes.
    pub(crate) fn batches(&self) -> Result<&BatchesReport> {
        self.runs
            .batches
            .run(run_batches, &self.batches, self.seed, &self.workers())
    }

    /// The sorted start.
    pub(crate) fn starts(&self) -> Result<&StartsReport> {
        self.runs
            .starts
            .run(run_starts, &self.starts, self.seed, &self.workers())
    }

    /// Other totals.
    pub(crate) fn totals(&self) -> Result<&TotalsReport> {
        self.runs
            .totals
            .run(run_totals, &self.totals, self.seed, &self.workers())
    }

    /// The port of the search.
    pub(crate) fn port(&self) -> Result<&PortReport> {
        self.runs
            .port
            .run(run_port, &self.port, self.seed, &self.workers())
    }

    /// Players who meet again.
    pub(crate) fn repeats(&self) -> Result<&RepeatsReport> {
        self.runs
            .repeats
            .run(run_repeats, &self.repeats, self.seed, &self.workers())
    }

    /// Awesomenauts' rounds, and matches at once.
    pub(crate) fn schools(&self) -> Result<&WorldsReport> {
        self.runs
            .schools
            .run(run_worlds, &self.evenings, self.seed, &self.workers())
    }

    /// Days of Awesomenauts' rounds.
    pub(crate) fn days(&self) -> Result<&DaysReport> {
        self.days_without(&self.runs.days, &[])
    }

    /// Days of rounds that wait for their number of players alone.
    pub(crate) fn gathering(&self) -> Result<&DaysReport> {
        self.days_without(&self.runs.gathering, &["every", "longest_wait"])
    }

    fn days_without<'a>(&self, once: &'a Once<DaysReport>, keys: &[&str]) -> Result<&'a DaysReport> {
        once.get(|| {
            let document = without(&policy(self)?, keys)?;
            let days = WorldsConfig {
                policies: vec![toml::to_string(&document)?],
                ..self.days.clone()
            };
            run_days(&days, self.seed, &self.workers())
        })
    }
}

/// The policy with a short search in each round: it is the time of the round that is asked for.
pub(crate) fn policy(inputs: &AwesomenautsInputs) -> Result<Table> {
    altered(&table(&inputs.policy)?, |queue| {
        queue.insert("exchanges".to_owned(), 200.into());
    })
}

/// The policy without some of what makes a round.
pub(crate) fn without(document: &Table, keys: &[&str]) -> Result<Table> {
    altered(document, |queue| {
        let mut batch = queue.get("batch").and_then(toml::Value::as_table).cloned();
        for &key in keys {
            queue.remove(key);
            batch = batch.map(|mut batch| {
                batch.remove(key);
                batch
            });
        }
        queue.extend(batch.map(|batch| ("batch".to_owned(), batch.into())));
    })
}
