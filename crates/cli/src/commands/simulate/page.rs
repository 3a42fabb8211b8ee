//! The page of `matchwright simulate`: what came out, differences, the front, waits, quality, the day, who gets what.

use matchwright_report::{Axis, Callout, Headline, Page, Plot, Point, Section, Series, brief};
use matchwright_sim::simulate::{Figure, HourMeans, Measured};

use super::{Pooled, WorldsAnswer};
use crate::commands::versus::quoted;

/// Bins of a histogram.
const BINS: usize = 40;

/// The page, but for its foot.
pub(crate) fn worlds_page(answer: &WorldsAnswer) -> Page {
    let names: Vec<&str> = answer.names().collect();
    let facts = &answer.facts;
    let title = if facts.scenario.is_empty() {
        "A simulated world"
    } else {
        &facts.scenario
    };
    let front = front_plot(answer);
    let has_front = front.is_some();
    let mut page = Page::new(format!("{title} under {}", names.join(", ")))
        .answer(answer.answer())
        .headlines(headlines(answer))
        .picture(front.unwrap_or_else(|| wait_plot(answer)));
    if !facts.about.is_empty() {
        page = page.lead(facts.about.as_str());
    }
    page = page.section(result_section(answer));
    if names.len() > 1 {
        let front = Section::new("The front of waiting, quality and retention");
        page = page.section(front.table(answer.front_table()));
    }
    page.section(
        Section::new("Waits")
            .plots(has_front.then(|| wait_plot(answer)))
            .table(answer.wait_table()),
    )
    .section(quality_section(answer))
    .section(day_section(answer))
    .section(fair_section(answer))
    .section(Section::new("Forecasts").plot(forecast_plot(answer)))
    .files_section(files(answer))
}

fn files(answer: &WorldsAnswer) -> Vec<(&'static str, &'static str)> {
    let mut files = vec![("Everything, as JSON", "simulation.json")];
    if answer.has_log() {
        files.push(("Every ticket, as `matchwright replay` reads it", "tickets.jsonl"));
        files.push(("Every match, with true skills", "matches.csv"));
    }
    files.push(("Version, command, seed, configuration, hashes", "manifest.json"));
    files
}

fn headlines(answer: &WorldsAnswer) -> Vec<Headline> {
    let figures = if answer.facts.policies.len() > 1 {
        [Figure::Cost, Figure::Cost]
    } else {
        [Figure::Cost, Figure::Wait90]
    };
    let mut all = Vec::new();
    for (place, name) in answer.names().enumerate().take(4) {
        let figures = if answer.facts.policies.len() > 1 {
            &figures[..1]
        } else {
            &figures[..]
        };
        for figure in figures {
            let Some(one) = answer.figure(*figure) else {
                continue;
            };
            let line = format!("{} under {}", figure.words().to_lowercase(), quoted(name));
            let mean = one.means.get(place).copied().flatten();
            all.extend(mean.map(|mean| Headline::new(brief(mean.mean, 4), figure.unit(), line.as_str())));
            let open = one.open.get(place).and_then(Option::as_ref);
            all.extend(open.map(|why| Headline::new("open", "", format!("{line}: {why}"))));
        }
    }
    all
}

fn result_section(answer: &WorldsAnswer) -> Section {
    let facts = &answer.facts;
    let lines = facts.lines().into_iter().map(|line| line + ".");
    let section = Section::new("What came out").open();
    let mut section = lines.fold(section, Section::paragraph);
    for words in answer.clear_in_words() {
        section = section.callout(Callout::Note, words);
    }
    section
        .tables(answer.tables())
        .attach(answer.difference_numbers())
}

/// Mismatch against waiting, a point for each policy and for hindsight; none of a single point.
fn front_plot(answer: &WorldsAnswer) -> Option<Plot> {
    let mean = |figure: Figure, policy: usize| {
        let means = &answer.figure(figure)?.means;
        means.get(policy).copied().flatten()
    };
    let plot = Plot::new("Mismatch against waiting")
        .caption("Each point is a policy, its mean over the worlds; bars are standard errors of the mismatch. Down and to the left is better.")
        .x(Axis::new("Mean wait").unit("s"))
        .y(Axis::new(Figure::Mismatch.words()));
    let plot = answer.names().enumerate().fold(plot, |plot, (policy, name)| {
        let point = mean(Figure::WaitMean, policy).zip(mean(Figure::Mismatch, policy));
        let point = point
            .map(|(wait, mismatch)| Point::with_error(wait.mean, mismatch.mean, mismatch.standard_error));
        plot.series(Series::points(name, point).labels([name]))
    });
    let plot = answer
        .hindsight_points()
        .into_iter()
        .fold(plot, |plot, (name, wait, mismatch)| {
            plot.series(Series::points(name.as_str(), [Point::new(wait, mismatch)]).labels([name.as_str()]))
        });
    let points = answer.facts.policies.len() + answer.hindsight_points().len();
    (points > 1).then_some(plot)
}

