//! `matchwright compare`: several rating systems over the same matches, and how sure their differences are.

use matchwright_papers::eomm::reliability;
use matchwright_rating::{DrawKind, RatingParams, SystemName};
use matchwright_report::{Column, Headline, Page, Section, Table};
use matchwright_sim::progress::Progress;
use matchwright_sim::rate::{
    LossDifference, RateError, RatingEvaluation, check_games, decided_losses, evaluate_games, rate_games,
    tune_games,
};
use serde::Serialize;

use super::rate::effects::Tells;
use super::rate::{STOPPED, failed};
use crate::arguments::CompareOptions;
use crate::failure::{Failure, ShownPath, tell};
use crate::input::{Imported, SystemFile, import_games};
use crate::output::{Folder, Origin, Place, check_places, print, print_json, write_file};
use crate::progress::Bar;

/// Everything as one object.
#[derive(Serialize)]
struct Answer {
    matches: usize,
    evaluated_from: usize,
    players: usize,
    skipped_rows: u64,
    /// Columns or keys that nothing looks at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_used: Vec<String>,
    /// By log loss of decisive games, the best first.
    systems: Vec<Compared>,
    constant: Constant,
}

/// The best forecast that is the same for all of the evaluated matches: the outcomes' own shares.
#[derive(Serialize)]
struct Constant {
    accuracy: f64,
    log_loss: f64,
    brier: f64,
    ece: f64,
    three_way_log_loss: f64,
    rps: f64,
}

impl Constant {
    fn of(evaluation: &RatingEvaluation) -> Self {
        let wins = evaluation.two_way.evaluation.base_rate;
        Self {
            accuracy: wins.max(1.0 - wins),
            log_loss: evaluation.two_way.evaluation.constant_log_loss,
            brier: wins * (1.0 - wins),
            ece: 0.0,
            three_way_log_loss: evaluation.three_way.constant_log_loss,
            rps: evaluation.three_way.constant_rps,
        }
    }
}

/// A row of the table: a system, or the constant forecast.
#[derive(Clone, Copy)]
struct Row<'a> {
    name: &'static str,
    /// In the order of the columns.
    measures: [f64; 6],
    difference: Option<&'a LossDifference>,
}

/// A system's forecasts.
#[derive(Serialize)]
struct Compared {
    system: SystemName,
    #[serde(flatten)]
    evaluation: RatingEvaluation,
    /// Its log loss less that of the best.
    difference: Option<LossDifference>,
    /// How often the matches were rated for tuning.
    #[serde(skip_serializing_if = "Option::is_none")]
    tuning_passes: Option<usize>,
    /// Whether Ctrl-C ended its tuning with the best so far.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tuning_stopped: bool,
    #[serde(skip)]
    losses: Vec<f64>,
}

