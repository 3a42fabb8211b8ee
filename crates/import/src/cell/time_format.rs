//! A form that all times of a file have.

use std::fmt::{self, Display, Formatter};

use jiff::civil::{DateTime, date};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;

use crate::text::shown;

/// How all times of a file are written, as for C's `strptime`: `%d/%m/%Y %H:%M`. Without an offset (`%z`) they are taken as UTC.
///
/// ```
/// use matchwright_import::TimeFormat;
///
/// assert_eq!(TimeFormat::parse("%d/%m/%Y").unwrap().to_string(), "%d/%m/%Y");
/// assert!(TimeFormat::parse("%H:%M").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeFormat(String);

impl TimeFormat {
    /// Reads a form, which must tell the day.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(format: &str) -> Result<Self, String> {
        let some = date(2004, 8, 6).at(18, 13, 50, 0);
        let told = some
            .to_zoned(TimeZone::UTC)
            .and_then(|zoned| strtime::format(format, &zoned));
        let told = told.map_err(|error| format!("no form of times: {error}"))?;
        let form = Self(format.to_owned());
        match form.read(&told) {
            Ok(_) => Ok(form),
            Err(what) => Err(format!("no form that tells the day: {what}")),
        }
    }

    /// Unix milliseconds of a time, or what is wrong.
    pub(super) fn read(&self, text: &str) -> Result<i64, String> {
        let refuse = |error: jiff::Error| {
            format!(
                "`{}`, which is not of --time-format `{}` ({error})",
                shown(text),
                shown(&self.0)
            )
        };
        let read = strtime::parse(&self.0, text).map_err(refuse)?;
        if read.iana_time_zone().is_some() {
            return Err(format!(
                "`{}`, with a time zone by its name, which is not known here; write offsets (+02:00)",
                shown(text)
            ));
        }
        if let Ok(stamp) = read.to_timestamp() {
            return Ok(stamp.as_millisecond());
        }
        let has_clock = read.hour().is_some() || read.minute().is_some() || read.second().is_some();
        let time = if has_clock {
            read.to_datetime()
        } else {
            read.to_date().map(DateTime::from)
        };
        let zoned = time.and_then(|time| time.to_zoned(TimeZone::UTC));
        zoned
            .map(|zoned| zoned.timestamp().as_millisecond())
            .map_err(refuse)
    }
}

impl Display for TimeFormat {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_tell_the_day_or_are_none() {
        for format in [
            "%d/%m/%Y",
            "%m/%d/%y %I:%M %p",
            "%a, %d %b %Y %H:%M:%S %z",
            "%s",
            "%F %T",
            "%Y%j",
        ] {
            assert!(
                TimeFormat::parse(format).is_ok(),
                "{format}: {:?}",
                TimeFormat::parse(format)
            );
        }
        for format in ["", "%", "%H:%M", "%m/%Y", "day", "%!", "%d/%m/%Y %Q"] {
            assert!(TimeFormat::parse(format).is_err(), "{format}");
        }
    }
}
