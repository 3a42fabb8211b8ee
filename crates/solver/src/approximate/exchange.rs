//! Better pairings by exchanging partners among a few pairs.

use std::collections::VecDeque;

use super::graph::Graph;
use super::partners::Lists;
use crate::limits::{Meter, Progress, Status};

/// A move must gain more than this part of the magnitudes of its weights: 32 roundings of one of them, of
/// which a sum of ten takes no more than nine. So the true sum falls with every move, and none comes twice.
const ROUNDING: f64 = 1.0 / (1_u64 << 48) as f64;

/// A move takes at most this many pairs apart.
const PAIRS: usize = 3;

/// Moves per vertex after which a search is given up. An oracle that changes its answers gets there; of
/// others a few are known to be enough.
const MOVES_PER_VERTEX: usize = 100;

/// A pairing under improvement.
///
/// A move takes the pairs ab, cd, ef, ... apart and puts bc', ... together along an alternating cycle
///
/// ```text
/// b - a . c - d . e - f . b        - is a pair now, . a pair after the move
/// ```
///
/// If a move gains, then seen from one of its pairs every part of it up to some `-` gains: of cyclic sums
/// whose total is positive, one rotation has positive partial sums only. So a search from every vertex, over
/// new pairs `.` that weigh less than the gain so far, overlooks no move whose new pairs but the last are on
/// the lists.
///
/// Lin and Kernighan, "An effective heuristic algorithm for the traveling-salesman problem", Operations
/// Research 21 (1973), doi:10.1287/opre.21.2.498: the gain criterion.
pub(super) struct Exchange<'e> {
    graph: &'e Graph<'e>,
    lists: &'e Lists,
    pub(super) mates: Vec<usize>,
    /// The weight of each vertex' pair.
    paired: Vec<f64>,
    /// How many moves may still be weighed.
    budget: u64,
    /// b, a, c, d, ...: the vertices of the move being built.
    cycle: Vec<usize>,
    /// The weights of the new pairs ac, de, ...
    added: Vec<f64>,
}

impl<'e> Exchange<'e> {
    /// From a perfect matching of allowed pairs.
    pub(super) fn new(graph: &'e Graph<'e>, lists: &'e Lists, mates: Vec<usize>, meter: &Meter<'_>) -> Self {
        let limit = meter.limits().work().unwrap_or(u64::MAX);
        Self {
            graph,
            lists,
            paired: (0..).zip(&mates).map(|(i, &j)| graph.weight(i, j)).collect(),
            mates,
            budget: limit - meter.work().min(limit),
            cycle: Vec::new(),
            added: Vec::new(),
        }
    }

    /// Makes moves until none is left that gains. Vertices take turns, those of a move at the end of the
    /// queue again; the last round has no move.
    ///
    /// # Errors
    /// The limit that was reached; the pairing is the best so far.
    pub(super) fn run(&mut self, meter: &Meter<'_>) -> Result<(), Status> {
        let n = self.mates.len();
        let mut moves_left = n.saturating_mul(MOVES_PER_VERTEX);
        let mut queued = vec![false; n];
        let mut queue = VecDeque::with_capacity(n);
        let mut improved = true;
        while improved {
            improved = false;
            queue.extend(0..n);
            queued.fill(true);
            while let Some(start) = queue.pop_front() {
                queued[start] = false;
                if self.budget == 0 {
                    // One more is refused.
                    return meter.spend(1);
                }
                if moves_left == 0 {
                    return Ok(());
                }
                meter.check(Progress::new("exchanges"))?;
                let before = self.budget;
                let is_better = self.improve_from(start);
                meter.spend(before - self.budget)?;
                if is_better {
                    improved = true;
                    moves_left -= 1;
                    for &i in &self.cycle {
                        if !queued[i] {
                            queued[i] = true;
                            queue.push_back(i);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes the first move found that takes the pair of `start` apart.
    fn improve_from(&mut self, start: usize) -> bool {
        let weight = self.paired[start];
        self.cycle.clear();
        self.added.clear();
        self.cycle.extend([self.mates[start], start]);
        self.extend(weight, weight.abs())
    }

    /// Tries all ways on from the end of the cycle so far, which gains `gain` by weights of the magnitude
    /// `size` if it is left open.
    fn extend(&mut self, gain: f64, size: f64) -> bool {
        let (length, lists) = (self.cycle.len(), self.lists);
        let (first, end) = (self.cycle[0], self.cycle[length - 1]);
        for &(weight, next) in lists.of(end) {
            // Lists are ascending.
            if gain <= weight {
                break;
            }
            let next = next as usize;
            if self.cycle.contains(&next) {
                continue;
            }
            if self.budget == 0 {
                return false;
            }
            self.budget -= 1;
            let last = self.mates[next];
            let gain = gain - weight + self.paired[next];
            let size = size + weight.abs() + self.paired[next].abs();
            self.cycle.extend([next, last]);
            self.added.push(weight);
            let closing = self.graph.weight(last, first);
            if gain - closing > ROUNDING * (size + closing.abs()) {
                self.added.push(closing);
                self.make_move();
                return true;
            }
            if self.cycle.len() < 2 * PAIRS && self.extend(gain, size) {
                return true;
            }
            self.cycle.truncate(length);
            self.added.pop();
        }
        false
    }

    fn make_move(&mut self) {
        let length = self.cycle.len();
        for (at, &weight) in (1..).step_by(2).zip(&self.added) {
            let (i, j) = (self.cycle[at], self.cycle[(at + 1) % length]);
            (self.mates[i], self.mates[j]) = (j, i);
            (self.paired[i], self.paired[j]) = (weight, weight);
        }
    }
}
