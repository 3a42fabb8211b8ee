//! Dates as people write them: `31/12/2024`, `12/31/2024 6:30 PM`, `31.12.2024`, `2024/12/31`, `31 Dec 2024`, `Tue, 31 Dec 2024 18:30:00 +0100`.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::date_and_time::{clock, month_of, without_ordinal};

/// Years of two digits from this one on are of the twentieth century, as POSIX has it.
const CENTURY: i16 = 69;

/// Which of day and month comes first where both are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DayOrder {
    Day,
    Month,
}

impl DayOrder {
    /// In words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Day => "the day first",
            Self::Month => "the month first",
        }
    }
}

/// What such a date is, in Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// It can be read in one way, and perhaps shows what comes first.
    Sure(i64, Option<DayOrder>),
    /// With the day first, and with the month first.
    Open([i64; 2]),
}

/// Reads one; `None` for what is none, or has a time zone other than UTC without its offset.
pub(crate) fn written(text: &str) -> Option<Written> {
    if text.len() > 64 {
        return None;
    }
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    while words.last().is_some_and(|word| is_utc(word)) {
        words.pop();
    }
    words.retain(|word| !is_weekday(word));
    let time_of_day = match words.iter().position(|word| word.contains(':')) {
        Some(place) => {
            let more = words[place + 1..].iter();
            let more = more
                .take_while(|word| is_half(word) || word.starts_with(['+', '-']))
                .count();
            let told: String = words.drain(place..=place + more).collect();
            clock(&told)?
        }
        None => 0,
    };
    let read = match words[..] {
        [date] => {
            let separator = date.chars().find(|c| "/.-".contains(*c))?;
            let parts: Vec<&str> = date.split(separator).collect();
            date_of(parts.try_into().ok()?, separator)?
        }
        [one, two, three] => date_of(
            [one, two, three].map(|word| without_ordinal(word.trim_end_matches('.'))),
            ' ',
        )?,
        _ => return None,
    };
    let at = |day: i64| day + time_of_day;
    Some(match read {
        Written::Sure(day, order) => Written::Sure(at(day), order),
        Written::Open(days) => Written::Open(days.map(at)),
    })
}

/// The date that three parts are, of which what stands between them tells something as well.
fn date_of(parts: [&str; 3], separator: char) -> Option<Written> {
    let [one, two, three] = parts;
    if let Some(place) = parts.iter().position(|part| month_of(part).is_some()) {
        let month = month_of(parts[place])?;
        let (day, year) = match place {
            0 => (two, three),
            1 if one.len() == 4 => (three, one),
            1 => (one, three),
            _ => return None,
        };
        return Some(Written::Sure(
            midnight(year_of(year)?, i8::try_from(month).ok()?, small(day)?)?,
            None,
        ));
    }
    if separator == ' ' {
        return None;
    }
    if one.len() == 4 {
        return Some(Written::Sure(
            midnight(year_of(one)?, small(two)?, small(three)?)?,
            None,
        ));
    }
    let (year, one, two) = (year_of(three)?, small(one)?, small(two)?);
    let day_first = midnight(year, two, one);
    // No country writes the month first before a dot.
    let month_first = if separator == '.' {
        None
    } else {
        midnight(year, one, two)
    };
    match (day_first, month_first) {
        (Some(day), Some(month)) if day != month => Some(Written::Open([day, month])),
        (Some(day), Some(_)) => Some(Written::Sure(day, None)),
        (Some(day), None) => Some(Written::Sure(day, (separator != '.').then_some(DayOrder::Day))),
        (None, month) => month.map(|month| Written::Sure(month, Some(DayOrder::Month))),
    }
}

fn midnight(year: i16, month: i8, day: i8) -> Option<i64> {
    let date = Date::new(year, month, day).ok()?;
    let zoned = date.to_zoned(TimeZone::UTC).ok()?;
    Some(zoned.timestamp().as_millisecond())
}

/// A year of four digits, or of two.
fn year_of(text: &str) -> Option<i16> {
    let year: i16 = text
        .parse()
        .ok()
        .filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    match text.len() {
        4 => Some(year),
        2 if year < CENTURY => Some(2000 + year),
        2 => Some(1900 + year),
        _ => None,
    }
}

/// A number of one or two digits.
fn small(text: &str) -> Option<i8> {
    let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn is_utc(word: &str) -> bool {
    ["utc", "gmt", "z"].contains(&&*word.to_ascii_lowercase())
}

fn is_half(word: &str) -> bool {
    ["am", "pm"].contains(&&*word.to_ascii_lowercase())
}

fn is_weekday(word: &str) -> bool {
    let days = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    word.len() > 2 && days.iter().any(|day| day.starts_with(&*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2024-05-01.
    const DAY: i64 = 1_714_521_600_000;

    #[test]
    fn dates_are_read_as_people_write_them() {
        let evening = DAY + 18 * 3_600_000 + 30 * 60_000;
        for (text, millis) in [
            ("1.5.2024", DAY),
            ("01.05.24", DAY),
            ("01.05.2024 18:30", evening),
            ("2024/05/01", DAY),
            ("2024.05.01 18:30", evening),
            ("2024-05-01 18:30:00 UTC", evening),
            ("2024-05-01 20:30:00 +0200", evening),
            ("1 May 2024", DAY),
            ("May 1st, 2024", DAY),
            ("1-May-24", DAY),
            ("2024-May-01", DAY),
            ("Wed, 01 May 2024 18:30:00 +0000", evening),
            ("Wednesday 1 May 2024 6:30 PM", evening),
        ] {
            assert_eq!(written(text), Some(Written::Sure(millis, None)), "{text}");
        }
        let shows = |text| match written(text) {
            Some(Written::Sure(_, order)) => order,
            _ => None,
        };
        assert_eq!(shows("31/12/2024"), Some(DayOrder::Day));
        assert_eq!(shows("12/31/2024, 6:30:00\u{202f}PM"), Some(DayOrder::Month));
        assert_eq!(shows("14-08-93"), Some(DayOrder::Day));
        assert_eq!(
            written("05/05/2024"),
            Some(Written::Sure(DAY + 4 * 86_400_000, None))
        );
        assert_eq!(written("1/5/2024"), Some(Written::Open([DAY, 1_704_412_800_000])));
    }

    #[test]
    fn what_is_no_date_of_utc_is_none() {
        for text in [
            "",
            "1.13.2024",
            "32/12/2024",
            "2024/13/01",
            "1 2 2024",
            "1/5",
            "May 2024",
            "1/5/2024 18:30 CET",
            "1/5/2024 25:00",
            "a/b/c",
            "1//2024",
            "1/5/20244",
            "18:30",
            "2024-05-01 18:30 19:30",
            "Mayday 1 2024",
            "-1/5/2024",
            "+1/05/2024",
        ] {
            assert_eq!(written(text), None, "{text}");
        }
    }
}
