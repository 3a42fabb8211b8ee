//! Moving averages over the ratings after each game: the trait, and those that come into question.

use crate::error::{ForensicsError, within};

/// A way to average the ratings after a player's games.
///
/// Contract: [`average`](Self::average) is `None` exactly for no ratings; else it lies within the range of the
/// ratings, does not fall when one of them rises, and moves by x when all of them do. It depends on nothing but the
/// ratings. Before there are as many games as it wants it averages those there are. Numbers of a
/// [`MovingAverage`] that are out of range count as the nearest in range; fits refuse them.
///
/// Implement it for an average of your own; the feature `laws` has the contract as functions to test with.
pub trait Averaging {
    /// The average of ratings, oldest first.
    fn average(&self, ratings: &[f64]) -> Option<f64>;

    /// How many games old what it averages is on average: its lag behind a rating that moves steadily, after many
    /// games.
    ///
    /// By default measured on longer and longer rising lines, until the lag stays to a millionth: right for averages
    /// that forget what is 65,536 games old. Cost: some averages of that many ratings.
    fn lag_games(&self) -> f64 {
        let line: Vec<f64> = (0..1 << 17).map(f64::from).collect();
        let lag_after = |games: usize| {
            let newest = games as f64 - 1.0;
            self.average(&line[..games])
                .map_or(0.0, |average| newest - average)
        };
        let mut lag = lag_after(1 << 9);
        for doublings in 10..=17 {
            let before = std::mem::replace(&mut lag, lag_after(1 << doublings));
            if (lag - before).abs() <= 1e-6 * (1.0 + lag) {
                break;
            }
        }
        lag
    }
}

impl<A: Averaging + ?Sized> Averaging for &A {
    fn average(&self, ratings: &[f64]) -> Option<f64> {
        (**self).average(ratings)
    }

    fn lag_games(&self) -> f64 {
        (**self).lag_games()
    }
}

/// The averages that the source's readers and other ladders speak of.
///
/// ```
/// use matchwright_mmr_forensics::{Averaging, MovingAverage};
///
/// let after_games = [1500.0, 1512.0, 1503.0, 1515.0];
/// let of = |average: MovingAverage| average.average(&after_games).unwrap();
/// assert_eq!(of(MovingAverage::Simple { games: 3 }), 1510.0);
/// assert_eq!(of(MovingAverage::Weighted { games: 3 }), (3.0 * 1515.0 + 2.0 * 1503.0 + 1512.0) / 6.0);
/// let guess = MovingAverage::Blend { simple: 3, weighted: 3 };
/// assert_eq!(of(guess), (1510.0 + of(MovingAverage::Weighted { games: 3 })) / 2.0);
/// ```
#[doc(alias("StarCraft", "promotion"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum MovingAverage {
    /// sMA(n): the mean of the last n.
    Simple {
        /// n, 1 to 10,000.
        games: u32,
    },
    /// wMA(n): the last n with weights n for the newest down to 1.
    Weighted {
        /// n, 1 to 10,000.
        games: u32,
    },
    /// m' = m + (x - m) / n from the n-th game on, the mean before that.
    Modified {
        /// n, 1 to 10,000.
        games: u32,
    },
    /// m' = m + alpha (x - m), the mean until 1/games has fallen to the alpha.
    Exponential {
        /// In (0, 1\].
        alpha: f64,
    },
    /// The source's guess: half sMA(simple), half wMA(weighted).
    Blend {
        /// Games of the simple half, 1 to 10,000.
        simple: u32,
        /// Games of the weighted half, 1 to 10,000.
        weighted: u32,
    },
}

impl MovingAverage {
    /// Those that [`fit_constants`](crate::fit_constants) compares.
    pub const CANDIDATES: [Self; 8] = [
        Self::Simple { games: 10 },
        Self::Simple { games: 5 },
        Self::Simple { games: 15 },
        Self::Simple { games: 20 },
        Self::Weighted { games: 10 },
        Self::Modified { games: 10 },
        Self::Exponential { alpha: 0.2 },
        Self::Blend {
            simple: 10,
            weighted: 10,
        },
    ];

    pub(crate) fn check(self) -> Result<f64, ForensicsError> {
        let length = |games: u32| within("the games of an average", f64::from(games), 1.0..=10_000.0);
        match self {
            Self::Simple { games } | Self::Weighted { games } | Self::Modified { games } => length(games),
            Self::Blend { simple, weighted } => length(simple).and(length(weighted)),
            Self::Exponential { alpha } => within("the alpha of an average", alpha, 1e-9..=1.0),
        }
    }

