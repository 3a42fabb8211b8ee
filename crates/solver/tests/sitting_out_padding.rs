//! The padded graphs: oracles that keep the contract, in all their forms.

#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod common;

use common::{random_edges, rng, sparse};
use matchwright_solver::{
    CostOracle, DenseCosts, EuclideanCosts, ExactPairing, Objective, Pairing, PairingSolver, SittingOut,
    SolveError, SparseCosts, Workspace,
};
use rand::RngExt;

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];

/// Rows of costs with bounds a little below, if `bounded`; NaN and other numbers for forbidden pairs.
struct Rows {
    costs: DenseCosts,
    bounded: bool,
}

impl CostOracle for Rows {
    fn vertices(&self) -> usize {
        self.costs.vertices()
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.costs.cost(i, j)
    }
    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        assert!(i < self.vertices() && from + out.len() <= self.vertices());
        self.costs.cost_row(i, from, out);
    }
    #[allow(clippy::cast_possible_truncation, reason = "a bound with room to spare")]
    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        assert!(i < self.vertices() && from + out.len() <= self.vertices());
        for (j, out) in (from..).zip(out) {
            let forbidden = [f32::NAN, f32::INFINITY, 0.5][(i + j) % 3];
            let cost = if i == j { None } else { self.costs.cost(i, j) };
            *out = cost.map_or(forbidden, |cost| cost as f32 - 0.01);
        }
        self.bounded
    }
    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let vertex = |k: usize| vertices[k] as usize;
        let costs =
            DenseCosts::from_optional_fn(vertices.len(), |i, j| self.costs.cost(vertex(i), vertex(j)));
        let bounded = self.bounded;
        Some(Box::new(Self {
            costs: costs.unwrap(),
            bounded,
        }))
    }
}

/// A sample of the vertices, the first of which are players, has the same costs in all its forms.
fn check_sample(costs: &dyn CostOracle, players: usize, bounded: bool, rng: &mut rand_chacha::ChaCha8Rng) {
    let n = u32::try_from(costs.vertices()).unwrap();
    let some: Vec<u32> = (0..n).filter(|_| rng.random_range(0..3) > 0).collect();
    let sample = costs.among(&some).unwrap();
    assert_eq!(sample.vertices(), some.len());
    for (i, &v) in some.iter().enumerate() {
        for (j, &w) in some.iter().enumerate().filter(|&(j, _)| j != i) {
            assert_eq!(sample.cost(i, j), costs.cost(v as usize, w as usize));
        }
    }
    // Without players there is nothing to bound.
    let any = some.first().is_some_and(|&v| (v as usize) < players);
    if !some.is_empty() {
        check_rows(&*sample, bounded && any);
    }
    // Ghosts come last, or there is no sample.
    if some.len() > 1 && (some[some.len() - 1] as usize) >= players {
        let mut mixed = some.clone();
        mixed.rotate_right(1);
        assert!(!any || costs.among(&mixed).is_none());
    }
}

/// Rows say what `cost` says, whole or in part, and bounds are below them and near.
fn check_rows(costs: &dyn CostOracle, bounded: bool) {
    let n = costs.vertices();
    for i in 0..n {
        for (from, to) in [
            (0, n),
            (n / 3, n - n / 4),
            (i, n),
            (n - 1, n),
            (n / 2, n / 2),
            (n, n),
        ] {
            let mut row = vec![7.0; to - from];
            costs.cost_row(i, from, &mut row);
            let mut bounds = vec![7.0_f32; to - from];
            assert_eq!(costs.lower_bounds(i, from, &mut bounds), bounded);
            for (j, (found, bound)) in (from..).zip(row.into_iter().zip(bounds)) {
                let cost = if i == j { None } else { costs.cost(i, j) };
                assert_eq!(found.to_bits(), cost.unwrap_or(f64::NAN).to_bits(), "({i}, {j})");
                if let Some(cost) = cost.filter(|_| bounded) {
                    let bound = f64::from(bound);
                    // A forbidden pair's bound may be any number; this one is never below 0.49.
                    let near = cost - 0.02 - 1e-6 * cost.abs();
                    assert!(
                        bound <= cost && bound >= near.min(0.49),
                        "({i}, {j}): {bound} of {cost}"
                    );
                }
            }
        }
    }
}

fn padded<'a>(question: &'a SittingOut<'a>) -> (Box<dyn CostOracle + 'a>, usize) {
    let solver = ExactPairing::new(question.objective());
    let lineup = question.solve(&solver, &mut Workspace::new()).unwrap();
    (question.padded(&lineup).unwrap(), lineup.sitting_out().count())
}

