//! [`Averaged`]: a rating system with promotions by a moving average of the rating.

use crate::draw::OutcomeProbabilities;
use crate::error::{ParamError, within};
use crate::ladder::{AverageWindow, MovingAverage};
use crate::limit::RATING_LIMIT;
use crate::score::GameResult;
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::{Member, PlaceProbabilities, ShiftRating, Side, TeamGame, TeamRatingSystem};

/// A rating, what its moving average remembers, and the tier reached.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AveragedRating<R> {
    inner: R,
    window: AverageWindow,
    tier: u32,
}

impl<R> AveragedRating<R> {
    /// A player with a rating of the system inside, whose games leave this `window`, in `tier`.
    pub const fn new(inner: R, window: AverageWindow, tier: u32) -> Self {
        Self { inner, window, tier }
    }

    /// The rating of the system inside.
    #[must_use]
    pub const fn inner(&self) -> &R {
        &self.inner
    }

    /// What the average remembers.
    #[must_use]
    pub const fn window(&self) -> &AverageWindow {
        &self.window
    }

    /// How many thresholds the player was promoted over; 0 at first.
    #[must_use]
    pub const fn tier(&self) -> u32 {
        self.tier
    }
}

impl<R: RatingEstimate> RatingEstimate for AveragedRating<R> {
    /// The rating itself, not its average.
    fn rating(&self) -> f64 {
        self.inner.rating()
    }

    fn deviation(&self) -> Option<f64> {
        self.inner.deviation()
    }

    fn volatility(&self) -> Option<f64> {
        self.inner.volatility()
    }
}

/// Moves the rating inside; window and tier stay.
impl<R: ShiftRating + Clone> ShiftRating for AveragedRating<R> {
    fn shifted(&self, points: f64) -> Self {
        Self {
            inner: self.inner.shifted(points),
            ..self.clone()
        }
    }

    fn set_off(&self, points: f64) -> Self {
        Self {
            inner: self.inner.set_off(points),
            ..self.clone()
        }
    }

    fn with_deviation(&self, deviation: f64) -> Self {
        Self {
            inner: self.inner.with_deviation(deviation),
            ..self.clone()
        }
    }
}

/// The settings of [`Averaged`], unchecked until [`wrap`](Self::wrap).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct AveragedParams {
    /// Which average. Default the simple one over 10 games, the source's best predictor.
    pub average: MovingAverage,
    /// The averages to pass for promotion into tiers 1, 2 and so on, in points of the inner rating, strictly rising.
    /// Default none: only the average is followed.
    pub thresholds: Vec<f64>,
    /// Games before the average counts for promotion. Default 10, so that the simple average is full.
    pub min_games: u32,
}

impl Default for AveragedParams {
    fn default() -> Self {
        Self {
            average: MovingAverage::Simple { games: 10 },
            thresholds: Vec::new(),
            min_games: 10,
        }
    }
}

impl AveragedParams {
    /// `inner` with an average around it, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn wrap<S>(self, inner: S) -> Result<Averaged<S>, ParamError> {
        self.average.check()?;
        let mut above = -RATING_LIMIT;
        for &threshold in &self.thresholds {
            within(
                "thresholds, each above the one before",
                threshold,
                above..=RATING_LIMIT,
            )?;
            above = threshold.next_up();
        }
        Ok(Averaged { inner, params: self })
    }
}

/// A layer that averages the ratings after a player's games and promotes whose average passes a threshold.
///
/// After each period with games the new rating enters the average, once for each game (nothing is known of the rating
/// between the games of one period). Then the tier rises for every threshold that the average is above, if there were
/// `min_games`; it never falls. Idle time changes the inner rating alone. Nothing here feeds back into the rating:
/// `expected_score` and [`RatingEstimate`] are the inner ones.
///
/// So the rating itself can be over a threshold for a while before its owner is promoted: passing with the rating
/// alone means being close.
///
/// Cost: that of the inner system, and of the average. Errors: none.
///
/// ```
/// use matchwright_rating::{AveragedParams, EloParams, GameResult, MovingAverage, RatingSystem, Score};
///
/// let params = AveragedParams {
///     average: MovingAverage::Simple { games: 2 }, thresholds: vec![1525.0], min_games: 2,
/// };
/// let ladder = params.wrap(EloParams::default().build()?)?;
/// let mut ann = ladder.initial();
/// for (average, tier) in [(1516.0, 0), (1523.6, 0), (1538.5, 1)] {
///     ann = ladder.update(&ann, 0.0, &[GameResult::new(ladder.initial(), Score::WIN)]);
///     assert_eq!((ladder.average(&ann).unwrap() * 10.0).round() / 10.0, average);
///     assert_eq!(ann.tier(), tier);
/// }
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Averaged<S> {
    inner: S,
    params: AveragedParams,
}

impl<S> Averaged<S> {
    /// The system inside.
    #[must_use]
    pub const fn inner(&self) -> &S {
        &self.inner
    }

    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &AveragedParams {
        &self.params
    }

