//! Vertex duals made better, sweep by sweep, in floats.

use super::graph::Graph;
use super::smallest::{least, smallest_few};
use super::steps::Candidates;

/// Sweeps before the first steps: they balance the duals, which steps do not do well.
const PLAIN_SWEEPS: usize = 2;

/// How many pairs of each vertex a sweep adds to the candidates.
const AT_A_TIME: usize = 8;

/// Vertex duals y with a large D(y), in units such that `factor` times a cost is a weight. They need not be
/// feasible; the average with their c-transform is.
///
/// Feasible are those whose sum over the two vertices of a pair never exceeds its weight. Every y gives a
/// bound, by the c-transform v:
///
/// ```text
/// v_i = min over j of (w_ij - y_j)        then (y + v) / 2 is feasible, for y_i + v_j <= w_ij
/// D(y) = sum of (y_i + v_i) / 2           is its sum, a concave function of y
/// ```
///
/// A sweep reads all pairs, computes v and moves y to (y + v) / 2, which never lowers D. After the first
/// sweeps it also collects the pairs that come nearest to being tight. Among these [`Candidates`], which are
/// few, y is moved on by many steps; the next sweep tells what the candidates have overlooked. What is kept
/// is the best of what sweeps have found, so that more of them are never worse.
///
/// O(`sweeps` n^2), or O(`sweeps` m) on a sparse graph. Memory: O(`sweeps` n).
pub(super) fn ascend(graph: &Graph<'_>, factor: f64, sweeps: usize) -> Vec<f64> {
    let n = graph.vertices();
    let mut candidates = Candidates::new(n);
    let mut duals = vec![0.0; n];
    let (mut best, mut best_duals) = (f64::NEG_INFINITY, duals.clone());
    for sweep in 0..=sweeps {
        let with_steps = sweep >= PLAIN_SWEEPS && sweep < sweeps;
        let collected = with_steps.then_some(&mut candidates);
        let transform = sweep_all(graph, factor, &duals, collected);
        let sum = duals.iter().zip(&transform).map(|(y, v)| y.midpoint(*v)).sum();
        if sum > best {
            best = sum;
            best_duals.copy_from_slice(&duals);
        }
        if sweep == 0 {
            // D(0) is half of the sum of the smallest weights, which are a better start.
            duals = transform;
            continue;
        }
        for (y, v) in duals.iter_mut().zip(&transform) {
            *y = y.midpoint(*v);
        }
        if with_steps {
            candidates.ascend(&mut duals);
        }
    }
    best_duals
}

/// The c-transform; who may be paired with nobody, and bounds nothing, keeps y.
fn sweep_all(
    graph: &Graph<'_>,
    factor: f64,
    duals: &[f64],
    mut candidates: Option<&mut Candidates>,
) -> Vec<f64> {
    let offsets: Vec<_> = duals.iter().map(|y| -y).collect();
    let (mut buffer, mut minima, mut list) = (Vec::new(), Vec::new(), Vec::new());
    let mut transform = Vec::with_capacity(duals.len());
    for (i, &y) in duals.iter().enumerate() {
        let row = graph.row_again(i, &mut buffer);
        let v = if let Some(candidates) = &mut candidates {
            smallest_few(&row, factor, &offsets, AT_A_TIME, &mut minima, &mut list);
            candidates.add(i, &list, duals);
            list.iter().map(|pair| pair.0).fold(f64::INFINITY, f64::min)
        } else {
            least(&row, factor, &offsets, &mut minima)
        };
        transform.push(if v < f64::INFINITY { v } else { y });
    }
    transform
}
