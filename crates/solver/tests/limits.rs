//! Limits of work and time bind solvers, bounds and verifiers, and results say so.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{eomm, exact, rng, uniform};
use matchwright_solver::{
    BruteForce, CostOracle, ExactPairing, GreedyPairing, Limits, LocalSearch, Objective, PairingSolver,
    PathGrowing, Progress, RandomPairing, SolveError, SortAdjacent, Status, UnmatchedPenalties, VerifyError,
    Workspace, dual_bound, dual_bound_within, verify, verify_bound, verify_bound_within, verify_within,
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
    let solve = |limits| LocalSearch::default().solve_within(&costs, &limits).unwrap();
    let full = solve(Limits::unlimited());
    assert_eq!(full.status(), Status::Finished);
    let [few, some] = [500, 1000].map(|work| solve(Limits::unlimited().with_work(work)));
    assert_eq!(
        (few.status(), some.status()),
        (Status::WorkLimit, Status::WorkLimit)
    );
    assert!(full.cost() < some.cost() && some.cost() < few.cost());
    // Once the start is there, the watch finds a pairing as well.
    let stop = |progress: &Progress| f64::from(progress.stage == "exchanges");
    let stopped = solve(Limits::unlimited().with_watch(&stop));
    assert_eq!(stopped.status(), Status::Stopped);
    assert!(stopped.cost() >= few.cost());
}

/// A limit that is too small for anything, or for a part: an error that says so, or a valid result that does.
#[test]
fn every_solver_and_bound_obeys_its_limits() {
    let (complete, small) = (uniform(60, 5), uniform(10, 6));
    let gaps = UnmatchedPenalties::new(&complete, vec![0.02; 60]).unwrap();
    let most = UnmatchedPenalties::maximum_cardinality(&complete);
    let few = UnmatchedPenalties::new(&small, vec![0.1; 10]).unwrap();
    let solvers: [&dyn PairingSolver; 7] = [
        &ExactPairing::minimum(),
        &LocalSearch::default(),
        &PathGrowing::default(),
        &GreedyPairing::default(),
        &SortAdjacent::by_index(),
        &RandomPairing::new(1),
        &BruteForce::default(),
    ];
    for (place, solver) in solvers.into_iter().enumerate() {
        let graphs: Vec<&dyn CostOracle> = match place {
            6 => vec![&small, &few],
            _ => vec![&complete, &gaps, &most],
        };
        for costs in graphs {
            for work in [0, 1, 7, 20, 40, 61, 100] {
                let count = AtomicU64::new(0);
                let watch = |_: &Progress| f64::from(count.fetch_add(1, Ordering::Relaxed) >= work);
                for (limits, limit) in [
                    (Limits::unlimited().with_work(work), Status::WorkLimit),
                    (Limits::unlimited().with_watch(&watch), Status::Stopped),
                ] {
                    match solver.solve_within(costs, &limits) {
                        Err(error) => assert_eq!(error, SolveError::Limited { status: limit }),
                        Ok(pairing) => {
                            verify(costs, &pairing).unwrap();
                            let status = pairing.status();
                            assert!(
                                status == limit || work > 0 && !status.is_limited(),
                                "{place} {work}"
                            );
                        }
                    }
                }
            }
        }
    }
    let full = dual_bound(&complete, Objective::Minimize).unwrap();
    for work in [0, 3, 1 << 20] {
        let limits = Limits::unlimited().with_work(work);
        let (bound, status) = dual_bound_within(&complete, Objective::Minimize, &limits).unwrap();
        verify_bound(&complete, Objective::Minimize, &bound).unwrap();
        assert!(bound.dual_bound() <= full.dual_bound());
        assert_eq!(status == Status::WorkLimit, work < 1 << 20);
    }
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
    let error = solver.solve_within(&costs, &limits).unwrap_err();
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
