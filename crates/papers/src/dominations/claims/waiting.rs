//! What waiting comes to: DOM-eventual, DOM-requeue. The figures are those of `examples/policies/dominations.toml`.

use super::inputs::DominationsInputs;
use super::queue::{Alliance, HOUR};
use crate::check::prelude::*;
use crate::check::queues::{DrivenQueue, Made, altered, millis, queue_params, table};
use matchwright_queue::EventKind;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use toml::Table;

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[
    Check::new("DOM-eventual", Exact(in_the_end)),
    Check::new("DOM-requeue", Exact(again)),
];

const STREAMS: u64 = 20;

/// An alliance that comes, and when.
type Arrival = (i64, Alliance);

fn arrivals(rng: &mut ChaCha8Rng, count: u64, gap: i64) -> Vec<Arrival> {
    let mut at = 0;
    let mut one = |_| {
        at += rng.random_range(1..2 * gap);
        (at, Alliance::random(rng))
    };
    (0..count).map(&mut one).collect()
}

/// All alliances that come, as tickets from 1 on, and what becomes of them until this time.
fn play<'a>(
    document: &Table,
    arrivals: impl IntoIterator<Item = &'a Arrival>,
    until: i64,
) -> Result<DrivenQueue> {
    let mut queue = DrivenQueue::new(document)?;
    for (number, (at, alliance)) in (1..).zip(arrivals) {
        queue.create(*at, alliance.ticket(number, number))?;
    }
    queue.run(until)?;
    Ok(queue)
}

/// Alliances of two sizes, every second pair of them sandbaggers, the first of each so strong that no window ever reaches it.
fn ladder(rng: &mut ChaCha8Rng) -> Vec<Arrival> {
    let mut arrivals = arrivals(rng, 80, 3 * HOUR);
    for (place, (_, alliance)) in arrivals.iter_mut().enumerate() {
        alliance.members = if place % 2 == 0 { 10 } else { 20 };
        if place % 4 < 2 {
            alliance.spread = 0.9 * alliance.offence;
        }
        if place < 4 {
            alliance.offence *= 50.0;
            alliance.glory = 60_000.0;
        }
    }
    arrivals
}

/// The policy without its key: the document knows sandbaggers by the spread of their bases alone.
pub(crate) fn in_the_end(inputs: &DominationsInputs) -> Result<Finding> {
    let document = &altered(&table(&inputs.policy)?, |queue| {
        queue.remove("keys");
    })?;
    let queue = DrivenQueue::new(document)?;
    let seconds = queue.loaded.policy.liveness();
    let bound = seconds.map_or(i64::MAX / 4, millis);
    let (mut overdue, mut matches, mut best, mut longest) = (0, 0, 0, 0);
    for stream in 0..STREAMS {
        let arrivals = ladder(&mut check_stream(inputs.seed, 73, stream));
        let end = arrivals.last().map_or(0, |last| last.0) + 10 * 24 * HOUR;
        let queue = play(document, &arrivals, end)?;
        let matched: Vec<i64> = (1..=80)
            .map(|ticket| queue.match_of(ticket).map_or(end, |made| made.at))
            .collect();
        for (one, (at, alliance)) in arrivals.iter().enumerate() {
            let due = at.saturating_add(bound);
            let mut others = arrivals.iter().zip(&matched).enumerate();
            // One of its size waited with it after its bound.
            let has_partner = others.any(|(other, ((came, partner), left))| {
                other != one && *came < matched[one] && *left > due && partner.members == alliance.members
            });
            overdue += u64::from(matched[one] > due && has_partner);
            if matched[one] <= due {
                longest = longest.max(matched[one] - at);
            }
        }
        matches += queue.made.len() as u64;
        best += matched[..4].iter().filter(|at| **at < end).count() as u64;
    }
    // A sandbagger and an alliance of equals, alone.
    let mut two = ladder(&mut check_stream(inputs.seed, 73, STREAMS)).split_off(68);
    two.retain(|arrival| arrival.1.members == 10);
    two.truncate(2);
    let until = two[1].0.saturating_add(10 * 24 * HOUR);
    let alone = play(document, &two, until)?;
    let waited = alone.match_of(1).map(|made| made.at - two[0].0);
    let hours = |millis: i64| millis as f64 / HOUR as f64;
    Ok(Finding::new()
        .samples(STREAMS, "streams of 80 alliances")
        .count("matches", matches)
        .number(
            "bound from the policy, hours",
            seconds.unwrap_or(f64::NAN) / 3_600.0,
            1,
        )
        .number("longest wait with one to meet, hours", hours(longest), 1)
        .count("best of a ladder matched", best)
        .number(
            "a sandbagger and equals, alone, wait, hours",
            waited.map_or(f64::NAN, hours),
            1,
        )
        .require(seconds.is_some(), "the policy states a bound")
        .require(
            overdue == 0,
            "no alliance waits longer while there is one of its size",
        )
        .require(longest == bound, "some wait as long")
        .require(best == 4 * STREAMS, "the best of each ladder are matched too")
        .require(
            waited.is_some_and(|waited| waited > HOUR && waited <= bound),
            "a sandbagger alone with equals is matched in the end, after its window's flat start",
        ))
}

