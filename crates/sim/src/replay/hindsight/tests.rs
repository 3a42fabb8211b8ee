//! The hindsight optimum against all matchings, the solver on the complete graph, and policies that run on the log.

use matchwright_solver::{
    ExactPairing, Limits, PairingSolver, SparseCosts, Status, UnmatchedPenalties, Workspace,
};
use proptest::prelude::*;

use super::*;
use crate::arrivals::{Arrival, ArrivalsParams};

/// A log with ratings and rules.
#[derive(Debug, Clone)]
struct Log {
    tickets: Vec<LoggedTicket>,
    ratings: Vec<f64>,
    /// Tickets of one group may not meet; 0 is none.
    groups: Vec<u8>,
}

impl Log {
    fn of(arrivals: &[Arrival]) -> Self {
        Self {
            tickets: arrivals.iter().map(LoggedTicket::from).collect(),
            ratings: arrivals.iter().map(|one| one.rating).collect(),
            groups: vec![0; arrivals.len()],
        }
    }

    fn mismatch(&self, i: usize, j: usize) -> Option<f64> {
        let forbidden = self.groups[i] == self.groups[j] && self.groups[i] > 0;
        (!forbidden).then(|| (self.ratings[i] - self.ratings[j]).abs())
    }
}

fn log(tickets: impl Strategy<Value = usize>) -> impl Strategy<Value = Log> {
    let patience = prop_oneof![
        Just(None),
        (0..20_000_i64).prop_map(Some),
        (0..200_000_i64).prop_map(Some)
    ];
    let ticket = (0..8_000_i64, patience, 0.0..200.0, 0..4_u8);
    let logs = tickets.prop_flat_map(move |count| proptest::collection::vec(ticket.clone(), count));
    logs.prop_map(|list| {
        let mut now = -20_000;
        let mut log = Log {
            tickets: Vec::new(),
            ratings: Vec::new(),
            groups: Vec::new(),
        };
        for (gap, patience, rating, group) in list {
            // Some come in the same millisecond.
            now += (gap - 1_000).max(0);
            log.tickets.push(LoggedTicket {
                came_ms: now,
                may_wait_until_ms: patience.map(|stay| now + stay),
            });
            log.ratings.push(rating);
            log.groups.push(group);
        }
        log
    })
}

/// What is charged: K, the shape of the cost of waiting, price, whether the log ends, whether ratings are given.
type Charge = (f64, usize, Option<f64>, bool, bool);

fn charges() -> impl Strategy<Value = Charge> {
    let price = prop_oneof![Just(None), Just(Some(0.0)), (0.0..200.0).prop_map(Some)];
    let weight = prop_oneof![Just(0.0), Just(1.0), 0.1..3.0];
    (weight, 0..SHAPES.len(), price, any::<bool>(), any::<bool>())
}

const SHAPES: [WaitingCost<'static>; 5] = [
    &|w| w,
    &|w| 4.0 * w,
    &|w| w * w / 30.0,
    &|w| (w - 10.0).max(0.0),
    &|w| w.min(25.0),
];

