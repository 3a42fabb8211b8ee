//! Sparse graphs of several components: solved apart, they have the answer of the whole.

use matchwright_solver::{
    Certificate, ExactPairing, Limits, Objective, PairingSolver, SolveError, SparseCosts, Workspace, verify,
};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Components of these sizes under shuffled names: a ring each, and as many chords a vertex as asked for, some tied.
fn graph(rng: &mut ChaCha8Rng, sizes: &[usize], chords: usize) -> SparseCosts {
    let n = sizes.iter().sum();
    let mut names: Vec<usize> = (0..n).collect();
    names.shuffle(rng);
    let mut edges = std::collections::BTreeMap::new();
    let mut first = 0;
    for &size in sizes {
        for i in 0..size {
            let ring = [(i + 1) % size];
            let others = (0..chords).map(|_| rng.random_range(0..size)).collect::<Vec<_>>();
            for j in ring.into_iter().chain(others) {
                let (a, b) = (names[first + i], names[first + j]);
                if a != b {
                    let cost = f64::from(rng.random_range(0..60));
                    edges.entry((a.min(b), a.max(b))).or_insert(cost);
                }
            }
        }
        first += size;
    }
    SparseCosts::from_edges(n, edges.into_iter().map(|((i, j), cost)| (i, j, cost))).unwrap()
}

#[test]
fn apart_or_as_a_whole_by_any_number_of_threads_the_answer_is_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut workspace = Workspace::new();
    let mut blossoms = 0;
    for round in 0..60 {
        let parts = rng.random_range(2..9);
        let sizes: Vec<usize> = (0..parts).map(|_| 2 * rng.random_range(2..40)).collect();
        let costs = graph(&mut rng, &sizes, [1, 2, 6, 60][round % 4]);
        let solver =
            ExactPairing::new([Objective::Minimize, Objective::Maximize][round % 2]).with_canonical_ties();
        let apart = solver
            .solve_in(&mut workspace, &costs, &Limits::unlimited())
            .unwrap();
        // Whoever watches sees one solve of the whole.
        let whole = solver.solve_while(&mut workspace, &costs, &mut |_| true).unwrap();
        assert_eq!(apart.mates(), whole.pairing().mates(), "round {round}");
        assert!(verify(&costs, &apart).unwrap().optimal, "round {round}");
        for threads in [2, 5] {
            let shared = solver.with_threads(threads).solve(&costs).unwrap();
            assert_eq!(apart, shared, "round {round}");
        }
        let certificate = apart.certificate().unwrap();
        let duals: Vec<f64> = certificate.duals().collect();
        let warm = solver.solve_from(&mut workspace, &costs, &duals).unwrap();
        assert_eq!(warm.mates(), apart.mates(), "round {round}");
        blossoms += in_order(certificate);
    }
    assert!(blossoms > 40, "{blossoms}");
}

/// Checks the order of the blossoms that the documentation promises, and counts them.
fn in_order(certificate: &Certificate) -> usize {
    let count = certificate.blossoms().len();
    let all: Vec<Vec<usize>> = (0..count).map(|k| certificate.blossom_vertices(k)).collect();
    for two in all.windows(2) {
        assert!(two[0][0] < two[1][0] || two[0][0] == two[1][0] && two[0].len() > two[1].len());
    }
    for (k, blossom) in certificate.blossoms().iter().enumerate() {
        assert!(blossom.around.is_none_or(|around| around < k));
    }
    count
}

#[test]
fn a_component_of_odd_size_is_named_by_the_barrier() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let costs = graph(&mut rng, &[6, 7, 8, 5], 2);
    let error = ExactPairing::minimum().solve(&costs).unwrap_err();
    let SolveError::NoPerfectMatching(barrier) = error else {
        panic!("{error}");
    };
    assert_eq!((barrier.odd_components, barrier.vertices.len()), (2, 0));
    assert_eq!(barrier.unplaced.len(), 2);
}
