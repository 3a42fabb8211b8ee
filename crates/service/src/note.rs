//! What is attached to a step: what happened beside the queue, in bytes with a version.

use serde::{Deserialize, Serialize};

use crate::request::{NewPlayer, NewTicket};
use crate::view::Left;

/// The version of the notes that are written.
const VERSION: u8 = 1;

/// Something that the ledger takes note of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Note {
    /// The first of a folder: the random part of all names, how results are rated, if they are, and how much of what is over is known.
    Begin {
        epoch: u32,
        ratings: Option<Vec<u8>>,
        known: usize,
    },
    /// A player has this name from now on.
    Player { number: u64, name: String },
    /// A ticket was asked for by a request: who asks again is told the same.
    Request {
        ticket: u64,
        subject: String,
        request: String,
        hash: u64,
    },
    /// A ticket waits until those who are missing have joined it.
    Gathering { ticket: u64, gathering: Gathering },
    /// One of them has.
    Joined { ticket: u64, member: NewMember },
    /// It is gone before all had.
    Dissolved { ticket: u64, reason: Left },
    /// A player left the match that its ticket had got, and may not queue until then.
    LeftMatch { ticket: u64, player: u64, until: i64 },
    /// A match is played, whether or not the queue still knew that it could fail.
    Started { match_id: u64 },
    /// These have left a match that is played.
    Lost { match_id: u64, left: Vec<u64> },
    /// A ticket looks for others in the place of those who left a match.
    Backfill { match_id: u64, ticket: u64 },
    /// While a ticket waits, its players must be seen at least once every `within` milliseconds.
    Presence { ticket: u64, within: u32 },
    /// They were not, so that it is gone.
    Abandoned { ticket: u64 },
    /// A player is to be known no more.
    Erased { player: u64 },
    /// A match has a server.
    Assigned { match_id: u64, connection: String },
    /// A match ended so.
    Result(Reported),
    /// A result does not count any more.
    Retracted { match_id: u64 },
}

/// A ticket that is not complete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gathering {
    /// Who is there, in their order.
    pub(crate) here: Vec<NewMember>,
    /// Who is to join.
    pub(crate) missing: Vec<u64>,
    /// What was asked for, but for its players.
    pub(crate) new: NewTicket,
    /// It is gone unless all have joined by then, in Unix milliseconds.
    pub(crate) deadline: i64,
}

/// A player of such a ticket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct NewMember {
    pub(crate) number: u64,
    pub(crate) player: NewPlayer,
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reported {
    pub(crate) match_id: u64,
    /// The place of each team, 1 for the best.
    pub(crate) places: Vec<u32>,
    /// When it ended, in Unix seconds.
    pub(crate) played_at: i64,
}

/// The notes of a step as bytes; none of none.
pub(crate) fn encode(notes: &[Note], to: &mut Vec<u8>) -> Result<(), String> {
    if notes.is_empty() {
        return Ok(());
    }
    to.push(VERSION);
    cbor2::to_writer(notes, to).map_err(|error| error.to_string())
}

/// The notes that bytes are.
pub(crate) fn decode(bytes: &[u8]) -> Result<Vec<Note>, String> {
    match bytes.split_first() {
        None => Ok(Vec::new()),
        Some((&VERSION, notes)) => cbor2::from_slice(notes).map_err(|error| error.to_string()),
        Some((version, _)) => Err(format!(
            "notes of version {version}, and this program knows version {VERSION}"
        )),
    }
}
