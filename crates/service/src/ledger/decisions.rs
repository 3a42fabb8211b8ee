//! What the ledger takes from the queue's decisions.

use matchwright_queue::journal::StepRecord;
use matchwright_queue::{Decision, EventKind, LeaveReason, Match, TicketId};

use super::entries::Label;
use super::{LONGEST_MATCH, Ledger, MatchEntry, Players, Standing, TicketEntry};
use crate::view::{Left, Phase};

impl Ledger {
    pub(super) fn decision(&mut self, record: &StepRecord, decision: &Decision) {
        let now = record.now.millis();
        match decision {
            Decision::Admitted { event, ticket, .. } => {
                let created = record.events.get(*event).map(|event| &event.kind);
                if let Some(EventKind::Create(created)) = created {
                    let players = created.players.iter().map(|member| member.id.0).collect();
                    if created.backfill.is_some() {
                        // Its players stay in the ticket that they came in.
                        self.enter(ticket.0, players, Standing::Waiting, now);
                    } else {
                        self.admit(ticket.0, players, now);
                    }
                }
            }
            Decision::Edited { event, ticket, .. } => {
                let edited = record.events.get(*event).map(|event| &event.kind);
                if let Some(EventKind::Edit { players, .. }) = edited {
                    let players: Players = players.iter().map(|member| member.id.0).collect();
                    for player in &players {
                        self.books.ticket_of.insert(*player, ticket.0);
                    }
                    let entry = self.books.tickets.get_mut(&ticket.0);
                    let before = entry.map(|entry| std::mem::replace(&mut entry.players, players.clone()));
                    for player in before.unwrap_or_default() {
                        if !players.contains(&player) {
                            self.let_go(player, ticket.0);
                        }
                    }
                    self.stand(*ticket, Standing::Waiting);
                }
            }
            Decision::Left { ticket, reason } => {
                self.leave(*ticket, left(*reason), now);
                self.end_search(ticket.0);
            }
            Decision::Proposed(proposal) => {
                for ticket in proposal.lobby.tickets() {
                    self.stand(
                        ticket,
                        Standing::Proposed {
                            proposal: proposal.id.0,
                            deadline: proposal.deadline.millis(),
                        },
                    );
                    if let Some(entry) = self.books.tickets.get_mut(&ticket.0) {
                        entry.proposal = Some(proposal.id.0);
                    }
                }
            }
            Decision::Ended { returned, .. } => {
                for ticket in returned {
                    self.stand(*ticket, Standing::Waiting);
                }
            }
            Decision::Matched(made) => self.matched(made, now),
            Decision::Failed { match_id, returned } => {
                self.end(match_id.0, Phase::Failed, now);
                let entry = self.books.matches.get(&match_id.0);
                let lost = entry.map_or_else(Vec::new, |entry| entry.tickets().collect());
                for ticket in returned {
                    self.stand(*ticket, Standing::Waiting);
                }
                // Their players wait elsewhere by now, or the policy has no place for them.
                for ticket in lost
                    .into_iter()
                    .map(TicketId)
                    .filter(|ticket| !returned.contains(ticket))
                {
                    self.leave(ticket, Left::Cancelled, now);
                }
            }
            Decision::Confirmed { match_id } => self.start(match_id.0),
            _ => {}
        }
    }

    fn admit(&mut self, ticket: u64, players: Players, now: i64) {
        for player in &players {
            self.books.ticket_of.insert(*player, ticket);
        }
        if self.end_gathering(ticket) {
            self.stand(TicketId(ticket), Standing::Waiting);
            if let Some(entry) = self.books.tickets.get_mut(&ticket) {
                (entry.players, entry.came) = (players, now);
            }
        } else {
            self.enter(ticket, players, Standing::Waiting, now);
        }
    }

    /// A new ticket.
    pub(super) fn enter(&mut self, ticket: u64, players: Players, state: Standing, now: i64) {
        self.books.next_ticket = self.books.next_ticket.max(ticket + 1);
        let entry = TicketEntry {
            players,
            state,
            version: self.books.step,
            came: now,
            proposal: None,
            request: None,
            heartbeat: 0,
        };
        self.books.tickets.insert(ticket, entry);
        self.changed[0].insert(ticket);
    }

    fn matched(&mut self, made: &Match, now: i64) {
        if let Some(match_id) = made.backfill {
            self.come_into(match_id, made, now);
            return;
        }
        let players_of = |ticket: u64| {
            let entry = self.books.tickets.get(&ticket);
            entry.map_or_else(Players::new, |entry| entry.players.clone())
        };
        let known = self.books.labels.iter().rposition(|label| label.is_of(made));
        let label = known.unwrap_or(self.books.labels.len());
        let until = now.saturating_add(LONGEST_MATCH);
        let entry = MatchEntry::new(made, label, (self.books.step, until), players_of);
        self.longest.insert((until, made.id.0));
        if known.is_none() {
            self.books.labels.push(Label::of(made));
        }
        self.changed[1].insert(made.id.0);
        for player in &entry.players {
            self.playing.insert(*player, made.id.0);
        }
        self.books.matches.insert(made.id.0, entry);
        for ticket in made.lobby.tickets() {
            self.stand(ticket, Standing::Matched(made.id.0));
        }
    }
}

fn left(reason: LeaveReason) -> Left {
    match reason {
        LeaveReason::Cancelled => Left::Cancelled,
        LeaveReason::Expired => Left::Expired,
        LeaveReason::Declined => Left::Declined,
        LeaveReason::TimedOut => Left::TimedOut,
    }
}
