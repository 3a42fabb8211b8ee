//! `matchwright rate`: one pass in time order, predict then update.

pub(crate) mod effects;
mod layers;
mod page;
mod params;
mod pictures;
mod starts;
mod stream;
mod tables;

use std::collections::HashSet;

use matchwright_rating::history::History;
use matchwright_rating::{CalibrationParams, RatingParams, SystemName};
use matchwright_report::{Axis, FileRecord, Table};
use matchwright_sim::progress::Progress;
use matchwright_sim::rate::{
    Accounts, ContextRatings, Forecast, PartyLearnt, RateError, Rated, RatedPlayer, RatingEvaluation,
    Smoothed, evaluate_games, learn_parties, rate_games, tune_games,
};
use serde::Serialize;

use super::by_context::{self, ContextLosses, OfContext, by_context};
use crate::arguments::{RankName, RateOptions};
use crate::failure::{Failure, ShownPath, shown, tell};
use crate::input::{Imported, MatchLine, SystemFile, import_games, shown_time};
use crate::output::{
    Folder, Origin, Place, check_places, print, print_drawn, print_json, write_file, write_table,
};
use crate::progress::Bar;
use effects::Tells;
use layers::{ladder_table, party_table};
use matchwright_import::TimeUnit;
use page::rate_page;
pub(super) use params::configured;
use params::{parameters, party_fit};
use pictures::{chart, course_plot, followed, reliability_plot};
use starts::{Starts, found};
use tables::{
    contexts_table, has_many_sides, predictions_table, quality_table, ratings_table, shown_ratings,
};

/// Everything as one object.
#[derive(Serialize)]
struct Answer<'a> {
    system: SystemName,
    players: usize,
    skipped_rows: u64,
    /// Columns or keys that nothing looks at.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    not_used: &'a [String],
    home_advantage: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    party_fit: Option<&'a PartyLearnt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    through_time: Option<Smoothed>,
    evaluation: Option<&'a RatingEvaluation>,
    ranked_by: RankName,
    min_games: u64,
    leaderboard: Vec<Leader<'a>>,
    /// Ratings in each context, where they count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contexts: Vec<ContextRatings>,
    /// How good the forecasts were by what was played.
    #[serde(skip_serializing_if = "<[OfContext]>::is_empty")]
    by_context: &'a [OfContext],
}

/// A player with what follows from the rating.
#[derive(Serialize)]
struct Leader<'a> {
    #[serde(flatten)]
    player: &'a RatedPlayer,
    games: u64,
    /// Ends of the interval that holds the rating with 95 %.
    interval: Option<(f64, f64)>,
    conservative: Option<f64>,
}

impl<'a> Leader<'a> {
    fn of(player: &'a RatedPlayer) -> Self {
        Self {
            player,
            games: player.games(),
            interval: player.interval(),
            conservative: player.conservative(),
        }
    }
}

/// What came out, before it is evaluated.
struct Outcome {
    rated: Rated,
    parties: Option<PartyLearnt>,
    /// The players whose courses were followed.
    watched: Vec<u32>,
    /// How many of them, the first, are plotted.
    plotted: usize,
    order: Order,
    /// How good the forecasts were by what was played, if that was asked for.
    by_context: Vec<OfContext>,
}

impl Outcome {
    fn context_table(&self, options: &RateOptions) -> Option<Table> {
        let key = options.by.as_ref()?;
        let (rows, system) = (&self.by_context, options.system.name());
        (!rows.is_empty()).then(|| by_context::table(key, rows, &[system]))
    }
}

/// How players are sorted.
#[derive(Clone, Copy)]
struct Order {
    by: RankName,
    min_games: u64,
}

/// Where ratings have no deviation, players of fewer games are led by luck.
const FEW_GAMES: u64 = 10;

impl Order {
    fn of(options: &RateOptions, players: &[RatedPlayer]) -> Self {
        let has_deviations = players.iter().all(|player| player.deviation.is_some());
        let by = if has_deviations {
            RankName::Conservative
        } else {
            RankName::Rating
        };
        Self {
            by: options.rank_by.unwrap_or(by),
            min_games: options
                .min_games
                .unwrap_or(if has_deviations { 0 } else { FEW_GAMES }),
        }
    }

    /// Players who have played too little to come before others.
    fn has_few(&self, player: &RatedPlayer) -> bool {
        player.games() < self.min_games
    }
}

