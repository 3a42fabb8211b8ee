//! Oracles that break their contract get a typed error from the approximate twins, or at worst a pairing that
//! is one; never a panic or an endless search.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::StartingFrom;
use matchwright_solver::{
    Coordinates, CostOracle, GreedyPairing, LocalSearch, Objective, PairingSolver, PathGrowing,
    RandomPairing, SolveError, VerifyError, dual_bound, verify_bound,
};

/// Complete, costing what the closure says.
struct Odd<F>(usize, F);

impl<F: Fn(usize, usize) -> Option<f64> + Sync> CostOracle for Odd<F> {
    fn vertices(&self) -> usize {
        self.0
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        (self.1)(i, j)
    }
}

/// More vertices than costs are kept of.
const MANY: usize = 2050;

fn solvers() -> [Box<dyn PairingSolver>; 4] {
    [
        Box::new(GreedyPairing::new(Objective::Minimize)),
        Box::new(LocalSearch::new(Objective::Maximize)),
        Box::new(StartingFrom(LocalSearch::default(), RandomPairing::new(1))),
        Box::new(PathGrowing::new(Objective::Minimize)),
    ]
}

fn error(solver: &dyn PairingSolver, costs: &dyn CostOracle) -> SolveError {
    solver.solve(costs).unwrap_err()
}

fn bound_error(costs: &dyn CostOracle) -> SolveError {
    dual_bound(costs, Objective::Minimize).unwrap_err()
}

#[test]
fn costs_that_are_no_numbers_are_named() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for n in [4, MANY] {
            let costs = Odd(n, |i: usize, j: usize| {
                Some(if (i.min(j), i.max(j)) == (2, 3) {
                    bad
                } else {
                    (i + j) as f64
                })
            });
            let of_bound = (n < MANY).then(|| bound_error(&costs));
            let solvers = solvers();
            let errors = solvers.iter().map(|solver| error(solver, &costs));
            for error in errors.chain(of_bound) {
                let named = matches!(
                    error,
                    SolveError::NotFinite { i: 2, j: 3, .. } | SolveError::NotFinite { i: 3, j: 2, .. }
                );
                assert!(named, "{error}");
            }
        }
    }
}

#[test]
fn asymmetric_costs_are_named() {
    let one = |i: usize, j: usize| Some(if (i, j) == (3, 0) { 2.0 } else { 1.0 });
    let hidden = |i: usize, j: usize| ((i, j) != (3, 0)).then_some(1.0);
    let all = |i: usize, j: usize| Some(if i < j { 1.0 } else { 2.0 });
    let pair = |error: SolveError, forward, backward| {
        let expected = SolveError::Asymmetric {
            i: 0,
            j: 3,
            forward: Some(forward),
            backward,
        };
        assert_eq!(error, expected);
    };
    for solver in &solvers()[..3] {
        pair(error(solver, &Odd(4, one)), 1.0, Some(2.0));
        pair(error(solver, &Odd(4, hidden)), 1.0, None);
    }
    for n in [4, MANY] {
        pair(bound_error(&Odd(n, one)), 1.0, Some(2.0));
        pair(bound_error(&Odd(n, hidden)), 1.0, None);
        for solver in solvers() {
            assert!(matches!(
                error(&solver, &Odd(n, all)),
                SolveError::Asymmetric { .. }
            ));
        }
    }
}

/// Rows that disagree with the costs of pairs.
struct Rows(usize, f64);

impl CostOracle for Rows {
    fn vertices(&self) -> usize {
        self.0
    }
    fn cost(&self, _: usize, _: usize) -> Option<f64> {
        Some(1.0)
    }
    fn cost_row(&self, _: usize, _: usize, out: &mut [f64]) {
        out.fill(self.1);
    }
}

#[test]
fn what_rows_forbid_is_not_paired() {
    for n in [4, MANY] {
        let costs = Rows(n, f64::NAN);
        for place in [0, 1, 3] {
            error(&solvers()[place], &costs);
        }
        // A row holds a number for the vertex itself, and other costs: seen where pairs are looked at one by one.
        let costs = Rows(n, 3.0);
        for solver in solvers() {
            match solver.solve(&costs) {
                Ok(pairing) => assert_eq!((pairing.cost(), n), (2.0, 4)),
                Err(error) => assert!(matches!(error, SolveError::Contradiction { .. })),
            }
        }
    }
}

