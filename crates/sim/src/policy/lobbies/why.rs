//! Why a ticket of lobbies still waits: the best match that it could be in, and what each neighbour would make of it.

use std::sync::Arc;

use matchwright_lobby::WholeMatch;
use matchwright_queue::{
    Candidate, Change, Lobby, Obstacle, Pool, TicketId, Time, TooFew, WaitState, Waiting, Why, foresee,
};
use matchwright_scoring::{Explanation, TeamMatch};

use super::ContinuousLobbies;
use super::around::REGIONS;
use super::places::Filled;
use super::search::Around;
use super::search::{Found, Search};
use crate::policy::neighbours::share_region;
use crate::policy::players::Players;

/// Wakeups that are looked at for the match of a ticket.
pub(super) const FORESEEN: usize = 100;

/// Lobbies that are tried for two tickets together.
const TRIED: u64 = 64;

/// How many neighbours are shown beside the members of the best match.
const SHOWN: usize = 5;

/// A match of a ticket, permitted or not.
struct Scored {
    /// Of a match that is not permitted the quality is that without rules.
    found: Found,
    /// What forbids it: the keys of factors and rules, or `threshold`.
    forbidden: Vec<&'static str>,
    rank: f64,
}

impl Scored {
    fn permitted(found: Found) -> Self {
        let rank = 0.5 + 0.5 * found.quality;
        Self {
            found,
            forbidden: Vec::new(),
            rank,
        }
    }

    /// The same, with less quality.
    fn less(mut self, lost: f64) -> Self {
        self.found.quality = (self.found.quality - lost).max(0.0);
        self.rank = (self.rank - 0.5 * lost).max(0.0);
        self
    }

    fn explained(teams: Vec<Vec<TicketId>>, region: Option<Arc<str>>, explanation: &Explanation) -> Self {
        let quality = explanation.quality.or(explanation.combined).unwrap_or(0.0);
        let mut forbidden: Vec<&'static str> = explanation.forbidden.iter().map(|one| one.by).collect();
        forbidden.dedup();
        let rank = rank(explanation);
        Self {
            found: Found {
                teams,
                region,
                quality,
            },
            forbidden,
            rank,
        }
    }
}

/// In [0, 1]: permitted matches by their quality, above 1/2; below them the others, by how much is against them and then
/// by their quality without rules.
fn rank(explanation: &Explanation) -> f64 {
    let against = explanation.forbidden.len() as f64;
    let forbidden = || 0.5 / (1.0 + against) * (0.9 + 0.1 * explanation.combined.unwrap_or(0.0));
    explanation
        .quality
        .map_or_else(forbidden, |quality| 0.5 + 0.5 * quality)
}

/// The best match of a ticket, and those around it.
struct Best {
    scored: Scored,
    players: Players,
    tickets: Vec<TicketId>,
    /// When it is made, if it is the one that will be.
    at: Option<Time>,
}

impl ContinuousLobbies {
    /// What keeps a ticket waiting. The best match with it is looked for as if no rule of the scoring forbade any: what
    /// forbids it keeps its members away, or else the threshold. Every other neighbour is told by the best match in which
    /// it takes the place of a member; where roles are required, and that is forbidden, by any match with both. `foreseen`
    /// wakeups are looked at for the match that will be made.
    pub(super) fn explain(&self, pool: &Pool, waiting: &Waiting, now: Time, foreseen: usize) -> Why {
        let state = if pool.is_matched(&self.queue) {
            WaitState::Partners
        } else {
            WaitState::Paused
        };
        let mut why = Why {
            waited: waiting.waited(now),
            state,
            ..Why::default()
        };
        for other in pool.tickets().filter(|other| other.is_in(&self.queue)) {
            if other.key != waiting.key {
                let key = pool.key_differences(waiting.key, other.key).next();
                reject(&mut why, key.unwrap_or("key"), 1);
            } else if !share_region(waiting, other) {
                reject(&mut why, "region", 1);
            }
        }
        // The times that are kept are those at which is looked again, whoever has left by then.
        let foreseen = (foreseen > 0).then(|| foresee(self.clone(), pool, waiting.ticket.id, now, foreseen));
        let foreseen = foreseen.flatten();
        why.earliest = foreseen.as_ref().map(|(at, _)| *at);
        let best = self.best_of_any(pool, waiting, now);
        // Dropped: no match has no beginning; why is told below.
        let starts = best.as_ref().ok().and_then(|best| {
            self.candidate(pool, (&best.scored, None), None, waiting, now)
                .compatible_at
        });
        // A worse match may come sooner: then that is the one to tell.
        let sooner = foreseen.filter(|(at, _)| starts.is_none_or(|starts| starts > *at));
        let sooner = sooner.and_then(|(at, lobby)| self.foreseen(lobby, at, pool, waiting, now));
        match sooner.map_or(best, Ok) {
            Ok(best) => self.tell(&mut why, &best, pool, waiting, now),
            Err(around) => self.tell_none(&mut why, &around, pool, waiting),
        }
        why
    }

