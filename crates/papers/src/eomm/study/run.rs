//! The study's steps, in order.

use anyhow::{Context, Result, ensure};
use itertools::Itertools;
use matchwright_churn::{Horizon, Label, Outcome, evaluate};
use matchwright_rating::history::{Duels, History};
use matchwright_rating::{
    DrawModel, GameResult, GaussianRating, Glicko, GlickoParams, ParamError, PeriodChoice, RatingSystem,
};

use super::churn_fit::{self, BINS, ChurnReport, sample_labelled};
use super::config::StudyConfig;
use super::part::StudyPart;
use super::patterns::{duels_of, pattern_tables};
use super::report::{DataSummary, RatingReport, StudyReport};
use super::rounds::Arena;
use super::rows::{PlayerRows, Row, RowId, collect_rows, count_labels, label_rows};
use super::shard::Shard;
use super::states::{WaitingPlayer, sample_states, waiting_players};
use crate::workers::Workers;
use matchwright_sim::population::Truth;
use matchwright_sim::progress::Progress;
use matchwright_sim::rate::{PairRater, Prediction, Rater, Standing, Told, learn_draw_rate};
use matchwright_sim::statistics::{Correlation, Summary};
use matchwright_sim::threads::install;

/// Runs the study on a history; `truth`, where a generator gives one, only judges.
///
/// # Errors
/// Says which step failed and why; [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_study(
    config: &StudyConfig,
    history: &History,
    truth: Option<&Truth>,
    workers: &Workers<'_>,
) -> Result<StudyReport> {
    StudyPart::join(vec![run_part(config, history, truth, Shard::WHOLE, workers)?])
}

/// Runs a part of the study, to be joined with the others by [`StudyPart::join`]: all steps up to the rounds, and its
/// share of these. On as many machines as there are parts the rounds take that much less time.
///
/// # Errors
/// As [`run_study`].
pub fn run_part(
    config: &StudyConfig,
    history: &History,
    truth: Option<&Truth>,
    shard: Shard,
    workers: &Workers<'_>,
) -> Result<StudyPart> {
    let models = Models::fit(config, history, truth, workers.progress)?;
    let arena = models.arena(config, truth);
    let rounds = install(workers.threads, || arena.play(shard, workers.progress))?;
    let (duels, data) = (duels_of(history)?, models.data);
    let (by_player, labels) = (&models.by_player, &models.labels);
    let report = StudyReport {
        config: config.clone(),
        ratings: models.ratings,
        patterns: pattern_tables(config, duels, by_player, labels, &data)?,
        data,
        labels: count_labels(labels),
        churn: models.churn,
        states: models.players.len(),
        pools: Vec::new(),
        truth_known: truth.is_some(),
    };
    Ok(StudyPart {
        shard,
        report,
        rounds,
    })
}

/// All that comes before the rounds: the fitted models of skill and churn, and the players whose states are sampled.
pub(crate) struct Models {
    system: Glicko,
    outcomes: Box<dyn DrawModel + Send + Sync>,
    pub(crate) data: DataSummary,
    ratings: RatingReport,
    by_player: PlayerRows,
    labels: Vec<Label>,
    churn: ChurnReport,
    players: Vec<WaitingPlayer>,
}

impl Models {
    /// Rates the players, fits the churn model and collects the states, on the current thread.
    ///
    /// # Errors
    /// As [`run_study`].
    pub(crate) fn fit(
        config: &StudyConfig,
        history: &History,
        truth: Option<&Truth>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        config.check()?;
        let duels = duels_of(history)?;
        let system = glicko()?;
        let rated = RatedPlayers::of(&system, history, progress)?;
        let data = summarise_data(duels, &rated)?;
        let draw_rate = match config.draw_rate {
            Some(rate) => rate,
            None => learn_draw_rate(&rated.predictions, config.draws)?,
        };
        let outcomes = config.draws.model(draw_rate)?;
        let ratings = summarise_ratings(&rated, draw_rate, &*outcomes)?;
        let standings = rated.standings;

        progress.begin("labelling churn and collecting player states", 0);
        let by_player = PlayerRows::of(duels);
        let labels = label_rows(duels, &by_player, Horizon::hours(config.horizon_hours))?;
        let fit_rows = sample_labelled(config, &labels);
        let state_rows = sample_states(config, duels);
        let wanted: Vec<RowId> = fit_rows.iter().merge(&state_rows).copied().dedup().collect();
        let rows = collect_rows(duels, &by_player, &wanted)?;
        let fit = churn_fit::fit(config, &pick(&rows, &fit_rows), &labels, progress);
        let (model, churn) = fit.context("fitting the churn model")?;
        let players = waiting_players(&pick(&rows, &state_rows), &model, &standings, truth)?;
        let (found, needed) = (players.len(), config.pools.iter().copied().max().unwrap_or(0));
        ensure!(
            found >= needed,
            "the history has {found} player states, and the study needs {needed}; ask for smaller pools or give more matches"
        );
        Ok(Self {
            system,
            outcomes,
            data,
            ratings,
            by_player,
            labels,
            churn,
            players,
        })
    }

