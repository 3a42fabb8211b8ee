//! When which pairs become compatible: each ticket with the best partner that was there when it was last looked at.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::node::{Entry, Node, Standing};
use crate::ids::TicketId;
use crate::sorted::SortedSet;
use crate::time::Time;

/// Tickets that have an entry: those to come by their times, and those whose time was found to have come by their places, so that a
/// part of them is one of neighbours.
#[derive(Debug, Clone, Default)]
pub(super) struct Timetable {
    order: SortedSet<(Time, TicketId)>,
    due: BTreeSet<Standing>,
}

impl Timetable {
    /// The entry of a ticket from now on, due or to come.
    pub(super) fn set(&mut self, node: &mut Node, entry: Entry, is_due: bool) {
        if node.next.at < Time::MAX && self.order.remove(&(node.next.at, node.ticket)).is_none() {
            self.due.remove(&node.standing());
        }
        node.next = entry;
        if entry.at == Time::MAX {
            return;
        }
        if is_due {
            self.due.insert(node.standing());
        } else {
            self.order.insert((entry.at, node.ticket), ());
        }
    }

    /// Those to come, the first of them first.
    pub(super) fn to_come(&self) -> impl Iterator<Item = (Time, TicketId)> + '_ {
        self.order.iter().map(|entry| entry.0)
    }

    /// The next of those whose time has come, in the order of their places.
    pub(super) fn next_due(&self, after: Option<Standing>) -> Option<Standing> {
        let after = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.due.range((after, Bound::Unbounded)).next().copied()
    }

    #[cfg(feature = "journal")]
    pub(super) fn is_due(&self, node: &Node) -> bool {
        self.due.contains(&node.standing())
    }
}
