//! Files of states: made, read back, and the old ones removed.

use std::io;

use super::core::{Attached, Core};
use super::error::{OpenError, damage};
use super::kept::Kept;
use super::segment::{Position, first_step};
use super::storage::{FileName, Storage, read_all};
use crate::journal::JournalFault;
use crate::time::Time;

impl<A: Attached> Core<A> {
    /// Makes a file of this state, reads it back, and removes what recovery needs no more even if this one should be
    /// damaged later: segments before the last state, `before`, once their last step is `retain` milliseconds old, with the
    /// states before them, and more than a few states.
    pub(super) fn keep(
        &mut self,
        storage: &mut dyn Storage,
        at: &Position,
        before: Option<Kept>,
        retain: Option<i64>,
    ) -> Result<Kept, OpenError> {
        if let Some(before) = before.filter(|before| before.position.step == at.step) {
            return Ok(before);
        }
        let name = FileName::State(at.step);
        let file = self.encode(at).map_err(|fault| damage(name, fault.at(0)))?;
        let bytes = file.len() as u64;
        storage.publish(name, &mut &file[..])?;
        if !holds(storage, name, &file)? {
            return Err(damage(name, JournalFault::Checksum.at(0)));
        }
        if let Some(before) = before {
            remove_old(storage, &before.position, self.state.now(), retain)?;
        }
        let position = *at;
        Ok(Kept { position, bytes })
    }
}

/// A file is read back in pieces, since it is as large as the state.
const PIECE: usize = 1 << 16;

/// Whether this is what is in a file.
fn holds(storage: &mut dyn Storage, name: FileName, file: &[u8]) -> io::Result<bool> {
    let (mut piece, mut at) = (vec![0; PIECE], 0);
    loop {
        let read = storage.read(name, at as u64, &mut piece)?;
        let is_same = file.get(at..at + read).is_some_and(|part| *part == piece[..read]);
        if read == 0 || !is_same {
            return Ok(is_same && at == file.len());
        }
        at += read;
    }
}

/// How many states are kept: the two newest, and others from which older steps can be computed again.
const STATES: usize = 8;

fn remove_old(
    storage: &mut dyn Storage,
    before: &Position,
    now: Time,
    retain: Option<i64>,
) -> Result<(), OpenError> {
    let (mut states, mut segments) = (Vec::new(), Vec::new());
    for (name, len) in storage.list()? {
        match name {
            FileName::State(step) => states.push(step),
            FileName::Segment(number) if number <= before.segment => segments.push((number, len)),
            FileName::Segment(_) => {}
        }
    }
    segments.sort_unstable();
    states.sort_unstable();
    let mut first = 0;
    for pair in segments.windows(2) {
        let [(old, _), (next, len)] = *pair else { continue };
        let bytes = read_all(storage, FileName::Segment(next), len)?;
        // The last step of the one is before the first of the other.
        let Some((step, began)) = first_step(&bytes) else {
            break;
        };
        if retain.is_none_or(|retain| now.since(began) < retain) {
            break;
        }
        storage.remove(FileName::Segment(old))?;
        first = step;
    }
    for &step in states.iter().filter(|&&step| step < first.min(before.step)) {
        storage.remove(FileName::State(step))?;
    }
    states.retain(|&step| step >= first.min(before.step));
    while states.len() > STATES {
        // The one whose neighbours are the nearest to each other.
        let gap = |place: &usize| states[place + 1] - states[place - 1];
        let Some(place) = (1..states.len() - 2).min_by_key(gap) else {
            break;
        };
        storage.remove(FileName::State(states.remove(place)))?;
    }
    Ok(())
}
