//! [`ContextBlend`]: a forecast by what is known of players in all games and by what is known of them in one context.

use crate::error::{ParamError, within};

/// Chances nearer to 0 or 1 count as this far from them.
const SUREST: f64 = 1e-9;

/// How much ratings in a context (a mode, a map, a surface), by the games there alone, say beside those of all games:
///
/// ```text
/// ln(p / (1 - p)) = (1 - w) ln(p_all / (1 - p_all)) + w ln(p_own / (1 - p_own))
/// w = mean over the players of both sides of n / (n + games), of n games there each
/// ```
///
/// Any system can have both: a rating in a context is one of a player of its own.
///
/// ```
/// use matchwright_rating::ContextBlend;
///
/// let blend = ContextBlend::new(20.0)?;
/// // One has played 20 games there, the other none.
/// assert_eq!(blend.weight([20, 0]), 0.25);
/// assert_eq!(blend.chance([0.9, 0.5], 0.0), 0.9);
/// // Odds of 9 to 1 and even ones: odds of 3 to 1 half way.
/// assert!((blend.chance([0.9, 0.5], 0.5) - 0.75).abs() < 1e-12);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContextBlend {
    games: f64,
}

impl ContextBlend {
    /// Ratings in a context weigh as much as the others after this many `games` there.
    ///
    /// # Errors
    /// [`ParamError`] unless it is from 1e-3 to 1e9.
    pub fn new(games: f64) -> Result<Self, ParamError> {
        let games = within("context_games", games, 1e-3..=1e9)?;
        Ok(Self { games })
    }

    /// w, from 0 to 1, of the numbers of games that each player of both sides has played in the context; 0 of no players.
    #[must_use]
    pub fn weight(self, played: impl IntoIterator<Item = u32>) -> f64 {
        let (mut shares, mut players) = (0.0, 0_u32);
        for games in played {
            shares += f64::from(games) / (f64::from(games) + self.games);
            players += 1;
        }
        shares / f64::from(players.max(1))
    }

    /// The chance in a decided game, of what the ratings of all games forecast and those of the context, under a weight.
    #[must_use]
    pub fn chance(self, [all, own]: [f64; 2], weight: f64) -> f64 {
        let log_odds = |chance: f64| {
            let chance = chance.clamp(SUREST, 1.0 - SUREST);
            (chance / (1.0 - chance)).ln()
        };
        if weight == 0.0 {
            return all;
        }
        let common = log_odds(all);
        let blended = common + weight * (log_odds(own) - common);
        1.0 / (1.0 + (-blended).exp())
    }
}
