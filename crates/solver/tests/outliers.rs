//! A few costs that are much larger than those a solver looked at first, and costs near the end of the floats.

use crate::common::{eomm, exact, rng, uniform};
use matchwright_solver::{
    Coordinates, CostOracle, DenseCosts, EuclideanCosts, ExactPairing, Limits, Objective, PairingSolver,
    SolveError, SparseCosts, Workspace, verify, verify_bound,
};
use rand::RngExt;

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];

/// Costs from 0 to 1 of any two, except for a few pairs, which cost the penalty. Read by rows.
struct Penalised {
    vertices: usize,
    penalty: f64,
}

impl Penalised {
    /// The pairs in question are those that a solver might fall back on.
    fn is_outlier(&self, i: usize, j: usize) -> bool {
        i.abs_diff(j) == self.vertices / 2 && i.min(j) % 100 == 7
    }
}

impl CostOracle for Penalised {
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let (low, high) = (i.min(j) as u64, i.max(j) as u64);
        let hash = (low << 32 | high).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let usual = ((hash ^ (hash >> 32)) >> 11) as f64 / (1_u64 << 53) as f64;
        Some(if self.is_outlier(i, j) {
            self.penalty
        } else {
            usual
        })
    }
}

#[test]
fn a_few_dear_pairs_of_a_large_graph_do_no_harm() {
    for penalty in [0.999, 10.0, 1e6, 1e15] {
        let costs = Penalised {
            vertices: 2100,
            penalty,
        };
        let pairing = exact(Objective::Minimize, &costs).unwrap();
        assert!(verify(&costs, &pairing).unwrap().optimal, "{penalty}");
        assert!(pairing.pairs().all(|(i, j)| !costs.is_outlier(i, j)));
        // To maximise, they are what counts.
        let most = exact(Objective::Maximize, &costs).unwrap();
        assert!(verify(&costs, &most).unwrap().optimal, "{penalty}");
        assert!(penalty < 1.0 || most.pairs().filter(|&(i, j)| costs.is_outlier(i, j)).count() == 11);
    }
}

/// Points, with a fee for some pairs on top of the distance.
struct WithFees(EuclideanCosts, f64);

impl CostOracle for WithFees {
    fn vertices(&self) -> usize {
        self.0.vertices()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let fee = if (i + j) % 50 == 3 { self.1 } else { 0.0 };
        self.0.cost(i, j).map(|cost| cost + fee)
    }

    fn coordinates(&self) -> Option<Coordinates<'_>> {
        self.0.coordinates()
    }
}

#[test]
fn fees_far_beyond_the_distances_do_no_harm() {
    let mut rng = rng(3);
    let points: Vec<f64> = (0..1200).map(|_| rng.random()).collect();
    let points = EuclideanCosts::from_points(2, points).unwrap();
    for fee in [10.0, 1e6, 1e15] {
        let costs = WithFees(points.clone(), fee);
        let pairing = exact(Objective::Minimize, &costs).unwrap();
        assert!(verify(&costs, &pairing).unwrap().optimal, "{fee}");
        assert!(pairing.cost() < 10.0);
    }
}

