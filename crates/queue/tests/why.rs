//! What keeps a ticket waiting: true to the moment, and enough to free it.

use matchwright_queue::{
    Accept, Compare, Event, EventKind, MatchPolicy, Obstacle, Pairs, PairsParams, PolicyLabel, QueueSettings,
    State, Ticket, TicketId, Time, WaitState, Waiting, Why, WindowParams, foresee, step,
};
use proptest::prelude::*;

use crate::model::Draw;

fn at(millis: i64) -> Time {
    Time::from_millis(millis)
}

fn rating(start: f64, per_second: f64, most: Option<f64>) -> WindowParams {
    WindowParams {
        start,
        per_second,
        most,
        ..WindowParams::of("rating")
    }
}

fn policy(params: &PairsParams) -> Pairs {
    Pairs::new("", params.build().unwrap())
}

fn params(accept: Accept, longest_wait: Option<f64>) -> PairsParams {
    let speed = WindowParams {
        start: 0.05,
        per_second: 0.01,
        most: Some(0.5),
        compare: Compare::LogRatio,
        deviation: Some("deviation".to_owned()),
        per_deviation: 0.1,
        ..WindowParams::of("speed")
    };
    let ping = WindowParams {
        start: 30.0,
        per_second: 1.3,
        most: Some(60.0),
        compare: Compare::Ping,
        ..WindowParams::of("")
    };
    PairsParams {
        windows: vec![rating(20.0, 3.7, Some(200.0)), speed, ping],
        accept,
        longest_wait,
        prices: None,
    }
}

/// Tickets that differ in all that a rule or window could look at.
fn ticket(id: u64, draw: &mut Draw) -> Ticket {
    let mut ticket = Ticket::of(id, (0..=draw.below(8) / 7).map(|place| 1000 * place + id))
        .with("rating", draw.below(10_000) as f64 / 17.0)
        .with("deviation", draw.below(7) as f64 / 3.0)
        .with_text("mode", ["a", "a", "a", "b"][draw.below(4) as usize]);
    if draw.below(12) > 0 {
        ticket = ticket.with("speed", (draw.below(1000) + 500) as f64 / 311.0);
    }
    for region in ["eu", "us"] {
        if draw.below(3) > 0 {
            ticket = ticket.with_region(region, draw.below(90) as f64 * 0.7);
        }
    }
    ticket
}

/// A queue with tickets of these seeds, some time apart.
fn filled(params: &PairsParams, seed: u64, tickets: u64) -> (State, Pairs, Time, Option<Time>) {
    filled_of([1, 1], params, seed, tickets)
}

/// The same of teams of these sizes.
fn filled_of(
    teams: [usize; 2],
    params: &PairsParams,
    seed: u64,
    tickets: u64,
) -> (State, Pairs, Time, Option<Time>) {
    let settings = QueueSettings {
        queues: [(String::new(), teams.to_vec())].into(),
        keys: vec!["mode".to_owned()],
        ..QueueSettings::default()
    };
    let mut state = State::new(PolicyLabel::default(), settings);
    let mut policy = policy(params);
    let mut draw = Draw(seed);
    let (mut now, mut wakeup) = (at(0), None);
    for id in 0..tickets {
        now = now.plus(draw.below(3000) as i64);
        let event = Event::create(id, ticket(id, &mut draw));
        wakeup = step(&mut state, &mut policy, now, &[event]).unwrap().wakeup;
    }
    (state, policy, now, wakeup)
}

fn why(state: &State, policy: &Pairs, ticket: TicketId, now: Time) -> Why {
    policy.why(state.pool(), ticket, now)
}

