//! The numbers of events that were seen, for a stated time.

use std::collections::VecDeque;

use crate::hash::NumberSet;
use crate::ids::EventId;
use crate::time::Time;

/// Events by their numbers, forgotten in the order in which they came. 40 bytes an event.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "VecDeque<(Time, EventId)>", into = "VecDeque<(Time, EventId)>")
)]
pub(super) struct Seen {
    order: VecDeque<(Time, EventId)>,
    known: NumberSet<EventId>,
}

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl From<VecDeque<(Time, EventId)>> for Seen {
    fn from(order: VecDeque<(Time, EventId)>) -> Self {
        let known = order.iter().map(|entry| entry.1).collect();
        Self { order, known }
    }
}

impl From<Seen> for VecDeque<(Time, EventId)> {
    fn from(seen: Seen) -> Self {
        seen.order
    }
}

impl Seen {
    /// Whether an event is remembered.
    pub(super) fn contains(&self, event: EventId) -> bool {
        self.known.contains(&event)
    }

    /// Remembers an event; whether it is new.
    pub(super) fn insert(&mut self, event: EventId, now: Time) -> bool {
        let is_new = self.known.insert(event);
        if is_new {
            self.order.push_back((now, event));
        }
        is_new
    }

    /// Forgets what came before `since`.
    pub(super) fn forget_before(&mut self, since: Time) {
        while let Some(&(at, event)) = self.order.front() {
            if at >= since {
                break;
            }
            self.known.remove(&event);
            self.order.pop_front();
        }
    }
}
