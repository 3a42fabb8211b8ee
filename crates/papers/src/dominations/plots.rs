//! The plots of DomiNations' design spotlight, each by the name of its SVG file.

use crate::dominations::printed::{CENTRE, DEFENCE_LEAD, DEFENCE_WIN};
use matchwright_report::{Axis, Plot, Point, Series};

use super::reproduction::DominationsReproduction;

pub(crate) fn dominations_plots(all: &DominationsReproduction) -> Vec<(String, Plot)> {
    let named = |name: &str, plot| (name.to_owned(), plot);
    vec![
        named("bases", bases(all)),
        named("k-by-wars", by_wars(all)),
        named("k-by-streak", by_streak(all)),
        named("k-by-glory", by_glory(all)),
        named("newcomers", newcomers(all)),
        named("pull", pull(all)),
    ]
}

pub(crate) fn bases(all: &DominationsReproduction) -> Plot {
    let ours = all
        .bases
        .iter()
        .map(|lead| Point::new(100.0 * lead.share, 100.0 * lead.win));
    Plot::new("Wins by a higher defence")
        .caption("The document prints one point of this curve.")
        .x(Axis::new("Defence higher by").unit("%"))
        .y(Axis::new("Wins").unit("%"))
        .series(Series::line_and_points("ours", ours.collect::<Vec<_>>()))
        .series(Series::points(
            "printed",
            [Point::new(100.0 * DEFENCE_LEAD, 100.0 * DEFENCE_WIN)],
        ))
}

fn k_plot(title: &str, axis: &str, points: Vec<Point>) -> Plot {
    Plot::new(title)
        .caption("Our defaults: the document describes the schedule without numbers.")
        .x(Axis::new(axis))
        .y(Axis::new("K").unit("points").range(0.0, 280.0))
        .series(Series::line_and_points("K", points))
}

pub(crate) fn by_wars(all: &DominationsReproduction) -> Plot {
    let points = all.k_by_wars.iter();
    let points = points.map(|&(wars, k)| Point::new(f64::from(wars), k)).collect();
    k_plot("K by number of wars", "Wars before", points)
}

pub(crate) fn by_streak(all: &DominationsReproduction) -> Plot {
    let points = all.k_by_streak.iter();
    let points = points
        .map(|&(streak, k)| Point::new(f64::from(streak), k))
        .collect();
    k_plot("K by streak", "Wars won (or lost, if negative) in a row", points)
}

pub(crate) fn by_glory(all: &DominationsReproduction) -> Plot {
    let points = all.k_by_glory.iter();
    k_plot(
        "K by glory",
        "Glory",
        points.map(|&(glory, k)| Point::new(glory, k)).collect(),
    )
}

pub(crate) fn newcomers(all: &DominationsReproduction) -> Plot {
    let mut plot = Plot::new("New alliances find their place")
        .caption(
            "Mean glory of the weakest and the strongest newcomers, war by war, under the schedule of K and under a constant one.",
        )
        .x(Axis::new("Wars"))
        .y(Axis::new("Glory"));
    let rows = &all.newcomers.rows;
    for row in rows.first().into_iter().chain(rows.last()) {
        let by_war = |ratings: &[f64]| {
            let points = ratings.iter().enumerate();
            points
                .map(|(war, glory)| Point::new(war as f64, *glory))
                .collect::<Vec<_>>()
        };
        let last = row.ratings_scheduled.len().saturating_sub(1) as f64;
        let strength = [Point::new(0.0, row.strength), Point::new(last, row.strength)];
        plot = plot
            .series(Series::line(format!("strength {}", row.strength), strength).guide())
            .series(Series::line(
                format!("{}, schedule", row.strength),
                by_war(&row.ratings_scheduled),
            ))
            .series(Series::line(
                format!("{}, constant K", row.strength),
                by_war(&row.ratings_constant),
            ));
    }
    plot
}

pub(crate) fn pull(all: &DominationsReproduction) -> Plot {
    let ends = all.pulls.first().map_or((0.0, CENTRE), |pull| {
        let last = pull.curve.last().map_or(CENTRE, |point| point.0);
        (0.0, last)
    });
    let same = [Point::new(ends.0, ends.0), Point::new(ends.1, ends.1)];
    let mut plot = Plot::new("Glory before and after the season's pull")
        .caption("All curves rise, so order is kept; the distance from the line grows away from 12,000.")
        .x(Axis::new("Glory before"))
        .y(Axis::new("Glory after"))
        .series(Series::line("no pull", same).guide());
    for pull in &all.pulls {
        let points = pull
            .curve
            .iter()
            .map(|&(before, after)| Point::new(before, after));
        plot = plot.series(Series::line(pull.name.clone(), points.collect::<Vec<_>>()));
    }
    plot
}
