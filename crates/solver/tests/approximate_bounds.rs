//! The bounds of the approximate twins: none is too good, and most come near the optimum.

use crate::common::{StartingFrom, eomm, euclid, exact, random_edges, rng, sparse, uniform};
use matchwright_solver::{
    CostOracle, DenseCosts, ExactPairing, GreedyPairing, LocalSearch, Objective, Pairing, PairingSolver,
    PathGrowing, RandomPairing, SolveError, Workspace, approximate, dual_bound, verify_bound,
};
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

#[test]
fn the_gap_is_no_less_than_what_is_missing() {
    let mut workspace = Workspace::new();
    for (n, seed) in [(20, 1), (60, 2), (130, 3)] {
        for (costs, near) in [
            (eomm(n, seed), 0.01),
            (euclid(n, seed), 0.3),
            (uniform(n, seed), 0.6),
        ] {
            for objective in BOTH {
                let best = exact(objective, &costs).unwrap().cost();
                for solver in twins(objective) {
                    let answer = approximate(&*solver, &mut workspace, &costs).unwrap();
                    let bound = verify_bound(&costs, objective, answer.certificate()).unwrap();
                    assert_eq!(bound.dual_bound, answer.certificate().dual_bound());
                    let missing = objective.as_minimum(answer.pairing().cost() - best);
                    assert!(missing >= 0.0 && missing <= answer.gap());
                    assert_eq!(answer.relative_gap(), answer.gap() / answer.pairing().cost());
                }
                let searched = approximate(&LocalSearch::new(objective), &mut workspace, &costs).unwrap();
                assert!(
                    searched.relative_gap() <= near,
                    "{} {near}",
                    searched.relative_gap()
                );
            }
        }
    }
}

/// The bound of fractional pairings, which is the optimum itself on these but for a little.
#[test]
fn the_bound_comes_near_the_optimum() {
    for seed in 0..3 {
        for costs in [eomm(150, seed), uniform(150, seed)] {
            for objective in BOTH {
                let best = exact(objective, &costs).unwrap().cost();
                let bound = dual_bound(&costs, objective).unwrap().dual_bound();
                let missing = objective.as_minimum(best - bound) / best.abs();
                assert!((0.0..0.003).contains(&missing), "{missing}");
            }
        }
    }
}

/// Also where vertices have few partners, and duals of a path of any length depend on each other.
#[test]
fn the_bound_comes_near_the_optimum_of_sparse_graphs() {
    for (seed, degree) in [(0, 0.0), (1, 1.0), (2, 2.0), (3, 5.0), (4, 20.0)] {
        let mut rng = rng(seed);
        let n = 120;
        let mut edges = random_edges(&mut rng, n, degree / n as f64, RngExt::random);
        edges.retain(|&(i, j, _)| j > i + 1);
        edges.extend((0..n - 1).map(|i| (i, i + 1, rng.random())));
        let costs = sparse(n, &edges);
        for objective in BOTH {
            let best = exact(objective, &costs).unwrap().cost();
            let bound = dual_bound(&costs, objective).unwrap().dual_bound();
            let missing = objective.as_minimum(best - bound) / best;
            assert!((0.0..0.05).contains(&missing), "{degree} {missing}");
        }
    }
}

#[test]
fn the_bound_is_the_fractional_optimum() {
    // Two triangles, each of which counts one half of its edges, and a dear edge between.
    let triangles = [
        (0, 1, 3.0),
        (1, 2, 4.0),
        (0, 2, 5.0),
        (3, 4, 2.0),
        (4, 5, 2.0),
        (3, 5, 2.0),
        (2, 3, 50.0),
    ];
    let costs = sparse(6, &triangles);
    let least = dual_bound(&costs, Objective::Minimize).unwrap();
    assert_eq!(least.dual_bound(), (3.0 + 4.0 + 5.0 + 2.0 + 2.0 + 2.0) / 2.0);
    assert_eq!(least.quantisation_error(), 0.0);
    assert!(least.blossoms().is_empty());
}

