//! What is remembered for a stated time.

use std::collections::VecDeque;
use std::hash::Hash;

use crate::hash::NumberMap;
use crate::time::Time;

/// Entries that are forgotten for each that comes, so that no step has a pile to forget.
const FORGOTTEN: usize = 2;

/// Values by number, with the time at which each came. What is too old counts as forgotten at once; its memory is freed as
/// others come, two for each, in the order in which they came. O(1) an entry.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        from = "Vec<(Time, K, Option<V>)>",
        bound(deserialize = "K: Copy + Eq + Hash + serde::Deserialize<'de>, V: serde::Deserialize<'de>")
    )
)]
pub(crate) struct Remembered<K, V> {
    order: VecDeque<(Time, K)>,
    known: NumberMap<K, (Time, V)>,
}

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        Self {
            order: VecDeque::new(),
            known: NumberMap::default(),
        }
    }
}

impl<K: Eq + Hash, V: PartialEq> PartialEq for Remembered<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.known == other.known
    }
}

impl<K: Copy + Eq + Hash, V> From<Vec<(Time, K, Option<V>)>> for Remembered<K, V> {
    fn from(entries: Vec<(Time, K, Option<V>)>) -> Self {
        let mut remembered = Self::default();
        let known = entries.iter().filter(|entry| entry.2.is_some()).count();
        remembered.known.reserve(known);
        remembered.order.reserve_exact(entries.len());
        for (at, key, value) in entries {
            remembered.order.push_back((at, key));
            if let Some(value) = value {
                remembered.known.insert(key, (at, value));
            }
        }
        remembered
    }
}

/// With the places of those that are forgotten, so that the others are freed in the same steps.
#[cfg(feature = "serde")]
impl<K: Copy + Eq + Hash + serde::Serialize, V: serde::Serialize> serde::Serialize for Remembered<K, V> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.order.iter().map(|&(at, key)| {
            let known = self.known.get(&key).filter(|known| known.0 == at);
            (at, key, known.map(|known| &known.1))
        }))
    }
}

impl<K: Copy + Eq + Hash, V> Remembered<K, V> {
    /// What came at `since` or later under this number.
    pub(super) fn get(&self, key: K, since: Time) -> Option<&V> {
        let known = self.known.get(&key).filter(|known| known.0 >= since);
        known.map(|known| &known.1)
    }

    /// Remembers a value from now on in place of any other of that number, and frees some that came before `since`.
    pub(super) fn insert(&mut self, key: K, value: V, now: Time, since: Time) {
        let before = self.known.insert(key, (now, value));
        if before.is_none_or(|before| before.0 != now) {
            self.order.push_back((now, key));
        }
        for _ in 0..FORGOTTEN {
            let Some(&(at, key)) = self.order.front().filter(|first| first.0 < since) else {
                break;
            };
            self.order.pop_front();
            if self.known.get(&key).is_some_and(|known| known.0 == at) {
                self.known.remove(&key);
            }
        }
    }

    /// Forgets a number.
    pub(super) fn remove(&mut self, key: K) -> Option<V> {
        self.known.remove(&key).map(|known| known.1)
    }

    /// All that came at `since` or later, in the order in which they came.
    pub(super) fn since(&self, since: Time) -> impl Iterator<Item = (K, &V)> {
        let recent = self.order.iter().skip_while(move |entry| entry.0 < since);
        recent.filter_map(|&(at, key)| {
            let known = self.known.get(&key).filter(|known| known.0 == at)?;
            Some((key, &known.1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_old_is_forgotten_at_once_and_freed_two_at_a_time() {
        let at = Time::from_millis;
        let mut remembered = Remembered::default();
        for number in 0..10_u64 {
            remembered.insert(number, number, at(0), at(-100));
        }
        remembered.insert(3, 33, at(5), at(-95));
        assert_eq!(remembered.get(3, at(1)), Some(&33));
        assert_eq!(remembered.get(4, at(1)), None);
        assert_eq!(remembered.get(4, at(0)), Some(&4));
        assert_eq!(remembered.remove(4), Some(4));
        let recent: Vec<u64> = remembered.since(at(0)).map(|entry| entry.0).collect();
        assert_eq!(recent, [0, 1, 2, 5, 6, 7, 8, 9, 3]);
        remembered.insert(11, 11, at(200), at(100));
        assert_eq!(remembered.known.len(), 8);
        for number in 12..20 {
            remembered.insert(number, number, at(200), at(100));
        }
        assert_eq!(remembered.known.len(), 9);
    }
}
