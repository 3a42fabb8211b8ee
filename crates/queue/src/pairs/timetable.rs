//! When which pairs become compatible: each ticket with the best partner that was there when it was last looked at.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::index::{Index, Node};
use crate::ids::TicketId;
use crate::time::Time;

/// A pair that becomes compatible at a time, unless one of the two leaves before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) at: Time,
    /// The ticket that was looked at, and its number of entry.
    owner: (TicketId, u64),
    partner: (TicketId, u64),
}

impl Entry {
    pub(super) fn new(at: Time, owner: &Node, partner: &Node) -> Self {
        Self {
            at,
            owner: (owner.ticket, owner.entered),
            partner: (partner.ticket, partner.entered),
        }
    }

    /// The other one.
    pub(super) fn partner(&self) -> TicketId {
        self.partner.0
    }

    /// Whether both are there, and have been all the time.
    pub(super) fn holds(&self, index: &Index) -> bool {
        self.owner(index).is_some() && find(index, self.partner).is_some()
    }

    /// The ticket that was looked at, if it is still there.
    pub(super) fn owner<'i>(&self, index: &'i Index) -> Option<&'i Node> {
        find(index, self.owner)
    }
}

fn find(index: &Index, (ticket, entered): (TicketId, u64)) -> Option<&Node> {
    index.get(ticket).filter(|node| node.entered == entered)
}

/// Entries by their times.
#[derive(Debug, Clone, Default)]
pub(super) struct Timetable {
    entries: BinaryHeap<Reverse<Entry>>,
}

impl Timetable {
    pub(super) fn push(&mut self, entry: Entry) {
        self.entries.push(Reverse(entry));
    }

    /// Drops the entries of tickets that are gone once they are a third of all; each ticket has one at most. O(1) an
    /// entry, amortized.
    pub(super) fn shrink(&mut self, index: &Index) {
        if self.entries.len() > 64 + index.len() + index.len() / 2 {
            self.entries.retain(|entry| entry.0.owner(index).is_some());
        }
    }

    pub(super) fn first(&self) -> Option<Entry> {
        self.entries.peek().map(|entry| entry.0)
    }

    pub(super) fn pop(&mut self) -> Option<Entry> {
        self.entries.pop().map(|entry| entry.0)
    }
}
