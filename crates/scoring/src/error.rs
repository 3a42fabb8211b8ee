//! [`ScoringError`] and the check of a number against a range.

use std::ops::RangeInclusive;

use thiserror::Error;

/// A probability, a weight or a width that is not a number of its range.
///
/// ```
/// use matchwright_scoring::ChurnByOutcome;
///
/// let error = ChurnByOutcome::new(0.3, 0.4, 1.5).unwrap_err();
/// assert_eq!(error.to_string(), "`loss` is 1.5: give a number from 0 to 1");
/// assert_eq!(error.name(), "loss");
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[error("`{name}` is {value}: give a number {}", described(.range))]
pub struct ScoringError {
    name: &'static str,
    value: f64,
    range: RangeInclusive<f64>,
}

impl ScoringError {
    /// The number that was refused, by the name of its field.
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

fn described(range: &RangeInclusive<f64>) -> String {
    match (*range.start(), *range.end()) {
        (f64::MIN_POSITIVE, _) => "above 0".to_owned(),
        (low, f64::MAX | f64::INFINITY) => format!("of {low} or more"),
        (low, high) => format!("from {low} to {high}"),
    }
}

/// `value` if it lies in `range`, which NaN never does.
#[inline]
pub(crate) fn within(
    name: &'static str,
    value: f64,
    range: RangeInclusive<f64>,
) -> Result<f64, ScoringError> {
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(ScoringError { name, value, range })
    }
}
