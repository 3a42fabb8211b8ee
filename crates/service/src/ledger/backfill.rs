//! Players who leave a match while it is played, and those who come in their place.

use matchwright_queue::{Match, MatchId, TicketId};

use super::{Ledger, Over, Players, Standing};
use crate::view::Left;

impl Ledger {
    /// The matches for which others are asked in a proposal.
    pub(crate) fn sought_in(&self, proposal: u64) -> impl Iterator<Item = u64> + '_ {
        let is_in = move |ticket: &u64| {
            let ticket = self.books.tickets.get(ticket);
            ticket.is_some_and(|ticket| ticket.proposal == Some(proposal))
        };
        let searches = self.backfills.iter();
        searches
            .filter(move |(ticket, _)| is_in(ticket))
            .map(|(_, match_id)| *match_id)
    }

    /// Whether a ticket looks for players for a match that is played.
    pub(crate) fn is_search(&self, ticket: u64) -> bool {
        self.backfills.contains_key(&ticket)
    }

    /// These have left a match that is played.
    pub(super) fn lose(&mut self, match_id: u64, left: &[u64], now: i64) {
        let Some(entry) = self.books.match_on(match_id) else {
            return;
        };
        let mut sides = entry.sides();
        for (_, players) in sides.iter_mut().flatten() {
            players.retain(|player| !left.contains(player));
        }
        let gone = sides.iter().flatten().filter(|(_, players)| players.is_empty());
        let gone: Vec<u64> = gone.map(|(ticket, _)| *ticket).collect();
        for team in &mut sides {
            team.retain(|(_, players)| !players.is_empty());
        }
        let before = entry.players.len();
        entry.set_sides(sides);
        let lost = before - entry.players.len();
        entry.free = entry.free.saturating_add(u32::try_from(lost).unwrap_or(u32::MAX));
        for player in left {
            if self.playing(*player) == Some(match_id) {
                self.playing.remove(player);
            }
        }
        for ticket in gone {
            self.leave(TicketId(ticket), Left::LeftMatch, now);
        }
        self.touch(match_id);
    }

    /// A ticket looks for others.
    pub(super) fn seek_others(&mut self, match_id: u64, ticket: u64) {
        let Some(entry) = self.books.match_on(match_id) else {
            return;
        };
        if let Some(older) = entry.backfill.replace(ticket) {
            self.backfills.remove(&older);
        }
        self.backfills.insert(ticket, match_id);
        self.touch(match_id);
    }

    /// A ticket that looked for others has ended without.
    pub(super) fn end_search(&mut self, ticket: u64) {
        let Some(match_id) = self.backfills.remove(&ticket) else {
            return;
        };
        if let Some(entry) = self.books.matches.get_mut(&match_id) {
            entry.backfill = None;
        }
        self.touch(match_id);
    }

    /// Others come into a match that is played.
    pub(super) fn come_into(&mut self, MatchId(match_id): MatchId, made: &Match, now: i64) {
        let Some(mut sides) = self.books.match_on(match_id).map(|entry| entry.sides()) else {
            // It has ended by now, and takes no more players.
            for ticket in made.lobby.tickets() {
                self.leave(ticket, Left::Cancelled, now);
            }
            return;
        };
        let mut came: Vec<(u64, Players)> = Vec::new();
        for (side, team) in sides.iter_mut().zip(&made.lobby.teams) {
            for TicketId(ticket) in team {
                if self.backfills.contains_key(ticket) {
                    continue;
                }
                let known = self.books.tickets.get(ticket);
                came.push((
                    *ticket,
                    known.map_or_else(Players::new, |known| known.players.clone()),
                ));
                side.extend(came.last().cloned());
            }
        }
        let count = came.iter().map(|(_, players)| players.len()).sum::<usize>();
        let offer = self.books.match_on(match_id).and_then(|entry| {
            entry.set_sides(sides);
            entry.free = entry
                .free
                .saturating_sub(u32::try_from(count).unwrap_or(u32::MAX));
            entry.backfill.take()
        });
        if let Some(offer) = offer {
            self.backfills.remove(&offer);
            self.stand(TicketId(offer), Standing::Matched(match_id));
            self.books.over.push_back((now, Over::Ticket(offer)));
        }
        for (ticket, players) in came {
            self.playing
                .extend(players.into_iter().map(|player| (player, match_id)));
            self.stand(TicketId(ticket), Standing::Matched(match_id));
        }
        self.touch(match_id);
    }
}
