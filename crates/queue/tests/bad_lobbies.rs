//! A policy that makes bad lobbies harms only the tickets in them, for a minute.

use matchwright_queue::{
    Budget, Decision, Event, EventKind, Lobby, MatchPolicy, Pairs, Pool, Proposed, QueueSettings, State,
    TicketId, Time, Why, step, step_within,
};

use crate::bench::{Bench, at, create, made, pairs, player, rating, windows};

/// Pairs that also puts two tickets of one team together, as long as both are offered.
struct Spoils(Box<Pairs>);

impl MatchPolicy for Spoils {
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.0.enter(pool, ticket, now);
    }
    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.0.leave(pool, ticket, now);
    }
    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        let mut proposed = self.0.propose(pool, now, budget);
        let bad = [TicketId(1), TicketId(2)];
        if bad
            .iter()
            .all(|&id| pool.get(id).is_some_and(|one| pool.is_offered(one)))
        {
            let bad = Lobby {
                queue: "".into(),
                teams: vec![bad.to_vec()],
                region: None,
                mismatch: 0.0,
            };
            proposed
                .lobbies
                .retain(|lobby| lobby.tickets().all(|one| one.0 > 2));
            proposed.lobbies.insert(0, bad);
            proposed.is_done = false;
        }
        proposed
    }
    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        self.0.next_time(pool, now)
    }
    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        self.0.why(pool, ticket, now)
    }
    fn liveness(&self) -> Option<f64> {
        None
    }
}

fn spoilt() -> Bench {
    let policy = Spoils(pairs(&windows(&[rating(50.0, 0.0)])));
    let mut bench = Bench::new(QueueSettings::default(), Box::new(policy));
    // Two apart, whom the policy spoils; two alike, who are matched in the same step.
    let ratings = [(1, 0.0), (2, 900.0), (3, 3000.0), (4, 3000.0)];
    let outcome = bench.step(0, ratings.map(|(id, rating)| create(player(id, rating))));
    assert_eq!(made(&outcome), [[3, 4]]);
    let bad = |decision: &Decision| match decision {
        Decision::BadLobby { aside, until, .. } => Some((aside.clone(), *until)),
        _ => None,
    };
    let bad: Vec<_> = outcome.decisions.iter().filter_map(bad).collect();
    assert_eq!(bad, [(vec![TicketId(1), TicketId(2)], at(60_000))]);
    assert_eq!((outcome.wakeup, outcome.unfinished), (Some(at(60_000)), false));
    assert_eq!(bench.state.counters().bad_lobbies, 1);
    bench
}

#[test]
fn its_tickets_are_kept_from_the_policy_for_a_minute() {
    let mut bench = spoilt();
    let until = |bench: &Bench, id| bench.state.pool().get(TicketId(id)).unwrap().aside_until();
    assert_eq!(
        (until(&bench, 1), bench.joined(1)),
        (Some(at(60_000)), Some(at(0)))
    );
    // Alike, and not matched.
    assert_eq!(bench.matches(1000, [create(player(5, 0.0))]), [[0_u64; 2]; 0]);
    // Then both are offered again: the policy has learnt nothing, and one of them is matched first.
    let outcome = bench.step(60_000, []);
    assert_eq!((until(&bench, 2), made(&outcome)), (Some(at(120_000)), vec![]));
    assert_eq!(bench.state.counters().bad_lobbies, 2);
}

#[test]
fn an_edit_or_another_policy_ends_it_at_once() {
    let mut bench = spoilt();
    let players = player(1, 0.0).players;
    let ticket = TicketId(1);
    bench.step(1000, [EventKind::Edit { ticket, players }]);
    assert_eq!(bench.matches(1001, [create(player(5, 0.0))]), [[1, 5]]);

    let mut bench = spoilt();
    bench.policy = pairs(&windows(&[rating(1000.0, 0.0)]));
    let change = matchwright_queue::PolicyChange {
        label: matchwright_queue::PolicyLabel::default(),
        document: String::new(),
        settings: QueueSettings::default(),
    };
    assert_eq!(
        bench.matches(1000, [EventKind::SetPolicy(change.into())]),
        [[1, 2]]
    );
    assert_eq!(bench.state.next_timer(), None);
}

