//! How long one step takes where much has to be done at once, whole or cut by a budget.

use std::time::Instant;

use matchwright_queue::{
    Accept, Budget, Event, EventKind, MatchPolicy, Pairs, PairsParams, PolicyLabel, QueueSettings, State,
    Ticket, Time, step, step_within,
};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::batches::AllPairs;
use super::tickets::{rated, widening};

/// Looks at entries that a step may have.
const BUDGET: u64 = 20_000;

fn at(millis: u64) -> Time {
    Time::from_millis(i64::try_from(millis).unwrap())
}

/// A queue that is paused, in which `count` tickets wait whose ratings spread over `spread` points.
fn paused(count: u64, spread: f64, rng: &mut impl Rng) -> (State, Pairs) {
    let mut state = State::new(PolicyLabel::default(), QueueSettings::default());
    let mut policy = Pairs::new("", widening(50.0, 5.0).build().unwrap());
    let pause = [Event::new(u64::MAX, EventKind::Pause(String::new()))];
    step(&mut state, &mut policy, at(0), &pause).unwrap();
    for id in 0..count {
        let create = [Event::create(
            id,
            rated(id, 1500.0 + spread * rng.random::<f64>()),
        )];
        step(&mut state, &mut policy, at(id), &create).unwrap();
    }
    (state, policy)
}

/// The queue runs again, in one step or in several.
fn resume((mut state, mut policy): (State, Pairs), budget: Budget, told: &str) {
    let mut events = vec![Event::new(u64::MAX - 1, EventKind::Resume(String::new()))];
    let (mut steps, mut longest, mut all, mut matches, mut mismatch) = (0, 0.0_f64, 0.0, 0_usize, 0.0);
    loop {
        let begun = Instant::now();
        let outcome = step_within(&mut state, &mut policy, at(240_000), &events, budget).unwrap();
        let took = begun.elapsed().as_secs_f64();
        (steps, longest, all) = (steps + 1, longest.max(took), all + took);
        matches += outcome.matches().count();
        mismatch += outcome.matches().map(|made| made.lobby.mismatch).sum::<f64>();
        events.clear();
        if !outcome.unfinished {
            break;
        }
    }
    println!(
        "{told}: {steps} steps, the longest {:.1} ms, all {:.0} ms; {matches} matches, mean mismatch {:.3}",
        longest * 1e3,
        all * 1e3,
        mismatch / matches as f64
    );
}

/// Milliseconds that explanations take of 100 tickets, the mean and the longest.
fn whys((mut state, mut policy): (State, Pairs)) -> (f64, f64) {
    let now = at(100_000);
    let resume = [Event::new(u64::MAX - 1, EventKind::Resume(String::new()))];
    step(&mut state, &mut policy, now, &resume).unwrap();
    let (mut longest, mut all) = (0.0_f64, 0.0);
    let tickets = state.pool().tickets().step_by(state.pool().len() / 100).take(100);
    for waiting in tickets {
        let begun = Instant::now();
        std::hint::black_box(policy.why(state.pool(), waiting.ticket.id, now));
        let took = begun.elapsed().as_secs_f64() * 1e3;
        (longest, all) = (longest.max(took), all + took);
    }
    (all / 100.0, longest)
}

/// Microseconds that each of these tickets takes to come in.
fn creates(state: &mut State, policy: &mut Pairs, now: u64, tickets: impl Iterator<Item = Ticket>) -> f64 {
    let events: Vec<[Event; 1]> = tickets
        .map(|ticket| [Event::create(ticket.id.0, ticket)])
        .collect();
    let begun = Instant::now();
    for event in &events {
        step(state, policy, at(now), event).unwrap();
    }
    begun.elapsed().as_secs_f64() * 1e6 / events.len() as f64
}

pub(crate) fn steps() {
    println!("\n## Steps with much to do\n");
    // The same tickets whatever the budget.
    let alike = || ChaCha8Rng::seed_from_u64(1);
    let rng = &mut alike();
    for (count, spread) in [(4000, 600.0), (100_000, 60_000.0), (100_000, 0.0)] {
        for budget in [Budget::UNLIMITED, Budget::new(BUDGET)] {
            let units = if budget.is_unlimited() {
                "no budget".to_owned()
            } else {
                format!("{BUDGET} units a step")
            };
            let told = format!("resume, {count} waiting over {spread} points, {units}");
            resume(paused(count, spread, &mut alike()), budget, &told);
        }
        if count <= 4000 {
            let (state, _) = paused(count, spread, &mut alike());
            let waiting = state.pool().tickets();
            let waiting = waiting.map(|one| (one.ticket.mean("rating").unwrap(), one.joined.millis()));
            let mut all = AllPairs {
                waiting: waiting.collect(),
                ..AllPairs::default()
            };
            all.step(240_000, [50.0, 5.0]);
            let mean = all.mismatch / all.matches as f64;
            println!(
                "resume, {count} waiting over {spread} points, all pairs listed: {} matches, mean mismatch {mean:.3}",
                all.matches
            );
        }
    }
    for count in [10_000, 100_000] {
        // So far apart that nearly all wait on.
        let (mean, longest) = whys(paused(count, 1e6 * count as f64, rng));
        println!("why, {count} came: {mean:.2} ms each, the longest {longest:.2} ms");
    }
    for count in [1000, 10_000, 100_000] {
        let settings = QueueSettings {
            keys: vec!["mode".to_owned()],
            ..QueueSettings::default()
        };
        let params = PairsParams {
            longest_wait: Some(600.0),
            ..widening(50.0, 5.0)
        };
        let (mut state, mut policy) = (
            State::new(PolicyLabel::default(), settings),
            Pairs::new("", params.build().unwrap()),
        );
        let alone = |id: u64| rated(id, 1500.0).with("mode", id as f64);
        creates(&mut state, &mut policy, 0, (0..count).map(alone));
        let more = creates(&mut state, &mut policy, 1, (count..count + 1000).map(alone));
        let late = creates(
            &mut state,
            &mut policy,
            1_000_000,
            (count + 1000..count + 2000).map(alone),
        );
        println!("alone under its key, {count} waiting: {more:.1} us a ticket, all overdue {late:.1} us");
    }
    for accept in [Accept::Sum, Accept::Either] {
        for hermits in [0, 1] {
            let params = PairsParams {
                accept,
                ..widening(1.0, 0.5)
            };
            let (mut state, mut policy) = (
                State::new(PolicyLabel::default(), QueueSettings::default()),
                Pairs::new("", params.build().unwrap()),
            );
            creates(
                &mut state,
                &mut policy,
                0,
                (0..hermits).map(|_| rated(u64::MAX - 9, 1e9)),
            );
            let tickets: Vec<Ticket> = (0..20_000)
                .map(|id| rated(id, 3e6 * rng.random::<f64>()))
                .collect();
            let each = creates(&mut state, &mut policy, 36_000_000, tickets.into_iter());
            println!("{accept:?}, {hermits} of ten hours whom nobody fits: {each:.1} us a ticket");
        }
    }
}
