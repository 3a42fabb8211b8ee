//! Glicko-2: Glicko with a volatility, so that erratic players stay uncertain.

mod volatility;

use crate::error::{AMOUNTS, POSITIVE, ParamError, RATINGS, within};
use crate::glickman::{Evidence, deviation_after_inactivity, expected, variance_after_inactivity};
use crate::limit::RATING_LIMIT;
use crate::registry::SystemSettings;
use crate::score::{GameResult, Score};
use crate::system::{RatingEstimate, RatingSystem, time_passed};
use crate::tunable::{Scale, Tunable, newcomers};
use volatility::Volatility;

/// Rating points in one unit of the internal scale. 400 / ln 10 cut to four decimals, as Glickman
/// prints it: the published examples and every other implementation use this number, and the uncut
/// one differs from them in the ninth digit.
const POINTS: f64 = 173.7178;
/// Units of the internal scale in one rating point.
const UNITS: f64 = 1.0 / POINTS;

/// A Glicko-2 rating: strength and its standard deviation in rating points, and how erratic the
/// player is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Glicko2Rating {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::error::read::rating"))]
    rating: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::error::read::amount"))]
    deviation: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "read_volatility"))]
    volatility: f64,
}

impl Glicko2Rating {
    /// A rating of `rating` points, give or take `deviation` points, with a volatility on the
    /// internal scale (usually .03 to .1; 1 is 173.7 points per square root of a period).
    ///
    /// # Errors
    /// [`ParamError`] if a number is NaN, the rating or deviation beyond [`RATING_LIMIT`], the
    /// deviation negative, or the volatility not from 1e-9 to 1e3.
    pub fn new(rating: f64, deviation: f64, volatility: f64) -> Result<Self, ParamError> {
        within("rating", rating, RATINGS)?;
        within("deviation", deviation, AMOUNTS)?;
        within("volatility", volatility, VOLATILITIES)?;
        Ok(Self {
            rating,
            deviation,
            volatility,
        })
    }

    /// r, in points.
    #[must_use]
    pub const fn rating(&self) -> f64 {
        self.rating
    }

    /// RD, in points.
    #[must_use]
    pub const fn deviation(&self) -> f64 {
        self.deviation
    }

    /// sigma, on the internal scale, per square root of a period.
    #[must_use]
    pub const fn volatility(&self) -> f64 {
        self.volatility
    }

    /// phi, the deviation on the internal scale.
    #[inline]
    fn phi(&self) -> f64 {
        self.deviation * UNITS
    }
}

/// Volatilities that a rating can hold: squares and logarithms stay far from the borders of `f64`.
const VOLATILITIES: std::ops::RangeInclusive<f64> = 1e-9..=1e3;

#[cfg(feature = "serde")]
fn read_volatility<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    crate::error::read::checked(deserializer, "volatility", VOLATILITIES)
}

impl RatingEstimate for Glicko2Rating {
    fn rating(&self) -> f64 {
        self.rating
    }

    fn deviation(&self) -> Option<f64> {
        Some(self.deviation)
    }

    fn volatility(&self) -> Option<f64> {
        Some(self.volatility)
    }
}

/// The settings of [`Glicko2`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Glicko2Params {
    /// A newcomer's rating. Default 1500. It is also the internal scale's zero, which no result
    /// depends on.
    pub initial_rating: f64,
    /// A newcomer's deviation, at most `max_deviation`. Default 350.
    pub initial_deviation: f64,
    /// A newcomer's volatility, within the two limits below. Default .06.
    pub initial_volatility: f64,
    /// tau, how fast a volatility may change; from 1e-3 to 10. Default .5; Glickman advises .3 to
    /// 1.2, small where upsets are common. Too large: one strange result makes a player erratic.
    pub tau: f64,
    /// Idle growth and updates stop at this deviation. Default 350.
    pub max_deviation: f64,
    /// No update takes the deviation below this. Default 0, no floor: volatility keeps ratings
    /// moving.
    pub min_deviation: f64,
    /// No update takes the volatility below this. Default 1e-4, .02 points per square root of a
    /// period: below anything that shows.
    pub min_volatility: f64,
    /// No update takes the volatility above this. Default 1, 174 points per square root of a
    /// period. Reached only when an almost impossible result meets an almost certain rating.
    pub max_volatility: f64,
    /// The most points that one update can move a rating, whatever its games. Default 4000, more
    /// than the span of any list in use. The update is a linear step, which overshoots without
    /// bound when a period holds very many upsets.
    pub max_change: f64,
    /// The most points by which an update with games leaves the deviation above that of the last update, however long ago
    /// that was or erratic the results. Default 1e9: no cap. 0: a player who plays gets no less certain.
    pub max_deviation_growth: f64,
}

impl Default for Glicko2Params {
    fn default() -> Self {
        Self {
            initial_rating: 1500.0,
            initial_deviation: 350.0,
            initial_volatility: 0.06,
            tau: 0.5,
            max_deviation: 350.0,
            min_deviation: 0.0,
            min_volatility: 1e-4,
            max_volatility: 1.0,
            max_change: 4000.0,
            max_deviation_growth: RATING_LIMIT,
        }
    }
}

