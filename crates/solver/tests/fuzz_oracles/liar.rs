//! An oracle that lies.

use std::sync::atomic::{AtomicUsize, Ordering};

use matchwright_solver::{Coordinates, CostOracle, DenseCosts};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// What an oracle may get wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    // The cost itself.
    NotANumber,
    Infinite,
    Asymmetric,
    OneWay,
    /// Another number at every call.
    Moving,
    /// Allowed at one call, forbidden at the next.
    Flickering,
    // Neighbours.
    Stranger,
    Itself,
    Repeated,
    Hidden,
    OtherCost,
    // The number of vertices, at some calls.
    VerticesWithin,
    VerticesBeyond,
    VerticesAbsurd,
    // Rows.
    RowDiffers,
    RowUnwritten,
    RowInfinite,
    RowAllows,
    RowForbids,
    // How to read.
    SparseOrNot,
    // Lower bounds.
    BoundAbove,
    BoundNotANumber,
    BoundUnbounded,
    BoundUnwritten,
    BoundOrNot,
    // Coordinates.
    PointsTooFar,
    PointsMissing,
    PointsToSpare,
    PointsNotANumber,
    PointsEnormous,
    PointsMoving,
    NoDimension,
    AbsurdDimensions,
    // Copies.
    AmongFewer,
    AmongOther,
    DenseOther,
    DenseSmaller,
}

use Lie::{
    AbsurdDimensions, AmongFewer, AmongOther, Asymmetric, BoundAbove, BoundNotANumber, BoundOrNot,
    BoundUnbounded, BoundUnwritten, DenseOther, DenseSmaller, Flickering, Hidden, Infinite, Itself, Moving,
    NoDimension, NotANumber, OneWay, OtherCost, PointsEnormous, PointsMissing, PointsMoving,
    PointsNotANumber, PointsToSpare, PointsTooFar, Repeated, RowAllows, RowDiffers, RowForbids, RowInfinite,
    RowUnwritten, SparseOrNot, Stranger, VerticesAbsurd, VerticesBeyond, VerticesWithin,
};

/// What `cost` and `for_each_neighbour` say.
pub(crate) const COSTS: [Lie; 11] = [
    NotANumber, Infinite, Asymmetric, OneWay, Moving, Flickering, Stranger, Itself, Repeated, Hidden,
    OtherCost,
];

/// How many vertices there are.
pub(crate) const VERTICES: [Lie; 3] = [VerticesWithin, VerticesBeyond, VerticesAbsurd];

/// What only says how to read faster: `cost` and `for_each_neighbour` are true all the same.
pub(crate) const HINTS: [Lie; 23] = [
    RowDiffers,
    RowUnwritten,
    RowInfinite,
    RowAllows,
    RowForbids,
    SparseOrNot,
    BoundAbove,
    BoundNotANumber,
    BoundUnbounded,
    BoundUnwritten,
    BoundOrNot,
    PointsTooFar,
    PointsMissing,
    PointsToSpare,
    PointsNotANumber,
    PointsEnormous,
    PointsMoving,
    NoDimension,
    AbsurdDimensions,
    AmongFewer,
    AmongOther,
    DenseOther,
    DenseSmaller,
];

impl Lie {
    /// Coordinates that are none of these points, if it is about coordinates.
    fn points(self, n: usize, (dimensions, values): &(usize, Vec<f64>)) -> Option<(usize, Vec<f64>)> {
        let (dimensions, length) = (*dimensions, values.len());
        let cycle = |numbers: &[f64]| numbers.iter().copied().cycle().take(length).collect();
        Some(match self {
            PointsTooFar | PointsMoving => (dimensions, values.iter().map(|x| 3.0 * x - 50.0).collect()),
            PointsMissing => (dimensions, values[..length / 2].to_vec()),
            PointsToSpare => (dimensions, [values.as_slice(), &[1.0; 7]].concat()),
            PointsNotANumber => (dimensions, cycle(&[1.0, f64::NAN, 2.0, 3.0])),
            PointsEnormous => (dimensions, cycle(&[1e300, -1e300, 0.0, f64::INFINITY, f64::MAX])),
            NoDimension => (0, vec![1.0; n % 3]),
            AbsurdDimensions => (usize::MAX - n % 2, values.clone()),
            _ => return None,
        })
    }
}

