//! The tables of DomiNations' design spotlight.

use crate::dominations::printed::{CENTRE, DEFENCE_LEAD, DEFENCE_WIN, TOP, TOP_AFTER};
use crate::reproduction::{difference, estimate};
use matchwright_report::{Cell, Column, Table, count};

use super::reproduction::{DominationsReproduction, Pull};
use super::{InflationRow, NewcomerReport};

/// Wars of the document's example of a new alliance.
const NEW: u32 = 2;
/// The fewest results in a row that are several.
const SEVERAL: u32 = 3;

/// What the document prints, all of it.
pub(crate) fn printed(all: &DominationsReproduction) -> Table {
    let win = all.bases.iter().find(|lead| lead.share == DEFENCE_LEAD);
    let win = 100.0 * win.map_or(f64::NAN, |lead| lead.win);
    let wins = "wins with a defence 10 % higher, %".to_owned();
    let mut rows = vec![(wins, 100.0 * DEFENCE_WIN, win)];
    if let Some(pull) = all.pulls.first() {
        let (before, after) = (pull.top_before, pull.top_after);
        let worst = format!("worst of the top {TOP} after it, from {}", before.0);
        let best = format!("best of the top {TOP} after it, from {}", before.1);
        rows.extend([
            ("centre of the pull".to_owned(), CENTRE, pull.params.centre),
            (worst, TOP_AFTER.0, after.0),
            (best, TOP_AFTER.1, after.1),
        ]);
    }
    Table::of("All figures that the document prints of ratings", &rows)
        .column(Column::text("What"), |(what, ..)| what)
        .column(Column::number("Published", 1), |(_, published, _)| *published)
        .column(Column::number("Ours", 1), |(.., ours)| *ours)
        .column(Column::number("Difference", 1), |(_, published, ours)| {
            ours - published
        })
        .build()
        .note("The document says “mid 17,000s” for the best. What the top hundred had before is not printed.")
        .file("printed")
}

pub(crate) fn bases(all: &DominationsReproduction) -> Table {
    Table::of("A higher defence, all else equal", &all.bases)
        .column(Column::percent("Higher by", 0), |lead| lead.share)
        .column(Column::percent("Published: wins", 0), |lead| {
            (lead.share == DEFENCE_LEAD).then_some(DEFENCE_WIN)
        })
        .column(Column::percent("Ours", 2), |lead| lead.win)
        .column(Column::percent("Difference", 2), |lead| {
            (lead.share == DEFENCE_LEAD).then_some(lead.win - DEFENCE_WIN)
        })
        .column(Column::percent("Other side", 2), |lead| lead.reverse)
        .column(Column::percent("Both, with (A-B)/B", 2), |lead| lead.naive_sum)
        .column(Column::text("A good match"), |lead| if lead.good { "yes" } else { "no" })
        .build()
        .note(format!(
            "A^k / (A^k + B^k) with k = {:.4}. A percentage as (A-B)/B, through the same point, gives the two sides chances that do not sum to 100 %. Good up to {} % is our choice; the document says that 10 % is not.",
            all.base_odds.exponent,
            100.0 * all.base_odds.good_delta
        ))
        .file("bases")
}

/// K by something: `published` has the document's word for a row.
fn k_table<X: Copy + Into<Cell>>(
    (caption, file): (&str, &str),
    (column, by): (Column, &[(X, f64)]),
    settled: f64,
    published: impl Fn(X) -> &'static str,
    document: &str,
) -> Table {
    Table::of(caption, by.iter().copied())
        .column(column, |(x, _)| x)
        .column(Column::text("Published"), |(x, _)| published(x))
        .column(Column::number("Our K", 0), |(_, k)| k)
        .column(Column::number("beside the settled K", 2), |(_, k)| k / settled)
        .build()
        .note(format!(
            "Published: {document} No number is printed, nor where it ends or begins; ours are defaults."
        ))
        .file(file)
}

pub(crate) fn by_wars(all: &DominationsReproduction) -> Table {
    k_table(
        ("K by number of wars", "k-by-wars"),
        (Column::integer("Wars before"), &all.k_by_wars),
        all.dom.k,
        |wars| if wars <= NEW { "higher" } else { "" },
        "new alliances, such as one with two wars, have a higher K for the first several.",
    )
}

pub(crate) fn by_streak(all: &DominationsReproduction) -> Table {
    let column = Column::integer("Wars won (or lost, if negative) in a row");
    let several = |streak: i32| streak.unsigned_abs() >= SEVERAL;
    k_table(
        ("K by streak", "k-by-streak"),
        (column, &all.k_by_streak),
        all.dom.k,
        |streak: i32| if several(streak) { "changed" } else { "" },
        "winning or losing several in a row changes K.",
    )
}

