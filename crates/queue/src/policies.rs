//! [`PolicySet`]: several queues, each with a policy of its own.

use std::collections::{BTreeMap, BTreeSet};

#[cfg(feature = "journal")]
use serde_bytes::ByteBuf;

use crate::ids::TicketId;
#[cfg(feature = "journal")]
use crate::journal::{from_saved, to_saved};
use crate::outcome::{Lobby, Match};
#[cfg(feature = "journal")]
use crate::policy::Adopted;
use crate::policy::{Budget, MatchPolicy, Proposed};
use crate::state::Pool;
use crate::ticket::Ticket;
use crate::time::Time;
use crate::why::Why;

/// One policy a queue: each sees the tickets of its queue, and a ticket of several queues is seen by several policies.
///
/// All queues are asked in every step. If the lobbies of two queues share a ticket, the lobby with the oldest ticket is
/// made, at a tie that of the queue whose name comes first; the other queue is asked again in the same step, without
/// the tickets that are gone. Each queue may do an equal share of the work that the ones before it left undone.
#[derive(Default)]
pub struct PolicySet {
    policies: BTreeMap<String, Box<dyn MatchPolicy + Send>>,
}

impl std::fmt::Debug for PolicySet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.policies.keys()).finish()
    }
}

impl PolicySet {
    /// The set with the policy of one more queue, by name; it replaces that queue's former one.
    #[must_use]
    pub fn with(mut self, queue: &str, policy: Box<dyn MatchPolicy + Send>) -> Self {
        self.policies.insert(queue.to_owned(), policy);
        self
    }

    /// The policies of the queues in which a ticket waits, by the queues' names.
    fn of<'a>(&'a self, pool: &'a Pool, ticket: TicketId) -> impl Iterator<Item = &'a dyn MatchPolicy> {
        let waiting = pool.get(ticket);
        let policies = self.policies.iter();
        policies
            .filter(move |(queue, _)| waiting.is_some_and(|waiting| waiting.is_in(queue)))
            .map(|(_, policy)| &**policy as &dyn MatchPolicy)
    }

    fn of_mut<'a>(
        &'a mut self,
        pool: &'a Pool,
        ticket: TicketId,
    ) -> impl Iterator<Item = &'a mut Box<dyn MatchPolicy + Send>> {
        let waiting = pool.get(ticket);
        let policies = self.policies.iter_mut();
        policies
            .filter(move |(queue, _)| waiting.is_some_and(|waiting| waiting.is_in(queue)))
            .map(|(_, policy)| policy)
    }

    /// What each queue's policy says, where it says anything.
    #[cfg(feature = "journal")]
    fn of_each(&self, say: impl Fn(&(dyn MatchPolicy + Send)) -> Vec<u8>) -> Vec<u8> {
        let said = self.policies.iter();
        let said: BTreeMap<&str, ByteBuf> = said
            .map(|(queue, policy)| (queue.as_str(), say(&**policy).into()))
            .filter(|(_, said): &(&str, ByteBuf)| !said.is_empty())
            .collect();
        if said.is_empty() {
            Vec::new()
        } else {
            to_saved(VERSION, &said)
        }
    }
}