#[test]
fn padded_graphs_keep_the_laws_and_their_forms_agree() {
    let mut rng = rng(41);
    // By how the question's graph is to be read, and the padded one.
    let mut seen = [[0; 2]; 2];
    for round in 0..200 {
        let n = rng.random_range(1..12);
        let density = [0.15, 0.4, 0.8, 1.0][round % 4];
        let edges = random_edges(&mut rng, n, density, |rng| {
            f64::from(rng.random_range(-30..90)) / 7.0
        });
        let prices: Vec<_> = (0..n)
            .map(|_| f64::from(rng.random_range(-10..50)) / 7.0)
            .collect();
        let lists = sparse(n, &edges);
        let costs = DenseCosts::from_optional_fn(n, |i, j| lists.cost(i, j)).unwrap();
        let rows = Rows {
            costs,
            bounded: round % 3 > 0,
        };
        for (objective, oracle) in BOTH
            .into_iter()
            .flat_map(|o| [(o, &lists as &dyn CostOracle), (o, &rows)])
        {
            for priced in [true, false] {
                let question = if priced {
                    SittingOut::priced(oracle, prices.clone()).unwrap()
                } else {
                    SittingOut::fewest(oracle).with_prices(prices.clone()).unwrap()
                };
                let question = question.with_objective(objective);
                let (graph, _) = padded(&question);
                #[cfg(feature = "laws")]
                matchwright_solver::laws::check_oracle(&graph).unwrap();
                // Maximised, prices bound the other side.
                let bounded =
                    rows.bounded && !graph.is_sparse() && (objective == Objective::Minimize || !priced);
                check_rows(&*graph, bounded);
                if !graph.is_sparse() {
                    check_sample(&*graph, n, bounded, &mut rng);
                }
                seen[usize::from(oracle.is_sparse())][usize::from(graph.is_sparse())] += 1;
                assert!(graph.vertices().is_multiple_of(2) && graph.vertices() <= 2 * n);
            }
        }
    }
    assert!(
        seen[0][0] > 200 && seen[0][1] > 100 && seen[1][0] == 0,
        "{seen:?}"
    );
}

#[test]
fn padding_by_rows_adds_one_ghost_at_most() {
    for n in 1..8 {
        let costs = DenseCosts::from_fn(n, |i, j| (i + j) as f64).unwrap();
        let priced = SittingOut::priced(&costs, vec![4.5; n]).unwrap();
        assert_eq!(padded(&priced).0.vertices(), n + n % 2);
        assert_eq!(padded(&SittingOut::fewest(&costs)).0.vertices(), n + n % 2);
    }
}

fn edges(costs: &dyn CostOracle) -> usize {
    let mut ends = 0;
    for i in 0..costs.vertices() {
        costs.for_each_neighbour(i, &mut |_, _| ends += 1);
    }
    ends / 2
}

/// One ghost for each who sits out, allowed with everyone, would be 5000^2 pairs.
#[test]
fn padding_is_linear_however_many_sit_out() {
    let n = 5000;
    let star = SparseCosts::from_edges(n, (1..n).map(|i| (0, i, i as f64))).unwrap();
    let question = SittingOut::fewest(&star);
    let (graph, out) = padded(&question);
    assert_eq!((out, graph.vertices()), (n - 2, 2 * n));
    assert_eq!(edges(&*graph), 3 * (n - 1));
    let empty = SparseCosts::from_edges(n, []).unwrap();
    let question = SittingOut::fewest(&empty);
    let (graph, out) = padded(&question);
    assert_eq!((out, edges(&*graph)), (n, n));
}

#[test]
fn pairs_not_worth_playing_are_left_out_of_lists() {
    let costs = sparse(4, &[(0, 1, 3.0), (1, 2, 4.0), (2, 3, 4.5), (0, 3, 1.0)]);
    let question = SittingOut::priced(&costs, vec![2.0; 4]).unwrap();
    let (graph, _) = padded(&question);
    assert_eq!(
        (graph.cost(1, 2), graph.cost(5, 6), graph.cost(2, 3)),
        (Some(4.0), Some(4.0), None)
    );
    assert_eq!((graph.cost(1, 5), graph.cost(1, 6)), (Some(4.0), None));
    assert_eq!(edges(&*graph), 2 * 3 + 4);
}

/// Players in a ring, each of whom is worth pairing with so many around him.
struct Ring {
    players: usize,
    partners: usize,
    sign: f64,
}

impl CostOracle for Ring {
    fn vertices(&self) -> usize {
        self.players
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let apart = i.abs_diff(j).min(self.players - i.abs_diff(j));
        Some(self.sign * if apart <= self.partners / 2 { 1.0 } else { 9.0 })
    }
}