/// `command` is what repeats the result.
pub(crate) fn run(options: &RateOptions, command: String) -> Result<(), Failure> {
    let config = options.config.as_deref().map(SystemFile::read).transpose()?;
    let config = config.unwrap_or_default();
    let mut params = parameters(options, &config)?;
    let outputs = [
        &options.tune,
        &options.out,
        &options.predictions,
        &options.plot,
        &options.reliability,
    ];
    let files = outputs.into_iter().filter_map(|path| path.as_deref());
    let folder = options.page.as_deref().map(Place::Folder);
    let inputs = std::iter::once(&options.file).chain(&options.config);
    let inputs = inputs.chain(&options.between.start_ratings);
    check_places(inputs.collect::<Vec<_>>(), files.map(Place::File).chain(folder))?;
    let starts = Starts::read(options, &params)?;
    if options.stream {
        return stream::run(options, command, &params, (&config, starts));
    }
    let mut bar = Bar::new();
    bar.begin("reading the matches", 0);
    let reading = options.reading.by(options.by.as_ref());
    let mut imported = import_games(&options.file, &reading, starts.ratings)?;
    if params.context_games.is_some() || options.accounts.accounts {
        reading.check_contexts(&imported.unused)?;
    }
    let accounts = split_accounts(options, &mut imported)?;
    let history = &imported.history;
    let mut tells = Tells::default();
    tells.look(history);
    let mut tuning_stopped = false;
    if options.tune.is_some() {
        (params, tuning_stopped) = tuned(options, &params, &imported, &mut bar)?;
    }
    let mut outcome = work_out(options, &mut params, &imported, &bar)?;
    label(options, accounts.as_ref(), &mut outcome.rated.players)?;
    drop(bar);
    let (rated, unit) = (&outcome.rated, options.reading.time_unit);
    let notes = imported
        .notes
        .iter()
        .cloned()
        .chain(found(history))
        .chain(tells.notes(options, &params));
    notes.for_each(|note| tell(&note));
    let mut configuration = configuration(options, &params, &imported);
    if tuning_stopped {
        configuration["tuning_stopped"] = true.into();
    }
    let origin = origin(command, &configuration, (&config, starts.facts), &imported)?;
    if let Some(path) = &options.tune {
        let mut file = SystemFile::default();
        file.set(params.clone());
        write_file(path, file.to_toml()?.as_bytes(), &origin)?;
    }
    if let Some(path) = &options.out {
        write_table(path, &ratings_table(&rated.players, unit), &origin)?;
    }
    let plotted = &outcome.watched[..outcome.plotted];
    let mut course = (!plotted.is_empty()).then(|| course_plot(options.system, history, plotted, rated));
    if unit == Some(TimeUnit::Index) {
        course = course.map(|plot| plot.x(Axis::new("Index")));
    }
    if let (Some(path), Some(plot)) = (&options.plot, &course) {
        write_file(path, plot.to_svg().map_err(Failure::of)?.as_bytes(), &origin)?;
    }
    // Ratings are written even if nothing can be evaluated.
    let evaluated = evaluate_games(
        history,
        &rated.predictions,
        &rated.pairs,
        options.evaluate_from,
        params.draw_kind(),
    );
    let (evaluation, forecasts) = match evaluated {
        Err(error @ RateError::TooFew { .. }) if !options.shows_forecasts() => {
            tell(&format!("nothing is evaluated: {error}"));
            return show(options, &imported, &outcome, None, false);
        }
        evaluated => evaluated.map_err(Failure::of)?,
    };
    if options.by.is_some() {
        outcome.by_context = told_apart(history, rated, &evaluation, &forecasts);
    }
    write_forecasts(options, history, rated, (&evaluation, &forecasts), &origin)?;
    if let Some(folder) = &options.page {
        let mut files = Folder::default();
        let page = rate_page(options, history, &outcome, &evaluation, course.clone());
        files.add("ratings.csv", ratings_table(&rated.players, unit).to_csv());
        files.add_page("index.html", &page.footer(origin.footer()))?;
        files.write(folder, &origin)?;
        tell(&format!("page: {}", folder.join("index.html").shown()));
    }
    let many = has_many_sides(history);
    show(options, &imported, &outcome, Some(&evaluation), many)?;
    if options.chart {
        for plot in course.iter().chain([&reliability_plot(&evaluation)]) {
            print_drawn(&format!("\n{}", chart(plot)?))?;
        }
    }
    Ok(())
}

/// How good the evaluated forecasts were by what was played.
fn told_apart(
    history: &History,
    rated: &Rated,
    evaluation: &RatingEvaluation,
    forecasts: &[Forecast],
) -> Vec<OfContext> {
    let first = rated
        .pairs
        .partition_point(|pair| pair.game < evaluation.evaluated_from);
    let losses = ContextLosses::of(history, &rated.pairs[first..], &forecasts[first..]);
    by_context(history, &[&losses])
}

