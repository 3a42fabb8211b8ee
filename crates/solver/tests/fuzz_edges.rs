//! Lists of edges, matrices and points at random, mostly broken: an error that names the first fault, or the
//! graph that was given.

use std::collections::BTreeMap;

use crate::common::{Edge, exact, rng};
use matchwright_solver::{
    CostOracle, DenseCosts, EuclideanCosts, GraphError, Objective, SolveError, SparseCosts, verify,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Costs as they come: ordinary ones, the ends of the floats, and what is none.
fn any_cost(rng: &mut ChaCha8Rng, broken: u32) -> f64 {
    if rng.random_ratio(broken, 100) {
        return [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -f64::NAN][rng.random_range(0..4)];
    }
    match rng.random_range(0..8) {
        0 => [0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308, f64::MAX, f64::MIN][rng.random_range(0..8)],
        1..4 => f64::from(rng.random_range(-9..=9)),
        _ => rng.random(),
    }
}

/// Edges between `0..n`, some of them with an end that is wrong.
fn any_edges(rng: &mut ChaCha8Rng, n: usize) -> Vec<Edge> {
    // Often without any fault of a sort, so that every sort is the first one at times.
    let [strangers, loops, broken] = [(); 3].map(|()| [0, 0, 3][rng.random_range(0..3)]);
    let repeats: bool = rng.random();
    let mut edges = BTreeMap::new();
    let mut list = Vec::new();
    for position in 0..rng.random_range(0..=3 * n) {
        let mut end = || {
            if rng.random_ratio(strangers, 100) {
                return [n, n + 1, usize::MAX, 1 << 32][rng.random_range(0..4)];
            }
            rng.random_range(0..n.max(1))
        };
        let (i, mut j) = (end(), end());
        if rng.random_ratio(loops, 100) {
            j = i;
        } else if i == j {
            continue;
        }
        if !repeats && edges.insert((i.min(j), i.max(j)), position).is_some() {
            continue;
        }
        list.push((i, j, any_cost(rng, broken)));
    }
    list
}

/// What is wrong with a list, by its position: an edge on its own before a repetition.
fn first_fault(n: usize, edges: &[Edge]) -> Option<(usize, &'static str)> {
    let alone = |&(i, j, cost): &Edge| match () {
        () if i >= n || j >= n => Some("range"),
        () if i == j => Some("loop"),
        () if !cost.is_finite() => Some("cost"),
        () => None,
    };
    let mut faults = edges.iter().map(alone).enumerate();
    let first = faults.find_map(|(position, fault)| Some((position, fault?)));
    first.or_else(|| {
        let same = |a: &Edge, b: &Edge| (a.0.min(a.1), a.0.max(a.1)) == (b.0.min(b.1), b.0.max(b.1));
        let repeats = |position: &usize| {
            edges[..*position]
                .iter()
                .any(|edge| same(edge, &edges[*position]))
        };
        (0..edges.len())
            .find(repeats)
            .map(|position| (position, "repeat"))
    })
}

fn sort_of(error: &GraphError) -> &'static str {
    match error {
        GraphError::OutOfRange { .. } => "range",
        GraphError::SelfLoop { .. } => "loop",
        GraphError::EdgeNotFinite { .. } => "cost",
        GraphError::DuplicateEdge { .. } => "repeat",
        _ => "another",
    }
}

/// The exact solver's word on a graph, checked.
fn check_solved(costs: &dyn CostOracle) {
    for objective in [Objective::Minimize, Objective::Maximize] {
        match exact(objective, costs) {
            // Whether it is proven is not asked here: costs may be lost beside others.
            Ok(pairing) => {
                let _ = verify(costs, &pairing);
            }
            Err(SolveError::NoPerfectMatching(_) | SolveError::SumOverflow { .. }) => {}
            Err(error) => unreachable!("{error}"),
        }
    }
}

