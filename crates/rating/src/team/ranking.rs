//! [`PlaceProbabilities`]: how likely each side of a game takes each place, from independent performances.

use std::f64::consts::PI;

use crate::draw::OutcomeProbabilities;
use crate::normal::{density, normal_cdf};

/// How likely each side of a game takes each place, if no two share one.
///
/// A table of sides by places whose rows and columns sum to 1, to about 1e-12.
///
/// ```
/// use matchwright_rating::{GaussianRating, Member, TeamRatingSystem, TrueSkillParams};
///
/// let system = TrueSkillParams::default().build()?;
/// let [ann, bob, cid] = [30.0, 25.0, 20.0].map(|mu| [Member::new(GaussianRating::new(mu, 2.0).unwrap())]);
/// let places = system.place_probabilities(&[&ann, &bob, &cid]);
/// let percent: Vec<f64> = places.of_side(0).unwrap().iter().map(|p| (100.0 * p).round()).collect();
/// assert_eq!(percent, [75.0, 21.0, 4.0]);
/// assert!((places.expected_place(1).unwrap() - 2.0).abs() < 1e-12);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PlaceProbabilities {
    rows: Vec<Vec<f64>>,
}

impl PlaceProbabilities {
    /// The probabilities of the first place, the second and so on of the side at position `side`; `None` if there is none.
    #[must_use]
    pub fn of_side(&self, side: usize) -> Option<&[f64]> {
        self.rows.get(side).map(Vec::as_slice)
    }

    /// The mean place of the side at position `side`, from 1 to the number of sides; `None` if there is none.
    #[must_use]
    pub fn expected_place(&self, side: usize) -> Option<f64> {
        let row = self.rows.get(side)?;
        Some(
            row.iter()
                .zip(1_u32..)
                .map(|(p, place)| f64::from(place) * p)
                .sum(),
        )
    }

    /// The rows of all sides.
    #[must_use]
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// By Plackett and Luce's model: the first place goes to side i with probability `e^s_i / sum of e^s`, the second in the
    /// same way among the others, and so on.
    ///
    /// That is the order of independent performances `s_i + G`, G with Gumbel's distribution `P(G < x) = exp(-e^-x)` (Yellott,
    /// 1977, doi 10.1016/0022-2496(77)90026-8): one integral a side instead of a sum over all rankings.
    ///
    /// Strengths are finite numbers; NaN makes NaN.
    #[must_use]
    pub fn plackett_luce(strengths: &[f64]) -> Self {
        // The trapezoidal rule errs by 2^sides e^(-pi^2 / step) at most; beyond the ends less than 1e-16 is left.
        let (first, last, step) = (-30, 300, 0.125);
        // By e^-x instead of x.
        let node = |x: f64| ((-x).exp(), step * (-x - (-x).exp()).exp());
        let nodes: Vec<(f64, f64)> = (first..=last)
            .map(|index| node(step * f64::from(index)))
            .collect();
        Self::integrated(strengths.len(), |side| {
            let ratios: Vec<f64> = strengths
                .iter()
                .map(|other| (other - strengths[side]).exp())
                .collect();
            let above = move |other: usize, t: f64| -(-t * ratios[other]).exp_m1();
            (nodes.clone(), above)
        })
    }

    /// From the probabilities that side i wins, draws and loses against j, in a game of their own.
    ///
    /// By Plackett and Luce's model with the mean log-odds of a decided game against each as strength, which is exact where
    /// all pairs follow Bradley and Terry's model.
    pub(crate) fn by_pairs(sides: usize, outcome: impl Fn(usize, usize) -> OutcomeProbabilities) -> Self {
        let log_odds = |side: usize, other: usize| {
            let p = outcome(side, other);
            let odds = if p.win == p.loss { 1.0 } else { p.win / p.loss };
            odds.ln().clamp(-MOST_LOG_ODDS, MOST_LOG_ODDS)
        };
        let strength = |side: usize| {
            let others = (0..sides).filter(|&other| other != side);
            others.map(|other| log_odds(side, other)).sum::<f64>() / sides as f64
        };
        Self::plackett_luce(&(0..sides).map(strength).collect::<Vec<_>>())
    }

    /// By independent normal performances of a mean and a standard deviation above 0 each.
    pub(crate) fn normal(performances: &[(f64, f64)]) -> Self {
        let rule = gauss_legendre();
        Self::integrated(performances.len(), |side| {
            let above = |other: usize, x: f64| {
                let (mean, deviation) = performances[other];
                normal_cdf((mean - x) / deviation)
            };
            (normal_nodes(performances, side, &rule), above)
        })
    }