/// Writes the forecasts and how true they were, where that is asked for.
fn write_forecasts(
    options: &RateOptions,
    history: &History,
    rated: &Rated,
    (evaluation, forecasts): (&RatingEvaluation, &[Forecast]),
    origin: &Origin,
) -> Result<(), Failure> {
    if let Some(path) = &options.predictions {
        let table = predictions_table(history, &rated.pairs, forecasts, options.reading.time_unit);
        write_table(path, &table, origin)?;
    }
    if let Some(path) = &options.reliability {
        let plot = reliability_plot(evaluation);
        write_file(path, plot.to_svg().map_err(Failure::of)?.as_bytes(), origin)?;
    }
    Ok(())
}

/// The parameters that forecast best, and whether Ctrl-C ended the search for them.
fn tuned(
    options: &RateOptions,
    params: &RatingParams,
    imported: &Imported,
    bar: &mut Bar,
) -> Result<(RatingParams, bool), Failure> {
    bar.begin_search("tuning");
    let tuned = tune_games(params, &imported.history, options.evaluate_from, bar);
    bar.end_search();
    let tuned =
        tuned.map_err(|error| failed(error, imported.first_draw.as_ref(), options.reading.time_unit))?;
    if tuned.stopped {
        tell(STOPPED);
    }
    Ok((tuned.params, tuned.stopped))
}

/// What is said of a tuning that Ctrl-C ended.
pub(super) const STOPPED: &str =
    "tuning was stopped: its parameters are the best so far, and the same command may find others";

/// Puts the ratings of accounts in the place of players, if that is asked for.
fn split_accounts(options: &RateOptions, imported: &mut Imported) -> Result<Option<Accounts>, Failure> {
    if !options.accounts.accounts {
        return Ok(None);
    }
    let accounts = Accounts::of(&imported.history);
    let (accounts, history) = accounts.map_err(|error| failed(error, None, options.reading.time_unit))?;
    imported.history = history;
    Ok(Some(accounts))
}

/// Says which rating of which account each player is.
fn label(
    options: &RateOptions,
    accounts: Option<&Accounts>,
    players: &mut [RatedPlayer],
) -> Result<(), Failure> {
    let Some(accounts) = accounts else {
        return Ok(());
    };
    let plain = CalibrationParams::default();
    let calibration = CalibrationParams {
        games: options.accounts.calibration_games.unwrap_or(plain.games),
        ..plain
    };
    let calibration = calibration.build().map_err(Failure::of)?;
    accounts.label(players, &calibration).map_err(Failure::of)
}

/// Fits the party bonus if that is asked for, and rates the players.
fn work_out(
    options: &RateOptions,
    params: &mut RatingParams,
    imported: &Imported,
    bar: &Bar,
) -> Result<Outcome, Failure> {
    let history = &imported.history;
    let learn = |how| {
        bar.begin("fitting the party bonus", 0);
        learn_parties(params, history, options.evaluate_from, &how)
    };
    let parties = party_fit(options).map(learn).transpose().map_err(Failure::of)?;
    if let Some(parties) = &parties {
        // Beyond what a bonus may be, it is shown and not used.
        params.party_bonus = parties.bonus();
    }
    bar.begin("rating the players", 0);
    let mut rated = rate(options, params, imported, &[])?;
    let order = Order::of(options, &rated.players);
    rank(&mut rated.players, order)?;
    let mut watched = followed(options, history, &rated.players)?;
    let plotted = watched.len();
    if options.page.is_some() {
        page::follow_all(options, history, &rated.players, &mut watched);
    }
    if !watched.is_empty() {
        // Whom to follow is only known at the end of a first pass.
        rated.courses = rate(options, params, imported, &watched)?.courses;
    }
    Ok(Outcome {
        rated,
        parties,
        watched,
        plotted,
        order,
        by_context: Vec::new(),
    })
}

