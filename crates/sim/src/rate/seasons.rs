//! Where seasons start in a history, and what they do to standings.

use std::ops::Range;

use matchwright_rating::history::History;
use matchwright_rating::{RatingEstimate, SeasonChange, Seasons, ShiftRating};

use super::error::RateError;
use super::prediction::Standing;

/// The most seasons between two games: more would be a mistake that takes all day.
const MOST: u64 = 10_000;

/// The seasons of games that come piece by piece.
#[derive(Default)]
pub(super) struct SeasonClock {
    seasons: Option<Seasons>,
    /// The time of the latest game.
    last: Option<i64>,
}

impl SeasonClock {
    pub(super) const fn of(seasons: Option<Seasons>) -> Self {
        Self { seasons, last: None }
    }

    /// What starts before each of some pieces of `games`, which go together in the end.
    pub(super) fn pieces(
        &mut self,
        history: &History,
        games: Range<usize>,
    ) -> Result<Vec<(Starts, Range<usize>)>, RateError> {
        let Some(seasons) = &self.seasons else {
            return Ok(vec![(Starts::default(), games)]);
        };
        let mut pieces = vec![(Starts::default(), games.start..games.end)];
        for game in games {
            let time = history.game(game).time();
            let count = seasons.between(self.last, time);
            self.last = Some(time);
            if count > MOST {
                return Err(RateError::ManySeasons { count, time });
            }
            if count > 0 {
                let change = seasons.change;
                if let Some((_, before)) = pieces.last_mut() {
                    let end = std::mem::replace(&mut before.end, game);
                    pieces.push((Starts { count, change }, game..end));
                }
            }
        }
        Ok(pieces)
    }
}

/// Seasons that start at once, as far as games show.
#[derive(Clone, Copy, Default)]
pub(super) struct Starts {
    count: u64,
    change: SeasonChange,
}

impl Starts {
    pub(super) const fn is_any(self) -> bool {
        self.count > 0
    }

    /// Changes the ratings of all who have played.
    pub(super) fn change<R>(self, newcomer: &R, standings: &mut [Standing<R>])
    where
        R: RatingEstimate + ShiftRating,
    {
        for _ in 0..self.count {
            for standing in standings.iter_mut().filter(|one| one.last_time.is_some()) {
                standing.rating = self.change.apply(&standing.rating, newcomer);
            }
        }
    }
}
