//! [`Storage`]: where a queue keeps its files.

use std::fmt;
use std::io::{self, Read};

/// A file of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileName {
    /// A segment of the journal, by its number: steps in their order.
    Segment(u64),
    /// The state after the step of this number.
    State(u64),
}

impl fmt::Display for FileName {
    /// `segment-00000000000000000007`, `state-00000000000000001024`: in the order of their numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Segment(number) => write!(f, "segment-{number:020}"),
            Self::State(step) => write!(f, "state-{step:020}"),
        }
    }
}

impl FileName {
    /// The file of a name; `None` for files of others.
    ///
    /// ```
    /// use matchwright_queue::live::FileName;
    ///
    /// let name = FileName::State(1024);
    /// assert_eq!(FileName::parse(&name.to_string()), Some(name));
    /// assert_eq!(FileName::parse("state-7"), None);
    /// ```
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let (kind, number) = name.split_once('-')?;
        // Dropped: another's name.
        let number = number.parse().ok()?;
        let found = match kind {
            "segment" => Self::Segment(number),
            "state" => Self::State(number),
            _ => return None,
        };
        (found.to_string() == name).then_some(found)
    }
}

/// A place for the files of one queue, such as a folder ([`Files`](super::Files)).
///
/// The queue writes each segment from its beginning on, within the length that it was created with (a group of steps
/// that is longer than that grows its file), and never writes a byte twice.
pub trait Storage: Send {
    /// Makes this process the only owner, until it ends.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another has it; all other errors are those of the device.
    fn lock(&mut self) -> io::Result<()>;

    /// All files, with their lengths, in any order.
    ///
    /// # Errors
    /// As the device says; so below.
    fn list(&mut self) -> io::Result<Vec<(FileName, u64)>>;

    /// Removes a file.
    ///
    /// # Errors
    /// As the device says.
    fn remove(&mut self, name: FileName) -> io::Result<()>;

    /// A new file of this many zero bytes; it and its name are on the device when this returns. Nothing is left of it after
    /// an error.
    ///
    /// # Errors
    /// [`io::ErrorKind::StorageFull`] if there is no room.
    fn create(&mut self, name: FileName, len: u64) -> io::Result<()>;

    /// Reads from a place on, as many bytes as there are and fit; how many they were.
    ///
    /// # Errors
    /// As the device says.
    fn read(&mut self, name: FileName, at: u64, into: &mut [u8]) -> io::Result<usize>;

    /// Writes at a place. What another reads, and what a crash leaves of it, is not certain before a [`sync`](Self::sync).
    ///
    /// # Errors
    /// As the device says. It may have written a part.
    fn write(&mut self, name: FileName, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// All that was written is on the device when this returns.
    ///
    /// # Errors
    /// As the device says: what was written since the last one is then in doubt for ever, and this is not called again.
    fn sync(&mut self, name: FileName) -> io::Result<()>;

    /// A new file of these bytes, of which all or nothing is there after a crash; all if this returned without an error.
    ///
    /// # Errors
    /// As the device says.
    fn publish(&mut self, name: FileName, from: &mut dyn Read) -> io::Result<()>;
}

impl<S: Storage + ?Sized> Storage for Box<S> {
    fn lock(&mut self) -> io::Result<()> {
        (**self).lock()
    }

    fn list(&mut self) -> io::Result<Vec<(FileName, u64)>> {
        (**self).list()
    }

    fn remove(&mut self, name: FileName) -> io::Result<()> {
        (**self).remove(name)
    }

    fn create(&mut self, name: FileName, len: u64) -> io::Result<()> {
        (**self).create(name, len)
    }

    fn read(&mut self, name: FileName, at: u64, into: &mut [u8]) -> io::Result<usize> {
        (**self).read(name, at, into)
    }

    fn write(&mut self, name: FileName, at: u64, bytes: &[u8]) -> io::Result<()> {
        (**self).write(name, at, bytes)
    }

    fn sync(&mut self, name: FileName) -> io::Result<()> {
        (**self).sync(name)
    }

    fn publish(&mut self, name: FileName, from: &mut dyn Read) -> io::Result<()> {
        (**self).publish(name, from)
    }
}

/// How many bytes are read at once.
const BLOCK: usize = 1 << 18;

/// A whole file.
pub(super) fn read_all(storage: &mut dyn Storage, name: FileName, len: u64) -> io::Result<Vec<u8>> {
    let length = usize::try_from(len).map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(io::Error::other)?;
    let mut filled = 0;
    while filled < length {
        // Zeros that are written over while they are still in the cache.
        if filled == bytes.len() {
            bytes.resize(length.min(filled.saturating_add(BLOCK)), 0);
        }
        match storage.read(name, filled as u64, &mut bytes[filled..])? {
            0 => break,
            more => filled += more,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}
