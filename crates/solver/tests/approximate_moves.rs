//! What local search leaves: no move that gains.

use crate::common::{StartingFrom, eomm, euclid, exact, random_edges, rng, sparse, uniform};
use matchwright_solver::{
    CostOracle, DenseCosts, GreedyPairing, Limits, LocalSearch, Objective, Pairing, PairingSolver,
    PathGrowing, RandomPairing, SolveError, SortAdjacent, Workspace,
};
use rand::RngExt;

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];

fn solve(solver: &dyn PairingSolver, costs: &dyn CostOracle) -> Pairing {
    solver.solve(costs).unwrap()
}

/// Every way to pair these vertices anew, as sums to be made small.
fn ways(objective: Objective, costs: &dyn CostOracle, vertices: &[usize]) -> Vec<f64> {
    let Some((&first, rest)) = vertices.split_first() else {
        return vec![0.0];
    };
    let mut sums = Vec::new();
    for (at, &mate) in rest.iter().enumerate() {
        let Some(cost) = costs.cost(first, mate) else {
            continue;
        };
        let others = [&rest[..at], &rest[at + 1..]].concat();
        let cost = objective.as_minimum(cost);
        sums.extend(ways(objective, costs, &others).iter().map(|sum| sum + cost));
    }
    sums
}

/// The most that pairing any `count` pairs anew gains.
fn largest_gain(objective: Objective, costs: &dyn CostOracle, pairing: &Pairing, count: usize) -> f64 {
    let pairs: Vec<_> = pairing.pairs().collect();
    let mut largest = f64::NEG_INFINITY;
    let mut chosen: Vec<usize> = (0..count).collect();
    while chosen.last().is_some_and(|&last| last < pairs.len()) {
        let vertices: Vec<_> = chosen.iter().flat_map(|&k| [pairs[k].0, pairs[k].1]).collect();
        let now: f64 = vertices
            .chunks(2)
            .map(|two| objective.as_minimum(costs.cost(two[0], two[1]).unwrap()))
            .sum();
        let best = ways(objective, costs, &vertices)
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        largest = largest.max(now - best);
        // The next choice in lexicographic order.
        let Some(at) = (0..count).rev().find(|&k| chosen[k] + count < pairs.len() + k) else {
            break;
        };
        chosen[at] += 1;
        for k in at + 1..count {
            chosen[k] = chosen[k - 1] + 1;
        }
    }
    largest
}

#[test]
fn with_all_candidates_no_exchange_of_two_or_three_pairs_gains() {
    let mut rng = rng(1);
    let mut graphs: Vec<Box<dyn CostOracle>> = vec![
        Box::new(eomm(36, 1)),
        Box::new(euclid(36, 2)),
        Box::new(uniform(36, 3)),
    ];
    for density in [0.3, 0.7, 1.0] {
        for range in [2, 20] {
            let edges = random_edges(&mut rng, 30, density, |rng| {
                f64::from(rng.random_range(-range..range))
            });
            graphs.push(Box::new(sparse(30, &edges)));
        }
    }
    for costs in &graphs {
        for objective in BOTH {
            let all = LocalSearch::new(objective).with_candidates(usize::MAX);
            let pairing = solve(&all, costs);
            assert!(largest_gain(objective, costs, &pairing, 2) <= 1e-12);
            assert!(largest_gain(objective, costs, &pairing, 3) <= 1e-12);
        }
    }
    // From a bad start there are many moves, each of which may open a way for others elsewhere.
    for seed in 0..60 {
        for costs in [euclid(40, seed), uniform(40, seed)] {
            let search = LocalSearch::default().with_candidates(39);
            let three = StartingFrom(search, RandomPairing::new(seed));
            assert!(largest_gain(Objective::Minimize, &costs, &solve(&three, &costs), 3) <= 1e-12);
        }
    }
}

/// The check above does see moves that gain.
#[test]
fn greedy_leaves_moves_that_gain() {
    let costs = uniform(36, 3);
    let greedy = solve(&GreedyPairing::default(), &costs);
    assert!(largest_gain(Objective::Minimize, &costs, &greedy, 2) > 0.01);
}

/// Three pairs that only all together can be better: the hexagon's other matching.
#[test]
fn three_pairs_are_exchanged_at_once() {
    let costs = DenseCosts::from_fn(6, |i, j| match (i, j) {
        (0, 1) | (2, 3) | (4, 5) => 2.0,
        (1, 2) | (3, 4) | (0, 5) => 1.0,
        _ => 50.0,
    });
    let (costs, start) = (costs.unwrap(), SortAdjacent::by_index());
    let three = StartingFrom(LocalSearch::default(), start);
    assert_eq!(solve(&three, &costs).mates(), [5, 2, 1, 4, 3, 0]);
}

