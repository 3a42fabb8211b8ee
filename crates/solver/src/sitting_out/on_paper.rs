//! Priced, by rows: those who sit out are paired with each other on paper.

use std::borrow::Cow;

use super::lineup::Mates;
use super::{Form, SittingOut, is_worth, sum_and_rest};
use crate::costs::CostOracle;
use crate::objective::Objective;

/// Everyone with everyone, at the cost of the pair or the two prices, whichever is better; and a ghost, if the number
/// of players is odd, who comes last.
pub(super) struct OnPaper<'a> {
    costs: Box<dyn CostOracle + 'a>,
    prices: Cow<'a, [f64]>,
    ghost: bool,
    objective: Objective,
    /// 1 to minimise, -1 to maximise.
    sign: f64,
}

impl<'a> OnPaper<'a> {
    pub(super) fn new(question: &'a SittingOut<'a>) -> Self {
        Self {
            costs: Box::new(question.costs),
            prices: Cow::Borrowed(&question.prices),
            ghost: !question.vertices.is_multiple_of(2),
            objective: question.objective,
            sign: question.objective.as_minimum(1.0),
        }
    }

    fn players(&self) -> usize {
        self.prices.len()
    }

    /// What leaving a player out adds to the sum.
    fn fee(&self, player: usize) -> f64 {
        self.sign * self.prices[player]
    }

    /// The pair on paper, by its cost (NaN if forbidden) and the sum of its prices. Infinite costs are left for the
    /// solver to refuse.
    fn better(&self, cost: f64, prices: f64) -> f64 {
        if self.sign * cost <= prices || cost.is_infinite() {
            cost
        } else {
            self.sign * prices
        }
    }

    /// How many of `len` vertices from `from` on are players.
    fn split(&self, from: usize, len: usize) -> usize {
        self.players().saturating_sub(from).min(len)
    }
}

impl CostOracle for OnPaper<'_> {
    fn vertices(&self) -> usize {
        self.players() + usize::from(self.ghost)
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        if i.max(j) >= self.players() {
            return Some(self.fee(i.min(j)));
        }
        let prices = sum_below(self.prices[i], self.prices[j]);
        Some(match self.costs.cost(i, j) {
            Some(cost) if cost.is_nan() => cost,
            cost => self.better(cost.unwrap_or(f64::NAN), prices),
        })
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        let players = self.players();
        let (row, ghost) = out.split_at_mut(self.split(from, out.len()));
        let others = &self.prices[from.min(players)..];
        if i >= players {
            for (out, other) in row.iter_mut().zip(others) {
                *out = self.sign * other;
            }
        } else if !row.is_empty() {
            self.costs.cost_row(i, from, row);
            let price = self.prices[i];
            for (out, other) in row.iter_mut().zip(others) {
                *out = self.better(*out, sum_below(price, *other));
            }
        }
        ghost.fill(if i < players { self.fee(i) } else { f64::NAN });
        if let Some(own) = i.checked_sub(from).and_then(|at| out.get_mut(at)) {
            *own = f64::NAN;
        }
    }

    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        let players = self.players();
        if self.objective == Objective::Maximize || players == 0 {
            return false;
        }
        let (row, ghost) = out.split_at_mut(self.split(from, out.len()));
        let from = from.min(players);
        let others = &self.prices[from..];
        if i >= players {
            // Whether there are bounds is the inner oracle's to say.
            if !self.costs.lower_bounds(0, 0, &mut []) {
                return false;
            }
            row.iter_mut()
                .zip(others)
                .for_each(|(out, &price)| *out = at_most(price));
            return true;
        }
        if !self.costs.lower_bounds(i, from, row) {
            return false;
        }
        let price = self.prices[i];
        for (out, other) in row.iter_mut().zip(others) {
            // A bound of NaN is that of a forbidden pair, which the prices bound.
            *out = out.min(at_most(sum_below(price, *other)));
        }
        ghost.fill(at_most(price));
        true
    }

    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let is_ghost = |vertex: &u32| *vertex as usize >= self.players();
        let (some, ghost) = match vertices.split_last() {
            Some((last, some)) if is_ghost(last) => (some, true),
            _ => (vertices, false),
        };
        if some.iter().any(is_ghost) {
            return None;
        }
        Some(Box::new(OnPaper {
            costs: self.costs.among(some)?,
            prices: some.iter().map(|&player| self.prices[player as usize]).collect(),
            ghost,
            ..*self
        }))
    }
}

