//! [`Agenda`]: what will happen, in order of time; at one moment in the order in which it was put down.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use matchwright_queue::Time;

/// The length of a span, in bits of milliseconds: four seconds.
const SPAN_BITS: u32 = 12;

/// What will happen when.
///
/// Only the present span is a heap, small enough for a processor's nearest memory; later ones are lists, which become one
/// when their time comes. O(log n) with a small n: the heap of all of a million players' would be a miss a level.
#[derive(Debug)]
pub(super) struct Agenda<T> {
    heap: BinaryHeap<Entry<T>>,
    /// By span, all after that of the heap; none is empty.
    later: BTreeMap<i64, Vec<Entry<T>>>,
    /// The span up to which things are in the heap.
    present: i64,
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
            later: BTreeMap::new(),
            present: i64::MIN,
            count: 0,
        }
    }
}

impl<T> Agenda<T> {
    pub(super) fn add(&mut self, at: Time, item: T) {
        self.count += 1;
        let entry = Entry {
            at,
            order: self.count,
            item,
        };
        let span = at.millis() >> SPAN_BITS;
        if span <= self.present {
            self.heap.push(entry);
        } else {
            self.later.entry(span).or_default().push(entry);
        }
    }

    /// When the next thing happens.
    pub(super) fn next_time(&mut self) -> Option<Time> {
        if self.heap.is_empty()
            && let Some((span, entries)) = self.later.pop_first()
        {
            (self.present, self.heap) = (span, entries.into());
        }
        self.heap.peek().map(|entry| entry.at)
    }

    /// The next thing, if it happens by `now`.
    pub(super) fn take_by(&mut self, now: Time) -> Option<T> {
        self.next_time().filter(|at| *at <= now)?;
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

    #[test]
    fn spans_far_apart_and_things_that_come_late_keep_the_order() {
        let mut agenda = Agenda::default();
        let mut state = 7_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            i64::try_from(state >> 44).unwrap()
        };
        let (mut expected, mut taken) = (std::collections::BTreeSet::new(), Vec::new());
        for order in 0..2000 {
            let now = taken.last().map_or(0, |last: &(i64, i64)| last.0);
            let at = now + random() % 50_000;
            agenda.add(Time::from_millis(at), (at, order));
            expected.insert((at, order));
            if order % 3 == 0 {
                let at = agenda.next_time().unwrap();
                taken.extend(agenda.take_by(at));
                assert_eq!(taken.last().copied(), expected.pop_first());
            }
        }
        while let Some(next) = agenda.take_by(Time::MAX) {
            assert_eq!(Some(next), expected.pop_first());
        }
        assert!(expected.is_empty());
    }
}
