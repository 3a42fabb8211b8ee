//! `matchwright study eomm`: the case study on real matches or on a generated population.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::PossibleValue;
use matchwright_churn::Folds;
use matchwright_report::{Column, Table};
use matchwright_sim::history::MatchHistory;
use matchwright_sim::population::{GeneratorError, GeneratorParams, Truth, generate};
use matchwright_sim::study::{Progress, StudyConfig, StudyError, StudyReport, run_study};
use serde::Serialize;
use serde_json::json;

use crate::arguments::{EommOptions, FoldName};
use crate::failure::{Failure, tell};
use crate::input::{SourceFacts, import_matches, show_time};
use crate::output::{Folder, Origin, check_places, print, print_json, write_file};
use crate::page::{StudyOrigin, study_page, study_plots, study_tables};
use crate::progress::Bar;

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
    let (history, truth) = (&data.history, data.truth.as_ref());
    let report = run_study(&config, history, truth, threads(options)?, &bar).map_err(Failure::of)?;
    drop(bar);
    let answer = Answer {
        source: &data.origin,
        report: &report,
    };
    if let Some(folder) = &options.out {
        write_report(folder, &answer, &origin)?;
    }
    if options.json {
        return print_json(&answer);
    }
    for (_, table) in study_tables(&report).iter().take(3) {
        print(&(table.to_text() + "\n"))?;
    }
    match &options.out {
        Some(folder) => print(&format!(
            "Page, tables and plots: {}\n",
            folder.join("index.html").display()
        )),
        None => print("Add --out DIR for the page with all tables and plots.\n"),
    }
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
        .chain(&options.population)
        .map(PathBuf::as_path)
        .collect::<Vec<_>>();
    let outputs = options
        .out
        .iter()
        .chain(&options.save_matches)
        .map(PathBuf::as_path)
        .collect::<Vec<_>>();
    check_places(&inputs, &outputs)
}

/// The matches and what is known of where they come from.
struct Data {
    history: MatchHistory,
    truth: Option<Truth>,
    origin: StudyOrigin,
    inputs: Vec<SourceFacts>,
    /// What the user should hear.
    notes: Vec<String>,
    population: Option<GeneratorParams>,
}

impl Data {
    fn load(options: &EommOptions, progress: &dyn Progress) -> Result<Self, Failure> {
        match &options.matches {
            Some(path) => Self::import(path, options, progress),
            None => Self::generate(options, progress),
        }
    }

    fn import(path: &Path, options: &EommOptions, progress: &dyn Progress) -> Result<Self, Failure> {
        progress.begin("reading the matches", 0);
        let imported = import_matches(path, &options.reading.import())?;
        let notes = imported
            .first_skipped
            .iter()
            .map(|first| format!("skipped {} rows; the first: {first}", imported.skipped));
        Ok(Self {
            notes: notes.collect(),
            history: imported.history,
            truth: None,
            origin: StudyOrigin::File {
                name: imported.facts.name.clone(),
                skipped_rows: imported.skipped,
            },
            inputs: vec![imported.facts],
            population: None,
        })
    }

    fn generate(options: &EommOptions, progress: &dyn Progress) -> Result<Self, Failure> {
        let (mut params, inputs) = match &options.population {
            Some(path) => read_population(path)?,
            None => (GeneratorParams::default(), Vec::new()),
        };
        params.players = options.players.unwrap_or(params.players);
        params.days = options.days.unwrap_or(params.days);
        // Without a file whatever is wrong came from the command line.
        let refuse = |error: GeneratorError| match &options.population {
            Some(path) => Failure::Failed(format!("{}: {error}", path.display())),
            None => Failure::Usage(error.to_string()),
        };
        params.check().map_err(refuse)?;
        progress.begin("generating the population and its matches", 0);
        let world = generate(&params, options.seed).map_err(Failure::of)?;
        let late = world.truth.late_matches();
        let notes = (late > 0).then(|| {
            format!(
                "{late} matches began late for want of opponents: the gaps before them are longer than drawn"
            )
        });
        Ok(Self {
            notes: notes.into_iter().collect(),
            history: world.history,
            truth: Some(world.truth),
            origin: StudyOrigin::Generated {
                assumptions: params.assumptions(),
                late_matches: late,
            },
            inputs,
            population: Some(params),
        })
    }
}

fn read_population(path: &Path) -> Result<(GeneratorParams, Vec<SourceFacts>), Failure> {
    use std::io::Read;
    let mut source = crate::input::Source::open(path)?;
    let mut text = String::new();
    source
        .reader
        .read_to_string(&mut text)
        .map_err(Failure::io(format!("reading {}", source.name)))?;
    let params =
        toml::from_str(&text).map_err(|error| Failure::Failed(format!("{}: {error}", source.name)))?;
    Ok((params, vec![source.facts()]))
}

fn configuration(options: &EommOptions) -> StudyConfig {
    StudyConfig {
        rounds: options.rounds,
        pools: options.pools.clone(),
        seed: options.seed,
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

fn threads(options: &EommOptions) -> Result<usize, Failure> {
    match options.threads {
        Some(0) => Err(Failure::Usage(
            "--threads is 0; give 1 or more, or leave it out for all cores".to_owned(),
        )),
        // More threads than rounds would find nothing to do.
        Some(threads) => Ok(threads.min(options.rounds as usize).min(1024)),
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
    add("--population", input.filter(|_| options.population.is_some()));
    add("--players", options.players.map(|n| n.to_string()));
    add("--days", options.days.map(|n| n.to_string()));
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
    add("--seed", Some(options.seed.to_string()));
    add("--horizon", Some(options.horizon.to_string()));
    add("--draws", name(options.draws.to_possible_value()));
    add("--draw-rate", options.draw_rate.map(|rate| rate.to_string()));
    add("--folds", name(options.folds.to_possible_value()));
    add("--fold-count", Some(options.fold_count.to_string()));
    add("--fit-rows", Some(options.fit_rows.to_string()));
    add("--state-matches", Some(options.state_matches.to_string()));
    command + &options.reading.shown()
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
