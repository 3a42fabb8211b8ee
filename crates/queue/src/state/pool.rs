//! [`Pool`]: the tickets that wait or are asked, with their pool keys.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ids::{ProposalId, TicketId};
use crate::outcome::QueueStatus;
use crate::settings::QueueSettings;
use crate::sorted::SortedMap;
use crate::ticket::Ticket;
use crate::time::Time;

/// A ticket that waits or is asked.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Waiting {
    /// The ticket.
    pub ticket: Arc<Ticket>,
    /// When it came at first.
    pub joined: Time,
    /// Its queues by name, never none.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::shared::list"))]
    pub queues: Arc<[Arc<str>]>,
    /// The number of its pool: tickets meet only tickets of the same number, which stands for their keys (such as mode
    /// and build) and for low priority.
    pub key: u32,
    /// Whether it waits in a pool of those who declined too often.
    pub low_priority: bool,
    /// The open proposal in which it is; a policy sees such tickets no more.
    pub proposal: Option<ProposalId>,
    /// What became of it since it came, if anything did; apart, as most tickets have none.
    #[cfg_attr(feature = "serde", serde(default))]
    since: Option<Box<Since>>,
}

/// When a ticket stopped and began to wait.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Since {
    /// Its players are asked since then, if they are.
    asked: Option<Time>,
    /// It waits again since then: after a proposal, a match that failed, or an edit.
    again: Option<Time>,
    /// It is kept from the policy until then.
    aside: Option<Time>,
}

impl Waiting {
    /// How long it has waited since it came, in milliseconds. While its players are asked to accept a match it waits no
    /// more.
    #[must_use]
    pub fn waited(&self, now: Time) -> i64 {
        self.until(now).since(self.joined)
    }

    /// When it came, for the order of age.
    fn age(&self) -> (Time, TicketId) {
        (self.joined, self.ticket.id)
    }

    /// How much of that it has waited since it last began to, in which it could have given up.
    #[must_use]
    pub fn at_risk(&self, now: Time) -> i64 {
        let again = self.since.as_ref().and_then(|since| since.again);
        self.until(now).since(again.unwrap_or(self.joined))
    }

    /// When it stopped waiting, or now.
    fn until(&self, now: Time) -> Time {
        let asked = self.since.as_ref().and_then(|since| since.asked);
        asked.unwrap_or(now)
    }

    /// Until when it is kept from the policy, which made a [bad lobby](crate::Decision::BadLobby) of it.
    #[must_use]
    pub fn aside_until(&self) -> Option<Time> {
        self.since.as_ref().and_then(|since| since.aside)
    }

    /// Its players are asked from now on, or no more.
    pub(super) fn set_proposal(&mut self, proposal: Option<ProposalId>, now: Time) {
        self.proposal = proposal;
        if proposal.is_none() && self.since.is_none() {
            return;
        }
        let since = self.since.get_or_insert_default();
        since.asked = proposal.map(|_| now);
        if proposal.is_none() {
            since.again = Some(now);
        }
    }

    /// Whether it waits in a queue.
    #[must_use]
    pub fn is_in(&self, queue: &str) -> bool {
        self.queues.iter().any(|name| &**name == queue)
    }
}

/// A queue of the pool.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Queue {
    teams: Vec<usize>,
    /// The teams of smaller matches.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    smaller: Vec<Vec<usize>>,
    status: QueueStatus,
}

/// What the tickets of a number have alike.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Key {
    low_priority: bool,
    words: Vec<String>,
    /// How many tickets have it; the number of none is given to the next new key.
    tickets: usize,
}

/// What policies see of a state: the tickets, and the queues in which they wait.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pool {
    tickets: SortedMap<TicketId, Box<Waiting>>,
    /// Those that a new policy does not know yet: it takes them over in the order in which they came.
    #[cfg_attr(feature = "serde", serde(default))]
    unknown: BTreeSet<(Time, TicketId)>,
    queues: BTreeMap<Arc<str>, Queue>,
    /// The queues of tickets that name none: the only one there is.
    only: Arc<[Arc<str>]>,
    key_names: Vec<String>,
    /// By their numbers.
    keys: Vec<Key>,
    /// Low priority, words and number of each key that a ticket has.
    numbers: BTreeSet<(bool, Vec<String>, u32)>,
    /// Numbers that no ticket has.
    free: BTreeSet<u32>,
}

impl Pool {
    /// A ticket that waits or is asked.
    #[must_use]
    pub fn get(&self, ticket: TicketId) -> Option<&Waiting> {
        self.tickets.get(&ticket).map(|waiting| &**waiting)
    }

    /// All tickets that wait or are asked, by their names.
    pub fn tickets(&self) -> impl Iterator<Item = &Waiting> {
        self.tickets.iter().map(|entry| &*entry.1)
    }

