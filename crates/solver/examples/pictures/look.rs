//! A look at a running solve, kept to be drawn: duals become discs and moats.

use anyhow::Result;
use matchwright_solver::{EuclideanCosts, ExactPairing, Snapshot, Stage, TreeLabel, Workspace};

use super::points::Points;

/// A blossom, drawn as a moat around its vertices.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moat {
    /// Ascending.
    pub(crate) vertices: Vec<usize>,
    /// Half of the blossom's dual.
    pub(crate) width: f64,
}

/// What one call of the observer saw.
#[derive(Debug, Clone)]
pub(crate) struct Look {
    pub(crate) stage: Stage,
    pub(crate) is_sample: bool,
    /// The radius of each vertex's disc, y - sum of z / 2; `None` for vertices that are not in the sample.
    pub(crate) radii: Vec<Option<f64>>,
    /// From large to small, so that what is inside comes later.
    pub(crate) moats: Vec<Moat>,
    pub(crate) pairs: Vec<(usize, usize)>,
    pub(crate) cycles: Vec<Vec<usize>>,
    pub(crate) labels: Vec<Option<TreeLabel>>,
    /// Vertices that are neither paired nor on an odd cycle.
    pub(crate) exposed: Vec<usize>,
    pub(crate) candidates: Vec<(usize, usize)>,
    pub(crate) violated: Vec<(usize, usize)>,
}

impl Look {
    fn of(vertices: usize, progress: &Snapshot<'_>) -> Self {
        let mut radii = vec![None; vertices];
        let mut labels = vec![None; vertices];
        let mut exposed = vec![false; vertices];
        for ((v, dual), label) in progress.vertices().zip(progress.duals()).zip(progress.labels()) {
            radii[v] = Some(dual);
            labels[v] = label;
            exposed[v] = true;
        }
        let mut moats = Vec::new();
        for (vertices, dual) in progress.blossoms() {
            let width = 0.5 * dual;
            for &v in &vertices {
                radii[v] = radii[v].map(|radius| radius - width);
            }
            moats.push(Moat { vertices, width });
        }
        moats.sort_by_key(|moat| (std::cmp::Reverse(moat.vertices.len()), moat.vertices.clone()));
        let pairs: Vec<_> = progress.pairs().collect();
        let cycles = progress.odd_cycles();
        let taken = pairs.iter().flat_map(|&(i, j)| [i, j]);
        for v in taken.chain(cycles.iter().flatten().copied()) {
            exposed[v] = false;
        }
        Self {
            stage: progress.stage(),
            is_sample: progress.is_sample(),
            radii,
            moats,
            pairs,
            cycles,
            labels,
            exposed: (0..vertices).filter(|&v| exposed[v]).collect(),
            candidates: progress.candidates(),
            violated: progress.violated().collect(),
        }
    }

    /// The sum of the radii.
    pub(crate) fn radii_sum(&self) -> f64 {
        self.radii.iter().flatten().sum()
    }

    /// The sum of the moats' widths.
    pub(crate) fn moats_sum(&self) -> f64 {
        self.moats.iter().map(|moat| moat.width).sum()
    }

    /// How far from v the outer shore of a moat around it is, or the rim of its own disc (`None`).
    pub(crate) fn reach(&self, v: usize, moat: Option<&Moat>) -> f64 {
        let size = moat.map_or(0, |moat| moat.vertices.len());
        let inside = self.moats.iter().filter(|other| other.vertices.len() <= size);
        let widths = inside
            .filter(|other| other.vertices.contains(&v))
            .map(|other| other.width);
        self.radii[v].unwrap_or(0.0) + widths.sum::<f64>()
    }

    /// How far from v everything reaches that it pays for.
    pub(crate) fn whole_reach(&self, v: usize) -> f64 {
        self.moats
            .iter()
            .find(|moat| moat.vertices.contains(&v))
            .map_or(self.reach(v, None), |moat| self.reach(v, Some(moat)))
    }

    /// What is left of the distance of two vertices beyond their discs and the moats that keep them apart: negative
    /// if these overlap.
    pub(crate) fn slack(&self, points: &Points, i: usize, j: usize) -> f64 {
        let apart = self
            .moats
            .iter()
            .filter(|moat| moat.vertices.contains(&i) != moat.vertices.contains(&j));
        let widths: f64 = apart.map(|moat| moat.width).sum();
        points.distance(i, j) - self.radii[i].unwrap_or(0.0) - self.radii[j].unwrap_or(0.0) - widths
    }

    /// The pairs whose discs and moats touch, of those that are solved.
    pub(crate) fn tight(&self, points: &Points) -> Vec<(usize, usize)> {
        const TOUCHING: f64 = 1e-6;
        let solved: Vec<usize> = (0..self.radii.len())
            .filter(|&v| self.radii[v].is_some())
            .collect();
        let mut tight = Vec::new();
        for (at, &i) in solved.iter().enumerate() {
            let touches = |&&j: &&usize| self.slack(points, i, j).abs() < TOUCHING;
            tight.extend(solved[at + 1..].iter().filter(touches).map(|&j| (i, j)));
        }
        tight
    }
}

/// Solves and keeps every look. `as_matrix`: as if nobody knew where the points lie, so that samples are solved
/// first.
pub(crate) fn watch(points: &Points, as_matrix: bool) -> Result<Vec<Look>> {
    let mut looks = Vec::new();
    let mut keep = |progress: &Snapshot<'_>| {
        looks.push(Look::of(points.count(), progress));
        true
    };
    let (solver, mut workspace) = (ExactPairing::minimum(), Workspace::new());
    if as_matrix {
        solver.solve_while(&mut workspace, &points.matrix()?, &mut keep)?;
    } else {
        let costs = EuclideanCosts::from_points(2, points.flat())?;
        solver.solve_while(&mut workspace, &costs, &mut keep)?;
    }
    Ok(looks)
}
