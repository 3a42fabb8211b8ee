//! What the cells of players say, by what their columns hold.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::columns::{Kind, kind, lists_names};
use super::{Value, add_ping};
use crate::cell::cell_list::Lists;
use crate::cell::decimals::{Decimals, PLAIN};
use crate::cell::names::Names;
use crate::cell::nobody::is_nobody;
use crate::cell::numbers::{ROUNDED, finite, rounded_number};
use crate::row::Row;
use crate::row::json_text::in_cell;
use crate::text::shown;

/// What all cells of a column of CSV say together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Whole {
    pub(crate) lists: Lists,
    /// Whether it has both `T` and `F`, which are true and false then.
    pub(crate) has_t_and_f: bool,
    /// What commas in its numbers are.
    pub(crate) decimals: Decimals,
}

impl Whole {
    /// Of each column, by its meaning.
    pub(super) fn of(rows: &[Row], names: &Names) -> BTreeMap<String, Self> {
        let cells = || rows.iter().filter(|row| row.is_csv).flat_map(|row| &row.cells);
        let ids = cells().filter(|cell| &*cell.meaning == "id");
        let ids = ids.filter_map(|cell| cell.value.as_str());
        let of_names = if names.as_written {
            Lists::as_written(ids)
        } else {
            Lists::of_names(ids)
        };
        let mut all: BTreeMap<String, ([bool; 2], Self)> = BTreeMap::new();
        for cell in cells() {
            if !all.contains_key(&*cell.meaning) {
                let lists = if lists_names(&cell.meaning) {
                    of_names.clone()
                } else {
                    Lists::default()
                };
                let whole = Self {
                    lists,
                    ..Self::default()
                };
                all.insert(cell.meaning.to_string(), ([false; 2], whole));
            }
            if let Some((letters, whole)) = all.get_mut(&*cell.meaning)
                && kind(&cell.meaning) == Some(Kind::Truth)
            {
                let text = cell.value.as_str().unwrap_or_default();
                letters[0] |= text.eq_ignore_ascii_case("t");
                letters[1] |= text.eq_ignore_ascii_case("f");
                whole.has_t_and_f = *letters == [true, true];
            }
            if let Some((_, whole)) = all.get_mut(&*cell.meaning)
                && kind(&cell.meaning).is_some_and(Kind::is_number)
            {
                whole.decimals.add(cell.value.as_str().unwrap_or_default());
            }
        }
        all.into_iter()
            .map(|(meaning, (_, whole))| (meaning, whole))
            .collect()
    }
}

/// The value of a cell of CSV; `Err` shows it and says what it should be.
pub(crate) fn value(kind: Kind, text: &str, column: &Whole, line: u64) -> Result<Value, String> {
    let refuse = |what: &str| format!("`{}`; {what}", shown(text));
    Ok(match kind {
        Kind::Text => Value::Text(text.to_owned()),
        Kind::Number | Kind::Churn | Kind::RegionPing => {
            let plain = column.decimals.plain(text.into());
            let plain = plain.map_err(|what| refuse(&format!("{what} {PLAIN}")))?;
            Value::Number(finite(&plain).map_err(refuse)?)
        }
        Kind::Count => {
            let count = text.parse::<u64>();
            let count = count.map_err(|_| refuse("a whole number of games is needed"))?;
            Value::Number(finite(&count.to_string()).map_err(refuse)?)
        }
        Kind::Truth => {
            let truth = truth(text, column.has_t_and_f);
            Value::Flag(truth.ok_or_else(|| refuse("true or false is needed"))?)
        }
        Kind::List => {
            let mut items = column.lists.split(text, line)?;
            items.retain(|item| !is_nobody(item));
            Value::Texts(items)
        }
        Kind::Pings => {
            if let Some(Json::Object(pings)) = in_cell(text).transpose()? {
                let pings = Json::Object(pings);
                if let Some(number) = rounded_number(&pings, &[]) {
                    return Err(format!("`{number}`; {ROUNDED}"));
                }
                let pings = Value::of_json(&pings);
                return pings.ok_or_else(|| refuse(PINGS));
            }
            let mut pings = BTreeMap::new();
            for entry in column.lists.split(text, line)? {
                let (to, ping) = entry
                    .rsplit_once('=')
                    .filter(|(to, _)| !to.contains('='))
                    .and_then(|(to, ping)| Some((to, finite(ping.trim()).ok()?)))
                    .ok_or_else(|| refuse(PINGS))?;
                add_ping(&mut pings, to.trim(), ping)?;
            }
            Value::Numbers(pings)
        }
    })
}

const PINGS: &str = "ids with milliseconds are needed, such as ann=30;bob=45";

/// The value of a key of JSON, which has its type; `Err` is what is wrong with it, to be told behind its name.
pub(crate) fn value_of_json(kind: Kind, json: &Json, line: u64) -> Result<Value, String> {
    if let (Kind::List, Some(told)) = (kind, json.as_str()) {
        let items = Lists::default().split(told, line);
        let items = items.map_or_else(|_| json.to_string(), |items| Json::from(items).to_string());
        return Err(format!(" is a text; write a list: {items}"));
    }
    if let Some(number) = rounded_number(json, &[]) {
        return Err(format!(": `{number}`; {ROUNDED}"));
    }
    let (wanted, is_fit): (&str, fn(&Value) -> bool) = match kind {
        Kind::Text => ("a text is needed, in quotes", |value| {
            matches!(value, Value::Text(_))
        }),
        Kind::Number | Kind::RegionPing => ("a number is needed", |value| matches!(value, Value::Number(_))),
        Kind::Count => ("a whole number of games is needed", |value| {
            value
                .number()
                .is_some_and(|number| number >= 0.0 && number.fract() == 0.0)
        }),
        Kind::Truth => ("true or false is needed", |value| matches!(value, Value::Flag(_))),
        Kind::List => ("a list of texts is needed, such as [\"ann\", \"bob\"]", |value| {
            matches!(value, Value::Texts(_))
        }),
        Kind::Pings => ("milliseconds by name are needed, such as {\"eu\": 30}", |value| {
            matches!(value, Value::Numbers(_))
        }),
        Kind::Churn => (
            "the probabilities of all outcomes are needed: {\"win\": 0.1, \"draw\": 0.1, \"loss\": 0.2}",
            |value| matches!(value, Value::Numbers(_) | Value::Number(_)),
        ),
    };
    let value = Value::of_json(json).filter(is_fit);
    value.ok_or_else(|| format!(": `{}`; {wanted}", shown(&json.to_string())))
}

/// A word for true or false; `T` and `F` where both are there.
pub(crate) fn truth(text: &str, has_t_and_f: bool) -> Option<bool> {
    match &*text.to_ascii_lowercase() {
        "true" => Some(true),
        "false" => Some(false),
        "t" if has_t_and_f => Some(true),
        "f" if has_t_and_f => Some(false),
        _ => None,
    }
}
