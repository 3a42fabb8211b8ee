//! The policies of the crate keep the public laws, and policies that break them are found out.

use matchwright_queue::laws::{Law, check_exact_times, check_pairs, check_policy, check_policy_within};
use matchwright_queue::{
    Accept, Budget, Compare, Lobby, Match, MatchPolicy, Pairs, PairsParams, PolicySet, Pool, PriceStart,
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
            for budget in [1, 3, 40, 1000] {
                check_policy_within(Budget::new(budget), policy, &queue, ticket, seed + 4)
                    .unwrap_or_else(|error| panic!("{params:?}, within {budget}: {error}"));
            }
        }
    }
}

#[test]
fn pairs_are_those_of_a_search_through_all() {
    let ticket = |id: u64, draw: &mut dyn FnMut() -> f64| {
        Ticket::of_one(id, id)
            .with("rating", 1000.0 * draw())
            .with_text("mode", if draw() < 0.5 { "a" } else { "b" })
    };
    let queue = QueueSettings {
        keys: vec!["mode".to_owned()],
        ..asking()
    };
    for accept in [Accept::Both, Accept::Either, Accept::Sum] {
        for longest_wait in [None, Some(40.0)] {
            let params = PairsParams {
                accept,
                longest_wait,
                ..windows(&[rating(2.0, 1.5)])
            };
            let settings = params.build().unwrap();
            let compatible =
                |pair: [(&Ticket, Time); 2], now: Time| is_compatible(pair, now, accept, longest_wait);
            for seed in 0..5 {
                let kept = check_pairs(
                    || Pairs::new("", settings.clone()),
                    &queue,
                    ticket,
                    compatible,
                    seed,
                );
                assert_eq!(kept, Ok(()), "{params:?}");
            }
        }
    }
}

/// Of one mode, and within windows of 2 and 1.5 a second, or beyond the longest wait.
fn is_compatible(pair: [(&Ticket, Time); 2], now: Time, accept: Accept, longest_wait: Option<f64>) -> bool {
    let [a, b] = pair.map(|entry| entry.0);
    let waited = pair.map(|entry| now.seconds_since(entry.1));
    let [own, others] = waited.map(|waited| 2.0 + 1.5 * waited);
    let width = match accept {
        Accept::Both => own.min(others),
        Accept::Either => own.max(others),
        Accept::Sum => own + others,
    };
    let distance = (a.mean("rating").unwrap() - b.mean("rating").unwrap()).abs();
    let is_over = longest_wait.is_some_and(|longest| waited.iter().any(|waited| *waited >= longest));
    a.word("mode") == b.word("mode") && (is_over || width >= distance)
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
    /// Proposes only where it is asked once more at one time.
    Shy,
    /// Proposes a ticket that left.
    Clings,
    /// Takes no units.
    Free,
    /// Is done where it was cut.
    Content,
    /// Makes one lobby of all that it found.
    Slow,
}

/// Pairs that break a law.
struct Broken {
    inner: Pairs,
    wrong: Wrong,
    calls: u64,
    was_restored: bool,
    asked: Option<Time>,
    proposed: Vec<TicketId>,
}

impl Broken {
    fn new(inner: Pairs, wrong: Wrong) -> Self {
        Self {
            inner,
            wrong,
            calls: 0,
            was_restored: false,
            asked: None,
            proposed: Vec::new(),
        }
    }
}

