//! Points in space are verified without reading every pair, and no claim passes that would not pass by rows.

use std::sync::atomic::{AtomicUsize, Ordering};

use matchwright_solver::{
    Blossom, Certificate, CertificateParts, Coordinates, CostOracle, EuclideanCosts, ExactPairing, Objective,
    Pairing, PairingSolver, VerifyError, verify, verify_bound,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Points whose oracle counts what it is asked for, may hide where they lie, and may make one pair cheaper.
struct Points<'a> {
    costs: &'a EuclideanCosts,
    hidden: bool,
    cheaper: Option<(usize, usize)>,
    asked: AtomicUsize,
}

impl<'a> Points<'a> {
    fn new(costs: &'a EuclideanCosts) -> Self {
        Self {
            costs,
            hidden: false,
            cheaper: None,
            asked: AtomicUsize::new(0),
        }
    }

    fn hidden(costs: &'a EuclideanCosts) -> Self {
        Self {
            hidden: true,
            ..Self::new(costs)
        }
    }
}

impl CostOracle for Points<'_> {
    fn vertices(&self) -> usize {
        self.costs.vertices()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let share = if self.cheaper == Some((i.min(j), i.max(j))) {
            0.9
        } else {
            1.0
        };
        self.costs.cost(i, j).map(|cost| share * cost)
    }

    fn coordinates(&self) -> Option<Coordinates<'_>> {
        self.costs.coordinates().filter(|_| !self.hidden)
    }
}

/// Even draws, clusters of odd sizes, points that coincide, a line of whole numbers, and three dimensions.
fn drawn(kind: usize, n: usize, rng: &mut ChaCha8Rng) -> EuclideanCosts {
    let dimensions = [2, 2, 2, 1, 3][kind];
    let mut values = Vec::new();
    for v in 0..n {
        for _ in 0..dimensions {
            let even: f64 = rng.random();
            values.push(match kind {
                1 => 10.0 * ((v / 7) as f64).sin() + 0.01 * even,
                2 => (4.0 * even).floor(),
                3 => (1000.0 * even).floor(),
                _ => even,
            });
        }
    }
    EuclideanCosts::from_points(dimensions, values).unwrap()
}

fn with_duals(pairing: &Pairing, change: impl FnOnce(&mut CertificateParts)) -> Pairing {
    let mut parts = pairing.certificate().unwrap().clone().into_parts();
    change(&mut parts);
    let certificate = Certificate::from_parts(parts);
    Pairing::from_parts(
        pairing.mates().to_vec(),
        pairing.cost(),
        pairing.objective(),
        Some(certificate),
    )
}

#[test]
fn a_claim_passes_by_points_as_it_does_by_rows() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut passed, mut refused) = (0, 0);
    for round in 0..400 {
        let n = 2 * rng.random_range(1..40);
        let costs = drawn(round % 5, n, &mut rng);
        let pairing = ExactPairing::minimum().solve(&costs).unwrap();
        let verdict = verify(&costs, &pairing).unwrap();
        assert!(verdict.optimal);
        let by_rows = verify(&Points::hidden(&costs), &pairing).unwrap();
        assert_eq!((verdict.cost, verdict.optimal), (by_rows.cost, by_rows.optimal));
        // A dual too high, by little or by much, balanced or not.
        let (up, down) = (rng.random_range(0..n), rng.random_range(0..n));
        let by = 1_i128 << rng.random_range(0..56);
        let claim = with_duals(&pairing, |parts| {
            parts.vertex_duals[up] += by;
            parts.vertex_duals[down] -= by;
        });
        let (by_points, by_rows) = (verify(&costs, &claim), verify(&Points::hidden(&costs), &claim));
        assert_eq!(
            by_points.is_ok(),
            by_rows.is_ok(),
            "{round}: {by_points:?} {by_rows:?}"
        );
        passed += usize::from(by_points.is_ok());
        refused += usize::from(by_points.is_err());
        let bound = |costs: &dyn CostOracle| {
            verify_bound(costs, Objective::Minimize, claim.certificate().unwrap()).is_ok()
        };
        assert_eq!(bound(&costs), bound(&Points::hidden(&costs)), "{round}");
    }
    assert!(passed > 10 && refused > 200, "{passed} {refused}");
}

