//! Parquet as the CSV that it stands for: a header with the names of its columns, then its rows, one row group after the
//! other.

mod cell;
mod limits;

use std::io::{self, BufRead, BufReader, Read};

use std::sync::Arc;

use parquet::basic::Repetition;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::DataType;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, Type};
use serde_json::Value;

use crate::error::Damaged;
use crate::limits::refusal;
use crate::quietly::quietly;
use crate::text::{listed, shown};

use cell::{Meaning, write_int96, write_number, write_value};
use limits::{Asked, Checked, CheckedPages};

/// Rows that are decoded at a time: each may be as long as a row may be.
const ROWS: usize = 64;

/// Opens a file; its footer is read at once.
///
/// A list is written as a JSON array of texts; columns of maps and of lists of records, of which a row has no one cell, are
/// left out, and named.
pub(crate) fn parquet_text<R: ChunkReader + 'static>(
    file: R,
    notes: &mut Vec<String>,
) -> io::Result<Box<dyn BufRead>> {
    let asked = Asked::of(&file);
    let file = Checked::new(file, Arc::clone(&asked));
    let file = guarded(|| SerializedFileReader::new(file).map_err(|error| error.to_string()))?;
    asked.open();
    let schema = file.metadata().file_metadata().schema_descr();
    let all = (0..schema.num_columns()).map(|place| Column::new(place, schema));
    let mut columns: Vec<Column> = all.collect();
    let nested: Vec<String> = (columns.iter().filter(|column| !column.lists.is_empty()))
        .map(|column| column.name.clone())
        .collect();
    let is_read = |column: &Column| nested.iter().filter(|name| **name == column.name).count() < 2;
    let mut left_out: Vec<&str> = (columns.iter().filter(|column| !is_read(column)))
        .map(|column| &*column.name)
        .collect();
    left_out.dedup();
    if let Some(names) = listed(left_out.into_iter().map(shown)) {
        notes.push(format!(
            "columns of maps or of lists of records were not read: {names}; write a column for each of their values"
        ));
    }
    columns.retain(is_read);
    if columns.is_empty() {
        return Err(unreadable("none of its columns has one value a row"));
    }
    let mut text = Vec::new();
    for (place, column) in columns.iter().enumerate() {
        // Quoted, so that no name makes the text look like JSON.
        text.extend_from_slice(if place == 0 { b"\"" } else { b",\"" });
        text.extend_from_slice(column.name.replace('"', "\"\"").as_bytes());
        text.push(b'"');
    }
    text.push(b'\n');
    Ok(Box::new(BufReader::new(Rows {
        file: Box::new(file),
        asked,
        columns,
        next_group: 0,
        decoded: 0,
        pending: 0,
        text,
        given: 0,
    })))
}

/// The rows as text.
struct Rows {
    file: Box<dyn FileReader>,
    asked: Arc<Asked>,
    columns: Vec<Column>,
    next_group: usize,
    /// Rows that were decoded.
    decoded: usize,
    /// Rows of the group at hand that were not.
    pending: usize,
    text: Vec<u8>,
    /// How much of the text was given.
    given: usize,
}

impl Read for Rows {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() {
            let decoded = if self.pending == 0 {
                self.open_group()
            } else {
                self.decode().map(|()| true)
            };
            // What asks for too much is no damage.
            let decoded = decoded.map_err(|error| self.asked.refused().map_or(error, refusal));
            if !decoded? {
                return Ok(0);
            }
        }
        let count = (&self.text[self.given..]).read(buffer)?;
        self.given += count;
        Ok(count)
    }
}

impl Rows {
    /// Opens the next row group; false at the end.
    fn open_group(&mut self) -> io::Result<bool> {
        let (file, index) = (&self.file, self.next_group);
        if index == file.num_row_groups() {
            return Ok(false);
        }
        let (columns, asked) = (&mut self.columns, &self.asked);
        let rows = guarded(|| {
            let group = file.get_row_group(index).map_err(|error| error.to_string())?;
            for column in columns {
                let pages = group.get_column_page_reader(column.place);
                let pages = CheckedPages {
                    pages: pages.map_err(|error| column.blame(&error))?,
                    asked: Arc::clone(asked),
                    levels: [column.described.max_def_level(), column.described.max_rep_level()]
                        .map(|level| level > 0),
                };
                let described = Arc::clone(&column.described);
                column.reader = Some(get_column_reader(described, Box::new(pages)));
            }
            let rows = group.metadata().num_rows();
            usize::try_from(rows).map_err(|_| format!("row group {index} has {rows} rows"))
        })?;
        (self.next_group, self.pending) = (index + 1, rows);
        Ok(true)
    }

