//! [`games_to_promotion`]: the expected number of games until promotion.

use crate::amounts::{PerLoss, PerWin, WinRate};
use crate::error::{ForensicsError, within};

/// A and the points of a loss: what an average game is worth without bonus. Default 13 and 11.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameValue {
    /// A: points of an average win, 0 or more.
    pub per_win: PerWin,
    /// Points that an average loss costs, 0 or more.
    pub per_loss: PerLoss,
}

impl GameValue {
    /// The source's averages, 13 and 11.
    pub const OBSERVED: Self = Self {
        per_win: PerWin::constant(13.0),
        per_loss: PerLoss::constant(11.0),
    };

    /// What a game brings on average: W A + (W - 1) L points, which is 24 W - 11 for 13 and 11.
    #[must_use]
    pub fn per_game(&self, share: WinRate) -> f64 {
        let share = share.get();
        share * self.per_win.get() + (share - 1.0) * self.per_loss.get()
    }

    /// The share of wins at which nothing is gained: L / (A + L), 11 of 24. `None` if games are worth nothing.
    #[must_use]
    pub fn break_even(&self) -> Option<f64> {
        let both = self.per_win.get() + self.per_loss.get();
        (both > 0.0).then(|| self.per_loss.get() / both)
    }
}

impl Default for GameValue {
    fn default() -> Self {
        Self::OBSERVED
    }
}

/// How far promotion is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum GamesToPromotion {
    /// The differential is over the magic number: only the moving average has to follow, within this many games.
    Soon(f64),
    /// This many games on average.
    Games(f64),
    /// Such a share of wins gains nothing.
    Never,
}

/// By the mean step alone: [`first_passage`](crate::first_passage) has the whole distribution, with a floor.
///
/// G = lag + (M - Pp) / (W A + (W - 1) L), with `distance` = M - Pp.
///
/// The source writes B both for the pool's total and for the points of a loss, and a loss with a sign that does not
/// fit; this is the form that gives its own 24 W - 11. It adds a `lag` of 5 games for the moving average of ten; that
/// average lags 4.5 ([`lag_games`](crate::Averaging::lag_games)).
///
/// # Errors
/// [`ForensicsError::Number`] for a distance beyond 1e9 points, a lag that is negative or beyond 1e9 games, and NaN.
///
/// ```
/// use matchwright_mmr_forensics::{GameValue, GamesToPromotion, WinRate, games_to_promotion};
///
/// let games = |distance, share: f64| -> Result<_, matchwright_mmr_forensics::ForensicsError> {
///     games_to_promotion(distance, WinRate::new(share)?, GameValue::OBSERVED, 5.0)
/// };
/// assert_eq!(games(475.0 - 331.0, 0.5)?, GamesToPromotion::Games(149.0));
/// assert_eq!(games(144.0, 11.0 / 24.0)?, GamesToPromotion::Never);
/// assert_eq!(games(475.0 - 531.0, 0.55)?, GamesToPromotion::Soon(5.0));
/// # Ok::<(), matchwright_mmr_forensics::ForensicsError>(())
/// ```
pub fn games_to_promotion(
    distance: f64,
    share: WinRate,
    game: GameValue,
    lag: f64,
) -> Result<GamesToPromotion, ForensicsError> {
    within("the distance to promotion", distance, -1e9..=1e9)?;
    within("the lag of the average", lag, 0.0..=1e9)?;
    if distance <= 0.0 {
        return Ok(GamesToPromotion::Soon(lag));
    }
    // At break-even rounding leaves about 1e-15 points a game, which would be a number of games.
    let gain = game.per_game(share);
    let scale = game.per_win.get() + game.per_loss.get();
    Ok(if gain > 1e-12 * scale {
        GamesToPromotion::Games(lag + distance / gain)
    } else {
        GamesToPromotion::Never
    })
}
