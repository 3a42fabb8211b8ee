//! Sums of floats, rounded once.

/// The sum of `values`, rounded once to the nearest float (ties to even), so that it does not depend on their
/// order and a larger sum never comes out smaller. The plain sum if that is not finite.
///
/// Keeps the sum so far as floats that do not overlap, from small to large: adding to such a list is exact.
/// Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", Discrete &
/// Computational Geometry 18 (1997), doi:10.1007/PL00009321, theorem 10.
pub(crate) fn sum_rounded_once(values: impl Iterator<Item = f64>) -> f64 {
    sum_rounded_once_in(&mut Vec::new(), values)
}

/// The same, in memory that is kept.
pub(crate) fn sum_rounded_once_in(parts: &mut Vec<f64>, values: impl Iterator<Item = f64>) -> f64 {
    parts.clear();
    let mut plain = 0.0;
    for value in values {
        plain += value;
        let mut carry = value;
        parts.retain_mut(|part| {
            let error;
            (carry, error) = two_sum(carry, *part);
            *part = error;
            error != 0.0
        });
        parts.push(carry);
    }
    let exact = round(parts);
    if plain.is_finite() && exact.is_finite() {
        exact
    } else {
        plain
    }
}

/// The rounded sum and what rounding took off (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

/// Parts that do not overlap, from small to large, as one float.
fn round(parts: &[f64]) -> f64 {
    let mut rest = parts.iter().rev().copied();
    let (mut sum, mut error) = (rest.next().unwrap_or(0.0), 0.0);
    for part in rest.by_ref() {
        (sum, error) = two_sum(sum, part);
        if error != 0.0 {
            break;
        }
    }
    // An error of just half a step was rounded as a tie, which the next part breaks if it has the same sign.
    let next = rest.next().unwrap_or(0.0);
    let step = sum + 2.0 * error;
    if error != 0.0 && next != 0.0 && (error > 0.0) == (next > 0.0) && step - sum == 2.0 * error {
        step
    } else {
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(values: &[f64]) -> f64 {
        sum_rounded_once(values.iter().copied())
    }

    #[test]
    fn what_cancels_leaves_no_trace() {
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(sum(&[1e100, 1.0, -1e100, 1e-30]), 1.0 + 1e-30);
        assert_eq!(sum(&[0.1; 10]), 1.0);
        assert_eq!(sum(&[1e15, 0.22, 0.22, -1e15]), 0.44);
    }

    #[test]
    fn ties_go_to_even_unless_something_smaller_breaks_them() {
        let half = 2.0_f64.powi(-53);
        let tiny = 2.0_f64.powi(-110);
        assert_eq!(sum(&[1.0, half]), 1.0);
        assert_eq!(sum(&[tiny, half, 1.0]), 1.0 + 2.0 * half);
        assert_eq!(sum(&[-tiny, half, 1.0]), 1.0);
        let odd = 1.0 + 2.0 * half;
        assert_eq!(sum(&[odd, half]), odd + 2.0 * half);
        assert_eq!(sum(&[odd, half, -tiny]), odd);
    }

    #[test]
    fn what_is_not_finite_stays_so() {
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert!(sum(&[f64::NAN, 1.0]).is_nan());
    }
}
