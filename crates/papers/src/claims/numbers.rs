//! Largest and smallest values that do not pass NaN over.

/// The larger of two; NaN if one of them is, since no requirement holds of NaN. `f64::max` would pass it over.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        a.max(b)
    }
}

/// The smaller of two, or NaN in the same way.
pub(crate) fn smaller(a: f64, b: f64) -> f64 {
    -larger(-a, -b)
}
