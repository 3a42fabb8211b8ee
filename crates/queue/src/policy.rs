//! [`MatchPolicy`]: what to match now.

use std::sync::Arc;

use crate::ids::TicketId;
use crate::outcome::{Lobby, Match};
use crate::state::Pool;
use crate::ticket::Ticket;
use crate::time::Time;
use crate::why::Why;

/// Decides which of the waiting tickets play together, and when to look again.
///
/// The core tells it of each ticket that begins to wait or stops, and asks it once in every step, and again until it is
/// done or the step's budget is spent. Contract:
///
/// - Lobbies that one call returns share no ticket, and each keeps the rules: tickets of one [`pool
///   key`](crate::Waiting::key), teams full, a region that all accept. One that breaks them is not made, and its tickets
///   [`leave`](Self::leave) for a minute.
/// - Nothing but the calls decides: no clock, no randomness, no order of hashes. The same calls in the same order give
///   the same answers.
/// - A recovered policy gets all these calls again but two: what [`propose`](Self::propose) and
///   [`next_time`](Self::next_time) remember changes no later decision, unless a note says it ([`Proposed::notes`]).
/// - [`next_time`](Self::next_time) is the earliest time at which [`propose`](Self::propose) would return a lobby if
///   nothing else happened; never later, and earlier only where it says so. Without events the wakeups end.
/// - What it learns is in its snapshot; all else follows from the waiting tickets.
///
/// Implementations may run the law suite of the feature `laws`.
pub trait MatchPolicy {
    /// Whether a ticket has all that the policy needs, and can be in one of its matches; if not, it is refused for the
    /// reason returned. The pool does not hold it yet.
    ///
    /// # Errors
    /// What the ticket lacks, in words.
    fn admits(&self, pool: &Pool, ticket: &Ticket) -> Result<(), String> {
        let _ = (pool, ticket);
        Ok(())
    }

    /// A ticket begins to wait, or waits again; it is in the pool.
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time);

    /// A ticket no longer waits; it is still in the pool. Changes nothing for a ticket that did not enter.
    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time);

    /// Lobbies that may start now, within a budget of work; none if nothing may.
    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed;

    /// A note of one's own, of a call of [`propose`](Self::propose) for this queue: told before the lobbies of that call,
    /// by a step and by [`follow`](crate::follow) alike.
    fn note(&mut self, pool: &Pool, now: Time, queue: &str, note: &[u8]) {
        let _ = (pool, now, queue, note);
    }

    /// When to ask again if nothing happens before; `None`: never.
    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time>;

    /// What keeps a ticket waiting.
    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why;

    /// As [`why`](Self::why), without looking ahead: [`Why::earliest`] is of no concern. For asking about many tickets.
    fn why_now(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        self.why(pool, ticket, now)
    }

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

    /// For a snapshot: what was learnt, and what the waiting tickets do not tell; best by
    /// [`to_saved`](crate::journal::to_saved).
    #[cfg(feature = "journal")]
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes what was [saved](Self::save), and the tickets that [wait](Pool::waiting), the oldest first, which do not
    /// enter besides.
    ///
    /// # Errors
    /// What is wrong with the bytes, in words.
    #[cfg(feature = "journal")]
    fn restore(&mut self, pool: &Pool, waiting: &[TicketId], now: Time, saved: &[u8]) -> Result<(), String> {
        if !saved.is_empty() {
            return Err(format!("{} bytes for a policy that learns nothing", saved.len()));
        }
        for &ticket in waiting {
            self.enter(pool, ticket, now);
        }
        Ok(())
    }

    /// For the policy that takes this one's place: what was learnt, such as prices, and nothing of single tickets.
    #[cfg(feature = "journal")]
    fn learned(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes from what the policy before this one [learned](Self::learned) what is still true under this one; before any
    /// ticket enters. Called wherever a policy takes another's place, in recovery too.
    #[cfg(feature = "journal")]
    fn adopt(&mut self, learned: &[u8]) -> Adopted {
        let _ = learned;
        Adopted::Nothing("this policy learns nothing".to_owned())
    }
}

/// What a policy answers when it is asked for lobbies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Proposed {
    /// Lobbies that may start now.
    pub lobbies: Vec<Lobby>,
    /// What the call remembers, for [`MatchPolicy::note`], by the queue that it concerns: where work was cut off, say.
    pub notes: Vec<(Arc<str>, Vec<u8>)>,
    /// Whether there is no more to do at this moment. Otherwise the policy is asked again, in the same step while budget is
    /// left, and at once after it.
    pub is_done: bool,
}

