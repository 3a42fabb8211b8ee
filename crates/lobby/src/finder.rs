//! [`MatchFinder`]: one match for a player who has just come.

use matchwright_solver::Limits;

use crate::best_with::{best_from, best_with};
use crate::error::LobbyError;
use crate::lineup::Lobby;
use crate::objective::LobbyObjective;
use crate::pool::LobbyPool;
use crate::start::{by_distance, first_match};
use crate::teams::{Group, SplitError, TeamSplitter};

/// Finds a good match that includes one given player: what a queue asks for each new ticket.
///
/// Contract: teams are full, parties whole, the player is in one, and the objective allows it, whose quality it has; the same
/// input gives the same match. The feature `laws` holds an implementation against it.
pub trait MatchFinder {
    /// The match; `None` if none is found that is allowed.
    ///
    /// # Errors
    /// [`LobbyError::NoSuchPlayer`], or another if the objective breaks its contract.
    fn find(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        player: usize,
        limits: &Limits<'_>,
    ) -> Result<Option<Lobby>, LobbyError>;

    /// The same where a match with the player is known, for objectives of which few are allowed. By default the better of what
    /// is found and the known one.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    fn find_from(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        player: usize,
        known: &[Vec<usize>],
        limits: &Limits<'_>,
    ) -> Result<Option<Lobby>, LobbyError> {
        let found = self.find(pool, objective, player, limits)?;
        let known = objective.quality_of(known).map(|quality| Lobby {
            teams: known.to_vec(),
            quality,
        });
        Ok(match (found, known) {
            (Some(found), Some(known)) if known.quality > found.quality => Some(known),
            (found, known) => found.or(known),
        })
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<F: MatchFinder + ?Sized> MatchFinder for $pointer {
            fn find(
                &self,
                pool: &LobbyPool,
                objective: &dyn LobbyObjective,
                player: usize,
                limits: &Limits<'_>,
            ) -> Result<Option<Lobby>, LobbyError> {
                (**self).find(pool, objective, player, limits)
            }

            fn find_from(
                &self,
                pool: &LobbyPool,
                objective: &dyn LobbyObjective,
                player: usize,
                known: &[Vec<usize>],
                limits: &Limits<'_>,
            ) -> Result<Option<Lobby>, LobbyError> {
                (**self).find_from(pool, objective, player, known, limits)
            }
        }
    )+};
}

forward!(&F, Box<F>, std::sync::Arc<F>);

// Object safety is part of the interface: this stops compiling if a change loses it.
const _: Option<&dyn MatchFinder> = None;

/// By exchanges: [`best_with`] and [`best_from`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Exchanges;

impl MatchFinder for Exchanges {
    fn find(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        player: usize,
        limits: &Limits<'_>,
    ) -> Result<Option<Lobby>, LobbyError> {
        best_with(pool, objective, player, limits)
    }

    fn find_from(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        player: usize,
        known: &[Vec<usize>],
        limits: &Limits<'_>,
    ) -> Result<Option<Lobby>, LobbyError> {
        best_from(pool, objective, player, known, limits)
    }
}

/// Those nearest to the player in the pool's order that fill all teams, split by a [`TeamSplitter`].
#[derive(Debug, Clone, Copy, Default)]
pub struct NearestSplit<T>(pub T);

impl<T: TeamSplitter> MatchFinder for NearestSplit<T> {
    fn find(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        player: usize,
        limits: &Limits<'_>,
    ) -> Result<Option<Lobby>, LobbyError> {
        let players = pool.players();
        if player >= players {
            return Err(LobbyError::NoSuchPlayer { player, players });
        }
        let Some(teams) = first_match(pool, &by_distance(pool, player)) else {
            return Ok(None);
        };
        let playing = &teams[..pool.sizes().len()];
        let chosen: Vec<usize> = playing.iter().flatten().map(|&one| one as usize).collect();
        let is_chosen = |party: &&Vec<usize>| chosen.contains(&party[0]);
        let parties: Vec<Vec<usize>> = pool.parties().iter().filter(is_chosen).cloned().collect();
        let split = Group::new(chosen, pool.sizes())
            .and_then(|group| group.with_parties(&parties))
            .and_then(|group| self.0.split_within(&group, objective, limits));
        match split {
            Ok(split) => Ok(Some(Lobby {
                teams: split.teams,
                quality: split.quality,
            })),
            Err(SplitError::NoAllowedSplit { .. } | SplitError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BestSplit, ExhaustiveSplit};

    fn find(players: usize, splitter: impl TeamSplitter, quality: f64) -> Result<Option<Lobby>, LobbyError> {
        let pool = LobbyPool::new(players, [players / 2; 2])?;
        let objective = move |_: &[usize], _: &[usize]| (quality != 0.0).then_some(quality);
        NearestSplit(splitter).find(&pool, &objective, 0, &Limits::unlimited())
    }

    #[test]
    fn a_split_that_fails_is_an_error_and_one_that_is_forbidden_is_none() {
        assert_eq!(find(6, BestSplit::new(), 1.0).unwrap().unwrap().quality, 1.0);
        assert_eq!(find(6, BestSplit::new(), 0.0), Ok(None));
        assert!(matches!(
            find(28, ExhaustiveSplit, 1.0),
            Err(LobbyError::Split(SplitError::TooManySplits { .. }))
        ));
        assert!(matches!(
            find(6, BestSplit::new(), 2.0),
            Err(LobbyError::Objective(_))
        ));
    }
}
