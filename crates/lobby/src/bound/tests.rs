//! Linear programs against another solver, branch and bound against the exact cover.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT};

use super::interior::Packing;
use super::tree::Tree;
use super::*;
use crate::random::{SplitMix64, symmetric};
use crate::terms::Balance;

/// The least sum of right x dual such that no column gains more than its duals and none is below minus its row's
/// cost.
fn by_clarabel(columns: &[(f64, Vec<u32>)], right: &[f64], costs: &[f64]) -> f64 {
    let rows = columns.len() + right.len();
    let mut of_dual = vec![Vec::new(); right.len()];
    for (at, (_, list)) in columns.iter().enumerate() {
        for &row in list {
            of_dual[row as usize].push(at);
        }
    }
    let (mut starts, mut places) = (vec![0], Vec::new());
    for (row, list) in of_dual.into_iter().enumerate() {
        places.extend(list);
        places.push(columns.len() + row);
        starts.push(places.len());
    }
    let values = vec![-1.0; places.len()];
    let matrix = CscMatrix::new(rows, right.len(), starts, places, values);
    let most: Vec<f64> = columns
        .iter()
        .map(|column| -column.0)
        .chain(costs.iter().copied())
        .collect();
    let settings = DefaultSettingsBuilder::default().verbose(false).build().unwrap();
    let nothing = CscMatrix::zeros((right.len(), right.len()));
    let mut solver = DefaultSolver::new(
        &nothing,
        right,
        &matrix,
        &most,
        &[NonnegativeConeT(rows)],
        settings,
    )
    .unwrap();
    solver.solve();
    solver.solution.obj_val
}

#[test]
fn programs_end_where_another_solver_ends_and_both_sides_agree() {
    let mut bits = SplitMix64(3);
    for case in 0..60 {
        let rows = 4 + bits.below(30);
        let columns: Vec<(f64, Vec<u32>)> = (0..10 * rows)
            .map(|_| {
                let mut list: Vec<u32> = (0..u32::try_from(rows).unwrap()).collect();
                bits.shuffle(&mut list);
                list.truncate(1 + bits.below(4));
                (bits.unit(), list)
            })
            .collect();
        let right: Vec<f64> = (0..rows).map(|row| if row == 0 { 5.0 } else { 1.0 }).collect();
        // Programs without costs have degenerate duals.
        let costs: Vec<f64> = (0..rows)
            .map(|_| if case % 2 == 0 { 0.0 } else { 0.3 * bits.unit() })
            .collect();
        let mut program = Packing::new(right.clone(), costs.clone());
        for (gain, list) in &columns {
            program.add(*gain, list.iter().copied());
        }
        let optimum = program.solve(1e-9, &|| false).unwrap();
        let of_duals: f64 = optimum
            .duals
            .iter()
            .zip(&right)
            .map(|(dual, right)| dual * right)
            .sum();
        let expected = by_clarabel(&columns, &right, &costs);
        assert!(
            (of_duals - expected).abs() < 1e-6 * (1.0 + expected.abs()),
            "case {case}: {of_duals} {expected}"
        );
        let mut left = right.clone();
        let mut gained = 0.0;
        for ((gain, list), share) in columns.iter().zip(&optimum.shares) {
            assert!(*share >= 0.0);
            gained += gain * share;
            let paid: f64 = list.iter().map(|&row| optimum.duals[row as usize]).sum();
            assert!(
                gain - paid < 1e-6,
                "case {case}: a column gains more than it pays"
            );
            for &row in list {
                left[row as usize] -= share;
            }
        }
        assert!(
            left.iter().all(|left| *left > -1e-6),
            "case {case}: too much is taken"
        );
        let cost: f64 = left.iter().zip(&costs).map(|(left, cost)| left * cost).sum();
        assert!(
            (gained - cost - expected).abs() < 1e-6 * (1.0 + expected.abs()),
            "case {case}"
        );
    }
}

/// A pool with parties in which some are best unmatched, and terms of every kind.
fn world(players: usize, bits: &mut SplitMix64) -> (LobbyPool, LobbyTerms) {
    let skills: Vec<f64> = (0..players).map(|_| bits.unit()).collect();
    let pings = symmetric(players, 0.0, 1.0, bits);
    let terms = LobbyTerms::new(players)
        .unwrap()
        .with_pairs(
            |i, j| Some(0.02 * pings[i * players + j]),
            |i, j| (pings[i * players + j] > 0.02).then(|| 0.05 * pings[i * players + j]),
        )
        .unwrap()
        .with_balance(Balance::new(skills, 0.3, |gap| 0.3 * (1.0 - gap).powi(2)))
        .unwrap()
        .with_links(
            |i, j| pings[i * players + j] < 0.9 || i == j,
            vec![0.0, 0.02, 0.05],
        )
        .unwrap();
    let parties: Vec<Vec<usize>> = (0..players / 6).map(|k| vec![2 * k, 2 * k + 1]).collect();
    let pool = LobbyPool::new(players, [3, 3])
        .unwrap()
        .with_parties(&parties)
        .unwrap();
    let penalties: Vec<f64> = (0..players).map(|_| 0.1 * bits.unit()).collect();
    (pool.with_unmatched_penalties(&penalties).unwrap(), terms)
}

#[test]
fn branch_and_bound_ends_where_the_exact_cover_ends() {
    let mut bits = SplitMix64(17);
    let mut branched = 0;
    for players in [12, 13, 18, 19, 20, 24] {
        for _ in 0..10 {
            let (pool, terms) = world(players, &mut bits);
            let meter = Meter::default();
            let mut bounding = Bounding::new(&pool, &terms, 0.0, 1, &meter);
            bounding.improve(0.0, false).unwrap();
            // Anything worth more than this is looked for, so that there is something to find.
            bounding.value = bounding.best.bound - 0.08 * bounding.best.bound.abs();
            let columns = bounding.that_matter(usize::MAX).unwrap().unwrap();
            let all: Vec<&Column> = columns.iter().collect();
            let best = &bounding.best;
            let (cover, ended) = bounding.cover(best, &all, bounding.value, u64::MAX);
            assert!(ended.is_ok() && cover.is_complete);
            let expected = best.bound - cover.best.unwrap().1;

            let spent = meter.work();
            let mut tree = Tree::new(&bounding, &columns);
            tree.few = 0;
            assert_eq!(tree.run(best.clone()), Ok(true));
            assert!(tree.found.is_some());
            assert!(
                (tree.value - expected).abs() < 1e-7,
                "{players} players: {} beside {expected}",
                tree.value
            );
            assert!(tree.certificate.unwrap().bound >= expected - 1e-9);
            branched += usize::from(meter.work() > spent + 10 * (players as u64).pow(3));
        }
    }
    assert!(branched > 5, "{branched} needed branches");
}