impl Proposed {
    /// Nothing, and nothing more to do.
    #[must_use]
    pub const fn nothing() -> Self {
        Self {
            lobbies: Vec::new(),
            notes: Vec::new(),
            is_done: true,
        }
    }

    /// Nothing, as the budget is spent.
    #[must_use]
    pub const fn unfinished() -> Self {
        Self {
            lobbies: Vec::new(),
            notes: Vec::new(),
            is_done: false,
        }
    }

    /// Lobbies, after which there may be more.
    #[must_use]
    pub fn lobbies(lobbies: impl IntoIterator<Item = Lobby>) -> Self {
        Self {
            lobbies: lobbies.into_iter().collect(),
            ..Self::unfinished()
        }
    }

    /// With a note of what was done for a queue.
    #[must_use]
    pub fn with_note(mut self, queue: &Arc<str>, note: Vec<u8>) -> Self {
        self.notes.push((Arc::clone(queue), note));
        self
    }
}

/// What a policy took over from the one before it.
#[cfg(feature = "journal")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adopted {
    /// All that was learnt.
    All,
    /// A part of it: which, in words.
    Part(String),
    /// Nothing: why, in words.
    Nothing(String),
}

/// How much work may be done in one step, in entries looked at: tickets, pairs, timers. A ticket that comes to the policy or
/// leaves it without an event, by a timer or with a new policy, counts as eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// As much as it takes.
    pub const UNLIMITED: Self = Self::new(u64::MAX);

    /// This many units.
    #[must_use]
    pub const fn new(units: u64) -> Self {
        Self { left: units }
    }

    /// The units that remain.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Whether there are always units left.
    #[must_use]
    pub const fn is_unlimited(&self) -> bool {
        self.left == u64::MAX
    }

    /// Whether no units are left.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Takes units, as many as are left; whether there were enough.
    pub fn spend(&mut self, units: u64) -> bool {
        let enough = self.left >= units;
        self.take(units);
        enough
    }

    /// Takes units for what cannot be done in parts: begun while any are left, even if it takes more. Whether any were.
    pub fn begin(&mut self, units: u64) -> bool {
        let any = self.left > 0;
        self.take(units);
        any
    }

    fn take(&mut self, units: u64) {
        if !self.is_unlimited() {
            self.left = self.left.saturating_sub(units);
        }
    }
}

impl Default for Budget {
    /// As much as it takes.
    fn default() -> Self {
        Self::UNLIMITED
    }
}

/// The lobby that takes a ticket, and when, if nobody comes or leaves but those who are matched before it: what `policy`
/// decides, a copy of the one that is asked why. `None`: none at its next `wakeups` wakeups.
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
        // Each of which takes tickets away, or is done.
        for _ in 0..=pool.len() {
            let proposed = policy.propose(pool, at, &mut Budget::default());
            for (queue, note) in &proposed.notes {
                policy.note(pool, at, queue, note);
            }
            let mut lobbies = proposed.lobbies.iter();
            if let Some(own) = lobbies.find(|lobby| lobby.tickets().any(|one| one == ticket)) {
                return Some((at, own.clone()));
            }
            let gone = proposed.lobbies.iter().flat_map(Lobby::tickets);
            gone.for_each(|one| policy.leave(pool, one, at));
            if proposed.is_done {
                break;
            }
        }
        at = at.plus(1);
    }
    None
}

const _: Option<&dyn MatchPolicy> = None;

impl<P: MatchPolicy + ?Sized> MatchPolicy for Box<P> {
    fn admits(&self, pool: &Pool, ticket: &Ticket) -> Result<(), String> {
        (**self).admits(pool, ticket)
    }

    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        (**self).enter(pool, ticket, now);
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        (**self).leave(pool, ticket, now);
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        (**self).propose(pool, now, budget)
    }

    fn note(&mut self, pool: &Pool, now: Time, queue: &str, note: &[u8]) {
        (**self).note(pool, now, queue, note);
    }

    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        (**self).next_time(pool, now)
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        (**self).why(pool, ticket, now)
    }

    fn why_now(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        (**self).why_now(pool, ticket, now)
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

    #[cfg(feature = "journal")]
    fn save(&self) -> Vec<u8> {
        (**self).save()
    }

    #[cfg(feature = "journal")]
    fn restore(&mut self, pool: &Pool, waiting: &[TicketId], now: Time, saved: &[u8]) -> Result<(), String> {
        (**self).restore(pool, waiting, now, saved)
    }

    #[cfg(feature = "journal")]
    fn learned(&self) -> Vec<u8> {
        (**self).learned()
    }

    #[cfg(feature = "journal")]
    fn adopt(&mut self, learned: &[u8]) -> Adopted {
        (**self).adopt(learned)
    }
}
