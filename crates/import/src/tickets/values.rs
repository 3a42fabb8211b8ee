//! What single cells say of a ticket: its players, numbers by region, a running match, attributes.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{Backfill, TicketPlayer};
use crate::cell::cell_list::{Lists, check_one};
use crate::cell::numbers::{ROUNDED, is_rounded, rounded_number};
use crate::error::Fault;
use crate::row::Cell;
use crate::text::shown;
use crate::value::{Value, Values};

/// The most players that a ticket may have: each player of a row that tells only how many there are takes room.
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
pub(super) fn players(cell: &Cell, line: u64, as_written: bool) -> Result<Vec<TicketPlayer>, Fault> {
    let alone = |name: String| TicketPlayer {
        name,
        attributes: Values::new(),
    };
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
        let mut attributes = Values::new();
        for (name, value) in player["attributes"].as_object().into_iter().flatten() {
            attributes.insert(name.clone(), attribute(cell, value)?);
        }
        Ok(TicketPlayer { name, attributes })
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
    match Value::of_json(&cell.value) {
        Some(Value::Numbers(numbers)) => Ok(numbers),
        _ => Err(cell.refuse("no object of milliseconds by region, such as {\"eu\": 30}")),
    }
}

/// The running match whose free places a ticket offers.
pub(super) fn backfill(cell: &Cell) -> Result<Backfill, Fault> {
    let team = |team: &Json| usize::try_from(team.as_u64()?).ok();
    let teams = cell.value["teams"].as_array();
    let teams = teams.and_then(|teams| teams.iter().map(team).collect());
    let read = cell.value["match_id"].as_u64().zip(teams);
    let backfill = read.map(|(match_id, teams)| Backfill { match_id, teams });
    backfill.ok_or_else(|| {
        cell.refuse("no running match of a ticket, which is written as {\"match_id\": 7, \"teams\": [0, 1]}")
    })
}

pub(super) fn attribute(cell: &Cell, json: &Json) -> Result<Value, Fault> {
    if let Json::Number(number) = json
        && is_long_id(&cell.meaning, &number.to_string())
    {
        return Ok(Value::Text(number.to_string()));
    }
    check_digits(cell, json)?;
    Value::of_json(json).ok_or_else(|| {
        cell.refuse(&format!(
            "`{}`; an attribute is a number, a text, true or false, a list of texts, or numbers by name",
            shown(&json.to_string())
        ))
    })
}

/// Names of ids, besides those that end in `id`, with or without digits behind it.
const IDS: [&str; 6] = ["account", "steam", "user", "session", "hash", "key"];

/// Whether a number of a column of ids would lose digits: it is kept as it is written.
pub(super) fn is_long_id(column: &str, text: &str) -> bool {
    let column = column.to_lowercase();
    let name = column.trim_end_matches(|c: char| c.is_ascii_digit());
    (name.ends_with("id") || IDS.contains(&name)) && text.parse().is_ok_and(|number| is_rounded(text, number))
}
