//! [`RankFloors`]: ratings below which one who has reached them does not fall.

use crate::error::{ParamError, RATINGS, within};
use crate::system::RatingEstimate;
use crate::team::ShiftRating;

/// Floors nearer to each other would be no ranks.
const LEAST_STEP: f64 = 1e-3;

/// The floors of ranks: `from`, `from` + `step` and so on, up to `to`. No game and no
/// [`Decay`](crate::Decay) takes a rating that is at one or above below it; a [season](crate::SeasonChange) may.
///
/// The rating itself is kept up, not only what is shown, so that points come into the system: it is for ranks that players are
/// proud of, not for better forecasts.
///
/// ```
/// use matchwright_rating::{EloRating, RankFloors};
///
/// let floors = RankFloors { from: 1200.0, step: 100.0, to: Some(2100.0) }.checked()?;
/// let elo = |value| EloRating::new(value).unwrap();
/// let mut after = elo(1291.0);
/// floors.keep(&elo(1307.0), &mut after);
/// assert_eq!(after, elo(1300.0));
/// after = elo(1134.0);
/// floors.keep(&elo(1150.0), &mut after);
/// assert_eq!(after, elo(1134.0));
/// assert_eq!(floors.of(2345.0), Some(2100.0));
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RankFloors {
    /// The lowest floor.
    pub from: f64,
    /// Points from a floor to the next, 0.001 or more.
    pub step: f64,
    /// No floor is higher. Default none: there is no highest.
    #[cfg_attr(feature = "serde", serde(default))]
    pub to: Option<f64>,
}

impl RankFloors {
    /// The same, if every number is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first that is not.
    pub fn checked(self) -> Result<Self, ParamError> {
        within("rank_floors from", self.from, RATINGS)?;
        within("rank_floors step", self.step, LEAST_STEP..=*RATINGS.end())?;
        if let Some(to) = self.to {
            within("rank_floors to", to, self.from..=*RATINGS.end())?;
        }
        Ok(self)
    }

    /// The highest floor up to a rating; none below the lowest.
    #[must_use]
    pub fn of(&self, rating: f64) -> Option<f64> {
        let rating = self.to.map_or(rating, |to| rating.min(to));
        let floor = self.from + ((rating - self.from) / self.step).floor() * self.step;
        (rating >= self.from).then_some(floor)
    }

    /// Keeps the rating `after` a game of one that was rated `before` up.
    pub fn keep<R: RatingEstimate + ShiftRating>(&self, before: &R, after: &mut R) {
        if let Some(floor) = self.of(before.rating())
            && after.rating() < floor
        {
            *after = after.set_off(floor - after.rating());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_game_takes_a_rating_below_a_floor_that_it_had_reached(
            (from, step) in (0.0..2000.0_f64, 1.0..500.0_f64),
            to in prop::option::of(0.0..1000.0_f64),
            (before, change) in (-500.0..4000.0_f64, -3000.0..3000.0_f64),
        ) {
            let floors = RankFloors { from, step, to: to.map(|above| from + above) }.checked().unwrap();
            let mut after = before + change;
            floors.keep(&before, &mut after);
            prop_assert!(after >= before + change);
            for rank in 0..4000_u32 {
                let floor = from + f64::from(rank) * step;
                if floor > before || floors.to.is_some_and(|to| floor > to) {
                    break;
                }
                prop_assert!(after >= floor - 1e-9, "{after} below {floor}");
            }
            if change >= 0.0 || before < from {
                prop_assert_eq!(after, before + change);
            }
        }
    }

    #[test]
    fn a_floor_raises_no_peak() {
        let elo = crate::ScheduledEloParams::default().build().unwrap();
        let newcomer = crate::RatingSystem::initial(&elo);
        let raised = newcomer.set_off(400.0);
        let floors = RankFloors {
            from: 1000.0,
            step: 100.0,
            to: None,
        };
        let mut after = raised.set_off(-10.0);
        floors.keep(&raised, &mut after);
        assert_eq!(after, raised);
    }

    #[test]
    fn numbers_out_of_range_are_refused_by_name() {
        let floors = |from, step, to| RankFloors { from, step, to }.checked().unwrap_err().name();
        assert_eq!(floors(f64::NAN, 100.0, None), "rank_floors from");
        assert_eq!(floors(0.0, 0.0, None), "rank_floors step");
        assert_eq!(floors(0.0, 1e-306, None), "rank_floors step");
        assert_eq!(floors(1000.0, 100.0, Some(900.0)), "rank_floors to");
    }
}
