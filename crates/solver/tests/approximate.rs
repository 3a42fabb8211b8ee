//! The approximate twins: what they answer, and that no claim of theirs is too good.

use crate::common::{Edge, StartingFrom, eomm, euclid, exact, random_edges, rng, sparse, uniform};
use matchwright_solver::{
    BruteForce, CostOracle, DenseCosts, EuclideanCosts, GreedyPairing, LocalSearch, Objective, Pairing,
    PairingSolver, PathGrowing, RandomPairing, SolveError, SortAdjacent, SparseCosts, dual_bound, verify,
    verify_bound,
};
use proptest::prelude::*;
use rand::RngExt;

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];

/// All that find a pairing of every complete graph.
fn twins(objective: Objective) -> Vec<Box<dyn PairingSolver>> {
    let search = LocalSearch::new(objective);
    vec![
        Box::new(GreedyPairing::new(objective)),
        Box::new(PathGrowing::new(objective)),
        Box::new(search),
        Box::new(search.with_candidates(3)),
        Box::new(StartingFrom(search, RandomPairing::new(3))),
        Box::new(StartingFrom(search, PathGrowing::new(objective))),
    ]
}

fn solve(solver: &dyn PairingSolver, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
    solver.solve(costs)
}

#[cfg(feature = "laws")]
#[test]
fn the_laws_hold() {
    use matchwright_solver::laws::{Claims, check_all};
    let whenever_there_is_one = Claims {
        exact: None,
        forbidden_pairs: true,
    };
    for (seed, objective) in (0..3).flat_map(|seed| BOTH.map(|objective| (seed, objective))) {
        for solver in twins(objective) {
            check_all(&solver, Claims::heuristic(), seed).unwrap();
        }
        let search = LocalSearch::new(objective);
        check_all(&search, whenever_there_is_one, seed).unwrap();
        check_all(&search.with_candidates(1), whenever_there_is_one, seed).unwrap();
        check_all(&PathGrowing::new(objective), whenever_there_is_one, seed).unwrap();
    }
}

/// An even number of vertices and costs of some pairs; small numbers, so that there are ties and nothing
/// rounds.
fn graph() -> impl Strategy<Value = (usize, Vec<Edge>)> {
    (1_usize..=4, 0.3..1.0, 1_i32..30).prop_flat_map(|(half, density, range)| {
        let n = 2 * half;
        let cost = proptest::option::weighted(density, -range..range);
        let costs = proptest::collection::vec(cost, n * (n - 1) / 2);
        costs.prop_map(move |costs| {
            let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let edges = pairs
                .zip(costs)
                .filter_map(|((i, j), cost)| Some((i, j, f64::from(cost?))));
            (n, edges.collect())
        })
    })
}

fn objective() -> impl Strategy<Value = Objective> {
    prop_oneof![Just(Objective::Minimize), Just(Objective::Maximize)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nobody_beats_brute_force_nor_does_the_bound((n, edges) in graph(), objective in objective()) {
        let costs = sparse(n, &edges);
        let best = solve(&BruteForce::new(objective), &costs).map(|best| objective.as_minimum(best.cost()));
        let certificate = dual_bound(&costs, objective).unwrap();
        prop_assert!(verify_bound(&costs, objective, &certificate).is_ok());
        if let Ok(best) = best {
            prop_assert!(objective.as_minimum(certificate.dual_bound()) <= best);
        }
        for solver in twins(objective) {
            if let Ok(pairing) = solve(&solver, &costs) {
                prop_assert!(objective.as_minimum(pairing.cost()) >= *best.as_ref().unwrap());
                prop_assert!(verify(&costs, &pairing).is_ok());
            }
        }
    }

    /// Ties, and costs so small or large that floats are at their ends.
    #[test]
    fn units_do_not_matter_to_the_bound(
        (n, edges) in graph(),
        power in -1060..1000,
        objective in objective(),
    ) {
        let unit = 2.0_f64.powi(power / 2) * 2.0_f64.powi(power - power / 2);
        let scaled: Vec<_> = edges.iter().map(|&(i, j, cost)| (i, j, cost * unit)).collect();
        let (costs, scaled) = (sparse(n, &edges), sparse(n, &scaled));
        let bound = dual_bound(&costs, objective).unwrap();
        let other = dual_bound(&scaled, objective).unwrap();
        prop_assert!(verify_bound(&scaled, objective, &other).is_ok());
        // Near the smallest float there are no halves.
        let tolerance = 1e-9 * bound.dual_bound().abs() + if power < -960 { 10.0 } else { 1e-9 };
        prop_assert!((bound.dual_bound() - other.dual_bound() / unit).abs() <= tolerance);
    }
}

/// The same costs in all forms: a matrix, lists, and rows alone.
struct Rows<'a>(&'a DenseCosts);

impl CostOracle for Rows<'_> {
    fn vertices(&self) -> usize {
        self.0.vertices()
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.0.cost(i, j)
    }
}