/// The sum, or a number just below it if it is no float: so that two who sit out never seem dearer on paper than they
/// are, and a bound on paper is one in truth.
fn sum_below(a: f64, b: f64) -> f64 {
    let (sum, lost) = sum_and_rest(a, b);
    if lost < 0.0 {
        sum - sum.abs() * f64::EPSILON
    } else {
        sum
    }
}

/// The largest number in single precision that is no larger.
#[allow(clippy::cast_possible_truncation, reason = "rounded down where rounded up")]
pub(super) fn at_most(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) > value {
        near.next_down()
    } else {
        near
    }
}

impl Form for OnPaper<'_> {
    fn lineup(&self, mates: &[usize]) -> Mates {
        let players = self.players();
        let plays = |i: usize, j: usize| {
            let cost = self.costs.cost(i, j).map(|cost| self.objective.as_minimum(cost));
            cost.is_some_and(|cost| is_worth(cost, self.prices[i], self.prices[j]))
        };
        let mut lineup = vec![None; players];
        for (i, &j) in mates.iter().take(players).enumerate() {
            // Asked once for both, lest an oracle that changes its mind have one of them play alone.
            if i < j && j < players && plays(i, j) {
                (lineup[i], lineup[j]) = (Some(j), Some(i));
            }
        }
        lineup
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// In units of 2^-120, as far as they are whole.
    #[allow(clippy::cast_possible_truncation, reason = "below 2^122, and whole")]
    fn units(value: f64) -> i128 {
        (value * 2.0_f64.powi(120)) as i128
    }

    #[test]
    fn sums_of_prices_are_never_rounded_up_and_hardly_down() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut rounded = 0;
        for _ in 0..10_000 {
            let mut draw = || (rng.random::<f64>() - 0.5) * 2.0_f64.powi(rng.random_range(-40..0));
            let (a, b) = (draw(), draw());
            let (exact, found) = (units(a) + units(b), sum_below(a, b));
            assert!(units(found) <= exact, "{a} {b}");
            assert!(
                units((found + found.abs() * 3.0 * f64::EPSILON).next_up()) >= exact,
                "{a} {b}"
            );
            assert_eq!(found, sum_below(b, a));
            rounded += usize::from(units(found) != exact);
        }
        assert!(rounded > 1000, "{rounded}");
    }

    #[test]
    fn sums_that_are_floats_are_left_alone() {
        let half = f64::MAX / 2.0;
        for (a, b, sum) in [
            (3.0, 4.0, 7.0),
            (0.1, 0.1, 0.2),
            (1e15, -1.0, 999_999_999_999_999.0),
            (half, half, f64::MAX),
            (5e-324, 5e-324, 1e-323),
            (-0.3, 0.3, 0.0),
        ] {
            assert_eq!(sum_below(a, b), sum);
        }
        // The exact sum is half a step below the even float that it would be rounded to.
        assert!(sum_below(1.0, -(2.0_f64.powi(-60))) < 1.0);
        assert!(sum_below(-1.0, -(2.0_f64.powi(-60))) < -1.0);
        assert_eq!(sum_below(1.0, 2.0_f64.powi(-60)), 1.0);
    }

    #[test]
    fn single_precision_is_rounded_down() {
        for value in [0.1, -0.1, 1.0, 1e300, -1e300, 1e-60, -1e-60, 16_777_217.0, 0.0] {
            let bound = f64::from(at_most(value));
            assert!(bound <= value, "{value}");
        }
        assert_eq!(at_most(0.1), 0.1_f32.next_down());
        assert_eq!(at_most(1e300), f32::MAX);
        assert_eq!(at_most(2.5), 2.5);
    }
}
