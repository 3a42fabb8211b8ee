//! A graph as it is drawn: its costs by pair, and where its vertices lie if it has a space.

use std::fmt;

use matchwright_solver::{DenseCosts, SparseCosts};

/// Costs span no more bits than this, so that sums of them are exact in 128.
const WIDEST_SPAN: i32 = 108;

/// A graph with finite, symmetric costs.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    n: usize,
    /// Row by row; NaN where the pair is forbidden, and on the diagonal.
    costs: Vec<f64>,
    points: Option<Points>,
}

/// Points of which no two are farther apart than their pair costs.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    pub(crate) dimensions: usize,
    pub(crate) values: Vec<f64>,
    /// Every pair is allowed and costs just the distance.
    pub(crate) are_costs: bool,
}

impl Graph {
    /// The graph in which `i < j` cost `cost(i, j)`.
    pub(crate) fn from_fn(n: usize, mut cost: impl FnMut(usize, usize) -> Option<f64>) -> Self {
        let mut costs = vec![f64::NAN; n * n];
        for i in 0..n {
            for j in i + 1..n {
                if let Some(cost) = cost(i, j) {
                    assert!(cost.is_finite(), "a kind draws finite costs");
                    (costs[i * n + j], costs[j * n + i]) = (cost, cost);
                }
            }
        }
        let points = None;
        Self { n, costs, points }
    }

    /// The same graph in a space in which no pair costs less than its distance.
    pub(crate) fn with_points(mut self, points: Points) -> Self {
        self.points = Some(points);
        self
    }

    /// The complete graph of these points and their distances.
    pub(crate) fn euclidean(dimensions: usize, values: Vec<f64>) -> Self {
        let point = |i: usize| &values[i * dimensions..][..dimensions];
        let squares = |i, j| point(i).iter().zip(point(j)).map(|(a, b)| (a - b) * (a - b));
        let cost = |i, j| Some(squares(i, j).sum::<f64>().sqrt());
        Self::from_fn(values.len() / dimensions, cost).with_points(Points {
            dimensions,
            values,
            are_costs: true,
        })
    }

    pub(crate) fn vertices(&self) -> usize {
        self.n
    }

    pub(crate) fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some(self.costs[i * self.n + j]).filter(|cost| !cost.is_nan())
    }

    /// The costs of `i` with `from`, `from + 1`, ...; NaN where forbidden.
    pub(crate) fn row(&self, i: usize, from: usize, length: usize) -> &[f64] {
        &self.costs[i * self.n + from..][..length]
    }

    pub(crate) fn points(&self) -> Option<&Points> {
        self.points.as_ref()
    }

    /// Every edge once, as (i, j, cost) with i < j, ascending.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let pairs = (0..self.n).flat_map(move |i| (i + 1..self.n).map(move |j| (i, j)));
        pairs.filter_map(|(i, j)| Some((i, j, self.cost(i, j)?)))
    }

    pub(crate) fn dense(&self) -> DenseCosts {
        DenseCosts::from_optional_fn(self.n, |i, j| self.cost(i, j)).expect("costs are finite")
    }

    pub(crate) fn sparse(&self) -> SparseCosts {
        SparseCosts::from_edges(self.n, self.edges()).expect("every edge is there once")
    }

    /// Whether all costs are integers that floats count.
    pub(crate) fn is_integral(&self) -> bool {
        self.edges()
            .all(|(_, _, cost)| cost.fract() == 0.0 && cost.abs() < 2.0_f64.powi(53))
    }

    /// Costs as integers without rounding: multiples of the largest power of two that divides all.
    pub(crate) fn exact(&self) -> Exact<'_> {
        let costs = || self.edges().map(|(_, _, cost)| cost).filter(|&cost| cost != 0.0);
        let exponent = costs().map(|cost| decode(cost).1).min().unwrap_or(0);
        let largest = costs().map(f64::abs).fold(0.0, f64::max);
        assert!(
            largest < 2.0_f64.powi(exponent + WIDEST_SPAN),
            "a kind draws costs that span {WIDEST_SPAN} bits at most"
        );
        Exact {
            graph: self,
            exponent,
        }
    }

    /// The graph of the vertices `keep`, renumbered in this order.
    pub(crate) fn induced(&self, keep: &[usize]) -> Self {
        let mut graph = Self::from_fn(keep.len(), |i, j| self.cost(keep[i], keep[j]));
        graph.points = self.points.as_ref().map(|points| Points {
            values: keep
                .iter()
                .flat_map(|&v| &points.values[v * points.dimensions..][..points.dimensions])
                .copied()
                .collect(),
            ..points.clone()
        });
        graph
    }

    /// The same graph with another cost of one pair, outside any space.
    pub(crate) fn with_cost(&self, i: usize, j: usize, cost: Option<f64>) -> Self {
        let mut graph = self.clone();
        let value = cost.unwrap_or(f64::NAN);
        (graph.costs[i * self.n + j], graph.costs[j * self.n + i]) = (value, value);
        graph.points = None;
        graph
    }
}

/// Vertices and edges in the first line, then an edge a line.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.n, self.edges().count())?;
        for (i, j, cost) in self.edges() {
            write!(f, "\n{i} {j} {cost:?}")?;
        }
        Ok(())
    }
}

/// A graph's costs in integers, in units of 2^exponent.
#[derive(Clone, Copy)]
pub(crate) struct Exact<'a> {
    graph: &'a Graph,
    exponent: i32,
}

impl Exact<'_> {
    pub(crate) fn weight(&self, i: usize, j: usize) -> Option<i128> {
        self.graph.cost(i, j).map(|cost| {
            let (mantissa, exponent) = decode(cost);
            mantissa << (exponent - self.exponent).max(0)
        })
    }

    /// The sum over the pairs; `None` if one is forbidden.
    pub(crate) fn sum(&self, mates: &[usize]) -> Option<i128> {
        let pairs = mates.iter().enumerate().filter(|&(i, &j)| i < j);
        pairs.map(|(i, &j)| self.weight(i, j)).sum()
    }

    /// A number of units as a cost.
    pub(crate) fn cost(&self, units: i128) -> f64 {
        units as f64 * 2.0_f64.powi(self.exponent)
    }
}

/// value = mantissa * 2^exponent with an odd mantissa, or 0 and a huge exponent.
fn decode(value: f64) -> (i128, i32) {
    if value == 0.0 {
        return (0, 0);
    }
    let bits = value.to_bits();
    let field = i32::try_from(bits >> 52 & 0x7ff).unwrap_or_default();
    let fraction = i128::from(bits & ((1 << 52) - 1));
    let (mantissa, exponent) = if field == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, field - 1075)
    };
    let zeros = mantissa.trailing_zeros();
    let sign = if value < 0.0 { -1 } else { 1 };
    (sign * (mantissa >> zeros), exponent + zeros.cast_signed())
}
