//! An exact solve that is watched, and stopped anywhere, has an answer with a bound that holds.

use matchwright_solver::{
    CostOracle, DenseCosts, EuclideanCosts, ExactPairing, Limits, Objective, PairingSolver, Progress,
    Snapshot, SolveError, SparseCosts, Stage, Status, TreeLabel, Workspace, verify, verify_bound,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A graph of each kind that is read in a way of its own, with 60 to 300 vertices.
fn graphs() -> Vec<(&'static str, Box<dyn CostOracle>)> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let skills: Vec<[f64; 3]> = (0..300)
        .map(|_| std::array::from_fn(|_| rng.random_range(0.0..1.0)))
        .collect();
    let smooth = move |i: usize, j: usize| {
        let gap: f64 = skills[i].iter().zip(&skills[j]).map(|(a, b)| (a - b).abs()).sum();
        gap + skills[i][0] * skills[j][0]
    };
    let coarse = DenseCosts::from_fn(120, |_, _| f64::from(rng.random_range(0..40))).unwrap();
    let mut edges: Vec<(usize, usize, f64)> = (0..150).map(|i| (i, (i + 1) % 150, 9.0)).collect();
    for i in 0..150_usize {
        for step in [2, 7, 31] {
            let j = (i + step) % 150;
            edges.push((i, j, f64::from(rng.random_range(0..1000))));
        }
    }
    edges.sort_by_key(|&(i, j, _)| (i.min(j), i.max(j)));
    edges.dedup_by_key(|&mut (i, j, _)| (i.min(j), i.max(j)));
    let points = (0..400).map(|_| rng.random_range(0.0..1.0)).collect();
    vec![
        ("smooth", Box::new(DenseCosts::from_fn(300, smooth).unwrap())),
        ("coarse", Box::new(coarse)),
        ("sparse", Box::new(SparseCosts::from_edges(150, edges).unwrap())),
        (
            "points",
            Box::new(EuclideanCosts::from_points(2, points).unwrap()),
        ),
    ]
}

#[test]
fn stopped_anywhere_there_is_a_pairing_and_a_bound_that_holds() {
    let mut workspace = Workspace::new();
    for (name, costs) in graphs() {
        for objective in [Objective::Minimize, Objective::Maximize] {
            let solver = ExactPairing::new(objective);
            let mut looks = 0;
            let best = solver
                .solve_while(&mut workspace, &*costs, &mut |_| {
                    looks += 1;
                    true
                })
                .unwrap();
            assert_eq!(best.pairing(), &solver.solve(&*costs).unwrap(), "{name}");
            assert!(best.relative_gap() < 1e-11, "{name}");
            assert!(looks > 2, "{name}: {looks}");
            let mut gaps = Vec::new();
            for stop in (1..=looks).step_by(1 + looks / 12) {
                let mut left = stop;
                let early = solver
                    .solve_while(&mut workspace, &*costs, &mut |_| {
                        left -= 1;
                        left > 0
                    })
                    .unwrap();
                verify_bound(&*costs, objective, early.certificate()).unwrap();
                let sign = objective.as_minimum(1.0);
                assert!(
                    sign * early.pairing().cost() >= sign * best.pairing().cost(),
                    "{name} {stop}"
                );
                assert!(
                    sign * early.certificate().dual_bound() <= sign * best.pairing().cost(),
                    "{name} {stop}"
                );
                gaps.push(early.relative_gap());
            }
            // Who waits longer gets more.
            let last = gaps[gaps.len() - 1];
            assert!(last < gaps[0], "{name} {objective:?}: {gaps:?}");
        }
    }
}

#[test]
fn what_is_shown_fits_together() {
    for (name, costs) in graphs() {
        let mut stages = Vec::new();
        let mut check = |progress: &Snapshot<'_>| {
            if stages.last() != Some(&progress.stage()) {
                stages.push(progress.stage());
            }
            check_look(name, &*costs, progress);
            true
        };
        let mut workspace = Workspace::new();
        let best = ExactPairing::minimum()
            .solve_while(&mut workspace, &*costs, &mut check)
            .unwrap();
        assert!(verify(&*costs, best.pairing()).unwrap().optimal);
        assert_eq!(stages.first(), Some(&Stage::Start), "{name}");
        assert_eq!(stages.last(), Some(&Stage::Priced), "{name}");
    }
}

