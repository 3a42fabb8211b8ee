//! The rows of a file of tickets: cells with what they mean, from CSV or JSON.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::columns::{Taken, TicketColumns};
use crate::failure::{Failure, shown};
use crate::input::bad_rows::BadRows;
use crate::input::cell_list::Lists;
use crate::input::csv::Table;
use crate::input::json_rows::{JsonRow, JsonRows};
use crate::input::json_text::{find_key, in_cell, object};
use crate::input::nobody::{is_no_party, is_nobody};
use crate::input::rows::{Fault, RowError, is_json};

/// A field of a row that is not empty.
pub(super) struct Cell {
    pub(super) meaning: Rc<str>,
    /// The name of its column.
    pub(super) name: Rc<str>,
    pub(super) column: u64,
    /// Of CSV a text, unless it is written as a JSON array or object.
    pub(super) value: Value,
}

impl Cell {
    pub(super) fn refuse(&self, what: &str) -> Fault {
        (self.column, format!("`{}` is {what}", shown(&self.name)))
    }

    /// A text, or a number as it is written.
    pub(super) fn text(&self) -> Result<String, Fault> {
        match &self.value {
            Value::String(text) => Ok(text.trim().to_owned()),
            Value::Number(number) => Ok(number.to_string()),
            other => Err(self.refuse(&format!(
                "`{}`; a text or a number is needed",
                shown(&other.to_string())
            ))),
        }
    }

    /// The texts of a list, or of a text with separators between them.
    pub(super) fn texts(&self, line: u64) -> Result<Vec<String>, Fault> {
        if !self.value.is_array() {
            let items = Lists::default().split(&self.text()?, line);
            return items.map_err(|what| self.refuse(&what));
        }
        let split = |item: String| Lists::default().split(&item, line);
        let items = self.items()?.into_iter().map(split);
        let items: Result<Vec<_>, String> = items.collect();
        Ok(items.map_err(|what| self.refuse(&what))?.concat())
    }

    /// The texts of an array.
    pub(super) fn items(&self) -> Result<Vec<String>, Fault> {
        let one = |value: &Value| match value {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(number.to_string()),
            other => Err(self.refuse(&format!(
                "a list with `{}`; texts are needed",
                shown(&other.to_string())
            ))),
        };
        let all = self.value.as_array().into_iter().flatten();
        all.filter(|value| !value.is_null()).map(one).collect()
    }
}

/// One row.
pub(super) struct Row {
    pub(super) line: u64,
    pub(super) cells: Vec<Cell>,
    /// Whether it is CSV, whose texts may stand for other values.
    pub(super) is_csv: bool,
    /// Why it cannot be used: then its cells are those that may tell what it belongs to, if any.
    pub(super) fault: Option<Box<RowError>>,
}

impl Row {
    pub(super) fn cell(&self, meaning: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| &*cell.meaning == meaning)
    }

    /// Whether it is an object as the queue itself writes tickets, whose times are milliseconds.
    pub(super) fn is_of_the_queue(&self) -> bool {
        let is_object =
            |cell: &Cell| matches!(&cell.value, Value::Array(all) if all.iter().any(Value::is_object));
        self.cell("players").is_some_and(is_object)
    }
}

/// All rows; those that cannot be used only where `bad` skips them.
pub(super) fn rows(
    text: &[u8],
    columns: &TicketColumns,
    taken: &mut Taken,
    bad: &mut BadRows,
) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    if !is_json(text) {
        let (mut table, meanings) = match header(text, columns, taken) {
            Ok(opened) => opened,
            // Without its header nothing of a file can be used.
            Err(error) => return Err(bad.refuse_row(error)),
        };
        loop {
            let row = table.advance().and_then(|line| {
                let row = line
                    .map(|line| csv_row(&table, &meanings, line).map_err(|fault| RowError::new(line, fault)));
                row.transpose()
            });
            match row {
                Ok(Some(row)) => rows.push(row),
                Ok(None) => break,
                Err(error) if bad.stops_at(&error) => bad.take(error)?,
                Err(error) => rows.push(bad_row(error, &table, &meanings)),
            }
        }
        return Ok(rows);
    }
    let mut objects = JsonRows::new(text);
    loop {
        let row = match objects.advance() {
            Ok(Some(row)) => json_row(&row, columns, taken),
            Ok(None) => break,
            Err(error) => Err(error),
        };
        match row {
            Ok(row) => rows.push(row),
            Err(error) if bad.stops_at(&error) => bad.take(error)?,
            Err(error) => rows.push(Row {
                line: error.line,
                cells: Vec::new(),
                is_csv: false,
                fault: Some(Box::new(error)),
            }),
        }
    }
    // A key may be left out in some rows, not in all.
    match columns.missing(&taken.names()) {
        Some(what) if !rows.is_empty() => Err(bad.refuse_row(RowError::new(1, (1, what)))),
        _ => Ok(rows),
    }
}

