//! Lines of words and numbers, each with its place for complaints.

use std::str::FromStr;

use crate::failure::shown;
use matchwright_import::number::{ROUNDED, is_rounded};
use matchwright_import::text::lines;

/// A column, from 1, and what is wrong there.
pub(super) type Fault = (u64, String);

/// The lines that say something, with their numbers from 1: neither blank nor beginning with `#`.
pub(super) fn content(text: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    lines(text).filter(|(_, line)| !line.trim_ascii_start().starts_with(b"#"))
}

/// A word and its column, from 1.
pub(super) struct Word<'a> {
    column: u64,
    bytes: &'a [u8],
}

impl Word<'_> {
    /// The word as a vertex.
    pub(super) fn vertex(&self) -> Result<usize, Fault> {
        self.parse()
            .ok_or_else(|| self.refuse("is no vertex; vertices count from 0"))
    }

    /// The word as a number of things.
    pub(super) fn amount(&self, what: &str) -> Result<u64, Fault> {
        self.parse().ok_or_else(|| self.refuse(&format!("is no {what}")))
    }

    /// The word as a number that `is_allowed`.
    pub(super) fn number(&self, is_allowed: impl Fn(f64) -> bool) -> Result<f64, Fault> {
        let number = self.parse().filter(|number| is_allowed(*number));
        let number = number.ok_or_else(|| self.refuse("is no finite number"))?;
        match std::str::from_utf8(self.bytes) {
            Ok(text) if is_rounded(text, number) => Err(self.refuse(&format!("is no weight: {ROUNDED}"))),
            _ => Ok(number),
        }
    }

    fn parse<T: FromStr>(&self) -> Option<T> {
        std::str::from_utf8(self.bytes).ok()?.parse().ok()
    }

    fn refuse(&self, what: &str) -> Fault {
        let word = shown(&String::from_utf8_lossy(self.bytes));
        (self.column, format!("`{word}` {what}"))
    }
}

/// The words of a line, which are `names`; `form` is what the line should be.
pub(super) fn words<'a, const N: usize>(
    line: &'a [u8],
    names: [&str; N],
    form: &str,
) -> Result<[Word<'a>; N], Fault> {
    let mut column = 1;
    let word = |bytes: &'a [u8]| {
        let word = Word { column, bytes };
        column += bytes.len() as u64 + 1;
        word
    };
    let all = line.split(u8::is_ascii_whitespace).map(word);
    let all: Vec<Word<'_>> = all.filter(|word| !word.bytes.is_empty()).collect();
    all.try_into().map_err(|all: Vec<Word<'_>>| {
        if let Some(word) = all.get(N) {
            return word.refuse(&format!("is too much; {form}"));
        }
        let end = line.trim_ascii_end().len() as u64 + 1;
        (end, format!("no {}; {form}", names[all.len()]))
    })
}
