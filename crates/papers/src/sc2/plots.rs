//! The plots of the ladder of StarCraft II, each by the name of its SVG file.

use matchwright_report::{Axis, Plot, Point, Series};

use super::reproduction::Sc2Reproduction;

pub(crate) fn sc2_plots(all: &Sc2Reproduction) -> Vec<(String, Plot)> {
    let rows = all.ladders.usual.pool.iter().filter(|row| row.players > 0);
    let error = rows.map(|row| {
        let root = (row.squares / f64::from(row.players)).sqrt();
        // The last row has no upper end.
        Point::new(row.up_to.min(2_000.0), root)
    });
    let worth = |value: fn(&super::reproduction::Corrected) -> Option<f64>| -> Vec<Point> {
        let rows = all.corrected.iter();
        rows.filter_map(|row| Some(Point::new(100.0 * row.share, value(row)?)))
            .collect()
    };
    vec![
        (
            "pool".to_owned(),
            Plot::new("Error of Pp by unspent bonus")
                .x(Axis::new("Unspent bonus, up to").unit("points"))
                .y(Axis::new("Root mean square error").unit("points"))
                .series(Series::line_and_points(
                    "Pp less the rating of now",
                    error.collect::<Vec<_>>(),
                )),
        ),
        (
            "spent".to_owned(),
            Plot::new("What 1,000 unspent points bring")
                .x(Axis::new("Games won").unit("%"))
                .y(Axis::new("Points"))
                .series(Series::line("2 U W", worth(|row| Some(row.seed))))
                .series(Series::line("spent, win = loss", worth(|row| row.equal)))
                .series(Series::line("spent, 13 and 11 points", worth(|row| row.observed))),
        ),
    ]
}
