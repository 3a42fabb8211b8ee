//! Vertex duals made better, sweep by sweep, in floats.

use super::graph::{Graph, Row};
use crate::error::SolveError;

/// Sweeps before the first step: they balance the duals, which steps do not do well.
const PLAIN_SWEEPS: usize = 2;

/// What the direction keeps of the one before.
const MEMORY: f64 = 0.7;

/// Steps grow by this factor with every better bound, and shrink by the other after two that are no better.
const GROWTH: f64 = 1.2;
const SHRINKAGE: f64 = 0.5;
const PATIENCE: u32 = 2;

/// The first step, as a part of the vertices' margins.
const FIRST_STEP: f64 = 0.1;

/// Not a vertex: the one picked by a vertex that nobody may be paired with.
const NOBODY: usize = usize::MAX;

/// Vertex duals y with a large D(y), in units such that `factor` times a cost is a weight. They need not be
/// feasible; the average with their c-transform is. O(`sweeps` n^2), or O(`sweeps` m) on a sparse graph.
///
/// Feasible are those whose sum over the two vertices of a pair never exceeds its weight. Every y gives a
/// bound, by the c-transform v:
///
/// ```text
/// v_i = min over j of (w_ij - y_j)        then (y + v) / 2 is feasible, for y_i + v_j <= w_ij
/// D(y) = sum of (y_i + v_i) / 2           is its sum, a concave function of y
/// ```
///
/// A sweep computes v and moves y to (y + v) / 2, which never lowers D, and from there along the
/// supergradient (1 - d) / 2, where d counts for each vertex whose minima are there: duals of the sought
/// fall, those of the others rise. The direction remembers the ones before. After steps that gain nothing the
/// best duals so far are taken up again, with smaller steps. What is kept is the best, so that more sweeps
/// are never worse.
///
/// Held, Wolfe and Crowder, "Validation of subgradient optimization", Mathematical Programming 6 (1974),
/// doi:10.1007/BF01580223; for the memory Camerini, Fratta and Maffioli, "On improving relaxation methods
/// by modified gradient techniques", Math. Programming Study 3 (1975), doi:10.1007/BFb0120697.
pub(super) fn ascend(graph: &Graph<'_>, factor: f64, sweeps: usize) -> Vec<f64> {
    let n = graph.vertices();
    let mut ascent = Ascent {
        graph,
        factor,
        duals: vec![0.0; n],
        transform: vec![0.0; n],
        picks: vec![NOBODY; n],
        buffer: Vec::new(),
    };
    // D(0) is half of the sum of the smallest weights, which are a good start.
    ascent.sweep();
    let mut best = Best {
        sum: ascent.transform.iter().map(|v| v / 2.0).sum(),
        duals: vec![0.0; n],
        averages: vec![0.0; n],
    };
    ascent.duals.copy_from_slice(&ascent.transform);
    let mut direction = vec![0.0; n];
    let (mut step, mut failures) = (0.0, 0);
    for sweep in 1..=sweeps {
        ascent.sweep();
        if best.take(&mut ascent) {
            failures = 0;
            step *= GROWTH;
        } else {
            failures += 1;
            if failures >= PATIENCE {
                failures = 0;
                step *= SHRINKAGE;
                ascent.duals.copy_from_slice(&best.averages);
            }
        }
        if sweep == PLAIN_SWEEPS {
            step = FIRST_STEP * ascent.margins();
        }
        if sweep >= PLAIN_SWEEPS && !ascent.step(&mut direction, step) {
            break;
        }
    }
    best.duals
}

struct Best {
    /// D(y), y and (y + v) / 2.
    sum: f64,
    duals: Vec<f64>,
    averages: Vec<f64>,
}

impl Best {
    /// Moves to (y + v) / 2, and keeps it if it is better.
    fn take(&mut self, ascent: &mut Ascent<'_>) -> bool {
        let averages = ascent
            .duals
            .iter()
            .zip(&ascent.transform)
            .map(|(y, v)| (y + v) / 2.0);
        let averages: Vec<_> = averages.collect();
        let sum = averages.iter().sum::<f64>();
        let better = sum > self.sum;
        if better {
            self.sum = sum;
            self.duals.copy_from_slice(&ascent.duals);
            self.averages.copy_from_slice(&averages);
        }
        ascent.duals = averages;
        better
    }
}

struct Ascent<'g> {
    graph: &'g Graph<'g>,
    factor: f64,
    duals: Vec<f64>,
    /// v, and where its minimum is.
    transform: Vec<f64>,
    picks: Vec<usize>,
    buffer: Vec<f64>,
}

