//! Two compact tables: a column that is empty while all values are the default, and ranges that are implicit while all
//! have the same length.

use std::ops::Range;

/// A value for each item of a list. Memory ends with the last value that differs from the default.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Column<T> {
    default: T,
    values: Vec<T>,
}

impl<T: Copy + PartialEq> Column<T> {
    pub(super) const fn new(default: T) -> Self {
        Self {
            default,
            values: Vec::new(),
        }
    }

    /// Sets the value of item `index`, which comes after all that were set before.
    pub(super) fn set_next(&mut self, index: usize, value: T) {
        if value != self.default {
            self.values.resize(index, self.default);
            self.values.push(value);
        }
    }

    pub(super) fn get(&self, index: usize) -> T {
        self.values.get(index).copied().unwrap_or(self.default)
    }

    pub(super) fn is_default(&self) -> bool {
        self.values.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
    }

    /// Keeps the first items alone.
    pub(super) fn truncate(&mut self, items: usize) {
        self.values.truncate(items);
        while self.values.last() == Some(&self.default) {
            self.values.pop();
        }
    }

    pub(super) fn shrink(&mut self) {
        self.values.shrink_to_fit();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>()
    }
}

/// Consecutive ranges 0..a, a..b, b..c and so on. They take memory only once one is not `LENGTH` long.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ranges<const LENGTH: u32> {
    count: u32,
    ends: Vec<u32>,
}

impl<const LENGTH: u32> Ranges<LENGTH> {
    /// Adds the next range of this length. All lengths together must fit a `u32`.
    pub(super) fn push(&mut self, length: u32) {
        if !self.is_regular() || length != LENGTH {
            if self.is_regular() {
                self.ends.extend((1..=self.count).map(|k| k * LENGTH));
            }
            let start = self.ends.last().copied().unwrap_or(0);
            self.ends.push(start + length);
        }
        self.count += 1;
    }

    /// Whether all ranges are `LENGTH` long.
    pub(super) fn is_regular(&self) -> bool {
        self.ends.is_empty()
    }

    pub(super) fn get(&self, index: usize) -> Range<usize> {
        if self.is_regular() {
            let start = index * LENGTH as usize;
            return start..start + LENGTH as usize;
        }
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        start as usize..self.ends[index] as usize
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.ends.clear();
    }

    /// Keeps the first `ranges` alone, of those that there are; returns where they end.
    pub(super) fn truncate(&mut self, ranges: u32) -> usize {
        self.ends.truncate(ranges as usize);
        self.count = self.count.min(ranges);
        if self.ends.iter().zip(1..).all(|(&end, k)| end == k * LENGTH) {
            self.ends.clear();
        }
        self.count
            .checked_sub(1)
            .map_or(0, |last| self.get(last as usize).end)
    }

    pub(super) fn shrink(&mut self) {
        self.ends.shrink_to_fit();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.ends.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_give_back_what_was_set(values in prop::collection::vec(0..3_u8, 0..30)) {
            let mut column = Column::new(1);
            for (index, &value) in values.iter().enumerate() {
                column.set_next(index, value);
            }
            let back: Vec<u8> = (0..values.len()).map(|index| column.get(index)).collect();
            prop_assert_eq!(column.is_default(), values.iter().all(|&value| value == 1));
            prop_assert_eq!(back, values);
        }

        #[test]
        fn ranges_give_back_what_was_pushed(lengths in prop::collection::vec(1..4_u32, 0..30)) {
            let mut ranges = Ranges::<2>::default();
            for &length in &lengths {
                ranges.push(length);
            }
            prop_assert_eq!(ranges.is_regular(), lengths.iter().all(|&length| length == 2));
            let mut end = 0;
            for (index, length) in lengths.into_iter().enumerate() {
                let start = end;
                end += length as usize;
                prop_assert_eq!(ranges.get(index), start..end);
            }
        }
    }
}
