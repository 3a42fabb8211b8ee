//! What the core refuses: tickets that cannot wait, and lobbies that break its rules.

use super::{Pool, State, Waiting};
use crate::ids::PlayerId;
use crate::outcome::{Lobby, LobbyFault, QueueStatus, Refusal};
use crate::settings::QueueSettings;
use crate::ticket::Ticket;
use crate::time::Time;

impl State {
    /// Whether a ticket may come in.
    pub(super) fn check_ticket(&self, ticket: &Ticket, now: Time) -> Result<(), Refusal> {
        ticket.check()?;
        if self.pool.get(ticket.id).is_some() || self.match_of(ticket.id).is_some() {
            return Err(Refusal::TicketExists { ticket: ticket.id });
        }
        if let Some(limit) = self
            .settings
            .most_tickets
            .filter(|&limit| self.pool.len() >= limit)
        {
            return Err(Refusal::Full { limit });
        }
        self.check_members(ticket, now)?;
        self.check_queues(ticket)
    }

    /// Whether the players of a ticket may wait: none does in another ticket, none must not queue, and all that the
    /// policy needs is known.
    pub(super) fn check_members(&self, ticket: &Ticket, now: Time) -> Result<(), Refusal> {
        for player in ticket.players.iter().map(|member| member.id) {
            if let Some(other) = self.ticket_of(player).filter(|&other| other != ticket.id) {
                return Err(Refusal::PlayerWaits {
                    player,
                    ticket: other,
                });
            }
            // Who plays already may go on.
            if let Some(until) = self
                .cooldown_at(player, now)
                .filter(|_| ticket.backfill.is_none())
            {
                return Err(Refusal::Cooldown { player, until });
            }
        }
        let lacks = |name: &&String| ticket.mean(name).is_none();
        match self.settings.needs.iter().find(lacks) {
            Some(name) => Err(Refusal::Missing { name: name.clone() }),
            None => Ok(()),
        }
    }

    fn cooldown_at(&self, player: PlayerId, now: Time) -> Option<Time> {
        let until = self.declines.get(&player)?.until;
        (until > now).then_some(until)
    }

    fn check_queues(&self, ticket: &Ticket) -> Result<(), Refusal> {
        for queue in &ticket.queues {
            if self.pool.status(queue).is_none() {
                return Err(Refusal::UnknownQueue { queue: queue.clone() });
            }
        }
        let queues = self.pool.queues_of(ticket);
        if queues.is_empty() {
            let queue = String::new();
            return Err(Refusal::UnknownQueue { queue });
        }
        for queue in queues.iter() {
            if self.pool.status(queue) == Some(QueueStatus::Draining) && ticket.backfill.is_none() {
                return Err(Refusal::Draining {
                    queue: queue.to_string(),
                });
            }
            fits(ticket, self.pool.teams(queue), queue)?;
        }
        Ok(())
    }
}

/// Whether a ticket can wait under these settings.
pub(super) fn has_place(settings: &QueueSettings, ticket: &Ticket) -> bool {
    let named = |name: &&String| ticket.queues.is_empty() || ticket.queues.contains(name);
    let mut places = settings.queues.iter().filter(|(name, _)| named(name));
    let is_clear = !ticket.queues.is_empty() || settings.queues.len() == 1;
    let mut needs = settings.needs.iter();
    is_clear
        && needs.all(|name| ticket.mean(name).is_some())
        && places.any(|(name, teams)| fits(ticket, teams, name).is_ok())
}

/// Whether a party fits a team of the queue, and a running match its teams.
pub(super) fn fits(ticket: &Ticket, teams: &[usize], queue: &str) -> Result<(), Refusal> {
    match &ticket.backfill {
        None => {
            let largest = teams.iter().copied().max().unwrap_or(0);
            let players = ticket.players.len();
            if players > largest {
                let queue = queue.to_owned();
                return Err(Refusal::PartyTooLarge { players, queue });
            }
        }
        Some(backfill) => {
            let there = taken(&backfill.teams, teams.len());
            let fit = there.iter().zip(teams).all(|(there, size)| there <= size);
            let is_full = there == teams;
            if !fit || is_full || backfill.teams.iter().any(|&team| team >= teams.len()) {
                return Err(Refusal::BackfillTeams);
            }
        }
    }
    Ok(())
}

/// How many of the players are on each team.
fn taken(team_of: &[usize], teams: usize) -> Vec<usize> {
    let mut there = vec![0; teams];
    for &team in team_of {
        if let Some(count) = there.get_mut(team) {
            *count += 1;
        }
    }
    there
}

impl Pool {
    /// Whether a lobby keeps the rules of the core.
    pub(super) fn check_lobby(&self, lobby: &Lobby) -> Result<(), LobbyFault> {
        if !self.is_matched(&lobby.queue) {
            let queue = lobby.queue.to_string();
            return Err(LobbyFault::Queue { queue });
        }
        let mut first: Option<&Waiting> = None;
        let mut sizes = vec![0; lobby.teams.len()];
        let mut backfills = 0;
        for (team, tickets) in lobby.teams.iter().enumerate() {
            for (place, &ticket) in tickets.iter().enumerate() {
                let waits = |waiting: &&Waiting| self.is_offered(waiting) && waiting.is_in(&lobby.queue);
                let waiting = self
                    .get(ticket)
                    .filter(waits)
                    .ok_or(LobbyFault::Ticket { ticket })?;
                let before = lobby.teams[..team].iter().flatten().chain(&tickets[..place]);
                if before.into_iter().any(|&other| other == ticket) {
                    return Err(LobbyFault::Ticket { ticket });
                }
                let first = *first.get_or_insert(waiting);
                if first.key != waiting.key {
                    let first = first.ticket.id;
                    return Err(LobbyFault::Key {
                        first,
                        second: ticket,
                    });
                }
                let regions = &waiting.ticket.regions;
                let accepts = lobby
                    .region
                    .as_ref()
                    .is_some_and(|region| regions.contains_key(region));
                if !regions.is_empty() && !accepts {
                    return Err(LobbyFault::Region { ticket });
                }
                match &waiting.ticket.backfill {
                    None => sizes[team] += waiting.ticket.players.len(),
                    Some(backfill) => {
                        backfills += 1;
                        for (size, there) in sizes.iter_mut().zip(taken(&backfill.teams, lobby.teams.len())) {
                            *size += there;
                        }
                    }
                }
            }
        }
        if backfills > 1 {
            return Err(LobbyFault::Backfills);
        }
        let is_known = self.sizes(&lobby.queue).any(|wanted| wanted == sizes);
        // An empty lobby could be made again and again.
        if !is_known || lobby.tickets().next().is_none() {
            let wanted = self.teams(&lobby.queue).to_vec();
            return Err(LobbyFault::Sizes { sizes, wanted });
        }
        Ok(())
    }
}
