//! One round of a batch: all who wait into matches, by quality or at random.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use matchwright_lobby::{LobbyError, LobbyObjective, LobbyPool};
use matchwright_queue::{Lobby, Name, Pool, TicketId, Time, Waiting};
use matchwright_scoring::TeamMatch;
use matchwright_solver::{PairingSolver as _, SparseCosts, UnmatchedPenalties};

use super::failures::{failed, lobby};
use super::players::Players;
use super::quality::Quality;
use crate::adapt::{LobbyScoring, unmatched_penalty};
use crate::random::derived_seed;

/// Whole-team tickets up to which a round is paired exactly: the costs of all pairs are computed.
const MOST_EXACT: usize = 1000;

/// The tickets of each team and the quality of their match.
type Made = (Vec<Vec<TicketId>>, f64);

/// What a round is told.
pub(super) struct Round<'a> {
    pub(super) queue: &'a Arc<str>,
    pub(super) players: &'a Players,
    pub(super) pool: &'a Pool,
    pub(super) now: Time,
    /// None: at random.
    pub(super) quality: Option<&'a Quality>,
    pub(super) seed: u64,
}

impl Round<'_> {
    /// The matches of a round: tickets of one pool in the region that each likes best, and those left over in the next
    /// one. With what failed: a group whose solve does has no matches.
    pub(super) fn matches(&self, mut waiting: Vec<TicketId>) -> (Vec<Lobby>, Vec<String>) {
        let (mut lobbies, mut failures) = (Vec::new(), Vec::new());
        let most = |ticket: &TicketId| {
            self.pool
                .get(*ticket)
                .map_or(0, |waiting| waiting.ticket.regions.len())
        };
        let choices = waiting.iter().map(most).max().unwrap_or(0).max(1);
        for choice in 0..choices {
            let mut groups: BTreeMap<(u32, Option<String>), Vec<TicketId>> = BTreeMap::new();
            for &ticket in &waiting {
                let Some(one) = self.pool.get(ticket) else {
                    continue;
                };
                groups
                    .entry((one.key, region(one, choice)))
                    .or_default()
                    .push(ticket);
            }
            for ((_, region), tickets) in groups {
                match self.group(&tickets, region.as_deref()) {
                    Ok(found) => lobbies.extend(found),
                    Err(failure) => failures.push(failure),
                }
            }
            let play: BTreeSet<TicketId> = lobbies.iter().flat_map(Lobby::tickets).collect();
            waiting.retain(|ticket| !play.contains(ticket));
        }
        (lobbies, failures)
    }

    /// The matches of one pool and region.
    fn group(&self, tickets: &[TicketId], region: Option<&str>) -> Result<Vec<Lobby>, String> {
        let sizes = self.pool.teams(self.queue);
        let is_team = |ticket: &TicketId| self.players.of(*ticket).len() == sizes[0];
        let matches = match sizes {
            [a, b]
                if a == b
                    && tickets.iter().all(is_team)
                    && tickets.len() <= MOST_EXACT
                    && self.quality.is_some() =>
            {
                self.pairs(tickets)?
            }
            [_, _, _, ..] if sizes.iter().all(|&size| size == 1) => self.free_for_all(tickets),
            _ => self.lobbies(tickets, sizes)?,
        };
        let lobby = |(teams, quality): Made| Lobby {
            queue: Arc::clone(self.queue),
            teams,
            region: region.map(Into::into),
            mismatch: 1.0 - quality,
        };
        Ok(matches.into_iter().map(lobby).collect())
    }

    /// Tickets that are whole teams: the best pairing, the longest waits playing first among equals.
    fn pairs(&self, tickets: &[TicketId]) -> Result<Vec<Made>, String> {
        let quality =
            |i: usize, j: usize| self.quality(&[self.players.of(tickets[i]), self.players.of(tickets[j])]);
        let pairs = (0..tickets.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
        let edges = pairs.filter_map(|(i, j)| Some((i, j, 1.0 - quality(i, j)?)));
        let costs = SparseCosts::from_edges(tickets.len(), edges).map_err(failed)?;
        let penalty = |ticket: &TicketId| {
            let waited = self
                .pool
                .get(*ticket)
                .map_or(0.0, |waiting| self.now.seconds_since(waiting.joined));
            unmatched_penalty(waited)
        };
        let penalties = tickets.iter().map(penalty).collect();
        let costs = UnmatchedPenalties::new(&costs, penalties).map_err(failed)?;
        let Some(by) = self.quality else {
            return Ok(Vec::new());
        };
        let pairing = by.pairs.solve(&costs).map_err(failed)?;
        let found = |(i, j): (usize, usize)| Some((vec![vec![tickets[i]], vec![tickets[j]]], quality(i, j)?));
        Ok(pairing.pairs().filter_map(found).collect())
    }

    fn quality(&self, teams: &[&[usize]]) -> Option<f64> {
        let scoring = &self.quality?.scoring;
        // Dropped: a ticket without players is in no match.
        scoring.quality(&TeamMatch::new(self.players.pool(), teams).ok()?)
    }

    /// Parties into teams: by annealing, or at random without a scoring policy.
    fn lobbies(&self, tickets: &[TicketId], sizes: &[usize]) -> Result<Vec<Made>, String> {
        let names: Vec<usize> = tickets
            .iter()
            .flat_map(|&ticket| self.players.of(ticket))
            .copied()
            .collect();
        let Some(pool) = lobby(self.lobby_pool(tickets, &names, sizes))? else {
            return Ok(Vec::new());
        };
        let of = |team: &Vec<usize>| {
            let indices: Vec<usize> = team.iter().map(|&place| names[place]).collect();
            self.players.tickets_of(&indices)
        };
        let all = |teams: &[Vec<usize>]| teams.iter().map(of).collect();
        let Some(by) = self.quality else {
            let noise = names.len() as f64;
            let teams = pool.starting_teams(
                noise,
                derived_seed(self.seed, 0_u64, self.now.millis().unsigned_abs(), 0),
            );
            let (matches, _) = teams.split_at(teams.len() - 1);
            let matches = matches.chunks_exact(sizes.len());
            return Ok(matches.map(|teams| (all(teams), 1.0)).collect());
        };
        let scoring = LobbyScoring {
            pool: self.players.pool(),
            policy: &*by.scoring,
        };
        let some = matchwright_lobby::SomePlayers {
            objective: &scoring as &dyn LobbyObjective,
            players: &names,
        };
        let lineups = lobby(by.lobbies.solve(&pool, &some))?;
        let found = lineups.into_iter().flat_map(|lineups| lineups.lobbies);
        Ok(found.map(|lobby| (all(&lobby.teams), lobby.quality)).collect())
    }

    fn lobby_pool(
        &self,
        tickets: &[TicketId],
        names: &[usize],
        sizes: &[usize],
    ) -> Result<LobbyPool, LobbyError> {
        let (mut parties, mut next) = (Vec::new(), 0);
        for &ticket in tickets {
            let players = self.players.of(ticket).len();
            parties.push((next..next + players).collect::<Vec<usize>>());
            next += players;
        }
        let pool = self.players.pool();
        let penalties: Vec<f64> = names
            .iter()
            .map(|&name| unmatched_penalty(pool.wait_seconds(name)))
            .collect();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| {
            pool.skill(names[a])
                .total_cmp(&pool.skill(names[b]))
                .then(a.cmp(&b))
        });
        LobbyPool::new(names.len(), sizes)
            .and_then(|pool| pool.with_parties(&parties))
            .and_then(|pool| pool.with_unmatched_penalties(&penalties))
            .and_then(|pool| pool.with_order(&order))
    }

    /// More than two teams of one player each: neighbours in skill, or any at random.
    fn free_for_all(&self, tickets: &[TicketId]) -> Vec<Made> {
        let teams = self.pool.teams(self.queue).len();
        let skill = |ticket: &TicketId| {
            self.players
                .of(*ticket)
                .first()
                .map_or(f64::NAN, |&player| self.players.pool().skill(player))
        };
        let mut order = tickets.to_vec();
        match self.quality {
            Some(_) => order.sort_by(|a, b| skill(a).total_cmp(&skill(b)).then(a.cmp(b))),
            None => order.sort_by_key(|ticket| {
                derived_seed(self.seed, 1_u64, self.now.millis().unsigned_abs(), ticket.0)
            }),
        }
        let made = |group: &[TicketId]| {
            let players: Vec<&[usize]> = group.iter().map(|&ticket| self.players.of(ticket)).collect();
            let quality = if self.quality.is_some() {
                self.quality(&players)?
            } else {
                1.0
            };
            Some((group.iter().map(|&ticket| vec![ticket]).collect(), quality))
        };
        order.chunks_exact(teams).filter_map(made).collect()
    }
}

/// The region of a ticket's n-th choice, by its pings; the last one for further choices.
fn region(waiting: &Waiting, choice: usize) -> Option<String> {
    let mut regions: Vec<(&Name, f64)> = waiting
        .ticket
        .regions
        .iter()
        .map(|(name, &ping)| (name, ping))
        .collect();
    regions.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(b.0)));
    let place = choice.min(regions.len().checked_sub(1)?);
    Some(regions[place].0.to_string())
}