const ALLIANCES: u64 = 60;

/// What an alliance that cancelled and came again got, against what it would have got.
#[derive(Default)]
struct Restarts {
    tried: u64,
    sooner: u64,
    later: u64,
    /// Later, and against a nearer opponent.
    nearer: u64,
    /// Within the flat start, without a pause.
    flat: u64,
    flat_changed: u64,
}

/// One alliance of a stream leaves at some moment of its wait, and comes again after a pause.
fn restart(
    document: &Table,
    (arrivals, stayed): (&[Arrival], &DrivenQueue),
    (number, pause): (usize, i64),
    rng: &mut ChaCha8Rng,
    restarts: &mut Restarts,
) -> Result<()> {
    let (old, new) = (number as u64 + 1, 1_000);
    let (came, alliance) = &arrivals[number];
    let end = arrivals.last().map_or(0, |last| last.0);
    let would = stayed.match_of(old);
    let until = would.map_or(end, |made| made.at);
    if until - came < 2 {
        return Ok(());
    }
    let leaves = rng.random_range(came + 1..until);
    let all = (1..).zip(arrivals);
    let mut events: Vec<(i64, EventKind)> = all
        .map(|(ticket, (at, one))| (*at, EventKind::Create(one.ticket(ticket, ticket).into())))
        .collect();
    events.push((leaves, EventKind::cancel(old)));
    events.push((
        leaves + pause,
        EventKind::Create(alliance.ticket(new, old).into()),
    ));
    events.sort_by_key(|event| event.0);
    let mut queue = DrivenQueue::new(document)?;
    for (at, event) in events {
        queue.send(at, [event])?;
    }
    queue.run(end + 10 * 24 * HOUR)?;
    let got = queue.match_of(new);
    let at = |made: Option<&Made>| made.map_or(i64::MAX, |made| made.at);
    let mismatch = |made: Option<&Made>| made.map_or(f64::INFINITY, |made| made.mismatch);
    restarts.tried += 1;
    restarts.sooner += u64::from(at(got) < at(would));
    restarts.later += u64::from(at(got) > at(would));
    restarts.nearer += u64::from(at(got) > at(would) && mismatch(got) < mismatch(would));
    if pause == 0 && at(would) - came <= flat_start(document)? {
        restarts.flat += 1;
        restarts.flat_changed += u64::from(at(got) != at(would) || mismatch(got) != mismatch(would));
    }
    Ok(())
}

/// How long no window of the policy widens, in milliseconds.
fn flat_start(document: &Table) -> Result<i64> {
    let windows = queue_params(document)?.windows;
    let seconds = windows
        .iter()
        .map(|window| window.after)
        .fold(f64::INFINITY, smaller);
    Ok(millis(seconds))
}

fn again(inputs: &DominationsInputs) -> Result<Finding> {
    let document = &table(&inputs.policy)?;
    let flat_start = flat_start(document)?;
    let mut restarts = Restarts::default();
    for stream in 0..STREAMS / 2 {
        let mut rng = check_stream(inputs.seed, 74, stream);
        let arrivals = arrivals(
            &mut rng,
            ALLIANCES,
            if stream % 2 == 0 { HOUR / 3 } else { HOUR / 20 },
        );
        let end = arrivals.last().map_or(0, |last| last.0) + 10 * 24 * HOUR;
        let stayed = play(document, &arrivals, end)?;
        for (number, (came, _)) in arrivals.iter().enumerate() {
            let made = stayed.match_of(number as u64 + 1);
            let is_flat = made.is_some_and(|made| made.at - came <= flat_start);
            let pause = rng.random_range(1..2 * HOUR);
            for pause in [0, pause].into_iter().take(if is_flat { 1 } else { 2 }) {
                let of = (&arrivals[..], &stayed);
                restart(document, of, (number, pause), &mut rng, &mut restarts)?;
            }
        }
    }
    let Restarts {
        tried,
        sooner,
        later,
        nearer,
        flat,
        flat_changed,
    } = restarts;
    Ok(Finding::new()
        .samples(tried, "alliances that cancel and come again")
        .count("matched sooner by it", sooner)
        .count("later", later)
        .count("in the flat start, without a pause", flat)
        .count("of these with another match", flat_changed)
        .count("later, with a nearer opponent", nearer)
        .require(sooner == 0 && tried > 0, "never matched sooner than by staying")
        .require(flat > 0 && flat_changed == 0, "in the flat start the search is the same")
        .completes_page(
            later > 0 && nearer > 0,
            "after the flat start it keeps one's own demands high: a longer wait, and at times a nearer opponent for it",
        ))
}