/// `command` is what repeats the result; `has_seed`: a seed was given.
pub(crate) fn run(options: &CompareOptions, command: String, has_seed: bool) -> Result<(), Failure> {
    let inputs = std::iter::once(&options.file).chain(&options.config);
    let tuned = options.tune.as_deref().map(Place::File);
    let folder = options.out.as_deref().map(Place::Folder);
    check_places(inputs.collect::<Vec<_>>(), tuned.into_iter().chain(folder))?;
    let config = options.config.as_deref().map(SystemFile::read).transpose()?;
    let config = config.unwrap_or_default();
    let mut bar = Bar::new();
    bar.begin("reading the matches", 0);
    let imported = import_games(&options.file, &options.reading, Vec::new())?;
    let mut used = SystemFile::default();
    let failed = |system: SystemName, error| {
        let what = failed(error, imported.first_draw.as_ref(), options.reading.time_unit);
        Failure::Failed(format!("{}: {what}", system.name()))
    };
    let mut wanted: Vec<RatingParams> = Vec::new();
    for &system in &options.systems {
        if wanted.iter().any(|known| known.system.name() == system) {
            continue;
        }
        let mut params = config
            .get(system)
            .cloned()
            .unwrap_or_else(|| RatingParams::of(system));
        params.draws = options.draws.unwrap_or(params.draws);
        // Before any of them is rated, which may take long.
        check_games(&params, &imported.history, options.evaluate_from)
            .map_err(|error| failed(system, error))?;
        wanted.push(params);
    }
    let mut systems = Vec::new();
    for params in wanted {
        let system = params.system.name();
        let compared = compared(options, params, &imported, &mut used, &mut bar);
        systems.push(compared.map_err(|error| failed(system, error))?);
    }
    drop(bar);
    let answer = ranked(systems, &imported, options.random.seed)?;
    let weighs = |is_so: &dyn Fn(&RatingParams) -> bool| {
        let mut params = options.systems.iter().filter_map(|system| used.get(*system));
        params.any(is_so)
    };
    let mut tells = Tells::default();
    tells.look(&imported.history);
    let ignored = tells.ignored(
        weighs(&|params| params.party_bonus.is_some()),
        weighs(&|params| params.performance > 0.0),
    );
    imported.notes.iter().chain(&ignored).for_each(|note| tell(note));
    if has_seed && answer.systems.len() == 1 {
        tell("--seed had no effect: one system alone is compared with none");
    }
    let never = |system: &SystemName| used.get(*system).map(RatingParams::draw_kind);
    if options.draws.is_some()
        && options
            .systems
            .iter()
            .all(|system| never(system) == Some(DrawKind::Never))
    {
        tell("--draws had no effect: the draw probability of these systems is 0, so that there are no draws");
    }
    let stopped = answer.systems.iter().filter(|one| one.tuning_stopped);
    let stopped: Vec<&str> = stopped.map(|one| one.system.name()).collect();
    if !stopped.is_empty() {
        tell(&format!("{}: {STOPPED}", stopped.join(", ")));
    }
    let origin = origin(options, command, &config, (&used, stopped), &imported)?;
    if let Some(path) = &options.tune {
        write_file(path, used.to_toml()?.as_bytes(), &origin)?;
    }
    if let Some(folder) = &options.out {
        let mut files = Folder::default();
        files.add_json("compare.json", &answer)?;
        files.add("compare.csv", answer.table().to_csv());
        files.add("systems.toml", used.to_toml()?);
        files.add_page("index.html", &answer.page().footer(origin.footer()))?;
        files.write(folder, &origin)?;
        tell(&format!("page: {}", folder.join("index.html").shown()));
    }
    if options.json {
        return print_json(&answer);
    }
    print(&answer.table().to_text())
}

/// One system over the matches, tuned before if that is asked for.
fn compared(
    options: &CompareOptions,
    mut params: RatingParams,
    imported: &Imported,
    used: &mut SystemFile,
    bar: &mut Bar,
) -> Result<Compared, RateError> {
    let system = params.system.name();
    let (history, from) = (&imported.history, options.evaluate_from);
    let (mut tuning_passes, mut tuning_stopped) = (None, false);
    if options.tune.is_some() {
        bar.begin_search("tuning");
        let tuned = tune_games(&params, history, from, bar);
        bar.end_search();
        let tuned = tuned?;
        tuning_passes = Some(tuned.passes);
        tuning_stopped = tuned.stopped;
        params = tuned.params;
    }
    bar.begin(&format!("rating by {}", system.name()), 0);
    let rated = rate_games(&params, history, from, &[])?;
    let (evaluation, forecasts) = evaluate_games(
        history,
        &rated.predictions,
        &rated.pairs,
        from,
        params.draw_kind(),
    )?;
    let first = rated
        .pairs
        .partition_point(|pair| pair.game < evaluation.evaluated_from);
    used.set(params);
    Ok(Compared {
        system,
        losses: decided_losses(&forecasts[first..]),
        evaluation,
        difference: None,
        tuning_passes,
        tuning_stopped,
    })
}

/// The best first, each with its difference to it.
fn ranked(mut systems: Vec<Compared>, imported: &Imported, seed: u64) -> Result<Answer, Failure> {
    let loss = |one: &Compared| one.evaluation.two_way.evaluation.log_loss;
    systems.sort_by(|a, b| loss(a).total_cmp(&loss(b)));
    let Some((best, others)) = systems.split_first_mut() else {
        return Err(Failure::Usage("--systems: name one at least".to_owned()));
    };
    for other in others {
        other.difference = LossDifference::between(&other.losses, &best.losses, seed);
    }
    Ok(Answer {
        matches: imported.history.len(),
        evaluated_from: best.evaluation.evaluated_from,
        players: imported.history.players().len(),
        skipped_rows: imported.skipped,
        not_used: imported.unused.clone(),
        constant: Constant::of(&best.evaluation),
        systems,
    })
}

