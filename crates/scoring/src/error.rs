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

/// A scorer that gave a quality outside \[0, 1\], against the contract of [`MatchScorer`](crate::MatchScorer).
#[derive(Debug, Clone, PartialEq, Error)]
#[error(
    "`{factor}` gave a quality of {value}: a quality is from 0 to 1, and None to forbid; mend the factor"
)]
pub struct QualityError {
    factor: String,
    value: f64,
}

impl QualityError {
    /// The factor, by its key in a policy document; of a [`WeightedSum`](crate::WeightedSum), `part 0` and so on.
    #[must_use]
    pub fn factor(&self) -> &str {
        &self.factor
    }

    /// What it gave; it may be NaN.
    #[must_use]
    pub const fn value(&self) -> f64 {
        self.value
    }
}

/// `quality` if it is forbidden or lies in \[0, 1\], which NaN does not.
#[inline]
pub(crate) fn check_quality(
    quality: Option<f64>,
    factor: impl FnOnce() -> String,
) -> Result<Option<f64>, QualityError> {
    match quality {
        Some(value) if !(0.0..=1.0).contains(&value) => Err(QualityError {
            factor: factor(),
            value,
        }),
        _ => Ok(quality),
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
