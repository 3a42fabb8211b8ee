//! Points in time as files write them, in Unix seconds or milliseconds.

use std::cell::{Cell, RefCell};

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::cell::date_order::DateOrder;
use crate::cell::time_format::TimeFormat;
use crate::cell::time_unit::TimeUnit;
use crate::cell::value::parse_number;
use crate::cell::written_date::{ORDERS, Written, written};
use crate::text::shown;

/// As seconds later than the year 5138: from here on Unix milliseconds, up to that year.
const MILLISECONDS: f64 = 1e11;
const MOST_MILLISECONDS: f64 = 1e14;
/// Below March 1973 a number is more often a year, a day or an index than Unix seconds.
const LEAST_WITHOUT_UNIT: f64 = 1e8;

/// Why a time is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TimeError {
    /// It cannot be read.
    Unreadable(String),
    /// It is a plain number that may mean many things: every other row will be as unclear.
    NoUnit(String),
    /// Its day may be its month, and no date before it has told: a later one may.
    Open(String),
}

impl TimeError {
    /// What is wrong.
    pub(crate) fn into_words(self) -> String {
        let (Self::Unreadable(what) | Self::NoUnit(what) | Self::Open(what)) = self;
        what
    }
}

/// What plain numbers were taken for, where the user has not said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    Unit(TimeUnit),
    /// Eight digits, or fourteen.
    Date,
}

/// Reads times, and remembers what plain numbers were taken for and what dates have told.
#[derive(Debug, Default)]
pub(crate) struct TimeReader {
    unit: Option<TimeUnit>,
    format: Option<TimeFormat>,
    /// The first plain number, the seconds that it became, and what it was taken for.
    first: Cell<Option<(f64, i64, Taken)>>,
    /// Whether some time was read, so that an unclear one is the fault of its row alone.
    has_read: Cell<bool>,
    /// What comes first in dates of numbers, by [`ORDERS`]: what is excluded by now, and the date that has told it.
    excluded: Cell<[bool; 3]>,
    shown_by: RefCell<String>,
    /// As the user says.
    order: Option<DateOrder>,
    /// The number of the next match that has no time.
    next: Cell<i64>,
}

impl TimeReader {
    pub(crate) fn new(unit: Option<TimeUnit>) -> Self {
        Self {
            unit,
            ..Self::default()
        }
    }

    /// With a form that all times have.
    pub(crate) fn with_format(self, format: Option<&TimeFormat>) -> Self {
        Self {
            format: format.cloned(),
            ..self
        }
    }

    /// With what comes first in dates of numbers, where the user says it.
    pub(crate) fn with_order(self, order: Option<DateOrder>) -> Self {
        let Some(told) = order else { return self };
        Self {
            excluded: Cell::new(DateOrder::ALL.map(|(.., order)| order != told)),
            shown_by: format!("--date-order {}", told.name()).into(),
            order,
            ..self
        }
    }

    pub(crate) const fn unit(&self) -> Option<TimeUnit> {
        self.unit
    }

    /// Whether it is known what comes first in dates of numbers.
    pub(crate) fn knows_order(&self) -> bool {
        self.excluded.get().iter().filter(|is_not| !**is_not).count() == 1
    }

    /// Whether some time was read.
    pub(crate) const fn has_read(&self) -> bool {
        self.has_read.get()
    }

    /// The place of a match that has no time.
    pub(crate) fn place_in_order(&self) -> i64 {
        self.next.replace(self.next.get().saturating_add(1))
    }

    /// What `read_millis` would say of a date, of which no note is taken but for what comes first.
    pub(crate) fn peek(&self, date: &str) -> Result<i64, TimeError> {
        let is_number = self.format.is_none() && parse_number(date).is_some();
        match compact_date(date) {
            Some(time) if is_number => Ok(utc_millis(time)),
            _ if is_number => Self::new(self.unit).parse(date),
            _ => self.parse(date),
        }
    }

