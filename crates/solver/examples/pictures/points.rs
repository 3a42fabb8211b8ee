//! The points whose pairing is drawn.

use matchwright_solver::{DenseCosts, GraphError};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Points in the plane, at whole coordinates.
#[derive(Debug, Clone)]
pub(crate) struct Points(Vec<[f64; 2]>);

impl Points {
    /// Two triangles of friends, far apart.
    pub(crate) fn two_triangles() -> Self {
        Self(vec![
            [100.0, 180.0],
            [100.0, 320.0],
            [220.0, 250.0],
            [480.0, 250.0],
            [600.0, 180.0],
            [600.0, 320.0],
        ])
    }

    /// Few enough to follow each of them: of many draws one in which six odd cycles are left, blossoms nest, and one
    /// is expanded.
    pub(crate) fn few() -> Self {
        Self::draw(597, 28, 60.0)
    }

    /// Enough to be solved from a sample, on candidates: one in which pricing finds violated pairs.
    pub(crate) fn many() -> Self {
        Self::draw(MANY_SEED, 120, 30.0)
    }

    /// Points in a field of 1,000 by 700, no two of them nearer to each other than `apart`.
    fn draw(seed: u64, count: usize, apart: f64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut points = Self(Vec::with_capacity(count));
        while points.count() < count {
            let point = [
                f64::from(random.next_u32() % 1000),
                f64::from(random.next_u32() % 700),
            ];
            if points.0.iter().all(|&other| distance(point, other) >= apart) {
                points.0.push(point);
            }
        }
        points
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn at(&self, v: usize) -> [f64; 2] {
        self.0[v]
    }

    pub(crate) fn distance(&self, i: usize, j: usize) -> f64 {
        distance(self.0[i], self.0[j])
    }

    /// All coordinates, point by point.
    pub(crate) fn flat(&self) -> Vec<f64> {
        self.0.concat()
    }

    /// The distances, without the points.
    pub(crate) fn matrix(&self) -> Result<DenseCosts, GraphError> {
        DenseCosts::from_fn(self.count(), |i, j| self.distance(i, j))
    }
}

/// See [`Points::many`].
const MANY_SEED: u64 = 100;

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}
