//! Questions, solvers and lineups that are wrong.

#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod common;

use common::sparse;
use matchwright_solver::{
    CostOracle, DenseCosts, ExactPairing, GreedyPairing, Objective, Pairing, PairingSolver, SittingOut,
    SittingOutError, SolveError, Workspace,
};

fn square() -> DenseCosts {
    DenseCosts::from_fn(4, |i, j| (i + 2 * j) as f64).unwrap()
}

#[test]
fn prices_that_do_not_fit_are_refused() {
    let costs = square();
    for prices in [vec![], vec![1.0; 3], vec![1.0; 5]] {
        let count = prices.len();
        let error = SittingOut::priced(&costs, prices).unwrap_err();
        assert_eq!(
            error,
            SittingOutError::PriceCount {
                prices: count,
                vertices: 4
            }
        );
    }
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -f64::MAX] {
        let prices = vec![0.0, 1.0, bad, bad];
        for error in [
            SittingOut::priced(&costs, prices.clone()).unwrap_err(),
            SittingOut::fewest(&costs)
                .with_prices(prices.clone())
                .unwrap_err(),
        ] {
            assert!(
                matches!(error, SittingOutError::BadPrice { vertex: 2, .. }),
                "{error}"
            );
            assert!(
                error.to_string().contains(&format!("player 2 is {bad}")),
                "{error}"
            );
        }
    }
    // The largest that are allowed are added without overflow.
    let question = SittingOut::priced(&costs, vec![8e307; 4]).unwrap();
    let lineup = question
        .solve(&ExactPairing::minimum(), &mut Workspace::new())
        .unwrap();
    assert_eq!(lineup.pairs().count(), 2);
    let apart = SittingOut::priced(&costs, vec![-8e307; 4]).unwrap();
    let error = apart
        .solve(&ExactPairing::minimum(), &mut Workspace::new())
        .unwrap_err();
    assert!(
        matches!(error, SittingOutError::Solve(SolveError::SumOverflow { .. })),
        "{error}"
    );
}

#[test]
fn a_solver_that_aims_at_the_other_end_is_refused() {
    let costs = square();
    let question = SittingOut::priced(&costs, vec![1.0; 4]).unwrap();
    let error = question
        .solve(&ExactPairing::maximum(), &mut Workspace::new())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "asked to minimise, but the solver's pairing is to maximise: choose the same for both"
    );
    let question = SittingOut::fewest(&costs).with_objective(Objective::Maximize);
    let error = question
        .solve(&ExactPairing::minimum(), &mut Workspace::new())
        .unwrap_err();
    assert!(matches!(error, SittingOutError::OtherObjective { .. }), "{error}");
}

/// A solver made of a function.
struct Wrong<F>(F);

impl<F: Fn(&dyn CostOracle) -> Result<Pairing, SolveError>> PairingSolver for Wrong<F> {
    fn solve(&self, _: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        (self.0)(costs)
    }
}

#[test]
fn a_solver_that_answers_nonsense_is_caught() {
    let costs = sparse(3, &[(0, 1, 1.0), (1, 2, 2.0)]);
    let priced = SittingOut::priced(&costs, vec![5.0; 3]).unwrap();
    for mates in [
        vec![],
        vec![0; 6],
        vec![9; 6],
        vec![1, 0, 2, 4, 3, 5],
        vec![2, 4, 0, 5, 1, 3],
    ] {
        let solver = Wrong(|_: &dyn CostOracle| Ok(Pairing::from_parts(mates.clone(), 0.0, None, None)));
        let error = priced.solve(&solver, &mut Workspace::new()).unwrap_err();
        assert!(
            matches!(
                error,
                SittingOutError::Solve(SolveError::BadMates { .. } | SolveError::ForbiddenPair { .. })
            ),
            "{mates:?}: {error}"
        );
    }
}

#[test]
fn of_two_lineups_in_a_pairing_the_better_counts() {
    let costs = sparse(4, &[(0, 1, 1.0), (2, 3, 1.0), (0, 2, 2.0), (1, 3, 2.0)]);
    let (near, far) = ([1, 0, 3, 2], [2, 3, 0, 1]);
    for (own, twins) in [(near, far), (far, near)] {
        let mates: Vec<usize> = own.into_iter().chain(twins.into_iter().map(|j| j + 4)).collect();
        let solver = Wrong(|_: &dyn CostOracle| Ok(Pairing::from_parts(mates.clone(), 6.0, None, None)));
        for (objective, better) in [(Objective::Minimize, near), (Objective::Maximize, far)] {
            let question = SittingOut::priced(&costs, vec![3.0; 4])
                .unwrap()
                .with_objective(objective);
            let lineup = question.solve(&solver, &mut Workspace::new()).unwrap();
            assert_eq!(lineup.mates(), better.map(Some));
            question.verify(&lineup).unwrap();
        }
    }
}

/// More vertices than there can be.
struct Endless;

impl CostOracle for Endless {
    fn vertices(&self) -> usize {
        usize::MAX
    }
    fn cost(&self, _: usize, _: usize) -> Option<f64> {
        None
    }
}

