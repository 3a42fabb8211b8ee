//! [`NameIndex`]: which index each name has, without a second copy of the names.

use std::hash::{BuildHasher, RandomState};

use super::PlayerIndex;

/// Names up to so many bytes stand in the table itself.
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

/// A hash table over names that are kept elsewhere, with linear probing, at most three quarters full.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex {
    /// A power of two of them, or none.
    slots: Vec<Slot>,
    hasher: RandomState,
}

impl NameIndex {
    /// The index of `name` among `names`, which is added with the next index if it is new; `None` if no index is left.
    pub(super) fn number(&mut self, name: &str, names: &mut Vec<String>) -> Option<PlayerIndex> {
        if 4 * names.len() >= 3 * self.slots.len() {
            self.grow();
        }
        let (hash, key) = (self.hash(name), short(name));
        let is_long = key.1 == u8::MAX;
        let slot = self.find(hash, |slot| {
            slot.name == key && (!is_long || names[slot.index as usize] == name)
        });
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
            name: key,
        };
        Some(index)
    }

    /// Takes back the names from index `known` on.
    pub(super) fn forget(&mut self, known: usize, names: &mut Vec<String>) {
        // The latest first: no other name can have been put behind it.
        while names.len() > known
            && let Some(name) = names.pop()
        {
            let slot = self.find(self.hash(&name), |slot| slot.index as usize == names.len());
            self.slots[slot] = VACANT;
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "32 bits of a hash are one, too")]
    fn hash(&self, name: &str) -> u32 {
        self.hasher.hash_one(name) as u32
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

    proptest! {
        #[test]
        fn names_have_the_index_of_their_first_appearance_also_after_some_were_taken_back(
            steps in prop::collection::vec((0..40_u8, prop::option::weighted(0.1, 0..40_usize)), 0..200),
        ) {
            let (mut index, mut names) = (NameIndex::default(), Vec::new());
            let mut expected: Vec<String> = Vec::new();
            for (name, known) in steps {
                let name = name.to_string();
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
