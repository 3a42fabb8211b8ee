//! Normal probabilities, sums of exponentials, small systems of equations.

/// ln erfc(z), for any z.
///
/// Chebyshev fit of erfc with a relative error of 1.2e-7 everywhere (Press et al., "Numerical Recipes in C", 2nd
/// edition, 1992, section 6.2), kept as a logarithm so that far tails do not vanish.
pub(crate) fn ln_erfc(z: f64) -> f64 {
    const FIT: [f64; 10] = [
        -1.26551223,
        1.00002368,
        0.37409196,
        0.09678418,
        -0.18628806,
        0.27886807,
        -1.13520398,
        1.48851587,
        -0.82215223,
        0.17087277,
    ];
    let t = 1.0 / (1.0 + 0.5 * z.abs());
    let polynomial = FIT.iter().rev().fold(0.0, |sum, &term| sum * t + term);
    let upper = t.ln() - z * z + polynomial;
    if z >= 0.0 { upper } else { (2.0 - upper.exp()).ln() }
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

/// ln of the gamma function, for positive numbers: Lanczos' series.
pub(crate) fn ln_gamma(x: f64) -> f64 {
    const SERIES: [f64; 6] = [
        76.18009172947146,
        -86.50532032941677,
        24.01409824083091,
        -1.231739572450155,
        0.1208650973866179e-2,
        -0.5395239384953e-5,
    ];
    let t = x + 5.5;
    let sum: f64 = SERIES.iter().zip(1..).map(|(c, k)| c / (x + f64::from(k))).sum();
    (x + 0.5) * t.ln() - t + (2.5066282746310005 * (1.000000000190015 + sum) / x).ln()
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
        assert!((ln_erfc(0.0)).abs() < 1e-6);
        assert!((ln_erfc(1.0).exp() - 0.157299207050285).abs() < 1e-7);
        assert!((ln_erfc(-0.5).exp() - 1.520499877813047).abs() < 1e-6);
        assert!((ln_gamma(5.0).exp() - 24.0).abs() < 1e-8);
        assert!((ln_gamma(0.5).exp() - std::f64::consts::PI.sqrt()).abs() < 1e-8);
        assert!((ln_sum_exp(&[-1000.0, -1000.0]) + 1000.0 - 2_f64.ln()).abs() < 1e-12);
        let inverse = invert(&[vec![4.0, 1.0], vec![1.0, 3.0]]).unwrap();
        assert!((inverse[0][0] - 3.0 / 11.0).abs() < 1e-12 && (inverse[1][0] + 1.0 / 11.0).abs() < 1e-12);
        assert!(invert(&[vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
