//! [`NormalFit`]: the normal distribution nearest to a table of percentiles, by minimax.

use crate::dota::PercentileTable;
use crate::normal::quantile;

/// The normal distribution whose largest miss of a table's rows is the smallest possible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalFit {
    /// Its mean, in units of the table's values.
    pub mean: f64,
    /// Its standard deviation, in the same.
    pub standard_deviation: f64,
    /// By how much it misses a row at most, in the same. Every other normal distribution misses some row by at least
    /// as much: if that is more than the rows can be rounded by, none fits the table.
    pub misfit: f64,
    /// The percent of a row that it misses by this much; other rows may be missed as far.
    pub percent: f64,
}

/// Steps of the search for the deviation, each leaving two thirds: 1e-35 of the start is far below rounding.
const STEPS: u32 = 200;

impl PercentileTable {
    /// The best normal distribution for the table, by the largest distance between a row's value and the normal's
    /// quantile of its percent.
    ///
    /// With z the standard normal quantile of a row and x its value, the best mean for a deviation s leaves
    /// (max(x - s z) - min(x - s z)) / 2, which is convex in s; its minimum lies between the smallest and the largest
    /// slope of neighbouring rows, and is found there by ternary search. Cost: linear in the rows.
    ///
    /// ```
    /// use matchwright_rating::PercentileTable;
    ///
    /// // Every normal distribution is 201 MMR or more off one of the eight printed rows.
    /// let fit = PercentileTable::dota_2013().best_normal();
    /// assert_eq!((fit.mean.round(), fit.standard_deviation.round(), fit.misfit.round()), (2351.0, 819.0, 201.0));
    /// ```
    #[must_use]
    pub fn best_normal(&self) -> NormalFit {
        let rows: Vec<(f64, f64, f64)> = self
            .rows()
            .map(|(percent, value)| (percent, quantile(percent / 100.0), value))
            .collect();
        let ends = |deviation: f64| {
            let rests = rows.iter().map(|&(_, z, value)| value - deviation * z);
            rests.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), rest| {
                (low.min(rest), high.max(rest))
            })
        };
        let width = |deviation: f64| {
            let (low, high) = ends(deviation);
            high - low
        };
        let slopes = rows
            .windows(2)
            .map(|pair| (pair[1].2 - pair[0].2) / (pair[1].1 - pair[0].1));
        let (mut low, mut high) = slopes.fold((f64::INFINITY, 0.0_f64), |(low, high), slope| {
            (low.min(slope), high.max(slope))
        });
        for _ in 0..STEPS {
            let third = (high - low) / 3.0;
            if width(low + third) <= width(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        let standard_deviation = 0.5 * (low + high);
        let (least, most) = ends(standard_deviation);
        let mean = 0.5 * (least + most);
        let miss = |z: f64, value: f64| (mean + standard_deviation * z - value).abs();
        let (misfit, percent) = rows.iter().fold((0.0, f64::NAN), |worst, &(percent, z, value)| {
            let here = miss(z, value);
            if here > worst.0 || worst.1.is_nan() {
                (here, percent)
            } else {
                worst
            }
        });
        NormalFit {
            mean,
            standard_deviation,
            misfit,
            percent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    #[test]
    fn a_table_of_a_normal_distribution_is_fitted_without_a_miss() {
        let rows: Vec<_> = [0.1, 5.0, 20.0, 50.0, 77.0, 99.0]
            .map(|percent| (percent, 1500.0 + 300.0 * quantile(percent / 100.0)))
            .to_vec();
        let fit = PercentileTable::new(&rows).unwrap().best_normal();
        assert_abs_diff_eq!(fit.mean, 1500.0, epsilon = 1e-6);
        assert_abs_diff_eq!(fit.standard_deviation, 300.0, epsilon = 1e-6);
        assert!(fit.misfit < 1e-6);
    }

    #[test]
    fn no_other_normal_distribution_is_nearer_to_the_published_table() {
        let table = PercentileTable::dota_2013();
        let best = table.best_normal();
        for mean in (1800..2900).step_by(10) {
            for deviation in (300..1600).step_by(10) {
                let worst = table
                    .rows()
                    .map(|(percent, value)| {
                        let z = quantile(percent / 100.0);
                        (f64::from(mean) + f64::from(deviation) * z - value).abs()
                    })
                    .fold(0.0, f64::max);
                assert!(worst >= best.misfit - 1e-9, "{mean} {deviation}: {worst}");
            }
        }
        // Rows printed to the hundred are right to fifty.
        assert!(best.misfit > 4.0 * 50.0);
    }
}
