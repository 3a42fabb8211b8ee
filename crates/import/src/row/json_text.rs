//! The text of JSON: objects in which no key comes twice and no number loses digits, and where what is wrong stands.

use std::fmt;

use memchr::memmem;
use serde_core::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::map::{Entry, Map};

use crate::cell::numbers::{ROUNDED, is_rounded};
use crate::error::Fault;
use crate::limits::check_columns;
use crate::row::lines::utf8;
use crate::text::shown;

/// The object that a line of JSON is, with the line as text.
pub(crate) fn object(line: &[u8]) -> Result<(Map<String, Value>, &str), Fault> {
    let text = utf8(line)?;
    let what = match read(text) {
        Ok(Value::Object(object)) => {
            check_columns(object.len())?;
            return Ok((object, text));
        }
        Ok(_) => (1, "it is none".to_owned()),
        Err((_, column, what)) => (column, what),
    };
    Err((
        what.0,
        format!("not the JSON object that each row must be: {}", what.1),
    ))
}

/// A JSON value none of whose objects has a key twice, and none of whose numbers loses digits.
///
/// # Errors
/// Line and column, from 1, of what is wrong with it, and what that is.
pub fn read(text: &str) -> Result<Value, (u64, u64, String)> {
    let read: Result<Unique, _> = serde_json::from_str(text);
    let Unique(value) = read.map_err(|error| json_fault(&error))?;
    match rounded(text) {
        None => Ok(value),
        Some((key, place, number)) => {
            let before = &text[..place];
            let line = before.matches('\n').count() as u64 + 1;
            let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
            let what = format!(
                "`{}` is `{}`: {ROUNDED}; a name goes in quotes",
                shown(key),
                shown(number)
            );
            Err((line, column as u64, what))
        }
    }
}

/// What a cell holds that is written as an array or an object of JSON; nothing of another text. `Err` is what is wrong
/// with it.
pub(crate) fn in_cell(text: &str) -> Option<Result<Value, String>> {
    let is_json = text.starts_with(['[', '{']) && serde_json::from_str::<IgnoredAny>(text).is_ok();
    is_json.then(|| read(text).map_err(|(.., what)| format!("`{}`: {what}", shown(text))))
}

/// Where a key stands first in a JSON text that has it, as far as it is written without escapes; `a.b` is the key `b` behind `a`.
pub(crate) fn find_key(text: &str, key: &str) -> Option<usize> {
    let find = |text: &str, key: &str| memmem::find(text.as_bytes(), format!("\"{key}\"").as_bytes());
    find(text, key).or_else(|| {
        let (outer, inner) = key.split_once('.')?;
        let from = find(text, outer)?;
        Some(from + find_key(&text[from..], inner)?)
    })
}

/// What a value is that databases write with its type: `{"$date": {"$numberLong": "1714521600000"}}`.
fn without_type(value: Value) -> Value {
    match value {
        Value::Object(mut inner) if inner.len() == 1 && inner.keys().all(|key| key.starts_with('$')) => {
            let key = inner.keys().next().cloned().unwrap_or_default();
            without_type(inner.remove(&key).unwrap_or_default())
        }
        value => value,
    }
}

/// Bytes of a name at most, since names are compared many times.
const LONGEST_NAME: usize = 1 << 10;

/// Refuses a key or a name of a column that is no name.
pub(crate) fn check_name(name: &str) -> Result<(), Fault> {
    if name.len() <= LONGEST_NAME {
        return Ok(());
    }
    Err((
        1,
        format!(
            "the name `{}` is longer than 1 KiB; no column or key is called so",
            shown(name)
        ),
    ))
}

/// Lichess has a level in place of the user, where a computer played: as its PGN has it.
fn name_computers(object: &mut Map<String, Value>) {
    let levels: Vec<(String, String)> = (object.iter())
        .filter_map(|(key, level)| Some((key.strip_suffix(".aiLevel")?, level)))
        .map(|(player, level)| (format!("{player}.user.name"), format!("lichess AI level {level}")))
        .collect();
    for (key, name) in levels {
        object.entry(key).or_insert_with(|| name.into());
    }
}

/// The object without others in it: what is in one under `a` gets the keys `a.b`.
pub(crate) fn flat(object: Map<String, Value>) -> Result<Map<String, Value>, Fault> {
    object.keys().try_for_each(|key| check_name(key))?;
    if !object.values().any(Value::is_object) {
        return Ok(object);
    }
    let mut all = Map::new();
    let mut open: Vec<(String, Map<String, Value>)> = vec![(String::new(), object)];
    while let Some((before, object)) = open.pop() {
        for (key, value) in object {
            let key = if before.is_empty() {
                key
            } else {
                format!("{before}.{key}")
            };
            check_name(&key)?;
            match without_type(value) {
                Value::Object(inner) => open.push((key, inner)),
                // Dropped: the value of a key that is written with a dot as well stays.
                value => drop(all.entry(key).or_insert(value)),
            }
            check_columns(all.len())?;
        }
    }
    name_computers(&mut all);
    Ok(all)
}

