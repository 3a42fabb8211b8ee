//! Means with standard errors; with the feature `statistics` Welch's t for independent samples, the paired test for common
//! random numbers, and exact intervals of rare counts.

#[cfg(feature = "statistics")]
mod counts;
#[cfg(feature = "statistics")]
mod means;
mod summary;

#[cfg(feature = "simulate")]
pub(crate) use counts::beta_quantile;
#[cfg(feature = "statistics")]
pub use counts::{CountRatio, share_interval};
#[cfg(feature = "statistics")]
pub use means::{
    Correlation, MeanTest, RatioOfMeans, censored_quantile, correlation, logistic, normal_quantile,
    paired_test, quantile, ratio_of_means, share_of, t_test, welch_test,
};
pub use summary::{Estimate, Summary};
