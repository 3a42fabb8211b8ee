//! The update terms of Weng and Lin's models: Bradley-Terry and Thurstone-Mosteller over pairs, and Plackett-Luce.

use std::cmp::Ordering;

use crate::gaussian::SideSums;
use crate::normal::{above, within_half};
use crate::sigmoid::logistic_both;
use crate::weng_lin::{WengLinGamma, WengLinModel, WengLinParams};

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

/// What a game says about each of its `sides`.
///
/// Of two sides Plackett and Luce's model says what Bradley and Terry's does.
pub(super) fn learnt(sides: &[Placed], params: &WengLinParams) -> Vec<Evidence> {
    match params.model {
        WengLinModel::PlackettLuce if sides.len() != 2 => plackett_luce(sides, params.beta, params.gamma),
        _ => by_pairs(sides, params),
    }
}

/// The sides by place and, in a place, from the highest mean: sums in this order do not depend on the order given.
fn ranked(sides: &[Placed]) -> Vec<usize> {
    let mut ranked: Vec<usize> = (0..sides.len()).collect();
    ranked.sort_by(|&a, &b| sides[a].0.cmp(&sides[b].0).then(sides[b].1.compare(&sides[a].1)));
    ranked
}

/// Algorithms 1 to 3 of the paper: every side against every other, or against those of its own and of the next places.
fn by_pairs(sides: &[Placed], params: &WengLinParams) -> Vec<Evidence> {
    let ranked = ranked(sides);
    let mut sums = vec![Evidence::default(); sides.len()];
    for (at, &first) in ranked.iter().enumerate() {
        let (mut place, mut steps) = (sides[first].0, 0);
        for &second in &ranked[at + 1..] {
            if sides[second].0 != place {
                (place, steps) = (sides[second].0, steps + 1);
            }
            if steps > 1 && params.model.is_partial() {
                break;
            }
            let (to_one, to_other) = pair(&sides[first], &sides[second], sides.len(), params);
            sums[first].add(&to_one);
            sums[second].add(&to_other);
        }
    }
    sums
}

/// What two sides of a game of `sides` tell each other.
///
/// ```text
/// c_iq  = sqrt(sigma_i^2 + sigma_q^2 + 2 beta^2)         x = (theta_i - theta_q) / c_iq
/// Omega = sum over q of sigma_i^2 / c_iq v               Delta = sum over q of gamma sigma_i^2 / c_iq^2 w
/// Bradley-Terry:       v = s - p    w = p (1 - p)        p = 1 / (1 + e^-x),  s = 1, 1/2, 0
/// Thurstone-Mosteller: v, w of a normal variable cut off at epsilon / c_iq - x, or to within epsilon / c_iq of -x
/// ```
#[inline]
pub(super) fn pair(
    (place, one): &Placed,
    (other_place, other): &Placed,
    sides: usize,
    params: &WengLinParams,
) -> (Evidence, Evidence) {
    let scale = 1.0 / (one.variance + other.variance + 2.0 * params.beta * params.beta).sqrt();
    let lead = (one.mean - other.mean) * scale;
    let (surprise, information) = if params.model.is_normal() {
        let margin = params.draw_margin * scale;
        let (sign, part) = match place.cmp(other_place) {
            Ordering::Less => (1.0, above(margin - lead)),
            Ordering::Equal => (1.0, within_half(lead, margin)),
            Ordering::Greater => (-1.0, above(margin + lead)),
        };
        (sign * part.mean, part.lost)
    } else {
        let (win, loss) = logistic_both(lead);
        let score = 0.5 * f64::from(u8::from(place < other_place) + u8::from(place <= other_place));
        // s - p, without the rounding of a difference from 1.
        (score * loss - (1.0 - score) * win, win * loss)
    };
    let information = scale * scale * information;
    let evidence = |side: &SideSums, surprise: f64| Evidence {
        pull: surprise * scale,
        information: gamma(params.gamma, side.variance, scale, sides) * information,
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
fn plackett_luce(sides: &[Placed], beta: f64, choice: WengLinGamma) -> Vec<Evidence> {
    let ranked = ranked(sides);
    let c2: f64 = ranked
        .iter()
        .map(|&index| sides[index].1.variance + beta * beta)
        .sum();
    let c = c2.sqrt();
    let best = sides
        .iter()
        .map(|(_, side)| side.mean)
        .fold(f64::NEG_INFINITY, f64::max);
    let level = |index: usize| (sides[index].1.mean - best) / c;
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
