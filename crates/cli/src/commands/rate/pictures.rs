//! Ratings over time and reliability, as plots for a file or a terminal.

use std::collections::HashSet;
use std::io::IsTerminal;

use matchwright_rating::SystemName;
use matchwright_rating::history::History;
use matchwright_report::{Axis, Plot, Point, Series};
use matchwright_sim::rate::{Course, CoursePoint, Rated, RatedPlayer, RatingEvaluation, WITHIN_95};

use crate::arguments::RateOptions;
use crate::failure::{Failure, suggestion};
use matchwright_papers::eomm::reliability;

/// More lines with bands can hardly be told apart.
const MOST_FOLLOWED: usize = 6;
/// A line of more points looks no different.
const MOST_POINTS: usize = 800;
/// Width of a chart where no terminal says how wide it is, in characters.
const PLAIN_WIDTH: usize = 80;
/// No chart is wider, however wide the terminal.
const GREATEST_WIDTH: usize = 120;
const CHART_HEIGHT: usize = 18;

/// The players to plot, by index: those named, or the first of the leaderboard; none where no plot is asked for or
/// ratings have no course.
pub(super) fn followed(
    options: &RateOptions,
    history: &History,
    players: &[RatedPlayer],
) -> Result<Vec<u32>, Failure> {
    let at_once = options.system == SystemName::BradleyTerry;
    if at_once || !(options.chart || options.plot.is_some() || options.page.is_some()) {
        return Ok(Vec::new());
    }
    let first = players.iter().take(options.top.clamp(1, MOST_FOLLOWED));
    let names: Vec<&str> = if options.players.is_empty() {
        first.map(|player| player.player.as_str()).collect()
    } else {
        options.players.iter().map(|name| name.trim()).collect()
    };
    let index = |name: &&str| {
        let known = (0..).zip(history.players()).find(|(_, known)| known == name);
        known.map(|(index, _)| index).ok_or_else(|| {
            let hint = suggestion(name, history.players().iter().map(String::as_str));
            Failure::Usage(format!(
                "--players: no player in the file is called `{name}`{hint}"
            ))
        })
    };
    let mut followed = names.iter().map(index).collect::<Result<Vec<u32>, _>>()?;
    let mut seen = HashSet::new();
    followed.retain(|index| seen.insert(*index));
    Ok(followed)
}

pub(super) fn course_plot(system: SystemName, history: &History, watched: &[u32], rated: &Rated) -> Plot {
    let mut points = rated.courses.iter().flatten();
    let bands = if points.any(|point| point.deviation.is_some()) {
        " Bands hold the rating with 95 %: 1.96 deviations either way."
    } else {
        ""
    };
    let plot = Plot::new("Ratings over time")
        .caption(format!(
            "Each player's rating after each match, {}.{bands}",
            system.title()
        ))
        .x(Axis::new("Date (UTC)").dates())
        .y(Axis::new("Rating"))
        .size(860, 480);
    watched
        .iter()
        .zip(&rated.courses)
        .fold(plot, |plot, (&player, course)| {
            let points = thinned(course, MOST_POINTS).map(|point| {
                Point::with_error(
                    point.time as f64,
                    point.rating,
                    point.deviation.map_or(0.0, |deviation| WITHIN_95 * deviation),
                )
            });
            let name = history.players()[player as usize].as_str();
            plot.series(Series::step(name, points.collect::<Vec<_>>()).banded())
        })
}

/// At most this many points of a course, evenly spread over its matches, the last among them.
pub(super) fn thinned(course: &Course, most: usize) -> impl Iterator<Item = &CoursePoint> {
    let every = course.len().div_ceil(most).max(1);
    let rest = course.len().saturating_sub(1) % every;
    course.iter().skip(rest).step_by(every)
}

pub(super) fn reliability_plot(evaluation: &RatingEvaluation) -> Plot {
    reliability(
        "Predicted and observed wins",
        "win probability",
        &evaluation.two_way.evaluation,
    )
    .caption(format!(
        "Decisive games after the first {}, each predicted before training on it; bars are one standard error.",
        evaluation.evaluated_from
    ))
}

/// The plot with characters, as wide as the terminal; plain where there is none.
pub(super) fn chart(plot: &Plot) -> Result<String, Failure> {
    let is_terminal = std::io::stdout().is_terminal();
    let width = match terminal_size::terminal_size() {
        Some((terminal_size::Width(width), _)) if is_terminal => usize::from(width),
        _ => PLAIN_WIDTH,
    };
    let least = matchwright_report::LEAST_TERMINAL_SIZE.0;
    // https://no-color.org
    let colours = is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    plot.to_terminal((width.clamp(least, GREATEST_WIDTH), CHART_HEIGHT), colours)
        .map_err(Failure::of)
}
