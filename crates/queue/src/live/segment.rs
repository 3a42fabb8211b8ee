//! Segments: steps in their order, from file to file, and what a crash may leave of the last one.
//!
//! A segment is a file of records as a [journal](crate::journal) has them, and zeros after them. Its first record, `L`, says
//! its number, the last step before it and the checksum with which that ended, so that segments follow one another as
//! records do. The others, `N`, are steps: number, how many bytes of the segment were synced when it was written, time, events,
//! outcome, and the caller's bytes. A file of a state has three: `P`, where it is and its document; `M`, the state without
//! recent matches, what the policy learned, and the caller's bytes; `R`, the recent matches.

use std::io;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteBuf, Bytes};

use super::error::{OpenError, damage};
use super::storage::{FileName, Storage, read_all};
use crate::journal::{
    Frame, Frames, HEAD, HEADER, JournalError, JournalFault, StepRecord, TAIL, append, header, word,
};
use crate::time::Time;

/// A step's number, what was synced, and its time.
type Beginning = (u64, u64, Time, IgnoredAny, IgnoredAny, IgnoredAny);

const LINK: u8 = b'L';
const STEP: u8 = b'N';
pub(super) const POSITION: u8 = b'P';
pub(super) const STATE: u8 = b'M';
pub(super) const MATCHES: u8 = b'R';

/// The bytes that a device writes as a whole.
const SECTOR: usize = 512;

/// Between two steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Position {
    /// How many steps were before.
    pub(super) step: u64,
    /// The segment in which the last of them is.
    pub(super) segment: u64,
    /// Where it ends there; 0 in a segment that has not begun.
    pub(super) offset: u64,
    /// The checksum with which it ends.
    pub(super) checksum: u32,
}

impl Position {
    /// How many bytes of a segment are between.
    pub(super) const fn bytes_after(&self, before: &Self) -> u64 {
        let from = if self.segment == before.segment {
            before.offset
        } else {
            0
        };
        self.offset.saturating_sub(from)
    }
}

/// A step as it is on the device.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// Its number: the first step of a queue has 1.
    pub step: u64,
    /// What happened and what was decided.
    pub record: StepRecord,
    /// What the caller attached.
    pub attached: Vec<u8>,
    /// Where it ends.
    pub(super) end: Position,
}

/// The first bytes of a segment that begins here, as number `segment`, and the position after them.
pub(super) fn begin(after: &Position, segment: u64) -> Result<(Vec<u8>, Position), JournalFault> {
    let (mut bytes, checksum) = header();
    let link = (segment, after.step, after.checksum);
    let checksum = append(&mut bytes, checksum, LINK, &link)?;
    let position = Position {
        step: after.step,
        segment,
        offset: bytes.len() as u64,
        checksum,
    };
    Ok((bytes, position))
}

/// Appends a step, and returns the position after it.
pub(super) fn append_step(
    bytes: &mut Vec<u8>,
    at: &Position,
    synced: u64,
    record: &StepRecord,
    attached: &[u8],
) -> Result<Position, JournalFault> {
    let (before, step) = (bytes.len(), at.step.saturating_add(1));
    let StepRecord { now, events, outcome } = record;
    let payload = (step, synced, now, events, outcome, Bytes::new(attached));
    let checksum = append(bytes, at.checksum, STEP, &payload)?;
    Ok(Position {
        step,
        segment: at.segment,
        offset: at.offset + (bytes.len() - before) as u64,
        checksum,
    })
}

fn decode(frame: &Frame<'_>, at: &Position) -> Result<Decided, JournalError> {
    if frame.kind != STEP {
        return Err(JournalFault::Kind { kind: frame.kind }.at(frame.offset));
    }
    let (step, _, now, events, outcome, attached): (u64, u64, _, _, _, ByteBuf) = frame.payload()?;
    if at.step.checked_add(1) != Some(step) {
        let (found, last) = (step, at.step);
        return Err(JournalFault::Order { found, last }.at(frame.offset));
    }
    Ok(Decided {
        step,
        record: StepRecord { now, events, outcome },
        attached: attached.into_vec(),
        end: Position {
            step,
            segment: at.segment,
            offset: frame.end(),
            checksum: frame.checksum,
        },
    })
}

