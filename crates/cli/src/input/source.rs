//! Reading a path or standard input, from its beginning to its end or whole: the hash of what is stored, and its text,
//! unpacked if it is gzip or zstd, as CSV if it is Parquet.

use std::cell::RefCell;
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::rc::Rc;

use bytes::Bytes;
use flate2::bufread::MultiGzDecoder;
use matchwright_queue::live::{Files, OpenError, to_journal};
use matchwright_report::FileRecord;
use matchwright_sim::replay::TicketLog;
use sha2::{Digest, Sha256};

use super::limits::{CHUNK, DOCUMENT, Limited, check_document, is_beyond};
use super::parquet::{PARQUET_MAGIC, parquet_text};
use super::rows::RowError;
use crate::bundled::Bundled;
use crate::failure::{Failure, ShownPath};
use crate::places::note_read;

/// The first two bytes of every gzip file (RFC 1952, section 2.3.1).
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
/// The first four bytes of a zstd file (RFC 8878, section 3.1.1).
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// What some editors put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// What an input is called in messages: the path as given, or `standard input`.
#[derive(Clone)]
pub(crate) struct InputName {
    name: String,
    /// Whether it has rows, not lines: line n of what is read is row n - 1.
    has_rows: bool,
}

/// What is wrong with an input itself, where its reader knows.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Damaged(String);

impl Damaged {
    pub(super) const fn new(what: String) -> Self {
        Self(what)
    }
}

/// An input that can be read once, unpacked and without a byte order mark.
pub(crate) struct Stream {
    pub(crate) name: InputName,
    pub(crate) reader: Box<dyn BufRead>,
    /// For manifests: the path, or `-`.
    path: String,
    is_packed: bool,
    stored: Stored,
}

/// An input that was read to its end.
pub(crate) struct Source {
    pub(crate) name: InputName,
    /// What a manifest says of it.
    pub(crate) facts: FileRecord,
    /// Unpacked, without a byte order mark.
    pub(crate) text: Vec<u8>,
}

/// The bytes that have been read, as stored.
#[derive(Clone, Default)]
pub(super) struct Stored(Rc<RefCell<Tally>>);

#[derive(Default)]
struct Tally {
    bytes: u64,
    hasher: Sha256,
}

impl Stored {
    pub(super) fn bytes(&self) -> u64 {
        self.0.borrow().bytes
    }
}

struct Hashing {
    raw: Box<dyn Read>,
    stored: Stored,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.raw.read(buffer)?;
        let mut tally = self.stored.0.borrow_mut();
        tally.bytes += count as u64;
        tally.hasher.update(&buffer[..count]);
        Ok(count)
    }
}

impl Stream {
    /// Opens a path, or standard input for `-`. The folder of a queue is read as one journal.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        note_read(path);
        let (name, raw): (_, io::Result<Box<dyn Read>>) = if path.as_os_str() == "-" {
            ("standard input".to_owned(), Ok(Box::new(io::stdin())))
        } else if path.is_dir() && Files::are_in(path) {
            let journal = Files::new(path).map_err(OpenError::Io);
            let exported = journal.and_then(|mut files| to_journal(&mut files));
            let exported = exported.and_then(|exported| exported.fault.map_or(Ok(exported.journal), Err));
            let journal = exported.map_err(|error| Failure::Failed(format!("{}: {error}", path.shown())))?;
            (path.shown(), Ok(Box::new(Cursor::new(journal))))
        } else if path.is_dir() {
            let what = "is a folder; give a file, or `-` for standard input";
            return Err(Failure::Failed(format!("{} {what}", path.shown())));
        } else {
            let file = File::open(path).map(|file| Box::new(file) as _);
            (path.shown(), file)
        };
        Self::of(path, name, raw)
    }

    /// A text, as a file with the name `text` would be read.
    #[cfg(test)]
    pub(super) fn of_text(text: &[u8]) -> Result<Self, Failure> {
        let raw = Box::new(Cursor::new(text.to_vec()));
        Self::of(Path::new("text"), "text".to_owned(), Ok(raw))
    }

    fn of(path: &Path, name: String, raw: io::Result<Box<dyn Read>>) -> Result<Self, Failure> {
        let stored = Stored::default();
        let opened = raw.and_then(|raw| {
            let stored = stored.clone();
            unpacked(path, Hashing { raw, stored })
        });
        let (reader, form) = opened.map_err(|error| match error.get_ref() {
            Some(damaged) if damaged.is::<Damaged>() => Failure::Failed(format!("{name}: {damaged}")),
            _ => Failure::io(format!("reading {name}"))(error),
        })?;
        Ok(Self {
            reader,
            name: InputName {
                name,
                has_rows: form == Form::Parquet,
            },
            is_packed: form != Form::Plain,
            path: path.to_string_lossy().into_owned(),
            stored,
        })
    }

    /// After a complaint about a row: whether the packed input itself is damaged, which shows at its end.
    pub(crate) fn damage(&mut self) -> Option<Failure> {
        let rest = self
            .is_packed
            .then(|| io::copy(&mut self.reader, &mut io::sink()));
        let error = rest?
            .err()
            .filter(|error| error.kind() != io::ErrorKind::UnexpectedEof && !is_beyond(error))?;
        Some(self.name.refuse(broken_off(&error)))
    }

    /// What a manifest says of it, once it has been read to its end.
    pub(crate) fn facts(&self) -> FileRecord {
        let tally = self.stored.0.borrow();
        FileRecord::new(&self.path, tally.bytes, hexadecimal(tally.hasher.clone()))
    }
}

