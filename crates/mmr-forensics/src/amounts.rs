//! Points, pools and win rates, each a type of its own so that they cannot be exchanged.

use crate::error::{ForensicsError, within};

/// Points are refused beyond this.
pub const LIMIT: f64 = 1e9;

macro_rules! amount {
    ($(#[$meta:meta])* $name:ident, $label:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "f64"))]
        pub struct $name(f64);

        impl $name {
            /// No points.
            pub const NONE: Self = Self(0.0);

            /// From 0 to 1e9 points.
            ///
            /// # Errors
            /// [`ForensicsError::Number`] outside of that; NaN is.
            pub fn new(points: f64) -> Result<Self, ForensicsError> {
                within($label, points, 0.0..=LIMIT).map(Self)
            }

            /// For constants that are in range as they are written.
            #[allow(dead_code, reason = "not every amount has a constant")]
            pub(crate) const fn constant(points: f64) -> Self {
                Self(points)
            }

            /// The number.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl TryFrom<f64> for $name {
            type Error = ForensicsError;

            fn try_from(points: f64) -> Result<Self, ForensicsError> {
                Self::new(points)
            }
        }

        impl From<$name> for f64 {
            fn from(amount: $name) -> Self {
                amount.0
            }
        }
    };
}

amount!(
    /// P: the rank points that the ladder displays.
    RankPoints,
    "points"
);
amount!(
    /// U: bonus points that a player has not spent yet.
    Unspent,
    "the unspent bonus pool"
);
amount!(
    /// B: all bonus points that the season has given so far, the same for everybody.
    PoolTotal,
    "the pool's total"
);
amount!(
    /// A: points that a win earns without any bonus; half of what is displayed while the pool lasts.
    PerWin,
    "the points of a win"
);
amount!(
    /// Points that a loss costs, as a positive number. The source calls it B as well, the letter of the pool's total;
    /// here the two cannot be exchanged.
    PerLoss,
    "the points of a loss"
);

/// W: the share of games won, from 0 to 1; never percent.
///
/// ```
/// use matchwright_mmr_forensics::WinRate;
///
/// assert_eq!(WinRate::from_percent(55.0)?.get(), 0.55);
/// assert_eq!((WinRate::from_record(293, 238)?.get() * 1e4).round(), 5518.0);
/// let error = WinRate::new(55.0).unwrap_err().to_string();
/// assert_eq!(error, "a share of wins of 55 looks like percent: write 0.55 or 55%");
/// # Ok::<(), matchwright_mmr_forensics::ForensicsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct WinRate(f64);

impl WinRate {
    /// Half of the games.
    pub const HALF: Self = Self(0.5);

    /// A share from 0 to 1.
    ///
    /// # Errors
    /// [`ForensicsError::Percent`] above 1 up to 100; else [`ForensicsError::Number`].
    pub fn new(share: f64) -> Result<Self, ForensicsError> {
        if share > 1.0 && share <= 100.0 {
            return Err(ForensicsError::Percent { value: share });
        }
        within("the win rate", share, 0.0..=1.0).map(Self)
    }

    /// From 0 to 100 percent.
    ///
    /// # Errors
    /// [`ForensicsError::Number`] outside of that.
    pub fn from_percent(percent: f64) -> Result<Self, ForensicsError> {
        within("the percentage of wins", percent, 0.0..=100.0).map(|p| Self(p / 100.0))
    }

    /// Of `wins` won and `losses` lost games.
    ///
    /// # Errors
    /// [`ForensicsError::Few`] without a game.
    pub fn from_record(wins: u32, losses: u32) -> Result<Self, ForensicsError> {
        let games = f64::from(wins) + f64::from(losses);
        if games == 0.0 {
            return Err(ForensicsError::Few {
                what: "games to take a share of wins from",
                rows: 0,
                needed: 1,
            });
        }
        Ok(Self(f64::from(wins) / games))
    }

    /// The share.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for WinRate {
    type Error = ForensicsError;

    fn try_from(share: f64) -> Result<Self, ForensicsError> {
        Self::new(share)
    }
}

impl From<WinRate> for f64 {
    fn from(share: WinRate) -> Self {
        share.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_share_is_refused_and_percent_get_a_hint() {
        assert!(matches!(
            WinRate::new(55.0),
            Err(ForensicsError::Percent { value: 55.0 })
        ));
        for wrong in [-0.1, 101.0, f64::NAN, f64::INFINITY] {
            assert!(
                matches!(WinRate::new(wrong), Err(ForensicsError::Number { .. })),
                "{wrong}"
            );
        }
        assert!(WinRate::from_percent(101.0).is_err() && WinRate::from_record(0, 0).is_err());
        assert_eq!(WinRate::new(1.0).unwrap().get(), 1.0);
    }

    #[test]
    fn negative_points_are_refused_by_name() {
        let error = Unspent::new(-3.0).unwrap_err().to_string();
        assert_eq!(
            error,
            "the unspent bonus pool is -3: give a number from 0 to 1000000000"
        );
        assert!(RankPoints::new(f64::NAN).is_err() && PoolTotal::new(2e9).is_err());
    }
}
