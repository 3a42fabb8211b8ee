//! [`MatchPolicy`]: what to match now.

use crate::ids::TicketId;
use crate::outcome::{Lobby, Match};
use crate::state::Pool;
use crate::ticket::Ticket;
use crate::time::Time;
use crate::why::Why;

/// Decides which of the waiting tickets play together, and when to look again.
///
/// The core tells it of each ticket that begins to wait or stops, and asks it once in every step. Contract:
///
/// - Lobbies that one call returns share no ticket, and each keeps the rules: tickets of one [`pool
///   key`](crate::Waiting::key), teams full, a region that all accept. A lobby that breaks them is an error of the step.
/// - Nothing but the calls decides: no clock, no randomness, no order of hashes. The same calls in the same order give
///   the same answers.
/// - [`next_time`](Self::next_time) is the earliest time at which [`propose`](Self::propose) would return a lobby if
///   nothing else happened; never later, and earlier only where it says so.
/// - What it learns is in [`save`](Self::save); all else follows from the waiting tickets.
///
/// Implementations may run the law suite of the feature `laws`.
pub trait MatchPolicy {
    /// Whether a ticket has all that the policy needs; if not, it is refused for the reason returned.
    ///
    /// # Errors
    /// What the ticket lacks, in words.
    fn admits(&self, ticket: &Ticket) -> Result<(), String> {
        let _ = ticket;
        Ok(())
    }

    /// A ticket begins to wait, or waits again; it is in the pool.
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time);

    /// A ticket no longer waits; it is still in the pool. Changes nothing for a ticket that did not enter.
    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time);

    /// Lobbies that may start now, within a budget of work; none if nothing may.
    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Vec<Lobby>;

    /// When to ask again if nothing happens before; `None`: never.
    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time>;

    /// What keeps a ticket waiting.
    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why;

    /// The longest wait in seconds, given a match that the rules permit at every moment: a ticket that has waited so
    /// long is matched as soon as there are permitted tickets for it. `None` if no wait is too long for the policy.
    fn liveness(&self) -> Option<f64>;

    /// When a ticket will be matched, if that is certain, as it is in a batch.
    fn countdown(&self, pool: &Pool, ticket: TicketId, now: Time) -> Option<Time> {
        let _ = (pool, ticket, now);
        None
    }

    /// A match was made of tickets that no longer wait; they are still in the pool.
    fn learn(&mut self, made: &Match, pool: &Pool, now: Time) {
        let _ = (made, pool, now);
    }

    /// What failed inside the policy since this was last asked, in words: a solve that ended in an error, say. It is told
    /// ([`Outcome::failures`](crate::Outcome::failures)) and decides nothing, so that a journal replays the same without it.
    fn take_failures(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// What was learnt, for a snapshot.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes what was learnt from a snapshot, before the tickets that waited then enter, the oldest first.
    ///
    /// # Errors
    /// What is wrong with the bytes, in words.
    fn restore(&mut self, saved: &[u8]) -> Result<(), String> {
        if saved.is_empty() {
            Ok(())
        } else {
            Err(format!("{} bytes for a policy that learns nothing", saved.len()))
        }
    }
}

/// How much work a policy may do in one step, in units of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// So many units.
    #[must_use]
    pub const fn new(units: u64) -> Self {
        Self { left: units }
    }

    /// The units that remain.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Takes units, as many as are left; whether there were enough.
    pub fn spend(&mut self, units: u64) -> bool {
        let enough = self.left >= units;
        self.left = self.left.saturating_sub(units);
        enough
    }
}

impl Default for Budget {
    /// As much as it takes.
    fn default() -> Self {
        Self::new(u64::MAX)
    }
}

/// The lobby that takes a ticket, and when, if nobody comes or leaves but those who are matched before it: what `policy`
/// decides, a copy of the one that is asked why. `None`: none at its next so many wakeups.
pub fn foresee<P: MatchPolicy>(
    mut policy: P,
    pool: &Pool,
    ticket: TicketId,
    now: Time,
    wakeups: usize,
) -> Option<(Time, Lobby)> {
    let mut at = now;
    for _ in 0..wakeups {
        at = policy.next_time(pool, at)?.max(at);
        // Each of which takes tickets away.
        for _ in 0..pool.len() {
            let lobbies = policy.propose(pool, at, &mut Budget::default());
            if lobbies.is_empty() {
                break;
            }
            if let Some(own) = lobbies
                .iter()
                .find(|lobby| lobby.tickets().any(|one| one == ticket))
            {
                return Some((at, own.clone()));
            }
            let gone = lobbies.iter().flat_map(Lobby::tickets);
            gone.for_each(|one| policy.leave(pool, one, at));
        }
    }
    None
}

const _: Option<&dyn MatchPolicy> = None;

impl<P: MatchPolicy + ?Sized> MatchPolicy for Box<P> {
    fn admits(&self, ticket: &Ticket) -> Result<(), String> {
        (**self).admits(ticket)
    }

    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        (**self).enter(pool, ticket, now);
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        (**self).leave(pool, ticket, now);
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Vec<Lobby> {
        (**self).propose(pool, now, budget)
    }

    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        (**self).next_time(pool, now)
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        (**self).why(pool, ticket, now)
    }

    fn liveness(&self) -> Option<f64> {
        (**self).liveness()
    }

    fn countdown(&self, pool: &Pool, ticket: TicketId, now: Time) -> Option<Time> {
        (**self).countdown(pool, ticket, now)
    }

    fn learn(&mut self, made: &Match, pool: &Pool, now: Time) {
        (**self).learn(made, pool, now);
    }

    fn take_failures(&mut self) -> Vec<String> {
        (**self).take_failures()
    }

    fn save(&self) -> Vec<u8> {
        (**self).save()
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), String> {
        (**self).restore(saved)
    }
}
