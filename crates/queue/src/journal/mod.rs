//! Journals: the steps of a queue as bytes, and states rebuilt from them. Feature `journal`.
//!
//! A journal is a header and then records, each a step (its time, events and outcome) or a snapshot (the policy's
//! document, the state, and what the policy has learned). The first record is a snapshot, so that every journal stands by
//! itself: one that has grown long is replaced by a new one that begins with the present state.
//!
//! # Format, version 2
//! Integers are little-endian; payloads are CBOR (RFC 8949).
//!
//! | bytes | |
//! |---|---|
//! | 8 | `89 4D 57 51 0D 0A 1A 0A` |
//! | 4 | the version of the format |
//! | then for each record: 4 | the length of the payload |
//! | 1 | the kind: `S` for a snapshot, `T` for a step |
//! | 4 | CRC-32 of all before |
//! | length | the payload: (document, state, learned) or (time, events, outcome) |
//! | 4 | CRC-32 of all before |
//!
//! "All before" is the whole file from its first byte, without the checksums themselves: a record that is lost, doubled or
//! in another place fails as one with a changed bit does. Each changed byte is found, and each burst of up to 32 bits. A
//! checksum finds accidents; against forgers it is no protection.
//!
//! # Guarantees
//! - **Nothing is acknowledged before its record is synced**: that is the caller's part. [`JournalWriter`] returns bytes; the
//!   caller appends and syncs them, and only then tells anyone what the step decided. Events that came without an answer
//!   are sent again by the sender; their numbers make that harmless.
//! - [`recover`] rebuilds the state after the last whole record from any prefix of a journal. Recorded outcomes are
//!   applied, never computed again, since another version of a policy may decide otherwise.
//! - A recovered state equals the one that was lost, and its policy decides as if it had never stopped: what it remembers
//!   is in its notes, and each step's budget in its record.
//! - A step without events and decisions changes nothing, and need not be written ([`JournalWriter::step`]).
//! - [`replay`] computes every step again, and finds the first that comes out otherwise.
//!
//! Checking takes time linear in the bytes, rebuilding in the records after the last snapshot
//! ([`JournalWriter::is_snapshot_due`] keeps those few, and the file within a factor of its steps). Memory is that of the
//! state and of one record.

mod cbor;
mod read;
mod recover;
mod replay;
mod saved;
mod write;

use thiserror::Error;

pub use self::read::{Entry, JournalReader, Record, Snapshot, StepRecord};
pub(crate) use self::read::{Frame, Frames, word};
pub use self::recover::{Recovered, recover};
pub use self::replay::{Difference, DifferenceKind, Replay, replay};
pub use self::saved::{from_saved, to_saved};
pub use self::write::JournalWriter;
pub(crate) use self::write::{append, header, new_policy};
use crate::state::StepError;

/// First byte not ASCII, then a line end of each kind, so that transfers as text are found out.
const MAGIC: [u8; 8] = *b"\x89MWQ\r\n\x1a\n";
const VERSION: u32 = 2;
/// The magic and the version.
pub(crate) const HEADER: usize = 12;
/// Length, kind and checksum of a record, before its payload.
pub(crate) const HEAD: usize = 9;
/// The checksum after it.
pub(crate) const TAIL: usize = 4;
const SNAPSHOT: u8 = b'S';
const STEP: u8 = b'T';

/// What is wrong with a journal, and where.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("byte {offset}: {fault}")]
pub struct JournalError {
    /// Where the record begins that is at fault; all before is whole.
    pub offset: u64,
    /// What is wrong with it.
    pub fault: JournalFault,
}

impl JournalError {
    /// Whether this is what an append that was interrupted leaves: nothing that was synced is lost if the journal is cut
    /// here. Otherwise bytes changed after they were written, and what follows may have been acknowledged.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        self.fault == JournalFault::Cut
    }
}

/// What can be wrong with a journal.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum JournalFault {
    /// Another kind of file.
    #[error("not a journal of a queue")]
    NotAJournal,
    /// A format that this program does not know.
    #[error(
        "the format has version {found}, and this program knows version {known}: read it with {}",
        if found > known { "a newer one" } else { "an earlier one, or begin a new journal" }
    )]
    Version { found: u32, known: u32 },
    /// Fewer bytes than the record should have, or only zeros from its beginning on.
    #[error("the record is cut: append was interrupted, and everything before is whole")]
    Cut,
    /// Bytes that changed.
    #[error("a checksum fails: bytes changed after they were written, or records are missing")]
    Checksum,
    /// A kind of record that this version does not know.
    #[error("a record of the unknown kind {kind}")]
    Kind { kind: u8 },
    /// A journal that does not begin with a snapshot.
    #[error("the first record must be a snapshot")]
    NoSnapshot,
    /// A payload that cannot be written or read.
    #[error("the record cannot be encoded or decoded: {reason}")]
    Encoding { reason: String },
    /// A payload of 4 GiB or more.
    #[error("the record has {bytes} bytes, and none may have 2^32")]
    TooLarge { bytes: usize },
    /// A policy that could not be made from its document, or could not take what was learned.
    #[error("the policy in force from here on: {reason}")]
    Policy { reason: String },
    /// A step of a segment that is not the next.
    #[error("the record is step {found}, and the one before it was step {last}")]
    Order { found: u64, last: u64 },
    /// A segment that does not follow the one before it.
    #[error(
        "the segment goes on after step {step}, and the one before it ends with step {last}: \
             a segment is missing, or is one of another queue"
    )]
    Link { step: u64, last: u64 },
    /// A step that was taken in another state.
    #[error("the record does not follow those before it: {0}")]
    DoesNotFit(StepError),
}

impl JournalFault {
    pub(crate) const fn at(self, offset: u64) -> JournalError {
        JournalError { offset, fault: self }
    }
}
