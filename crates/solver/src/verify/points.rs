//! Points in space: pairs that lie so far apart that their duals leave room need not be read one by one.
//!
//! No pair costs less than its distance, or that less a slack. With y in units of cost, a pair whose distance is above (`y_i` + `y_j`) / 2 has a
//! positive reduced cost, whatever its own cost is rounded to, and so has one whose distance is above that less half of the
//! blossom duals shared. Points are divided into boxes, each with its largest dual and the least that its first point shares
//! with any other; two boxes further apart than these allow are passed over as a whole.

use super::error::VerifyError;
use super::pairs::{AsCosts, Pairs};
use super::reading::check_closely;
use super::strips::Readers;
use crate::costs::{Coordinates, CostOracle};

/// Points in a box that is not divided further.
const LEAF: usize = 16;

/// Beyond this coordinates squares may overflow, and distances with them.
const LARGEST: f64 = 1e150;

/// By this part distances and duals may be off as floats.
const ROUNDING: f64 = 1e-12;

/// Points, divided.
struct Boxes<'a> {
    points: Coordinates<'a>,
    /// The vertices in the order of the boxes.
    order: Vec<usize>,
    nodes: Vec<Node>,
    /// Of each node: the box around its points, lows then highs.
    bounds: Vec<f64>,
}

struct Node {
    /// Where its points begin and end in the order.
    first: usize,
    end: usize,
    /// The two halves; 0 of a box that is not divided.
    halves: [usize; 2],
    /// The largest dual, as a cost.
    most: f64,
    /// The least that the first point shares with another of the box, as a cost.
    shared: f64,
}

/// The coordinates of an oracle, if they are one point for each vertex with distances that are numbers.
pub(super) fn points_of(costs: &dyn CostOracle, vertices: usize) -> Option<Coordinates<'_>> {
    let points = costs.coordinates()?;
    let is_one_each = vertices > 0
        && points.dimensions > 0
        && Some(points.values.len()) == vertices.checked_mul(points.dimensions);
    let is_slack = points.slack.is_finite() && points.slack >= 0.0;
    (is_one_each && is_slack && points.values.iter().all(|value| value.abs() <= LARGEST)).then_some(points)
}

/// Has all pairs checked that lie so near that they may not pass, all pairs of the pairing, and of the others a sample, one
/// for each vertex.
pub(super) fn read_near(
    costs: &dyn CostOracle,
    points: Coordinates<'_>,
    pairs: &mut Pairs<'_>,
    readers: &Readers<'_>,
) -> Result<(), VerifyError> {
    let vertices = pairs.vertices();
    let duals = pairs.as_costs();
    let boxes = Boxes::new(points, &duals, vertices);
    for i in 0..vertices {
        // Any other vertex, far more often than not a far one.
        let sampled = (i + 1 + i.wrapping_mul(0x9e37_79b9) % vertices.max(2).saturating_sub(1)) % vertices;
        let mate = pairs.mate(i).unwrap_or(i);
        if i < mate {
            check_pair(costs, points, pairs, (i, mate))?;
        }
        if sampled != i && sampled != mate {
            check_pair(costs, points, pairs, (i, sampled))?;
        }
    }
    boxes.for_each_near(&duals, readers, &mut |i, j| {
        if pairs.mate(i) == Some(j) {
            return Ok(());
        }
        check_pair(costs, points, pairs, (i, j))
    })
}

/// The pair passes, and costs no less than its distance.
fn check_pair(
    costs: &dyn CostOracle,
    points: Coordinates<'_>,
    pairs: &mut Pairs<'_>,
    (i, j): (usize, usize),
) -> Result<(), VerifyError> {
    let [forward, backward] = [costs.cost(i, j), costs.cost(j, i)].map(|cost| cost.unwrap_or(f64::NAN));
    let distance = points.distance(i, j);
    if forward < distance * (1.0 - ROUNDING) - points.slack {
        return Err(VerifyError::Cheaper {
            i,
            j,
            cost: forward,
            distance,
        });
    }
    if forward == backward && pairs.passes(i, j, forward) {
        return Ok(());
    }
    check_closely(costs, pairs, (i, j), forward, backward)
}