impl Ascent<'_> {
    /// v and the picks for y. Who may be paired with nobody, and bounds nothing, keeps y.
    fn sweep(&mut self) {
        for i in 0..self.duals.len() {
            let row = self.graph.row_again(i, &mut self.buffer);
            let (least, pick) = match row {
                Row::Dense(row) => least_of_row(row, &self.duals, self.factor),
                Row::Sparse(row) => least_of_list(row, &self.duals, self.factor),
            };
            self.picks[i] = pick;
            self.transform[i] = if pick == NOBODY { self.duals[i] } else { least };
        }
    }

    /// Moves y along the direction; false if there is none, since everyone is picked once: the bound is that
    /// of a fractional pairing, and cannot rise.
    fn step(&mut self, direction: &mut [f64], length: f64) -> bool {
        let mut picked = vec![0_u32; self.duals.len()];
        for &pick in self.picks.iter().filter(|&&pick| pick != NOBODY) {
            picked[pick] += 1;
        }
        for (at, &times) in direction.iter_mut().zip(&picked) {
            *at = MEMORY * *at + (1.0 - f64::from(times)) / 2.0;
        }
        let square: f64 = direction.iter().map(|at| at * at).sum();
        let moves = square > 0.0 && picked.iter().any(|&times| times != 1);
        if moves {
            for (y, at) in self.duals.iter_mut().zip(direction) {
                *y += length / square * *at;
            }
        }
        moves
    }

    /// By how much the second smallest of the differences that v is the minimum of exceeds it, summed: the
    /// scale on which duals decide anything. Where all are tied, by how much the mean does; on a path or a
    /// star that may be tied, too, and the scale is that of the duals.
    fn margins(&mut self) -> f64 {
        let (mut margins, mut means) = (0.0, 0.0);
        for i in 0..self.duals.len() {
            let (mut first, mut second, mut sum, mut count) = (f64::INFINITY, f64::INFINITY, 0.0, 0.0);
            let row = self.graph.row_again(i, &mut self.buffer);
            row.for_each(|j, cost| {
                let reduced = self.factor * cost - self.duals[j];
                (first, second) = (first.min(reduced), second.min(reduced.max(first)));
                sum += reduced;
                count += 1.0;
            });
            if count >= 2.0 {
                margins += second - first;
                means += sum / count - first;
            }
        }
        if margins > 0.0 {
            margins
        } else if means > 0.0 {
            means
        } else {
            self.duals.iter().map(|y| y.abs()).sum()
        }
    }
}

/// The smallest weight less dual in a row, and the first vertex where it is.
fn least_of_row(row: &[f64], duals: &[f64], factor: f64) -> (f64, usize) {
    /// So many at once, which compilers turn into vector instructions.
    const LANES: usize = 8;
    let mut least = [f64::INFINITY; LANES];
    let (costs, costs_left) = row.as_chunks::<LANES>();
    let (y, y_left) = duals.as_chunks::<LANES>();
    for (costs, y) in costs.iter().zip(y) {
        for lane in 0..LANES {
            let reduced = factor * costs[lane] - y[lane];
            // False for NaN, a forbidden pair.
            if reduced < least[lane] {
                least[lane] = reduced;
            }
        }
    }
    let left = costs_left.iter().zip(y_left).map(|(cost, y)| factor * cost - y);
    let smaller = |least, reduced| if reduced < least { reduced } else { least };
    let least = left.chain(least).fold(f64::INFINITY, smaller);
    let is_least = |cost: &f64, y: &f64| factor * cost - y == least;
    let here = costs.iter().zip(y).position(|(costs, y)| {
        let lanes = costs.iter().zip(y);
        lanes.fold(false, |some, (cost, y)| some | is_least(cost, y))
    });
    let from = here.unwrap_or(costs.len()) * LANES;
    let mut near = row[from..].iter().zip(&duals[from..]);
    let pick = near.position(|(cost, y)| is_least(cost, y));
    (least, pick.map_or(NOBODY, |at| from + at))
}

fn least_of_list(row: &[(u32, f64)], duals: &[f64], factor: f64) -> (f64, usize) {
    let mut least = (f64::INFINITY, NOBODY);
    for &(j, cost) in row {
        let reduced = factor * cost - duals[j as usize];
        if reduced < least.0 {
            least = (reduced, j as usize);
        }
    }
    least
}

/// The largest magnitude of a cost.
pub(super) fn largest(graph: &Graph<'_>) -> Result<f64, SolveError> {
    let (mut largest, mut buffer) = (0.0_f64, Vec::new());
    for i in 0..graph.vertices() {
        let most = |most: f64, cost: &f64| most.max(cost.abs());
        largest = match graph.row(i, &mut buffer)? {
            // NaN, a forbidden pair, is not the maximum of anything.
            Row::Dense(row) => row.iter().fold(largest, most),
            Row::Sparse(row) => row.iter().map(|(_, cost)| cost).fold(largest, most),
        };
    }
    Ok(largest)
}
