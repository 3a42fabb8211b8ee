//! Among several optima always the same one, wherever the duals started.

use matchwright_solver::{
    BruteForce, CostOracle, DenseCosts, EuclideanCosts, ExactPairing, Limits, Objective, PairingSolver,
    SparseCosts, Workspace, verify,
};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How many vertices are unmatched, where as few as possible are to be; then the sum.
type Value = (usize, i64);

/// The optimal matching whose list of mates comes first, by trying all; independent of the library. `alone` is what an
/// unmatched vertex adds; it comes after all partners.
pub(crate) fn first_of_the_best(
    n: usize,
    cost: &dyn Fn(usize, usize) -> Option<i64>,
    alone: &dyn Fn(usize) -> Option<Value>,
) -> Option<Vec<usize>> {
    fn extend(
        mates: &mut Vec<usize>,
        value: Value,
        add: &dyn Fn(usize, usize) -> Option<Value>,
        best: &mut Option<(Value, Vec<usize>)>,
    ) {
        let n = mates.len();
        let Some(i) = mates.iter().position(|&mate| mate == n) else {
            if best.as_ref().is_none_or(|(least, _)| value < *least) {
                *best = Some((value, mates.clone()));
            }
            return;
        };
        for j in (i + 1..n).chain([i]) {
            if let (true, Some(added)) = (mates[j] == n, add(i, j)) {
                (mates[i], mates[j]) = (j, i);
                extend(mates, (value.0 + added.0, value.1 + added.1), add, best);
                (mates[i], mates[j]) = (n, n);
            }
        }
    }
    let add = |i, j| {
        if i == j {
            alone(i)
        } else {
            cost(i, j).map(|cost| (0, cost))
        }
    };
    let mut best = None;
    extend(&mut vec![n; n], (0, 0), &add, &mut best);
    best.map(|(_, mates)| mates)
}

pub(crate) fn random_duals(rng: &mut ChaCha8Rng, n: usize) -> Vec<f64> {
    let scale = [0.0, 1.0, 1e3, 1e12][rng.random_range(0..4)];
    let odd = [0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e300];
    (0..n)
        .map(|_| {
            if rng.random_bool(0.05) {
                odd[rng.random_range(0..odd.len())]
            } else {
                scale * rng.random_range(-1.0..1.0)
            }
        })
        .collect()
}

#[test]
fn the_first_of_the_best_is_found_whatever_the_starting_duals() {
    let mut workspace = Workspace::new();
    for seed in 0..3000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let n = 2 * rng.random_range(1..5);
        let density = [1.0, 0.7, 0.45][rng.random_range(0..3)];
        let range = [1, 2, 3, 6][rng.random_range(0..4)];
        let additive = rng.random_bool(0.2);
        let own: Vec<i64> = (0..n).map(|_| rng.random_range(0..4)).collect();
        let mut table = vec![None; n * n];
        for i in 0..n {
            for j in i + 1..n {
                if rng.random_bool(density) {
                    let cost = if additive {
                        own[i] + own[j]
                    } else {
                        rng.random_range(0..range)
                    };
                    table[i * n + j] = Some(cost);
                }
            }
        }
        let cost = |i: usize, j: usize| table[i.min(j) * n + i.max(j)];
        for objective in [Objective::Minimize, Objective::Maximize] {
            let sign = if objective == Objective::Minimize { 1 } else { -1 };
            let expected = first_of_the_best(n, &|i, j| cost(i, j).map(|cost| sign * cost), &|_| None);
            let edges = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let edges = edges.filter_map(|(i, j)| cost(i, j).map(|cost| (i, j, cost as f64)));
            let sparse = SparseCosts::from_edges(n, edges).unwrap();
            let dense = DenseCosts::from_optional_fn(n, |i, j| cost(i, j).map(|cost| cost as f64)).unwrap();
            for costs in [&sparse as &dyn CostOracle, &dense] {
                let solver = ExactPairing::new(objective).with_canonical_ties();
                let cold = solver.solve_in(&mut workspace, costs, &Limits::unlimited());
                let warm = solver.solve_from(&mut workspace, costs, &random_duals(&mut rng, n));
                let simple = BruteForce::new(objective).solve_in(&mut workspace, costs, &Limits::unlimited());
                match &expected {
                    Some(mates) => {
                        assert_eq!(cold.unwrap().mates(), mates, "seed {seed}, {objective:?}");
                        assert_eq!(warm.unwrap().mates(), mates, "seed {seed}, {objective:?}, warm");
                        assert_eq!(
                            simple.unwrap().mates(),
                            mates,
                            "seed {seed}, {objective:?}, simple"
                        );
                    }
                    None => assert!(cold.is_err() && warm.is_err() && simple.is_err(), "seed {seed}"),
                }
            }
        }
    }
}

