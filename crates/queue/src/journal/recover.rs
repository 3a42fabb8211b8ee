//! [`recover`]: the state after the last whole record, by what was decided then.

use super::read::{Frame, Frames, Record, Snapshot};
use super::write::{JournalWriter, new_policy};
use super::{HEADER, JournalError, JournalFault, SNAPSHOT};
use crate::event::PolicyChange;
use crate::policy::MatchPolicy;
use crate::state::{State, follow};
use crate::time::Time;

/// What a journal led back to.
#[derive(Debug)]
pub struct Recovered<P> {
    /// The state after the last whole record.
    pub state: State,
    /// The policy in force then, which decides as if it had never stopped.
    pub policy: P,
    /// When to step again if nothing happens before: as the last record says.
    pub wakeup: Option<Time>,
    /// Appends to the journal, once it has been cut to [`valid_bytes`](Self::valid_bytes).
    pub writer: JournalWriter,
    /// How many whole records there are.
    pub records: usize,
    /// Where the last whole record ends. Bytes after it must be cut off before anything is appended.
    pub valid_bytes: u64,
    /// What is wrong after that; `None` at the end of the journal. Unless it [is torn](JournalError::is_torn), steps that
    /// were acknowledged may be lost, and no program should cut a journal there by itself.
    pub fault: Option<JournalError>,
}

/// Rebuilds the state after the last whole record, from the last snapshot and the steps after it.
///
/// `open` makes a policy of its label, settings and document, once for that of the snapshot and once for each change, which
/// then [adopts](MatchPolicy::adopt) what the one before it saved.
/// O(bytes) for the checksums and then O(records after the last snapshot), each as long as its step took without the
/// search for matches. Memory: the state, and 40 bytes a record.
///
/// # Errors
/// A journal without one whole record ([`JournalFault::Cut`] if it could become one: nothing was acknowledged), a first
/// record that is no snapshot or that `open` makes no policy of. Faults in later records are in [`Recovered::fault`].
pub fn recover<P: MatchPolicy>(
    bytes: &[u8],
    mut open: impl FnMut(&PolicyChange) -> Result<P, String>,
) -> Result<Recovered<P>, JournalError> {
    let mut frames = Vec::new();
    let mut fault = None;
    for frame in Frames::new(bytes)? {
        match frame {
            Ok(frame) => frames.push(frame),
            Err(error) => fault = Some(error),
        }
    }
    while !frames.is_empty() {
        match rebuild(&frames, &mut open) {
            Ok(recovered) => return Ok(Recovered { fault, ..recovered }),
            // Its checksums hold, so that another program wrote it: what is before it counts.
            Err(error) => {
                let before = frames.partition_point(|frame| frame.offset < error.offset);
                frames.truncate(before);
                fault = Some(error);
            }
        }
    }
    Err(fault.unwrap_or(JournalFault::Cut.at(HEADER as u64)))
}

/// Follows all steps after the last snapshot.
fn rebuild<P: MatchPolicy>(
    frames: &[Frame<'_>],
    open: &mut impl FnMut(&PolicyChange) -> Result<P, String>,
) -> Result<Recovered<P>, JournalError> {
    let start = frames.iter().rposition(|frame| frame.kind == SNAPSHOT);
    let no_snapshot = || JournalFault::NoSnapshot.at(HEADER as u64);
    let (first, steps) = frames[start.unwrap_or(0)..]
        .split_first()
        .ok_or_else(no_snapshot)?;
    let Record::Snapshot(snapshot) = first.decode()? else {
        return Err(no_snapshot());
    };
    let mut document = snapshot.document.clone();
    let (mut state, mut policy) = load(*snapshot, first.offset, open)?;
    for frame in steps {
        let Record::Step(step) = frame.decode()? else {
            continue;
        };
        if let Some(change) = new_policy(&step.events, &step.outcome) {
            policy = next_policy(&policy, change, frame.offset, open)?;
            document.clone_from(&change.document);
        }
        follow(&mut state, &mut policy, step.now, &step.events, &step.outcome)
            .map_err(|error| JournalFault::DoesNotFit(error).at(frame.offset))?;
    }
    let last = steps.last().unwrap_or(first);
    Ok(Recovered {
        wakeup: state.wakeup(),
        writer: JournalWriter {
            document,
            offset: last.end(),
            checksum: last.checksum,
            snapshot: first.end() - first.offset,
            steps: last.end() - first.end(),
        },
        records: frames.len(),
        valid_bytes: last.end(),
        fault: None,
        state,
        policy,
    })
}

/// The state and the policy of a snapshot.
pub(super) fn load<P: MatchPolicy>(
    snapshot: Snapshot,
    offset: u64,
    open: &mut impl FnMut(&PolicyChange) -> Result<P, String>,
) -> Result<(State, P), JournalError> {
    let Snapshot {
        document,
        state,
        learned,
    } = snapshot;
    let change = PolicyChange {
        label: state.policy().clone(),
        document,
        settings: state.settings().clone(),
    };
    let mut policy = open_at(&change, offset, open)?;
    let (pool, now) = (state.pool(), state.now());
    let restored = policy.restore(pool, &pool.waiting(), now, &learned);
    restored.map_err(|reason| JournalFault::Policy { reason }.at(offset))?;
    Ok((state, policy))
}

/// The policy of a change, with what it takes over from the one before it.
pub(super) fn next_policy<P: MatchPolicy>(
    before: &P,
    change: &PolicyChange,
    offset: u64,
    open: &mut impl FnMut(&PolicyChange) -> Result<P, String>,
) -> Result<P, JournalError> {
    let mut policy = open_at(change, offset, open)?;
    policy.adopt(&before.learned());
    Ok(policy)
}

fn open_at<P>(
    change: &PolicyChange,
    offset: u64,
    open: &mut impl FnMut(&PolicyChange) -> Result<P, String>,
) -> Result<P, JournalError> {
    open(change).map_err(|reason| JournalFault::Policy { reason }.at(offset))
}
