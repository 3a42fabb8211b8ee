//! When rounds are held: AWN-batch100, maxwait, countdown. The figures are those of
//! `examples/policies/awesomenauts.toml`.

use std::collections::BTreeMap;

use super::inputs::{AwesomenautsInputs, policy, without};
use crate::check::prelude::*;
use crate::check::queues::{DrivenQueue, Made, millis, queue_params};
use matchwright_queue::{EventKind, MatchPolicy, Pool, Ticket, TicketId, Time, Value};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use toml::Table;

pub(crate) const CHECKS: &[Check<AwesomenautsInputs>] = &[
    Check::new("AWN-batch100", Search(hundred)),
    Check::new("AWN-maxwait", Exact(capped)),
    Check::new(
        "AWN-countdown",
        Exact(|inputs| {
            told(inputs, |policy, pool, ticket, now| {
                policy.countdown(pool, ticket, now)
            })
        }),
    ),
];

/// Players of a match.
const MATCH: usize = 6;
/// Players who come in a second, from far too few to plenty.
const RATES: [f64; 6] = [1.0 / 300.0, 1.0 / 60.0, 1.0 / 20.0, 0.2, 0.8, 2.0];

/// A single player.
fn player(id: u64, rng: &mut ChaCha8Rng) -> Ticket {
    let mut ticket = Ticket::of_one(id, id).with("skill", rng.random_range(0.0..20_000.0));
    let pings = [("eu".to_owned(), rng.random_range(20.0..200.0))];
    ticket
        .attributes
        .insert("pings".to_owned(), Value::Numbers(BTreeMap::from(pings)));
    ticket
}

/// Times of arrival at this many players a second, for two hours or until there are enough for a few rounds.
fn arrivals(rate: f64, rng: &mut ChaCha8Rng) -> Vec<i64> {
    let (mut at, mut all) = (0.0, Vec::new());
    while all.len() < 600 && at < 7_200.0 {
        at -= (1.0 - rng.random::<f64>()).ln() / rate;
        all.push(millis(at) + 1);
    }
    all
}

/// Tickets from 1 on, and what becomes of them.
fn play(document: &Table, times: &[i64], rng: &mut ChaCha8Rng) -> Result<DrivenQueue> {
    let mut queue = DrivenQueue::new(document)?;
    for (id, &at) in (1..).zip(times) {
        queue.create(at, player(id, rng))?;
    }
    queue.run(times.last().map_or(0, |last| last + 3_600_000))?;
    Ok(queue)
}

/// When each ticket left for a match; never for the others.
fn ends(queue: &DrivenQueue, tickets: usize) -> Vec<i64> {
    let end = |ticket| queue.match_of(ticket).map_or(i64::MAX, |made| made.at);
    (1..).take(tickets).map(end).collect()
}

/// How many wait right after a moment.
fn waiting(times: &[i64], ends: &[i64], at: i64) -> usize {
    let all = times.iter().zip(ends);
    all.filter(|(came, end)| **came <= at && **end > at).count()
}

/// The period, the number of players and the longest wait of the policy's rounds, times in milliseconds.
fn schedule(document: &Table) -> Result<(i64, usize, i64)> {
    let params = queue_params(document)?;
    let batch = params.batch.unwrap_or_default();
    let millis = |seconds: Option<f64>| seconds.map_or(i64::MAX / 4, millis);
    Ok((
        millis(batch.every),
        batch.at.unwrap_or(usize::MAX),
        millis(params.longest_wait),
    ))
}

