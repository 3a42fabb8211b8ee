//! Waits as a table, of replays and of simulations.

use matchwright_report::{Cell, Column, Table};
use matchwright_sim::replay::GroupWaits;

/// A count of tickets of a group.
type Count = fn(&GroupWaits) -> usize;

/// How many tickets of a group have no match, by the reason.
const LOST: [(&str, Count); 4] = [
    ("Left", |waits| waits.left),
    ("Declined", |waits| waits.declined),
    ("Waiting", |waits| waits.waiting),
    ("Refused", |waits| waits.refused),
];

/// The waits of each group of tickets under each policy, which is named before them.
pub(super) fn wait_table<'w>(
    caption: impl Into<String>,
    rows: impl IntoIterator<Item = (&'w str, &'w GroupWaits)>,
) -> Table {
    let rows: Vec<(&str, &GroupWaits)> = rows.into_iter().collect();
    // Not every queue asks for acceptance or refuses.
    let is_shown = |name: &str, count: Count| {
        ["Left", "Waiting"].contains(&name) || rows.iter().any(|(_, waits)| count(waits) > 0)
    };
    let lost: Vec<_> = LOST.into_iter().filter(|one| is_shown(one.0, one.1)).collect();
    let share = |count: usize, waits: &GroupWaits| count as f64 / waits.tickets.max(1) as f64;
    Table::of(caption, rows)
        .column(Column::text("Policy"), |(name, _)| name)
        .column(Column::text("Tickets of"), |(_, waits)| waits.group.as_str())
        .column(Column::integer("Tickets"), |(_, waits)| waits.tickets)
        .columns(
            0..lost.len(),
            |at| Column::percent(lost[at].0, 1),
            |(_, waits), at| share(lost[at].1(waits), waits),
        )
        .column(Column::number("Mean", 1).unit("s"), |(_, waits)| waits.mean)
        .column(Column::number("50 %", 1).unit("s"), |(_, waits)| wait(waits.median))
        .column(Column::number("90 %", 1).unit("s"), |(_, waits)| wait(waits.q90))
        .column(Column::number("99 %", 1).unit("s"), |(_, waits)| wait(waits.q99))
        .column(Column::number("Longest", 1).unit("s"), |(_, waits)| waits.longest)
        .build()
        .file("waits")
        .note(
            "Of all tickets. Below 90 % is the wait within which nine in ten had a match; it is open where more than a \
             tenth left, declined, still wait or were refused. Mean and longest: time waited, with a match or without, of those that were \
             not refused.",
        )
}

/// A wait, or that it is open.
fn wait(seconds: Option<f64>) -> Cell {
    seconds.map_or_else(|| Cell::from("open"), Cell::from)
}