    /// Why those around a ticket make no match with it: they are too few, or their parties make no teams.
    fn tell_none(&self, why: &mut Why, around: &[TicketId], pool: &Pool, waiting: &Waiting) {
        let own = waiting.ticket.players.len();
        let players: usize = around.iter().map(|&ticket| self.players.of(ticket).len()).sum();
        let needed = self.sizes(pool, waiting).map(|sizes| sizes.iter().sum());
        let needed = needed.min().unwrap_or(0);
        why.too_few = TooFew::of(needed, own, players.saturating_sub(own));
        if why.too_few.is_some() {
            return;
        }
        let others = around.iter().filter(|&&other| other != waiting.ticket.id);
        let of = |&ticket| Candidate {
            ticket,
            obstacles: vec![Obstacle::Size],
            compatible_at: None,
        };
        why.candidates = others.map(of).collect();
        reject(why, Obstacle::Size.name(), why.candidates.len());
        why.candidates.truncate(SHOWN);
    }

    /// The best match with a ticket over the regions that it likes best, permitted or not; if there is none, those who are
    /// around it in the one of them where they have the most players, it included.
    fn best_of_any(&self, pool: &Pool, waiting: &Waiting, now: Time) -> Result<Best, Vec<TicketId>> {
        let (mut best, mut most): (Option<Best>, (usize, Vec<TicketId>)) = (None, (0, Vec::new()));
        for region in self.neighbours.regions(waiting, REGIONS) {
            let around = self.around(pool, waiting, region.as_ref());
            let tickets = &around.tickets;
            let players = players_of(tickets, pool, now);
            let count = tickets.iter().map(|&ticket| players.of(ticket).len()).sum();
            if count > most.0 {
                most = (count, tickets.clone());
            }
            let relaxed = WholeMatch(|teams: &[Vec<usize>]| {
                let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
                // Dropped: what is no match has no rank.
                let candidate = TeamMatch::new(players.pool(), &teams).ok()?;
                Some(rank(&self.settings.scoring.explain(&candidate)))
            });
            let scored = self.sizes(pool, waiting).filter_map(|sizes| {
                let search = self.search_of(&players, sizes);
                let around = self.fitting(&around, sizes);
                // The same search for a match has told of a solve that fails.
                if search.takes_parties(waiting) {
                    let (teams, _) = search.of_parties(&around, &relaxed, true).unwrap_or_default()?;
                    self.scored(&players, teams, region.clone(), pool)
                } else {
                    let (teams, quality) = search.best(waiting, &around).unwrap_or_default()?;
                    let quality = (quality - self.lost_by(pool, sizes.iter().sum())).max(0.0);
                    Some(Scored::permitted(Found {
                        teams,
                        region: region.clone(),
                        quality,
                    }))
                }
            });
            let scored = scored.reduce(|best, next| if next.rank > best.rank { next } else { best });
            if let Some(scored) = scored
                && best.as_ref().is_none_or(|best| scored.rank > best.scored.rank)
            {
                best = Some(Best {
                    scored,
                    players,
                    tickets: around.tickets,
                    at: None,
                });
            }
        }
        best.ok_or(most.1)
    }

    /// The match that will be made, as it is now.
    fn foreseen(&self, lobby: Lobby, at: Time, pool: &Pool, waiting: &Waiting, now: Time) -> Option<Best> {
        let mut tickets = self.around(pool, waiting, lobby.region.as_ref()).tickets;
        let members: Vec<TicketId> = lobby.tickets().filter(|one| !tickets.contains(one)).collect();
        tickets.extend(members);
        let players = players_of(&tickets, pool, now);
        let scored = if lobby.tickets().all(|one| !is_running(pool, one)) {
            self.scored(&players, lobby.teams, lobby.region, pool)?
        } else {
            Scored::permitted(Found {
                teams: lobby.teams,
                region: lobby.region,
                quality: 1.0 - lobby.mismatch,
            })
        };
        let at = Some(at);
        Some(Best {
            scored,
            players,
            tickets,
            at,
        })
    }

