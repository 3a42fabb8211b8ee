//! The likeliest performance in a game for each of its places.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use super::root::decreasing_zero;
use crate::sigmoid::logistic_both;

/// A side before a game: who came where, and how it performs.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    pub(super) place: u32,
    pub(super) mean: f64,
    /// Variance of the side's performance.
    pub(super) variance: f64,
    /// Of the logistic distribution with that variance.
    pub(super) scale: f64,
}

/// A game of more sides is worked out from a table.
const MOST_EXACT: usize = 256;
/// Nodes of the table in the smallest scale of a side's performance.
const NODES_A_SCALE: f64 = 8.0;
/// No performance is looked for further from the rating, in points.
const FURTHEST: f64 = 1e12;

/// The likeliest performance for each place, given the ranking of all `sides`.
///
/// Up to [`MOST_EXACT`] sides by [`exact`], quadratic in the sides; beyond by a [`Table`].
pub(super) fn performances(mut sides: Vec<Ranked>) -> BTreeMap<u32, f64> {
    // Summed in an order of their own, not that of the sides.
    sides.sort_by(|a, b| {
        a.mean
            .total_cmp(&b.mean)
            .then(a.variance.total_cmp(&b.variance))
            .then(a.place.cmp(&b.place))
    });
    if sides.len() > MOST_EXACT {
        return Table::new(&sides).performances();
    }
    by_place(&sides)
        .chunk_by(|a, b| a.place == b.place)
        .map(|tied| {
            (
                tied[0].place,
                likeliest(&tied[0], |x| exact(tied[0].place, &sides, x)),
            )
        })
        .collect()
}

/// `sides` from the best place to the worst.
fn by_place(sides: &[Ranked]) -> Vec<Ranked> {
    let mut ranked = sides.to_vec();
    ranked.sort_by_key(|side| side.place);
    ranked
}

/// The first two derivatives of the log-likelihood of a performance of x that took `place` among `sides`.
fn exact(place: u32, sides: &[Ranked], x: f64) -> (f64, f64) {
    let term = |other: &Ranked| {
        let rate = 1.0 / other.scale;
        let (below, above) = logistic_both((x - other.mean) * rate);
        let slope = -below * above * rate * rate;
        match other.place.cmp(&place) {
            Ordering::Less => (-below * rate, slope),
            Ordering::Greater => (above * rate, slope),
            Ordering::Equal => ((above - below) * rate, 2.0 * slope),
        }
    };
    sides
        .iter()
        .map(term)
        .fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
}

/// Where the `likelihood`, decreasing and given with its slope, is zero for the place of `side`.
fn likeliest(side: &Ranked, mut likelihood: impl FnMut(f64) -> (f64, f64)) -> f64 {
    let (at_mean, slope) = likelihood(side.mean);
    if at_mean == 0.0 {
        return side.mean;
    }
    // Step by step further out until the sign changes: the side's own term sees to that.
    let (mut near, mut reach) = (side.mean, side.scale);
    let far = loop {
        let far = side.mean + reach.copysign(at_mean);
        if likelihood(far).0 * at_mean <= 0.0 || reach > FURTHEST {
            break far;
        }
        (near, reach) = (far, 2.0 * reach);
    };
    let bracket = (near.min(far), near.max(far));
    decreasing_zero(likelihood, bracket, side.mean - at_mean / slope, side.scale)
}

/// What all places share of the likelihood, as cubics between nodes.
///
/// ```text
/// likelihood of place k at x = W_k - G(x) - sum over who shared the place of F_j(x) / s_j
/// G(x) = sum over all of F_j(x) / s_j               W_k = sum over who came no better of 1 / s_j
/// ```
///
/// G is worked out with its slope at the nodes next to where it is asked for, an eighth of the least scale apart, and is
/// a cubic between them (Hermite's), which misses a logistic curve by about (1/8)^4 / 384 = 6e-7 of the smaller of F and
/// 1 - F. Cost: a pass over all sides a node, some hundreds of nodes in all.
struct Table<'a> {
    sides: &'a [Ranked],
    step: f64,
    /// G and the step times its slope, by the bits of the node's number.
    nodes: HashMap<u64, (f64, f64)>,
}