    /// From nodes and weights for each side's performance, and the probability that another's exceeds a node.
    ///
    /// At each node the number of sides above is a sum of independent trials, whose distribution is built one side at a time.
    /// Cost: cubic in the sides, some 300 nodes each.
    fn integrated<F: Fn(usize, f64) -> f64>(
        sides: usize,
        of_side: impl Fn(usize) -> (Vec<(f64, f64)>, F),
    ) -> Self {
        let row = |side: usize| {
            let (nodes, above) = of_side(side);
            let mut row = vec![0.0; sides];
            let mut counts = vec![0.0; sides];
            for (x, weight) in nodes {
                counts.fill(0.0);
                counts[0] = weight;
                for (most, other) in (0..sides).filter(|&other| other != side).enumerate() {
                    let p = above(other, x);
                    for count in (0..=most).rev() {
                        let moved = counts[count] * p;
                        counts[count] -= moved;
                        counts[count + 1] += moved;
                    }
                }
                for (sum, count) in row.iter_mut().zip(&counts) {
                    *sum += count;
                }
            }
            let total: f64 = row.iter().sum();
            row.iter().map(|sum| sum / total).collect()
        };
        Self {
            rows: (0..sides).map(row).collect(),
        }
    }
}

/// Log-odds beyond these are as good as certain.
const MOST_LOG_ODDS: f64 = 700.0;

/// A normal variable is within this many deviations of its mean, except with probability 1e-17.
const REACH: f64 = 8.5;

/// Nodes of an interval, in \[-1, 1\], and their weights.
type Rule = [(f64, f64); 16];

