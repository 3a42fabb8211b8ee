//! Ticks of an axis of dates: round years, months, days and times of day in UTC.

use super::axis::Tick;

const DAY: i64 = 86_400;
/// The years 1 to 9999: what four digits can show.
const SHOWN: std::ops::RangeInclusive<f64> = -62_135_596_800.0..=253_402_300_799.0;

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
        while next <= last {
            if times.len() == count {
                return None;
            }
            times.push(next);
            next = self.at_or_after(next + 1);
        }
        Some(times)
    }

    fn at_or_after(self, time: i64) -> i64 {
        match self {
            Self::Seconds(step) if step <= DAY => {
                time.div_euclid(step) * step + if time.rem_euclid(step) == 0 { 0 } else { step }
            }
            // Several days, counted from the first of each month, and never so late that the next month's first
            // would crowd them.
            Self::Seconds(step) => {
                let days = step / DAY;
                let day = time.div_euclid(DAY) + i64::from(time.rem_euclid(DAY) != 0);
                let (year, month, date) = civil(day);
                let round = 1 + (date - 1 + days - 1) / days * days;
                if round + days / 2 <= 29 || days == 1 {
                    days_from_civil(year, month, round) * DAY
                } else {
                    first_of_month(year * 12 + month)
                }
            }
            Self::Months(step) => {
                let (year, month, _) = civil(time.div_euclid(DAY));
                // Months since the year 0.
                let this = year * 12 + month - 1;
                let months = this.div_euclid(step) * step;
                if first_of_month(months) >= time {
                    first_of_month(months)
                } else {
                    first_of_month(months + step)
                }
            }
        }
    }

    fn label(self, time: i64) -> String {
        let (year, month, date) = civil(time.div_euclid(DAY));
        let second = time.rem_euclid(DAY);
        let (hour, minute) = (second / 3600, second / 60 % 60);
        match self {
            Self::Months(step) if step % 12 == 0 => format!("{year:04}"),
            Self::Months(_) => format!("{year:04}-{month:02}"),
            Self::Seconds(step) if step >= DAY => format!("{year:04}-{month:02}-{date:02}"),
            Self::Seconds(step) if step >= 3600 && second == 0 => format!("{month:02}-{date:02}"),
            Self::Seconds(step) if step >= 60 => format!("{month:02}-{date:02} {hour:02}:{minute:02}"),
            Self::Seconds(_) => format!("{hour:02}:{minute:02}:{:02}", second % 60),
        }
    }
}

/// The first second of a month counted from January of the year 0.
fn first_of_month(months: i64) -> i64 {
    days_from_civil(months.div_euclid(12), months.rem_euclid(12) + 1, 1) * DAY
}

/// Days since 1970-01-01 of a date of the Gregorian calendar: whole years of 365 days from March on, with a leap day
/// every 4 years, less one every 100, plus one every 400.
fn days_from_civil(year: i64, month: i64, date: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    // Months from March on are 31, 30, 31, 30, 31 days long, and again.
    let in_year = (153 * month + 2) / 5 + date - 1;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + in_year - 719_468
}

/// Year, month and date of a day since 1970-01-01.
fn civil(day: i64) -> (i64, i64, i64) {
    // A year has 365.2425 days on average; the guess is at most one too late or too early.
    let guess = 1970 + (day * 400).div_euclid(146_097);
    let year = (guess - 1..=guess + 1)
        .rev()
        .find(|&year| days_from_civil(year, 1, 1) <= day)
        .unwrap_or(guess);
    let month = (1..=12)
        .rev()
        .find(|&month| days_from_civil(year, month, 1) <= day)
        .unwrap_or(1);
    (year, month, day - days_from_civil(year, month, 1) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, count: usize) -> Vec<String> {
        let ticks = date_ticks(low, high, count).unwrap();
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn days_and_dates_are_inverse_over_a_whole_cycle_of_leap_years() {
        let mut day = days_from_civil(1600, 1, 1);
        for year in 1600..2001 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let lengths = [
                31,
                if leap { 29 } else { 28 },
                31,
                30,
                31,
                30,
                31,
                31,
                30,
                31,
                30,
                31,
            ];
            for (month, length) in (1..).zip(lengths) {
                for date in 1..=length {
                    assert_eq!(
                        (days_from_civil(year, month, date), civil(day)),
                        (day, (year, month, date))
                    );
                    day += 1;
                }
            }
        }
        assert_eq!(days_from_civil(1970, 1, 1), 0);
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
