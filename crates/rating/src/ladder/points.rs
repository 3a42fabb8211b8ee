//! [`LadderPoints`]: displayed points around a hidden rating.

use std::cmp::Ordering;

use crate::draw::OutcomeProbabilities;
use crate::error::{AMOUNTS, ParamError, RATINGS, within};
use crate::ladder::{BonusPool, BonusPoolParams};
use crate::limit::RATING_LIMIT;
use crate::score::GameResult;
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::{Member, PlaceProbabilities, ShiftRating, Side, TeamGame, TeamRatingSystem};

/// A hidden rating, the points shown for it, and the bonus pool.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointsRating<R> {
    hidden: R,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::error::read::rating"))]
    points: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::error::read::amount"))]
    unspent: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::error::read::amount"))]
    spent: f64,
}

impl<R> PointsRating<R> {
    /// A player with a `hidden` rating who sees `points`, has `unspent` bonus points and `spent` others before.
    ///
    /// # Errors
    /// [`ParamError`] if a number is NaN, beyond [`RATING_LIMIT`], or a part of the pool negative.
    pub fn new(hidden: R, points: f64, unspent: f64, spent: f64) -> Result<Self, ParamError> {
        within("points", points, RATINGS)?;
        within("unspent", unspent, AMOUNTS)?;
        within("spent", spent, AMOUNTS)?;
        Ok(Self {
            hidden,
            points,
            unspent,
            spent,
        })
    }

    /// The rating of the system inside.
    #[must_use]
    pub const fn hidden(&self) -> &R {
        &self.hidden
    }

    /// P, the points displayed; spent bonus points are among them.
    #[must_use]
    pub const fn points(&self) -> f64 {
        self.points
    }

    /// U, the bonus points that the pool still holds.
    #[must_use]
    pub const fn unspent(&self) -> f64 {
        self.unspent
    }

    /// The bonus points among [`points`](Self::points). With `unspent` they are B, all that the pool ever gave, if
    /// none expired.
    #[must_use]
    pub const fn spent(&self) -> f64 {
        self.spent
    }
}

impl<R: RatingEstimate> RatingEstimate for PointsRating<R> {
    /// The hidden rating.
    fn rating(&self) -> f64 {
        self.hidden.rating()
    }

    fn deviation(&self) -> Option<f64> {
        self.hidden.deviation()
    }

    fn volatility(&self) -> Option<f64> {
        self.hidden.volatility()
    }
}

/// Moves the hidden rating; points and pool stay.
impl<R: ShiftRating + Clone> ShiftRating for PointsRating<R> {
    fn shifted(&self, points: f64) -> Self {
        Self {
            hidden: self.hidden.shifted(points),
            ..self.clone()
        }
    }

    fn set_off(&self, points: f64) -> Self {
        Self {
            hidden: self.hidden.set_off(points),
            ..self.clone()
        }
    }

    fn with_deviation(&self, deviation: f64) -> Self {
        Self {
            hidden: self.hidden.with_deviation(deviation),
            ..self.clone()
        }
    }
}

/// The settings of [`LadderPoints`], unchecked until [`wrap`](Self::wrap).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct LadderPointsParams {
    /// The most points that one game moves before any bonus; in (0, 1e6\]. Default 24: the source's average win of 13
    /// and average loss of 11 add up to it.
    pub k: f64,
    /// Points at the start of a season. Default 0.
    pub start: f64,
    /// Points below which no loss takes anyone; at most `start`. Default 0: the source shows no negative points.
    pub floor: f64,
    /// The bonus pool, which starts empty. Default the source's; `None` for none.
    pub bonus: Option<BonusPoolParams>,
}

impl Default for LadderPointsParams {
    fn default() -> Self {
        Self {
            k: 24.0,
            start: 0.0,
            floor: 0.0,
            bonus: Some(BonusPoolParams::default()),
        }
    }
}