    /// Unix seconds, rounded down, of RFC 3339, of a date with or without a time of day (taken as UTC), or of a plain
    /// number in the unit.
    pub(crate) fn read(&self, text: &str) -> Result<i64, TimeError> {
        self.read_millis(text).map(|millis| millis.div_euclid(1000))
    }

    /// The same in milliseconds.
    pub(crate) fn read_millis(&self, text: &str) -> Result<i64, TimeError> {
        let read = self.parse(text);
        self.has_read.set(self.has_read.get() || read.is_ok());
        read
    }

    fn parse(&self, text: &str) -> Result<i64, TimeError> {
        if let Some(format) = &self.format {
            return format.read(text).map_err(TimeError::Unreadable);
        }
        if let Some(number) = parse_number(text) {
            let (millis, taken) = self.of_number(text, number)?;
            let first = (number, millis.div_euclid(1000), taken);
            let (first, _, before) = self.first.get().unwrap_or_else(|| {
                self.first.set(Some(first));
                first
            });
            if before != taken {
                return Err(TimeError::Unreadable(format!(
                    "`{}`, and the first plain number, {first}, is of another kind; say what they mean with --time-unit",
                    shown(text)
                )));
            }
            return Ok(millis);
        }
        if let Ok(stamp) = text.parse::<Timestamp>() {
            return Ok(stamp.as_millisecond());
        }
        // A named time zone would be passed over in silence.
        let civil = if text.contains('[') {
            None
        } else {
            text.parse::<DateTime>().ok()
        };
        if let Some(time) = civil.and_then(|time| time.to_zoned(TimeZone::UTC).ok()) {
            return Ok(time.timestamp().as_millisecond());
        }
        match written(text) {
            Some(Written::Sure(millis)) => Ok(millis),
            Some(Written::By(days)) => self.by_order(text, days),
            None => Err(TimeError::Unreadable(format!(
                "`{}`, which is no time; write RFC 3339 (2004-08-06T18:13:50Z), a date (2004-08-06) or Unix seconds \
                 (1091816030), or say how times are written, for example --time-format '%d/%m/%Y %H:%M'",
                shown(text)
            ))),
        }
    }

    /// Takes note of what a date shows, of a file whose times are read later.
    pub(crate) fn look_at(&self, text: &str) {
        // Nearly all begin with the year.
        let begins_with_year = text.bytes().take(4).all(|byte| byte.is_ascii_digit());
        if self.format.is_none()
            && !begins_with_year
            && let Some(Written::By(days)) = written(text)
        {
            // Dropped: it is told where the time is read.
            drop(self.by_order(text, days));
        }
    }

    /// What a date is by what can come first, of which it may exclude some.
    fn by_order(&self, text: &str, days: [Option<i64>; 3]) -> Result<i64, TimeError> {
        let before = self.excluded.get();
        let places = || 0..days.len();
        let words = |is_meant: &dyn Fn(usize) -> bool| {
            let words = places()
                .filter(|place| is_meant(*place))
                .map(|place| ORDERS[place]);
            words.collect::<Vec<_>>().join(" or ")
        };
        let possible: Vec<(usize, i64)> = places()
            .filter(|place| !before[*place])
            .filter_map(|place| Some((place, days[place]?)))
            .collect();
        let Some(&(_, first)) = possible.first() else {
            return Err(TimeError::Unreadable(format!(
                "`{}`, with {}, and `{}` has {}; write dates as 2004-08-06",
                shown(text),
                words(&|place| days[place].is_some()),
                self.shown_by.borrow(),
                words(&|place| !before[place]),
            )));
        };
        let now = [0, 1, 2].map(|place| !possible.iter().any(|(known, _)| *known == place));
        if now != before {
            self.excluded.set(now);
            self.shown_by.replace(shown(text));
        }
        if possible.iter().all(|(_, day)| *day == first) {
            return Ok(first);
        }
        let date = |millis: i64| {
            let date = utc_time(millis.div_euclid(1000));
            date.chars().take(10).collect::<String>()
        };
        let lines = possible.iter().map(|(place, day)| {
            let name = DateOrder::ALL[*place].0;
            format!("--date-order {name} if it is {}", date(*day))
        });
        Err(TimeError::Open(format!(
            "`{}`: what comes first? No date of the file tells. {}",
            shown(text),
            lines.collect::<Vec<_>>().join(", ")
        )))
    }

