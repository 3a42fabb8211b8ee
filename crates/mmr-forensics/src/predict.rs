//! [`predict_promotion`]: distance to promotion, games until it, and its probability.

use crate::amounts::WinRate;
use crate::average::Averaging;
use crate::error::{ForensicsError, within};
use crate::promotion::{GameValue, GamesToPromotion, games_to_promotion};

/// The most games that [`predict_promotion`] looks ahead: all of their outcomes are played through.
pub const MOST_GAMES_AHEAD: u32 = 14;

/// What is to be expected of a player's next games.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PromotionForecast {
    /// The moving average after the last game.
    pub average: f64,
    /// Threshold less average, points.
    pub distance: f64,
    /// Threshold less the rating after the last game, points.
    pub rating_distance: f64,
    /// Games on average, by the source's formula.
    pub games: GamesToPromotion,
    /// The chance that the average passes the threshold within `ahead` games.
    pub chance: f64,
    /// Games looked ahead.
    pub ahead: u32,
}

/// The forecast for a player whose ratings after each game were `ratings`, oldest first, in the same points as
/// `threshold` (MMR and C + M, or differentials and M).
///
/// Each of the next games is won with chance `share` and moves the rating by A or -L; the chance of promotion is
/// summed over all 2^ahead ways that they can go, so it is exact for such games. `share` is that of games to come:
/// ladders look for even opponents, so one half is a better guess than a share from a climb.
///
/// # Errors
/// [`ForensicsError::Few`] without ratings; [`ForensicsError::Number`] for ratings or a threshold that are no numbers
/// and for more than [`MOST_GAMES_AHEAD`].
///
/// Cost: 2^ahead averages.
///
/// ```
/// use matchwright_mmr_forensics::*;
///
/// let ratings = [2200.0; 10];
/// let average = MovingAverage::Simple { games: 10 };
/// let forecast = |ahead| predict_promotion(&ratings, 2225.0, &average, WinRate::HALF, GameValue::OBSERVED, ahead);
/// assert_eq!(forecast(10)?.distance, 25.0);
/// assert_eq!(forecast(4)?.chance, 0.0);
/// assert!(forecast(10)?.chance > 0.05 && forecast(10)?.chance < 0.3);
/// # Ok::<(), ForensicsError>(())
/// ```
pub fn predict_promotion(
    ratings: &[f64],
    threshold: f64,
    average: &dyn Averaging,
    share: WinRate,
    game: GameValue,
    ahead: u32,
) -> Result<PromotionForecast, ForensicsError> {
    let threshold = within("the threshold", threshold, -4e8..=4e8)?;
    for &rating in ratings {
        within("a rating after a game", rating, -4e8..=4e8)?;
    }
    let most = f64::from(MOST_GAMES_AHEAD);
    within("games to look ahead", f64::from(ahead), 0.0..=most)?;
    let (Some(&last), Some(now)) = (ratings.last(), average.average(ratings)) else {
        return Err(ForensicsError::Few {
            what: "ratings after games",
            rows: ratings.len(),
            needed: 1,
        });
    };
    let mut trail = ratings.to_vec();
    let chance = if now > threshold {
        1.0
    } else {
        chance_ahead(&mut trail, threshold, average, share.get(), game, ahead)
    };
    Ok(PromotionForecast {
        average: now,
        distance: threshold - now,
        rating_distance: threshold - last,
        games: games_to_promotion(threshold - last, share, game, average.lag_games())?,
        chance,
        ahead,
    })
}

fn chance_ahead(
    trail: &mut Vec<f64>,
    threshold: f64,
    average: &dyn Averaging,
    share: f64,
    game: GameValue,
    ahead: u32,
) -> f64 {
    let Some(&last) = trail.last().filter(|_| ahead > 0) else {
        return 0.0;
    };
    let mut chance = 0.0;
    for (change, weight) in [(game.per_win.get(), share), (-game.per_loss.get(), 1.0 - share)] {
        if weight == 0.0 {
            continue;
        }
        trail.push(last + change);
        let passed = average.average(trail).is_some_and(|now| now > threshold);
        chance += weight
            * if passed {
                1.0
            } else {
                chance_ahead(trail, threshold, average, share, game, ahead - 1)
            };
        trail.pop();
    }
    chance
}
