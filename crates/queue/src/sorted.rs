//! [`SortedMap`]: an ordered map in little more memory than its entries.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The most entries of a block.
const MOST: usize = 64;

/// A block gets room for this many more at once.
const ROOM: usize = 8;

/// An ordered map of small entries: blocks of at most 64 in the order of their keys, with room for few more than they have.
/// A B-tree whose keys come in order has room for nearly twice as many as it has.
///
/// O(log n) comparisons a change, and moves of up to 64 entries, with n of them; each 32nd also moves n/32 pointers.
pub(crate) struct SortedMap<K, V> {
    blocks: Vec<Block<K, V>>,
    len: usize,
    /// The block of the last search: the next is often for a neighbour. No result depends on it.
    recent: AtomicUsize,
}

/// One or more entries.
#[derive(Debug, Clone)]
struct Block<K, V> {
    /// The key of the last entry, here so that a search for the block stays in one piece of memory.
    last: K,
    entries: Vec<(K, V)>,
}

/// The same without values.
pub(crate) type SortedSet<K> = SortedMap<K, ()>;

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            len: 0,
            recent: AtomicUsize::new(0),
        }
    }
}

impl<K: Clone, V: Clone> Clone for SortedMap<K, V> {
    fn clone(&self) -> Self {
        Self {
            blocks: self.blocks.clone(),
            len: self.len,
            recent: AtomicUsize::new(0),
        }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.iter().map(|entry| (&entry.0, &entry.1)))
            .finish()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K, V> SortedMap<K, V> {
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn first(&self) -> Option<&K> {
        Some(&self.blocks.first()?.entries.first()?.0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.blocks.iter().flat_map(|block| &block.entries)
    }
}

impl<K: Ord + Copy, V> SortedMap<K, V> {
    /// The block and the place in it of the least key that is not less, and whether it is the same; of none, after the
    /// last block.
    fn place(&self, key: &K) -> (usize, usize, bool) {
        let block = self.block(key);
        let found = self.blocks.get(block);
        match found.map(|block| block.entries.binary_search_by(|entry| entry.0.cmp(key))) {
            Some(Ok(at)) => (block, at, true),
            Some(Err(at)) => (block, at, false),
            None => (block, 0, false),
        }
    }

    /// The first block that does not end before a key.
    fn block(&self, key: &K) -> usize {
        let is_before = |block: usize| self.blocks.get(block).is_some_and(|block| block.last < *key);
        let recent = self.recent.load(Ordering::Relaxed);
        if recent <= self.blocks.len() && !is_before(recent) && (recent == 0 || is_before(recent - 1)) {
            return recent;
        }
        let block = self.blocks.partition_point(|block| block.last < *key);
        self.recent.store(block, Ordering::Relaxed);
        block
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        let (block, at, is_there) = self.place(key);
        is_there.then(|| &self.blocks[block].entries[at].1)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let (block, at, is_there) = self.place(key);
        is_there.then(|| &mut self.blocks[block].entries[at].1)
    }

    /// The keys before this one, downwards, and those from it on, upwards.
    pub(crate) fn around(&self, key: &K) -> (impl Iterator<Item = &K>, impl Iterator<Item = &K>) {
        let (block, at, _) = self.place(key);
        let (lower, upper) = self.blocks.split_at(block);
        let (last, first) = upper
            .first()
            .map_or((&[][..], &[][..]), |block| block.entries.split_at(at));
        let lower = lower.iter().rev().flat_map(|block| block.entries.iter().rev());
        let upper = upper.iter().skip(1).flat_map(|block| &block.entries);
        let (before, from) = (last.iter().rev().chain(lower), first.iter().chain(upper));
        (before.map(|entry| &entry.0), from.map(|entry| &entry.0))
    }

    /// Gives a key a value, and returns the one that it had.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let (mut block, mut at, is_there) = self.place(&key);
        if is_there {
            return Some(std::mem::replace(&mut self.blocks[block].entries[at].1, value));
        }
        // After all others it goes to the end of the last block: those that come in order leave full ones.
        if block == self.blocks.len() {
            if let Some(last) = self.blocks.last_mut().filter(|last| last.entries.len() < MOST) {
                (block, at) = (block - 1, last.entries.len());
                last.last = key;
            } else {
                self.blocks.push(Block {
                    last: key,
                    entries: Vec::new(),
                });
            }
        }
        if self.blocks[block].entries.len() == MOST {
            let upper = self.split(block);
            self.blocks.insert(block + 1, upper);
            if at >= MOST / 2 {
                (block, at) = (block + 1, at - MOST / 2);
            }
        }
        let entries = &mut self.blocks[block].entries;
        if entries.len() == entries.capacity() {
            entries.reserve_exact(ROOM);
        }
        entries.insert(at, (key, value));
        self.len += 1;
        None
    }

    /// Leaves the lower half in a full block, and returns the upper one.
    fn split(&mut self, block: usize) -> Block<K, V> {
        let block = &mut self.blocks[block];
        let upper = Block {
            last: block.last,
            entries: block.entries.split_off(MOST / 2),
        };
        block.entries.shrink_to_fit();
        block.last = block.entries[MOST / 2 - 1].0;
        upper
    }

    /// Takes a key out, and returns its value.
    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let (block, at, is_there) = self.place(key);
        if !is_there {
            return None;
        }
        let Block { last, entries } = &mut self.blocks[block];
        let (_, value) = entries.remove(at);
        self.len -= 1;
        let left = entries.len();
        if entries.capacity() >= left + 2 * ROOM {
            entries.shrink_to(left + ROOM);
        }
        if let Some(entry) = entries.last() {
            *last = entry.0;
        }
        if left == 0 {
            self.blocks.remove(block);
        } else if left <= MOST / 4 && !self.join(block) && block > 0 {
            self.join(block - 1);
        }
        Some(value)
    }

