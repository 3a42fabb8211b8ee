//! How good a match of two teams is, for whoever makes teams.

use super::error::LobbyError;
use super::pool::LobbyPool;
use super::terms::LobbyTerms;

/// How good a match between two teams is.
///
/// In [0, 1], higher is better; `None` if the match is not allowed. Players are indices that mean whatever
/// the caller wants. Contract: the same teams always get the same quality, in whichever order their players
/// come; teams of one size get the same quality with sides swapped (but for rounding).
///
/// Closures are objectives:
///
/// ```
/// use matchwright_lobby::LobbyObjective;
///
/// let skills = [10.0, 30.0, 20.0, 40.0];
/// let sum = |team: &[usize]| team.iter().map(|&p| skills[p]).sum::<f64>();
/// let balance = |a: &[usize], b: &[usize]| Some(1.0 - (sum(a) - sum(b)).abs() / 100.0);
/// assert_eq!(balance.quality(&[0, 3], &[1, 2]), Some(1.0));
/// ```
///
/// Solvers ask an objective of no more than that from any number of threads. One that can say how its quality adds
/// up, through [`terms`](Self::terms), is searched many times as fast, and what is found can be proven good.
pub trait LobbyObjective: Sync {
    /// The quality of `team_a` against `team_b`.
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64>;

    /// How the quality of matches among `players`, in teams of `sizes`, adds up; `None`, the default, if it does not.
    ///
    /// Player k of the terms is `players[k]`. Contract: [`LobbyTerms::quality`] is [`quality`](Self::quality) to
    /// within 1e-9, and forbids the same.
    fn terms(&self, players: &[usize], sizes: (usize, usize)) -> Option<LobbyTerms> {
        let _ = (players, sizes);
        None
    }
}

impl<F: Fn(&[usize], &[usize]) -> Option<f64> + Sync> LobbyObjective for F {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        self(team_a, team_b)
    }
}

const _: Option<&dyn LobbyObjective> = None;

/// The terms of a whole pool, if there are any.
///
/// # Errors
/// [`LobbyError::Terms`] if they are of another number of players.
pub(super) fn terms_of(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
) -> Result<Option<LobbyTerms>, LobbyError> {
    let names: Vec<usize> = (0..pool.players()).collect();
    match objective.terms(&names, pool.sizes()) {
        Some(terms) if terms.players() != pool.players() => Err(LobbyError::Terms {
            given: terms.players(),
            players: pool.players(),
        }),
        terms => Ok(terms),
    }
}