#[test]
fn where_all_costs_are_equal_neighbours_in_number_are_paired() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut workspace = Workspace::new();
    for n in [2, 8, 50, 120, 300] {
        let costs = DenseCosts::from_fn(n, |_, _| 7.0).unwrap();
        let neighbours: Vec<_> = (0..n).map(|i| i ^ 1).collect();
        for objective in [Objective::Minimize, Objective::Maximize] {
            let solver = ExactPairing::new(objective).with_canonical_ties();
            let cold = solver
                .solve_in(&mut workspace, &costs, &Limits::unlimited())
                .unwrap();
            assert_eq!(cold.mates(), neighbours, "{n}");
            let warm = solver
                .solve_from(&mut workspace, &costs, &random_duals(&mut rng, n))
                .unwrap();
            assert_eq!(warm.mates(), neighbours, "{n}, warm");
            assert!(verify(&costs, &warm).unwrap().is_exact());
        }
    }
}

#[test]
fn larger_graphs_with_many_ties_do_not_depend_on_the_start() {
    let mut workspace = Workspace::new();
    for seed in 0..12 {
        let mut rng = ChaCha8Rng::seed_from_u64(100 + seed);
        let n = [40, 100, 150, 220][rng.random_range(0..4)];
        let ranks: Vec<i32> = (0..n)
            .map(|_| rng.random_range(0..if seed % 2 == 0 { 5 } else { 30 }))
            .collect();
        let salt = rng.next_u64();
        let costs = DenseCosts::from_fn(n, |i, j| {
            let noise = (salt.wrapping_mul((i * n + j) as u64 | 1) >> 60) as i32;
            f64::from((ranks[i] - ranks[j]).abs() + if seed % 3 == 0 { noise % 3 } else { 0 })
        })
        .unwrap();
        let cold = ExactPairing::minimum()
            .with_canonical_ties()
            .solve_in(&mut workspace, &costs, &Limits::unlimited())
            .unwrap();
        assert!(verify(&costs, &cold).unwrap().is_exact());
        for _ in 0..3 {
            let duals = random_duals(&mut rng, n);
            let warm = ExactPairing::minimum()
                .with_canonical_ties()
                .solve_from(&mut workspace, &costs, &duals)
                .unwrap();
            assert_eq!(warm.mates(), cold.mates(), "seed {seed}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let points: Vec<f64> = (0..1200).map(|_| rng.random()).collect();
    let space = EuclideanCosts::from_points(2, points).unwrap();
    let dense = DenseCosts::from_fn(600, |i, j| space.cost(i, j).unwrap()).unwrap();
    let mut workspace = Workspace::new();
    for costs in [&space as &dyn CostOracle, &dense] {
        let one = ExactPairing::minimum()
            .with_canonical_ties()
            .solve_in(&mut workspace, costs, &Limits::unlimited())
            .unwrap();
        let three = ExactPairing::minimum()
            .with_canonical_ties()
            .with_threads(3)
            .solve_in(&mut workspace, costs, &Limits::unlimited())
            .unwrap();
        assert_eq!(one, three);
        assert!(verify(costs, &one).unwrap().optimal);
    }
}
