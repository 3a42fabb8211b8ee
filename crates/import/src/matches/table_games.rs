//! Games from a table whose cells hold arrays as JSON writes them, as those of Parquet's lists do: a column with all sides.

use std::rc::Rc;

use serde_json::{Map, Value};

use crate::cell::decimals::Decimals;
use crate::error::{Fault, RowError};
use crate::matches::columns::Columns;
use crate::matches::games::{Batch, Games, Wanted};
use crate::matches::json_games::{Fitting, JsonReading};
use crate::matches::labels::Labels;
use crate::matches::long_games::{is_long, is_wide};
use crate::row::csv::Table;
use crate::row::json_text::in_cell;
use crate::text::shown;
use crate::unused::ColumnUse;

/// Whether a table has a column of all sides: one that the user names, or one called `teams` where no other columns have
/// the players.
pub(crate) fn has_teams(table: &Table<'_>, columns: &Columns) -> bool {
    let has = |name: &str| table.header.iter().any(|known| known == name);
    let has_players = || is_wide(table, columns) || is_long(table, columns);
    has(columns.name("teams")) && (columns.chosen(&["teams"]) || !has_players())
}

/// The rows of such a table, each read as the object that it stands for.
pub(crate) struct TableGames<'a> {
    table: Table<'a>,
    reading: JsonReading,
}

pub(crate) fn table_games<'a>(
    table: Table<'a>,
    columns: &Columns,
    reading: (bool, Rc<ColumnUse>),
    wanted: Wanted,
) -> Result<(TableGames<'a>, Option<String>), RowError> {
    let (columns, note) = columns.fitted(&table.header);
    for name in columns.used(&table.header) {
        let once = table.place(name);
        once.map_err(|fault| RowError::new(table.records.line(), fault))?;
    }
    let reading = JsonReading::new(
        Fitting::new(&columns, None).0,
        reading,
        (Labels::default(), Decimals::default()),
        wanted,
    );
    Ok((TableGames { table, reading }, note))
}

impl Games for TableGames<'_> {
    fn some(&mut self) -> Batch<'_> {
        let Some(line) = self.table.advance().transpose() else {
            return Batch::One(None);
        };
        let game = line.and_then(|line| {
            let game = object(&self.table).and_then(|(object, text, ends)| {
                let game = self.reading.game_of(line, object, &text);
                // Where the key stands in the text, the column stands in the table.
                game.map_err(|(place, what)| {
                    let before = ends.partition_point(|end| (*end as u64) < place);
                    (before.min(ends.len() - 1) as u64 + 1, what)
                })
            });
            game.map_err(|fault| RowError::new(line, fault))
        });
        Batch::One(Some(Box::new(game)))
    }

    fn finish(&self) -> Result<Vec<String>, RowError> {
        self.reading.finish()
    }
}

/// A row as an object and its text, and where each column ends there.
type TextedRow = (Map<String, Value>, String, Vec<usize>);

/// The row at hand.
fn object(table: &Table<'_>) -> Result<TextedRow, Fault> {
    let (mut object, mut text, mut ends) = (Map::new(), String::new(), Vec::new());
    for (place, name) in table.header.iter().enumerate() {
        let cell = table.records.field(place)?;
        let refuse = |what: String| (place as u64 + 1, format!("`{}` is {what}", shown(name)));
        let value = in_cell(cell).transpose().map_err(refuse)?;
        let value: Value = value.unwrap_or_else(|| cell.into());
        let opening = if place == 0 { "{" } else { "," };
        text.extend([opening, "\"", name, "\":", &value.to_string()]);
        ends.push(text.len());
        if cell.is_empty() {
            object.remove(name);
        } else {
            object.insert(name.clone(), value);
        }
    }
    Ok((object, text, ends))
}
