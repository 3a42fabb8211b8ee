//! What the runs refuse: settings outside their range.

use std::ops::RangeInclusive;

use thiserror::Error;

/// A setting of a run that is not in its range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{setting} is {value}; it must be {range}")]
pub struct SettingError {
    /// Which setting.
    pub setting: &'static str,
    /// Its value.
    pub value: f64,
    /// The values that it may have.
    pub range: &'static str,
}

/// Refuses a setting that is not in its range, NaN included.
pub(crate) fn inside(
    setting: &'static str,
    value: f64,
    allowed: &RangeInclusive<f64>,
    range: &'static str,
) -> Result<(), SettingError> {
    if allowed.contains(&value) {
        Ok(())
    } else {
        Err(SettingError {
            setting,
            value,
            range,
        })
    }
}
