//! [`Agenda`]: what will happen, in order of time; at one moment in the order in which it was put down.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use matchwright_queue::Time;

/// What will happen when.
#[derive(Debug)]
pub(super) struct Agenda<T> {
    heap: BinaryHeap<Entry<T>>,
    count: u64,
}

#[derive(Debug)]
struct Entry<T> {
    at: Time,
    order: u64,
    item: T,
}

impl<T> Default for Agenda<T> {
    fn default() -> Self {
        Self {
            heap: BinaryHeap::new(),
            count: 0,
        }
    }
}

impl<T> Agenda<T> {
    pub(super) fn add(&mut self, at: Time, item: T) {
        self.count += 1;
        self.heap.push(Entry {
            at,
            order: self.count,
            item,
        });
    }

    /// When the next thing happens.
    pub(super) fn next_time(&self) -> Option<Time> {
        self.heap.peek().map(|entry| entry.at)
    }

    /// The next thing, if it happens by `now`.
    pub(super) fn take_by(&mut self, now: Time) -> Option<T> {
        self.heap.peek().filter(|entry| entry.at <= now)?;
        self.heap.pop().map(|entry| entry.item)
    }
}

impl<T> Entry<T> {
    /// A heap gives out the greatest: the earliest is.
    fn key(&self) -> (std::cmp::Reverse<Time>, std::cmp::Reverse<u64>) {
        (std::cmp::Reverse(self.at), std::cmp::Reverse(self.order))
    }
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_come_in_order_of_time_and_at_one_moment_as_they_were_put_down() {
        let mut agenda = Agenda::default();
        for (at, item) in [(5, 'a'), (3, 'b'), (5, 'c'), (3, 'd'), (9, 'e')] {
            agenda.add(Time::from_millis(at), item);
        }
        assert_eq!(agenda.next_time(), Some(Time::from_millis(3)));
        let taken: String = std::iter::from_fn(|| agenda.take_by(Time::from_millis(5))).collect();
        assert_eq!(taken, "bdac");
    }
}
