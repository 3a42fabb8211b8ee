//! The policies of the crate keep the public laws, and policies that break them are found out.

use matchwright_queue::laws::{Law, check_exact_times, check_policy, check_policy_within};
use matchwright_queue::{
    Accept, Budget, Compare, Match, MatchPolicy, Pairs, PairsParams, PolicySet, Pool, PriceStart,
    PricesParams, Proposed, QueueSettings, Ticket, TicketId, Time, Why, WindowParams,
};

use crate::bench::{asking, rating, windows};

fn ticket(id: u64, draw: &mut dyn FnMut() -> f64) -> Ticket {
    let size = 1 + u64::from(draw() < 0.2);
    let mut ticket = Ticket::of(id, (0..size).map(|place| id + 1_000_000 * place))
        .with("rating", 1000.0 * draw())
        .with("deviation", 50.0 * draw());
    for region in ["eu", "us", "asia"] {
        if draw() < 0.4 {
            ticket = ticket.with_region(region, (8.0 * draw()).floor() * 10.0);
        }
    }
    if draw() < 0.1 {
        ticket.expires = Some(Time::from_millis((300_000.0 * draw()) as i64));
    }
    ticket
}

fn all() -> Vec<PairsParams> {
    let uncertain = WindowParams {
        deviation: Some("deviation".to_owned()),
        per_deviation: 0.7,
        most: Some(300.0),
        ..rating(10.0, 3.3)
    };
    let stepped = WindowParams {
        start: 10.0,
        steps: vec![(5.0, 30.0), (20.0, 1000.0)],
        ..WindowParams::of("rating")
    };
    let curved = WindowParams {
        start: 10.0,
        curve: vec![(7.0, 31.0), (30.0, 200.0)],
        per_second: 1.7,
        range: Some(1000.0),
        ..WindowParams::of("rating")
    };
    let ratio = WindowParams {
        compare: Compare::LogRatio,
        start: 0.01,
        per_second: 0.013,
        ..WindowParams::of("rating")
    };
    let ping = WindowParams {
        compare: Compare::Ping,
        start: 30.0,
        per_second: 1.1,
        ..WindowParams::of("")
    };
    let mut all = vec![windows(&[]), windows(std::slice::from_ref(&ping))];
    for window in [uncertain, stepped, curved, ratio] {
        for accept in [Accept::Both, Accept::Either, Accept::Sum] {
            for longest_wait in [None, Some(12.5)] {
                all.push(PairsParams {
                    accept,
                    longest_wait,
                    ..windows(&[window.clone(), ping.clone()])
                });
            }
        }
    }
    let flat = PriceStart::Flat(30.0);
    let density = PriceStart::Density {
        mean: 500.0,
        deviation: 300.0,
        per_second: 1.0,
    };
    for start in [PriceStart::Learn, flat, density] {
        let mut prices = PricesParams::of("rating", 1.0, 1.0);
        prices.start = start;
        prices.waiting = vec![(10.0, 5.0), (30.0, 80.0)];
        prices.range = Some(1000.0);
        for (longest_wait, windows) in [(None, &[][..]), (Some(12.5), std::slice::from_ref(&ping))] {
            all.push(PairsParams {
                prices: Some(prices.clone()),
                longest_wait,
                ..self::windows(windows)
            });
        }
    }
    all
}

#[test]
fn pairs_keep_the_laws_with_windows_of_every_kind_and_prices() {
    for params in all() {
        let settings = params.build().unwrap();
        let policy = || Pairs::new("", settings.clone());
        for (seed, queue) in [(1, QueueSettings::default()), (2, asking())] {
            check_policy(policy, &queue, ticket, seed).unwrap_or_else(|error| panic!("{params:?}: {error}"));
            check_exact_times(policy, &queue, ticket, seed + 2)
                .unwrap_or_else(|error| panic!("{params:?}: {error}"));
            check_policy_within(Budget::new(1000), policy, &queue, ticket, seed + 4)
                .unwrap_or_else(|error| panic!("{params:?}, within a budget: {error}"));
        }
    }
}

