//! The laws of match finders.

use super::drawn::Drawn;
use super::lobby::{KINDS, ROUNDS, draw_pool, law_of};
use super::violation::{Law, LawViolation};
use crate::random::SplitMix64;
use crate::{Lineups, Lobby, LobbyPool, MatchFinder, verify_lobbies};
use matchwright_solver::Limits;

/// Checks a finder for every player of small pools drawn from `seed`: two and three teams, even and uneven, with and
/// without parties, forbidden pairs and terms.
///
/// Of [`Law`]: `Seats`, `Parties`, `MatchQuality`, `Found`, `Known`, `Deterministic`, and `Answers`. To find none is allowed.
///
/// ```
/// use matchwright_lobby::Exchanges;
/// use matchwright_lobby::laws::check_finder;
///
/// check_finder(&Exchanges, 1)?;
/// # Ok::<(), matchwright_lobby::laws::LawViolation>(())
/// ```
///
/// # Errors
/// The first [`LawViolation`], with its pool.
pub fn check_finder(finder: &dyn MatchFinder, seed: u64) -> Result<(), LawViolation> {
    let mut bits = SplitMix64(seed);
    for _ in 0..ROUNDS {
        for (players, sizes) in KINDS {
            for (forbidden, terms) in [(false, true), (true, true), (true, false)] {
                let salt = bits.next();
                let objective = Drawn {
                    salt,
                    forbidden,
                    terms,
                };
                // Dropped: what makes no pool is drawn again.
                if let Ok(pool) = draw_pool(&mut bits, players, sizes) {
                    (0..players).try_for_each(|player| check_player(finder, &pool, &objective, player))?;
                }
            }
        }
    }
    Ok(())
}

fn check_player(
    finder: &dyn MatchFinder,
    pool: &LobbyPool,
    objective: &Drawn,
    player: usize,
) -> Result<(), LawViolation> {
    let violates = |law, detail: String| LawViolation {
        law,
        detail,
        input: format!("player {player} of {pool:?} with {objective:?}"),
    };
    let find = || {
        let found = finder.find(pool, objective, player, &Limits::unlimited());
        found.map_err(|error| violates(Law::Answers, error.to_string()))
    };
    let checked = |found: Option<Lobby>| {
        let Some(lobby) = found else { return Ok(None) };
        let players = || lobby.players();
        if !players().all(|one| one < pool.players()) {
            return Err(violates(Law::Seats, format!("{lobby:?}")));
        }
        if !players().any(|one| one == player) {
            return Err(violates(Law::Found, format!("{lobby:?}")));
        }
        let mut lineups = Lineups::of_teams(pool, objective, [lobby.teams.clone()])
            .map_err(|error| violates(Law::MatchQuality, error.to_string()))?;
        let Some(scored) = lineups.lobbies.first_mut() else {
            return Err(violates(Law::MatchQuality, format!("{lobby:?} is forbidden")));
        };
        scored.quality = lobby.quality;
        lineups.value += lobby.quality - lineups.mean_quality();
        verify_lobbies(pool, objective, &lineups)
            .map_err(|error| violates(law_of(&error), error.to_string()))?;
        Ok(Some(lobby))
    };
    let Some(first) = checked(find()?)? else {
        return Ok(());
    };
    if find()?.as_ref() != Some(&first) {
        return Err(violates(
            Law::Deterministic,
            "a second answer is another".to_owned(),
        ));
    }
    // Teams of one size may come in any order.
    let mut known = first.teams.clone();
    known.reverse();
    if !known.iter().map(Vec::len).eq(pool.sizes().iter().copied()) {
        known.reverse();
    }
    let better = finder.find_from(pool, objective, player, &known, &Limits::unlimited());
    let better = checked(better.map_err(|error| violates(Law::Answers, error.to_string()))?)?;
    if better
        .as_ref()
        .is_none_or(|better| better.quality < first.quality - 1e-9)
    {
        return Err(violates(
            Law::Known,
            format!("{better:?} where {first:?} is known"),
        ));
    }
    Ok(())
}