/// What a column means, and its name.
type ColumnMeaning = Option<(Rc<str>, Rc<str>)>;
type Meanings = Vec<ColumnMeaning>;

/// The table behind its header, and what its columns mean, with their names.
fn header<'a>(
    text: &'a [u8],
    columns: &TicketColumns,
    taken: &mut Taken,
) -> Result<(Table<'a>, Meanings), RowError> {
    let table = Table::open(text, "ticket")?;
    let line = table.records.line();
    let refuse = |column, what| Err(RowError::new(line, (column, what)));
    if let Some(what) = columns.missing(&table.header) {
        return refuse(1, what);
    }
    let meanings = columns.meanings(&table.header);
    for (place, meaning) in meanings.iter().enumerate() {
        if meaning.is_some() && meanings[..place].contains(meaning) {
            let name = shown(&table.header[place]);
            let what = format!("two columns are called `{name}`; remove or rename one");
            return refuse(place as u64 + 1, what);
        }
    }
    if let Some((place, what)) = columns.twin(&table.header, &meanings) {
        return refuse(place as u64 + 1, what);
    }
    if !meanings.iter().flatten().any(|meaning| meaning == "time") {
        let names = shown(&table.header.join(", "));
        let what = format!(
            "no column `time`, which says when a ticket came. The file has: {names}. Name its columns with --columns \
             time=COLUMN,left=COLUMN,player=COLUMN,..."
        );
        return refuse(1, what);
    }
    taken.add(&table.header, &meanings, columns);
    let both = meanings.into_iter().zip(&table.header);
    let meanings = both.map(|(meaning, name)| Some((meaning?.into(), name.as_str().into())));
    let meanings = meanings.collect();
    Ok((table, meanings))
}

fn csv_row(table: &Table<'_>, meanings: &Meanings, line: u64) -> Result<Row, Fault> {
    let mut cells = Vec::new();
    for (place, meaning) in meanings.iter().enumerate() {
        let text = table.records.field(place)?;
        // An empty cell is a value that is left out.
        let is_there = |meaning: &str| !text.is_empty() && !is_missing(meaning, text);
        if let Some((meaning, name)) = meaning.as_ref().filter(|(meaning, _)| is_there(meaning)) {
            let column = place as u64 + 1;
            // As Parquet's lists are written.
            let nested = in_cell(text).transpose();
            let nested = nested.map_err(|what| (column, format!("`{}` is {what}", shown(name))))?;
            cells.push(Cell {
                meaning: Rc::clone(meaning),
                name: Rc::clone(name),
                column,
                value: nested.unwrap_or_else(|| text.into()),
            });
        }
    }
    Ok(Row {
        line,
        cells,
        is_csv: true,
        fault: None,
    })
}

/// A row that cannot be used, with what may tell which ticket it is of.
fn bad_row(error: RowError, table: &Table<'_>, meanings: &Meanings) -> Row {
    let cell = |(place, meaning): (usize, &ColumnMeaning)| {
        let (meaning, name) = meaning.as_ref()?;
        let text = table.records.field(place).ok()?;
        let is_meant =
            ["ticket", "party"].contains(&&**meaning) && !text.is_empty() && !is_missing(meaning, text);
        is_meant.then(|| Cell {
            meaning: Rc::clone(meaning),
            name: Rc::clone(name),
            column: place as u64 + 1,
            value: text.into(),
        })
    };
    let mut cells: Vec<Cell> = meanings.iter().enumerate().filter_map(cell).collect();
    // Rows may be as short as a digit, and all of them be such.
    cells.shrink_to_fit();
    Row {
        line: error.line,
        cells,
        is_csv: true,
        fault: Some(Box::new(error)),
    }
}

