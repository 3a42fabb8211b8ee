//! A log of tickets as what lineups are formed of, and what they cost.

use std::collections::HashMap;
use std::ops::Range;

use matchwright_queue::{QueueSettings, Ticket, TicketId, Time};
use matchwright_scoring::{Player, Pool};

use super::lineup::Lineup;
use crate::policy::player_of;
use crate::replay::judge::Judge;
use crate::replay::log::TicketLog;
use crate::replay::optimum::{LogEnd, OptimumError, groups, may_meet};

/// A log, what it is charged for, and its players as scoring knows them.
pub(super) struct Problem<'a> {
    log: &'a TicketLog,
    pub(super) judge: &'a Judge,
    end: LogEnd<'a>,
    /// P, for each player.
    lost: f64,
    sizes: (usize, usize),
    groups: Vec<usize>,
    /// The players of each ticket, by number.
    players: Vec<Range<usize>>,
    /// All players; none where the objective goes by a number of the tickets.
    pub(super) pool: Pool,
}

/// A match, made when its last ticket came.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Formed {
    /// Places of tickets in the log, rising.
    pub(super) teams: [Vec<usize>; 2],
    pub(super) at: Time,
    pub(super) mismatch: f64,
    pub(super) cost: f64,
}

impl Formed {
    pub(super) fn tickets(&self) -> impl Iterator<Item = usize> + '_ {
        self.teams.iter().flatten().copied()
    }
}

