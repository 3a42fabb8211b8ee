//! Matches from JSON lines: one object a line.

use std::io::BufRead;

use serde_json::{Map, Value};

use super::columns::Columns;
use super::json_sides::{has_sides, sides};
use super::rows::{Field, RawGame, RowError, reading_error};
use crate::failure::{shown, suggestion};

/// The rows of a JSON lines file, one match each. Blank lines are passed over.
pub(super) struct JsonRows {
    text: Box<dyn BufRead>,
    columns: Columns,
    line: u64,
    buffer: Vec<u8>,
    ended: bool,
}

impl JsonRows {
    pub(super) fn new(text: Box<dyn BufRead>, columns: &Columns) -> Self {
        Self {
            text,
            columns: columns.clone(),
            line: 0,
            buffer: Vec::new(),
            ended: false,
        }
    }

    fn row(&self) -> Result<RawGame, RowError> {
        let line = self.line;
        let text = std::str::from_utf8(&self.buffer).map_err(|error| {
            let column = error.valid_up_to() as u64 + 1;
            RowError::at(
                line,
                column,
                "not UTF-8; convert the file (use --skip-bad to drop such rows)",
            )
        })?;
        let object: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
            let message = format!(
                "not a JSON object: {error}; each line must be one object (use --skip-bad to drop such rows)"
            );
            RowError::at(line, (error.column() as u64).max(1), message)
        })?;
        let field = |meaning| field(&object, meaning, self.columns.name(meaning), line, text);
        if has_sides(&object, &self.columns) {
            return sides(&object, &self.columns, line, text, field("time")?);
        }
        let uses_result = self.columns.uses_result(|name| object.contains_key(name));
        RawGame::duel(line, uses_result, field)
    }
}

impl Iterator for JsonRows {
    type Item = Result<RawGame, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            self.buffer.clear();
            self.line += 1;
            match self.text.read_until(b'\n', &mut self.buffer) {
                Ok(0) => self.ended = true,
                Ok(_) if self.buffer.trim_ascii().is_empty() => {}
                Ok(_) => return Some(self.row()),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(reading_error(self.line, &error)));
                }
            }
        }
        None
    }
}

/// Where a key stands in its line, from 1.
pub(super) fn column_of_key(text: &str, name: &str) -> u64 {
    text.find(&format!("\"{name}\""))
        .map_or(1, |place| place as u64 + 1)
}

/// The field's column is where its key stands in the line.
fn field(
    object: &Map<String, Value>,
    meaning: &'static str,
    name: &str,
    line: u64,
    text: &str,
) -> Result<Field, RowError> {
    let column = column_of_key(text, name);
    let text = match object.get(name) {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) if meaning.starts_with("player") && number.is_f64() => {
            let message = format!(
                "`{name}` is {number}, a number whose digits cannot all be kept; write it as text in quotes (or use --skip-bad to drop such rows)"
            );
            return Err(RowError::at(line, column, message));
        }
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Null) => String::new(),
        Some(other) => {
            let other = shown(&other.to_string());
            let message = format!(
                "`{name}` is {other}; a text or a number is needed (use --skip-bad to drop such rows)"
            );
            return Err(RowError::at(line, column, message));
        }
        None => {
            let hint = suggestion(name, object.keys().map(String::as_str));
            let message = format!(
                "no `{name}` for the {meaning}{hint} Name it with --columns {meaning}=KEY (or use --skip-bad to drop such rows)"
            );
            return Err(RowError::at(line, 1, message));
        }
    };
    Ok(Field {
        name: name.to_owned(),
        column,
        text,
    })
}