/// The pair alone, under windows that are wider by what was reported, on each side by its own part.
fn is_freed(
    params: &PairsParams,
    state: &State,
    pair: [TicketId; 2],
    widen: &[(String, [f64; 2])],
    now: Time,
) -> bool {
    let mut wider = params.clone();
    for window in &mut wider.windows {
        // The sides differ in their deviations alone.
        window.deviation = Some(format!("extra {}", window.name()));
        window.per_deviation = 1.0;
    }
    let mut alone = State::new(PolicyLabel::default(), state.settings().clone());
    let mut policy = policy(&wider);
    let mut tickets: Vec<(Time, Ticket)> = Vec::new();
    for (side, id) in pair.into_iter().enumerate() {
        let waiting = state.pool().get(id).unwrap();
        let mut ticket = (*waiting.ticket).clone();
        for window in &params.windows {
            let by = widen
                .iter()
                .find(|entry| entry.0 == window.name())
                .map_or(0.0, |entry| entry.1[side]);
            let deviation = window
                .deviation
                .as_ref()
                .and_then(|name| ticket.mean(name))
                .unwrap_or(0.0);
            // The reported sum may round in another order.
            let extra = (window.per_deviation * deviation + by) * (1.0 + 1e-12);
            ticket = ticket.with(&format!("extra {}", window.name()), extra);
        }
        tickets.push((waiting.joined, ticket));
    }
    tickets.sort_by_key(|entry| entry.0);
    let mut matches = 0;
    for (place, (joined, ticket)) in tickets.into_iter().enumerate() {
        let event = Event::create(place as u64, ticket);
        matches += step(&mut alone, &mut policy, joined, &[event])
            .unwrap()
            .matches()
            .count();
    }
    matches += step(&mut alone, &mut policy, now, &[]).unwrap().matches().count();
    matches == 1
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_reported_change_frees_the_ticket_at_once(
        seed: u64, tickets in 2..9_u64,
        accept in prop_oneof![Just(Accept::Both), Just(Accept::Either), Just(Accept::Sum)],
    ) {
        let params = params(accept, None);
        let (state, policy, now, _) = filled(&params, seed, tickets);
        for waiting in state.pool().tickets() {
            let id = waiting.ticket.id;
            let why = why(&state, &policy, id, now);
            let Some(change) = why.change else { continue };
            let pair = [id, change.with];
            prop_assert!(!is_freed(&params, &state, pair, &[], now));
            prop_assert!(is_freed(&params, &state, pair, &change.widen, now), "{change:?}");
            // Nothing in it is superfluous.
            let less: Vec<(String, [f64; 2])> =
                change.widen.iter().map(|(of, by)| (of.clone(), by.map(|by| 0.99 * by))).collect();
            prop_assert!(!is_freed(&params, &state, pair, &less, now), "{change:?}");
        }
    }

    #[test]
    fn every_other_ticket_is_rejected_once_or_compatible(
        seed: u64, tickets in 2..9_u64,
        accept in prop_oneof![Just(Accept::Both), Just(Accept::Either), Just(Accept::Sum)],
    ) {
        let (state, policy, now, _) = filled(&params(accept, Some(30.0)), seed, tickets);
        for waiting in state.pool().tickets() {
            let why = why(&state, &policy, waiting.ticket.id, now);
            // Those compatible have been matched.
            let rejected: usize = why.rejections.values().sum();
            prop_assert_eq!(rejected, state.pool().len() - 1);
            prop_assert!(why.candidates.iter().all(|candidate| !candidate.obstacles.is_empty()));
            prop_assert_eq!(why.waited, waiting.waited(now));
        }
    }

    #[test]
    fn the_first_of_all_is_matched_at_its_earliest_time(
        seed: u64, tickets in 2..9_u64, longest_wait in proptest::option::of(20.0..60.0),
        accept in prop_oneof![Just(Accept::Both), Just(Accept::Either), Just(Accept::Sum)],
    ) {
        let (mut state, mut policy, now, wakeup) = filled(&params(accept, longest_wait), seed, tickets);
        let all = state.pool().tickets().map(|waiting| waiting.ticket.id);
        let earliest: Vec<(Time, TicketId)> =
            all.filter_map(|id| Some((why(&state, &policy, id, now).earliest?, id))).collect();
        let first = earliest.iter().map(|entry| entry.0).min();
        prop_assert_eq!(first, wakeup);
        if let Some(first) = first {
            let outcome = step(&mut state, &mut policy, first, &[]).unwrap();
            let made: Vec<TicketId> = outcome.matches().flat_map(|made| made.lobby.tickets().collect::<Vec<_>>()).collect();
            prop_assert!(!made.is_empty());
            prop_assert!(made.iter().all(|id| earliest.contains(&(first, *id))));
        }
    }
}

#[test]
fn a_number_that_is_not_known_is_no_small_change() {
    let params = PairsParams {
        windows: vec![rating(20.0, 1.0, None)],
        ..PairsParams::default()
    };
    let mut state = State::new(PolicyLabel::default(), QueueSettings::default());
    let mut policy = policy(&params);
    let tickets = [
        Ticket::of_one(1, 1).with("rating", 0.0),
        Ticket::of_one(2, 2),
        Ticket::of_one(3, 3).with("rating", 100.0),
    ];
    let events: Vec<Event> = (0..)
        .zip(tickets)
        .map(|(id, ticket)| Event::create(id, ticket))
        .collect();
    step(&mut state, &mut policy, at(0), &events).unwrap();
    let first = why(&state, &policy, TicketId(1), at(0));
    let change = first.change.unwrap();
    assert_eq!((change.with, change.widen[0].1), (TicketId(3), [80.0, 80.0]));
    assert_eq!(why(&state, &policy, TicketId(2), at(0)).change, None);
}

