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

/// Makes `off` the deviation of `ours` from what it should be, if that is larger.
pub(crate) fn deviate(off: &mut f64, ours: f64, expected: f64) {
    *off = larger(*off, (ours - expected).abs());
}

/// The smallest and the largest of some values.
pub(crate) fn ends(values: &[f64]) -> (f64, f64) {
    let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
    let widen = |(low, high), value: &f64| (smaller(low, *value), larger(high, *value));
    values.iter().fold((low, high), widen)
}
