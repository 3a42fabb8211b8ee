//! [`PercentileTable`]: a distribution from its percentiles, by monotone cubic interpolation of the log odds.

use thiserror::Error;

use crate::error::{ParamError, within};
use crate::limit::RATING_LIMIT;
use crate::sigmoid::logistic;

/// Why rows are no table of percentiles. Rows are counted from 0.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PercentileError {
    /// Nothing to go between.
    #[error("a table of {rows} row(s): give two or more")]
    TooFew {
        /// How many there are.
        rows: usize,
    },
    /// A percent that is none.
    #[error("row {row} is at {percent} percent: give a number above 0 and below 100")]
    Percent {
        /// The row.
        row: usize,
        /// What was given; it may be NaN.
        percent: f64,
    },
    /// A value that is none.
    #[error("row {row} has the value {value}: give a number from -1e9 to 1e9")]
    Value {
        /// The row.
        row: usize,
        /// What was given; it may be NaN.
        value: f64,
    },
    /// Rows that do not rise.
    #[error("row {row} is not above the row before it: sort the rows; percents and values must both rise")]
    NotRising {
        /// The row.
        row: usize,
    },
}

/// One row, and the curve's slope there.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Knot {
    percent: f64,
    value: f64,
    /// percent / 100, in (0, 1).
    share: f64,
    /// ln(share / (1 - share)).
    log_odds: f64,
    /// Log odds per unit of the value, above 0.
    slope: f64,
}

/// A table of percentiles as a smooth, strictly rising function: from a value to the share of players below it and
/// back.
///
/// Between the rows the log odds of the share are a cubic in the value, with the slopes of Fritsch and Carlson,
/// "Monotone piecewise cubic interpolation", SIAM Journal on Numerical Analysis 17, 1980 (doi 10.1137/0717021),
/// section 4, which rise strictly wherever the rows do. Beyond the first and the last row the log odds go on along a
/// straight line: the tails are those of a logistic distribution, and reach 0 and 1 in the limit only. The rows
/// themselves are met exactly, both ways.
///
/// In floating point the shares saturate: at 1 above some 37 in log odds, at 0 below -745. Near 1 values closer than
/// the last digits of the share can tell apart have the same share.
///
/// ```
/// use matchwright_rating::PercentileTable;
///
/// let dota = PercentileTable::dota_2013();
/// assert_eq!((dota.quantile(0.5)?, dota.quantile(0.95)?), (2250.0, 3900.0));
/// assert_eq!((dota.cdf(2731.0), dota.cdf(4100.0)), (0.75, 0.99));
/// // Between and beyond the printed rows.
/// assert_eq!((dota.quantile(0.6)?.round(), dota.quantile(0.999)?.round()), (2395.0, 4380.0));
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "Vec<(f64, f64)>", into = "Vec<(f64, f64)>")
)]
pub struct PercentileTable {
    knots: Vec<Knot>,
}

/// Steps of the bisection: the last is less than a unit in the last place of 1.
const BISECTIONS: u32 = 60;

impl PercentileTable {
    /// The table with `rows` of (percent, value), both strictly rising.
    ///
    /// # Errors
    /// [`PercentileError`] that names the row.
    pub fn new(rows: &[(f64, f64)]) -> Result<Self, PercentileError> {
        if rows.len() < 2 {
            return Err(PercentileError::TooFew { rows: rows.len() });
        }
        let mut knots: Vec<Knot> = Vec::with_capacity(rows.len());
        for (row, &(percent, value)) in rows.iter().enumerate() {
            if !(percent > 0.0 && percent < 100.0) {
                return Err(PercentileError::Percent { row, percent });
            }
            if !(-RATING_LIMIT..=RATING_LIMIT).contains(&value) {
                return Err(PercentileError::Value { row, value });
            }
            let share = percent / 100.0;
            let log_odds = log_odds(share);
            // Percents may rise by less than their log odds can show, and values by next to nothing.
            let rises = knots.last().is_none_or(|last| {
                let slope = (log_odds - last.log_odds) / (value - last.value);
                value > last.value && share > last.share && slope > 0.0 && slope.is_finite()
            });
            if !(rises && log_odds.is_finite()) {
                return Err(PercentileError::NotRising { row });
            }
            let slope = 0.0;
            knots.push(Knot {
                percent,
                value,
                share,
                log_odds,
                slope,
            });
        }
        set_slopes(&mut knots);
        Ok(Self { knots })
    }