/// With more players than a round asks for, and the clock beside the number; and over a day.
fn hundred(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let document = policy(inputs)?;
    let (every, at, _) = schedule(&document)?;
    let (mut by_clock, mut by_count, mut others, mut most_left) = (0_u64, 0_u64, 0_u64, 0);
    for (stream, rate) in (0..).zip([0.2, 0.5, 0.8, 1.5, 3.0]) {
        let mut rng = check_stream(inputs.seed, 80, stream);
        let times = arrivals(rate, &mut rng);
        let queue = play(&document, &times, &mut rng)?;
        let ends = ends(&queue, times.len());
        let mut rounds: Vec<i64> = queue.made.iter().map(|made| made.at).collect();
        rounds.dedup();
        for &round in &rounds {
            let played = ends.iter().filter(|&&end| end == round).count();
            let left = waiting(&times, &ends, round);
            most_left = most_left.max(left);
            match played + left {
                came if came == at => by_count += 1,
                came if came < at && round % every == 0 => by_clock += 1,
                _ => others += 1,
            }
        }
    }
    Ok(Finding::new()
        .count("rounds by the clock", by_clock)
        .count("rounds by the number", by_count)
        .count("rounds at other times", others)
        .count("most players left over", most_left as u64)
        .number("minutes from round to round", every as f64 / 60_000.0, 0)
        .count("players that make a round", at as u64)
        .require(
            at >= 100 && (60_000..=240_000).contains(&every),
            "a hundred, or a couple of minutes",
        )
        .require(
            by_clock > 0 && by_count > 0 && others == 0,
            "a round when the hundredth comes, or by the clock",
        )
        .require(
            most_left < MATCH,
            "all who wait are matched at once, but fewer than a match needs",
        )
        .and(super::day::day(inputs)?))
}

/// What a stream of players does to a cap.
fn over_the_cap(times: &[i64], ends: &[i64], cap: i64) -> u64 {
    let is_over = |(came, end): (&i64, &i64)| {
        let due = came + cap;
        let moments = times.iter().copied().filter(|at| (due..*end).contains(at));
        // Enough for a match waited, and went on waiting.
        (due < *end) && moments.chain([due]).any(|at| waiting(times, ends, at) >= MATCH)
    };
    times.iter().zip(ends).filter(|one| is_over(*one)).count() as u64
}

fn capped(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let document = policy(inputs)?;
    let (_, at, cap) = schedule(&document)?;
    let mut found = Finding::new().number("longest wait, minutes", cap as f64 / 60_000.0, 1);
    let (mut over, mut small, mut alone) = (0, 0_u64, 0_u64);
    for (name, document) in [
        ("with", document.clone()),
        ("without", without(&document, &["every"])?),
    ] {
        let mut longest = 0;
        for (stream, rate) in (0..).zip(RATES) {
            let mut rng = check_stream(inputs.seed, 81, stream);
            let times = arrivals(rate, &mut rng);
            let queue = play(&document, &times, &mut rng)?;
            let ends = ends(&queue, times.len());
            over += over_the_cap(&times, &ends, cap);
            let waits = times
                .iter()
                .zip(&ends)
                .map(|(came, end)| end.saturating_sub(*came));
            for wait in waits {
                if wait > cap {
                    alone += 1;
                } else {
                    longest = longest.max(wait);
                }
            }
            let round = |at: i64| ends.iter().filter(|&&end| end == at).count();
            small += queue.made.iter().filter(|made| round(made.at) < at / 2).count() as u64;
        }
        found = found.number(
            format!("longest wait {name} the clock, minutes"),
            longest as f64 / 60_000.0,
            2,
        );
    }
    Ok(found
        .samples(
            RATES.len(),
            "rates, from a player in five minutes to two a second",
        )
        .count("matches of rounds with less than half of the players", small)
        .count("players over the cap", alone)
        .count("of these with enough others for a match", over)
        .require(cap <= 600_000, "the cap is some minutes")
        .require(small > 0, "rounds are held with too few players")
        .require(
            over == 0,
            "no player waits beyond the cap while enough for a match wait",
        )
        .completes_page(
            alone > 0,
            "the cap is on the wait for a round: fewer than six still have nobody to play with",
        ))
}

/// What players were told, and what happened.
#[derive(Default)]
struct Told {
    asked: u64,
    /// Asked again, another time was told: an earlier one, or a later one.
    forward: u64,
    back: u64,
    /// The round was at the time told last, sooner, or later.
    held: u64,
    sooner: u64,
    later: u64,
    /// Told beyond the clock, or beyond one's own longest wait.
    beyond: u64,
}

impl Told {
    /// Matches against what their players were told; some were told nothing yet.
    fn rounds(&mut self, made: &[Made], words: &BTreeMap<u64, i64>) {
        for made in made {
            for word in made.tickets.iter().filter_map(|ticket| words.get(ticket)) {
                self.held += u64::from(*word == made.at);
                self.sooner += u64::from(*word > made.at);
                self.later += u64::from(*word < made.at);
            }
        }
    }
}

