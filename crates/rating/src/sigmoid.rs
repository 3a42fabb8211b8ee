//! The logistic curve from a difference in strength to a probability.

/// 1 / (1 + e^-x), in \[0, 1\]; saturates where the exponential leaves the range of `f64`.
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
