//! [`NameIndex`]: which index each name has, without a second copy of the names.

use std::hash::{BuildHasher, RandomState};

use super::PlayerIndex;

/// A slot without a name.
const VACANT: (u32, PlayerIndex) = (0, PlayerIndex::MAX);

/// A hash table over names that are kept elsewhere, with linear probing, at most three quarters full.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex {
    /// Hash and index; a power of two of them, or none.
    slots: Vec<(u32, PlayerIndex)>,
    hasher: RandomState,
}

impl NameIndex {
    /// The index of `name` among `names`, which is added with the next index if it is new; `None` if no index is left.
    pub(super) fn number(&mut self, name: &str, names: &mut Vec<String>) -> Option<PlayerIndex> {
        if 4 * names.len() >= 3 * self.slots.len() {
            self.grow();
        }
        let hash = self.hash(name);
        let slot = self.find(hash, |index| names[index as usize] == name);
        let (_, found) = self.slots[slot];
        if found != PlayerIndex::MAX {
            return Some(found);
        }
        let index = PlayerIndex::try_from(names.len());
        let index = index.ok().filter(|&index| index != PlayerIndex::MAX)?;
        names.push(name.to_owned());
        self.slots[slot] = (hash, index);
        Some(index)
    }

    /// Takes back the names from index `known` on.
    pub(super) fn forget(&mut self, known: usize, names: &mut Vec<String>) {
        // The latest first: no other name can have been put behind it.
        while names.len() > known
            && let Some(name) = names.pop()
        {
            let slot = self.find(self.hash(&name), |index| index as usize == names.len());
            self.slots[slot] = VACANT;
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "32 bits of a hash are one, too")]
    fn hash(&self, name: &str) -> u32 {
        self.hasher.hash_one(name) as u32
    }

    /// The slot of the name with this hash that `is_it`, or the vacant one where it would go.
    fn find(&self, hash: u32, is_it: impl Fn(PlayerIndex) -> bool) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = hash as usize & last;
        loop {
            let (other, index) = self.slots[slot];
            if index == PlayerIndex::MAX || (other == hash && is_it(index)) {
                return slot;
            }
            slot = (slot + 1) & last;
        }
    }

    /// Twice as many slots.
    fn grow(&mut self) {
        let slots = (2 * self.slots.len()).max(16);
        let mut taken = std::mem::replace(&mut self.slots, vec![VACANT; slots]);
        taken.retain(|slot| *slot != VACANT);
        // In the order of indices, so that the latest name can be taken back.
        taken.sort_unstable_by_key(|&(_, index)| index);
        for (hash, index) in taken {
            let slot = self.find(hash, |_| false);
            self.slots[slot] = (hash, index);
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
