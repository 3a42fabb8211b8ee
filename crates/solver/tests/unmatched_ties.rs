//! Among several optima with unmatched vertices always the same one.

use crate::common::rng;
use crate::ties::{first_of_the_best, random_duals};
use matchwright_solver::{
    BruteForce, CostOracle, DenseCosts, EuclideanCosts, ExactPairing, Objective, Pairing, PairingSolver,
    SparseCosts, Unmatched, UnmatchedPenalties, Workspace, verify,
};
use rand::RngExt;

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];

/// Penalties; the same for as few unmatched vertices as possible; and the latter alone.
fn rules<'a>(costs: &'a dyn CostOracle, penalties: &[f64]) -> [UnmatchedPenalties<'a>; 3] {
    let most = UnmatchedPenalties::maximum_cardinality(costs);
    [
        UnmatchedPenalties::new(costs, penalties.to_vec()).unwrap(),
        most.clone().with_penalties(penalties.to_vec()).unwrap(),
        most,
    ]
}

fn counts(costs: &dyn CostOracle) -> usize {
    usize::from(matches!(costs.unmatched(), Unmatched::MaximumCardinality(_)))
}

#[test]
#[allow(clippy::cast_possible_truncation, reason = "small integers")]
fn the_first_of_the_best_is_found() {
    let mut workspace = Workspace::new();
    let mut rng = rng(41);
    let mut unlike = 0;
    for round in 0..2500 {
        let n = rng.random_range(0..=if round % 8 == 0 { 9 } else { 7 });
        let density = [1.0, 0.7, 0.45, 0.25][rng.random_range(0..4)];
        let range = [1, 2, 3, 6][rng.random_range(0..4)];
        let mut edges = Vec::new();
        for i in 0..n {
            for j in i + 1..n {
                if rng.random_bool(density) {
                    edges.push((i, j, f64::from(rng.random_range(0..range))));
                }
            }
        }
        let penalties: Vec<f64> = (0..n)
            .map(|_| f64::from(rng.random_range(0..range) / 2))
            .collect();
        let lists = SparseCosts::from_edges(n, edges).unwrap();
        let matrix = DenseCosts::from_optional_fn(n, |i, j| lists.cost(i, j)).unwrap();
        let forms = rules(&lists, &penalties)
            .into_iter()
            .zip(rules(&matrix, &penalties));
        for ((list, dense), objective) in forms.flat_map(|forms| BOTH.map(|o| (forms.clone(), o))) {
            let signed = |x: f64| objective.as_minimum(x) as i64;
            let alone = |v| Some((counts(&list), signed(list.unmatched().penalty(v)?)));
            let first = first_of_the_best(n, &|i, j| list.cost(i, j).map(signed), &alone).unwrap();
            let simple = BruteForce::new(objective).solve(&list).unwrap();
            assert_eq!(simple.mates(), first);
            let solver = ExactPairing::new(objective).with_canonical_ties();
            for costs in [&list as &dyn CostOracle, &dense] {
                let found = solver.solve(costs).unwrap();
                assert_eq!(found.mates(), first, "{round} {objective:?} {list:?}");
                assert!(verify(costs, &found).unwrap().is_exact());
                let duals = random_duals(&mut rng, n);
                let warm = solver.solve_from(&mut workspace, costs, &duals).unwrap();
                assert_eq!(warm.mates(), first, "{round} {objective:?} {list:?}, warm");
                let any = ExactPairing::new(objective)
                    .solve_from(&mut workspace, costs, &duals)
                    .unwrap();
                unlike += usize::from(any.mates() != first);
            }
        }
    }
    // There is something to choose.
    assert!(unlike > 2000, "{unlike}");
}

