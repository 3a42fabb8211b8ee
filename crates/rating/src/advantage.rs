//! [`HomeAdvantage`]: the advantage of one side (at home, moving first, first pick) in points, and its fit.

use thiserror::Error;

use crate::error::{ParamError, within};
use crate::limit::RATING_LIMIT;
use crate::score::{GameResult, Score};
use crate::system::RatingSystem;
use crate::team::{Member, ShiftRating, TeamGame, TeamRatingSystem};

/// How much better the first player is for being first, in rating points; negative if it is a burden.
///
/// The first player is seen as `points` stronger for this game alone:
///
/// ```text
/// E(first, second) = E(r_1 + points, r_2)
/// ```
///
/// It wraps no system but a game, so that it goes with every one; for sides there is
/// [`raise_side`](Self::raise_side). In chess white's advantage is some 35 Elo points; what it is in a
/// list of games, [`fit_home_advantage`] says.
///
/// ```
/// use matchwright_rating::{EloParams, EloRating, HomeAdvantage, Score};
///
/// let elo = EloParams::default().build()?;
/// let white_first = HomeAdvantage::new(35.0)?;
/// let (white, black) = (EloRating::new(1500.0)?, EloRating::new(1500.0)?);
/// assert_eq!((white_first.expected_score(&elo, &white, &black) * 100.0).round(), 55.0);
/// // A draw is a little success for black.
/// let (white, black) = white_first.update_pair(&elo, (&white, 0.0), (&black, 0.0), Score::DRAW);
/// assert!(white.value() < 1500.0 && black.value() > 1500.0);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct HomeAdvantage(f64);

impl HomeAdvantage {
    /// No advantage.
    pub const NONE: Self = Self(0.0);

    /// An advantage of `points`.
    ///
    /// # Errors
    /// [`ParamError`] if `points` is NaN or beyond 10,000 either way.
    pub fn new(points: f64) -> Result<Self, ParamError> {
        within("HomeAdvantage", points, -1e4..=1e4).map(Self)
    }

    /// The advantage in points.
    #[must_use]
    pub const fn points(&self) -> f64 {
        self.0
    }

    /// The score that the first player should expect.
    pub fn expected_score<S>(&self, system: &S, first: &S::Rating, second: &S::Rating) -> f64
    where
        S: RatingSystem + ?Sized,
        S::Rating: ShiftRating,
    {
        system.expected_score(first, &second.shifted(-self.0))
    }

    /// The score that the second player should expect.
    pub fn expected_score_of_second<S>(&self, system: &S, first: &S::Rating, second: &S::Rating) -> f64
    where
        S: RatingSystem + ?Sized,
        S::Rating: ShiftRating,
    {
        system.expected_score(second, &first.shifted(self.0))
    }

    /// Both ratings after a game that ended with `score` for the first player, as by [`RatingSystem::update_pair`];
    /// with each player come the periods since that player's own last update.
    pub fn update_pair<S>(
        &self,
        system: &S,
        first: (&S::Rating, f64),
        second: (&S::Rating, f64),
        score: Score,
    ) -> (S::Rating, S::Rating)
    where
        S: RatingSystem + ?Sized,
        S::Rating: ShiftRating,
    {
        let [first_now, second_now] =
            [first, second].map(|(rating, elapsed)| system.update(rating, elapsed, &[]));
        // Each is rated against the other as strong as in this game, so that no rating of its own moves.
        let seen_by_first = GameResult::new(second_now.shifted(-self.0), score);
        let seen_by_second = GameResult::new(first_now.shifted(self.0), score.reversed());
        (
            system.update(first.0, first.1, &[seen_by_first]),
            system.update(second.0, second.1, &[seen_by_second]),
        )
    }

    /// The ratings after a game of sides in which the side at position `first` had the advantage: the others see its
    /// members as that much stronger, and they see all others as that much weaker.
    ///
    /// So nobody's own rating is moved and moved back. No side has it if there is none at that position. Cost: two
    /// updates.
    pub fn update_game<S>(&self, system: &S, game: &TeamGame<S::Rating>, first: usize) -> Vec<Vec<S::Rating>>
    where
        S: TeamRatingSystem + ?Sized,
        S::Rating: ShiftRating,
    {
        if *self == Self::NONE || first >= game.sides().len() {
            return system.update(game);
        }
        let seen = |of_first: f64, of_others: f64| {
            system.update(&game.map_seats(|side, _, member| {
                let points = if side == first { of_first } else { of_others };
                member.rating.shifted(points)
            }))
        };
        let mut after = seen(self.0, 0.0);
        if let (Some(own), Some(seen_by_first)) = (after.get_mut(first), seen(0.0, -self.0).get_mut(first)) {
            std::mem::swap(own, seen_by_first);
        }
        after
    }

