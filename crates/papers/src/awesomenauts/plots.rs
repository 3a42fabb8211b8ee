//! The plots of Awesomenauts' search.

use crate::awesomenauts::{BATCH_GROUPS, Contender, GroupRow};
use crate::reproduction::{percent_point, point};
use matchwright_report::{Axis, Plot, Point, Series};
use matchwright_sim::statistics::Estimate;

use super::search::{BatchesReport, RaceReport, RestartsReport};

pub(crate) fn race(report: &RaceReport) -> Plot {
    let plot = Plot::new("Below the bound, by evaluations")
        .caption("Mean over pools of what a search misses of the proven bound; no search need be able to reach 0. Bars: standard errors.")
        .x(Axis::new("Evaluations").log10())
        .y(Axis::new("Below the bound").unit("%"))
        .file("equal-evaluations");
    Contender::ALL.into_iter().fold(plot, |plot, contender| {
        let rows = report.rows.iter().filter(|row| row.contender == contender);
        let points = rows.map(|row| percent_point(row.evaluations as f64, row.gap));
        plot.series(Series::line_and_points(contender.words(), points))
    })
}

pub(crate) fn restarts(report: &RestartsReport) -> Plot {
    let by_number = report.by_number.iter();
    let points = by_number.map(|point| Point::new(point.starts as f64, point.total.mean));
    let last = report.config.starts as f64;
    let level = |value: f64| [1.0, last].map(|starts| Point::new(starts, value));
    let best = report.by_number.last().map_or(f64::NAN, |point| point.total.mean);
    Plot::new("The best of n starts")
        .caption(
            "Mean quality of a match. Our annealing: a million exchanges, the work of some seven starts.",
        )
        .x(Axis::new("Starts").log10())
        .y(Axis::new("Mean quality"))
        .series(Series::line_and_points("best of n", points))
        .series(Series::line("our annealing", level(best + report.ours_over_many.mean)).dashed())
        .series(Series::line("upper bound", level(report.bound.mean)).guide())
        .file("restarts")
}

fn by_group(report: &BatchesReport, plot: Plot, value: fn(&GroupRow) -> Estimate) -> Plot {
    let plot = plot.x(Axis::new("Players of a batch"));
    BATCH_GROUPS
        .into_iter()
        .enumerate()
        .fold(plot, |plot, (k, group)| {
            let rows = report.rows.iter();
            let points = rows.map(|row| point(row.size as f64, value(&row.groups[k])));
            plot.series(Series::line_and_points(group, points))
        })
}

pub(crate) fn batches_ping(report: &BatchesReport) -> Plot {
    let plot = Plot::new("Pings by the size of a batch")
        .caption("Mean ping of a player with the three opponents. Bars: standard errors over streams.")
        .y(Axis::new("Ping with opponents").unit("ms"))
        .file("batches-ping");
    by_group(report, plot, |group| group.ping)
}

pub(crate) fn batches_quality(report: &BatchesReport) -> Plot {
    let plot = Plot::new("Quality by the size of a batch")
        .caption(
            "Mean quality of a player's match under all six factors. Bars: standard errors over streams.",
        )
        .y(Axis::new("Quality"))
        .file("batches-quality");
    by_group(report, plot, |group| group.quality)
}