    /// The source's eight rows, from normal matchmaking in December 2013: MMR at 5, 10, 25, 50, 75, 90, 95 and 99 %.
    #[must_use]
    pub fn dota_2013() -> Self {
        let rows = [
            (5.0, 1100.0),
            (10.0, 1500.0),
            (25.0, 2000.0),
            (50.0, 2250.0),
            (75.0, 2731.0),
            (90.0, 3200.0),
            (95.0, 3900.0),
            (99.0, 4100.0),
        ];
        // Rows that rise are a table; a test says so.
        Self::new(&rows).unwrap_or(Self { knots: Vec::new() })
    }

    /// The rows, as (percent, value).
    pub fn rows(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.knots.iter().map(|knot| (knot.percent, knot.value))
    }

    /// The share of players below `value`, in \[0, 1\]; NaN stays NaN. Cost: O(log rows).
    #[must_use]
    pub fn cdf(&self, value: f64) -> f64 {
        if value.is_nan() {
            return value;
        }
        let above = self.knots.partition_point(|knot| knot.value <= value);
        match (self.knots.get(above.wrapping_sub(1)), self.knots.get(above)) {
            (Some(low), _) if low.value == value => low.share,
            (Some(low), Some(high)) => {
                let place = (value - low.value) / (high.value - low.value);
                logistic(between(low, high, place)).clamp(low.share, high.share)
            }
            (Some(last), None) => {
                let beyond = (value - last.value) * last.slope;
                logistic(last.log_odds + beyond).max(last.share)
            }
            (None, Some(first)) => {
                let beyond = (value - first.value) * first.slope;
                logistic(first.log_odds + beyond).min(first.share)
            }
            (None, None) => f64::NAN,
        }
    }

    /// The value that the share `share` of players is below. Cost: a bisection.
    ///
    /// # Errors
    /// [`ParamError`] unless `share` is above 0 and below 1: nobody is below, or above, all values.
    pub fn quantile(&self, share: f64) -> Result<f64, ParamError> {
        within(
            "PercentileTable: a share",
            share,
            f64::MIN_POSITIVE..=1.0 - f64::EPSILON / 2.0,
        )?;
        let above = self.knots.partition_point(|knot| knot.share <= share);
        let target = log_odds(share);
        let value = match (self.knots.get(above.wrapping_sub(1)), self.knots.get(above)) {
            (Some(low), _) if low.share == share => low.value,
            (Some(low), Some(high)) => {
                let (mut from, mut to) = (0.0, 1.0);
                for _ in 0..BISECTIONS {
                    let middle = 0.5 * (from + to);
                    if between(low, high, middle) < target {
                        from = middle;
                    } else {
                        to = middle;
                    }
                }
                let place = 0.5 * (from + to);
                (low.value + place * (high.value - low.value)).clamp(low.value, high.value)
            }
            (Some(end), None) | (None, Some(end)) => end.value + (target - end.log_odds) / end.slope,
            (None, None) => f64::NAN,
        };
        Ok(value)
    }
}

fn log_odds(share: f64) -> f64 {
    share.ln() - (-share).ln_1p()
}

/// The cubic between two rows at `place` in \[0, 1\], in log odds.
fn between(low: &Knot, high: &Knot, place: f64) -> f64 {
    let width = high.value - low.value;
    let rise = high.log_odds - low.log_odds;
    let left = 1.0 - place;
    // Hermite's form, as a distance from the lower row.
    let smooth = place * place * (3.0 - 2.0 * place) * rise;
    let bends = place * left * width * (low.slope * left - high.slope * place);
    low.log_odds + smooth + bends
}

/// Fritsch and Carlson 1980: three-point slopes, then each pair pulled into the circle of radius 3 (in units of its
/// secant), inside which a cubic rises.
fn set_slopes(knots: &mut [Knot]) {
    let secants: Vec<f64> = knots
        .windows(2)
        .map(|pair| (pair[1].log_odds - pair[0].log_odds) / (pair[1].value - pair[0].value))
        .collect();
    let last = secants.len() - 1;
    for (row, knot) in knots.iter_mut().enumerate() {
        knot.slope = 0.5 * (secants[row.saturating_sub(1)] + secants[row.min(last)]);
    }
    for (pair, secant) in secants.iter().enumerate() {
        let (a, b) = (knots[pair].slope / secant, knots[pair + 1].slope / secant);
        let size = a.hypot(b);
        if size > 3.0 {
            knots[pair].slope *= 3.0 / size;
            knots[pair + 1].slope *= 3.0 / size;
        }
    }
}

impl TryFrom<Vec<(f64, f64)>> for PercentileTable {
    type Error = PercentileError;

    fn try_from(rows: Vec<(f64, f64)>) -> Result<Self, PercentileError> {
        Self::new(&rows)
    }
}

impl From<PercentileTable> for Vec<(f64, f64)> {
    fn from(table: PercentileTable) -> Self {
        table.rows().collect()
    }
}
