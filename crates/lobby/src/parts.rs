//! Large pools in parts: neighbours of the pool's order, part by part, and then the unmatched players of all parts.

use matchwright_solver::{Limits, Progress};

use super::error::LobbyError;
use super::lineup::{Lineups, Lobby};
use super::objective::{LobbyObjective, SomePlayers};
use super::pool::LobbyPool;
use crate::parallel::in_order;

/// The share of the time that is kept for the unmatched players of the parts.
const LAST: f64 = 0.04;

/// The search of a part: with this share of all moves, within limits.
pub(super) type SearchPart<'a> =
    dyn Fn(&LobbyPool, &dyn LobbyObjective, f64, &Limits<'_>) -> Result<Lineups, LobbyError> + Sync + 'a;

/// Lineups of a pool too large to be searched at once, from parts of about `size` players, each by `search`.
///
/// # Errors
/// As the search of each part.
pub(super) fn solve(
    (search, threads): (&SearchPart<'_>, usize),
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    size: usize,
    limits: &Limits<'_>,
) -> Result<Lineups, LobbyError> {
    // The lineups of some players, under their own names, with a share of the moves and in a window of the time.
    let solve_part = |names: &[usize], share: f64, (from, to): (f64, f64)| {
        let watch = |progress: &Progress| {
            let time = limits.watch().map_or(from, |watch| watch(progress));
            (time - from) / (to - from)
        };
        let part = SomePlayers {
            objective,
            players: names,
        };
        let within = Limits::unlimited().with_watch(&watch);
        let lineups = search(&pool.part(names)?, &part, share, &within)?;
        let lobbies = lineups.lobbies.iter();
        let named = |lobby: &Lobby| lobby.teams.iter().map(|team| part.names(team)).collect();
        let teams = lobbies.map(named);
        Ok::<_, LobbyError>((
            teams.collect::<Vec<Vec<Vec<usize>>>>(),
            part.names(&lineups.unmatched),
            lineups.work,
        ))
    };
    let (parts, mut unmatched) = cut(pool, size);
    let threads = threads.min(parts.len()).max(1);
    // Thread k takes parts k, k + threads, and so on, each in its share of the time.
    let turns = parts.len().div_ceil(threads) as f64;
    let found = in_order(threads, parts.len() as u64, |part| {
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
        let part = part as usize;
        let turn = (part / threads) as f64;
        let window = ((1.0 - LAST) * turn / turns, (1.0 - LAST) * (turn + 1.0) / turns);
        let share = parts[part].len() as f64 / pool.players() as f64;
        Some(solve_part(&parts[part], share, window))
    });
    let (mut teams, mut work): (Vec<_>, u64) = (Vec::new(), 0);
    for part in found {
        let (of_part, unmatched_of_part, work_of_part) = part?;
        teams.extend(of_part);
        unmatched.extend(unmatched_of_part);
        work += work_of_part;
    }
    if unmatched.len() >= pool.match_size() {
        let (of_last, _, work_of_last) = solve_part(&unmatched, LAST, (1.0 - LAST, 1.0))?;
        teams.extend(of_last);
        work += work_of_last;
    }
    let lineups = Lineups::of_teams(pool, objective, teams)?;
    Ok(Lineups { work, ..lineups })
}

/// Parts of the pool's order, parties whole, of `size` players or slightly more, and the players of a last part that
/// fills no match.
fn cut(pool: &LobbyPool, size: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
    // Full matches, so that a part leaves as few players unmatched as possible.
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
