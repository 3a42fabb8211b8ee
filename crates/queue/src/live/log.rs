//! [`to_journal`]: the files of a queue as one journal, to be replayed and analysed.

use super::core::StateFile;
use super::error::OpenError;
use super::segment::read_steps;
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
        match export(storage, &StateFile::read(bytes, name)?) {
            // Older segments were removed; a newer state needs them not.
            Err(error @ OpenError::Missing(_)) => missing = error,
            exported => return exported,
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
