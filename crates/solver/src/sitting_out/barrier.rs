//! What is left of a graph without a barrier.

use crate::costs::CostOracle;

/// The same graph at no cost: all that matters to who can be paired at all.
pub(super) struct Unweighted<'a>(pub(super) &'a dyn CostOracle);

impl CostOracle for Unweighted<'_> {
    fn vertices(&self) -> usize {
        self.0.vertices()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.0.cost(i, j).map(free)
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        self.0.for_each_neighbour(i, &mut |j, cost| visit(j, free(cost)));
    }

    fn is_sparse(&self) -> bool {
        self.0.is_sparse()
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        self.0.cost_row(i, from, out);
        for out in out {
            *out = free(*out);
        }
    }
}

/// 0, or what it is if it is no finite number.
fn free(cost: f64) -> f64 {
    if cost.is_finite() { 0.0 } else { cost }
}

/// The odd components of the graph without these vertices, by their smallest vertex: which of them each vertex is in,
/// if any, and how many there are. O(m), and O(n) if one vertex is a neighbour of all.
pub(super) fn odd_components(
    costs: &dyn CostOracle,
    vertices: usize,
    removed: &[usize],
) -> (Vec<Option<usize>>, usize) {
    let mut seen = vec![false; vertices];
    for &vertex in removed {
        if let Some(seen) = seen.get_mut(vertex) {
            *seen = true;
        }
    }
    let mut unseen = seen.iter().filter(|seen| !**seen).count();
    let mut component = vec![None; vertices];
    let (mut odd, mut found) = (0, Vec::new());
    for root in 0..vertices {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        // In breadth: the vertices found are those to visit, too.
        found.clear();
        found.push(root);
        unseen -= 1;
        let mut at = 0;
        while let Some(&vertex) = found.get(at).filter(|_| unseen > 0) {
            at += 1;
            costs.for_each_neighbour(vertex, &mut |j, _| {
                if let Some(seen) = seen.get_mut(j).filter(|seen| !**seen) {
                    *seen = true;
                    unseen -= 1;
                    found.push(j);
                }
            });
        }
        if found.len() % 2 == 1 {
            for &vertex in &found {
                component[vertex] = Some(odd);
            }
            odd += 1;
        }
    }
    (component, odd)
}
