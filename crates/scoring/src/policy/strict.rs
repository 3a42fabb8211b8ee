//! Deserialisation that refuses unknown keys and suggests the nearest known one (edit distance).

use std::fmt;

use serde::de::value::StringDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use strsim::osa_distance;

/// Reads a struct, and numbers beside its fields.
pub(crate) struct Strict<'a, D> {
    inner: D,
    numbers: &'a mut [(&'static str, Option<f64>)],
}

impl<'a, D> Strict<'a, D> {
    pub(crate) const fn new(inner: D, numbers: &'a mut [(&'static str, Option<f64>)]) -> Self {
        Self { inner, numbers }
    }
}

/// `Some` of what is read strictly.
pub(crate) fn some<'de, T: Deserialize<'de>, D: Deserializer<'de>>(inner: D) -> Result<Option<T>, D::Error> {
    T::deserialize(Strict::new(inner, &mut [])).map(Some)
}

/// Deserialize and Serialize of types that derive them with `remote = "Self"`, unknown keys with a suggestion.
macro_rules! strictly {
    ($($type:ty),*) => {$(
        impl<'de> serde::de::Deserialize<'de> for $type {
            fn deserialize<D: serde::de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$type>::deserialize($crate::policy::strict::Strict::new(deserializer, &mut []))
            }
        }

        impl serde::ser::Serialize for $type {
            fn serialize<S: serde::ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$type>::serialize(self, serializer)
            }
        }
    )*};
}
pub(crate) use strictly;

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<'_, D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let numbers = self.numbers;
        self.inner.deserialize_map(StructVisitor {
            visitor,
            fields,
            numbers,
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct StructVisitor<'a, V> {
    visitor: V,
    fields: &'static [&'static str],
    numbers: &'a mut [(&'static str, Option<f64>)],
}

impl<'de, V: Visitor<'de>> Visitor<'de> for StructVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a table of keys and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Entries {
            access,
            fields: self.fields,
            numbers: self.numbers,
        })
    }
}

struct Entries<'a, A> {
    access: A,
    fields: &'static [&'static str],
    numbers: &'a mut [(&'static str, Option<f64>)],
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entries<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.access.next_key::<String>()? {
            if let Some((name, number)) = self.numbers.iter_mut().find(|(name, _)| *name == key) {
                if number.replace(self.access.next_value()?).is_some() {
                    return Err(A::Error::duplicate_field(name));
                }
            } else if self.fields.contains(&key.as_str()) {
                let key: StringDeserializer<A::Error> = key.into_deserializer();
                return seed.deserialize(key).map(Some);
            } else {
                let known = self
                    .numbers
                    .iter()
                    .map(|(name, _)| *name)
                    .chain(self.fields.iter().copied());
                return Err(A::Error::custom(unknown(&key, &known.collect::<Vec<_>>())));
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.access.next_value_seed(seed)
    }
}

/// The message for a key that is none of `known`.
fn unknown(key: &str, known: &[&str]) -> String {
    let near = known.iter().min_by_key(|word| osa_distance(key, word));
    let near = near.filter(|word| osa_distance(key, word) <= 1 + key.chars().count() / 3);
    let meant = near.map_or_else(String::new, |word| format!(": did you mean `{word}`?"));
    if known.is_empty() {
        return format!("unknown key `{key}`: there are no settings here");
    }
    let list: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
    let stop = if meant.is_empty() { ";" } else { "" };
    format!("unknown key `{key}`{meant}{stop} known here: {}", list.join(", "))
}
