//! [`best_lineups`]: the cheapest matches of teams that a search finds for a log, knowing all of it.
//!
//! The best in hindsight is a choice of disjoint matches L of tickets:
//!
//! ```text
//! minimise  sum over matches of   K mismatch(L) + sum over its tickets i of  n_i C(t_L - t_i)
//!         + sum over unmatched i of   n_i (P + C(e_i - t_i))
//! ```
//!
//! with K, C and P of the objective, `n_i` players of ticket i, which came at `t_i`, may wait until `e_i` (the end of the log
//! for one who never gives up; unmatched, a refused one pays P alone), and `t_L` the time when the last of L came, no later than any of their `e_i`. Unlike pairs
//! ([`hindsight`](super::hindsight)), matches of teams have no exact algorithm for thousands of tickets: what is found here
//! is no bound, and policies can be no farther from the optimum than from it.
//!
//! # Method
//! It starts from the cheapest of the lineups that are handed in, such as those that policies made, so that it is never
//! worse than any of them. Then it takes some matches at a time, neighbours in time or in skill, with the free tickets of
//! their time, has [`Annealing`] form their matches anew, and keeps what is cheaper. The work is stated; same input, same
//! lineups.

mod lineup;
mod objective;
mod problem;

use matchwright_lobby::{Annealing, LobbyError, LobbyPool, LobbySolver};
use matchwright_queue::{QueueSettings, TicketId};

pub use self::lineup::Lineup;
use self::objective::WindowObjective;
use self::problem::{Formed, Problem};
use super::judge::Judge;
use super::log::TicketLog;
use super::optimum::{LogEnd, OptimumError};
use crate::random::{Purpose, derived_seed};

/// How much is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineupSearch {
    /// Matches that are formed anew at a time, 1 or more.
    pub matches_at_once: usize,
    /// How often the whole log is gone through, by time and by skill in turn.
    pub passes: u64,
    /// Exchanges that are tried for each handful of matches.
    pub exchanges: u64,
    /// Of the search.
    pub seed: u64,
}

impl Default for LineupSearch {
    /// Six matches at a time, four passes, 6,000 exchanges.
    fn default() -> Self {
        Self {
            matches_at_once: 6,
            passes: 4,
            exchanges: 6000,
            seed: 0,
        }
    }
}

/// The cheapest lineups found.
#[derive(Debug, Clone, PartialEq)]
pub struct BestLineups {
    /// The tickets of each match, team by team, in the order of their last tickets.
    pub matches: Vec<[Vec<TicketId>; 2]>,
    /// Tickets without a match.
    pub unmatched: usize,
    /// Cost over all players of the log.
    pub cost_per_player: f64,
    /// The same of each lineup that was handed in, each match made when its last ticket came.
    pub starts: Vec<f64>,
    /// Mean time that all tickets waited, until their match, or until they left or the log ended, seconds.
    pub mean_wait: f64,
    /// Mean mismatch of the matches.
    pub mean_mismatch: f64,
    /// Exchanges tried.
    pub work: u64,
}

/// The cheapest lineups of a log that a search from these starts finds. O(passes x tickets x exchanges).
///
/// # Errors
/// [`OptimumError::NoLost`]; [`OptimumError::Queues`] and [`OptimumError::Teams`] for anything but one queue of two teams;
/// [`OptimumError::Search`] if the search itself fails.
pub fn best_lineups(
    log: &TicketLog,
    (settings, judge): (&QueueSettings, &Judge),
    end: LogEnd<'_>,
    starts: &[Lineup],
    search: &LineupSearch,
) -> Result<BestLineups, OptimumError> {
    let problem = Problem::new(log, settings, judge, end)?;
    let formed: Vec<Vec<Formed>> = starts.iter().map(|start| problem.formed(start)).collect();
    let players = problem.players().max(1) as f64;
    let costs: Vec<f64> = formed
        .iter()
        .map(|start| problem.total(start) / players)
        .collect();
    let cheapest = formed.into_iter().zip(&costs).min_by(|a, b| a.1.total_cmp(b.1));
    let mut lineups = Improving {
        matches: cheapest
            .map_or_else(Vec::new, |start| start.0)
            .into_iter()
            .map(Some)
            .collect(),
        problem: &problem,
        search,
        work: 0,
    };
    for pass in 0..search.passes {
        lineups.pass(pass)?;
    }
    let mut matches: Vec<Formed> = lineups.matches.into_iter().flatten().collect();
    matches.sort_by_key(|one| (one.at, one.teams[0].first().copied()));
    let matched: usize = matches.iter().map(|one| one.tickets().count()).sum();
    Ok(BestLineups {
        unmatched: log.len() - matched,
        cost_per_player: problem.total(&matches) / players,
        starts: costs,
        mean_wait: problem.waited(&matches) / log.len().max(1) as f64,
        mean_mismatch: matches.iter().map(|one| one.mismatch).sum::<f64>() / matches.len().max(1) as f64,
        matches: matches.iter().map(|one| problem.named(one)).collect(),
        work: lineups.work,
    })
}

/// Lineups that get cheaper.
struct Improving<'a> {
    problem: &'a Problem<'a>,
    search: &'a LineupSearch,
    /// `None` where there is no longer one.
    matches: Vec<Option<Formed>>,
    work: u64,
}