    /// Milliseconds, and what the number was taken for.
    fn of_number(&self, text: &str, number: f64) -> Result<(i64, Taken), TimeError> {
        let refuse = |what: &str| Err(TimeError::Unreadable(format!("`{}`, {what}", shown(text))));
        if !number.is_finite() {
            return refuse("which is no time; a plain number must be finite");
        }
        let Some(unit) = self.unit else {
            if let Some(time) = compact_date(text) {
                return Ok((utc_millis(time), Taken::Date));
            }
            if number.abs() < LEAST_WITHOUT_UNIT {
                let error = if self.has_read.get() {
                    TimeError::Unreadable
                } else {
                    TimeError::NoUnit
                };
                return Err(error(unclear(text)));
            }
            if is_cut(text, number) {
                return refuse(
                    "of which a program has kept the first digits alone; export whole numbers, or take it as it stands with \
                     --time-unit seconds or milliseconds",
                );
            }
            if number.abs() >= MOST_MILLISECONDS {
                return refuse(
                    "too large for Unix seconds and milliseconds; say what plain numbers mean with --time-unit",
                );
            }
            let unit = if number.abs() < MILLISECONDS {
                TimeUnit::Seconds
            } else {
                TimeUnit::Milliseconds
            };
            return Ok((whole_millis(unit.seconds(number)), Taken::Unit(unit)));
        };
        if unit == TimeUnit::Index && number.fract() != 0.0 {
            return refuse("which is no index; --time-unit index takes whole numbers");
        }
        let seconds = unit.seconds(number);
        // Where a year has no end it is not finite.
        if !seconds.is_finite() || seconds.abs() >= MILLISECONDS {
            return refuse(&format!(
                "too large for --time-unit {}; choose another unit, or write dates",
                unit.name()
            ));
        }
        Ok((whole_millis(seconds), Taken::Unit(unit)))
    }

    /// What comes first in dates of numbers, if they have told it and the user has not.
    pub(crate) fn found_order(&self) -> Option<DateOrder> {
        let order = self.excluded.get().iter().position(|is_not| !is_not);
        let order = order.filter(|_| self.knows_order() && self.order.is_none())?;
        Some(DateOrder::ALL[order].2)
    }

    /// What there is to say of how times were read.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let order = self.found_order().map(|order| {
            format!(
                "dates are read with {}, as `{}` shows",
                ORDERS[order as usize],
                self.shown_by.borrow()
            )
        });
        self.note().into_iter().chain(order)
    }

    /// What plain numbers were taken for, in a line; none where there were neither such numbers nor a unit for them.
    fn note(&self) -> Option<String> {
        let Some((number, seconds, taken)) = self.first.get() else {
            if self.next.get() > 0 {
                return Some("no column of times: the matches are taken in the order of the file".to_owned());
            }
            let unit = self.unit?.name();
            return Some(format!(
                "--time-unit {unit} had no effect: no time is a plain number"
            ));
        };
        let what = match taken {
            Taken::Unit(TimeUnit::Index) => {
                return Some(format!(
                    "plain numbers as times: taken for the order of the matches alone, the first is {number}"
                ));
            }
            Taken::Unit(TimeUnit::Seconds) => "seconds since 1970",
            Taken::Unit(TimeUnit::Milliseconds) => "milliseconds since 1970",
            Taken::Unit(TimeUnit::Days) => "days since 1970",
            Taken::Unit(TimeUnit::Years) => "years",
            Taken::Unit(TimeUnit::Excel) => "days since 1899-12-30",
            Taken::Date => "dates without signs between their parts",
        };
        let date = utc_time(seconds);
        Some(format!(
            "plain numbers as times: taken for {what}, the first, {number}, is {date}"
        ))
    }
}

