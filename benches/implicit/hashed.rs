//! Costs without structure, from a hash of the two vertices.

use matchwright_solver::CostOracle;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A complete graph whose costs look as if drawn evenly from (0, 1), in 4 bytes a vertex.
///
/// ```text
/// c_ij = (mix(k_i xor k_j) + 1/2) / 2^32
/// ```
///
/// with random 32-bit keys k, and a mix of two rounds of shift, xor and multiplication by an odd number, which is
/// one to one. 32-bit arithmetic is what processors do four and eight at a time.
#[derive(Debug, Clone)]
pub struct HashedCosts {
    keys: Vec<u32>,
}

impl HashedCosts {
    /// The graph of a seed.
    #[must_use]
    pub fn draw(n: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Self {
            keys: (0..n).map(|_| rng.random()).collect(),
        }
    }
}

impl CostOracle for HashedCosts {
    fn vertices(&self) -> usize {
        self.keys.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some(cost(self.keys[i], self.keys[j]))
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        let own = self.keys[i];
        let others = &self.keys[from..from + out.len()];
        for (out, &other) in out.iter_mut().zip(others) {
            *out = cost(own, other);
        }
        if let Some(own) = i.checked_sub(from).and_then(|at| out.get_mut(at)) {
            *own = f64::NAN;
        }
    }

    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let keys = vertices.iter().map(|&i| self.keys[i as usize]).collect();
        Some(Box::new(Self { keys }))
    }
}

#[inline]
fn cost(key: u32, other: u32) -> f64 {
    /// 2^52: an `f64` from here to 2^53 holds an integer in its low bits.
    const INTEGERS: f64 = (1_u64 << 52) as f64;
    let hash = mix(key ^ other);
    // A conversion that needs no instruction for unsigned integers, which old processors lack.
    let whole = f64::from_bits(INTEGERS.to_bits() | u64::from(hash)) - INTEGERS;
    (whole + 0.5) / (1_u64 << 32) as f64
}

/// Every bit of the input changes about half of the output's.
#[inline]
fn mix(mut x: u32) -> u32 {
    for odd in [0x9e37_79b1_u32, 0x85eb_ca77] {
        x ^= x >> 16;
        x = x.wrapping_mul(odd);
        x ^= x >> 15;
    }
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_holds_the_costs_to_the_bit() {
        let costs = HashedCosts::draw(40, 1);
        let mut row = [0.0; 30];
        for i in 0..40 {
            costs.cost_row(i, 5, &mut row);
            for (j, &found) in (5..).zip(&row) {
                if i == j {
                    assert!(found.is_nan());
                } else {
                    assert_eq!(Some(found), costs.cost(j, i));
                    assert!(found > 0.0 && found < 1.0);
                }
            }
        }
    }

    #[test]
    fn some_of_the_vertices_cost_each_other_what_they_did() {
        let costs = HashedCosts::draw(20, 1);
        let among = costs.among(&[7, 3, 19]).unwrap();
        assert_eq!(among.vertices(), 3);
        assert_eq!(among.cost(0, 2), costs.cost(7, 19));
        assert_eq!(among.cost(1, 2), costs.cost(3, 19));
    }

    #[test]
    fn costs_are_spread_evenly_and_do_not_depend_on_the_neighbour() {
        let n = 400;
        let costs = HashedCosts::draw(n, 2);
        // In each of ten tenths, and in each of a hundred squares for two pairs that share a vertex.
        let (mut tenths, mut squares) = ([0_u32; 10], [0_u32; 100]);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 9")]
        let tenth = |i, j| (10.0 * costs.cost(i, j).unwrap()) as usize;
        for i in 0..n - 2 {
            for j in i + 1..n - 1 {
                tenths[tenth(i, j)] += 1;
                squares[10 * tenth(i, j) + tenth(i, j + 1)] += 1;
            }
        }
        let chi_square = |counts: &[u32]| {
            let mean = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
            let squares = counts
                .iter()
                .map(|&count| (f64::from(count) - mean).powi(2) / mean);
            squares.sum::<f64>()
        };
        // Five standard deviations above the means, 9 and 99.
        assert!(chi_square(&tenths) < 9.0 + 5.0 * 18_f64.sqrt(), "{tenths:?}");
        assert!(chi_square(&squares) < 99.0 + 5.0 * 198_f64.sqrt(), "{squares:?}");
    }
}
