//! Who sits out, against every lineup there is.

#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod common;

use common::{Edge, eomm, random_edges, rng, sparse};
use matchwright_solver::{
    BruteForce, CostOracle, DenseCosts, ExactPairing, GreedyPairing, Lineup, Objective, PairingSolver,
    RandomPairing, SittingOut, SolveError, SortAdjacent, SparseCosts, Workspace, verify,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];

/// Every way to pair some of `0..mates.len()`, from the first player on who is not `decided`.
fn for_each_lineup(mates: &mut Vec<Option<usize>>, decided: usize, visit: &mut dyn FnMut(&[Option<usize>])) {
    let n = mates.len();
    let Some(i) = (0..n).find(|i| decided >> i & 1 == 0) else {
        return visit(mates);
    };
    for_each_lineup(mates, decided | 1 << i, visit);
    for j in i + 1..n {
        if decided >> j & 1 == 0 {
            (mates[i], mates[j]) = (Some(j), Some(i));
            for_each_lineup(mates, decided | 1 << i | 1 << j, visit);
            (mates[i], mates[j]) = (None, None);
        }
    }
}

/// The sum of a lineup as the documentation defines it; `None` if it uses a forbidden pair.
fn sum(costs: &dyn CostOracle, prices: &[f64], sign: f64, mates: &[Option<usize>]) -> Option<f64> {
    let mut sum = 0.0;
    for (i, mate) in mates.iter().enumerate() {
        match *mate {
            Some(j) if i < j => sum += costs.cost(i, j)?,
            Some(_) => {}
            None => sum += sign * prices[i],
        }
    }
    Some(sum)
}

/// The best sum of all lineups, if they are `priced`; else of those that leave out the fewest. Also how many those
/// are.
fn best(costs: &dyn CostOracle, prices: &[f64], objective: Objective, priced: bool) -> (usize, f64) {
    let sign = objective.as_minimum(1.0);
    let mut found: Option<(usize, f64)> = None;
    for_each_lineup(&mut vec![None; prices.len()], 0, &mut |mates| {
        let Some(sum) = sum(costs, prices, sign, mates) else {
            return;
        };
        let out = mates.iter().filter(|mate| mate.is_none()).count();
        let rank = |(out, sum): (usize, f64)| (if priced { 0 } else { out }, sign * sum);
        if found.is_none_or(|found| rank((out, sum)) < rank(found)) {
            found = Some((out, sum));
        }
    });
    found.unwrap()
}

/// Checks a lineup by its definition: partners are mutual, pairs are allowed, the cost is the sum.
fn check(costs: &dyn CostOracle, prices: &[f64], objective: Objective, lineup: &Lineup) {
    let mates = lineup.mates();
    assert_eq!(mates.len(), costs.vertices());
    for (i, mate) in mates.iter().enumerate() {
        assert!(mate.is_none_or(|j| mates[j] == Some(i) && j != i));
    }
    let sum = sum(costs, prices, objective.as_minimum(1.0), mates).unwrap();
    assert!((sum - lineup.cost()).abs() <= 1e-12 * sum.abs().max(1.0));
    assert_eq!(
        2 * lineup.pairs().count() + lineup.sitting_out().count(),
        mates.len()
    );
}

fn solve(question: &SittingOut<'_>) -> Lineup {
    let solver = ExactPairing::new(question.objective());
    question.solve(&solver, &mut Workspace::new()).unwrap()
}

/// Solves and has the judge prove it without any rounding.
fn exact(question: &SittingOut<'_>) -> Lineup {
    let lineup = solve(question);
    let verdict = question.verify(&lineup).unwrap();
    assert!(verdict.is_exact());
    assert_eq!(
        (verdict.cost, verdict.dual_bound, verdict.gap),
        (lineup.cost(), lineup.cost(), 0.0)
    );
    // The same from the parts.
    let padded = question.padded(&lineup).unwrap();
    assert!(verify(&*padded, lineup.pairing()).unwrap().is_exact());
    lineup
}

const KINDS: usize = 4;

/// Costs or prices, all of which add up without rounding.
fn draw(kind: usize, rng: &mut ChaCha8Rng) -> f64 {
    match kind {
        0 => f64::from(rng.random_range(0..=2)),
        1 => f64::from(rng.random_range(-5..=5)),
        2 => f64::from(rng.random_range(-400..400)) / 8.0,
        _ => (rng.random_range(0..2_000_000_000_000_000_i64) - 1_000_000_000_000_000) as f64,
    }
}

