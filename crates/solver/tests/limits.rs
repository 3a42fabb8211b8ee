//! Limits of work and time bind solvers, bounds and verifiers, and results say so.

#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod common;

use std::sync::atomic::{AtomicU64, Ordering};

use common::{eomm, exact, rng, uniform};
use matchwright_solver::{
    CostOracle, ExactPairing, Limits, LocalSearch, Objective, PairingSolver, Progress, SolveError, Status,
    VerifyError, Workspace, verify, verify_bound_within, verify_within,
};
use rand::RngExt;

#[test]
fn verification_ends_at_its_limits() {
    let costs = uniform(200, 1);
    let best = exact(Objective::Minimize, &costs).unwrap();
    let stop = |_: &Progress| 1.0;
    for (limits, status) in [
        (Limits::unlimited().with_work(9), Status::WorkLimit),
        (Limits::unlimited().with_watch(&stop), Status::Stopped),
    ] {
        let limited = VerifyError::Limited { status };
        assert_eq!(verify_within(&costs, &best, &limits), Err(limited.clone()));
        let bound = verify_bound_within(&costs, Objective::Minimize, best.certificate().unwrap(), &limits);
        assert_eq!(bound, Err(limited));
    }
    // Four tiles a side, each pair of them once.
    let enough = Limits::unlimited().with_work(10);
    assert_eq!(verify_within(&costs, &best, &enough), verify(&costs, &best));
}

#[test]
fn a_local_search_stops_with_its_best_so_far() {
    let costs = uniform(300, 2);
    let solve = |limits| {
        LocalSearch::default()
            .solve_within(&mut Workspace::new(), &costs, &limits)
            .unwrap()
    };
    let full = solve(Limits::unlimited());
    assert_eq!(full.status(), Status::Finished);
    let none = solve(Limits::unlimited().with_work(0));
    assert_eq!(none.status(), Status::WorkLimit);
    let some = solve(Limits::unlimited().with_work(500));
    assert_eq!(some.status(), Status::WorkLimit);
    assert!(full.cost() < some.cost() && some.cost() < none.cost());
    let stop = |_: &Progress| f64::NAN;
    let stopped = solve(Limits::unlimited().with_watch(&stop));
    assert_eq!((stopped.status(), stopped.cost()), (Status::Stopped, none.cost()));
}

#[test]
fn the_same_work_gives_the_same_matching_on_any_number_of_threads() {
    let costs = eomm(400, 3);
    for work in [10, 500, 2000] {
        let limits = Limits::unlimited().with_work(work);
        let solve = |threads| {
            let solver = ExactPairing::minimum().with_threads(threads);
            solver
                .approximate_within(&mut Workspace::new(), &costs, &limits)
                .unwrap()
        };
        assert_eq!(solve(1), solve(3));
    }
}

#[test]
fn a_solver_without_a_method_of_its_own_starts_only_within_limits() {
    let costs = uniform(6, 4);
    let stop = |_: &Progress| 2.0;
    let limits = Limits::unlimited().with_watch(&stop);
    let solver = matchwright_solver::RandomPairing::new(1);
    let error = solver
        .solve_within(&mut Workspace::new(), &costs, &limits)
        .unwrap_err();
    assert_eq!(
        error,
        SolveError::Limited {
            status: Status::Stopped
        }
    );
}

/// Gaps in skill, where some pairs are forbidden; counts the costs that it is asked for.
struct Counting<F> {
    skills: Vec<f64>,
    allowed: F,
    asked: AtomicU64,
}

impl<F: Fn(usize, usize) -> bool + Sync> CostOracle for Counting<F> {
    fn vertices(&self) -> usize {
        self.skills.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        (self.allowed)(i, j).then(|| (self.skills[i] - self.skills[j]).abs())
    }
}

fn asked<F: Fn(usize, usize) -> bool + Sync>(n: usize, is_feasible: bool, allowed: F) -> u64 {
    let mut rng = rng(6);
    let costs = Counting {
        skills: (0..n).map(|_| rng.random()).collect(),
        allowed,
        asked: AtomicU64::new(0),
    };
    let found = exact(Objective::Minimize, &costs);
    assert_eq!(found.is_ok(), is_feasible);
    assert!(is_feasible || matches!(found, Err(SolveError::NoPerfectMatching(_))));
    costs.asked.into_inner()
}

/// To see that there is no perfect matching takes no more than twice the costs of a solve.
#[test]
fn infeasible_graphs_are_refused_as_fast_as_feasible_ones_are_solved() {
    for n in [1000, 3000] {
        let feasible = asked(n, true, |_, _| true);
        let half = (n / 2) | 1;
        let third = (n / 3) | 1;
        let part = |i: usize| ((i - 1) / third).min(2);
        let counts = [
            asked(n + 1, false, |_, _| true),
            asked(n, false, |i, j| (i < half) == (j < half)),
            asked(n, false, |i, j| i == 0 || j == 0 || part(i) == part(j)),
            asked(n, false, |i, j| i > n / 2 || j > n / 2),
        ];
        assert!(
            counts.iter().all(|&count| count <= 2 * feasible),
            "{n}: {counts:?} {feasible}"
        );
    }
}
