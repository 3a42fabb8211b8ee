//! The one way in which a number can be wrong: outside its range.

use std::ops::RangeInclusive;

use thiserror::Error;

/// A probability, a weight or a width that is not a number of its range.
///
/// ```
/// use matchwright_scoring::ChurnByOutcome;
///
/// let error = ChurnByOutcome::new(0.3, 0.4, 1.5).unwrap_err();
/// assert_eq!(error.to_string(), "`ChurnByOutcome::loss` is 1.5: give a number from 0 to 1");
/// assert_eq!(error.name(), "ChurnByOutcome::loss");
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[error("`{name}` is {value}: give {remedy}")]
pub struct ScoringError {
    name: &'static str,
    value: f64,
    remedy: &'static str,
}

impl ScoringError {
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
#[inline]
pub(crate) fn within(
    name: &'static str,
    value: f64,
    range: &RangeInclusive<f64>,
    remedy: &'static str,
) -> Result<f64, ScoringError> {
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(ScoringError { name, value, remedy })
    }
}
