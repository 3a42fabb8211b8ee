//! Unix time as an ISO 8601 date in UTC.

use jiff::Timestamp;

/// Unix seconds as RFC 3339 in UTC; plain seconds where no calendar reaches.
///
/// ```
/// assert_eq!(matchwright_report::utc_time(1_091_816_030), "2004-08-06T18:13:50Z");
/// assert_eq!(matchwright_report::utc_time(i64::MAX), i64::MAX.to_string());
/// ```
#[must_use]
pub fn utc_time(seconds: i64) -> String {
    Timestamp::from_second(seconds).map_or_else(|_| seconds.to_string(), |stamp| stamp.to_string())
}
