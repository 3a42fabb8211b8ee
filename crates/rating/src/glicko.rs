//! Glicko: a rating with a deviation that shrinks with games and grows with time.

use std::f64::consts::LN_10;

use crate::error::{AMOUNTS, POSITIVE, ParamError, RATINGS, within};
use crate::gaussian::GaussianRating;
use crate::glickman::{self, Evidence, expected};
use crate::limit::RATING_LIMIT;
use crate::registry::SystemSettings;
use crate::score::{GameResult, Score};
use crate::system::RatingSystem;
use crate::tunable::{Scale, Tunable, newcomers};

/// 1/q = 400 / ln 10: rating points in one unit of log odds.
const POINTS: f64 = 400.0 / LN_10;
/// q.
const UNITS: f64 = LN_10 / 400.0;

/// The settings of [`Glicko`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct GlickoParams {
    /// A newcomer's rating. Default 1500.
    pub initial_rating: f64,
    /// A newcomer's deviation, at most `max_deviation`. Default 350.
    pub initial_deviation: f64,
    /// The deviation of a player of whom nothing is known any more: idle growth and updates stop
    /// here. Default 350.
    pub max_deviation: f64,
    /// No update takes the deviation below this. Default 30, Glickman's advice, so that the ratings
    /// of frequent players keep moving; 0 switches the floor off.
    pub min_deviation: f64,
    /// c, deviation gained per square root of a period, in points; 0 or more. Default 63.2,
    /// Glickman's example: a typical deviation of 50 is back at 350 after 30 periods (of two months
    /// there). It must fit the length of the period: see [`growth`](Self::growth).
    pub c: f64,
    /// The most points that one update can move a rating, whatever its games. Default 4000, more
    /// than the span of any list in use. The update is a linear step, which overshoots without
    /// bound when a period holds very many upsets.
    pub max_change: f64,
    /// The most points by which an update with games leaves the deviation above that of the last update, however long ago
    /// that was. Default 1e9: no cap. 0: a player who plays gets no less certain.
    pub max_deviation_growth: f64,
}

impl Default for GlickoParams {
    fn default() -> Self {
        Self {
            initial_rating: 1500.0,
            initial_deviation: 350.0,
            max_deviation: 350.0,
            min_deviation: 30.0,
            c: 63.2,
            max_change: 4000.0,
            max_deviation_growth: RATING_LIMIT,
        }
    }
}

impl GlickoParams {
    /// c = sqrt((forgotten^2 - typical^2) / periods): the growth that takes a `typical` deviation
    /// to `forgotten` in `periods` idle periods. 0 if `forgotten` is not above `typical` or
    /// `periods` is not above 0.
    ///
    /// ```
    /// use matchwright_rating::GlickoParams;
    ///
    /// assert_eq!((GlickoParams::growth(50.0, 350.0, 30.0) * 10.0).round() / 10.0, 63.2);
    /// ```
    #[must_use]
    pub fn growth(typical: f64, forgotten: f64, periods: f64) -> f64 {
        if forgotten > typical && periods > 0.0 {
            ((forgotten * forgotten - typical * typical) / periods).sqrt()
        } else {
            0.0
        }
    }

    /// The system, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<Glicko, ParamError> {
        within("initial_rating", self.initial_rating, RATINGS)?;
        within("max_deviation", self.max_deviation, POSITIVE)?;
        within(
            "initial_deviation",
            self.initial_deviation,
            0.0..=self.max_deviation,
        )?;
        within("min_deviation", self.min_deviation, 0.0..=self.max_deviation)?;
        within("c", self.c, AMOUNTS)?;
        within("max_change", self.max_change, POSITIVE)?;
        within("max_deviation_growth", self.max_deviation_growth, AMOUNTS)?;
        Ok(Glicko { params: self })
    }
}

impl Tunable for GlickoParams {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        newcomers(turn, &mut self.initial_deviation, &mut self.max_deviation);
        turn("c", Scale::FactorsOrZero(0.05, 500.0), &mut self.c);
        turn(
            "min_deviation",
            Scale::FactorsOrZero(1.0, 300.0),
            &mut self.min_deviation,
        );
    }
}

impl SystemSettings for GlickoParams {
    fn points_per_log_odds(&self) -> f64 {
        POINTS
    }

    fn grows_with_time(&self) -> bool {
        self.c > 0.0
    }
}