/// A sentinel beside small costs: 46 bits do not hold both.
#[test]
fn costs_of_very_different_size_are_bounded_well() {
    let costs = sparse(
        4,
        &[
            (0, 1, 0.24),
            (2, 3, 0.24),
            (0, 2, 0.22),
            (1, 3, 0.22),
            (0, 3, 1e15),
            (1, 2, 1e15),
        ],
    );
    let bound = dual_bound(&costs, Objective::Minimize).unwrap();
    assert!(verify_bound(&costs, Objective::Minimize, &bound).is_ok());
    assert!(
        (0.4399999..=0.44).contains(&bound.dual_bound()),
        "{}",
        bound.dual_bound()
    );
    assert_eq!(bound.quantisation_error(), 0.0);
    let most = dual_bound(&costs, Objective::Maximize).unwrap();
    assert!(verify_bound(&costs, Objective::Maximize, &most).is_ok());
    assert!(
        (2e15..=2.001e15).contains(&most.dual_bound()),
        "{}",
        most.dual_bound()
    );
}

#[test]
fn the_ends_of_the_float_range_are_no_trouble() {
    // It is no power of two, and would be rounded up to one that is no float.
    let largest = sparse(2, &[(0, 1, f64::MAX)]);
    for objective in BOTH {
        let bound = dual_bound(&largest, objective).unwrap();
        assert_eq!(bound.dual_bound(), f64::MAX);
        assert!(verify_bound(&largest, objective, &bound).is_ok());
    }
    for size in [f64::MAX / 8.0, 1e300, f64::MIN_POSITIVE, 5e-324, 0.0] {
        let costs = DenseCosts::from_fn(4, |i, j| if i + j == 3 { size } else { 3.0 * size }).unwrap();
        for objective in BOTH {
            let bound = dual_bound(&costs, objective).unwrap();
            assert!(verify_bound(&costs, objective, &bound).is_ok());
            for solver in twins(objective) {
                solve(&solver, &costs).unwrap();
            }
        }
        let answer = approximate(&LocalSearch::default(), &mut Workspace::new(), &costs).unwrap();
        assert!(size == 0.0 || answer.pairing().mates() == [3, 2, 1, 0]);
        assert!(answer.relative_gap() <= 1e-6, "{size}: {}", answer.relative_gap());
    }
}

#[test]
fn where_all_is_tied_there_is_no_gap() {
    for (n, cost) in [(2, 1.0), (8, 0.0), (10, -0.7), (40, 1e9)] {
        let costs = DenseCosts::from_fn(n, |_, _| cost).unwrap();
        for objective in BOTH {
            for solver in twins(objective) {
                let answer = approximate(&*solver, &mut Workspace::new(), &costs).unwrap();
                assert!(answer.relative_gap() <= 1e-12, "{}", answer.gap());
            }
        }
    }
}

#[test]
fn nobody_and_nothing_to_pair_is_no_error_of_the_bound() {
    let bound = |costs: &dyn CostOracle| {
        let certificate = dual_bound(costs, Objective::Minimize).unwrap();
        verify_bound(costs, Objective::Minimize, &certificate)
            .unwrap()
            .dual_bound
    };
    assert_eq!(bound(&DenseCosts::default()), 0.0);
    assert_eq!(bound(&sparse(3, &[])), 0.0);
    // Where no pairing is, the bound rises for ever.
    assert!(bound(&sparse(3, &[(0, 1, 2.0)])) >= 2.0);
    let star = sparse(4, &[(0, 1, 1.0), (0, 2, 2.0), (0, 3, 4.1)]);
    for objective in BOTH {
        let certificate = dual_bound(&star, objective).unwrap();
        verify_bound(&star, objective, &certificate).unwrap();
    }
    let nobody = approximate(
        &LocalSearch::default(),
        &mut Workspace::new(),
        &DenseCosts::default(),
    );
    assert_eq!(nobody.unwrap().relative_gap(), 0.0);
}

#[test]
fn a_pairing_s_own_certificate_is_taken() {
    let costs = euclid(30, 4);
    let answer = approximate(&ExactPairing::maximum(), &mut Workspace::new(), &costs).unwrap();
    assert_eq!(Some(answer.certificate()), answer.pairing().certificate());
    assert!(answer.relative_gap() < 1e-12);
    assert_eq!(answer.objective(), Objective::Maximize);
}

#[test]
fn any_pairing_can_be_measured() {
    let costs = euclid(30, 5);
    let random = approximate(&RandomPairing::new(1), &mut Workspace::new(), &costs).unwrap();
    assert_eq!(
        (random.objective(), random.pairing().objective()),
        (Objective::Minimize, None)
    );
    let bound = dual_bound(&costs, Objective::Minimize).unwrap();
    assert_eq!(random.certificate(), &bound);
    assert_eq!(random.gap(), random.pairing().cost() - bound.dual_bound());
}
