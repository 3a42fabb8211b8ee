//! [`Event`]: what happens to a queue from outside.

use std::sync::Arc;

use crate::ids::{EventId, MatchId, PlayerId, ProposalId, TicketId};
use crate::settings::QueueSettings;
use crate::ticket::{Member, Ticket};

/// Something that happened, under a number of its own.
///
/// The same number again within [`QueueSettings::remember`] is the same event again, which changes nothing.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    /// Its number.
    pub id: EventId,
    /// What happened.
    pub kind: EventKind,
}

impl Event {
    /// An event of this number and kind.
    #[must_use]
    pub const fn new(id: u64, kind: EventKind) -> Self {
        Self {
            id: EventId(id),
            kind,
        }
    }

    /// A ticket comes in.
    #[must_use]
    pub fn create(id: u64, ticket: Ticket) -> Self {
        Self::new(id, EventKind::Create(Arc::new(ticket)))
    }
}

/// What can happen.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum EventKind {
    /// A ticket comes in.
    Create(Arc<Ticket>),
    /// A ticket gives up. In an open proposal this counts as a decline of the player who asked for it; one that nobody
    /// of the ticket asked for, as when a service lost its connection, is held against nobody.
    Cancel {
        /// The ticket.
        ticket: TicketId,
        /// Which of its players asked.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        by: Option<PlayerId>,
    },
    /// The party of a waiting ticket changes; its waiting time stays.
    Edit {
        /// The ticket.
        ticket: TicketId,
        /// Its players from now on: one or more.
        players: Vec<Member>,
    },
    /// A player accepts a proposal.
    Accept {
        /// The proposal.
        proposal: ProposalId,
        /// One of its players.
        player: PlayerId,
    },
    /// A player declines a proposal, perhaps after having accepted it.
    Decline {
        /// The proposal.
        proposal: ProposalId,
        /// One of its players.
        player: PlayerId,
    },
    /// A proposal cannot be played, through no fault of its players.
    FailProposal(ProposalId),
    /// A match that was made did not start, through no fault of its players: their tickets return with their waits,
    /// but for those whose players wait again already, or for which a new policy has no place.
    FailMatch(MatchId),
    /// A match has started, and can no longer fail: it is forgotten but for its number.
    Confirm(MatchId),
    /// No matches are made in a queue until it runs again; tickets still come and go.
    Pause(String),
    /// A queue takes no more tickets; those that wait are still matched.
    Drain(String),
    /// A queue is as it was at first.
    Resume(String),
    /// From this step on another policy decides: the one that is given to the step, which knows of no ticket yet. Comes
    /// alone. One that [was there before](crate::State::has_seen) changes nothing: give the old policy then.
    SetPolicy(Arc<PolicyChange>),
}

impl EventKind {
    /// A ticket is cancelled, held against nobody.
    #[must_use]
    pub const fn cancel(ticket: u64) -> Self {
        Self::Cancel {
            ticket: TicketId(ticket),
            by: None,
        }
    }
}

/// A new policy, as the journal keeps it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PolicyChange {
    /// Its name and version, which every match carries from now on.
    pub label: PolicyLabel,
    /// The document that it was read from, for replays.
    pub document: String,
    /// What the core needs to know of it.
    pub settings: QueueSettings,
}

/// Which policy made a match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PolicyLabel {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}