#[test]
fn distances_that_are_rounded_keep_coordinates_and_are_proven_exactly() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for round in 0..60 {
        let n = 2 * rng.random_range(1..60);
        let values = (0..2 * n).map(|_| 40.0 * rng.random::<f64>()).collect();
        let costs = EuclideanCosts::from_points(2, values).unwrap().rounded();
        let pairing = ExactPairing::minimum().solve(&costs).unwrap();
        assert!(verify(&costs, &pairing).unwrap().is_exact(), "{round}");
        let by_rows = ExactPairing::minimum().solve(&Points::hidden(&costs)).unwrap();
        assert_eq!(pairing.cost(), by_rows.cost(), "{round}");
        assert_eq!(pairing.cost().fract(), 0.0);
    }
}

#[test]
fn of_many_points_few_pairs_are_read() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let costs = drawn(0, 20_000, &mut rng);
    let pairing = ExactPairing::minimum().solve(&costs).unwrap();
    let counted = Points::new(&costs);
    assert!(verify(&counted, &pairing).unwrap().optimal);
    let asked = counted.asked.load(Ordering::Relaxed) / 20_000;
    assert!((4..2_000).contains(&asked), "{asked} for each vertex");
}

#[test]
fn a_pair_cheaper_than_its_distance_is_named() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let costs = drawn(0, 60, &mut rng);
    let pairing = ExactPairing::minimum().solve(&costs).unwrap();
    let pair = pairing.pairs().next().unwrap();
    let lying = Points {
        cheaper: Some(pair),
        ..Points::new(&costs)
    };
    let bound = verify_bound(&lying, Objective::Minimize, pairing.certificate().unwrap());
    assert!(
        matches!(bound, Err(VerifyError::Cheaper { i, j, .. }) if (i, j) == pair),
        "{bound:?}"
    );
}

/// Points so far apart that the squares of their distances are beyond the floats.
struct Far([f64; 4]);

impl CostOracle for Far {
    fn vertices(&self) -> usize {
        4
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some((self.0[i] - self.0[j]).abs())
    }

    fn coordinates(&self) -> Option<Coordinates<'_>> {
        Some(Coordinates {
            dimensions: 1,
            values: &self.0,
            slack: 0.0,
        })
    }
}

#[test]
fn points_beyond_the_squares_of_floats_are_read_by_rows() {
    let costs = Far([0.0, 1e200, 3e200, 7e200]);
    let pairing = ExactPairing::minimum().solve(&costs).unwrap();
    assert!(verify(&costs, &pairing).unwrap().optimal);
}

#[test]
fn what_a_blossom_gives_back_is_neither_forgotten_nor_counted_twice() {
    // Pairs cost their distance on a line of whole numbers. All are in one blossom with the dual 100, and only the pair of 0
    // and 40 has duals above it: 2 * 40 - 91 - 91 + 100 = -2.
    let costs = EuclideanCosts::from_points(1, (0..63).map(f64::from).collect()).unwrap();
    let claim = |dual: i128, blossom: i128| {
        let mut vertex_duals = vec![-1000; 63];
        (vertex_duals[0], vertex_duals[40]) = (dual, dual);
        Certificate::from_parts(CertificateParts {
            resolution: 1.0,
            quantisation_error: 0.0,
            dual_bound: 0.0,
            vertex_duals,
            blossoms: vec![Blossom {
                direct_vertices: (0..63).collect(),
                around: None,
                dual: blossom,
            }],
            barrier: None,
        })
    };
    for (dual, blossom, reduced) in [(91, 100, -2), (41, 0, -2), (90, 100, 0), (500, 900, -20)] {
        let bound = verify_bound(&costs, Objective::Minimize, &claim(dual, blossom));
        let expected = VerifyError::NegativeReducedCost { i: 0, j: 40, reduced };
        assert_eq!(bound == Err(expected), reduced < 0, "{dual} {blossom}: {bound:?}");
    }
}
