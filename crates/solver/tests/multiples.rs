//! Costs in tenths or thirds, solved and proven as the integers that they stand for.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{proven, random_edges, rng, sparse};
use matchwright_solver::{
    CostOracle, DenseCosts, ExactPairing, MultipleError, Objective, PairingSolver, SolveError,
    UnmatchedPenalties, VerifyError, WholeMultiples, verify,
};
use rand::RngExt;

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];
const THREE: NonZeroU32 = NonZeroU32::new(3).unwrap();
const TEN: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Gaps in rating; a sample is copied.
struct Gaps(Vec<f64>);

impl CostOracle for Gaps {
    fn vertices(&self) -> usize {
        self.0.len()
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some((self.0[i] - self.0[j]).abs())
    }
    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let ratings = vertices.iter().map(|&v| self.0[v as usize]);
        Some(Box::new(Self(ratings.collect())))
    }
}

/// Solves and proves the multiples, which cost what the integers do; the costs themselves are rounded, but for gaps:
/// these have few bits, all of them wrong below those of the ratings.
fn check(costs: &dyn CostOracle, multiple: NonZeroU32, integers: &dyn CostOracle) {
    let whole = WholeMultiples::new(costs, multiple).unwrap();
    #[cfg(feature = "laws")]
    if costs.vertices() < 100 {
        matchwright_solver::laws::check_oracle(&whole).unwrap();
    }
    for objective in BOTH {
        let best = proven(objective, &whole);
        assert!(verify(&whole, &best).unwrap().is_exact());
        assert_eq!(best.cost(), proven(objective, integers).cost());
        let rounded = proven(objective, costs);
        let differences = costs.as_dense().is_none() && !costs.is_sparse();
        assert_eq!(verify(costs, &rounded).unwrap().is_exact(), differences);
        let back = best.cost() / f64::from(multiple.get());
        assert!((rounded.cost() - back).abs() < 1e-6, "{back} {}", rounded.cost());
        // The proof is of the multiples, not of the costs.
        assert!(verify(costs, &best).is_err());
    }
}

#[test]
fn tenths_and_thirds_are_proven_as_integers() {
    let mut rng = rng(3);
    for n in [40, 41, 2050] {
        let ratings: Vec<i32> = (0..n).map(|_| rng.random_range(10_000..20_000)).collect();
        let integers = Gaps(ratings.iter().map(|&r| f64::from(r)).collect());
        let thirds = Gaps(ratings.iter().map(|&r| f64::from(r) / 3.0).collect());
        if n % 2 == 0 {
            check(&thirds, THREE, &integers);
        }
        if n < 100 {
            let tenths = DenseCosts::from_fn(n, |i, j| integers.cost(i, j).unwrap() / 10.0).unwrap();
            for most in [false, true] {
                let unmatched = |costs, unit: f64| {
                    let penalties = ratings.iter().map(|r| f64::from(r % 50) / unit).collect();
                    if most {
                        UnmatchedPenalties::maximum_cardinality(costs).with_penalties(penalties)
                    } else {
                        UnmatchedPenalties::new(costs, penalties)
                    }
                };
                let integers = unmatched(&integers, 1.0).unwrap();
                check(&unmatched(&tenths, 10.0).unwrap(), TEN, &integers);
            }
        }
    }
    let mut edges = random_edges(&mut rng, 60, 0.3, |rng| f64::from(rng.random_range(-99..100)));
    let integers = sparse(60, &edges);
    for edge in &mut edges {
        edge.2 /= 10.0;
    }
    check(&sparse(60, &edges), TEN, &integers);
}

#[test]
fn another_cost_is_refused_with_its_pair() {
    let contradiction = |odd: f64, is_sparse: bool| {
        let cost = |i: usize, j: usize| if (i, j) == (2, 5) { odd } else { 0.3 };
        let pairs = (0..6).flat_map(|i| (i + 1..6).map(move |j| (i, j)));
        let edges: Vec<_> = pairs.map(|(i, j)| (i, j, cost(i, j))).collect();
        let lists = sparse(6, &edges);
        let matrix = DenseCosts::from_fn(6, cost).unwrap();
        let costs: &dyn CostOracle = if is_sparse { &lists } else { &matrix };
        WholeMultiples::new(costs, TEN).err()
    };
    for is_sparse in [false, true] {
        for cost in [0.25, 0.700_001, -1.04, 1.2e14, f64::MAX, 5e-7] {
            let error = MultipleError::Pair {
                i: 2,
                j: 5,
                cost,
                multiple: TEN,
            };
            assert_eq!(contradiction(cost, is_sparse), Some(error));
        }
        // Sums of tenths, and the last bit of large ones.
        for cost in [0.1 + 0.2, 0.0, -1e13 + 0.1, 8.4e13 + 0.7, 1e-9] {
            assert_eq!(contradiction(cost, is_sparse), None, "{cost}");
        }
    }
    let costs = DenseCosts::from_fn(2, |_, _| 0.5).unwrap();
    let costs = UnmatchedPenalties::new(&costs, vec![0.5, 0.25]).unwrap();
    let error = MultipleError::Penalty {
        vertex: 1,
        penalty: 0.25,
        multiple: TEN,
    };
    assert_eq!(WholeMultiples::new(&costs, TEN).unwrap_err(), error);
    assert!(
        error.to_string().contains("vertex 1 has the penalty 0.25"),
        "{error}"
    );
}

#[test]
fn a_cost_that_changes_later_is_refused_too() {
    struct Changing(AtomicBool);
    impl CostOracle for Changing {
        fn vertices(&self) -> usize {
            4
        }
        fn cost(&self, i: usize, j: usize) -> Option<f64> {
            let is_odd = self.0.load(Ordering::Relaxed) && i + j == 5;
            Some(if is_odd { 0.15 } else { 0.1 })
        }
    }
    let costs = Changing(AtomicBool::new(false));
    let whole = WholeMultiples::new(&costs, TEN).unwrap();
    let pairing = ExactPairing::minimum().solve(&whole).unwrap();
    costs.0.store(true, Ordering::Relaxed);
    let solved = ExactPairing::minimum().solve(&whole).unwrap_err();
    assert!(
        matches!(solved, SolveError::NotFinite { i: 2, j: 3, .. }),
        "{solved}"
    );
    let verified = verify(&whole, &pairing).unwrap_err();
    assert!(
        matches!(verified, VerifyError::NotFinite { i: 2, j: 3, .. }),
        "{verified}"
    );
}
