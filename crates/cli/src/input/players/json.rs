//! Players from JSON lines: one object each.

use std::io::BufRead;

use matchwright_scoring::Player;

use super::Row;
use crate::input::rows::{RowError, reading_error};

/// All players, in the order of their lines. Blank lines are passed over.
pub(super) fn rows(mut text: Box<dyn BufRead>) -> Result<Vec<Row>, RowError> {
    let mut rows = Vec::new();
    let mut buffer = Vec::new();
    for line in 1.. {
        buffer.clear();
        let read = text.read_until(b'\n', &mut buffer);
        if read.map_err(|error| reading_error(line, &error))? == 0 {
            break;
        }
        if buffer.trim_ascii().is_empty() {
            continue;
        }
        let player = player(&buffer).map_err(|(column, message)| RowError::at(line, column, message))?;
        rows.push(Row { line, player });
    }
    Ok(rows)
}

fn player(line: &[u8]) -> Result<Player, (u64, String)> {
    let text = std::str::from_utf8(line).map_err(|error| {
        let column = error.valid_up_to() as u64 + 1;
        (
            column,
            "not UTF-8; convert the file, for example with iconv".to_owned(),
        )
    })?;
    serde_json::from_str(text).map_err(|error| {
        let all = error.to_string();
        // Each line is a text of its own, so the place that the parser adds would name line 1.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = all.strip_suffix(&place).unwrap_or(&all);
        let message = format!("no player: {what}; each line must be one object");
        ((error.column() as u64).max(1), message)
    })
}
