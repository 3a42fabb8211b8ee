//! [`MarginWeight`]: updates weighted by the margin of a win, or by how well each player did.

use crate::error::{ParamError, within};
use crate::score::Score;
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::{ShiftRating, TeamGame, TeamRatingSystem};

/// The largest weight of an update.
const MOST: f64 = 10.0;

/// What lies `weight` of the way from the rating `before` an update to that `after` it; beyond it for weights above 1.
///
/// ```text
/// r' = r + weight (r_after - r)          deviation' = deviation (deviation_after / deviation)^weight
/// ```
///
/// For Elo that is K times the weight. In Bayesian systems a game counts as `weight` games: precision grows in about that
/// proportion, while a volatility is that of the whole update. 0 gives `before` and 1 `after` to the bit. Weights
/// outside \[0, 10\] count as the nearer end, NaN as 1.
///
/// ```
/// use matchwright_rating::{EloParams, EloRating, GameResult, RatingSystem, Score, weighted_update};
///
/// let elo = EloParams::default().build()?;
/// let before = EloRating::new(1500.0)?;
/// let after = elo.update(&before, 0.0, &[GameResult::new(before, Score::WIN)]);
/// assert_eq!(weighted_update(&before, &after, 1.5).value(), 1524.0);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[must_use]
pub fn weighted_update<R: RatingEstimate + ShiftRating + Clone>(before: &R, after: &R, weight: f64) -> R {
    if weight <= 0.0 {
        return before.clone();
    }
    if weight == 1.0 || weight.is_nan() {
        return after.clone();
    }
    let rest = weight.min(MOST) - 1.0;
    let moved = after.shifted(rest * (after.rating() - before.rating()));
    match (before.deviation(), after.deviation()) {
        (Some(from), Some(to)) if from > 0.0 && to > 0.0 => moved.with_deviation(to * (to / from).powf(rest)),
        _ => moved,
    }
}

/// The ratings after `game`, each player's update weighted by `weights`, side by side and member by member.
///
/// A weight is how much of the game's lesson is taken for the player: above 1 for who did more than the others to win or
/// lose it, below 1 for who did less. Players without a weight have 1. Cost: an update.
///
/// ```
/// use matchwright_rating::{Side, TeamGame, TeamRatingSystem, TrueSkillParams, update_game_weighted};
///
/// let system = TrueSkillParams::default().build()?;
/// let new = system.initial();
/// let game = TeamGame::new(vec![Side::new(1, [new, new]), Side::new(2, [new, new])])?;
/// let after = update_game_weighted(&system, &game, &[vec![1.4, 0.6], vec![]]);
/// assert!(after[0][0].rating() > after[0][1].rating());
/// assert_eq!(after[1], system.update(&game)[1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn update_game_weighted<S>(
    system: &S,
    game: &TeamGame<S::Rating>,
    weights: &[Vec<f64>],
) -> Vec<Vec<S::Rating>>
where
    S: TeamRatingSystem + ?Sized,
    S::Rating: RatingEstimate + ShiftRating,
{
    let mut after = system.update(game);
    for ((side, weights), after) in game.sides().iter().zip(weights).zip(&mut after) {
        for ((member, weight), rating) in side.members.iter().zip(weights).zip(after) {
            *rating = weighted_update(&member.rating, rating, *weight);
        }
    }
    after
}

/// How much a game counts for its margin (goals, points, rounds).
///
/// Predictions stay those of wins: unlike a graded [`Score`], a weight does not change what a rating expects.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum MarginWeight {
    /// For a win by m of a winner rated `lead` points above the loser (negative if below)
    ///
    /// ```text
    /// ln(1 + m) / ln(1 + typical) * damping / (damping + lead)
    /// ```
    ///
    /// The second factor corrects that favourites win by more: without it their ratings run away. Silver and
    /// Fischer-Baum, "Introducing NFL Elo ratings", fivethirtyeight.com, 2014, with a damping of 2200 points. A draw has
    /// weight 1.
    Logarithmic {
        /// The margin that has weight 1 between equals; from 1e-3 to 1e6.
        typical: f64,
        /// In points, from 1 to 1e9; leads count from minus half of it.
        damping: f64,
    },
    /// 1 for a draw or a win by up to 1, 3/2 by 2, (11 + m) / 8 by m of 3 and more, straight lines between.
    ///
    /// World Football Elo Ratings (eloratings.net, "About"), the goal index.
    WorldFootball,
}