impl LadderPointsParams {
    /// `inner` with points around it, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn wrap<S>(self, inner: S) -> Result<LadderPoints<S>, ParamError> {
        within("LadderPointsParams::k", self.k, f64::MIN_POSITIVE..=1e6)?;
        within("LadderPointsParams::start", self.start, RATINGS)?;
        within(
            "LadderPointsParams::floor",
            self.floor,
            -RATING_LIMIT..=self.start,
        )?;
        let bonus = self.bonus.map(BonusPoolParams::build).transpose()?;
        Ok(LadderPoints {
            inner,
            params: self,
            bonus,
        })
    }
}

/// A layer that shows points for a hidden rating, with a bonus pool.
///
/// ```text
/// earned = k (s - E)                               of each game; E the inner system's expected score
/// bonus  = min(unspent, sum of earned over wins)   a win: s > 1/2 and earned > 0
/// P'     = max(floor, P + sum earned + bonus)
/// ```
///
/// The pool accrues for the time before the games, then pays for the wins. The hidden rating is updated as if
/// there were no points; `expected_score` and [`RatingEstimate`] are the inner ones. The floor is applied to the
/// period as a whole, so the order of its games plays no part; a floor never lifts points that were below it.
///
/// Over [`Elo`](crate::Elo) with the same k, and as long as the floor was not touched, P less the bonus spent moves
/// exactly as the hidden rating does: `MMR = P - spent + constant`. That is the source's P + 2 U W - B for
/// an empty pool (U = 0, spent = B).
///
/// Cost: that of the inner system and one expected score a game. Errors: none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LadderPoints<S> {
    inner: S,
    params: LadderPointsParams,
    bonus: Option<BonusPool>,
}

impl<S> LadderPoints<S> {
    /// The system of the hidden rating.
    #[must_use]
    pub const fn inner(&self) -> &S {
        &self.inner
    }

    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &LadderPointsParams {
        &self.params
    }

    /// What the pool holds after this many periods.
    fn accrued<R>(&self, player: &PointsRating<R>, elapsed_periods: f64) -> f64 {
        let accrued = |pool: BonusPool| pool.accrued(player.unspent, elapsed_periods);
        self.bonus.map_or(player.unspent, accrued)
    }

    /// The rating after games that earned `earned` points, `by_wins` of them by wins.
    fn paid<R>(
        &self,
        player: &PointsRating<R>,
        hidden: R,
        unspent: f64,
        [earned, by_wins]: [f64; 2],
    ) -> PointsRating<R> {
        let bonus = self.bonus.map_or(0.0, |pool| pool.spent_on(unspent, by_wins));
        // Points that are below the floor already may stay there, but go no lower.
        let lowest = self.params.floor.min(player.points);
        PointsRating {
            hidden,
            points: (player.points + earned + bonus).clamp(lowest, RATING_LIMIT),
            unspent: unspent - bonus,
            spent: (player.spent + bonus).min(RATING_LIMIT),
        }
    }

    const fn newcomer<R>(&self, hidden: R) -> PointsRating<R> {
        PointsRating {
            hidden,
            points: self.params.start,
            unspent: 0.0,
            spent: 0.0,
        }
    }
}

impl<S: RatingSystem> RatingSystem for LadderPoints<S> {
    type Rating = PointsRating<S::Rating>;

    fn initial(&self) -> Self::Rating {
        self.newcomer(self.inner.initial())
    }

    fn expected_score(&self, player: &Self::Rating, opponent: &Self::Rating) -> f64 {
        self.inner.expected_score(&player.hidden, &opponent.hidden)
    }

    fn win_probability(&self, player: &Self::Rating, opponent: &Self::Rating) -> f64 {
        self.inner.win_probability(&player.hidden, &opponent.hidden)
    }