    /// Tells the members of the best match, the other neighbours, and the smallest change.
    fn tell(&self, why: &mut Why, best: &Best, pool: &Pool, waiting: &Waiting, now: Time) {
        let Best {
            scored,
            players,
            tickets,
            at,
        } = best;
        let ticket = waiting.ticket.id;
        let all: Vec<TicketId> = scored.found.teams.iter().flatten().copied().collect();
        let members = all.iter().copied().filter(|&member| member != ticket);
        let missing = self.missing(players, tickets, pool);
        let own = self.candidate(pool, (scored, *at), missing, waiting, now);
        if let [Obstacle::Threshold { quality, wanted }] = own.obstacles[..]
            && let Some(with) = members.clone().next()
            && scored.forbidden.is_empty()
        {
            let by = wanted - quality;
            why.change = Some(Change {
                with,
                widen: vec![("threshold".to_owned(), [by, by])],
                size: by / (1.0 - quality),
            });
        }
        let of = |ticket| Candidate {
            ticket,
            ..own.clone()
        };
        why.candidates = members.map(of).collect();
        // In a running match the teams of tickets are not those of players.
        let is_running = all.iter().any(|&one| is_running(pool, one));
        let around = tickets.iter().filter(|_| !is_running);
        let others = around.filter(|ticket| !all.contains(ticket)).map(|&other| {
            let both = [ticket, other];
            let mut found = self.with(players, &scored.found, both, pool);
            let is_kept_away = found.as_ref().is_none_or(|one| !one.forbidden.is_empty());
            if is_kept_away && missing.is_none() && !self.places.is_empty() {
                found = self.together(players, tickets, both, pool, scored).or(found);
            }
            match found {
                Some(found) => Candidate {
                    ticket: other,
                    ..self.candidate(pool, (&found, None), missing, waiting, now)
                },
                None => Candidate {
                    ticket: other,
                    obstacles: vec![Obstacle::Size],
                    compatible_at: None,
                },
            }
        });
        let others: Vec<Candidate> = others.collect();
        for candidate in why.candidates.clone().iter().chain(&others) {
            if let Some(first) = candidate.obstacles.first() {
                reject(why, first.name(), 1);
            }
        }
        why.candidates.extend(others.into_iter().take(SHOWN));
    }

    /// A match with its score taken apart; `None` of teams that are no match.
    fn scored(
        &self,
        players: &Players,
        teams: Vec<Vec<TicketId>>,
        region: Option<Arc<str>>,
        pool: &Pool,
    ) -> Option<Scored> {
        let of = |team: &Vec<TicketId>| -> Vec<usize> {
            team.iter()
                .flat_map(|&ticket| players.of(ticket))
                .copied()
                .collect()
        };
        let indices: Vec<Vec<usize>> = teams.iter().map(of).collect();
        let indices: Vec<&[usize]> = indices.iter().map(Vec::as_slice).collect();
        // Dropped: teams that are no match have no score, as stated.
        let candidate = TeamMatch::new(players.pool(), &indices).ok()?;
        let lost = self.lost_by(pool, candidate.players().count());
        let explanation = self.settings.scoring.explain(&candidate);
        Some(Scored::explained(teams, region, &explanation).less(lost))
    }

    /// The best match in which a ticket takes the place of another of as many players, one of them kept; `None` if there
    /// is none of as many.
    fn with(
        &self,
        players: &Players,
        found: &Found,
        [kept, other]: [TicketId; 2],
        pool: &Pool,
    ) -> Option<Scored> {
        let size = players.of(other).len();
        let mut best: Option<Scored> = None;
        for (team, members) in found.teams.iter().enumerate() {
            for (place, &member) in members.iter().enumerate() {
                if member == kept || players.of(member).len() != size {
                    continue;
                }
                let mut teams = found.teams.clone();
                teams[team][place] = other;
                if let Some(scored) = self.scored(players, teams, found.region.clone(), pool)
                    && best.as_ref().is_none_or(|best| scored.rank > best.rank)
                {
                    best = Some(scored);
                }
            }
        }
        best
    }