    /// Decodes the next rows of the group into the text.
    fn decode(&mut self) -> io::Result<()> {
        let (count, columns) = (self.pending.min(ROWS), &mut self.columns);
        let from = self.decoded + 1;
        guarded(|| {
            let read = columns.iter_mut().try_for_each(|column| column.decode(count));
            read.map_err(|what| format!("from row {from} on: {what}"))
        })?;
        self.text.clear();
        self.given = 0;
        for row in 0..count {
            for (place, column) in self.columns.iter().enumerate() {
                if place > 0 {
                    self.text.push(b',');
                }
                write_cell(column.cell(row), &mut self.text);
            }
            self.text.push(b'\n');
        }
        self.pending -= count;
        self.decoded += count;
        Ok(())
    }
}

/// A cell as CSV; an empty one is quoted, so that a row of one is no blank line.
fn write_cell(cell: &[u8], text: &mut Vec<u8>) {
    if !cell.is_empty() && !cell.iter().any(|byte| b",\"\r\n".contains(byte)) {
        text.extend_from_slice(cell);
        return;
    }
    text.push(b'"');
    for &byte in cell {
        text.extend_from_slice(if byte == b'"' {
            b"\"\""
        } else {
            std::slice::from_ref(&byte)
        });
    }
    text.push(b'"');
}

/// A column, and the cells of the rows at hand.
struct Column {
    name: String,
    /// Among all columns of the file.
    place: usize,
    described: ColumnDescPtr,
    meaning: Meaning,
    /// The definition level of a value that is there.
    defined: i16,
    /// Of a list the definition levels from which on it has an element, from the outermost.
    lists: Vec<i16>,
    reader: Option<ColumnReader>,
    cells: Vec<u8>,
    /// Where each cell ends.
    ends: Vec<usize>,
}

impl Column {
    fn new(place: usize, schema: &SchemaDescriptor) -> Self {
        let described = schema.column(place);
        let (name, lists) = lists(schema.get_column_root(place), described.path().parts());
        Self {
            name,
            lists,
            place,
            meaning: Meaning::of(&described),
            defined: described.max_def_level(),
            described,
            reader: None,
            cells: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn cell(&self, row: usize) -> &[u8] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.cells[start..self.ends[row]]
    }

    fn blame(&self, error: &dyn std::fmt::Display) -> String {
        format!("column `{}`: {error}", self.name)
    }

    /// Reads the cells of this many rows.
    fn decode(&mut self, rows: usize) -> Result<(), String> {
        self.cells.clear();
        self.ends.clear();
        let (meaning, cells) = (
            &self.meaning,
            &mut Cells {
                text: &mut self.cells,
                ends: &mut self.ends,
                defined: self.defined,
                lists: &self.lists,
            },
        );
        let read = match &mut self.reader {
            None => Ok(()),
            Some(ColumnReader::BoolColumnReader(reader)) => {
                cells.read(reader, rows, |value, text| write_value(text, value))
            }
            Some(ColumnReader::Int32ColumnReader(reader)) => {
                cells.read(reader, rows, |value, text| meaning.int32(*value, text))
            }
            Some(ColumnReader::Int64ColumnReader(reader)) => {
                cells.read(reader, rows, |value, text| meaning.int64(*value, text))
            }
            Some(ColumnReader::Int96ColumnReader(reader)) => {
                cells.read(reader, rows, |value, text| write_int96(text, value))
            }
            Some(ColumnReader::FloatColumnReader(reader)) => cells.read(reader, rows, |value, text| {
                write_number(text, value, (*value).into());
            }),
            Some(ColumnReader::DoubleColumnReader(reader)) => {
                cells.read(reader, rows, |value, text| write_number(text, value, *value))
            }
            Some(ColumnReader::ByteArrayColumnReader(reader)) => {
                cells.read(reader, rows, |value, text| meaning.bytes(value.data(), text))
            }
            Some(ColumnReader::FixedLenByteArrayColumnReader(reader)) => {
                cells.read(reader, rows, |value, text| meaning.bytes(value.data(), text))
            }
        };
        read.map_err(|what| self.blame(&what))
    }
}

/// Where cells are written.
struct Cells<'a> {
    text: &'a mut Vec<u8>,
    ends: &'a mut Vec<usize>,
    defined: i16,
    lists: &'a [i16],
}

