//! Solving again and again takes no new memory. Alone in its program, since it counts all allocations.

#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

use matchwright_solver::{DenseCosts, ExactPairing, Limits, Objective, PairingSolver, Workspace};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[global_allocator]
static COUNTED: dhat::Alloc = dhat::Alloc;

/// Smooth, random and metric costs of this many players.
fn graphs(n: usize) -> Vec<DenseCosts> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let traits: Vec<[f64; 3]> = (0..n)
        .map(|_| std::array::from_fn(|_| rng.random_range(0.0..1.0)))
        .collect();
    let smooth = |i: usize, j: usize| {
        let (a, b) = (traits[i], traits[j]);
        let chance = 1.0 / (1.0 + (2.0 * (a[0] - b[0])).exp());
        chance * (a[1] + b[2]) + (1.0 - chance) * (a[2] + b[1])
    };
    let metric = |i: usize, j: usize| (traits[i][0] - traits[j][0]).hypot(traits[i][1] - traits[j][1]);
    vec![
        DenseCosts::from_fn(n, smooth).unwrap(),
        DenseCosts::from_fn(n, |_, _| rng.random_range(0.0..1.0)).unwrap(),
        DenseCosts::from_fn(n, metric).unwrap(),
    ]
}

#[test]
fn a_steady_state_allocates_nothing() {
    let _profiler = dhat::Profiler::builder().testing().build();
    let blocks = || dhat::HeapStats::get().total_blocks;
    let all: Vec<DenseCosts> = [30, 100, 300].into_iter().flat_map(graphs).collect();
    let mut workspace = Workspace::new();
    let mut duals = Vec::new();
    let mut round = |duals: &mut Vec<f64>| {
        let mut worst = 0;
        for (costs, objective) in all
            .iter()
            .flat_map(|costs| [(costs, Objective::Minimize), (costs, Objective::Maximize)])
        {
            let solver = ExactPairing::new(objective);
            let before = blocks();
            let cold = solver
                .solve_in(&mut workspace, costs, &Limits::unlimited())
                .unwrap();
            let after = blocks();
            duals.clear();
            duals.extend(cold.certificate().unwrap().duals());
            workspace.recycle(cold);
            let start = blocks();
            let warm = solver.solve_from(&mut workspace, costs, duals).unwrap();
            workspace.recycle(warm);
            worst = worst.max(after - before).max(blocks() - start);
        }
        worst
    };
    assert!(round(&mut duals) > 0, "the first round has to allocate");
    let settled = (0..40).find(|_| round(&mut duals) == 0);
    assert!(settled.is_some(), "still allocating after 40 rounds");
    for _ in 0..5 {
        assert_eq!(round(&mut duals), 0);
    }
}
