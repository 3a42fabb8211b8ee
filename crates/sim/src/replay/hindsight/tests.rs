//! The hindsight optimum against all matchings, the solver on the complete graph, and policies that run on the log.

use matchwright_solver::{ExactPairing, Limits, PairingSolver, SparseCosts, Status, UnmatchedPenalties};
use proptest::prelude::*;

use super::*;
use crate::arrivals::{Arrival, ArrivalsParams};

/// A log with ratings and rules.
#[derive(Debug, Clone)]
struct Log {
    tickets: Vec<Stay>,
    ratings: Vec<f64>,
    /// Tickets of one group may not meet; 0 is none.
    groups: Vec<u8>,
}

impl Log {
    fn of(arrivals: &[Arrival]) -> Self {
        Self {
            tickets: arrivals.iter().map(Stay::from).collect(),
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
            log.tickets.push(Stay {
                came_ms: now,
                may_wait_until_ms: patience.map(|stay| now + stay),
            });
            log.ratings.push(rating);
            log.groups.push(group);
        }
        log
    })
}

/// What is charged, and how the log is told.
#[derive(Debug, Clone, Copy)]
struct Charge {
    weight: f64,
    /// The cost of waiting, of [`SHAPES`].
    shape: usize,
    price: Option<f64>,
    /// Whether the log has an end: 5 s after its last ticket.
    ends: bool,
    /// Whether ratings are given.
    rated: bool,
}

const PLAIN: Charge = Charge {
    weight: 1.0,
    shape: 0,
    price: None,
    ends: false,
    rated: true,
};

const SHAPES: [WaitingCost<'static>; 5] = [
    &|w| w,
    &|w| 4.0 * w,
    &|w| w * w / 30.0,
    &|w| (w - 10.0).max(0.0),
    &|w| w.min(25.0),
];

fn charges() -> impl Strategy<Value = Charge> {
    let price = prop_oneof![Just(None), Just(Some(0.0)), (0.0..200.0).prop_map(Some)];
    let weight = prop_oneof![Just(0.0), Just(1.0), 0.1..3.0];
    let all = (weight, 0..SHAPES.len(), price, any::<bool>(), any::<bool>());
    all.prop_map(|(weight, shape, price, ends, rated)| Charge {
        weight,
        shape,
        price,
        ends,
        rated,
    })
}