    /// The same with its numbers in range.
    fn in_range(self) -> Self {
        let length = |games: u32| games.clamp(1, 10_000);
        match self {
            Self::Simple { games } => Self::Simple { games: length(games) },
            Self::Weighted { games } => Self::Weighted { games: length(games) },
            Self::Modified { games } => Self::Modified { games: length(games) },
            Self::Exponential { alpha } => Self::Exponential {
                alpha: if alpha.is_nan() {
                    1e-9
                } else {
                    alpha.clamp(1e-9, 1.0)
                },
            },
            Self::Blend { simple, weighted } => Self::Blend {
                simple: length(simple),
                weighted: length(weighted),
            },
        }
    }

    /// The average after each of the ratings, oldest first, each as [`average`](Averaging::average) of those up to
    /// it.
    ///
    /// Linear in the ratings for all but long windows.
    #[must_use]
    pub fn after_each(&self, ratings: &[f64]) -> Vec<f64> {
        let alpha = match self.in_range() {
            Self::Modified { games } => 1.0 / f64::from(games),
            Self::Exponential { alpha } => alpha,
            _ => {
                return (1..=ratings.len())
                    .filter_map(|end| self.average(&ratings[..end]))
                    .collect();
            }
        };
        let mut smoothed = 0.0;
        let step = |(before, rating): (usize, &f64)| {
            smoothed += alpha.max(1.0 / (before as f64 + 1.0)) * (rating - smoothed);
            smoothed
        };
        ratings.iter().enumerate().map(step).collect()
    }

    /// As the source writes it: `sMA(10)`.
    #[must_use]
    pub fn name(&self) -> String {
        match *self {
            Self::Simple { games } => format!("sMA({games})"),
            Self::Weighted { games } => format!("wMA({games})"),
            Self::Modified { games } => format!("mMA({games})"),
            Self::Exponential { alpha } => format!("eMA({alpha})"),
            Self::Blend { simple, weighted } => format!("half sMA({simple}), half wMA({weighted})"),
        }
    }
}

impl Averaging for MovingAverage {
    /// Linear in the window for all but the third and fourth, which are linear in the ratings.
    fn average(&self, ratings: &[f64]) -> Option<f64> {
        match self.in_range() {
            Self::Simple { games } => mean(newest(ratings, games), |_| 1.0),
            Self::Weighted { games } => {
                let recent = newest(ratings, games);
                let first = f64::from(games) - recent.len() as f64;
                mean(recent, |place| first + 1.0 + place as f64)
            }
            Self::Modified { games } => smooth(ratings, 1.0 / f64::from(games)),
            Self::Exponential { alpha } => smooth(ratings, alpha),
            Self::Blend { simple, weighted } => {
                let simple = Self::Simple { games: simple }.average(ratings)?;
                Some(f64::midpoint(
                    simple,
                    Self::Weighted { games: weighted }.average(ratings)?,
                ))
            }
        }
    }

    /// (n - 1)/2 for the simple one, so 4.5 games for n = 10 where the source says 5; (n - 1)/3, n - 1 and
    /// (1 - alpha)/alpha for the next three; for the blend the mean of its halves.
    fn lag_games(&self) -> f64 {
        let simple = |games: u32| (f64::from(games) - 1.0) / 2.0;
        let weighted = |games: u32| (f64::from(games) - 1.0) / 3.0;
        match self.in_range() {
            Self::Simple { games } => simple(games),
            Self::Weighted { games } => weighted(games),
            Self::Modified { games } => f64::from(games) - 1.0,
            Self::Exponential { alpha } => (1.0 - alpha) / alpha,
            Self::Blend {
                simple: s,
                weighted: w,
            } => f64::midpoint(simple(s), weighted(w)),
        }
    }
}

fn newest(ratings: &[f64], games: u32) -> &[f64] {
    let window = usize::try_from(games).unwrap_or(usize::MAX);
    &ratings[ratings.len().saturating_sub(window)..]
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

fn smooth(ratings: &[f64], alpha: f64) -> Option<f64> {
    let mut smoothed = *ratings.first()?;
    for (before, rating) in ratings.iter().enumerate().skip(1) {
        smoothed += alpha.max(1.0 / (before as f64 + 1.0)) * (rating - smoothed);
    }
    Some(smoothed)
}
