//! Ladder arithmetic forwards, and a list of shown games traced backwards with bounds.

use crate::amounts::{PoolTotal, RankPoints, Unspent};
use crate::error::{ForensicsError, within};
use crate::season::LadderSeason;

/// What a ladder shows of a player at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LadderState {
    /// P.
    pub points: f64,
    /// U.
    pub unspent: f64,
    /// B.
    pub total: f64,
}

impl LadderState {
    /// P, U and B, typed.
    #[must_use]
    pub const fn new(points: RankPoints, unspent: Unspent, total: PoolTotal) -> Self {
        Self {
            points: points.get(),
            unspent: unspent.get(),
            total: total.get(),
        }
    }

    /// P + U - B: points less the bonus spent, if none expired. Add K and C for the rating.
    #[must_use]
    pub fn differential_now(&self) -> f64 {
        self.points + self.unspent - self.total
    }
}

/// A game to be played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NextGame {
    /// Minutes since the game before, or since the first state.
    pub minutes_before: f64,
    /// Points won (or lost, if negative) without bonus.
    pub earned: f64,
}

/// The states after each game, each with the points that the ladder says the game brought and the bonus in them.
///
/// The pool accrues with time; a win is doubled out of it as far as it lasts; a loss leaves it alone.
///
/// # Errors
/// [`ForensicsError::Number`] for a time or points that are no numbers, or negative minutes.
pub fn play_forward(
    start: LadderState,
    games: &[NextGame],
    season: &LadderSeason,
) -> Result<Vec<(LadderState, ShownGame)>, ForensicsError> {
    let mut state = start;
    let mut played = Vec::with_capacity(games.len());
    for game in games {
        let minutes = within("minutes before a game", game.minutes_before, 0.0..=1e12)?;
        let earned = within("points of a game", game.earned, -1e6..=1e6)?;
        let accrued = minutes / season.params().minutes_per_point;
        state.unspent += accrued;
        state.total += accrued;
        let bonus = earned.min(state.unspent).max(0.0);
        state.unspent -= bonus;
        state.points += earned + bonus;
        let shown = ShownGame {
            change: earned + bonus,
            bonus: Some(bonus),
            minutes_before: Some(minutes),
        };
        played.push((state, shown));
    }
    Ok(played)
}

/// A game as a match history shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ShownGame {
    /// What the points changed by, bonus included; negative for a loss.
    pub change: f64,
    /// The bonus in it, where the history tells.
    pub bonus: Option<f64>,
    /// Minutes since the game before, where the history tells.
    pub minutes_before: Option<f64>,
}

/// What is known of the pool where games do not say what bonus they brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum PoolKnowledge {
    /// It never ran out: half of every win is bonus. The source's assumption.
    #[default]
    NeverEmpty,
    /// It may have run out; what follows from U and the times of games is used, and what does not is bounded.
    MayBeEmpty,
}

/// A number that is known to lie between two; both the same if it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bounds {
    /// At least.
    pub low: f64,
    /// At most.
    pub high: f64,
}

