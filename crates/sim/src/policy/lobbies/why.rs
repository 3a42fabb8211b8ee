//! Why a ticket of lobbies still waits: the best match that it could be in, and what each neighbour would make of it.

use std::sync::Arc;

use matchwright_queue::{Candidate, Change, Obstacle, Pool, TicketId, Time, WaitState, Waiting, Why};
use matchwright_scoring::{Explanation, TeamMatch};

use super::search::{Found, Search};
use super::{ContinuousLobbies, REGIONS};
use crate::policy::players::Players;

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
    match explanation.quality {
        Some(quality) => 0.5 + 0.5 * quality,
        None => {
            let against = explanation.forbidden.len() as f64;
            0.5 / (1.0 + against) * (0.9 + 0.1 * explanation.combined.unwrap_or(0.0))
        }
    }
}

impl ContinuousLobbies {
    /// What keeps a ticket waiting. The best match with it is looked for as if no rule of the scoring forbade any: what
    /// forbids it keeps its members away, or else the threshold. Every other neighbour is told by the best match in which
    /// it takes the place of a member.
    pub(super) fn explain(&self, pool: &Pool, waiting: &Waiting, now: Time) -> Why {
        let state = match waiting.proposal {
            Some(_) => WaitState::Answers,
            None if pool.is_matched(&self.queue) => WaitState::Partners,
            None => WaitState::Paused,
        };
        let ticket = waiting.ticket.id;
        let mut why = Why {
            waited: waiting.waited(now),
            state,
            earliest: self.times.get(&ticket).copied(),
            ..Why::default()
        };
        let mut reject =
            |name: &str, count: usize| *why.rejections.entry(name.to_owned()).or_default() += count;
        for other in pool
            .tickets()
            .filter(|other| other.ticket.id != ticket && other.is_in(&self.queue))
        {
            if other.key != waiting.key {
                reject(
                    pool.key_differences(waiting.key, other.key)
                        .next()
                        .unwrap_or("key"),
                    1,
                );
            } else if !share_region(waiting, other) {
                reject("region", 1);
            }
        }
        let mut best: Option<(Scored, Players, Vec<TicketId>)> = None;
        let mut most_players = 0;
        for region in self.neighbours.regions(waiting, REGIONS) {
            let tickets = self.around(pool, waiting, region.as_ref());
            let mut players = Players::default();
            for other in tickets.iter().filter_map(|&ticket| pool.get(ticket)) {
                players.insert(other);
            }
            players.set_waits(&tickets, now);
            most_players = most_players.max(tickets.iter().map(|&ticket| players.of(ticket).len()).sum());
            let search = self.search_among(pool, &players);
            let relaxed = |team_a: &[usize], team_b: &[usize]| {
                let teams = [team_a, team_b];
                let candidate = TeamMatch::new(players.pool(), &teams).ok()?;
                Some(rank(&self.settings.scoring.explain(&candidate)))
            };
            let scored = if search.sizes.len() == 2 && waiting.ticket.backfill.is_none() {
                let found = search.two_teams(&tickets, &relaxed);
                found.and_then(|(teams, _)| self.scored(&players, teams, region))
            } else {
                let found = search.best(waiting, &tickets);
                found.map(|(teams, quality)| {
                    Scored::permitted(Found {
                        teams,
                        region,
                        quality,
                    })
                })
            };
            if let Some(scored) = scored
                && best.as_ref().is_none_or(|best| scored.rank > best.0.rank)
            {
                best = Some((scored, players, tickets));
            }
        }
        let total: usize = pool.teams(&self.queue).iter().sum();
        let Some((scored, players, tickets)) = best else {
            if most_players < total {
                reject("players", total - most_players);
            }
            return why;
        };
        let members: Vec<TicketId> = scored.found.teams.iter().flatten().copied().collect();
        let own = self.candidate(pool, &scored, waiting, now);
        why.change = match (
            &own.obstacles[..],
            members.iter().find(|&&member| member != ticket),
        ) {
            (&[Obstacle::Threshold { quality, wanted }], Some(&with)) if scored.forbidden.is_empty() => {
                let by = wanted - quality;
                Some(Change {
                    with,
                    widen: vec![("threshold".to_owned(), [by, by])],
                    size: by / (1.0 - quality),
                })
            }
            _ => None,
        };
        for &other in members.iter().filter(|&&member| member != ticket) {
            why.candidates.push(Candidate {
                ticket: other,
                ..own.clone()
            });
        }
        let mut others = Vec::new();
        // In a running match the teams of tickets are not those of players.
        let around = tickets.iter().filter(|_| waiting.ticket.backfill.is_none());
        for &other in around.filter(|ticket| !members.contains(ticket)) {
            let swapped = self.with(&players, &scored.found, [ticket, other]);
            others.push(match swapped {
                Some(swapped) => Candidate {
                    ticket: other,
                    ..self.candidate(pool, &swapped, waiting, now)
                },
                None => Candidate {
                    ticket: other,
                    obstacles: vec![Obstacle::Size],
                    compatible_at: None,
                },
            });
        }
        for candidate in why.candidates.iter().chain(&others) {
            if let Some(first) = candidate.obstacles.first() {
                *why.rejections.entry(first.name().to_owned()).or_default() += 1;
            }
        }
        why.candidates.extend(others.into_iter().take(SHOWN));
        why
    }

