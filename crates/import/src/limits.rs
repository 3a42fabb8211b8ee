//! How much of a file is taken in at once, so that a small file, or one without an end, cannot take all memory.

use std::cell::Cell;
use std::error::Error;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use memchr::{memchr2, memrchr2};

use crate::error::Fault;

/// Bytes of a row, and of a cell, unless `--max-row` says otherwise.
pub(crate) const ROW: usize = 8 << 20;
/// Columns of a table, and keys of a row of JSON.
const COLUMNS: usize = 2048;
/// Bytes that are read at a time, up to which no row is too long.
pub(crate) const CHUNK: usize = 1 << 16;
/// Bytes that any packed file may unpack to.
pub(crate) const UNPACKED: u64 = 64 << 20;
/// This many more for each byte of the packed file.
pub(crate) const TIMES: u64 = 200;

/// What is wrong with a longer row.
pub(crate) fn too_long(longest_row: usize) -> String {
    format!(
        "the row is longer than {}; if that is right, --max-row with a greater size reads it",
        size(longest_row as u64)
    )
}

/// Refuses more columns, or keys, than rows may have.
pub(crate) fn check_columns(count: usize) -> Result<(), Fault> {
    if count <= COLUMNS {
        return Ok(());
    }
    let what = format!(
        "there are {count} columns or keys, and no more than {COLUMNS} are read: leave out what is not needed"
    );
    Err((COLUMNS as u64 + 1, what))
}

/// Whether this many bytes may come out of a packed file of which `stored` bytes were read.
pub(crate) fn check_unpacked(bytes: u64, stored: u64) -> io::Result<()> {
    if bytes <= UNPACKED.saturating_add(TIMES.saturating_mul(stored)) {
        return Ok(());
    }
    let what = format!(
        "it unpacks to more than {TIMES} times its size and {}; if that is right, unpack it with another program first (Parquet: write it as CSV)",
        size(UNPACKED)
    );
    Err(refusal(what))
}

/// What breaks a limit, of an input that may be sound.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Beyond(String);

/// Whether an error is that a limit was broken.
pub(crate) fn is_beyond(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(<dyn Error + Send + Sync>::is::<Beyond>)
}

pub(crate) fn refusal(what: String) -> io::Error {
    io::Error::other(Beyond(what))
}

/// `8 MiB`, `1000 bytes`.
#[must_use]
pub fn size(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let whole = units
        .into_iter()
        .find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit));
    whole.map_or_else(
        || format!("{bytes} bytes"),
        |(unit, name)| format!("{} {name}", bytes / unit),
    )
}

/// Reads a size as people write it: `64MiB`, `1 GB`, `100000`.
///
/// # Errors
/// What is wrong with it, in words; a row may not be shorter than 64 KiB.
pub fn read_size(text: &str) -> Result<usize, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit: Option<usize> = match &*unit.trim().to_ascii_lowercase() {
        "" | "b" => Some(1),
        "k" | "kib" => Some(1 << 10),
        "kb" => Some(1000),
        "m" | "mib" => Some(1 << 20),
        "mb" => Some(1_000_000),
        "g" | "gib" => Some(1 << 30),
        "gb" => Some(1_000_000_000),
        _ => None,
    };
    let bytes =
        (number.parse().ok().zip(unit)).and_then(|(number, unit): (usize, _)| number.checked_mul(unit));
    // Half of what can be addressed at most, so that sums of two do not overflow.
    let bytes = bytes.filter(|bytes| (CHUNK..=usize::MAX / 2).contains(bytes));
    bytes.ok_or_else(|| format!("give a size of {} or more, such as 64MiB", size(CHUNK as u64)))
}

/// How many bytes were read, as stored.
pub(crate) type Stored = Rc<Cell<u64>>;

/// What is read of an input, up to where it breaks a limit.
pub(crate) struct Limited<R> {
    text: R,
    /// The packed input; none of a plain one.
    packed: Option<Stored>,
    /// Whether its lines are rows: not those of an array or of what is no text, whose readers count by themselves.
    has_lines: bool,
    longest_row: usize,
    given: u64,
    /// Since the last line ended.
    line: usize,
    /// How much of what is at hand was looked at and not taken.
    looked_at: usize,
    /// A limit was broken: nothing more is read.
    is_over: bool,
}

impl<R: BufRead> Limited<R> {
    pub(crate) fn new(text: R, packed: Option<Stored>, (has_lines, longest_row): (bool, usize)) -> Self {
        Self {
            text,
            packed,
            has_lines,
            longest_row,
            given: 0,
            line: 0,
            looked_at: 0,
            is_over: false,
        }
    }
}

impl<R: BufRead> BufRead for Limited<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.is_over {
            return Ok(&[]);
        }
        let text = self.text.fill_buf()?;
        if self.looked_at > 0 || text.is_empty() {
            return Ok(text);
        }
        self.looked_at = text.len();
        self.given += text.len() as u64;
        let stored = self.packed.as_ref().map(|stored| stored.get());
        let mut checked = stored.map_or(Ok(()), |stored| check_unpacked(self.given, stored));
        if self.has_lines {
            let first = memchr2(b'\n', b'\r', text).unwrap_or(text.len());
            if self.line.saturating_add(first) > self.longest_row {
                checked = Err(refusal(too_long(self.longest_row)));
            }
            self.line = match memrchr2(b'\n', b'\r', text) {
                Some(last) => text.len() - last - 1,
                None => self.line + text.len(),
            };
        }
        self.is_over = checked.is_err();
        checked.map(|()| text)
    }

    fn consume(&mut self, count: usize) {
        self.looked_at = self.looked_at.saturating_sub(count);
        self.text.consume(count);
    }
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("64MiB", 64 << 20),
            ("64 mib", 64 << 20),
            ("1GB", 1_000_000_000),
            ("65536", 65_536),
            ("64k", 65_536),
        ] {
            assert_eq!(read_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "MiB", "-1MiB", "1.5MiB", "65535", "64XB", "99999999999GiB"] {
            assert!(read_size(text).is_err(), "{text}");
        }
        assert_eq!([size(ROW as u64), size(1_000)], ["8 MiB", "1000 bytes"]);
    }

    /// How much is read of a text that comes in pieces, and whether all.
    fn read(text: &[u8], piece: usize) -> (usize, bool) {
        let mut all = Vec::new();
        let reader = io::BufReader::with_capacity(piece, text);
        let whole = Limited::new(reader, None, (true, ROW)).read_to_end(&mut all);
        (all.len(), whole.is_ok())
    }

    #[test]
    fn a_line_is_as_long_as_a_row_may_be_however_it_comes() {
        let line = |length: usize| [vec![b'x'; length], b"\r\n".to_vec()].concat();
        for piece in [CHUNK, 1000] {
            let most = [line(ROW), line(7), line(ROW)].concat();
            assert_eq!(read(&most, piece), (most.len(), true));
            let more = [line(9), line(ROW + CHUNK)].concat();
            let (got, is_whole) = read(&more, piece);
            assert!(!is_whole && got <= ROW + CHUNK + 11, "{got}");
        }
    }
}
