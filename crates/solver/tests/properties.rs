//! What must not depend on how a graph is written down.

use crate::common::{Edge, exact, sparse};
use matchwright_solver::{Objective, SolveError, verify};
use proptest::prelude::*;

/// An even number of vertices and costs of some pairs; small numbers, so that there are ties and nothing
/// rounds.
fn graph() -> impl Strategy<Value = (usize, Vec<Edge>)> {
    (1_usize..=9).prop_flat_map(|half| {
        let n = 2 * half;
        let costs = proptest::collection::vec(proptest::option::weighted(0.6, -20_i32..20), n * (n - 1) / 2);
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

/// The optimum, proven; `None` if there is no pairing.
fn optimum(objective: Objective, n: usize, edges: &[Edge]) -> Option<f64> {
    let costs = sparse(n, edges);
    match exact(objective, &costs) {
        Ok(pairing) => {
            assert!(verify(&costs, &pairing).unwrap().is_exact());
            Some(pairing.cost())
        }
        Err(error) => {
            assert!(matches!(error, SolveError::NoPerfectMatching(_)), "{error}");
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn names_of_vertices_and_order_of_edges_do_not_matter(
        ((n, edges), names) in graph().prop_flat_map(|(n, edges)| {
            let names = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
            (Just((n, edges)), names)
        }),
        objective in objective(),
    ) {
        let renamed: Vec<_> = edges.iter().rev().map(|&(i, j, cost)| (names[j], names[i], cost)).collect();
        prop_assert_eq!(optimum(objective, n, &edges), optimum(objective, n, &renamed));
    }

    #[test]
    fn a_cost_of_being_there_shifts_every_pairing_alike((n, edges) in graph(), objective in objective()) {
        let fee = |v: usize| ((v * 37) % 11) as f64 - 5.0;
        let shifted: Vec<_> = edges.iter().map(|&(i, j, cost)| (i, j, cost + fee(i) + fee(j))).collect();
        let total: f64 = (0..n).map(fee).sum();
        prop_assert_eq!(optimum(objective, n, &edges).map(|cost| cost + total), optimum(objective, n, &shifted));
    }

    #[test]
    fn the_largest_sum_is_the_least_of_the_negated((n, edges) in graph()) {
        let negated: Vec<_> = edges.iter().map(|&(i, j, cost)| (i, j, -cost)).collect();
        let most = optimum(Objective::Maximize, n, &edges);
        prop_assert_eq!(most, optimum(Objective::Minimize, n, &negated).map(|cost| -cost));
    }

    #[test]
    fn units_do_not_matter((n, edges) in graph(), power in -900_i32..900) {
        let unit = 2.0_f64.powi(power);
        let scaled: Vec<_> = edges.iter().map(|&(i, j, cost)| (i, j, cost * unit)).collect();
        let least = optimum(Objective::Minimize, n, &edges).map(|cost| cost * unit);
        prop_assert_eq!(least, optimum(Objective::Minimize, n, &scaled));
    }

    #[test]
    fn forbidding_an_unused_pair_changes_nothing((n, edges) in graph(), k in any::<prop::sample::Index>()) {
        let Ok(pairing) = exact(Objective::Minimize, &sparse(n, &edges)) else { return Ok(()) };
        let unused = |&&(i, j, _): &&Edge| pairing.mate(i) != Some(j);
        let others: Vec<_> = edges.iter().filter(unused).collect();
        prop_assume!(!others.is_empty());
        let forbidden = *k.get(&others);
        let rest: Vec<_> = edges.iter().copied().filter(|edge| edge != forbidden).collect();
        prop_assert_eq!(optimum(Objective::Minimize, n, &rest), Some(pairing.cost()));
    }
}