impl MatchPolicy for Broken {
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        // As if it had not come.
        if self.wrong != Wrong::Ignores || !ticket.0.is_multiple_of(7) {
            self.inner.enter(pool, ticket, now);
        }
    }
    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        // Until it hears of the match.
        if self.wrong != Wrong::Clings || !self.proposed.contains(&ticket) {
            self.inner.leave(pool, ticket, now);
        }
    }
    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        self.calls += 1;
        if self.wrong == Wrong::Early && !self.calls.is_multiple_of(50)
            || self.wrong == Wrong::Forgets && self.was_restored
        {
            return Proposed::nothing();
        }
        if self.asked.replace(now) != Some(now) && self.wrong == Wrong::Shy {
            return Proposed::nothing();
        }
        let is_small = budget.left() < 10_000;
        let mut proposed = match self.wrong {
            Wrong::Free => self.inner.propose(pool, now, &mut Budget::default()),
            _ => self.inner.propose(pool, now, budget),
        };
        match self.wrong {
            Wrong::Twice => proposed.lobbies.extend(proposed.lobbies.clone()),
            Wrong::Content => proposed.is_done |= budget.is_spent(),
            Wrong::Slow if is_small => {
                proposed.lobbies.truncate(1);
                budget.spend(10_000);
            }
            _ => {}
        }
        self.proposed = proposed.lobbies.iter().flat_map(Lobby::tickets).collect();
        proposed
    }
    fn note(&mut self, pool: &Pool, now: Time, queue: &str, note: &[u8]) {
        self.inner.note(pool, now, queue, note);
    }
    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        let time = self.inner.next_time(pool, now);
        match self.wrong {
            Wrong::Late => time.map(|time| time.plus(400)),
            Wrong::Spins => Some(now),
            Wrong::Early | Wrong::Shy => None,
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
        for ticket in made.lobby.tickets() {
            self.inner.leave(pool, ticket, now);
        }
        self.inner.learn(made, pool, now);
    }
    fn save(&self) -> Vec<u8> {
        self.inner.save()
    }
    fn restore(&mut self, pool: &Pool, waiting: &[TicketId], now: Time, saved: &[u8]) -> Result<(), String> {
        self.was_restored = true;
        let is_known = |ticket: &&TicketId| self.wrong != Wrong::Ignores || !ticket.0.is_multiple_of(7);
        let known: Vec<TicketId> = waiting.iter().filter(is_known).copied().collect();
        self.inner.restore(pool, &known, now, saved)
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
        let policy = || Broken::new(Pairs::new("", inner.clone()), wrong);
        let found: Vec<Law> = (0..8)
            .filter_map(|seed| check_exact_times(policy, &QueueSettings::default(), ticket, seed).err())
            .map(|violation| violation.law())
            .collect();
        assert!(found.contains(&law), "{law}: {found:?}");
    }
}

#[test]
fn policies_that_break_a_law_of_budgets_or_of_what_comes_twice_are_found_out() {
    let inner = windows(&[rating(5.0, 2.0)]).build().unwrap();
    let queue = QueueSettings::default();
    for (wrong, law, budget) in [
        (Wrong::Shy, Law::ToldAgain, None),
        (Wrong::Clings, Law::BadLobby, None),
        (Wrong::Free, Law::Bounded, Some(1000)),
        (Wrong::Content, Law::Bounded, Some(300)),
        (Wrong::Slow, Law::Fair, Some(1000)),
    ] {
        let policy = || Broken::new(Pairs::new("", inner.clone()), wrong);
        let found: Vec<Law> = (0..20)
            .filter_map(|seed| match budget {
                None => check_policy(policy, &queue, ticket, seed).err(),
                Some(units) => check_policy_within(Budget::new(units), policy, &queue, ticket, seed).err(),
            })
            .map(|violation| violation.law())
            .collect();
        assert!(found.contains(&law), "{law}: {found:?}");
    }
}

#[test]
fn pairs_that_are_too_few_or_too_wide_are_found_out() {
    let [narrow, wide] = [1.0, 3.0].map(|growth| windows(&[rating(2.0, growth)]).build().unwrap());
    let right = windows(&[rating(2.0, 1.5)]).build().unwrap();
    let queue = QueueSettings::default();
    let ticket =
        |id: u64, draw: &mut dyn FnMut() -> f64| Ticket::of_one(id, id).with("rating", 1000.0 * draw());
    let compatible = |pair: [(&Ticket, Time); 2], now: Time| is_compatible(pair, now, Accept::Both, None);
    for (settings, wrong, law) in [
        (narrow, Wrong::Twice, Law::Complete),
        (right, Wrong::Ignores, Law::Complete),
        (wide, Wrong::Free, Law::Sparse),
    ] {
        let policy = || Broken::new(Pairs::new("", settings.clone()), wrong);
        let found = check_pairs(policy, &queue, ticket, compatible, 1).unwrap_err();
        assert_eq!(found.law(), law, "{found}");
    }
}
