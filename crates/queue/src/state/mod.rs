//! [`State`]: everything that a queue knows, and [`Pool`], the part of it that policies see.

mod apply;
mod check;
mod events;
mod pool;
mod remembered;
mod step;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use self::apply::ApplyError;
pub use self::pool::{Pool, Waiting};
use self::remembered::Remembered;
#[cfg(feature = "laws")]
pub(crate) use self::step::{SPINS, STUCK};
pub use self::step::{StepError, follow, step, step_within};
use crate::estimates::WaitEstimates;
use crate::event::PolicyLabel;
use crate::ids::{EventId, MatchId, PlayerId, ProposalId, TicketId};
use crate::outcome::{LeaveReason, Match, Proposal, Refusal};
use crate::settings::QueueSettings;
use crate::sorted::SortedMap;
use crate::ticket::Ticket;
use crate::time::Time;

/// A queue at one moment: who waits, which proposals are open, who must not queue, which events were seen.
///
/// Only [`step`] and [`follow`] change it, the latter with what the former decided, so that a journal of
/// decisions rebuilds it.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    now: Time,
    settings: QueueSettings,
    policy: Arc<PolicyLabel>,
    pool: Pool,
    players: SortedMap<PlayerId, TicketId>,
    proposals: BTreeMap<ProposalId, OpenProposal>,
    matches: Matches,
    matched: Remembered<TicketId, MatchId>,
    declines: BTreeMap<PlayerId, Declines>,
    /// When the declines of which player are forgotten.
    forgiven: BTreeSet<(Time, PlayerId)>,
    seen: Remembered<EventId, Answer>,
    timers: BTreeSet<(Time, Timer)>,
    wakeup: Option<Time>,
    next_proposal: u64,
    next_match: u64,
    counters: Counters,
    estimates: WaitEstimates,
}

/// A proposal with the players who have not answered yet.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct OpenProposal {
    proposal: Arc<Proposal>,
    undecided: BTreeSet<PlayerId>,
}

/// A match that may still fail, with its tickets.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct RecentMatch {
    made: Arc<Match>,
    tickets: Vec<Gone>,
}

/// The matches that may still fail, and some that no longer can.
pub(crate) type Matches = Remembered<MatchId, RecentMatch>;

/// What is needed of a ticket that may wait again.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Gone {
    ticket: Arc<Ticket>,
    joined: Time,
    low_priority: bool,
}

/// What a player is remembered for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Declines {
    count: u32,
    last: Time,
    until: Time,
    low_priority_until: Option<Time>,
}

impl Declines {
    /// When nothing follows from them any more, if they are to be forgotten after this many milliseconds.
    fn end(&self, forget_after: i64) -> Time {
        let low_priority = self.low_priority_until.unwrap_or(self.until);
        self.last.plus(forget_after).max(self.until).max(low_priority)
    }
}

/// What happens by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Timer {
    /// A proposal runs out.
    Deadline(ProposalId),
    /// A ticket gives up.
    Expire(TicketId),
    /// A ticket that was set aside is offered to the policy again.
    Return(TicketId),
}

/// What became of an event.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Answer {
    /// It was followed.
    Followed,
    /// It was refused, for this reason.
    Refused(Box<Refusal>),
}

/// How often what happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "the names say it")]
pub struct Counters {
    pub admitted: u64,
    pub refused: u64,
    pub duplicates: u64,
    pub cancelled: u64,
    pub expired: u64,
    pub declined: u64,
    pub timed_out: u64,
    pub proposals: u64,
    pub matches: u64,
    pub failed: u64,
    pub bad_lobbies: u64,
}

/// One more; a forged snapshot may have begun at the last number there is.
const fn count(counter: &mut u64) {
    *counter = counter.saturating_add(1);
}

impl Counters {
    fn count_leave(&mut self, reason: LeaveReason) {
        let counter = match reason {
            LeaveReason::Cancelled => &mut self.cancelled,
            LeaveReason::Expired => &mut self.expired,
            LeaveReason::Declined => &mut self.declined,
            LeaveReason::TimedOut => &mut self.timed_out,
        };
        count(counter);
    }
}

impl State {
    /// An empty queue under a policy of this label and these settings.
    #[must_use]
    pub fn new(label: PolicyLabel, settings: QueueSettings) -> Self {
        let mut state = Self {
            policy: Arc::new(label),
            ..Self::default()
        };
        state.pool.set_queues(&settings);
        state.estimates.set(&settings);
        state.settings = settings;
        state
    }

