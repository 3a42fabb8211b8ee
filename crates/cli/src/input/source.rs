//! Reading a path or standard input: what it is called, and the hash of what is stored, for manifests.

use std::cell::RefCell;
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use matchwright_import::{ImportError, Input};
use matchwright_queue::live::{Files, OpenError, to_journal};
use matchwright_report::FileRecord;
use sha2::{Digest, Sha256};

use crate::bundled::Bundled;
use crate::failure::{Failure, ShownPath, tell};
use crate::places::note_read;

/// Bytes of a document of settings: a policy, a scenario, a season, a manifest. Each of TOML takes a hundred of memory.
pub(crate) const DOCUMENT: usize = 1 << 20;

/// Bytes of a row, unless it is what the library has.
static LONGEST_ROW: AtomicUsize = AtomicUsize::new(0);

/// Takes longer rows, or shorter ones alone.
pub(crate) fn set_longest_row(bytes: usize) {
    LONGEST_ROW.store(bytes, Ordering::Relaxed);
}

/// The encoding of the inputs, unless it is what the library has.
static ENCODING: OnceLock<String> = OnceLock::new();

/// Takes inputs for texts in this encoding.
pub(crate) fn set_encoding(name: &str) {
    ENCODING.get_or_init(|| name.to_owned());
}

/// The encoding that was asked for.
pub(crate) fn encoding() -> Option<&'static str> {
    ENCODING.get().map(String::as_str)
}

/// What an input is called in messages: the path as given, or `standard input`.
#[derive(Clone)]
pub(crate) struct InputName(matchwright_import::InputName);

impl Display for InputName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl InputName {
    /// What is wrong with the whole.
    pub(crate) fn refuse(&self, what: impl Display) -> Failure {
        self.0.refuse(what).into()
    }

    /// What is wrong with a line, from 1.
    pub(crate) fn in_line(&self, line: u64, what: impl Display) -> Failure {
        self.0.in_line(line, what).into()
    }

    /// What is wrong at a line and column, both from 1.
    pub(crate) fn at(&self, line: u64, fault: (u64, impl Display)) -> Failure {
        self.0.at(line, fault).into()
    }
}

impl From<&matchwright_import::InputName> for InputName {
    fn from(name: &matchwright_import::InputName) -> Self {
        Self(name.clone())
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Io { name, error } => Self::io(format!("reading {name}"))(error),
            ImportError::Option(what) => Self::Usage(what),
            refused @ ImportError::Refused { .. } => Self::of(refused),
        }
    }
}

/// What a manifest says of an input, once it has been read to its end.
#[derive(Clone)]
pub(crate) struct Facts {
    /// The path, or `-`.
    path: String,
    stored: Rc<RefCell<Tally>>,
}

#[derive(Default)]
struct Tally {
    bytes: u64,
    hasher: Sha256,
}

impl Facts {
    pub(crate) fn record(&self) -> FileRecord {
        let tally = self.stored.borrow();
        FileRecord::new(&self.path, tally.bytes, hexadecimal(tally.hasher.clone()))
    }
}

struct Hashing {
    raw: Box<dyn Read>,
    stored: Rc<RefCell<Tally>>,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.raw.read(buffer)?;
        let mut tally = self.stored.borrow_mut();
        tally.bytes += count as u64;
        tally.hasher.update(&buffer[..count]);
        Ok(count)
    }
}

/// Opens a path, or standard input for `-`. The folder of a queue is read as one journal.
pub(crate) fn open(path: &Path) -> Result<(Input, Facts), Failure> {
    note_read(path);
    let name = path.shown();
    if path.as_os_str() == "-" {
        return Ok(input(path, "standard input".to_owned(), Box::new(io::stdin())));
    }
    if path.is_dir() && Files::are_in(path) {
        let journal = Files::new(path).map_err(OpenError::Io);
        let exported = journal.and_then(|mut files| to_journal(&mut files));
        let exported = exported.and_then(|exported| exported.fault.map_or(Ok(exported.journal), Err));
        let journal = exported.map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
        return Ok(input(path, name, Box::new(Cursor::new(journal))));
    }
    if path.is_dir() {
        let what = "is a folder; give a file, or `-` for standard input";
        return Err(Failure::Failed(format!("{name} {what}")));
    }
    let file = File::open(path).map_err(Failure::io(format!("reading {name}")))?;
    let (input, facts) = input(path, name, Box::new(file));
    Ok((input.of_file(path), facts))
}

