//! The library's longer runs, which several checks read: made when they are first asked for, or given by a test.

use std::cell::OnceCell;

use crate::awesomenauts::{
    BatchesReport, PortReport, RaceReport, RepeatsReport, RestartsReport, StartsReport, TotalsReport,
    run_batches, run_port, run_race, run_repeats, run_restarts, run_starts, run_totals,
};
use crate::eomm::gain_law::{GainLawReport, run_gain_law};
use crate::eomm::study::{RegionPatterns, StudyConfig, StudyReport, stream_patterns};
use crate::eomm::theory::{TheoryReport, run_theory};
use crate::sc2::{WorldReport, run_ladders};
use crate::workers::Workers;
use anyhow::{Result, anyhow};
use matchwright_sim::population::{GeneratorParams, generate};

use super::inputs::Inputs;

/// A run that is made once; what stopped it is kept as words.
type Once<T> = OnceCell<Result<T, String>>;

fn get<T>(once: &Once<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    let made = once.get_or_init(|| make().map_err(|error| format!("{error:#}")));
    made.as_ref().map_err(|error| anyhow!("{error}"))
}

/// A run by its settings and its seed.
type Run<C, R> = fn(&C, u64, &Workers<'_>) -> Result<R>;

/// Those made so far.
#[derive(Default)]
pub(crate) struct Runs {
    study: Once<StudyReport>,
    small_pools: Once<StudyReport>,
    regions: Once<Vec<RegionPatterns>>,
    theory: Once<TheoryReport>,
    gain_law: Once<GainLawReport>,
    forced_race: Once<RaceReport>,
    annealing_race: Once<RaceReport>,
    restarts: Once<RestartsReport>,
    batches: Once<BatchesReport>,
    starts: Once<StartsReport>,
    totals: Once<TotalsReport>,
    port: Once<PortReport>,
    repeats: Once<RepeatsReport>,
    ladders: Once<WorldReport>,
}

/// Pool sizes below those of the paper, for EOMM-noclimb.
pub(crate) const SMALL_POOLS: [usize; 5] = [4, 6, 10, 20, 50];
/// How many rounds small pools get for one of the study's: they are quick to pair, and noisy.
const MORE_ROUNDS: u32 = 10;

impl Inputs {
    /// One thread for each core.
    fn workers(&self) -> Workers<'_> {
        Workers::new(0, &*self.progress)
    }

    /// The report of a run with these settings.
    fn run_once<'a, C, R>(&self, once: &'a Once<R>, config: &C, run: Run<C, R>) -> Result<&'a R> {
        get(once, || run(config, self.seed, &self.workers()))
    }

    /// The study on the generated population.
    pub(crate) fn report(&self) -> Result<&StudyReport> {
        get(&self.runs.study, || self.run(&self.study, &self.generator))
    }

    /// The same study with small pools: the same population, models and states.
    pub(crate) fn small_pools(&self) -> Result<&StudyReport> {
        let study = StudyConfig {
            pools: SMALL_POOLS.to_vec(),
            rounds: self.study.rounds.saturating_mul(MORE_ROUNDS),
            ..self.study.clone()
        };
        get(&self.runs.small_pools, || self.run(&study, &self.generator))
    }

    /// Churn by the last three outcomes in regions of the generated population, one after another.
    pub(crate) fn regions(&self) -> Result<&[RegionPatterns]> {
        let run = || stream_patterns(&self.generator, self.seed, 0..self.regions, &self.workers());
        Ok(get(&self.runs.regions, run)?)
    }

    /// The statements of the paper's section 4 against all pairings of small pools.
    pub(crate) fn theory_report(&self) -> Result<&TheoryReport> {
        get(&self.runs.theory, || run_theory(&self.theory, self.seed))
    }

    /// Predicted gains and those of the exact pairings.
    pub(crate) fn gain_law_report(&self) -> Result<&GainLawReport> {
        self.run_once(&self.runs.gain_law, &self.gain_law, run_gain_law)
    }

    /// What is inferred from generated ladders.
    pub(crate) fn ladders(&self) -> Result<&WorldReport> {
        let run = || {
            let (ladders, progress) = (self.sc2.ladders, &*self.progress);
            progress.begin("ladders", u64::from(ladders));
            run_ladders(&self.sc2.world, ladders, self.seed, progress)
        };
        get(&self.runs.ladders, run)
    }

    /// Another study, on another population.
    pub(crate) fn run(&self, study: &StudyConfig, generator: &GeneratorParams) -> Result<StudyReport> {
        let world = generate(generator, self.seed)?;
        (self.run_study)(study, &world.history, Some(&world.truth), &self.workers())
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

#[cfg(test)]
fn given<T>(made: T) -> Once<T> {
    Once::from(Ok(made))
}

/// What tests put in the place of a run.
#[cfg(test)]
impl Inputs {
    pub(crate) fn with_report(mut self, report: StudyReport) -> Self {
        self.runs.study = given(report);
        self
    }

    pub(crate) fn with_small_pools(mut self, report: StudyReport) -> Self {
        self.runs.small_pools = given(report);
        self
    }

    pub(crate) fn with_regions(mut self, regions: Vec<RegionPatterns>) -> Self {
        self.runs.regions = given(regions);
        self
    }

    pub(crate) fn with_theory(mut self, report: TheoryReport) -> Self {
        self.runs.theory = given(report);
        self
    }

    pub(crate) fn with_ladders(mut self, report: WorldReport) -> Self {
        self.runs.ladders = given(report);
        self
    }

    pub(crate) fn with_gain_law(mut self, report: GainLawReport) -> Self {
        self.runs.gain_law = given(report);
        self
    }

    pub(crate) fn with_forced_race(mut self, report: RaceReport) -> Self {
        self.runs.forced_race = given(report);
        self
    }

    pub(crate) fn with_annealing_race(mut self, report: RaceReport) -> Self {
        self.runs.annealing_race = given(report);
        self
    }

    pub(crate) fn with_restarts(mut self, report: RestartsReport) -> Self {
        self.runs.restarts = given(report);
        self
    }

    pub(crate) fn with_batches(mut self, report: BatchesReport) -> Self {
        self.runs.batches = given(report);
        self
    }

    pub(crate) fn with_starts(mut self, report: StartsReport) -> Self {
        self.runs.starts = given(report);
        self
    }

    pub(crate) fn with_totals(mut self, report: TotalsReport) -> Self {
        self.runs.totals = given(report);
        self
    }

    pub(crate) fn with_port(mut self, report: PortReport) -> Self {
        self.runs.port = given(report);
        self
    }

    pub(crate) fn with_repeats(mut self, report: RepeatsReport) -> Self {
        self.runs.repeats = given(report);
        self
    }
}
