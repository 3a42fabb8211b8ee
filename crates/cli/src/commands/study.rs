//! `matchwright study eomm`: the case study on real matches or on a generated population.

mod data;

use std::path::{Path, PathBuf};

use matchwright_churn::Folds;
use matchwright_report::{Column, Table};
use matchwright_sim::history::MatchHistory;
use matchwright_sim::study::{Shard, StudyConfig, StudyError, StudyPart, StudyReport, run_part};
use serde::Serialize;
use serde_json::json;

use crate::arguments::{EommOptions, FoldName};
use crate::failure::{Failure, tell};
use crate::input::show_time;
use crate::output::{Folder, Origin, check_places, print_first, print_json, write_file};
use crate::page::{StudyOrigin, study_page, study_plots, study_tables};
use crate::parts::{PartFile, Work};
use crate::progress::Bar;
pub(crate) use data::Data;

/// `command` is what repeats the result.
pub(crate) fn run(options: &EommOptions, command: String) -> Result<(), Failure> {
    let config = configuration(options);
    let usage = |error: StudyError| Failure::Usage(error.to_string());
    config.check().map_err(usage)?;
    check_options(options)?;
    let bar = Bar::new();
    let data = Data::load(options, &bar)?;
    for note in &data.notes {
        tell(note);
    }
    let origin = origin(options, command, &config, &data)?;
    if let Some(path) = &options.save_matches {
        write_file(path, matches_table(&data.history).to_csv().as_bytes(), &origin)?;
    }
    let shard = options.sharing.shard.unwrap_or(Shard::WHOLE);
    let threads = threads(options.threads, options.rounds)?;
    let (history, truth) = (&data.history, data.truth.as_ref());
    let part = run_part(&config, history, truth, shard, threads, &bar).map_err(Failure::of)?;
    drop(bar);
    if let (Some(_), Some(path)) = (options.sharing.shard, &options.page.out) {
        return PartFile::new(&origin, &data.origin, Work::Study(Box::new(part))).write(path, &origin, shard);
    }
    let report = StudyPart::join(vec![part]).map_err(Failure::of)?;
    show(
        &report,
        &data.origin,
        &origin,
        options.page.out.as_deref(),
        options.page.json,
    )
}

/// Writes and prints a whole study.
pub(crate) fn show(
    report: &StudyReport,
    source: &StudyOrigin,
    origin: &Origin,
    out: Option<&Path>,
    json: bool,
) -> Result<(), Failure> {
    let answer = Answer { source, report };
    if let Some(folder) = out {
        write_report(folder, &answer, origin)?;
    }
    if json {
        return print_json(&answer);
    }
    print_first(&study_tables(report), out)
}

/// Everything as one object.
#[derive(Serialize)]
struct Answer<'a> {
    source: &'a StudyOrigin,
    #[serde(flatten)]
    report: &'a StudyReport,
}

/// Refuses options that would be ignored, and outputs that would destroy an input.
fn check_options(options: &EommOptions) -> Result<(), Failure> {
    options
        .sharing
        .check(options.page.out.as_deref(), options.page.json)?;
    if options.sharing.shard.is_some() && options.save_matches.is_some() {
        let message =
            "--save-matches with --shard: every part would write the same matches; save them without --shard";
        return Err(Failure::Usage(message.to_owned()));
    }
    let reading = options.reading.shown();
    if options.matches.is_none() && !reading.is_empty() {
        let message = format!(
            "{} without --matches: generated matches are not read from a file",
            reading.trim()
        );
        return Err(Failure::Usage(message));
    }
    let inputs = options
        .matches
        .iter()
        .chain(&options.population.population)
        .map(PathBuf::as_path)
        .collect::<Vec<_>>();
    let outputs = options
        .page
        .out
        .iter()
        .chain(&options.save_matches)
        .map(PathBuf::as_path)
        .collect::<Vec<_>>();
    check_places(&inputs, &outputs)
}

fn configuration(options: &EommOptions) -> StudyConfig {
    StudyConfig {
        rounds: options.rounds,
        pools: options.pools.clone(),
        seed: options.random.seed,
        horizon_hours: options.horizon,
        draws: options.draws,
        draw_rate: options.draw_rate,
        fit_rows: options.fit_rows,
        folds: options.fold_count,
        fold_by: match options.folds {
            FoldName::Player => Folds::ByPlayer,
            FoldName::Time => Folds::ByTime,
        },
        state_matches: options.state_matches,
        ..StudyConfig::default()
    }
}

/// More threads than rounds would find nothing to do.
pub(crate) fn threads(asked: Option<usize>, rounds: u32) -> Result<usize, Failure> {
    match asked {
        Some(0) => Err(Failure::Usage(
            "--threads is 0; give 1 or more, or leave it out for all cores".to_owned(),
        )),
        Some(threads) => Ok(threads.min(rounds as usize).clamp(1, 1024)),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Threads and folders stay out: they change nothing in the results.
fn origin(
    options: &EommOptions,
    command: String,
    config: &StudyConfig,
    data: &Data,
) -> Result<Origin, Failure> {
    let configuration = json!({
        "study": config,
        "population": data.population,
        "reading": options.reading.shown(),
        "source": data.origin,
    });
    let mut origin = Origin::new(command, &configuration)?;
    origin.seed = Some(config.seed);
    origin.inputs.clone_from(&data.inputs);
    Ok(origin)
}

fn write_report(folder: &Path, answer: &Answer<'_>, origin: &Origin) -> Result<(), Failure> {
    let report = answer.report;
    let mut files = Folder::default();
    files.add("index.html", study_page(report, answer.source, &origin.command));
    for (name, table) in study_tables(report) {
        files.add(&format!("{name}.csv"), table.to_csv());
    }
    for (name, plot) in study_plots(report) {
        files.add(&format!("{name}.svg"), plot.to_svg().map_err(Failure::of)?);
    }
    files.add(
        "study.json",
        serde_json::to_string_pretty(answer).map_err(Failure::of)? + "\n",
    );
    files.write(folder, origin)
}

/// In the columns that the importer expects.
fn matches_table(history: &MatchHistory) -> Table {
    let mut table = Table::new("Generated matches");
    for name in ["time", "player1", "player2"] {
        table = table.column(Column::text(name));
    }
    for name in ["score1", "score2"] {
        table = table.column(Column::number(name, 0));
    }
    for game in history.matches() {
        // Goals of the loser are not part of the generator's world: only the difference is.
        let (score1, score2) = (game.score_difference.max(0.0), (-game.score_difference).max(0.0));
        table = table.row([
            show_time(game.time).into(),
            history.players()[game.player1 as usize].as_str().into(),
            history.players()[game.player2 as usize].as_str().into(),
            score1.into(),
            score2.into(),
        ]);
    }
    table
}