#[test]
fn neighbours_that_are_none_are_named() {
    struct Lists;
    impl CostOracle for Lists {
        fn vertices(&self) -> usize {
            2
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
    let expected = SolveError::BadNeighbour {
        i: 0,
        j: 7,
        vertices: 2,
    };
    for solver in solvers() {
        assert_eq!(error(&solver, &Lists), expected);
    }
    assert_eq!(bound_error(&Lists), expected);
}

#[test]
fn odd_and_absurd_sizes_are_refused() {
    for solver in solvers() {
        assert_eq!(
            error(&solver, &Odd(3, |_, _| Some(1.0))),
            SolveError::OddVertices { vertices: 3 }
        );
        let absurd = error(&solver, &Odd(usize::MAX - 1, |_, _| Some(1.0)));
        assert!(matches!(absurd, SolveError::TooManyVertices { .. }));
    }
    let absurd = bound_error(&Odd(usize::MAX, |_, _| Some(1.0)));
    assert!(matches!(absurd, SolveError::TooManyVertices { .. }));
}

#[test]
fn sums_that_overflow_are_an_error() {
    let costs = Odd(4, |_, _| Some(f64::MAX));
    for solver in solvers() {
        assert_eq!(
            error(&solver, &costs),
            SolveError::SumOverflow { sum: f64::INFINITY }
        );
    }
    assert_eq!(
        bound_error(&costs),
        SolveError::SumOverflow { sum: f64::INFINITY }
    );
    let sum = f64::NEG_INFINITY;
    let negative = Odd(4, |_, _| Some(f64::MIN));
    assert_eq!(bound_error(&negative), SolveError::SumOverflow { sum });
}

/// Coordinates of the wrong number, that are no numbers, or have nothing to do with the costs.
#[test]
fn coordinates_that_lie_do_no_harm() {
    struct Placed(Vec<f64>, usize);
    impl CostOracle for Placed {
        fn vertices(&self) -> usize {
            20
        }
        fn cost(&self, i: usize, j: usize) -> Option<f64> {
            Some(((i * j) % 11) as f64)
        }
        fn coordinates(&self) -> Option<Coordinates<'_>> {
            Some(Coordinates {
                slack: 0.0,
                dimensions: self.1,
                values: &self.0,
            })
        }
    }
    let unusable = 5;
    let points = [
        (vec![], 2),
        (vec![1.0; 20], 0),
        (vec![1.0; 39], 2),
        (vec![f64::NAN; 20], 1),
        (vec![1e300; 20], usize::MAX),
        ((0..20).map(f64::from).map(|x| 1e300 * (x - 10.0)).collect(), 1),
    ];
    let honest = Odd(20, |i: usize, j: usize| Some(((i * j) % 11) as f64));
    for (at, (values, dimensions)) in points.into_iter().enumerate() {
        let costs = Placed(values, dimensions);
        for solver in solvers() {
            let pairing = solver.solve(&costs).unwrap();
            let expected = solver.solve(&honest).unwrap();
            assert!(pairing == expected || at >= unusable);
            assert_eq!(pairing.vertices(), 20);
        }
    }
}

/// Answers that fall with every question, so that every move seems to gain; and that jump.
#[test]
fn answers_that_change_end_in_an_error_or_a_pairing() {
    for n in [10, MANY] {
        let count = AtomicU64::new(0);
        let falling = Odd(n, |_: usize, _: usize| {
            Some(-(count.fetch_add(1, Ordering::Relaxed) as f64))
        });
        let jumping = Odd(n, |i: usize, j: usize| {
            let k = count
                .fetch_add(1, Ordering::Relaxed)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                >> 40;
            Some([1.0, 1e300, -5e-324, f64::NAN, f64::NEG_INFINITY, (i + j) as f64][k as usize % 6])
        });
        // Honest for a while.
        let turning = Odd(n, |i: usize, j: usize| {
            let late = count.fetch_add(1, Ordering::Relaxed) > 4 * (n * n) as u64;
            Some(if late { -1e200 * (i + 2 * j) as f64 } else { 1.0 })
        });
        let oracles: [&dyn CostOracle; 3] = [&falling, &jumping, &turning];
        for costs in oracles {
            count.store(0, Ordering::Relaxed);
            for solver in solvers() {
                if let Ok(pairing) = solver.solve(costs) {
                    assert_eq!(pairing.vertices(), n);
                }
            }
            count.store(0, Ordering::Relaxed);
            if let Ok(certificate) = dual_bound(costs, Objective::Minimize) {
                let verdict = verify_bound(costs, Objective::Minimize, &certificate);
                assert!(!matches!(verdict, Err(VerifyError::DualCount { .. })));
            }
        }
    }
}

/// Rows of one half, pairs that cost a little less with every question: each exchange of two of them gains.
#[test]
fn a_search_that_would_go_on_is_given_up() {
    struct Slow(AtomicU64);
    impl CostOracle for Slow {
        fn vertices(&self) -> usize {
            MANY
        }
        fn cost(&self, _: usize, _: usize) -> Option<f64> {
            Some(1.0 - self.0.fetch_add(1, Ordering::Relaxed) as f64 * 1e-11)
        }
        fn cost_row(&self, _: usize, _: usize, out: &mut [f64]) {
            out.fill(0.5);
        }
    }
    let costs = Slow(AtomicU64::new(0));
    let answer = LocalSearch::default().solve(&costs);
    assert!(matches!(answer, Err(SolveError::Asymmetric { .. })));
    let questions = costs.0.into_inner();
    assert!(
        questions > 50 * MANY as u64 && questions < 10_000 * MANY as u64,
        "{questions}"
    );
}
