//! [`GaussianRating`]: a normal distribution over a player's skill; and sums of such skills over a side.

use crate::error::{AMOUNTS, ParamError, RATINGS, within};
use crate::glickman::deviation_after_inactivity;
use crate::limit::RATING_LIMIT;
use crate::sum::sums;
use crate::system::{RatingEstimate, time_passed};
use crate::team::{Member, ShiftRating, limited, moved};

/// A skill that is normal with a mean (the rating) and a standard deviation, both in rating points: the rating of
/// Glicko (r, RD), TrueSkill and Weng-Lin (mu, sigma) and Dota 2 (MMR, uncertainty).
///
/// A deviation of 0 stands for a skill that is known exactly, such as a scripted opponent's: in Glicko, TrueSkill and
/// Weng-Lin neither games nor time change such a rating. (Dota's MMR counts every uncertainty as at least its floor.)
/// What a point is worth differs between systems: use ratings with the system that made them.
///
/// ```
/// use matchwright_rating::GaussianRating;
///
/// let rating = GaussianRating::new(29.4, 7.2)?;
/// assert!((rating.conservative(3.0) - 7.8).abs() < 1e-12);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GaussianRating {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::error::read::rating"))]
    rating: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::error::read::amount"))]
    deviation: f64,
}

/// Of skills that are all but known exactly.
const LEAST_VARIANCE: f64 = 1e-12;

impl GaussianRating {
    /// A skill of `rating` points, give or take `deviation` points.
    ///
    /// # Errors
    /// [`ParamError`] if a number is NaN, beyond [`RATING_LIMIT`], or the deviation is negative.
    pub fn new(rating: f64, deviation: f64) -> Result<Self, ParamError> {
        within("rating", rating, RATINGS)?;
        within("deviation", deviation, AMOUNTS)?;
        Ok(Self { rating, deviation })
    }

    /// Of numbers that were checked.
    pub(crate) const fn of(rating: f64, deviation: f64) -> Self {
        Self { rating, deviation }
    }

    /// The mean of the skill, in points.
    #[must_use]
    pub const fn rating(&self) -> f64 {
        self.rating
    }

    /// The standard deviation of the skill, in points.
    #[must_use]
    pub const fn deviation(&self) -> f64 {
        self.deviation
    }

    /// rating - k deviation: a skill that the player has with a probability that k decides, 99.9 % for
    /// k = 3. Leaderboards sort by it, so that nobody leads by luck in a few games.
    #[must_use]
    pub const fn conservative(&self, k: f64) -> f64 {
        self.rating - k * self.deviation
    }

    /// The same skill `elapsed` periods without a game later: deviation^2 grows by `per_period`^2 each, up to a
    /// deviation of `most`. It never shrinks, and one that is known exactly stays so.
    #[inline]
    pub(crate) fn after_inactivity(&self, per_period: f64, elapsed: f64, most: f64) -> Self {
        let elapsed = time_passed(elapsed);
        let grown = deviation_after_inactivity(self.deviation, per_period, elapsed, most);
        Self::of(self.rating, if self.is_exact() { 0.0 } else { grown })
    }

    /// Whether the skill is known exactly.
    #[inline]
    pub(crate) fn is_exact(&self) -> bool {
        self.deviation == 0.0
    }

    /// deviation^2 + `added`, and 0 of a skill that is known exactly.
    #[inline]
    pub(crate) fn variance_with(&self, added: f64) -> f64 {
        if self.is_exact() {
            0.0
        } else {
            self.deviation * self.deviation + added
        }
    }

    /// What several games teach at once, each of which led from this rating to one of `after`, in any order: the precision
    /// 1/s^2 and the mean weighted by it move by the sum of what each game moves them by,
    ///
    /// ```text
    /// 1/s'^2 = 1/s^2 + sum (1/s_g^2 - 1/s^2)
    /// m'     = m + s'^2 sum (m_g - m) / s_g^2
    /// ```
    ///
    /// the product of the games' messages. Where games widen the deviation (skills that wander, upsets), s'^2 is at most s^2
    /// and what each of them widens it by.
    pub(crate) fn at_once(&self, after: &[Self]) -> Self {
        if self.is_exact() || after.is_empty() {
            return *self;
        }
        let variance = |rating: &Self| (rating.deviation * rating.deviation).max(LEAST_VARIANCE);
        let own = variance(self);
        let rows = after.iter().map(|game| {
            let game_variance = variance(game);
            let pull = (game.rating - self.rating) / game_variance;
            [
                1.0 / game_variance - 1.0 / own,
                pull,
                (game_variance - own).max(0.0),
            ]
        });
        let [gained, pull, widened] = sums(rows);
        let (precision, most) = (1.0 / own + gained, own + widened);
        let variance = if precision * most > 1.0 {
            1.0 / precision
        } else {
            most
        };
        self.updated(variance * pull, variance)
    }

    /// The rating moved by `shift`, with another `variance`, within the limits of the type.
    #[inline]
    pub(crate) fn updated(&self, shift: f64, variance: f64) -> Self {
        Self::of(moved(self.rating, shift), variance.sqrt().min(RATING_LIMIT))
    }
}

impl RatingEstimate for GaussianRating {
    fn rating(&self) -> f64 {
        self.rating
    }

    fn deviation(&self) -> Option<f64> {
        Some(self.deviation)
    }
}

