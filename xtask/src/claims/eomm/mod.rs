//! EOMM: Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", WWW 2017, doi 10.1145/3038912.3052559.
#![allow(
    clippy::unnecessary_wraps,
    reason = "all checks have one signature, also those that cannot fail"
)]

mod data;
mod edges;
mod features;
mod gain;
mod matching;
mod outcomes;
mod pool;
mod procedure;
mod significance;
mod table1;
mod table2;
mod theory;

use super::Check;

/// The larger of two; NaN if one of them is, since no requirement holds of NaN. `f64::max` would pass it over.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        a.max(b)
    }
}

/// The smaller of two, or NaN in the same way.
fn smaller(a: f64, b: f64) -> f64 {
    -larger(-a, -b)
}

/// The checks, theme by theme.
pub(super) fn checks() -> Vec<Check> {
    [
        table1::CHECKS,
        outcomes::CHECKS,
        edges::CHECKS,
        features::CHECKS,
        matching::CHECKS,
        theory::CHECKS,
        data::CHECKS,
        procedure::CHECKS,
        table2::CHECKS,
        gain::CHECKS,
        significance::CHECKS,
    ]
    .into_iter()
    .flatten()
    .copied()
    .collect()
}