#[test]
fn a_new_policy_takes_tickets_over_the_oldest_first_as_far_as_the_budget_goes() {
    let mut bench = Bench::new(QueueSettings::default(), pairs(&windows(&[rating(0.0, 0.0)])));
    for id in 0..100 {
        bench.step(id as i64, [create(player(id, id as f64))]);
    }
    bench.policy = pairs(&windows(&[rating(5.0, 0.0)]));
    let change = matchwright_queue::PolicyChange {
        label: matchwright_queue::PolicyLabel::default(),
        document: String::new(),
        settings: QueueSettings::default(),
    };
    let mut events = bench.events([EventKind::SetPolicy(change.into())]);
    let (mut taken, mut matches) = (Vec::new(), 0);
    for _ in 0..1000 {
        let (state, policy) = (&mut bench.state, &mut *bench.policy);
        let outcome = step_within(state, policy, at(1000), &events, Budget::new(8 * 30)).unwrap();
        events.clear();
        let behind = |decision: &Decision| match decision {
            Decision::TakenOver { behind } => Some(behind.map(|behind| behind.1.0)),
            _ => None,
        };
        taken.extend(outcome.decisions.iter().filter_map(behind));
        matches += outcome.matches().count();
        assert_eq!(outcome.wakeup, outcome.unfinished.then_some(at(1000)));
        if !outcome.unfinished {
            break;
        }
    }
    // The first asks of each whether it has a place.
    assert_eq!((taken, matches), (vec![Some(27), Some(57), Some(87), None], 50));
}

#[test]
fn a_snapshot_with_tickets_to_take_over_that_there_are_not_comes_to_an_end() {
    let mut bench = Bench::new(QueueSettings::default(), pairs(&windows(&[rating(0.0, 0.0)])));
    for id in 0..3 {
        bench.step(0, [create(player(id, 10.0 * id as f64))]);
    }
    bench.policy = pairs(&windows(&[rating(0.0, 0.0)]));
    let change = matchwright_queue::PolicyChange {
        label: matchwright_queue::PolicyLabel::default(),
        document: String::new(),
        settings: QueueSettings::default(),
    };
    let events = bench.events([EventKind::SetPolicy(change.into())]);
    let step = |bench: &mut Bench, events: &[Event]| {
        let (state, policy) = (&mut bench.state, &mut *bench.policy);
        step_within(state, policy, at(1000), events, Budget::new(1)).unwrap()
    };
    assert!(step(&mut bench, &events).unfinished);
    let mut saved = serde_json::to_value(&bench.state).unwrap();
    assert_eq!(
        serde_json::from_value::<State>(saved.clone()).unwrap(),
        bench.state
    );
    let unknown = saved["pool"]["unknown"].as_array_mut().unwrap();
    let mut forged = unknown[0].clone();
    forged[1] = 77.into();
    unknown.push(forged);
    bench.state = serde_json::from_value(saved).unwrap();
    let steps = (0..20).take_while(|_| step(&mut bench, &[]).unfinished);
    assert!(steps.count() < 20);
    assert!(step(&mut bench, &[]).is_empty());
}

#[test]
fn nobody_is_matched_whose_time_is_over_though_its_timer_has_yet_to_run() {
    let mut bench = Bench::new(QueueSettings::default(), pairs(&windows(&[rating(0.0, 1.0)])));
    for id in 0..50 {
        let mut ticket = player(id, 20.0 * id as f64);
        ticket.expires = Some(at(30_000));
        bench.step(0, [create(ticket)]);
    }
    // Whoever comes next to one of them finds it gone, however small the budget.
    let events = bench.events([create(player(99, 980.0)), create(player(49, 0.0))]);
    let outcome = step_within(
        &mut bench.state,
        &mut *bench.policy,
        at(30_000),
        &events,
        Budget::new(10),
    )
    .unwrap();
    assert_eq!((outcome.unfinished, outcome.wakeup), (true, Some(at(30_000))));
    let mut left = 0;
    for _ in 0..20 {
        let outcome = step_within(
            &mut bench.state,
            &mut *bench.policy,
            at(30_000),
            &[],
            Budget::new(10),
        )
        .unwrap();
        left += usize::from(outcome.unfinished);
        assert_eq!(outcome.matches().count(), 0);
    }
    assert!(left >= 3);
    let outcome = step(&mut bench.state, &mut *bench.policy, at(30_000), &[]).unwrap();
    assert!(outcome.wakeup > Some(at(30_000)) && bench.state.counters().expired == 50);
}