impl MarginWeight {
    /// The same weights, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn checked(self) -> Result<Self, ParamError> {
        if let Self::Logarithmic { typical, damping } = self {
            within("typical", typical, 1e-3..=1e6)?;
            within("damping", damping, 1.0..=1e9)?;
        }
        Ok(self)
    }

    /// The weight of a game won by `margin` (0 for a draw; the sign does not count), the winner `lead` points above the
    /// loser; in \[0, 10\]. NaN has weight 1.
    #[must_use]
    pub fn weight(&self, margin: f64, lead: f64) -> f64 {
        let m = margin.abs();
        let weight = match *self {
            Self::Logarithmic { .. } if m == 0.0 => 1.0,
            Self::Logarithmic { typical, damping } => {
                m.ln_1p() / typical.ln_1p() * damping / (damping + lead.max(-0.5 * damping))
            }
            Self::WorldFootball if m <= 1.0 => 1.0,
            Self::WorldFootball if m <= 2.0 => 0.5 + 0.5 * m,
            Self::WorldFootball if m <= 3.0 => 1.0 + 0.25 * m,
            Self::WorldFootball => (11.0 + m) / 8.0,
        };
        if weight.is_nan() { 1.0 } else { weight.min(MOST) }
    }

    /// The weight of a game that ended with `score` and `margin` for its first side, rated `lead` points above the second, home
    /// advantage included. A draw has weight 1, and so has a win of unknown margin.
    #[must_use]
    pub fn of_game(&self, score: Score, margin: f64, lead: f64) -> f64 {
        match score {
            Score::WIN => self.weight(margin, lead),
            Score::LOSS => self.weight(margin, -lead),
            _ => 1.0,
        }
    }

    /// Both ratings after a game that the first player won by `margin`, lost by it if it is negative, and drew if it is 0
    /// (or NaN); with each player come the periods since that player's own last update, as in
    /// [`RatingSystem::update_pair`].
    ///
    /// ```
    /// use matchwright_rating::{EloParams, EloRating, MarginWeight};
    ///
    /// // Germany beat Brazil by 7:1 in 2014; K is 60 at a World Cup.
    /// let elo = EloParams { k: 60.0, ..EloParams::default() }.build()?;
    /// let equal = EloRating::new(2000.0)?;
    /// let (winner, loser) =
    ///     MarginWeight::WorldFootball.update_pair(&elo, (&equal, 0.0), (&equal, 0.0), 6.0);
    /// assert_eq!((winner.value(), loser.value()), (2063.75, 1936.25));
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    pub fn update_pair<S>(
        &self,
        system: &S,
        first: (&S::Rating, f64),
        second: (&S::Rating, f64),
        margin: f64,
    ) -> (S::Rating, S::Rating)
    where
        S: RatingSystem + ?Sized,
        S::Rating: RatingEstimate + ShiftRating,
    {
        let score = if margin > 0.0 {
            Score::WIN
        } else if margin < 0.0 {
            Score::LOSS
        } else {
            Score::DRAW
        };
        let [first_now, second_now] =
            [first, second].map(|(rating, elapsed)| system.update(rating, elapsed, &[]));
        let lead = (first_now.rating() - second_now.rating()) * if margin < 0.0 { -1.0 } else { 1.0 };
        let weight = self.weight(margin, lead);
        let after = system.update_pair(first, second, score);
        (
            weighted_update(&first_now, &after.0, weight),
            weighted_update(&second_now, &after.1, weight),
        )
    }

    /// The ratings after `game`, which the side in first place won by `margin`: every update has the weight of that margin
    /// for a lead between the mean ratings of the best and the second side.
    ///
    /// For games of two sides; of more, the margin is that between the first two places.
    pub fn update_game<S>(&self, system: &S, game: &TeamGame<S::Rating>, margin: f64) -> Vec<Vec<S::Rating>>
    where
        S: TeamRatingSystem + ?Sized,
        S::Rating: RatingEstimate + ShiftRating,
    {
        let mut sides: Vec<_> = game.sides().iter().collect();
        sides.sort_by_key(|side| side.place);
        let level = |index: usize| {
            let members = &sides[index].members;
            members.iter().map(|member| member.rating.rating()).sum::<f64>() / members.len() as f64
        };
        let weight = self.weight(margin, level(0) - level(1));
        let weights: Vec<Vec<f64>> = game
            .sides()
            .iter()
            .map(|side| vec![weight; side.members.len()])
            .collect();
        update_game_weighted(system, game, &weights)
    }
}

