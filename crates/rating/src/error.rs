//! [`ParamError`] and the check of a number against a range.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::limit::RATING_LIMIT;

/// Ratings in points.
pub(crate) const RATINGS: RangeInclusive<f64> = -RATING_LIMIT..=RATING_LIMIT;
/// Deviations, amounts and growths in points.
pub(crate) const AMOUNTS: RangeInclusive<f64> = 0.0..=RATING_LIMIT;
/// The same, but for 0.
pub(crate) const POSITIVE: RangeInclusive<f64> = f64::MIN_POSITIVE..=RATING_LIMIT;

/// A number outside the range in which it makes sense.
///
/// The message names the setting, its value and the range:
///
/// ```
/// use matchwright_rating::EloParams;
///
/// let error = EloParams { k: -32.0, ..EloParams::default() }.build().unwrap_err();
/// assert_eq!(error.to_string(), "`k` is -32: give a number above 0 to 1000000");
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[error("`{name}` is {value}: give a number {}", described(.range))]
pub struct ParamError {
    name: &'static str,
    value: f64,
    range: RangeInclusive<f64>,
}

impl ParamError {
    /// The setting, such as `k`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The value that was given.
    #[must_use]
    pub const fn value(&self) -> f64 {
        self.value
    }
}

fn described(range: &RangeInclusive<f64>) -> String {
    match (*range.start(), *range.end()) {
        (f64::MIN_POSITIVE, f64::MAX) => "above 0".to_owned(),
        (f64::MIN_POSITIVE, high) => format!("above 0 to {high}"),
        (low, high) => format!("from {low} to {high}"),
    }
}

/// `value` if it lies in `range`; NaN lies in none.
pub(crate) fn within(name: &'static str, value: f64, range: RangeInclusive<f64>) -> Result<f64, ParamError> {
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(ParamError { name, value, range })
    }
}

/// The most players that a fit takes for games with this many seats: all who can have played, and a million who did not.
/// More are a mistake that would take all memory.
pub(crate) const fn most_players(seats: usize) -> usize {
    seats.saturating_add(1_000_000)
}

/// Readers of fields that are checked one by one, for `serde(deserialize_with)`.
#[cfg(feature = "serde")]
pub(crate) mod read {
    use serde::de::{Deserialize, Deserializer, Error};

    use super::{AMOUNTS, RATINGS, RangeInclusive, within};

    pub(crate) fn checked<'de, D: Deserializer<'de>>(
        deserializer: D,
        name: &'static str,
        range: RangeInclusive<f64>,
    ) -> Result<f64, D::Error> {
        within(name, f64::deserialize(deserializer)?, range).map_err(D::Error::custom)
    }

    pub(crate) fn rating<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        checked(deserializer, "a rating", RATINGS)
    }

    pub(crate) fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        checked(deserializer, "an amount of points", AMOUNTS)
    }

    pub(crate) fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        checked(deserializer, "a share", 0.0..=1.0)
    }
}