    fn search_among<'a>(&'a self, pool: &'a Pool, players: &'a Players) -> Search<'a> {
        Search {
            players,
            settings: &self.settings,
            sizes: pool.teams(&self.queue),
        }
    }

    /// A match with its score taken apart; `None` of teams that are no match.
    fn scored(
        &self,
        players: &Players,
        teams: Vec<Vec<TicketId>>,
        region: Option<Arc<str>>,
    ) -> Option<Scored> {
        let of = |team: &Vec<TicketId>| -> Vec<usize> {
            team.iter()
                .flat_map(|&ticket| players.of(ticket))
                .copied()
                .collect()
        };
        let indices: Vec<Vec<usize>> = teams.iter().map(of).collect();
        let indices: Vec<&[usize]> = indices.iter().map(Vec::as_slice).collect();
        let candidate = TeamMatch::new(players.pool(), &indices).ok()?;
        Some(Scored::explained(
            teams,
            region,
            &self.settings.scoring.explain(&candidate),
        ))
    }

    /// The best match in which a ticket takes the place of another of as many players, one of them kept; `None` if there
    /// is none of as many.
    fn with(&self, players: &Players, found: &Found, [kept, other]: [TicketId; 2]) -> Option<Scored> {
        let size = players.of(other).len();
        let mut best: Option<Scored> = None;
        for (team, members) in found.teams.iter().enumerate() {
            for (place, &member) in members.iter().enumerate() {
                if member == kept || players.of(member).len() != size {
                    continue;
                }
                let mut teams = found.teams.clone();
                teams[team][place] = other;
                if let Some(scored) = self.scored(players, teams, found.region.clone())
                    && best.as_ref().is_none_or(|best| scored.rank > best.rank)
                {
                    best = Some(scored);
                }
            }
        }
        best
    }

    /// What keeps a match from starting, told of `waiting`, and when it starts if nobody leaves.
    fn candidate(&self, pool: &Pool, scored: &Scored, waiting: &Waiting, now: Time) -> Candidate {
        let mut obstacles: Vec<Obstacle> = Vec::new();
        for &by in &scored.forbidden {
            let obstacle = match by {
                "threshold" => Obstacle::Threshold {
                    quality: scored.found.quality,
                    wanted: self.settings.scoring.threshold(),
                },
                rule => Obstacle::Rule(rule.to_owned()),
            };
            obstacles.push(obstacle);
        }
        let lifted = self.settings.longest_wait.map(|span| waiting.joined.plus(span));
        let starts = self
            .starts_at(pool, &scored.found)
            .into_iter()
            .chain(lifted)
            .min();
        let compatible_at = starts.filter(|_| obstacles.is_empty());
        if obstacles.is_empty() && compatible_at.is_none_or(|at| at > now) {
            obstacles.push(Obstacle::Threshold {
                quality: scored.found.quality,
                wanted: self.wanted(pool, &scored.found, now),
            });
        }
        Candidate {
            ticket: waiting.ticket.id,
            obstacles,
            compatible_at,
        }
    }
}

/// Whether two tickets accept a region in common.
fn share_region(one: &Waiting, other: &Waiting) -> bool {
    let (one, other) = (&one.ticket.regions, &other.ticket.regions);
    one.is_empty() || other.is_empty() || one.keys().any(|region| other.contains_key(region))
}