#[test]
fn a_lineup_of_another_question_is_rejected() {
    let (costs, others) = (
        square(),
        DenseCosts::from_fn(4, |i, j| (9 * i + j) as f64).unwrap(),
    );
    let path = sparse(4, &[(0, 1, 1.0), (1, 2, 1.0)]);
    let solve = |question: &SittingOut<'_>| {
        question
            .solve(&ExactPairing::new(question.objective()), &mut Workspace::new())
            .unwrap()
    };
    let question = SittingOut::priced(&costs, vec![3.0; 4]).unwrap();
    let lineup = solve(&question);
    assert!(question.verify(&lineup).unwrap().is_exact());
    let small = DenseCosts::from_fn(3, |_, _| 1.0).unwrap();
    let others = [
        SittingOut::priced(&costs, vec![4.0; 4]).unwrap(),
        SittingOut::priced(&others, vec![3.0; 4]).unwrap(),
        SittingOut::priced(&path, vec![3.0; 4]).unwrap(),
        SittingOut::priced(&small, vec![3.0; 3]).unwrap(),
        question.clone().with_objective(Objective::Maximize),
        SittingOut::fewest(&costs).with_prices(vec![3.0; 4]).unwrap(),
        SittingOut::fewest(&path),
    ];
    for other in &others {
        other.verify(&lineup).unwrap_err();
    }
    // A barrier has no place in a priced question, nor that of another graph in this one.
    let path = SittingOut::fewest(&path);
    let few = solve(&path);
    assert!(few.barrier().is_some());
    for other in &others[..6] {
        other.verify(&few).unwrap_err();
        assert!(other.padded(&few).is_err());
    }
    let star = sparse(4, &[(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]);
    let star = SittingOut::fewest(&star);
    let error = star.verify(&few).unwrap_err();
    assert!(matches!(error, SittingOutError::BadBarrier { .. }), "{error}");
    assert!(path.verify(&solve(&star)).is_err());
    assert_eq!(question.verify(&few).unwrap_err(), SittingOutError::OtherLineup);
    assert_eq!(question.bound(&few).unwrap_err(), SittingOutError::OtherLineup);
    // No certificate is needed to see the wrong objective.
    let greedy = question
        .solve(&GreedyPairing::default(), &mut Workspace::new())
        .unwrap();
    question.verify(&greedy).unwrap();
    let error = others[4].verify(&greedy).unwrap_err();
    assert!(matches!(error, SittingOutError::OtherObjective { .. }), "{error}");
    // No memory is taken for a graph that the lineup cannot be of.
    let endless = SittingOut::fewest(&Endless);
    assert_eq!(endless.verify(&few).unwrap_err(), SittingOutError::OtherLineup);
    assert!(path.verify(&few).unwrap().is_exact());
}

#[cfg(feature = "serde")]
mod written {
    use super::*;
    use matchwright_solver::Lineup;
    use serde_json::{Value, json};

    /// Whether the lineup is still accepted with the value at `pointer` changed.
    fn accepted(question: &SittingOut<'_>, lineup: &Value, pointer: &str, value: Value) -> bool {
        let mut changed = lineup.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        let changed: Lineup = serde_json::from_value(changed).unwrap();
        let _ = (question.padded(&changed), question.bound(&changed));
        question.verify(&changed).is_ok()
    }

    #[test]
    fn a_lineup_survives_json_and_its_lies_do_not_pass() {
        let costs = sparse(4, &[(0, 1, 4.0), (0, 2, 4.0), (0, 3, 6.0)]);
        let question = SittingOut::fewest(&costs);
        let lineup = question
            .solve(&ExactPairing::minimum(), &mut Workspace::new())
            .unwrap();
        let text = serde_json::to_string(&lineup).unwrap();
        let read: Lineup = serde_json::from_str(&text).unwrap();
        assert_eq!(read, lineup);
        let value: Value = serde_json::from_str(&text).unwrap();
        let ties = [json!([1, 0, null, null]), json!([2, null, 0, null])];
        let other = ties.iter().find(|mates| **mates != value["mates"]).unwrap();
        assert!(accepted(&question, &value, "/cost", json!(4.0)));
        let mut lost = value["pairing"]["mates"].clone();
        // Ghosts that play nobody there is.
        lost.as_array_mut().unwrap()[4..].fill(json!(99));
        for (pointer, lie) in [
            ("/pairing/mates", lost),
            ("/cost", json!(3.0)),
            ("/mates", other.clone()),
            ("/mates", json!([3, null, null, 0])),
            ("/mates", json!([9, null, 0, null])),
            ("/mates", json!([2, null, 0])),
            ("/mates", json!([])),
            ("/barrier", Value::Null),
            ("/barrier/vertices", json!([])),
            ("/barrier/vertices", json!([1])),
            ("/barrier/vertices", json!([0, 0])),
            ("/barrier/vertices", json!([0, 4])),
            ("/barrier/vertices", json!([usize::MAX])),
            ("/barrier/odd_components", json!(4)),
            ("/barrier/unplaced", json!([1])),
            ("/barrier/unplaced", json!([])),
            ("/barrier/unplaced", json!([0, 1])),
            ("/pairing/mates", json!([1, 0, 3, 2])),
            ("/pairing/mates", json!([99, 0, 3, 2, 5, 4, 7, 6])),
            ("/pairing/mates", json!([])),
            ("/pairing/objective", json!("maximize")),
            ("/pairing/cost", json!(5.0)),
        ] {
            assert!(
                !accepted(&question, &value, pointer, lie.clone()),
                "{pointer} {lie}"
            );
        }
    }
}
