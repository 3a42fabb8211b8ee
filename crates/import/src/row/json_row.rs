//! One object of JSON as it stands in its file, and where its faults are.

use crate::error::{Fault, RowError};

/// One object's text, in which line breaks are blanks.
#[derive(Clone)]
pub(crate) struct JsonRow {
    pub(crate) text: Vec<u8>,
    /// Where it begins, from 1.
    pub(crate) line: u64,
    pub(super) column: u64,
    /// Where lines ended in the text.
    pub(super) breaks: Vec<usize>,
}

impl JsonRow {
    /// Of a text with these breaks.
    pub(crate) const fn of(text: Vec<u8>, line: u64, breaks: Vec<usize>) -> Self {
        Self {
            text,
            line,
            column: 1,
            breaks,
        }
    }

    pub(crate) const fn is_in_one_line(&self) -> bool {
        self.breaks.is_empty()
    }

    /// A fault in the text, whose column counts from its beginning, at its line and column of the file.
    pub(crate) fn fault(&self, (column, what): Fault) -> RowError {
        let offset = usize::try_from(column - 1).unwrap_or(usize::MAX);
        let before = self.breaks.partition_point(|&end| end < offset);
        let column = match before.checked_sub(1) {
            Some(last) => (offset - self.breaks[last]) as u64,
            None => self.column + column - 1,
        };
        RowError::new(self.line + before as u64, (column, what))
    }
}