/// What costs are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Integers,
    Fractions,
    /// Zeros of both signs, and numbers too small to be normal.
    Tiny,
    Zeros,
    /// No less than the distance of points, which are offered.
    Metric,
    /// The ends of the floats beside 1.
    Extreme,
    /// From 10^-300 to 10^300.
    Wide,
}

/// True costs, and what it says instead.
pub(crate) struct Liar {
    pub(crate) n: usize,
    pub(crate) lies: Vec<Lie>,
    pub(crate) form: Form,
    pub(crate) salt: u64,
    /// Row by row; NaN where forbidden.
    truth: Vec<f64>,
    /// Dimensions and coordinates, if offered: no cost is less than the distance.
    points: Option<(usize, Vec<f64>)>,
    false_points: Option<(usize, Vec<f64>)>,
    /// Offered if it is there, true or false.
    dense: Option<DenseCosts>,
    sparse: bool,
    offers_bounds: bool,
    offers_samples: bool,
    /// One pair, or call, in this many is lied about.
    rarity: u64,
    calls: AtomicUsize,
}

impl Liar {
    /// With some of these `lies`, or none, and costs of one of these forms.
    pub(crate) fn draw(rng: &mut ChaCha8Rng, n: usize, lies: &[Lie], forms: &[Form]) -> Self {
        let form = forms[rng.random_range(0..forms.len())];
        let count = [0, 1, 1, 1, 1, 2, 3, 6][rng.random_range(0..8)];
        let lies: Vec<_> = (0..count)
            .map(|_| lies[rng.random_range(0..lies.len())])
            .collect();
        let dimensions = rng.random_range(1..=3);
        let side = [1.0, 8.0, 1e9][rng.random_range(0..3)];
        let values = (0..n * dimensions).map(|_| (rng.random::<f64>() * side).round());
        let points = (dimensions, values.collect());
        let mut liar = Self {
            n,
            form,
            salt: rng.random(),
            truth: vec![f64::NAN; n * n],
            false_points: lies.iter().find_map(|lie| lie.points(n, &points)),
            points: Some(points).filter(|_| form == Form::Metric),
            lies,
            dense: None,
            sparse: rng.random_ratio(1, 3),
            offers_bounds: rng.random(),
            offers_samples: rng.random(),
            rarity: [1, 2, 7, 50][rng.random_range(0..4)],
            calls: AtomicUsize::new(0),
        };
        liar.draw_costs(rng);
        liar.draw_matrix(rng.random_ratio(1, 4));
        liar
    }

    fn draw_costs(&mut self, rng: &mut ChaCha8Rng) {
        const TINY: [f64; 6] = [-0.0, 0.0, 5e-324, -5e-324, f64::MIN_POSITIVE, 1e-310];
        const EXTREME: [f64; 5] = [1e308, -1e308, 1.0, f64::MAX, -f64::MAX];
        let density = [1.0, 0.8, 0.4][rng.random_range(0..3)];
        for i in 0..self.n {
            for j in i + 1..self.n {
                let cost = match self.form {
                    Form::Integers => f64::from(rng.random_range(-3..=3)),
                    Form::Fractions => rng.random(),
                    Form::Tiny => TINY[rng.random_range(0..6)],
                    Form::Zeros => 0.0,
                    Form::Metric => self.distance(i, j).ceil() + f64::from(rng.random_range(0..3)),
                    Form::Extreme => EXTREME[rng.random_range(0..5)],
                    Form::Wide => 10.0_f64.powi(rng.random_range(-300..300)),
                };
                if rng.random::<f64>() < density {
                    (self.truth[i * self.n + j], self.truth[j * self.n + i]) = (cost, cost);
                }
            }
        }
    }