impl Bounds {
    /// Exactly this.
    #[must_use]
    pub const fn exactly(value: f64) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// Half way between the two.
    #[must_use]
    pub const fn middle(&self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    /// By how much the number may differ from another between the two.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// What stood after a game of a history.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AfterGame {
    /// Displayed points.
    pub points: f64,
    /// Points less all bonus spent by then, relative to the player's division: add K and C for the rating.
    pub differential: Bounds,
    /// The bonus that the game brought.
    pub bonus: Bounds,
    /// What the pool held after it; meaningless under [`PoolKnowledge::NeverEmpty`] without times, where it is what
    /// it would be had all games been played at the end.
    pub unspent: Bounds,
}

/// The states after each game, from the last state backwards; games oldest first, as is the answer.
///
/// Before a game there were fewer points, by what it brought, and more in the pool, by the bonus that it spent. With the
/// bonus of each game given, or a pool that never ran out, this is the exact inverse of [`play_forward`]. Otherwise
/// bounds: a win that left something in the pool was doubled, one that emptied it brought between what had accrued
/// and half of its points.
///
/// `expired`: bonus points that the season gave while the pool was full; they make points less bonus higher by that.
///
/// # Errors
/// [`ForensicsError::Number`] for changes, boni and times that cannot be; [`ForensicsError::History`] where the pool
/// would have held less than nothing, by more than the rounding of displayed points explains.
///
/// ```
/// use matchwright_mmr_forensics::*;
///
/// // 2,000 points, 60 unspent of 2,669. The last games: won 24 points, lost 11, won 26.
/// let end = LadderState::new(RankPoints::new(2000.0)?, Unspent::new(60.0)?, PoolTotal::new(2669.0)?);
/// let game = |change| ShownGame { change, bonus: None, minutes_before: None };
/// let games = [game(24.0), game(-11.0), game(26.0)];
/// let after = play_backward(end, &games, PoolKnowledge::NeverEmpty, 0.0, &LadderSeason::default())?;
/// let differentials: Vec<f64> = after.iter().map(|game| game.differential.low).collect();
/// assert_eq!(differentials, [-611.0, -622.0, -609.0]);
/// # Ok::<(), ForensicsError>(())
/// ```
pub fn play_backward(
    end: LadderState,
    games: &[ShownGame],
    pool: PoolKnowledge,
    expired: f64,
    season: &LadderSeason,
) -> Result<Vec<AfterGame>, ForensicsError> {
    within("the expired bonus", expired, 0.0..=1e9)?;
    let mut points = end.points;
    let mut differential = Bounds::exactly(end.differential_now() + expired);
    let mut unspent = Bounds::exactly(end.unspent);
    let mut after = Vec::with_capacity(games.len());
    for (place, game) in games.iter().enumerate().rev() {
        let minutes = game.minutes_before;
        let minutes = minutes.map(|minutes| within("minutes before a game", minutes, 0.0..=1e12));
        let accrued = minutes
            .transpose()?
            .map(|minutes| minutes / season.params().minutes_per_point);
        let bonus = bonus_of(game, unspent, accrued, pool)?;
        after.push(AfterGame {
            points,
            differential,
            bonus,
            unspent,
        });
        points -= game.change;
        differential = Bounds {
            low: differential.low - (game.change - bonus.low),
            high: differential.high - (game.change - bonus.high),
        };
        let rounding = 1.0 + 0.5 * (games.len() - place) as f64;
        unspent = before(unspent, bonus, accrued, pool, rounding)
            .ok_or(ForensicsError::History { game: place + 1 })?;
    }
    after.reverse();
    Ok(after)
}

fn bonus_of(
    game: &ShownGame,
    unspent: Bounds,
    accrued: Option<f64>,
    pool: PoolKnowledge,
) -> Result<Bounds, ForensicsError> {
    let change = within("points of a game", game.change, -1e6..=1e6)?;
    let half = change.max(0.0) / 2.0;
    if let Some(bonus) = game.bonus {
        return within("the bonus of a game", bonus, 0.0..=half + 1.0).map(Bounds::exactly);
    }
    // Less than a millionth of a point is what is left of an empty pool by rounding.
    if pool == PoolKnowledge::NeverEmpty || unspent.low > 1e-6 {
        return Ok(Bounds::exactly(half));
    }
    // What had accrued since the game before was there to be spent.
    let least = accrued.map_or(0.0, |accrued| (accrued - unspent.high).clamp(0.0, half));
    Ok(Bounds {
        low: least,
        high: half,
    })
}

/// What the pool held after the game before; `None` if that is less than nothing.
fn before(
    unspent: Bounds,
    bonus: Bounds,
    accrued: Option<f64>,
    pool: PoolKnowledge,
    rounding: f64,
) -> Option<Bounds> {
    let (low, high) = (unspent.low + bonus.low, unspent.high + bonus.high);
    match (accrued, pool) {
        (Some(accrued), _) => {
            let high = high - accrued;
            (high >= -rounding).then(|| Bounds {
                low: (low - accrued).max(0.0),
                high: high.max(0.0),
            })
        }
        (None, PoolKnowledge::NeverEmpty) => Some(Bounds { low, high }),
        (None, PoolKnowledge::MayBeEmpty) => Some(Bounds { low: 0.0, high }),
    }
}