impl Cells<'_> {
    /// Reads as many values as there are rows; a null is an empty cell.
    fn read<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        rows: usize,
        write: impl Fn(&T::T, &mut Vec<u8>),
    ) -> Result<(), String> {
        let (mut levels, mut repeated, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let is_list = !self.lists.is_empty();
        let of_lists = is_list.then_some(&mut repeated);
        let read = reader.read_records(rows, Some(&mut levels), of_lists, &mut values);
        let (found, ..) = read.map_err(|error| error.to_string())?;
        if found != rows {
            return Err(format!(
                "it has {found} more values, and the row group {rows} more rows"
            ));
        }
        if is_list {
            let texts = values.iter().map(|value| {
                let mut text = Vec::new();
                write(value, &mut text);
                String::from_utf8_lossy(&text).into_owned()
            });
            return self.write_lists(levels.iter().zip(&repeated), texts);
        }
        let mut values = values.iter();
        for row in 0..rows {
            let is_null = self.defined > 0 && levels.get(row) != Some(&self.defined);
            if !is_null {
                write(values.next().ok_or("it lacks a value")?, self.text);
            }
            self.ends.push(self.text.len());
        }
        Ok(())
    }
}

impl Cells<'_> {
    /// Writes a list for each row, by the definition and repetition level of each element (Melnik et al., "Dremel", 2010).
    fn write_lists<'l>(
        &mut self,
        levels: impl Iterator<Item = (&'l i16, &'l i16)>,
        mut texts: impl Iterator<Item = String>,
    ) -> Result<(), String> {
        let mut rows: Vec<Vec<Value>> = Vec::new();
        for (&defined, &repeated) in levels {
            if repeated == 0 {
                rows.push(Vec::new());
            }
            let row = rows.last_mut().ok_or("a list begins in its middle")?;
            let depth = self.lists.iter().filter(|level| **level <= defined).count();
            let mut list = row;
            for level in 1..depth {
                if level >= usize::from(repeated.cast_unsigned()) || list.is_empty() {
                    list.push(Value::Array(Vec::new()));
                }
                let Some(Value::Array(inner)) = list.last_mut() else {
                    return Err("a list within a list is none".to_owned());
                };
                list = inner;
            }
            if depth == self.lists.len() && defined == self.defined {
                list.push(texts.next().ok_or("it lacks a value")?.into());
            } else if depth == self.lists.len() {
                list.push(Value::Null);
            } else if (1..self.lists.len()).contains(&depth) {
                list.push(Value::Array(Vec::new()));
            }
        }
        for row in rows {
            if !row.is_empty() {
                self.text
                    .extend_from_slice(Value::Array(row).to_string().as_bytes());
            }
            self.ends.push(self.text.len());
        }
        Ok(())
    }
}

/// The name of a column, and of a list the definition levels from which on it has an element, from the outermost.
fn lists(root: &Type, path: &[String]) -> (String, Vec<i16>) {
    let (mut levels, mut defined, mut named) = (Vec::new(), 0, path.len());
    let mut node = Some(root);
    for place in 0..path.len() {
        let Some(at) = node else { break };
        let info = at.get_basic_info();
        let repetition = info.has_repetition().then(|| info.repetition());
        defined += i16::from(matches!(
            repetition,
            Some(Repetition::OPTIONAL | Repetition::REPEATED)
        ));
        if repetition == Some(Repetition::REPEATED) {
            named = named.min(place.max(1));
            levels.push(defined);
        }
        let next = path.get(place + 1);
        node = next.and_then(|next| {
            let fields = at.is_group().then(|| at.get_fields())?;
            fields
                .iter()
                .find(|field| field.name() == next)
                .map(|field| &**field)
        });
    }
    (path[..named].join("."), levels)
}

/// What a damaged file makes of decoding is an error.
fn guarded<T>(decode: impl FnOnce() -> Result<T, String>) -> io::Result<T> {
    quietly(decode).map_err(|what| unreadable(&what))
}

fn unreadable(what: &str) -> io::Error {
    let what =
        format!("cannot be read as Parquet ({what}); if it is damaged or incomplete, copy or write it again");
    io::Error::other(Damaged::new(what))
}