impl Answer {
    fn rows(&self) -> Vec<Row<'_>> {
        let system = |one: &'_ Compared| {
            let (two, three) = (&one.evaluation.two_way, &one.evaluation.three_way);
            let of = &two.evaluation;
            [
                two.accuracy,
                of.log_loss,
                of.brier,
                of.ece,
                three.log_loss,
                three.rps,
            ]
        };
        let mut rows: Vec<Row<'_>> = (self.systems.iter())
            .map(|one| Row {
                name: one.system.name(),
                measures: system(one),
                difference: one.difference.as_ref(),
            })
            .collect();
        let Constant {
            accuracy,
            log_loss,
            brier,
            ece,
            three_way_log_loss,
            rps,
        } = self.constant;
        rows.push(Row {
            name: "constant",
            measures: [accuracy, log_loss, brier, ece, three_way_log_loss, rps],
            difference: None,
        });
        rows
    }

    fn table(&self) -> Table {
        let interval = |one: Row<'_>| {
            let difference = one.difference.filter(|difference| difference.low.is_finite())?;
            Some(format!("{:+.4} to {:+.4}", difference.low, difference.high))
        };
        let measures = ["Accuracy", "Log loss", "Brier", "ECE", "3-way log loss", "RPS"];
        Table::of("Forecasts of the evaluated matches, the best first", self.rows())
            .column(Column::text("System"), |one| one.name)
            .columns(
                0..measures.len(),
                |measure| Column::number(measures[measure], 4),
                |one, measure| one.measures[measure],
            )
            .optional_column(Column::number("To the best", 4), |one| Some(one.difference?.mean))
            .optional_column(Column::text("95 % interval"), interval)
            .build()
            .note(format!(
                "{} matches; the first {} used for training only. Accuracy to ECE: decisive games, P(win) / (P(win) + \
                 P(loss)). 3-way: win, draw, loss; RPS: ranked probability score. Constant: the outcomes' own shares, the best \
                 forecast that is the same for every match. To the best: log loss of decisive games less that of the first \
                 row, with the interval of a paired bootstrap.",
                self.matches, self.evaluated_from
            ))
    }

    fn page(&self) -> Page {
        let headlines = self.systems.iter().take(4).map(|one| {
            let loss = one.evaluation.two_way.evaluation.log_loss;
            Headline::new(
                format!("{loss:.4}"),
                "",
                format!("log loss of {}", one.system.name()),
            )
        });
        let plots = self.systems.iter().map(|one| {
            let title = format!("Predicted and observed wins: {}", one.system.name());
            reliability(&title, "win probability", &one.evaluation.two_way.evaluation)
        });
        Page::new("Rating systems beside each other")
            .headlines(headlines.collect::<Vec<_>>())
            .section(Section::new("Forecasts").open().table(self.table()))
            .section(Section::new("Calibration").plots(plots))
            .files_section([
                ("Everything, as JSON", "compare.json"),
                ("The table", "compare.csv"),
                ("The parameters of every system, for --config", "systems.toml"),
                ("Version, command, configuration, hashes", "manifest.json"),
            ])
    }
}

fn origin(
    options: &CompareOptions,
    command: String,
    config: &SystemFile,
    (used, stopped): (&SystemFile, Vec<&str>),
    imported: &Imported,
) -> Result<Origin, Failure> {
    let mut configuration = serde_json::json!({
        "systems": used,
        "reading": options.reading.shown(),
        "evaluate_from": options.evaluate_from,
        "tuned": options.tune.is_some(),
        "skipped_rows": imported.skipped,
    });
    if !stopped.is_empty() {
        configuration["tuning_stopped"] = stopped.into();
    }
    let mut origin = Origin::new(command, &configuration)?;
    origin.seed = Some(options.random.seed);
    origin.inputs = vec![imported.facts.clone()];
    origin.inputs.extend(config.facts.clone());
    Ok(origin)
}
