//! Graphs to test on.
use matchwright_solver::{
    CostOracle, DenseCosts, ExactPairing, LocalSearch, Objective, Pairing, PairingSolver, SolveError,
    SparseCosts, Workspace, verify,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) type Edge = (usize, usize, f64);

pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Each pair of `n` vertices with probability `density`, at a cost drawn by `cost`.
pub(crate) fn random_edges(
    rng: &mut ChaCha8Rng,
    n: usize,
    density: f64,
    mut cost: impl FnMut(&mut ChaCha8Rng) -> f64,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            if rng.random::<f64>() < density {
                edges.push((i, j, cost(rng)));
            }
        }
    }
    edges
}

/// The family of EOMM costs: Glicko's expectation between players whose churn depends on the outcome.
pub(crate) fn eomm(n: usize, seed: u64) -> DenseCosts {
    let mut rng = rng(seed);
    let mut normal = move || {
        let (u, v): (f64, f64) = (rng.random(), rng.random());
        (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    };
    let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
    let players: Vec<_> = (0..n)
        .map(|_| {
            let base = 0.8 * normal();
            let churn = [(-0.15, 0.3), (0.25, 0.35), (0.0, 0.25)]
                .map(|(mean, spread)| logistic(base + mean + spread * normal()));
            (1500.0 + 300.0 * normal(), 90.0 + 20.0 * normal(), churn)
        })
        .collect();
    DenseCosts::from_fn(n, |i, j| {
        let ((r_i, rd_i, [w_i, l_i, d_i]), (r_j, rd_j, [w_j, l_j, d_j])) = (players[i], players[j]);
        let q = 10.0_f64.ln() / 400.0;
        let g = 1.0 / (1.0 + 3.0 * q * q * (rd_i * rd_i + rd_j * rd_j) / std::f64::consts::PI.powi(2)).sqrt();
        let e = logistic(g * q * (r_i - r_j));
        0.2 * (d_i + d_j) + 0.8 * (e * (w_i + l_j) + (1.0 - e) * (l_i + w_j))
    })
    .unwrap()
}

/// Distances of random points in the unit square.
pub(crate) fn euclid(n: usize, seed: u64) -> DenseCosts {
    let mut rng = rng(seed);
    let points: Vec<(f64, f64)> = (0..n).map(|_| (rng.random(), rng.random())).collect();
    DenseCosts::from_fn(n, |i, j| {
        (points[i].0 - points[j].0).hypot(points[i].1 - points[j].1)
    })
    .unwrap()
}

/// Independent costs from 0 to 1.
pub(crate) fn uniform(n: usize, seed: u64) -> DenseCosts {
    let mut rng = rng(seed);
    DenseCosts::from_fn(n, |_, _| rng.random()).unwrap()
}

pub(crate) fn exact(objective: Objective, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
    ExactPairing::new(objective).solve(costs)
}

/// Solves and has the judge prove it.
pub(crate) fn proven(objective: Objective, costs: &dyn CostOracle) -> Pairing {
    let pairing = exact(objective, costs).unwrap();
    let verdict = verify(costs, &pairing).unwrap();
    assert!(verdict.optimal);
    pairing
}

pub(crate) fn sparse(n: usize, edges: &[Edge]) -> SparseCosts {
    SparseCosts::from_edges(n, edges.iter().copied()).unwrap()
}

/// A local search from the pairing of another solver.
pub(crate) struct StartingFrom<S>(pub(crate) LocalSearch, pub(crate) S);

impl<S: PairingSolver> PairingSolver for StartingFrom<S> {
    fn solve_within(
        &self,
        costs: &dyn CostOracle,
        _: &matchwright_solver::Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        let start = self.1.solve(costs)?;
        self.0.improve(&mut Workspace::new(), costs, start.mates())
    }
}
