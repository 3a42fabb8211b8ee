//! The laws of lobby solvers.

use super::drawn::Drawn;
use super::violation::{Law, LawViolation};
use crate::random::SplitMix64;
use crate::{LobbyError, LobbyObjective, LobbyPool, LobbySolver, LobbyVerifyError, verify_lobbies};

/// How many pools are drawn of each kind.
pub(super) const ROUNDS: usize = 6;

/// Players and the sizes of teams: so few that all lineups can be tried.
pub(super) const KINDS: [(usize, &[usize]); 7] = [
    (6, &[1, 1]),
    (8, &[2, 2]),
    (7, &[1, 2]),
    (7, &[3, 3]),
    (8, &[3, 2]),
    (7, &[1, 2, 1]),
    (6, &[2, 2, 2]),
];

/// Rounding that sums may bring along.
const ROUNDING: f64 = 1e-7;

/// Checks a solver on small pools drawn from `seed`: two and three teams, even and uneven, with and without parties, forbidden pairs
/// and terms.
///
/// Of [`Law`]: `Seats`, `Parties`, `MatchQuality`, `LineupValue`, `LineupBound`, `Deterministic`, and `Answers`. A solver may
/// refuse more than two teams as [`LobbyError::ManyTeams`].
///
/// ```
/// use matchwright_lobby::Annealing;
/// use matchwright_lobby::laws::check_lobbies;
///
/// check_lobbies(&Annealing::new(1).with_moves(500), 1)?;
/// # Ok::<(), matchwright_lobby::laws::LawViolation>(())
/// ```
///
/// # Errors
/// The first [`LawViolation`], with its pool.
pub fn check_lobbies(solver: &dyn LobbySolver, seed: u64) -> Result<(), LawViolation> {
    let mut bits = SplitMix64(seed);
    for _ in 0..ROUNDS {
        for (players, sizes) in KINDS {
            for (forbidden, terms) in [(false, true), (true, true), (true, false)] {
                let objective = Drawn {
                    salt: bits.next(),
                    forbidden,
                    terms,
                };
                let Ok(pool) = draw_pool(&mut bits, players, sizes) else {
                    continue;
                };
                check_one(solver, &pool, &objective)?;
            }
        }
    }
    Ok(())
}

pub(super) fn draw_pool(
    bits: &mut SplitMix64,
    players: usize,
    sizes: &[usize],
) -> Result<LobbyPool, LobbyError> {
    let largest = sizes.iter().copied().max().unwrap_or(1);
    let party = (2 + bits.below(2)).min(largest);
    let parties = if bits.below(3) > 0 {
        vec![(1..=party).collect::<Vec<_>>()]
    } else {
        Vec::new()
    };
    let penalties: Vec<f64> = (0..players).map(|_| bits.unit()).collect();
    LobbyPool::new(players, sizes)?
        .with_parties(&parties)?
        .with_unmatched_penalties(&penalties)
}

fn check_one(solver: &dyn LobbySolver, pool: &LobbyPool, objective: &Drawn) -> Result<(), LawViolation> {
    let violates = |law, detail: String| LawViolation {
        law,
        detail,
        input: format!("{pool:?} with {objective:?}"),
    };
    let lineups = match solver.solve(pool, objective) {
        Ok(lineups) => lineups,
        Err(LobbyError::ManyTeams { .. }) if pool.sizes().len() > 2 => return Ok(()),
        Err(error) => return Err(violates(Law::Answers, error.to_string())),
    };
    if solver.solve(pool, objective).as_ref() != Ok(&lineups) {
        return Err(violates(
            Law::Deterministic,
            "a second answer is another".to_owned(),
        ));
    }
    let verdict = verify_lobbies(pool, objective, &lineups);
    let value = verdict
        .map_err(|error| violates(law_of(&error), error.to_string()))?
        .value;
    let best = best_value(pool, objective, &(0..pool.parties().len()).collect::<Vec<_>>());
    let bounded = lineups.bound().is_none_or(|bound| bound >= best - ROUNDING);
    if !bounded || (lineups.is_optimal() && value < best - ROUNDING) {
        let detail = format!(
            "a value of {value} and {:?}, but the best is {best}",
            lineups.certificate
        );
        return Err(violates(Law::LineupBound, detail));
    }
    Ok(())
}

/// The law that lineups break which are refused for this.
pub(super) const fn law_of(error: &LobbyVerifyError) -> Law {
    match error {
        LobbyVerifyError::TeamSize { .. }
        | LobbyVerifyError::UnknownPlayer { .. }
        | LobbyVerifyError::Twice { .. }
        | LobbyVerifyError::Lost { .. } => Law::Seats,
        LobbyVerifyError::TornParty { .. } => Law::Parties,
        LobbyVerifyError::Forbidden { .. }
        | LobbyVerifyError::WrongQuality { .. }
        | LobbyVerifyError::Objective(_) => Law::MatchQuality,
        LobbyVerifyError::WrongValue { .. } => Law::LineupValue,
        _ => Law::LineupBound,
    }
}

/// The value of the best lineups of these parties: the first party in each match that it can play, or unmatched.
fn best_value(pool: &LobbyPool, objective: &dyn LobbyObjective, parties: &[usize]) -> f64 {
    let Some((&first, rest)) = parties.split_first() else {
        return 0.0;
    };
    let members = |of: &[usize]| {
        of.iter()
            .flat_map(|&party| pool.parties()[party].clone())
            .collect::<Vec<_>>()
    };
    let mut best = best_value(pool, objective, rest) - pool.penalty(&pool.parties()[first]);
    // Every party is in one of the teams or not in this match: digits of a number.
    let places = pool.sizes().len() + 1;
    for code in 0..places.pow(u32::try_from(parties.len()).unwrap_or(0)) {
        let mut sides = vec![Vec::new(); places];
        let mut digits = code;
        for &party in parties {
            sides[digits % places].push(party);
            digits /= places;
        }
        let out = sides.pop().unwrap_or_default();
        let teams: Vec<Vec<usize>> = sides.iter().map(|side| members(side)).collect();
        if out.contains(&first) || !teams.iter().map(Vec::len).eq(pool.sizes().iter().copied()) {
            continue;
        }
        if let Some(quality) = objective.quality_of(&teams) {
            best = best.max(quality + best_value(pool, objective, &out));
        }
    }
    best
}