fn as_list(costs: &DenseCosts) -> SparseCosts {
    let n = costs.vertices();
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    let edges = pairs.filter_map(|(i, j)| Some((i, j, costs.cost(i, j)?)));
    SparseCosts::from_edges(n, edges).unwrap()
}

/// Among them one with more vertices than are kept in memory, where costs are asked for as we go.
#[test]
fn the_form_of_the_graph_does_not_matter() {
    let ties = |n, seed| {
        let mut rng = rng(seed);
        DenseCosts::from_optional_fn(n, |_, _| {
            (rng.random::<f64>() < 0.9).then(|| f64::from(rng.random_range(-3..30)))
        })
    };
    for costs in [
        eomm(60, 1),
        uniform(90, 2),
        ties(70, 3).unwrap(),
        ties(1030, 4).unwrap(),
    ] {
        let (list, rows) = (as_list(&costs), Rows(&costs));
        assert!(list.is_sparse() && !costs.is_sparse());
        for objective in BOTH {
            for solver in [
                &GreedyPairing::new(objective) as &dyn PairingSolver,
                &PathGrowing::new(objective),
                &LocalSearch::new(objective),
            ] {
                let answer = solve(solver, &costs);
                assert_eq!(solve(solver, &list), answer);
                assert_eq!(solve(solver, &rows), answer);
            }
            let bound = dual_bound(&costs, objective).unwrap();
            // Duals may differ, the bound does not.
            for other in [dual_bound(&list, objective), dual_bound(&rows, objective)] {
                let (one, other) = (bound.dual_bound(), other.unwrap().dual_bound());
                assert!((one - other).abs() <= 1e-9 * one.abs(), "{one} {other}");
            }
        }
    }
}

/// Points drawn at random, on a grid with ties, all in one place, and on a line in space.
#[test]
fn coordinates_change_nothing_but_the_time() {
    let mut rng = rng(6);
    let mut draw = |n: usize| (0..n).map(|_| rng.random::<f64>()).collect::<Vec<_>>();
    let line = draw(50).into_iter().flat_map(|x| [x, 2.0 * x, 0.0]);
    let sets = [
        (2, draw(400)),
        (3, draw(300)),
        (1, draw(120)),
        (5, draw(200)),
        (
            2,
            (0..200_u16)
                .map(|k| f64::from(k.wrapping_mul(2749) % 10))
                .collect(),
        ),
        (2, vec![0.5; 80]),
        (3, line.collect()),
        (2, draw(4)),
    ];
    for (dimensions, values) in sets {
        let points = EuclideanCosts::from_points(dimensions, values).unwrap();
        let dense = DenseCosts::from_fn(points.vertices(), |i, j| points.cost(i, j).unwrap()).unwrap();
        for objective in BOTH {
            for solver in twins(objective) {
                assert_eq!(solve(&solver, &points).unwrap(), solve(&solver, &dense).unwrap());
            }
        }
    }
}

/// Costs may exceed the distances, and pairs be forbidden.
#[test]
fn coordinates_need_only_bound_the_costs() {
    struct Fenced(EuclideanCosts);
    impl CostOracle for Fenced {
        fn vertices(&self) -> usize {
            self.0.vertices()
        }
        fn cost(&self, i: usize, j: usize) -> Option<f64> {
            let toll = ((i + j) % 4) as f64 / 20.0;
            self.0
                .cost(i, j)
                .filter(|_| (i * j) % 5 != 1)
                .map(|cost| cost + toll)
        }
        fn coordinates(&self) -> Option<matchwright_solver::Coordinates<'_>> {
            self.0.coordinates()
        }
    }
    let mut rng = rng(7);
    let values = (0..240).map(|_| rng.random()).collect();
    let points = Fenced(EuclideanCosts::from_points(2, values).unwrap());
    let dense = DenseCosts::from_optional_fn(points.vertices(), |i, j| points.cost(i, j)).unwrap();
    for solver in twins(Objective::Minimize) {
        assert_eq!(solve(&solver, &points), solve(&solver, &dense));
    }
}

/// As it is defined: all pairs sorted, ties by the smaller, then the larger vertex.
fn greedy_by_sorting(objective: Objective, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
    let n = costs.vertices();
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    let mut edges: Vec<_> = pairs
        .filter_map(|(i, j)| Some((objective.as_minimum(costs.cost(i, j)?) + 0.0, i, j)))
        .collect();
    edges.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let mut mates = vec![usize::MAX; n];
    for (_, i, j) in edges {
        if mates[i] == usize::MAX && mates[j] == usize::MAX {
            (mates[i], mates[j]) = (j, i);
        }
    }
    let unplaced: Vec<_> = (0..n).filter(|&i| mates[i] == usize::MAX).collect();
    if unplaced.is_empty() {
        Ok(Pairing::from_mates(costs, mates)?.with_objective(objective))
    } else {
        Err(SolveError::DeadEnd { unplaced })
    }
}

