//! Vertices that may stay unmatched, at a penalty or as few as possible: against every matching, and proven.

use crate::common::{eomm, euclid, exact, random_edges, rng, sparse, uniform};
use matchwright_solver::{
    BruteForce, Certificate, CertificateParts, CostOracle, DenseCosts, EuclideanCosts, ExactPairing,
    GreedyPairing, Limits, LocalSearch, Objective, Pairing, PairingSolver, PathGrowing, PenaltyError,
    RandomPairing, SolveError, SortAdjacent, SparseCosts, Status, Unmatched, UnmatchedPenalties, VerifyError,
    Workspace, dual_bound, maximum_cardinality_barrier, verify, verify_bound,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];

/// Costs or penalties, all of which add up without rounding.
fn draw(kind: usize, rng: &mut ChaCha8Rng) -> f64 {
    match kind {
        0 => f64::from(rng.random_range(0..=2)),
        1 => f64::from(rng.random_range(-5..=5)),
        2 => f64::from(rng.random_range(-400..400)) / 8.0,
        _ => (rng.random_range(0..2_000_000_000_000_000_i64) - 1_000_000_000_000_000) as f64,
    }
}

/// The optimum, whose proof the judge accepts without any rounding.
fn proven(objective: Objective, costs: &dyn CostOracle) -> Pairing {
    let pairing = exact(objective, costs).unwrap();
    let verdict = verify(costs, &pairing).unwrap();
    assert!(verdict.optimal, "{verdict:?}");
    assert_eq!(pairing.status(), Status::Optimal);
    pairing
}

fn rules<'a>(costs: &'a dyn CostOracle, penalties: &[f64]) -> [UnmatchedPenalties<'a>; 3] {
    let most = UnmatchedPenalties::maximum_cardinality(costs);
    [
        UnmatchedPenalties::new(costs, penalties.to_vec()).unwrap(),
        most.clone().with_penalties(penalties.to_vec()).unwrap(),
        most,
    ]
}

#[test]
fn the_optimum_is_the_best_of_all_matchings() {
    let mut rng = rng(31);
    let (mut perfect, mut empty, mut some) = (0, 0, 0);
    for round in 0..1500 {
        let n = rng.random_range(0..=if round % 8 == 0 { 9 } else { 7 });
        let density = [0.0, 0.2, 0.4, 0.7, 1.0][rng.random_range(0..5)];
        let edges = random_edges(&mut rng, n, density, |rng| draw(round % 4, rng));
        let penalties: Vec<f64> = (0..n)
            .map(|_| (draw(round % 4, &mut rng) / 2.0).floor())
            .collect();
        let lists = sparse(n, &edges);
        let rows = DenseCosts::from_optional_fn(n, |i, j| lists.cost(i, j)).unwrap();
        for costs in [&lists as &dyn CostOracle, &rows] {
            for (problem, objective) in rules(costs, &penalties)
                .into_iter()
                .flat_map(|p| BOTH.map(|o| (p.clone(), o)))
            {
                let best = BruteForce::new(objective).solve(&problem).unwrap();
                let found = proven(objective, &problem);
                assert!(verify(&problem, &found).unwrap().is_exact());
                assert_eq!(found.cost(), best.cost(), "{problem:?} {objective:?} {edges:?}");
                let unmatched = found.unmatched().count();
                if let Unmatched::MaximumCardinality(_) = problem.unmatched() {
                    assert_eq!(unmatched, best.unmatched().count());
                }
                match unmatched {
                    0 => perfect += 1,
                    _ if unmatched == n => empty += 1,
                    _ => some += 1,
                }
            }
        }
    }
    assert!(
        perfect > 1000 && empty > 1000 && some > 1000,
        "{perfect} {empty} {some}"
    );
}

/// The judge's proof is the oracle here: strong duality with unmatched vertices.
#[test]
fn large_optima_are_proven_in_every_form() {
    let mut rng = rng(5);
    let mut blossoms = 0;
    for n in [33, 64, 101, 256, 301] {
        let graphs = [eomm(n, 3), euclid(n, 4), uniform(n, 5)];
        for (graph, level) in graphs.iter().zip([0.5, 0.03, 0.02]) {
            let thin = random_edges(&mut rng, n, 4.0 / n as f64, RngExt::random);
            let thin = sparse(n, &thin);
            for scale in [0.2, 1.0, 3.0] {
                let mut penalties = || {
                    (0..n)
                        .map(|_| scale * level * rng.random::<f64>())
                        .collect::<Vec<_>>()
                };
                let (first, second) = (penalties(), penalties());
                for problem in rules(graph, &first).iter().chain(&rules(&thin, &second)) {
                    let found = proven(Objective::Minimize, problem);
                    blossoms += found.certificate().unwrap().blossoms().len();
                }
            }
        }
    }
    assert!(blossoms > 100, "{blossoms}");
}

