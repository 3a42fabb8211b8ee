//! Who wants to play next: a calendar of short pages, since almost all of what is asked lies a few pages ahead.

/// From when on somebody wants to play, Unix seconds, and who.
pub(super) type Entry = (i64, u32);

/// Most pages of a calendar.
const PAGES: i64 = 1 << 16;

/// Entries that a page has room for from the start.
const ROOM: usize = 16;

/// Entries by time. Pages are as long as the longest wait, or longer where that would make too many; the last one
/// takes all that comes later. Adding an entry is O(1), and so are the others while a page holds a few.
///
/// Brown, "Calendar queues", Communications of the ACM 31(10), 1988, DOI 10.1145/63039.63045.
pub(super) struct Ready {
    start: i64,
    page_seconds: i64,
    pages: Vec<Vec<Entry>>,
    /// The first page that may hold an entry. Its entries are sorted, the earliest last; those of later pages are
    /// not.
    current: usize,
    /// Room of pages that are past.
    spare: Vec<Vec<Entry>>,
}

impl Ready {
    /// An empty calendar from `start` to `end`, for looks `wait` seconds ahead.
    pub(super) fn new(start: i64, end: i64, wait: i64) -> Self {
        let span = end.saturating_sub(start).max(1);
        let page_seconds = wait.max(span / PAGES).max(1);
        let pages = usize::try_from(span / page_seconds).unwrap_or(0) + 1;
        Self {
            start,
            page_seconds,
            pages: vec![Vec::new(); pages],
            current: 0,
            spare: Vec::new(),
        }
    }

    /// Never ahead of the current page: what was taken from it is in the past.
    fn page_of(&self, time: i64) -> usize {
        let page = time.saturating_sub(self.start) / self.page_seconds;
        let last = self.pages.len() - 1;
        usize::try_from(page).unwrap_or(0).clamp(self.current, last)
    }

    pub(super) fn insert(&mut self, entry: Entry) {
        let page = self.page_of(entry.0);
        let entries = &mut self.pages[page];
        if entries.capacity() == 0 {
            *entries = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(ROOM));
        }
        let place = if page == self.current {
            entries.partition_point(|other| *other > entry)
        } else {
            entries.len()
        };
        entries.insert(place, entry);
    }

    /// Takes out an entry that is there.
    pub(super) fn remove(&mut self, entry: Entry) {
        let page = self.page_of(entry.0);
        let entries = &mut self.pages[page];
        let Some(place) = entries.iter().position(|other| *other == entry) else {
            return;
        };
        if page == self.current {
            entries.remove(place);
        } else {
            entries.swap_remove(place);
        }
    }

    /// Takes out the earliest entry, of several the one with the lowest number.
    pub(super) fn pop_first(&mut self) -> Option<Entry> {
        while self.pages[self.current].is_empty() {
            if self.current + 1 == self.pages.len() {
                return None;
            }
            let past = std::mem::take(&mut self.pages[self.current]);
            if past.capacity() > 0 {
                self.spare.push(past);
            }
            self.current += 1;
            self.pages[self.current].sort_unstable_by(|a, b| b.cmp(a));
        }
        self.pages[self.current].pop()
    }

    /// The earliest entry.
    pub(super) fn first(&self) -> Option<Entry> {
        let page = self.pages[self.current..].iter().find(|page| !page.is_empty())?;
        page.iter().min().copied()
    }

    /// All entries up to `until`, in no order.
    pub(super) fn up_to(&self, until: i64) -> impl Iterator<Item = &Entry> {
        let pages = &self.pages[self.current..=self.page_of(until)];
        pages.iter().flatten().filter(move |entry| entry.0 <= until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// As the generator uses it: what is taken out comes back later, soon or long after the end.
        #[test]
        fn a_calendar_answers_as_a_sorted_set_does(
            people in 1_u32..40,
            wait in 1_i64..400,
            span in 1_i64..5_000,
            steps in prop::collection::vec((1_i64..900, any::<bool>(), 0_usize..8), 1..300),
        ) {
            let start = -1_000;
            let mut calendar = Ready::new(start, start + span, wait);
            let mut set = BTreeSet::new();
            for person in 0..people {
                let entry = (start + i64::from(person) * 37 % span, person);
                calendar.insert(entry);
                set.insert(entry);
            }
            for (gap, meets, choice) in steps {
                let first = set.pop_first();
                prop_assert_eq!(calendar.pop_first(), first);
                let Some((from, person)) = first else { break };
                prop_assert_eq!(calendar.first(), set.first().copied());
                let until = from + wait;
                let mut near: Vec<Entry> = calendar.up_to(until).copied().collect();
                near.sort_unstable();
                let expected: Vec<Entry> = set.range(..=(until, u32::MAX)).copied().collect();
                prop_assert_eq!(&near, &expected);
                let mut back = vec![(from + gap, person)];
                if let (true, Some(&met)) = (meets, near.get(choice)) {
                    calendar.remove(met);
                    set.remove(&met);
                    back.push((met.0 + 3 * gap, met.1));
                }
                for entry in back {
                    calendar.insert(entry);
                    set.insert(entry);
                }
            }
        }
    }

    #[test]
    fn a_calendar_of_any_length_has_few_pages() {
        let mut calendar = Ready::new(0, i64::MAX, 1);
        assert!(calendar.pages.len() <= 1 << 17);
        for entry in [(i64::MAX, 1), (5, 2), (i64::MAX, 0), (i64::MIN, 3)] {
            calendar.insert(entry);
        }
        let order: Vec<u32> = std::iter::from_fn(|| calendar.pop_first())
            .map(|entry| entry.1)
            .collect();
        assert_eq!(order, [3, 2, 0, 1]);
        assert_eq!(calendar.first(), None);
    }
}
