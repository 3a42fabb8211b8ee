//! `matchwright compare`: several rating systems over the same matches, and how sure their differences are.

mod played;
mod verdict;

use std::time::Instant;

use matchwright_rating::{DrawKind, RatingParams, SystemName};
use matchwright_report::{Axis, Column, Intervals, Page, Plot, Point, Section, Series, Table};
use matchwright_sim::progress::Progress;
use matchwright_sim::rate::{
    LossDifference, RateError, RatingEvaluation, check_games, decided_losses, evaluate_games, rate_games,
    tune_games,
};
use serde::Serialize;

use self::played::Played;
use self::verdict::Losses;
use super::by_context::{self, ContextLosses, OfContext, by_context};
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
    /// In a sentence.
    verdict: String,
    /// What the differences are to: the best, or another.
    baseline: SystemName,
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
    by_experience: Vec<Played>,
    /// By what was played, and the column that says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_context: Vec<OfContext>,
    #[serde(skip)]
    by: String,
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
    seconds: Option<f64>,
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
    /// Its log loss less that of the baseline.
    difference: Option<LossDifference>,
    /// How often the matches were rated for tuning.
    #[serde(skip_serializing_if = "Option::is_none")]
    tuning_passes: Option<usize>,
    /// Whether Ctrl-C ended its tuning with the best so far.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tuning_stopped: bool,
    #[serde(skip)]
    losses: Vec<f64>,
    /// The class of each of these games, by experience.
    #[serde(skip)]
    classes: Vec<usize>,
    #[serde(skip)]
    contexts: ContextLosses,
    /// How long it took: no file says so.
    #[serde(skip)]
    seconds: f64,
}

impl Compared {
    /// Of decisive games, nats.
    const fn log_loss(&self) -> f64 {
        self.evaluation.two_way.evaluation.log_loss
    }

    fn losses(&self) -> Losses<'_> {
        Losses {
            name: self.system.name(),
            mean: self.log_loss(),
            each: &self.losses,
        }
    }
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
    let reading = options.reading.by(options.by.as_ref());
    let imported = import_games(&options.file, &reading, Vec::new())?;
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
    if wanted.iter().any(|params| params.context_games.is_some()) {
        reading.check_contexts(&imported.unused)?;
    }
    let mut systems = Vec::new();
    for params in wanted {
        let system = params.system.name();
        let compared = compared(options, params, &imported, &mut used, &mut bar);
        systems.push(compared.map_err(|error| failed(system, error))?);
    }
    drop(bar);
    let answer = ranked(systems, &imported, options)?;
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
        files.add("compare.csv", answer.table(false).to_csv());
        files.add("systems.toml", used.to_toml()?);
        files.add_page("index.html", &answer.page().footer(origin.footer()))?;
        files.write(folder, &origin)?;
        tell(&format!("page: {}", folder.join("index.html").shown()));
    }
    if options.json {
        return print_json(&answer);
    }
    let contexts = answer.context_table();
    let contexts = contexts.map_or_else(String::new, |table| format!("\n{}", table.to_text()));
    print(&format!(
        "{}\n\n{}{contexts}",
        answer.verdict,
        answer.table(true).to_text()
    ))
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
    let began = Instant::now();
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
        seconds: began.elapsed().as_secs_f64(),
        losses: decided_losses(&forecasts[first..]),
        contexts: ContextLosses::of(history, &rated.pairs[first..], &forecasts[first..]),
        classes: played::classes(history, &rated.pairs[first..], &forecasts[first..]),
        evaluation,
        difference: None,
        tuning_passes,
        tuning_stopped,
    })
}

/// The best first, each with its difference to it or to the baseline.
fn ranked(
    mut systems: Vec<Compared>,
    imported: &Imported,
    options: &CompareOptions,
) -> Result<Answer, Failure> {
    systems.sort_by(|a, b| a.log_loss().total_cmp(&b.log_loss()));
    let Some(best) = systems.first() else {
        return Err(Failure::Usage("--systems: name one at least".to_owned()));
    };
    let baseline = options.baseline.unwrap_or(best.system);
    let Some(place) = systems.iter().position(|one| one.system == baseline) else {
        return Err(Failure::Usage(format!(
            "--baseline {baseline}: it is not among --systems; add it there"
        )));
    };
    let constant = Constant::of(&best.evaluation);
    let evaluated_from = best.evaluation.evaluated_from;
    let seed = options.random.seed;
    let all: Vec<Losses<'_>> = systems.iter().map(Compared::losses).collect();
    let between = |one: &Losses<'_>, other: &Losses<'_>| LossDifference::between(one.each, other.each, seed);
    let verdict = if options.baseline.is_some() {
        let others: Vec<&Losses<'_>> = all.iter().filter(|one| one.name != baseline.name()).collect();
        verdict::of_baseline(&all[place], &others, between)
    } else {
        verdict::of_best(&all, constant.log_loss, between)
    };
    let each: Vec<&[f64]> = systems.iter().map(|one| &one.losses[..]).collect();
    let by_experience = played::by_class(&systems[place].classes, &each);
    let contexts: Vec<&ContextLosses> = systems.iter().map(|one| &one.contexts).collect();
    let by_context = match options.by {
        Some(_) => by_context(&imported.history, &contexts),
        None => Vec::new(),
    };
    let differences: Vec<Option<LossDifference>> = all.iter().map(|one| between(one, &all[place])).collect();
    for (position, (one, difference)) in systems.iter_mut().zip(differences).enumerate() {
        one.difference = difference.filter(|_| position != place);
    }
    Ok(Answer {
        verdict,
        baseline,
        matches: imported.history.len(),
        evaluated_from,
        players: imported.history.players().len(),
        skipped_rows: imported.skipped,
        not_used: imported.unused.clone(),
        constant,
        systems,
        by_experience,
        by_context,
        by: options.by.clone().unwrap_or_default(),
    })
}

