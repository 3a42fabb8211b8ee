//! Reading a path or any reader, from its beginning to its end or whole: its text, unpacked if it is gzip or zstd, as CSV
//! if it is Parquet.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::error::{Damaged, ImportError, InputName};
use crate::foreign::{begins_with_row, foreign, is_pgn, unmarked};
use crate::limits::{CHUNK, Limited, ROW, Stored, is_beyond};
use crate::text::shown;

/// The first two bytes of every gzip file (RFC 1952, section 2.3.1).
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
/// The first four bytes of a zstd file (RFC 8878, section 3.1.1).
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// The first and the last four bytes of every Parquet file.
const PARQUET_MAGIC: &[u8] = b"PAR1";
/// The first four bytes of a zip archive, as workbooks of Excel are.
const ZIP_MAGIC: &[u8] = b"PK\x03\x04";
/// What some editors put before UTF-8 text.
#[cfg(not(feature = "encodings"))]
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes to be read, and what they are called in messages.
pub struct Input {
    name: String,
    raw: Box<dyn Read>,
    /// The file that the bytes are of.
    path: Option<PathBuf>,
    longest_row: usize,
    encoding: Option<String>,
}

impl Input {
    /// A file, which is called as its path.
    ///
    /// # Errors
    /// [`ImportError::Io`] if it cannot be opened; [`ImportError::Refused`] if it is a folder.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let path = path.as_ref();
        let name = shown(&path.to_string_lossy());
        if path.is_dir() {
            return Err(InputName::new(name).refuse("it is a folder; give a file"));
        }
        match File::open(path) {
            Ok(file) => Ok(Self::new(name, file).of_file(path)),
            Err(error) => Err(ImportError::Io { name, error }),
        }
    }

    /// Whatever can be read, under a name.
    pub fn new(name: impl Into<String>, raw: impl Read + 'static) -> Self {
        Self {
            name: name.into(),
            raw: Box::new(raw),
            path: None,
            longest_row: ROW,
            encoding: None,
        }
    }

    /// With the encoding of its text \[UTF-8, or what its mark says\], by a name that it has on the web: `latin1`, `windows-1251`,
    /// `utf-16le`, `shift_jis`. A mark in the file says more. Needs the feature `encodings`.
    #[must_use]
    pub fn with_encoding(self, name: impl Into<String>) -> Self {
        let encoding = Some(name.into());
        Self { encoding, ..self }
    }

    /// With the path of the file that the bytes are of: Parquet is read from its end, and then need not be held in memory.
    /// The bytes are read to their end all the same, for a caller that counts or hashes them.
    #[must_use]
    pub fn of_file(self, path: impl Into<PathBuf>) -> Self {
        let path = Some(path.into());
        Self { path, ..self }
    }

    /// With this many bytes as the most that a row, or a cell, may have \[8 MiB\]; no less than 64 KiB.
    #[must_use]
    pub fn with_longest_row(self, bytes: usize) -> Self {
        let longest_row = bytes.clamp(CHUNK, usize::MAX / 2);
        Self { longest_row, ..self }
    }

    /// Reads the beginning, by which it is known what is packed, and how.
    pub(crate) fn stream(self) -> Result<Stream, ImportError> {
        let Self {
            name, longest_row, ..
        } = self;
        let stored = Stored::default();
        let raw = Counting {
            raw: self.raw,
            stored: stored.clone(),
        };
        let mut notes = Vec::new();
        let encoding = self.encoding.as_deref();
        let opened = unpacked(
            self.path.as_deref(),
            (raw, stored),
            (longest_row, encoding),
            &mut notes,
        );
        let (reader, form) = opened.map_err(|error| match error.get_ref() {
            Some(damaged) if damaged.is::<Damaged>() => InputName::new(&*name).refuse(damaged),
            _ => ImportError::Io {
                name: name.clone(),
                error,
            },
        })?;
        let name = InputName::new(name).with_rows(form == Form::Parquet);
        let (reader, packed) = if form == Form::Plain {
            (reader, None)
        } else {
            let shared = Rc::new(RefCell::new(reader));
            let reader = Shared {
                inner: Rc::clone(&shared),
                chunk: Vec::new(),
                given: 0,
            };
            (Box::new(reader) as Box<dyn BufRead>, Some(shared))
        };
        let text = Text { reader, longest_row };
        Ok(Stream {
            damage: Damage {
                name: name.clone(),
                packed,
            },
            name,
            text,
            notes,
        })
    }
}

