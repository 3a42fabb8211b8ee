//! The simulator against queues whose waits are known in closed form, driving the queue's own steps.
//!
//! Standard errors are those of regenerative cycles: what happens between two moments at which the queue begins anew is
//! independent of the rest, where single waits are not.

use matchwright_queue::{
    Budget, Lobby, MatchPolicy, ObjectiveParams, PolicyLabel, Pool, Proposed, QueueSettings, TicketId, Time,
    Why,
};
use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load};
use matchwright_sim::simulate::{
    ArrivalParams, Fate, FullRecord, Patience, PeopleParams, ScenarioParams, TicketEnd, simulate,
};

/// Matches groups of this many at once, first come, first served, where `fits` lets them.
struct FirstCome<F> {
    group: usize,
    fits: F,
    waiting: Vec<(TicketId, f64)>,
}

impl<F: Fn((TicketId, f64), (TicketId, f64)) -> bool> MatchPolicy for FirstCome<F> {
    fn enter(&mut self, pool: &Pool, ticket: TicketId, _: Time) {
        let rating = pool.get(ticket).and_then(|waiting| waiting.ticket.mean("rating"));
        self.waiting.push((ticket, rating.unwrap()));
    }

    fn leave(&mut self, _: &Pool, ticket: TicketId, _: Time) {
        self.waiting.retain(|one| one.0 != ticket);
    }

    fn propose(&mut self, pool: &Pool, _: Time, _: &mut Budget) -> Proposed {
        let queue = pool.queues().next().unwrap().clone();
        // Whoever came later finds the first who fits.
        for (at, &late) in self.waiting.iter().enumerate() {
            let fits = self.waiting[..at]
                .iter()
                .filter(|&&early| (self.fits)(early, late));
            let found: Vec<TicketId> = fits.map(|one| one.0).take(self.group - 1).collect();
            if found.len() == self.group - 1 {
                let teams = found
                    .into_iter()
                    .chain([late.0])
                    .map(|ticket| vec![ticket])
                    .collect();
                return Proposed::lobbies([Lobby {
                    queue,
                    teams,
                    region: None,
                    mismatch: 0.0,
                }]);
            }
        }
        Proposed::nothing()
    }

    fn next_time(&mut self, _: &Pool, _: Time) -> Option<Time> {
        None
    }

    fn why(&self, _: &Pool, _: TicketId, _: Time) -> Why {
        Why::default()
    }

    fn liveness(&self) -> Option<f64> {
        None
    }
}

fn first_come(
    group: usize,
    fits: impl Fn((TicketId, f64), (TicketId, f64)) -> bool + Send + 'static,
) -> LoadedPolicy {
    LoadedPolicy {
        label: PolicyLabel::default(),
        settings: QueueSettings {
            queues: [(String::new(), vec![1; group])].into(),
            ..QueueSettings::default()
        },
        policy: Box::new(FirstCome {
            group,
            fits,
            waiting: Vec::new(),
        }),
        scoring: None,
        objective: ObjectiveParams::default().build().unwrap(),
        longest_wait: None,
        looks_at: std::collections::BTreeSet::new(),
        scale: None,
    }
}

/// New players one after another, `rate` a second, until there are about `tickets` tickets; ratings are standard normal.
fn record(
    rate: f64,
    mean_patience: Option<f64>,
    tickets: f64,
    policy: &mut LoadedPolicy,
    seed: u64,
) -> FullRecord {
    let scenario = ScenarioParams {
        hours: tickets / rate / 3600.0,
        arrivals: ArrivalParams {
            per_second: rate,
            ..ArrivalParams::default()
        },
        people: PeopleParams {
            skill_mean: 0.0,
            skill_deviation: 1.0,
            ..PeopleParams::default()
        },
        patience: mean_patience.map(Patience::Exponential),
        ..ScenarioParams::default()
    };
    let mut record = FullRecord::default();
    simulate(&scenario.build().unwrap(), policy, seed, &mut record, &mut |_| {}).unwrap();
    record.tickets.sort_by_key(|ticket| ticket.ticket.id);
    record
}

