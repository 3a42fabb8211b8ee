//! The plots of the ladder of StarCraft II.

use matchwright_report::{Axis, Plot, Point, Series};

use super::PoolErrors;
use super::reproduction::{Corrected, Sc2Reproduction};

pub(crate) fn pool(all: &Sc2Reproduction) -> Plot {
    let errors = |error: fn(&PoolErrors) -> f64| {
        let rows = all.ladders.usual.pool.iter().filter(|row| row.players > 0);
        // The last row has no upper end.
        rows.map(move |row| Point::new(row.up_to.min(2_000.0), row.mean(error).mean))
    };
    Plot::new("Error by unspent bonus, twenty games later")
        .x(Axis::new("Unspent bonus, up to").unit("points"))
        .y(Axis::new("Root mean square error").unit("points"))
        .series(Series::line_and_points(
            "P + 2 U W - B",
            errors(|error| error.published),
        ))
        .series(Series::line_and_points("P + U - B", errors(|error| error.now)))
        .file("pool")
}

pub(crate) fn spent(corrected: &[Corrected]) -> Plot {
    let worth = |value: fn(&Corrected) -> Option<f64>| {
        let rows = corrected.iter();
        rows.filter_map(move |row| Some(Point::new(100.0 * row.share, value(row)?)))
    };
    Plot::new("What 1,000 unspent points bring")
        .caption("U: unspent bonus points, here 1,000; W: share of games won. The source's rule is 2 U W; the other lines are what a player gains who spends the pool with that share of wins.")
        .x(Axis::new("Games won").unit("%"))
        .y(Axis::new("Worth of the unspent points").unit("rating points"))
        .series(Series::line("2 U W", worth(|row| Some(row.published))))
        .series(Series::line("spent, win = loss", worth(|row| row.equal)))
        .series(Series::line("spent, 13 and 11 points", worth(|row| row.observed)))
        .file("spent")
}
