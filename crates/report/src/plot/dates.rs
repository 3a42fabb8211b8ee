//! Ticks of an axis of dates: round years, months, days and times of day in UTC.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use super::tick::Tick;

const DAY: i64 = 86_400;
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
/// The years 1 to 9999: what four digits can show.
pub(super) const SHOWN: std::ops::RangeInclusive<f64> = -62_135_596_800.0..=253_402_300_799.0;

/// The distance between ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Seconds(i64),
    Months(i64),
}

/// All steps, finest first.
const STEPS: [Step; 27] = [
    Step::Seconds(1),
    Step::Seconds(5),
    Step::Seconds(15),
    Step::Seconds(60),
    Step::Seconds(5 * 60),
    Step::Seconds(15 * 60),
    Step::Seconds(3600),
    Step::Seconds(3 * 3600),
    Step::Seconds(6 * 3600),
    Step::Seconds(12 * 3600),
    Step::Seconds(DAY),
    Step::Seconds(2 * DAY),
    Step::Seconds(5 * DAY),
    Step::Seconds(10 * DAY),
    Step::Months(1),
    Step::Months(3),
    Step::Months(6),
    Step::Months(12),
    Step::Months(2 * 12),
    Step::Months(5 * 12),
    Step::Months(10 * 12),
    Step::Months(20 * 12),
    Step::Months(50 * 12),
    Step::Months(100 * 12),
    Step::Months(200 * 12),
    Step::Months(1000 * 12),
    Step::Months(5000 * 12),
];

/// At most `count` ticks in round distances; `None` beyond the calendar.
pub(crate) fn date_ticks(low: f64, high: f64, count: usize) -> Option<Vec<Tick>> {
    if !(SHOWN.contains(&low) && SHOWN.contains(&high)) {
        return None;
    }
    #[allow(
        clippy::cast_possible_truncation,
        reason = "years 1 to 9999 are whole seconds of an i64"
    )]
    let (first, last) = (low.ceil() as i64, high.floor() as i64);
    STEPS.into_iter().find_map(|step| {
        let times = step.times(first, last, count)?;
        let label = |time: &i64| Tick {
            at: *time as f64,
            label: step.label(*time),
        };
        Some(times.iter().map(label).collect())
    })
}

impl Step {
    /// The round times from `first` to `last`, unless they are more than `count`.
    fn times(self, first: i64, last: i64, count: usize) -> Option<Vec<i64>> {
        let mut times = Vec::new();
        let mut next = self.at_or_after(first);
        while let Some(time) = next.filter(|&time| time <= last) {
            if times.len() == count {
                return None;
            }
            times.push(time);
            next = self.at_or_after(time + 1);
        }
        Some(times)
    }

    /// The first round time from `time` on; `None` beyond the year 9999.
    fn at_or_after(self, time: i64) -> Option<i64> {
        let ceiling = |step: i64| (time + step - 1).div_euclid(step) * step;
        match self {
            Self::Seconds(step) if step <= DAY => Some(ceiling(step)),
            // Several days, counted from the first of each month, and never so late that the next month's first
            // would crowd them.
            Self::Seconds(step) => {
                let date = datetime(ceiling(DAY))?.date();
                let days = step / DAY;
                let round = 1 + (i64::from(date.day()) - 1 + days - 1) / days * days;
                if round + days / 2 <= 29 {
                    Some(first_of_month(months_of(date))? + (round - 1) * DAY)
                } else {
                    first_of_month(months_of(date) + 1)
                }
            }
            Self::Months(step) => {
                let months = months_of(datetime(time)?.date()).div_euclid(step) * step;
                let this = first_of_month(months).filter(|&this| this >= time);
                this.or_else(|| first_of_month(months + step))
            }
        }
    }

    fn label(self, time: i64) -> String {
        let form = match self {
            Self::Months(step) if step % 12 == 0 => "%Y",
            Self::Months(_) => "%Y-%m",
            Self::Seconds(step) if step >= DAY => "%Y-%m-%d",
            Self::Seconds(step) if step >= 3600 && time.rem_euclid(DAY) == 0 => "%m-%d",
            Self::Seconds(step) if step >= 60 => "%m-%d %H:%M",
            Self::Seconds(_) => "%H:%M:%S",
        };
        datetime(time).map_or_else(String::new, |time| time.strftime(form).to_string())
    }
}

/// Date and time of day in UTC, from seconds since 1970.
fn datetime(time: i64) -> Option<DateTime> {
    EPOCH.checked_add(SignedDuration::from_secs(time)).ok()
}

/// Months since January of the year 0.
fn months_of(date: Date) -> i64 {
    12 * i64::from(date.year()) + i64::from(date.month()) - 1
}

/// The first second of a month counted from January of the year 0.
fn first_of_month(months: i64) -> Option<i64> {
    let year = i16::try_from(months.div_euclid(12)).ok()?;
    let month = i8::try_from(months.rem_euclid(12) + 1).ok()?;
    let first = Date::new(year, month, 1).ok()?.to_datetime(Time::midnight());
    Some(first.duration_since(EPOCH).as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, count: usize) -> Vec<String> {
        let ticks = date_ticks(low, high, count).unwrap();
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_from_seconds_to_centuries() {
        let start = 1_090_000_000.0;
        assert_eq!(
            labels(start, start + 20.0, 5),
            ["17:46:40", "17:46:45", "17:46:50", "17:46:55", "17:47:00"]
        );
        assert_eq!(
            labels(start, start + 3.0 * 86_400.0, 4),
            ["2004-07-17", "2004-07-18", "2004-07-19"]
        );
        assert_eq!(
            labels(start, start + 86_400.0, 5),
            ["07-16 18:00", "07-17", "07-17 06:00", "07-17 12:00"]
        );
        assert_eq!(
            labels(start, start + 60.0 * 86_400.0, 6),
            [
                "2004-07-21",
                "2004-08-01",
                "2004-08-11",
                "2004-08-21",
                "2004-09-01",
                "2004-09-11"
            ]
        );
        assert_eq!(labels(start, start + 200.0 * 86_400.0, 4), ["2004-10", "2005-01"]);
        assert_eq!(
            labels(-3_063_744_000.0, 1_780_000_000.0, 8),
            ["1880", "1900", "1920", "1940", "1960", "1980", "2000", "2020"]
        );
        assert!(date_ticks(-1e18, 1e18, 5).is_none());
    }

    #[test]
    fn ticks_rise_lie_inside_and_are_never_too_many() {
        for exponent in 0..11 {
            for start in [-3e9, -1.0, 0.0, 1.7e9, 2e10] {
                let end = start + 3.3 * 10_f64.powi(exponent);
                for count in [2, 5, 10] {
                    let ticks = date_ticks(start, end, count).unwrap();
                    assert!(ticks.len() <= count);
                    assert!(
                        ticks
                            .windows(2)
                            .all(|pair| pair[0].at < pair[1].at && pair[0].label != pair[1].label)
                    );
                    assert!(ticks.iter().all(|tick| (start..=end).contains(&tick.at)));
                }
            }
        }
    }
}