/// Points without their coordinates.
struct Rows(EuclideanCosts);
impl CostOracle for Rows {
    fn vertices(&self) -> usize {
        self.0.vertices()
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.0.cost(i, j)
    }
}

#[test]
fn points_and_rows_of_a_large_graph_agree() {
    for n in [2501, 2600] {
        let mut rng = rng(8);
        let values: Vec<f64> = (0..2 * n).map(|_| rng.random()).collect();
        let points = EuclideanCosts::from_points(2, values.clone()).unwrap();
        let rows = Rows(EuclideanCosts::from_points(2, values).unwrap());
        let penalties: Vec<f64> = (0..n).map(|_| 0.02 * rng.random::<f64>()).collect();
        for (a, b) in rules(&points, &penalties).iter().zip(&rules(&rows, &penalties)) {
            let (a, b) = (proven(Objective::Minimize, a), proven(Objective::Minimize, b));
            assert!((a.cost() - b.cost()).abs() <= 1e-9 * a.cost());
        }
    }
}

#[test]
fn components_keep_their_penalties() {
    let mut rng = rng(14);
    for round in 0..60 {
        let mut edges = Vec::new();
        let n = 60;
        for block in 0..6 {
            let part = random_edges(&mut rng, 10, 0.4, |rng| f64::from(rng.random_range(0..40)));
            edges.extend(
                part.into_iter()
                    .map(|(i, j, c)| (10 * block + i, 10 * block + j, c)),
            );
        }
        let graph = sparse(n, &edges);
        let penalties: Vec<f64> = (0..n).map(|_| f64::from(rng.random_range(0..30))).collect();
        for problem in rules(&graph, &penalties) {
            for threads in [1, 3] {
                let solver = ExactPairing::minimum().with_threads(threads);
                let found = solver.solve(&problem).unwrap();
                assert!(verify(&problem, &found).unwrap().is_exact(), "{round}");
            }
        }
    }
}

#[test]
fn penalties_that_forbid_nothing_change_nothing() {
    for costs in [eomm(120, 1), euclid(120, 2), uniform(120, 3)] {
        let plain = crate::common::proven(Objective::Minimize, &costs);
        let dear = UnmatchedPenalties::new(&costs, vec![1e3; 120]).unwrap();
        let most = UnmatchedPenalties::maximum_cardinality(&costs);
        assert_eq!(proven(Objective::Minimize, &dear).cost(), plain.cost());
        assert_eq!(proven(Objective::Minimize, &most).cost(), plain.cost());
    }
}

/// A claim that is false in one place.
fn refused(
    costs: &dyn CostOracle,
    pairing: &Pairing,
    change: impl FnOnce(&mut CertificateParts),
) -> VerifyError {
    let mut parts = pairing.certificate().unwrap().clone().into_parts();
    change(&mut parts);
    let claim = pairing.clone().with_certificate(Certificate::from_parts(parts));
    verify(costs, &claim).unwrap_err()
}

#[test]
fn false_proofs_are_refused() {
    let costs = uniform(41, 9);
    let penalties = UnmatchedPenalties::new(&costs, vec![0.02; 41]).unwrap();
    let found = proven(Objective::Minimize, &penalties);
    let alone = found.unmatched().next().unwrap();
    // Lower, the dual of an unmatched vertex no longer proves anything; higher, the bound does not hold.
    for change in [-2, 2] {
        let error = refused(&penalties, &found, |parts| parts.vertex_duals[alone] += change);
        assert!(
            matches!(error, VerifyError::Penalty { vertex, .. } if vertex == alone)
                || matches!(error, VerifyError::NegativeReducedCost { .. }),
            "{error}"
        );
    }
    // The same matching under other rules.
    let mates = found.mates().to_vec();
    let perfect = Pairing::from_parts(mates, found.cost(), Some(Objective::Minimize), None);
    assert!(matches!(
        verify(&costs, &perfect),
        Err(VerifyError::NotPaired { .. })
    ));

    let star = sparse(6, &[(0, 1, 1.0), (0, 2, 2.0), (0, 3, 3.0), (4, 5, 1.0)]);
    let most = UnmatchedPenalties::maximum_cardinality(&star);
    let found = proven(Objective::Minimize, &most);
    assert_eq!(found.unmatched().collect::<Vec<_>>(), [2, 3]);
    for change in [
        (|parts| parts.barrier = None) as fn(&mut CertificateParts),
        |parts| parts.barrier.as_mut().unwrap().vertices.clear(),
        |parts| parts.barrier.as_mut().unwrap().vertices.push(4),
        |parts| parts.barrier.as_mut().unwrap().odd_components += 1,
    ] {
        let error = refused(&most, &found, change);
        assert!(matches!(error, VerifyError::Barrier { .. }), "{error}");
    }
}

