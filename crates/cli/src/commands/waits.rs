//! Waits as a table, of replays and of simulations.

use matchwright_report::{Column, Table};
use matchwright_sim::replay::GroupWaits;

/// The waits of each group of tickets under each policy, which is named before them.
pub(super) fn wait_table<'w>(
    caption: impl Into<String>,
    rows: impl IntoIterator<Item = (&'w str, &'w GroupWaits)>,
) -> Table {
    Table::of(caption, rows)
        .column(Column::text("Policy"), |(name, _)| name)
        .column(Column::text("Tickets of"), |(_, waits)| waits.group.as_str())
        .column(Column::integer("Tickets"), |(_, waits)| waits.tickets)
        .column(Column::number("Mean", 1).unit("s"), |(_, waits)| waits.mean)
        .column(Column::number("50 %", 1).unit("s"), |(_, waits)| waits.median)
        .column(Column::number("90 %", 1).unit("s"), |(_, waits)| waits.q90)
        .column(Column::number("99 %", 1).unit("s"), |(_, waits)| waits.q99)
        .column(Column::number("Longest", 1).unit("s"), |(_, waits)| waits.longest)
        .build()
        .file("waits")
}
