//! Standardisation: weighted means and standard deviations of columns.

use super::Dataset;

/// Mean and population standard deviation of each column, by the rows' weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Standardization {
    pub(super) means: Vec<f64>,
    /// 1 for a column that does not vary.
    pub(super) scales: Vec<f64>,
}

impl Standardization {
    /// Two passes over the rows; rows of weight 0 do not count.
    pub(super) fn of(data: &Dataset, rows: &[usize]) -> Self {
        let width = data.columns().len();
        let units = units(data, rows);
        let (mut total, mut means) = (0.0, vec![0.0; width]);
        for &row in rows {
            let weight = data.weight(row);
            total += weight;
            for ((mean, value), unit) in means.iter_mut().zip(data.row(row)).zip(&units) {
                *mean += weight * (value / unit);
            }
        }
        for mean in &mut means {
            *mean /= total;
        }
        let mut squares = vec![0.0; width];
        for &row in rows {
            let weight = data.weight(row);
            for (((square, value), unit), mean) in
                squares.iter_mut().zip(data.row(row)).zip(&units).zip(&means)
            {
                let centred = value / unit - mean;
                *square += weight * centred * centred;
            }
        }
        let mut scales: Vec<f64> = squares
            .iter()
            .zip(&units)
            .map(|(square, unit)| (square / total).sqrt() * unit)
            .collect();
        for (mean, unit) in means.iter_mut().zip(&units) {
            *mean *= unit;
        }
        for (column, constant) in constants(data, rows).into_iter().enumerate() {
            if let Some(value) = constant {
                (means[column], scales[column]) = (value, 1.0);
            } else if scales[column] == 0.0 {
                scales[column] = 1.0;
            }
        }
        Self { means, scales }
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
        // Halves, so that the difference of two huge numbers of unlike sign does not overflow.
        let (value, mean, scale) = (value / 2.0, self.means[column] / 2.0, self.scales[column] / 2.0);
        (value - mean) / scale
    }
}

fn weighing<'a>(data: &'a Dataset, rows: &'a [usize]) -> impl Iterator<Item = &'a [f64]> {
    rows.iter()
        .filter(|&&row| data.weight(row) > 0.0)
        .map(|&row| data.row(row))
}

/// What to divide each column by ahead of squaring: 1 except for columns whose squares would leave the range of f64.
fn units(data: &Dataset, rows: &[usize]) -> Vec<f64> {
    let mut largest = vec![0.0_f64; data.columns().len()];
    for row in weighing(data, rows) {
        for (largest, value) in largest.iter_mut().zip(row) {
            *largest = largest.max(value.abs());
        }
    }
    largest
        .into_iter()
        .map(|m| {
            if m == 0.0 || (1e-100..1e100).contains(&m) {
                1.0
            } else {
                m
            }
        })
        .collect()
}

/// The value of each column that has only one.
fn constants(data: &Dataset, rows: &[usize]) -> Vec<Option<f64>> {
    let mut all = weighing(data, rows);
    let mut constants: Vec<Option<f64>> = all.next().unwrap_or(&[]).iter().copied().map(Some).collect();
    for row in all {
        for (constant, &value) in constants.iter_mut().zip(row) {
            *constant = constant.filter(|&constant| constant == value);
        }
    }
    constants
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
