//! [`SeasonChange`]: what the start of a season does to every rating; [`Seasons`]: when they start.

use crate::error::{AMOUNTS, ParamError, RATINGS, within};
use crate::system::RatingEstimate;
use crate::team::ShiftRating;

/// A soft reset: at the start of a season every rating r with deviation d becomes
///
/// r' = r + share (mean - r), d' = max(d, min(sqrt(d^2 + added^2), d0))
///
/// with d0 the deviation of a newcomer. Nothing else of a rating changes, and time goes on for it as before. A system without
/// deviations has none raised.
///
/// ```
/// use matchwright_rating::{GaussianRating, SeasonChange};
///
/// let half_way = SeasonChange { share: 0.5, added_deviation: 120.0, ..SeasonChange::NONE };
/// let newcomer = GaussianRating::new(1500.0, 350.0)?;
/// let new = half_way.apply(&GaussianRating::new(1900.0, 50.0)?, &newcomer);
/// assert_eq!((new.rating(), new.deviation()), (1700.0, 130.0));
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SeasonChange {
    /// What ratings are drawn towards. Default none: a newcomer's rating.
    pub mean: Option<f64>,
    /// How far, from 0 (not at all, the default) to 1 (all are the mean).
    pub share: f64,
    /// A standard deviation, in rating points, from 0 (the default): how much may have changed since the last season.
    pub added_deviation: f64,
}

impl Default for SeasonChange {
    fn default() -> Self {
        Self::NONE
    }
}

impl SeasonChange {
    /// A season that changes nothing.
    pub const NONE: Self = Self {
        mean: None,
        share: 0.0,
        added_deviation: 0.0,
    };

    /// The same, if every number is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first that is not.
    pub fn checked(self) -> Result<Self, ParamError> {
        within("season mean", self.mean.unwrap_or(0.0), RATINGS)?;
        within("season share", self.share, 0.0..=1.0)?;
        within("season added_deviation", self.added_deviation, AMOUNTS)?;
        Ok(self)
    }

    /// A rating in the new season.
    #[must_use]
    pub fn apply<R: RatingEstimate + ShiftRating>(&self, rating: &R, newcomer: &R) -> R {
        let mean = self.mean.unwrap_or_else(|| newcomer.rating());
        let drawn = rating.set_off(self.share * (mean - rating.rating()));
        let (Some(own), Some(widest)) = (rating.deviation(), newcomer.deviation()) else {
            return drawn;
        };
        let raised = own.hypot(self.added_deviation).min(widest).max(own);
        // The very deviation that it had is kept to the bit.
        if raised > own {
            drawn.with_deviation(raised)
        } else {
            drawn
        }
    }
}

/// When seasons start, and what they change. A season that starts at a time starts before the games of that second.
///
/// ```
/// use matchwright_rating::{SeasonChange, Seasons};
///
/// let change = SeasonChange { share: 0.5, ..SeasonChange::NONE };
/// let quarters = Seasons { every_days: Some(90.0), starts: vec![], change };
/// let day = 86_400;
/// assert_eq!(quarters.between(Some(10 * day), 200 * day), 2);
/// assert_eq!(quarters.between(Some(90 * day), 179 * day), 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Seasons {
    /// Each as long as the others, in days from 1 to 1e6, counted from 1970-01-01. Default none: they start at `starts`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub every_days: Option<f64>,
    /// Unix seconds, in order; with `every_days`, besides.
    #[cfg_attr(feature = "serde", serde(default))]
    pub starts: Vec<i64>,
    /// What every start changes.
    #[cfg_attr(feature = "serde", serde(default))]
    pub change: SeasonChange,
}

impl Seasons {
    /// Refuses numbers out of range. Starts in any order count.
    ///
    /// # Errors
    /// [`ParamError`] that names the first.
    pub fn check(&self) -> Result<(), ParamError> {
        within("season every_days", self.every_days.unwrap_or(1.0), 1.0..=1e6)?;
        self.change.checked().map(drop)
    }

