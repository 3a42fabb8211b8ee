//! [`Outcome`]: what a step decided, complete enough to rebuild the state from.

use std::sync::Arc;

use thiserror::Error;

use crate::event::PolicyLabel;
use crate::ids::{MatchId, PlayerId, ProposalId, TicketId};
use crate::policy::Budget;
use crate::time::Time;

/// Tickets that may play together: what a policy proposes.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lobby {
    /// The queue.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::shared::text"))]
    pub queue: Arc<str>,
    /// The tickets of each team. A backfill, whose players are on several teams, stands in the first.
    pub teams: Vec<Vec<TicketId>>,
    /// Where it is played; `None` if no ticket names a region.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "crate::shared::maybe"))]
    pub region: Option<Arc<str>>,
    /// How bad it is, in the unit of the policy: 0 or more, lower is better.
    pub mismatch: f64,
}

impl Lobby {
    /// All tickets, team by team.
    pub fn tickets(&self) -> impl Iterator<Item = TicketId> + Clone + '_ {
        self.teams.iter().flatten().copied()
    }
}

/// A lobby whose players are asked to accept.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Proposal {
    /// Its number.
    pub id: ProposalId,
    /// Who plays.
    pub lobby: Lobby,
    /// When it ends unless all have accepted.
    pub deadline: Time,
    /// The policy that proposed it.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::shared::label"))]
    pub policy: Arc<PolicyLabel>,
}

/// A match that was made.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Match {
    /// Its number.
    pub id: MatchId,
    /// Who plays.
    pub lobby: Lobby,
    /// The proposal that all have accepted, if they were asked.
    pub proposal: Option<ProposalId>,
    /// The running match that is filled.
    pub backfill: Option<MatchId>,
    /// The policy that made it.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::shared::label"))]
    pub policy: Arc<PolicyLabel>,
    /// When its tickets came, in the order of [`Lobby::tickets`].
    pub joined: Vec<Time>,
}

/// One thing that a step decided. A state changes by nothing else, so that a journal of decisions rebuilds it
/// ([`follow`](crate::follow)).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Decision {
    /// An event whose number was there before changes nothing. Events are named by their place in the step.
    Duplicate {
        /// Which.
        event: usize,
    },
    /// An event that cannot be followed changes nothing.
    Refused {
        /// Which.
        event: usize,
        /// Why.
        reason: Refusal,
    },
    /// A ticket waits from now on.
    Admitted {
        /// The event that brought it.
        event: usize,
        /// The ticket.
        ticket: TicketId,
        /// Whether it waits in the pool of those who declined too often.
        low_priority: bool,
    },
    /// A ticket has other players, and its old waiting time.
    Edited {
        /// The event.
        event: usize,
        /// The ticket.
        ticket: TicketId,
        /// Whether it waits in the pool of those who declined too often.
        low_priority: bool,
    },
    /// A ticket is gone, and all its players are free.
    Left {
        /// The ticket.
        ticket: TicketId,
        /// Why.
        reason: LeaveReason,
    },
    /// A player must not queue until then.
    Cooldown {
        /// The player.
        player: PlayerId,
        /// Its declines so far.
        declines: u32,
        /// When it may queue again.
        until: Time,
        /// Until when it waits in the pool of those who declined too often.
        low_priority_until: Option<Time>,
    },
    /// Players are asked to accept a lobby.
    Proposed(Arc<Proposal>),
    /// A player accepted.
    Accepted {
        /// The proposal.
        proposal: ProposalId,
        /// The player.
        player: PlayerId,
    },
    /// A proposal is over without a match.
    Ended {
        /// The proposal.
        proposal: ProposalId,
        /// Why.
        reason: EndReason,
        /// The tickets that wait again, since they came at first.
        returned: Vec<TicketId>,
    },
    /// A match is made.
    Matched(Arc<Match>),
    /// A match did not start.
    Failed {
        /// The match.
        match_id: MatchId,
        /// The tickets that wait again, since they came at first.
        returned: Vec<TicketId>,
    },
    /// A match has started.
    Confirmed {
        /// The match.
        match_id: MatchId,
    },
    /// A queue is paused, drained or runs again.
    QueueIs {
        /// The queue.
        queue: String,
        /// What it does from now on.
        status: QueueStatus,
    },
    /// A lobby of the policy that breaks a rule of the core was not made; the policy is at fault, and no longer offered
    /// its tickets.
    BadLobby {
        /// The lobby.
        lobby: Lobby,
        /// What is wrong with it.
        fault: LobbyFault,
        /// The tickets that were set aside, but for those that do not wait.
        aside: Vec<TicketId>,
        /// Until when, unless they are edited or the policy is changed.
        until: Time,
    },
    /// A ticket that was set aside is offered to the policy again.
    Returned {
        /// The ticket.
        ticket: TicketId,
    },
    /// What a policy remembers of its work, for recovery.
    Noted {
        /// The queue whose policy it is.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::shared::text"))]
        queue: Arc<str>,
        /// The policy's own bytes.
        #[cfg_attr(feature = "serde", serde(with = "serde_bytes"))]
        note: Vec<u8>,
    },
    /// Another policy decides from now on.
    PolicySet {
        /// The event that brought it.
        event: usize,
    },
    /// The new policy knows some more of the tickets that waited, in the order in which they came.
    TakenOver {
        /// The first that it does not know yet; `None` if it knows all.
        behind: Option<(Time, TicketId)>,
    },
}

