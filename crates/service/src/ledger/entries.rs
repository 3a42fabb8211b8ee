//! What the books of a service have of a ticket and of a match: in few bytes, since what is over is known for a while.

use std::sync::Arc;

use matchwright_queue::{Match, TicketId};
use matchwright_rating::store::EventNumber;
use serde::{Deserialize, Serialize};
use serde_tuple::{Deserialize_tuple, Serialize_tuple};
use smallvec::SmallVec;

use crate::note::Reported;
use crate::view::{Left, Phase};

/// Players by number, one or two without memory of their own.
pub(crate) type Players = SmallVec<[u64; 2]>;
/// The tickets of each team, each with its players.
pub(super) type Sides = Vec<Vec<(u64, Players)>>;

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
    /// While it waits, its players must be seen at least once in this many milliseconds; 0 if they need not.
    pub(crate) heartbeat: u32,
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
    pub(super) rated: Option<EventNumber>,
    pub(super) is_retracted: bool,
    /// The step of its last change.
    pub(super) version: u64,
    /// It has ended by then, in Unix milliseconds, with or without a result.
    pub(crate) until: i64,
    /// How many have left while it was played, whose places are free.
    pub(crate) free: u32,
    /// The ticket that looks for others in their place.
    pub(crate) backfill: Option<u64>,
}

impl MatchEntry {
    /// A new one, where `players_of` knows the players of its tickets.
    pub(super) fn new(
        made: &Match,
        label: usize,
        (version, until): (u64, i64),
        players_of: impl Fn(u64) -> Players,
    ) -> Self {
        let with_players = |ticket: &TicketId| (ticket.0, players_of(ticket.0));
        let sides = made.lobby.teams.iter();
        let sides: Sides = sides
            .map(|team| team.iter().map(with_players).collect())
            .collect();
        let mut entry = Self {
            label,
            teams: SmallVec::new(),
            tickets: SmallVec::new(),
            players: Players::new(),
            phase: Phase::Allocating,
            connection: None,
            places: None,
            rated: None,
            is_retracted: false,
            version,
            until,
            free: 0,
            backfill: None,
        };
        entry.set_sides(sides);
        entry
    }

    /// How many teams there are.
    pub(crate) fn team_count(&self) -> usize {
        self.teams.len()
    }

    /// Its tickets, team by team.
    pub(crate) fn tickets(&self) -> impl Iterator<Item = u64> + '_ {
        self.tickets.iter().map(|(ticket, _)| *ticket)
    }

    /// The tickets of each team, each with its players.
    pub(super) fn sides(&self) -> Sides {
        let (mut tickets, mut players) = (self.tickets.iter(), self.players.iter().copied());
        let mut ticket = |(ticket, count): &(u64, u32)| {
            let players = players.by_ref().take(*count as usize).collect();
            (*ticket, players)
        };
        let mut team = |count: &u32| tickets.by_ref().take(*count as usize).map(&mut ticket).collect();
        self.teams.iter().map(&mut team).collect()
    }

    pub(super) fn set_sides(&mut self, sides: Sides) {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.teams = sides.iter().map(|team| count(team.len())).collect();
        self.tickets.clear();
        self.players.clear();
        for (ticket, players) in sides.into_iter().flatten() {
            self.tickets.push((ticket, count(players.len())));
            self.players.extend(players);
        }
    }

    /// The players of each team.
    pub(crate) fn teams(&self) -> Vec<Players> {
        let team =
            |team: &Vec<(u64, Players)>| team.iter().flat_map(|(_, players)| players).copied().collect();
        self.sides().iter().map(team).collect()
    }

    /// Whether its players are busy with it.
    pub(crate) const fn is_on(&self) -> bool {
        matches!(self.phase, Phase::Allocating | Phase::Assigned | Phase::Started)
    }

    /// Takes note of its result.
    pub(super) fn end_with(&mut self, reported: Reported, rated: Option<EventNumber>) {
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
