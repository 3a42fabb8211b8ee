//! [`Laws`]: each law of a [`RatingSystem`] as a method that returns nothing or the violation.
//!
//! Comparisons allow for rounding: 1e-9 of the size of the numbers compared. Where a law says
//! "nothing changes" or "the same", it means the same bits.

use crate::laws::LawViolation;
use crate::score::{GameResult, Score};
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::ShiftRating;

/// What a law returns.
pub(super) type Verdict = Result<(), LawViolation>;

/// Rounding that a comparison forgives, relative to the numbers' size (at least 1).
pub(super) const TOLERANCE: f64 = 1e-9;

pub(super) fn slack(a: f64, b: f64) -> f64 {
    TOLERANCE * a.abs().max(b.abs()).max(1.0)
}

/// a <= b but for rounding; false if either is NaN.
pub(super) fn at_most(a: f64, b: f64) -> bool {
    a <= b + slack(a, b)
}

pub(super) fn close(a: f64, b: f64) -> bool {
    at_most(a, b) && at_most(b, a)
}

/// The same point and deviation, but for rounding.
pub(super) fn same_estimate<R: RatingEstimate>(a: &R, b: &R) -> bool {
    let deviations = match (a.deviation(), b.deviation()) {
        (Some(x), Some(y)) => close(x, y),
        (None, None) => true,
        _ => false,
    };
    close(a.rating(), b.rating()) && deviations
}

/// The rating and the deviation are finite, and the deviation is not negative.
pub(super) fn is_sound<R: RatingEstimate>(player: &R) -> bool {
    player.rating().is_finite() && player.deviation().is_none_or(|d| d.is_finite() && d >= 0.0)
}

pub(super) fn require(holds: bool, law: &'static str, detail: impl FnOnce() -> String) -> Verdict {
    if holds {
        Ok(())
    } else {
        Err(LawViolation {
            law,
            detail: detail(),
        })
    }
}

/// Lengths of games that are compared, each with the next.
pub(super) const LENGTHS: [f64; 8] = [1.0, 0.9, 0.5, 0.2, 0.1, 0.01, 1e-4, 1e-6];

/// That `player`, who is rated `after` games of these [`LENGTHS`], is no surer after a shorter one, and learns next to nothing
/// in the end.
pub(super) fn says_less<R: RatingEstimate + std::fmt::Debug>(
    law: &'static str,
    player: &R,
    after: &[R; LENGTHS.len()],
) -> Verdict {
    let step = |rating: &R| (rating.rating() - player.rating()).abs();
    for (pair, length) in after.windows(2).zip(&LENGTHS[1..]) {
        let deviations = pair[0].deviation().zip(pair[1].deviation());
        let holds = deviations.is_none_or(|(longer, shorter)| at_most(longer, shorter));
        require(holds, law, || {
            format!(
                "{player:?} is {:?} after a game of length {length} and {:?} after a longer one",
                pair[1], pair[0]
            )
        })?;
    }
    let [whole, .., least] = after;
    require(at_most(step(least), 0.01 * step(whole)), law, || {
        format!("{player:?} is {whole:?} after a whole game and {least:?} after a millionth of one")
    })
}

/// Many games make unreadable messages: the first few and the count do.
fn show<R: std::fmt::Debug>(games: &[GameResult<R>]) -> String {
    let shown = &games[..games.len().min(8)];
    format!("{} games {shown:?}", games.len())
}

/// A system for two players and its laws, each a method.
#[derive(Debug)]
pub struct Laws<'a, S: ?Sized>(pub &'a S);

