//! Options of reading as a small document, which is written once and used again.

use std::path::Path;

use matchwright_import::{Columns, DateOrder, Report, TimeFormat, TimeUnit, is_encoding};
use serde::{Deserialize, Serialize};

use super::document::Document;
use super::source::set_encoding;
use crate::arguments::{DecimalSign, Forfeits, ReadingOptions};
use crate::failure::Failure;
use crate::output::to_toml;

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// What `--reading` takes: options by their names on the command line.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct ReadingDocument {
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_order: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forfeits: Option<Forfeits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sides: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decimal: Option<DecimalSign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    skip_bad: bool,
    #[serde(skip_serializing_if = "is_false")]
    names_as_written: bool,
    #[serde(skip_serializing_if = "is_false")]
    sort: bool,
    #[serde(skip_serializing_if = "is_false")]
    keep_repeats: bool,
}

impl ReadingDocument {
    /// Of options as they were given, and of what all values of the file have told beside them: the next file may not.
    /// `since` and `until` belong to one file, and are not kept.
    pub(crate) fn of(options: &ReadingOptions, found: &Report, encoding: Option<&str>) -> Self {
        let order = options.date_order.or(found.date_order);
        let comma = found.decimal_comma.map(|is_comma| {
            if is_comma {
                DecimalSign::Comma
            } else {
                DecimalSign::Point
            }
        });
        Self {
            columns: Some(options.columns.shown()).filter(|columns| !columns.is_empty()),
            header: options.header.clone(),
            time_unit: options.time_unit.map(|unit| unit.name().to_owned()),
            time_format: options.time_format.as_ref().map(ToString::to_string),
            date_order: order.map(|order| order.name().to_owned()),
            forfeits: options.forfeits,
            sides: options.sides.clone(),
            decimal: options.decimal.or(comma),
            encoding: encoding.map(str::to_owned),
            skip_bad: options.skip_bad,
            names_as_written: options.names.as_written,
            sort: options.sort,
            keep_repeats: options.keep_repeats,
        }
    }

    pub(crate) fn to_toml(&self) -> Result<String, Failure> {
        let text = to_toml(self)?;
        Ok(format!(
            "# How files of matches are read, for --reading.\n\n{text}"
        ))
    }
}

impl ReadingOptions {
    /// Takes up what the document of `--reading` says, as far as nothing beside it does.
    pub(crate) fn load(&mut self) -> Result<(), Failure> {
        match self.reading.clone() {
            None => Ok(()),
            Some(path) => self.load_from(&path),
        }
    }

    fn load_from(&mut self, path: &Path) -> Result<(), Failure> {
        let document = Document::<ReadingDocument>::read(path)?;
        document.check(|document| self.take_up(document)).map(drop)
    }

    fn take_up(&mut self, document: ReadingDocument) -> Result<(), String> {
        let refuse = |key: &str, what: String| format!("`{key}`: {what}");
        if let Some(columns) = document.columns.filter(|_| self.columns == Columns::default()) {
            self.columns = Columns::parse(&columns).map_err(|what| refuse("columns", what))?;
        }
        self.header = self.header.take().or(document.header);
        if document.time_unit.is_some() && document.time_format.is_some() {
            return Err(refuse("time-format", "it goes with no `time-unit`".to_owned()));
        }
        let times_are_told = self.time_unit.is_some() || self.time_format.is_some();
        if let Some(name) = document.time_unit.filter(|_| !times_are_told) {
            let known = TimeUnit::ALL.into_iter().find(|(known, ..)| *known == name);
            let known = known.ok_or_else(|| refuse("time-unit", format!("there is no unit `{name}`")))?;
            self.time_unit = Some(known.2);
        }
        if let Some(format) = document.time_format.filter(|_| !times_are_told) {
            self.time_format = Some(TimeFormat::parse(&format).map_err(|what| refuse("time-format", what))?);
        }
        if let Some(name) = document
            .date_order
            .filter(|_| self.date_order.is_none() && self.time_format.is_none())
        {
            let known = DateOrder::ALL.into_iter().find(|(known, ..)| *known == name);
            let known = known
                .ok_or_else(|| refuse("date-order", format!("`{name}` is none of day, month and year")))?;
            self.date_order = Some(known.2);
        }
        self.forfeits = self.forfeits.or(document.forfeits);
        self.decimal = self.decimal.or(document.decimal);
        self.sides = self.sides.take().or(document.sides);
        if let Some(name) = document.encoding {
            if !is_encoding(&name) {
                return Err(refuse("encoding", format!("no encoding is called `{name}`")));
            }
            set_encoding(&name);
        }
        self.skip_bad |= document.skip_bad;
        self.names.as_written |= document.names_as_written;
        self.sort |= document.sort;
        self.keep_repeats |= document.keep_repeats;
        Ok(())
    }
}
