//! What the checks are functions of: the printed figures, and the parts of the library that they hold against them.
//!
//! All of it can be exchanged, so that tests can see each check fail.

use std::cell::OnceCell;

use anyhow::Result;
use matchwright_churn::{FeatureSpec, Horizon, Label, LabelError, eomm_feature_specs, label_matches};
use matchwright_rating::{EloParams, FixedDraw, GlickoParams, OutcomeModel};
use matchwright_scoring::{ChurnByOutcome, OutcomeChances, churn_edge};
use matchwright_sim::paper::{self, PrintedChurn, Table2};
use matchwright_sim::policy::{Method, PairingPolicy};
use matchwright_sim::population::{GeneratorParams, generate};
use matchwright_sim::statistics::{MeanTest, Summary, welch_test};
use matchwright_sim::study::{Progress, StudyConfig, StudyReport, run_study};
use matchwright_solver::{BruteForce, ExactPairing, GreedyPairing, Objective, PairingSolver, SolveError};

/// EOMM's printed figures.
#[derive(Clone, Debug)]
pub(crate) struct Paper {
    pub(crate) table_1: Vec<PrintedChurn>,
    pub(crate) table_2: Table2,
    pub(crate) gains: Vec<(u32, f64)>,
    pub(crate) average_gain: f64,
}

impl Default for Paper {
    fn default() -> Self {
        Self {
            table_1: paper::TABLE_1.to_vec(),
            table_2: paper::TABLE_2,
            gains: paper::GAINS.to_vec(),
            average_gain: paper::AVERAGE_GAIN,
        }
    }
}

/// [`churn_edge`], or a stand-in.
pub(crate) type Edge = fn(&OutcomeChances, &ChurnByOutcome, &ChurnByOutcome) -> f64;
/// [`label_matches`], or a stand-in.
pub(crate) type Labels = fn(&[i64], Horizon, i64) -> Result<Vec<Label>, LabelError>;
/// [`BruteForce::visit_pairings`], or a stand-in.
pub(crate) type Enumerate = fn(usize, &mut dyn FnMut(&[usize])) -> Result<u64, SolveError>;

/// All that checks look at.
pub(crate) struct Inputs {
    pub(crate) paper: Paper,
    pub(crate) seed: u64,
    pub(crate) outcomes: Box<dyn OutcomeModel>,
    pub(crate) elo: EloParams,
    pub(crate) glicko: GlickoParams,
    pub(crate) edge: Edge,
    pub(crate) labels: Labels,
    pub(crate) columns: &'static [FeatureSpec],
    pub(crate) exact: Box<dyn PairingSolver>,
    pub(crate) greedy: Box<dyn PairingSolver>,
    pub(crate) enumerate: Enumerate,
    pub(crate) policy: fn(Method) -> &'static dyn PairingPolicy,
    pub(crate) welch: fn(&Summary, &Summary) -> MeanTest,
    pub(crate) generator: GeneratorParams,
    pub(crate) study: StudyConfig,
    report: OnceCell<Result<StudyReport, String>>,
}

impl Inputs {
    /// The library as it is.
    pub(crate) fn new(rounds: u32, seed: u64) -> Self {
        Self {
            paper: Paper::default(),
            seed,
            outcomes: Box::new(FixedDraw::EOMM),
            elo: EloParams::default(),
            glicko: GlickoParams::default(),
            edge: churn_edge,
            labels: label_matches,
            columns: eomm_feature_specs(),
            exact: Box::new(ExactPairing::minimum()),
            greedy: Box::new(GreedyPairing::new(Objective::Minimize)),
            enumerate: BruteForce::visit_pairings,
            policy: Method::policy,
            welch: welch_test,
            generator: GeneratorParams::default(),
            study: StudyConfig {
                rounds,
                seed,
                ..StudyConfig::default()
            },
            report: OnceCell::new(),
        }
    }

    /// The study on the generated population, run when it is first asked for.
    pub(crate) fn report(&self) -> Result<&StudyReport> {
        let run = || {
            self.run(&self.study, &self.generator)
                .map_err(|error| format!("{error:#}"))
        };
        let report = self.report.get_or_init(run);
        report
            .as_ref()
            .map_err(|error| anyhow::anyhow!("the study: {error}"))
    }

    /// Another study, on another population.
    pub(crate) fn run(&self, study: &StudyConfig, generator: &GeneratorParams) -> Result<StudyReport> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let world = generate(generator, self.seed)?;
        Ok(run_study(
            study,
            &world.history,
            Some(&world.truth),
            threads,
            &Stages,
        )?)
    }

    /// Puts a report in the place of the study's.
    #[cfg(test)]
    pub(crate) fn with_report(mut self, report: StudyReport) -> Self {
        self.report = OnceCell::from(Ok(report));
        self
    }
}

/// Names each stage of a study on stderr, where a user waits for it.
struct Stages;

impl Progress for Stages {
    fn begin(&self, stage: &str, steps: u64) {
        // Short stages are over before they are read.
        if steps >= 100 {
            eprintln!("study: {stage}");
        }
    }

    fn advance(&self, _steps: u64) {}
}