impl Glicko2Params {
    /// The system, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<Glicko2, ParamError> {
        within("initial_rating", self.initial_rating, RATINGS)?;
        within("max_deviation", self.max_deviation, POSITIVE)?;
        within(
            "initial_deviation",
            self.initial_deviation,
            0.0..=self.max_deviation,
        )?;
        within("min_deviation", self.min_deviation, 0.0..=self.max_deviation)?;
        within("max_volatility", self.max_volatility, VOLATILITIES)?;
        within(
            "min_volatility",
            self.min_volatility,
            *VOLATILITIES.start()..=self.max_volatility,
        )?;
        within(
            "initial_volatility",
            self.initial_volatility,
            self.min_volatility..=self.max_volatility,
        )?;
        within("tau", self.tau, 1e-3..=10.0)?;
        within("max_change", self.max_change, POSITIVE)?;
        within("max_deviation_growth", self.max_deviation_growth, AMOUNTS)?;
        Ok(Glicko2 { params: self })
    }
}

impl Tunable for Glicko2Params {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        newcomers(turn, &mut self.initial_deviation, &mut self.max_deviation);
        turn(
            "initial_volatility",
            Scale::Factors(1e-4, 1.0),
            &mut self.initial_volatility,
        );
        turn("tau", Scale::Factors(0.01, 4.0), &mut self.tau);
        turn(
            "min_deviation",
            Scale::FactorsOrZero(1.0, 300.0),
            &mut self.min_deviation,
        );
    }
}

impl SystemSettings for Glicko2Params {
    fn points_per_log_odds(&self) -> f64 {
        400.0 / std::f64::consts::LN_10
    }

    fn grows_with_time(&self) -> bool {
        true
    }
}

/// Glicko-2: Glickman, "Dynamic paired comparison models with stochastic variances", Journal of
/// Applied Statistics 28, 2001 (doi 10.1080/02664760120059219), in the steps of his "Example of the
/// Glicko-2 system", 2013.
///
/// On the internal scale mu = (r - 1500) / 173.7178, phi = RD / 173.7178, with g and E as in
/// [`Glicko`](crate::Glicko), one update with games, t periods after the last, is
///
/// ```text
/// v      = 1 / sum g(phi_j)^2 E_j (1 - E_j)              step 3
/// Delta  = v sum g(phi_j) (s_j - E_j)                    step 4
/// sigma' = the root of f near sigma, by Chebyshev        step 5, within [min, max] volatility
/// phi*   = min(sqrt(phi^2 + t sigma'^2), max)            step 6, for any t >= 0 (the paper's t is 1); phi at most max
/// phi'   = 1 / sqrt(1/phi*^2 + 1/v)                      step 7, within [min, max] deviation, at most max_deviation_growth above phi
/// mu'    = mu + phi'^2 sum g(phi_j) (s_j - E_j)          step 7, at most max_change away
/// ```
///
/// A game of a [share](GameResult::share) w counts w times in both sums.
///
/// Without games phi grows by step 6 with the old sigma, in closed form: no daily job. Opponents
/// count with the deviation they are given with. Cost: linear in the games, plus a search that is
/// bounded. Errors: none.
///
/// ```
/// use matchwright_rating::{GameResult, Glicko2Params, Glicko2Rating, RatingSystem, Score};
///
/// // Glickman's worked example; he rounds on the way and prints 1464.06 / 151.52 / .05999.
/// let glicko2 = Glicko2Params::default().build()?;
/// let games = [
///     GameResult::new(Glicko2Rating::new(1400.0, 30.0, 0.06)?, Score::WIN),
///     GameResult::new(Glicko2Rating::new(1550.0, 100.0, 0.06)?, Score::LOSS),
///     GameResult::new(Glicko2Rating::new(1700.0, 300.0, 0.06)?, Score::LOSS),
/// ];
/// let after = glicko2.update(&Glicko2Rating::new(1500.0, 200.0, 0.06)?, 1.0, &games);
/// assert!((after.rating() - 1464.0506705391).abs() < 1e-9);
/// assert!((after.deviation() - 151.5165241243).abs() < 1e-9);
/// assert!((after.volatility() - 0.0599959844).abs() < 1e-9);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko2 {
    params: Glicko2Params,
}

impl Glicko2 {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &Glicko2Params {
        &self.params
    }

    /// The score to predict before a game, from both deviations, in \[0, 1\].
    ///
    /// ```text
    /// E = 1 / (1 + e^(-g(sqrt(phi_i^2 + phi_j^2)) (mu_i - mu_j)))
    /// ```
    ///
    /// A better forecast than [`expected_score`](RatingSystem::expected_score), which ignores the
    /// player's own deviation; see [`Glicko::win_probability`](crate::Glicko::win_probability).
    #[must_use]
    pub fn win_probability(&self, player: &Glicko2Rating, opponent: &Glicko2Rating) -> f64 {
        let joint = player.phi().hypot(opponent.phi());
        expected((player.rating - opponent.rating) * UNITS, joint)
    }

