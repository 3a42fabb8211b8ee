//! Reliability table and expected calibration error.

use super::{MetricError, check};

/// The rows whose predictions fall into one interval.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReliabilityBin {
    /// Lower end of the interval, included.
    pub lower: f64,
    /// Upper end, excluded except in the last interval.
    pub upper: f64,
    /// Number of rows, at least 1.
    pub count: usize,
    /// Mean of their predictions.
    pub mean_predicted: f64,
    /// Share of them that churned.
    pub observed: f64,
    /// Binomial standard error of `observed`: sqrt(o (1 - o) / count), 0 when all or none churned.
    pub standard_error: f64,
}

/// The reliability table over `bins` intervals of equal width; intervals without a prediction are left out.
///
/// Bin b holds the p with b / bins <= p < (b + 1) / bins; the last also holds p = 1. Complexity: O(n + bins).
///
/// # Errors
///
/// [`MetricError`] for no row, unequal lengths, a prediction outside [0, 1], or no bins.
///
/// Source: Murphy, Winkler, "Reliability of subjective probability forecasts", 1977, DOI 10.2307/2346866; Figure 3 of
/// EOMM.
///
/// ```
/// use matchwright_churn::reliability_table;
///
/// let table = reliability_table(&[0.1, 0.2, 0.9], &[false, true, true], 2)?;
/// assert_eq!((table[0].count, table[0].observed), (2, 0.5));
/// assert_eq!((table[1].lower, table[1].mean_predicted), (0.5, 0.9));
/// # Ok::<(), matchwright_churn::MetricError>(())
/// ```
pub fn reliability_table(p: &[f64], y: &[bool], bins: usize) -> Result<Vec<ReliabilityBin>, MetricError> {
    check(p, y)?;
    if bins == 0 {
        return Err(MetricError::NoBins);
    }
    let mut order: Vec<(usize, f64, bool)> =
        p.iter().zip(y).map(|(&p, &y)| (bin_of(p, bins), p, y)).collect();
    // Stable: sums run in the order of the rows.
    order.sort_by_key(|row| row.0);
    Ok(order
        .chunk_by(|a, b| a.0 == b.0)
        .map(|rows| summarise(rows, bins))
        .collect())
}

fn summarise(rows: &[(usize, f64, bool)], bins: usize) -> ReliabilityBin {
    let index = rows.first().map_or(0, |row| row.0);
    let count = rows.len() as f64;
    let observed = rows.iter().filter(|row| row.2).count() as f64 / count;
    ReliabilityBin {
        lower: index as f64 / bins as f64,
        upper: (index + 1) as f64 / bins as f64,
        count: rows.len(),
        mean_predicted: rows.iter().map(|row| row.1).sum::<f64>() / count,
        observed,
        standard_error: (observed * (1.0 - observed) / count).sqrt(),
    }
}

/// The bin b with b / bins <= p < (b + 1) / bins, in just the rounding of these ends.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "p is in [0, 1], so the product is in [0, bins]"
)]
fn bin_of(p: f64, bins: usize) -> usize {
    let guess = ((p * bins as f64) as usize).min(bins - 1);
    if p < guess as f64 / bins as f64 {
        guess - 1
    } else if guess + 1 < bins && p >= (guess + 1) as f64 / bins as f64 {
        guess + 1
    } else {
        guess
    }
}

/// Expected calibration error over `bins` intervals of equal width, in [0, 1]; 0 is perfect.
///
/// ```text
/// ECE = sum_b (n_b / n) |observed_b - mean predicted_b|
/// ```
///
/// It grows with the number of bins by chance alone: compare like with like; 10 is usual.
///
/// # Errors
///
/// As [`reliability_table`].
///
/// Source: Naeini, Cooper, Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015.
///
/// ```
/// let ece = matchwright_churn::expected_calibration_error(&[0.2, 0.2, 0.8, 0.8], &[false, false, true, false], 10)?;
/// assert!((ece - 0.25).abs() < 1e-15);
/// # Ok::<(), matchwright_churn::MetricError>(())
/// ```
pub fn expected_calibration_error(p: &[f64], y: &[bool], bins: usize) -> Result<f64, MetricError> {
    Ok(calibration_error(&reliability_table(p, y, bins)?))
}