#[test]
fn heuristics_are_feasible_and_bounded() {
    let mut rng = rng(77);
    for round in 0..80 {
        let n = rng.random_range(2..40);
        let density = [1.0, 0.5, 0.1][round % 3];
        let edges = random_edges(&mut rng, n, density, |rng| f64::from(rng.random_range(0..50)));
        let lists = sparse(n, &edges);
        let rows = DenseCosts::from_optional_fn(n, |i, j| lists.cost(i, j)).unwrap();
        let penalties: Vec<f64> = (0..n).map(|_| f64::from(rng.random_range(0..30))).collect();
        for costs in [&lists as &dyn CostOracle, &rows] {
            for problem in rules(costs, &penalties) {
                let best = proven(Objective::Minimize, &problem);
                let solvers: [&dyn PairingSolver; 5] = [
                    &GreedyPairing::default(),
                    &LocalSearch::default(),
                    &PathGrowing::default(),
                    &RandomPairing::new(1),
                    &SortAdjacent::by_index(),
                ];
                for solver in solvers {
                    let found = solver.solve(&problem).unwrap();
                    verify(&problem, &found).unwrap();
                    assert!(
                        found.cost() >= best.cost() || found.unmatched().count() != best.unmatched().count()
                    );
                    if let Unmatched::MaximumCardinality(_) = problem.unmatched() {
                        assert_eq!(found.unmatched().count(), best.unmatched().count());
                    }
                }
                let bound = dual_bound(&problem, Objective::Minimize).unwrap();
                let checked = verify_bound(&problem, Objective::Minimize, &bound).unwrap();
                assert!(checked.dual_bound <= best.cost());
            }
        }
    }
}

#[test]
fn a_stopped_solve_is_a_matching_with_a_bound() {
    let costs = eomm(301, 6);
    for problem in rules(&costs, &vec![0.35; 301]) {
        let best = proven(Objective::Minimize, &problem);
        for work in [0, 3, 30, 300, 1_000_000] {
            let limits = Limits::unlimited().with_work(work);
            let found = ExactPairing::minimum().approximate_within(&mut Workspace::new(), &problem, &limits);
            // How many can be matched at all is a question of its own.
            if matches!(problem.unmatched(), Unmatched::MaximumCardinality(_)) && work < 300 {
                let status = Status::WorkLimit;
                assert_eq!(found.unwrap_err(), SolveError::Limited { status });
                continue;
            }
            let found = found.unwrap();
            assert!(found.certificate().dual_bound() <= best.cost());
            assert!(found.pairing().cost() >= best.cost() - 1e-12);
            let expected = if work == 1_000_000 {
                Status::Optimal
            } else {
                Status::WorkLimit
            };
            assert_eq!(found.pairing().status(), expected, "{work}");
            verify_bound(&problem, Objective::Minimize, found.certificate()).unwrap();
        }
    }
}

/// Four vertices and one penalty.
struct Few;
impl CostOracle for Few {
    fn vertices(&self) -> usize {
        4
    }
    fn cost(&self, _: usize, _: usize) -> Option<f64> {
        Some(1.0)
    }
    fn unmatched(&self) -> Unmatched<'_> {
        Unmatched::Penalties(&[1.0])
    }
}

#[test]
fn penalties_that_do_not_fit_are_errors() {
    let costs = uniform(3, 1);
    let count = PenaltyError::Count {
        penalties: 2,
        vertices: 3,
    };
    assert_eq!(UnmatchedPenalties::new(&costs, vec![1.0; 2]).unwrap_err(), count);
    for penalty in [f64::NAN, f64::INFINITY, 1e308] {
        let error = UnmatchedPenalties::new(&costs, vec![0.0, penalty, 0.0]).unwrap_err();
        assert!(matches!(error, PenaltyError::NotFinite { vertex: 1, .. }));
    }
    let count = PenaltyError::Count {
        penalties: 1,
        vertices: 4,
    };
    assert_eq!(
        exact(Objective::Minimize, &Few).unwrap_err(),
        SolveError::Penalty(count)
    );
}