/// Glicko: Glickman, "Parameter estimation in large dynamic paired comparison experiments", Applied
/// Statistics 48, 1999 (doi 10.1111/1467-9876.00159), as in his worked example "The Glicko system".
///
/// With q = ln 10 / 400 and g(RD) = 1 / sqrt(1 + 3 q^2 RD^2 / pi^2), one update after t periods is
///
/// ```text
/// RD  = min(sqrt(RD^2 + c^2 t), max)                        idle growth, for any t >= 0: no daily job
/// E_j = 1 / (1 + 10^(-g(RD_j) (r - r_j) / 400))
/// d^2 = 1 / (q^2 sum g(RD_j)^2 E_j (1 - E_j))
/// r'  = r + q / (1/RD^2 + 1/d^2) sum g(RD_j) (s_j - E_j)    at most max_change away
/// RD' = sqrt(1 / (1/RD^2 + 1/d^2))                          within [min, max], at most max_deviation_growth above RD before t
/// ```
///
/// A game of a [share](GameResult::share) w counts w times in both sums.
///
/// Time alone never narrows an RD above max, but with games it counts as max. A player whose deviation is 0 is known
/// exactly and stays as it is. Opponents count with the deviation they are given with: grow it first with
/// [`RatingSystem::update`] and no games if they were idle, as [`RatingSystem::update_pair`] does. Cost: linear in the
/// games. Errors: none.
///
/// ```
/// use matchwright_rating::{GameResult, GlickoParams, GaussianRating, RatingSystem, Score};
///
/// // Glickman's worked example: 1500/200 meets 1400/30, 1550/100 and 1700/300.
/// let glicko = GlickoParams { c: 0.0, ..GlickoParams::default() }.build()?;
/// let games = [
///     GameResult::new(GaussianRating::new(1400.0, 30.0)?, Score::WIN),
///     GameResult::new(GaussianRating::new(1550.0, 100.0)?, Score::LOSS),
///     GameResult::new(GaussianRating::new(1700.0, 300.0)?, Score::LOSS),
/// ];
/// let after = glicko.update(&GaussianRating::new(1500.0, 200.0)?, 1.0, &games);
/// assert_eq!(after.rating().round(), 1464.0);
/// assert_eq!((after.deviation() * 10.0).round() / 10.0, 151.4);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko {
    params: GlickoParams,
}

impl Glicko {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &GlickoParams {
        &self.params
    }

    /// g(RD) = 1 / sqrt(1 + 3 q^2 RD^2 / pi^2), in (0, 1\]: how much a result against this player counts.
    ///
    /// Glickman 1999, eq. 6, as in its updates. A matchmaker that compares a player with many others keeps it for
    /// [`expected_score_by_weight`](Self::expected_score_by_weight).
    ///
    /// ```
    /// use matchwright_rating::{GaussianRating, Glicko};
    ///
    /// // Glickman's example: g(30), g(100) and g(300).
    /// for (deviation, g) in [(30.0, 0.9955), (100.0, 0.9531), (300.0, 0.7242)] {
    ///     let rating = GaussianRating::new(1500.0, deviation)?;
    ///     assert_eq!((Glicko::weight(&rating) * 1e4).round() / 1e4, g);
    /// }
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn weight(rating: &GaussianRating) -> f64 {
        glickman::weight(rating.deviation() * UNITS)
    }

    /// The score to predict before a game, from both deviations, in \[0, 1\].
    ///
    /// ```text
    /// E = 1 / (1 + 10^(-g(sqrt(RD_i^2 + RD_j^2)) (r_i - r_j) / 400))
    /// ```
    ///
    /// Glickman, "The Glicko system", last section.
    ///
    /// [`expected_score`](RatingSystem::expected_score) is the update's own term and ignores the
    /// player's deviation, which makes it too sure of itself as a forecast. This one is less
    /// extreme and complementary: `predict(a, b) + predict(b, a)` is 1.
    ///
    /// ```
    /// use matchwright_rating::{GlickoParams, GaussianRating};
    ///
    /// // Glickman's example: 1400/80 against 1500/150.
    /// let glicko = GlickoParams::default().build()?;
    /// let e = glicko.win_probability(&GaussianRating::new(1400.0, 80.0)?, &GaussianRating::new(1500.0, 150.0)?);
    /// assert_eq!((e * 1000.0).round() / 1000.0, 0.376);
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    #[must_use]
    pub fn win_probability(&self, player: &GaussianRating, opponent: &GaussianRating) -> f64 {
        let joint = player.deviation().hypot(opponent.deviation());
        expected((player.rating() - opponent.rating()) * UNITS, joint * UNITS)
    }

    /// [`expected_score`](RatingSystem::expected_score) against an opponent `lead` points below, whose
    /// [`weight`](Self::weight) is known: the same number to the bit, without the square root and the
    /// division that the weight takes.
    ///
    /// ```
    /// use matchwright_rating::{GaussianRating, Glicko, GlickoParams, RatingSystem};
    ///
    /// let glicko = GlickoParams::default().build()?;
    /// let (ann, bob) = (GaussianRating::new(1700.0, 50.0)?, GaussianRating::new(1500.0, 200.0)?);
    /// let e = glicko.expected_score_by_weight(ann.rating() - bob.rating(), Glicko::weight(&bob));
    /// assert_eq!(e, glicko.expected_score(&ann, &bob));
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    #[must_use]
    pub fn expected_score_by_weight(&self, lead: f64, weight: f64) -> f64 {
        glickman::expected_by_weight(lead * UNITS, weight)
    }

