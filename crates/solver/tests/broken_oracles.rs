//! Oracles that break their contract get a typed error from solver and judge, never a panic or a wrong
//! answer.

use crate::common::exact;
use matchwright_solver::{
    BruteForce, Certificate, CertificateParts, CostOracle, DenseCosts, GreedyPairing, Objective, Pairing,
    PairingSolver, RandomPairing, SolveError, SortAdjacent, VerifyError, verify,
};

/// Complete, costing 1, but for what the closure says.
struct Odd<F>(usize, F);

impl<F: Fn(usize, usize) -> Option<f64> + Sync> CostOracle for Odd<F> {
    fn vertices(&self) -> usize {
        self.0
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        (self.1)(i, j)
    }
}

/// A pairing of four vertices at 1 a pair, with a certificate that fits.
fn claim() -> Pairing {
    let certificate = Certificate::from_parts(CertificateParts {
        resolution: 1.0,
        quantisation_error: 0.0,
        dual_bound: 2.0,
        vertex_duals: vec![1; 4],
        blossoms: vec![],
        barrier: None,
    });
    Pairing::from_parts(
        vec![1, 0, 3, 2],
        2.0,
        Some(Objective::Minimize),
        Some(certificate),
    )
}

#[test]
fn the_claim_fits_an_honest_oracle() {
    assert!(
        verify(&DenseCosts::from_fn(4, |_, _| 1.0).unwrap(), &claim())
            .unwrap()
            .is_exact()
    );
}

#[test]
fn costs_that_are_no_numbers_are_named() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let costs = Odd(4, |i: usize, j: usize| Some(if i + j == 5 { bad } else { 1.0 }));
        let error = exact(Objective::Minimize, &costs).unwrap_err();
        assert!(
            matches!(error, SolveError::NotFinite { i: 2, j: 3, .. }),
            "{error}"
        );
        let error = GreedyPairing::new(Objective::Maximize).solve(&costs).unwrap_err();
        assert!(
            matches!(error, SolveError::NotFinite { i: 2, j: 3, .. }),
            "{error}"
        );
        let error = SortAdjacent::by_index().solve(&costs).unwrap_err();
        assert!(
            matches!(error, SolveError::NotFinite { i: 2, j: 3, .. }),
            "{error}"
        );
        let error = verify(&costs, &claim()).unwrap_err();
        assert!(
            matches!(error, VerifyError::NotFinite { i: 2, j: 3, .. }),
            "{error}"
        );
    }
}

#[test]
fn asymmetric_costs_are_named_by_solver_and_judge() {
    // On a pair that is not in the pairing, so that only a full reading finds it.
    let dearer = Odd(4, |i: usize, j: usize| {
        Some(if (i, j) == (3, 0) { 2.0 } else { 1.0 })
    });
    let hidden = Odd(4, |i: usize, j: usize| ((i, j) != (3, 0)).then_some(1.0));
    let oracles: [&dyn CostOracle; 2] = [&dearer, &hidden];
    for costs in oracles {
        let error = exact(Objective::Minimize, costs).unwrap_err();
        assert!(
            matches!(
                error,
                SolveError::Asymmetric {
                    i: 0,
                    j: 3,
                    forward: Some(1.0),
                    ..
                }
            ),
            "{error}"
        );
        let error = BruteForce::default().solve(costs).unwrap_err();
        assert!(matches!(error, SolveError::Asymmetric { .. }), "{error}");
        let error = verify(costs, &claim()).unwrap_err();
        assert!(
            matches!(
                error,
                VerifyError::Asymmetric {
                    i: 0,
                    j: 3,
                    forward: Some(1.0),
                    ..
                }
            ),
            "{error}"
        );
    }
    let within = Odd(4, |i: usize, j: usize| {
        Some(if (i, j) == (1, 0) { 2.0 } else { 1.0 })
    });
    assert!(matches!(
        verify(&within, &claim()),
        Err(VerifyError::Asymmetric { i: 0, j: 1, .. })
    ));
}

/// Visits what it is told to, whatever the costs are.
struct Visits(Vec<Vec<usize>>);

impl CostOracle for Visits {
    fn vertices(&self) -> usize {
        self.0.len()
    }
    fn cost(&self, _: usize, _: usize) -> Option<f64> {
        Some(1.0)
    }
    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        self.0[i].iter().for_each(|&j| visit(j, 1.0));
    }
    fn is_sparse(&self) -> bool {
        true
    }
}

#[test]
fn neighbours_that_are_none_are_named() {
    for (row, j) in [
        (vec![1, 1, 2, 3], 1),
        (vec![0, 1, 2, 3], 0),
        (vec![1, 2, 3, 4], 4),
    ] {
        let costs = Visits(vec![row, vec![0, 2, 3], vec![0, 1, 3], vec![0, 1, 2]]);
        let error = exact(Objective::Minimize, &costs).unwrap_err();
        assert_eq!(error, SolveError::BadNeighbour { i: 0, j, vertices: 4 });
        assert_eq!(
            verify(&costs, &claim()).unwrap_err(),
            VerifyError::BadNeighbour { i: 0, j }
        );
    }
    // A pair of the claim that is not among the neighbours is not allowed.
    let costs = Visits(vec![vec![2, 3], vec![2, 3], vec![0, 1], vec![0, 1]]);
    assert_eq!(
        verify(&costs, &claim()).unwrap_err(),
        VerifyError::Forbidden { i: 0, j: 1 }
    );
}

#[test]
fn a_graph_of_absurd_size_is_refused_before_memory_is_taken() {
    let costs = Odd(usize::MAX - 1, |_, _| Some(1.0));
    let error = exact(Objective::Minimize, &costs).unwrap_err();
    assert!(matches!(error, SolveError::TooManyVertices { .. }));
    let solvers: [Box<dyn PairingSolver>; 3] = [
        Box::new(SortAdjacent::by_index()),
        Box::new(RandomPairing::new(1)),
        Box::new(GreedyPairing::new(Objective::Minimize)),
    ];
    for solver in solvers {
        let error = solver.solve(&costs).unwrap_err();
        assert!(matches!(error, SolveError::TooManyVertices { .. }));
    }
}

#[test]
fn costs_whose_sum_is_no_number_are_an_error() {
    let costs = DenseCosts::from_fn(4, |_, _| f64::MAX).unwrap();
    let error = exact(Objective::Minimize, &costs).unwrap_err();
    assert_eq!(error, SolveError::SumOverflow { sum: f64::INFINITY });
}

#[test]
fn the_largest_and_smallest_floats_are_exact() {
    for size in [2.0_f64.powi(1021), f64::MIN_POSITIVE, 5e-324] {
        let costs = DenseCosts::from_fn(4, |i, j| if i + j == 3 { size } else { 3.0 * size }).unwrap();
        let pairing = exact(Objective::Minimize, &costs).unwrap();
        assert_eq!(pairing.mates(), [3, 2, 1, 0]);
        assert!(verify(&costs, &pairing).unwrap().is_exact());
    }
}
