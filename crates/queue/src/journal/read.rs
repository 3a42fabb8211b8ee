//! [`JournalReader`]: bytes become records again.

use serde::de::DeserializeOwned;
use serde_bytes::ByteBuf;

use super::{HEAD, HEADER, JournalError, JournalFault, MAGIC, SNAPSHOT, STEP, TAIL, VERSION, cbor};
use crate::event::Event;
use crate::outcome::Outcome;
use crate::state::State;
use crate::time::Time;

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepRecord {
    /// When it was.
    pub now: Time,
    /// What had happened.
    pub events: Vec<Event>,
    /// What was decided.
    pub outcome: Outcome,
}

/// Everything at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The document of the policy in force; its label and settings are in the state.
    pub document: String,
    /// The state.
    pub state: State,
    /// What the policy had learned, by [`MatchPolicy::save`](crate::MatchPolicy::save).
    pub learned: Vec<u8>,
}

/// A record of a journal.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// Everything at one moment.
    Snapshot(Box<Snapshot>),
    /// One step.
    Step(StepRecord),
}

/// A record, and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where it begins.
    pub offset: u64,
    /// Where the next one begins.
    pub end: u64,
    /// What it holds.
    pub record: Record,
}

/// The records of a journal in their order, until the end or the first that is at fault.
///
/// O(bytes) in all. A length that is too great is found by its checksum before anything is allocated.
#[derive(Debug, Clone)]
pub struct JournalReader<'a> {
    frames: Frames<'a>,
}

impl<'a> JournalReader<'a> {
    /// The records of these bytes.
    ///
    /// # Errors
    /// [`JournalFault::NotAJournal`], [`JournalFault::Version`], or [`JournalFault::Cut`] for a part of a header.
    pub fn new(bytes: &'a [u8]) -> Result<Self, JournalError> {
        let frames = Frames::new(bytes)?;
        Ok(Self { frames })
    }
}

impl Iterator for JournalReader<'_> {
    type Item = Result<Entry, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.frames.next()?.and_then(|frame| {
            let record = frame.decode()?;
            let (offset, end) = (frame.offset, frame.end());
            Ok(Entry { offset, end, record })
        });
        if entry.is_err() {
            self.frames.is_over = true;
        }
        Some(entry)
    }
}

/// A record whose checksums hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) offset: u64,
    pub(crate) kind: u8,
    payload: &'a [u8],
    /// CRC-32 of all up to its end.
    pub(crate) checksum: u32,
}

impl Frame<'_> {
    /// Where the next one begins.
    pub(crate) const fn end(&self) -> u64 {
        self.offset + (HEAD + self.payload.len() + TAIL) as u64
    }

    pub(super) fn decode(&self) -> Result<Record, JournalError> {
        match self.kind {
            SNAPSHOT => {
                let (document, state, learned): (String, State, ByteBuf) = self.payload()?;
                Ok(Record::Snapshot(Box::new(Snapshot {
                    document,
                    state,
                    learned: learned.into_vec(),
                })))
            }
            STEP => {
                let (now, events, outcome) = self.payload()?;
                Ok(Record::Step(StepRecord { now, events, outcome }))
            }
            kind => Err(JournalFault::Kind { kind }.at(self.offset)),
        }
    }

    pub(crate) fn payload<T: DeserializeOwned>(&self) -> Result<T, JournalError> {
        cbor::read(self.payload).map_err(|reason| JournalFault::Encoding { reason }.at(self.offset))
    }
}

/// The records of a journal, their checksums checked and their payloads not yet decoded.
#[derive(Debug, Clone)]
pub(crate) struct Frames<'a> {
    bytes: &'a [u8],
    at: usize,
    checksum: u32,
    is_over: bool,
}

impl<'a> Frames<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, JournalError> {
        let known = bytes.len().min(MAGIC.len());
        let fault = if bytes[..known] != MAGIC[..known] {
            Some(JournalFault::NotAJournal)
        } else if bytes.len() < HEADER {
            Some(JournalFault::Cut)
        } else {
            let found = word(&bytes[MAGIC.len()..]);
            (found != VERSION).then_some(JournalFault::Version {
                found,
                known: VERSION,
            })
        };
        match fault {
            Some(fault) => Err(fault.at(0)),
            None => Ok(Self {
                bytes,
                at: HEADER,
                checksum: crc32fast::hash(&bytes[..HEADER]),
                is_over: false,
            }),
        }
    }

    /// Those from a place on, after a record that ended with this checksum.
    pub(crate) const fn after(bytes: &'a [u8], at: usize, checksum: u32) -> Self {
        Self {
            bytes,
            at,
            checksum,
            is_over: false,
        }
    }

    /// Those behind the record at a place, which is passed over unchecked.
    pub(crate) fn behind(bytes: &'a [u8], at: usize) -> Self {
        let length = bytes.get(at..).map_or(0, word) as usize;
        let end = at.saturating_add(HEAD + TAIL).saturating_add(length);
        let tail = bytes.get(..end).and_then(|before| before.last_chunk());
        Self::after(bytes, end, tail.map_or(0, |tail| u32::from_le_bytes(*tail)))
    }

    fn read(&mut self) -> Result<Frame<'a>, JournalFault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        // File systems may leave zeros where data was not yet written.
        if rest.len() < HEAD || rest.iter().all(|&byte| byte == 0) {
            return Err(JournalFault::Cut);
        }
        let (head, rest) = rest.split_at(HEAD);
        let mut checksum = crc32fast::Hasher::new_with_initial(self.checksum);
        checksum.update(&head[..5]);
        if checksum.clone().finalize() != word(&head[5..]) {
            return Err(JournalFault::Checksum);
        }
        let length = word(head) as usize;
        let end = length.checked_add(TAIL).filter(|&end| end <= rest.len());
        let (payload, tail) = rest[..end.ok_or(JournalFault::Cut)?].split_at(length);
        checksum.update(payload);
        let checksum = checksum.finalize();
        if checksum != word(tail) {
            return Err(JournalFault::Checksum);
        }
        Ok(Frame {
            offset: self.at as u64,
            kind: head[4],
            payload,
            checksum,
        })
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over || self.at >= self.bytes.len() {
            return None;
        }
        let frame = self.read();
        match &frame {
            Ok(frame) => {
                self.at += HEAD + frame.payload.len() + TAIL;
                self.checksum = frame.checksum;
            }
            // Dropped: not dropped: it is returned below.
            Err(_) => self.is_over = true,
        }
        Some(frame.map_err(|fault| fault.at(self.at as u64)))
    }
}

/// The first four bytes as a number.
pub(crate) fn word(bytes: &[u8]) -> u32 {
    let first = bytes.first_chunk().copied().unwrap_or_default();
    u32::from_le_bytes(first)
}
