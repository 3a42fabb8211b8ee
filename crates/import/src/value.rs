//! What a cell of players or tickets holds.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// A value of a player or ticket.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// A finite number.
    Number(f64),
    /// A text.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// Finite numbers by name, such as pings by region.
    Numbers(BTreeMap<String, f64>),
}

/// Values by name.
pub type Values = BTreeMap<String, Value>;

impl Value {
    /// The value that a JSON value is; none of a null, a mixed list or an object of other things than numbers.
    pub(crate) fn of_json(json: &Json) -> Option<Self> {
        let text = |json: &Json| json.as_str().map(str::to_owned);
        Some(match json {
            Json::Null => return None,
            Json::Bool(flag) => Self::Flag(*flag),
            Json::Number(number) => Self::Number(number.as_f64()?),
            Json::String(text) => Self::Text(text.clone()),
            Json::Array(all) => Self::Texts(all.iter().map(text).collect::<Option<_>>()?),
            Json::Object(all) => {
                let one = |(name, number): (&String, &Json)| Some((name.clone(), number.as_f64()?));
                Self::Numbers(all.iter().map(one).collect::<Option<_>>()?)
            }
        })
    }

    /// The text, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The texts, if it is a list.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        match self {
            Self::Texts(texts) => texts,
            _ => &[],
        }
    }

    /// The names of its numbers, if it has any.
    pub(crate) fn number_names(&self) -> impl Iterator<Item = &str> {
        let numbers = match self {
            Self::Numbers(numbers) => Some(numbers),
            _ => None,
        };
        numbers.into_iter().flat_map(BTreeMap::keys).map(String::as_str)
    }
}
