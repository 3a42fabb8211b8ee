//! Medians and the like of a few times.

/// The middle value, or the mean of the two in the middle; NaN of none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    match sorted.len() {
        0 => f64::NAN,
        n if n.is_multiple_of(2) => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
        n => sorted[n / 2],
    }
}

/// The smallest value that `percent` of all do not exceed; NaN of none.
pub(crate) fn percentile(values: &[f64], percent: usize) -> f64 {
    let sorted = sorted(values);
    let rank = (sorted.len() * percent.min(100)).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values: Vec<f64> = (1..=1000).rev().map(f64::from).collect();
        assert_eq!(percentile(&values, 99), 990.0);
        assert_eq!(percentile(&values, 100), 1000.0);
        assert_eq!(percentile(&values[..3], 99), 1000.0);
        assert_eq!(percentile(&[5.0], 0), 5.0);
        assert!(percentile(&[], 50).is_nan());
    }
}
