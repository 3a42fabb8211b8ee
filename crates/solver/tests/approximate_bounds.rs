//! The bounds of the approximate twins: none is too good, and most come near the optimum.

#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod common;

use common::{eomm, euclid, exact, random_edges, rng, sparse, uniform};
use matchwright_solver::{
    Approximate, CostOracle, DenseCosts, ExactPairing, GreedyPairing, LocalSearch, Objective, Pairing,
    PairingSolver, PathGrowing, RandomPairing, SolveError, Workspace, approximate, dual_bound, verify_bound,
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
        Box::new(search.with_two_opt_only().with_candidates(3)),
        Box::new(search.starting_from(RandomPairing::new(3))),
        Box::new(search.starting_from(PathGrowing::new(objective))),
    ]
}

fn solve(solver: &dyn PairingSolver, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
    solver.solve(&mut Workspace::new(), costs)
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
                let missing = |sweeps| {
                    let bound = dual_bound(&costs, objective, sweeps).unwrap().dual_bound();
                    objective.as_minimum(best - bound) / best.abs()
                };
                assert!(missing(20) < 0.003, "{}", missing(20));
                assert!(
                    missing(Approximate::SWEEPS) < 0.02,
                    "{}",
                    missing(Approximate::SWEEPS)
                );
                assert!(missing(0) > missing(2) && missing(2) > missing(10));
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
            let bound = |sweeps| dual_bound(&costs, objective, sweeps).unwrap().dual_bound();
            let missing = |sweeps| objective.as_minimum(best - bound(sweeps)) / best;
            assert!((0.0..0.05).contains(&missing(30)), "{degree} {}", missing(30));
            assert!(missing(30) < missing(2));
        }
    }
}

#[test]
fn without_a_sweep_the_bound_is_half_of_the_smallest_costs() {
    let costs = DenseCosts::from_fn(4, |i, j| f64::from([0, 2, 6, 8, 3, 1][i + j]) + 0.5).unwrap();
    // The smallest: 2.5 of 0 and 1, 1.5 of 2 and 3.
    let least = dual_bound(&costs, Objective::Minimize, 0).unwrap();
    assert_eq!(least.dual_bound(), (2.5 + 2.5 + 1.5 + 1.5) / 2.0);
    // The largest: 8.5 of 0 and 3, and of 1 and 2.
    let most = dual_bound(&costs, Objective::Maximize, 0).unwrap();
    assert_eq!(most.dual_bound(), 17.0);
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
    let bound = dual_bound(&costs, Objective::Minimize, 10).unwrap();
    assert!(verify_bound(&costs, Objective::Minimize, &bound).is_ok());
    assert!(
        (0.4399999..=0.44).contains(&bound.dual_bound()),
        "{}",
        bound.dual_bound()
    );
    assert_eq!(bound.quantisation_error(), 0.0);
    let most = dual_bound(&costs, Objective::Maximize, 10).unwrap();
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
        let bound = dual_bound(&largest, objective, 5).unwrap();
        assert_eq!(bound.dual_bound(), f64::MAX);
        assert!(verify_bound(&largest, objective, &bound).is_ok());
    }
    for size in [f64::MAX / 8.0, 1e300, f64::MIN_POSITIVE, 5e-324, 0.0] {
        let costs = DenseCosts::from_fn(4, |i, j| if i + j == 3 { size } else { 3.0 * size }).unwrap();
        for objective in BOTH {
            for sweeps in [0, 30] {
                let bound = dual_bound(&costs, objective, sweeps).unwrap();
                assert!(verify_bound(&costs, objective, &bound).is_ok());
            }
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
        let certificate = dual_bound(costs, Objective::Minimize, 5).unwrap();
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
        let certificate = dual_bound(&star, objective, 200).unwrap();
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
    let mates = random.pairing().mates().to_vec();
    let [least, most] = BOTH.map(|objective| {
        Approximate::measure(&costs, mates.clone(), objective, Approximate::SWEEPS).unwrap()
    });
    assert_eq!(
        (least.gap(), least.certificate()),
        (random.gap(), random.certificate())
    );
    assert!(most.gap() > 0.0 && most.certificate().dual_bound() > most.pairing().cost());
    assert_eq!(most.clone().into_pairing().cost(), random.pairing().cost());
    let error = Approximate::measure(&costs, vec![0; 30], Objective::Minimize, 1).unwrap_err();
    assert_eq!(
        error,
        SolveError::BadMates {
            vertex: 0,
            vertices: 30
        }
    );
}