    /// The time of the last step.
    #[must_use]
    pub const fn now(&self) -> Time {
        self.now
    }

    /// Who waits or is asked.
    #[must_use]
    pub const fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The policy that decides.
    #[must_use]
    pub fn policy(&self) -> &PolicyLabel {
        &self.policy
    }

    /// Its settings.
    #[must_use]
    pub const fn settings(&self) -> &QueueSettings {
        &self.settings
    }

    /// How often what happened since the state was new.
    #[must_use]
    pub const fn counters(&self) -> Counters {
        self.counters
    }

    /// What newcomers may expect to wait.
    #[must_use]
    pub const fn estimates(&self) -> &WaitEstimates {
        &self.estimates
    }

    /// The ticket in which a player waits or is asked.
    #[must_use]
    pub fn ticket_of(&self, player: PlayerId) -> Option<TicketId> {
        self.players.get(&player).copied()
    }

    /// The open proposals, by number, each with the players who have not accepted yet.
    pub fn proposals(&self) -> impl Iterator<Item = (&Proposal, &BTreeSet<PlayerId>)> {
        self.proposals
            .values()
            .map(|open| (&*open.proposal, &open.undecided))
    }

    /// Whether an event of this number was there within [`QueueSettings::remember`], so that it would change nothing.
    #[must_use]
    pub fn has_seen(&self, event: EventId) -> bool {
        self.answer(event).is_some()
    }

    /// What became of an event, for a sender that asks again within [`QueueSettings::remember`].
    #[must_use]
    pub fn answer(&self, event: EventId) -> Option<&Answer> {
        self.seen.get(event, self.since(self.settings.remember))
    }

    /// The matches that may still fail, in the order in which they were made: whoever was not told of one before a crash is
    /// told by these.
    pub fn recent_matches(&self) -> impl Iterator<Item = &Match> {
        let since = self.since(self.settings.fail_within).plus(1);
        self.matches.since(since).map(|recent| &*recent.1.made)
    }

    /// Whether another state is the same but for the time of its last step, which may have decided nothing.
    #[cfg(feature = "journal")]
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        let at_same_time = Self {
            now: self.now,
            wakeup: self.wakeup,
            ..other.clone()
        };
        *self == at_same_time
    }

    /// The match that a ticket has got within [`QueueSettings::remember`], or that may still fail.
    #[must_use]
    pub fn match_of(&self, ticket: TicketId) -> Option<MatchId> {
        let span = self.settings.remember.max(self.settings.fail_within);
        self.matched.get(ticket, self.since(span)).copied()
    }

    /// Its recent matches, without which it is not whole.
    #[cfg(feature = "journal")]
    pub(crate) fn take_matches(&mut self) -> Matches {
        std::mem::take(&mut self.matches)
    }

    #[cfg(feature = "journal")]
    pub(crate) fn set_matches(&mut self, matches: Matches) {
        self.matches = matches;
    }

    /// A match that may still fail.
    fn recent(&self, match_id: MatchId) -> Option<&RecentMatch> {
        let since = self.since(self.settings.fail_within).plus(1);
        self.matches.get(match_id, since)
    }

    /// This many milliseconds ago.
    const fn since(&self, span: i64) -> Time {
        self.now.plus(span.saturating_neg())
    }

    /// When to step again if nothing happens before: of the last step.
    #[must_use]
    pub const fn wakeup(&self) -> Option<Time> {
        self.wakeup
    }

    /// Until when a player must not queue, if it declined too often.
    #[must_use]
    pub fn cooldown(&self, player: PlayerId) -> Option<Time> {
        let until = self.declines.get(&player)?.until;
        (until > self.now).then_some(until)
    }

    /// When something happens by itself without a policy: a proposal runs out, or a ticket gives up.
    #[must_use]
    pub fn next_timer(&self) -> Option<Time> {
        self.timers.first().map(|timer| timer.0)
    }

    fn is_low_priority(&self, players: impl Iterator<Item = PlayerId>, now: Time) -> bool {
        let low = |player| {
            let until = self
                .declines
                .get(&player)
                .and_then(|declines| declines.low_priority_until);
            until.is_some_and(|until| until > now)
        };
        players.into_iter().any(low)
    }
}