#[test]
fn a_search_is_never_worse_than_its_start() {
    for seed in 0..6 {
        for costs in [eomm(50, seed), euclid(50, seed), uniform(50, seed)] {
            for objective in BOTH {
                let search = LocalSearch::new(objective).with_candidates(4);
                let cost = |solver: &dyn PairingSolver| objective.as_minimum(solve(solver, &costs).cost());
                let starts: [Box<dyn PairingSolver>; 4] = [
                    Box::new(GreedyPairing::new(objective)),
                    Box::new(PathGrowing::new(objective)),
                    Box::new(SortAdjacent::by_index()),
                    Box::new(RandomPairing::new(seed)),
                ];
                for start in starts {
                    assert!(cost(&StartingFrom(search, &start)) <= cost(&start));
                }
                assert!(cost(&search) <= cost(&GreedyPairing::new(objective)));
            }
        }
    }
}

/// From the optimum there is nowhere to go.
#[test]
fn the_optimum_stays() {
    for seed in 0..5 {
        for costs in [eomm(40, seed), euclid(40, seed), uniform(40, seed)] {
            let best = exact(Objective::Minimize, &costs).unwrap();
            let again = LocalSearch::default()
                .improve(&mut Workspace::new(), &costs, best.mates())
                .unwrap();
            assert_eq!(again.mates(), best.mates());
        }
    }
}

#[test]
fn work_is_limited_by_counting() {
    let costs = uniform(80, 4);
    let greedy = solve(&GreedyPairing::default(), &costs);
    let search = LocalSearch::default();
    let within = |work| {
        let limits = Limits::unlimited().with_work(work);
        search.solve_within(&costs, &limits)
    };
    // The work of the start.
    let start = (0..1000).find(|&work| within(work).is_ok()).unwrap();
    assert_eq!(within(start).unwrap().mates(), greedy.mates());
    let costs_by_limit: Vec<_> = (0..200)
        .map(|work| within(start + work).unwrap().cost())
        .collect();
    assert!(costs_by_limit.is_sorted_by(|before, after| before >= after));
    // The first that are weighed do not all gain, and the last of them not at once.
    assert!(costs_by_limit[1] == greedy.cost() && costs_by_limit[199] < costs_by_limit[40]);
    let unlimited = solve(&search, &costs);
    assert_eq!(within(1 << 40).unwrap(), unlimited);
}

#[test]
fn one_candidate_is_the_least() {
    let costs = euclid(60, 6);
    let one = solve(&LocalSearch::default().with_candidates(1), &costs);
    assert_eq!(solve(&LocalSearch::default().with_candidates(0), &costs), one);
    let ten = solve(&LocalSearch::default(), &costs);
    assert_eq!(
        solve(
            &LocalSearch::default().with_candidates(LocalSearch::CANDIDATES),
            &costs
        ),
        ten
    );
    assert!(ten.cost() < one.cost());
}

/// Sums that only rounding tells apart: a search that believed in that would never end.
#[test]
fn rounding_gains_nothing() {
    for scale in [1.0, 1e15, 1e-300, 1e306] {
        let key = |k: usize| ((k * 37) % 60) as f64 * 0.1;
        let costs = DenseCosts::from_fn(60, |i, j| (key(i) + key(j)) * scale / 60.0).unwrap();
        for objective in BOTH {
            let random = RandomPairing::new(2);
            let search = StartingFrom(LocalSearch::new(objective).with_candidates(59), random);
            assert_eq!(solve(&search, &costs).mates(), solve(&random, &costs).mates());
        }
    }
}

#[test]
fn a_start_that_is_none_is_refused() {
    let costs = sparse(4, &[(0, 1, 1.0), (2, 3, 1.0), (1, 2, 5.0)]);
    let improve = |mates: &[usize]| LocalSearch::default().improve(&mut Workspace::new(), &costs, mates);
    assert_eq!(
        improve(&[3, 2, 1, 0]).unwrap_err(),
        SolveError::ForbiddenPair { i: 0, j: 3 }
    );
    assert_eq!(
        improve(&[1, 0]).unwrap_err(),
        SolveError::BadMates {
            vertex: 2,
            vertices: 4
        }
    );
    assert_eq!(improve(&[1, 0, 3, 2]).unwrap().cost(), 2.0);
    let stuck = StartingFrom(LocalSearch::default(), GreedyPairing::new(Objective::Maximize));
    let error = stuck.solve(&costs).unwrap_err();
    assert_eq!(error, SolveError::DeadEnd { unplaced: vec![0, 3] });
}
