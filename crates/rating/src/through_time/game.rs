//! [`TimedGame`]: a game with its time, and the check of a list of them.

use thiserror::Error;

use crate::error::most_players;
use crate::team::TeamGame;

/// No time is further from 0 than this, in rating periods: with it every variance stays finite.
pub(super) const TIME_LIMIT: f64 = 1e12;

/// A finished game of players who are numbered from 0, and when it was played.
///
/// Places, shares and sides are those of [`TeamGame`]; parties are not looked at. Who has a share of 0 did not play.
///
/// ```
/// use matchwright_rating::{Side, TeamGame, TimedGame};
///
/// // In period 7.5 players 0 and 3 beat players 1 and 2.
/// let game = TimedGame::new(7.5, TeamGame::new(vec![Side::new(1, [0, 3]), Side::new(2, [1, 2])])?);
/// assert_eq!(game.time, 7.5);
/// # Ok::<(), matchwright_rating::GameError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedGame {
    /// When it was played, in rating periods since any epoch; from -1e12 to 1e12. Games of the same time are
    /// games of the same skills: their order does not matter.
    pub time: f64,
    /// Who played for which side, and who came where.
    pub game: TeamGame<usize>,
}

impl TimedGame {
    /// A game at `time`.
    #[must_use]
    pub const fn new(time: f64, game: TeamGame<usize>) -> Self {
        Self { time, game }
    }

    /// A duel that `winner` won at `time`.
    #[must_use]
    pub fn duel(time: f64, winner: usize, loser: usize) -> Self {
        Self::new(time, TeamGame::duel(winner, 1, loser, 2))
    }

    /// A duel at `time` without a winner.
    #[must_use]
    pub fn drawn_duel(time: f64, one: usize, other: usize) -> Self {
        Self::new(time, TeamGame::duel(one, 1, other, 1))
    }
}

/// Why skills could not be fitted. That a game has two sides, players and shares is seen to by [`TeamGame`].
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ThroughTimeError {
    /// There is nobody to rate.
    #[error("0 players: give one or more")]
    NoPlayers,
    /// Far more players than anybody played.
    #[error("{players} players for {games} games: give at most {most}, and number those who played from 0")]
    TooManyPlayers {
        /// What was given.
        players: usize,
        /// How many games there are.
        games: usize,
        /// How many players are taken for that many games.
        most: usize,
    },
    /// A time that is none.
    #[error("game {index} was played at {time}: give a time from -1e12 to 1e12 rating periods")]
    Time {
        /// Where in the input, from 0.
        index: usize,
        /// What was given; it may be NaN.
        time: f64,
    },
    /// A game names a player who is not there.
    #[error("game {index} names player {player} of {players}: count players from 0")]
    UnknownPlayer {
        /// Where in the input, from 0.
        index: usize,
        /// The number that was given.
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// A player in two seats.
    #[error("game {index} has player {player} twice: give each player one seat")]
    DuplicatePlayer {
        /// Where in the input, from 0.
        index: usize,
        /// The player.
        player: usize,
    },
}

/// Nothing, if skills of `players` can be fitted to `games`. Cost: linear.
pub(super) fn check(players: usize, games: &[TimedGame]) -> Result<(), ThroughTimeError> {
    if players == 0 {
        return Err(ThroughTimeError::NoPlayers);
    }
    let seats = games
        .iter()
        .flat_map(|game| game.game.sides())
        .map(|side| side.members.len());
    let most = most_players(seats.sum());
    if players > most {
        return Err(ThroughTimeError::TooManyPlayers {
            players,
            games: games.len(),
            most,
        });
    }
    // The last game in which each was seen, from 1.
    let mut seen = vec![0; players];
    for (index, TimedGame { time, game }) in games.iter().enumerate() {
        if !(-TIME_LIMIT..=TIME_LIMIT).contains(time) {
            return Err(ThroughTimeError::Time { index, time: *time });
        }
        for &player in game
            .sides()
            .iter()
            .flat_map(|side| &side.members)
            .map(|m| &m.rating)
        {
            let Some(last) = seen.get_mut(player) else {
                return Err(ThroughTimeError::UnknownPlayer {
                    index,
                    player,
                    players,
                });
            };
            if *last == index + 1 {
                return Err(ThroughTimeError::DuplicatePlayer { index, player });
            }
            *last = index + 1;
        }
    }
    Ok(())
}