    /// A first side with every member that much stronger, for
    /// [`TeamRatingSystem::outcome_probabilities`].
    #[must_use]
    pub fn raise_side<R: ShiftRating>(&self, members: &[Member<R>]) -> Vec<Member<R>> {
        let raise = |member: &Member<R>| member.with_rating(member.rating.shifted(self.0));
        members.iter().map(raise).collect()
    }
}

impl TryFrom<f64> for HomeAdvantage {
    type Error = ParamError;

    fn try_from(points: f64) -> Result<Self, ParamError> {
        Self::new(points)
    }
}

impl From<HomeAdvantage> for f64 {
    fn from(advantage: HomeAdvantage) -> Self {
        advantage.0
    }
}

/// Why an advantage could not be fitted.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum AdvantageError {
    /// There are no games.
    #[error("no games to fit an advantage to: give some hundreds")]
    NoGames,
    /// First players won all games, or lost all.
    #[error(
        "the first players won all {games} games, or lost all, so that an advantage would have no bound: where a file names winners first, fit none; else give more games"
    )]
    OneWay {
        /// How many there are.
        games: usize,
    },
    /// A lead is no number, or beyond what ratings can be.
    #[error("game {game}: the first player leads by {lead} points; give a number from -2e9 to 2e9")]
    Lead {
        /// Where in the input, from 0.
        game: usize,
        /// What was given.
        lead: f64,
    },
    /// All games were as good as decided by the leads.
    #[error(
        "the leads, on a scale of {log_odds_per_point} per point, leave nothing open that an advantage could have decided: \
         check the scale, and give games of closer players"
    )]
    NothingOpen {
        /// Log odds that a point of lead is worth, as given.
        log_odds_per_point: f64,
    },
    /// The scale is no scale.
    #[error(transparent)]
    Scale(#[from] ParamError),
}