impl<'a> Problem<'a> {
    pub(super) fn new(
        log: &'a TicketLog,
        settings: &QueueSettings,
        judge: &'a Judge,
        end: LogEnd<'a>,
    ) -> Result<Self, OptimumError> {
        let lost = judge.objective().lost().ok_or(OptimumError::NoLost)?;
        let mut queues = settings.queues.values();
        let (Some(teams), None) = (queues.next(), queues.next()) else {
            let queues = settings.queues.len();
            return Err(OptimumError::Queues { queues });
        };
        if !settings.smaller.is_empty() {
            return Err(OptimumError::Smaller);
        }
        let &[a, b] = &teams[..] else {
            return Err(OptimumError::Teams { teams: teams.clone() });
        };
        let tickets: Vec<&Ticket> = log.tickets().iter().map(|logged| &logged.ticket).collect();
        let (mut all, mut players): (Vec<Player>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        let mut next = 0;
        for ticket in &tickets {
            players.push(next..next + ticket.players.len());
            next += ticket.players.len();
            for member in ticket.players.iter().filter(|_| judge.scoring().is_some()) {
                let cannot = |_| OptimumError::Player { ticket: ticket.id.0 };
                // A player who comes twice is two players of the pool.
                let id = format!("{}:{}", ticket.id, member.id);
                all.push(Player {
                    id,
                    ..player_of(ticket, member).map_err(cannot)?
                });
            }
        }
        Ok(Self {
            groups: groups(&tickets, settings),
            pool: Pool::new(all).map_err(|_| OptimumError::Player { ticket: 0 })?,
            sizes: (a, b),
            log,
            judge,
            end,
            lost,
            players,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.log.len()
    }

    /// All players.
    pub(super) fn players(&self) -> usize {
        self.players.last().map_or(0, |last| last.end)
    }

    /// Players of a ticket.
    pub(super) fn size(&self, ticket: usize) -> usize {
        self.players[ticket].len()
    }

    /// Whether a team has room for a ticket.
    pub(super) fn fits(&self, ticket: usize) -> bool {
        self.size(ticket) <= self.sizes.0.max(self.sizes.1)
    }

    pub(super) fn players_of(&self, ticket: usize) -> Range<usize> {
        self.players[ticket].clone()
    }

    pub(super) const fn sizes(&self) -> (usize, usize) {
        self.sizes
    }

    pub(super) const fn match_size(&self) -> usize {
        self.sizes.0 + self.sizes.1
    }

    pub(super) fn mismatch_weight(&self) -> f64 {
        self.judge.objective().mismatch_cost(1.0)
    }

    pub(super) fn ticket(&self, place: usize) -> &Ticket {
        &self.log.tickets()[place].ticket
    }

    pub(super) fn came(&self, place: usize) -> Time {
        self.log.tickets()[place].came
    }

    fn until(&self, place: usize) -> Time {
        self.log.tickets()[place].until(self.end.at)
    }

    /// By what neighbours are told: the skill of a player, or the number of the objective.
    pub(super) fn skill_of(&self, player: usize) -> f64 {
        let known = self.judge.scoring().map(|_| self.pool.skill(player));
        known.unwrap_or_else(|| {
            let ticket = self.players.partition_point(|players| players.end <= player);
            let of = self.judge.objective().params().of.as_deref();
            of.and_then(|of| self.ticket(ticket).mean(of)).unwrap_or(0.0)
        })
    }

    /// The mean of a match's players.
    pub(super) fn skill(&self, one: &Formed) -> f64 {
        let players = one.tickets().flat_map(|ticket| self.players_of(ticket));
        players.map(|player| self.skill_of(player)).sum::<f64>() / self.match_size() as f64
    }

    /// What a ticket pays that plays no match.
    pub(super) fn unmatched_cost(&self, place: usize) -> f64 {
        let waited = match self.end.refused.get(place) {
            Some(true) => 0.0,
            _ => self.until(place).seconds_since(self.came(place)),
        };
        self.judge.waiting_cost(waited, self.size(place)) + self.lost * self.size(place) as f64
    }

    /// When tickets could play together: when the last of them comes, if all are still there and none may not meet another.
    pub(super) fn earliest(&self, tickets: &[usize]) -> Option<Time> {
        let at = tickets.iter().map(|&ticket| self.came(ticket)).max()?;
        let one_stays = |&ticket: &usize| self.until(ticket) >= at;
        let alike = tickets
            .windows(2)
            .all(|two| self.groups[two[0]] == self.groups[two[1]]);
        (alike && tickets.iter().all(one_stays) && self.may_meet(tickets)).then_some(at)
    }

    /// Whether there is a region that all accept, and nobody twice.
    fn may_meet(&self, tickets: &[usize]) -> bool {
        let named = || {
            tickets
                .iter()
                .map(|&ticket| self.ticket(ticket))
                .filter(|one| !one.regions.is_empty())
        };
        let shared = named().next().is_none_or(|first| {
            let mut regions = first.regions.keys();
            regions.any(|region| named().all(|one| one.regions.contains_key(region)))
        });
        let pairs = || (1..tickets.len()).flat_map(|to| (0..to).map(move |from| (from, to)));
        shared && pairs().all(|(from, to)| may_meet(self.ticket(tickets[from]), self.ticket(tickets[to])))
    }

    /// What the waits until a time cost.
    pub(super) fn waiting_cost(&self, tickets: impl Iterator<Item = usize>, at: Time) -> f64 {
        let one = |ticket| {
            let waited = at.seconds_since(self.came(ticket));
            self.judge.waiting_cost(waited, self.size(ticket))
        };
        tickets.map(one).sum()
    }

    /// A match of these tickets, if they may play together.
    pub(super) fn form(&self, teams: [Vec<usize>; 2]) -> Option<Formed> {
        let all = teams.concat();
        let at = self.earliest(&all)?;
        let tickets = teams
            .each_ref()
            .map(|team| team.iter().map(|&one| self.ticket(one)).collect());
        let mismatch = self.judge.mismatch(&tickets)?;
        let cost = self.judge.objective().mismatch_cost(mismatch) + self.waiting_cost(all.into_iter(), at);
        Some(Formed {
            teams,
            at,
            mismatch,
            cost,
        })
    }

    /// The matches of a lineup that tickets of the log make.
    pub(super) fn formed(&self, lineup: &Lineup) -> Vec<Formed> {
        let places: HashMap<TicketId, usize> = (0..self.len())
            .map(|place| (self.ticket(place).id, place))
            .collect();
        let one = |teams: &Vec<Vec<TicketId>>| {
            let [a, b] = &teams[..] else { return None };
            let team = |team: &Vec<TicketId>| {
                let mut team: Vec<usize> = team
                    .iter()
                    .map(|id| places.get(id).copied())
                    .collect::<Option<_>>()?;
                team.sort_unstable();
                Some(team)
            };
            self.form([team(a)?, team(b)?])
        };
        lineup.iter().filter_map(one).collect()
    }

    /// What these tickets cost, of which these matches are made.
    pub(super) fn cost_of<'m>(&self, matches: impl Iterator<Item = &'m Formed>, tickets: &[usize]) -> f64 {
        let all: f64 = tickets.iter().map(|&ticket| self.unmatched_cost(ticket)).sum();
        let saved = |one: &Formed| {
            one.tickets()
                .map(|ticket| self.unmatched_cost(ticket))
                .sum::<f64>()
                - one.cost
        };
        all - matches.map(saved).sum::<f64>()
    }

    /// What the whole log costs.
    pub(super) fn total(&self, matches: &[Formed]) -> f64 {
        let all: Vec<usize> = (0..self.len()).collect();
        self.cost_of(matches.iter(), &all)
    }

    /// How long all tickets of the log wait in sum, seconds: until their match, or as long as they can.
    pub(super) fn waited(&self, matches: &[Formed]) -> f64 {
        let all = (0..self.len()).map(|ticket| self.until(ticket).seconds_since(self.came(ticket)));
        let spared = matches.iter().flat_map(|one| {
            one.tickets()
                .map(|ticket| self.until(ticket).seconds_since(one.at))
        });
        all.sum::<f64>() - spared.sum::<f64>()
    }

    pub(super) fn named(&self, one: &Formed) -> [Vec<TicketId>; 2] {
        one.teams
            .each_ref()
            .map(|team| team.iter().map(|&ticket| self.ticket(ticket).id).collect())
    }
}