    /// The tickets that the policy may match, in the order in which they came, as one that is
    /// [restored](crate::MatchPolicy) gets them.
    #[must_use]
    pub fn waiting(&self) -> Vec<TicketId> {
        let mut waiting: Vec<&Waiting> = self.tickets().filter(|one| self.is_offered(one)).collect();
        waiting.sort_unstable_by_key(|one| one.age());
        waiting.into_iter().map(|one| one.ticket.id).collect()
    }

    /// Whether the policy may match a ticket: nobody of it is asked, it is not set aside, and a new policy knows it.
    #[must_use]
    pub fn is_offered(&self, waiting: &Waiting) -> bool {
        waiting.proposal.is_none() && waiting.aside_until().is_none() && self.is_taken_over(waiting)
    }

    fn is_taken_over(&self, waiting: &Waiting) -> bool {
        self.unknown.first().is_none_or(|first| waiting.age() < *first)
    }

    /// Whether a new policy has yet to be told of tickets.
    pub(super) fn is_behind(&self) -> bool {
        !self.unknown.is_empty()
    }

    /// How many tickets a new policy gets next, at most `most`, and the one after them. O(k) for k.
    pub(super) fn next_taken_over(&self, most: u64) -> (u64, Option<(Time, TicketId)>) {
        let after = usize::try_from(most).map_or(None, |most| self.unknown.iter().nth(most));
        (most.min(self.unknown.len() as u64), after.copied())
    }

    /// The tickets that a new policy gets until this one is the first that it does not know, or until it knows all, in the
    /// order in which they came. O(k) for k.
    pub(super) fn taken_over(&self, until: Option<(Time, TicketId)>) -> Vec<TicketId> {
        let unknown = self.unknown.iter();
        let taken = unknown.take_while(|&&age| until.is_none_or(|until| age < until));
        taken.map(|age| age.1).collect()
    }