#[test]
fn an_edge_list_is_the_graph_it_says_or_its_first_fault_is_named() {
    let mut counts = BTreeMap::new();
    for seed in 0..20_000 {
        let mut rng = rng(seed);
        let n = rng.random_range(0..=9);
        let edges = any_edges(&mut rng, n);
        let fault = first_fault(n, &edges);
        *counts.entry(fault.map_or("none", |fault| fault.1)).or_insert(0) += 1;
        let costs = match SparseCosts::from_edges(n, edges.iter().copied()) {
            Ok(costs) => costs,
            Err(error) => {
                let found = error.edge().map(|position| (position, sort_of(&error)));
                assert_eq!(found, fault, "{seed}: {error}");
                continue;
            }
        };
        assert_eq!(fault, None, "{seed}");
        assert_eq!((costs.vertices(), costs.edge_count()), (n, edges.len()));
        let bits = |cost: Option<f64>| cost.map(f64::to_bits);
        for &(i, j, cost) in &edges {
            assert_eq!(bits(costs.cost(i, j)), Some(cost.to_bits()), "{seed}");
            assert_eq!(bits(costs.cost(j, i)), Some(cost.to_bits()), "{seed}");
        }
        let mut visited = 0;
        (0..n).for_each(|i| costs.for_each_neighbour(i, &mut |_, _| visited += 1));
        assert_eq!(visited, 2 * edges.len(), "{seed}");
        check_solved(&costs);
    }
    // The sample has some of each.
    assert!(
        counts.len() == 5 && counts.values().all(|&count| count > 300),
        "{counts:?}"
    );
}

#[test]
fn a_matrix_is_the_graph_it_says_or_its_first_fault_is_named() {
    let mut refused = 0;
    for seed in 0..3_000 {
        let mut rng = rng(seed);
        let n = rng.random_range(0..=8);
        let broken = [0, 1, 10][rng.random_range(0..3)];
        let table: Vec<_> = (0..n * n)
            .map(|_| rng.random_ratio(4, 5).then(|| any_cost(&mut rng, broken)))
            .collect();
        let pairs = || (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let fault = pairs().find(|&(i, j)| table[i * n + j].is_some_and(|cost| !cost.is_finite()));
        match DenseCosts::from_optional_fn(n, |i, j| table[i * n + j]) {
            Ok(costs) => {
                assert_eq!(fault, None, "{seed}");
                for (i, j) in pairs() {
                    assert_eq!(
                        [costs.cost(i, j), costs.cost(j, i)],
                        [table[i * n + j]; 2],
                        "{seed}"
                    );
                }
                check_solved(&costs);
            }
            Err(GraphError::NotFinite { i, j, .. }) => {
                assert_eq!(fault, Some((i, j)), "{seed}");
                refused += 1;
            }
            Err(error) => unreachable!("{error}"),
        }
    }
    assert!((300..2_700).contains(&refused), "{refused}");
}

#[test]
fn points_are_the_graph_of_their_distances_or_their_first_fault_is_named() {
    let mut refused = 0;
    for seed in 0..3_000 {
        let mut rng = rng(seed);
        let dimensions = rng.random_range(0..=4);
        let count = rng.random_range(0..=8) * dimensions + usize::from(rng.random_ratio(1, 10));
        let broken = [0, 0, 5][rng.random_range(0..3)];
        let largest = [1e3, 1e3, 1e150, 1e151][rng.random_range(0..4)];
        let values: Vec<_> = (0..count)
            .map(|_| {
                let value = any_cost(&mut rng, broken);
                // Ordinary numbers or the largest, beside what is none.
                let sign = [-1.0, 1.0][rng.random_range(0..2)];
                if value.abs() < 10.0 || !value.is_finite() {
                    value
                } else {
                    sign * largest
                }
            })
            .collect();
        let unusable = |value: &f64| value.is_nan() || value.abs() > 1e150;
        match EuclideanCosts::from_points(dimensions, values.clone()) {
            Ok(costs) => {
                assert!(dimensions > 0 && !values.iter().any(unusable), "{seed}");
                assert_eq!(costs.vertices() * dimensions, count, "{seed}");
                check_solved(&costs);
            }
            Err(GraphError::CoordinateCount { .. }) => {
                assert!(dimensions == 0 || !count.is_multiple_of(dimensions), "{seed}");
                refused += 1;
            }
            Err(GraphError::CoordinateNotFinite {
                vertex, coordinate, ..
            }) => {
                let position = vertex * dimensions + coordinate;
                assert_eq!(values.iter().position(unusable), Some(position), "{seed}");
                refused += 1;
            }
            Err(error) => unreachable!("{error}"),
        }
    }
    assert!((300..2_700).contains(&refused), "{refused}");
}
