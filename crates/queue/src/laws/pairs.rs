//! Policies of pairs, held to a search through all pairs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::run::Run;
use super::violation::{Law, LawViolation};
use crate::event::EventKind;
use crate::ids::TicketId;
use crate::outcome::Outcome;
use crate::policy::MatchPolicy;
use crate::settings::QueueSettings;
use crate::ticket::Ticket;
use crate::time::{Time, millis};

/// Tickets that come.
const TICKETS: u64 = 200;

/// Whether two tickets that came at these times may play at a time.
type Compatible<'a> = dyn Fn([(&Ticket, Time); 2], Time) -> bool + 'a;

/// Checks on a random stream of tickets that a policy matches two tickets each, and just those that `compatible` lets play
/// at that time: only such pairs are made, and after a step no two of those who wait are one.
///
/// `compatible` is given two tickets, each with the time at which it came, and the time of the step; it need not be fast.
/// All else is as for [`check_policy`](super::check_policy). O(n^2) calls a step with n waiting.
///
/// # Errors
/// [`Law::Complete`] or [`Law::Sparse`].
///
/// ```
/// use matchwright_queue::laws::check_pairs;
/// use matchwright_queue::{Pairs, PairsParams, QueueSettings, Ticket, Time, WindowParams};
///
/// let window = WindowParams { start: 20.0, per_second: 5.0, ..WindowParams::of("rating") };
/// let settings = PairsParams { windows: vec![window], ..PairsParams::default() }.build()?;
/// let policy = || Pairs::new("", settings.clone());
/// let ticket = |id: u64, draw: &mut dyn FnMut() -> f64| Ticket::of_one(id, id).with("rating", 1000.0 * draw());
/// let compatible = |pair: [(&Ticket, Time); 2], now: Time| {
///     let [a, b] = pair.map(|(ticket, _)| ticket.mean("rating").unwrap_or(f64::NAN));
///     pair.iter().all(|(_, came)| 20.0 + 5.0 * now.seconds_since(*came) >= (a - b).abs())
/// };
/// check_pairs(policy, &QueueSettings::default(), ticket, compatible, 1)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_pairs<P: MatchPolicy>(
    policy: impl Fn() -> P,
    settings: &QueueSettings,
    ticket: impl Fn(u64, &mut dyn FnMut() -> f64) -> Ticket,
    compatible: impl Fn([(&Ticket, Time); 2], Time) -> bool,
    seed: u64,
) -> Result<(), LawViolation> {
    let mut run = Run::new(policy(), settings, seed);
    let mut known: BTreeMap<TicketId, Arc<Ticket>> = BTreeMap::new();
    for _ in 0..TICKETS {
        let until = run.now.plus(millis(3.0 * run.draw() * run.draw()));
        run.wait(until, |run, outcome| check(run, outcome, &known, &compatible))?;
        let new = run.ticket(&ticket);
        known.insert(new.id, Arc::clone(&new));
        let outcome = run.step(until, vec![EventKind::Create(new)])?;
        check(&run, &outcome, &known, &compatible)?;
    }
    run.wait(Time::MAX, |run, outcome| check(run, outcome, &known, &compatible))
}

/// The outcome of a step, and who waits after it.
fn check<P: MatchPolicy>(
    run: &Run<P>,
    outcome: &Outcome,
    known: &BTreeMap<TicketId, Arc<Ticket>>,
    compatible: &Compatible<'_>,
) -> Result<(), LawViolation> {
    for made in outcome.matches() {
        let tickets = made.lobby.tickets().zip(&made.joined);
        let tickets = tickets.filter_map(|(one, came)| Some((&**known.get(&one)?, *came)));
        let pair: Vec<(&Ticket, Time)> = tickets.collect();
        if !<[_; 2]>::try_from(pair).is_ok_and(|pair| compatible(pair, run.now)) {
            return Err(run.broken(Law::Sparse, format!("{made:?}")));
        }
    }
    let waiting: Vec<(&Ticket, Time)> = run
        .state
        .pool()
        .tickets()
        .map(|one| (&*one.ticket, one.joined))
        .collect();
    for (place, a) in waiting.iter().enumerate().filter(|_| !outcome.unfinished) {
        if let Some(b) = waiting[..place].iter().find(|b| compatible([**b, *a], run.now)) {
            let detail = format!("tickets {} and {} wait", b.0.id, a.0.id);
            return Err(run.broken(Law::Complete, detail));
        }
    }
    Ok(())
}