#[test]
fn nobody_is_matched_in_an_empty_graph() {
    let empty = SparseCosts::from_edges(5, []).unwrap();
    let problem = UnmatchedPenalties::new(&empty, vec![1.0, -2.0, 3.0, 0.0, 4.0]).unwrap();
    let found = proven(Objective::Minimize, &problem);
    assert_eq!((found.cost(), found.unmatched().count()), (6.0, 5));
    let most = UnmatchedPenalties::maximum_cardinality(&empty);
    assert_eq!(proven(Objective::Minimize, &most).unmatched().count(), 5);
    let barrier = maximum_cardinality_barrier(&empty, &Limits::unlimited()).unwrap();
    assert_eq!(barrier.unplaced.len(), 5);
}

/// An oracle that answers as it likes.
struct Answers<F>(usize, F);

impl<F: Fn(usize, usize) -> f64 + Sync> CostOracle for Answers<F> {
    fn vertices(&self) -> usize {
        self.0
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some((self.1)(i, j))
    }
}

/// Neighbours beyond the graph.
struct Stray;

impl CostOracle for Stray {
    fn vertices(&self) -> usize {
        4
    }
    fn cost(&self, _: usize, _: usize) -> Option<f64> {
        Some(1.0)
    }
    fn for_each_neighbour(&self, _: usize, visit: &mut dyn FnMut(usize, f64)) {
        visit(7, 1.0);
    }
    fn is_sparse(&self) -> bool {
        true
    }
}

#[test]
fn broken_oracles_are_refused_and_not_hidden_by_penalties() {
    let solvers: [&dyn PairingSolver; 4] = [
        &ExactPairing::minimum(),
        &LocalSearch::default(),
        &GreedyPairing::default(),
        &PathGrowing::default(),
    ];
    let errors = |costs: &dyn CostOracle, penalties: &[f64]| -> Vec<SolveError> {
        let mut errors = Vec::new();
        for problem in rules(costs, penalties) {
            for solver in solvers {
                errors.push(solver.solve(&problem).unwrap_err());
            }
        }
        errors
    };
    for bad in [f64::NAN, f64::INFINITY] {
        let costs = Answers(9, |i, j| if i + j == 3 { bad } else { 1.0 });
        for error in errors(&costs, &[0.1; 9]) {
            assert!(matches!(error, SolveError::NotFinite { .. }), "{error}");
        }
    }
    let uneven = Answers(8, |i, j| if i < j { 1.0 } else { 2.0 });
    for error in errors(&uneven, &[5.0; 8]) {
        assert!(matches!(error, SolveError::Asymmetric { .. }), "{error}");
    }
    for error in errors(&Stray, &[5.0; 4]) {
        assert!(
            matches!(error, SolveError::BadNeighbour { i: 0, j: 7, .. }),
            "{error}"
        );
    }
    let absurd = Answers(1 << 40, |_, _| 1.0);
    let most = UnmatchedPenalties::maximum_cardinality(&absurd);
    let error = exact(Objective::Minimize, &most).unwrap_err();
    assert!(matches!(error, SolveError::TooManyVertices { .. }), "{error}");
}

/// A pair at just the sum of its penalties, a sum that is rounded, one vertex, and the largest sum.
#[test]
fn border_cases_are_those_of_brute_force() {
    let mut rng = rng(11);
    for round in 0..200 {
        let n = rng.random_range(1..8);
        let penalties: Vec<f64> = (0..n).map(|_| f64::from(rng.random_range(1..4)) * 0.1).collect();
        let sum = |i: usize, j: usize| penalties[i] + penalties[j];
        let off = [0.0, 1e-17, 0.1, -0.1];
        let costs = DenseCosts::from_fn(n, |i, j| sum(i, j) + off[(i * j + round) % 4]).unwrap();
        for problem in rules(&costs, &penalties) {
            for objective in [Objective::Minimize, Objective::Maximize] {
                let brute = BruteForce::new(objective).solve(&problem).unwrap();
                let found = exact(objective, &problem).unwrap();
                assert!((found.cost() - brute.cost()).abs() < 1e-12, "{n} {round}");
                assert!(verify(&problem, &found).unwrap().optimal);
            }
        }
    }
}