/// The same problem in formulas of its own.
impl Log {
    fn with_problem<T>(
        &self,
        charge: Charge,
        most_at_once: usize,
        look: impl FnOnce(&HindsightProblem<'_>) -> T,
    ) -> T {
        let mismatch = |i: usize, j: usize| self.mismatch(i, j);
        let params = HindsightParams {
            ratings: charge.rated.then_some(&self.ratings),
            mismatch_weight: charge.weight,
            waiting_cost: SHAPES[charge.shape],
            lost_price: charge.price,
            ends_ms: charge.ends.then_some(self.last() + 5_000),
            most_at_once,
            ..HindsightParams::new(&self.tickets, &mismatch)
        };
        look(&params.build().unwrap())
    }

    fn last(&self) -> i64 {
        self.tickets.last().map_or(0, |ticket| ticket.came_ms)
    }

    /// What ticket i is charged for waiting until `now`.
    fn wait(&self, charge: Charge, i: usize, now: i64) -> f64 {
        SHAPES[charge.shape]((now - self.tickets[i].came_ms) as f64 * 0.001)
    }

    fn is_waiting(&self, i: usize, now: i64) -> bool {
        let ticket = self.tickets[i];
        ticket.came_ms <= now && ticket.may_wait_until_ms.is_none_or(|until| now <= until)
    }

    /// What a match of i and j, which comes later, costs at once.
    fn pair(&self, charge: Charge, i: usize, j: usize) -> Option<f64> {
        let now = self.tickets[j].came_ms;
        let mismatch = self.mismatch(i, j).filter(|_| self.is_waiting(i, now))?;
        Some(self.wait(charge, i, now) + charge.weight * mismatch)
    }

    /// What a ticket costs that is not matched.
    fn lost(&self, charge: Charge, i: usize) -> f64 {
        let end = charge.ends.then_some(self.last() + 5_000);
        let until = self.tickets[i].may_wait_until_ms.or(end);
        charge.price.unwrap_or(0.0) + until.map_or(0.0, |until| self.wait(charge, i, until))
    }

    /// How many are unmatched, and the cost: the best of all matchings, of those with the most pairs if there is no
    /// price.
    fn best_of_all(&self, charge: Charge) -> (usize, f64) {
        let tickets = self.tickets.len();
        let is_better = |one: (usize, f64), other: (usize, f64)| match charge.price {
            Some(_) => one.1 < other.1,
            None => one < other,
        };
        // By the set of tickets that are decided.
        let mut best = vec![(usize::MAX, f64::INFINITY); 1 << tickets];
        best[0] = (0, 0.0);
        for set in 0..(1_usize << tickets) - 1 {
            let (unmatched, cost) = best[set];
            if unmatched == usize::MAX {
                continue;
            }
            let mut offer = |to: usize, total: (usize, f64)| {
                if is_better(total, best[to]) {
                    best[to] = total;
                }
            };
            let i = (!set).trailing_zeros() as usize;
            offer(set | 1 << i, (unmatched + 1, cost + self.lost(charge, i)));
            for j in (i + 1..tickets).filter(|j| set >> j & 1 == 0) {
                if let Some(pair) = self.pair(charge, i, j) {
                    offer(set | 1 << i | 1 << j, (unmatched, cost + pair));
                }
            }
        }
        best[best.len() - 1]
    }

    /// The optimum on the list of all permitted pairs.
    fn best_on_the_whole_graph(&self, charge: Charge) -> f64 {
        let tickets = self.tickets.len();
        let all = (0..tickets).flat_map(|i| (i + 1..tickets).map(move |j| (i, j)));
        let edges = all.filter_map(|(i, j)| self.pair(charge, i, j).map(|cost| (i, j, cost)));
        let graph = SparseCosts::from_edges(tickets, edges).unwrap();
        let lost = (0..tickets).map(|i| self.lost(charge, i)).collect();
        let costs = match charge.price {
            Some(_) => UnmatchedPenalties::new(&graph, lost),
            None => UnmatchedPenalties::maximum_cardinality(&graph).with_penalties(lost),
        };
        let pairing = ExactPairing::minimum().solve(&costs.unwrap());
        pairing.unwrap().cost()
    }

    /// What a policy pays that looks every half a second, and matches two whom it sees with this chance in percent.
    fn paid_by_a_policy(&self, charge: Charge, chance: u64) -> f64 {
        let tickets = self.tickets.len();
        let (mut free, mut paid, mut draw) = (vec![true; tickets], 0.0, chance);
        for now in (-20_000..=self.last() + 30_000).step_by(500) {
            for i in 0..tickets {
                for j in i + 1..tickets {
                    if !(free[i] && free[j] && self.is_waiting(i, now) && self.is_waiting(j, now)) {
                        continue;
                    }
                    draw = draw
                        .wrapping_mul(6364136223846793005)
                        .wrapping_add(1442695040888963407);
                    if let Some(mismatch) = self.mismatch(i, j)
                        && (draw >> 33) % 100 < chance
                    {
                        (free[i], free[j]) = (false, false);
                        let waits = self.wait(charge, i, now) + self.wait(charge, j, now);
                        paid += charge.weight * mismatch + waits;
                    }
                }
            }
        }
        let lost = (0..tickets).filter(|&i| free[i]);
        paid + lost.map(|i| self.lost(charge, i)).sum::<f64>()
    }
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * (1.0 + one.abs())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_matching_of_ten_tickets_is_better(log in log(0..=10_usize), charge in charges()) {
        log.with_problem(charge, 50_000, |problem| {
            let found = problem.solve(&Limits::unlimited()).unwrap();
            let (unmatched, cost) = log.best_of_all(charge);
            assert!(is_near(found.cost, cost), "{} {cost}", found.cost);
            if charge.price.is_none() {
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
        chance in 1..=100_u64,
        price in 0.0..100.0,
        most in 3..=13_usize,
    ) {
        let charge = Charge { price: Some(price), ..charge };
        log.with_problem(charge, most, |problem| {
            let found = problem.solve(&Limits::unlimited()).unwrap();
            let paid = log.paid_by_a_policy(charge, chance);
            assert!(paid >= found.bound * (1.0 - 1e-12), "{paid} {}", found.bound);
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_optimum_is_that_of_the_whole_graph(log in log(60..=90_usize), charge in charges()) {
        log.with_problem(charge, 50_000, |problem| {
            let found = problem.solve(&Limits::unlimited()).unwrap();
            let cost = log.best_on_the_whole_graph(charge);
            assert!(is_near(found.cost, cost), "{} {cost}", found.cost);
            assert!(problem.verify(&found, &Limits::unlimited()).unwrap().optimal);
        });
    }

    #[test]
    fn slices_enclose_the_optimum(log in log(30..=70_usize), charge in charges(), most in 8..30_usize) {
        let cost = log.best_on_the_whole_graph(charge);
        log.with_problem(charge, most, |problem| {
            let found = problem.solve(&Limits::unlimited()).unwrap();
            // Without a price a matching of fewer pairs may cost less.
            if charge.price.is_some() {
                assert!(found.cost >= cost - 1e-9 * (1.0 + cost), "{} {cost}", found.cost);
            }
            assert!(found.bound <= cost + 1e-9 * (1.0 + cost), "{} {cost}", found.bound);
            let verdict = problem.verify(&found, &Limits::unlimited()).unwrap();
            assert!(is_near(verdict.bound, found.bound) && !verdict.optimal);
        });
    }
}

/// The optimum of the arrivals on the whole graph, and what is found.
fn solved(arrivals: &[Arrival], charge: Charge, most_at_once: usize) -> (f64, Hindsight) {
    let log = Log::of(arrivals);
    log.with_problem(charge, most_at_once, |problem| {
        let found = problem.solve(&Limits::unlimited()).unwrap();
        let verdict = problem.verify(&found, &Limits::unlimited()).unwrap();
        assert_eq!(verdict.optimal, most_at_once > arrivals.len());
        (log.best_on_the_whole_graph(charge), found)
    })
}

#[test]
fn pairs_that_are_never_looked_at_are_none_of_the_optimum() {
    let arrivals = ArrivalsParams::one_a_second(600, 4).build().unwrap();
    for shape in 0..3 {
        let price = Some(1e4);
        let charge = Charge {
            shape,
            price,
            ..PLAIN
        };
        let (cost, found) = solved(&arrivals, charge, 50_000);
        assert!(is_near(found.cost, cost), "{} {cost}", found.cost);
        assert_eq!((found.unmatched.len(), found.status), (0, Status::Optimal));
        assert_eq!(found.permitted_pairs, 300 * 599);
        assert!(found.evaluations < 300 * 599, "{}", found.evaluations);
        let duals = found.duals.iter().sum::<f64>();
        assert!(duals >= found.cost - 1e-6, "{duals}");
    }
}

#[test]
fn two_slices_enclose_the_optimum_within_a_twentieth() {
    let arrivals = ArrivalsParams::swinging(1_000, 2).build().unwrap();
    let (cost, found) = solved(&arrivals, PLAIN, 500);
    assert_eq!((found.proofs().len(), found.status), (2, Status::Finished));
    assert!(found.bound <= cost, "{} {cost}", found.bound);
    assert!(found.cost >= cost - 1e-6, "{} {cost}", found.cost);
    assert!(found.gap() < 0.05, "{}", found.gap());
    assert!(found.unmatched.is_empty());
}

#[test]
fn three_slices_enclose_the_optimum_within_three_percent() {
    for seed in 1..=4 {
        let arrivals = ArrivalsParams::one_a_second(3_000, seed).build().unwrap();
        let charge = Charge { shape: 1, ..PLAIN };
        let found = Log::of(&arrivals).with_problem(charge, 1_000, |problem| {
            problem.solve(&Limits::unlimited()).unwrap()
        });
        assert!(
            found.unmatched.is_empty() && found.gap() < 0.03,
            "{seed} {}",
            found.gap()
        );
    }
}

#[test]
fn a_limit_leaves_a_matching_with_a_bound() {
    let arrivals = ArrivalsParams::one_a_second(400, 9).build().unwrap();
    let log = Log::of(&arrivals);
    let charge = Charge {
        price: Some(60.0),
        ..PLAIN
    };
    log.with_problem(charge, 50_000, |problem| {
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
    let charge = |price| Charge {
        price: Some(price),
        ..PLAIN
    };
    log.with_problem(charge(60.0), 50_000, |problem| {
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
        let other = log.with_problem(charge(10.0), 50_000, |other| {
            other.solve(&Limits::unlimited()).unwrap()
        });
        let error = refused(&|found| found.proofs.clone_from(&other.proofs));
        assert!(matches!(error, HindsightError::Verify(_)), "{error}");
    });
}

#[test]
fn prices_follow_the_density_of_ratings() {
    let arrivals = ArrivalsParams::one_a_second(1_000, 3).build().unwrap();
    let (_, found) = solved(&arrivals, PLAIN, 50_000);
    let ratings: Vec<f64> = arrivals.iter().map(|ticket| ticket.rating).collect();
    let table = found.price_points(&ratings, 10).unwrap();
    assert_eq!(table.len(), 10);
    assert!(table.is_sorted_by(|a, b| a.0 < b.0));
    let middle = table[4].1.max(table[5].1);
    assert!(
        table[0].1 > 1.5 * middle && table[9].1 > 1.5 * middle,
        "{table:?}"
    );
    assert!(found.price_points(&ratings[1..], 10).is_err());
    // Tickets of one rating have one price: the mean of all duals.
    let alike = found.price_points(&vec![1500.0; ratings.len()], 10).unwrap();
    let mean = found.duals.iter().sum::<f64>() / ratings.len() as f64;
    assert!(alike.len() == 1 && is_near(alike[0].1, mean), "{alike:?}");
    assert!(
        Log::of(&[]).with_problem(Charge { ends: true, ..PLAIN }, 2, |problem| {
            let empty = problem.solve(&Limits::unlimited()).unwrap();
            assert_eq!((empty.cost_per_player(), empty.gap()), (0.0, 0.0));
            empty.price_points(&[], 5).unwrap().is_empty()
        })
    );
}

#[test]
fn what_is_wrong_with_a_log_is_named() {
    let ticket = |came_ms, may_wait_until_ms| Stay {
        came_ms,
        may_wait_until_ms,
    };
    let good = [ticket(0, None), ticket(10, Some(10)), ticket(10, None)];
    let refused = |tickets: &[Stay], change: &dyn Fn(&mut HindsightParams<'_>)| {
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
        lost_price: Some(1e4),
        ..HindsightParams::new(&log.tickets, &half)
    };
    let error = params.build().unwrap().solve(&Limits::unlimited()).unwrap_err();
    assert!(matches!(error, HindsightError::RatingGap { .. }), "{error}");
}
