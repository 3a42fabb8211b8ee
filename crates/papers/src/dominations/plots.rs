//! The plots of DomiNations' design spotlight.

use crate::dominations::printed::{CENTRE, DEFENCE_LEAD, DEFENCE_WIN};
use crate::reproduction::by_game;
use matchwright_report::{Axis, Plot, Point, Series, decimal};

use super::NewcomerReport;
use super::reproduction::{Lead, Pull};

pub(crate) fn bases(leads: &[Lead]) -> Plot {
    let ours = leads
        .iter()
        .map(|lead| Point::new(100.0 * lead.share, 100.0 * lead.win));
    let published = Point::new(100.0 * DEFENCE_LEAD, 100.0 * DEFENCE_WIN);
    Plot::new("Wins by a higher defence")
        .caption("The document prints one point of this curve.")
        .x(Axis::new("Defence higher by").unit("%"))
        .y(Axis::new("Wins").unit("%"))
        .series(Series::line_and_points("ours", ours))
        .series(Series::points("published", [published]))
        .file("bases")
}

/// K by `axis`, which is written to `file`.
pub(crate) fn k<X: Copy + Into<f64>>(title: &str, axis: &str, by: &[(X, f64)], file: &str) -> Plot {
    Plot::new(title)
        .caption("Our defaults: the document describes the schedule without numbers.")
        .x(Axis::new(axis))
        .y(Axis::new("K").unit("points").range(0.0, 280.0))
        .series(Series::step(
            "K",
            by.iter().map(|&(x, k)| Point::new(x.into(), k)),
        ))
        .file(file)
}

pub(crate) fn newcomers(report: &NewcomerReport) -> Plot {
    let plot = Plot::new("New alliances approach their strength")
        .caption(
            "Mean glory of the weakest and the strongest newcomers, war by war, under the schedule of K and under a constant one.",
        )
        .x(Axis::new("Wars"))
        .y(Axis::new("Glory"))
        .file("newcomers");
    let ends = report.rows.first().into_iter().chain(report.rows.last());
    ends.fold(plot, |plot, row| {
        let last = row.ratings_scheduled.len().saturating_sub(1) as f64;
        let strength = [0.0, last].map(|war| Point::new(war, row.strength));
        let (scheduled, constant) = (by_game(&row.ratings_scheduled), by_game(&row.ratings_constant));
        let name = decimal(row.strength, 0);
        plot.series(Series::line(format!("strength {name}"), strength).guide())
            .series(Series::line(format!("{name}, schedule"), scheduled))
            .series(Series::line(format!("{name}, constant K"), constant))
    })
}

pub(crate) fn pull(pulls: &[Pull]) -> Plot {
    let last = pulls.first().and_then(|pull| pull.curve.last());
    let end = last.map_or(CENTRE, |point| point.0);
    let same = [0.0, end].map(|glory| Point::new(glory, glory));
    let plot = Plot::new("Glory before and after the season's pull")
        .caption("All curves rise, so order is kept; the distance from the line grows away from 12,000.")
        .x(Axis::new("Glory before"))
        .y(Axis::new("Glory after"))
        .series(Series::line("no pull", same).guide())
        .file("pull");
    pulls.iter().fold(plot, |plot, pull| {
        let curve = pull.curve.iter();
        let points = curve.map(|&(before, after)| Point::new(before, after));
        plot.series(Series::line(pull.name.clone(), points))
    })
}
