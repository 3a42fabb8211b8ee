//! [`Score`] and [`GameResult`]: a game's result as a number, and the game as an update sees it.

use crate::error::{ParamError, within};

/// The result of one game from one player's view: 1 for a win, 1/2 for a draw, 0 for a loss.
///
/// Values between stand for graded results (a share of the rounds won, say). Nothing else is called
/// a score.
///
/// ```
/// use matchwright_rating::Score;
///
/// assert_eq!(Score::WIN.value() + Score::LOSS.value(), 2.0 * Score::DRAW.value());
/// assert_eq!(Score::new(0.25)?.reversed().value(), 0.75);
/// assert!(Score::new(f64::NAN).is_err());
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Number", into = "Number"))]
pub struct Score(f64);

impl Score {
    /// The player won: 1.
    pub const WIN: Self = Self(1.0);
    /// Nobody won: 1/2.
    pub const DRAW: Self = Self(0.5);
    /// The player lost: 0.
    pub const LOSS: Self = Self(0.0);

    /// A score from 0 to 1.
    ///
    /// # Errors
    /// [`ParamError`] if `value` is NaN or outside \[0, 1\].
    pub fn new(value: f64) -> Result<Self, ParamError> {
        within("Score", value, 0.0..=1.0).map(Self)
    }

    /// The number, in \[0, 1\].
    #[must_use]
    pub const fn value(self) -> f64 {
        self.0
    }

    /// The same game from the opponent's view: 1 - score.
    #[must_use]
    #[inline]
    pub fn reversed(self) -> Self {
        Self(1.0 - self.0)
    }
}

/// A score as it is written.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
struct Number(#[serde(with = "crate::packed")] f64);

#[cfg(feature = "serde")]
impl TryFrom<Number> for Score {
    type Error = ParamError;

    fn try_from(number: Number) -> Result<Self, ParamError> {
        Self::new(number.0)
    }
}

#[cfg(feature = "serde")]
impl From<Score> for Number {
    fn from(score: Score) -> Self {
        Self(score.0)
    }
}

impl TryFrom<f64> for Score {
    type Error = ParamError;

    fn try_from(value: f64) -> Result<Self, ParamError> {
        Self::new(value)
    }
}

impl From<Score> for f64 {
    fn from(score: Score) -> Self {
        score.0
    }
}

/// One game of a rating period: whom the player met, as rated before the period, and the player's
/// score.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameResult<R> {
    /// The opponent's rating before the period began.
    pub opponent: R,
    /// The result from the player's view.
    pub score: Score,
    /// The share of a whole game that the player took part in, in \[0, 1\]: the game is that much evidence.
    #[cfg_attr(
        feature = "serde",
        serde(default = "whole_game", deserialize_with = "crate::error::read::share")
    )]
    pub share: f64,
}

/// A share that nobody wrote down.
#[cfg(feature = "serde")]
const fn whole_game() -> f64 {
    1.0
}

impl<R> GameResult<R> {
    /// The whole game against `opponent` that ended with `score` for the player.
    pub const fn new(opponent: R, score: Score) -> Self {
        Self {
            opponent,
            score,
            share: 1.0,
        }
    }

    /// The same game, of which the player took part in a share only.
    #[must_use]
    pub fn for_share(self, share: f64) -> Self {
        Self { share, ..self }
    }

    /// The same game against an opponent rated otherwise.
    pub fn with_opponent<T>(&self, opponent: T) -> GameResult<T> {
        GameResult {
            opponent,
            score: self.score,
            share: self.share,
        }
    }
}
