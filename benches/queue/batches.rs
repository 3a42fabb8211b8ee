//! Batches of tickets: how long a step or a round takes, how good its pairs are beside all pairs, and how much memory an hour takes.

use std::collections::VecDeque;
use std::time::Instant;

use matchwright_queue::{
    CheapestFirst, ChoosePairs, Event, EventKind, MatchId, Pairs, PolicyLabel, QueueSettings, State, Ticket,
    Time, step,
};
use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::random::{standard_normal, stream};

use super::files::create;
use super::tickets::{rated, widening};
use super::worlds::megabytes;

/// Milliseconds from batch to batch.
const EVERY: i64 = 10;

fn queue(start: f64, per_second: f64) -> (State, Pairs) {
    let settings = QueueSettings {
        remember: 30_000,
        ..QueueSettings::default()
    };
    let params = widening(start, per_second).build().unwrap();
    (
        State::new(PolicyLabel::default(), settings),
        Pairs::new("", params),
    )
}

/// Who waits, by rating and time of coming, when all compatible pairs are listed and the cheapest come first.
#[derive(Default)]
pub(crate) struct AllPairs {
    pub(crate) waiting: Vec<(f64, i64)>,
    pub(crate) matches: u64,
    pub(crate) mismatch: f64,
}

impl AllPairs {
    pub(crate) fn step(&mut self, now: i64, [start, per_second]: [f64; 2]) {
        self.waiting.sort_by(|a, b| a.0.total_cmp(&b.0));
        let width = |came: i64| start + per_second * (now - came) as f64 / 1000.0;
        let mut pairs = Vec::new();
        for (a, &(rating, came)) in self.waiting.iter().enumerate() {
            let later = (a + 1..).zip(&self.waiting[a + 1..]);
            let near = later.take_while(|(_, other)| other.0 - rating <= width(came));
            let both = near.filter(|(_, other)| other.0 - rating <= width(other.1));
            pairs.extend(both.map(|(b, other)| (a, b, other.0 - rating)));
        }
        let mut is_free = vec![true; self.waiting.len()];
        for (a, b) in CheapestFirst.choose(is_free.len(), &pairs) {
            (is_free[a], is_free[b]) = (false, false);
            self.matches += 1;
            self.mismatch += self.waiting[b].0 - self.waiting[a].0;
        }
        let mut is_free = is_free.into_iter();
        self.waiting.retain(|_| is_free.next() == Some(true));
    }
}

/// 25,600 a second, of whom about 100,000 wait on, or a few hundred with many partners each.
pub(crate) fn batches() {
    const BATCH: u64 = 256;
    println!("\n## 25,600 creates a second in steps of {BATCH}, 1v1, ratings Normal(1500, 300)\n");
    println!(
        "| window, points | and a second | waiting in the end | median step, ms | 99 % of steps below, ms | longest, ms | mean mismatch, points | of all pairs | more, percent |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for ([start, per_second], steps) in [([0.0, 0.0015], 3000), ([1.0, 0.0], 1000), ([100.0, 5.0], 1000)] {
        let (mut state, mut policy) = queue(start, per_second);
        let mut all = AllPairs::default();
        let rng = &mut stream(1, 903_u64, 0, 0);
        let (mut id, mut times) = (0, Vec::new());
        let (mut matches, mut mismatch) = (0_u64, 0.0);
        for now in (1..=steps).map(|at| EVERY * at) {
            let mut events = Vec::new();
            for _ in 0..BATCH {
                id += 1;
                let rating = 1500.0 + 300.0 * standard_normal(rng);
                all.waiting.push((rating, now));
                events.push(Event::create(id, rated(id, rating)));
            }
            let begun = Instant::now();
            let outcome = step(&mut state, &mut policy, Time::from_millis(now), &events).unwrap();
            times.push(begun.elapsed());
            all.step(now, [start, per_second]);
            if 2 * now <= EVERY * steps {
                // Not yet as many wait as will.
                times.clear();
                (all.matches, all.mismatch) = (0, 0.0);
                continue;
            }
            matches += outcome.matches().count() as u64;
            mismatch += outcome.matches().map(|made| made.lobby.mismatch).sum::<f64>();
        }
        let [middle, most, longest] = milliseconds(&mut times);
        let (ours, theirs) = (mismatch / matches as f64, all.mismatch / all.matches as f64);
        println!(
            "| {start} | {per_second} | {} | {middle:.2} | {most:.2} | {longest:.2} | {ours:.5} | {theirs:.5} | {:.3} |",
            state.pool().len(),
            100.0 * (ours / theirs - 1.0)
        );
    }
}

