//! What the books of a service have of a ticket and of a match: in few bytes, since what is over is known for a while.

use std::sync::Arc;

use matchwright_queue::Match;
use matchwright_rating::store::GameNumber;
use serde::{Deserialize, Serialize};
use serde_tuple::{Deserialize_tuple, Serialize_tuple};
use smallvec::SmallVec;

use crate::note::Reported;
use crate::view::{Left, Phase};

/// Players by number, one or two without memory of their own.
pub(crate) type Players = SmallVec<[u64; 2]>;

/// A ticket that is known.
#[derive(Debug, Clone, PartialEq, Serialize_tuple, Deserialize_tuple)]
pub(crate) struct TicketEntry {
    pub(crate) players: Players,
    pub(crate) state: Standing,
    /// The step of its last change.
    pub(crate) version: u64,
    /// When it came into its queues, in Unix milliseconds.
    pub(crate) came: i64,
    /// The last proposal that its players were asked to accept.
    pub(crate) proposal: Option<u64>,
    /// The request that asked for it.
    pub(super) request: Option<Request>,
}

/// A request that was followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize_tuple, Deserialize_tuple)]
pub(crate) struct Request {
    /// Its subject, and the name that it has there.
    pub(super) key: Arc<(String, String)>,
    /// Of what was asked for.
    pub(super) hash: u64,
}

/// Where a ticket stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Standing {
    #[serde(rename = "g")]
    Gathering,
    #[serde(rename = "w")]
    Waiting,
    #[serde(rename = "p")]
    Proposed { proposal: u64, deadline: i64 },
    #[serde(rename = "m")]
    Matched(u64),
    #[serde(rename = "l")]
    Left(Left),
}

/// A match that is known.
#[derive(Debug, Clone, PartialEq, Serialize_tuple, Deserialize_tuple)]
pub(crate) struct MatchEntry {
    /// The place of its label.
    pub(super) label: usize,
    /// How many tickets each team has.
    teams: SmallVec<[u32; 2]>,
    /// Each ticket, with how many players it has, team by team.
    tickets: SmallVec<[(u64, u32); 2]>,
    /// Their players.
    pub(super) players: Players,
    pub(crate) phase: Phase,
    pub(crate) connection: Option<Box<str>>,
    /// The place of each team, 1 for the best, if there is a result.
    pub(crate) places: Option<Box<[u32]>>,
    /// Its number among the results that are rated.
    pub(super) rated: Option<GameNumber>,
    pub(super) is_retracted: bool,
    /// The step of its last change.
    pub(super) version: u64,
    /// It has ended by then, in Unix milliseconds, with or without a result.
    pub(super) until: i64,
}

impl MatchEntry {
    /// A new one, where `players_of` knows the players of its tickets.
    pub(super) fn new(
        made: &Match,
        label: usize,
        (version, until): (u64, i64),
        players_of: impl Fn(u64) -> Players,
    ) -> Self {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (mut tickets, mut players) = (SmallVec::new(), Players::new());
        for ticket in made.lobby.tickets() {
            let own = players_of(ticket.0);
            tickets.push((ticket.0, count(own.len())));
            players.extend(own);
        }
        Self {
            label,
            teams: made.lobby.teams.iter().map(|team| count(team.len())).collect(),
            tickets,
            players,
            phase: Phase::Allocating,
            connection: None,
            places: None,
            rated: None,
            is_retracted: false,
            version,
            until,
        }
    }

    /// How many teams there are.
    pub(crate) fn sides(&self) -> usize {
        self.teams.len()
    }

    /// Its tickets, team by team.
    pub(crate) fn tickets(&self) -> impl Iterator<Item = u64> + '_ {
        self.tickets.iter().map(|(ticket, _)| *ticket)
    }

    /// The players of each ticket of each team.
    pub(super) fn teams(&self) -> Vec<Vec<Vec<u64>>> {
        let (mut tickets, mut players) = (self.tickets.iter(), self.players.iter().copied());
        let mut ticket = |(_, count): &(u64, u32)| players.by_ref().take(*count as usize).collect();
        let mut team = |count: &u32| tickets.by_ref().take(*count as usize).map(&mut ticket).collect();
        self.teams.iter().map(&mut team).collect()
    }

    /// Whether its players are busy with it.
    pub(super) const fn is_on(&self) -> bool {
        matches!(self.phase, Phase::Allocating | Phase::Assigned | Phase::Started)
    }

    /// Takes note of its result.
    pub(super) fn end_with(&mut self, reported: Reported, rated: Option<GameNumber>) {
        self.places = Some(reported.places.into());
        self.rated = rated;
    }
}

/// What many matches have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize_tuple, Deserialize_tuple)]
pub(super) struct Label {
    pub(super) queue: String,
    pub(super) region: Option<String>,
    /// Name and version.
    pub(super) policy: [String; 2],
}

impl Label {
    pub(super) fn of(made: &Match) -> Self {
        Self {
            queue: made.lobby.queue.to_string(),
            region: made.lobby.region.as_ref().map(ToString::to_string),
            policy: [made.policy.name.clone(), made.policy.version.clone()],
        }
    }

    pub(super) fn is_of(&self, made: &Match) -> bool {
        *self.queue == *made.lobby.queue
            && self.region.as_deref() == made.lobby.region.as_deref()
            && self.policy[0] == made.policy.name
            && self.policy[1] == made.policy.version
    }
}