/// An input that can be read once, unpacked and without a byte order mark.
pub(crate) struct Stream {
    pub(crate) name: InputName,
    pub(crate) text: Text<'static>,
    pub(crate) damage: Damage,
    /// What the user should hear of how it is stored.
    pub(crate) notes: Vec<String>,
}

/// Text, and how long its rows may be.
pub(crate) struct Text<'a> {
    pub(crate) reader: Box<dyn BufRead + 'a>,
    pub(crate) longest_row: usize,
}

impl Text<'_> {
    /// What is at hand of its beginning; what is wrong with it is told by the next read.
    pub(crate) fn start(&mut self) -> &[u8] {
        self.reader.fill_buf().unwrap_or_default()
    }
}

impl<'a> Text<'a> {
    /// What is read already, or a part of it.
    pub(crate) fn of(text: impl BufRead + 'a) -> Self {
        Self {
            reader: Box::new(text),
            longest_row: ROW,
        }
    }
}

/// An input that was read to its end.
#[derive(Debug)]
pub struct Source {
    name: InputName,
    text: Vec<u8>,
    longest_row: usize,
    notes: Vec<String>,
}

impl Source {
    /// Reads an input to its end.
    ///
    /// # Errors
    /// [`ImportError`] if it cannot be read, is damaged, or unpacks to more than any sound file.
    pub fn read(input: Input) -> Result<Self, ImportError> {
        Self::read_to(input, u64::MAX)
    }

    /// The same, but nothing beyond this many bytes of text.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read_to(input: Input, most: u64) -> Result<Self, ImportError> {
        let Stream {
            name, text, notes, ..
        } = input.stream()?;
        let Text { reader, longest_row } = text;
        let mut text = Vec::new();
        if let Err(error) = reader.take(most).read_to_end(&mut text) {
            let line = text.split(|byte| *byte == b'\n').count() as u64;
            return Err(name.at(line, (1, broken_off(&error))));
        }
        Ok(Self {
            name,
            text,
            longest_row,
            notes,
        })
    }

    /// What it is called.
    #[must_use]
    pub const fn name(&self) -> &InputName {
        &self.name
    }

    /// Its text: unpacked, without a byte order mark.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Gives the text back.
    #[must_use]
    pub fn into_text(self) -> Vec<u8> {
        self.text
    }

    /// What the user should hear of how it is stored: columns of Parquet that are not read.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    pub(crate) fn rows(&self) -> Text<'_> {
        Text {
            reader: Box::new(&self.text[..]),
            longest_row: self.longest_row,
        }
    }

    /// The text, which must be UTF-8.
    ///
    /// # Errors
    /// [`ImportError::Refused`] with the line that is not.
    pub fn utf8(&self) -> Result<&str, ImportError> {
        std::str::from_utf8(&self.text).map_err(|error| {
            let (before, _) = self.text.split_at(error.valid_up_to());
            let line = before.split(|byte| *byte == b'\n').count();
            self.name.in_line(
                line as u64,
                "the text is not UTF-8; say what it is, for example --encoding latin1 (western), windows-1250 (central) or windows-1251 (Cyrillic)",
            )
        })
    }
}

/// Whether a packed input is damaged, which shows at its end.
pub(crate) struct Damage {
    name: InputName,
    packed: Option<Rc<RefCell<Box<dyn BufRead>>>>,
}

impl Damage {
    /// What is wrong with the input itself, after a complaint about a row.
    pub(crate) fn check(&self) -> Option<ImportError> {
        let mut packed = self.packed.as_ref()?.try_borrow_mut().ok()?;
        let error = io::copy(&mut *packed, &mut io::sink())
            .err()
            .filter(|error| error.kind() != io::ErrorKind::UnexpectedEof && !is_beyond(error))?;
        Some(self.name.refuse(broken_off(&error)))
    }
}