/// The expected calibration error of a table.
pub(super) fn calibration_error(table: &[ReliabilityBin]) -> f64 {
    let rows: usize = table.iter().map(|bin| bin.count).sum();
    let sum: f64 = table
        .iter()
        .map(|bin| bin.count as f64 * (bin.observed - bin.mean_predicted).abs())
        .sum();
    sum / rows as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ends_of_the_range_have_their_bins_and_zero_bins_are_refused() {
        let table = reliability_table(&[0.0, 1.0, 0.3], &[false, true, true], 10).unwrap();
        let lower: Vec<f64> = table.iter().map(|bin| bin.lower).collect();
        assert_eq!(lower, [0.0, 0.3, 0.9]);
        assert_eq!(table[2].upper, 1.0);
        assert_eq!(reliability_table(&[0.5], &[true], 0), Err(MetricError::NoBins));
    }

    #[test]
    fn the_standard_error_of_a_bin_is_the_binomial_one() {
        let y: Vec<bool> = (0..100).map(|row| row < 20).collect();
        let table = reliability_table(&[0.25; 100], &y, 4).unwrap();
        assert_eq!(table.len(), 1);
        assert!((table[0].standard_error - 0.04).abs() < 1e-15);
    }

    #[test]
    fn a_border_opens_its_bin_and_the_number_just_below_closes_the_one_ahead() {
        for bins in 2..60_u8 {
            for border in 1..bins {
                let p = f64::from(border) / f64::from(bins);
                assert_eq!(bin_of(p, usize::from(bins)), usize::from(border), "{p} of {bins}");
                assert_eq!(
                    bin_of(p.next_down(), usize::from(bins)),
                    usize::from(border) - 1,
                    "below {p} of {bins}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn every_prediction_lies_in_its_bin_and_every_row_in_one(
            rows in prop::collection::vec((0.0_f64..=1.0, any::<bool>()), 1..60),
            grid in prop::collection::vec(0_u8..=20, 1..30),
            bins in 1_usize..23,
        ) {
            // Numbers right on the borders of bins are the interesting ones.
            let mut p: Vec<f64> = rows.iter().map(|row| row.0).collect();
            p.extend(grid.iter().map(|&step| f64::from(step) / 20.0));
            let mut y: Vec<bool> = rows.iter().map(|row| row.1).collect();
            y.resize(p.len(), true);
            let table = reliability_table(&p, &y, bins).unwrap();
            for (position, bin) in table.iter().enumerate() {
                let inside = |p: &f64| *p >= bin.lower && (*p < bin.upper || bin.upper == 1.0);
                prop_assert_eq!(p.iter().filter(|p| inside(p)).count(), bin.count);
                prop_assert!(position == 0 || table[position - 1].upper <= bin.lower);
            }
            prop_assert_eq!(table.iter().map(|bin| bin.count).sum::<usize>(), p.len());
        }

        #[test]
        fn calibration_error_is_the_weighted_gap_between_prediction_and_outcome(
            rows in prop::collection::vec((0.0_f64..1.0, any::<bool>()), 1..60),
            bins in 1_u32..12,
        ) {
            let (p, y): (Vec<f64>, Vec<bool>) = rows.into_iter().unzip();
            let mut expected = 0.0;
            for bin in 0..bins {
                let signed: f64 = p.iter().zip(&y)
                    .filter(|(p, _)| (**p * f64::from(bins)).floor() == f64::from(bin))
                    .map(|(p, &y)| p - f64::from(u8::from(y)))
                    .sum();
                expected += signed.abs() / p.len() as f64;
            }
            let found = expected_calibration_error(&p, &y, bins as usize).unwrap();
            prop_assert!((found - expected).abs() < 1e-12);
        }
    }
}
