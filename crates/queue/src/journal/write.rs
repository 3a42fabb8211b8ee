//! [`JournalWriter`]: steps and snapshots become bytes.

use serde::Serialize;
use serde_bytes::Bytes;

use super::{HEAD, HEADER, JournalError, JournalFault, MAGIC, SNAPSHOT, STEP, TAIL, VERSION, cbor};
use crate::event::{Event, EventKind, PolicyChange};
use crate::outcome::{Decision, Outcome};
use crate::policy::MatchPolicy;
use crate::state::State;
use crate::time::Time;

/// Turns steps into the bytes that are to be appended to a journal.
///
/// It does no I/O: the caller appends the bytes in the order in which they were made, syncs, and acknowledges then. An
/// append or sync that fails leaves the journal in doubt: stop, and [`recover`](super::recover) from the file.
///
/// ```
/// use matchwright_queue::journal::{JournalWriter, recover};
/// use matchwright_queue::{
///     Event, Pairs, PairsParams, PolicyChange, PolicyLabel, QueueSettings, State, Ticket, Time, step,
/// };
///
/// let open = |_: &PolicyChange| Ok(Pairs::new("", PairsParams::default().build().map_err(|error| error.to_string())?));
/// let mut state = State::new(PolicyLabel::default(), QueueSettings::default());
/// let mut policy = Pairs::new("", PairsParams::default().build()?);
///
/// let (mut writer, mut bytes) = JournalWriter::begin("any two play", &state, &policy)?;
/// let events = [Event::create(1, Ticket::of_one(1, 1)), Event::create(2, Ticket::of_one(2, 2))];
/// let outcome = step(&mut state, &mut policy, Time::from_millis(5), &events)?;
/// bytes.extend(writer.step(Time::from_millis(5), &events, &outcome)?);
/// // ... append to the file, sync, and then tell the players.
///
/// let recovered = recover(&bytes, open)?;
/// assert_eq!((recovered.state, recovered.fault), (state, None));
/// // Cut in the second record, the journal leads back to the first.
/// let recovered = recover(&bytes[..bytes.len() - 1], open)?;
/// assert!(recovered.state.pool().is_empty() && recovered.fault.is_some_and(|fault| fault.is_torn()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalWriter {
    pub(super) document: String,
    /// Where the next record begins.
    pub(super) offset: u64,
    /// CRC-32 of all before.
    pub(super) checksum: u32,
    /// The bytes of the last snapshot, and of the steps since.
    pub(super) snapshot: u64,
    pub(super) steps: u64,
}

impl JournalWriter {
    /// A new journal that begins with this state, under a policy of this document: with the bytes to write.
    ///
    /// # Errors
    /// A state that cannot be encoded ([`JournalFault::Encoding`]), or not in 4 GiB.
    pub fn begin(
        document: &str,
        state: &State,
        policy: &dyn MatchPolicy,
    ) -> Result<(Self, Vec<u8>), JournalError> {
        Self::begin_with(document, state, &policy.save())
    }

    /// The same with what the policy had learned.
    pub(crate) fn begin_with(
        document: &str,
        state: &State,
        learned: &[u8],
    ) -> Result<(Self, Vec<u8>), JournalError> {
        let (mut bytes, checksum) = header();
        let mut writer = Self {
            document: document.to_owned(),
            offset: HEADER as u64,
            checksum,
            snapshot: 0,
            steps: 0,
        };
        bytes.extend(writer.snapshot_with(state, learned)?);
        Ok((writer, bytes))
    }

    /// The bytes of a step: some 160 for a ticket of one player that comes, 140 for an answer, 250 for a match. None for one
    /// without events and decisions, which changes nothing that a recovered queue would not do again.
    ///
    /// # Errors
    /// [`JournalFault::Encoding`], [`JournalFault::TooLarge`]; the writer is then as it was.
    pub fn step(&mut self, now: Time, events: &[Event], outcome: &Outcome) -> Result<Vec<u8>, JournalError> {
        if events.is_empty() && outcome.is_empty() {
            return Ok(Vec::new());
        }
        let bytes = self.record(STEP, &(now, events, outcome))?;
        self.steps += bytes.len() as u64;
        if let Some(change) = new_policy(events, outcome) {
            self.document.clone_from(&change.document);
        }
        Ok(bytes)
    }

