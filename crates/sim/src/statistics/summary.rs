//! Means with standard errors.

use serde::{Deserialize, Serialize};

/// A mean and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Sample mean.
    pub mean: f64,
    /// Standard error of the mean, `s / sqrt(n)`; NaN below two samples.
    pub standard_error: f64,
}

impl Estimate {
    /// In another unit, such as percent: mean and standard error multiplied by `factor`.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            mean: factor * self.mean,
            standard_error: factor.abs() * self.standard_error,
        }
    }
}

impl From<(f64, f64)> for Estimate {
    fn from((mean, standard_error): (f64, f64)) -> Self {
        Self { mean, standard_error }
    }
}

/// Sample size, mean and unbiased variance, by Welford's update (Technometrics 4, 1962), which
/// stays exact where the sum of squares would cancel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub(super) n: u64,
    pub(super) mean: f64,
    squares: f64,
}

impl Summary {
    /// The summary of these values.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut summary = Self::default();
        for value in values {
            summary.add(value);
        }
        summary
    }

    /// One more value.
    pub fn add(&mut self, value: f64) {
        self.n += 1;
        let from_old = value - self.mean;
        self.mean += from_old / self.n as f64;
        self.squares += from_old * (value - self.mean);
    }

    /// A summary from published figures: n, mean, standard deviation.
    #[must_use]
    pub fn from_moments(n: u64, mean: f64, deviation: f64) -> Self {
        Self {
            n,
            mean,
            squares: deviation * deviation * (n as f64 - 1.0).max(0.0),
        }
    }

    /// How many values.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Their mean; 0 when there are none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Their unbiased variance; NaN below two values.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.n < 2 {
            f64::NAN
        } else {
            self.squares / (self.n as f64 - 1.0)
        }
    }

    /// Mean and standard error.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        Estimate {
            mean: self.mean,
            standard_error: (self.variance() / self.n as f64).sqrt(),
        }
    }
}