    /// What all rounds share.
    pub(crate) fn arena<'a>(&'a self, config: &'a StudyConfig, truth: Option<&'a Truth>) -> Arena<'a> {
        Arena::new(config, (&self.system, &*self.outcomes), &self.players, truth)
    }
}

/// The skill model: Glicko, whose deviation grows by 10 points per square root of a day of idleness.
pub(crate) fn glicko() -> Result<Glicko, ParamError> {
    let params = GlickoParams {
        c: 10.0,
        ..GlickoParams::default()
    };
    params.build()
}

/// Predictions that are kept, at most: of longer histories every second, third and so on is. This many tell log losses to
/// three digits, and the draw rate to 0.0003.
const KEPT: usize = 8_000_000;

/// Ratings after a history, and how its matches were predicted.
struct RatedPlayers {
    standings: Vec<Standing<GaussianRating>>,
    /// Of every match, or of every k-th: no more than [`KEPT`].
    predictions: Vec<Prediction>,
    draws: u64,
    /// Of a draw with the size of the gap.
    draw_gap: Correlation,
}

impl RatedPlayers {
    fn of(system: &Glicko, history: &History, progress: &dyn Progress) -> Result<Self> {
        progress.begin("rating the players", history.len() as u64);
        let every = history.len().div_ceil(KEPT).max(1);
        let mut predictions = Vec::with_capacity(history.len() / every + 1);
        let (mut draws, mut draw_gap, mut rated) = (0, Correlation::default(), 0_usize);
        let mut rater = PairRater::new(ByExpectedScore(*system), PeriodChoice::Days(1.0))?;
        let mut predicted = |_, prediction: Prediction| {
            let is_drawn = u8::from(prediction.outcome == Outcome::Draw);
            draws += u64::from(is_drawn);
            draw_gap.add(f64::from(is_drawn), prediction.gap.abs());
            if rated.is_multiple_of(every) {
                predictions.push(prediction);
            }
            rated += 1;
            if rated.is_multiple_of(STEP) {
                progress.advance(STEP as u64);
            }
        };
        rater.over(history, 0..history.len(), &mut Told::new(&mut predicted))?;
        Ok(Self {
            standings: rater.into_standings(),
            predictions,
            draws,
            draw_gap,
        })
    }
}

/// Glicko as the study forecasts by it: by the expected score, which looks at the opponent's deviation alone.
struct ByExpectedScore(Glicko);

impl RatingSystem for ByExpectedScore {
    type Rating = GaussianRating;

    fn initial(&self) -> GaussianRating {
        self.0.initial()
    }

    fn expected_score(&self, player: &GaussianRating, opponent: &GaussianRating) -> f64 {
        self.0.expected_score(player, opponent)
    }

    fn update(
        &self,
        player: &GaussianRating,
        elapsed_periods: f64,
        games: &[GameResult<GaussianRating>],
    ) -> GaussianRating {
        self.0.update(player, elapsed_periods, games)
    }
}

/// Matches between two reports of progress.
const STEP: usize = 1 << 16;

fn summarise_data(duels: Duels<'_>, rated: &RatedPlayers) -> Result<DataSummary> {
    let span = duels.history().span();
    let (first, last) =
        span.context("the history has no matches, and the study needs 100; give a file with a few hundred")?;
    Ok(DataSummary {
        matches: duels.len(),
        players: duels.players().len(),
        first,
        last,
        draw_rate: rated.draws as f64 / duels.len() as f64,
        draw_gap_correlation: rated.draw_gap.value(),
        draws_by_gap: draws_by_gap(&rated.predictions),
    })
}

fn draws_by_gap(predictions: &[Prediction]) -> Vec<f64> {
    let mut by_gap: Vec<(f64, bool)> = predictions
        .iter()
        .map(|one| (one.gap.abs(), one.outcome == Outcome::Draw))
        .collect();
    by_gap.sort_by(|one, other| one.0.total_cmp(&other.0));
    let tenth = by_gap.len().div_ceil(10).max(1);
    let share = |part: &[(f64, bool)]| part.iter().filter(|one| one.1).count() as f64 / part.len() as f64;
    by_gap.chunks(tenth).map(share).collect()
}

fn summarise_ratings(rated: &RatedPlayers, draw_rate: f64, outcomes: &dyn DrawModel) -> Result<RatingReport> {
    let last = &rated.predictions[rated.predictions.len() * 4 / 5..];
    let won = |one: &Prediction| {
        let chances = outcomes.outcome_probabilities(one.expected, one.expected_reverse);
        (chances.win, one.outcome == Outcome::Win)
    };
    let (predicted, observed): (Vec<f64>, Vec<bool>) = last.iter().map(won).unzip();
    let finals = Summary::of(rated.standings.iter().map(|standing| standing.rating.rating()));
    let (mean, deviation) = (finals.mean(), finals.variance().sqrt());
    Ok(RatingReport {
        draw_rate,
        mean,
        deviation,
        wins: evaluate(&predicted, &observed, BINS)?,
    })
}

/// Those of the collected rows that an ascending list names.
fn pick<'a>(rows: &'a [Row], wanted: &[RowId]) -> Vec<&'a Row> {
    let find = |id: &RowId| rows.binary_search_by_key(id, |row| row.id).ok().map(|k| &rows[k]);
    wanted.iter().filter_map(find).collect()
}
