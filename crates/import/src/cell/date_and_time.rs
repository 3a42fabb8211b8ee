//! A date in one column and a time of day in another: joined, or refused where they contradict each other.

use jiff::tz::TimeZone;

use crate::cell::nobody::is_nobody;
use crate::cell::spelling::{HOUR, clock, month_of, without_ordinal};
use crate::cell::time::{TimeError, TimeReader};
use crate::cell::time_unit::TimeUnit;
use crate::column_names::{called, plain};
use crate::text::shown;

/// What columns of dates are called. Here and below letters are small, and `_` stands for what is neither letter nor
/// digit.
const DATES: [&str; 8] = [
    "date",
    "match_date",
    "game_date",
    "utc_date",
    "utcdate",
    "played_on",
    "gameday",
    "datum",
];
/// What columns of times of day are called beside one of dates, where none is called `time`.
const CLOCKS: [&str; 11] = [
    "utc_time",
    "utctime",
    "time_of_day",
    "start_time",
    "end_time",
    "kickoff",
    "kick_off",
    "kickoff_time",
    "kick_off_time",
    "gametime",
    "uhrzeit",
];

const DAY: i64 = 24 * HOUR;
/// A local day begins at most `EAST` before the day of UTC, and ends at most `WEST` after it.
const EAST: i64 = 14 * HOUR;
const WEST: i64 = 12 * HOUR;

/// The column of dates beside the one that is taken for the times.
pub(crate) fn date_beside<'a>(names: impl Iterator<Item = &'a str>, time: &str) -> Option<&'a str> {
    let time = plain(time);
    if DATES.contains(&&*time) {
        return None;
    }
    let is_utc = |name: &str| name.starts_with("utc");
    let date = |name: &'a str| {
        let called = plain(name);
        let place = DATES.iter().position(|date| *date == called)?;
        Some(((is_utc(&called) != is_utc(&time), place), name))
    };
    names.filter_map(date).min().map(|(_, name)| name)
}

/// A column of times of day, where another one has dates and none is called `time`.
pub(crate) fn time_of_day(names: &[String]) -> Option<&str> {
    let called = |wanted: &&str| called(names, wanted);
    DATES.iter().find_map(called)?;
    CLOCKS.iter().find_map(called)
}

/// What a column of dates says of the time beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside<'a> {
    /// A time that is complete must be on this date.
    Checked(&'a str),
    /// The user chose the column of times: the date is for times of day alone.
    Chosen(&'a str),
}

impl<'a> Beside<'a> {
    const fn text(self) -> &'a str {
        match self {
            Self::Checked(text) | Self::Chosen(text) => text,
        }
    }
}

impl TimeReader {
    /// Milliseconds of a time whose date may stand in a column of its own.
    pub(crate) fn read_beside(&self, date: Option<Beside<'_>>, time: &str) -> Result<i64, TimeError> {
        let refuse = |what: String| Err(TimeError::Unreadable(what));
        let date = date.filter(|date| !date.text().is_empty() && !is_nobody(date.text()));
        let clock = clock(time);
        match (date, clock) {
            (None, None) => self.read_millis(time),
            (None, Some(_)) => refuse(format!(
                "`{}`, a time of day without its date; write both in one (2004-08-06T18:30:00), or name the column of \
                 the dates: --columns date=COLUMN",
                shown(time)
            )),
            // Where the time of day is not known the date is.
            (Some(date), None) if time.is_empty() => self.read_millis(date.text()),
            (Some(date), None) => {
                let read = self.read_millis(time)?;
                let Beside::Checked(date) = date else {
                    return Ok(read);
                };
                let is_order = self.unit() == Some(TimeUnit::Index);
                let is_other = || match self.peek(date) {
                    Ok(day) => !agree(day, read),
                    Err(_) => is_another_date(date, read),
                };
                if is_order || !is_other() {
                    return Ok(read);
                }
                refuse(format!(
                    "`{}`, and the date beside it is `{}`: two different times; say which one holds, with --columns \
                     time=COLUMN",
                    shown(time),
                    shown(date)
                ))
            }
            (Some(date), Some(clock)) => {
                let date = date.text();
                let day = match self.peek(date) {
                    Ok(day) => day,
                    Err(error @ TimeError::Open(_)) => return Err(error),
                    Err(_) => {
                        return refuse(format!(
                            "`{}` on `{}`, which is no date; write dates as 2004-08-06",
                            shown(time),
                            shown(date)
                        ));
                    }
                };
                if day.rem_euclid(DAY) == 0 {
                    return Ok(day + clock);
                }
                // A date with a time of day of its own.
                if day.rem_euclid(DAY) / 1000 == clock.rem_euclid(DAY) / 1000 {
                    return Ok(day);
                }
                refuse(format!(
                    "`{}`, and the date beside it is `{}`, with another time of day; say which one holds, with \
                     --columns time=COLUMN",
                    shown(time),
                    shown(date)
                ))
            }
        }
    }
}

/// Whether a time is on a day that begins then, somewhere on earth; or at the same second, where the date is no whole day.
fn agree(day: i64, time: i64) -> bool {
    if day.rem_euclid(DAY) == 0 {
        (day - EAST..day + DAY + WEST).contains(&time)
    } else {
        day.abs_diff(time) < 1000
    }
}

/// Whether a date in another spelling, such as `05/10/2024` or `10 May 2024`, is of another day than a time, however its
/// numbers are read; of a text without a year nothing is known.
fn is_another_date(date: &str, time: i64) -> bool {
    // A time of day beside it, a weekday or a zone says nothing of the day.
    let words = date.split(char::is_whitespace).filter(|word| !word.contains(':'));
    let parts = words.flat_map(|word| word.split(|c: char| !c.is_ascii_alphanumeric()));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_serial = |part: &str| part.len() == 5 && part.parse::<u32>().is_ok();
    if parts.len() == 1 && is_serial(parts[0]) {
        // A number of days, from whatever day on.
        return true;
    }
    let is_year =
        |part: &&str| part.len() == 4 && part.parse().is_ok_and(|year: u32| (1800..2200).contains(&year));
    if !parts.iter().any(is_year) {
        return false;
    }
    let is_of = |day: i64| {
        let Ok(stamp) = jiff::Timestamp::from_millisecond(time.saturating_add(day)) else {
            return false;
        };
        let day = TimeZone::UTC.to_datetime(stamp).date();
        let mut numbers = vec![
            i32::from(day.year()),
            i32::from(day.month()),
            i32::from(day.day()),
        ];
        let goes = |part: &&str| match without_ordinal(part).parse::<i32>() {
            // Each number stands for one.
            Ok(number) => {
                let place = numbers.iter().position(|one| *one == number);
                place.map(|place| numbers.remove(place)).is_some()
            }
            Err(_) => month_of(part).is_none_or(|month| month == day.month().unsigned_abs()),
        };
        parts.iter().all(goes)
    };
    ![-DAY, 0, DAY].into_iter().any(is_of)
}