impl<S: RatingSystem + ?Sized> Laws<'_, S> {
    /// 0 <= E(a, b) <= 1, never NaN.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn expected_score_is_a_probability(&self, a: &S::Rating, b: &S::Rating) -> Verdict {
        let e = self.0.expected_score(a, b);
        require(
            (0.0..=1.0).contains(&e),
            "expected_score_is_a_probability",
            || format!("{a:?} expects {e} against {b:?}"),
        )
    }

    /// 0 <= P(a wins) <= 1 for a decided game, never NaN, and 1/2 against an equal.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn a_forecast_is_a_probability(&self, a: &S::Rating, b: &S::Rating) -> Verdict {
        let (p, even) = (self.0.win_probability(a, b), self.0.win_probability(a, a));
        let holds = (0.0..=1.0).contains(&p) && close(even, 0.5);
        require(holds, "a_forecast_is_a_probability", || {
            format!("{a:?} wins with {p} against {b:?}, and with {even} against an equal")
        })
    }

    /// E(a, a) = 1/2.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn equal_ratings_expect_one_half(&self, a: &S::Rating) -> Verdict {
        let e = self.0.expected_score(a, a);
        require(close(e, 0.5), "equal_ratings_expect_one_half", || {
            format!("{a:?} expects {e} against an equal")
        })
    }

    /// The shorter a game against an equal, the higher a deviation is after it, or as high; a millionth of a game moves the
    /// rating by at most a hundredth of what a whole one does.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn a_shorter_game_says_less(&self, player: &S::Rating, score: Score) -> Verdict
    where
        S::Rating: RatingEstimate,
    {
        let after = |share: f64| {
            let game = GameResult::new(player.clone(), score).for_share(share);
            self.0.update(player, 0.0, &[game])
        };
        says_less("a_shorter_game_says_less", player, &LENGTHS.map(after))
    }

    /// The same call gives the same answer.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn updates_are_repeatable(
        &self,
        player: &S::Rating,
        elapsed: f64,
        games: &[GameResult<S::Rating>],
    ) -> Verdict {
        let (first, second) = (
            self.0.update(player, elapsed, games),
            self.0.update(player, elapsed, games),
        );
        require(first == second, "updates_are_repeatable", || {
            format!(
                "{player:?} after {elapsed} periods and {}: {first:?}, then {second:?}",
                show(games)
            )
        })
    }

    /// Both ratings after a game of these two are those of two updates, each against the other as the time left it.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn a_pair_is_two_updates(
        &self,
        first: (&S::Rating, f64),
        second: (&S::Rating, f64),
        score: Score,
    ) -> Verdict {
        let alone = |(own, elapsed): (&S::Rating, f64), other: (&S::Rating, f64), score| {
            let other = self.0.update(other.0, other.1, &[]);
            self.0.update(own, elapsed, &[GameResult::new(other, score)])
        };
        let pair = self.0.update_pair(first, second, score);
        let each = (
            alone(first, second, score),
            alone(second, first, score.reversed()),
        );
        require(pair == each, "a_pair_is_two_updates", || {
            format!("{first:?} against {second:?}, {score:?}: {pair:?}, one by one {each:?}")
        })
    }

    /// No game and no time leave the rating as it is.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn nothing_happened_changes_nothing(&self, player: &S::Rating) -> Verdict {
        let after = self.0.update(player, 0.0, &[]);
        require(after == *player, "nothing_happened_changes_nothing", || {
            format!("{player:?} becomes {after:?} without games or time")
        })
    }

    /// Negative time and NaN count as no time passed.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn meaningless_time_is_no_time(
        &self,
        player: &S::Rating,
        games: &[GameResult<S::Rating>],
    ) -> Verdict {
        let none = self.0.update(player, 0.0, games);
        for elapsed in [-1e-9, -1.0, f64::NEG_INFINITY, f64::NAN] {
            let after = self.0.update(player, elapsed, games);
            require(after == none, "meaningless_time_is_no_time", || {
                format!(
                    "{player:?} after {elapsed} periods and {}: {after:?}, after none {none:?}",
                    show(games)
                )
            })?;
        }
        Ok(())
    }
}

