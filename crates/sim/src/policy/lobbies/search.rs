//! The best match with a ticket among those around it.

use std::sync::Arc;

use matchwright_lobby::{Group, Lobby, LobbyObjective, LobbyPool, SomePlayers, TeamSplitter as _};
use matchwright_queue::{TicketId, Waiting};
use matchwright_scoring::TeamMatch;
use matchwright_solver::Limits;

use super::Settings;
use super::places::{Filled, Places, Seat};
use crate::adapt::LobbyScoring;
use crate::policy::failures::{failed, lobby, split};
use crate::policy::players::Players;

/// A ticket and those around it.
pub(super) struct Around {
    /// The ticket, its neighbours, and then the nearest who fill the required roles.
    pub(super) tickets: Vec<TicketId>,
    /// How many of them are exchanged, from the first on; of the others only those that a search starts from.
    pub(super) near: usize,
}

/// A match that was found.
pub(super) struct Found {
    pub(super) teams: Vec<Vec<TicketId>>,
    pub(super) region: Option<Arc<str>>,
    pub(super) quality: f64,
}

/// Teams of tickets, and the quality of their match.
pub(super) type Teams = (Vec<Vec<TicketId>>, f64);

/// Steps of a search for a match to start from, for each exchange.
const STEPS: u64 = 32;

/// The players of tickets, and their parties as places in the list, the nearest first.
pub(super) struct Candidates {
    names: Vec<usize>,
    parties: Vec<Vec<usize>>,
    seats: Vec<Seat>,
    /// How many parties are exchanged, from the first on.
    near: usize,
}

/// What a search goes by.
pub(super) struct Search<'a> {
    pub(super) players: &'a Players,
    pub(super) settings: &'a Settings,
    pub(super) places: &'a Places,
    pub(super) sizes: &'a [usize],
    /// Whether matches are tried one after the other where exchanges find none.
    pub(super) is_thorough: bool,
}