/// Milliseconds of a time in UTC; those of dates that a time in UTC can have are exact.
fn utc_millis(time: DateTime) -> i64 {
    let zoned = time.to_zoned(TimeZone::UTC);
    zoned.map_or(i64::MAX, |zoned| zoned.timestamp().as_millisecond())
}

/// The nearest millisecond.
#[allow(
    clippy::cast_possible_truncation,
    reason = "below 1e11 seconds every whole millisecond is exact"
)]
fn whole_millis(seconds: f64) -> i64 {
    (seconds * 1000.0).round() as i64
}

/// Whether a number with an exponent has fewer digits than seconds or milliseconds have: `1.50413E+12`.
fn is_cut(text: &str, number: f64) -> bool {
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count() as f64;
    let exponent = text.split_once(['e', 'E']);
    exponent.is_some_and(|(digits_kept, _)| digits(digits_kept) < number.abs().log10().floor() + 1.0)
}

/// What is wrong with a small plain number without a unit, and how to say what it means.
fn unclear(text: &str) -> String {
    let is_year = text.len() == 4 && text.parse().is_ok_and(|year| (1000..3000).contains(&year));
    // From 1954 to 2064.
    let is_of_spreadsheet = text
        .parse()
        .is_ok_and(|day: f64| (20_000.0..60_000.0).contains(&day));
    let guess = if is_year {
        "the year"
    } else if is_of_spreadsheet {
        "a day as spreadsheets count them, an index"
    } else {
        "an index, a day, a year"
    };
    format!(
        "`{}`: {guess}, or seconds of 1970? Say what plain numbers mean: give --time-unit years, days, excel, index, seconds or \
         milliseconds",
        shown(text)
    )
}

/// Seconds since 1970 as a date with its time in UTC; beyond the years of calendars as they are.
fn utc_time(seconds: i64) -> String {
    Timestamp::from_second(seconds).map_or_else(|_| seconds.to_string(), |stamp| stamp.to_string())
}

