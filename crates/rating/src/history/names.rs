//! [`NameIndex`]: which index each name has, without a second copy of the names.

use std::hash::{BuildHasher, RandomState};
use std::hint::black_box;

use super::PlayerIndex;

/// Names of up to this many bytes stand in the table itself.
const SHORT: usize = 23;

/// A place of the table: half a line of a cache, so that a name is found with one look at memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
struct Slot {
    hash: u32,
    /// The greatest there is: no name.
    index: PlayerIndex,
    name: Short,
}

/// A short name and its length; the beginning of a long one and [`u8::MAX`].
type Short = ([u8; SHORT], u8);

const VACANT: Slot = Slot {
    hash: 0,
    index: PlayerIndex::MAX,
    name: ([0; SHORT], 0),
};

impl Slot {
    /// Whether it is the slot of `name`, one of `names`.
    fn is_of(&self, name: &str, names: &[String]) -> bool {
        let (bytes, length) = &self.name;
        match bytes.get(..name.len()) {
            Some(bytes) => usize::from(*length) == name.len() && bytes == name.as_bytes(),
            None => *length == u8::MAX && names[self.index as usize] == name,
        }
    }
}

fn short(name: &str) -> Short {
    let mut bytes = [0; SHORT];
    let length = name.len().min(SHORT);
    bytes[..length].copy_from_slice(&name.as_bytes()[..length]);
    let is_whole = name.len() <= SHORT;
    (
        bytes,
        u8::try_from(length).ok().filter(|_| is_whole).unwrap_or(u8::MAX),
    )
}

/// A hash table over names that are kept elsewhere, with linear probing, at most seven eighths full.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex {
    /// A power of two of them, or none.
    slots: Vec<Slot>,
    keys: Keys,
}

/// Random numbers that the hash function starts from, so that names cannot be chosen to collide.
#[derive(Clone, Debug)]
struct Keys([u64; 2]);

impl Default for Keys {
    fn default() -> Self {
        Self([0, 1].map(|key: u8| RandomState::new().hash_one(key)))
    }
}

impl Keys {
    /// Both halves of the products with a key, word by word: several times as fast as the standard library's hash of a short
    /// text.
    #[allow(clippy::cast_possible_truncation, reason = "all bits of a hash are alike")]
    fn hash(&self, name: &str) -> u32 {
        let [start, factor] = self.0;
        let mixed = |hash: u64, word: u64| {
            let product = u128::from(hash ^ word) * u128::from(factor | 1);
            product as u64 ^ (product >> 64) as u64
        };
        let half = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
        // Of eight bytes or fewer; what the halves have in common does no harm, since the length is mixed in.
        let word = |bytes: &[u8]| match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => half(first) << 32 | half(last),
            _ => bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        let words = name.as_bytes().chunks(8).map(word);
        mixed(words.fold(start, mixed), name.len() as u64) as u32
    }
}

impl NameIndex {
    /// The index of `name` among `names`, which is added with the next index if it is new; `None` if no index is left.
    pub(super) fn number(&mut self, name: &str, names: &mut Vec<String>) -> Option<PlayerIndex> {
        if 8 * names.len() >= 7 * self.slots.len() {
            self.grow();
        }
        let hash = self.keys.hash(name);
        let slot = self.find(hash, |slot| slot.is_of(name, names));
        let found = self.slots[slot].index;
        if found != PlayerIndex::MAX {
            return Some(found);
        }
        let index = PlayerIndex::try_from(names.len());
        let index = index.ok().filter(|&index| index != PlayerIndex::MAX)?;
        names.push(name.to_owned());
        self.slots[slot] = Slot {
            hash,
            index,
            name: short(name),
        };
        Some(index)
    }

    /// Looks at where these names are, so that their slots are at hand afterwards: the looks wait for memory together.
    pub(super) fn touch<'n>(&self, names: impl IntoIterator<Item = &'n str>) {
        if self.slots.is_empty() {
            return;
        }
        let last = self.slots.len() - 1;
        let places: Vec<usize> = names
            .into_iter()
            .map(|name| self.keys.hash(name) as usize & last)
            .collect();
        black_box(
            places
                .iter()
                .fold(0, |seen, &place| seen ^ self.slots[place].hash),
        );
    }

    /// Takes back the names from index `known` on.
    pub(super) fn forget(&mut self, known: usize, names: &mut Vec<String>) {
        // The latest first: no other name can have been put behind it.
        while names.len() > known
            && let Some(name) = names.pop()
        {
            let slot = self.find(self.keys.hash(&name), |slot| slot.index as usize == names.len());
            self.slots[slot] = VACANT;
        }
    }

    /// The slot of the name with this hash that `is_it`, or the vacant one where it would go.
    fn find(&self, hash: u32, is_it: impl Fn(&Slot) -> bool) -> usize {
        let last = self.slots.len() - 1;
        let mut place = hash as usize & last;
        loop {
            let slot = &self.slots[place];
            if slot.index == PlayerIndex::MAX || (slot.hash == hash && is_it(slot)) {
                return place;
            }
            place = (place + 1) & last;
        }
    }

    /// Twice as many slots.
    fn grow(&mut self) {
        let slots = (2 * self.slots.len()).max(16);
        let mut taken = std::mem::replace(&mut self.slots, vec![VACANT; slots]);
        taken.retain(|slot| *slot != VACANT);
        // In the order of indices, so that the latest name can be taken back.
        taken.sort_unstable_by_key(|slot| slot.index);
        for slot in taken {
            let place = self.find(slot.hash, |_| false);
            self.slots[place] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hashes_of_like_names_are_spread() {
        let keys = Keys::default();
        let mut counts = [0; 1024];
        for number in 0..102_400 {
            counts[keys.hash(&format!("player{number}")) as usize % 1024] += 1;
        }
        // Poisson with a mean of 100: eight deviations.
        assert!(
            counts.iter().all(|count| (20..=180).contains(count)),
            "{counts:?}"
        );
    }

    proptest! {
        #[test]
        fn names_have_the_index_of_their_first_appearance_also_after_some_were_taken_back(
            steps in prop::collection::vec((0..40_u8, prop::option::weighted(0.1, 0..40_usize)), 0..200),
        ) {
            let (mut index, mut names) = (NameIndex::default(), Vec::new());
            let mut expected: Vec<String> = Vec::new();
            for (name, known) in steps {
                // Some do not fit a slot.
                let name = if name % 3 == 0 { format!("{name:0>30}") } else { name.to_string() };
                index.touch([&name[..]]);
                if !expected.contains(&name) {
                    expected.push(name.clone());
                }
                let place = expected.iter().position(|other| *other == name);
                let found = index.number(&name, &mut names);
                prop_assert_eq!(found, place.and_then(|place| PlayerIndex::try_from(place).ok()));
                if let Some(known) = known {
                    expected.truncate(known);
                    index.forget(known, &mut names);
                }
                prop_assert_eq!(&names, &expected);
            }
        }
    }
}
