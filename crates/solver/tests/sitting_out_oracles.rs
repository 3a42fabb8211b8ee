//! What is asked of an oracle, and oracles that break the contract: refused whoever may sit out.

#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

use matchwright_solver::{
    CostOracle, ExactPairing, GreedyPairing, Objective, PairingSolver, SittingOut, SittingOutError,
    SolveError, Workspace,
};

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];

/// Costs by a function, read by rows or by lists.
struct Oracle<F>(F, bool);

impl<F: Fn(usize, usize) -> Option<f64> + Sync> CostOracle for Oracle<F> {
    fn vertices(&self) -> usize {
        5
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        (self.0)(i, j)
    }
    fn is_sparse(&self) -> bool {
        self.1
    }
}

#[test]
fn one_row_shows_that_a_complete_graph_hangs_together() {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let costs = Oracle(
        |_, _| {
            asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Some(1.0)
        },
        false,
    );
    // Who cannot even begin reads nothing.
    let solver = matchwright_solver::SortAdjacent::by_keys(vec![]);
    let question = SittingOut::fewest(&costs);
    question.solve(&solver, &mut Workspace::new()).unwrap_err();
    assert_eq!(asked.into_inner(), 4);
}

fn refusals(cost: impl Fn(usize, usize) -> Option<f64> + Sync) -> Vec<SolveError> {
    let mut errors = Vec::new();
    for lists in [false, true] {
        let costs = Oracle(&cost, lists);
        for objective in BOTH {
            let solver = ExactPairing::new(objective);
            let priced = SittingOut::priced(&costs, vec![3.0; 5]).unwrap();
            for question in [priced, SittingOut::fewest(&costs)] {
                let question = question.with_objective(objective);
                let error = question.solve(&solver, &mut Workspace::new()).unwrap_err();
                let SittingOutError::Solve(error) = error else {
                    unreachable!("{error}")
                };
                errors.push(error);
            }
        }
    }
    errors
}

#[test]
fn costs_that_are_no_numbers_are_refused_and_not_hidden_by_prices() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let errors = refusals(|i, j| Some(if i + j == 3 { bad } else { 1.0 }));
        for error in errors {
            assert!(matches!(error, SolveError::NotFinite { .. }), "{bad}: {error}");
        }
    }
}

#[test]
fn an_asymmetric_oracle_is_refused() {
    for error in refusals(|i, j| Some(if i < j { 1.0 } else { 2.0 })) {
        assert!(matches!(error, SolveError::Asymmetric { .. }), "{error}");
    }
}

/// A neighbour that is none, or visited twice, at a cost.
struct Strange(usize, f64);

impl CostOracle for Strange {
    fn vertices(&self) -> usize {
        4
    }
    fn cost(&self, _: usize, _: usize) -> Option<f64> {
        Some(1.0)
    }
    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        if i == 1 {
            visit(self.0, self.1);
        } else {
            visit((i + 1) % 4, 1.0);
        }
        visit((i + 3) % 4, 1.0);
    }
    fn is_sparse(&self) -> bool {
        true
    }
}

#[test]
fn neighbours_that_are_none_are_refused() {
    // Out of range, oneself, twice; 5 is the twin of 1 in the doubled graph.
    for (neighbour, cost) in [
        (4, 1.0),
        (5, 1.0),
        (1, 1.0),
        (0, 1.0),
        (4, 50.0),
        (usize::MAX, 50.0),
    ] {
        let costs = Strange(neighbour, cost);
        let priced = SittingOut::priced(&costs, vec![3.0; 4]).unwrap();
        for question in [priced, SittingOut::fewest(&costs)] {
            let error = question
                .solve(&ExactPairing::minimum(), &mut Workspace::new())
                .unwrap_err();
            assert!(
                matches!(&error, SittingOutError::Solve(SolveError::BadNeighbour { .. })),
                "{neighbour}: {error}"
            );
        }
    }
}

#[test]
fn an_oracle_that_claims_too_many_vertices_is_refused() {
    struct Endless;
    impl CostOracle for Endless {
        fn vertices(&self) -> usize {
            usize::MAX
        }
        fn cost(&self, _: usize, _: usize) -> Option<f64> {
            None
        }
    }
    let solvers: [&dyn PairingSolver; 2] = [&ExactPairing::minimum(), &GreedyPairing::default()];
    for solver in solvers {
        let error = SittingOut::fewest(&Endless)
            .solve(solver, &mut Workspace::new())
            .unwrap_err();
        assert!(matches!(
            error,
            SittingOutError::Solve(SolveError::TooManyVertices { .. })
        ));
    }
}