/// What tells a ticket when its round is.
pub(crate) type Countdown = fn(&dyn MatchPolicy, &Pool, TicketId, Time) -> Option<Time>;

/// Asks for all who wait whenever one comes; one in ten times one leaves then.
fn listen(inputs: &AwesomenautsInputs, countdown: Countdown, document: &Table, stream: u64) -> Result<Told> {
    let (every, _, cap) = schedule(document)?;
    let mut told = Told::default();
    for (rate, number) in RATES.into_iter().zip(10 * stream..) {
        let mut rng = check_stream(inputs.seed, 82, number);
        let mut queue = DrivenQueue::new(document)?;
        let mut words: BTreeMap<u64, i64> = BTreeMap::new();
        for (id, at) in (1..).zip(arrivals(rate, &mut rng)).take(inputs.told) {
            let mut events = vec![EventKind::Create(player(id, &mut rng).into())];
            if rng.random::<f64>() < 0.1 && id > 1 {
                events.push(EventKind::cancel(rng.random_range(1..id)));
            }
            let seen = queue.made.len();
            queue.run(at - 1)?;
            told.rounds(&queue.made[seen..], &words);
            // Left over by the round that was told.
            words.retain(|_, word| *word >= at);
            let seen = queue.made.len();
            queue.send(at, events)?;
            told.rounds(&queue.made[seen..], &words);
            let pool = queue.state.pool();
            // One who has waited longest makes a round with each who comes.
            let oldest = pool.tickets().map(|one| one.joined.millis()).min().unwrap_or(at);
            let now = Time::from_millis(at);
            // Whom the round of this very moment left over waits for others first.
            let was_now = oldest + cap <= at || queue.made.last().is_some_and(|made| made.at == at);
            let by_clock = if was_now {
                i64::MAX
            } else {
                at - at.rem_euclid(every) + every
            };
            for one in pool.tickets() {
                let (ticket, came) = (one.ticket.id, one.joined.millis());
                let answer = countdown(&*queue.loaded.policy, pool, ticket, now);
                let Some(word) = answer.map(Time::millis) else {
                    continue;
                };
                let last = words.insert(ticket.0, word).filter(|last| *last > at);
                told.asked += 1;
                told.forward += u64::from(last.is_some_and(|last| word < last));
                told.back += u64::from(last.is_some_and(|last| word > last));
                let own = if oldest + cap > at { came + cap } else { i64::MAX };
                told.beyond += u64::from(word > by_clock.min(own));
            }
        }
    }
    Ok(told)
}

pub(crate) fn told(inputs: &AwesomenautsInputs, countdown: Countdown) -> Result<Finding> {
    let document = policy(inputs)?;
    let by_clock = listen(
        inputs,
        countdown,
        &without(&document, &["at", "longest_wait"])?,
        0,
    )?;
    let as_it_is = listen(inputs, countdown, &document, 1)?;
    let by_wait = listen(inputs, countdown, &without(&document, &["every"])?, 2)?;
    let exact = [
        by_clock.sooner,
        by_clock.later,
        by_clock.forward,
        by_clock.back,
        by_clock.beyond,
    ];
    Ok(Finding::new()
        .samples(by_clock.asked + as_it_is.asked + by_wait.asked, "answers")
        .count("by the clock alone: players whose round was at the time told", by_clock.held)
        .count("by the policy: so", as_it_is.held)
        .count("sooner, since a hundred waited", as_it_is.sooner)
        .count("without the clock: so", by_wait.held)
        .count("sooner", by_wait.sooner)
        .count("answers that moved back, since the longest waiting player left", by_wait.back)
        .require(
            by_clock.held > 0 && exact == [0; 5],
            "by the clock alone the time told on entry is that of the round, and stays",
        )
        .require(
            [as_it_is.later, as_it_is.beyond, by_wait.later, by_wait.beyond] == [0; 4],
            "otherwise it is the latest: no round later than told, nor told beyond one's own longest wait",
        )
        .completes_page(
            as_it_is.sooner > 0 && by_wait.back > 0,
            "a hundred players bring it forward; the longest wait is that of one player, with whom it may leave",
        ))
}
