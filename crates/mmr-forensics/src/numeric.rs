//! Normal probabilities, sums of exponentials, small systems of equations.

/// ln erfc(z), for any z, also where erfc itself is too small for a float.
///
/// Beyond 25, where erfc is still a normal number, by its asymptotic series in 1 / (2 z^2), whose first term left out is
/// below 1e-15 there: erfc(z) ~ exp(-z^2) / (z sqrt(pi)) (1 - 1 / (2 z^2) + 1 x 3 / (2 z^2)^2 - ...).
///
/// Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 7.1.23.
pub(crate) fn ln_erfc(z: f64) -> f64 {
    if z <= 25.0 {
        return libm::erfc(z).ln();
    }
    let x = 1.0 / (2.0 * z * z);
    let series = (1..=5)
        .rev()
        .fold(1.0, |sum, k| 1.0 - f64::from(2 * k - 1) * x * sum);
    -z * z - (z * std::f64::consts::PI.sqrt()).ln() + series.ln()
}

/// ln of the sum of exponentials.
pub(crate) fn ln_sum_exp(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most.is_finite() {
        most + values.iter().map(|value| (value - most).exp()).sum::<f64>().ln()
    } else {
        most
    }
}

/// The quantile of a sorted list, between neighbours by distance.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let at = share.clamp(0.0, 1.0) * last as f64;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place in the list"
    )]
    let below = (at.floor() as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (at - below as f64) * (sorted[above] - sorted[below])
}

/// The inverse of a symmetric positive definite matrix, by elimination with pivots; `None` if it has none.
pub(crate) fn invert(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut left = matrix.to_vec();
    let unit = |row: usize| (0..n).map(|column| f64::from(u8::from(row == column))).collect();
    let mut right: Vec<Vec<f64>> = (0..n).map(unit).collect();
    let largest = (0..n).map(|at| matrix[at][at].abs()).fold(0.0, f64::max);
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| left[a][column].abs().total_cmp(&left[b][column].abs()))?;
        if left[pivot][column].abs() <= 1e-12 * largest || left[pivot][column].is_nan() {
            return None;
        }
        left.swap(column, pivot);
        right.swap(column, pivot);
        let scale = 1.0 / left[column][column];
        for value in left[column].iter_mut().chain(&mut right[column]) {
            *value *= scale;
        }
        let (row_left, row_right) = (left[column].clone(), right[column].clone());
        for other in (0..n).filter(|&other| other != column) {
            let factor = left[other][column];
            for (value, by) in left[other].iter_mut().zip(&row_left) {
                *value -= factor * by;
            }
            for (value, by) in right[other].iter_mut().zip(&row_right) {
                *value -= factor * by;
            }
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_values_come_back() {
        assert_eq!(ln_erfc(0.0), 0.0);
        assert!((ln_erfc(1.0).exp() - 0.157_299_207_050_285_13).abs() < 1e-16);
        assert!((ln_erfc(-0.5).exp() - 1.520_499_877_813_046_5).abs() < 1e-15);
        // Computed with 60 digits.
        assert!((ln_erfc(30.0) + 903.974_117_110_643_9).abs() < 1e-12);
        assert!((ln_erfc(25.0) - ln_erfc(25.0_f64.next_up())).abs() < 1e-11);
        assert!((ln_sum_exp(&[-1000.0, -1000.0]) + 1000.0 - 2_f64.ln()).abs() < 1e-12);
        let inverse = invert(&[vec![4.0, 1.0], vec![1.0, 3.0]]).unwrap();
        assert!((inverse[0][0] - 3.0 / 11.0).abs() < 1e-12 && (inverse[1][0] + 1.0 / 11.0).abs() < 1e-12);
        assert!(invert(&[vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
