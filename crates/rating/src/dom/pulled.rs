//! [`PulledRatings`]: what a season's pull does to a whole leaderboard.

use super::{PullError, SeasonPull};
use crate::error::{RATINGS, within};

/// Where ratings lie, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RatingSpread {
    /// The lowest.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, of all there are (not of a sample).
    pub deviation: f64,
}

impl RatingSpread {
    /// Of one rating or more.
    fn of(ratings: &[f64]) -> Self {
        let count = ratings.len() as f64;
        let mean = ratings.iter().sum::<f64>() / count;
        let squares: f64 = ratings.iter().map(|rating| (rating - mean).powi(2)).sum();
        Self {
            lowest: ratings.iter().copied().fold(f64::INFINITY, f64::min),
            highest: ratings.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean,
            deviation: (squares / count).sqrt(),
        }
    }
}

/// All ratings of a season's end as the next one begins, from [`SeasonPull::pull_all`].
#[derive(Debug, Clone, PartialEq)]
pub struct PulledRatings {
    /// The new ratings, in the order given.
    pub ratings: Vec<f64>,
    /// The places in that order, best first; equals as they were given.
    pub order: Vec<usize>,
    /// Before.
    pub before: RatingSpread,
    /// After.
    pub after: RatingSpread,
    /// How many players have the rank that they had: 1 and the number of those with more points. No player overtakes
    /// another, so others were made equal to one ahead of them.
    pub same_rank: usize,
    /// How many players rounding has made equal to one with other points before.
    pub made_equal: usize,
}

impl SeasonPull {
    /// Pulls every rating, and says what that did to all of them. Cost: O(n log n).
    ///
    /// # Errors
    /// [`PullError::Empty`] without ratings, [`PullError::Rating`] for the first that is NaN or beyond
    /// [`RATING_LIMIT`](crate::RATING_LIMIT).
    ///
    /// ```
    /// use matchwright_rating::SeasonPullParams;
    ///
    /// let pull = SeasonPullParams::default().build()?;
    /// let pulled = pull.pull_all(&[12_000.0, 24_000.0, 16_000.0, 8_000.0])?;
    /// assert_eq!(pulled.ratings, [12_000.0, 18_000.0, 15_000.0, 9_000.0]);
    /// assert_eq!(pulled.order, [1, 2, 0, 3]);
    /// assert_eq!((pulled.before.highest, pulled.after.highest), (24_000.0, 18_000.0));
    /// assert_eq!((pulled.same_rank, pulled.made_equal), (4, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pull_all(&self, ratings: &[f64]) -> Result<PulledRatings, PullError> {
        if ratings.is_empty() {
            return Err(PullError::Empty);
        }
        for (index, &rating) in ratings.iter().enumerate() {
            within("rating", rating, RATINGS).map_err(|source| PullError::Rating { index, source })?;
        }
        let pulled: Vec<f64> = ratings.iter().map(|&rating| self.pull(rating)).collect();
        let mut order: Vec<usize> = (0..ratings.len()).collect();
        order.sort_by(|&a, &b| ratings[b].total_cmp(&ratings[a]));
        let (mut same_rank, mut made_equal) = (0, 0);
        // Order is kept, so that equals after the pull stand together, too.
        for equals in order.chunk_by(|&a, &b| pulled[a] == pulled[b]) {
            let best = ratings[equals[0]];
            let as_before = equals.iter().filter(|&&place| ratings[place] == best).count();
            same_rank += as_before;
            if as_before < equals.len() {
                made_equal += equals.len();
            }
        }
        Ok(PulledRatings {
            before: RatingSpread::of(ratings),
            after: RatingSpread::of(&pulled),
            ratings: pulled,
            order,
            same_rank,
            made_equal,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeasonPullParams;

    fn pull() -> SeasonPull {
        SeasonPullParams::default().build().unwrap()
    }

    #[test]
    fn the_spread_of_a_leaderboard_worked_by_hand() {
        let pulled = pull().pull_all(&[8_000.0, 16_000.0]).unwrap();
        assert_eq!((pulled.before.mean, pulled.before.deviation), (12_000.0, 4_000.0));
        assert_eq!((pulled.after.mean, pulled.after.deviation), (12_000.0, 3_000.0));
        assert_eq!(pulled.after.lowest, 9_000.0);
    }

    #[test]
    fn ranks_are_kept_but_where_rounding_makes_equals() {
        // The smallest step above 20,000 is lost on the way to 16,800.
        let near = 20_000_f64.next_up();
        let pulled = pull().pull_all(&[near, 20_000.0, 20_000.0, 9_000.0]).unwrap();
        assert_eq!(pulled.ratings[0], pulled.ratings[1]);
        assert_eq!((pulled.same_rank, pulled.made_equal), (2, 3));
        // Equals that were equal before have lost nothing.
        let pulled = pull().pull_all(&[20_000.0, 20_000.0, 9_000.0]).unwrap();
        assert_eq!((pulled.same_rank, pulled.made_equal), (3, 0));
    }

    #[test]
    fn no_ratings_and_ratings_that_are_none_are_refused() {
        assert_eq!(pull().pull_all(&[]), Err(PullError::Empty));
        for bad in [f64::NAN, f64::INFINITY, 1e10] {
            let refused = pull().pull_all(&[12_000.0, bad]).unwrap_err();
            assert!(matches!(refused, PullError::Rating { index: 1, .. }), "{refused}");
        }
    }
}