/// How much a player's own performance in a team changes what a game counts for that player.
///
/// ```text
/// z = (performance - mean of the side) / s        s: standard deviation within sides, of the whole game
/// weight = 1 + w z    for a rating that rises          1 - w z    for one that falls          within [0, 10]
/// ```
///
/// Who did most for a side gains most when it wins, and loses least when it loses. Performances are compared within sides
/// alone, so that any measure will do whose higher values are better (kills, points); players alone on a side have weight 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerformanceWeight(f64);

impl PerformanceWeight {
    /// Every player learns alike.
    pub const NONE: Self = Self(0.0);

    /// The weight w, in \[0, 10\].
    ///
    /// # Errors
    /// [`ParamError`] if it is out of range.
    pub fn new(weight: f64) -> Result<Self, ParamError> {
        within("performance", weight, 0.0..=10.0).map(Self)
    }

    /// Weighs the update from `game` to the ratings `after` it by `performances`, side by side and member by member; `None`
    /// where a performance is unknown, which has weight 1, as have all where nobody differs from the mean. O(members).
    ///
    /// ```
    /// use matchwright_rating::{PerformanceWeight, Side, TeamGame, TeamRatingSystem, TrueSkillParams};
    ///
    /// let system = TrueSkillParams::default().build()?;
    /// let new = system.initial();
    /// let game = TeamGame::new(vec![Side::new(1, [new, new]), Side::new(2, [new, new])])?;
    /// let mut after = system.update(&game);
    /// let kills = [[Some(14.0), Some(3.0)], [Some(9.0), Some(9.0)]].map(Vec::from);
    /// PerformanceWeight::new(0.5)?.apply(&game, &kills, &mut after);
    /// assert!(after[0][0].rating() > after[0][1].rating());
    /// assert_eq!(after[1], system.update(&game)[1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply<R>(&self, game: &TeamGame<R>, performances: &[Vec<Option<f64>>], after: &mut [Vec<R>])
    where
        R: RatingEstimate + ShiftRating + Clone,
    {
        let means: Vec<f64> = performances.iter().map(|side| mean(side)).collect();
        let each = performances.iter().zip(&means);
        let gaps = each.flat_map(|(side, mean)| side.iter().flatten().map(move |one| one - mean));
        let (count, squares) = gaps.fold((0_usize, 0.0), |(n, sum), gap| (n + 1, sum + gap * gap));
        let known = performances
            .iter()
            .filter(|side| side.iter().any(Option::is_some));
        let freedom = count - known.count();
        if self.0 == 0.0 || freedom == 0 || squares == 0.0 {
            return;
        }
        let deviation = (squares / freedom as f64).sqrt();
        let sides = game.sides().iter().zip(performances).zip(means).zip(after);
        for (((side, performances), mean), after) in sides {
            for ((member, performance), after) in side.members.iter().zip(performances).zip(after) {
                let Some(performance) = performance else { continue };
                let z = (performance - mean) / deviation;
                let rises = after.rating() >= member.rating.rating();
                let weight = if rises { 1.0 + self.0 * z } else { 1.0 - self.0 * z };
                *after = weighted_update(&member.rating, after, weight);
            }
        }
    }
}

/// Mean of what is known; NaN of nothing.
fn mean(performances: &[Option<f64>]) -> f64 {
    let (sum, count) = (performances.iter().flatten()).fold((0.0, 0.0), |(sum, n), one| (sum + one, n + 1.0));
    sum / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upset_by_the_same_margin_counts_more_whichever_side_it_is_of() {
        let by = MarginWeight::Logarithmic {
            typical: 2.0,
            damping: 2200.0,
        };
        let [expected, upset] = [300.0, -300.0].map(|lead| by.of_game(Score::WIN, 2.0, lead));
        assert!(expected < 1.0 && upset > 1.0, "{expected} {upset}");
        assert_eq!(by.of_game(Score::LOSS, -2.0, -300.0), expected);
        assert_eq!(by.of_game(Score::LOSS, -2.0, 300.0), upset);
        assert_eq!(by.of_game(Score::DRAW, 0.0, 300.0), 1.0);
        assert_eq!(by.of_game(Score::WIN, 0.0, 300.0), 1.0);
    }
}