/// How an input is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Gzip,
    Zstd,
    Parquet,
}

impl Form {
    fn of(start: &[u8]) -> Self {
        let marks = [
            (GZIP_MAGIC, Self::Gzip),
            (ZSTD_MAGIC, Self::Zstd),
            (PARQUET_MAGIC, Self::Parquet),
        ];
        let known = marks.into_iter().find(|(mark, _)| start.starts_with(mark));
        known.map_or(Self::Plain, |(_, form)| form)
    }
}

/// The text of an input, within the limits, and how it is stored; what is wrong with packing is found as it is read.
fn unpacked(path: &Path, mut stored: Hashing) -> io::Result<(Box<dyn BufRead>, Form)> {
    let count = stored.stored.clone();
    // As many bytes as a mark needs, however few a pipe gives at once.
    let mut start = Vec::new();
    stored.by_ref().take(CHUNK as u64).read_to_end(&mut start)?;
    let form = Form::of(&start);
    if form == Form::Parquet {
        let text = Limited::new(parquet(path, start, stored)?, Some(count), true);
        return Ok((Box::new(text), form));
    }
    let stored = BufReader::with_capacity(CHUNK, Cursor::new(start).chain(stored));
    let unpacked: Box<dyn Read> = match form {
        Form::Gzip => Box::new(MultiGzDecoder::new(stored)),
        Form::Zstd => Box::new(zstd::Decoder::with_buffer(stored)?),
        Form::Plain | Form::Parquet => Box::new(stored),
    };
    let mut reader = BufReader::with_capacity(CHUNK, unpacked);
    if (reader.fill_buf()).is_ok_and(|text| text.starts_with(BYTE_ORDER_MARK)) {
        reader.consume(BYTE_ORDER_MARK.len());
    }
    let is_array = |text: &[u8]| text.trim_ascii_start().starts_with(b"[");
    let has_lines = !(reader.fill_buf()).is_ok_and(|text| is_array(text) || TicketLog::is_journal(text));
    let packed = (form != Form::Plain).then_some(count);
    Ok((Box::new(Limited::new(reader, packed, has_lines)), form))
}

/// The text of a Parquet file, of which the end is read first: a file is read twice, for its hash and for its rows, and
/// what comes through a pipe is kept.
fn parquet(path: &Path, mut start: Vec<u8>, mut stored: Hashing) -> io::Result<Box<dyn BufRead>> {
    if path.is_file() {
        io::copy(&mut stored, &mut io::sink())?;
        return parquet_text(File::open(path)?);
    }
    stored.read_to_end(&mut start)?;
    parquet_text(Bytes::from(start))
}

