//! Dates as people write them: `31/12/2024`, `12/31/2024 6:30 PM`, `31.12.2024`, `2024/12/31`, `31 Dec 2024`, `31. Dezember 2024`, `2024-W18-3`, `Tue, 31 Dec 2024 18:30:00 +0100`.

use jiff::civil::{Date, ISOWeekDate};
use jiff::tz::TimeZone;

use super::spelling::{clock, month_of, without_ordinal};

/// Years of two digits from this one on are of the twentieth century, as POSIX has it.
const CENTURY: i16 = 69;

/// What may come first where day, month and year are numbers, in words.
pub(crate) const ORDERS: [&str; 3] = ["the day first", "the month first", "the year first"];

/// What such a date is, in Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// It can be read in one way.
    Sure(i64),
    /// By what comes first, as in [`ORDERS`]; `None` where it is no date so.
    By([Option<i64>; 3]),
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
    words.retain(|word| !is_weekday(word) && *word != "de");
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
        [date] if date.contains(['W', 'w']) => {
            let day: ISOWeekDate = date.to_ascii_uppercase().parse().ok()?;
            let zoned = day.date().to_zoned(TimeZone::UTC).ok()?;
            Written::Sure(zoned.timestamp().as_millisecond())
        }
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
        Written::Sure(day) => Written::Sure(at(day)),
        Written::By(days) => Written::By(days.map(|day| day.map(at))),
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
        let day = midnight(year_of(year)?, i8::try_from(month).ok()?, small(day)?)?;
        return Some(Written::Sure(day));
    }
    if separator == ' ' {
        return None;
    }
    if one.len() == 4 {
        return midnight(year_of(one)?, small(two)?, small(three)?).map(Written::Sure);
    }
    let date = |year: &str, month: &str, day: &str| midnight(year_of(year)?, small(month)?, small(day)?);
    let day_first = date(three, two, one);
    // The month is never first before a dot.
    let month_first = if separator == '.' {
        None
    } else {
        date(three, one, two)
    };
    let days = [day_first, month_first, date(one, two, three)];
    days.iter().any(Option::is_some).then_some(Written::By(days))
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
    ["am", "pm", "a.m.", "p.m."].contains(&&*word.to_ascii_lowercase())
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
            assert_eq!(written(text), Some(Written::Sure(millis)), "{text}");
        }
    }

    #[test]
    fn dates_of_numbers_are_read_by_what_comes_first() {
        let days = |text| match written(text) {
            Some(Written::By(days)) => days.map(|day| day.map(|day| (day - DAY) / 86_400_000)),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(days("31/12/2024"), [Some(244), None, None]);
        assert_eq!(days("12/31/2024, 6:30:00\u{202f}PM"), [None, Some(244), None]);
        assert_eq!(days("1/5/2024"), [Some(0), Some(-117), None]);
        assert_eq!(days("05/05/2024"), [Some(4), Some(4), None]);
        assert_eq!(days("14-08-93")[0], days("08/14/93")[1]);
        // Years of two digits may be first as well, where they have two.
        assert_eq!(days("24-05-01"), [Some(-8378), None, Some(0)]);
        assert_eq!(days("5/1/24"), [Some(-117), Some(0), None]);
        assert_eq!(days("1.5.2024"), [Some(0), None, None]);
        assert_eq!(days("24.05.01"), [Some(-8378), None, Some(0)]);
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
