//! When nobody can pair them all: the barrier, checked by counting components and by trying all matchings.

use crate::common::{Edge, exact, random_edges, rng, sparse};
use matchwright_solver::{Barrier, DenseCosts, Objective, SolveError};
use rand::RngExt;

fn barrier(n: usize, edges: &[Edge]) -> Option<Barrier> {
    match exact(Objective::Minimize, &sparse(n, edges)) {
        Ok(_) => None,
        Err(SolveError::NoPerfectMatching(barrier)) => Some(barrier),
        Err(other) => unreachable!("{other}"),
    }
}

/// Sizes of the components that are left without the `removed` vertices.
fn components(n: usize, edges: &[Edge], removed: &[usize]) -> Vec<usize> {
    let mut group: Vec<_> = (0..n).collect();
    let kept = |v: usize| !removed.contains(&v);
    for &(i, j, _) in edges.iter().filter(|&&(i, j, _)| kept(i) && kept(j)) {
        let (from, to) = (group[i], group[j]);
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    }
    let sizes = (0..n).map(|root| (0..n).filter(|&v| kept(v) && group[v] == root).count());
    sizes.filter(|&size| size > 0).collect()
}

/// By vertex set: can it be paired within itself?
fn pairable(n: usize, edges: &[Edge]) -> Vec<bool> {
    let mut pairable = vec![false; 1 << n];
    pairable[0] = true;
    for set in 1_usize..1 << n {
        let inside = |v: usize| set >> v & 1 == 1;
        let both = |&&(i, j, _): &&Edge| inside(i) && inside(j);
        pairable[set] = edges
            .iter()
            .filter(both)
            .any(|&(i, j, _)| pairable[set & !(1 << i) & !(1 << j)]);
    }
    pairable
}

/// Tutte and Berge: the odd components outnumber the barrier by exactly the number of unplaced vertices.
fn check_barrier(n: usize, edges: &[Edge], barrier: &Barrier) {
    assert!(barrier.vertices.is_sorted() && barrier.unplaced.is_sorted());
    let odd = components(n, edges, &barrier.vertices)
        .into_iter()
        .filter(|size| size % 2 == 1)
        .count();
    assert_eq!(odd, barrier.odd_components);
    assert!(odd > barrier.vertices.len());
    assert_eq!(odd - barrier.vertices.len(), barrier.unplaced.len());
}

#[test]
fn a_star_leaves_all_but_one_of_its_points() {
    let star = barrier(4, &[(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]).unwrap();
    assert_eq!((star.vertices, star.odd_components), (vec![0], 3));
    assert_eq!(star.unplaced.len(), 2);
    assert!(!star.unplaced.contains(&0));
}

#[test]
fn two_triangles_have_a_fractional_pairing_but_no_pairing() {
    let triangles = [
        (0, 1, 1.0),
        (1, 2, 1.0),
        (0, 2, 1.0),
        (3, 4, 1.0),
        (4, 5, 1.0),
        (3, 5, 1.0),
    ];
    let barrier = barrier(6, &triangles).unwrap();
    assert_eq!(
        (barrier.vertices.as_slice(), barrier.odd_components),
        (&[][..], 2)
    );
    assert_eq!(barrier.unplaced.len(), 2);
}

#[test]
fn an_odd_number_leaves_one() {
    for n in [1, 3, 7] {
        let complete = DenseCosts::from_fn(n, |i, j| (i + j) as f64).unwrap();
        let error = exact(Objective::Maximize, &complete).unwrap_err();
        let SolveError::NoPerfectMatching(barrier) = error else {
            panic!("{error}")
        };
        assert_eq!(
            (
                barrier.vertices.len(),
                barrier.odd_components,
                barrier.unplaced.len()
            ),
            (0, 1, 1)
        );
    }
}

#[test]
fn nobody_is_paired_without_an_error() {
    let pairing = exact(Objective::Minimize, &DenseCosts::default()).unwrap();
    assert_eq!((pairing.vertices(), pairing.cost()), (0, 0.0));
    let verdict = matchwright_solver::verify(&DenseCosts::default(), &pairing).unwrap();
    assert!(verdict.is_exact());
}

#[test]
fn a_vertex_without_edges_is_named() {
    let barrier = barrier(4, &[(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)]).unwrap();
    assert!(barrier.unplaced.contains(&3));
}

#[test]
fn barriers_of_random_graphs_prove_what_trying_all_matchings_finds() {
    let mut rng = rng(1);
    let mut impossible = 0;
    for _ in 0..1500 {
        let n = rng.random_range(1..=10);
        let density = [0.15, 0.3, 0.5][rng.random_range(0..3)];
        let edges = random_edges(&mut rng, n, density, |rng| f64::from(rng.random_range(-3..=3)));
        let pairable = pairable(n, &edges);
        let all = (1 << n) - 1;
        let Some(barrier) = barrier(n, &edges) else {
            assert!(pairable[all]);
            continue;
        };
        check_barrier(n, &edges, &barrier);
        // The others can be paired, so that no matching leaves fewer than the barrier says.
        let unplaced: usize = barrier.unplaced.iter().map(|v| 1 << v).sum();
        assert!(!pairable[all] && pairable[all & !unplaced]);
        impossible += 1;
    }
    assert!(impossible > 1000, "{impossible}");
}

#[test]
fn barriers_of_larger_graphs_hold() {
    let mut rng = rng(2);
    let mut impossible = 0;
    for round in 0..40 {
        let n = 150 + round % 2;
        let density = [1.2, 2.0, 3.0, 5.0][round % 4] / n as f64;
        let edges = random_edges(&mut rng, n, density, rand::RngExt::random);
        if let Some(barrier) = barrier(n, &edges) {
            check_barrier(n, &edges, &barrier);
            impossible += 1;
        }
    }
    assert!(impossible > 20, "{impossible}");
}