/// The pairing of every form, from many starts, by many threads.
fn agreed(objective: Objective, forms: &[&dyn CostOracle], duals: &[Vec<f64>]) -> Pairing {
    let solver = ExactPairing::new(objective).with_canonical_ties();
    let mut workspace = Workspace::new();
    let first = solver.solve(forms[0]).unwrap();
    assert!(verify(forms[0], &first).unwrap().is_exact());
    for costs in forms {
        let shared = solver.with_threads(3).solve(costs).unwrap();
        assert_eq!(shared.mates(), first.mates());
        for duals in duals {
            let warm = solver.solve_from(&mut workspace, costs, duals).unwrap();
            assert_eq!(warm.mates(), first.mates(), "warm");
        }
    }
    first
}

#[test]
fn larger_graphs_do_not_depend_on_start_form_or_threads() {
    let mut rng = rng(43);
    for round in 0..16 {
        let n = [41, 100, 151, 200][round % 4];
        let density = [1.0, 0.1, 3.0 / n as f64][round % 3];
        let range = [3, 30, 1_000_000][rng.random_range(0..3)];
        let mut edges = Vec::new();
        for i in 0..n {
            for j in i + 1..n {
                if rng.random_bool(density) {
                    edges.push((i, j, f64::from(rng.random_range(0..range))));
                }
            }
        }
        let penalties: Vec<f64> = (0..n)
            .map(|_| f64::from(rng.random_range(0..range) / 4))
            .collect();
        let lists = SparseCosts::from_edges(n, edges).unwrap();
        let matrix = DenseCosts::from_optional_fn(n, |i, j| lists.cost(i, j)).unwrap();
        let duals: Vec<_> = (0..2).map(|_| random_duals(&mut rng, n)).collect();
        for (list, dense) in rules(&lists, &penalties).iter().zip(&rules(&matrix, &penalties)) {
            agreed(BOTH[round / 4 % 2], &[list, dense], &duals);
        }
    }
}

#[test]
fn where_all_is_equal_the_last_stay_unmatched() {
    let costs = DenseCosts::from_fn(101, |_, _| 7.0).unwrap();
    let neighbours: Vec<_> = (0..101).map(|i| if i == 100 { i } else { i ^ 1 }).collect();
    // A pair is as good as two who wait.
    for problem in rules(&costs, &[3.5; 101]) {
        for objective in BOTH {
            assert_eq!(agreed(objective, &[&problem], &[]).mates(), neighbours);
        }
    }
    let star = SparseCosts::from_edges(6, (1..6).map(|j| (0, j, 1.0))).unwrap();
    let most = UnmatchedPenalties::maximum_cardinality(&star);
    assert_eq!(
        agreed(Objective::Minimize, &[&most], &[]).mates(),
        [1, 0, 2, 3, 4, 5]
    );
}

/// Beyond 2,048 vertices rows are not kept, and points are looked up near by.
#[test]
fn rows_points_and_lists_have_the_same_ties() {
    /// What is known by the cost of a pair alone.
    struct Rows<'a>(&'a EuclideanCosts);
    impl CostOracle for Rows<'_> {
        fn vertices(&self) -> usize {
            self.0.vertices()
        }
        fn cost(&self, i: usize, j: usize) -> Option<f64> {
            self.0.cost(i, j)
        }
    }
    let n = 2101;
    let mut rng = rng(47);
    let points = (0..n).map(|_| f64::from(rng.random_range(0..8400))).collect();
    let points = EuclideanCosts::from_points(1, points).unwrap();
    let rows = Rows(&points);
    let near = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    let near = near.map(|(i, j)| (i, j, points.cost(i, j).unwrap()));
    let lists = SparseCosts::from_edges(n, near).unwrap();
    let penalties: Vec<f64> = (0..n).map(|_| f64::from(rng.random_range(0..6))).collect();
    let duals = [random_duals(&mut rng, n)];
    let forms = [
        rules(&points, &penalties),
        rules(&rows, &penalties),
        rules(&lists, &penalties),
    ];
    for (k, alone) in [(0, 200..2000), (1, 1..2), (2, 1..2)] {
        let [points, rows, lists] = &forms;
        let found = agreed(Objective::Minimize, &[&points[k], &rows[k], &lists[k]], &duals);
        assert!(alone.contains(&found.unmatched().count()));
    }
}