/// A packed input that is read to its end even where reading its rows has ended.
struct Shared {
    inner: Rc<RefCell<Box<dyn BufRead>>>,
    chunk: Vec<u8>,
    given: usize,
}

impl BufRead for Shared {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.given == self.chunk.len() {
            self.chunk.clear();
            self.given = 0;
            let mut inner = self.inner.borrow_mut();
            let more = inner.fill_buf()?;
            self.chunk.extend_from_slice(more);
            inner.consume(self.chunk.len());
        }
        Ok(&self.chunk[self.given..])
    }

    fn consume(&mut self, count: usize) {
        self.given = (self.given + count).min(self.chunk.len());
    }
}

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

struct Counting {
    raw: Box<dyn Read>,
    stored: Stored,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.raw.read(buffer)?;
        self.stored.set(self.stored.get() + count as u64);
        Ok(count)
    }
}

/// How an input is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Gzip,
    Zstd,
    Parquet,
    Zip,
}

impl Form {
    fn of(start: &[u8]) -> Self {
        let marks = [
            (GZIP_MAGIC, Self::Gzip),
            (ZSTD_MAGIC, Self::Zstd),
            (PARQUET_MAGIC, Self::Parquet),
            (ZIP_MAGIC, Self::Zip),
        ];
        let known = marks.into_iter().find(|(mark, _)| start.starts_with(mark));
        known.map_or(Self::Plain, |(_, form)| form)
    }
}

/// The text of an input, within the limits, and how it is stored; what is wrong with packing is found as it is read.
fn unpacked(
    path: Option<&Path>,
    (mut raw, stored): (Counting, Stored),
    (longest_row, encoding): (usize, Option<&str>),
    notes: &mut Vec<String>,
) -> io::Result<(Box<dyn BufRead>, Form)> {
    // As many bytes as a mark needs, however few a pipe gives at once.
    let mut start = Vec::new();
    raw.by_ref().take(CHUNK as u64).read_to_end(&mut start)?;
    let form = Form::of(&start);
    if form == Form::Parquet {
        let text = parquet(path, start, raw, notes)?;
        return Ok((
            Box::new(Limited::new(text, Some(stored), (true, longest_row))),
            form,
        ));
    }
    if form == Form::Zip {
        raw.read_to_end(&mut start)?;
        let text = Cursor::new(xlsx(start, notes)?);
        return Ok((
            Box::new(Limited::new(text, Some(stored), (true, longest_row))),
            form,
        ));
    }
    let mut known = foreign(&start);
    if form == Form::Plain && encoding.is_none() {
        known = known.or_else(|| unmarked(&start));
    }
    if let Some(what) = known {
        return Err(io::Error::other(Damaged::new(what)));
    }
    let bytes = BufReader::with_capacity(CHUNK, Cursor::new(start).chain(raw));
    let unpacked: Box<dyn Read> = match form {
        Form::Gzip => gzip(bytes)?,
        Form::Zstd => zstd(bytes)?,
        Form::Plain | Form::Parquet | Form::Zip => Box::new(bytes),
    };
    let reader = BufReader::with_capacity(CHUNK, unpacked);
    let mut reader = decoded(reader, encoding, notes)?;
    let is_array = |text: &[u8]| match text.trim_ascii_start().first() {
        Some(b'[') => !is_pgn(text),
        Some(b'{') => !begins_with_row(text),
        _ => false,
    };
    // No text begins in the middle of a character.
    let is_binary = |text: &[u8]| text.first().is_some_and(|byte| byte & 0xc0 == 0x80);
    let has_lines = !(reader.fill_buf()).is_ok_and(|text| is_array(text) || is_binary(text));
    let packed = (form != Form::Plain).then_some(stored);
    Ok((
        Box::new(Limited::new(reader, packed, (has_lines, longest_row))),
        form,
    ))
}