impl Search<'_> {
    /// The best match of the first of these tickets, `waiting`, with others of them.
    ///
    /// # Errors
    /// A solve that failed, in words; so below.
    pub(super) fn best(&self, waiting: &Waiting, around: &Around) -> Result<Option<Teams>, String> {
        match self.sizes {
            _ if waiting.ticket.backfill.is_some() => self.fill(waiting, around),
            [_, _] => self.two_teams(around, &self.scoring(), false),
            _ => self.more_teams(waiting, around),
        }
    }

    fn scoring(&self) -> LobbyScoring<'_> {
        LobbyScoring {
            pool: self.players.pool(),
            policy: &*self.settings.scoring,
        }
    }

    /// The players of tickets.
    fn names(&self, tickets: &[TicketId]) -> Vec<usize> {
        let names = tickets.iter().flat_map(|&ticket| self.players.of(ticket));
        names.copied().collect()
    }

    /// Candidates as places in the list of their players; the first `must` play.
    pub(super) fn candidates(&self, around: &Around, must: usize) -> Candidates {
        let mut next = 0;
        let party = |ticket: &TicketId| {
            let players = self.players.of(*ticket).len();
            next += players;
            (next - players..next).collect()
        };
        let seat = |place| if place < must { Seat::Must } else { Seat::May };
        Candidates {
            names: self.names(&around.tickets),
            parties: around.tickets.iter().map(party).collect(),
            seats: (0..around.tickets.len()).map(seat).collect(),
            near: around.near,
        }
    }

    /// A match of parties, each in its seat, that fills the required roles and passes a test.
    fn filled(&self, all: &Candidates, tests: u64, passes: &dyn Fn(&[Vec<usize>]) -> bool) -> Filled {
        let players = |party: &Vec<usize>| party.iter().map(|&place| all.names[place]).collect();
        let parties = all.parties.iter().map(players).zip(all.seats.iter().copied());
        let limits = [STEPS.saturating_mul(self.settings.exchanges), tests];
        let pool = self.players.pool();
        self.places
            .fill(pool, self.sizes, &parties.collect::<Vec<_>>(), limits, passes)
    }

    /// A match that fills the required roles, permitted or not.
    fn start(&self, all: &Candidates) -> Filled {
        if self.places.is_empty() {
            return Filled::Unknown;
        }
        self.filled(all, 1, &|_| true)
    }

    /// A match that fills the required roles and is permitted, found within this many tests.
    pub(super) fn permitted(&self, all: &Candidates, tests: u64) -> Filled {
        let passes = |teams: &[Vec<usize>]| {
            let of = |team: &Vec<usize>| -> Vec<usize> {
                let places = team.iter().flat_map(|&party| &all.parties[party]);
                places.map(|&place| all.names[place]).collect()
            };
            self.quality(&teams.iter().map(of).collect::<Vec<_>>()).is_some()
        };
        self.filled(all, tests, &passes)
    }

    /// The quality of a match of players, if it is permitted.
    fn quality(&self, teams: &[Vec<usize>]) -> Option<f64> {
        let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
        // Dropped: teams that are no match are not permitted.
        let candidate = TeamMatch::new(self.players.pool(), &teams).ok()?;
        self.settings.scoring.quality(&candidate)
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

    /// The best match of the first ticket by an objective of players. `any`: also one that lacks a required role.
    pub(super) fn two_teams(
        &self,
        around: &Around,
        objective: &dyn LobbyObjective,
        any: bool,
    ) -> Result<Option<Teams>, String> {
        let found = self.solve(&self.candidates(around, 1), objective, any)?;
        Ok(found.map(|lobby| {
            let teams = [&lobby.team_a, &lobby.team_b].map(|team| self.players.tickets_of(team));
            (teams.to_vec(), lobby.quality)
        }))
    }

    /// The best match of two teams with the first player by an objective of players: by exchanges from one that fills the
    /// required roles, and in a thorough search, where they find none, from one that is permitted.
    fn solve(
        &self,
        all: &Candidates,
        objective: &dyn LobbyObjective,
        any: bool,
    ) -> Result<Option<Lobby>, String> {
        let start = self.start(all);
        if start == Filled::None && !any {
            return Ok(None);
        }
        let found = self.exchanged(all, &start, objective)?;
        if found.is_none() && self.is_thorough {
            let start = self.permitted(all, self.settings.exchanges);
            if matches!(start, Filled::Teams(_)) {
                return self.exchanged(all, &start, objective);
            }
        }
        Ok(found)
    }

    /// The best match with the first player that exchanges find, from a match if one is known.
    fn exchanged(
        &self,
        all: &Candidates,
        start: &Filled,
        objective: &dyn LobbyObjective,
    ) -> Result<Option<Lobby>, String> {
        let start = match start {
            Filled::Teams(teams) => &teams[..],
            Filled::None | Filled::Unknown => &[],
        };
        let far = start.iter().flatten().copied().filter(|&party| party >= all.near);
        let chosen: Vec<usize> = (0..all.near).chain(far).collect();
        let mut kept: Vec<usize> = chosen
            .iter()
            .flat_map(|&party| &all.parties[party])
            .copied()
            .collect();
        kept.sort_unstable();
        let place = |place: &usize| kept.partition_point(|kept| kept < place);
        let of = |&party: &usize| all.parties[party].iter().map(place).collect();
        let parties: Vec<Vec<usize>> = chosen.iter().map(of).collect();
        let names: Vec<usize> = kept.iter().map(|&place| all.names[place]).collect();
        let Some(pool) = self.lobby_pool(&parties, &names)? else {
            return Ok(None);
        };
        let objective = SomePlayers {
            objective,
            players: &names,
        };
        let limits = Limits::unlimited().with_work(self.settings.exchanges);
        let finder = &self.settings.finder;
        let found = if let [a, b] = start {
            let [a, b] = [a, b].map(|team| team.iter().flat_map(of).collect::<Vec<usize>>());
            finder.find_from(&pool, &objective, 0, [&a, &b], &limits)
        } else {
            finder.find(&pool, &objective, 0, &limits)
        };
        Ok(lobby(found)?.flatten().map(|lobby| Lobby {
            team_a: objective.names(&lobby.team_a),
            team_b: objective.names(&lobby.team_b),
            ..lobby
        }))
    }

    /// Fills a running match of two teams: its players keep their teams.
    fn fill(&self, waiting: &Waiting, around: &Around) -> Result<Option<Teams>, String> {
        let (&[a, b], Some(backfill)) = (self.sizes, &waiting.ticket.backfill) else {
            return Ok(None);
        };
        let there =
            |team: usize| (0..backfill.teams.len()).filter(move |&place| backfill.teams[place] == team);
        let running = [there(0).collect::<Vec<usize>>(), there(1).collect()];
        let mut all = self.candidates(around, 0);
        // Who is left may all be on one team.
        let seats = (0..2).filter(|&team| !running[team].is_empty());
        let seats: Vec<Seat> = seats.map(Seat::In).collect();
        all.near = all.near + seats.len() - 1;
        all.seats.splice(..1, seats);
        let parties = running.iter().filter(|team| !team.is_empty()).cloned();
        all.parties.splice(..1, parties);
        let running = running.map(|team| team.iter().map(|&place| all.names[place]).collect::<Vec<_>>());
        let scoring = self.scoring();
        let keeps = |team: &[usize], of: usize| running[of].iter().all(|player| team.contains(player));
        let quality = |team_a: &[usize], team_b: &[usize]| {
            let straight = keeps(team_a, 0) && keeps(team_b, 1);
            let crossed = a == b && keeps(team_a, 1) && keeps(team_b, 0);
            (straight || crossed)
                .then(|| scoring.quality(team_a, team_b))
                .flatten()
        };
        let Some(lobby) = self.solve(&all, &quality, false)? else {
            return Ok(None);
        };
        let swap = !(keeps(&lobby.team_a, 0) && keeps(&lobby.team_b, 1));
        let own = self.players.of(waiting.ticket.id);
        let of = |team: &[usize]| {
            let new = team.iter().copied().filter(|player| !own.contains(player));
            self.players.tickets_of(&new.collect::<Vec<usize>>())
        };
        let mut teams = [of(&lobby.team_a), of(&lobby.team_b)];
        if swap {
            teams.swap(0, 1);
        }
        teams[0].insert(0, waiting.ticket.id);
        Ok(Some((teams.to_vec(), lobby.quality)))
    }

    /// More than two teams: neighbours that fill them exactly, split as well as can be; if they make no match, others that
    /// fill the required roles.
    fn more_teams(&self, waiting: &Waiting, around: &Around) -> Result<Option<Teams>, String> {
        let total: usize = self.sizes.iter().sum();
        let pool = self.players.pool();
        let skill = |ticket: &TicketId| {
            let players = self.players.of(*ticket);
            players.iter().map(|&player| pool.skill(player)).sum::<f64>() / players.len() as f64
        };
        let mut order = around.tickets[..around.near].to_vec();
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
            if let Some(found) = self.split(group)?
                && best.as_ref().is_none_or(|best| found.1 > best.1)
            {
                best = Some(found);
            }
        }
        if best.is_some() || (self.places.is_empty() && !self.is_thorough) {
            return Ok(best);
        }
        let Filled::Teams(teams) = self.permitted(&self.candidates(around, 1), self.settings.exchanges)
        else {
            return Ok(None);
        };
        let of = |team: &Vec<usize>| team.iter().map(|&place| around.tickets[place]).collect();
        let teams: Vec<Vec<TicketId>> = teams.iter().map(of).collect();
        let players: Vec<Vec<usize>> = teams.iter().map(|team| self.names(team)).collect();
        let first = self.quality(&players).map(|quality| (teams.clone(), quality));
        let split = self.split(&teams.concat())?;
        Ok(split
            .filter(|split| first.as_ref().is_none_or(|first| split.1 > first.1))
            .or(first))
    }

    /// Tickets that fill all teams, split as well as can be.
    fn split(&self, group: &[TicketId]) -> Result<Option<Teams>, String> {
        let scoring = self.scoring();
        let parties: Vec<Vec<usize>> = group
            .iter()
            .map(|&ticket| self.players.of(ticket).to_vec())
            .collect();
        let found = Group::new(self.names(group), self.sizes.to_vec())
            .and_then(|group| group.with_parties(&parties))
            .and_then(|group| {
                self.settings
                    .splitter
                    .split(&group, &scoring as &dyn LobbyObjective)
            });
        let Some(found) = split(found)? else {
            return Ok(None);
        };
        let teams: Vec<&[usize]> = found.teams.iter().map(Vec::as_slice).collect();
        let candidate = TeamMatch::new(self.players.pool(), &teams).map_err(failed)?;
        let quality = self.settings.scoring.quality(&candidate);
        let of = |team: &Vec<usize>| self.players.tickets_of(team);
        Ok(quality.map(|quality| (found.teams.iter().map(of).collect(), quality)))
    }
}
