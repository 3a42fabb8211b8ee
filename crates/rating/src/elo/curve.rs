//! [`EloCurve`]: from a difference of Elo ratings to an expected score (logistic, normal, FIDE's table).

use std::f64::consts::{LN_10, SQRT_2};

use crate::error::{ParamError, within};
use crate::normal::normal_cdf;
use crate::registry::probit;
use crate::sigmoid::{logistic, logistic_both};

/// How a rating difference d (points, positive for the stronger player) becomes an expected score.
///
/// ```
/// use matchwright_rating::EloCurve;
///
/// // 2251 against 1934.
/// assert_eq!((EloCurve::default().expected(2251.0, 1934.0) * 100.0).round(), 86.0);
/// assert_eq!(EloCurve::FideTable.expected(1500.0, 1900.0), 0.08);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum EloCurve {
    /// E = 1 / (1 + 10^(-d/scale)): Bradley and Terry's `r_i / (r_i + r_j)` with
    /// r = 10^(rating/scale).
    ///
    /// Bradley and Terry, "Rank analysis of incomplete block designs", 1952 (doi 10.2307/2334029).
    Logistic {
        /// Points for odds of 10 to 1. Usual: 400.
        scale: f64,
    },
    /// E = Phi(d / (sqrt(2) sigma)): both players perform normally around their ratings with one
    /// shared sigma.
    ///
    /// Elo, "The Rating of Chessplayers, Past and Present", 1978, section 8.2.
    Normal {
        /// sigma, one player's standard deviation from game to game. Elo's: 200.
        standard_deviation: f64,
    },
    /// FIDE's conversion table in steps of .01 (FIDE Handbook B.02, section 8.1.2), which steps
    /// through Elo's normal curve.
    ///
    /// A difference over 400 counts as 400 for a player below 2650 (section 8.3.1, as amended in
    /// October 2025). That rule looks at the player's own rating, so across 2650 the two
    /// expectations need not sum to 1.
    FideTable,
}

impl Default for EloCurve {
    /// Logistic with scale 400.
    fn default() -> Self {
        Self::Logistic { scale: 400.0 }
    }
}

/// Scales and standard deviations, in points.
const WIDTHS: std::ops::RangeInclusive<f64> = 1e-3..=1e6;

impl EloCurve {
    /// How many points make odds of e to 1; of FIDE's table, those of the curve that it follows.
    #[must_use]
    pub fn points_per_log_odds(&self) -> f64 {
        use std::f64::consts::LN_10;
        match *self {
            Self::Logistic { scale } => scale / LN_10,
            Self::Normal { standard_deviation } => probit(standard_deviation),
            Self::FideTable => 400.0 / LN_10,
        }
    }

    pub(crate) fn check(&self) -> Result<f64, ParamError> {
        match *self {
            Self::Logistic { scale } => within("scale", scale, WIDTHS),
            Self::Normal { standard_deviation } => within("standard_deviation", standard_deviation, WIDTHS),
            Self::FideTable => Ok(1.0),
        }
    }

    /// The expected score of a player rated `player` against one rated `opponent` (points), in \[0,
    /// 1\].
    #[must_use]
    #[inline]
    pub fn expected(&self, player: f64, opponent: f64) -> f64 {
        let lead = player - opponent;
        match *self {
            Self::Logistic { scale } => logistic(lead * (LN_10 / scale)),
            Self::Normal { standard_deviation } => normal_cdf(lead / (SQRT_2 * standard_deviation)),
            Self::FideTable if player < FIDE_UNCAPPED_FROM => fide_expected(lead.clamp(-FIDE_CAP, FIDE_CAP)),
            Self::FideTable => fide_expected(lead),
        }
    }

    /// [`expected`](Self::expected) of both players, the first's first.
    #[inline]
    pub(super) fn expected_both(&self, first: f64, second: f64) -> (f64, f64) {
        match *self {
            Self::Logistic { scale } => logistic_both((first - second) * (LN_10 / scale)),
            _ => (self.expected(first, second), self.expected(second, first)),
        }
    }
}

/// Differences above this count as this ...
const FIDE_CAP: f64 = 400.0;
/// ... for players rated below this.
const FIDE_UNCAPPED_FROM: f64 = 2650.0;

/// The largest difference that still gives .50, .51, ... .99 to the stronger player; beyond the
/// last it is 1.
const FIDE_STEPS: [u16; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, // .50 to .59
    76, 83, 91, 98, 106, 113, 121, 129, 137, 145, // .60
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235, // .70
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357, // .80
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735, // .90 to .99
];

fn fide_expected(lead: f64) -> f64 {
    let step = FIDE_STEPS.partition_point(|&end| f64::from(end) < lead.abs());
    // Hundredths are divided once, so that the pair sums to exactly 1.
    let stronger = 50.0 + step as f64;
    if lead < 0.0 {
        (100.0 - stronger) / 100.0
    } else {
        stronger / 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn fide_steps_change_right_after_the_published_ends() {
        let table = EloCurve::FideTable;
        for (lead, expected) in [
            (0.0, 0.5),
            (3.0, 0.5),
            (4.0, 0.51),
            (391.0, 0.91),
            (392.0, 0.92),
            (400.0, 0.92),
        ] {
            assert_eq!(table.expected(1500.0 + lead, 1500.0), expected, "lead {lead}");
            assert_relative_eq!(
                table.expected(1500.0, 1500.0 + lead),
                1.0 - expected,
                epsilon = 1e-15
            );
        }
    }

    #[test]
    fn fide_counts_a_difference_over_400_as_400_only_below_2650() {
        let table = EloCurve::FideTable;
        assert_eq!(table.expected(2649.0, 1500.0), 0.92);
        assert_eq!(table.expected(1500.0, 2650.0), 0.08);
        assert_eq!(table.expected(2650.0, 1915.0), 0.99);
        assert_eq!(table.expected(2650.0, 1914.0), 1.0);
    }

    #[test]
    fn the_normal_curve_agrees_with_the_table_that_was_cut_from_it() {
        let normal = EloCurve::Normal {
            standard_deviation: 200.0,
        };
        for lead in 0..=400_u16 {
            let (fine, coarse) = (
                normal.expected(f64::from(lead), 0.0),
                EloCurve::FideTable.expected(f64::from(lead), 0.0),
            );
            assert!(
                (fine - coarse).abs() < 0.0085,
                "lead {lead}: {fine} against {coarse}"
            );
        }
    }

    #[test]
    fn elo_logistic_is_bradley_terry_on_the_power_scale() {
        for (ours, theirs) in [
            (1500.0, 1500.0),
            (2251.0, 1934.0),
            (900.0, 2400.0),
            (-300.0, 50.0),
        ] {
            let (r_i, r_j) = (10_f64.powf(ours / 400.0), 10_f64.powf(theirs / 400.0));
            assert_relative_eq!(
                EloCurve::default().expected(ours, theirs),
                r_i / (r_i + r_j),
                epsilon = 1e-12
            );
            // The same as a logistic regression whose weights are w = ln r.
            assert_relative_eq!(logistic(r_i.ln() - r_j.ln()), r_i / (r_i + r_j), epsilon = 1e-12);
        }
    }
}
