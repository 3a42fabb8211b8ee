//! Lines and UTF-8 of a text.

use std::io::{BufRead, ErrorKind};
use std::ops::Range;

use memchr::memchr2;

use crate::error::{Fault, RowError};
use crate::input::{Text, broken_off};
use crate::text::shown;

/// The lines of a text, one at a time, which end in LF, CR LF or CR.
pub(crate) struct Lines<'a> {
    text: Box<dyn BufRead + 'a>,
    /// What was read and is not done with.
    chunk: Vec<u8>,
    /// Where the line at hand stands in the chunk.
    place: Range<usize>,
    /// Its number, from 1.
    pub(crate) number: u64,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: Text<'a>) -> Self {
        Self {
            text: text.reader,
            chunk: Vec::new(),
            place: 0..0,
            number: 0,
        }
    }

    /// The line at hand with what ends it; empty before the first and after the last.
    pub(crate) fn line(&self) -> &[u8] {
        &self.chunk[self.place.clone()]
    }

    /// A line that was at hand since the text was last read on.
    pub(crate) fn line_at(&self, place: Range<usize>) -> &[u8] {
        &self.chunk[place]
    }

    /// Where the line at hand stands, for [`line_at`](Self::line_at).
    pub(crate) fn place(&self) -> Range<usize> {
        self.place.clone()
    }

    /// Goes to the next line; false at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, RowError> {
        let mut start = self.place.end;
        let mut searched = start;
        loop {
            let until = match self.end_of_line(searched) {
                Ok(end) => {
                    self.place = start..end;
                    break;
                }
                Err(until) => until,
            };
            searched = until - start;
            self.chunk.drain(..start);
            (start, self.place) = (0, 0..0);
            let more = read_more(&mut *self.text, &mut self.chunk);
            if !more.map_err(|error| broken_off_at(self.number + 1, &error))? {
                self.place = 0..self.chunk.len();
                break;
            }
        }
        self.number += u64::from(!self.place.is_empty());
        Ok(!self.place.is_empty())
    }

    /// Goes to the next line if the text need not be read on for it.
    pub(crate) fn advance_unread(&mut self) -> bool {
        let start = self.place.end;
        let end = self.end_of_line(start);
        if let Ok(end) = end {
            self.place = start..end;
            self.number += 1;
        }
        end.is_ok()
    }

    /// Where the line ends whose end is at `from` or later; else up to where there is none.
    fn end_of_line(&self, from: usize) -> Result<usize, usize> {
        let Some(at) = memchr2(b'\n', b'\r', &self.chunk[from..]) else {
            return Err(self.chunk.len());
        };
        let at = from + at;
        match (self.chunk[at], self.chunk.get(at + 1)) {
            (b'\n', _) => Ok(at + 1),
            (_, Some(b'\n')) => Ok(at + 2),
            (_, Some(_)) => Ok(at + 1),
            // The next byte may be a LF.
            (_, None) => Err(at),
        }
    }
}

/// Takes up what a reader has at hand; false at its end.
fn read_more(text: &mut dyn BufRead, chunk: &mut Vec<u8>) -> std::io::Result<bool> {
    loop {
        match text.fill_buf() {
            Ok(more) => {
                chunk.extend_from_slice(more);
                let count = more.len();
                text.consume(count);
                return Ok(count > 0);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// An input that cannot be read on from a line.
pub(crate) fn broken_off_at(line: u64, error: &std::io::Error) -> RowError {
    RowError::fatal(line, broken_off(error))
}

/// The bytes as text, or where they are none, from 1.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| {
        let text = shown(&String::from_utf8_lossy(bytes));
        let what = format!("`{text}` is not UTF-8; say what it is, for example --encoding latin1 (western), windows-1250 (central) or windows-1251 (Cyrillic)");
        (error.valid_up_to() as u64 + 1, what)
    })
}

/// A first `{` means JSON lines, a first `[` a JSON array, anything else CSV.
pub(crate) fn is_json(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start(), [b'{' | b'[', ..])
}