    /// The bytes of a snapshot. O(n log n) with n tickets.
    ///
    /// # Errors
    /// As for [`step`](Self::step).
    pub fn snapshot(&mut self, state: &State, policy: &dyn MatchPolicy) -> Result<Vec<u8>, JournalError> {
        self.snapshot_with(state, &policy.save())
    }

    fn snapshot_with(&mut self, state: &State, learned: &[u8]) -> Result<Vec<u8>, JournalError> {
        let document = self.document.clone();
        let bytes = self.record(SNAPSHOT, &(document, state, Bytes::new(learned)))?;
        (self.snapshot, self.steps) = (bytes.len() as u64, 0);
        Ok(bytes)
    }

    /// Whether the steps since the last snapshot have outgrown it, so that another one costs at most half of them.
    ///
    /// With a snapshot whenever it is due a journal has at most 3/2 of the bytes of its steps, and recovery reads twice the
    /// bytes of the state, or 128 KiB.
    #[must_use]
    pub fn is_snapshot_due(&self) -> bool {
        self.steps > (2 * self.snapshot).max(1 << 17)
    }

    /// How many bytes the journal has by now, if all were written.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The document of the policy in force.
    #[must_use]
    pub fn document(&self) -> &str {
        &self.document
    }

    fn record(&mut self, kind: u8, payload: &impl Serialize) -> Result<Vec<u8>, JournalError> {
        let mut bytes = Vec::new();
        let checksum = append(&mut bytes, self.checksum, kind, payload);
        self.checksum = checksum.map_err(|fault| fault.at(self.offset))?;
        self.offset += bytes.len() as u64;
        Ok(bytes)
    }
}

/// Appends a record after one that ended with this checksum, and returns its own; without one the bytes are as they were.
pub(crate) fn append(
    bytes: &mut Vec<u8>,
    checksum: u32,
    kind: u8,
    payload: &impl Serialize,
) -> Result<u32, JournalFault> {
    let start = bytes.len();
    bytes.extend([0; HEAD]);
    if let Err(reason) = cbor::write(payload, bytes) {
        bytes.truncate(start);
        return Err(JournalFault::Encoding { reason });
    }
    let length = bytes.len() - start - HEAD;
    // Dropped: our own error says more.
    let Ok(short) = u32::try_from(length) else {
        bytes.truncate(start);
        return Err(JournalFault::TooLarge { bytes: length });
    };
    let head = &mut bytes[start..start + HEAD];
    head[..4].copy_from_slice(&short.to_le_bytes());
    head[4] = kind;
    let mut checksum = crc32fast::Hasher::new_with_initial(checksum);
    checksum.update(&head[..5]);
    head[5..].copy_from_slice(&checksum.clone().finalize().to_le_bytes());
    checksum.update(&bytes[start + HEAD..]);
    let checksum = checksum.finalize();
    bytes.extend(checksum.to_le_bytes());
    debug_assert_eq!(bytes.len() - start, HEAD + length + TAIL);
    Ok(checksum)
}

/// The first bytes of a journal, and their checksum.
pub(crate) fn header() -> (Vec<u8>, u32) {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    let checksum = crc32fast::hash(&bytes);
    (bytes, checksum)
}

/// The policy that a step brought into force.
pub(crate) fn new_policy<'a>(events: &'a [Event], outcome: &Outcome) -> Option<&'a PolicyChange> {
    outcome.decisions.iter().rev().find_map(|decision| {
        let Decision::PolicySet { event } = decision else {
            return None;
        };
        match &events.get(*event)?.kind {
            EventKind::SetPolicy(change) => Some(&**change),
            _ => None,
        }
    })
}