/// Tickets in cycles, each of which begins with an arrival that finds this many others.
fn cycles(tickets: &[TicketEnd], count: usize) -> Vec<&[TicketEnd]> {
    let (mut ends, mut starts) = (Vec::new(), Vec::new());
    for (at, ticket) in tickets.iter().enumerate() {
        // Whom this arrival takes along was there.
        ends.retain(|end| *end >= ticket.came);
        if ends.len() == count {
            starts.push(at);
        }
        ends.push(ticket.ended);
    }
    starts.windows(2).map(|two| &tickets[two[0]..two[1]]).collect()
}

/// Mean of `value` over the tickets that `counts`, within three standard errors of what is expected.
#[track_caller]
fn assert_mean_of(
    cycles: &[&[TicketEnd]],
    counts: impl Fn(&TicketEnd) -> bool,
    value: impl Fn(&TicketEnd) -> f64,
    expected: f64,
) {
    let sums: Vec<(f64, f64)> = cycles
        .iter()
        .map(|cycle| {
            let values = cycle.iter().filter(|ticket| counts(ticket)).map(&value);
            values.fold((0.0, 0.0), |sum, value| (sum.0 + value, sum.1 + 1.0))
        })
        .collect();
    let total: f64 = sums.iter().map(|sum| sum.1).sum();
    let mean = sums.iter().map(|sum| sum.0).sum::<f64>() / total;
    let squares: f64 = sums.iter().map(|sum| (sum.0 - mean * sum.1).powi(2)).sum();
    let error = squares.sqrt() / total;
    let miss = (mean - expected) / error;
    assert!(sums.len() >= 100, "only {} cycles", sums.len());
    let found = format!("{mean:.5} +- {error:.5}, expected {expected:.5}: {miss:+.2} standard errors");
    assert!(miss.abs() < 3.0 && error < 0.05 * expected, "{found}");
}

#[track_caller]
fn assert_mean(cycles: &[&[TicketEnd]], value: impl Fn(&TicketEnd) -> f64, expected: f64) {
    assert_mean_of(cycles, |_| true, value, expected);
}

fn left(ticket: &TicketEnd) -> f64 {
    f64::from(u8::from(ticket.fate == Fate::Left))
}

#[test]
fn one_class_matched_at_once_waits_half_a_gap_of_arrivals_and_patience() {
    for (rate, patience) in [(1.0, 5.0), (0.5, 1.0)] {
        let found = record(rate, Some(patience), 30_000.0, &mut first_come(2, |_, _| true), 1);
        let (cycles, leaves) = (cycles(&found.tickets, 0), 1.0 / patience);
        assert_mean(&cycles, TicketEnd::waited, 1.0 / (2.0 * rate + leaves));
        assert_mean(&cycles, left, leaves / (2.0 * rate + leaves));
    }
}

#[test]
fn of_two_sides_the_larger_waits_and_loses_as_the_birth_and_death_process_says() {
    // Ratings above the quantile are the first side.
    for (share, quantile, patience) in [(0.5, 0.0, 4.0), (0.4, 0.253_347, 2.0)] {
        let rate = 2.0;
        let is_first = move |rating: f64| rating > quantile;
        let mut policy = first_come(2, move |a, b| is_first(a.1) != is_first(b.1));
        let found = record(rate, Some(patience), 60_000.0, &mut policy, 2);
        let (first, second, leaves) = (rate * share, rate * (1.0 - share), 1.0 / patience);
        // pi(n) up to a constant, for n waiting of one side while the other has none.
        let side = |own: f64, other: f64| {
            let mut weights = vec![1.0];
            for k in 1..400 {
                let last = weights[k - 1];
                weights.push(last * own / (other + k as f64 * leaves));
            }
            let sum: f64 = weights[1..].iter().sum();
            let mean: f64 = weights
                .iter()
                .enumerate()
                .map(|(n, weight)| n as f64 * weight)
                .sum();
            (sum, mean)
        };
        let (plus, minus) = (side(first, second), side(second, first));
        let total = 1.0 + plus.0 + minus.0;
        let cycles = cycles(&found.tickets, 0);
        for (of_first, own, mean) in [(true, first, plus.1 / total), (false, second, minus.1 / total)] {
            let counts = |ticket: &TicketEnd| is_first(ticket.rating) == of_first;
            assert_mean_of(&cycles, counts, TicketEnd::waited, mean / own);
            assert_mean_of(&cycles, counts, left, leaves * mean / own);
        }
    }
}

