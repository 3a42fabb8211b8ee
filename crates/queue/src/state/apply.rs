//! Decisions as changes of a state: the only code that changes one.

use std::collections::BTreeSet;
use std::sync::Arc;

use thiserror::Error;

use super::{Answer, Declines, Gone, OpenProposal, RecentMatch, State, Timer, Waiting, count};
use crate::event::{Event, EventKind, PolicyChange};
use crate::ids::{EventId, MatchId, PlayerId, ProposalId, TicketId};
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
    /// Moves the time on.
    pub(super) fn begin(&mut self, now: Time) -> Result<(), ApplyError> {
        if now < self.now {
            return Err(ApplyError::Time);
        }
        self.now = now;
        Ok(())
    }

    /// Remembers what became of an event.
    pub(super) fn set_answer(&mut self, event: EventId, answer: Answer) {
        let since = self.since(self.settings.remember);
        self.seen.insert(event, answer, self.now, since);
    }

    /// Follows a decision of a step with these events. O(log n) for each ticket concerned.
    pub(super) fn apply(&mut self, events: &[Event], decision: &Decision) -> Result<(), ApplyError> {
        match decision {
            Decision::Duplicate { .. } => count(&mut self.counters.duplicates),
            Decision::Noted { .. } => {}
            Decision::BadLobby { aside, until, .. } => {
                count(&mut self.counters.bad_lobbies);
                for &ticket in aside {
                    self.pool.set_aside(ticket, Some(*until));
                    self.timers.insert((*until, Timer::Return(ticket)));
                }
            }
            &Decision::Returned { ticket } => self.offer_again(ticket),
            Decision::Refused { event, reason } => {
                count(&mut self.counters.refused);
                let id = events.get(*event).ok_or(ApplyError::Event { event: *event })?.id;
                self.set_answer(id, Answer::Refused(Box::new(reason.clone())));
            }
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
            } => self.blame(
                player,
                Declines {
                    count: declines,
                    last: self.now,
                    until,
                    low_priority_until,
                },
            ),
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
            &Decision::Confirmed { match_id } => {
                self.matches
                    .remove(match_id)
                    .ok_or(ApplyError::Match { match_id })?;
            }
            Decision::QueueIs { queue, status } => {
                if !self.pool.set_status(queue, *status) {
                    return Err(ApplyError::Queue { queue: queue.clone() });
                }
            }
            Decision::PolicySet { event } => {
                let EventKind::SetPolicy(change) = kind_of(events, *event)? else {
                    return Err(ApplyError::Event { event: *event });
                };
                self.set_policy(change);
            }
            Decision::TakenOver { behind } => {
                for ticket in self.pool.take_over(*behind) {
                    self.offer_again(ticket);
                }
            }
        }
        Ok(())
    }

    fn set_policy(&mut self, change: &PolicyChange) {
        self.policy = Arc::new(change.label.clone());
        self.pool.set_queues(&change.settings);
        self.estimates.set(&change.settings);
        self.settings = change.settings.clone();
    }

    /// A ticket is no longer set aside.
    fn offer_again(&mut self, ticket: TicketId) {
        let waiting = self.pool.get(ticket);
        if let Some(until) = waiting.and_then(Waiting::aside_until) {
            self.timers.remove(&(until, Timer::Return(ticket)));
            self.pool.set_aside(ticket, None);
        }
    }

    /// Remembers a decline, and forgets those of two others whose time has come.
    fn blame(&mut self, player: PlayerId, declines: Declines) {
        let forget = self.settings.forget_declines_after;
        if let Some(before) = self.declines.insert(player, declines) {
            self.forgiven.remove(&(before.end(forget), player));
        }
        self.forgiven.insert((declines.end(forget), player));
        for _ in 0..2 {
            let Some(&(end, player)) = self.forgiven.first().filter(|first| first.0 <= self.now) else {
                break;
            };
            self.forgiven.remove(&(end, player));
            // Under another policy they may be remembered for longer.
            let declines = self.declines.get(&player);
            match declines.map(|declines| declines.end(forget)) {
                Some(end) if end > self.now => _ = self.forgiven.insert((end, player)),
                _ => _ = self.declines.remove(&player),
            }
        }
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
        self.offer_again(ticket);
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
            let waiting = self.take(ticket)?;
            self.estimates.matched(&waiting, &made.lobby, self.now);
            let remember = self.settings.remember.max(self.settings.fail_within);
            let since = self.since(remember);
            self.matched.insert(ticket, made.id, self.now, since);
            tickets.push(Gone {
                ticket: waiting.ticket,
                joined: waiting.joined,
                low_priority: waiting.low_priority,
            });
        }
        self.next_match = made.id.0;
        count(&mut self.counters.matches);
        let since = self.since(self.settings.fail_within).plus(1);
        let made = Arc::clone(made);
        self.matches
            .insert(made.id, RecentMatch { made, tickets }, self.now, since);
        Ok(())
    }

    fn fail(&mut self, match_id: MatchId, returned: &[TicketId]) -> Result<(), ApplyError> {
        let recent = self
            .matches
            .remove(match_id)
            .ok_or(ApplyError::Match { match_id })?;
        count(&mut self.counters.failed);
        for gone in recent.tickets {
            self.matched.remove(gone.ticket.id);
            if returned.contains(&gone.ticket.id) {
                self.admit(gone.ticket, gone.joined, gone.low_priority);
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