/// What a queue does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum QueueStatus {
    /// Tickets come and are matched.
    #[default]
    Running,
    /// Tickets come and wait.
    Paused,
    /// No tickets come, and those that wait are matched.
    Draining,
}

/// Why a ticket left without a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum LeaveReason {
    /// It was cancelled.
    Cancelled,
    /// Its own time was over.
    Expired,
    /// One of its players declined a proposal.
    Declined,
    /// One of its players did not answer in time.
    TimedOut,
}

/// Why a proposal ended without a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum EndReason {
    /// A player declined.
    Declined,
    /// A player did not answer in time.
    TimedOut,
    /// The service could not host it.
    Failed,
    /// A ticket of it was cancelled.
    Cancelled,
}

/// Why an event cannot be followed.
#[derive(Debug, Clone, PartialEq, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum Refusal {
    /// A ticket without players.
    #[error("a ticket needs at least one player")]
    NoPlayers,
    /// A player who is in the ticket twice.
    #[error("player {player} is in the ticket twice")]
    PlayerTwice { player: PlayerId },
    /// A player who waits or is asked already.
    #[error("player {player} waits in ticket {ticket} already: cancel that one first")]
    PlayerWaits { player: PlayerId, ticket: TicketId },
    /// A number that is none.
    #[error("`{name}` must be a finite number, a ping also 0 or more")]
    NotFinite { name: String },
    /// A number that the policy needs.
    #[error("the policy needs the number `{name}` of the ticket or of each of its players")]
    Missing { name: String },
    /// Something else that the policy needs.
    #[error("{reason}")]
    Policy { reason: String },
    /// Teams that do not fit the players of a backfill.
    #[error("a backfill needs a team for each of its players, and free places")]
    BackfillTeams,
    /// A number that another ticket has.
    #[error("there is a ticket {ticket} already")]
    TicketExists { ticket: TicketId },
    /// A queue that does not exist.
    #[error("there is no queue `{queue}`")]
    UnknownQueue { queue: String },
    /// A queue that takes no more.
    #[error("queue `{queue}` takes no more tickets")]
    Draining { queue: String },
    /// Too many players for a team.
    #[error("{players} players fit no team of queue `{queue}`")]
    PartyTooLarge { players: usize, queue: String },
    /// Too many tickets.
    #[error("{limit} tickets wait already, and no more are admitted")]
    Full { limit: usize },
    /// A player who declined.
    #[error("player {player} declined and must not queue until {until:?}")]
    Cooldown { player: PlayerId, until: Time },
    /// A player who is not in the ticket.
    #[error("player {player} is not in ticket {ticket}")]
    NotInTicket { ticket: TicketId, player: PlayerId },
    /// A ticket that does not wait.
    #[error("no ticket {ticket} waits")]
    UnknownTicket { ticket: TicketId },
    /// A ticket that has got a match.
    #[error("ticket {ticket} has got match {match_id}")]
    IsMatched { ticket: TicketId, match_id: MatchId },
    /// A ticket whose players are asked.
    #[error("ticket {ticket} is in proposal {proposal}, which must end first")]
    IsProposed { ticket: TicketId, proposal: ProposalId },
    /// A proposal that is over or never was.
    #[error("there is no open proposal {proposal}")]
    UnknownProposal { proposal: ProposalId },
    /// A player who is not asked.
    #[error("player {player} is not in proposal {proposal}")]
    NotInProposal { proposal: ProposalId, player: PlayerId },
    /// A match that is over or never was.
    #[error("there is no match {match_id} that could still fail")]
    UnknownMatch { match_id: MatchId },
}