    /// How many tickets wait or are asked.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tickets.len()
    }

    /// Whether no ticket waits or is asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tickets.len() == 0
    }

    /// The sizes of a queue's teams; none for a queue that does not exist.
    #[must_use]
    pub fn teams(&self, queue: &str) -> &[usize] {
        self.queues.get(queue).map_or(&[], |queue| &queue.teams)
    }

    /// The sizes of the teams of each match that a queue may make: that of [`teams`](Self::teams), then smaller ones.
    pub fn sizes(&self, queue: &str) -> impl Iterator<Item = &[usize]> {
        let queue = self.queues.get(queue).into_iter();
        queue.flat_map(|queue| {
            std::iter::once(&queue.teams)
                .chain(&queue.smaller)
                .map(Vec::as_slice)
        })
    }

    /// What a queue does.
    #[must_use]
    pub fn status(&self, queue: &str) -> Option<QueueStatus> {
        self.queues.get(queue).map(|queue| queue.status)
    }

    /// Whether matches are made in a queue.
    #[must_use]
    pub fn is_matched(&self, queue: &str) -> bool {
        self.status(queue)
            .is_some_and(|status| status != QueueStatus::Paused)
    }

    /// The names of the queues.
    pub fn queues(&self) -> impl Iterator<Item = &Arc<str>> {
        self.queues.keys()
    }

    /// The names of the keys, and the words of two pools that differ, for explanations.
    pub fn key_differences(&self, a: u32, b: u32) -> impl Iterator<Item = &str> {
        let of = |key: u32| self.keys.get(key as usize);
        let words = |key| of(key).map_or(&[][..], |key| &key.words[..]);
        let low = of(a).map(|key| key.low_priority) != of(b).map(|key| key.low_priority);
        let names = self.key_names.iter().zip(words(a).iter().zip(words(b)));
        names
            .filter(|(_, (a, b))| a != b)
            .map(|(name, _)| name.as_str())
            .chain(low.then_some("low priority"))
    }

    /// The names of the keys.
    pub(crate) fn key_names(&self) -> &[String] {
        &self.key_names
    }

    pub(super) fn set_queues(&mut self, settings: &QueueSettings) {
        let queue = |(name, teams): (&String, &Vec<usize>)| {
            let smaller = settings.smaller.get(name).cloned().unwrap_or_default();
            let name: Arc<str> = name.as_str().into();
            let status = self.status(&name).unwrap_or_default();
            let teams = teams.clone();
            let queue = Queue {
                teams,
                smaller,
                status,
            };
            (name, queue)
        };
        self.queues = settings.queues.iter().map(queue).collect();
        let only = self.queues.keys().next().filter(|_| self.queues.len() == 1);
        self.only = only.into_iter().cloned().collect();
        self.key_names.clone_from(&settings.keys);
        self.keys.clear();
        self.numbers.clear();
        self.free.clear();
        self.unknown = self.tickets().map(Waiting::age).collect();
    }

    /// A new policy knows the tickets before this one from now on, under its keys and queues; those that it did not know, in
    /// the order in which they came.
    pub(super) fn take_over(&mut self, behind: Option<(Time, TicketId)>) -> Vec<TicketId> {
        let taken = self.taken_over(behind);
        // Also those of a forged snapshot, of tickets that there are not.
        self.unknown = behind.map_or_else(BTreeSet::new, |behind| self.unknown.split_off(&behind));
        for id in &taken {
            let Some(waiting) = self.tickets.get(id) else {
                continue;
            };
            let (ticket, low) = (Arc::clone(&waiting.ticket), waiting.low_priority);
            let key = self.key(&ticket, low);
            let queues = self.queues_of(&ticket);
            if let Some(waiting) = self.tickets.get_mut(id) {
                waiting.key = key;
                waiting.queues = queues;
            }
        }
        taken
    }

    pub(super) fn set_status(&mut self, queue: &str, status: QueueStatus) -> bool {
        let found = self.queues.get_mut(queue);
        let is_there = found.is_some();
        if let Some(queue) = found {
            queue.status = status;
        }
        is_there
    }

    /// The queues in which a ticket waits: those that it names and that there are, or the only one.
    pub(super) fn queues_of(&self, ticket: &Ticket) -> Arc<[Arc<str>]> {
        if ticket.queues.is_empty() {
            return Arc::clone(&self.only);
        }
        let mut names: Vec<Arc<str>> = Vec::with_capacity(ticket.queues.len());
        for name in &ticket.queues {
            let known = self.queues.get_key_value(name.as_str());
            if let Some((name, _)) = known.filter(|(name, _)| !names.contains(name)) {
                names.push(Arc::clone(name));
            }
        }
        names.into()
    }

    /// The number of the pool of these keys, a new one if need be, which one more ticket has.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "no more pools than tickets, of which memory holds less"
    )]
    fn key(&mut self, ticket: &Ticket, low_priority: bool) -> u32 {
        let words: Vec<String> = self.key_names.iter().map(|name| ticket.word(name)).collect();
        let first = (low_priority, words, 0);
        let known = self.numbers.range(&first..).next();
        let known = known.filter(|known| (known.0, &known.1) == (first.0, &first.1));
        let known = known.map(|known| known.2);
        // A forged snapshot may name numbers that there are not.
        let count = self.keys.len();
        let exists = |number: &u32| (*number as usize) < count;
        let number = known.filter(exists).unwrap_or_else(|| {
            let free = self.free.pop_first().filter(exists);
            let number = free.unwrap_or(count as u32);
            if free.is_none() {
                self.keys.push(Key::default());
            }
            let (low_priority, words, _) = first;
            self.numbers.insert((low_priority, words.clone(), number));
            self.keys[number as usize] = Key {
                low_priority,
                words,
                tickets: 0,
            };
            number
        });
        let key = &mut self.keys[number as usize];
        key.tickets = key.tickets.saturating_add(1);
        number
    }

    /// One ticket less has this number.
    fn free_key(&mut self, number: u32) {
        let Some(key) = self.keys.get_mut(number as usize) else {
            return;
        };
        key.tickets = key.tickets.saturating_sub(1);
        if key.tickets == 0 {
            self.numbers
                .remove(&(key.low_priority, std::mem::take(&mut key.words), number));
            self.free.insert(number);
        }
    }

    pub(super) fn insert(&mut self, ticket: Arc<Ticket>, joined: Time, low_priority: bool, now: Time) {
        let mut waiting = Waiting {
            key: 0,
            queues: Arc::default(),
            joined,
            low_priority,
            proposal: None,
            since: (joined != now).then(|| {
                let again = Some(now);
                Box::new(Since {
                    again,
                    ..Since::default()
                })
            }),
            ticket,
        };
        // One that a new policy does not know yet gets them with the others.
        if self.is_taken_over(&waiting) {
            waiting.key = self.key(&waiting.ticket, low_priority);
            waiting.queues = self.queues_of(&waiting.ticket);
        } else {
            self.unknown.insert(waiting.age());
        }
        self.tickets.insert(waiting.ticket.id, Box::new(waiting));
    }

    pub(super) fn remove(&mut self, ticket: TicketId) -> Option<Waiting> {
        let removed = self.tickets.remove(&ticket)?;
        if self.is_taken_over(&removed) {
            self.free_key(removed.key);
        } else {
            self.unknown.remove(&removed.age());
        }
        Some(*removed)
    }

    pub(super) fn set_proposal(&mut self, ticket: TicketId, proposal: Option<ProposalId>, now: Time) {
        if let Some(waiting) = self.tickets.get_mut(&ticket) {
            waiting.set_proposal(proposal, now);
        }
    }

    /// A ticket is kept from the policy until then, or no more.
    pub(super) fn set_aside(&mut self, ticket: TicketId, until: Option<Time>) {
        if let Some(waiting) = self.tickets.get_mut(&ticket)
            && waiting.aside_until() != until
        {
            waiting.since.get_or_insert_default().aside = until;
        }
    }
}
