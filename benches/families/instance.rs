//! A complete graph with integer costs, compact enough to stand beside a contender's own copy.

use std::io::{self, Write};

use matchwright_solver::{DenseCosts, GraphError};

/// Real costs become these many integer steps per unit, so that every contender solves the same
/// integers.
pub const STEPS: f64 = 1e6;

/// A complete graph's integer costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Vertices.
    pub n: usize,
    /// The costs of pairs `i < j`, row by row.
    costs: Vec<i32>,
}

impl Instance {
    /// The graph whose pair `i < j` costs `cost(i, j)`, asked for row by row and rounded to a step.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "costs lie between 0 and 2, far inside i32 after scaling"
    )]
    pub(crate) fn from_fn(n: usize, mut cost: impl FnMut(usize, usize) -> f64) -> Self {
        let mut costs = Vec::with_capacity(n * n.saturating_sub(1) / 2);
        for i in 0..n {
            for j in i + 1..n {
                costs.push((cost(i, j) * STEPS).round() as i32);
            }
        }
        Self { n, costs }
    }

    /// The cost of a pair, in either order.
    ///
    /// # Panics
    /// Unless `i` and `j` are two vertices, as indexing does.
    #[must_use]
    pub fn cost(&self, i: usize, j: usize) -> i32 {
        let (i, j) = (i.min(j), i.max(j));
        assert!(i < j && j < self.n, "no pair: {i}, {j}");
        self.costs[i * (2 * self.n - i - 1) / 2 + j - i - 1]
    }

    /// Each pair `i < j` once with its cost, row by row.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, i32)> + '_ {
        let pairs = (0..self.n).flat_map(|i| (i + 1..self.n).map(move |j| (i, j)));
        pairs.zip(&self.costs).map(|((i, j), &cost)| (i, j, cost))
    }

    /// The graph as our solvers take it.
    ///
    /// # Errors
    /// [`GraphError::TooLarge`].
    pub fn dense(&self) -> Result<DenseCosts, GraphError> {
        DenseCosts::from_fn(self.n, |i, j| self.cost(i, j).into())
    }

    /// What a pairing costs; `None` unless everyone has another partner, who has them.
    #[must_use]
    pub fn cost_of(&self, mates: &[usize]) -> Option<i64> {
        let paired = |i: usize| mates[i] != i && mates.get(mates[i]) == Some(&i);
        if mates.len() != self.n || !(0..self.n).all(paired) {
            return None;
        }
        let pairs = mates.iter().enumerate().filter(|&(i, &j)| i < j);
        Some(pairs.map(|(i, &j)| i64::from(self.cost(i, j))).sum())
    }

    /// The sum of all costs, by which two programs know that they read the same graph.
    #[must_use]
    pub fn checksum(&self) -> i64 {
        self.costs.iter().map(|&cost| i64::from(cost)).sum()
    }

    /// Writes the number of vertices and then the costs, row by row, each as a 32-bit little-endian integer.
    ///
    /// # Errors
    /// Those of the writer; [`io::ErrorKind::InvalidInput`] for 2^31 vertices and more.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let n = i32::try_from(self.n).map_err(|_| io::ErrorKind::InvalidInput)?;
        to.write_all(&n.to_le_bytes())?;
        for cost in &self.costs {
            to.write_all(&cost.to_le_bytes())?;
        }
        to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pair (i, j) costs i + j / 10.
    fn tenths(n: usize) -> Instance {
        Instance::from_fn(n, |i, j| i as f64 + j as f64 / 10.0)
    }

    #[test]
    fn a_pair_costs_the_same_by_any_road() {
        let instance = tenths(7);
        let dense = instance.dense().unwrap();
        assert_eq!(instance.edges().count(), 21);
        for (i, j, cost) in instance.edges() {
            assert_eq!(f64::from(cost), ((i as f64 + j as f64 / 10.0) * STEPS).round());
            assert_eq!([instance.cost(i, j), instance.cost(j, i)], [cost; 2]);
            assert_eq!(
                matchwright_solver::CostOracle::cost(&dense, j, i),
                Some(cost.into())
            );
        }
        assert_eq!(
            instance.checksum(),
            instance.edges().map(|(_, _, cost)| i64::from(cost)).sum::<i64>()
        );
    }

    #[test]
    fn only_a_perfect_matching_has_a_cost() {
        let instance = tenths(4);
        assert_eq!(instance.cost_of(&[2, 3, 0, 1]), Some(200_000 + 1_300_000));
        for none in [&[1, 2, 3, 0][..], &[0, 1, 2, 3], &[1, 0], &[1, 0, 9, 2]] {
            assert_eq!(instance.cost_of(none), None, "{none:?}");
        }
    }

    #[test]
    fn a_file_holds_the_size_and_each_cost_in_four_bytes() {
        let mut bytes = Vec::new();
        tenths(3).write(&mut bytes).unwrap();
        let words: Vec<i32> = bytes
            .chunks(4)
            .map(|word| i32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        assert_eq!(words, [3, 100_000, 200_000, 1_200_000]);
    }
}