/// How a journal of segments ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) position: Position,
    /// Whether the last group of steps was cut off while it was written: then nothing is written behind it.
    pub(super) is_torn: bool,
    /// The number that the next new segment may have, and whether there is one of zeros with the number before it.
    pub(super) next: u64,
    pub(super) has_spare: bool,
    /// How many bytes of steps there were.
    pub(super) read: u64,
}

/// A record that cannot be read.
struct Broken {
    segment: u64,
    error: JournalError,
    is_torn: bool,
}

impl Broken {
    fn new(bytes: &[u8], segment: u64, checksum: u32, error: JournalError) -> Self {
        Self {
            segment,
            is_torn: is_torn(bytes, checksum, &error),
            error,
        }
    }

    fn damage(self) -> OpenError {
        damage(FileName::Segment(self.segment), self.error)
    }
}

/// Tells each step after a position in its turn, up to the one of a number or to the last.
pub(super) fn read_steps(
    storage: &mut dyn Storage,
    from: Position,
    until: u64,
    each: &mut dyn FnMut(Decided) -> Result<(), OpenError>,
) -> Result<End, OpenError> {
    let mut segments: Vec<(u64, u64)> = Vec::new();
    for (name, len) in storage.list()? {
        if let FileName::Segment(number) = name {
            segments.push((number, len));
        }
    }
    segments.sort_unstable();
    let (mut position, mut broken, mut has_spare, mut read) = (from, None, false, 0);
    let next = segments.last().map_or(0, |last| last.0 + 1).max(from.segment);
    segments.retain(|segment| segment.0 >= from.segment);
    if from.offset > 0 && segments.first().is_none_or(|first| first.0 != from.segment) {
        return Err(OpenError::Missing(FileName::Segment(from.segment).to_string()));
    }
    for (number, len) in segments {
        if position.step >= until {
            break;
        }
        let bytes = read_all(storage, FileName::Segment(number), len)?;
        if number != position.segment || position.offset == 0 {
            has_spare = bytes.iter().all(|&byte| byte == 0);
            if has_spare {
                continue;
            }
            match follow_link(&bytes, number, &position) {
                Ok(after) => (position, broken) = (after, None),
                Err(error) => {
                    let found = Broken::new(&bytes, number, header().1, error);
                    if found.is_torn {
                        continue;
                    }
                    return Err(broken.unwrap_or(found).damage());
                }
            }
        }
        let start = usize::try_from(position.offset).map_err(io::Error::other)?;
        for frame in Frames::after(&bytes, start, position.checksum) {
            let decided = frame.and_then(|frame| decode(&frame, &position));
            match decided {
                Ok(decided) => {
                    read += decided.end.bytes_after(&position);
                    position = decided.end;
                    each(decided)?;
                }
                Err(error) if is_blank(&bytes, error.offset) => break,
                Err(error) => {
                    broken = Some(Broken::new(&bytes, number, position.checksum, error));
                    break;
                }
            }
            if position.step >= until {
                break;
            }
        }
    }
    match broken {
        Some(broken) if !broken.is_torn => Err(broken.damage()),
        broken => Ok(End {
            position,
            is_torn: broken.is_some(),
            next,
            has_spare,
            read,
        }),
    }
}

