//! [`PointsLedger`]: the points that unequal K-factors make and destroy.

use std::fmt;

use crate::error::{ParamError, within};
use crate::limit::RATING_LIMIT;

/// What games did to the sum of all points, for any rating system.
///
/// One entry a game, [`DomMmr::drift`](crate::DomMmr::drift) or the sum of what the sides' ratings changed by. Made
/// and destroyed points are kept apart, since they can cancel in the sum and still move people.
///
/// ```
/// use matchwright_rating::{DomMmrParams, DomRating, PointsLedger, RatingSystem, Score};
///
/// let dom = DomMmrParams::default().build()?;
/// let veteran = DomRating::new(12_000.0, 300, 0)?;
/// let mut ledger = PointsLedger::default();
/// ledger.record(dom.drift(&dom.initial(), &veteran, Score::WIN))?;
/// ledger.record(dom.drift(&dom.initial(), &veteran, Score::LOSS))?;
/// ledger.record(dom.drift(&veteran, &veteran, Score::WIN))?;
/// assert_eq!((ledger.games(), ledger.made(), ledger.destroyed(), ledger.net()), (3, 64.0, 64.0, 0.0));
/// assert_eq!(ledger.to_string(), "3 games made 64.00 points and destroyed 64.00: net 0.00, 0.0000 a game");
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PointsLedger {
    games: u64,
    made: f64,
    destroyed: f64,
    largest: f64,
}

impl PointsLedger {
    /// Enters one game that changed the sum of all points by `drift`.
    ///
    /// # Errors
    /// [`ParamError`] if `drift` is NaN or beyond twice [`RATING_LIMIT`]; nothing is entered then.
    pub fn record(&mut self, drift: f64) -> Result<(), ParamError> {
        within(
            "PointsLedger: a drift",
            drift,
            -2.0 * RATING_LIMIT..=2.0 * RATING_LIMIT,
        )?;
        self.games = self.games.saturating_add(1);
        self.made += drift.max(0.0);
        self.destroyed += (-drift).max(0.0);
        self.largest = self.largest.max(drift.abs());
        Ok(())
    }

    /// Games entered; counting stops at the largest `u64`.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Points made by the games that made some; 0 or more.
    #[must_use]
    pub const fn made(&self) -> f64 {
        self.made
    }

    /// Points destroyed by the games that destroyed some; 0 or more.
    #[must_use]
    pub const fn destroyed(&self) -> f64 {
        self.destroyed
    }

    /// Made less destroyed: how much more points there are than before.
    #[must_use]
    pub fn net(&self) -> f64 {
        self.made - self.destroyed
    }

    /// The largest change by one game, whichever way.
    #[must_use]
    pub const fn largest(&self) -> f64 {
        self.largest
    }

    /// Net points a game; 0 without games.
    #[must_use]
    pub fn net_per_game(&self) -> f64 {
        if self.games == 0 {
            0.0
        } else {
            self.net() / self.games as f64
        }
    }
}

impl fmt::Display for PointsLedger {
    /// One line of plain text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games made {:.2} points and destroyed {:.2}: net {:.2}, {:.4} a game",
            self.games,
            self.made,
            self.destroyed,
            self.net(),
            self.net_per_game()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_stops_at_the_end_of_its_type() -> Result<(), ParamError> {
        let mut ledger = PointsLedger {
            games: u64::MAX,
            ..PointsLedger::default()
        };
        ledger.record(-3.0)?;
        assert_eq!((ledger.games(), ledger.destroyed()), (u64::MAX, 3.0));
        Ok(())
    }
}
