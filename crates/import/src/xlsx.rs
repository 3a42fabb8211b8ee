//! A sheet of an Excel workbook as the CSV that it stands for, a line for each row.

use std::io::{self, Cursor, Read};

use calamine::{DataRef, ExcelDateTime, Reader, SheetVisible, Xlsx};
use zip::ZipArchive;

use crate::error::Damaged;
use crate::limits::{TIMES, UNPACKED, check_columns, check_unpacked, refusal};
use crate::quietly::quietly;
use crate::text::{listed, shown};

/// The text of the first sheet that is a table, with two rows of two columns or more; else of the first with anything in it.
pub(crate) fn xlsx_text(file: Vec<u8>, notes: &mut Vec<String>) -> io::Result<Vec<u8>> {
    check_archive(&file)?;
    let most = UNPACKED.saturating_add(TIMES.saturating_mul(file.len() as u64));
    let read = quietly(|| {
        let fault = |error: calamine::XlsxError| error.to_string();
        let mut book = Xlsx::new(Cursor::new(file)).map_err(fault)?;
        let sheets = book.sheets_metadata().iter();
        let shown = sheets.filter(|sheet| sheet.visible == SheetVisible::Visible);
        let names: Vec<String> = shown.map(|sheet| sheet.name.clone()).collect();
        let mut first = None;
        for name in &names {
            let mut sheet = Sheet::new(most);
            let mut cells = book.worksheet_cells_reader(name).map_err(fault)?;
            while let Some(cell) = cells.next_cell().map_err(fault)? {
                let (row, column) = cell.get_position();
                if !sheet.add((row, column), &written(cell.get_value())) {
                    return Ok(Err(sheet.fault));
                }
            }
            if !sheet.has_rows() {
                continue;
            }
            let text = sheet.end();
            let is_table = text.lines().filter(|line| line.contains("\",")).nth(1).is_some();
            if is_table {
                return Ok(Ok((text, name.clone(), names)));
            }
            first.get_or_insert((text, name.clone()));
        }
        let first = first.map(|(text, name)| (text, name, names));
        Ok(first.ok_or_else(|| "no sheet of it has any rows".to_owned()))
    });
    let (text, name, names) = read.map_err(|what| unreadable(&what))?.map_err(refusal)?;
    let others = listed(
        names
            .into_iter()
            .filter(|other| *other != name)
            .map(|other| format!("`{}`", shown(&other))),
    );
    let others = others.map_or_else(String::new, |others| format!("; not read: {others}"));
    notes.push(format!("read from the sheet `{}`{others}", shown(&name)));
    Ok(text.into_bytes())
}

/// Refuses what is no workbook, or unpacks to too much: its names and sizes may lie.
fn check_archive(file: &[u8]) -> io::Result<()> {
    let told = |error: zip::result::ZipError| unreadable(&error.to_string());
    let mut archive = quietly(|| Ok(ZipArchive::new(Cursor::new(file))))
        .map_err(|what| unreadable(&what))?
        .map_err(told)?;
    if archive.index_for_name("xl/workbook.xml").is_none() {
        let what = "it is a zip archive and no Excel workbook; unpack it and give the file that is in it";
        return Err(io::Error::other(Damaged::new(what.to_owned())));
    }
    let (mut unpacked, mut chunk) = (0, vec![0; 1 << 16]);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(told)?;
        loop {
            let count = entry
                .read(&mut chunk)
                .map_err(|error| unreadable(&error.to_string()))?;
            if count == 0 {
                break;
            }
            unpacked += count as u64;
            check_unpacked(unpacked, file.len() as u64)?;
        }
    }
    Ok(())
}

/// The text of a sheet so far.
struct Sheet {
    text: String,
    most: u64,
    /// Of the next cell.
    row: u32,
    column: u32,
    /// The most of a row so far.
    columns: Option<u32>,
    fault: String,
}

impl Sheet {
    const fn new(most: u64) -> Self {
        Self {
            text: String::new(),
            most,
            row: 0,
            column: 0,
            columns: None,
            fault: String::new(),
        }
    }

    /// Puts a cell behind the others; false where it can hold no more.
    fn add(&mut self, (row, column): (u32, u32), value: &str) -> bool {
        if value.is_empty() {
            return true;
        }
        if let Err((_, what)) = check_columns(column as usize + 1) {
            self.fault = what;
            return false;
        }
        while self.row < row {
            self.end_row();
        }
        while self.column < column {
            self.text.push(',');
            self.column += 1;
        }
        self.text.push('"');
        for c in value.chars() {
            match c {
                '"' => self.text.push_str("\"\""),
                // A row of the sheet is a line.
                '\n' | '\r' => self.text.push(' '),
                c => self.text.push(c),
            }
        }
        self.text.push('"');
        if self.text.len() as u64 > self.most {
            "it unpacks to more than any sound workbook; if that is right, save it as CSV"
                .clone_into(&mut self.fault);
        }
        self.fault.is_empty()
    }

    /// Ends a row with as many cells as those before have.
    fn end_row(&mut self) {
        let is_empty = self.text.ends_with('\n') || self.text.is_empty();
        if !is_empty {
            // Below a title the header has more.
            let columns = self.columns.unwrap_or_default().max(self.column);
            self.columns = Some(columns);
            while self.column < columns {
                self.text.push(',');
                self.column += 1;
            }
        }
        self.text.push('\n');
        self.row += 1;
        self.column = 0;
    }

    fn has_rows(&self) -> bool {
        !self.text.trim().is_empty()
    }

    fn end(mut self) -> String {
        self.end_row();
        self.text
    }
}

/// A value as text.
fn written(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(is_true) => is_true.to_string(),
        DataRef::DateTime(time) => time_of(*time),
        DataRef::Error(error) => error.to_string(),
        DataRef::Empty => String::new(),
    }
}

/// A date, a time of day, or both.
fn time_of(time: ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let days = time.as_f64();
    let (has_date, has_clock) = (
        days >= 1.0 && !time.is_duration(),
        days.fract() != 0.0 || days < 1.0,
    );
    let date = has_date.then(|| format!("{year:04}-{month:02}-{day:02}"));
    let fraction = if milli > 0 {
        format!(".{milli:03}")
    } else {
        String::new()
    };
    let clock = has_clock.then(|| format!("{hour:02}:{minute:02}:{second:02}{fraction}"));
    let both: Vec<String> = date.into_iter().chain(clock).collect();
    both.join("T")
}

fn unreadable(what: &str) -> io::Error {
    let what =
        format!("cannot be read as an Excel workbook ({what}); if it is damaged, save it again, or as CSV");
    io::Error::other(Damaged::new(what))
}
