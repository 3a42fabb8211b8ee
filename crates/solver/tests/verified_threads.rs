//! Verdict and error are the same for any number of threads.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread::{self, ThreadId};

use crate::common::{proven, random_edges, rng, sparse, uniform};
use matchwright_solver::{
    Certificate, CostOracle, DenseCosts, EuclideanCosts, Limits, Objective, Pairing, Progress, Status,
    UnmatchedPenalties, Verifier, VerifyError, verify, verify_bound,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// What verifiers of 2, 3 and 9 threads say, if it is what one thread says.
fn agreed(costs: &dyn CostOracle, claim: &Pairing, limits: &Limits<'_>) -> Option<VerifyError> {
    let objective = claim.objective().unwrap();
    let certificate = claim.certificate().unwrap();
    let ask = |threads| {
        let verifier = Verifier::new().with_threads(threads);
        let bound = verifier.verify_bound_within(costs, objective, certificate, limits);
        (verifier.verify_within(costs, claim, limits), bound)
    };
    let one = ask(1);
    for threads in [2, 3, 9] {
        // As text: NaN is not equal to itself.
        let many = format!("{:?}", ask(threads));
        assert_eq!(many, format!("{one:?}"), "{threads} threads");
    }
    if limits.is_unlimited() {
        let alone = (verify(costs, claim), verify_bound(costs, objective, certificate));
        assert_eq!(format!("{alone:?}"), format!("{one:?}"));
    }
    one.0.err()
}

/// Costs of which some are others than they were, or only in one direction.
struct Odd<'a> {
    costs: &'a dyn CostOracle,
    pairs: Vec<(usize, usize, f64)>,
}

impl CostOracle for Odd<'_> {
    fn vertices(&self) -> usize {
        self.costs.vertices()
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let change = self.pairs.iter().find(|pair| (pair.0, pair.1) == (i, j));
        self.costs
            .cost(i, j)
            .map(|cost| change.map_or(cost, |change| cost + change.2))
    }
    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        self.costs.for_each_neighbour(i, &mut |j, _| {
            if let Some(cost) = self.cost(i, j) {
                visit(j, cost);
            }
        });
    }
    fn is_sparse(&self) -> bool {
        self.costs.is_sparse()
    }
}

/// A few pairs changed, in both directions or in one, or duals.
fn falsified<'a>(costs: &'a dyn CostOracle, claim: &Pairing, rng: &mut ChaCha8Rng) -> (Odd<'a>, Pairing) {
    let n = costs.vertices();
    let mut odd = Odd {
        costs,
        pairs: Vec::new(),
    };
    let mut parts = claim.certificate().unwrap().clone().into_parts();
    for _ in 0..rng.random_range(0..4) {
        let (i, j) = (rng.random_range(0..n), rng.random_range(0..n));
        let change = [f64::NAN, f64::INFINITY, -3.0, 0.5, 1e300][rng.random_range(0..5)];
        match rng.random_range(0..3) {
            0 => odd.pairs.push((i, j, change)),
            1 => odd.pairs.extend([(i, j, change), (j, i, change)]),
            _ => parts.vertex_duals[i] += [1, -1, 1000, i128::MAX / 2][rng.random_range(0..4)],
        }
    }
    let claim = claim.clone().with_certificate(Certificate::from_parts(parts));
    (odd, claim)
}

#[test]
fn the_first_error_in_the_order_of_reading_is_found() {
    let mut rng = rng(61);
    let mut errors = HashSet::new();
    for n in [3, 64, 201, 330] {
        let dense = DenseCosts::from_fn(n, |_, _| f64::from(rng.random_range(0..400))).unwrap();
        let lists = random_edges(&mut rng, n, 0.1, |rng| f64::from(rng.random_range(0..400)));
        let lists = sparse(n, &lists);
        let points = EuclideanCosts::from_points(2, (0..2 * n).map(|_| rng.random()).collect()).unwrap();
        for costs in [&dense as &dyn CostOracle, &lists, &points] {
            let most = UnmatchedPenalties::maximum_cardinality(costs);
            for objective in [Objective::Minimize, Objective::Maximize] {
                let claim = proven(objective, &most);
                assert_eq!(agreed(&most, &claim, &Limits::unlimited()), None);
                for _ in 0..12 {
                    let (odd, claim) = falsified(&most, &claim, &mut rng);
                    let odd = UnmatchedPenalties::maximum_cardinality(&odd);
                    let error = agreed(&odd, &claim, &Limits::unlimited());
                    errors.extend(error.map(|error| std::mem::discriminant(&error)));
                    let work = rng.random_range(0..40);
                    agreed(&odd, &claim, &Limits::unlimited().with_work(work));
                }
            }
        }
    }
    assert!(errors.len() > 3, "{}", errors.len());
}

#[test]
fn limits_hold_for_all_threads() {
    let costs = uniform(330, 8);
    let claim = proven(Objective::Minimize, &costs);
    // Six tiles a side, each pair of them once.
    for (work, status) in [(0, true), (1, true), (20, true), (21, false), (22, false)] {
        let error = agreed(&costs, &claim, &Limits::unlimited().with_work(work));
        let status = status.then_some(Status::WorkLimit);
        assert_eq!(error, status.map(|status| VerifyError::Limited { status }));
    }
    let largest = Mutex::new(0);
    let stop = |progress: &Progress| {
        let mut largest = largest.lock().unwrap();
        *largest = progress.work.max(*largest);
        progress.work as f64 / 7.0
    };
    let status = Status::Stopped;
    let error = agreed(&costs, &claim, &Limits::unlimited().with_watch(&stop));
    assert_eq!(error, Some(VerifyError::Limited { status }));
    // At most one tile a thread beyond.
    assert!((7..7 + 9).contains(&*largest.lock().unwrap()));
}

/// Costs of 1, which wait for a second thread to ask, or panic for it.
struct Waiting {
    askers: Mutex<HashSet<ThreadId>>,
    panics: bool,
}

impl CostOracle for Waiting {
    fn vertices(&self) -> usize {
        300
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let asker = thread::current().id();
        self.askers.lock().unwrap().insert(asker);
        if i >= 64 && j >= 64 {
            let is_alone = || self.askers.lock().unwrap().len() == 1;
            (0..10_000_000)
                .take_while(|_| is_alone())
                .for_each(|_| thread::yield_now());
            assert!(!self.panics, "the oracle gives up");
        }
        Some(1.0)
    }
}

#[test]
fn threads_share_the_rows_and_pass_a_panic_on() {
    let claim = proven(
        Objective::Minimize,
        &DenseCosts::from_fn(300, |_, _| 1.0).unwrap(),
    );
    let certificate = claim.certificate().unwrap();
    for panics in [false, true] {
        let askers = Mutex::default();
        let waiting = Waiting { askers, panics };
        let ask = || {
            Verifier::new().with_threads(2).verify_bound_within(
                &waiting,
                Objective::Minimize,
                certificate,
                &Limits::unlimited(),
            )
        };
        let outcome = catch_unwind(AssertUnwindSafe(ask));
        assert_eq!(outcome.is_err(), panics);
        assert_eq!(waiting.askers.lock().unwrap().len(), 2);
    }
}