impl<'a> Table<'a> {
    fn new(sides: &'a [Ranked]) -> Self {
        let least = sides
            .iter()
            .fold(f64::INFINITY, |least, side| least.min(side.scale));
        Self {
            sides,
            step: least / NODES_A_SCALE,
            nodes: HashMap::new(),
        }
    }

    fn performances(&mut self) -> BTreeMap<u32, f64> {
        let ranked = by_place(self.sides);
        let (first, last) = (
            ranked.first().map(|side| side.place),
            ranked.last().map(|side| side.place),
        );
        let mut no_better = 0.0;
        let mut performances = BTreeMap::new();
        for tied in ranked.chunk_by(|a, b| a.place == b.place).rev() {
            no_better += tied.iter().map(|side| 1.0 / side.scale).sum::<f64>();
            let found = likeliest(&tied[0], |x| {
                let (mut value, mut slope) = self.at(x);
                for side in tied {
                    let (below, above) = logistic_both((x - side.mean) / side.scale);
                    value += below / side.scale;
                    slope += below * above / (side.scale * side.scale);
                }
                (no_better - value, -slope)
            });
            let performance = match tied {
                // However far ahead, and so within the table's error of the mean.
                [alone] if first == Some(alone.place) => found.max(alone.mean),
                [alone] if last == Some(alone.place) => found.min(alone.mean),
                _ => found,
            };
            performances.insert(tied[0].place, performance);
        }
        performances
    }

    /// G and its slope.
    fn at(&mut self, x: f64) -> (f64, f64) {
        let place = x / self.step;
        let node = place.floor();
        let ((a, da), (b, db)) = (self.node(node), self.node(node + 1.0));
        let t = place - node;
        // b - a = da / 2 + db / 2 + what bends it.
        let (rise, u) = (b - a, 1.0 - t);
        let value = a + t * (rise + u * (u * (da - rise) - t * (db - rise)));
        let slope = rise + (u - t) * (u * (da - rise) - t * (db - rise)) - t * u * (da + db - 2.0 * rise);
        (value, slope / self.step)
    }

    fn node(&mut self, node: f64) -> (f64, f64) {
        let (sides, step) = (self.sides, self.step);
        *self.nodes.entry(node.to_bits()).or_insert_with(|| {
            let x = node * step;
            let term = |side: &Ranked| {
                let (below, above) = logistic_both((x - side.mean) / side.scale);
                (below / side.scale, below * above / (side.scale * side.scale))
            };
            let terms = sides.iter().map(term);
            let (value, slope) = terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
            (value, slope * step)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sides of ratings from 0 to 3000 and deviations from 30 to 350, `tied` a place.
    fn field(count: u32, tied: u32) -> Vec<Ranked> {
        let side = |k: u32| {
            let unit = |factor: u32| f64::from(k.wrapping_mul(factor) % 1009) / 1009.0;
            let deviation = 30.0 + 320.0 * unit(211).powi(3);
            let variance = 195.96 * 195.96 + deviation * deviation;
            Ranked {
                place: k.wrapping_mul(7919) % count / tied,
                mean: 3000.0 * unit(577),
                variance,
                scale: 3.0_f64.sqrt() / std::f64::consts::PI * variance.sqrt(),
            }
        };
        (0..count).map(side).collect()
    }

    #[test]
    fn the_table_is_less_than_a_hundred_thousandth_of_a_deviation_off_what_all_pairs_say() {
        for tied in [1, 7, 500] {
            let sides = field(1500, tied);
            let found = performances(sides.clone());
            let sides = by_place(&sides);
            for tied in sides.chunk_by(|a, b| a.place == b.place) {
                let place = tied[0].place;
                let expected = likeliest(&tied[0], |x| exact(place, &sides, x));
                assert!(
                    (found[&place] - expected).abs() < 1e-5 * 30.0,
                    "{place}: {} {expected}",
                    found[&place]
                );
            }
        }
    }

    #[test]
    fn a_pass_over_all_sides_is_made_some_hundred_times_however_many_sides_there_are() {
        for count in [300, 3_000, 20_000] {
            let sides = field(count, 1);
            let mut table = Table::new(&sides);
            assert_eq!(table.performances().len(), count as usize);
            assert!(table.nodes.len() < 700, "{count}: {}", table.nodes.len());
        }
    }
}
