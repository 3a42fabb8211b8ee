//! What a study can be told, and how it can fail.

use matchwright_churn::{
    DatasetError, FitError, Folds, HistoryError as FeatureError, LabelError, MetricError, ModelError,
    ParamError as FitParamError,
};
use matchwright_rating::{GlickoParams, ParamError, TimeError};
use matchwright_solver::{GraphError, SolveError};
use serde::{Deserialize, Serialize};

use matchwright_sim::population::GeneratorError;
use matchwright_sim::rate::{DrawChoice, RateError, SystemParams};

/// Everything that decides a study's numbers, apart from the history itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyConfig {
    /// Rounds of matchmaking for each pool size. Default 200; the paper ran 10,000.
    pub rounds: u32,
    /// Pool sizes, even. Default 100, 200, 300, 400, 500.
    pub pools: Vec<usize>,
    /// Seed of all that is random.
    pub seed: u64,
    /// A player without a match for so many hours after one has churned. Default 8.
    pub horizon_hours: u32,
    /// The skill model. Default as in [`SystemParams`].
    pub glicko: GlickoParams,
    /// Length of its rating period, days. Default 1.
    pub period_days: f64,
    /// How draws get their probability. Default: the same whatever the gap (Eq. 10).
    pub draws: DrawChoice,
    /// Draw rate between equals; by default fitted to all matches, which for a constant rate is the share
    /// of draws. The paper used 0.2.
    pub draw_rate: Option<f64>,
    /// At most so many player-matches, sampled, go into the churn model. Default 40,000.
    pub fit_rows: usize,
    /// Share of those player-matches, the latest, that only judge the model. Default 0.2.
    pub holdout: f64,
    /// Strengths C of scikit-learn's convention that cross-validation chooses from.
    pub grid: Vec<f64>,
    /// How many folds. Default 5.
    pub folds: usize,
    /// How rows fall into folds. Default: no player on both sides.
    pub fold_by: Folds,
    /// The states of both players of so many sampled matches make the collection. Default 5,000.
    pub state_matches: usize,
}

impl Default for StudyConfig {
    fn default() -> Self {
        Self {
            rounds: 200,
            pools: vec![100, 200, 300, 400, 500],
            seed: 1,
            horizon_hours: 8,
            glicko: SystemParams::default().glicko,
            period_days: 1.0,
            draws: DrawChoice::Fixed,
            draw_rate: None,
            fit_rows: 40_000,
            holdout: 0.2,
            grid: vec![1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0],
            folds: 5,
            fold_by: Folds::GroupKFold,
            state_matches: 5_000,
        }
    }
}

impl StudyConfig {
    /// The default with larger samples, to compare levels: with 100,000 player-matches in the fit and the
    /// states of 20,000 matches, the share of players retained is that of the whole history to some 0.2 percentage
    /// points, against 0.35 by default.
    #[must_use]
    pub fn with_large_samples() -> Self {
        Self {
            fit_rows: 100_000,
            state_matches: 20_000,
            ..Self::default()
        }
    }

    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// [`StudyError::Config`] says which setting and what it may be.
    pub fn check(&self) -> Result<(), StudyError> {
        let refuse = |setting, value: String, range| {
            Err(StudyError::Config {
                setting,
                value,
                range,
            })
        };
        if self.rounds < 2 {
            return refuse(
                "rounds",
                self.rounds.to_string(),
                "2 or more, so that errors can be estimated",
            );
        }
        if self.pools.is_empty() {
            return refuse(
                "pools",
                "empty".to_owned(),
                "at least one even number, such as 100",
            );
        }
        if let Some(odd) = self.pools.iter().find(|p| **p < 2 || *p % 2 == 1) {
            return refuse(
                "pools",
                odd.to_string(),
                "even numbers, 2 or more: everybody is paired",
            );
        }
        for (k, size) in self.pools.iter().enumerate() {
            if self.pools[..k].contains(size) {
                return refuse("pools", size.to_string(), "each size once");
            }
        }
        if self.horizon_hours == 0 {
            return refuse("horizon", "0 h".to_owned(), "1 hour or more");
        }
        if !(self.holdout > 0.0 && self.holdout < 1.0) {
            return refuse(
                "holdout",
                self.holdout.to_string(),
                "a share between 0 and 1, such as 0.2",
            );
        }
        if let Some(rate) = self.draw_rate
            && !(0.0..1.0).contains(&rate)
        {
            return refuse("draw rate", rate.to_string(), "from 0 up to but not 1");
        }
        if !self.period_days.is_finite() || self.period_days <= 0.0 {
            return refuse("rating period", self.period_days.to_string(), "above 0 days");
        }
        if self.folds < 2 {
            return refuse("folds", self.folds.to_string(), "2 or more");
        }
        if self.fit_rows < 100 {
            return refuse("fit rows", self.fit_rows.to_string(), "100 or more");
        }
        if self.state_matches == 0 {
            return refuse("state matches", "0".to_owned(), "1 or more");
        }
        if self.grid.is_empty() {
            return refuse("grid", "empty".to_owned(), "at least one C above 0");
        }
        Ok(())
    }
}

