//! What is told of tickets and matches, by names.

use matchwright_queue::QueueStatus;
use serde::Serialize;

use crate::ratings::Rated;

/// A ticket as its players see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
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

impl TicketView {
    /// Whether nothing more happens to it: it left, or its match ended.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(
            self.state,
            TicketState::Left { .. }
                | TicketState::Matched {
                    phase: Phase::Ended,
                    ..
                }
        )
    }
}

/// Where a ticket stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum TicketState {
    /// It waits for players who are to join it, and is in no queue yet.
    Gathering {
        /// Who is missing.
        missing: Vec<String>,
        /// It is gone unless all have joined by then, in Unix milliseconds.
        deadline: i64,
    },
    /// It waits for a match.
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
        /// Where to play, once that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        connection: Option<String>,
    },
    /// It is gone.
    Left {
        /// Why.
        reason: Left,
    },
}

/// Why a ticket is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
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
    /// Not all who were to join it did so in time.
    NotGathered,
    /// One of its players left the match that it had got.
    LeftMatch,
    /// None of its players was seen for as long as it was to be waited for.
    Abandoned,
}

/// How far a match is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
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
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
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
    /// The ticket that looks for players in place of those who left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backfill: Option<String>,
    /// The step of its last change.
    pub version: u64,
}

/// A ticket or a match that has changed, as it is now.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// A ticket.
    Ticket(TicketView),
    /// A match.
    Match(MatchView),
}

impl Change {
    /// The step after which it was so.
    #[must_use]
    pub const fn step(&self) -> u64 {
        match self {
            Self::Ticket(ticket) => ticket.version,
            Self::Match(found) => found.version,
        }
    }
}

/// All that a step has changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct StepChanges {
    /// The step.
    pub step: u64,
    /// What it changed: tickets, then matches, each as it was after it.
    pub changes: Vec<Change>,
}

/// A queue and who waits in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct QueueView {
    /// Its name; empty where the policy has one queue without a name.
    pub name: String,
    /// The players of each team.
    pub teams: Vec<usize>,
    /// Whether matches are made in it, and tickets taken.
    #[cfg_attr(feature = "http", schema(value_type = String, example = "running"))]
    pub status: QueueStatus,
    /// Tickets that wait.
    pub tickets: usize,
    /// Their players.
    pub players: usize,
    /// The longest wait of them, in seconds.
    pub oldest: f64,
    /// Seconds within which half, four fifths and 19 of 20 of those who come now are matched; `None` for what is not known.
    pub expected: [Option<f64>; 3],
}

/// What a player is in, and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
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