impl<S> Laws<'_, S>
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    /// A won game rates no lower than the same time without it.
    ///
    /// # Errors
    /// [`LawViolation`] if it does.
    pub fn a_win_never_lowers(&self, player: &S::Rating, opponent: &S::Rating, elapsed: f64) -> Verdict {
        let (without, won) = self.without_and_with(player, elapsed, opponent, Score::WIN);
        require(
            at_most(without.rating(), won.rating()),
            "a_win_never_lowers",
            || {
                format!(
                    "{player:?} beats {opponent:?} after {elapsed} periods: {won:?}, without it {without:?}"
                )
            },
        )
    }

    /// The player after this many periods, without a game and with one.
    fn without_and_with(
        &self,
        player: &S::Rating,
        elapsed: f64,
        opponent: &S::Rating,
        score: Score,
    ) -> (S::Rating, S::Rating) {
        let game = GameResult::new(opponent.clone(), score);
        let without = self.0.update(player, elapsed, &[]);
        (without, self.0.update(player, elapsed, &[game]))
    }

    /// A lost game rates no higher than the same time without it.
    ///
    /// # Errors
    /// [`LawViolation`] if it does.
    pub fn a_loss_never_raises(&self, player: &S::Rating, opponent: &S::Rating, elapsed: f64) -> Verdict {
        let (without, lost) = self.without_and_with(player, elapsed, opponent, Score::LOSS);
        let holds = at_most(lost.rating(), without.rating());
        require(holds, "a_loss_never_raises", || {
            format!(
                "{player:?} loses to {opponent:?} after {elapsed} periods: {lost:?}, without it {without:?}"
            )
        })
    }

    /// Of two scores in one more game of the period, the better one rates no lower.
    ///
    /// # Errors
    /// [`LawViolation`] if it does.
    pub fn a_better_score_never_rates_lower(
        &self,
        player: &S::Rating,
        elapsed: f64,
        others: &[GameResult<S::Rating>],
        opponent: &S::Rating,
        scores: (Score, Score),
    ) -> Verdict {
        let (low, high) = if scores.0 <= scores.1 {
            scores
        } else {
            (scores.1, scores.0)
        };
        let with = |score| {
            let mut games = others.to_vec();
            games.push(GameResult::new(opponent.clone(), score));
            self.0.update(player, elapsed, &games)
        };
        let (worse, better) = (with(low), with(high));
        require(
            at_most(worse.rating(), better.rating()),
            "a_better_score_never_rates_lower",
            || {
                format!(
                    "{player:?} after {elapsed}, {}, {opponent:?}: {low:?} {worse:?}, {high:?} {better:?}",
                    show(others)
                )
            },
        )
    }

    /// The games of a period in reverse, and rotated, give the same rating.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn order_of_games_is_irrelevant(
        &self,
        player: &S::Rating,
        elapsed: f64,
        games: &[GameResult<S::Rating>],
    ) -> Verdict {
        let forward = self.0.update(player, elapsed, games);
        let mut other = games.to_vec();
        other.reverse();
        for order in ["in reverse", "rotated"] {
            let after = self.0.update(player, elapsed, &other);
            require(
                same_estimate(&forward, &after),
                "order_of_games_is_irrelevant",
                || {
                    format!(
                        "{player:?} after {elapsed} periods and {}: {forward:?}, {order} {after:?}",
                        show(games)
                    )
                },
            )?;
            other.clone_from_slice(games);
            other.rotate_left(games.len() / 2);
        }
        Ok(())
    }

    /// Rating and deviation stay finite, the deviation is not negative, and the new rating can be
    /// played with.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn update_stays_finite(
        &self,
        player: &S::Rating,
        elapsed: f64,
        games: &[GameResult<S::Rating>],
    ) -> Verdict {
        let after = self.0.update(player, elapsed, games);
        let sound = is_sound(&after) && self.0.expected_score(&after, &after).is_finite();
        require(sound, "update_stays_finite", || {
            format!(
                "{player:?} after {elapsed} periods and {} is {after:?}",
                show(games)
            )
        })
    }

    /// Promised by some: E(a, b) + E(b, a) = 1 where both deviations are equal (or neither has one).
    ///
    /// # Errors
    /// [`LawViolation`] if not; a pair with different deviations passes, since nothing is said of it.
    pub fn expectations_are_complementary(&self, a: &S::Rating, b: &S::Rating) -> Verdict {
        let (forward, backward) = (self.0.expected_score(a, b), self.0.expected_score(b, a));
        let holds = a.deviation() != b.deviation() || close(forward + backward, 1.0);
        require(holds, "expectations_are_complementary", || {
            format!("{a:?} expects {forward} against {b:?}, who expects {backward}")
        })
    }

    /// Promised by some: after one game, what one player gained the other lost.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn points_are_only_moved(&self, a: &S::Rating, b: &S::Rating, score: Score) -> Verdict {
        let after_a = self.0.update(a, 0.0, &[GameResult::new(b.clone(), score)]);
        let after_b = self
            .0
            .update(b, 0.0, &[GameResult::new(a.clone(), score.reversed())]);
        let (gain, loss) = (after_a.rating() - a.rating(), b.rating() - after_b.rating());
        // Gains are differences of ratings, so their rounding is that of the ratings.
        let holds = (gain - loss).abs() <= slack(a.rating(), b.rating());
        require(holds, "points_are_only_moved", || {
            format!("{a:?} against {b:?}, {score:?}: one gains {gain}, the other loses {loss}")
        })
    }
}

impl<S> Laws<'_, S>
where
    S: RatingSystem + ?Sized,
    S::Rating: ShiftRating,
{
    /// E(a, b + points) <= E(a, b): against the same opponent made better there is no more to expect.
    ///
    /// # Errors
    /// [`LawViolation`] if there is.
    pub fn a_stronger_opponent_leaves_less_to_expect(
        &self,
        player: &S::Rating,
        opponent: &S::Rating,
        points: f64,
    ) -> Verdict {
        let stronger = opponent.shifted(points);
        let (before, after) = (
            self.0.expected_score(player, opponent),
            self.0.expected_score(player, &stronger),
        );
        let law = "a_stronger_opponent_leaves_less_to_expect";
        require(at_most(after, before), law, || {
            format!("{player:?} expects {before} against {opponent:?}, but {after} against {stronger:?}")
        })
    }

    /// E(a + points, b) >= E(a, b): the same player made better expects no less.
    ///
    /// # Errors
    /// [`LawViolation`] if so.
    pub fn a_stronger_player_expects_more(
        &self,
        player: &S::Rating,
        opponent: &S::Rating,
        points: f64,
    ) -> Verdict {
        let stronger = player.shifted(points);
        let (before, after) = (
            self.0.expected_score(player, opponent),
            self.0.expected_score(&stronger, opponent),
        );
        require(at_most(before, after), "a_stronger_player_expects_more", || {
            format!("{player:?} expects {before} against {opponent:?}, but {stronger:?} {after}")
        })
    }
}