/// The text in UTF-8, without a mark.
#[cfg(feature = "encodings")]
fn decoded(
    mut bytes: impl BufRead + 'static,
    named: Option<&str>,
    notes: &mut Vec<String>,
) -> io::Result<Box<dyn BufRead>> {
    use crate::decoded::{Decoded, by_mark, encoding};

    let refuse = |name: &str| {
        let known = "latin1, windows-1252, windows-1251, utf-16le, shift_jis or another name that encodings have on the web";
        io::Error::other(Damaged::new(format!(
            "--encoding `{}` is none; give {known}",
            shown(name)
        )))
    };
    let named = named.map(|name| encoding(name).ok_or_else(|| refuse(name)));
    let named = named.transpose()?;
    // What is wrong with it is told by the next read.
    let marked = by_mark(bytes.fill_buf().unwrap_or_default());
    if let Some((_, mark)) = marked {
        bytes.consume(mark);
    }
    let told = marked.map(|(encoding, _)| encoding);
    match told.or(named).filter(|encoding| encoding.name() != "UTF-8") {
        None => Ok(Box::new(bytes)),
        Some(encoding) => {
            if told.is_some() {
                notes.push(format!("the text is {}, by its mark", encoding.name()));
            }
            Ok(Box::new(BufReader::with_capacity(
                CHUNK,
                Decoded::new(bytes, encoding),
            )))
        }
    }
}

#[cfg(not(feature = "encodings"))]
fn decoded(
    mut bytes: impl BufRead + 'static,
    named: Option<&str>,
    _: &mut Vec<String>,
) -> io::Result<Box<dyn BufRead>> {
    let start = bytes.fill_buf().unwrap_or_default();
    if named.is_some() || start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return Err(lacking("in another encoding than UTF-8", "encodings"));
    }
    if start.starts_with(BYTE_ORDER_MARK) {
        bytes.consume(BYTE_ORDER_MARK.len());
    }
    Ok(Box::new(bytes))
}

#[cfg(feature = "compression")]
#[allow(clippy::unnecessary_wraps, reason = "as without the feature")]
fn gzip(bytes: impl BufRead + 'static) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(flate2::bufread::MultiGzDecoder::new(bytes)))
}

#[cfg(feature = "compression")]
fn zstd(bytes: impl BufRead + 'static) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(zstd::Decoder::with_buffer(bytes)?))
}

#[cfg(not(feature = "compression"))]
fn gzip(_: impl BufRead + 'static) -> io::Result<Box<dyn Read>> {
    Err(lacking("gzip", "compression"))
}

#[cfg(not(feature = "compression"))]
fn zstd(_: impl BufRead + 'static) -> io::Result<Box<dyn Read>> {
    Err(lacking("zstd", "compression"))
}

#[cfg(feature = "xlsx")]
fn xlsx(file: Vec<u8>, notes: &mut Vec<String>) -> io::Result<Vec<u8>> {
    crate::xlsx::xlsx_text(file, notes)
}

#[cfg(not(feature = "xlsx"))]
fn xlsx(_: Vec<u8>, _: &mut Vec<String>) -> io::Result<Vec<u8>> {
    Err(lacking("a zip archive or an Excel workbook", "xlsx"))
}

#[cfg(not(all(
    feature = "compression",
    feature = "encodings",
    feature = "parquet",
    feature = "xlsx"
)))]
fn lacking(format: &str, feature: &str) -> io::Error {
    io::Error::other(Damaged::new(format!(
        "it is {format}, which this program was built without (the feature `{feature}` of matchwright-import)"
    )))
}

/// The text of a Parquet file, of which the end is read first: a file is read twice, for a caller that counts its bytes and for
/// its rows, and what comes through a pipe is kept.
#[cfg(feature = "parquet")]
fn parquet(
    path: Option<&Path>,
    mut start: Vec<u8>,
    mut raw: Counting,
    notes: &mut Vec<String>,
) -> io::Result<Box<dyn BufRead>> {
    use crate::parquet::parquet_text;

    if let Some(path) = path.filter(|path| path.is_file()) {
        io::copy(&mut raw, &mut io::sink())?;
        return parquet_text(File::open(path)?, notes);
    }
    raw.read_to_end(&mut start)?;
    parquet_text(bytes::Bytes::from(start), notes)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: Option<&Path>, _: Vec<u8>, _: Counting, _: &mut Vec<String>) -> io::Result<Box<dyn BufRead>> {
    Err(lacking("Parquet", "parquet"))
}

/// Why an input ends before its end.
pub(crate) fn broken_off(error: &io::Error) -> String {
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