/// Prints everything but the charts.
fn show(
    options: &RateOptions,
    imported: &Imported,
    outcome: &Outcome,
    evaluation: Option<&RatingEvaluation>,
    has_many_sides: bool,
) -> Result<(), Failure> {
    let Outcome { rated, parties, .. } = outcome;
    let top = &rated.players[..options.top.min(rated.players.len())];
    if options.json {
        return print_json(&Answer {
            system: options.system,
            players: rated.players.len(),
            skipped_rows: imported.skipped,
            not_used: &imported.unused,
            home_advantage: rated.home_advantage,
            party_fit: parties.as_ref(),
            through_time: rated.smoothed,
            evaluation,
            ranked_by: outcome.order.by,
            min_games: outcome.order.min_games,
            leaderboard: top.iter().map(Leader::of).collect(),
            contexts: contexts_of(top, rated),
            by_context: &outcome.by_context,
        });
    }
    let quality = evaluation.map(|evaluation| quality_table(has_many_sides, evaluation, rated));
    let mut tables: Vec<Table> = quality
        .into_iter()
        .chain(outcome.context_table(options))
        .collect();
    tables.push(shown_ratings(options, outcome.order, top, rated));
    tables.extend(contexts_table(options.system, top, rated));
    tables.extend(parties.as_ref().map(party_table));
    tables.extend(options.ladder.ladder.then(|| ladder_table(top)));
    let texts: Vec<String> = tables.iter().map(Table::to_text).collect();
    print(&texts.join("\n"))
}

/// The ratings of these players in each context.
fn contexts_of(players: &[RatedPlayer], rated: &Rated) -> Vec<ContextRatings> {
    let names: HashSet<&str> = players.iter().map(|player| &*player.player).collect();
    let mut contexts = rated.contexts.clone();
    for context in &mut contexts {
        context.players.retain(|player| names.contains(&*player.player));
    }
    contexts
}

fn rate(
    options: &RateOptions,
    params: &RatingParams,
    imported: &Imported,
    watched: &[u32],
) -> Result<Rated, Failure> {
    let history = &imported.history;
    rate_games(params, history, options.evaluate_from, watched)
        .map_err(|error| failed(error, imported.first_draw.as_ref(), options.reading.time_unit))
}

/// An error that names a match: by its line, and by its time as people see it.
pub(super) fn failed(error: RateError, first_draw: Option<&MatchLine>, unit: Option<TimeUnit>) -> Failure {
    match (error, first_draw) {
        (RateError::Drawn { time, players, .. }, Some(first)) => first.refuse(format!(
            "{players} share a place, in a match at {}, and a draw probability of 0 says that nobody does; give one \
             above 0, such as --set draw_probability=0.1",
            shown_time(unit, time)
        )),
        (RateError::Track { time, context, .. }, _) => {
            let says = context.map_or_else(
                || "does not say what was played".to_owned(),
                |context| format!("says that `{}` was played", shown(&context)),
            );
            Failure::Failed(format!(
                "--accounts: a match at {} {says}; each needs `normal` or `ranked`, in a column `context` or one that \
                 --columns context=NAME names",
                shown_time(unit, time)
            ))
        }
        (error, _) => Failure::of(error),
    }
}

/// Best first, players of few games last; equals as they were.
fn rank(players: &mut [RatedPlayer], order: Order) -> Result<(), Failure> {
    let key: fn(&RatedPlayer) -> Option<f64> = match order.by {
        RankName::Rating => |player| Some(player.rating),
        RankName::Points => |player| Some(player.ladder?.points),
        RankName::Conservative => RatedPlayer::conservative,
    };
    if order.by == RankName::Conservative && players.iter().any(|player| player.deviation.is_none()) {
        let message = "--rank-by conservative: these ratings have no deviation to take off; drop it or choose another --system";
        return Err(Failure::Usage(message.to_owned()));
    }
    let key = |player: &RatedPlayer| key(player).unwrap_or(0.0);
    players.sort_by(|a, b| {
        let few = order.has_few(a).cmp(&order.has_few(b));
        few.then(key(b).total_cmp(&key(a)))
    });
    Ok(())
}

/// What decided the result, but for a tuning that was stopped.
fn configuration(options: &RateOptions, params: &RatingParams, imported: &Imported) -> serde_json::Value {
    serde_json::json!({
        "system": options.system,
        "params": params,
        "points_for_ten_to_one": params.points_for_ten_to_one(),
        "reading": options.reading.shown(),
        "evaluate_from": options.evaluate_from,
        "skipped_rows": imported.skipped,
        "accounts": options.accounts.accounts,
        "calibration_games": options.accounts.calibration_games,
    })
}

fn origin(
    command: String,
    configuration: &serde_json::Value,
    (config, starts): (&SystemFile, Option<FileRecord>),
    imported: &Imported,
) -> Result<Origin, Failure> {
    let mut origin = Origin::new(command, configuration)?;
    origin.inputs = vec![imported.facts.clone()];
    origin.inputs.extend(config.facts.clone());
    origin.inputs.extend(starts);
    Ok(origin)
}
