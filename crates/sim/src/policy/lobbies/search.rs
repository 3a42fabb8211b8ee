//! The best match with a ticket among those around it.

use std::sync::Arc;

use matchwright_lobby::{Lobby, LobbyObjective, LobbyPool, SomePlayers, WholeMatch};
use matchwright_queue::{TicketId, Waiting};
use matchwright_scoring::TeamMatch;
use matchwright_solver::Limits;

use super::Settings;
use super::places::{Filled, Places, Seat};
use crate::adapt::LobbyScoring;
use crate::policy::failures::lobby;
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
        if waiting.ticket.backfill.is_some() {
            self.fill(waiting, around)
        } else if self.takes_parties(waiting) {
            self.of_parties(around, &self.scoring(), false)
        } else {
            Ok(self.one_each(waiting, around))
        }
    }

    /// Whether a match with this ticket is found by exchanges of parties among those around it.
    pub(super) fn takes_parties(&self, waiting: &Waiting) -> bool {
        let is_one_each = self.sizes.len() > 2 && self.sizes.iter().all(|&size| size == 1);
        waiting.ticket.backfill.is_none() && !is_one_each
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
        let pool = self.players.pool();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| {
            pool.skill(names[a])
                .total_cmp(&pool.skill(names[b]))
                .then(a.cmp(&b))
        });
        let lobby_pool = LobbyPool::new(names.len(), self.sizes)
            .and_then(|pool| pool.with_parties(parties))
            .and_then(|pool| pool.with_order(&order));
        lobby(lobby_pool)
    }

    /// The best match of the first ticket by an objective of players. `any`: also one that lacks a required role.
    pub(super) fn of_parties(
        &self,
        around: &Around,
        objective: &dyn LobbyObjective,
        any: bool,
    ) -> Result<Option<Teams>, String> {
        let found = self.solve(&self.candidates(around, 1), objective, any)?;
        Ok(found.map(|lobby| {
            let teams = lobby.teams.iter().map(|team| self.players.tickets_of(team));
            (teams.collect(), lobby.quality)
        }))
    }

    /// The best match with the first player by an objective of players: by exchanges from one that fills the
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
        let found = if start.is_empty() {
            finder.find(&pool, &objective, 0, &limits)
        } else {
            let players = |team: &Vec<usize>| team.iter().flat_map(of).collect();
            let start: Vec<Vec<usize>> = start.iter().map(players).collect();
            finder.find_from(&pool, &objective, 0, &start, &limits)
        };
        Ok(lobby(found)?.flatten().map(|lobby| Lobby {
            teams: lobby.teams.iter().map(|team| objective.names(team)).collect(),
            ..lobby
        }))
    }

    /// Fills a running match: its players keep their teams.
    fn fill(&self, waiting: &Waiting, around: &Around) -> Result<Option<Teams>, String> {
        let Some(backfill) = &waiting.ticket.backfill else {
            return Ok(None);
        };
        let there =
            |team: usize| (0..backfill.teams.len()).filter(move |&place| backfill.teams[place] == team);
        let running: Vec<Vec<usize>> = (0..self.sizes.len()).map(|team| there(team).collect()).collect();
        let mut all = self.candidates(around, 0);
        // Who is left may all be on one team.
        let seats = (0..running.len()).filter(|&team| !running[team].is_empty());
        let seats: Vec<Seat> = seats.map(Seat::In).collect();
        all.near = all.near + seats.len() - 1;
        all.seats.splice(..1, seats);
        let parties = running.iter().filter(|team| !team.is_empty()).cloned();
        all.parties.splice(..1, parties);
        let names = |team: &Vec<usize>| team.iter().map(|&place| all.names[place]).collect();
        let running: Vec<Vec<usize>> = running.iter().map(names).collect();
        let scoring = self.scoring();
        let quality = WholeMatch(|teams: &[Vec<usize>]| {
            self.placed(&running, teams)?;
            scoring.quality_of(teams)
        });
        let Some(lobby) = self.solve(&all, &quality, false)? else {
            return Ok(None);
        };
        let own = self.players.of(waiting.ticket.id);
        let of = |place: usize| {
            let new = lobby.teams[place].iter().copied();
            let new = new.filter(|player| !own.contains(player));
            self.players.tickets_of(&new.collect::<Vec<usize>>())
        };
        let Some(places) = self.placed(&running, &lobby.teams) else {
            return Ok(None);
        };
        let mut teams: Vec<Vec<TicketId>> = places.into_iter().map(of).collect();
        teams[0].insert(0, waiting.ticket.id);
        Ok(Some((teams, lobby.quality)))
    }

    /// The place among `teams` of each team, where the players of the running match are in teams of their sizes, together
    /// and apart as they were.
    fn placed(&self, running: &[Vec<usize>], teams: &[Vec<usize>]) -> Option<Vec<usize>> {
        if teams.len() != self.sizes.len() {
            return None;
        }
        let mut places = vec![None; teams.len()];
        let is_taken = |places: &[Option<usize>], place| places.contains(&Some(place));
        for (team, players) in running.iter().enumerate() {
            let Some(first) = players.first() else { continue };
            let place = teams.iter().position(|team| team.contains(first))?;
            let holds = players.iter().all(|player| teams[place].contains(player));
            if !holds || teams[place].len() != self.sizes[team] || is_taken(&places, place) {
                return None;
            }
            places[team] = Some(place);
        }
        for team in 0..teams.len() {
            if places[team].is_none() {
                let fits =
                    |&place: &usize| teams[place].len() == self.sizes[team] && !is_taken(&places, place);
                places[team] = Some((0..teams.len()).find(fits)?);
            }
        }
        places.into_iter().collect()
    }

    /// Teams of one player each, more than two: the best neighbours in skill that fill them; if they make no match, others
    /// that fill the required roles.
    fn one_each(&self, waiting: &Waiting, around: &Around) -> Option<Teams> {
        let pool = self.players.pool();
        let alone = |ticket: &&TicketId| self.players.of(**ticket).len() == 1;
        let mut order: Vec<TicketId> = around.tickets[..around.near]
            .iter()
            .filter(alone)
            .copied()
            .collect();
        let skill = |ticket: &TicketId| pool.skill(self.players.of(*ticket)[0]);
        order.sort_by(|a, b| skill(a).total_cmp(&skill(b)).then(a.cmp(b)));
        let mut best: Option<Teams> = None;
        let groups = order.windows(self.sizes.len());
        for group in groups.filter(|group| group.contains(&waiting.ticket.id)) {
            let teams: Vec<Vec<TicketId>> = group.iter().map(|&ticket| vec![ticket]).collect();
            if let Some(quality) = self.quality(
                &group
                    .iter()
                    .map(|&ticket| self.names(&[ticket]))
                    .collect::<Vec<_>>(),
            ) && best.as_ref().is_none_or(|best| quality > best.1)
            {
                best = Some((teams, quality));
            }
        }
        if best.is_some() || (self.places.is_empty() && !self.is_thorough) {
            return best;
        }
        let Filled::Teams(teams) = self.permitted(&self.candidates(around, 1), self.settings.exchanges)
        else {
            return None;
        };
        let of = |team: &Vec<usize>| team.iter().map(|&place| around.tickets[place]).collect();
        let teams: Vec<Vec<TicketId>> = teams.iter().map(of).collect();
        let players: Vec<Vec<usize>> = teams.iter().map(|team| self.names(team)).collect();
        self.quality(&players).map(|quality| (teams, quality))
    }
}
