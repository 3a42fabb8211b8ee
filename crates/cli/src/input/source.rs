//! Opening a path or standard input, unpacking gzip, and hashing what was read on the way.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use flate2::bufread::MultiGzDecoder;
use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// The first two bytes of every gzip file (RFC 1952, section 2.3.1).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// A readable input that knows its name and hashes its bytes as they pass.
pub(crate) struct Source {
    /// For messages: the path as given, or `standard input`.
    pub(crate) name: String,
    /// Unpacked text.
    pub(crate) reader: Box<dyn BufRead>,
    hash: Arc<Mutex<Tally>>,
    file_name: String,
}

/// What a manifest records of an input.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct SourceFacts {
    /// File name without its folder; `-` for standard input.
    pub(crate) name: String,
    /// Bytes as stored, before unpacking.
    pub(crate) bytes: u64,
    /// Their SHA-256, in hexadecimal.
    pub(crate) sha256: String,
}

#[derive(Default)]
struct Tally {
    bytes: u64,
    hasher: Sha256,
}

impl Source {
    /// Opens a path, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Self::new("standard input".to_owned(), "-".to_owned(), Box::new(io::stdin()));
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(Failure::io(format!("opening {name}")))?;
        if file.metadata().is_ok_and(|facts| facts.is_dir()) {
            return Err(Failure::Failed(format!(
                "{name} is a folder; give a file, or `-` for standard input"
            )));
        }
        let file_name = path.file_name().map(|n| n.to_string_lossy().into_owned());
        Self::new(name.clone(), file_name.unwrap_or(name), Box::new(file))
    }

    fn new(name: String, file_name: String, raw: Box<dyn Read>) -> Result<Self, Failure> {
        let hash = Arc::new(Mutex::new(Tally::default()));
        let mut stored = BufReader::with_capacity(
            1 << 16,
            Hashing {
                raw,
                tally: Arc::clone(&hash),
            },
        );
        let start = stored
            .fill_buf()
            .map_err(Failure::io(format!("reading {name}")))?;
        let reader: Box<dyn BufRead> = if start.starts_with(&GZIP_MAGIC) {
            Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(stored)))
        } else {
            Box::new(stored)
        };
        Ok(Self {
            name,
            reader,
            hash,
            file_name,
        })
    }

    /// Name, size and hash of what has been read; complete once the reader is at its end.
    pub(crate) fn facts(&self) -> SourceFacts {
        let tally = self.hash.lock().unwrap_or_else(PoisonError::into_inner);
        SourceFacts {
            name: self.file_name.clone(),
            bytes: tally.bytes,
            sha256: sha256_hex(tally.hasher.clone()),
        }
    }
}

/// The digest as manifests write it: lower-case hexadecimal.
pub(crate) fn sha256_hex(hasher: Sha256) -> String {
    let digits =
        |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
    hasher.finalize().iter().flat_map(|&byte| digits(byte)).collect()
}

struct Hashing {
    raw: Box<dyn Read>,
    tally: Arc<Mutex<Tally>>,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.raw.read(buffer)?;
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.bytes += n as u64;
        tally.hasher.update(&buffer[..n]);
        Ok(n)
    }
}
