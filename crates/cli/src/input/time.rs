//! Points in time as files write them, in Unix seconds.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::failure::shown;

/// Later than the year 5138: Unix milliseconds of our own days, not seconds.
const PROBABLY_MILLISECONDS: f64 = 1e11;

/// Reads RFC 3339, a date with or without a time of day (taken as UTC), or Unix seconds.
pub(super) fn parse_time(text: &str) -> Result<i64, String> {
    if let Ok(seconds) = text.parse::<f64>() {
        return unix_seconds(text, seconds);
    }
    if let Ok(stamp) = text.parse::<Timestamp>() {
        return Ok(stamp.as_second());
    }
    // A named time zone would be passed over in silence.
    let civil = if text.contains('[') {
        None
    } else {
        text.parse::<DateTime>().ok()
    };
    let utc = civil.and_then(|time| time.to_zoned(TimeZone::UTC).ok());
    utc.map(|time| time.timestamp().as_second()).ok_or_else(|| {
        format!(
            "`{}`, which is no time; write RFC 3339 (2004-08-06T18:13:50Z), a date (2004-08-06) or Unix seconds (1091816030)",
            shown(text)
        )
    })
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "below 1e11 every whole second is exact"
)]
fn unix_seconds(text: &str, seconds: f64) -> Result<i64, String> {
    if !seconds.is_finite() {
        return Err(format!("`{text}`, which is no time; Unix seconds must be finite"));
    }
    if seconds.abs() >= PROBABLY_MILLISECONDS {
        return Err(format!(
            "`{}`, too large for Unix seconds; if these are milliseconds, divide by 1000",
            shown(text)
        ));
    }
    if let Some(date) = compact_date(text) {
        return Err(format!(
            "`{text}`: the date {date}, or Unix seconds of 1970? Write the date with hyphens, or the seconds as `{text}.0`"
        ));
    }
    Ok(seconds.floor() as i64)
}

/// Eight digits that are a date of a century in which games are played.
fn compact_date(text: &str) -> Option<Date> {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |range: std::ops::Range<usize>| text[range].parse::<i16>().ok();
    let small = |range| part(range).and_then(|n| i8::try_from(n).ok());
    let date = Date::new(part(0..4)?, small(4..6)?, small(6..8)?).ok()?;
    (1800..2200).contains(&date.year()).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_form_is_read() {
        for text in [
            "2004-08-06T18:13:50Z",
            "2004-08-06T18:13:50",
            "2004-08-06 18:13:50",
            "2004-08-06T20:13:50+02:00",
        ] {
            assert_eq!(parse_time(text), Ok(1_091_816_030), "{text}");
        }
        assert_eq!(parse_time("1091816030"), Ok(1_091_816_030));
        assert_eq!(parse_time("1091816030.9"), Ok(1_091_816_030));
        assert_eq!(parse_time("-1.5"), Ok(-2));
        assert_eq!(parse_time("1872-11-30"), Ok(-3_063_744_000));
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
            "20040806",
            "2020-03-29T12:00:00[America/New_York]",
        ] {
            assert!(parse_time(text).is_err(), "{text}");
        }
        assert!(parse_time("1091816030000").unwrap_err().contains("milliseconds"));
    }

    #[test]
    fn eight_digits_are_seconds_only_where_they_are_no_date() {
        assert!(parse_time("20040806").unwrap_err().contains("2004-08-06"));
        assert_eq!(parse_time("20040806.0"), Ok(20_040_806));
        assert_eq!(parse_time("99999999"), Ok(99_999_999));
    }

    #[test]
    fn shown_times_read_back() {
        assert_eq!(
            parse_time(&matchwright_report::utc_time(-3_063_744_000)),
            Ok(-3_063_744_000)
        );
    }
}
