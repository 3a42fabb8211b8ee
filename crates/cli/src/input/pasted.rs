//! Tables that people paste, with what their manifests should say.

use std::ops::Deref;
use std::path::Path;

use matchwright_import::TableColumns;
use matchwright_report::FileRecord;

use super::source::{InputName, Source};
use crate::failure::{Failure, tell};

/// A table with a line of names.
pub(crate) struct PastedTable {
    pub(crate) name: InputName,
    pub(crate) facts: FileRecord,
    table: matchwright_import::PastedTable,
}

impl Deref for PastedTable {
    type Target = matchwright_import::PastedTable;

    fn deref(&self) -> &Self::Target {
        &self.table
    }
}

impl PastedTable {
    /// Reads a file or standard input, and says how its columns were taken.
    pub(crate) fn read(path: &Path, columns: &TableColumns) -> Result<Self, Failure> {
        Self::of(Source::open(path)?, columns)
    }

    pub(super) fn of(source: Source, columns: &TableColumns) -> Result<Self, Failure> {
        let table = matchwright_import::PastedTable::of(&source.read, columns)?;
        for note in table.notes() {
            tell(&format!("{}: {note}", source.name));
        }
        Ok(Self {
            name: source.name,
            facts: source.facts,
            table,
        })
    }

    /// Says which columns nothing looks at, once all that are wanted were looked up.
    pub(crate) fn tell_unused(&self) {
        if let Some(note) = self.unused_note() {
            tell(&format!("{}: {note}", self.name));
        }
    }
}
