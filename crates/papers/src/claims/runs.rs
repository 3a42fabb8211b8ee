//! The library's longer runs, which several checks read: made when they are first asked for, or given by a test.

use std::sync::OnceLock;

use crate::awesomenauts::{
    BatchesReport, PortReport, RaceReport, RepeatsReport, RestartsReport, StartsReport, TotalsReport,
    run_batches, run_port, run_race, run_repeats, run_restarts, run_starts, run_totals,
};
use crate::dominations::{WarsReport, run_wars};
use crate::dota::claims::worlds::with_threshold;
use crate::eomm::cohorts::{CohortsReport, run_cohorts};
use crate::eomm::gain_law::{GainLawReport, run_gain_law};
use crate::eomm::other_worlds::{OtherWorldsReport, run_other_worlds};
use crate::eomm::study::{RegionPatterns, StudyConfig, StudyReport, run_study, stream_patterns};
use crate::eomm::theory::{TheoryReport, run_theory};
use crate::sc2::ladder::LadderWorldParams;
use crate::sc2::{TierShares, WorldReport, run_ladders, run_tiers};
use crate::workers::Workers;
use anyhow::{Result, anyhow};
use matchwright_sim::population::{GeneratorParams, generate};

use super::inputs::Inputs;
use super::queues::{altered, table};
use super::simulated::{WorldsConfig, WorldsReport, run_worlds};
use crate::awesomenauts::claims::rounds_in_time::{policy, without};
use crate::awesomenauts::days::{DaysReport, run_days};

/// A run that is made once; what stopped it is kept as words.
#[derive(Clone)]
pub(crate) struct Once<T>(OnceLock<Result<T, String>>);

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Once<T> {
    /// What was made, now or before.
    fn get(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        let made = self
            .0
            .get_or_init(|| make().map_err(|error| format!("{error:#}")));
        made.as_ref().map_err(|error| anyhow!("{error}"))
    }

    /// Changes what was made before.
    #[cfg(test)]
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut T) -> Option<()>) -> Result<()> {
        let made = self.0.get_mut().and_then(|made| made.as_mut().ok());
        anyhow::Context::context(made.and_then(change), "nothing there to change")
    }

    /// With this in its place.
    #[cfg(test)]
    pub(crate) fn given(made: T) -> Self {
        Self(OnceLock::from(Ok(made)))
    }
}

/// A run by its settings and its seed.
type Run<C, R> = fn(&C, u64, &Workers<'_>) -> Result<R>;

/// Those made so far.
#[derive(Clone, Default)]
pub(crate) struct Runs {
    pub(crate) study: Once<StudyReport>,
    pub(crate) small_pools: Once<StudyReport>,
    pub(crate) regions: Once<Vec<RegionPatterns>>,
    pub(crate) theory: Once<TheoryReport>,
    pub(crate) gain_law: Once<GainLawReport>,
    pub(crate) other_worlds: Once<OtherWorldsReport>,
    pub(crate) cohorts: Once<CohortsReport>,
    pub(crate) forced_race: Once<RaceReport>,
    pub(crate) annealing_race: Once<RaceReport>,
    pub(crate) restarts: Once<RestartsReport>,
    pub(crate) batches: Once<BatchesReport>,
    pub(crate) starts: Once<StartsReport>,
    pub(crate) totals: Once<TotalsReport>,
    pub(crate) port: Once<PortReport>,
    pub(crate) repeats: Once<RepeatsReport>,
    pub(crate) wars: Once<WarsReport>,
    pub(crate) schools: Once<WorldsReport>,
    pub(crate) days: Once<DaysReport>,
    pub(crate) gathering: Once<DaysReport>,
    pub(crate) dota_worlds: Once<WorldsReport>,
    pub(crate) dota_thresholds: Once<WorldsReport>,
    pub(crate) ladders: Once<WorldReport>,
    pub(crate) spread_tiers: Once<TierShares>,
}

/// Pool sizes below those of the paper, for EOMM-noclimb.
pub(crate) const SMALL_POOLS: [usize; 5] = [4, 6, 10, 20, 50];
/// How many rounds small pools get for one of the study's: they are quick to pair, and noisy.
const MORE_ROUNDS: u32 = 10;

impl Inputs {
    /// One thread for each core.
    pub(crate) fn workers(&self) -> Workers<'_> {
        Workers::new(0, &*self.progress)
    }

    /// The report of a run with these settings.
    fn run_once<'a, C, R>(&self, once: &'a Once<R>, config: &C, run: Run<C, R>) -> Result<&'a R> {
        once.get(|| run(config, self.seed, &self.workers()))
    }

    /// The study on the generated population.
    pub(crate) fn report(&self) -> Result<&StudyReport> {
        self.runs.study.get(|| self.run(&self.study, &self.generator))
    }

    /// The same study with small pools: the same population, models and states.
    pub(crate) fn small_pools(&self) -> Result<&StudyReport> {
        let study = StudyConfig {
            pools: SMALL_POOLS.to_vec(),
            rounds: self.study.rounds.saturating_mul(MORE_ROUNDS),
            ..self.study.clone()
        };
        self.runs.small_pools.get(|| self.run(&study, &self.generator))
    }

    /// Churn by the last three outcomes in regions of the generated population, one after another.
    pub(crate) fn regions(&self) -> Result<&[RegionPatterns]> {
        let run = || stream_patterns(&self.generator, self.seed, 0..self.regions, &self.workers());
        Ok(self.runs.regions.get(run)?)
    }

    /// The statements of the paper's section 4 against all pairings of small pools.
    pub(crate) fn theory_report(&self) -> Result<&TheoryReport> {
        self.runs.theory.get(|| run_theory(&self.theory, self.seed))
    }

    /// Predicted gains and those of the exact pairings.
    pub(crate) fn gain_law_report(&self) -> Result<&GainLawReport> {
        self.run_once(&self.runs.gain_law, &self.gain_law, run_gain_law)
    }

    /// EOMM's gain in worlds that are not as it assumes.
    pub(crate) fn other_worlds(&self) -> Result<&OtherWorldsReport> {
        self.run_once(&self.runs.other_worlds, &self.other_worlds, run_other_worlds)
    }

    /// EOMM over many rounds.
    pub(crate) fn cohorts(&self) -> Result<&CohortsReport> {
        self.run_once(&self.runs.cohorts, &self.cohorts, run_cohorts)
    }

    /// Alliances under the queues of `DomiNations`.
    pub(crate) fn wars(&self) -> Result<&WarsReport> {
        self.run_once(&self.runs.wars, &self.dominations.wars, run_wars)
    }

    /// What is inferred from generated ladders.
    pub(crate) fn ladders(&self) -> Result<&WorldReport> {
        let run = || {
            let (ladders, progress) = (self.sc2.ladders, &*self.progress);
            progress.begin("ladders", u64::from(ladders));
            run_ladders(&self.sc2.world, ladders, self.seed, progress)
        };
        self.runs.ladders.get(run)
    }

    /// The tiers of ladders whose players stand elsewhere than below M.
    pub(crate) fn spread_tiers(&self) -> Result<TierShares> {
        let world = LadderWorldParams {
            levels: self.sc2.elsewhere,
            ..self.sc2.world.clone()
        };
        let run = || run_tiers(&world, self.sc2.ladders, self.seed);
        self.runs.spread_tiers.get(run).copied()
    }

    /// Another study, on another population.
    pub(crate) fn run(&self, study: &StudyConfig, generator: &GeneratorParams) -> Result<StudyReport> {
        let world = generate(generator, self.seed)?;
        run_study(study, &world.history, Some(&world.truth), &self.workers())
    }
}