fn check_look(name: &str, costs: &dyn CostOracle, progress: &Snapshot<'_>) {
    let n = costs.vertices();
    let mut duals = vec![f64::NAN; n];
    for (v, y) in progress.vertices().zip(progress.duals()) {
        duals[v] = y;
    }
    let mut covered = vec![0; n];
    let mut mark = |v: usize| {
        assert!(!duals[v].is_nan(), "{name}");
        covered[v] += 1;
    };
    for (i, j) in progress.pairs() {
        mark(i);
        mark(j);
    }
    let cycles = progress.odd_cycles();
    assert!(
        cycles
            .iter()
            .all(|cycle| cycle.len() % 2 == 1 && cycle.len() >= 3)
    );
    cycles.iter().flatten().for_each(|&v| mark(v));
    assert!(covered.iter().all(|&times| times <= 1), "{name}");
    let alone = progress.vertices().filter(|&v| covered[v] == 0).count();
    assert_eq!(progress.unpaired(), alone, "{name}");
    let blossoms = progress.blossoms();
    assert!(
        blossoms
            .iter()
            .all(|(vertices, dual)| vertices.len() % 2 == 1 && *dual >= 0.0)
    );
    // Duals are feasible for the candidates, and pairs are tight, but for rounding.
    let slack = |i: usize, j: usize| {
        let both = |(vertices, _): &&(Vec<usize>, f64)| {
            vertices.binary_search(&i).is_ok() && vertices.binary_search(&j).is_ok()
        };
        let shared: f64 = blossoms.iter().filter(both).map(|(_, dual)| dual).sum();
        costs.cost(i, j).unwrap() - duals[i] - duals[j] + shared
    };
    if progress.stage() != Stage::Start {
        for (i, j) in progress.candidates() {
            assert!(slack(i, j) > -1e-9, "{name} {i} {j}: {}", slack(i, j));
        }
        for (i, j) in progress.pairs() {
            assert!(slack(i, j).abs() < 1e-9, "{name} {i} {j}: {}", slack(i, j));
        }
    }
    for (i, j) in progress.violated() {
        assert!(slack(i, j) < 0.0, "{name} {i} {j}");
    }
    let outer = |label: &Option<TreeLabel>| *label == Some(TreeLabel::Outer);
    let some = progress.labels().any(|label| label.is_some());
    assert_eq!(some, progress.stage() == Stage::Blossoms, "{name}");
    // A tree has one more outer node than inner ones, and blossoms in both are odd.
    let tree = progress.labels().flatten().count();
    if some {
        assert_eq!(tree % 2, 1, "{name}");
        assert!(progress.labels().any(|label| outer(&label)), "{name}");
    }
}

#[test]
fn a_graph_without_a_pairing_is_an_error_stopped_or_not() {
    let star = SparseCosts::from_edges(4, [(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]).unwrap();
    let mut workspace = Workspace::new();
    for go_on in [false, true] {
        let solved = ExactPairing::minimum().solve_while(&mut workspace, &star, &mut |_| go_on);
        assert!(matches!(
            solved.unwrap_err(),
            SolveError::DeadEnd { .. } | SolveError::NoPerfectMatching(_)
        ));
    }
}

/// Vertices of a side of each grid.
const SIDE: usize = 81;

/// Two triangulated grids of an odd number of vertices each, joined by one dear edge: the last tree goes through all of one.
fn two_grids(seed: u64) -> SparseCosts {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut edges = vec![(0, SIDE * SIDE, 1e9)];
    for grid in 0..2 {
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            let here = (grid * SIDE + y) * SIDE + x;
            let (right, below) = (x + 1 < SIDE, y + 1 < SIDE);
            for (is_there, step) in [(right, 1), (below, SIDE), (right && below, SIDE + 1)] {
                if is_there {
                    edges.push((here, here + step, f64::from(rng.random_range(1..1_000_000_u32))));
                }
            }
        }
    }
    SparseCosts::from_edges(2 * SIDE * SIDE, edges).unwrap()
}

#[test]
fn a_large_tree_is_looked_at_while_it_grows() {
    let costs = two_grids(9);
    let (mut before, mut largest, mut looks) = ((usize::MAX, 0), 0, 0);
    let mut workspace = Workspace::new();
    let solver = ExactPairing::minimum();
    let best = solver.solve_while(&mut workspace, &costs, &mut |look| {
        if look.stage() == Stage::Blossoms {
            let in_tree = look.labels().flatten().count();
            // A tree does not pair anyone before its end.
            if before.0 == look.unpaired() && in_tree > before.1 {
                assert!(in_tree - before.1 <= 4096, "{in_tree} after {}", before.1);
                looks += 1;
            }
            before = (look.unpaired(), in_tree);
            largest = largest.max(in_tree);
        }
        true
    });
    assert!(verify(&costs, best.unwrap().pairing()).unwrap().is_exact());
    assert!(largest > 6_000 && looks > 0, "{largest} {looks}");
    // Stopped within it, too.
    let stopped = solver.solve_while(&mut workspace, &costs, &mut |look| {
        look.stage() != Stage::Blossoms || look.labels().flatten().count() < 4_096
    });
    let stopped = stopped.unwrap();
    assert!(stopped.gap() > 0.0);
    let bound = verify_bound(&costs, Objective::Minimize, stopped.certificate()).unwrap();
    assert!(bound.dual_bound <= stopped.pairing().cost());
}