impl Source {
    /// Reads a path, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        Self::of(Stream::open(path)?)
    }

    /// Reads a path, or standard input for `-`, if it is no longer than a document may be.
    pub(super) fn open_document(path: &Path) -> Result<Self, Failure> {
        let mut stream = Stream::open(path)?;
        stream.reader = Box::new(BufReader::new(stream.reader.take(DOCUMENT as u64 + 1)));
        let source = Self::of(stream)?;
        let checked = check_document(source.text.len());
        checked.map_err(|error| source.name.refuse(error))?;
        Ok(source)
    }

    /// As a file with the name `text` would be read.
    #[cfg(test)]
    pub(super) fn of_text(text: &[u8]) -> Result<Self, Failure> {
        Self::of(Stream::of_text(text)?)
    }

    fn of(mut stream: Stream) -> Result<Self, Failure> {
        let mut text = Vec::new();
        if let Err(error) = stream.reader.read_to_end(&mut text) {
            let line = text.split(|byte| *byte == b'\n').count() as u64;
            return Err(stream.name.at(line, (1, broken_off(&error))));
        }
        Ok(Self {
            facts: stream.facts(),
            name: stream.name,
            text,
        })
    }

    /// A file that the program carries.
    pub(crate) fn carried(file: &Bundled) -> Self {
        let name = format!("{} of the program", file.name);
        Self {
            facts: FileRecord::new(&name, file.text.len() as u64, sha256_hex(file.text.as_bytes())),
            name: InputName {
                name,
                has_rows: false,
            },
            text: file.text.as_bytes().to_vec(),
        }
    }

    /// The text, which must be UTF-8.
    pub(crate) fn utf8(&self) -> Result<&str, Failure> {
        std::str::from_utf8(&self.text).map_err(|error| {
            let (before, _) = self.text.split_at(error.valid_up_to());
            let line = before.split(|byte| *byte == b'\n').count();
            self.name.in_line(
                line as u64,
                "the text is not UTF-8; convert the file, for example with iconv",
            )
        })
    }
}

impl Display for InputName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl InputName {
    /// What is wrong with the whole.
    pub(crate) fn refuse(&self, what: impl Display) -> Failure {
        Failure::Failed(format!("{self}: {what}"))
    }

    /// What is wrong with a line, from 1.
    pub(crate) fn in_line(&self, line: u64, what: impl Display) -> Failure {
        if self.has_rows {
            return Failure::Failed(format!("{self}: {}: {what}", row_of(line)));
        }
        Failure::Failed(format!("{self}:{line}: {what}"))
    }

    /// What is wrong at a line and column, both from 1.
    pub(crate) fn at(&self, line: u64, (column, what): (u64, impl Display)) -> Failure {
        if self.has_rows {
            let row = row_of(line);
            return Failure::Failed(format!("{self}: {row}, column {column}: {what}"));
        }
        Failure::Failed(format!("{self}:{line}:{column}: {what}"))
    }

    /// What is wrong with a row.
    pub(crate) fn in_row(&self, error: RowError) -> Failure {
        self.at(error.line, error.fault)
    }
}

/// What a line of the text of rows is.
fn row_of(line: u64) -> String {
    match line.saturating_sub(1) {
        0 => "names of the columns".to_owned(),
        row => format!("row {row}"),
    }
}

/// Why an input ends before its end.
pub(super) fn broken_off(error: &io::Error) -> String {
    if let Some(told) = (error.get_ref()).filter(|inner| inner.is::<Damaged>() || is_beyond(error)) {
        return told.to_string();
    }
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return "the file ends in the middle of its gzip or zstd stream; it was cut off: copy or download it again"
            .to_owned();
    }
    format!(
        "it cannot be read further ({error}); if it is gzip or zstd, its stream is damaged: copy or download it again"
    )
}

/// The digest as manifests write it: lower-case hexadecimal.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hexadecimal(Sha256::new_with_prefix(bytes))
}

/// A digest in lower-case hexadecimal.
pub(crate) fn hexadecimal(hasher: Sha256) -> String {
    let digits =
        |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
    hasher.finalize().iter().flat_map(|&byte| digits(byte)).collect()
}
