//! Times as tables and people have them.

use matchwright_import::TimeUnit;
use matchwright_report::{Cell as TableCell, utc_time};

/// A time in a table: a date, or the index that it was read from.
pub(crate) fn time_cell(unit: Option<TimeUnit>, seconds: i64) -> TableCell {
    match unit {
        Some(TimeUnit::Index) => TableCell::Text(seconds.to_string()),
        _ => TableCell::Time(seconds),
    }
}

/// A time as people see it: a date, or the index that it was read from.
pub(crate) fn shown_time(unit: Option<TimeUnit>, seconds: i64) -> String {
    if unit == Some(TimeUnit::Index) {
        seconds.to_string()
    } else {
        utc_time(seconds)
    }
}
