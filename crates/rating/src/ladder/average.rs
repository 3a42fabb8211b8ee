//! [`MovingAverage`] over the ratings after each game, and the [`AverageWindow`] it is computed from.

use crate::error::{ParamError, within};

/// Which moving average, over the ratings after a player's games, newest last.
///
/// Before there are as many games as it looks at, each is the average of what there is: the mean for all but the
/// weighted one. None leaves the range of what it averages, and all rise with every rating in them.
///
/// The source finds that the simple one over 10 games tells promotions well, and leaves open which it really is.
///
/// [`AveragedParams`](crate::AveragedParams) refuses numbers out of range; elsewhere they count as the nearest in range.
///
/// ```
/// use matchwright_rating::MovingAverage;
///
/// let after_games = [1500.0, 1512.0, 1503.0, 1515.0];
/// let of = |average: MovingAverage| average.of(&after_games).unwrap();
/// assert_eq!(of(MovingAverage::Simple { games: 3 }), 1510.0);
/// assert_eq!(of(MovingAverage::Weighted { games: 3 }), (3.0 * 1515.0 + 2.0 * 1503.0 + 1512.0) / 6.0);
/// assert_eq!(of(MovingAverage::Modified { games: 3 }), 1505.0 + (1515.0 - 1505.0) / 3.0);
/// assert_eq!(of(MovingAverage::Exponential { alpha: 0.5 }), 1509.75);
/// ```
#[doc(alias("StarCraft", "promotion"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum MovingAverage {
    /// The mean of the last `games` ratings.
    Simple {
        /// n, 1 to 10,000.
        games: u32,
    },
    /// The last n ratings with weights n for the newest, n - 1 for the one before, down to 1.
    Weighted {
        /// n, 1 to 10,000.
        games: u32,
    },
    /// m' = m + (x - m) / n from the n-th game on; also called smoothed, or running.
    Modified {
        /// n, 1 to 10,000.
        games: u32,
    },
    /// m' = m + alpha (x - m), as soon as the mean's own 1/games has fallen to the alpha.
    Exponential {
        /// The weight of the newest rating, in (0, 1\]; 2 / (n + 1) is as old on average as
        /// [`Simple`](Self::Simple) over n.
        alpha: f64,
    },
}

/// The longest window; a rating keeps that many numbers.
const LONGEST_WINDOW: u32 = 10_000;
const LEAST_ALPHA: f64 = 1e-9;

impl MovingAverage {
    /// Its number, if it is in range.
    pub(super) fn check(self) -> Result<f64, ParamError> {
        match self {
            Self::Simple { games } | Self::Weighted { games } | Self::Modified { games } => {
                within("games", f64::from(games), 1.0..=f64::from(LONGEST_WINDOW))
            }
            Self::Exponential { alpha } => within("alpha", alpha, LEAST_ALPHA..=1.0),
        }
    }

    /// The same with its number in range.
    fn in_range(self) -> Self {
        let length = |games: u32| games.clamp(1, LONGEST_WINDOW);
        match self {
            Self::Simple { games } => Self::Simple { games: length(games) },
            Self::Weighted { games } => Self::Weighted { games: length(games) },
            Self::Modified { games } => Self::Modified { games: length(games) },
            Self::Exponential { alpha } => Self::Exponential {
                alpha: if alpha.is_nan() {
                    LEAST_ALPHA
                } else {
                    alpha.clamp(LEAST_ALPHA, 1.0)
                },
            },
        }
    }

    /// How many games old what it averages is on average, once there are enough of them: its lag behind a rating that
    /// moves steadily.
    ///
    /// (n - 1)/2 for the simple one (4.5 games for n = 10), (n - 1)/3, n - 1 and (1 - alpha)/alpha for the others.
    #[must_use]
    pub fn lag_games(&self) -> f64 {
        match self.in_range() {
            Self::Simple { games } => (f64::from(games) - 1.0) / 2.0,
            Self::Weighted { games } => (f64::from(games) - 1.0) / 3.0,
            Self::Modified { games } => f64::from(games) - 1.0,
            Self::Exponential { alpha } => (1.0 - alpha) / alpha,
        }
    }

    /// `window` after one more game that led to `rating`. A window of another average counts as empty.
    ///
    /// Cost: linear in n for the first two, constant for the others.
    #[must_use]
    pub fn after(&self, window: &AverageWindow, rating: f64) -> AverageWindow {
        let mut next = window.clone();
        self.push(&mut next, rating, 1);
        next
    }

