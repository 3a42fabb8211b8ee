//! Each example policy makes matches of a small generated stream, and keeps the rules.

use matchwright_queue::laws::{Law, check_policy_within};
use matchwright_queue::{Budget, Event, Member, PlayerId, State, Ticket, Time, Value, step};
use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load};
use matchwright_sim::random::{standard_normal, stream};
use rand::RngExt;
use rayon::prelude::*;

fn document(name: &str) -> PolicyDocument {
    let path = format!(
        "{}/../../examples/policies/{name}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    toml::from_str(&text).unwrap()
}

fn example(name: &str) -> LoadedPolicy {
    load(document(name)).unwrap()
}

/// The same without a quality that every match must have.
fn lenient(name: &str) -> LoadedPolicy {
    let mut document = document(name);
    if let Some(scoring) = &mut document.scoring {
        scoring.threshold = 0.0;
    }
    load(document).unwrap()
}

/// A party of `players`, one of them known by all that any example asks for.
fn ticket(id: u64, players: u64, queue: &str) -> Ticket {
    seeded(1, id, players, queue)
}

fn seeded(seed: u64, id: u64, players: u64, queue: &str) -> Ticket {
    let mut rng = stream(seed, 900_u64, id, 0);
    let skill = 1500.0 + 300.0 * standard_normal(&mut rng);
    let mut ticket = Ticket::of(id, (0..players).map(|member| 1000 * id + member));
    for member in &mut ticket.players {
        let strength = 1000.0 + 0.3 * skill + 20.0 * standard_normal(&mut rng);
        let churn = [("win", 0.3), ("draw", 0.35), ("loss", 0.4)]
            .map(|(name, p)| (name.to_owned(), p + 0.1 * rng.random::<f64>()));
        let numbers = [
            ("skill", skill + 30.0 * standard_normal(&mut rng)),
            ("experience", f64::from(rng.random_range(50..500))),
            ("offence", strength),
            ("defence", strength * (1.0 + 0.01 * standard_normal(&mut rng))),
            ("glory", 12_000.0 + skill),
        ];
        let Member { attributes, .. } = member;
        attributes.extend(numbers.map(|(name, number)| (name.to_owned(), Value::Number(number))));
        attributes.insert("churn".to_owned(), Value::Numbers(churn.into()));
        attributes.insert("languages".to_owned(), Value::Texts(vec!["en".to_owned()]));
        let pings = [("eu".to_owned(), 20.0 + 60.0 * rng.random::<f64>())];
        attributes.insert("pings".to_owned(), Value::Numbers(pings.into()));
    }
    if queue.is_empty() {
        ticket
    } else {
        ticket.in_queues(&[queue])
    }
}

/// The policy of a snapshot: what it learnt, and the tickets that wait.
fn restored(name: &str, loaded: &LoadedPolicy, state: &State) -> LoadedPolicy {
    let mut again = example(name);
    let (pool, now) = (state.pool(), state.now());
    let saved = loaded.policy.save();
    again.policy.restore(pool, &pool.waiting(), now, &saved).unwrap();
    again
}

/// Steps through the tickets' arrivals and every wakeup; the matches' waits in seconds, the mismatches, and who is left. A
/// policy with a name is restored from a snapshot at every hundredth arrival.
fn run(
    loaded: &mut LoadedPolicy,
    arrivals: &[(i64, Ticket)],
    until: i64,
    name: Option<&str>,
) -> (Vec<f64>, Vec<f64>, usize) {
    let mut state = State::new(loaded.label.clone(), loaded.settings.clone());
    let (mut waits, mut mismatches) = (Vec::new(), Vec::new());
    let (mut wakeup, mut next, mut id) = (None::<Time>, 0, 0_u64);
    loop {
        let arrival = arrivals.get(next).map(|arrival| Time::from_millis(arrival.0));
        let now = [arrival, wakeup].into_iter().flatten().min();
        let Some(now) = now.filter(|now| now.millis() <= until) else {
            break;
        };
        let mut events = Vec::new();
        while let Some((_, ticket)) = arrivals.get(next).filter(|arrival| arrival.0 == now.millis()) {
            id += 1;
            events.push(Event::create(id, ticket.clone()));
            next += 1;
        }
        if let Some(name) = name.filter(|_| next % 100 == 50 && !events.is_empty()) {
            *loaded = restored(name, loaded, &state);
        }
        let mut outcome = step(&mut state, &mut *loaded.policy, now, &events).unwrap();
        assert_eq!(outcome.refusals().collect::<Vec<_>>(), []);
        // All who are asked accept at once.
        let asked: Vec<_> = state
            .proposals()
            .flat_map(|(proposal, players)| players.iter().map(|&player| (proposal.id, player)))
            .collect();
        let accepts: Vec<Event> = asked
            .into_iter()
            .map(|(proposal, player)| {
                id += 1;
                Event::new(id, matchwright_queue::EventKind::Accept { proposal, player })
            })
            .collect();
        if !accepts.is_empty() {
            let more = step(&mut state, &mut *loaded.policy, now, &accepts).unwrap();
            outcome.decisions.extend(more.decisions);
            outcome.wakeup = more.wakeup;
        }
        for made in outcome.matches() {
            assert_eq!(*made.policy, loaded.label);
            waits.extend(made.joined.iter().map(|&joined| now.seconds_since(joined)));
            mismatches.push(made.lobby.mismatch);
        }
        assert!(
            !outcome
                .decisions
                .iter()
                .any(|one| matches!(one, matchwright_queue::Decision::BadLobby { .. }))
        );
        wakeup = outcome.wakeup;
    }
    assert_eq!(state.ticket_of(PlayerId(u64::MAX)), None);
    (waits, mismatches, state.pool().len())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn every_example_policy_matches_a_stream_of_tickets() {
    for (name, parties, queue) in [
        ("eomm", &[1][..], ""),
        ("skill-batch", &[1], ""),
        ("random-batch", &[1], ""),
        ("widening", &[1], ""),
        ("prices", &[1], ""),
        ("awesomenauts", &[1, 2, 1, 3, 1], ""),
        ("heroes-of-the-storm", &[1, 2, 1, 1, 3], ""),
        ("dota", &[1, 2, 1, 1, 5], ""),
        ("prices-teams", &[1, 2, 1, 1, 3], ""),
        ("dominations-old", &[10], "10v10"),
        ("dominations", &[10], "10v10"),
    ] {
        let mut loaded = example(name);
        let between = if name.starts_with("dominations") {
            60_000
        } else {
            1000
        };
        let parties = parties.iter().copied().cycle();
        let times = (0..400).map(|place| between * place);
        let arrivals: Vec<(i64, Ticket)> = times
            .zip(1..)
            .zip(parties)
            .map(|((at, id), players)| (at, ticket(id, players, queue)))
            .collect();
        let until = between * 400 + 90_000_000;
        let (waits, mismatches, left) = run(&mut loaded, &arrivals, until, None);
        let again = run(&mut example(name), &arrivals, until, Some(name));
        assert_eq!(
            again,
            (waits.clone(), mismatches.clone(), left),
            "{name}: restored, it goes on otherwise"
        );
        println!(
            "{name}: {} matched, {left} left, wait {:.1} s, mismatch {:.3}, liveness {:?}",
            waits.len(),
            mean(&waits),
            mean(&mismatches),
            loaded.policy.liveness()
        );
        let most_left = if name == "dominations-old" { 80 } else { 12 };
        assert!(left <= most_left, "{name}: {left} left");
        assert_eq!(waits.len() + left, 400, "{name}");
    }
}

#[test]
fn a_round_after_an_idle_time_waits_for_the_clock() {
    let text = "[queue]\nmethod = 'batch'\nbatch = { every = 60, choose = 'random' }";
    let mut loaded = load(toml::from_str::<PolicyDocument>(text).unwrap()).unwrap();
    let mut state = State::new(loaded.label, loaded.settings);
    let mut step = |seconds: i64, tickets: &[u64]| {
        let events = tickets
            .iter()
            .map(|&id| Event::create(id, Ticket::of_one(id, id)));
        let events: Vec<Event> = events.collect();
        let now = Time::from_millis(1000 * seconds);
        let outcome = step(&mut state, &mut *loaded.policy, now, &events).unwrap();
        (outcome.matches().count(), outcome.wakeup)
    };
    let at = |seconds: i64| Some(Time::from_millis(1000 * seconds));
    assert_eq!(step(10, &[1, 2]), (0, at(60)));
    assert_eq!(step(60, &[]), (1, None));
    // Many rounds later, in none of which anyone waited.
    assert_eq!(step(610, &[3, 4]), (0, at(660)));
    assert_eq!(step(660, &[]), (1, None));
}

/// Two tickets, as milliseconds and ratings, under a policy: the steps taken and when the match was made.
fn matched_after(text: &str, tickets: [(i64, f64); 2]) -> (usize, Option<i64>) {
    let mut loaded = load(toml::from_str::<PolicyDocument>(text).unwrap()).unwrap();
    let mut state = State::new(loaded.label, loaded.settings);
    let (mut steps, mut wakeup) = (0, None::<Time>);
    let mut tickets = (1..).zip(tickets).peekable();
    loop {
        let came = tickets.peek().map(|(_, ticket)| Time::from_millis(ticket.0));
        let Some(now) = [came, wakeup].into_iter().flatten().min() else {
            return (steps, None);
        };
        let came = tickets.next_if(|(_, ticket)| ticket.0 <= now.millis());
        let event = |(id, (_, rating))| {
            let ticket = Ticket::of_one(id, id)
                .with("rating", rating)
                .with("skill", rating);
            Event::create(id, ticket)
        };
        let events: Vec<Event> = came.map(event).into_iter().collect();
        let outcome = step(&mut state, &mut *loaded.policy, now, &events).unwrap();
        steps += 1;
        if outcome.matches().count() > 0 {
            return (steps, Some(now.millis()));
        }
        wakeup = outcome.wakeup;
    }
}

#[test]
fn rounds_that_would_match_nobody_are_passed_over_and_the_next_is_on_the_clock() {
    // 230 years of rounds every second.
    let late = 7_258_118_400_300;
    let far = [(250, 1500.0), (late, 1500.0)];
    let batch = |choose: &str, more: &str| {
        format!("[queue]\nmethod = 'batch'\nbatch = {{ every = 1, choose = '{choose}' }}\n{more}")
    };
    let windows = "windows = [{ of = 'rating', start = 100, per_second = 1 }]";
    for (text, most) in [
        (batch("random", ""), 12),
        (batch("difference", windows), 4),
        (batch("quality", "[scoring.factors.team_skill]\n"), 12),
        // Scores that count waits change for 300 seconds.
        (
            batch("quality", "[scoring]\nthreshold = 0.1\n[scoring.factors.wait]\n"),
            400,
        ),
    ] {
        let (steps, at) = matched_after(&text, far);
        let wait = if text.contains("factors.wait") { 0 } else { 700 };
        assert_eq!(
            at.map(|at| at - late - wait > 60_000),
            Some(false),
            "{text}: {at:?}"
        );
        assert_eq!(at.map(|at| at % 1000), Some(0), "{text}");
        assert!(steps <= most, "{text}: {steps}");
    }
    // Windows that open in a round of their own: 100 + 900 points after 900 seconds for the younger.
    let (steps, at) = matched_after(&batch("difference", windows), [(0, 1500.0), (100_500, 2500.0)]);
    assert_eq!((steps, at), (3, Some(1_001_000)));
}

/// The laws of every example policy under these seeds, within budgets that never end and that end in every step: all that are
/// broken, by policy, budget and seed.
///
/// Rounds and lobbies give times at which nothing may come of it, and say so: exact times are asked of pairs alone.
fn broken_laws(seeds: std::ops::RangeInclusive<u64>) -> Vec<String> {
    let mut broken = Vec::new();
    for (name, sizes, queue) in [
        ("eomm", 1, ""),
        ("skill-batch", 1, ""),
        ("random-batch", 1, ""),
        ("widening", 1, ""),
        ("prices", 1, ""),
        ("awesomenauts", 3, ""),
        ("awesomenauts-at-once", 3, ""),
        ("random-teams", 3, ""),
        ("threshold-teams", 3, ""),
        ("drop-in", 4, ""),
        ("heroes-of-the-storm", 5, ""),
        ("dota", 5, ""),
        ("prices-teams", 3, ""),
        ("dominations-old", 0, "10v10"),
        ("dominations", 0, "10v10"),
        ("dominations-seven", 0, "10v10"),
    ] {
        let settings = example(name).settings;
        let players = |id: u64| if sizes == 0 { 10 } else { 1 + id % sizes };
        for budget in [Budget::UNLIMITED, Budget::new(1000)] {
            let laws = |policy: &dyn Fn(&str) -> LoadedPolicy, seed| {
                let ticket = |id, _: &mut dyn FnMut() -> f64| seeded(seed, id, players(id), queue);
                check_policy_within(budget, || policy(name).policy, &settings, ticket, seed).err()
            };
            let check = |seed| {
                let mut broken = laws(&example, seed)?;
                // Who waits too long is told without regard to the scoring, which may forbid the match.
                if broken.law() == Law::Liveness {
                    broken = laws(&lenient, seed)?;
                }
                Some(format!("{name}, {budget:?}: {broken}"))
            };
            let found: Vec<String> = seeds.clone().into_par_iter().filter_map(check).collect();
            broken.extend(found);
        }
    }
    broken
}

#[test]
fn every_example_policy_keeps_the_public_laws() {
    assert_eq!(broken_laws(1..=1), Vec::<String>::new());
}

#[test]
#[ignore = "deep: hours; run by `cargo xtask test --deep`"]
fn every_example_policy_keeps_the_public_laws_under_a_thousand_seeds() {
    let broken = broken_laws(1..=1000);
    assert!(
        broken.is_empty(),
        "{} broken:\n{}",
        broken.len(),
        broken.join("\n")
    );
}

#[test]
fn a_ticket_that_a_policy_cannot_look_at_is_told_and_not_left_in_silence() {
    for name in ["random-teams", "awesomenauts", "threshold-teams"] {
        let mut loaded = example(name);
        let mut state = State::new(loaded.label.clone(), loaded.settings.clone());
        // Scoring knows players by name, and both are called alike.
        let named = |id: u64| {
            let mut ticket = ticket(id, 1, "");
            let name = Value::Text("ann".to_owned());
            ticket.players[0].attributes.insert("name".to_owned(), name);
            Event::create(id, ticket)
        };
        let outcome = step(
            &mut state,
            &mut *loaded.policy,
            Time::from_millis(0),
            &[named(1), named(2)],
        )
        .unwrap();
        let failures = outcome.failures;
        assert_eq!(failures.len(), 1, "{name}: {failures:?}");
        assert!(
            failures[0].starts_with("ticket 2 is not looked at: "),
            "{name}: {failures:?}"
        );
        let again = step(&mut state, &mut *loaded.policy, Time::from_millis(1), &[]).unwrap();
        assert!(again.failures.is_empty(), "{name}: {:?}", again.failures);
    }
}