/// Why a policy's lobby cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum LobbyFault {
    /// A queue that does not exist or is paused.
    #[error("queue `{queue}` makes no matches")]
    Queue { queue: String },
    /// A ticket that does not wait there, or is in the lobby twice.
    #[error("ticket {ticket} does not wait in the lobby's queue")]
    Ticket { ticket: TicketId },
    /// Tickets that must not meet.
    #[error("tickets {first} and {second} are of different pools")]
    Key { first: TicketId, second: TicketId },
    /// A region that a ticket does not accept.
    #[error("ticket {ticket} does not accept the lobby's region")]
    Region { ticket: TicketId },
    /// Teams of the wrong sizes.
    #[error("the teams have {sizes:?} players where the queue's have {wanted:?}")]
    Sizes { sizes: Vec<usize>, wanted: Vec<usize> },
    /// More than one running match.
    #[error("the lobby holds more than one running match")]
    Backfills,
}

/// What a step decided.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Everything, in order.
    pub decisions: Vec<Decision>,
    /// When to step again if nothing happens before: the earliest time at which something can happen by itself.
    pub wakeup: Option<Time>,
    /// Whether the budget did not suffice, so that the wakeup is at once.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unfinished: bool,
    /// The work that the step might do.
    #[cfg_attr(feature = "serde", serde(default))]
    pub budget: Budget,
    /// What failed inside the policy ([`MatchPolicy::take_failures`](crate::MatchPolicy::take_failures)): told to whoever
    /// runs the queue, neither a decision nor recorded.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub failures: Vec<String>,
}

impl Outcome {
    /// The events that were there before, by their place in the step.
    pub(crate) fn duplicates(&self) -> impl Iterator<Item = usize> {
        self.decisions.iter().filter_map(|decision| match decision {
            Decision::Duplicate { event } => Some(*event),
            _ => None,
        })
    }

    /// Whether nothing was decided or noted. Such a step without events need not be recorded.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    /// The lobbies whose players are now asked.
    pub fn proposals(&self) -> impl Iterator<Item = &Proposal> {
        self.decisions.iter().filter_map(|decision| match decision {
            Decision::Proposed(proposal) => Some(&**proposal),
            _ => None,
        })
    }

    /// The matches that were made.
    pub fn matches(&self) -> impl Iterator<Item = &Match> {
        self.decisions.iter().filter_map(|decision| match decision {
            Decision::Matched(made) => Some(&**made),
            _ => None,
        })
    }

    /// The events that were refused, by their place in the step, and why.
    pub fn refusals(&self) -> impl Iterator<Item = (usize, &Refusal)> {
        self.decisions.iter().filter_map(|decision| match decision {
            Decision::Refused { event, reason } => Some((*event, reason)),
            _ => None,
        })
    }
}