fn with_problem<T>(
    log: &Log,
    charge: Charge,
    most: usize,
    look: impl FnOnce(&HindsightProblem<'_>) -> T,
) -> T {
    let (mismatch_weight, shape, lost_price, ends, rated) = charge;
    let mismatch = |i: usize, j: usize| log.mismatch(i, j);
    let last = log.tickets.last().map_or(0, |ticket| ticket.came_ms);
    let params = HindsightParams {
        ratings: rated.then_some(&log.ratings),
        mismatch_weight,
        waiting_cost: SHAPES[shape],
        lost_price,
        ends_ms: ends.then_some(last + 5_000),
        most_at_once: most,
        ..HindsightParams::new(&log.tickets, &mismatch)
    };
    look(&params.build().unwrap())
}

/// The most pairs, then the least cost, over all matchings.
fn best_of_all(problem: &HindsightProblem<'_>) -> (usize, f64) {
    let tickets = problem.params.tickets.len();
    let is_priced = problem.params.lost_price.is_some();
    // By the set of tickets that are decided: unmatched and cost, the first by number if there is no price.
    let mut best = vec![(usize::MAX, f64::INFINITY); 1 << tickets];
    best[0] = (0, 0.0);
    for set in 0..(1_usize << tickets) - 1 {
        let (unmatched, cost) = best[set];
        if unmatched == usize::MAX {
            continue;
        }
        let i = (!set).trailing_zeros() as usize;
        let mut offer = |to: usize, unmatched: usize, cost: f64| {
            let known = best[to];
            let better = if is_priced {
                cost < known.1
            } else {
                (unmatched, cost) < known
            };
            if better {
                best[to] = (unmatched, cost);
            }
        };
        let alone = problem.unmatched_cost(i) + problem.params.lost_price.unwrap_or(0.0);
        offer(set | 1 << i, unmatched + 1, cost + alone);
        for j in (i + 1..tickets).filter(|j| set >> j & 1 == 0) {
            if let Some(pair) = problem.pair_cost(i, j) {
                offer(set | 1 << i | 1 << j, unmatched, cost + pair);
            }
        }
    }
    best[best.len() - 1]
}

/// The optimum on the list of all permitted pairs.
fn best_on_the_whole_graph(problem: &HindsightProblem<'_>) -> f64 {
    let tickets = problem.params.tickets.len();
    let all = (0..tickets).flat_map(|i| (i + 1..tickets).map(move |j| (i, j)));
    let edges = all.filter_map(|(i, j)| problem.pair_cost(i, j).map(|cost| (i, j, cost)));
    let graph = SparseCosts::from_edges(tickets, edges).unwrap();
    let price = problem.params.lost_price;
    let lost = (0..tickets)
        .map(|i| problem.unmatched_cost(i) + price.unwrap_or(0.0))
        .collect();
    let costs = match price {
        Some(_) => UnmatchedPenalties::new(&graph, lost),
        None => UnmatchedPenalties::maximum_cardinality(&graph).with_penalties(lost),
    };
    let pairing = ExactPairing::minimum().solve(&mut Workspace::new(), &costs.unwrap());
    pairing.unwrap().cost()
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * (1.0 + one.abs())
}

/// What a policy pays that matches with this eagerness whom it finds, at moments of its own.
fn paid_by_a_policy(problem: &HindsightProblem<'_>, eager: u64) -> f64 {
    let tickets = problem.params.tickets;
    let last = tickets.last().map_or(0, |ticket| ticket.came_ms) + 30_000;
    let may_wait = |i: usize, now: i64| {
        let LoggedTicket {
            came_ms,
            may_wait_until_ms,
        } = tickets[i];
        came_ms <= now && may_wait_until_ms.is_none_or(|until| now <= until)
    };
    let wait = |i: usize, now: i64| (problem.params.waiting_cost)((now - tickets[i].came_ms) as f64 / 1000.0);
    let (mut free, mut paid, mut draw) = (vec![true; tickets.len()], 0.0, eager);
    for now in (-20_000..=last).step_by(500) {
        for i in 0..tickets.len() {
            for j in i + 1..tickets.len() {
                if !(free[i] && free[j] && may_wait(i, now) && may_wait(j, now)) {
                    continue;
                }
                draw = draw
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                if let Some(mismatch) = (problem.params.mismatch)(i, j)
                    && (draw >> 33) % 100 < eager
                {
                    (free[i], free[j]) = (false, false);
                    paid += problem.params.mismatch_weight * mismatch + wait(i, now) + wait(j, now);
                }
            }
        }
    }
    let price = problem.params.lost_price.unwrap_or(0.0);
    let lost = (0..tickets.len()).filter(|&i| free[i]);
    paid + lost.map(|i| price + problem.unmatched_cost(i)).sum::<f64>()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_matching_of_ten_tickets_is_better(log in log(0..=10_usize), charge in charges()) {
        with_problem(&log, charge, 50_000, |problem| {
            let found = problem.solve(&Limits::unlimited()).unwrap();
            let (unmatched, cost) = best_of_all(problem);
            assert!(is_near(found.cost, cost), "{} {cost}", found.cost);
            if charge.2.is_none() {
                assert_eq!(found.unmatched.len(), unmatched);
            }
            let verdict = problem.verify(&found, &Limits::unlimited()).unwrap();
            assert!(verdict.optimal && is_near(verdict.bound, cost), "{verdict:?}");
        });
    }

    #[test]
    fn no_policy_pays_less_than_the_bound(
        log in log(0..=12_usize),
        charge in charges(),
        eager in 1..=100_u64,
        price in 0.0..100.0,
        most in 3..=13_usize,
    ) {
        let (weight, shape, _, ends, rated) = charge;
        with_problem(&log, (weight, shape, Some(price), ends, rated), most, |problem| {
            let found = problem.solve(&Limits::unlimited()).unwrap();
            let paid = paid_by_a_policy(problem, eager);
            assert!(paid >= found.bound * (1.0 - 1e-12), "{paid} {}", found.bound);
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_optimum_is_that_of_the_whole_graph(log in log(60..=90_usize), charge in charges()) {
        with_problem(&log, charge, 50_000, |problem| {
            let found = problem.solve(&Limits::unlimited()).unwrap();
            let cost = best_on_the_whole_graph(problem);
            assert!(is_near(found.cost, cost), "{} {cost}", found.cost);
            assert!(problem.verify(&found, &Limits::unlimited()).unwrap().optimal);
        });
    }

    #[test]
    fn slices_enclose_the_optimum(log in log(30..=70_usize), charge in charges(), most in 8..30_usize) {
        let cost = with_problem(&log, charge, 50_000, best_on_the_whole_graph);
        with_problem(&log, charge, most, |problem| {
            let found = problem.solve(&Limits::unlimited()).unwrap();
            // Without a price a matching of fewer pairs may cost less.
            if charge.2.is_some() {
                assert!(found.cost >= cost - 1e-9 * (1.0 + cost), "{} {cost}", found.cost);
            }
            assert!(found.bound <= cost + 1e-9 * (1.0 + cost), "{} {cost}", found.bound);
            let verdict = problem.verify(&found, &Limits::unlimited()).unwrap();
            assert!(is_near(verdict.bound, found.bound) && !verdict.optimal);
        });
    }
}

/// The log of the arrivals, one a second, at K = 1 and this cost of a second.
fn solved(arrivals: &[Arrival], waiting_cost: WaitingCost<'_>, most_at_once: usize) -> (f64, Hindsight) {
    let log = Log::of(arrivals);
    let mismatch = |i: usize, j: usize| log.mismatch(i, j);
    let params = HindsightParams {
        ratings: Some(&log.ratings),
        waiting_cost,
        most_at_once,
        ..HindsightParams::new(&log.tickets, &mismatch)
    };
    let problem = params.build().unwrap();
    let found = problem.solve(&Limits::unlimited()).unwrap();
    let verdict = problem.verify(&found, &Limits::unlimited()).unwrap();
    assert_eq!(verdict.optimal, most_at_once > arrivals.len());
    (best_on_the_whole_graph(&problem), found)
}

#[test]
fn pairs_that_are_never_looked_at_are_none_of_the_optimum() {
    let arrivals = ArrivalsParams::one_a_second(600, 4).build().unwrap();
    for waiting in [SHAPES[0], SHAPES[1], SHAPES[2]] {
        let (cost, found) = solved(&arrivals, waiting, 50_000);
        assert!(is_near(found.cost, cost), "{} {cost}", found.cost);
        assert_eq!((found.unmatched.len(), found.status), (0, Status::Optimal));
        assert_eq!(found.permitted_pairs, 300 * 599);
        assert!(found.evaluations < 300 * 599, "{}", found.evaluations);
        let duals = found.duals.iter().sum::<f64>();
        assert!(duals >= found.cost - 1e-6, "{duals}");
    }
}

#[test]
fn four_slices_bound_the_optimum_within_a_twentieth() {
    let arrivals = ArrivalsParams::swinging(1_000, 2).build().unwrap();
    let (cost, found) = solved(&arrivals, SHAPES[0], 250);
    assert_eq!((found.proofs().len(), found.status), (4, Status::Finished));
    assert!(found.bound <= cost, "{} {cost}", found.bound);
    assert!(found.cost >= cost - 1e-6, "{} {cost}", found.cost);
    assert!(found.gap() < 0.05, "{}", found.gap());
    assert!(found.unmatched.is_empty());
}

#[test]
fn a_limit_leaves_a_matching_with_a_bound() {
    let arrivals = ArrivalsParams::one_a_second(400, 9).build().unwrap();
    let log = Log::of(&arrivals);
    let charge = (1.0, 0, Some(60.0), false, true);
    with_problem(&log, charge, 50_000, |problem| {
        let best = problem.solve(&Limits::unlimited()).unwrap();
        let early = problem.solve(&Limits::unlimited().with_work(50)).unwrap();
        assert_eq!(early.status, Status::WorkLimit);
        assert!(early.bound <= best.cost && best.cost < early.cost);
        let verdict = problem.verify(&early, &Limits::unlimited()).unwrap();
        assert!(!verdict.optimal && is_near(verdict.bound, early.bound));
    });
}

#[test]
fn false_claims_are_not_believed() {
    let arrivals = ArrivalsParams::one_a_second(100, 6).build().unwrap();
    let log = Log::of(&arrivals);
    with_problem(&log, (1.0, 0, Some(60.0), false, true), 50_000, |problem| {
        let found = problem.solve(&Limits::unlimited()).unwrap();
        let refused = |change: &dyn Fn(&mut Hindsight)| {
            let mut claim = found.clone();
            change(&mut claim);
            problem.verify(&claim, &Limits::unlimited()).unwrap_err()
        };
        let claim = |what| HindsightError::Claim { what };
        assert_eq!(refused(&|found| found.cost -= 1.0), claim("cost"));
        assert_eq!(refused(&|found| found.cost = f64::NAN), claim("cost"));
        assert_eq!(refused(&|found| found.bound += 1.0), claim("bound"));
        assert_eq!(
            refused(&|found| found.pairs[1] = found.pairs[0]),
            claim("tickets")
        );
        assert_eq!(refused(&|found| found.pairs.truncate(3)), claim("tickets"));
        assert_eq!(refused(&|found| found.proofs.clear()), claim("proofs"));
        // The proof of another price.
        let other = with_problem(&log, (1.0, 0, Some(10.0), false, true), 50_000, |other| {
            other.solve(&Limits::unlimited()).unwrap()
        });
        let error = refused(&|found| found.proofs.clone_from(&other.proofs));
        assert!(matches!(error, HindsightError::Verify(_)), "{error}");
    });
}

#[test]
fn prices_follow_the_density_of_ratings() {
    let arrivals = ArrivalsParams::one_a_second(1_000, 3).build().unwrap();
    let (_, found) = solved(&arrivals, SHAPES[0], 50_000);
    let ratings: Vec<f64> = arrivals.iter().map(|ticket| ticket.rating).collect();
    let table = found.price_table(&ratings, 10).unwrap().unwrap();
    assert_eq!(table.points().len(), 10);
    assert!(table.points().is_sorted_by(|a, b| a.0 < b.0));
    let middle = table.price(1500.0);
    assert!(
        table.price(900.0) > 1.5 * middle && table.price(2100.0) > 1.5 * middle,
        "{table:?}"
    );
    let (rating, price) = table.points()[3];
    assert!(is_near(table.price(rating), price));
    assert_eq!(table.price(f64::NEG_INFINITY), table.points()[0].1);
    assert_eq!(table.price(f64::INFINITY), table.points()[9].1);
    assert!(table.price(f64::NAN).is_nan());
    assert!(found.price_table(&ratings[1..], 10).is_err());
    assert!(with_problem(
        &Log::of(&[]),
        (1.0, 0, None, true, true),
        2,
        |problem| {
            let empty = problem.solve(&Limits::unlimited()).unwrap();
            assert_eq!((empty.cost_per_player(), empty.gap()), (0.0, 0.0));
            empty.price_table(&[], 5).unwrap().is_none()
        }
    ));
}

#[test]
fn what_is_wrong_with_a_log_is_named() {
    let ticket = |came_ms, may_wait_until_ms| LoggedTicket {
        came_ms,
        may_wait_until_ms,
    };
    let good = [ticket(0, None), ticket(10, Some(10)), ticket(10, None)];
    let refused = |tickets: &[LoggedTicket], change: &dyn Fn(&mut HindsightParams<'_>)| {
        let mismatch = |i: usize, j: usize| Some(if i + j == 2 { f64::NAN } else { 1.0 });
        let mut params = HindsightParams::new(tickets, &mismatch);
        change(&mut params);
        match params.build() {
            Err(error) => error,
            Ok(problem) => problem.solve(&Limits::unlimited()).unwrap_err(),
        }
    };
    let same = |_: &mut HindsightParams<'_>| {};
    assert_eq!(
        refused(&[good[1], good[0]], &same),
        HindsightError::OutOfOrder { ticket: 1 }
    );
    assert_eq!(
        refused(&[ticket(5, Some(4))], &same),
        HindsightError::LeavesEarly { ticket: 0 }
    );
    assert_eq!(
        refused(&[ticket(i64::MIN, None), ticket(1, None)], &same),
        HindsightError::TooLong { ticket: 0 }
    );
    assert_eq!(
        refused(&good, &|params| params.ends_ms = Some(9)),
        HindsightError::EndsEarly {
            ends_ms: 9,
            last_ms: 10
        }
    );
    assert_eq!(
        refused(&good, &|params| params.ratings = Some(&[1.0])),
        HindsightError::RatingCount {
            ratings: 1,
            tickets: 3
        }
    );
    assert!(matches!(
        refused(&good, &|params| params.ratings = Some(&[1.0, f64::NAN, 2.0])),
        HindsightError::Rating { ticket: 1, .. }
    ));
    for value in [-1.0, f64::NAN, f64::INFINITY] {
        let error = refused(&good, &|params| params.mismatch_weight = value);
        assert!(matches!(
            error,
            HindsightError::Weight {
                name: "mismatch_weight",
                ..
            }
        ));
        let error = refused(&good, &|params| params.lost_price = Some(value));
        assert!(matches!(
            error,
            HindsightError::Weight {
                name: "lost_price",
                ..
            }
        ));
    }
    assert_eq!(
        refused(&good, &|params| params.most_at_once = 1),
        HindsightError::SliceSize { most_at_once: 1 }
    );
    let falling = refused(&good, &|params| params.waiting_cost = &|w| -w);
    assert!(matches!(falling, HindsightError::WaitingCost { .. }));
    let no_number = refused(&good, &same);
    assert!(
        matches!(no_number, HindsightError::Mismatch { i: 0, j: 2, .. }),
        "{no_number}"
    );
}

#[test]
fn a_mismatch_less_than_the_gap_in_rating_is_named() {
    let arrivals = ArrivalsParams::one_a_second(100, 6).build().unwrap();
    let log = Log::of(&arrivals);
    let half = |i: usize, j: usize| log.mismatch(i, j).map(|gap| 0.1 * gap);
    let params = HindsightParams {
        ratings: Some(&log.ratings),
        ..HindsightParams::new(&log.tickets, &half)
    };
    let error = params.build().unwrap().solve(&Limits::unlimited()).unwrap_err();
    assert!(matches!(error, HindsightError::RatingGap { .. }), "{error}");
}