impl Answer {
    /// By what was played, if that was asked for.
    fn context_table(&self) -> Option<Table> {
        let names: Vec<&str> = self.systems.iter().map(|one| one.system.name()).collect();
        let rows = &self.by_context;
        (!rows.is_empty()).then(|| by_context::table(&self.by, rows, &names))
    }

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
                seconds: Some(one.seconds),
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
            seconds: None,
            measures: [accuracy, log_loss, brier, ece, three_way_log_loss, rps],
            difference: None,
        });
        rows
    }

    /// `for_eyes`: with what differs from run to run.
    fn table(&self, for_eyes: bool) -> Table {
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
            .optional_column(Column::number(self.beside(), 4), |one| Some(one.difference?.mean))
            .optional_column(Column::text("95 % interval"), interval)
            .optional_column(Column::number("Seconds", 1), |one| one.seconds.filter(|_| for_eyes))
            .build()
            .note(format!(
                "{} matches; the first {} used for training only. Accuracy to ECE: decisive games, P(win) / (P(win) + \
                 P(loss)). 3-way: win, draw, loss; RPS: ranked probability score. Constant: the outcomes' own shares, the best \
                 forecast that is the same for every match. {}: log loss of decisive games less that of {}, with the \
                 interval of a paired bootstrap.",
                self.matches,
                self.evaluated_from,
                self.beside(),
                self.baseline
            ))
    }

    /// What the differences are to.
    fn beside(&self) -> String {
        match self.systems.first() {
            Some(best) if best.system == self.baseline => "To the best".to_owned(),
            _ => format!("To {}", self.baseline),
        }
    }

    /// Log losses with the intervals of their differences to the baseline.
    fn intervals(&self) -> Intervals {
        let of_baseline = self.systems.iter().find(|one| one.system == self.baseline);
        let of_baseline = of_baseline.map(Compared::log_loss);
        let base = of_baseline.unwrap_or(f64::NAN);
        let picture = Intervals::new("Log loss of decisive games, nats a game: less is better", 4)
            .note(format!(
                "Intervals, 95 %: of the difference to {}, at the line, on the same games. A system whose interval does not reach the \
                 line differs clearly.",
                self.baseline
            ))
            .reference(base);
        self.systems.iter().fold(picture, |picture, one| {
            let interval = one
                .difference
                .map(|difference| (base + difference.low, base + difference.high));
            picture.row(one.system.name(), one.log_loss(), interval)
        })
    }

    /// Predicted and observed wins of all systems.
    fn calibration(&self) -> Plot {
        let diagonal = [Point::new(0.0, 0.0), Point::new(1.0, 1.0)];
        let plot = Plot::new("Predicted and observed wins")
            .x(Axis::new("Predicted win probability").range(0.0, 1.0))
            .y(Axis::new("Observed share").range(0.0, 1.0))
            .caption("Decisive games in ten classes of their forecast. Above the line: won more often than forecast.")
            .series(Series::line("perfect calibration", diagonal).guide());
        self.systems.iter().fold(plot, |plot, one| {
            let bins = one.evaluation.two_way.evaluation.reliability.iter();
            let seen = bins.filter(|bin| bin.count > 0);
            let points = seen.map(|bin| Point::new(bin.mean_predicted, bin.observed));
            plot.series(Series::line_and_points(one.system.name(), points))
        })
    }

    fn page(&self) -> Page {
        let names: Vec<&str> = self.systems.iter().map(|one| one.system.name()).collect();
        Page::new("Rating systems beside each other")
            .answer(&self.verdict)
            .section(Section::new("Log losses").open().intervals(self.intervals()))
            .section(Section::new("All measures").open().table(self.table(false)))
            .section(Section::new("Calibration").plot(self.calibration()))
            .section(
                Section::new("By experience")
                    .table(played::table(&self.by_experience, &names))
                    .tables(self.context_table()),
            )
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
