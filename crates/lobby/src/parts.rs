//! Large pools in parts: neighbours of the pool's order, part by part, and then those who are left over.

use super::error::LobbyError;
use super::lineup::Lineups;
use super::objective::LobbyObjective;
use super::pool::LobbyPool;
use super::progress::Watch;
use super::search::{Annealing, Search};
use super::terms::LobbyTerms;
use crate::parallel::in_order;

/// The share of the time that is kept for those whom the parts leave over.
const LEFT_OVER: f64 = 0.04;

/// What limits a search.
#[derive(Clone, Copy)]
pub(super) enum Allowance<'a> {
    /// So many exchanges.
    Moves(u64),
    /// As long as the watch says less than 1.
    Watch(Watch<'a>),
}

/// Some of the objective's players, under numbers of their own.
struct Part<'a> {
    objective: &'a dyn LobbyObjective,
    names: Vec<usize>,
}

impl Part<'_> {
    fn name(&self, players: &[usize]) -> Vec<usize> {
        players.iter().map(|&player| self.names[player]).collect()
    }
}

impl LobbyObjective for Part<'_> {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        self.objective.quality(&self.name(team_a), &self.name(team_b))
    }

    fn terms(&self, players: &[usize], sizes: (usize, usize)) -> Option<LobbyTerms> {
        self.objective.terms(&self.name(players), sizes)
    }
}

/// Lineups of a pool too large to be searched at once, from parts of about `size` players.
///
/// # Errors
/// As the search of each part.
pub(super) fn solve(
    settings: &Annealing,
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    size: usize,
    budget: Allowance<'_>,
) -> Result<Lineups, LobbyError> {
    let (parts, rest) = cut(pool, size);
    let threads = settings.threads().min(parts.len()).max(1);
    // Thread k takes parts k, k + threads, and so on, each in its share of the time.
    let turns = parts.len().div_ceil(threads) as f64;
    let found = in_order(threads, parts.len() as u64, |part| {
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
        let part = part as usize;
        let turn = (part / threads) as f64;
        let window = (
            (1.0 - LEFT_OVER) * turn / turns,
            (1.0 - LEFT_OVER) * (turn + 1.0) / turns,
        );
        let share = parts[part].len() as f64 / pool.players() as f64;
        solve_part(
            settings,
            pool,
            objective,
            &parts[part],
            budget.within(window, share),
        )
    });
    let mut teams = Vec::new();
    let mut tried = 0;
    let mut left = rest;
    for lineups in found {
        let (lineups, names) = lineups?;
        take(&mut teams, &lineups, &names);
        tried += lineups.tried;
        left.extend(lineups.left_out.iter().map(|&player| names[player]));
    }
    if left.len() >= pool.match_size() {
        let budget = budget.within((1.0 - LEFT_OVER, 1.0), LEFT_OVER);
        let (lineups, names) = solve_part(settings, pool, objective, &left, budget)?;
        take(&mut teams, &lineups, &names);
        tried += lineups.tried;
    }
    let mut lineups = Lineups::of_teams(pool, objective, teams)?;
    lineups.tried = tried;
    Ok(lineups)
}

impl<'a> Allowance<'a> {
    /// The part of the budget that belongs to a window of the time, or to a share of the players.
    fn within(self, window: (f64, f64), share: f64) -> Window<'a> {
        Window {
            budget: self,
            time: window,
            share,
        }
    }
}

/// A part of a budget.
#[derive(Clone, Copy)]
struct Window<'a> {
    budget: Allowance<'a>,
    time: (f64, f64),
    share: f64,
}

/// The best lineups of these players, and their names.
fn solve_part(
    settings: &Annealing,
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    names: &[usize],
    budget: Window<'_>,
) -> Result<(Lineups, Vec<usize>), LobbyError> {
    let own = pool.part(names)?;
    let part = Part {
        objective,
        names: names.to_vec(),
    };
    // Threads are spent on parts.
    let settings = settings.clone().with_threads(1);
    let search = Search::new(&own, &part)?;
    let found = match budget.budget {
        Allowance::Moves(moves) => {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a share of the moves is at most as many"
            )]
            let moves = (moves as f64 * budget.share) as u64;
            search.of_moves(&settings, moves)
        }
        Allowance::Watch(watch) => {
            let (from, to) = budget.time;
            search.within(&settings, 1.0, usize::MAX, &|progress| {
                (watch(progress) - from) / (to - from)
            })
        }
    };
    Ok((search.best_of(found)?, part.names))
}

/// Adds the lineups' teams under the players' names.
fn take(teams: &mut Vec<(Vec<usize>, Vec<usize>)>, lineups: &Lineups, names: &[usize]) {
    let name = |team: &[usize]| team.iter().map(|&player| names[player]).collect();
    teams.extend(
        lineups
            .lobbies
            .iter()
            .map(|lobby| (name(&lobby.team_a), name(&lobby.team_b))),
    );
}

/// Parts of the pool's order, parties whole, of `size` players or slightly more, and the players of a last part that
/// fills no match.
fn cut(pool: &LobbyPool, size: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
    // Full matches, so that a part leaves over no more than it must.
    let size = size.next_multiple_of(pool.match_size());
    let mut taken = vec![false; pool.players()];
    let mut parts = vec![Vec::new()];
    for &player in pool.order() {
        if taken[player] {
            continue;
        }
        if let Some(part) = parts.last_mut() {
            for &mate in pool.party_of(player) {
                taken[mate] = true;
                part.push(mate);
            }
            if part.len() >= size {
                parts.push(Vec::new());
            }
        }
    }
    let rest = parts
        .pop_if(|part| part.len() < pool.match_size())
        .unwrap_or_default();
    (parts, rest)
}
