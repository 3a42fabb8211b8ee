//! Games of sides from JSON: `{"time": ..., "teams": [["ann", "bob"], ["cyd", "dot"]], "ranks": [1, 2]}`.

use serde_json::{Map, Value};

use super::columns::Columns;
use super::json_rows::column_of_key;
use super::rows::{Field, RawGame, RawMember, RawPlaces, RowError};
use crate::failure::{shown, suggestion};

/// What a member's object may say.
const MEMBER_KEYS: [&str; 3] = ["player", "share", "party"];
const SKIP: &str = "(use --skip-bad to drop such rows)";

/// Whether a row tells sides rather than two players.
pub(super) fn has_sides(object: &Map<String, Value>, columns: &Columns) -> bool {
    object.contains_key(columns.name("teams"))
}

/// The sides of a row whose `time` has been found.
pub(super) fn sides(
    object: &Map<String, Value>,
    columns: &Columns,
    line: u64,
    text: &str,
    time: Field,
) -> Result<RawGame, RowError> {
    let row = Row { line, text };
    let name = columns.name("teams");
    let mut places = Places::after_key(text, name);
    let column = places.key;
    let Some(Value::Array(told)) = object.get(name) else {
        let found = object.get(name).map(Value::to_string).unwrap_or_default();
        let message = format!(
            "`{name}` is {}; an array of sides is needed, such as [[\"ann\", \"bob\"], [\"cyd\", \"dot\"]] {SKIP}",
            shown(&found)
        );
        return Err(RowError::at(line, column, message));
    };
    let sides = told.iter().map(|side| row.side(name, side, &mut places));
    let sides = sides.collect::<Result<Vec<_>, _>>()?;
    let numbers = |meaning| row.numbers(object, columns.name(meaning), sides.len());
    let decided_by = match (numbers("ranks")?, numbers("scores")?) {
        (Some(ranks), scores) => RawPlaces::Ranks { ranks, scores },
        (None, Some(scores)) => RawPlaces::Scores(scores),
        (None, None) => {
            let message = format!(
                "neither `{}` nor `{}` for the sides; write a place for each side, 1 for the winners, or a score {SKIP}",
                columns.name("ranks"),
                columns.name("scores"),
            );
            return Err(RowError::at(line, 1, message));
        }
    };
    Ok(RawGame {
        line,
        time,
        column,
        sides,
        decided_by,
    })
}

/// Where the players stand in a line: looked for one after the other, from their key on.
struct Places<'a> {
    text: &'a str,
    /// Column of the key.
    key: u64,
    /// Bytes before the next player.
    from: usize,
}

impl<'a> Places<'a> {
    fn after_key(text: &'a str, name: &str) -> Self {
        let key = column_of_key(text, name);
        let from = usize::try_from(key).map_or(0, |key| key + name.len());
        Self { text, key, from }
    }

    /// The column of the next value that is written like this; that of the key if it is written otherwise.
    fn next(&mut self, value: &Value) -> u64 {
        let written = value.to_string();
        let found = self.text.get(self.from..).and_then(|rest| rest.find(&written));
        found.map_or(self.key, |place| {
            let at = self.from + place;
            self.from = at + written.len();
            at as u64 + 1
        })
    }
}

struct Row<'a> {
    line: u64,
    text: &'a str,
}

impl Row<'_> {
    /// A side is an array of players; a single player may stand for himself.
    fn side(&self, key: &str, side: &Value, places: &mut Places<'_>) -> Result<Vec<RawMember>, RowError> {
        match side {
            Value::Array(members) => members.iter().map(|one| self.member(key, one, places)).collect(),
            one => Ok(vec![self.member(key, one, places)?]),
        }
    }

    fn member(&self, key: &str, member: &Value, places: &mut Places<'_>) -> Result<RawMember, RowError> {
        let Value::Object(told) = member else {
            return self.name(key, member, places).map(RawMember::alone);
        };
        let Some(player) = told.get("player") else {
            let hint = suggestion("player", told.keys().map(String::as_str));
            let message =
                format!("a member of `{key}` has no `player`{hint} Write {{\"player\": \"ann\"}} {SKIP}");
            return Err(RowError::at(self.line, places.key, message));
        };
        let name = self.name(key, player, places)?;
        if let Some(other) = told.keys().find(|known| !MEMBER_KEYS.contains(&known.as_str())) {
            let hint = suggestion(other, MEMBER_KEYS);
            let message = format!(
                "`{}` is nothing that a member has{hint} Known are {} {SKIP}",
                shown(other),
                MEMBER_KEYS.join(", ")
            );
            return Err(RowError::at(self.line, name.column, message));
        }
        let is_label = |value: &Value| match value {
            Value::String(text) => !text.trim().is_empty(),
            Value::Number(_) | Value::Null => true,
            _ => false,
        };
        if let Some(other) = told.get("party").filter(|value| !is_label(value)) {
            let message = format!(
                "`party` is {}; a party is a number or a text, and null for who queued alone {SKIP}",
                shown(&other.to_string())
            );
            return Err(RowError::at(self.line, name.column, message));
        }
        let field = |key: &str| match told.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.trim().to_owned()),
            Some(other) => Some(other.to_string()),
        };
        let field = |key: &str| {
            field(key).map(|text| Field {
                name: key.to_owned(),
                column: name.column,
                text,
            })
        };
        Ok(RawMember {
            share: field("share"),
            party: field("party"),
            name,
        })
    }

    fn name(&self, key: &str, player: &Value, places: &mut Places<'_>) -> Result<Field, RowError> {
        let column = places.next(player);
        let text = match player {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) if !number.is_f64() => number.to_string(),
            other => {
                let message = format!(
                    "a player of `{key}` is {}; write names as text in quotes {SKIP}",
                    shown(&other.to_string())
                );
                return Err(RowError::at(self.line, column, message));
            }
        };
        Ok(Field {
            name: "player".to_owned(),
            column,
            text,
        })
    }

    /// One number a side, if the key is there.
    fn numbers(
        &self,
        object: &Map<String, Value>,
        key: &str,
        sides: usize,
    ) -> Result<Option<Vec<Field>>, RowError> {
        let column = column_of_key(self.text, key);
        let Some(told) = object.get(key) else {
            return Ok(None);
        };
        let Value::Array(numbers) = told else {
            let message = format!(
                "`{key}` is {}; an array with a number for each side is needed {SKIP}",
                shown(&told.to_string())
            );
            return Err(RowError::at(self.line, column, message));
        };
        if numbers.len() != sides {
            let message = format!(
                "`{key}` has {} numbers for {sides} sides; write one a side {SKIP}",
                numbers.len()
            );
            return Err(RowError::at(self.line, column, message));
        }
        let field = |number: &Value| Field {
            name: key.to_owned(),
            column,
            text: number
                .as_str()
                .map_or_else(|| number.to_string(), |text| text.trim().to_owned()),
        };
        Ok(Some(numbers.iter().map(field).collect()))
    }
}