impl<'a> Boxes<'a> {
    /// Halves boxes at the median of their longest side. O(n log n).
    fn new(points: Coordinates<'a>, duals: &AsCosts<'_>, vertices: usize) -> Self {
        let d = points.dimensions;
        let mut boxes = Self {
            points,
            order: (0..vertices).collect(),
            nodes: Vec::new(),
            bounds: Vec::new(),
        };
        boxes.push((0, vertices), duals);
        let mut next = 0;
        while next < boxes.nodes.len() {
            let Node { first, end, .. } = boxes.nodes[next];
            if end - first > LEAF {
                let bounds = &boxes.bounds[2 * d * next..2 * d * (next + 1)];
                let side = |k: &usize| bounds[d + k] - bounds[*k];
                let longest = (0..d).max_by(|a, b| side(a).total_cmp(&side(b))).unwrap_or(0);
                let along = |&v: &usize| points.point(v)[longest];
                let middle = (end - first) / 2;
                boxes.order[first..end]
                    .select_nth_unstable_by(middle, |a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
                let halves = [(first, first + middle), (first + middle, end)];
                boxes.nodes[next].halves = halves.map(|half| boxes.push(half, duals));
            }
            next += 1;
        }
        boxes.share(duals);
        boxes
    }

    /// Adds the box of these places of the order.
    fn push(&mut self, (first, end): (usize, usize), duals: &AsCosts<'_>) -> usize {
        let d = self.points.dimensions;
        let (node, start) = (self.nodes.len(), self.bounds.len());
        self.bounds.resize(start + d, f64::INFINITY);
        self.bounds.resize(start + 2 * d, f64::NEG_INFINITY);
        let mut most = f64::NEG_INFINITY;
        for &v in &self.order[first..end] {
            most = most.max(duals.of(v));
            for (k, &x) in self.points.point(v).iter().enumerate() {
                let (low, high) = (start + k, start + d + k);
                self.bounds[low] = self.bounds[low].min(x);
                self.bounds[high] = self.bounds[high].max(x);
            }
        }
        self.nodes.push(Node {
            first,
            end,
            halves: [0; 2],
            most,
            shared: f64::INFINITY,
        });
        node
    }

    /// What the first point of each box shares. With r and s the first of its halves, any v of the second shares with r at
    /// least the lesser of what r shares with s, and s with v: sets are nested.
    fn share(&mut self, duals: &AsCosts<'_>) {
        for node in (0..self.nodes.len()).rev() {
            let Node {
                first, end, halves, ..
            } = self.nodes[node];
            let one = self.order[first];
            self.nodes[node].shared = match halves {
                [0, 0] => {
                    let others = self.order[first + 1..end].iter();
                    others
                        .map(|&v| duals.shared(one, v))
                        .fold(f64::INFINITY, f64::min)
                }
                [low, high] => {
                    let between = duals.shared(one, self.order[self.nodes[high].first]);
                    between.min(self.nodes[low].shared).min(self.nodes[high].shared)
                }
            };
        }
    }

    /// Visits every pair once that is not known to be too far apart.
    fn for_each_near(
        &self,
        duals: &AsCosts<'_>,
        readers: &Readers<'_>,
        visit: &mut dyn FnMut(usize, usize) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        let mut stack = vec![(0, 0)];
        let mut before = 0;
        while let Some((a, b)) = stack.pop() {
            readers.spend(before)?;
            before += 1;
            let (one, other) = (&self.nodes[a], &self.nodes[b]);
            if a != b && self.is_far(a, b, duals) {
                continue;
            }
            match (a == b, one.halves, other.halves) {
                (true, [0, 0], _) => {
                    for (at, &i) in (one.first..).zip(&self.order[one.first..one.end]) {
                        self.order[at + 1..one.end]
                            .iter()
                            .try_for_each(|&j| visit(i, j))?;
                    }
                }
                (true, [low, high], _) => stack.extend([(low, low), (low, high), (high, high)]),
                (false, [0, 0], [0, 0]) => {
                    for &i in &self.order[one.first..one.end] {
                        self.order[other.first..other.end]
                            .iter()
                            .try_for_each(|&j| visit(i, j))?;
                    }
                }
                (false, [low, high], halves)
                    if halves == [0, 0] || one.end - one.first >= other.end - other.first =>
                {
                    stack.extend([(low, b), (high, b)]);
                }
                (false, _, [low, high]) => stack.extend([(a, low), (a, high)]),
            }
        }
        Ok(())
    }

    /// Whether no pair of two boxes can have a reduced cost of 0 or less.
    fn is_far(&self, a: usize, b: usize, duals: &AsCosts<'_>) -> bool {
        let d = self.points.dimensions;
        let [one, other] = [a, b].map(|node| &self.bounds[2 * d * node..2 * d * (node + 1)]);
        let squares = (0..d).map(|k| {
            (one[k] - other[d + k])
                .max(other[k] - one[d + k])
                .max(0.0)
                .powi(2)
        });
        let apart = squares.sum::<f64>().sqrt() * (1.0 - ROUNDING) - self.points.slack;
        let [one, other] = [a, b].map(|node| &self.nodes[node]);
        let rounding = ROUNDING * (one.most.abs() + other.most.abs());
        let far = |shared: f64| apart > one.most + other.most - shared + rounding;
        if far(0.0) || one.shared.min(other.shared) <= 0.0 {
            return far(0.0);
        }
        let between = duals.shared(self.order[one.first], self.order[other.first]);
        far((1.0 - ROUNDING) * between.min(one.shared).min(other.shared))
    }
}