/// Notes the vertices of each graph, and whether it is sparse, and refuses.
struct Noting(std::sync::Mutex<Vec<(usize, bool)>>);

impl PairingSolver for Noting {
    fn solve(&self, _: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        self.0.lock().unwrap().push((costs.vertices(), costs.is_sparse()));
        Err(SolveError::Stuck { unplaced: vec![] })
    }
}

#[test]
fn few_pairs_worth_playing_are_written_as_lists() {
    for (players, partners, few) in [
        (31, 6, true),
        (31, 8, false),
        (700, 174, true),
        (700, 176, false),
        (5100, 820, true),
        // Less than a quarter, but too many to keep.
        (5100, 824, false),
    ] {
        for objective in BOTH {
            let sign = objective.as_minimum(1.0);
            let costs = Ring {
                players,
                partners,
                sign,
            };
            let question = SittingOut::priced(&costs, vec![0.5; players]).unwrap();
            let noting = Noting(Vec::new().into());
            let error = question
                .with_objective(objective)
                .solve(&noting, &mut Workspace::new());
            assert!(error.is_err());
            // Who fails on lists gets rows.
            let rows = (players + players % 2, false);
            let lists = few.then_some((2 * players, true));
            let expected: Vec<_> = lists.into_iter().chain([rows]).collect();
            assert_eq!(noting.0.into_inner().unwrap(), expected, "{players} {partners}");
        }
    }
}

/// Players each of whom brings his own part to the costs, so that many are not worth pairing.
fn burdens(n: usize, objective: Objective, bounded: bool, rng: &mut rand_chacha::ChaCha8Rng) -> Rows {
    let own: Vec<i32> = (0..n).map(|_| rng.random_range(0..100)).collect();
    let mut edges = random_edges(rng, n, 0.9, |rng| f64::from(rng.random_range(0..10)));
    for (i, j, cost) in &mut edges {
        *cost = objective.as_minimum(*cost + f64::from(own[*i] + own[*j]));
    }
    let lists = sparse(n, &edges);
    let costs = DenseCosts::from_optional_fn(n, |i, j| lists.cost(i, j)).unwrap();
    Rows { costs, bounded }
}

#[test]
fn many_who_sit_out_get_twins_by_rows() {
    let mut rng = rng(42);
    for (n, bounded) in [(600, true), (601, false)] {
        for objective in BOTH {
            let costs = burdens(n, objective, bounded, &mut rng);
            let prices: Vec<_> = (0..n).map(|_| f64::from(rng.random_range(40..50))).collect();
            let question = SittingOut::priced(&costs, prices.clone()).unwrap();
            let question = question.with_objective(objective);
            let noting = Noting(Vec::new().into());
            question.solve(&noting, &mut Workspace::new()).unwrap_err();
            let asked = [(2 * n, false), (n + n % 2, false)];
            assert_eq!(noting.0.into_inner().unwrap(), asked);

            let solver = ExactPairing::new(objective);
            let lineup = question.solve(&solver, &mut Workspace::new()).unwrap();
            assert!(question.verify(&lineup).unwrap().is_exact());
            assert!((n / 2..3 * n / 4).contains(&lineup.sitting_out().count()));
            let graph = question.padded(&lineup).unwrap();
            check_rows(&*graph, bounded && objective == Objective::Minimize);
            #[cfg(feature = "laws")]
            matchwright_solver::laws::check_oracle(&graph).unwrap();

            // The same from lists.
            let mut edges = Vec::new();
            for i in 0..n {
                edges.extend((0..i).filter_map(|j| Some((j, i, costs.cost(i, j)?))));
            }
            let lists = sparse(n, &edges);
            let twin = SittingOut::priced(&lists, prices)
                .unwrap()
                .with_objective(objective);
            let other = twin.solve(&solver, &mut Workspace::new()).unwrap();
            assert_eq!(lineup.cost(), other.cost());
        }
    }
}

#[test]
fn few_who_sit_out_are_paired_on_paper() {
    let mut rng = rng(43);
    let costs = burdens(161, Objective::Minimize, true, &mut rng);
    let question = SittingOut::priced(&costs, vec![90.0; 161]).unwrap();
    assert_eq!(padded(&question).0.vertices(), 162);
}

#[test]
fn numbers_that_stand_for_never_leave_digits_for_the_others() {
    for objective in BOTH {
        let sign = objective.as_minimum(1.0);
        // The last 400 players are worth pairing with nobody.
        let cost = |i: usize, j: usize| match (i + j) % 7 {
            0 => 1e300,
            _ => ((i + j) % 64) as f64 / 1024.0 + if i.max(j) < 600 { 0.5 } else { 1.5 },
        };
        let costs = DenseCosts::from_fn(1000, |i, j| sign * cost(i, j)).unwrap();
        let question = SittingOut::priced(&costs, vec![0.5; 1000]).unwrap();
        let question = question.with_objective(objective);
        let solver = ExactPairing::new(objective);
        let lineup = question.solve(&solver, &mut Workspace::new()).unwrap();
        assert_eq!(lineup.pairing().vertices(), 2000);
        assert!(question.verify(&lineup).unwrap().is_exact());
    }
}

