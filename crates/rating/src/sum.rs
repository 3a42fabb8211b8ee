//! Sums that do not depend on the order of their terms, to the last bit.

/// The sums of columns of finite numbers below 2^900, each to about a unit in the last place; where terms of n rows cancel,
/// to n^3 2^-103 of the largest.
///
/// Each number is cut into two at places that only the largest of its column and the number of rows decide, so that
/// sums of the upper parts and of the lower ones are exact in any order; what is below both is left out. That is the
/// extraction of Rump, Ogita and Oishi, "Accurate floating-point summation part I", 2008 (doi 10.1137/050645671), section 3.
/// Cost: two passes.
#[inline]
pub(crate) fn sums<const N: usize>(rows: impl Iterator<Item = [f64; N]> + Clone) -> [f64; N] {
    let (mut most, mut count) = ([0.0_f64; N], 0_u64);
    for row in rows.clone() {
        count += 1;
        for (most, x) in most.iter_mut().zip(row) {
            *most = if x.abs() > *most { x.abs() } else { *most };
        }
    }
    // The least power of two from count + 2 on: as many parts below the cut add up without rounding.
    let room = (count + 2).next_power_of_two() as f64;
    let cuts = most.map(|most| room * power_above(most));
    let lower_cuts = cuts.map(|cut| cut * (room * (0.5 * f64::EPSILON)));
    let (mut upper, mut lower) = ([0.0; N], [0.0; N]);
    for row in rows {
        for column in 0..N {
            let x = row[column];
            let part = (cuts[column] + x) - cuts[column];
            upper[column] += part;
            lower[column] += (lower_cuts[column] + (x - part)) - lower_cuts[column];
        }
    }
    for (upper, lower) in upper.iter_mut().zip(lower) {
        *upper += lower;
    }
    upper
}

/// The least power of two above `x`, a number from 0 on.
#[inline]
fn power_above(x: f64) -> f64 {
    f64::from_bits(((x.to_bits() >> 52) + 1) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: &[f64]) -> f64 {
        sums(terms.iter().map(|&x| [x]))[0]
    }

    #[test]
    fn no_order_changes_a_bit_and_no_digit_is_lost() {
        let mut terms: Vec<f64> = (0..1000)
            .map(|k| (f64::from(k) * 0.7).sin() * 10_f64.powi(k % 19 - 9))
            .collect();
        let before = sum(&terms);
        for step in [7, 501, 3] {
            terms.rotate_left(step);
            terms.reverse();
            terms.swap(step, 17);
            assert_eq!(sum(&terms).to_bits(), before.to_bits());
        }
        // The negatives in another order leave nothing.
        terms.extend(terms.clone().iter().rev().map(|x| -x));
        assert!(sum(&terms).abs() < 1e-12);
        assert!((sum(&[1e9, 1e-12, -1e9]) - 1e-12).abs() < 1e-20);
    }

    #[test]
    fn few_numbers_add_up_as_they_do_by_hand() {
        for x in [0.0, 0.1, -1e9, 1e-300, 5e-324, 1e18] {
            assert_eq!(sum(&[x]), x);
            assert_eq!(sum(&[x, 0.0, x]), 2.0 * x);
        }
        assert_eq!((sum(&[]), sum(&[0.1, 0.2])), (0.0, 0.1 + 0.2));
        assert_eq!(sums([[1.0, 0.1], [2.0, 0.2]].into_iter()), [3.0, 0.1 + 0.2]);
    }
}