    /// The latest of the seasons that start after `last` and up to `time`, `most` at most, in order: Unix seconds.
    #[must_use]
    pub fn latest(&self, last: Option<i64>, time: i64, most: u32) -> Vec<i64> {
        let Some(last) = last.filter(|&last| last < time) else {
            return Vec::new();
        };
        let mut starts: Vec<i64> = self
            .starts
            .iter()
            .copied()
            .filter(|&start| last < start && start <= time)
            .collect();
        if let Some(days) = self.every_days {
            let length = days * 86_400.0;
            let newest = (time as f64 / length).floor();
            #[allow(clippy::cast_possible_truncation, reason = "of times of 64 bits")]
            let start = |back: u32| ((newest - f64::from(back)) * length).ceil() as i64;
            starts.extend(
                (0..most)
                    .map(start)
                    .take_while(|&start| start > last)
                    .filter(|&start| start <= time),
            );
        }
        starts.sort_unstable();
        starts.split_off(starts.len().saturating_sub(most as usize))
    }

    /// How many seasons start after `last` (of all times before, if there is none: then none do), up to `time` and then included.
    /// Both are Unix seconds.
    #[must_use]
    pub fn between(&self, last: Option<i64>, time: i64) -> u64 {
        let Some(last) = last.filter(|&last| last < time) else {
            return 0;
        };
        let regular = self.every_days.map_or(0, |days| {
            // Times of 64 bits in seasons of a day or more have numbers of as many.
            #[allow(clippy::cast_possible_truncation, reason = "see above")]
            let number = |time: i64| (time as f64 / (days * 86_400.0)).floor() as i64;
            number(last).abs_diff(number(time))
        });
        let others = self.starts.iter().filter(|&&start| last < start && start <= time);
        regular + others.count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EloRating, GaussianRating};

    #[test]
    fn a_season_draws_ratings_towards_the_mean_and_raises_deviations_to_a_newcomers_at_most() {
        let newcomer = GaussianRating::new(1500.0, 350.0).unwrap();
        let rating = GaussianRating::new(1800.0, 60.0).unwrap();
        let season = |mean, share, added_deviation| {
            let change = SeasonChange {
                mean,
                share,
                added_deviation,
            };
            let new = change.checked().unwrap().apply(&rating, &newcomer);
            (new.rating(), new.deviation())
        };
        assert_eq!(season(None, 0.0, 0.0), (1800.0, 60.0));
        assert_eq!(season(None, 1.0, 80.0), (1500.0, 100.0));
        assert_eq!(season(Some(1600.0), 0.25, 1e6), (1750.0, 350.0));
        let unsure = GaussianRating::new(1500.0, 400.0).unwrap();
        let change = SeasonChange {
            added_deviation: 50.0,
            ..SeasonChange::NONE
        };
        assert_eq!(change.apply(&unsure, &newcomer).deviation(), 400.0);
        let elo = |value| EloRating::new(value).unwrap();
        let half = SeasonChange { share: 0.5, ..change };
        assert_eq!(half.apply(&elo(1600.0), &elo(1500.0)).value(), 1550.0);
    }

    #[test]
    fn the_latest_starts_are_those_that_are_counted() {
        let day = 86_400;
        let seasons = Seasons {
            every_days: Some(10.5),
            starts: vec![35 * day, 5 * day],
            change: SeasonChange::NONE,
        };
        for (last, time) in [(0, 40), (-90, 3), (21, 31), (5, 5), (35, 36)] {
            let (last, time) = (last * day, time * day);
            let starts = seasons.latest(Some(last), time, 1000);
            assert!(starts.is_sorted() && starts.iter().all(|&start| last < start && start <= time));
            assert_eq!(
                starts.len() as u64,
                seasons.between(Some(last), time),
                "{last} {time}"
            );
        }
        assert_eq!(seasons.latest(Some(0), 40 * day, 2), [63 * day / 2, 35 * day]);
        assert_eq!(seasons.latest(Some(i64::MIN), i64::MAX, 3).len(), 3);
        assert_eq!(
            (
                seasons.latest(None, 40 * day, 9).len(),
                seasons.between(None, 40 * day)
            ),
            (0, 0)
        );
    }

    #[test]
    fn what_no_season_can_do_is_refused_by_name() {
        let season = |mean, share, added_deviation| {
            let change = SeasonChange {
                mean: Some(mean),
                share,
                added_deviation,
            };
            change.checked().map_err(|error| error.to_string())
        };
        assert!(season(0.0, 0.5, 10.0).is_ok());
        for (name, refused) in [
            ("mean", season(f64::NAN, 0.5, 10.0)),
            ("share", season(0.0, 1.5, 10.0)),
            ("added_deviation", season(0.0, 0.5, -1.0)),
        ] {
            let error = refused.unwrap_err();
            assert!(error.contains(name), "{error}");
        }
    }
}