#[test]
fn three_classes_of_which_no_two_alike_may_meet_wait_one_and_a_half_in_number() {
    for rate in [1.0, 3.0] {
        let class = |rating: f64| u8::from(rating > -0.430_727) + u8::from(rating > 0.430_727);
        let mut policy = first_come(2, move |a, b| class(a.1) != class(b.1));
        let found = record(rate, None, 100_000.0, &mut policy, 3);
        assert_mean(&cycles(&found.tickets, 0), TicketEnd::waited, 1.5 / rate);
    }
}

#[test]
fn batches_cost_half_a_period_and_half_a_group() {
    for (rate, period, group) in [(1.0, 10.0, 2_usize), (0.7, 20.0, 4)] {
        let ones = vec!["1"; group].join(", ");
        let document: PolicyDocument = toml::from_str(&format!(
            "name = 'batch'\n[queue]\nmethod = 'batch'\nteams = [{ones}]\n[queue.batch]\nevery = {period}\nchoose = 'random'\n"
        ))
        .unwrap();
        let found = record(rate, None, 40_000.0, &mut load(document).unwrap(), 4);
        // The queue begins anew with the first who comes after a batch that left nobody.
        let expected = period / 2.0 + (group as f64 - 1.0) / (2.0 * rate);
        assert_mean(&cycles(&found.tickets, 0), TicketEnd::waited, expected);
        let found = record(rate, None, 40_000.0, &mut first_come(group, |_, _| true), 5);
        assert_mean(
            &cycles(&found.tickets, 0),
            TicketEnd::waited,
            (group as f64 - 1.0) / (2.0 * rate),
        );
    }
}

#[test]
fn tickets_that_fit_by_chance_are_lost_as_often_as_the_chain_says() {
    for (rate, chance) in [(100.0, 0.05), (20.0, 0.1)] {
        let fits = move |a: (TicketId, f64), b: (TicketId, f64)| {
            let mixed = (a.0.0 << 32 | b.0.0).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            ((mixed ^ mixed >> 32) % (1 << 32)) as f64 / 2.0_f64.powi(32) < chance
        };
        let (mut weights, mut last) = (vec![1.0], 1.0);
        for k in 0..300 {
            let meets = 1.0 - (1.0 - chance).powi(k + 1);
            let up: f64 = rate * (1.0 - chance).powi(k);
            last *= up / (f64::from(k + 1) + rate * meets);
            weights.push(last);
        }
        let total: f64 = weights.iter().sum();
        let mean: f64 = weights
            .iter()
            .enumerate()
            .map(|(k, weight)| k as f64 * weight)
            .sum::<f64>()
            / total;
        let likeliest = (0..weights.len())
            .max_by(|&a, &b| weights[a].total_cmp(&weights[b]))
            .unwrap();
        let found = record(rate, Some(1.0), 60_000.0, &mut first_come(2, fits), 6);
        assert_mean(&cycles(&found.tickets, likeliest), left, mean / rate);
    }
}

#[test]
fn where_pairs_are_made_at_once_and_nobody_leaves_each_match_is_made_by_an_arrival() {
    for rate in [0.2, 5.0] {
        let found = record(rate, None, 5_000.0, &mut first_come(2, |_, _| true), 7);
        let on_arrival = found.matches.iter().filter(|made| {
            let late = made.made.lobby.tickets().max().unwrap();
            let at = found
                .tickets
                .binary_search_by_key(&late, |ticket| ticket.ticket.id);
            found.tickets[at.unwrap()].came == made.at
        });
        assert_eq!(on_arrival.count(), found.matches.len());
        assert_eq!(found.matches.len(), found.tickets.len() / 2);
    }
}
