//! Standardisation: weighted means and standard deviations of columns.

use super::Dataset;

/// Mean and population standard deviation of each column, by the rows' weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Standardization {
    pub(super) means: Vec<f64>,
    /// 1 for a column that does not vary.
    pub(super) scales: Vec<f64>,
}

/// Rows per block: few enough that the second pass over a block finds them still in the second-level cache.
const BLOCK: usize = 256;

impl Standardization {
    /// One pass over all rows for the ranges, then two over each block (means, squared deviations), whose moments are merged.
    /// Rows of weight 0 do not count.
    ///
    /// Chan, Golub, `LeVeque`, "Updating formulae and a pairwise algorithm for computing sample variances", 1982, DOI
    /// 10.1007/978-3-642-51461-6_3.
    pub(super) fn of(data: &Dataset, rows: &[usize]) -> Self {
        let Ranges {
            low,
            high,
            largest_weight,
        } = Ranges::of(data, rows);
        let units: Vec<f64> = low
            .iter()
            .zip(&high)
            .map(|(low, high)| unit(*low, *high))
            .collect();
        let mut all = Moments::new(units.len());
        let mut block = Moments::new(units.len());
        for rows in rows.chunks(BLOCK) {
            block.take(data, rows, largest_weight, &units);
            all.merge(&block);
        }
        let mut found = Self::identity(units.len());
        for (column, unit) in units.iter().enumerate() {
            let deviation = (all.squares[column] / all.weight).sqrt() * unit;
            if low[column] >= high[column] {
                // Constant: the exact value, and the scale stays 1.
                found.means[column] = low[column];
            } else {
                found.means[column] = all.means[column] * unit;
                // It may vary too little for its variance to be above 0.
                found.scales[column] = if deviation == 0.0 { 1.0 } else { deviation };
            }
        }
        found
    }

    /// Means of 0 and scales of 1: columns as they are.
    pub(super) fn identity(width: usize) -> Self {
        Self {
            means: vec![0.0; width],
            scales: vec![1.0; width],
        }
    }

    /// A value of a column in standardised units.
    pub(super) fn apply(&self, column: usize, value: f64) -> f64 {
        // Halved: the difference of two huge numbers of opposite sign would overflow.
        let (value, mean, scale) = (value / 2.0, self.means[column] / 2.0, self.scales[column] / 2.0);
        (value - mean) / scale
    }
}

/// Each column's smallest and largest value, and the largest weight, over rows of positive weight.
struct Ranges {
    low: Vec<f64>,
    high: Vec<f64>,
    largest_weight: f64,
}

impl Ranges {
    fn of(data: &Dataset, rows: &[usize]) -> Self {
        let width = data.columns().len();
        let mut ranges = Self {
            low: vec![f64::INFINITY; width],
            high: vec![f64::NEG_INFINITY; width],
            largest_weight: 0.0,
        };
        for &row in rows.iter().filter(|&&row| data.weight(row) > 0.0) {
            ranges.largest_weight = ranges.largest_weight.max(data.weight(row));
            for ((low, high), &value) in ranges.low.iter_mut().zip(&mut ranges.high).zip(data.row(row)) {
                *low = if value < *low { value } else { *low };
                *high = if value > *high { value } else { *high };
            }
        }
        ranges
    }
}

/// The divisor of a column before its values are squared: 1 unless the squares would leave the range of f64.
fn unit(low: f64, high: f64) -> f64 {
    let largest = low.abs().max(high.abs());
    // Infinite only where no row has a positive weight.
    if largest == 0.0 || !largest.is_finite() || (1e-100..1e100).contains(&largest) {
        1.0
    } else {
        largest
    }
}

/// The sum of weights and, for each column, the mean and the sum of squared deviations from it.
struct Moments {
    weight: f64,
    means: Vec<f64>,
    squares: Vec<f64>,
}

impl Moments {
    fn new(width: usize) -> Self {
        Self {
            weight: 0.0,
            means: vec![0.0; width],
            squares: vec![0.0; width],
        }
    }

    /// Becomes the moments of these rows, with weights relative to `largest` and columns in their units.
    fn take(&mut self, data: &Dataset, rows: &[usize], largest: f64, units: &[f64]) {
        self.weight = 0.0;
        self.means.fill(0.0);
        self.squares.fill(0.0);
        for &row in rows {
            let weight = data.weight(row) / largest;
            self.weight += weight;
            for ((mean, value), unit) in self.means.iter_mut().zip(data.row(row)).zip(units) {
                *mean += weight * (value / unit);
            }
        }
        for mean in &mut self.means {
            // NaN for a block of zero weights, which `merge` passes over.
            *mean /= self.weight;
        }
        for &row in rows {
            let weight = data.weight(row) / largest;
            let moments = self.squares.iter_mut().zip(&self.means);
            for ((square, mean), (value, unit)) in moments.zip(data.row(row).iter().zip(units)) {
                let centred = value / unit - mean;
                *square += weight * centred * centred;
            }
        }
    }

    /// Adds the moments of another block (Chan, Golub, `LeVeque`, the rule for two samples).
    fn merge(&mut self, block: &Self) {
        if block.weight <= 0.0 {
            return;
        }
        let weight = self.weight + block.weight;
        let share = block.weight / weight;
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((mean, square), (block_mean, block_square)) in
            moments.zip(block.means.iter().zip(&block.squares))
        {
            let difference = block_mean - *mean;
            *mean += difference * share;
            *square += block_square + difference * difference * self.weight * share;
        }
        self.weight = weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_deviations_follow_the_weights_and_constant_columns_keep_their_scale() {
        let names = ["x", "constant", "huge"].map(str::to_owned).to_vec();
        let rows = vec![1.0, 0.1, -1e300, 4.0, 0.1, 1e300, 9.0, 7.0, 3.0];
        let data = Dataset::new(names, rows, vec![true, false, true])
            .and_then(|data| data.with_weights(vec![2.0, 1.0, 0.0]))
            .unwrap();
        let found = Standardization::of(&data, &[0, 1, 2]);
        assert!((found.means[0] - 2.0).abs() < 1e-15);
        assert!((found.scales[0] - 2_f64.sqrt()).abs() < 1e-15);
        assert_eq!((found.means[1], found.scales[1]), (0.1, 1.0));
        assert_eq!(found.apply(1, 0.1), 0.0);
        assert!((found.apply(2, 1e300) - 2_f64.sqrt()).abs() < 1e-12);
    }
}