    fn update(
        &self,
        player: &Self::Rating,
        elapsed_periods: f64,
        games: &[GameResult<Self::Rating>],
    ) -> Self::Rating {
        let (mut earned, mut by_wins) = (0.0, 0.0);
        let mut inner_games = Vec::with_capacity(games.len());
        for game in games {
            let score = game.score.value();
            let points = self.params.k * game.share * (score - self.expected_score(player, &game.opponent));
            earned += points;
            if score > 0.5 {
                by_wins += points.max(0.0);
            }
            inner_games.push(game.with_opponent(game.opponent.hidden.clone()));
        }
        let hidden = self.inner.update(&player.hidden, elapsed_periods, &inner_games);
        self.paid(
            player,
            hidden,
            self.accrued(player, elapsed_periods),
            [earned, by_wins],
        )
    }
}

fn hidden<R: Clone>(members: &[Member<PointsRating<R>>]) -> Vec<Member<R>> {
    let hidden = |member: &Member<PointsRating<R>>| member.with_rating(member.rating.hidden.clone());
    members.iter().map(hidden).collect()
}

/// Around a system for teams: s and E are means over the other sides, and count by each player's share of the game.
impl<S: TeamRatingSystem> TeamRatingSystem for LadderPoints<S> {
    type Rating = PointsRating<S::Rating>;

    fn initial(&self) -> Self::Rating {
        self.newcomer(self.inner.initial())
    }

    fn after_inactivity(&self, player: &Self::Rating, elapsed_periods: f64) -> Self::Rating {
        PointsRating {
            hidden: self.inner.after_inactivity(&player.hidden, elapsed_periods),
            unspent: self.accrued(player, elapsed_periods),
            ..player.clone()
        }
    }

    fn outcome_probabilities(
        &self,
        side: &[Member<Self::Rating>],
        opponents: &[Member<Self::Rating>],
    ) -> OutcomeProbabilities {
        self.inner
            .outcome_probabilities(&hidden(side), &hidden(opponents))
    }

    fn decided_probabilities(
        &self,
        side: &[Member<Self::Rating>],
        opponents: &[Member<Self::Rating>],
    ) -> OutcomeProbabilities {
        self.inner
            .decided_probabilities(&hidden(side), &hidden(opponents))
    }

    fn place_probabilities(&self, sides: &[&[Member<Self::Rating>]]) -> PlaceProbabilities {
        let sides: Vec<_> = sides.iter().map(|side| hidden(side)).collect();
        let sides: Vec<&[_]> = sides.iter().map(Vec::as_slice).collect();
        self.inner.place_probabilities(&sides)
    }

    fn update(&self, game: &TeamGame<Self::Rating>) -> Vec<Vec<Self::Rating>> {
        let inner = game.map(|member| member.rating.hidden.clone());
        let mut after = self.inner.update(&inner).into_iter();
        let paid = |(place, side): (usize, &Side<Self::Rating>)| {
            let own = &inner.sides()[place];
            let (mut score, mut expected) = (0.0, 0.0);
            for (_, other) in inner.sides().iter().enumerate().filter(|(at, _)| *at != place) {
                let chances = self.inner.outcome_probabilities(&own.members, &other.members);
                expected += chances.expected_score();
                score += match own.place.cmp(&other.place) {
                    Ordering::Less => 1.0,
                    Ordering::Equal => 0.5,
                    Ordering::Greater => 0.0,
                };
            }
            let others = (inner.sides().len() - 1) as f64;
            let earned = self.params.k * (score - expected) / others;
            let by_wins = if 2.0 * score > others {
                earned.max(0.0)
            } else {
                0.0
            };
            // The answer has the shape of its game.
            let players = side.members.iter().zip(after.next().unwrap_or_default());
            let paid = |(member, hidden): (&Member<Self::Rating>, S::Rating)| {
                let earned = [earned, by_wins].map(|points| member.share * points);
                self.paid(&member.rating, hidden, member.rating.unspent, earned)
            };
            players.map(paid).collect()
        };
        game.sides().iter().enumerate().map(paid).collect()
    }
}