#[test]
fn a_set_of_policies_keeps_the_laws_with_tickets_in_several_queues() {
    let all = all();
    let names = ["a", "b", "c"];
    let teams = [vec![1, 1], vec![2, 2], vec![1, 2]];
    let settings = QueueSettings {
        queues: names.map(str::to_owned).into_iter().zip(teams).collect(),
        ..asking()
    };
    let several = |id: u64, draw: &mut dyn FnMut() -> f64| {
        let mut ticket = ticket(id, draw);
        let fits = |name: &&str| *name != "a" || ticket.players.len() == 1;
        let mut queues: Vec<&str> = names.into_iter().filter(fits).filter(|_| draw() < 0.7).collect();
        if queues.is_empty() {
            queues.push("c");
        }
        ticket = ticket.in_queues(&queues);
        ticket
    };
    for shift in 0..all.len() {
        let policy = || {
            names
                .iter()
                .enumerate()
                .fold(PolicySet::default(), |set, (place, name)| {
                    let params = &all[(shift + 11 * place) % all.len()];
                    set.with(name, Box::new(Pairs::new(name, params.build().unwrap())))
                })
        };
        check_exact_times(policy, &settings, several, shift as u64)
            .unwrap_or_else(|error| panic!("{shift}: {error}"));
    }
}

/// What is wrong with a policy.
#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Twice,
    Late,
    Early,
    Spins,
    Forgets,
    Ignores,
    Deaf,
}

/// Pairs that break a law.
struct Broken {
    inner: Pairs,
    wrong: Wrong,
    calls: u64,
    was_restored: bool,
}

impl MatchPolicy for Broken {
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        // As if it had not come.
        if self.wrong != Wrong::Ignores || !ticket.0.is_multiple_of(7) {
            self.inner.enter(pool, ticket, now);
        }
    }
    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.inner.leave(pool, ticket, now);
    }
    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        self.calls += 1;
        if self.wrong == Wrong::Early && !self.calls.is_multiple_of(50)
            || self.wrong == Wrong::Forgets && self.was_restored
        {
            return Proposed::nothing();
        }
        let mut proposed = self.inner.propose(pool, now, budget);
        if self.wrong == Wrong::Twice {
            proposed.lobbies.extend(proposed.lobbies.clone());
        }
        proposed
    }
    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        let time = self.inner.next_time(pool, now);
        match self.wrong {
            Wrong::Late => time.map(|time| time.plus(400)),
            Wrong::Spins => Some(now),
            Wrong::Early => None,
            Wrong::Deaf => time.map(|time| Time::from_millis((now.millis() + 1).min(time.millis()))),
            _ => time,
        }
    }
    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        self.inner.why(pool, ticket, now)
    }
    fn liveness(&self) -> Option<f64> {
        self.inner.liveness()
    }
    fn learn(&mut self, made: &Match, pool: &Pool, now: Time) {
        self.inner.learn(made, pool, now);
    }
    fn save(&self) -> Vec<u8> {
        self.inner.save()
    }
    fn restore(&mut self, pool: &Pool, waiting: &[TicketId], now: Time, saved: &[u8]) -> Result<(), String> {
        self.was_restored = true;
        self.inner.restore(pool, waiting, now, saved)
    }
}

#[test]
fn broken_policies_are_found_out_by_the_law_that_they_break() {
    for (wrong, law) in [
        (Wrong::Twice, Law::Lobbies),
        (Wrong::Late, Law::NotBefore),
        (Wrong::Early, Law::NotBefore),
        (Wrong::Spins, Law::Progress),
        (Wrong::Forgets, Law::Recovers),
        (Wrong::Ignores, Law::Liveness),
        (Wrong::Deaf, Law::Exact),
    ] {
        let params = PairsParams {
            longest_wait: Some(10.0),
            ..windows(&[rating(5.0, 2.0)])
        };
        let inner = params.build().unwrap();
        let policy = || Broken {
            inner: Pairs::new("", inner.clone()),
            wrong,
            calls: 0,
            was_restored: false,
        };
        let found: Vec<Law> = (0..8)
            .filter_map(|seed| check_exact_times(policy, &QueueSettings::default(), ticket, seed).err())
            .map(|violation| violation.law())
            .collect();
        assert!(found.contains(&law), "{law}: {found:?}");
    }
}