fn input(path: &Path, name: String, raw: Box<dyn Read>) -> (Input, Facts) {
    let stored = Rc::<RefCell<Tally>>::default();
    let facts = Facts {
        path: path.to_string_lossy().into_owned(),
        stored: Rc::clone(&stored),
    };
    let input = Input::new(name, Hashing { raw, stored });
    let input = match ENCODING.get() {
        Some(encoding) => input.with_encoding(encoding),
        None => input,
    };
    match LONGEST_ROW.load(Ordering::Relaxed) {
        0 => (input, facts),
        bytes => (input.with_longest_row(bytes), facts),
    }
}

/// A text, as a file with the name `text` would be read.
#[cfg(test)]
pub(super) fn input_of_text(text: &[u8]) -> (Input, Facts) {
    input(
        Path::new("text"),
        "text".to_owned(),
        Box::new(Cursor::new(text.to_vec())),
    )
}

/// An input that was read to its end.
pub(crate) struct Source {
    pub(crate) name: InputName,
    /// What a manifest says of it.
    pub(crate) facts: FileRecord,
    pub(crate) read: matchwright_import::Source,
}

impl Source {
    /// Reads a path, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        Self::of(open(path)?, u64::MAX)
    }

    /// Reads a path, or standard input for `-`, if it is no longer than a document may be.
    pub(super) fn open_document(path: &Path) -> Result<Self, Failure> {
        let source = Self::of(open(path)?, DOCUMENT as u64 + 1)?;
        let checked = check_document(source.text().len());
        checked.map_err(|error| source.name.refuse(error))?;
        Ok(source)
    }

    /// As a file with the name `text` would be read.
    #[cfg(test)]
    pub(super) fn of_text(text: &[u8]) -> Result<Self, Failure> {
        Self::of(input_of_text(text), u64::MAX)
    }

    fn of((input, facts): (Input, Facts), most: u64) -> Result<Self, Failure> {
        let read = matchwright_import::Source::read_to(input, most)?;
        read.notes().iter().for_each(|note| tell(note));
        Ok(Self {
            name: read.name().into(),
            facts: facts.record(),
            read,
        })
    }

    /// A file that the program carries.
    pub(crate) fn carried(file: &'static Bundled) -> Result<Self, Failure> {
        let name = format!("{} of the program", file.name);
        let read = matchwright_import::Source::read(Input::new(&*name, file.text.as_bytes()))?;
        Ok(Self {
            facts: FileRecord::new(&name, file.text.len() as u64, sha256_hex(file.text.as_bytes())),
            name: read.name().into(),
            read,
        })
    }

    /// Unpacked, without a byte order mark.
    pub(crate) fn text(&self) -> &[u8] {
        self.read.text()
    }

    /// The text, which must be UTF-8.
    pub(crate) fn utf8(&self) -> Result<&str, Failure> {
        Ok(self.read.utf8()?)
    }
}

/// A regular file as text, if it is no longer than a document may be.
pub(super) fn read_document(path: &Path) -> io::Result<String> {
    if !path.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut text = String::new();
    File::open(path)?
        .take(DOCUMENT as u64 + 1)
        .read_to_string(&mut text)?;
    check_document(text.len())?;
    Ok(text)
}

/// Whether a document of settings may have this many bytes.
fn check_document(bytes: usize) -> io::Result<()> {
    if bytes <= DOCUMENT {
        return Ok(());
    }
    let most = matchwright_import::number::size(DOCUMENT as u64);
    Err(io::Error::other(format!(
        "it is longer than {most}, which no document of settings is"
    )))
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
