//! Lines of words and numbers, each with its place for complaints.

use std::io::Read;

use crate::failure::{Failure, shown};
use crate::input::Source;

/// What some editors put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Line and column, from 1, and what is wrong there.
pub(super) type Complaint = (u64, u64, String);

/// A whole file.
pub(super) struct Text {
    name: String,
    bytes: Vec<u8>,
}

impl Text {
    pub(super) fn read(source: &mut Source) -> Result<Self, Failure> {
        let mut text = Self {
            name: source.name.clone(),
            bytes: Vec::new(),
        };
        let read = source.reader.read_to_end(&mut text.bytes);
        if text.bytes.starts_with(BYTE_ORDER_MARK) {
            text.bytes.drain(..BYTE_ORDER_MARK.len());
        }
        match read {
            Ok(_) => Ok(text),
            Err(error) => {
                let line = text.bytes.split(|byte| *byte == b'\n').count() as u64;
                let what = format!(
                    "reading failed: {error}; the file was damaged or cut off: copy or download it again"
                );
                Err(text.complain((line, 1, what)))
            }
        }
    }

    /// The lines that say something: neither blank nor beginning with `#`.
    pub(super) fn lines(&self) -> Lines<'_> {
        Lines {
            rest: &self.bytes,
            line: 0,
        }
    }

    /// The number of bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn complain(&self, (line, column, what): Complaint) -> Failure {
        Failure::Failed(format!("{}:{line}:{column}: {what}", self.name))
    }
}

/// Lines with their numbers.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// The number of the line that came last, from 1.
    pub(super) line: u64,
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|byte| *byte == b'\n');
            let (line, rest) = self.rest.split_at(end.map_or(self.rest.len(), |end| end + 1));
            self.rest = rest;
            self.line += 1;
            let start = line.trim_ascii_start();
            if !start.is_empty() && start[0] != b'#' {
                return Some(line);
            }
        }
        None
    }
}

/// Words of a line with their columns, from 1.
pub(super) struct Words<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a [u8]) -> Self {
        Self { line, at: 0 }
    }

    /// The next word as a number that `is_allowed`; `form` is what the line should be.
    pub(super) fn number(
        &mut self,
        what: &str,
        form: &str,
        is_allowed: impl Fn(f64) -> bool,
    ) -> Result<f64, (u64, String)> {
        let (column, word) = self.word(what, form)?;
        number::<f64>(word)
            .filter(|number| is_allowed(*number))
            .ok_or_else(|| (column, format!("{what} `{}` is no finite number", show(word))))
    }

    /// The next word as a vertex.
    pub(super) fn vertex(&mut self, what: &str, form: &str) -> Result<usize, (u64, String)> {
        let (column, word) = self.word(what, form)?;
        number(word).ok_or_else(|| {
            (
                column,
                format!("`{}` is no vertex; vertices count from 0", show(word)),
            )
        })
    }

    /// The next word as a number of things.
    pub(super) fn amount(&mut self, what: &str, form: &str) -> Result<u64, (u64, String)> {
        let (column, word) = self.word(&format!("number of {what}"), form)?;
        number(word).ok_or_else(|| (column, format!("`{}` is no number of {what}", show(word))))
    }

    /// That no word follows.
    pub(super) fn end(&mut self, form: &str) -> Result<(), (u64, String)> {
        match self.next() {
            Some((column, word)) => Err((column, format!("`{}` is too much; {form}", show(word)))),
            None => Ok(()),
        }
    }

    fn word(&mut self, what: &str, form: &str) -> Result<(u64, &'a [u8]), (u64, String)> {
        let missing = || {
            (
                self.line.trim_ascii_end().len() as u64 + 1,
                format!("no {what}; {form}"),
            )
        };
        self.next().ok_or_else(missing)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = (u64, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.line[self.at..];
        let start = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let length = rest[start..].iter().position(u8::is_ascii_whitespace);
        let end = length.map_or(rest.len(), |length| start + length);
        let column = (self.at + start) as u64 + 1;
        self.at += end;
        Some((column, &rest[start..end]))
    }
}

fn number<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

fn show(word: &[u8]) -> String {
    shown(&String::from_utf8_lossy(word))
}
