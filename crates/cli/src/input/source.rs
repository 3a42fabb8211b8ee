//! Reading a path or standard input whole: the hash of what is stored, and its text, unpacked if it is gzip.

use std::fmt::Display;
use std::io::{self, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use matchwright_report::FileRecord;
use sha2::{Digest, Sha256};

use super::rows::RowError;
use crate::failure::Failure;

/// The first two bytes of every gzip file (RFC 1952, section 2.3.1).
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
/// What some editors put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An input that was read to its end.
pub(crate) struct Source {
    /// For messages: the path as given, or `standard input`.
    pub(crate) name: String,
    /// What a manifest says of it: name, or `-`; bytes as stored.
    pub(crate) facts: FileRecord,
    /// Unpacked, without a byte order mark.
    pub(crate) text: Vec<u8>,
}

impl Source {
    /// Reads a path, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let (name, read) = if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            let read = io::stdin().read_to_end(&mut bytes).map(|_| bytes);
            ("standard input".to_owned(), read)
        } else if path.is_dir() {
            let what = "is a folder; give a file, or `-` for standard input";
            return Err(Failure::Failed(format!("{} {what}", path.display())));
        } else {
            (path.display().to_string(), std::fs::read(path))
        };
        let mut text = read.map_err(Failure::io(format!("reading {name}")))?;
        let facts = FileRecord::new(path.to_string_lossy(), text.len() as u64, sha256_hex(&text));
        if text.starts_with(GZIP_MAGIC) {
            let mut unpacked = Vec::new();
            if let Err(error) = MultiGzDecoder::new(&text[..]).read_to_end(&mut unpacked) {
                let line = unpacked.split(|byte| *byte == b'\n').count();
                let what = gzip_fault(&error);
                return Err(Failure::Failed(format!("{name}:{line}:1: {what}")));
            }
            text = unpacked;
        }
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Self { name, facts, text })
    }

    /// The text, which must be UTF-8.
    pub(crate) fn utf8(&self) -> Result<&str, Failure> {
        std::str::from_utf8(&self.text).map_err(|error| {
            let (before, _) = self.text.split_at(error.valid_up_to());
            let line = before.split(|byte| *byte == b'\n').count();
            self.in_line(
                line as u64,
                "the text is not UTF-8; convert the file, for example with iconv",
            )
        })
    }

    /// What is wrong with the whole.
    pub(crate) fn refuse(&self, what: impl Display) -> Failure {
        Failure::Failed(format!("{}: {what}", self.name))
    }

    /// What is wrong with a line, from 1.
    pub(crate) fn in_line(&self, line: u64, what: impl Display) -> Failure {
        Failure::Failed(format!("{}:{line}: {what}", self.name))
    }

    /// What is wrong at a line and column, both from 1.
    pub(crate) fn at(&self, line: u64, (column, what): (u64, impl Display)) -> Failure {
        Failure::Failed(format!("{}:{line}:{column}: {what}", self.name))
    }

    /// What is wrong with a row.
    pub(crate) fn in_row(&self, error: RowError) -> Failure {
        self.at(error.line, error.fault)
    }
}

fn gzip_fault(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return "the file ends in the middle of its gzip stream; it was cut off: copy or download it again"
            .to_owned();
    }
    format!("the gzip stream is damaged ({error}): copy or download it again")
}

/// The digest as manifests write it: lower-case hexadecimal.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    let digits =
        |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
    Sha256::digest(bytes)
        .iter()
        .flat_map(|&byte| digits(byte))
        .collect()
}
