//! The update terms of Weng and Lin's two models: Bradley-Terry over all pairs, and Plackett-Luce.

use crate::gaussian::SideSums;
use crate::sigmoid::logistic_both;
use crate::weng_lin::WengLinGamma;

/// What a game says about one side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Evidence {
    /// `Omega_i / sigma_i^2`: a member's mu moves by `a sigma^2` times this.
    pub(super) pull: f64,
    /// `Delta_i / sigma_i^2`: a member's `sigma^2` shrinks by the factor 1 - `a^2 sigma^2` times this.
    pub(super) information: f64,
}

impl Evidence {
    fn add(&mut self, other: &Self) {
        self.pull += other.pull;
        self.information += other.information;
    }
}

/// A side and its place.
pub(super) type Placed = (u32, SideSums);

/// gamma for a side of `variance` against a spread of c = 1 / `scale`, in a game of `sides`.
#[inline]
fn gamma(choice: WengLinGamma, variance: f64, scale: f64, sides: usize) -> f64 {
    match choice {
        WengLinGamma::Deviation => variance.sqrt() * scale,
        WengLinGamma::Sides => 1.0 / sides as f64,
        WengLinGamma::Fixed(gamma) => gamma,
    }
}

/// Algorithm 1 of the paper: every side against every other.
///
/// ```text
/// c_iq  = sqrt(sigma_i^2 + sigma_q^2 + 2 beta^2)      p_iq = 1 / (1 + e^((theta_q - theta_i) / c_iq))
/// Omega = sum over q of sigma_i^2 / c_iq (s - p_iq)    s = 1, 1/2, 0
/// Delta = sum over q of gamma sigma_i^2 / c_iq^2 p_iq p_qi
/// ```
pub(super) fn all_pairs(sides: &[Placed], beta: f64, choice: WengLinGamma) -> Vec<Evidence> {
    let mut sums = vec![Evidence::default(); sides.len()];
    for (first, one) in sides.iter().enumerate() {
        for (second, other) in sides.iter().enumerate().skip(first + 1) {
            let (to_one, to_other) = pair(one, other, sides.len(), beta, choice);
            sums[first].add(&to_one);
            sums[second].add(&to_other);
        }
    }
    sums
}

/// What two sides of a game of `sides` tell each other.
#[inline]
pub(super) fn pair(
    (place, one): &Placed,
    (other_place, other): &Placed,
    sides: usize,
    beta: f64,
    choice: WengLinGamma,
) -> (Evidence, Evidence) {
    let scale = 1.0 / (one.variance + other.variance + 2.0 * beta * beta).sqrt();
    let (win, loss) = logistic_both((one.mean - other.mean) * scale);
    let score = 0.5 * f64::from(u8::from(place < other_place) + u8::from(place <= other_place));
    // s - p, without the rounding of a difference from 1.
    let surprise = score * loss - (1.0 - score) * win;
    let information = scale * scale * (win * loss);
    let evidence = |side: &SideSums, surprise: f64| Evidence {
        pull: surprise * scale,
        information: gamma(choice, side.variance, scale, sides) * information,
    };
    (evidence(one, surprise), evidence(other, -surprise))
}

/// Algorithm 4 of the paper: Plackett and Luce's model, in n ln n by sums over places.
///
/// ```text
/// c     = sqrt(sum over all sides of sigma_i^2 + beta^2)
/// p_iq  = e^(theta_i / c) / S_q        S_q = sum of e^(theta_s / c) over sides s that came no better than q
/// Omega = sigma_i^2 / c (1 / A_i - sum over q of p_iq / A_q)                q came no worse than i
/// Delta = gamma sigma_i^2 / c^2 sum over q of p_iq (1 - p_iq) / A_q         A_q sides share q's place
/// ```
///
/// `S_q` is one number a place and the `A_q` terms of a place sum to one, so the inner sums are
/// `e^(theta_i / c)` times a running sum of `1 / S` over the places so far. All sums are kept as
/// logarithms.
pub(super) fn plackett_luce(sides: &[Placed], beta: f64, choice: WengLinGamma) -> Vec<Evidence> {
    let c2: f64 = sides.iter().map(|(_, side)| side.variance + beta * beta).sum();
    let c = c2.sqrt();
    let best = sides
        .iter()
        .map(|(_, side)| side.mean)
        .fold(f64::NEG_INFINITY, f64::max);
    let level = |index: usize| (sides[index].1.mean - best) / c;
    let mut ranked: Vec<usize> = (0..sides.len()).collect();
    ranked.sort_by(|&a, &b| sides[a].0.cmp(&sides[b].0).then(sides[b].1.compare(&sides[a].1)));
    let places: Vec<&[usize]> = ranked.chunk_by(|&a, &b| sides[a].0 == sides[b].0).collect();
    // ln S by place, from the last one.
    let mut remaining = f64::NEG_INFINITY;
    let mut sums: Vec<f64> = Vec::with_capacity(places.len());
    for place in places.iter().rev() {
        remaining = place
            .iter()
            .fold(remaining, |sum, &index| log_add(sum, level(index)));
        sums.push(remaining);
    }
    sums.reverse();
    let mut evidence = vec![Evidence::default(); sides.len()];
    // ln of the sums of 1 / S and 1 / S^2 over the places so far.
    let (mut first, mut second) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (place, sum) in places.iter().zip(&sums) {
        first = log_add(first, -sum);
        second = log_add(second, -2.0 * sum);
        for &index in *place {
            let chosen = (level(index) + first).exp();
            let squared = (2.0 * level(index) + second).exp();
            evidence[index] = Evidence {
                pull: (1.0 / place.len() as f64 - chosen) / c,
                information: gamma(choice, sides[index].1.variance, 1.0 / c, sides.len())
                    * (chosen - squared).max(0.0)
                    / c2,
            };
        }
    }
    evidence
}

/// ln(e^a + e^b).
fn log_add(a: f64, b: f64) -> f64 {
    let (high, low) = (a.max(b), a.min(b));
    if low == f64::NEG_INFINITY {
        return high;
    }
    high + (low - high).exp().ln_1p()
}
