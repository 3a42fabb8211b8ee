//! What each kind of event does in a step.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Answer;
use super::check::{fits, has_place};
use super::step::{Step, StepError};
use crate::event::EventKind;
use crate::ids::{MatchId, PlayerId, ProposalId, TicketId};
use crate::outcome::{Decision, EndReason, LeaveReason, QueueStatus, Refusal};
use crate::ticket::{Member, Ticket};

impl Step<'_> {
    /// Follows an event, or refuses it.
    pub(super) fn take(&mut self, event: usize) -> Result<(), StepError> {
        let given = &self.events[event];
        if self.state.has_seen(given.id) {
            return self.decide(Decision::Duplicate { event });
        }
        self.state.set_answer(given.id, Answer::Followed);
        let taken = match &given.kind {
            EventKind::Create(ticket) => self.create(event, ticket)?,
            EventKind::Cancel { ticket, by } => self.cancel(*ticket, *by)?,
            EventKind::Edit { ticket, players } => self.edit(event, *ticket, players)?,
            EventKind::Accept { proposal, player } => self.accept(*proposal, *player)?,
            EventKind::Decline { proposal, player } => self.decline(*proposal, *player)?,
            EventKind::FailProposal(proposal) => self.fail_proposal(*proposal)?,
            EventKind::FailMatch(match_id) => self.fail_match(*match_id)?,
            EventKind::Confirm(match_id) => self.confirm(*match_id)?,
            EventKind::Pause(queue) => self.set_queue(queue, QueueStatus::Paused)?,
            EventKind::Drain(queue) => self.set_queue(queue, QueueStatus::Draining)?,
            EventKind::Resume(queue) => self.set_queue(queue, QueueStatus::Running)?,
            EventKind::SetPolicy(_) => {
                // Each was asked whether it has a place, all one after the other.
                self.budget.begin(self.state.pool.len() as u64 / 4);
                self.decide(Decision::PolicySet { event })?;
                Ok(())
            }
        };
        match taken {
            Ok(()) => Ok(()),
            Err(reason) => self.decide(Decision::Refused { event, reason }),
        }
    }

    fn create(&mut self, event: usize, ticket: &Ticket) -> Result<Result<(), Refusal>, StepError> {
        for player in ticket.players.iter().map(|member| member.id) {
            if let Some(other) = self.state.ticket_of(player) {
                self.expire_if_due(other)?;
            }
        }
        let policy = || {
            self.policy
                .admits(&self.state.pool, ticket)
                .map_err(|reason| Refusal::Policy { reason })
        };
        if let Err(reason) = self.state.check_ticket(ticket, self.now).and_then(|()| policy()) {
            return Ok(Err(reason));
        }
        let players = ticket.players.iter().map(|member| member.id);
        let low_priority = self.state.is_low_priority(players, self.now);
        self.decide(Decision::Admitted {
            event,
            ticket: ticket.id,
            low_priority,
        })?;
        self.expire_if_due(ticket.id)?;
        Ok(Ok(()))
    }

    /// A ticket whose own time is over leaves, unless its players are asked.
    fn expire_if_due(&mut self, ticket: TicketId) -> Result<(), StepError> {
        let waiting = self.state.pool.get(ticket);
        let waiting = waiting.filter(|waiting| waiting.proposal.is_none());
        let expires = waiting.and_then(|waiting| waiting.ticket.expires);
        if expires.is_some_and(|expires| expires <= self.now) {
            let reason = LeaveReason::Expired;
            self.decide(Decision::Left { ticket, reason })?;
        }
        Ok(())
    }

    /// What ran out by now but has to wait for its turn, of a proposal that an event is about.
    fn time_out_if_due(&mut self, proposal: ProposalId) -> Result<(), StepError> {
        let open = self.state.proposals.get(&proposal);
        let is_due = open.is_some_and(|open| open.proposal.deadline <= self.now);
        if is_due { self.time_out(proposal) } else { Ok(()) }
    }

    fn cancel(&mut self, ticket: TicketId, by: Option<PlayerId>) -> Result<Result<(), Refusal>, StepError> {
        self.expire_if_due(ticket)?;
        if let Some(proposal) = self.state.pool.get(ticket).and_then(|waiting| waiting.proposal) {
            self.time_out_if_due(proposal)?;
        }
        let Some(waiting) = self.state.pool.get(ticket) else {
            let matched = self.state.match_of(ticket);
            return Ok(Err(matched
                .map_or(Refusal::UnknownTicket { ticket }, |match_id| {
                    Refusal::IsMatched { ticket, match_id }
                })));
        };
        let is_in = |player: &PlayerId| waiting.ticket.players.iter().any(|member| member.id == *player);
        if let Some(player) = by.filter(|player| !is_in(player)) {
            return Ok(Err(Refusal::NotInTicket { ticket, player }));
        }
        let reason = LeaveReason::Cancelled;
        match waiting.proposal {
            Some(proposal) => {
                // Who plays already declines nothing.
                let asked = by.filter(|_| waiting.ticket.backfill.is_none());
                self.end_for(proposal, asked.as_slice(), BTreeSet::from([ticket]), reason)?;
            }
            None => self.decide(Decision::Left { ticket, reason })?,
        }
        Ok(Ok(()))
    }

    fn edit(
        &mut self,
        event: usize,
        ticket: TicketId,
        players: &[Member],
    ) -> Result<Result<(), Refusal>, StepError> {
        self.expire_if_due(ticket)?;
        let Some(waiting) = self.state.pool.get(ticket) else {
            return Ok(Err(Refusal::UnknownTicket { ticket }));
        };
        if let Some(proposal) = waiting.proposal {
            return Ok(Err(Refusal::IsProposed { ticket, proposal }));
        }
        let edited = Ticket {
            players: players.to_vec(),
            ..(*waiting.ticket).clone()
        };
        let check = || {
            edited.check()?;
            self.state.check_members(&edited, self.now)?;
            let queues = self.state.pool.queues_of(&edited);
            queues
                .iter()
                .try_for_each(|queue| fits(&edited, self.state.pool.teams(queue), queue))?;
            self.policy
                .admits(&self.state.pool, &edited)
                .map_err(|reason| Refusal::Policy { reason })
        };
        if let Err(reason) = check() {
            return Ok(Err(reason));
        }
        let players = edited.players.iter().map(|member| member.id);
        let low_priority = self.state.is_low_priority(players, self.now);
        self.decide(Decision::Edited {
            event,
            ticket,
            low_priority,
        })?;
        Ok(Ok(()))
    }

    /// The refusal of an answer that no open proposal waits for.
    fn check_answer(&self, proposal: ProposalId, player: PlayerId) -> Result<(), Refusal> {
        if !self.state.proposals.contains_key(&proposal) {
            return Err(Refusal::UnknownProposal { proposal });
        }
        let ticket = self
            .state
            .ticket_of(player)
            .and_then(|ticket| self.state.pool.get(ticket));
        let is_asked =
            ticket.is_some_and(|one| one.proposal == Some(proposal) && one.ticket.backfill.is_none());
        if is_asked {
            Ok(())
        } else {
            Err(Refusal::NotInProposal { proposal, player })
        }
    }

    fn accept(&mut self, proposal: ProposalId, player: PlayerId) -> Result<Result<(), Refusal>, StepError> {
        self.time_out_if_due(proposal)?;
        if let Err(reason) = self.check_answer(proposal, player) {
            return Ok(Err(reason));
        }
        self.decide(Decision::Accepted { proposal, player })?;
        let open = self
            .state
            .proposals
            .get(&proposal)
            .filter(|open| open.undecided.is_empty());
        if let Some(open) = open {
            let (lobby, policy) = (open.proposal.lobby.clone(), Arc::clone(&open.proposal.policy));
            self.make(lobby, Some(proposal), policy)?;
        }
        Ok(Ok(()))
    }

    fn decline(&mut self, proposal: ProposalId, player: PlayerId) -> Result<Result<(), Refusal>, StepError> {
        self.time_out_if_due(proposal)?;
        if let Err(reason) = self.check_answer(proposal, player) {
            return Ok(Err(reason));
        }
        let tickets = self.tickets_of(&[player]);
        self.end_for(proposal, &[player], tickets, LeaveReason::Declined)?;
        Ok(Ok(()))
    }

    fn fail_proposal(&mut self, proposal: ProposalId) -> Result<Result<(), Refusal>, StepError> {
        self.time_out_if_due(proposal)?;
        if !self.state.proposals.contains_key(&proposal) {
            return Ok(Err(Refusal::UnknownProposal { proposal }));
        }
        self.end(proposal, EndReason::Failed)?;
        Ok(Ok(()))
    }

    fn fail_match(&mut self, match_id: MatchId) -> Result<Result<(), Refusal>, StepError> {
        let Some(recent) = self.state.recent(match_id) else {
            return Ok(Err(Refusal::UnknownMatch { match_id }));
        };
        // A player who queued anew since then waits there; and a new policy may have no place for a ticket.
        let is_free = |ticket: &Ticket| {
            let mut players = ticket.players.iter();
            players.all(|member| self.state.ticket_of(member.id).is_none())
                && self.state.pool.get(ticket.id).is_none()
                && has_place(&self.state.settings, ticket)
        };
        let tickets = recent.tickets.iter().map(|gone| &*gone.ticket);
        let returned: Vec<TicketId> = tickets
            .filter(|&ticket| is_free(ticket))
            .map(|ticket| ticket.id)
            .collect();
        let back = returned.clone();
        self.decide(Decision::Failed { match_id, returned })?;
        back.into_iter()
            .try_for_each(|ticket| self.expire_if_due(ticket))?;
        Ok(Ok(()))
    }

    fn confirm(&mut self, match_id: MatchId) -> Result<Result<(), Refusal>, StepError> {
        if self.state.recent(match_id).is_none() {
            return Ok(Err(Refusal::UnknownMatch { match_id }));
        }
        self.decide(Decision::Confirmed { match_id })?;
        Ok(Ok(()))
    }

    fn set_queue(&mut self, queue: &str, status: QueueStatus) -> Result<Result<(), Refusal>, StepError> {
        let queue = queue.to_owned();
        if self.state.pool.status(&queue).is_none() {
            return Ok(Err(Refusal::UnknownQueue { queue }));
        }
        self.decide(Decision::QueueIs { queue, status })?;
        Ok(Ok(()))
    }

    /// The players who have not answered are removed, with their parties; the others wait again.
    pub(super) fn time_out(&mut self, proposal: ProposalId) -> Result<(), StepError> {
        let open = self.state.proposals.get(&proposal);
        let undecided: Vec<PlayerId> = open
            .into_iter()
            .flat_map(|open| open.undecided.iter().copied())
            .collect();
        let tickets = self.tickets_of(&undecided);
        self.end_for(proposal, &undecided, tickets, LeaveReason::TimedOut)
    }

    fn tickets_of(&self, players: &[PlayerId]) -> BTreeSet<TicketId> {
        let tickets = players.iter().map(|&player| self.state.ticket_of(player));
        tickets.flatten().collect()
    }

    /// Ends a proposal because of these players and tickets, which leave.
    fn end_for(
        &mut self,
        proposal: ProposalId,
        players: &[PlayerId],
        tickets: BTreeSet<TicketId>,
        reason: LeaveReason,
    ) -> Result<(), StepError> {
        for &player in players {
            self.punish(player)?;
        }
        for ticket in tickets {
            self.decide(Decision::Left { ticket, reason })?;
        }
        let reason = match reason {
            LeaveReason::TimedOut => EndReason::TimedOut,
            LeaveReason::Cancelled => EndReason::Cancelled,
            _ => EndReason::Declined,
        };
        self.end(proposal, reason)
    }

    /// Ends a proposal; the tickets that are still there wait again.
    fn end(&mut self, proposal: ProposalId, reason: EndReason) -> Result<(), StepError> {
        let open = self.state.proposals.get(&proposal);
        let tickets = open.into_iter().flat_map(|open| open.proposal.lobby.tickets());
        let returned: Vec<TicketId> = tickets
            .filter(|&ticket| self.state.pool.get(ticket).is_some())
            .collect();
        let back = returned.clone();
        self.decide(Decision::Ended {
            proposal,
            reason,
            returned,
        })?;
        back.into_iter().try_for_each(|ticket| self.expire_if_due(ticket))
    }

    fn punish(&mut self, player: PlayerId) -> Result<(), StepError> {
        let settings = &self.state.settings;
        let (cooldowns, after) = (&settings.cooldowns, settings.low_priority_after);
        if cooldowns.is_empty() && after.is_none() {
            return Ok(());
        }
        let before = self.state.declines.get(&player);
        let forget = settings.forget_declines_after;
        let before = before.filter(|before| before.last.plus(forget) > self.now);
        let declines = before.map_or(0, |before| before.count).saturating_add(1);
        let place = (declines as usize).min(cooldowns.len());
        let span = if place == 0 { 0 } else { cooldowns[place - 1] };
        let low_priority = after.is_some_and(|after| declines >= after);
        self.decide(Decision::Cooldown {
            player,
            declines,
            until: self.now.plus(span),
            low_priority_until: low_priority.then(|| self.now.plus(self.state.settings.low_priority_for)),
        })
    }
}
