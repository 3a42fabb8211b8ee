//! [`may_be_best`]: which of several alternatives may be the best, by values in the same worlds.

use std::cmp::Ordering;

use crate::statistics::paired_test;

/// Which of several alternatives the worlds do not tell from the best: by alternative its values in the same worlds, of which
/// the least is best. The truly best is among them in 95 of 100 such choices.
///
/// ```text
/// i is out if some j has   mean(x_i - x_j) > t(1 - 0.05 / (k - 1), n - 1) se(x_i - x_j)
/// ```
///
/// The t quantile is Bonferroni's for the k - 1 others, one-sided; the error is that of differences paired by worlds, which
/// alternatives that share their luck keep small. Where all worlds have the same difference any but none is told.
///
/// Nelson, Swann, Goldsman and Song, "Simple procedures for selecting the best simulated system when the number of
/// alternatives is large", Operations Research 49 (2001), section 3.
///
/// All of fewer than two worlds, or of values that are not finite. O(k^2 n).
#[must_use]
pub fn may_be_best(values: &[Vec<f64>]) -> Vec<bool> {
    let others = values.len().saturating_sub(1).max(1) as f64;
    let level = 1.0 - 2.0 * 0.05 / others;
    let is_beaten = |one: &Vec<f64>, other: &Vec<f64>| {
        let differences: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
        let test = paired_test(differences.iter().copied());
        let is_constant = differences
            .windows(2)
            .all(|two| two[0].total_cmp(&two[1]) == Ordering::Equal);
        if is_constant && differences.len() > 1 {
            return test.difference > 0.0;
        }
        let margin = test.margin(level);
        margin.is_finite() && test.difference > margin
    };
    values
        .iter()
        .map(|one| !values.iter().any(|other| is_beaten(one, other)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, standard_normal, stream};

    /// Values in worlds that share their luck, which is far larger than what differs.
    fn drawn(means: &[f64], worlds: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut random = stream(seed, Purpose::Traits, 0, 0);
        let luck: Vec<f64> = (0..worlds).map(|_| 10.0 * standard_normal(&mut random)).collect();
        means
            .iter()
            .map(|mean| {
                luck.iter()
                    .map(|luck| mean + luck + standard_normal(&mut random))
                    .collect()
            })
            .collect()
    }

    #[test]
    fn what_is_clearly_worse_is_out_and_what_is_as_good_stays() {
        let kept = may_be_best(&drawn(&[1.0, 1.05, 9.0, 5.0], 20, 1));
        assert_eq!(kept, [true, true, false, false]);
        // Two worlds tell nothing of such differences, one nothing at all.
        assert_eq!(may_be_best(&drawn(&[1.0, 1.05, 2.0], 2, 1)), [true; 3]);
        assert_eq!(may_be_best(&[vec![1.0], vec![9.0]]), [true; 2]);
        assert_eq!(may_be_best(&[vec![3.0, 4.0]]), [true]);
        assert_eq!(may_be_best(&[]), [] as [bool; 0]);
        // The same in every world.
        assert_eq!(
            may_be_best(&[vec![1.0, 2.0], vec![1.0, 2.0], vec![2.0, 3.0]]),
            [true, true, false]
        );
        assert_eq!(may_be_best(&[vec![f64::NAN, 2.0], vec![1.0, 1.0]]), [true; 2]);
    }

    /// Nine alternatives of which one is best by little: it is kept at least as often as is said.
    #[test]
    fn the_best_is_kept_as_often_as_is_said() {
        let mut means = [0.3; 9];
        means[4] = 0.0;
        let (mut held, mut kept) = (0, 0);
        for seed in 0..400 {
            let found = may_be_best(&drawn(&means, 12, seed));
            held += usize::from(found[4]);
            kept += found.iter().filter(|kept| **kept).count();
        }
        // 95 % of 400, less 4 standard errors; and not everything is kept.
        assert!(held >= 363, "{held}");
        assert!(kept < 400 * 9, "{kept}");
        // Far apart, the others are out.
        let far: Vec<f64> = means.iter().map(|mean| 20.0 * mean).collect();
        let found = may_be_best(&drawn(&far, 12, 7));
        assert_eq!(found.iter().filter(|kept| **kept).count(), 1);
    }
}