#[test]
fn greedy_is_what_sorting_all_pairs_gives() {
    let mut rng = rng(8);
    for round in 0..200 {
        let n = 2 * rng.random_range(1..40);
        let (density, range) = ([0.1, 0.4, 1.0][round % 3], [1, 3, 1000][round / 3 % 3]);
        let edges = random_edges(&mut rng, n, density, |rng| {
            f64::from(rng.random_range(-range..range))
        });
        for objective in BOTH {
            let costs = sparse(n, &edges);
            let greedy = solve(&GreedyPairing::new(objective), &costs);
            assert_eq!(greedy, greedy_by_sorting(objective, &costs));
        }
    }
    // Everyone's cheapest partners are the same few, so that lists run out again and again.
    let popular = DenseCosts::from_fn(300, |i, j| {
        ((i * i) % 7 + (j * j) % 7) as f64 + (i + j) as f64 / 1e3
    });
    for costs in [
        &eomm(200, 1),
        &popular.unwrap(),
        &uniform(200, 1),
        &euclid(200, 1),
    ] {
        for objective in BOTH {
            let greedy = solve(&GreedyPairing::new(objective), costs);
            assert_eq!(greedy, greedy_by_sorting(objective, costs));
        }
    }
}

/// Where greedy gets stuck, and odd cycles are in the way.
#[test]
fn whoever_can_be_placed_is_placed() {
    let mut rng = rng(9);
    let (mut paired, mut refused, mut stuck) = (0, 0, 0);
    for round in 0..300 {
        let n = 2 * rng.random_range(2..30);
        let degree = [1.5, 2.5, 4.0][round % 3];
        let edges = random_edges(&mut rng, n, degree / n as f64, RngExt::random);
        let costs = sparse(n, &edges);
        stuck += u32::from(solve(&GreedyPairing::default(), &costs).is_err());
        let answers = [
            solve(&LocalSearch::default(), &costs),
            solve(&PathGrowing::default(), &costs),
        ];
        match exact(Objective::Minimize, &costs) {
            Ok(best) => {
                paired += 1;
                assert!(
                    answers
                        .iter()
                        .flatten()
                        .all(|pairing| pairing.cost() >= best.cost())
                );
                assert!(answers.iter().all(Result::is_ok));
            }
            Err(SolveError::NoPerfectMatching(barrier)) => {
                refused += 1;
                for answer in answers {
                    let Err(SolveError::NoPerfectMatching(found)) = answer else {
                        panic!("{answer:?}")
                    };
                    assert_eq!(found.unplaced.len(), barrier.unplaced.len());
                }
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(
        paired > 30 && refused > 30 && stuck > refused,
        "{paired} {refused} {stuck}"
    );
}

/// Drake and Hougardy's theorem.
#[test]
fn path_growing_gets_half_of_the_largest_sum() {
    let mut rng = rng(10);
    for round in 0..300 {
        let n = 2 * rng.random_range(1..6);
        let range = [2, 10, 1000][round % 3];
        // Few heavy pairs among many that weigh nothing.
        let weight = |_: usize, _: usize| f64::from((rng.random_range(-3 * range..range)).max(0));
        let costs = DenseCosts::from_fn(n, weight).unwrap();
        let best = exact(Objective::Maximize, &costs).unwrap().cost();
        let grown = solve(&PathGrowing::new(Objective::Maximize), &costs).unwrap();
        assert!(2.0 * grown.cost() >= best, "{} of {best}", grown.cost());
    }
}

#[test]
fn a_path_takes_the_better_of_its_two_matchings() {
    // 0 - 1 - 2 - 3 - 4 - 5: the path from 0 is the whole, its second matching is closed by 0 and 5.
    let costs = sparse(
        6,
        &[
            (0, 1, 1.0),
            (1, 2, 2.0),
            (2, 3, 9.0),
            (3, 4, 1.0),
            (4, 5, 5.0),
            (0, 5, 3.0),
        ],
    );
    let grown = solve(&PathGrowing::default(), &costs).unwrap();
    assert_eq!((grown.mates(), grown.cost()), (&[5, 2, 1, 4, 3, 0][..], 6.0));
    // Without that pair only the first is perfect.
    let open = sparse(
        6,
        &[(0, 1, 1.0), (1, 2, 2.0), (2, 3, 9.0), (3, 4, 1.0), (4, 5, 5.0)],
    );
    assert_eq!(
        solve(&PathGrowing::default(), &open).unwrap().mates(),
        [1, 0, 3, 2, 5, 4]
    );
}

#[test]
fn sorted_neighbours_are_a_start_like_another() {
    let mut rng = rng(11);
    let skills: Vec<f64> = (0..40).map(|_| rng.random()).collect();
    let costs = DenseCosts::from_fn(40, |i, j| (skills[i] - skills[j]).abs()).unwrap();
    let start = SortAdjacent::by_keys(skills);
    let sorted = solve(&start, &costs).unwrap();
    let searched = solve(&StartingFrom(LocalSearch::default(), start), &costs).unwrap();
    // Nothing is left to improve.
    assert_eq!(
        (searched.mates(), searched.cost()),
        (sorted.mates(), sorted.cost())
    );
}
