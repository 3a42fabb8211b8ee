//! The one way in which a number can be wrong: outside its range.

use std::ops::RangeInclusive;

use thiserror::Error;

/// A parameter, a rating or a probability that is not a number of its range.
///
/// The message names the number, shows it and says what to give instead.
///
/// ```
/// use matchwright_rating::{GlickoRating, RATING_LIMIT};
///
/// let error = GlickoRating::new(1500.0, -1.0).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`GlickoRating::deviation` is -1: give a deviation from 0 to 1e9 rating points"
/// );
/// assert_eq!(error.name(), "GlickoRating::deviation");
/// assert_eq!(RATING_LIMIT, 1e9);
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[error("`{name}` is {value}: give {remedy}")]
pub struct ParamError {
    name: &'static str,
    value: f64,
    remedy: &'static str,
}

impl ParamError {
    pub(crate) const fn new(name: &'static str, value: f64, remedy: &'static str) -> Self {
        Self { name, value, remedy }
    }

    /// The number that was refused, as `Type::field`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The refused value; it may be NaN.
    #[must_use]
    pub const fn value(&self) -> f64 {
        self.value
    }
}

/// `value` if it lies in `range`, which NaN never does.
pub(crate) fn within(
    name: &'static str,
    value: f64,
    range: &RangeInclusive<f64>,
    remedy: &'static str,
) -> Result<f64, ParamError> {
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(ParamError::new(name, value, remedy))
    }
}
