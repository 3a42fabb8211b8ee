//! The plots of Awesomenauts' search, each by the name of its SVG file.

use crate::awesomenauts::{BATCH_GROUPS, Contender, GroupRow};
use matchwright_report::{Axis, Plot, Point, Series};
use matchwright_sim::statistics::Estimate;

use super::reproduction::AwesomenautsReproduction;

pub(crate) fn awesomenauts_plots(all: &AwesomenautsReproduction) -> Vec<(String, Plot)> {
    let named = |name: &str, plot| (name.to_owned(), plot);
    vec![
        named("equal-evaluations", race(all)),
        named("restarts", restarts(all)),
        named("batches-ping", batches_ping(all)),
        named("batches-quality", batches_quality(all)),
    ]
}

fn point(x: f64, y: &Estimate) -> Point {
    Point::with_error(x, y.mean, y.standard_error)
}

pub(crate) fn race(all: &AwesomenautsReproduction) -> Plot {
    let mut plot = Plot::new("Below the bound, by evaluations")
        .caption("Mean over pools of what a search misses of the proven bound; nobody can reach 0. Bars: standard errors.")
        .x(Axis::new("Evaluations").log10())
        .y(Axis::new("Below the bound").unit("%"));
    for contender in Contender::ALL {
        let rows = all.race.rows.iter().filter(|row| row.contender == contender);
        let points = rows.map(|row| {
            Point::with_error(
                row.evaluations as f64,
                100.0 * row.gap.mean,
                100.0 * row.gap.standard_error,
            )
        });
        plot = plot.series(Series::line_and_points(
            contender.words(),
            points.collect::<Vec<_>>(),
        ));
    }
    plot
}

pub(crate) fn restarts(all: &AwesomenautsReproduction) -> Plot {
    let report = &all.restarts;
    let points = report.by_number.iter();
    let points = points.map(|point| Point::new(point.starts as f64, point.total.mean));
    let last = report.config.starts as f64;
    let level = |value: f64| [Point::new(1.0, value), Point::new(last, value)];
    let best = report.by_number.last().map_or(f64::NAN, |point| point.total.mean);
    Plot::new("The best of so many starts")
        .caption(
            "Mean quality of a match. Our annealing: a million exchanges, the work of some seven starts.",
        )
        .x(Axis::new("Starts").log10())
        .y(Axis::new("Total"))
        .series(Series::line_and_points(
            "best of so many",
            points.collect::<Vec<_>>(),
        ))
        .series(Series::line("our annealing", level(best + report.ours_over_many.mean)).dashed())
        .series(Series::line("bound", level(report.bound.mean)).guide())
}

fn batches(all: &AwesomenautsReproduction, plot: Plot, value: impl Fn(&GroupRow) -> Estimate) -> Plot {
    (0..BATCH_GROUPS.len()).fold(plot, |plot, group| {
        let rows = all.batches.rows.iter();
        let points = rows.map(|row| point(row.size as f64, &value(&row.groups[group])));
        plot.series(Series::line_and_points(
            BATCH_GROUPS[group],
            points.collect::<Vec<_>>(),
        ))
    })
}

pub(crate) fn batches_ping(all: &AwesomenautsReproduction) -> Plot {
    let plot = Plot::new("Pings by the size of a batch")
        .caption("Mean ping of a player with his three enemies. Bars: standard errors over streams.")
        .x(Axis::new("Players of a batch"))
        .y(Axis::new("Ping with enemies").unit("ms"));
    batches(all, plot, |row| row.ping)
}

pub(crate) fn batches_quality(all: &AwesomenautsReproduction) -> Plot {
    let plot = Plot::new("Quality by the size of a batch")
        .caption(
            "Mean quality of a player's match under all six factors. Bars: standard errors over streams.",
        )
        .x(Axis::new("Players of a batch"))
        .y(Axis::new("Quality"));
    batches(all, plot, |row| row.quality)
}
