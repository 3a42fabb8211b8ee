//! Settings of runs and the ranges that they must keep to.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};

use thiserror::Error;

/// A setting of a run that is out of its range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{setting} is {value}; it must be {range}")]
pub struct SettingError {
    setting: &'static str,
    value: String,
    range: String,
}

impl SettingError {
    /// Which setting, such as `fit rows`: the words with which the message begins.
    #[must_use]
    pub fn setting(&self) -> &'static str {
        self.setting
    }
}

/// Refuses a setting outside `allowed`, NaN included.
pub(crate) fn within<T: Copy + Display + PartialOrd>(
    setting: &'static str,
    value: T,
    allowed: &impl RangeBounds<T>,
) -> Result<(), SettingError> {
    let low = match allowed.start_bound() {
        Bound::Included(low) | Bound::Excluded(low) => format!("from {low}"),
        Bound::Unbounded => String::new(),
    };
    let range = match allowed.end_bound() {
        Bound::Included(high) => format!("{low} to {high}"),
        Bound::Excluded(high) => format!("{low} up to but not {high}"),
        Bound::Unbounded => format!("{low} on"),
    };
    require(allowed.contains(&value), setting, value, &range)
}

/// Refuses a setting unless `holds`; `range` says what it must be.
pub(crate) fn require(
    holds: bool,
    setting: &'static str,
    value: impl Display,
    range: &str,
) -> Result<(), SettingError> {
    let refused = || SettingError {
        setting,
        value: value.to_string(),
        range: range.to_owned(),
    };
    if holds { Ok(()) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_out_of_range_is_named_with_its_range() {
        let refused = |found: Result<(), SettingError>| found.unwrap_err().to_string();
        assert!(within("games", 2, &(2..=4)).is_ok());
        assert_eq!(
            refused(within("games", 1, &(2..=4))),
            "games is 1; it must be from 2 to 4"
        );
        assert_eq!(
            refused(within("games", 1, &(2..))),
            "games is 1; it must be from 2 on"
        );
        let rate = refused(within("rate", f64::NAN, &(0.0..1.0)));
        assert_eq!(rate, "rate is NaN; it must be from 0 up to but not 1");
    }
}