fn json_row(row: &JsonRow, columns: &TicketColumns, taken: &mut Taken) -> Result<Row, RowError> {
    let (mut object, text) = object(&row.text).map_err(|fault| row.fault(fault))?;
    let column = |name: &str| find_key(text, name).map_or(1, |place| place as u64 + 1);
    let attributes = match object.remove("attributes") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(attributes)) => attributes,
        Some(_) => {
            let what = "`attributes` must be an object of values by name".to_owned();
            return Err(row.fault((column("attributes"), what)));
        }
    };
    let names: Vec<String> = object.keys().cloned().collect();
    let meanings = columns.meanings(&names);
    taken.add(&names, &meanings, columns);
    if let Some((place, what)) = columns.twin(&names, &meanings) {
        return Err(row.fault((column(&names[place]), what)));
    }
    let cell = |(name, value): (String, Value), meaning: String| {
        let (at, name) = (column(&name), name.as_str().into());
        // Where the row is not all in one line, the column is that of its line.
        let (column, _) = row.fault((at, String::new())).fault;
        let meaning = meaning.as_str().into();
        Cell {
            meaning,
            name,
            column,
            value,
        }
    };
    let mut cells: Vec<Cell> = Vec::new();
    for (entry, meaning) in object.into_iter().zip(meanings) {
        let is_there = |meaning: &String| {
            !entry.1.is_null() && !entry.1.as_str().is_some_and(|text| is_missing(meaning, text))
        };
        if let Some(meaning) = meaning.filter(is_there) {
            cells.push(cell(entry, meaning));
        }
    }
    let names: Vec<String> = attributes.keys().cloned().collect();
    taken.add(
        &names,
        &names.iter().cloned().map(Some).collect::<Vec<_>>(),
        columns,
    );
    cells.extend(attributes.into_iter().map(|entry| {
        let name = entry.0.clone();
        cell(entry, name)
    }));
    if let Some(players) = cells.iter().find(|cell| &*cell.meaning == "players") {
        note_players(&players.value, columns, taken);
    }
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for cell in &cells {
        if !told.insert(&cell.meaning) {
            let what = format!(
                "`{}` is told twice, by itself and among the attributes; remove one",
                shown(&cell.name)
            );
            return Err(RowError::new(row.line, (cell.column, what)));
        }
    }
    Ok(Row {
        line: row.line,
        cells,
        is_csv: false,
        fault: None,
    })
}

/// What the players of a ticket have: attributes, and keys that nothing looks at.
fn note_players(players: &Value, columns: &TicketColumns, taken: &mut Taken) {
    let players = players.as_array().into_iter().flatten();
    for (key, value) in players.filter_map(Value::as_object).flatten() {
        match (key.as_str(), value) {
            ("id", _) => {}
            ("attributes", Value::Object(attributes)) => {
                let names: Vec<String> = attributes.keys().cloned().collect();
                let meanings: Vec<Option<String>> = names.iter().cloned().map(Some).collect();
                taken.add(&names, &meanings, columns);
            }
            _ => taken.pass_over(format!("players.{key}")),
        }
    }
}

/// Whether a cell says that there is nothing, where another text would say much.
fn is_missing(meaning: &str, text: &str) -> bool {
    match meaning {
        "ticket" | "queue" | "left" | "matched" | "date" => is_nobody(text),
        "match" => is_nobody(text) || ["-1", "-1.0", "false"].contains(&&*text.to_ascii_lowercase()),
        "party" => is_no_party(text),
        // `NA` is North America.
        "region" => is_nobody(text) && text != "NA",
        _ => false,
    }
}