impl ShiftRating for GaussianRating {
    fn shifted(&self, points: f64) -> Self {
        Self::of(moved(self.rating, points), self.deviation)
    }

    fn with_deviation(&self, deviation: f64) -> Self {
        Self::of(self.rating, limited(self.deviation, deviation))
    }
}

/// How a member of a game counts: skill by `skill` = w sqrt(L), luck by `luck` = w, for the part w of a game of length L.
///
/// Skill shows L times as much as in a whole game and luck sqrt(L) times: here both are divided by the latter, so that
/// noise and margins are those of a whole game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weights {
    pub(crate) skill: f64,
    pub(crate) luck: f64,
}

impl Weights {
    /// Those of shares above 0 of a game of this length.
    #[inline]
    pub(crate) fn in_game_of(length: f64) -> impl Fn(f64) -> Self + Clone {
        let (skill, luck) = (1.0 / length.sqrt(), 1.0 / length);
        move |share| Self {
            skill: share * skill,
            luck: share * luck,
        }
    }

    /// Of who was there for all of a whole game.
    pub(crate) const WHOLE: Self = Self {
        skill: 1.0,
        luck: 1.0,
    };
}

/// What the members of one side add up to, with the [`Weights`] a of skill and w of luck.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct SideSums {
    /// sum of a mu.
    pub(crate) mean: f64,
    /// sum of a^2 (sigma^2 + added).
    pub(crate) variance: f64,
    /// sum of w^2.
    pub(crate) squares: f64,
    /// How many members have a share above 0.
    pub(crate) players: f64,
}

impl SideSums {
    /// Of a side in a game of this `length`, whose members' variances all grow by `added` first (but those known exactly);
    /// `None` if no member took part.
    #[inline]
    pub(crate) fn of(members: &[Member<GaussianRating>], added: f64, length: f64) -> Option<Self> {
        if let [
            Member {
                rating, share: 1.0, ..
            },
        ] = members
        {
            return Some(Self::of_one(rating, added));
        }
        if members.iter().all(|member| member.share == 1.0) {
            let [mean, variance] = sums(
                members
                    .iter()
                    .map(|Member { rating, .. }| [rating.rating, rating.variance_with(added)]),
            );
            let players = members.len() as f64;
            let sums = Self {
                mean,
                variance,
                squares: players,
                players,
            };
            return (!members.is_empty()).then_some(sums);
        }
        let weights = Weights::in_game_of(length);
        Self::of_present(members.iter().filter(|member| member.share > 0.0).map(
            |Member { rating, share, .. }| (rating.rating, rating.variance_with(added), weights(*share)),
        ))
    }

    /// Of a side of one player in a whole game.
    #[inline]
    pub(crate) fn of_one(rating: &GaussianRating, added: f64) -> Self {
        Self {
            mean: rating.rating,
            variance: rating.variance_with(added),
            squares: 1.0,
            players: 1.0,
        }
    }

    /// Of members given as mean, variance and weights above 0; `None` without any.
    ///
    /// The order of members does not count, to the last bit. Cost: n.
    #[inline]
    pub(crate) fn of_present(members: impl Iterator<Item = (f64, f64, Weights)> + Clone) -> Option<Self> {
        let players = members.clone().count();
        let [mean, variance, squares] = sums(members.map(|(mean, variance, Weights { skill, luck })| {
            [skill * mean, skill * skill * variance, luck * luck]
        }));
        (players > 0).then_some(Self {
            mean,
            variance,
            squares,
            players: players as f64,
        })
    }

    /// Sides of the same sums are equal; of two others the one with the higher mean is greater.
    #[inline]
    pub(crate) fn compare(&self, other: &Self) -> std::cmp::Ordering {
        self.mean
            .total_cmp(&other.mean)
            .then(self.variance.total_cmp(&other.variance))
            .then(self.squares.total_cmp(&other.squares))
            .then(self.players.total_cmp(&other.players))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rating: f64, deviation: f64) -> GaussianRating {
        GaussianRating::of(rating, deviation)
    }

    #[test]
    fn one_game_at_once_is_that_game_and_two_are_the_product_of_their_messages() {
        let before = of(25.0, 8.0);
        let one = of(29.0, 7.0);
        let alone = before.at_once(&[one]);
        assert!((alone.rating - 29.0).abs() < 1e-12 && (alone.deviation - 7.0).abs() < 1e-12);
        assert_eq!(before.at_once(&[]), before);
        assert_eq!(of(25.0, 0.0).at_once(&[one]), of(25.0, 0.0));
        // By hand: precisions 2/49 - 1/64 and 1/49 - 1/64 twice the pull of (29 - 25)/49.
        let twice = before.at_once(&[one, one]);
        let precision: f64 = 2.0 / 49.0 - 1.0 / 64.0;
        assert!((twice.deviation - (1.0 / precision).sqrt()).abs() < 1e-12);
        assert!((twice.rating - (25.0 + 8.0 / 49.0 / precision)).abs() < 1e-12);
    }

    #[test]
    fn games_that_widen_never_widen_by_more_than_their_sum() {
        let before = of(25.0, 1.0);
        let after = vec![of(26.0, 1.1); 40];
        let found = before.at_once(&after);
        let most: f64 = 1.0 + 40.0 * (1.21 - 1.0);
        assert!(
            found.deviation <= most.sqrt() + 1e-12 && found.deviation > 1.1,
            "{found:?}"
        );
        assert!(found.rating.is_finite());
    }
}
