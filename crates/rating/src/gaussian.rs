//! Ratings that are a normal distribution over skill: mean and standard deviation.

use crate::team::Member;

/// A rating type of `mu` and `sigma`, checked when it is made or read.
///
/// A macro, so that the ratings of two systems are two types and cannot be mistaken for each other.
macro_rules! gaussian_rating {
    ($(#[$doc:meta])* $name:ident, $mu:literal, $sigma:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "crate::gaussian::RawGaussian"))]
        pub struct $name {
            mu: f64,
            sigma: f64,
        }

        impl $name {
            /// A skill of `mu`, give or take `sigma`, both in rating points.
            ///
            /// # Errors
            /// [`ParamError`](crate::ParamError) if a number is NaN, beyond
            /// [`RATING_LIMIT`](crate::RATING_LIMIT), or `sigma` is negative.
            pub fn new(mu: f64, sigma: f64) -> Result<Self, crate::ParamError> {
                use crate::error::within;
                use crate::system::RATING_LIMIT;
                within($mu, mu, &(-RATING_LIMIT..=RATING_LIMIT), "a mean from -1e9 to 1e9 points")?;
                within($sigma, sigma, &(0.0..=RATING_LIMIT), "a deviation from 0 to 1e9 points")?;
                Ok(Self { mu, sigma })
            }

            /// mu, the mean of the skill, in points.
            #[must_use]
            pub const fn mu(&self) -> f64 {
                self.mu
            }

            /// sigma, the standard deviation of the skill, in points.
            #[must_use]
            pub const fn sigma(&self) -> f64 {
                self.sigma
            }

            /// mu - k sigma: a skill that the player has with a probability that k decides, 99.9 % for
            /// k = 3. Leaderboards sort by it, so that nobody leads by luck in a few games.
            #[must_use]
            pub const fn conservative(&self, k: f64) -> f64 {
                self.mu - k * self.sigma
            }

            /// The same skill `elapsed` periods without a game later: sigma^2 grows by `per_period`^2 each, until
            /// sigma is `max_sigma`. It never shrinks.
            pub(crate) fn after_inactivity(&self, per_period: f64, elapsed: f64, max_sigma: f64) -> Self {
                let elapsed = crate::system::time_passed(elapsed);
                Self {
                    mu: self.mu,
                    sigma: crate::glickman::deviation_after_inactivity(self.sigma, per_period, elapsed, max_sigma),
                }
            }

            /// mu moved by `shift` and sigma^2 times `ratio`, within the limits of the type.
            pub(crate) fn updated(&self, shift: f64, ratio: f64) -> Self {
                use crate::system::RATING_LIMIT;
                Self {
                    mu: crate::team::moved(self.mu, shift),
                    sigma: (self.sigma * ratio.max(0.0).sqrt()).min(RATING_LIMIT),
                }
            }
        }

        #[cfg(feature = "serde")]
        impl TryFrom<crate::gaussian::RawGaussian> for $name {
            type Error = crate::ParamError;

            fn try_from(raw: crate::gaussian::RawGaussian) -> Result<Self, crate::ParamError> {
                Self::new(raw.mu, raw.sigma)
            }
        }

        impl crate::RatingEstimate for $name {
            fn rating(&self) -> f64 {
                self.mu
            }

            fn deviation(&self) -> Option<f64> {
                Some(self.sigma)
            }
        }

        impl crate::ShiftRating for $name {
            fn shifted(&self, points: f64) -> Self {
                Self {
                    mu: crate::team::moved(self.mu, points),
                    ..*self
                }
            }

            fn with_deviation(&self, deviation: f64) -> Self {
                Self {
                    sigma: crate::team::limited(self.sigma, deviation),
                    ..*self
                }
            }
        }

        impl crate::gaussian::Gaussian for $name {
            fn parameters(&self) -> (f64, f64) {
                (self.mu, self.sigma)
            }
        }
    };
}

pub(crate) use gaussian_rating;

/// A rating before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
pub(crate) struct RawGaussian {
    pub(crate) mu: f64,
    pub(crate) sigma: f64,
}

/// Mean and standard deviation.
pub(crate) trait Gaussian {
    fn parameters(&self) -> (f64, f64);
}

/// What the members of one side add up to, each weighted by the share w of the game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SideSums {
    /// sum of w mu.
    pub(crate) mean: f64,
    /// sum of w^2 (sigma^2 + added).
    pub(crate) variance: f64,
    /// sum of w^2.
    pub(crate) squares: f64,
    /// How many members have a share above 0.
    pub(crate) players: f64,
}

impl SideSums {
    /// Of a side whose members' variances all grow by `added` first; `None` if nobody took part.
    ///
    /// Summed in an order that does not depend on the members' seats, so that sides of the same
    /// members have the same sums to the last bit. Cost: n ln n.
    pub(crate) fn of<R: Gaussian>(members: &[Member<R>], added: f64) -> Option<Self> {
        let mut present: Vec<(f64, f64, f64)> = members
            .iter()
            .filter(|member| member.share > 0.0)
            .map(|member| {
                let (mu, sigma) = member.rating.parameters();
                (mu, sigma * sigma + added, member.share)
            })
            .collect();
        (!present.is_empty()).then(|| Self::of_present(&mut present))
    }

    /// Of members given as mean, variance and a share above 0; it puts them into the order in which it sums.
    pub(crate) fn of_present(members: &mut [(f64, f64, f64)]) -> Self {
        members.sort_unstable_by(|a, b| {
            a.0.total_cmp(&b.0)
                .then(a.1.total_cmp(&b.1))
                .then(a.2.total_cmp(&b.2))
        });
        let nothing = Self {
            mean: 0.0,
            variance: 0.0,
            squares: 0.0,
            players: 0.0,
        };
        members
            .iter()
            .fold(nothing, |sums, &(mean, variance, share)| Self {
                mean: sums.mean + share * mean,
                variance: sums.variance + share * share * variance,
                squares: sums.squares + share * share,
                players: sums.players + 1.0,
            })
    }

    /// Sides of the same sums are equal; of two others the one with the higher mean is greater.
    pub(crate) fn compare(&self, other: &Self) -> std::cmp::Ordering {
        self.mean
            .total_cmp(&other.mean)
            .then(self.variance.total_cmp(&other.variance))
            .then(self.squares.total_cmp(&other.squares))
            .then(self.players.total_cmp(&other.players))
    }
}