    fn draw_matrix(&mut self, offers: bool) {
        let n = self.n;
        let (n, change) = match () {
            () if self.lies.contains(&DenseSmaller) => (n.saturating_sub(1), 0.0),
            () if self.lies.contains(&DenseOther) => (n, 1.0),
            () if offers => (n, 0.0),
            () => return,
        };
        let cost = |i, j| {
            self.true_cost(i, j)
                .map(|cost| (cost + change).clamp(f64::MIN, f64::MAX))
        };
        self.dense = DenseCosts::from_optional_fn(n, cost).ok();
    }

    fn distance(&self, i: usize, j: usize) -> f64 {
        let Some((dimensions, values)) = &self.points else {
            return 0.0;
        };
        let square = |d: usize| (values[i * dimensions + d] - values[j * dimensions + d]).powi(2);
        (0..*dimensions).map(square).sum::<f64>().sqrt()
    }

    /// An oracle that was asked so often has nothing more to say: only an endless loop asks on.
    fn patience(&self) -> usize {
        (20 * self.n * self.n).max(10_000_000)
    }

    /// Counts a call. The number of it, and 0 once patience is at an end.
    fn count(&self) -> usize {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        // Should even that not end the loop.
        assert!(calls <= 2 * self.patience(), "asked without end");
        if calls > self.patience() { 0 } else { calls }
    }

    /// Whether patience lasted since the last time.
    pub(crate) fn was_patient(&self) -> bool {
        self.calls.swap(0, Ordering::Relaxed) <= self.patience()
    }

    /// Whether it tells this lie about something: always the same answer.
    fn lies(&self, lie: Lie, about: [usize; 2]) -> bool {
        let mix = |hash: u64, value: usize| {
            (hash ^ value as u64)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        };
        let hash = || {
            [lie as usize, about[0], about[1]]
                .into_iter()
                .fold(self.salt, mix)
        };
        self.lies.contains(&lie) && hash().is_multiple_of(self.rarity)
    }

    pub(crate) fn true_cost(&self, i: usize, j: usize) -> Option<f64> {
        Some(self.truth[i * self.n + j]).filter(|cost| !cost.is_nan())
    }

    /// All costs' magnitudes, both ways.
    pub(crate) fn magnitude(&self) -> f64 {
        let costs = self.truth.iter().filter(|cost| !cost.is_nan());
        costs.map(|cost| cost.abs()).sum()
    }

    /// Neither changes its answers nor contradicts itself but in hints.
    pub(crate) fn is_true_but_for_hints(&self) -> bool {
        self.lies.iter().all(|lie| HINTS.contains(lie))
    }

    pub(crate) fn is_honest(&self) -> bool {
        self.lies.is_empty()
    }
}

impl CostOracle for Liar {
    fn vertices(&self) -> usize {
        let call = self.count();
        if self.lies(VerticesWithin, [call, 0]) {
            return self.n.saturating_sub(1 + call % 3);
        }
        if self.lies(VerticesBeyond, [call, 0]) {
            return self.n + 1 + call % 3;
        }
        if self.lies(VerticesAbsurd, [call, 0]) {
            return [usize::MAX, usize::MAX - 1, 1 << 40, (1 << 28) + 2][call % 4];
        }
        self.n
    }