/// Line and column, from 1, of what is wrong with a JSON text, and what that is.
#[must_use]
pub fn json_fault(error: &serde_json::Error) -> (u64, u64, String) {
    let all = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = all.strip_suffix(&place).unwrap_or(&all).to_owned();
    (error.line() as u64, error.column().max(1) as u64, what)
}

/// The first number whose digits are lost, with the key before it and where it stands. Whole numbers of 64 bits are kept as they are: they may be names.
fn rounded(text: &str) -> Option<(&str, usize, &str)> {
    let bytes = text.as_bytes();
    if !has_long_number(bytes) {
        return None;
    }
    let (mut place, mut is_quoted) = (0, false);
    let (mut start, mut key) = (0, "");
    while let Some(&byte) = bytes.get(place) {
        match byte {
            b'\\' if is_quoted => place += 1,
            b'"' => {
                if is_quoted {
                    key = &text[start..place];
                }
                is_quoted = !is_quoted;
                start = place + 1;
            }
            b'-' | b'0'..=b'9' if !is_quoted => {
                let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                let length = bytes[place..].iter().take_while(|byte| is_part(byte)).count();
                let word = &text[place..place + length];
                let is_whole = word.parse::<i64>().is_ok() || word.parse::<u64>().is_ok();
                if !is_whole && word.parse().is_ok_and(|number| is_rounded(word, number)) {
                    return Some((key, place, word));
                }
                place += length - 1;
            }
            _ => {}
        }
        place += 1;
    }
    None
}

/// Whether there may be a number of so many digits, or with an exponent, that some may be lost: nearly always not.
fn has_long_number(bytes: &[u8]) -> bool {
    let mut digits = 0_u32;
    bytes.iter().any(|byte| {
        let is_exponent = matches!(byte, b'e' | b'E') && digits > 0;
        digits = match byte {
            b'0'..=b'9' => digits + 1,
            b'.' => digits,
            _ => 0,
        };
        is_exponent || digits > 15
    })
}

/// A value none of whose objects has a key twice.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Values)
    }
}

struct Values;

impl<'de> Visitor<'de> for Values {
    type Value = Unique;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Unique, E> {
        Ok(Unique(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Unique, E> {
        Ok(Unique(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Unique, A::Error> {
        let mut values = Vec::new();
        while let Some(Unique(value)) = elements.next_element()? {
            values.push(value);
        }
        Ok(Unique(values.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Unique, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            match object.entry(key) {
                Entry::Vacant(free) => _ = free.insert(entries.next_value::<Unique>()?.0),
                Entry::Occupied(known) => {
                    let key = shown(known.key());
                    let what = format_args!("the key `{key}` comes twice; remove one of them");
                    return Err(A::Error::custom(what));
                }
            }
        }
        Ok(Unique(object.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_once_at_every_depth() {
        for (text, place) in [
            (r#"{"a":1,"b":2,"a":1}"#, (1, 16)),
            ("{\"a\":[{\"b\":{},\n \"b\":2}]}", (2, 4)),
            (r#"{"a":1,"\u0061":2}"#, (1, 15)),
        ] {
            let (line, column, what) = read(text).unwrap_err();
            assert!(what.contains("comes twice"), "{what}");
            assert_eq!((line, column), place, "{text}");
        }
        let text = r#"{"a":{"b":1},"c":{"b":[true,null,-1,0.5,"b"]}}"#;
        assert_eq!(read(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn numbers_keep_their_digits_or_are_refused_where_they_stand() {
        for (text, place) in [
            ("{\"a\": 9007199254740993.0}", (1, 7)),
            ("{\"a\":\n [1, -18446744073709551616]}", (2, 6)),
            (
                "{\"a\": 1e20, \"9007199254740993.0\": 9.007199254740993E15}",
                (1, 35),
            ),
        ] {
            let (line, column, what) = read(text).unwrap_err();
            assert!(what.contains("lose digits"), "{what}");
            assert_eq!((line, column), place, "{text}");
        }
        // A name may be a number of 64 bits.
        assert!(read("{\"a\": 76561198012345678, \"b\": \"\\\"9007199254740993.0\"}").is_ok());
    }
}
