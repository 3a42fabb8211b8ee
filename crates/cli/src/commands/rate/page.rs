//! The page of `matchwright rate`: how good the forecasts were, every player with a course, distribution, churn.

use std::collections::{HashMap, HashSet};

use matchwright_papers::eomm::pattern_churn;
use matchwright_papers::eomm::study::pattern_table_of;
use matchwright_rating::SystemName;
use matchwright_rating::history::History;
use matchwright_report::{
    Axis, Callout, Cell, Column, Headline, Page, Plot, Point, Section, Series, Table, count,
};
use matchwright_sim::rate::{Course, RatedPlayer, RatingEvaluation};

use super::pictures::{reliability_plot, thinned};
use super::tables::{
    caption, contexts_table, decimals, has_many_sides, notes_of_players, quality_table, sureness,
};
use super::{Order, Outcome};
use crate::arguments::RateOptions;
use crate::input::shown_time;

/// More players make a page slow; all are in the file beside it.
const MOST_PLAYERS: usize = 2_000;
/// Points of a course that is as wide as a cell.
const COURSE_POINTS: usize = 60;
/// Hours without a match that count as churn: a week, as in EOMM's Table 1, in files of four weeks and more, and in shorter
/// ones eight hours, as in its case study.
const CHURN_HOURS: [u32; 2] = [168, 8];
const FOUR_WEEKS: i64 = 28 * 86_400;
/// Bars of the distribution, at most.
const MOST_BINS: u32 = 40;

/// Adds the first players of the leaderboard to those whose courses are followed, if ratings have courses.
pub(super) fn follow_all(
    options: &RateOptions,
    history: &History,
    players: &[RatedPlayer],
    watched: &mut Vec<u32>,
) {
    if options.system == SystemName::BradleyTerry {
        return;
    }
    let places: HashMap<&str, u32> = history.players().iter().map(String::as_str).zip(0..).collect();
    let mut seen: HashSet<u32> = watched.iter().copied().collect();
    let first = players.iter().take(MOST_PLAYERS);
    let places = first.filter_map(|player| places.get(player.player.as_str()).copied());
    watched.extend(places.filter(|place| seen.insert(*place)));
}

/// The page, but for its foot; `courses` are those of the first players of the leaderboard, as a plot.
pub(super) fn rate_page(
    options: &RateOptions,
    history: &History,
    outcome: &Outcome,
    evaluation: &RatingEvaluation,
    courses: Option<Plot>,
) -> Page {
    let rated = &outcome.rated;
    let mut page = Page::new(format!("Ratings: {}", options.system.title()))
        .answer(answer(options, evaluation))
        .headlines(headlines(history, evaluation))
        .picture(reliability_plot(evaluation).file("reliability"))
        .section(players_section(options, history, outcome))
        .section(
            Section::new("Distribution of ratings")
                .plot(distribution(&rated.players, outcome.order))
                .key_values(quantiles(options.system, &rated.players)),
        );
    if let Some(plot) = courses {
        page = page.section(Section::new("Leaders over time").plot(plot.file("courses")));
    }
    page.section(
        Section::new("Quality of the forecasts")
            .table(quality_table(has_many_sides(history), evaluation, rated).file("forecasts"))
            .tables(outcome.context_table(options)),
    )
    .section(churn_section(options, history))
    .files_section([
        ("All players' ratings", "ratings.csv"),
        ("Version, command, configuration, hashes", "manifest.json"),
    ])
}

/// How good the forecasts were, in a sentence.
fn answer(options: &RateOptions, evaluation: &RatingEvaluation) -> String {
    let two = &evaluation.two_way;
    let (loss, constant) = (two.evaluation.log_loss, two.evaluation.constant_log_loss);
    let than = if loss < constant { "less" } else { "no less" };
    let sure = sureness(two).map(|(words, figures)| format!("; they are {words}: {figures}"));
    format!(
        "{} gives forecasts with a log loss of {loss:.4} nats a decisive game, {than} than the {constant:.4} of the best constant \
         one{}.",
        options.system.title(),
        sure.unwrap_or_default()
    )
}

fn headlines(history: &History, evaluation: &RatingEvaluation) -> Vec<Headline> {
    let decisive = &evaluation.two_way.evaluation;
    let share = |share: f64| format!("{:.1}", 100.0 * share);
    let always = decisive.base_rate.max(1.0 - decisive.base_rate);
    let (players, matches) = (count(history.players().len() as u64), count(history.len() as u64));
    vec![
        Headline::new(
            share(evaluation.two_way.accuracy),
            "%",
            format!(
                "of {} decisive games went to the favourite; naming the same side always would be right in {} %",
                count(decisive.n as u64),
                share(always)
            ),
        ),
        Headline::new(
            format!("{:.4}", decisive.log_loss),
            "",
            format!(
                "log loss of those forecasts; {:.4} for the best constant one",
                decisive.constant_log_loss
            ),
        ),
        Headline::new(players, "", format!("players rated by {matches} matches")),
    ]
}