    /// Adds `rating`, which `games` games in a row led to.
    pub(super) fn push(&self, window: &mut AverageWindow, rating: f64, games: usize) {
        let known = self.in_range();
        if window.average != Some(known) {
            *window = AverageWindow {
                average: Some(known),
                ..AverageWindow::default()
            };
        }
        match known {
            Self::Simple { games: n } | Self::Weighted { games: n } => {
                let length = usize::try_from(n).unwrap_or(usize::MAX);
                let copies = games.min(length);
                window.recent.extend(std::iter::repeat_n(rating, copies));
                let gone = window.recent.len().saturating_sub(length);
                window.recent.drain(..gone);
                window.games = window.games.saturating_add(games as u64);
            }
            Self::Modified { games: n } => window.smooth(1.0 / f64::from(n), rating, games),
            Self::Exponential { alpha } => window.smooth(alpha, rating, games),
        }
    }

    /// The average of a window that this one made; `None` before the first game, and of a window that another average
    /// made, which keeps other numbers.
    #[must_use]
    pub fn value(&self, window: &AverageWindow) -> Option<f64> {
        if window.average != Some(self.in_range()) {
            return None;
        }
        let newest = |n: u32| {
            let length = usize::try_from(n).unwrap_or(usize::MAX);
            &window.recent[window.recent.len().saturating_sub(length)..]
        };
        match self.in_range() {
            Self::Simple { games } => mean(newest(games), |_| 1.0),
            Self::Weighted { games } => {
                let recent = newest(games);
                // With fewer than n ratings the weights are the same, newest first: n, n - 1, ...
                let first = f64::from(games) - recent.len() as f64;
                mean(recent, |place| first + 1.0 + place as f64)
            }
            Self::Modified { .. } | Self::Exponential { .. } => (window.games > 0).then_some(window.smoothed),
        }
    }

    /// The average after `ratings`, oldest first; `None` without any, NaN if one is.
    #[must_use]
    pub fn of(&self, ratings: &[f64]) -> Option<f64> {
        let mut window = AverageWindow::default();
        for &rating in ratings {
            self.push(&mut window, rating, 1);
        }
        self.value(&window)
    }
}

/// The weighted mean, as a distance from the first number so that equal numbers average to themselves exactly.
fn mean(numbers: &[f64], weight: impl Fn(usize) -> f64) -> Option<f64> {
    let first = *numbers.first()?;
    let (mut sum, mut weights) = (0.0, 0.0);
    for (place, number) in numbers.iter().enumerate() {
        sum += weight(place) * (number - first);
        weights += weight(place);
    }
    Some(first + sum / weights)
}

/// What a moving average remembers of a player's ratings after each game.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawWindow"))]
pub struct AverageWindow {
    average: Option<MovingAverage>,
    recent: Vec<f64>,
    smoothed: f64,
    games: u64,
}

impl AverageWindow {
    /// The average that it is of; `None` before the first game.
    #[must_use]
    pub const fn average(&self) -> Option<MovingAverage> {
        self.average
    }

    /// Games that it has seen.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The newest ratings that a simple or weighted average keeps, oldest first; empty for the others.
    #[must_use]
    pub fn recent(&self) -> &[f64] {
        &self.recent
    }

    fn smooth(&mut self, alpha: f64, rating: f64, games: usize) {
        for _ in 0..games {
            self.games = self.games.saturating_add(1);
            let weight = alpha.max(1.0 / self.games as f64);
            self.smoothed += weight * (rating - self.smoothed);
        }
    }
}

/// What is read before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct RawWindow {
    average: Option<MovingAverage>,
    recent: Vec<f64>,
    smoothed: f64,
    games: u64,
}

#[cfg(feature = "serde")]
impl TryFrom<RawWindow> for AverageWindow {
    type Error = ParamError;

    fn try_from(raw: RawWindow) -> Result<Self, ParamError> {
        let RawWindow {
            average,
            recent,
            smoothed,
            games,
        } = raw;
        for &rating in recent.iter().chain([&smoothed]) {
            within("a rating of the window", rating, crate::error::RATINGS)?;
        }
        if let Some(average) = average {
            average.check()?;
        }
        let most = f64::from(LONGEST_WINDOW).min(games as f64);
        within("the length of `recent`", recent.len() as f64, 0.0..=most)?;
        Ok(Self {
            average,
            recent,
            smoothed,
            games,
        })
    }
}