/// The first player's advantage in points, and its standard error.
///
/// ```text
/// ln odds(first wins) = scale (lead + advantage)          advantage by maximum likelihood
/// ```
///
/// Each game is the first player's lead before it, in points, and the first player's score; a draw counts as half a
/// win. The scale is the system's, ln 10 / 400 for Elo's curve. Newton's method; the likelihood has one
/// maximum. Cost: some ten passes over the games. The error is that of games that end in a win; drawn games
/// vary less, so with many of them it is too large.
///
/// # Errors
/// [`AdvantageError`].
///
/// ```
/// use matchwright_rating::{Score, fit_home_advantage};
///
/// // Between equals the first player scores 55 of 100.
/// let mut games = vec![(0.0, Score::WIN); 55];
/// games.extend([(0.0, Score::LOSS); 45]);
/// let (points, error) = fit_home_advantage(&games, 10_f64.ln() / 400.0)?;
/// assert_eq!((points.round(), error.round()), (35.0, 35.0));
/// # Ok::<(), matchwright_rating::AdvantageError>(())
/// ```
pub fn fit_home_advantage(
    games: &[(f64, Score)],
    log_odds_per_point: f64,
) -> Result<(f64, f64), AdvantageError> {
    within(
        "log_odds_per_point",
        log_odds_per_point,
        f64::MIN_POSITIVE..=f64::MAX,
    )?;
    let leads = -2.0 * RATING_LIMIT..=2.0 * RATING_LIMIT;
    if let Some(game) = games.iter().position(|(lead, _)| !leads.contains(lead)) {
        let lead = games[game].0;
        return Err(AdvantageError::Lead { game, lead });
    }
    let Some((_, first)) = games.first() else {
        return Err(AdvantageError::NoGames);
    };
    let sure = [Score::WIN, Score::LOSS].contains(first);
    if sure && games.iter().all(|(_, score)| score == first) {
        return Err(AdvantageError::OneWay { games: games.len() });
    }
    // In log odds. The surplus falls as the advantage rises, so its zero lies within a bracket.
    let surplus = |advantage: f64| {
        let terms = games.iter().map(|(lead, score)| {
            let p = crate::sigmoid::logistic(log_odds_per_point * lead + advantage);
            (score.value() - p, p * (1.0 - p))
        });
        terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
    };
    let farthest = games.iter().fold(0.0_f64, |far, (lead, _)| {
        far.max((log_odds_per_point * lead).abs())
    });
    // This far out every p is beyond the mean score, which neither all won nor all lost games have.
    let won: f64 = games.iter().map(|(_, score)| score.value()).sum();
    let lost: f64 = games.iter().map(|(_, score)| score.reversed().value()).sum();
    let end = (farthest + (won / lost).ln().abs() + 1e-6).min(1e300);
    let (mut low, mut high) = (-end, end);
    let mut advantage = 0.0;
    for _ in 0..200 {
        let (value, information) = surplus(advantage);
        if value > 0.0 {
            low = advantage;
        } else {
            high = advantage;
        }
        let newton = advantage + value / information;
        // Where Newton's step leaves the bracket (or is no number), the middle is tried instead.
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        let moved = (next - advantage).abs();
        advantage = next;
        if moved <= 1e-12 * (1.0 + advantage.abs()) {
            break;
        }
    }
    let error = 1.0 / surplus(advantage).1.sqrt();
    let points = [advantage, error].map(|value| value / log_odds_per_point);
    if points.iter().any(|value| !value.is_finite()) {
        return Err(AdvantageError::NothingOpen { log_odds_per_point });
    }
    Ok((points[0], points[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EloParams, EloRating, GaussianRating, Glicko2Params, Glicko2Rating, GlickoParams};
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    #[test]
    fn expectations_with_an_advantage_still_sum_to_one_and_elo_still_only_moves_points()
    -> Result<(), ParamError> {
        let elo = EloParams::default().build()?;
        let (a, b) = (EloRating::new(1500.0)?, EloRating::new(1700.0)?);
        let home = HomeAdvantage::new(60.0)?;
        let (first, second) = (
            home.expected_score(&elo, &a, &b),
            home.expected_score_of_second(&elo, &a, &b),
        );
        assert_relative_eq!(first + second, 1.0, epsilon = 1e-12);
        let (after_a, after_b) = home.update_pair(&elo, (&a, 0.0), (&b, 0.0), Score::WIN);
        assert_relative_eq!(after_a.value() - 1500.0, 1700.0 - after_b.value(), epsilon = 1e-9);
        assert_relative_eq!(after_a.value() - 1500.0, 32.0 * (1.0 - first), epsilon = 1e-9);
        Ok(())
    }

    #[test]
    fn a_home_side_is_raised_for_the_game_alone() -> Result<(), Box<dyn std::error::Error>> {
        use crate::{FixedDraw, Side, TeamAdapter, TeamSkill};
        let teams = TeamAdapter::new(EloParams::default().build()?, TeamSkill::Mean, FixedDraw::EOMM);
        let elo = |value| EloRating::new(value);
        let away = Member::new(elo(1500.0)?).for_share(0.0);
        let side = Side::of_members(1, vec![Member::new(elo(1500.0)?), away]);
        let game = TeamGame::new(vec![Side::new(1, [elo(1600.0)?]), side])?;
        // A hundred points of advantage make up for a hundred of rating, and a draw moves nothing.
        let home = HomeAdvantage::new(100.0)?;
        let after = home.update_game(&teams, &game, 1);
        assert_relative_eq!(after[0][0].value(), 1600.0, epsilon = 1e-9);
        assert_relative_eq!(after[1][0].value(), 1500.0, epsilon = 1e-9);
        assert_eq!(after[1][1].value(), 1500.0);
        assert_eq!(home.update_game(&teams, &game, 7), teams.update(&game));
        Ok(())
    }

    #[test]
    fn no_advantage_changes_nothing() -> Result<(), ParamError> {
        let system = Glicko2Params::default().build()?;
        let (a, b) = (Glicko2Rating::new(1500.0, 90.0, 0.06)?, system.initial());
        let pair = HomeAdvantage::NONE.update_pair(&system, (&a, 2.0), (&b, 0.0), Score::WIN);
        assert_eq!(pair.0, system.update(&a, 2.0, &[GameResult::new(b, Score::WIN)]));
        assert_eq!(pair, system.update_pair((&a, 2.0), (&b, 0.0), Score::WIN));
        assert!(HomeAdvantage::new(f64::NAN).is_err());
        Ok(())
    }

    proptest! {
        #[test]
        fn the_fit_is_where_surplus_vanishes_and_its_sign_changes(
            games in proptest::collection::vec((-2000.0..2000.0, 0_u8..3), 2..60),
        ) {
            let scale = 0.005;
            let games: Vec<(f64, Score)> = games
                .into_iter()
                .map(|(lead, score)| (lead, [Score::LOSS, Score::DRAW, Score::WIN][usize::from(score)]))
                .collect();
            match fit_home_advantage(&games, scale) {
                Ok((points, error)) => {
                    let surplus = |points: f64| -> f64 {
                        let p = |lead: f64| 1.0 / (1.0 + (-scale * (lead + points)).exp());
                        games.iter().map(|(lead, score)| score.value() - p(*lead)).sum()
                    };
                    prop_assert!(surplus(points - 0.01) >= 0.0 && surplus(points + 0.01) <= 0.0);
                    prop_assert!(error > 0.0 && error.is_finite());
                }
                Err(refused) => {
                    let same = games.iter().all(|game| game.1 == games[0].1);
                    prop_assert!(same);
                    prop_assert_eq!(refused, AdvantageError::OneWay { games: games.len() });
                }
            }
        }
    }

    #[test]
    fn graded_scores_near_a_win_put_the_advantage_as_far_as_it_is() {
        for score in [0.99, 0.01, 0.999_999, 1e-9] {
            let (points, error) = fit_home_advantage(&[(0.0, Score::new(score).unwrap())], 1.0).unwrap();
            assert_relative_eq!(points, (score / (1.0 - score)).ln(), max_relative = 1e-6);
            let information = score * (1.0 - score);
            assert_relative_eq!(error, information.sqrt().recip(), max_relative = 1e-4);
        }
        // Together with a lead, and games that are as good as lost.
        let games = [(-30.0, Score::new(0.9).unwrap()), (-30.0, Score::WIN)];
        let (points, _) = fit_home_advantage(&games, 1.0).unwrap();
        assert_relative_eq!(points, 30.0 + 19.0_f64.ln(), max_relative = 1e-9);
    }

    #[test]
    fn both_players_have_aged_when_they_meet() -> Result<(), ParamError> {
        // Glickman's formulas by hand: RD = min(sqrt(50^2 + 63.2^2 * 30), 350) = 349.8 for both.
        let glicko = GlickoParams::default().build()?;
        let before = GaussianRating::new(1500.0, 50.0)?;
        let q = 10_f64.ln() / 400.0;
        let rd = (50.0_f64.powi(2) + 63.2_f64.powi(2) * 30.0).sqrt().min(350.0);
        let g = 1.0 / (1.0 + 3.0 * (q * rd / std::f64::consts::PI).powi(2)).sqrt();
        let precision = 1.0 / rd.powi(2) + q * q * g * g * 0.25;
        let home = HomeAdvantage::NONE.update_pair(&glicko, (&before, 30.0), (&before, 30.0), Score::WIN);
        for (winner, loser) in [
            home,
            glicko.update_pair((&before, 30.0), (&before, 30.0), Score::WIN),
        ] {
            assert_relative_eq!(winner.rating(), 1500.0 + q / precision * g * 0.5, epsilon = 1e-9);
            assert_relative_eq!(loser.rating(), 3000.0 - winner.rating(), epsilon = 1e-9);
            assert_relative_eq!(winner.deviation(), precision.sqrt().recip(), epsilon = 1e-9);
        }
        Ok(())
    }

    #[test]
    fn leads_that_leave_nothing_open_are_refused() {
        let games = [(2e9, Score::LOSS), (-2e9, Score::WIN)];
        assert_eq!(
            fit_home_advantage(&games, 0.005),
            Err(AdvantageError::NothingOpen {
                log_odds_per_point: 0.005
            })
        );
        for lead in [1e308, -3e9, f64::INFINITY] {
            let games = [(0.0, Score::LOSS), (lead, Score::WIN)];
            assert_eq!(
                fit_home_advantage(&games, 0.005),
                Err(AdvantageError::Lead { game: 1, lead })
            );
        }
    }

    #[test]
    fn what_has_no_advantage_is_refused_with_the_reason() {
        assert_eq!(fit_home_advantage(&[], 0.005), Err(AdvantageError::NoGames));
        let won = [(0.0, Score::WIN); 3];
        assert_eq!(
            fit_home_advantage(&won, 0.005),
            Err(AdvantageError::OneWay { games: 3 })
        );
        let bad = [(0.0, Score::WIN), (f64::NAN, Score::LOSS)];
        assert!(matches!(
            fit_home_advantage(&bad, 0.005),
            Err(AdvantageError::Lead { game: 1, .. })
        ));
        for scale in [0.0, f64::NAN, f64::INFINITY, -1.0] {
            assert!(matches!(
                fit_home_advantage(&won, scale),
                Err(AdvantageError::Scale(_))
            ));
        }
    }
}
