//! [`to_journal`]: the files of a queue as one journal, to be replayed and analysed.

use super::core::{Attached, Core, Loader, StateFile};
use super::error::OpenError;
use super::segment::{Decided, read_steps};
use super::storage::{FileName, Storage, read_all};
use crate::journal::{JournalError, JournalWriter};
use crate::state::State;

/// The steps of a queue from the oldest state on that is kept, as a [journal](crate::journal) of one file.
#[derive(Debug)]
pub struct Exported {
    /// Its bytes.
    pub journal: Vec<u8>,
    /// How many steps are in it.
    pub steps: u64,
    /// What is damaged after them.
    pub fault: Option<OpenError>,
}

/// Reads the files of a queue, which may be running: nothing is locked, and nothing is changed. What the caller attached is left
/// out. O(bytes), all in memory.
///
/// # Errors
/// No state from which all segments are there, [`OpenError::Damaged`] for one that cannot be read, or the device.
pub fn to_journal(storage: &mut dyn Storage) -> Result<Exported, OpenError> {
    from_oldest(storage, export)
}

/// Follows all steps of a queue's files from the oldest state on that is kept, and tells each with the caller's own state after it;
/// nothing is locked, and nothing is changed. Returns the last step.
///
/// # Errors
/// As [`Queue::open`](super::Queue::open), and what `each` says.
pub fn walk<A: Attached>(
    storage: &mut dyn Storage,
    load: &Loader,
    mut each: impl FnMut(&Decided, &A) -> Result<(), OpenError>,
) -> Result<u64, OpenError> {
    let (mut core, position) = from_oldest(storage, |_, file| {
        Ok((Core::<A>::whole(file, load)?, file.position))
    })?;
    let mut last = position.step;
    read_steps(storage, position, u64::MAX, &mut |decided| {
        core.follow(&decided)?;
        last = decided.step;
        each(&decided, &core.attached)
    })?;
    Ok(last)
}

/// What is made of the oldest state from which all segments are there.
fn from_oldest<T>(
    storage: &mut dyn Storage,
    mut read: impl FnMut(&mut dyn Storage, &StateFile) -> Result<T, OpenError>,
) -> Result<T, OpenError> {
    let mut states = Vec::new();
    for (name, len) in storage.list()? {
        if let FileName::State(step) = name {
            states.push((step, len));
        }
    }
    states.sort_unstable();
    let mut missing = OpenError::Missing("a file of a state".to_owned());
    for (step, len) in states {
        let name = FileName::State(step);
        let bytes = read_all(storage, name, len)?;
        let file = StateFile::read(bytes, name)?;
        let all = read_steps(storage, file.position, file.position.step, &mut |_| Ok(()));
        match all.map(drop).and_then(|()| read(storage, &file)) {
            // Older segments were removed; a newer state needs them not.
            Err(error @ OpenError::Missing(_)) => missing = error,
            read => return read,
        }
    }
    Err(missing)
}

fn export(storage: &mut dyn Storage, from: &StateFile) -> Result<Exported, OpenError> {
    let (state, learned) = from.state()?;
    let begun = JournalWriter::begin_with(&from.document, &state, &learned);
    let (mut writer, journal) = begun.map_err(unwritable)?;
    drop::<State>(state);
    let mut exported = Exported {
        journal,
        steps: 0,
        fault: None,
    };
    let read = read_steps(storage, from.position, u64::MAX, &mut |decided| {
        let record = &decided.record;
        let bytes = writer.step(record.now, &record.events, &record.outcome);
        exported.journal.extend(bytes.map_err(unwritable)?);
        exported.steps += 1;
        Ok(())
    });
    match read {
        Ok(_) => {}
        Err(error @ (OpenError::Missing(_) | OpenError::Io(_))) => return Err(error),
        Err(error) => exported.fault = Some(error),
    }
    Ok(exported)
}

fn unwritable(error: JournalError) -> OpenError {
    OpenError::Damaged {
        file: "the journal".to_owned(),
        offset: error.offset,
        fault: error.fault,
    }
}