    /// Makes one block of two that follow one another, unless it would be more than half full.
    fn join(&mut self, block: usize) -> bool {
        let len = |block: usize| self.blocks.get(block).map_or(MOST, |block| block.entries.len());
        if len(block) + len(block + 1) > MOST / 2 {
            return false;
        }
        let mut second = self.blocks.remove(block + 1);
        let first = &mut self.blocks[block];
        first.entries.reserve_exact(second.entries.len());
        first.entries.append(&mut second.entries);
        first.last = second.last;
        true
    }
}

impl<K: Ord + Copy, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        map.extend(entries);
        map
    }
}

/// O(1) for each key that comes in order.
impl<K: Ord + Copy, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            match self.blocks.last_mut() {
                Some(block) if block.last >= key => _ = self.insert(key, value),
                Some(block) if block.entries.len() < MOST => {
                    block.last = key;
                    block.entries.push((key, value));
                    self.len += 1;
                }
                _ => {
                    let mut entries = Vec::with_capacity(MOST);
                    entries.push((key, value));
                    self.blocks.push(Block { last: key, entries });
                    self.len += 1;
                }
            }
        }
    }
}

/// As an ordered map of the standard library.
#[cfg(feature = "serde")]
mod data {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{MapAccess, Visitor};
    use serde::ser::SerializeMap;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::SortedMap;

    impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut entries = serializer.serialize_map(Some(self.len()))?;
            for (key, value) in self.iter() {
                entries.serialize_entry(key, value)?;
            }
            entries.end()
        }
    }

    impl<'de, K: Deserialize<'de> + Ord + Copy, V: Deserialize<'de>> Deserialize<'de> for SortedMap<K, V> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Entries<K, V>(PhantomData<(K, V)>);

            impl<'de, K, V> Visitor<'de> for Entries<K, V>
            where
                K: Deserialize<'de> + Ord + Copy,
                V: Deserialize<'de>,
            {
                type Value = SortedMap<K, V>;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("an ordered map")
                }

                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SortedMap<K, V>, A::Error> {
                    let mut entries = SortedMap::default();
                    while let Some(entry) = map.next_entry()? {
                        entries.extend([entry]);
                    }
                    Ok(entries)
                }
            }
            deserializer.deserialize_map(Entries(PhantomData))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn check(sorted: &SortedMap<u64, u64>, known: &BTreeMap<u64, u64>, at: u64) {
        assert!(sorted.iter().map(|(key, value)| (key, value)).eq(known));
        assert_eq!(sorted.len(), known.len());
        assert_eq!(sorted.first(), known.keys().next());
        assert_eq!(sorted.get(&at), known.get(&at));
        let (before, from) = sorted.around(&at);
        assert!(from.eq(known.range(at..).map(|entry| entry.0)));
        assert!(before.eq(known.range(..at).rev().map(|entry| entry.0)));
        assert!(sorted.blocks.iter().all(|block| block.entries.len() <= MOST
            && block.entries.last().map(|last| last.0) == Some(block.last)));
    }

    #[test]
    fn any_changes_leave_what_an_ordered_map_has() {
        let (mut sorted, mut known) = (SortedMap::default(), BTreeMap::new());
        let mut seed = 1_u64;
        for round in 0..20_000_u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = (seed >> 33) % 1000;
            // It grows, and then becomes empty.
            if (seed >> 20) % 100 < if round < 10_000 { 60 } else { 20 } {
                assert_eq!(sorted.insert(key, round), known.insert(key, round));
            } else {
                assert_eq!(sorted.remove(&key), known.remove(&key));
            }
            if round % 97 == 0 {
                check(&sorted, &known, key);
            }
        }
        for key in 0..1000 {
            assert_eq!(sorted.remove(&key), known.remove(&key));
        }
        check(&sorted, &known, 5);
        assert!(sorted.blocks.is_empty());
    }

    #[test]
    fn entries_that_come_mostly_in_order_are_all_there() {
        let keys = (0..500).chain(200..700).chain([3, 999]);
        let sorted: SortedMap<u64, u64> = keys.clone().zip(0..).collect();
        let known: BTreeMap<u64, u64> = keys.zip(0..).collect();
        check(&sorted, &known, 300);
    }

    #[test]
    fn few_more_than_there_are_have_room_in_any_order() {
        let room = |sorted: &SortedSet<u64>| {
            sorted
                .blocks
                .iter()
                .map(|block| block.entries.capacity())
                .sum::<usize>()
        };
        let scattered = |key: u64| key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let orders: [fn(u64) -> u64; 3] = [|key| key, |key| 9999 - key, scattered];
        for order in orders {
            let mut sorted: SortedSet<u64> = (0..10_000).map(|key| (order(key), ())).collect();
            assert!(room(&sorted) <= 11_500, "{}", room(&sorted));
            for key in (0..10_000).filter(|key| key % 10 > 0) {
                sorted.remove(&order(key));
            }
            let (room, blocks) = (room(&sorted), sorted.blocks.len());
            assert!(room <= 1800 && blocks <= 70, "{room} in {blocks}");
        }
    }
}