/// Gauss and Legendre's rule: roots of the polynomial `P_16` by Newton's method, weights `2 / ((1 - x^2) P_16'(x)^2)`.
fn gauss_legendre() -> Rule {
    let degree = 16_u32;
    let mut index = 0.75;
    [(); 16].map(|()| {
        let mut x: f64 = (PI * index / (f64::from(degree) + 0.5)).cos();
        index += 1.0;
        let mut slope = 1.0;
        for _ in 0..6 {
            // (n + 1) P_(n+1) = (2n + 1) x P_n - n P_(n-1)
            let (mut before, mut value) = (1.0, x);
            for n in 1..degree {
                let n = f64::from(n);
                (before, value) = (value, ((2.0 * n + 1.0) * x * value - n * before) / (n + 1.0));
            }
            slope = f64::from(degree) * (x * value - before) / (x * x - 1.0);
            x -= value / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
}

/// Nodes and weights for an integral by the performance of `side` of the probabilities that others exceed it.
///
/// Others of a much smaller deviation make steps of these: there the interval is divided. A piece has panels of about the
/// width of the narrowest of what changes in it.
fn normal_nodes(performances: &[(f64, f64)], side: usize, rule: &Rule) -> Vec<(f64, f64)> {
    let (mean, deviation) = performances[side];
    let (low, high) = (mean - REACH * deviation, mean + REACH * deviation);
    let steps = performances.iter().filter(|other| NARROW * other.1 < deviation);
    let mut ends: Vec<f64> = steps
        .flat_map(|&(mean, deviation)| [mean - REACH * deviation, mean + REACH * deviation])
        .filter(|&end| low < end && end < high)
        .chain([low, high])
        .collect();
    ends.sort_by(f64::total_cmp);
    let mut nodes = Vec::new();
    for piece in ends.windows(2) {
        let (from, to) = (piece[0], piece[1]);
        let middle = 0.5 * (from + to);
        let changing = performances
            .iter()
            .filter(|other| NARROW * other.1 >= deviation || (middle - other.0).abs() < REACH * other.1);
        let precision: f64 = changing.map(|other| 1.0 / (other.1 * other.1)).sum();
        let panels = ((to - from) * precision.sqrt() / PANEL).ceil().max(1.0);
        let width = (to - from) / panels;
        let mut panel = 0.5;
        while panel < panels {
            nodes.extend(rule.iter().map(|&(x, weight)| {
                let at = from + width * (panel + 0.5 * x);
                let share = 0.5 * width * weight / deviation;
                (at, share * density((at - mean) / deviation))
            }));
            panel += 1.0;
        }
    }
    nodes
}

/// Deviations smaller by more than this factor are steps.
const NARROW: f64 = 4.0;

/// Width of a panel over the deviation of all that changes in it together.
const PANEL: f64 = 4.0;

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn close(a: f64, b: f64, slack: f64) {
        assert!((a - b).abs() <= slack, "{a} {b}");
    }

    fn assert_doubly_stochastic(places: &PlaceProbabilities, slack: f64) {
        for (place, row) in places.rows().iter().enumerate() {
            close(row.iter().sum(), 1.0, slack);
            close(places.rows().iter().map(|row| row[place]).sum(), 1.0, slack);
        }
    }

    /// Every ranking of `open` after those taken, with its probability.
    fn rankings(strengths: &[f64], open: &[usize], places: &mut Vec<Vec<f64>>, probability: f64) {
        let total: f64 = open.iter().map(|&side| strengths[side].exp()).sum();
        for &side in open {
            let chosen = probability * strengths[side].exp() / total;
            places[side][strengths.len() - open.len()] += chosen;
            let rest: Vec<usize> = open.iter().copied().filter(|&other| other != side).collect();
            rankings(strengths, &rest, places, chosen);
        }
    }

    #[test]
    fn plackett_and_luces_places_are_the_sums_over_all_rankings() {
        for strengths in [
            vec![0.0, 0.0],
            vec![1.0, -2.0, 0.5],
            vec![0.3, 4.0, -3.0, 0.3, 1.1, -30.0],
        ] {
            let sides = strengths.len();
            let mut expected = vec![vec![0.0; sides]; sides];
            let all: Vec<usize> = (0..sides).collect();
            rankings(&strengths, &all, &mut expected, 1.0);
            let places = PlaceProbabilities::plackett_luce(&strengths);
            for (p, expected) in places.rows().iter().flatten().zip(expected.iter().flatten()) {
                close(*p, *expected, 1e-14);
            }
        }
    }

    #[test]
    fn normal_performances_of_equal_mean_take_places_by_the_orthant_formula() {
        // P(x_0 > x_1 and x_0 > x_2) = 1/4 + asin(correlation of the differences) / (2 pi).
        for deviations in [
            [1.0, 1.0, 1.0],
            [1.0, 3.9, 0.26],
            [1.0, 1e3, 1e-3],
            [5.0, 1e-6, 1e8],
            [2e-7, 3.0, 2.5e-7],
        ] {
            let performances = deviations.map(|deviation| (7.0, deviation));
            let places = PlaceProbabilities::normal(&performances);
            assert_doubly_stochastic(&places, 1e-12);
            for side in 0..3 {
                let [own, one, two] = [0, 1, 2].map(|next| deviations[(side + next) % 3]);
                // asin(correlation), without the rounding of one near 1.
                let rest = (own * one).hypot(own * two).hypot(one * two);
                let first = 0.25 + (own * own).atan2(rest) / TAU;
                close(places.rows()[side][0], first, 1e-12);
                close(places.expected_place(side).unwrap(), 2.0, 1e-12);
            }
        }
    }

    #[test]
    fn two_normal_performances_are_a_probit_and_many_stay_a_table_of_probabilities() {
        let places = PlaceProbabilities::normal(&[(3.0, 2.0), (1.0, 1.5)]);
        close(places.rows()[0][0], normal_cdf(0.8), 1e-14);
        assert_eq!(places.of_side(2), None);
        for sides in [4_u32, 12, 40] {
            let performances: Vec<(f64, f64)> = (0..sides)
                .map(|side| (f64::from(side * 7 % 5), [1.0, 0.3, 6.0, 0.1][side as usize % 4]))
                .collect();
            assert_doubly_stochastic(&PlaceProbabilities::normal(&performances), 1e-12);
            let strengths: Vec<f64> = performances.iter().map(|one| one.0).collect();
            assert_doubly_stochastic(&PlaceProbabilities::plackett_luce(&strengths), 1e-12);
        }
        assert_eq!(PlaceProbabilities::normal(&[(3.0, 1.0)]).rows(), [[1.0]]);
        assert!(PlaceProbabilities::plackett_luce(&[]).rows().is_empty());
    }

    #[test]
    fn sides_far_apart_and_certain_pairs_leave_no_doubt() {
        let places = PlaceProbabilities::normal(&[(0.0, 1.0), (1e9, 1.0), (-1e9, 2.0)]);
        assert_eq!(places.rows(), [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
        let certain = |side: usize, other: usize| OutcomeProbabilities {
            win: f64::from(side < other),
            draw: 0.0,
            loss: f64::from(side > other),
        };
        let places = PlaceProbabilities::by_pairs(3, certain);
        for (side, row) in places.rows().iter().enumerate() {
            close(row[side], 1.0, 1e-12);
        }
        let even = PlaceProbabilities::by_pairs(2, |_, _| OutcomeProbabilities {
            win: 0.0,
            draw: 1.0,
            loss: 0.0,
        });
        close(even.rows()[1][0], 0.5, 1e-15);
    }
}
