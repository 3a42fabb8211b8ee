//! What plain numbers mean as times.

use jiff::civil::Date;
use jiff::tz::TimeZone;

const DAY: f64 = 86_400.0;
/// From 1899-12-30.
const TO_1970: f64 = 25_569.0;

/// What plain numbers in the column of times mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds since 1970-01-01 UTC.
    Seconds,
    /// Milliseconds since 1970-01-01 UTC, or since any beginning.
    Milliseconds,
    /// Days since 1970-01-01 UTC.
    Days,
    /// Calendar years: 1995 is its first of January, 1995.5 its middle.
    Years,
    /// Days since 1899-12-30, as spreadsheets count them: 45413 is 2024-05-01.
    Excel,
    /// The order alone: matches a second apart, so that next to no time passes between them.
    Index,
}

impl TimeUnit {
    /// All, by the names that `--time-unit` has for them.
    pub const ALL: [(&'static str, &'static str, Self); 6] = [
        ("seconds", "Seconds since 1970-01-01 UTC", Self::Seconds),
        (
            "milliseconds",
            "Milliseconds since 1970-01-01 UTC",
            Self::Milliseconds,
        ),
        (
            "days",
            "Days since 1970-01-01 UTC; any numbered days or rounds",
            Self::Days,
        ),
        (
            "years",
            "Calendar years: 1995 is 1995-01-01, 1995.5 the middle of that year",
            Self::Years,
        ),
        (
            "excel",
            "Days since 1899-12-30, as spreadsheets count them: 45413.5 is noon of 2024-05-01",
            Self::Excel,
        ),
        (
            "index",
            "Order alone: no time passes between matches",
            Self::Index,
        ),
    ];

    /// Those that tell how much time passes.
    pub const SPANS: [(&'static str, &'static str, Self); 5] = [
        Self::ALL[0],
        Self::ALL[1],
        Self::ALL[2],
        Self::ALL[3],
        Self::ALL[4],
    ];

    /// As on a command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|(.., unit)| *unit == self);
        known.map_or("", |(name, ..)| name)
    }

    /// Unix seconds of a number of this unit.
    pub(super) fn seconds(self, number: f64) -> f64 {
        match self {
            Self::Seconds | Self::Index => number,
            Self::Milliseconds => number / 1000.0,
            Self::Days => number * DAY,
            Self::Years => seconds_of_year(number),
            Self::Excel => (number - TO_1970) * DAY,
        }
    }
}

/// A whole year is its first of January, a fraction is that of the year's own length; infinite beyond the calendar.
fn seconds_of_year(number: f64) -> f64 {
    let start = |year: f64| {
        let year = format!("{year}").parse().ok();
        let date = year.and_then(|year| Date::new(year, 1, 1).ok());
        let midnight = date.and_then(|date| date.to_zoned(TimeZone::UTC).ok());
        midnight.map_or(f64::INFINITY, |midnight| midnight.timestamp().as_second() as f64)
    };
    let (year, part) = (number.floor(), number - number.floor());
    match start(year) {
        begin if part > 0.0 => begin + part * (start(year + 1.0) - begin),
        begin => begin,
    }
}