/// Why a study could not be run.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A setting out of range.
    #[error("{setting} is {value}; it must be {range}")]
    Config {
        /// Which.
        setting: &'static str,
        /// What it was.
        value: String,
        /// What it may be.
        range: &'static str,
    },
    /// Too little data.
    #[error("the history has {found} {what}, and the study needs {needed}; {mend}")]
    TooLittle {
        /// What there is too little of.
        what: &'static str,
        /// How much there is.
        found: usize,
        /// How much is needed.
        needed: usize,
        /// What to do about it.
        mend: &'static str,
    },
    /// No earlier and later part to choose and to judge the churn model on.
    #[error(
        "{rows} labelled player-matches, of which {before} lie a horizon of {horizon_hours} h before the latest ones that judge the model, and {needed} are needed; give a longer history, times finer than days, or a shorter horizon"
    )]
    NoHoldout {
        /// Labelled player-matches.
        rows: usize,
        /// Those before the holdout.
        before: usize,
        /// How many are needed there.
        needed: usize,
        /// The horizon.
        horizon_hours: u32,
    },
    /// A player state without its truth, or chances that are no distribution.
    #[error("round {round} with P = {size}: {what}; please report this as a bug")]
    Round {
        /// Pool size.
        size: usize,
        /// Round.
        round: u32,
        /// What was missing.
        what: &'static str,
    },
    /// The parameters of a population.
    #[error("generating matches: {0}")]
    Generator(#[from] GeneratorError),
    /// The skill model.
    #[error("rating the players: {0}")]
    Rating(#[from] ParamError),
    /// A game of teams or of more than two players.
    #[error("the history has games of more than one player against one, which the study does not know")]
    NotDuels,
    /// Judging the skill model.
    #[error("judging the ratings: {0}")]
    Rate(#[from] RateError),
    /// Times that go back, which a history excludes.
    #[error("rating the players: {0}")]
    Time(#[from] TimeError),
    /// Labelling.
    #[error("labelling churn: {0}")]
    Label(#[from] LabelError),
    /// Feature extraction.
    #[error("collecting player states: {0}")]
    Features(#[from] FeatureError),
    /// The training rows.
    #[error("collecting the training rows: {0}")]
    Dataset(#[from] DatasetError),
    /// The fit.
    #[error("fitting the churn model: {0}")]
    Fit(#[from] FitError),
    /// A setting of the fit.
    #[error("fitting the churn model: {0}")]
    FitParam(#[from] FitParamError),
    /// Churn by pattern.
    #[error("counting churn by the last three outcomes: {0}")]
    Pattern(#[from] ModelError),
    /// A measure.
    #[error("judging the churn model: {0}")]
    Metric(#[from] MetricError),
    /// A probability that is none.
    #[error("the churn model gave {value} for a player state; a probability is needed")]
    Churn {
        /// What it gave.
        value: f64,
    },
    /// A pool's graph.
    #[error("building a pool's graph: {0}")]
    Graph(#[from] GraphError),
    /// A pool's pairing.
    #[error("pairing a pool: {0}")]
    Solve(#[from] SolveError),
    /// The threads that the rounds run on.
    #[error(transparent)]
    Threads(#[from] matchwright_sim::threads::ThreadsError),
}
