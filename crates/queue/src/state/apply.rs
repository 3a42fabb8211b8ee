//! Decisions as changes of a state: the only code that changes one.

use std::collections::BTreeSet;
use std::sync::Arc;

use thiserror::Error;

use super::{Chore, Declines, OpenProposal, RecentMatch, State, Timer, Waiting, count};
use crate::event::{Event, EventKind};
use crate::ids::{MatchId, ProposalId, TicketId};
use crate::outcome::{Decision, Match, Proposal};
use crate::ticket::Ticket;
use crate::time::Time;

/// A decision that does not fit the state to which it is applied: it was made in another one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum ApplyError {
    /// An event that the step does not have, or of another kind.
    #[error("the decision names event {event}, which does not fit it")]
    Event { event: usize },
    /// A ticket that is not there.
    #[error("the decision names ticket {ticket}, which is not there")]
    Ticket { ticket: TicketId },
    /// A proposal that is not open, or a new one that is not the next.
    #[error("the decision names proposal {proposal}, which is neither open nor the next")]
    Proposal { proposal: ProposalId },
    /// A match that is not remembered, or a new one that is not the next.
    #[error("the decision names match {match_id}, which is neither remembered nor the next")]
    Match { match_id: MatchId },
    /// A queue that does not exist.
    #[error("the decision names queue `{queue}`, which does not exist")]
    Queue { queue: String },
    /// Time that goes back.
    #[error("the time of the record is before that of the state")]
    Time,
}

impl State {
    /// Moves the time on, and forgets what is to be forgotten by then.
    pub(super) fn begin(&mut self, now: Time) -> Result<(), ApplyError> {
        if now < self.now {
            return Err(ApplyError::Time);
        }
        self.now = now;
        self.seen
            .forget_before(now.plus(self.settings.remember.saturating_neg()));
        while let Some(&(at, chore)) = self.chores.first() {
            if at > now {
                break;
            }
            self.chores.pop_first();
            match chore {
                Chore::ForgetMatch(id) => {
                    let recent = self.matches.remove(&id);
                    for waiting in recent.into_iter().flat_map(|recent| recent.tickets) {
                        self.matched.remove(&waiting.ticket.id);
                    }
                }
                Chore::ForgetDeclines(player) => {
                    let forget = self.settings.forget_declines_after;
                    if self
                        .declines
                        .get(&player)
                        .is_some_and(|declines| declines.end(forget) <= now)
                    {
                        self.declines.remove(&player);
                    }
                }
            }
        }
        Ok(())
    }

    /// Follows a decision of a step with these events. O(log n) for each ticket concerned.
    pub(super) fn apply(&mut self, events: &[Event], decision: &Decision) -> Result<(), ApplyError> {
        match decision {
            Decision::Duplicate { .. } => count(&mut self.counters.duplicates),
            Decision::BadLobby { .. } => {}
            Decision::Refused { .. } => count(&mut self.counters.refused),
            Decision::Admitted {
                event, low_priority, ..
            } => {
                let EventKind::Create(ticket) = kind_of(events, *event)? else {
                    return Err(ApplyError::Event { event: *event });
                };
                count(&mut self.counters.admitted);
                self.admit(Arc::clone(ticket), self.now, *low_priority);
            }
            Decision::Edited {
                event,
                ticket,
                low_priority,
            } => {
                let EventKind::Edit { players, .. } = kind_of(events, *event)? else {
                    return Err(ApplyError::Event { event: *event });
                };
                let old = self.take(*ticket)?;
                let edited = Ticket {
                    players: players.clone(),
                    ..(*old.ticket).clone()
                };
                self.admit(Arc::new(edited), old.joined, *low_priority);
            }
            Decision::Left { ticket, reason } => {
                let left = self.take(*ticket)?;
                self.counters.count_leave(*reason);
                self.estimates.left(&left, self.now);
            }
            &Decision::Cooldown {
                player,
                declines,
                until,
                low_priority_until,
            } => {
                let entry = Declines {
                    count: declines,
                    last: self.now,
                    until,
                    low_priority_until,
                };
                let end = entry.end(self.settings.forget_declines_after);
                self.declines.insert(player, entry);
                self.chores.insert((end, Chore::ForgetDeclines(player)));
            }
            Decision::Proposed(proposal) => self.open(proposal)?,
            &Decision::Accepted { proposal, player } => {
                let open = self.proposals.get_mut(&proposal);
                let open = open.ok_or(ApplyError::Proposal { proposal })?;
                open.undecided.remove(&player);
            }
            Decision::Ended {
                proposal, returned, ..
            } => {
                self.close(*proposal)?;
                for &ticket in returned {
                    self.pool.set_proposal(ticket, None, self.now);
                    self.set_expiry(ticket, true);
                }
            }
            Decision::Matched(made) => self.make(made)?,
            Decision::Failed { match_id, returned } => self.fail(*match_id, returned)?,
            Decision::QueueIs { queue, status } => {
                if !self.pool.set_status(queue, *status) {
                    return Err(ApplyError::Queue { queue: queue.clone() });
                }
            }
            Decision::PolicySet { event } => {
                let EventKind::SetPolicy(change) = kind_of(events, *event)? else {
                    return Err(ApplyError::Event { event: *event });
                };
                self.policy = Arc::new(change.label.clone());
                self.pool.set_queues(&change.settings);
                self.estimates.set(&change.settings);
                self.settings = change.settings.clone();
            }
        }
        Ok(())
    }

