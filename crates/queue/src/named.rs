//! [`Named`]: a few values by name, in little memory.

use std::borrow::Borrow;
use std::fmt;
use std::ops::{Deref, Index};

/// The most bytes of a name that are kept in place.
const SHORT: usize = 14;

/// A name, in 16 bytes if it has at most 14 of its own; as a text.
#[derive(Clone)]
pub struct Name(Text);

#[derive(Clone)]
enum Text {
    /// The length, and that many bytes of UTF-8.
    Short(u8, [u8; SHORT]),
    /// Behind two pointers, since a text's own has 16 bytes.
    Long(Box<Box<str>>),
}

impl Name {
    /// As a text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        let mut bytes = [0; SHORT];
        match (bytes.get_mut(..name.len()), u8::try_from(name.len())) {
            (Some(start), Ok(length)) => {
                start.copy_from_slice(name.as_bytes());
                Self(Text::Short(length, bytes))
            }
            _ => Self(Text::Long(Box::new(name.into()))),
        }
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Self::from(&*name)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.to_string()
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            Text::Short(length, bytes) => {
                let bytes = bytes.get(..usize::from(*length)).unwrap_or_default();
                // They were copied from a text.
                std::str::from_utf8(bytes).unwrap_or_default()
            }
            Text::Long(name) => name,
        }
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl std::hash::Hash for Name {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

/// A few values by name, in the order of the names: a map for maps of which there are very many.
///
/// O(log n) to look up, O(n) to change. Two words and what the entries take.
///
/// ```
/// use matchwright_queue::Named;
///
/// let mut pings = Named::from([("us", 110.0), ("eu", 20.0)]);
/// pings.insert("asia", 200.0);
/// assert_eq!(pings.get("eu"), Some(&20.0));
/// assert_eq!(pings.keys().map(|name| name.to_string()).collect::<Vec<_>>(), ["asia", "eu", "us"]);
/// ```
#[derive(Clone, PartialEq)]
pub struct Named<V> {
    entries: Box<[(Name, V)]>,
}

impl<V> Named<V> {
    /// No values.
    #[must_use]
    pub fn new() -> Self {
        Self {
            entries: Box::default(),
        }
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.entries.binary_search_by(|entry| (*entry.0).cmp(name))
    }

    fn change<T>(&mut self, change: impl FnOnce(&mut Vec<(Name, V)>) -> T) -> T {
        let mut entries = std::mem::take(&mut self.entries).into_vec();
        let result = change(&mut entries);
        self.entries = entries.into_boxed_slice();
        result
    }

    /// Gives a name a value, and returns the one that it had.
    pub fn insert(&mut self, name: impl Into<Name>, value: V) -> Option<V> {
        let name = name.into();
        match self.place(&name) {
            Ok(place) => self
                .entries
                .get_mut(place)
                .map(|entry| std::mem::replace(&mut entry.1, value)),
            Err(place) => {
                self.change(|entries| {
                    entries.reserve_exact(1);
                    entries.insert(place, (name, value));
                });
                None
            }
        }
    }

    /// Takes a value out.
    pub fn remove(&mut self, name: &str) -> Option<V> {
        // Dropped: where it would be.
        let place = self.place(name).ok()?;
        Some(self.change(|entries| entries.remove(place)).1)
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&V> {
        // Dropped: where it would be.
        self.place(name).ok().map(|place| &self.entries[place].1)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        // Dropped: where it would be.
        let place = self.place(name).ok()?;
        Some(&mut self.entries[place].1)
    }

    /// Whether there is a value of that name.
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All, in the order of their names.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Name, &V)> + DoubleEndedIterator + Clone {
        self.entries.iter().map(|entry| (&entry.0, &entry.1))
    }

    /// Their names.
    #[must_use]
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Name> + DoubleEndedIterator + Clone {
        self.iter().map(|entry| entry.0)
    }

    /// The values.
    #[must_use]
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + DoubleEndedIterator + Clone {
        self.iter().map(|entry| entry.1)
    }

    /// Those for which it is true are kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&Name, &mut V) -> bool) {
        self.change(|entries| entries.retain_mut(|entry| keep(&entry.0, &mut entry.1)));
    }
}

impl<V> Default for Named<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: fmt::Debug> fmt::Debug for Named<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<V> Index<&str> for Named<V> {
    type Output = V;

    /// # Panics
    /// If there is none of that name.
    #[expect(clippy::expect_used, reason = "as of every index")]
    fn index(&self, name: &str) -> &V {
        self.get(name).expect("there is a value of that name")
    }
}

impl<N: Into<Name>, V> Extend<(N, V)> for Named<V> {
    /// The last of a name counts.
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, more: I) {
        for (name, value) in more {
            self.insert(name, value);
        }
    }
}

impl<N: Into<Name>, V> FromIterator<(N, V)> for Named<V> {
    /// The last of a name counts.
    fn from_iter<I: IntoIterator<Item = (N, V)>>(entries: I) -> Self {
        let mut entries: Vec<(Name, V)> = entries
            .into_iter()
            .map(|(name, value)| (name.into(), value))
            .collect();
        entries.reverse();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries.dedup_by(|later, first| later.0 == first.0);
        Self {
            entries: entries.into_boxed_slice(),
        }
    }
}

impl<N: Into<Name>, V, const COUNT: usize> From<[(N, V); COUNT]> for Named<V> {
    fn from(entries: [(N, V); COUNT]) -> Self {
        entries.into_iter().collect()
    }
}

impl<V> IntoIterator for Named<V> {
    type Item = (Name, V);
    type IntoIter = std::vec::IntoIter<(Name, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_vec().into_iter()
    }
}

impl<'a, V> IntoIterator for &'a Named<V> {
    type Item = (&'a Name, &'a V);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, (Name, V)>, fn(&'a (Name, V)) -> (&'a Name, &'a V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter().map(|entry| (&entry.0, &entry.1))
    }
}

#[cfg(feature = "serde")]
mod data {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{MapAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Name, Named};

    impl Serialize for Name {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self)
        }
    }

    impl<'de> Deserialize<'de> for Name {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Words;

            impl Visitor<'_> for Words {
                type Value = Name;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a name")
                }

                fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                    Ok(name.into())
                }
            }
            deserializer.deserialize_str(Words)
        }
    }

    impl<V: Serialize> Serialize for Named<V> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self)
        }
    }

    impl<'de, V: Deserialize<'de>> Deserialize<'de> for Named<V> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Entries<V>(PhantomData<V>);

            impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
                type Value = Named<V>;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("values by name")
                }

                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named<V>, A::Error> {
                    // No more than a forged length may ask for.
                    let mut entries: Vec<(Name, V)> =
                        Vec::with_capacity(map.size_hint().unwrap_or(0).min(16));
                    while let Some(entry) = map.next_entry()? {
                        entries.push(entry);
                    }
                    Ok(entries.into_iter().collect())
                }
            }
            deserializer.deserialize_map(Entries(PhantomData))
        }
    }
}