#[test]
fn a_limit_of_work_stops_a_used_workspace_where_it_stops_a_fresh_one() {
    let (costs, others) = (two_grids(9), two_grids(10));
    let solver = ExactPairing::minimum();
    let mut used = Workspace::new();
    solver.solve_in(&mut used, &others, &Limits::unlimited()).unwrap();
    for work in [100, 3_000, 4_000, 5_000] {
        let limits = Limits::unlimited().with_work(work);
        let one = solver.approximate_within(&mut used, &costs, &limits).unwrap();
        let other = solver
            .approximate_within(&mut Workspace::new(), &costs, &limits)
            .unwrap();
        assert_eq!(one.pairing(), other.pairing(), "{work}");
        assert_eq!(one.certificate(), other.certificate(), "{work}");
    }
}

/// A grid with one diagonal in each cell, costs drawn evenly: planar, so that blossoms matter.
fn planar(side: usize) -> SparseCosts {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut edges = Vec::new();
    for v in 0..side * side {
        let (inside, above) = (v % side + 1 < side, v + side < side * side);
        let ends = [
            (inside, v + 1),
            (above, v + side),
            (inside && above, v + side + 1),
        ];
        for (_, end) in ends.into_iter().filter(|end| end.0) {
            edges.push((v, end, f64::from(rng.random_range(1..1_000_000))));
        }
    }
    SparseCosts::from_edges(side * side, edges).unwrap()
}

#[test]
fn a_bound_after_a_stop_keeps_the_blossoms() {
    let costs = planar(60);
    let mut workspace = Workspace::new();
    let solver = ExactPairing::minimum();
    let best = solver.solve(&costs).unwrap().cost();
    let (mut trees, mut most) = (0, 0);
    solver
        .solve_while(&mut workspace, &costs, &mut |progress| {
            most += usize::from(progress.stage() == Stage::Blossoms);
            true
        })
        .unwrap();
    let early = solver
        .solve_while(&mut workspace, &costs, &mut |progress| {
            trees += usize::from(progress.stage() == Stage::Blossoms);
            trees < most / 2
        })
        .unwrap();
    let bound = early.certificate();
    assert!(!bound.blossoms().is_empty());
    assert_eq!(
        verify_bound(&costs, Objective::Minimize, bound)
            .unwrap()
            .dual_bound,
        bound.dual_bound()
    );
    let below = 1.0 - bound.dual_bound() / best;
    // Without the blossoms it is 3 percent.
    assert!((0.0..0.02).contains(&below), "{below}");
    let cost = early.pairing().cost();
    assert!(cost >= best && cost < 1.04 * best, "{best} {cost}");
}

#[test]
fn time_is_kept_for_the_end_and_for_the_caller() {
    let costs = planar(40);
    // A clock that only moves by being looked at: reading the graph takes one look at it.
    let stopped_at = |looks: u8, day: u64| {
        let asked = std::sync::atomic::AtomicU64::new(0);
        let clock =
            |_: &Progress| asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) as f64 / day as f64;
        let limits = Limits::unlimited().with_watch(&clock);
        let found = ExactPairing::minimum()
            .with_time_for_looks(looks)
            .approximate_within(&mut Workspace::new(), &costs, &limits)
            .unwrap();
        verify_bound(&costs, Objective::Minimize, found.certificate()).unwrap();
        (found.pairing().status(), asked.into_inner())
    };
    // A look at all pairs takes one tick: the end three, and the caller as many as it asks for.
    assert_eq!(stopped_at(0, 60), (Status::Stopped, 58));
    assert_eq!(stopped_at(20, 60), (Status::Stopped, 38));
    assert_eq!(stopped_at(20, 1_000_000).0, Status::Optimal);
}

/// Smooth costs by rows, too many vertices to be copied.
struct Rows(Vec<[f64; 2]>);

impl CostOracle for Rows {
    fn vertices(&self) -> usize {
        self.0.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let (one, other) = (self.0[i.min(j)], self.0[i.max(j)]);
        let gap = (one[0] - other[0]).abs();
        // The first vertices are not allowed to meet.
        (i.max(j) >= 40).then_some(gap + one[1] + other[1] - 0.5 * one[1] * other[1])
    }
}

#[test]
fn rows_stopped_at_once_are_paired_near_the_optimum() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let costs = Rows((0..2200).map(|_| [rng.random(), rng.random()]).collect());
    let best = ExactPairing::minimum().solve(&costs).unwrap().cost();
    let over = |_: &Progress| 2.0;
    let early = ExactPairing::minimum()
        .approximate_within(
            &mut Workspace::new(),
            &costs,
            &Limits::unlimited().with_watch(&over),
        )
        .unwrap();
    let bound = verify_bound(&costs, Objective::Minimize, early.certificate()).unwrap();
    assert_eq!(early.pairing().status(), Status::Stopped);
    assert!(bound.dual_bound <= best && best <= early.pairing().cost());
    assert!(early.relative_gap() < 0.05, "{}", early.relative_gap());
}
