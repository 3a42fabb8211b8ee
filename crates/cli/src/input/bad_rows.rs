//! Rows that cannot be used: an error, or dropped and counted under `--skip-bad`.

use super::rows::RowError;
use super::source::InputName;
use crate::failure::Failure;

/// What becomes of the bad rows of a file.
pub(super) struct BadRows {
    name: InputName,
    skip: bool,
    skipped: u64,
    /// The first by its line, however late it was found.
    first: Option<(u64, String)>,
}

impl BadRows {
    /// Of the file of this name; `skip`: they are dropped.
    pub(super) fn new(name: InputName, skip: bool) -> Self {
        Self {
            name,
            skip,
            skipped: 0,
            first: None,
        }
    }

    /// Counts a bad row, or stops at it.
    pub(super) fn take(&mut self, mut error: RowError) -> Result<(), Failure> {
        // Where the file itself breaks off, how much is lost is unknown: that is never skipped.
        if !error.fatal && !self.skip {
            error.fault.1 += " (use --skip-bad to drop such rows)";
        }
        let stops = error.fatal || !self.skip;
        let line = error.line;
        let complaint = self.name.in_row(error);
        if stops {
            return Err(complaint);
        }
        self.skipped += 1;
        if self.first.as_ref().is_none_or(|first| line < first.0) {
            self.first = Some((line, complaint.to_string()));
        }
        Ok(())
    }

    /// A fault after which nothing of the file can be used.
    pub(super) fn refuse_row(&self, error: RowError) -> Failure {
        self.name.in_row(error)
    }

    /// How many were dropped.
    pub(super) const fn skipped(&self) -> u64 {
        self.skipped
    }

    /// What the user should hear of them.
    pub(super) fn note(&self) -> Option<String> {
        let (skipped, (_, first)) = (self.skipped, self.first.as_ref()?);
        let rows = if skipped == 1 { "row" } else { "rows" };
        Some(format!("skipped {skipped} {rows}; the first: {first}"))
    }

    /// What is wrong with a file in which nothing else is.
    pub(super) fn refuse_all(&self, what: &str) -> Failure {
        let note = self.note().map_or_else(String::new, |note| format!(" ({note})"));
        self.name.refuse(format!("{what}{note}"))
    }
}
