//! [`PolicySet`]: several queues, each with a policy of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::ids::TicketId;
use crate::outcome::{Lobby, Match};
use crate::policy::{Budget, MatchPolicy};
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
}

impl MatchPolicy for PolicySet {
    /// A ticket needs what the policy of each of its queues needs; one that names no queue, what all need.
    fn admits(&self, ticket: &Ticket) -> Result<(), String> {
        let is_in = |queue: &String| ticket.queues.is_empty() || ticket.queues.contains(queue);
        let mut policies = self.policies.iter().filter(|entry| is_in(entry.0));
        policies.try_for_each(|(_, policy)| policy.admits(ticket))
    }

    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.of_mut(pool, ticket)
            .for_each(|policy| policy.enter(pool, ticket, now));
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.of_mut(pool, ticket)
            .for_each(|policy| policy.leave(pool, ticket, now));
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Vec<Lobby> {
        let mut lobbies: Vec<((Time, TicketId), Lobby)> = Vec::new();
        let mut to_ask = self.policies.len() as u64;
        for policy in self.policies.values_mut() {
            let share = budget.left().div_ceil(to_ask.max(1));
            let mut part = Budget::new(share);
            for lobby in policy.propose(pool, now, &mut part) {
                let age = |ticket| pool.get(ticket).map_or(Time::MAX, |waiting| waiting.joined);
                let oldest = lobby.tickets().map(|ticket| (age(ticket), ticket)).min();
                lobbies.push((oldest.unwrap_or((Time::MAX, TicketId(u64::MAX))), lobby));
            }
            budget.spend(share - part.left());
            to_ask -= 1;
        }
        // Stable: among equals in the order of the queues' names.
        lobbies.sort_by_key(|entry| entry.0);
        let mut taken: BTreeSet<TicketId> = BTreeSet::new();
        let mut is_free = |lobby: &Lobby| {
            let is_free = lobby.tickets().all(|ticket| !taken.contains(&ticket));
            if is_free {
                taken.extend(lobby.tickets());
            }
            is_free
        };
        let lobbies = lobbies.into_iter().map(|entry| entry.1);
        lobbies.filter(|lobby| is_free(lobby)).collect()
    }

    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        let policies = self.policies.values_mut();
        policies.filter_map(|policy| policy.next_time(pool, now)).min()
    }

    /// What keeps it waiting in the queue in which it will be matched first, else the one where the least is missing.
    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let size = |why: &Why| why.change.as_ref().map_or(f64::INFINITY, |change| change.size);
        let sooner = |a: &Why, b: &Why| {
            let earliest = |why: &Why| why.earliest.unwrap_or(Time::MAX);
            earliest(a).cmp(&earliest(b)).then(size(a).total_cmp(&size(b)))
        };
        let all = self.of(pool, ticket).map(|policy| policy.why(pool, ticket, now));
        all.min_by(sooner)
            .unwrap_or_else(|| Why::without_policy(pool, ticket, now))
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

    /// Of each queue whose policy has learned: the lengths of its name and bytes, and both.
    fn save(&self) -> Vec<u8> {
        let mut saved = Vec::new();
        for (queue, policy) in &self.policies {
            let bytes = policy.save();
            if !bytes.is_empty() {
                saved.extend((queue.len() as u64).to_le_bytes());
                saved.extend((bytes.len() as u64).to_le_bytes());
                saved.extend(queue.as_bytes());
                saved.extend(bytes);
            }
        }
        saved
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), String> {
        let mut parts: BTreeMap<&str, &[u8]> = BTreeMap::new();
        let mut rest = saved;
        while !rest.is_empty() {
            let (queue, bytes, after) = first_part(rest).ok_or("what a queue has learned is cut off")?;
            let queue = std::str::from_utf8(queue).map_err(|error| error.to_string())?;
            if !self.policies.contains_key(queue) {
                return Err(format!("what queue `{queue}` has learned, which has no policy"));
            }
            parts.insert(queue, bytes);
            rest = after;
        }
        for (queue, policy) in &mut self.policies {
            let bytes = parts.get(queue.as_str()).copied().unwrap_or_default();
            policy
                .restore(bytes)
                .map_err(|error| format!("queue `{queue}`: {error}"))?;
        }
        Ok(())
    }
}

/// The name and bytes of the first queue, and what comes after; `None` if they are cut off.
fn first_part(saved: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let length = |from: usize| {
        // Dropped: what is cut off is `None`, which the caller refuses; so below.
        let bytes: [u8; 8] = saved.get(from..from + 8)?.try_into().ok()?;
        // Dropped: as above.
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    };
    let (name, bytes) = (length(0)?, length(8)?);
    let (name, rest) = saved[16..].split_at_checked(name)?;
    let (bytes, after) = rest.split_at_checked(bytes)?;
    Some((name, bytes, after))
}
