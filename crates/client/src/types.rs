//! What is sent, and what comes back. Members that are not known here are passed over: the service may be newer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is asked for by [`Client::create`](crate::Client::create).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct NewTicket {
    /// Its players. Of a player with a token of its own: itself alone, or none, which means the same.
    pub players: Vec<NewPlayer>,
    /// Players who are to join it by a call of their own; it waits for them first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joining: Vec<String>,
    /// The queues that it waits in; none where the policy has one queue.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queues: Vec<String>,
    /// Regions that it accepts, with the ping in milliseconds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub regions: BTreeMap<String, f64>,
    /// What is known of all its players.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, Value>,
    /// It leaves after this many milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<u64>,
    /// It leaves as abandoned once none of its players has asked for it or watched it for this many milliseconds while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heartbeat_within: Option<u32>,
}

impl NewTicket {
    /// A ticket of these players, of which nothing else is said.
    pub fn of<P: Into<NewPlayer>>(players: impl IntoIterator<Item = P>) -> Self {
        Self {
            players: players.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }
}

/// A player of a new ticket, or one who joins.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct NewPlayer {
    /// Its name.
    pub id: String,
    /// What is known of it: numbers, words, flags, lists of words, numbers by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, Value>,
}

impl<S: Into<String>> From<S> for NewPlayer {
    fn from(id: S) -> Self {
        Self {
            id: id.into(),
            attributes: BTreeMap::new(),
        }
    }
}

/// The result of a match: places or scores.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MatchResult {
    /// The place of each team, 1 for the best; those that drew share one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<u32>,
    /// The score of each team, the greatest for the best, in place of places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<f64>,
    /// When it ended, in Unix seconds, if not now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played_at: Option<i64>,
}

impl MatchResult {
    /// Each team had this place.
    pub fn of_places(places: impl Into<Vec<u32>>) -> Self {
        Self {
            places: places.into(),
            ..Self::default()
        }
    }

    /// Each team had this score.
    pub fn of_scores(scores: impl Into<Vec<f64>>) -> Self {
        Self {
            scores: scores.into(),
            ..Self::default()
        }
    }
}

/// Which tickets or matches are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct List {
    /// Those in this state (of tickets) or phase (of matches) alone.
    pub state: Option<String>,
    /// Those after the one of this name, in the order in which they came.
    pub after: Option<String>,
    /// At most this many: 100 unless something else is asked for, and never more than 1,000.
    pub limit: Option<usize>,
}

/// A ticket.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Ticket {
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

impl Ticket {
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

    /// The match that it has got.
    #[must_use]
    pub fn match_id(&self) -> Option<&str> {
        match &self.state {
            TicketState::Matched { match_id, .. } => Some(match_id),
            _ => None,
        }
    }
}

/// Where a ticket stands.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
#[non_exhaustive]
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
        connection: Option<String>,
    },
    /// It is gone.
    Left {
        /// Why.
        reason: Left,
    },
    /// One that this version does not know.
    #[serde(other)]
    Unknown,
}

/// Why a ticket is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
    /// One that this version does not know.
    #[serde(other)]
    Unknown,
}

/// How far a match is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Phase {
    /// It waits for a server.
    Allocating,
    /// Its players know where to play.
    Assigned,
    /// It is played.
    Started,
    /// It is over.
    Ended,
    /// It did not start: its tickets wait again.
    Failed,
    /// One that this version does not know.
    #[serde(other)]
    Unknown,
}

/// A match.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Match {
    /// Its name.
    pub id: String,
    /// The queue.
    pub queue: String,
    /// Where it is played, if tickets name regions.
    pub region: Option<String>,
    /// The players of each team.
    pub teams: Vec<Vec<String>>,
    /// The policy that made it.
    pub policy: Policy,
    /// How far it is.
    pub phase: Phase,
    /// Where to play, once that is known.
    pub connection: Option<String>,
    /// The place of each team, once it ended.
    pub places: Option<Vec<u32>>,
    /// Whether its result was taken back, so that it does not count.
    pub is_retracted: bool,
    /// The ticket that looks for players in place of those who left.
    pub backfill: Option<String>,
    /// The step of its last change.
    pub version: u64,
}

/// Who has left a match that is played, and what is known of those who stay.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct NewBackfill {
    /// Who has left. Those who are not in the match any more are passed over.
    pub left: Vec<String>,
    /// What is known of players who stay, where the policy looks at more than their ratings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<NewPlayer>,
    /// What is known of the match.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, Value>,
    /// For how many milliseconds others are looked for; without it, as long as the match lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<u64>,
}

impl NewBackfill {
    /// These have left, and nothing else is said.
    pub fn of<P: Into<String>>(left: impl IntoIterator<Item = P>) -> Self {
        Self {
            left: left.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }
}

/// A policy's name and version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Policy {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a player is in, and how good it is.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Player {
    /// Its name.
    pub id: String,
    /// The ticket that it waits in or has got a match by.
    pub ticket: Option<Ticket>,
    /// Its rating, where the service keeps ratings.
    pub rated: Option<Rated>,
}

/// A player's rating.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Rated {
    /// In the unit of the system.
    pub rating: f64,
    /// The standard deviation of what is believed of it, where the system keeps one.
    pub deviation: Option<f64>,
    /// Results that count.
    pub games: u64,
}

/// A queue and who waits in it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Queue {
    /// Its name; empty where the policy has one queue without a name.
    pub name: String,
    /// The players of each team.
    pub teams: Vec<usize>,
    /// Whether matches are made in it, and tickets taken.
    pub status: QueueStatus,
    /// Tickets that wait.
    pub tickets: u64,
    /// Their players.
    pub players: u64,
    /// The longest wait of them, in seconds.
    pub oldest: f64,
    /// Seconds within which half, four fifths and 19 of 20 of those who come now are matched; `None` for what is not known.
    pub expected: Vec<Option<f64>>,
}

/// What a queue does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum QueueStatus {
    /// Tickets come and are matched.
    Running,
    /// Tickets come and wait.
    Paused,
    /// No tickets come, and those that wait are matched.
    Draining,
    /// One that this version does not know.
    #[serde(other)]
    Unknown,
}

/// What [`Client::events`](crate::Client::events) tells.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// With the last change of a step: the step, from which [`Client::events`](crate::Client::events) can go on.
    pub step: Option<u64>,
    /// What has changed.
    pub change: Change,
}

/// A ticket or a match that has changed, as it was after that.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A ticket.
    Ticket(Ticket),
    /// A match.
    Match(Match),
}
