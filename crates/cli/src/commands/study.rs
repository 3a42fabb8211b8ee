//! `matchwright study eomm`: the case study on real matches or on a generated population.

mod data;

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use matchwright_churn::Folds;
use matchwright_papers::eomm::EommStudy;
use matchwright_papers::eomm::study::{Shard, StudyConfig, StudyError, StudyPart, run_part};
use matchwright_rating::history::History;
use matchwright_report::{Column, Table, utc_time};
use serde_json::json;

use super::reproduce::show;
use crate::arguments::{EommOptions, FoldName};
use crate::failure::{Failure, tell};
use crate::output::{Origin, check_places, write_file};
use crate::parts::{PartFile, Work};
use crate::progress::Bar;
pub(crate) use data::Data;

pub(crate) fn run(options: &EommOptions) -> Result<(), Failure> {
    let config = configuration(options);
    let usage = |error: StudyError| Failure::Usage(error.to_string());
    config.check().map_err(usage)?;
    check_options(options)?;
    let bar = Bar::new();
    let data = Data::load(options, &bar)?;
    for note in &data.notes {
        tell(note);
    }
    let origin = origin(options, &config, &data)?;
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
    let (source, report) = (&data.origin, &report);
    show(&EommStudy { source, report }, &origin, &options.page)
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
        draws: options.draws.into(),
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
fn origin(options: &EommOptions, config: &StudyConfig, data: &Data) -> Result<Origin, Failure> {
    let configuration = json!({
        "study": config,
        "population": data.population,
        "reading": options.reading.shown(),
        "source": data.origin,
    });
    let mut origin = Origin::new(command(options, data), &configuration)?;
    origin.seed = Some(config.seed);
    origin.inputs.clone_from(&data.inputs);
    Ok(origin)
}

/// The command with everything that decides its results.
fn command(options: &EommOptions, data: &Data) -> String {
    let mut command = "matchwright study eomm".to_owned();
    let mut add = |flag: &str, value: Option<String>| {
        command += &value.map_or(String::new(), |value| format!(" {flag} {value}"));
    };
    let name = |value: Option<PossibleValue>| value.map(|value| value.get_name().to_owned());
    let input = data.inputs.first().map(|facts| facts.name.clone());
    add("--matches", input.clone().filter(|_| options.matches.is_some()));
    add(
        "--population",
        input.filter(|_| options.population.population.is_some()),
    );
    add("--players", options.population.players.map(|n| n.to_string()));
    add("--days", options.population.days.map(|n| n.to_string()));
    add("--rounds", Some(options.rounds.to_string()));
    add(
        "--pools",
        Some(
            options
                .pools
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(","),
        ),
    );
    add("--seed", Some(options.random.seed.to_string()));
    add("--horizon", Some(options.horizon.to_string()));
    add("--draws", name(options.draws.to_possible_value()));
    add("--draw-rate", options.draw_rate.map(|rate| rate.to_string()));
    add("--folds", name(options.folds.to_possible_value()));
    add("--fold-count", Some(options.fold_count.to_string()));
    add("--fit-rows", Some(options.fit_rows.to_string()));
    add("--state-matches", Some(options.state_matches.to_string()));
    command + &options.reading.shown()
}

/// In the columns that the importer expects.
fn matches_table(history: &History) -> Table {
    let mut table = Table::new("Generated matches");
    for name in ["time", "player1", "player2"] {
        table = table.column(Column::text(name));
    }
    for name in ["score1", "score2"] {
        table = table.column(Column::number(name, 0));
    }
    for game in history.duels().iter().flat_map(|duels| duels.iter()) {
        // Goals of the loser are not part of the generator's world: only the difference is.
        let (score1, score2) = (game.score_difference.max(0.0), (-game.score_difference).max(0.0));
        table = table.row([
            utc_time(game.time).into(),
            history.players()[game.player1 as usize].as_str().into(),
            history.players()[game.player2 as usize].as_str().into(),
            score1.into(),
            score2.into(),
        ]);
    }
    table
}