/// One round, for several numbers of tickets of one player each: pairs by skill, and matches of one and of three by quality.
pub(crate) fn rounds() {
    let by_quality = |size: u32| {
        format!(
            "[queue]
            method = 'batch'
            teams = [{size}, {size}]
            batch = {{ every = 60 }}
            [scoring.factors.win_probability]
            weight = 3
            scale = 400
            [scoring.factors.skill_spread]
            weight = 2
            spread = {{ shape = 'ramp', best = 0, worst = 1500 }}"
        )
    };
    let skill_batch = include_str!("../../examples/policies/skill-batch.toml").to_owned();
    println!("\n## One round, nobody matched before\n");
    println!("| policy | tickets | ms | matches |");
    println!("|---|---|---|---|");
    for (name, text) in [
        ("by difference, 1v1", skill_batch),
        ("by quality, 1v1", by_quality(1)),
        ("by quality, 3v3", by_quality(3)),
    ] {
        for count in [50, 100, 200, 400, 700, 1000, 2000] {
            let document: PolicyDocument = toml::from_str(&text).unwrap();
            let mut loaded = load(document).unwrap();
            let mut state = State::new(PolicyLabel::default(), loaded.settings.clone());
            let rng = &mut stream(1, 905_u64, 0, 0);
            let mut events = vec![Event::new(0, EventKind::Pause(String::new()))];
            events.extend((1..=count).map(|id| {
                let skill = 1500.0 + 300.0 * standard_normal(rng);
                Event::create(id, Ticket::of_one(id, id).with("skill", skill))
            }));
            step(&mut state, &mut loaded.policy, Time::from_millis(0), &events).unwrap();
            let resume = [Event::new(u64::MAX, EventKind::Resume(String::new()))];
            let begun = Instant::now();
            let outcome = step(
                &mut state,
                &mut loaded.policy,
                Time::from_millis(600_000),
                &resume,
            )
            .unwrap();
            println!(
                "| {name} | {count} | {:.1} | {} |",
                1e3 * begun.elapsed().as_secs_f64(),
                outcome.matches().count()
            );
        }
    }
}

/// The median, the 99th percentile and the longest, in milliseconds.
pub(crate) fn milliseconds(times: &mut [std::time::Duration]) -> [f64; 3] {
    times.sort_unstable();
    let last = times.len() - 1;
    [last / 2, last * 99 / 100, last].map(|place| 1e3 * times[place].as_secs_f64())
}

/// An hour of 5,000 creates a second, whose matches are confirmed five seconds after they were made.
pub(crate) fn memory() {
    const BATCH: u64 = 50;
    const MINUTE: i64 = 60_000;
    println!(
        "\n## Memory over an hour of 5,000 creates a second, events remembered for 30 s, matches confirmed after 5 s\n"
    );
    println!(
        "| minutes | creates | matches | waiting | resident, MB | most so far, MB | seconds of the clock |"
    );
    println!("|---|---|---|---|---|---|---|");
    let (mut state, mut policy) = queue(0.0, 0.01);
    let rng = &mut stream(1, 904_u64, 0, 0);
    let (mut id, mut creates, mut matches) = (0, 0, 0_u64);
    let mut made: VecDeque<(i64, MatchId)> = VecDeque::new();
    let begun = Instant::now();
    for now in (1..=60 * MINUTE / EVERY).map(|at| EVERY * at) {
        let mut events = Vec::new();
        for _ in 0..BATCH {
            id += 1;
            events.push(create(id, 1500.0 + 300.0 * standard_normal(rng)));
        }
        creates += BATCH;
        while let Some(&(_, started)) = made.front().filter(|made| made.0 + 5000 <= now) {
            made.pop_front();
            id += 1;
            events.push(Event::new(id, EventKind::Confirm(started)));
        }
        let outcome = step(&mut state, &mut policy, Time::from_millis(now), &events).unwrap();
        assert_eq!(outcome.refusals().count(), 0);
        made.extend(outcome.matches().map(|made| (now, made.id)));
        matches += outcome.matches().count() as u64;
        if now % (10 * MINUTE) == 0 {
            println!(
                "| {} | {creates} | {matches} | {} | {:.0} | {:.0} | {:.0} |",
                now / MINUTE,
                state.pool().len(),
                megabytes("VmRSS:"),
                megabytes("VmHWM:"),
                begun.elapsed().as_secs_f64()
            );
        }
    }
}
