//! The files of a service, without one that runs on them: checked, copied, and their results told.

use std::io::{self, ErrorKind};

use matchwright_queue::Decision;
use matchwright_queue::live::{Decided, FileName, Loader, OpenError, Storage, walk};
use serde::Serialize;

use crate::ledger::Ledger;
use crate::note::{Note, decode};
use crate::view::MatchView;

/// What is in the files of a service, from the oldest state on that is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Contents {
    /// The last step.
    pub step: u64,
    /// When it was, in Unix milliseconds.
    pub until: i64,
    /// Steps that were read.
    pub steps: u64,
    /// Tickets that came in them.
    pub tickets: u64,
    /// Matches that were made in them.
    pub matches: u64,
    /// Results that came in them.
    pub results: u64,
}

/// Reads all files of a service and follows all steps, as far back as they are kept; nothing is locked or changed.
///
/// # Errors
/// [`OpenError`]: what is damaged, with file and offset.
pub fn verify(storage: &mut dyn Storage, load: &Loader) -> Result<Contents, OpenError> {
    let mut contents = Contents::default();
    let step = walk(storage, load, |decided: &Decided, _: &Ledger| {
        contents.steps += 1;
        contents.until = decided.record.now.millis();
        for decision in &decided.record.outcome.decisions {
            match decision {
                Decision::Admitted { .. } => contents.tickets += 1,
                Decision::Matched(_) => contents.matches += 1,
                _ => {}
            }
        }
        contents.results += notes(decided)?
            .filter(|note| matches!(note, Note::Result(_)))
            .count() as u64;
        Ok(())
    })?;
    Ok(Contents { step, ..contents })
}

fn notes(decided: &Decided) -> Result<impl Iterator<Item = Note> + use<>, OpenError> {
    let notes = decode(&decided.attached).map_err(|reason| OpenError::Attached {
        step: decided.step,
        reason,
    })?;
    Ok(notes.into_iter())
}

/// A result in the order in which it was rated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayedMatch {
    /// The match, with its places.
    pub played: MatchView,
    /// When it ended, in Unix seconds.
    pub ended: i64,
}

/// Tells all results that count, in the order of their times, those of one second in the order in which they came in: the order in which
/// they are rated. As far back as the files are kept.
///
/// # Errors
/// [`OpenError`], and what `each` says.
pub fn results(
    storage: &mut dyn Storage,
    load: &Loader,
    mut each: impl FnMut(&PlayedMatch) -> io::Result<()>,
) -> Result<(), OpenError> {
    let mut all: Vec<Option<PlayedMatch>> = Vec::new();
    let mut places = std::collections::HashMap::new();
    walk(storage, load, |decided: &Decided, ledger: &Ledger| {
        for note in notes(decided)? {
            match note {
                Note::Result(reported) => {
                    let view = ledger.match_view(reported.match_id);
                    // One that a whole team has left is not rated.
                    let counts = |played: &MatchView| {
                        played.places.is_some() && !played.teams.iter().any(Vec::is_empty)
                    };
                    if let Some(played) = view.filter(counts) {
                        places.insert(reported.match_id, all.len());
                        let ended = reported.played_at;
                        all.push(Some(PlayedMatch { played, ended }));
                    }
                }
                Note::Retracted { match_id } => {
                    let view = ledger.match_view(match_id);
                    if view.is_some_and(|view| view.is_retracted)
                        && let Some(place) = places.get(&match_id)
                    {
                        all[*place] = None;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    })?;
    let mut all: Vec<PlayedMatch> = all.into_iter().flatten().collect();
    all.sort_by_key(|result| result.ended);
    all.iter().try_for_each(|result| Ok(each(result)?))
}

/// Pieces in which a segment is copied.
const PIECE: usize = 1 << 16;

/// Copies the files of a service that may be running to an empty place, from which it can be opened as it was at a moment of the copy.
///
/// # Errors
/// [`OpenError`]; a place that has files already.
pub fn backup(from: &mut dyn Storage, to: &mut dyn Storage) -> Result<u64, OpenError> {
    if !to.list()?.is_empty() {
        let full = "there are files already where the copy should be: name an empty folder";
        return Err(io::Error::new(ErrorKind::AlreadyExists, full).into());
    }
    let mut files = from.list()?;
    // States first, and of segments the newest first: whatever is written meanwhile, what is copied is a beginning of what there is.
    files.sort_by_key(|(name, _)| (!matches!(name, FileName::State(_)), std::cmp::Reverse(*name)));
    let mut copied = 0;
    for (name, len) in files {
        let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
        let pieces = bytes.chunks_mut(PIECE).enumerate().rev();
        // From its end: a byte that is there has all those before it.
        let read = pieces.map(|(number, piece)| {
            let mut read = 0;
            while read < piece.len() {
                let at = (number * PIECE + read) as u64;
                match from.read(name, at, &mut piece[read..])? {
                    0 => break,
                    more => read += more,
                }
            }
            Ok(())
        });
        match read.collect::<io::Result<()>>() {
            Ok(()) => {
                to.publish(name, &mut &bytes[..])?;
                copied += len;
            }
            // Removed since, as it is no longer needed.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(copied)
}