pub(crate) fn by_glory(all: &DominationsReproduction) -> Table {
    k_table(
        ("K by glory", "k-by-glory"),
        (Column::number("Glory", 0), &all.k_by_glory),
        all.dom.k,
        |glory| if glory >= TOP_AFTER.0 { "another" } else { "" },
        "alliances of particularly high glory have another K, without streaks; here those of the range of the top hundred.",
    )
}

pub(crate) fn newcomers(report: &NewcomerReport) -> Table {
    let start = report.config.dom.initial;
    // A newcomer who starts at the true strength is half way at once.
    let unless_there = |strength: f64, cell: Cell| (strength != start).then_some(cell);
    Table::of("New alliances under the schedule and under one K", &report.rows)
        .column(Column::number("Strength", 0), |row| row.strength)
        .column(Column::text("Published"), |row| {
            if row.strength > start {
                return "leave the low pool sooner";
            }
            if row.strength < start { "find a win sooner" } else { "" }
        })
        .column(Column::number("Wars to half way, schedule", 2), |row| {
            unless_there(row.strength, estimate(row.half_scheduled))
        })
        .column(Column::number("constant K", 2), |row| {
            unless_there(row.strength, estimate(row.half_constant))
        })
        .column(Column::number("Difference", 2), |row| {
            unless_there(row.strength, difference(row.half_difference))
        })
        .column(Column::number("Wars to the first win, schedule", 2), |row| estimate(row.win_scheduled))
        .column(Column::number("constant K ", 2), |row| estimate(row.win_constant))
        .column(Column::number("Difference ", 2), |row| difference(row.win_difference))
        .build()
        .note(format!(
            "{} generated newcomers of each strength start at {start} and meet settled alliances rated like themselves; constant K {}. Half way: from the start to the strength. Differences are paired: both systems share each newcomer's luck. A newcomer who is not there after {} wars counts with one more.",
            count(report.config.climb.newcomers.into()),
            report.constant_k,
            report.config.climb.games
        ))
        .file("newcomers")
}

pub(crate) fn wander(report: &NewcomerReport) -> Table {
    let names = [
        "the schedule".to_owned(),
        format!("K {} for all", report.constant_k),
        format!("K {} for all", report.config.dom.newcomer_k),
    ];
    Table::of("What a large K for all would cost", names.iter().zip(report.wander))
        .column(Column::text("Under"), |(name, _)| name)
        .column(Column::number("Glory off strength", 0), |(_, distance)| distance)
        .build()
        .note(format!(
            "Root mean square distance of glory and strength in the second half of {} wars of an average alliance.",
            report.config.climb.games
        ))
        .file("wander")
}

pub(crate) fn pull(pulls: &[Pull]) -> Table {
    let before = pulls.first().map_or(&[][..], |pull| &pull.curve[..]);
    let settings = pulls.iter().map(|pull| {
        format!(
            "{}: keep {:.3}, hardening {:.2e} (takes {:.0} to {:.0} into {:.0} to {:.0})",
            pull.name,
            pull.params.keep,
            pull.params.hardening,
            pull.top_before.0,
            pull.top_before.1,
            pull.top_after.0,
            pull.top_after.1
        )
    });
    let table = Table::of("The season's pull towards 12,000", before.iter().enumerate())
        .column(Column::number("Glory before", 0), |(_, point)| point.0);
    let table = pulls.iter().fold(table, |table, pull| {
        let after = Column::number(format!("after, {}", pull.name), 0);
        let pulled = Column::number("pulled", 0);
        table
            .column(after, |(k, _)| pull.curve[k].1)
            .column(pulled, |(k, point)| pull.curve[k].1 - point.0)
    });
    table
        .build()
        .note(format!(
            "Published: harder further away, order kept, the top hundred at 15,000 to the middle of the 17,000s. {}.",
            settings.collect::<Vec<_>>().join("; ")
        ))
        .file("pull")
}

pub(crate) fn inflation(rows: &[InflationRow]) -> Table {
    Table::of("Points made and destroyed in a closed world", rows)
        .column(Column::number("Newcomers stronger by", 0), |row| row.newcomer_lead)
        .column(Column::text("K of a war"), |row| row.system)
        .column(Column::integer("Wars"), |row| row.games)
        .column(Column::number("Points made", 0), |row| row.made)
        .column(Column::number("destroyed", 0), |row| row.destroyed)
        .column(Column::number("net a war", 3), |row| row.net_per_game)
        .column(Column::number("off the ratings by", 3), |row| row.made - row.destroyed - row.change)
        .column(Column::number("Mean glory at the end", 0), |row| row.mean)
        .build()
        .note("Where the two sides' K differ, a war makes or destroys (K_A - K_B)(S - E) points; one K for both only moves them. The document does not speak of it. Off the ratings: the sum of these less the change of all ratings.")
        .file("inflation")
}