/// The same graph as lists and as rows, with a price for each player.
struct Case {
    lists: SparseCosts,
    rows: DenseCosts,
    prices: Vec<f64>,
}

impl Case {
    fn new(n: usize, edges: &[Edge], prices: Vec<f64>) -> Self {
        let lists = sparse(n, edges);
        let rows = DenseCosts::from_optional_fn(n, |i, j| lists.cost(i, j)).unwrap();
        Self { lists, rows, prices }
    }

    fn draw(rng: &mut ChaCha8Rng, largest: usize, kind: usize) -> Self {
        let n = rng.random_range(0..=largest);
        let density = [0.0, 0.2, 0.4, 0.7, 1.0][rng.random_range(0..5)];
        let edges = random_edges(rng, n, density, |rng| draw(kind, rng));
        // Half of a cost on average, so that some pairs are worth playing and some are not.
        let prices = (0..n).map(|_| (draw(kind, rng) / 2.0).floor()).collect();
        Self::new(n, &edges, prices)
    }

    fn forms(&self) -> [&dyn CostOracle; 2] {
        [&self.lists, &self.rows]
    }
}

#[test]
fn priced_lineups_are_the_best_of_all() {
    let mut rng = rng(31);
    let (mut all_play, mut none_play, mut some) = (0, 0, 0);
    for round in 0..1200 {
        let largest = if round % 8 == 0 { 9 } else { 7 };
        let case = Case::draw(&mut rng, largest, round % KINDS);
        for objective in BOTH {
            for costs in case.forms() {
                let question = SittingOut::priced(costs, case.prices.clone()).unwrap();
                let lineup = exact(&question.with_objective(objective));
                check(costs, &case.prices, objective, &lineup);
                let (_, best) = best(costs, &case.prices, objective, true);
                assert_eq!(lineup.cost(), best, "round {round}");
                assert_eq!(lineup.barrier(), None);
                match (lineup.pairs().count(), lineup.sitting_out().count()) {
                    (_, 0) => all_play += 1,
                    (0, _) => none_play += 1,
                    _ => some += 1,
                }
            }
        }
    }
    assert!(
        all_play > 200 && none_play > 200 && some > 1500,
        "{all_play} {none_play} {some}"
    );
}

