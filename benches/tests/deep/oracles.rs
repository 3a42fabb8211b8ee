//! One graph in all the forms in which a solver may be asked.

use std::borrow::Cow;

use matchwright_solver::{Coordinates, CostOracle, EuclideanCosts};

use crate::graph::Graph;

/// The two methods without a default, from a closure.
struct Plain<F>(usize, F);

impl<F: Fn(usize, usize) -> Option<f64> + Sync> CostOracle for Plain<F> {
    fn vertices(&self) -> usize {
        self.0
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        (self.1)(i, j)
    }
}

/// Everything that an oracle may offer, and all of it true.
struct Generous<'a> {
    graph: Cow<'a, Graph>,
    sparse: bool,
}

impl CostOracle for Generous<'_> {
    fn vertices(&self) -> usize {
        self.graph.vertices()
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.graph.cost(i, j)
    }
    /// Backwards: the order is free.
    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        for j in (0..self.vertices()).rev() {
            if let Some(cost) = self.cost(i, j) {
                visit(j, cost);
            }
        }
    }
    fn is_sparse(&self) -> bool {
        self.sparse
    }
    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        out.copy_from_slice(self.graph.row(i, from, out.len()));
    }
    /// Off by up to 2^-9 of the cost, differently for each pair and direction.
    #[allow(clippy::cast_possible_truncation, reason = "rounded down in the end")]
    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        let row = self.graph.row(i, from, out.len());
        for ((j, out), &cost) in (from..).zip(out).zip(row) {
            let slack = cost.abs() * ((5 * i + 3 * j) % 8) as f64 / 4096.0;
            *out = ((cost - slack) as f32).next_down();
        }
        true
    }
    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let keep: Vec<_> = vertices.iter().map(|&v| v as usize).collect();
        Some(Box::new(Generous {
            graph: Cow::Owned(self.graph.induced(&keep)),
            sparse: self.sparse,
        }))
    }
    fn coordinates(&self) -> Option<Coordinates<'_>> {
        self.graph.points().map(|points| Coordinates {
            slack: 0.0,
            dimensions: points.dimensions,
            values: &points.values,
        })
    }
}

/// The graph's forms by name. `number` decides whether the generous one is read by rows or by neighbours.
pub(crate) fn all(graph: &Graph, number: u64) -> Vec<(&'static str, Box<dyn CostOracle + '_>)> {
    let plain = Plain(graph.vertices(), |i, j| graph.cost(i, j));
    let generous = Generous {
        graph: Cow::Borrowed(graph),
        sparse: number.is_multiple_of(3),
    };
    let mut forms: Vec<(_, Box<dyn CostOracle>)> = vec![
        ("DenseCosts", Box::new(graph.dense())),
        ("SparseCosts", Box::new(graph.sparse())),
        ("an oracle that offers nothing", Box::new(plain)),
        ("an oracle that offers everything", Box::new(generous)),
    ];
    if let Some(points) = graph.points().filter(|points| points.are_costs) {
        let costs = EuclideanCosts::from_points(points.dimensions, points.values.clone());
        forms.push(("EuclideanCosts", Box::new(costs.expect("points are finite"))));
    }
    forms
}