    /// The deviation just before a game.
    #[inline]
    fn after_inactivity(&self, player: &Glicko2Rating, elapsed_periods: f64) -> Glicko2Rating {
        let (growth, cap) = (POINTS * player.volatility, self.params.max_deviation);
        let periods = time_passed(elapsed_periods);
        Glicko2Rating {
            deviation: deviation_after_inactivity(player.deviation, growth, periods, cap),
            ..*player
        }
    }

    /// Steps 5 to 7.
    #[inline]
    fn after_games(&self, player: &Glicko2Rating, elapsed_periods: f64, evidence: Evidence) -> Glicko2Rating {
        let params = &self.params;
        let cap = params.max_deviation;
        let phi = player.deviation.min(cap) * UNITS;
        let growth = Volatility {
            tau: params.tau,
            floor: params.min_volatility,
            ceiling: params.max_volatility,
        }
        .after(player.volatility, phi * phi, evidence);
        let most = (cap * UNITS) * (cap * UNITS);
        let prior = variance_after_inactivity(phi * phi, growth, time_passed(elapsed_periods), most);
        let variance = evidence.posterior_variance(prior);
        let change = POINTS * variance * evidence.surplus;
        let rating = player.rating + change.clamp(-params.max_change, params.max_change);
        let deviation = (POINTS * variance.sqrt()).min(player.deviation + params.max_deviation_growth);
        Glicko2Rating {
            rating: rating.clamp(-RATING_LIMIT, RATING_LIMIT),
            deviation: deviation.clamp(params.min_deviation, cap),
            volatility: growth.sqrt().clamp(params.min_volatility, params.max_volatility),
        }
    }
}

/// What a game says of `player`, whose own deviation does not count.
#[inline]
fn evidence(player: &Glicko2Rating, opponent: &Glicko2Rating, score: Score) -> Evidence {
    let lead = player.rating - opponent.rating;
    Evidence::of_game(lead * UNITS, opponent.phi(), score.value())
}

impl RatingSystem for Glicko2 {
    type Rating = Glicko2Rating;

    fn initial(&self) -> Glicko2Rating {
        Glicko2Rating {
            rating: self.params.initial_rating,
            deviation: self.params.initial_deviation,
            volatility: self.params.initial_volatility,
        }
    }

    /// `E = 1 / (1 + e^(-g(phi_j) (mu_i - mu_j)))`, from the opponent's deviation only, as in the
    /// update.
    fn expected_score(&self, player: &Glicko2Rating, opponent: &Glicko2Rating) -> f64 {
        expected((player.rating - opponent.rating) * UNITS, opponent.phi())
    }

    #[inline]
    fn win_probability(&self, player: &Glicko2Rating, opponent: &Glicko2Rating) -> f64 {
        self.win_probability(player, opponent)
    }

    fn update(
        &self,
        player: &Glicko2Rating,
        elapsed_periods: f64,
        games: &[GameResult<Glicko2Rating>],
    ) -> Glicko2Rating {
        if games.is_empty() {
            return self.after_inactivity(player, elapsed_periods);
        }
        let evidence = Evidence::gather(games, |game| {
            evidence(player, &game.opponent, game.score).for_share(game.share)
        });
        self.after_games(player, elapsed_periods, evidence)
    }

    #[inline]
    fn update_pair(
        &self,
        (first, elapsed_first): (&Glicko2Rating, f64),
        (second, elapsed_second): (&Glicko2Rating, f64),
        score: Score,
    ) -> (Glicko2Rating, Glicko2Rating) {
        let first_now = self.after_inactivity(first, elapsed_first);
        let second_now = self.after_inactivity(second, elapsed_second);
        (
            self.after_games(first, elapsed_first, evidence(first, &second_now, score)),
            self.after_games(
                second,
                elapsed_second,
                evidence(second, &first_now, score.reversed()),
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    #[test]
    fn the_worked_example_matches_glickmans_steps() {
        let rating = |r, rd| Glicko2Rating::new(r, rd, 0.06).unwrap();
        let games = [
            GameResult::new(rating(1400.0, 30.0), Score::WIN),
            GameResult::new(rating(1550.0, 100.0), Score::LOSS),
            GameResult::new(rating(1700.0, 300.0), Score::LOSS),
        ];
        let player = rating(1500.0, 200.0);
        let evidence = Evidence::gather(&games, |game| evidence(&player, &game.opponent, game.score));
        assert_abs_diff_eq!(1.0 / evidence.information, 1.77897709, epsilon = 1e-8);
        assert_abs_diff_eq!(
            evidence.surplus / evidence.information,
            -0.48393326,
            epsilon = 1e-8
        );
        let glicko2 = Glicko2Params::default().build().unwrap();
        let after = glicko2.update(&rating(1500.0, 200.0), 1.0, &games);
        let phi_star = (200.0 / POINTS).hypot(after.volatility());
        assert_abs_diff_eq!(phi_star, 1.15285469, epsilon = 1e-8);
        assert_abs_diff_eq!(after.phi(), 0.87219919, epsilon = 1e-8);
        assert_abs_diff_eq!((after.rating() - 1500.0) / POINTS, -0.20694097, epsilon = 1e-8);
    }
}