/// A line for each policy.
fn lines(answer: &WorldsAnswer, plot: Plot, points: impl Fn(&Pooled<'_>) -> Vec<Point>) -> Plot {
    let all = answer.pooled();
    all.iter().fold(plot, |plot, (name, pooled)| {
        plot.series(Series::line(*name, points(pooled)))
    })
}

fn wait_plot(answer: &WorldsAnswer) -> Plot {
    let plot = Plot::new("Waits")
        .caption("How many of all tickets had a match within that time; the mean over the worlds of each quantile. The others left, declined, were refused or still wait. The longest hundredth is left out.")
        .x(Axis::new("Wait").unit("s"))
        .y(Axis::new("Tickets").unit("%").range(0.0, 100.0));
    lines(answer, plot, |pooled| {
        let points = pooled.wait_curve().into_iter().enumerate().take(100);
        points
            .map(|(share, wait)| Point::new(wait, share as f64))
            .collect()
    })
}

fn quality_section(answer: &WorldsAnswer) -> Section {
    let all = answer.pooled();
    let most = all
        .iter()
        .filter_map(|(_, pooled)| pooled.curve(|one| &one.mismatch_curve).get(99).copied());
    let width = most.fold(0.0, f64::max).max(1e-9) / BINS as f64;
    let plot = Plot::new("How bad matches are")
        .caption("The share of the matches in each fortieth of the range, the worst hundredth left out.")
        .x(Axis::new("Mismatch"))
        .y(Axis::new("Matches").unit("%"));
    let plot = all.iter().fold(plot, |plot, (name, pooled)| {
        let bins = pooled.histogram(|one| &one.mismatch_curve, width, BINS);
        let points: Vec<Point> = bins
            .into_iter()
            .map(|(low, share)| Point::new(low, 100.0 * share))
            .collect();
        plot.series(Series::step(*name, points))
    });
    Section::new("Quality")
        .plot(plot)
        .plots(gold_plot(answer))
        .tables(answer.factor_table())
        .tables(answer.group_table())
}

/// How close matches were by gold, where there is any.
fn gold_plot(answer: &WorldsAnswer) -> Option<Plot> {
    let plot = Plot::new("How close matches were")
        .caption("The share of matches in which the area under the gold lead since it was last 0 is no larger than this: the smaller the area, the closer the match. The largest hundredth is left out.")
        .x(Axis::new("Area under the gold lead").unit("gold min"))
        .y(Axis::new("Matches").unit("%").range(0.0, 100.0));
    answer.figure(Figure::Balance)?;
    Some(lines(answer, plot, |pooled| {
        let curve = pooled.curve(|one: &Measured| &one.balance_curve);
        let points = curve.into_iter().enumerate().take(100);
        points
            .map(|(share, area)| Point::new(area, share as f64))
            .collect()
    }))
}

fn day_section(answer: &WorldsAnswer) -> Section {
    let by_hour = |title: &str, axis: Axis, of: fn(&HourMeans) -> Option<f64>| {
        let plot = Plot::new(title)
            .x(Axis::new("Hour of the day").range(0.0, 24.0))
            .y(axis);
        lines(answer, plot, |pooled| {
            let hours = pooled.hours().into_iter().enumerate();
            hours
                .filter_map(|(hour, means)| Some(Point::new(hour as f64 + 0.5, of(&means)?)))
                .collect()
        })
    };
    Section::new("Over the day").plots([
        by_hour(
            "Mean time waited, with a match or without, by the hour in which tickets come",
            Axis::new("Mean time waited").unit("s"),
            |hour| hour.wait,
        ),
        by_hour(
            "Mean mismatch by the hour in which matches are made",
            Axis::new("Mean mismatch"),
            |hour| hour.mismatch,
        ),
        by_hour(
            "Tickets by the hour in which they come",
            Axis::new("Tickets, all worlds"),
            |hour| (hour.came > 0).then_some(hour.came as f64),
        ),
    ])
}

fn fair_section(answer: &WorldsAnswer) -> Section {
    Section::new("Who wins and who loses")
        .paragraph(
            "Players who played, in fourths by true skill: even matches give each the same share of wins.",
        )
        .table(answer.games_table())
}

fn forecast_plot(answer: &WorldsAnswer) -> Plot {
    let guide = Series::line(
        "as true as foretold",
        [Point::new(0.0, 0.0), Point::new(1.0, 1.0)],
    )
    .guide();
    let plot = Plot::new("True chances against forecasts")
        .caption(format!(
            "Elo's forecast by the teams' mean ratings, in tenths, against the mean true chance of the first team's win. {}",
            answer.facts.rating_is.as_ref().map_or_else(String::new, |is| format!("{is}."))
        ).trim_end())
        .x(Axis::new("Forecast").range(0.0, 1.0))
        .y(Axis::new("True chance").range(0.0, 1.0))
        .series(guide);
    answer.pooled().iter().fold(plot, |plot, (name, pooled)| {
        let bins = pooled.forecasts();
        let points: Vec<Point> = bins
            .iter()
            .map(|bin| Point::new(bin.predicted, bin.true_chance))
            .collect();
        plot.series(Series::line_and_points(*name, points))
    })
}
