//! How large numbers may be.

/// No rating and no deviation of this crate leaves \[-1e9, 1e9\] points.
///
/// The border keeps every formula finite: squares and differences of such numbers are exact enough
/// and far from overflow. It is five orders of magnitude beyond any list in use.
pub const RATING_LIMIT: f64 = 1e9;