/// Players with their courses, to be searched by name.
fn players_section(options: &RateOptions, history: &History, outcome: &Outcome) -> Section {
    let rated = &outcome.rated;
    let players = &rated.players[..rated.players.len().min(MOST_PLAYERS)];
    let names = outcome
        .watched
        .iter()
        .map(|&place| history.players()[place as usize].as_str());
    let courses: HashMap<&str, &Course> = names.zip(&rated.courses).collect();
    let course = |player: &RatedPlayer| match courses.get(player.player.as_str()) {
        Some(course) => Cell::Sparkline(thinned(course, COURSE_POINTS).map(|point| point.rating).collect()),
        None => Cell::Empty,
    };
    let number = |name| Column::number(name, decimals(options.system));
    let unit = options.reading.time_unit;
    let table = Table::of(caption(outcome.order.by, rated), players)
        .column(Column::text("Player"), |player| &player.player)
        .optional_column(number("Course"), course)
        .column(number("Rating"), |player| player.rating)
        .optional_column(number("Deviation"), |player| player.deviation)
        .optional_column(number("Conservative"), RatedPlayer::conservative)
        .column(Column::integer("Games"), RatedPlayer::games)
        .column(Column::integer("Won"), |player| player.wins)
        .column(Column::integer("Drawn"), |player| player.draws)
        .column(Column::integer("Lost"), |player| player.losses)
        .column(Column::text("Last game"), |player| {
            // The day is enough.
            let time = player.last_time.map(|time| shown_time(unit, time));
            time.map(|time| time.split('T').next().unwrap_or_default().to_owned())
        })
        .build()
        .notes(notes_of_players(outcome.order, rated))
        .file("leaderboard");
    let contexts = contexts_table(options.system, players, rated);
    let section = Section::new("Players").open().table(table);
    let section = contexts
        .into_iter()
        .fold(section, |section, table| section.table(table.file("contexts")));
    if rated.players.len() > players.len() {
        let all = count(rated.players.len() as u64);
        return section.callout(
            Callout::Note,
            format!("The first {MOST_PLAYERS} of {all} players; ratings.csv has all of them."),
        );
    }
    section
}

/// How many players have which rating, those of few games apart.
fn distribution(players: &[RatedPlayer], order: Order) -> Plot {
    let ratings = |few: bool| {
        players
            .iter()
            .filter(move |player| order.has_few(player) == few)
            .map(|player| player.rating)
    };
    // Twice the root of their number.
    let enough = |bins: &u32| u64::from(bins * bins) >= 4 * players.len() as u64;
    let bins = (5..MOST_BINS).find(enough).unwrap_or(MOST_BINS);
    let all = || players.iter().map(|player| player.rating);
    let (low, high) = (
        all().fold(f64::INFINITY, f64::min),
        all().fold(f64::NEG_INFINITY, f64::max),
    );
    let width = ((high - low) / f64::from(bins)).max(f64::MIN_POSITIVE);
    let steps = |few: bool| {
        let mut counts = vec![0_u32; bins as usize];
        for rating in ratings(few) {
            let bin = (1..bins)
                .filter(|&bin| rating >= low + f64::from(bin) * width)
                .count();
            counts[bin] += 1;
        }
        // The last bar ends where the ratings do.
        let last = counts.last().copied();
        let bars = (0..).zip(counts.into_iter().chain(last));
        bars.map(|(bin, players)| Point::new(low + f64::from(bin) * width, f64::from(players)))
            .collect::<Vec<_>>()
    };
    let plot = Plot::new("Players by rating")
        .caption(format!("Players in each of {bins} equal ranges of the rating."))
        .x(Axis::new("Rating"))
        .y(Axis::new("Players"))
        .file("distribution");
    if ratings(true).next().is_none() {
        return plot.series(Series::step("players", steps(false)));
    }
    let min = order.min_games;
    plot.series(Series::step(format!("{min} games or more"), steps(false)))
        .series(Series::step(format!("fewer than {min} games"), steps(true)))
}

/// Tenths and the middle of the ratings.
fn quantiles(system: SystemName, players: &[RatedPlayer]) -> Vec<(String, String)> {
    let mut ratings: Vec<f64> = players.iter().map(|player| player.rating).collect();
    ratings.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        let place = percent * (ratings.len() - 1) / 100;
        format!("{:.*}", decimals(system), ratings[place])
    };
    [
        ("Lowest tenth ends at", 10),
        ("Median", 50),
        ("Highest tenth begins at", 90),
        ("Highest", 100),
    ]
    .map(|(name, percent)| (name.to_owned(), at(percent)))
    .to_vec()
}

fn churn_section(options: &RateOptions, history: &History) -> Section {
    let section = Section::new("Churn by the last three outcomes");
    let Some(duels) = history.duels() else {
        return section
            .paragraph("Churn is counted by the outcomes of matches of one against one, and these are not.");
    };
    let mut games = history.games();
    let first = games.next();
    let last = games.next_back().or(first);
    let span = first
        .zip(last)
        .map_or(0, |(first, last)| last.time().saturating_sub(first.time()));
    let [long, short] = CHURN_HOURS;
    let hours = options
        .churn_hours
        .unwrap_or(if span < FOUR_WEEKS { short } else { long });
    match pattern_table_of(duels, hours) {
        Ok(patterns) => section
            .paragraph("How many players stopped playing for the time below after each run of outcomes. Matches too near the end of the file to tell are left out.")
            .table(pattern_churn(&patterns)),
        Err(_) => section.paragraph(format!(
            "The file is too short to tell who stayed away for {hours} hours; --churn-hours takes another number."
        )),
    }
}