/// A power of two changes nothing but the scale, also where no two costs can be added.
#[test]
fn costs_near_the_largest_float_are_solved_as_any() {
    let (mut workspace, large) = (Workspace::new(), 2.0_f64.powi(1010));
    for n in [4, 40, 150] {
        let usual = uniform(n, 5);
        let vast = DenseCosts::from_fn(n, |i, j| usual.cost(i, j).unwrap() * large).unwrap();
        let edges = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let edges = edges.filter(|(i, j)| (i + j) % 4 > 0 || i % 2 == j % 2);
        let lists = SparseCosts::from_edges(n, edges.map(|(i, j)| (i, j, vast.cost(i, j).unwrap()))).unwrap();
        let small =
            DenseCosts::from_optional_fn(n, |i, j| lists.cost(i, j).map(|cost| cost / large)).unwrap();
        for (vast, usual) in [(&vast as &dyn CostOracle, &usual), (&lists, &small)] {
            for objective in BOTH {
                let solver = ExactPairing::new(objective);
                let expected = solver
                    .solve_in(&mut workspace, usual, &Limits::unlimited())
                    .unwrap();
                let found = solver
                    .solve_in(&mut workspace, vast, &Limits::unlimited())
                    .unwrap();
                assert_eq!(found.mates(), expected.mates());
                assert_eq!(found.cost(), expected.cost() * large);
                assert!(verify(vast, &found).unwrap().optimal);
                let duals: Vec<f64> = found.certificate().unwrap().duals().collect();
                let again = solver.solve_from(&mut workspace, vast, &duals).unwrap();
                assert_eq!(again.mates(), expected.mates());
            }
        }
    }
}

#[test]
fn observers_see_vast_duals_as_they_are() {
    let large = 2.0_f64.powi(1010);
    let usual = uniform(150, 5);
    let vast = DenseCosts::from_fn(150, |i, j| usual.cost(i, j).unwrap() * large).unwrap();
    let last_duals = |costs: &DenseCosts| {
        let (mut workspace, mut duals) = (Workspace::new(), Vec::new());
        let solver = ExactPairing::minimum();
        let all = |progress: &matchwright_solver::Snapshot<'_>| {
            duals = progress.duals().collect::<Vec<_>>();
            true
        };
        let answer = solver.solve_while(&mut workspace, costs, &mut { all }).unwrap();
        assert_eq!(answer.gap(), 0.0);
        duals
    };
    let (vast, usual) = (last_duals(&vast), last_duals(&usual));
    assert!(
        vast.iter()
            .zip(&usual)
            .all(|(vast, usual)| *vast == usual * large)
    );
}

#[test]
fn a_vast_solve_that_is_stopped_has_a_bound_all_the_same() {
    let (usual, large) = (eomm(150, 5), 2.0_f64.powi(1010));
    let vast = DenseCosts::from_fn(150, |i, j| usual.cost(i, j).unwrap() * large).unwrap();
    let stopped = |costs: &DenseCosts| {
        let mut looks = 0;
        let answer = ExactPairing::minimum().solve_while(&mut Workspace::new(), costs, &mut |_| {
            looks += 1;
            looks < 60
        });
        let answer = answer.unwrap();
        assert!(verify_bound(costs, Objective::Minimize, answer.certificate()).is_ok());
        (answer.certificate().dual_bound(), answer.gap())
    };
    let (bound, gap) = stopped(&usual);
    assert_eq!(stopped(&vast), (bound * large, gap * large));
    assert!(gap > 0.0);
}

#[test]
fn what_vanishes_beside_vast_costs_is_not_called_exact() {
    let edges = [(0, 1, 1e300), (2, 3, -1e300), (0, 2, 1e-300), (1, 3, 2e-300)];
    let costs = SparseCosts::from_edges(4, edges).unwrap();
    let pairing = exact(Objective::Minimize, &costs).unwrap();
    assert!(verify(&costs, &pairing).is_ok());
    assert!(pairing.certificate().unwrap().quantisation_error() > 0.0);
}

#[test]
fn mistakes_among_vast_costs_are_told_as_they_are() {
    struct OneWay;
    impl CostOracle for OneWay {
        fn vertices(&self) -> usize {
            2100
        }
        fn cost(&self, i: usize, j: usize) -> Option<f64> {
            Some(if i < j { 1e300 } else { 2e300 })
        }
    }
    let error = exact(Objective::Minimize, &OneWay).unwrap_err();
    let SolveError::Asymmetric {
        forward: Some(forward),
        backward: Some(backward),
        ..
    } = error
    else {
        unreachable!("{error}")
    };
    assert_eq!((forward, backward), (1e300, 2e300));
}