/// Worth playing as one of the two sees it.
struct OneSided;

impl CostOracle for OneSided {
    fn vertices(&self) -> usize {
        4
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some(if i < j { 1.0 } else { 3.0 })
    }
}

#[test]
fn partners_are_mutual_whatever_the_oracle_says() {
    let next_door = vec![1, 0, 3, 2];
    let question = SittingOut::priced(&OneSided, vec![1.0; 4]).unwrap();
    let solver = Answering(next_door);
    let lineup = question.solve(&solver, &mut Workspace::new()).unwrap();
    for (i, mate) in lineup.mates().iter().enumerate() {
        assert!(mate.is_none_or(|j| lineup.mates()[j] == Some(i)));
    }
    question.verify(&lineup).unwrap_err();
}

/// Always the same mates, whatever the graph.
struct Answering(Vec<usize>);

impl PairingSolver for Answering {
    fn solve(&self, _: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        Pairing::from_mates(costs, self.0.clone())
    }
}

/// Asks for coordinates, then solves.
struct Curious(std::sync::atomic::AtomicUsize);

impl PairingSolver for Curious {
    fn solve(&self, workspace: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        let points = usize::from(costs.coordinates().is_some());
        self.0.fetch_add(points, std::sync::atomic::Ordering::Relaxed);
        ExactPairing::minimum().solve(workspace, costs)
    }
}

#[test]
fn points_stay_points_while_everyone_plays() {
    let curious = Curious(0.into());
    let points = |question: &SittingOut<'_>| {
        question.solve(&curious, &mut Workspace::new()).unwrap();
        curious.0.swap(0, std::sync::atomic::Ordering::Relaxed)
    };
    let line = EuclideanCosts::from_points(1, vec![0.0, 3.0, 1.0, 7.0]).unwrap();
    assert_eq!(points(&SittingOut::fewest(&line)), 1);
    let odd = EuclideanCosts::from_points(1, vec![0.0, 3.0, 1.0]).unwrap();
    assert_eq!(points(&SittingOut::fewest(&odd)), 0);
    // A price may undercut a distance.
    assert_eq!(points(&SittingOut::priced(&line, vec![1.0; 4]).unwrap()), 0);
}

/// The star is padded for its centre, which takes a second look; odd components alone take one.
#[test]
fn only_a_barrier_of_vertices_takes_a_second_look() {
    struct Counting(std::sync::atomic::AtomicUsize);
    impl PairingSolver for Counting {
        fn solve(&self, workspace: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            ExactPairing::minimum().solve(workspace, costs)
        }
    }
    let triangles = [
        (0, 1, 1.0),
        (1, 2, 1.0),
        (0, 2, 1.0),
        (3, 4, 1.0),
        (4, 5, 1.0),
        (3, 5, 1.0),
    ];
    for (costs, looks, barrier) in [
        (sparse(4, &[(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]), 2, vec![0]),
        (sparse(8, &triangles), 1, vec![]),
    ] {
        let counting = Counting(0.into());
        let question = SittingOut::fewest(&costs);
        let lineup = question.solve(&counting, &mut Workspace::new()).unwrap();
        assert_eq!(counting.0.into_inner(), looks);
        let found = lineup.barrier().unwrap();
        assert_eq!(found.vertices, barrier);
        assert!(lineup.sitting_out().eq(found.unplaced.iter().copied()));
        assert_eq!(found.odd_components - barrier.len(), found.unplaced.len());
        assert!(question.verify(&lineup).unwrap().is_exact());
    }
}

#[test]
fn a_solver_that_fails_for_want_of_luck_is_asked_once() {
    let looks = |costs: &dyn CostOracle| {
        let noting = Noting(Vec::new().into());
        let error = SittingOut::fewest(costs)
            .solve(&noting, &mut Workspace::new())
            .unwrap_err();
        assert_eq!(error, SolveError::Stuck { unplaced: vec![] }.into());
        noting.0.into_inner().unwrap()
    };
    let complete = DenseCosts::from_fn(5, |_, _| 1.0).unwrap();
    assert_eq!(looks(&complete), [(6, false)]);
    let star = sparse(4, &[(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]);
    assert_eq!(looks(&star), [(4, true), (8, true)]);
}
