//! `matchwright study eomm`: the case study on real matches or on a generated population.

use std::path::Path;

use matchwright_churn::Folds;
use matchwright_report::{Column, Table};
use matchwright_sim::history::MatchHistory;
use matchwright_sim::population::{GeneratorParams, Truth, generate};
use matchwright_sim::study::{Progress, StudyConfig, StudyReport, run_study};
use serde_json::json;

use crate::arguments::{EommOptions, FoldName};
use crate::failure::Failure;
use crate::input::{SourceFacts, import_matches, show_time};
use crate::output::{Folder, Origin, print, print_json, write_file};
use crate::page::{StudyOrigin, study_page, study_plots, study_tables};
use crate::progress::Bar;

pub(crate) fn run(options: &EommOptions) -> Result<(), Failure> {
    let config = configuration(options);
    config
        .check()
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let bar = Bar::new();
    let data = Data::load(options, &bar)?;
    let report = run_study(
        &config,
        &data.history,
        data.truth.as_ref(),
        threads(options)?,
        &bar,
    )
    .map_err(Failure::of)?;
    drop(bar);
    let origin = origin(options, &config, &data)?;
    if let Some(path) = &options.save_matches {
        write_file(path, matches_table(&data.history).to_csv().as_bytes(), &origin)?;
    }
    if let Some(folder) = &options.out {
        write_report(folder, &report, &data.origin, &origin)?;
    }
    if options.json {
        return print_json(&report);
    }
    for note in &data.notes {
        eprintln!("{note}");
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
                skipped: imported.skipped,
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
        Some(threads) => Ok(threads),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Threads and folders stay out: they change nothing in the results.
fn origin(options: &EommOptions, config: &StudyConfig, data: &Data) -> Result<Origin, Failure> {
    let pools = config
        .pools
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(",");
    let from = data.inputs.first().map_or(String::new(), |facts| {
        let flag = if options.matches.is_some() {
            "--matches"
        } else {
            "--population"
        };
        format!(" {flag} {}", facts.name)
    });
    let columns = options.reading.columns.shown();
    let columns = if columns.is_empty() {
        columns
    } else {
        format!(" --columns {columns}")
    };
    let command = format!(
        "matchwright study eomm{from}{columns} --rounds {} --pools {pools} --seed {}",
        config.rounds, config.seed
    );
    let mut origin = Origin::new(
        command,
        &json!({ "study": config, "population": data.population }),
    )?;
    origin.seed = Some(config.seed);
    origin.inputs.clone_from(&data.inputs);
    Ok(origin)
}

fn write_report(
    folder: &Path,
    report: &StudyReport,
    from: &StudyOrigin,
    origin: &Origin,
) -> Result<(), Failure> {
    let mut files = Folder::default();
    files.add("index.html", study_page(report, from, &origin.command));
    for (name, table) in study_tables(report) {
        files.add(&format!("{name}.csv"), table.to_csv());
    }
    for (name, plot) in study_plots(report) {
        files.add(&format!("{name}.svg"), plot.to_svg().map_err(Failure::of)?);
    }
    files.add(
        "study.json",
        serde_json::to_string_pretty(report).map_err(Failure::of)? + "\n",
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