    /// The player's moving average, in points of the inner rating; `None` before the first game under this average: of
    /// games that were averaged otherwise nothing is known.
    #[must_use]
    pub fn average<R>(&self, player: &AveragedRating<R>) -> Option<f64> {
        self.params.average.value(&player.window)
    }

    /// How far the average is from the next threshold, negative if above it (too few games yet); `None` before the
    /// first game and in the highest tier.
    #[must_use]
    pub fn points_to_promotion<R>(&self, player: &AveragedRating<R>) -> Option<f64> {
        Some(self.next_threshold(player.tier)? - self.average(player)?)
    }

    fn next_threshold(&self, tier: u32) -> Option<f64> {
        let place = usize::try_from(tier).ok()?;
        self.params.thresholds.get(place).copied()
    }
}

impl<S> Averaged<S> {
    /// The player after this many games, which led to the rating `inner`.
    fn averaged<R: RatingEstimate>(
        &self,
        player: &AveragedRating<R>,
        inner: R,
        games: usize,
    ) -> AveragedRating<R> {
        let mut after = AveragedRating {
            inner,
            window: player.window.clone(),
            tier: player.tier,
        };
        if games == 0 {
            return after;
        }
        let rating = after.inner.rating();
        self.params.average.push(&mut after.window, rating, games);
        if after.window.games() >= u64::from(self.params.min_games) {
            while self
                .points_to_promotion(&after)
                .is_some_and(|points| points < 0.0)
            {
                after.tier += 1;
            }
        }
        after
    }
}

impl<S: RatingSystem> RatingSystem for Averaged<S>
where
    S::Rating: RatingEstimate,
{
    type Rating = AveragedRating<S::Rating>;

    fn initial(&self) -> Self::Rating {
        AveragedRating::new(self.inner.initial(), AverageWindow::default(), 0)
    }

    fn expected_score(&self, player: &Self::Rating, opponent: &Self::Rating) -> f64 {
        self.inner.expected_score(&player.inner, &opponent.inner)
    }

    fn win_probability(&self, player: &Self::Rating, opponent: &Self::Rating) -> f64 {
        self.inner.win_probability(&player.inner, &opponent.inner)
    }

    fn update(
        &self,
        player: &Self::Rating,
        elapsed_periods: f64,
        games: &[GameResult<Self::Rating>],
    ) -> Self::Rating {
        let inner_games: Vec<_> = games
            .iter()
            .map(|game| game.with_opponent(game.opponent.inner.clone()))
            .collect();
        let after = self.inner.update(&player.inner, elapsed_periods, &inner_games);
        self.averaged(player, after, games.len())
    }
}

fn inner<R: Clone>(members: &[Member<AveragedRating<R>>]) -> Vec<Member<R>> {
    let inner = |member: &Member<AveragedRating<R>>| member.with_rating(member.rating.inner.clone());
    members.iter().map(inner).collect()
}

/// Around a system for teams: a game counts for those who took part in it.
impl<S: TeamRatingSystem> TeamRatingSystem for Averaged<S>
where
    S::Rating: RatingEstimate,
{
    type Rating = AveragedRating<S::Rating>;

    fn initial(&self) -> Self::Rating {
        AveragedRating::new(self.inner.initial(), AverageWindow::default(), 0)
    }

    fn after_inactivity(&self, player: &Self::Rating, elapsed_periods: f64) -> Self::Rating {
        let after = self.inner.after_inactivity(&player.inner, elapsed_periods);
        self.averaged(player, after, 0)
    }

    fn outcome_probabilities(
        &self,
        side: &[Member<Self::Rating>],
        opponents: &[Member<Self::Rating>],
    ) -> OutcomeProbabilities {
        self.inner.outcome_probabilities(&inner(side), &inner(opponents))
    }

    fn decided_probabilities(
        &self,
        side: &[Member<Self::Rating>],
        opponents: &[Member<Self::Rating>],
    ) -> OutcomeProbabilities {
        self.inner.decided_probabilities(&inner(side), &inner(opponents))
    }

    fn place_probabilities(&self, sides: &[&[Member<Self::Rating>]]) -> PlaceProbabilities {
        let sides: Vec<_> = sides.iter().map(|side| inner(side)).collect();
        let sides: Vec<&[_]> = sides.iter().map(Vec::as_slice).collect();
        self.inner.place_probabilities(&sides)
    }

    fn update(&self, game: &TeamGame<Self::Rating>) -> Vec<Vec<Self::Rating>> {
        let after = self.inner.update(&game.map(|member| member.rating.inner.clone()));
        let averaged = |(side, after): (&Side<Self::Rating>, Vec<S::Rating>)| {
            let players = side.members.iter().zip(after);
            let averaged = |(member, after): (&Member<Self::Rating>, S::Rating)| {
                self.averaged(&member.rating, after, usize::from(member.share > 0.0))
            };
            players.map(averaged).collect()
        };
        game.sides().iter().zip(after).map(averaged).collect()
    }
}
