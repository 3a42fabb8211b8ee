//! The best match with a ticket among those around it.

use std::sync::Arc;

use matchwright_lobby::{BestSplit, Group, LobbyObjective, LobbyPool, SomePlayers, TeamSplitter, best_with};
use matchwright_queue::{TicketId, Waiting};
use matchwright_scoring::{MatchScorer, TeamMatch};
use matchwright_solver::Limits;

use super::Settings;
use crate::adapt::LobbyScoring;
use crate::policy::failures::{failed, lobby, split};
use crate::policy::players::Players;

/// A match that was found.
pub(super) struct Found {
    pub(super) teams: Vec<Vec<TicketId>>,
    pub(super) region: Option<Arc<str>>,
    pub(super) quality: f64,
}

/// Teams of tickets, and the quality of their match.
pub(super) type Teams = (Vec<Vec<TicketId>>, f64);

/// What a search goes by.
pub(super) struct Search<'a> {
    pub(super) players: &'a Players,
    pub(super) settings: &'a Settings,
    pub(super) sizes: &'a [usize],
}

impl Search<'_> {
    /// The best match of the first of these tickets, `waiting`, with others of them.
    ///
    /// # Errors
    /// A solve that failed, in words; so below.
    pub(super) fn best(&self, waiting: &Waiting, tickets: &[TicketId]) -> Result<Option<Teams>, String> {
        match self.sizes {
            _ if waiting.ticket.backfill.is_some() => self.fill(waiting, tickets),
            [_, _] => self.two_teams(tickets, &self.scoring()),
            _ => self.more_teams(waiting, tickets),
        }
    }

    fn scoring(&self) -> LobbyScoring<'_> {
        LobbyScoring {
            pool: self.players.pool(),
            policy: &self.settings.scoring,
        }
    }

    /// The players of tickets.
    fn names(&self, tickets: &[TicketId]) -> Vec<usize> {
        let names = tickets.iter().flat_map(|&ticket| self.players.of(ticket));
        names.copied().collect()
    }

    /// Parties as places in the list of their players.
    fn parties(&self, tickets: &[TicketId]) -> Vec<Vec<usize>> {
        let mut next = 0;
        let party = |ticket: &TicketId| {
            let players = self.players.of(*ticket).len();
            next += players;
            (next - players..next).collect()
        };
        tickets.iter().map(party).collect()
    }

    fn lobby_pool(&self, parties: &[Vec<usize>], names: &[usize]) -> Result<Option<LobbyPool>, String> {
        let &[a, b] = self.sizes else { return Ok(None) };
        let pool = self.players.pool();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| {
            pool.skill(names[a])
                .total_cmp(&pool.skill(names[b]))
                .then(a.cmp(&b))
        });
        let lobby_pool = LobbyPool::new(names.len(), (a, b))
            .and_then(|pool| pool.with_parties(parties))
            .and_then(|pool| pool.with_order(&order));
        lobby(lobby_pool)
    }

    /// The best match of the first ticket by an objective of players.
    pub(super) fn two_teams(
        &self,
        tickets: &[TicketId],
        objective: &dyn LobbyObjective,
    ) -> Result<Option<Teams>, String> {
        let names = self.names(tickets);
        let Some(pool) = self.lobby_pool(&self.parties(tickets), &names)? else {
            return Ok(None);
        };
        let objective = SomePlayers {
            objective,
            players: &names,
        };
        let limits = Limits::unlimited().with_work(self.settings.exchanges);
        let found = lobby(best_with(&pool, &objective, 0, &limits))?.flatten();
        let of = |team: &[usize]| {
            let indices: Vec<usize> = team.iter().map(|&place| names[place]).collect();
            self.players.tickets_of(&indices)
        };
        Ok(found.map(|lobby| (vec![of(&lobby.team_a), of(&lobby.team_b)], lobby.quality)))
    }

    /// Fills a running match of two teams: its players keep their teams.
    fn fill(&self, waiting: &Waiting, tickets: &[TicketId]) -> Result<Option<Teams>, String> {
        let (&[a, b], Some(backfill)) = (self.sizes, &waiting.ticket.backfill) else {
            return Ok(None);
        };
        let there =
            |team: usize| (0..backfill.teams.len()).filter(move |&place| backfill.teams[place] == team);
        let running = [there(0).collect::<Vec<usize>>(), there(1).collect()];
        let names = self.names(tickets);
        // Who is left may all be on one team.
        let mut parties: Vec<Vec<usize>> = running.iter().filter(|team| !team.is_empty()).cloned().collect();
        parties.extend(self.parties(tickets).into_iter().skip(1));
        let scoring = self.scoring();
        let keeps = |team: &[usize], of: usize| running[of].iter().all(|place| team.contains(place));
        let quality = |team_a: &[usize], team_b: &[usize]| {
            let straight = keeps(team_a, 0) && keeps(team_b, 1);
            let crossed = a == b && keeps(team_a, 1) && keeps(team_b, 0);
            if !straight && !crossed {
                return None;
            }
            let of = |team: &[usize]| team.iter().map(|&place| names[place]).collect::<Vec<usize>>();
            scoring.quality(&of(team_a), &of(team_b))
        };
        let Some(pool) = self.lobby_pool(&parties, &names)? else {
            return Ok(None);
        };
        let limits = Limits::unlimited().with_work(self.settings.exchanges);
        let Some(lobby) = lobby(best_with(&pool, &quality, 0, &limits))?.flatten() else {
            return Ok(None);
        };
        let swap = !(keeps(&lobby.team_a, 0) && keeps(&lobby.team_b, 1));
        let of = |team: &[usize]| {
            let is_new = |place: &&usize| **place >= waiting.ticket.players.len();
            let indices: Vec<usize> = team.iter().filter(is_new).map(|&place| names[place]).collect();
            self.players.tickets_of(&indices)
        };
        let mut teams = [of(&lobby.team_a), of(&lobby.team_b)];
        if swap {
            teams.swap(0, 1);
        }
        teams[0].insert(0, waiting.ticket.id);
        Ok(Some((teams.to_vec(), lobby.quality)))
    }

    /// More than two teams: neighbours that fill them exactly, split as well as can be.
    fn more_teams(&self, waiting: &Waiting, tickets: &[TicketId]) -> Result<Option<Teams>, String> {
        let total: usize = self.sizes.iter().sum();
        let (scoring, pool) = (self.scoring(), self.players.pool());
        let skill = |ticket: &TicketId| {
            let players = self.players.of(*ticket);
            players.iter().map(|&player| pool.skill(player)).sum::<f64>() / players.len() as f64
        };
        let mut order = tickets.to_vec();
        order.sort_by(|a, b| skill(a).total_cmp(&skill(b)).then(a.cmp(b)));
        let mut best: Option<Teams> = None;
        for start in 0..order.len() {
            let (mut end, mut count) = (start, 0);
            while end < order.len() && count < total {
                count += self.players.of(order[end]).len();
                end += 1;
            }
            let group = &order[start..end];
            if count != total || !group.contains(&waiting.ticket.id) {
                continue;
            }
            let parties: Vec<Vec<usize>> = group
                .iter()
                .map(|&ticket| self.players.of(ticket).to_vec())
                .collect();
            let found = Group::new(self.names(group), self.sizes.to_vec())
                .and_then(|group| group.with_parties(&parties))
                .and_then(|group| BestSplit::new().split(&group, &scoring as &dyn LobbyObjective));
            let Some(found) = split(found)? else { continue };
            let teams: Vec<&[usize]> = found.teams.iter().map(Vec::as_slice).collect();
            let candidate = TeamMatch::new(pool, &teams).map_err(failed)?;
            let quality = self.settings.scoring.quality(&candidate);
            if let Some(quality) = quality
                && best.as_ref().is_none_or(|best| quality > best.1)
            {
                let of = |team: &Vec<usize>| self.players.tickets_of(team);
                best = Some((found.teams.iter().map(of).collect(), quality));
            }
        }
        Ok(best)
    }
}
