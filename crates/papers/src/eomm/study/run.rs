//! The study's steps, in order.

use matchwright_churn::{Horizon, Outcome};
use matchwright_rating::history::{Duels, History};
use matchwright_rating::{GaussianRating, RatingEstimate, RatingPeriod, RatingSystem};

use super::churn_fit::{self, sample_labelled};
use super::config::{StudyConfig, StudyError};
use super::part::{Shard, StudyPart};
use super::patterns::pattern_tables;
use super::report::{DataSummary, RatingReport, StudyReport};
use super::rounds::{Arena, Round};
use super::rows::{PlayerRows, Row, RowId, collect_rows, count_labels, label_rows};
use super::states::{sample_states, waiting_players};
use super::summary::summarise;
use matchwright_sim::population::Truth;
use matchwright_sim::progress::Progress;
use matchwright_sim::rate::{self, RatingRun, evaluate, learn_draw_rate};
use matchwright_sim::statistics::{Summary, correlation};
use matchwright_sim::threads::install;

/// Share of the history after which the skill model's predictions are judged.
const JUDGE_RATINGS_FROM: f64 = 0.8;

/// Runs the study on a history; `truth`, where a generator gives one, only judges.
///
/// `threads` is how many threads play the rounds; the results are the same for any number.
///
/// # Errors
/// [`StudyError`] says which step failed and why.
pub fn run_study(
    config: &StudyConfig,
    history: &History,
    truth: Option<&Truth>,
    threads: usize,
    progress: &dyn Progress,
) -> Result<StudyReport, StudyError> {
    let (mut report, rounds) = run(config, history, truth, Shard::WHOLE, threads, progress)?;
    report.pools = summarise(&config.pools, &rounds);
    Ok(report)
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
    threads: usize,
    progress: &dyn Progress,
) -> Result<StudyPart, StudyError> {
    let (report, rounds) = run(config, history, truth, shard, threads, progress)?;
    Ok(StudyPart::new(shard, report, rounds))
}

/// All but the figures of the pools, and the rounds that those come from.
fn run(
    config: &StudyConfig,
    history: &History,
    truth: Option<&Truth>,
    shard: Shard,
    threads: usize,
    progress: &dyn Progress,
) -> Result<(StudyReport, Vec<Vec<Round>>), StudyError> {
    config.check()?;
    let duels = history.duels().ok_or(StudyError::NotDuels)?;
    progress.begin("rating the players", 0);
    let system = config.glicko.build()?;
    let period = RatingPeriod::days(config.period_days)?;
    let expect = |a: &GaussianRating, b: &GaussianRating| system.expected_score(a, b);
    let rated = rate::run(&system, &period, duels, RatingEstimate::rating, expect)?;
    let data = summarise_data(duels, &rated)?;
    let draw_rate = match config.draw_rate {
        Some(rate) => rate,
        None => learn_draw_rate(&rated.predictions, config.draws)?,
    };
    let outcomes = config.draws.model(draw_rate)?;
    let ratings = summarise_ratings(config, &rated, draw_rate)?;

    progress.begin("labelling churn and collecting player states", 0);
    let by_player = PlayerRows::of(duels);
    let labels = label_rows(duels, &by_player, Horizon::hours(config.horizon_hours))?;
    let fit_rows = sample_labelled(config, &labels);
    let state_rows = sample_states(config, duels);
    let rows = collect_rows(duels, &by_player, &merge(&fit_rows, &state_rows))?;
    let (model, churn) = churn_fit::fit(config, &pick(&rows, &fit_rows), &labels, progress)?;
    let players = waiting_players(&pick(&rows, &state_rows), &model, &rated.standings, truth)?;
    drop(rows);
    if let Some(&largest) = config.pools.iter().max()
        && players.len() < largest
    {
        let mend = "ask for smaller pools or give more matches";
        return Err(StudyError::TooLittle {
            what: "player states",
            found: players.len(),
            needed: largest,
            mend,
        });
    }
    let rounds = install(threads, || {
        Arena::new(config, &system, &*outcomes, &players, truth).play(shard, progress)
    })?;
    let report = StudyReport {
        config: config.clone(),
        ratings,
        patterns: pattern_tables(config, duels, &by_player, &labels, &data)?,
        data,
        labels: count_labels(&labels),
        churn,
        states: players.len(),
        pools: Vec::new(),
        truth_known: truth.is_some(),
    };
    Ok((report, rounds))
}

fn summarise_data(duels: Duels<'_>, rated: &RatingRun<GaussianRating>) -> Result<DataSummary, StudyError> {
    let Some((first, last)) = duels.history().span() else {
        let mend = "give a file with at least a few hundred matches";
        return Err(StudyError::TooLittle {
            what: "matches",
            found: 0,
            needed: 100,
            mend,
        });
    };
    let drawn = |outcome| f64::from(u8::from(outcome == Outcome::Draw));
    let n = rated.predictions.len() as f64;
    Ok(DataSummary {
        matches: duels.len(),
        players: duels.players().len(),
        first,
        last,
        draw_rate: rated.predictions.iter().map(|p| drawn(p.outcome)).sum::<f64>() / n,
        draw_gap_correlation: correlation(rated.predictions.iter().map(|p| (drawn(p.outcome), p.gap.abs()))),
    })
}

fn summarise_ratings(
    config: &StudyConfig,
    rated: &RatingRun<GaussianRating>,
    draw_rate: f64,
) -> Result<RatingReport, StudyError> {
    let (evaluation, _) = evaluate(&rated.predictions, JUDGE_RATINGS_FROM, config.draws)?;
    let finals = Summary::of(rated.standings.iter().map(|standing| standing.rating.rating()));
    let (mean, deviation) = (finals.mean(), finals.variance().sqrt());
    Ok(RatingReport {
        draw_rate,
        mean,
        deviation,
        decided: evaluation.two_way.evaluation,
    })
}

/// Two ascending lists as one, each entry once.
fn merge(one: &[RowId], two: &[RowId]) -> Vec<RowId> {
    let mut merged = [one, two].concat();
    merged.sort_unstable();
    merged.dedup();
    merged
}

/// Those of the collected rows that an ascending list names.
fn pick<'a>(rows: &'a [Row], wanted: &[RowId]) -> Vec<&'a Row> {
    let find = |id: &RowId| rows.binary_search_by_key(id, |row| row.id).ok().map(|k| &rows[k]);
    wanted.iter().filter_map(find).collect()
}