    /// A permitted match with both of two tickets, whoever else is in it; `None` if none is found.
    fn together(
        &self,
        players: &Players,
        tickets: &[TicketId],
        both: [TicketId; 2],
        pool: &Pool,
        best: &Scored,
    ) -> Option<Scored> {
        let others = tickets.iter().copied().filter(|ticket| !both.contains(ticket));
        let tickets: Vec<TicketId> = both.into_iter().chain(others).collect();
        let near = tickets.len();
        let sizes: Vec<usize> = best
            .found
            .teams
            .iter()
            .map(|team| players_in(players, team))
            .collect();
        let search = self.search_of(players, &sizes);
        let around = self.fitting(&Around { tickets, near }, &sizes);
        if !around.tickets.starts_with(&both) {
            return None;
        }
        let Filled::Teams(teams) = search.permitted(&search.candidates(&around, 2), TRIED) else {
            return None;
        };
        let of = |team: &Vec<usize>| team.iter().map(|&place| around.tickets[place]).collect();
        let teams = teams.iter().map(of).collect();
        self.scored(players, teams, best.found.region.clone(), pool)
    }

    /// A required role that too few of these tickets fill.
    fn missing(&self, players: &Players, tickets: &[TicketId], pool: &Pool) -> Option<&str> {
        let all = tickets.iter().flat_map(|&ticket| players.of(ticket)).copied();
        let all: Vec<usize> = all.collect();
        self.places
            .missing(players.pool(), &all, pool.teams(&self.queue).len())
    }

    /// A search among these players.
    fn search_of<'a>(&'a self, players: &'a Players, sizes: &'a [usize]) -> Search<'a> {
        Search {
            players,
            settings: &self.settings,
            places: &self.places,
            sizes,
            is_thorough: false,
        }
    }

    /// What keeps a match from starting, told of `waiting`, and when it starts if all its tickets stay: as foreseen, else
    /// as soon as it is good enough. `missing` is a role that too few around it fill.
    fn candidate(
        &self,
        pool: &Pool,
        (scored, foreseen): (&Scored, Option<Time>),
        missing: Option<&str>,
        waiting: &Waiting,
        now: Time,
    ) -> Candidate {
        let mut obstacles: Vec<Obstacle> = Vec::new();
        for &by in &scored.forbidden {
            let obstacle = match by {
                "threshold" => Obstacle::Threshold {
                    quality: scored.found.quality,
                    wanted: self.settings.scoring.threshold(),
                },
                rule => match missing.filter(|_| rule == self.places.by()) {
                    Some(role) => Obstacle::Role(role.to_owned()),
                    None => Obstacle::Rule(rule.to_owned()),
                },
            };
            obstacles.push(obstacle);
        }
        let lifted = self.settings.longest_wait.map(|span| waiting.joined.plus(span));
        let starts = self
            .starts_at(pool, &scored.found)
            .into_iter()
            .chain(lifted)
            .min();
        let compatible_at = foreseen.or(starts.filter(|_| obstacles.is_empty()));
        let (quality, wanted) = (scored.found.quality, self.wanted(pool, &scored.found, now));
        if obstacles.is_empty() && compatible_at.is_none_or(|at| at > now) && wanted > quality {
            obstacles.push(Obstacle::Threshold { quality, wanted });
        }
        Candidate {
            ticket: waiting.ticket.id,
            obstacles,
            compatible_at,
        }
    }
}

fn players_in(players: &Players, team: &[TicketId]) -> usize {
    team.iter().map(|&ticket| players.of(ticket).len()).sum()
}

fn is_running(pool: &Pool, ticket: TicketId) -> bool {
    pool.get(ticket)
        .is_some_and(|waiting| waiting.ticket.backfill.is_some())
}

/// The players of tickets, who have waited until now.
fn players_of(tickets: &[TicketId], pool: &Pool, now: Time) -> Players {
    let mut players = Players::default();
    for waiting in tickets.iter().filter_map(|&ticket| pool.get(ticket)) {
        // Whoever cannot be scored is not looked at, which `enter` has told.
        drop(players.insert(waiting));
    }
    players.set_waits(tickets, now);
    players
}

fn reject(why: &mut Why, by: &str, count: usize) {
    *why.rejections.entry(by.to_owned()).or_default() += count;
}