#[test]
fn one_side_must_be_enough_for_all_windows_where_one_side_is_enough() {
    let window = |of: &str| WindowParams {
        deviation: Some(format!("wide {of}")),
        per_deviation: 1.0,
        ..WindowParams::of(of)
    };
    let params = PairsParams {
        windows: vec![window("x"), window("y")],
        accept: Accept::Either,
        ..PairsParams::default()
    };
    let mut state = State::new(PolicyLabel::default(), QueueSettings::default());
    let mut policy = policy(&params);
    let ticket = |id: u64, at: f64| Ticket::of_one(id, id).with("x", at).with("y", at);
    // Each side admits one of the two.
    let tickets = [
        ticket(0, 0.0).with("wide x", 10.0),
        ticket(1, 10.0).with("wide y", 10.0),
    ];
    let events: Vec<Event> = (0..)
        .zip(tickets)
        .map(|(id, ticket)| Event::create(id, ticket))
        .collect();
    step(&mut state, &mut policy, at(0), &events).unwrap();
    let found = why(&state, &policy, TicketId(0), at(0));
    let window = |of: &str| matches!(&found.candidates[0].obstacles[..], [Obstacle::Window { of: found, .. }] if found == of);
    assert!(window("y"), "{found:?}");
    let change = found.change.unwrap();
    assert_eq!(change.widen, [("y".to_owned(), [10.0, 0.0])]);
    assert!(is_freed(
        &params,
        &state,
        [TicketId(0), TicketId(1)],
        &change.widen,
        at(0)
    ));
}

#[test]
fn in_a_paused_queue_nobody_has_an_earliest_time() {
    let params = PairsParams {
        windows: vec![rating(20.0, 1.0, None)],
        ..PairsParams::default()
    };
    let mut state = State::new(PolicyLabel::default(), QueueSettings::default());
    let mut policy = policy(&params);
    let ticket = |id: u64, rating: f64| Event::create(id, Ticket::of_one(id, id).with("rating", rating));
    let events = [
        Event::new(9, EventKind::Pause(String::new())),
        ticket(1, 0.0),
        ticket(2, 10.0),
    ];
    let outcome = step(&mut state, &mut policy, at(0), &events).unwrap();
    let found = why(&state, &policy, TicketId(1), at(0));
    assert_eq!(
        (found.state, found.earliest, outcome.wakeup),
        (WaitState::Paused, None, None)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn in_a_large_pool_rules_count_all_and_the_earliest_time_is_that_of_the_policy_run_on(
        seed: u64, longest_wait in proptest::option::of(2000.0..4000.0),
        accept in prop_oneof![Just(Accept::Both), Just(Accept::Either), Just(Accept::Sum)],
    ) {
        let mut params = params(accept, longest_wait);
        params.windows[0] = rating(0.0, 0.0002, None);
        let (state, policy, now, _) = filled_of([1, 2], &params, seed, 700);
        let pool = state.pool();
        prop_assert!(pool.len() > 256, "{}", pool.len());
        let mut known = 0;
        for one in pool.tickets().step_by(3) {
            let why = why(&state, &policy, one.ticket.id, now);
            let mut rejections = std::collections::BTreeMap::new();
            for other in pool.tickets().filter(|other| other.ticket.id != one.ticket.id) {
                if let Some(rule) = rule_between(&state, one, other) {
                    *rejections.entry(rule).or_insert(0) += 1;
                }
            }
            for rule in ["mode", "size", "region"] {
                prop_assert_eq!(why.rejections.get(rule), rejections.get(rule), "{}", rule);
            }
            if let Some(at) = why.earliest {
                known += 1;
                let found = foresee(policy.clone(), pool, one.ticket.id, now, 100_000);
                prop_assert_eq!(found.map(|found| found.0), Some(at));
            }
        }
        prop_assert!(known > 0);
    }
}

/// The first rule that keeps two tickets of a match of one against two apart.
fn rule_between(state: &State, one: &Waiting, other: &Waiting) -> Option<&'static str> {
    let (regions, others) = (&one.ticket.regions, &other.ticket.regions);
    let mut shared = regions.keys().filter(|name| others.contains_key(name));
    if state.pool().key_differences(one.key, other.key).next().is_some() {
        Some("mode")
    } else if one.ticket.players.len() == other.ticket.players.len() {
        Some("size")
    } else if !regions.is_empty() && !others.is_empty() && shared.next().is_none() {
        Some("region")
    } else {
        None
    }
}

#[test]
fn pools_beyond_a_thousand_are_counted_under_all_keys_together() {
    let settings = QueueSettings {
        keys: vec!["mode".to_owned(), "build".to_owned()],
        ..QueueSettings::default()
    };
    let mut state = State::new(PolicyLabel::default(), settings);
    let mut policy = policy(&params(Accept::Both, None));
    for id in 0..1500 {
        // The first thousand differ from it in the build, the others in the mode too.
        let build = Ticket::of_one(id, id).with("build", id as f64);
        let event = Event::create(id, build.with("mode", f64::from(id >= 1000)));
        step(&mut state, &mut policy, at(0), &[event]).unwrap();
    }
    let found = why(&state, &policy, TicketId(0), at(0)).rejections;
    let expected = [("build", 999), ("mode", 25), ("mode, build", 475)];
    assert_eq!(
        found,
        expected.map(|(name, count)| (name.to_owned(), count)).into()
    );
}