/// The position after the first record of a segment, which must go on where the one before it ended.
fn follow_link(bytes: &[u8], segment: u64, after: &Position) -> Result<Position, JournalError> {
    let cut = JournalFault::Cut.at(HEADER as u64);
    let frame = Frames::new(bytes)?.next().unwrap_or(Err(cut))?;
    if frame.kind != LINK {
        return Err(JournalFault::Kind { kind: frame.kind }.at(frame.offset));
    }
    let link: (u64, u64, u32) = frame.payload()?;
    if link != (segment, after.step, after.checksum) {
        return Err(JournalFault::Link {
            step: link.1,
            last: after.step,
        }
        .at(frame.offset));
    }
    Ok(Position {
        step: after.step,
        segment,
        offset: frame.end(),
        checksum: frame.checksum,
    })
}

/// After which step a segment begins, and when its first step was.
pub(super) fn first_step(bytes: &[u8]) -> Option<(u64, Time)> {
    let read = || -> Result<_, JournalError> {
        let cut = || Err(JournalFault::Cut.at(HEADER as u64));
        let mut frames = Frames::new(bytes)?;
        let (_, step, _): (u64, u64, u32) = frames.next().unwrap_or_else(cut)?.payload()?;
        let beginning: Beginning = frames.next().unwrap_or_else(cut)?.payload()?;
        Ok((step, beginning.2))
    };
    // Dropped: what cannot be read is kept.
    read().ok()
}

fn is_blank(bytes: &[u8], from: u64) -> bool {
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    bytes
        .get(from..)
        .unwrap_or_default()
        .iter()
        .all(|&byte| byte == 0)
}

/// Whether the first record that fails is what a crash leaves of one that was not synced. Devices write sectors as a
/// whole: then one of the record's is all zero, or all after some place is; and no later record says that it was synced.
/// All else are bytes that changed after they were synced.
fn is_torn(bytes: &[u8], checksum: u32, error: &JournalError) -> bool {
    let start = usize::try_from(error.offset).unwrap_or(usize::MAX);
    let rest = bytes.get(start..).unwrap_or_default();
    let mut expected = crc32fast::Hasher::new_with_initial(checksum);
    let length = match &error.fault {
        _ if rest.len() < HEADER => return true,
        // The header, which is the first that is written of a segment.
        _ if start == 0 => HEADER,
        JournalFault::Cut | JournalFault::Checksum => {
            expected.update(&rest[..5]);
            if expected.clone().finalize() == word(&rest[5..]) {
                (word(rest) as usize).saturating_add(HEAD + TAIL)
            } else {
                HEAD
            }
        }
        _ => return false,
    };
    let end = start.saturating_add(length);
    if is_synced(bytes, start) {
        return false;
    }
    if end > bytes.len() {
        return true;
    }
    if length > HEADER {
        expected.update(&bytes[start + HEAD..end - TAIL]);
    }
    if is_blank(bytes, end as u64) && is_begun(&bytes[end - TAIL..end], expected.finalize()) {
        return true;
    }
    (start / SECTOR..=(end - 1) / SECTOR).any(|sector| {
        let from = (sector * SECTOR).max(start);
        let to = ((sector + 1) * SECTOR).min(bytes.len());
        bytes[from..to].iter().all(|&byte| byte == 0)
    })
}

/// Whether these bytes are the first of a checksum, or none of it, and zeros.
fn is_begun(bytes: &[u8], checksum: u32) -> bool {
    let written = bytes
        .iter()
        .rposition(|&byte| byte != 0)
        .map_or(0, |last| last + 1);
    bytes[..written] == checksum.to_le_bytes()[..written]
}

/// Whether a whole record after this place says that more than what is before it was synced.
fn is_synced(bytes: &[u8], start: usize) -> bool {
    (start + HEAD..bytes.len().saturating_sub(HEAD)).any(|at| {
        if bytes[at + 4] != STEP {
            return false;
        }
        // The record before it ended with this checksum, whatever is wrong with it.
        let mut frames = Frames::after(bytes, at, word(&bytes[at - TAIL..]));
        let found = frames
            .next()
            .map(|frame| frame.and_then(|frame| frame.payload::<Beginning>()));
        // Most places are none where a record begins.
        matches!(found, Some(Ok(beginning)) if beginning.1 > start as u64)
    })
}