    /// Asked beyond its vertices, which only a lie about their number brings about, it has no cost.
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let call = self.count();
        if call == 0 || i >= self.n || j >= self.n {
            return None;
        }
        assert!(i != j, "nobody asks for the cost of a vertex with itself");
        let pair = [i.min(j), i.max(j)];
        if self.lies(NotANumber, pair) {
            return Some(f64::NAN);
        }
        if self.lies(Infinite, pair) {
            return Some([f64::INFINITY, f64::NEG_INFINITY][(i + j) % 2]);
        }
        if self.lies(Asymmetric, [i, j]) && i < j {
            return Some(self.true_cost(i, j).unwrap_or(0.0) + 1.0);
        }
        if self.lies(OneWay, [i, j]) && i < j {
            return self.true_cost(i, j).xor(Some(2.0));
        }
        if self.lies(Moving, [call, 0]) {
            return self.true_cost(i, j).map(|cost| cost + (call % 5) as f64 - 2.0);
        }
        if self.lies(Flickering, [call, 0]) {
            return self.true_cost(i, j).xor(Some(1.0));
        }
        self.true_cost(i, j)
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        if self.count() == 0 {
            return;
        }
        for j in (0..self.n).filter(|&j| j != i) {
            let Some(cost) = self.cost(i, j).filter(|_| !self.lies(Hidden, [i, j])) else {
                continue;
            };
            visit(
                j,
                if self.lies(OtherCost, [i, j]) {
                    cost - 1.0
                } else {
                    cost
                },
            );
            if self.lies(Repeated, [i, j]) {
                visit(j, cost);
            }
        }
        if self.lies(Itself, [i, 0]) {
            visit(i, 1.0);
        }
        if self.lies(Stranger, [i, 0]) {
            visit([self.n, usize::MAX, 1 << 32, (1 << 32) + 1][i % 4], 1.0);
        }
    }

    fn is_sparse(&self) -> bool {
        let call = self.count();
        self.sparse != self.lies(SparseOrNot, [call, 0])
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        self.count();
        for (j, out) in (from..).zip(out) {
            let cost = if i == j { None } else { self.cost(i, j) };
            *out = match cost {
                _ if self.lies(RowUnwritten, [i, j]) => continue,
                _ if self.lies(RowInfinite, [i, j]) => f64::INFINITY,
                Some(_) if self.lies(RowForbids, [i, j]) => f64::NAN,
                Some(cost) if self.lies(RowDiffers, [i, j]) => cost + 1.0,
                None if self.lies(RowAllows, [i, j]) => -1.0,
                cost => cost.unwrap_or(f64::NAN),
            };
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "rounded down in the end")]
    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        let call = self.count();
        let offers = self.offers_bounds != self.lies(BoundOrNot, [call, 0]);
        if call == 0 || !offers {
            return false;
        }
        for (j, out) in (from..).zip(out) {
            let known = i < self.n && j < self.n;
            let cost = if known {
                self.true_cost(i, j).unwrap_or(f64::NAN)
            } else {
                0.0
            };
            *out = match (cost as f32).next_down() {
                _ if self.lies(BoundUnwritten, [i, j]) => continue,
                _ if self.lies(BoundNotANumber, [i, j]) => f32::NAN,
                _ if self.lies(BoundUnbounded, [i, j]) => [f32::NEG_INFINITY, f32::INFINITY][j % 2],
                bound if self.lies(BoundAbove, [i, j]) => bound + 2.0,
                bound => bound,
            };
        }
        true
    }

    fn coordinates(&self) -> Option<Coordinates<'_>> {
        let call = self.count();
        let told = match &self.false_points {
            Some(points) if !self.lies.contains(&PointsMoving) || call.is_multiple_of(2) => points,
            _ => self.points.as_ref()?,
        };
        Some(Coordinates {
            slack: 0.0,
            dimensions: told.0,
            values: &told.1,
        })
    }

    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let lies = [AmongFewer, AmongOther].map(|lie| self.lies.contains(&lie));
        if self.count() == 0 || !(self.offers_samples || lies.contains(&true)) {
            return None;
        }
        let n = vertices.len().saturating_sub(usize::from(lies[0]));
        let inside = |v: u32| (v as usize).min(self.n - 1);
        let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let cost = |(i, j)| {
            let (i, j) = (inside(vertices[i]), inside(vertices[j]));
            self.truth[i * self.n + j] + if lies[1] { 1.0 + ((i + j) % 3) as f64 } else { 0.0 }
        };
        Some(Box::new(Liar {
            n,
            truth: pairs.map(cost).collect(),
            lies: Vec::new(),
            points: None,
            false_points: None,
            dense: None,
            calls: AtomicUsize::new(0),
            ..*self
        }))
    }

    fn as_dense(&self) -> Option<&DenseCosts> {
        self.count();
        self.dense.as_ref()
    }
}