    /// [`expected_score_by_weight`](Self::expected_score_by_weight) of many games at once: the same
    /// numbers to the bit, in a loop without calls that the compiler turns into vectors.
    ///
    /// It goes on to the end of the shortest of the three.
    pub fn expected_scores_by_weight(&self, leads: &[f64], weights: &[f64], out: &mut [f64]) {
        for ((out, lead), weight) in out.iter_mut().zip(leads).zip(weights) {
            *out = glickman::expected_by_weight(lead * UNITS, *weight);
        }
    }
}

impl RatingSystem for Glicko {
    type Rating = GaussianRating;

    fn initial(&self) -> GaussianRating {
        GaussianRating::of(self.params.initial_rating, self.params.initial_deviation)
    }

    /// `E = 1 / (1 + 10^(-g(RD_j) (r_i - r_j) / 400))`, from the opponent's deviation only (Glickman
    /// 1999, eq. 6).
    ///
    /// Complement: the two players' expectations sum to 1 only where both deviations are equal,
    /// which is why EOMM's eq. 11 renormalises them.
    ///
    /// ```
    /// use matchwright_rating::{GaussianRating, Glicko, GlickoParams, RatingSystem};
    ///
    /// let glicko = GlickoParams::default().build()?;
    /// let (ann, bob) = (GaussianRating::new(1700.0, 50.0)?, GaussianRating::new(1500.0, 200.0)?);
    /// let sum = glicko.expected_score(&ann, &bob) + glicko.expected_score(&bob, &ann);
    /// assert_eq!((sum * 1e5).round() / 1e5, 0.96838);
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    fn expected_score(&self, player: &GaussianRating, opponent: &GaussianRating) -> f64 {
        self.expected_score_by_weight(player.rating() - opponent.rating(), Self::weight(opponent))
    }

    #[allow(clippy::inline_always, reason = "a call takes a fifth of the time of a game")]
    #[inline(always)]
    fn win_probability(&self, player: &GaussianRating, opponent: &GaussianRating) -> f64 {
        self.win_probability(player, opponent)
    }

    fn update(
        &self,
        player: &GaussianRating,
        elapsed_periods: f64,
        games: &[GameResult<GaussianRating>],
    ) -> GaussianRating {
        let prior = self.after_inactivity(player, elapsed_periods);
        if games.is_empty() {
            return prior;
        }
        let evidence = Evidence::gather(games, |game| {
            evidence(player, &game.opponent, game.score).for_share(game.share)
        });
        self.after_games(player, &prior, evidence)
    }

    #[inline]
    fn update_pair(
        &self,
        (first, elapsed_first): (&GaussianRating, f64),
        (second, elapsed_second): (&GaussianRating, f64),
        score: Score,
    ) -> (GaussianRating, GaussianRating) {
        let first_now = self.after_inactivity(first, elapsed_first);
        let second_now = self.after_inactivity(second, elapsed_second);
        let of_first = evidence(&first_now, &second_now, score);
        let of_second = evidence(&second_now, &first_now, score.reversed());
        (
            self.after_games(first, &first_now, of_first),
            self.after_games(second, &second_now, of_second),
        )
    }
}

/// What a game says of `player`, whose own deviation does not count.
#[inline]
fn evidence(player: &GaussianRating, opponent: &GaussianRating, score: Score) -> Evidence {
    let lead = player.rating() - opponent.rating();
    Evidence::of_game(lead * UNITS, opponent.deviation() * UNITS, score.value())
}

impl Glicko {
    #[inline]
    fn after_inactivity(&self, player: &GaussianRating, elapsed_periods: f64) -> GaussianRating {
        player.after_inactivity(self.params.c, elapsed_periods, self.params.max_deviation)
    }

    /// From the rating just before the games.
    #[inline]
    fn after_games(
        &self,
        player: &GaussianRating,
        prior: &GaussianRating,
        evidence: Evidence,
    ) -> GaussianRating {
        if prior.is_exact() {
            return *prior;
        }
        let params = &self.params;
        let phi = prior.deviation().min(params.max_deviation) * UNITS;
        let variance = evidence.posterior_variance(phi * phi);
        let change = POINTS * variance * evidence.surplus;
        let rating = prior.rating() + change.clamp(-params.max_change, params.max_change);
        let deviation = (POINTS * variance.sqrt()).min(player.deviation() + params.max_deviation_growth);
        GaussianRating::of(
            rating.clamp(-RATING_LIMIT, RATING_LIMIT),
            deviation.clamp(params.min_deviation, params.max_deviation),
        )
    }
}