/// Awesomenauts' search on generated players.
impl Inputs {
    /// Starting anew and forced swaps.
    pub(crate) fn forced_race(&self) -> Result<&RaceReport> {
        self.run_once(&self.runs.forced_race, &self.awesomenauts.forced, run_race)
    }

    /// Starting anew and annealing.
    pub(crate) fn annealing_race(&self) -> Result<&RaceReport> {
        self.run_once(&self.runs.annealing_race, &self.awesomenauts.annealing, run_race)
    }

    /// Many starts.
    pub(crate) fn restarts(&self) -> Result<&RestartsReport> {
        self.run_once(&self.runs.restarts, &self.awesomenauts.restarts, run_restarts)
    }

    /// Batches of different sizes.
    pub(crate) fn batches(&self) -> Result<&BatchesReport> {
        self.run_once(&self.runs.batches, &self.awesomenauts.batches, run_batches)
    }

    /// The sorted start.
    pub(crate) fn starts(&self) -> Result<&StartsReport> {
        self.run_once(&self.runs.starts, &self.awesomenauts.starts, run_starts)
    }

    /// Other totals.
    pub(crate) fn totals(&self) -> Result<&TotalsReport> {
        self.run_once(&self.runs.totals, &self.awesomenauts.totals, run_totals)
    }

    /// The port of the search.
    pub(crate) fn port(&self) -> Result<&PortReport> {
        self.run_once(&self.runs.port, &self.awesomenauts.port, run_port)
    }

    /// Players who meet again.
    pub(crate) fn repeats(&self) -> Result<&RepeatsReport> {
        self.run_once(&self.runs.repeats, &self.awesomenauts.repeats, run_repeats)
    }
}

/// Simulated worlds.
impl Inputs {
    /// Awesomenauts' rounds, and matches at once.
    pub(crate) fn schools(&self) -> Result<&WorldsReport> {
        self.run_once(&self.runs.schools, &self.awesomenauts.evenings, run_worlds)
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
                ..self.awesomenauts.days.clone()
            };
            run_days(&days, self.seed, &self.workers())
        })
    }

    /// Dota's policy, matches at random, and the policy without a longest wait.
    pub(crate) fn dota_worlds(&self) -> Result<&WorldsReport> {
        self.runs.dota_worlds.get(|| {
            let document = altered(&table(&self.dota.policy)?, |queue| {
                queue.remove("longest_wait");
            })?;
            let mut worlds = self.dota.worlds.clone();
            worlds.policies.push(toml::to_string(&document)?);
            run_worlds(&worlds, self.seed, &self.workers())
        })
    }

    /// Dota's policy with other thresholds, in the same worlds.
    pub(crate) fn dota_thresholds(&self) -> Result<&WorldsReport> {
        let document = |quality: &f64| Ok(toml::to_string(&with_threshold(&self.dota.policy, *quality)?)?);
        self.runs.dota_thresholds.get(|| {
            let worlds = WorldsConfig {
                policies: self.dota.thresholds.iter().map(document).collect::<Result<_>>()?,
                ..self.dota.worlds.clone()
            };
            run_worlds(&worlds, self.seed, &self.workers())
        })
    }
}
