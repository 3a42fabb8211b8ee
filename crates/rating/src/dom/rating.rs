//! [`DomRating`]: the state of one player in DOM MMR.

use crate::error::{ParamError, RATINGS, within};
use crate::score::GameResult;
use crate::system::RatingEstimate;
use crate::team::{ShiftRating, moved};

/// A DOM MMR rating: points, and what K looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawDomRating"))]
pub struct DomRating {
    glory: f64,
    games: u32,
    streak: i32,
}

impl DomRating {
    /// `glory` points after `games` games, the last |`streak`| of them won (positive) or lost (negative).
    ///
    /// # Errors
    /// [`ParamError`] if `glory` is NaN or beyond [`RATING_LIMIT`](crate::RATING_LIMIT), or the
    /// streak longer than the games.
    pub fn new(glory: f64, games: u32, streak: i32) -> Result<Self, ParamError> {
        within("glory", glory, RATINGS)?;
        let most = f64::from(games);
        within("streak", f64::from(streak), -most..=most)?;
        Ok(Self { glory, games, streak })
    }

    /// Nobody has seen this player yet; `glory` was checked.
    pub(super) const fn newcomer(glory: f64) -> Self {
        Self {
            glory,
            games: 0,
            streak: 0,
        }
    }

    /// The rating in points.
    #[must_use]
    pub const fn glory(&self) -> f64 {
        self.glory
    }

    /// Games played; counting stops at the largest `u32`.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// Results alike in a row: wins if positive, losses if negative.
    #[must_use]
    pub const fn streak(&self) -> i32 {
        self.streak
    }

    /// The same player with `glory` points, which were checked.
    pub(super) const fn with_glory(self, glory: f64) -> Self {
        Self { glory, ..self }
    }

    /// After a period with `games` that led to `glory`, which is within the limits.
    pub(super) fn after(self, glory: f64, games: &[GameResult<Self>]) -> Self {
        let count = u32::try_from(games.len()).unwrap_or(u32::MAX);
        let results = i32::try_from(count).unwrap_or(i32::MAX);
        let streak = if count == 0 {
            self.streak
        } else if games.iter().all(|game| game.score.value() > 0.5) {
            self.streak.max(0).saturating_add(results)
        } else if games.iter().all(|game| game.score.value() < 0.5) {
            self.streak.min(0).saturating_sub(results)
        } else {
            0
        };
        Self {
            glory,
            games: self.games.saturating_add(count),
            streak,
        }
    }
}

/// What is read before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct RawDomRating {
    glory: f64,
    games: u32,
    streak: i32,
}

#[cfg(feature = "serde")]
impl TryFrom<RawDomRating> for DomRating {
    type Error = ParamError;

    fn try_from(raw: RawDomRating) -> Result<Self, ParamError> {
        Self::new(raw.glory, raw.games, raw.streak)
    }
}

impl RatingEstimate for DomRating {
    fn rating(&self) -> f64 {
        self.glory
    }

    fn deviation(&self) -> Option<f64> {
        None
    }
}

impl ShiftRating for DomRating {
    fn shifted(&self, points: f64) -> Self {
        self.with_glory(moved(self.glory, points))
    }

    fn with_deviation(&self, _deviation: f64) -> Self {
        *self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    #[test]
    fn only_a_period_of_results_that_are_all_alike_continues_a_streak() -> Result<(), ParamError> {
        let game = |score| GameResult::new(DomRating::newcomer(0.0), score);
        let (win, draw, loss) = (game(Score::WIN), game(Score::DRAW), game(Score::LOSS));
        let graded = game(Score::new(0.6)?);
        for (streak, games, expected) in [
            (3, vec![], 3),
            (3, vec![win], 4),
            (3, vec![win, win, graded], 6),
            (3, vec![win, loss], 0),
            (3, vec![loss, win], 0),
            (3, vec![draw], 0),
            (3, vec![win, draw], 0),
            (3, vec![loss], -1),
            (3, vec![loss, loss], -2),
            (-2, vec![loss], -3),
            (-2, vec![win], 1),
            (0, vec![win], 1),
        ] {
            let after = DomRating::new(0.0, 10, streak)?.after(0.0, &games);
            assert_eq!(after.streak(), expected, "{streak} and {games:?}");
            assert_eq!(after.games() as usize, 10 + games.len());
        }
        Ok(())
    }

    #[test]
    fn counting_stops_at_the_end_of_its_type() {
        let old = DomRating {
            glory: 0.0,
            games: u32::MAX,
            streak: i32::MIN,
        };
        let lost = [GameResult::new(old, Score::LOSS)];
        assert_eq!(
            (old.after(0.0, &lost).games(), old.after(0.0, &lost).streak()),
            (u32::MAX, i32::MIN)
        );
    }
}