    fn admit(&mut self, ticket: Arc<Ticket>, joined: Time, low_priority: bool) {
        for member in &ticket.players {
            self.players.insert(member.id, ticket.id);
        }
        let id = ticket.id;
        self.pool.insert(ticket, joined, low_priority, self.now);
        self.set_expiry(id, true);
    }

    /// A ticket gives up by itself from now on, or, while its players are asked, does not.
    fn set_expiry(&mut self, ticket: TicketId, can_expire: bool) {
        let waiting = self.pool.get(ticket);
        let Some(expires) = waiting.and_then(|waiting| waiting.ticket.expires) else {
            return;
        };
        let timer = (expires, Timer::Expire(ticket));
        if can_expire {
            self.timers.insert(timer);
        } else {
            self.timers.remove(&timer);
        }
    }

    /// Takes a ticket out, with all that names it.
    fn take(&mut self, ticket: TicketId) -> Result<Waiting, ApplyError> {
        self.set_expiry(ticket, false);
        let waiting = self.pool.remove(ticket).ok_or(ApplyError::Ticket { ticket })?;
        for member in &waiting.ticket.players {
            self.players.remove(&member.id);
        }
        Ok(waiting)
    }

    fn open(&mut self, proposal: &Arc<Proposal>) -> Result<(), ApplyError> {
        if self.next_proposal.checked_add(1) != Some(proposal.id.0) {
            let proposal = proposal.id;
            return Err(ApplyError::Proposal { proposal });
        }
        let mut undecided = BTreeSet::new();
        for ticket in proposal.lobby.tickets() {
            let waiting = self.pool.get(ticket).ok_or(ApplyError::Ticket { ticket })?;
            // Who plays in the match already is not asked.
            if waiting.ticket.backfill.is_none() {
                undecided.extend(waiting.ticket.players.iter().map(|member| member.id));
            }
            self.pool.set_proposal(ticket, Some(proposal.id), self.now);
            self.set_expiry(ticket, false);
        }
        self.next_proposal = proposal.id.0;
        count(&mut self.counters.proposals);
        self.timers
            .insert((proposal.deadline, Timer::Deadline(proposal.id)));
        let proposal = Arc::clone(proposal);
        self.proposals
            .insert(proposal.id, OpenProposal { proposal, undecided });
        Ok(())
    }

    fn close(&mut self, proposal: ProposalId) -> Result<(), ApplyError> {
        let open = self
            .proposals
            .remove(&proposal)
            .ok_or(ApplyError::Proposal { proposal })?;
        self.timers
            .remove(&(open.proposal.deadline, Timer::Deadline(proposal)));
        Ok(())
    }

    fn make(&mut self, made: &Arc<Match>) -> Result<(), ApplyError> {
        if self.next_match.checked_add(1) != Some(made.id.0) {
            return Err(ApplyError::Match { match_id: made.id });
        }
        if let Some(proposal) = made.proposal {
            self.close(proposal)?;
        }
        let mut tickets = Vec::new();
        for ticket in made.lobby.tickets() {
            let mut waiting = self.take(ticket)?;
            self.estimates.matched(&waiting, &made.lobby, self.now);
            waiting.set_proposal(None, self.now);
            self.matched.insert(ticket, made.id);
            tickets.push(waiting);
        }
        self.next_match = made.id.0;
        count(&mut self.counters.matches);
        let forget = self.now.plus(self.settings.fail_within);
        self.chores.insert((forget, Chore::ForgetMatch(made.id)));
        let made = Arc::clone(made);
        self.matches.insert(made.id, RecentMatch { made, tickets });
        Ok(())
    }

    fn fail(&mut self, match_id: MatchId, returned: &[TicketId]) -> Result<(), ApplyError> {
        let recent = self
            .matches
            .remove(&match_id)
            .ok_or(ApplyError::Match { match_id })?;
        count(&mut self.counters.failed);
        for waiting in recent.tickets {
            self.matched.remove(&waiting.ticket.id);
            if returned.contains(&waiting.ticket.id) {
                self.admit(waiting.ticket, waiting.joined, waiting.low_priority);
            }
        }
        Ok(())
    }
}

fn kind_of(events: &[Event], event: usize) -> Result<&EventKind, ApplyError> {
    events
        .get(event)
        .map(|event| &event.kind)
        .ok_or(ApplyError::Event { event })
}