impl MatchPolicy for PolicySet {
    /// A ticket needs what the policy of each of its queues needs; one that names no queue, what all need.
    fn admits(&self, pool: &Pool, ticket: &Ticket) -> Result<(), String> {
        let is_in = |queue: &String| ticket.queues.is_empty() || ticket.queues.contains(queue);
        let mut policies = self.policies.iter().filter(|entry| is_in(entry.0));
        policies.try_for_each(|(_, policy)| policy.admits(pool, ticket))
    }

    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.of_mut(pool, ticket)
            .for_each(|policy| policy.enter(pool, ticket, now));
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.of_mut(pool, ticket)
            .for_each(|policy| policy.leave(pool, ticket, now));
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        let mut all = Proposed::nothing();
        let mut lobbies: Vec<((Time, TicketId), Lobby)> = Vec::new();
        let mut to_ask = self.policies.len() as u64;
        for policy in self.policies.values_mut() {
            let share = budget.left().div_ceil(to_ask.max(1));
            let mut part = Budget::new(share);
            let proposed = policy.propose(pool, now, &mut part);
            all.notes.extend(proposed.notes);
            all.is_done &= proposed.is_done;
            for lobby in proposed.lobbies {
                let age = |ticket| pool.get(ticket).map_or(Time::MAX, |waiting| waiting.joined);
                let oldest = lobby.tickets().map(|ticket| (age(ticket), ticket)).min();
                lobbies.push((oldest.unwrap_or((Time::MAX, TicketId(u64::MAX))), lobby));
            }
            if !budget.is_unlimited() {
                budget.spend(share - part.left());
            }
            to_ask -= 1;
        }
        // Stable: among equals in the order of the queues' names.
        lobbies.sort_by_key(|entry| entry.0);
        let mut taken: BTreeSet<TicketId> = BTreeSet::new();
        for (_, lobby) in lobbies {
            if lobby.tickets().all(|ticket| !taken.contains(&ticket)) {
                taken.extend(lobby.tickets());
                all.lobbies.push(lobby);
            } else {
                // Its queue is asked again, without the tickets that are gone.
                all.is_done = false;
            }
        }
        all
    }

    fn note(&mut self, pool: &Pool, now: Time, queue: &str, note: &[u8]) {
        if let Some(policy) = self.policies.get_mut(queue) {
            policy.note(pool, now, queue, note);
        }
    }

    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        let policies = self.policies.values_mut();
        policies.filter_map(|policy| policy.next_time(pool, now)).min()
    }

    /// What keeps it waiting in the queue in which it will be matched first, else the one where the least is missing.
    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let all = self.of(pool, ticket).map(|policy| policy.why(pool, ticket, now));
        soonest(all).unwrap_or_else(|| Why::without_policy(pool, ticket, now))
    }

    fn why_now(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let all = self
            .of(pool, ticket)
            .map(|policy| policy.why_now(pool, ticket, now));
        soonest(all).unwrap_or_else(|| Why::without_policy(pool, ticket, now))
    }

    /// The longest of all queues'.
    fn liveness(&self) -> Option<f64> {
        let waits: Option<Vec<f64>> = self.policies.values().map(MatchPolicy::liveness).collect();
        waits?.into_iter().reduce(f64::max)
    }

    fn countdown(&self, pool: &Pool, ticket: TicketId, now: Time) -> Option<Time> {
        self.of(pool, ticket)
            .filter_map(|policy| policy.countdown(pool, ticket, now))
            .min()
    }

    /// The policy of the match's queue learns.
    fn learn(&mut self, made: &Match, pool: &Pool, now: Time) {
        if let Some(policy) = self.policies.get_mut(&*made.lobby.queue) {
            policy.learn(made, pool, now);
        }
    }

    /// Of all queues, each with its queue's name, if it has one.
    fn take_failures(&mut self) -> Vec<String> {
        let all = self.policies.iter_mut();
        all.flat_map(|(queue, policy)| {
            let failures = policy.take_failures().into_iter();
            failures.map(move |failure| match queue.as_str() {
                "" => failure,
                name => format!("queue `{name}`: {failure}"),
            })
        })
        .collect()
    }

    #[cfg(feature = "journal")]
    fn save(&self) -> Vec<u8> {
        self.of_each(|policy| policy.save())
    }

    #[cfg(feature = "journal")]
    fn restore(&mut self, pool: &Pool, waiting: &[TicketId], now: Time, saved: &[u8]) -> Result<(), String> {
        let mut parts = parts(saved)?;
        for (queue, policy) in &mut self.policies {
            let is_in = |ticket: &TicketId| pool.get(*ticket).is_some_and(|one| one.is_in(queue));
            let waiting: Vec<TicketId> = waiting.iter().copied().filter(is_in).collect();
            let bytes = parts.remove(queue).unwrap_or_default();
            policy
                .restore(pool, &waiting, now, &bytes)
                .map_err(|error| format!("queue `{queue}`: {error}"))?;
        }
        match parts.into_keys().next() {
            Some(queue) => Err(format!("what queue `{queue}` has learned, which has no policy")),
            None => Ok(()),
        }
    }

    #[cfg(feature = "journal")]
    fn learned(&self) -> Vec<u8> {
        self.of_each(|policy| policy.learned())
    }

    /// Each queue's policy from that of the queue of the same name.
    #[cfg(feature = "journal")]
    fn adopt(&mut self, learned: &[u8]) -> Adopted {
        let parts = match parts(learned) {
            Ok(parts) => parts,
            Err(reason) => return Adopted::Nothing(reason),
        };
        let (mut all, mut some) = (true, Vec::new());
        for (queue, policy) in &mut self.policies {
            let Some(bytes) = parts.get(queue) else { continue };
            match policy.adopt(bytes) {
                Adopted::All => some.push(format!("queue `{queue}`: all")),
                Adopted::Part(what) => {
                    all = false;
                    some.push(format!("queue `{queue}`: {what}"));
                }
                Adopted::Nothing(_) => all = false,
            }
        }
        if some.is_empty() {
            Adopted::Nothing("no queue's policy has a use for it".to_owned())
        } else if all {
            Adopted::All
        } else {
            Adopted::Part(some.join("; "))
        }
    }
}

/// The version of what is saved.
#[cfg(feature = "journal")]
const VERSION: u32 = 1;

/// What each queue's policy saved.
#[cfg(feature = "journal")]
fn parts(saved: &[u8]) -> Result<BTreeMap<String, ByteBuf>, String> {
    if saved.is_empty() {
        return Ok(BTreeMap::new());
    }
    from_saved(VERSION, saved)
}
/// That of the queue in which a ticket is matched first, else of the one where the least is missing.
fn soonest(all: impl Iterator<Item = Why>) -> Option<Why> {
    let size = |why: &Why| why.change.as_ref().map_or(f64::INFINITY, |change| change.size);
    let earliest = |why: &Why| why.earliest.unwrap_or(Time::MAX);
    all.min_by(|a, b| earliest(a).cmp(&earliest(b)).then(size(a).total_cmp(&size(b))))
}
