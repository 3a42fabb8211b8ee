//! What single cells say of a ticket: its players, numbers by region, a running match, attributes.

use std::collections::BTreeMap;

use matchwright_queue::{Attributes, Backfill, Value};
use serde_json::Value as Json;

use super::rows::Cell;
use super::whole::is_long_id;
use crate::failure::shown;
use crate::input::cell_list::{Lists, check_one};
use crate::input::numbers::{ROUNDED, rounded_number};
use crate::input::rows::Fault;

/// So many players a ticket may have: each player of a row that tells their number alone takes room.
pub(super) const MOST_PLAYERS: usize = 256;

pub(super) fn too_many() -> String {
    format!(
        "a ticket of more than {MOST_PLAYERS} players, which is no party: are several tickets called the same?"
    )
}

/// How many players a ticket has.
pub(super) fn size(cell: &Cell) -> Result<usize, Fault> {
    let text = cell.text()?;
    let size = text.parse().ok().filter(|size| (1..=MOST_PLAYERS).contains(size));
    size.ok_or_else(|| {
        cell.refuse(&format!(
            "`{}`; a number of players from 1 to {MOST_PLAYERS} is needed",
            shown(&text)
        ))
    })
}

/// The players of a row: names, or objects with `id` and `attributes`.
pub(super) fn players(cell: &Cell, line: u64, as_written: bool) -> Result<Vec<(String, Attributes)>, Fault> {
    let alone = |name: String| (name, Attributes::new());
    let all = match &cell.value {
        Json::Array(all) if all.iter().any(Json::is_object) => all,
        Json::Array(_) => return Ok(cell.items()?.into_iter().map(alone).collect()),
        _ => {
            let text = cell.text()?;
            let lists = if as_written {
                Lists::as_written([])
            } else {
                Lists::default()
            };
            // `Smith, John` is one, or two.
            if !as_written && text.contains(", ") && check_one(&text).is_ok() {
                return Err(cell.refuse(&format!(
                    "`{}`: one player, or two? Write `;` between players, or if it is one, give --names-as-written",
                    shown(&text)
                )));
            }
            let names = lists.split(&text, line).map_err(|what| cell.refuse(&what))?;
            return Ok(names.into_iter().map(alone).collect());
        }
    };
    let one = |player: &Json| {
        let name = match &player["id"] {
            Json::String(text) => text.clone(),
            Json::Number(number) => number.to_string(),
            _ => return Err(cell.refuse("a list with a player without `id`; give each a text or a number")),
        };
        let mut attributes = Attributes::new();
        for (name, value) in player["attributes"].as_object().into_iter().flatten() {
            attributes.insert(name.clone(), attribute(cell, value.clone())?);
        }
        Ok((name, attributes))
    };
    all.iter().map(one).collect()
}

/// Refuses a number that would lose digits.
fn check_digits(cell: &Cell, value: &Json) -> Result<(), Fault> {
    match rounded_number(value, &[]) {
        Some(number) => Err(cell.refuse(&format!("`{number}`; {ROUNDED}"))),
        None => Ok(()),
    }
}

/// Numbers by name.
pub(super) fn numbers(cell: &Cell) -> Result<BTreeMap<String, f64>, Fault> {
    check_digits(cell, &cell.value)?;
    let read = serde_json::from_value(cell.value.clone());
    read.map_err(|_| cell.refuse("no object of milliseconds by region, such as {\"eu\": 30}"))
}

/// The running match whose free places a ticket offers.
pub(super) fn backfill(cell: &Cell) -> Result<Backfill, Fault> {
    let read = serde_json::from_value(cell.value.clone());
    read.map_err(|error| {
        cell.refuse(&format!(
            "no running match of a ticket, {{\"match_id\": 7, \"teams\": [0, 1]}}: {error}"
        ))
    })
}

pub(super) fn attribute(cell: &Cell, value: Json) -> Result<Value, Fault> {
    let value = match value {
        Json::Number(number) if is_long_id(&cell.meaning, &number.to_string()) => number.to_string().into(),
        value => value,
    };
    check_digits(cell, &value)?;
    let text = value.to_string();
    serde_json::from_value(value).map_err(|_| {
        cell.refuse(&format!(
            "`{}`; an attribute is a number, a text, true or false, a list of texts, or numbers by name",
            shown(&text)
        ))
    })
}
