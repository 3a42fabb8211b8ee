//! What is told of tickets and matches, by names.

use serde::Serialize;

use crate::ratings::Rated;

/// A ticket as its players see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TicketView {
    /// Its name.
    pub id: String,
    /// Its players.
    pub players: Vec<String>,
    /// Where it stands.
    #[serde(flatten)]
    pub state: TicketState,
    /// The step after which it stood so: versions of a ticket rise.
    pub version: u64,
}

/// Where a ticket stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum TicketState {
    /// It waits.
    Waiting,
    /// Its players are asked to accept a match.
    Proposed {
        /// The proposal.
        proposal: String,
        /// When it ends unless all have accepted, in Unix milliseconds.
        deadline: i64,
    },
    /// It has a match.
    Matched {
        /// The match.
        #[serde(rename = "match")]
        match_id: String,
        /// How far that is.
        phase: Phase,
    },
    /// It is gone.
    Left {
        /// Why.
        reason: Left,
    },
}

/// Why a ticket is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Left {
    /// It was cancelled.
    Cancelled,
    /// Its own time was over.
    Expired,
    /// One of its players declined a proposal.
    Declined,
    /// One of its players did not answer in time.
    TimedOut,
}

/// How far a match is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// It waits for a server.
    Allocating,
    /// Its players know where to play.
    Assigned,
    /// It is played.
    Started,
    /// It has a result.
    Ended,
    /// It did not start: its tickets wait again.
    Failed,
}

/// A match as its server and its players see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchView {
    /// Its name.
    pub id: String,
    /// The queue.
    pub queue: String,
    /// Where it is played, if tickets name regions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The players of each team.
    pub teams: Vec<Vec<String>>,
    /// The policy that made it: its name and version.
    pub policy: [String; 2],
    /// How far it is.
    pub phase: Phase,
    /// Where to play, once that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection: Option<String>,
    /// The place of each team, once it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<Vec<u32>>,
    /// Whether its result was taken back, so that it does not count.
    pub is_retracted: bool,
}

/// What a player is in, and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerView {
    /// Its name.
    pub id: String,
    /// The ticket that it waits in or has got a match by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket: Option<TicketView>,
    /// Its rating, where the service keeps ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rated: Option<Rated>,
}