/// Eight digits that are a date of a century in which games are played, with or without six of a time of day.
fn compact_date(text: &str) -> Option<DateTime> {
    if ![8, 14].contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part =
        |range: std::ops::Range<usize>| text.get(range).map_or(Some(0), |part| part.parse::<i16>().ok());
    let small = |range| part(range).and_then(|n| i8::try_from(n).ok());
    let date = Date::new(part(0..4)?, small(4..6)?, small(6..8)?).ok()?;
    let time = jiff::civil::Time::new(small(8..10)?, small(10..12)?, small(12..14)?, 0).ok()?;
    (1800..2200)
        .contains(&date.year())
        .then(|| date.to_datetime(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(unit: Option<TimeUnit>, text: &str) -> Result<i64, TimeError> {
        TimeReader::new(unit).read(text)
    }

    #[test]
    fn every_documented_form_is_read() {
        for text in [
            "2004-08-06T18:13:50Z",
            "2004-08-06T18:13:50",
            "2004-08-06 18:13:50",
            "2004-08-06T20:13:50+02:00",
        ] {
            assert_eq!(read(None, text), Ok(1_091_816_030), "{text}");
        }
        assert_eq!(read(None, "1091816030"), Ok(1_091_816_030));
        assert_eq!(read(None, "1091816030.9"), Ok(1_091_816_030));
        assert_eq!(read(None, "-1500000000.5"), Ok(-1_500_000_001));
        for unit in TimeUnit::ALL
            .map(|(.., unit)| Some(unit))
            .into_iter()
            .chain([None])
        {
            assert_eq!(read(unit, "1872-11-30"), Ok(-3_063_744_000), "{unit:?}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused_with_a_mend() {
        for text in [
            "",
            "NaN",
            "inf",
            "yesterday",
            "2004-13-01",
            "2004-02-30",
            "1e300",
            "2020-03-29T12:00:00[America/New_York]",
        ] {
            for unit in [None, Some(TimeUnit::Days)] {
                let error = read(unit, text);
                assert!(
                    matches!(error, Err(TimeError::Unreadable(_))),
                    "{text}: {error:?}"
                );
            }
        }
        assert!(read(None, "109181603000000").is_err());
    }

    #[test]
    fn fractions_of_seconds_are_kept_to_the_millisecond() {
        let millis = |unit, text| TimeReader::new(unit).read_millis(text);
        assert_eq!(millis(None, "2004-08-06T18:13:50.125Z"), Ok(1_091_816_030_125));
        assert_eq!(millis(None, "2004-08-06 18:13:50.125"), Ok(1_091_816_030_125));
        assert_eq!(millis(None, "1091816030.125"), Ok(1_091_816_030_125));
        assert_eq!(millis(Some(TimeUnit::Seconds), "1.001"), Ok(1001));
        assert_eq!(
            millis(Some(TimeUnit::Milliseconds), "1091816030125"),
            Ok(1_091_816_030_125)
        );
        assert_eq!(read(Some(TimeUnit::Milliseconds), "-1"), Ok(-1));
    }

    #[test]
    fn a_small_number_needs_a_unit() {
        for (text, guess) in [
            ("1995", "the year,"),
            ("0", "an index"),
            ("-1.5", "an index"),
            ("99999999", "an index"),
        ] {
            let Err(TimeError::NoUnit(what)) = read(None, text) else {
                panic!("{text} was read")
            };
            assert!(
                what.contains(guess) && what.contains("--time-unit years"),
                "{what}"
            );
        }
        assert_eq!(read(None, "100000000"), Ok(100_000_000));
        // Among dates it is one bad row.
        let times = TimeReader::default();
        times.read("1995-05-01").unwrap();
        assert!(matches!(times.read("7"), Err(TimeError::Unreadable(_))));
    }

    #[test]
    fn units_are_counted_from_1970_and_an_index_from_anything() {
        use TimeUnit::{Days, Index, Seconds, Years};
        assert_eq!(read(Some(Seconds), "20040806"), Ok(20_040_806));
        assert_eq!(read(Some(Seconds), "-1.5"), Ok(-2));
        assert_eq!(read(Some(Days), "1.5"), Ok(129_600));
        assert_eq!(read(Some(Years), "1970"), Ok(0));
        // Whole years are their first of January; fractions are of the year's own length.
        for (year, date) in [
            ("1872", "1872-01-01"),
            ("1995", "1995-01-01"),
            ("2013", "2013-01-01"),
            ("2017.0", "2017-01-01"),
            ("2021", "2021-01-01"),
            ("2023.5", "2023-07-02T12:00:00"),
            ("2024.5", "2024-07-02"),
            ("-1.5", "-000002-07-02T12:00:00"),
        ] {
            assert_eq!(read(Some(Years), year), read(None, date), "{year}");
        }
        assert_eq!(read(Some(Index), "7"), Ok(7));
        for (unit, text) in [
            (Index, "7.5"),
            (Years, "20040806"),
            (Years, "10000"),
            (Years, "9999.5"),
            (Days, "20040806"),
            (Seconds, "1e12"),
        ] {
            assert!(read(Some(unit), text).is_err(), "{unit:?} {text}");
        }
    }

    #[test]
    fn what_plain_numbers_were_taken_for_is_told_by_the_first() {
        let times = TimeReader::new(Some(TimeUnit::Years));
        assert_eq!(
            times.note().unwrap(),
            "--time-unit years had no effect: no time is a plain number"
        );
        for text in ["1994-05-01", "1995", "1996"] {
            times.read(text).unwrap();
        }
        let note = times.note().unwrap();
        assert!(note.contains("years, the first, 1995, is 1995-01-01"), "{note}");
        let times = TimeReader::new(None);
        times.read("1994-05-01").unwrap();
        assert_eq!(times.note(), None);
    }

    #[test]
    fn shown_times_read_back() {
        assert_eq!(read(None, &utc_time(-3_063_744_000)), Ok(-3_063_744_000));
    }
}