#[test]
fn the_fewest_sit_out_and_of_those_lineups_the_best_is_found() {
    let mut rng = rng(32);
    let mut seen = [0; 10];
    for round in 0..1200 {
        let largest = if round % 8 == 0 { 9 } else { 7 };
        let case = Case::draw(&mut rng, largest, round % KINDS);
        for objective in BOTH {
            for costs in case.forms() {
                let question = SittingOut::fewest(costs)
                    .with_prices(case.prices.clone())
                    .unwrap();
                let lineup = exact(&question.with_objective(objective));
                check(costs, &case.prices, objective, &lineup);
                let (out, best) = best(costs, &case.prices, objective, false);
                assert_eq!(
                    (lineup.sitting_out().count(), lineup.cost()),
                    (out, best),
                    "round {round}"
                );
                let unplaced = lineup.barrier().map(|barrier| barrier.unplaced.len());
                assert_eq!(unplaced, (out > 0).then_some(out));
                seen[out] += 1;
            }
        }
    }
    assert!(seen[..5].iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn without_prices_the_fewest_are_the_cheapest_maximum_matching() {
    let mut rng = rng(33);
    for round in 0..200 {
        let case = Case::draw(&mut rng, 8, round % KINDS);
        let free = vec![0.0; case.prices.len()];
        for costs in case.forms() {
            let lineup = exact(&SittingOut::fewest(costs));
            let (out, best) = best(costs, &free, Objective::Minimize, false);
            assert_eq!(
                (lineup.sitting_out().count(), lineup.cost()),
                (out, best),
                "round {round}"
            );
        }
    }
}

#[test]
fn prices_that_round_when_added_are_allowed_for() {
    let mut rng = rng(34);
    let mut rounded = 0;
    for _ in 0..300 {
        let n = rng.random_range(2..=8);
        let edges = random_edges(&mut rng, n, 0.8, rand::RngExt::random);
        let scale = [1e-9, 0.6, 1e6][rng.random_range(0..3)];
        let prices: Vec<_> = (0..n).map(|_| scale * rng.random::<f64>()).collect();
        let case = Case::new(n, &edges, prices);
        for objective in BOTH {
            for costs in case.forms() {
                let question = SittingOut::priced(costs, case.prices.clone()).unwrap();
                let question = question.with_objective(objective);
                let lineup = solve(&question);
                check(costs, &case.prices, objective, &lineup);
                let verdict = question.verify(&lineup).unwrap();
                let (_, best) = best(costs, &case.prices, objective, true);
                let tiny = 1e-15 * best.abs();
                let [found, best, bound] =
                    [lineup.cost(), best, verdict.dual_bound].map(|cost| objective.as_minimum(cost));
                assert!(verdict.optimal && found <= best + verdict.quantisation_error + tiny);
                assert!(bound <= best + tiny && found <= bound + verdict.gap + tiny);
                // Lists add up nothing, so that nothing is rounded at this size.
                assert!(!costs.is_sparse() || verdict.is_exact());
                rounded += usize::from(!verdict.is_exact());
            }
        }
    }
    assert!(rounded > 10, "{rounded}");
}

#[test]
fn other_solvers_answer_and_none_beats_exact() {
    let mut rng = rng(35);
    let mut workspace = Workspace::new();
    let mut met = 0;
    for round in 0..300 {
        let case = Case::draw(&mut rng, 6, round % KINDS);
        for objective in BOTH {
            let solvers: [&dyn PairingSolver; 2] =
                [&BruteForce::new(objective), &GreedyPairing::new(objective)];
            for costs in case.forms() {
                let question = SittingOut::priced(costs, case.prices.clone()).unwrap();
                let question = question.with_objective(objective);
                let best = exact(&question).cost();
                let [tried, greedy] = solvers.map(|solver| question.solve(solver, &mut workspace).unwrap());
                assert_eq!(tried.cost(), best);
                assert!(objective.as_minimum(greedy.cost()) >= objective.as_minimum(best));
                let few = SittingOut::fewest(costs).with_objective(objective);
                let tried_few = few.solve(solvers[0], &mut workspace).unwrap();
                assert_eq!(tried_few.cost(), exact(&few).cost());
                for (question, lineup, best) in
                    [(&question, &greedy, best), (&few, &tried_few, tried_few.cost())]
                {
                    let bound = question.measure(lineup, 2 * (round % 4)).unwrap().dual_bound;
                    assert!(
                        objective.as_minimum(bound) <= objective.as_minimum(best),
                        "round {round}"
                    );
                    met += usize::from(bound == best);
                }
                for lineup in [tried, greedy] {
                    check(costs, &case.prices, objective, &lineup);
                    let verdict = question.verify(&lineup).unwrap();
                    assert!(
                        !verdict.optimal && verdict.gap == f64::INFINITY && verdict.cost == lineup.cost()
                    );
                }
            }
        }
    }
    assert!(met > 1700, "{met}");
}

#[test]
fn greedy_is_never_stuck_on_sparse_graphs_with_ties() {
    let mut rng = rng(36);
    for _ in 0..300 {
        let n = rng.random_range(10..60);
        let edges = random_edges(&mut rng, n, 3.0 / n as f64, |rng| {
            f64::from(rng.random_range(0..4))
        });
        let prices = (0..n).map(|_| f64::from(rng.random_range(0..3))).collect();
        let case = Case::new(n, &edges, prices);
        for costs in case.forms() {
            let question = SittingOut::priced(costs, case.prices.clone()).unwrap();
            let greedy = question
                .solve(&GreedyPairing::default(), &mut Workspace::new())
                .unwrap();
            check(costs, &case.prices, Objective::Minimize, &greedy);
        }
    }
}

#[test]
fn solvers_without_an_objective_leave_out_whoever_is_left() {
    let costs = DenseCosts::from_fn(7, |i, j| (i + j) as f64).unwrap();
    let mut workspace = Workspace::new();
    for objective in BOTH {
        for solver in [
            &SortAdjacent::by_index() as &dyn PairingSolver,
            &RandomPairing::new(3),
        ] {
            let question = SittingOut::fewest(&costs).with_objective(objective);
            let lineup = question.solve(solver, &mut workspace).unwrap();
            check(&costs, &[0.0; 7], objective, &lineup);
            assert_eq!(lineup.sitting_out().count(), 1);
            assert_eq!(lineup.barrier().unwrap().odd_components, 1);
            question.verify(&lineup).unwrap();
            // Pairs that are not worth playing are not played.
            let question = SittingOut::priced(&costs, vec![0.5; 7]).unwrap();
            let lineup = question.solve(solver, &mut workspace).unwrap();
            assert!(lineup.pairs().all(|pair| pair == (0, 1)));
        }
    }
}

#[test]
fn a_heuristic_that_is_stuck_for_no_good_reason_stays_so() {
    // Greedy takes the middle of the path and strands both ends, although a pairing exists.
    let path = sparse(4, &[(0, 1, 5.0), (1, 2, 1.0), (2, 3, 5.0)]);
    let error = SittingOut::fewest(&path)
        .solve(&GreedyPairing::default(), &mut Workspace::new())
        .unwrap_err();
    assert_eq!(error, SolveError::Stuck { unplaced: vec![0, 3] }.into());
    // Where players must sit out, it gets the padded graph.
    let lonely = sparse(4, &[(0, 1, 5.0)]);
    let lineup = SittingOut::fewest(&lonely)
        .solve(&GreedyPairing::default(), &mut Workspace::new())
        .unwrap();
    assert_eq!(lineup.mates(), [Some(1), Some(0), None, None]);
    // So does a solver that does not look at costs, which has to be lucky then.
    for edges in [&[(0, 1, 5.0)][..], &[(0, 1, 5.0), (0, 2, 5.0), (0, 3, 5.0)]] {
        let graph = sparse(4, edges);
        let lucky = (0..300).filter_map(|seed| {
            let solver = RandomPairing::new(seed);
            let lineup = SittingOut::fewest(&graph).solve(&solver, &mut Workspace::new());
            lineup.ok()
        });
        assert!(lucky.filter(|lineup| lineup.pairs().count() == 1).count() > 2);
    }
    let path = sparse(3, &[(0, 1, 4.0), (1, 2, 5.0)]);
    let question = SittingOut::fewest(&path).with_prices(vec![6.0; 3]).unwrap();
    let lineup = question
        .solve(&GreedyPairing::default(), &mut Workspace::new())
        .unwrap();
    assert_eq!(lineup.mates(), [Some(1), Some(0), None]);
}

#[test]
fn a_pair_that_costs_just_its_prices_plays() {
    let edge = [(0, 1, 5.0)];
    for (prices, objective) in [
        ([2.0, 3.0], Objective::Minimize),
        ([-2.0, -3.0], Objective::Maximize),
    ] {
        let case = Case::new(2, &edge, prices.to_vec());
        for (form, costs) in case.forms().into_iter().enumerate() {
            let question = SittingOut::priced(costs, prices.to_vec())
                .unwrap()
                .with_objective(objective);
            let lineup = exact(&question);
            // By lists it is the solver's choice between optima.
            assert!(form == 0 || lineup.mates() == [Some(1), Some(0)]);
            assert_eq!(lineup.cost(), 5.0);
        }
    }
}

#[test]
fn a_pair_that_costs_more_than_its_prices_before_rounding_does_not_play() {
    // The exact sum of the prices is below 1, the rounded one is not.
    let prices = vec![1.0, -(2.0_f64.powi(-60))];
    assert_eq!(prices[0] + prices[1], 1.0);
    let case = Case::new(2, &[(0, 1, 1.0)], prices);
    for costs in case.forms() {
        let question = SittingOut::priced(costs, case.prices.clone()).unwrap();
        let lineup = solve(&question);
        assert_eq!(lineup.mates(), [None, None]);
        assert!(question.verify(&lineup).unwrap().optimal);
    }
}

/// The first of the best lineups by their mates, with sitting out after every partner.
fn first_of_the_best(
    costs: &dyn CostOracle,
    prices: &[f64],
    objective: Objective,
    priced: bool,
) -> Vec<Option<usize>> {
    let best = best(costs, prices, objective, priced);
    let late = |mates: &[Option<usize>]| {
        mates
            .iter()
            .map(|mate| mate.unwrap_or(usize::MAX))
            .collect::<Vec<_>>()
    };
    let mut first: Option<Vec<Option<usize>>> = None;
    for_each_lineup(&mut vec![None; prices.len()], 0, &mut |mates| {
        let out = mates.iter().filter(|mate| mate.is_none()).count();
        let sum = sum(costs, prices, objective.as_minimum(1.0), mates);
        let equal = sum == Some(best.1) && (priced || out == best.0);
        if equal && first.as_ref().is_none_or(|first| late(mates) < late(first)) {
            first = Some(mates.to_vec());
        }
    });
    first.unwrap()
}

#[test]
fn among_equals_playing_wins_and_those_who_come_last_sit_out() {
    let mut rng = rng(38);
    let mut out = 0;
    for _ in 0..400 {
        let case = Case::draw(&mut rng, 7, 0);
        for objective in BOTH {
            let priced = SittingOut::priced(&case.lists, case.prices.clone()).unwrap();
            let lineup = exact(&priced.with_objective(objective));
            assert_eq!(
                lineup.mates(),
                first_of_the_best(&case.lists, &case.prices, objective, true)
            );
            for costs in case.forms() {
                let few = SittingOut::fewest(costs)
                    .with_prices(case.prices.clone())
                    .unwrap();
                let lineup = exact(&few.with_objective(objective));
                assert_eq!(
                    lineup.mates(),
                    first_of_the_best(costs, &case.prices, objective, false)
                );
                out += lineup.sitting_out().count();
            }
        }
    }
    assert!(out > 1000, "{out}");
    let alike = DenseCosts::from_fn(5, |_, _| 2.0).unwrap();
    for question in [
        SittingOut::fewest(&alike),
        SittingOut::priced(&alike, vec![1.0; 5]).unwrap(),
    ] {
        assert!(exact(&question).sitting_out().eq([4]));
    }
}

#[test]
fn nobody_and_one_player_are_questions_too() {
    for n in 0..2 {
        let case = Case::new(n, &[], vec![7.0; n]);
        for costs in case.forms() {
            for objective in BOTH {
                let questions = [
                    SittingOut::priced(costs, case.prices.clone()).unwrap(),
                    SittingOut::fewest(costs)
                        .with_prices(case.prices.clone())
                        .unwrap(),
                ];
                for question in questions {
                    let lineup = exact(&question.with_objective(objective));
                    assert_eq!(lineup.mates(), vec![None; n]);
                    assert_eq!(lineup.cost(), objective.as_minimum(7.0) * n as f64 + 0.0);
                }
            }
        }
    }
}

#[test]
fn large_pools_are_proven_too() {
    let costs = eomm(151, 5);
    let mut rng = rng(37);
    let waited: Vec<_> = (0..151).map(|_| 0.35 * rng.random::<f64>()).collect();
    for objective in BOTH {
        let question = SittingOut::priced(&costs, waited.clone())
            .unwrap()
            .with_objective(objective);
        let lineup = solve(&question);
        assert!(question.verify(&lineup).unwrap().optimal);
        let question = SittingOut::fewest(&costs).with_objective(objective);
        let lineup = solve(&question);
        assert!(question.verify(&lineup).unwrap().optimal);
        assert_eq!(lineup.sitting_out().count(), 1);
    }
    // Sparse: about a tenth of the players has no partner.
    let edges = random_edges(&mut rng, 1001, 2.3 / 1001.0, |rng| rng.random::<f64>().powi(3));
    let regions = sparse(1001, &edges);
    let question = SittingOut::fewest(&regions);
    let lineup = solve(&question);
    assert!(question.verify(&lineup).unwrap().optimal);
    let out = lineup.sitting_out().count();
    assert!((90..300).contains(&out), "{out}");
    let question = SittingOut::priced(&regions, vec![0.3; 1001]).unwrap();
    let lineup = solve(&question);
    let verdict = question.verify(&lineup).unwrap();
    assert!(verdict.optimal && verdict.quantisation_error > 0.0);
    let padded = verify(&*question.padded(&lineup).unwrap(), lineup.pairing()).unwrap();
    assert_eq!(verdict.quantisation_error, padded.quantisation_error / 2.0);
    let claim = question.bound(&lineup).unwrap().unwrap();
    assert_eq!(
        (claim.dual_bound, claim.quantisation_error),
        (verdict.dual_bound, verdict.quantisation_error)
    );
    assert!(lineup.pairs().all(|(i, j)| regions.cost(i, j).unwrap() <= 0.6));
}
