//! Rows of cells with what they mean, whatever the format of their file: what players, tickets and edges are read from.

pub(crate) mod csv;
mod json_elements;
pub(crate) mod json_row;
pub(crate) mod json_rows;
pub(crate) mod json_text;
mod json_walk;
pub(crate) mod lines;

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Map, Value as Json};

use crate::cell::cell_list::Lists;
use crate::column_names::{Taken, missing, twin};
use crate::error::{Fault, RowError};
use crate::input::Text;
use crate::row::csv::Table;
use crate::row::json_row::JsonRow;
use crate::row::json_rows::JsonRows;
use crate::row::json_text::{find_key, in_cell, object};
use crate::row::lines::is_json;
use crate::text::shown;

/// What a kind of file has in its rows.
pub(crate) trait Layout {
    /// What a row is.
    const THING: &'static str;

    /// The user's own names for columns.
    fn named(&self) -> &[(&'static str, String)];

    /// What each of a file's names means; `None` means nothing.
    fn meanings(&self, names: &[String]) -> Vec<Option<String>>;

    /// What is wrong with a header of these names, which mean this.
    fn lacking(&self, names: &[String], meanings: &[Option<String>]) -> Option<String>;

    /// Whether a cell says that there is nothing, where another text would say much.
    fn is_missing(meaning: &str, text: &str) -> bool {
        let _ = (meaning, text);
        false
    }

    /// Whether a meaning is one that only policies know.
    fn is_attribute(meaning: &str) -> bool {
        let _ = meaning;
        false
    }

    /// Whether JSON may have more values under `attributes`, and cells of CSV arrays and objects.
    const IS_NESTED: bool = false;
}

/// A field of a row that is not empty.
pub(crate) struct Cell {
    pub(crate) meaning: Rc<str>,
    /// The name of its column.
    pub(crate) name: Rc<str>,
    pub(crate) line: u64,
    pub(crate) column: u64,
    /// Of CSV a text, unless nested values are read.
    pub(crate) value: Json,
}

impl Cell {
    pub(crate) fn refuse(&self, what: &str) -> Fault {
        (self.column, format!("`{}` is {what}", shown(&self.name)))
    }

    /// A text, or a number as it is written.
    pub(crate) fn text(&self) -> Result<String, Fault> {
        match &self.value {
            Json::String(text) => Ok(text.trim().to_owned()),
            Json::Number(number) => Ok(number.to_string()),
            other => Err(self.refuse(&format!(
                "`{}`; a text or a number is needed",
                shown(&other.to_string())
            ))),
        }
    }

    /// The texts of a list, or of a text with separators between them.
    pub(crate) fn texts(&self, line: u64) -> Result<Vec<String>, Fault> {
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
    pub(crate) fn items(&self) -> Result<Vec<String>, Fault> {
        let one = |value: &Json| match value {
            Json::String(text) => Ok(text.clone()),
            Json::Number(number) => Ok(number.to_string()),
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
pub(crate) struct Row {
    pub(crate) line: u64,
    pub(crate) cells: Vec<Cell>,
    /// Whether it is CSV, whose texts may stand for other values.
    pub(crate) is_csv: bool,
    /// Why it cannot be used: then its cells are those that may tell what it belongs to, if any.
    pub(crate) fault: Option<Box<RowError>>,
}

impl Row {
    pub(crate) fn cell(&self, meaning: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| &*cell.meaning == meaning)
    }
}

/// The rows of a file, one after the other.
pub(crate) struct Rows<'a, L> {
    layout: &'a L,
    format: Format<'a>,
    pub(crate) taken: Taken,
}

enum Format<'a> {
    /// With what each column means, and its name.
    Csv(Box<Table<'a>>, Vec<ColumnMeaning>),
    Json(JsonRows<'a>),
}

/// What a column means, and its name.
type ColumnMeaning = Option<(Rc<str>, Rc<str>)>;

impl<'a, L: Layout> Rows<'a, L> {
    /// Reads the header of a table; of JSON nothing yet. `Err` where nothing of the file can be used.
    pub(crate) fn open(mut text: Text<'a>, layout: &'a L) -> Result<Self, RowError> {
        let mut taken = Taken::default();
        let format = if is_json(text.start()) {
            Format::Json(JsonRows::find(text, |_| false).0)
        } else {
            let table = Table::open(text, L::THING)?;
            let meanings = header(&table, layout, &mut taken)?;
            Format::Csv(Box::new(table), meanings)
        };
        Ok(Self {
            layout,
            format,
            taken,
        })
    }

    /// The next row; none at the end. After the error of a row others may follow.
    pub(crate) fn advance(&mut self) -> Result<Option<Row>, RowError> {
        match &mut self.format {
            Format::Csv(table, meanings) => {
                let Some(line) = table.advance()? else {
                    return Ok(None);
                };
                let row = csv_row::<L>(table, meanings, line);
                row.map(Some).map_err(|fault| RowError::new(line, fault))
            }
            Format::Json(rows) => match rows.advance()? {
                Some(row) => json_row(&row, self.layout, &mut self.taken).map(Some),
                None => Ok(None),
            },
        }
    }

    /// The row that cannot be used, with what of it may tell what it belongs to: cells with these meanings.
    pub(crate) fn spoilt(&self, error: RowError, wanted: &[&str]) -> Row {
        let cell = |(place, meaning): (usize, &ColumnMeaning)| {
            let (meaning, name) = meaning.as_ref()?;
            let Format::Csv(table, _) = &self.format else {
                return None;
            };
            let text = table.records.field(place).ok()?;
            let is_meant = wanted.contains(&&**meaning) && !text.is_empty() && !L::is_missing(meaning, text);
            is_meant.then(|| Cell {
                meaning: Rc::clone(meaning),
                name: Rc::clone(name),
                line: error.line,
                column: place as u64 + 1,
                value: text.into(),
            })
        };
        let meanings = match &self.format {
            Format::Csv(_, meanings) => &meanings[..],
            Format::Json(_) => &[],
        };
        let mut cells: Vec<Cell> = meanings.iter().enumerate().filter_map(cell).collect();
        // Rows may be as short as a digit, and all of them be such.
        cells.shrink_to_fit();
        Row {
            line: error.line,
            cells,
            is_csv: matches!(self.format, Format::Csv(..)),
            fault: Some(Box::new(error)),
        }
    }

    /// The column of CSV with this meaning: its name, and its number from 1.
    pub(crate) fn column(&self, wanted: &str) -> Option<(&str, u64)> {
        let Format::Csv(_, meanings) = &self.format else {
            return None;
        };
        (1..).zip(meanings).find_map(|(number, meaning)| {
            let (meaning, name) = meaning.as_ref()?;
            (&**meaning == wanted).then_some((&**name, number))
        })
    }

    /// What is wrong, once all rows were read, if a column that the user names is in none: a key may be left out in some rows,
    /// not in all.
    pub(crate) fn check_named(&self) -> Result<(), RowError> {
        match missing(self.layout.named(), &self.taken.names()) {
            Some(what) => Err(RowError::new(1, (1, what))),
            None => Ok(()),
        }
    }
}

/// What the columns of a table mean, with their names.
fn header<L: Layout>(
    table: &Table<'_>,
    layout: &L,
    taken: &mut Taken,
) -> Result<Vec<ColumnMeaning>, RowError> {
    let line = table.records.line();
    let names = &table.header;
    let refuse = |place: usize, what| Err(RowError::new(line, (place as u64 + 1, what)));
    if let Some(what) = missing(layout.named(), names) {
        return refuse(0, what);
    }
    let meanings = layout.meanings(names);
    for (place, meaning) in meanings.iter().enumerate() {
        if meaning.is_some() && meanings[..place].contains(meaning) {
            let name = shown(&names[place]);
            return refuse(
                place,
                format!("two columns are called `{name}`; remove or rename one"),
            );
        }
    }
    if let Some((place, what)) = twin(names, |place| meanings[place].is_some(), layout.named()) {
        return refuse(place, what);
    }
    if let Some(what) = layout.lacking(names, &meanings) {
        return refuse(0, what);
    }
    taken.add(names, &meanings, layout.named(), L::is_attribute);
    let both = meanings.into_iter().zip(names);
    Ok(both
        .map(|(meaning, name)| Some((meaning?.into(), name.as_str().into())))
        .collect())
}

fn csv_row<L: Layout>(table: &Table<'_>, meanings: &[ColumnMeaning], line: u64) -> Result<Row, Fault> {
    let mut cells = Vec::new();
    for (place, meaning) in meanings.iter().enumerate() {
        let text = table.records.field(place)?;
        // An empty cell is a value that is left out.
        let is_there = |meaning: &str| !text.is_empty() && !L::is_missing(meaning, text);
        if let Some((meaning, name)) = meaning.as_ref().filter(|(meaning, _)| is_there(meaning)) {
            let column = place as u64 + 1;
            // As Parquet's lists are written.
            let nested = L::IS_NESTED.then(|| in_cell(text)).flatten().transpose();
            let nested = nested.map_err(|what| (column, format!("`{}` is {what}", shown(name))))?;
            cells.push(Cell {
                meaning: Rc::clone(meaning),
                name: Rc::clone(name),
                line,
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

fn json_row<L: Layout>(row: &JsonRow, layout: &L, taken: &mut Taken) -> Result<Row, RowError> {
    let (mut object, text) = object(&row.text).map_err(|fault| row.fault(fault))?;
    let column = |name: &str| find_key(text, name).map_or(1, |place| place as u64 + 1);
    let nested = if L::IS_NESTED {
        object.remove("attributes")
    } else {
        None
    };
    let attributes = match nested {
        None | Some(Json::Null) => Map::new(),
        Some(Json::Object(attributes)) => attributes,
        Some(_) => {
            let what = "`attributes` must be an object of values by name".to_owned();
            return Err(row.fault((column("attributes"), what)));
        }
    };
    let names: Vec<String> = object.keys().cloned().collect();
    let meanings = layout.meanings(&names);
    taken.add(&names, &meanings, layout.named(), L::is_attribute);
    if let Some((place, what)) = twin(&names, |place| meanings[place].is_some(), layout.named()) {
        return Err(row.fault((column(&names[place]), what)));
    }
    let cell = |(name, value): (String, Json), meaning: String| {
        // Where the row is not all in one line, line and column are the key's own.
        let at = row.fault((column(&name), String::new()));
        Cell {
            meaning: meaning.as_str().into(),
            name: name.as_str().into(),
            line: at.line,
            column: at.fault.0,
            value,
        }
    };
    let mut cells: Vec<Cell> = Vec::new();
    for (entry, meaning) in object.into_iter().zip(meanings) {
        let is_there = |meaning: &String| {
            !entry.1.is_null() && !entry.1.as_str().is_some_and(|text| L::is_missing(meaning, text))
        };
        if let Some(meaning) = meaning.filter(is_there) {
            cells.push(cell(entry, meaning));
        }
    }
    let names: Vec<String> = attributes.keys().cloned().collect();
    let meanings: Vec<Option<String>> = names.iter().cloned().map(Some).collect();
    taken.add(&names, &meanings, layout.named(), L::is_attribute);
    cells.extend(attributes.into_iter().map(|entry| {
        let name = entry.0.clone();
        cell(entry, name)
    }));
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for cell in &cells {
        if !told.insert(&cell.meaning) {
            let what = format!(
                "`{}` is told twice, by itself and among the attributes; remove one",
                shown(&cell.name)
            );
            return Err(RowError::new(cell.line, (cell.column, what)));
        }
    }
    Ok(Row {
        line: row.line,
        cells,
        is_csv: false,
        fault: None,
    })
}