impl Improving<'_> {
    /// All matches, some at a time, each twice with other neighbours.
    fn pass(&mut self, pass: u64) -> Result<(), LobbyError> {
        let many = self.search.matches_at_once.max(1);
        let order = self.order(many, pass);
        if order.is_empty() {
            self.try_window(&[], pass, 0)?;
        }
        let starts = (0..order.len()).step_by(many.div_ceil(2));
        for (window, start) in (0..).zip(starts) {
            let end = (start + many).min(order.len());
            self.try_window(&order[start..end], pass, window)?;
        }
        Ok(())
    }

    /// The matches by time; in every second pass by skill among those of a time.
    fn order(&self, many: usize, pass: u64) -> Vec<usize> {
        let of = |place: &usize| self.matches[*place].as_ref();
        let mut order: Vec<usize> = (0..self.matches.len())
            .filter(|place| of(place).is_some())
            .collect();
        order.sort_by_key(|place| (of(place).map(|one| one.at), *place));
        if pass % 2 == 1 {
            let skill = |place: &usize| of(place).map_or(0.0, |one| self.problem.skill(one));
            for block in order.chunks_mut(4 * many) {
                block.sort_by(|a, b| skill(a).total_cmp(&skill(b)).then(a.cmp(b)));
            }
        }
        order
    }

    /// Forms some matches anew, with the free tickets of their time, and keeps what is cheaper.
    fn try_window(&mut self, places: &[usize], pass: u64, window: u64) -> Result<(), LobbyError> {
        let problem = self.problem;
        let old: Vec<&Formed> = places
            .iter()
            .filter_map(|&place| self.matches[place].as_ref())
            .collect();
        let mut tickets: Vec<usize> = old.iter().flat_map(|one| one.tickets()).collect();
        let free = self.free_around(&tickets);
        tickets.extend(free);
        tickets.sort_unstable();
        let cost_before = problem.cost_of(old.iter().copied(), &tickets);
        let scale = 2.0
            * old
                .iter()
                .map(|one| one.cost)
                .fold(problem.mismatch_weight(), f64::max);
        let (pool, objective) = match prepared(problem, &tickets, scale) {
            Err(LobbyError::TooFewPlayers { .. }) => return Ok(()),
            prepared => prepared?,
        };
        let seed = derived_seed(self.search.seed, Purpose::HindsightLineups, pass, window);
        let solver = Annealing::new(seed).with_moves(self.search.exchanges);
        let found = solver.solve(&pool, &objective)?;
        self.work += found.work;
        let new: Vec<Formed> = found
            .lobbies
            .iter()
            .filter_map(|lobby| {
                problem.form([lobby.team_a(), lobby.team_b()].map(|team| objective.tickets(team)))
            })
            .collect();
        // Rounding is no gain.
        if problem.cost_of(new.iter(), &tickets) < cost_before - 1e-9 * cost_before.abs() {
            let mut new = new.into_iter();
            for &place in places {
                self.matches[place] = new.next();
            }
            self.matches.extend(new.map(Some));
        }
        Ok(())
    }

    /// Free tickets that came while these did, as many players as two matches have; of no tickets all that are free.
    fn free_around(&self, tickets: &[usize]) -> Vec<usize> {
        let mut is_free: Vec<bool> = (0..self.problem.len())
            .map(|ticket| self.problem.fits(ticket))
            .collect();
        for ticket in self.matches.iter().flatten().flat_map(Formed::tickets) {
            is_free[ticket] = false;
        }
        let first = tickets.iter().copied().min().unwrap_or(0);
        let last = tickets
            .iter()
            .copied()
            .max()
            .unwrap_or(usize::MAX)
            .min(self.problem.len() - 1);
        let most = match tickets {
            [] => usize::MAX,
            _ => 2 * self.problem.match_size(),
        };
        let mut players = 0;
        let around = (first..=last)
            .filter(|&ticket| is_free[ticket])
            .take_while(|&ticket| {
                players += self.problem.size(ticket);
                players <= most
            });
        around.collect()
    }
}

/// Tickets as a pool of a lobby solver, whose value falls with their cost: a match is worth `1 - cost / scale`, and a player
/// without one what matching it would have to save.
fn prepared<'a>(
    problem: &'a Problem<'a>,
    tickets: &[usize],
    scale: f64,
) -> Result<(LobbyPool, WindowObjective<'a>), LobbyError> {
    let objective = WindowObjective::new(problem, tickets, scale);
    let each = 1.0 / problem.match_size() as f64;
    let penalties: Vec<f64> = objective
        .players()
        .map(|(ticket, _)| problem.unmatched_cost(ticket) / problem.size(ticket) as f64)
        .map(|cost| (cost / scale - each).max(0.0))
        .collect();
    let skills: Vec<f64> = objective
        .players()
        .map(|(_, player)| problem.skill_of(player))
        .collect();
    let mut order: Vec<usize> = (0..skills.len()).collect();
    order.sort_by(|&a, &b| skills[a].total_cmp(&skills[b]).then(a.cmp(&b)));
    let pool = LobbyPool::new(penalties.len(), [problem.sizes().0, problem.sizes().1])?
        .with_parties(&objective.parties())?
        .with_unmatched_penalties(&penalties)?
        .with_order(&order)?;
    Ok((pool, objective))
}
