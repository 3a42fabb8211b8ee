//! One law a function: inputs in, nothing or the violation out.
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

/// Many games make unreadable messages: the first few and the count do.
fn show<R: std::fmt::Debug>(games: &[GameResult<R>]) -> String {
    let shown = &games[..games.len().min(8)];
    format!("{} games {shown:?}", games.len())
}

/// 0 <= E(a, b) <= 1, never NaN.
///
/// # Errors
/// [`LawViolation`] if not.
pub fn expected_score_is_a_probability<S: RatingSystem + ?Sized>(
    system: &S,
    a: &S::Rating,
    b: &S::Rating,
) -> Verdict {
    let e = system.expected_score(a, b);
    require(
        (0.0..=1.0).contains(&e),
        "expected_score_is_a_probability",
        || format!("{a:?} expects {e} against {b:?}"),
    )
}

/// E(a, a) = 1/2.
///
/// # Errors
/// [`LawViolation`] if not.
pub fn equal_ratings_expect_one_half<S: RatingSystem + ?Sized>(system: &S, a: &S::Rating) -> Verdict {
    let e = system.expected_score(a, a);
    require(close(e, 0.5), "equal_ratings_expect_one_half", || {
        format!("{a:?} expects {e} against an equal")
    })
}

/// E(a, b + points) <= E(a, b): against the same opponent made better there is no more to expect.
///
/// # Errors
/// [`LawViolation`] if there is.
pub fn a_stronger_opponent_leaves_less_to_expect<S>(
    system: &S,
    player: &S::Rating,
    opponent: &S::Rating,
    points: f64,
) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: ShiftRating,
{
    let stronger = opponent.shifted(points);
    let (before, after) = (
        system.expected_score(player, opponent),
        system.expected_score(player, &stronger),
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
pub fn a_stronger_player_expects_more<S>(
    system: &S,
    player: &S::Rating,
    opponent: &S::Rating,
    points: f64,
) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: ShiftRating,
{
    let stronger = player.shifted(points);
    let (before, after) = (
        system.expected_score(player, opponent),
        system.expected_score(&stronger, opponent),
    );
    require(at_most(before, after), "a_stronger_player_expects_more", || {
        format!("{player:?} expects {before} against {opponent:?}, but {stronger:?} {after}")
    })
}

/// A won game rates no lower than the same time without it.
///
/// # Errors
/// [`LawViolation`] if it does.
pub fn a_win_never_lowers<S>(system: &S, player: &S::Rating, opponent: &S::Rating, elapsed: f64) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let idle = system.update(player, elapsed, &[]);
    let won = system.update(player, elapsed, &[GameResult::new(opponent.clone(), Score::WIN)]);
    require(at_most(idle.rating(), won.rating()), "a_win_never_lowers", || {
        format!("{player:?} beats {opponent:?} after {elapsed} periods: {won:?}, without it {idle:?}")
    })
}

/// A lost game rates no higher than the same time without it.
///
/// # Errors
/// [`LawViolation`] if it does.
pub fn a_loss_never_raises<S>(system: &S, player: &S::Rating, opponent: &S::Rating, elapsed: f64) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let idle = system.update(player, elapsed, &[]);
    let lost = system.update(player, elapsed, &[GameResult::new(opponent.clone(), Score::LOSS)]);
    require(
        at_most(lost.rating(), idle.rating()),
        "a_loss_never_raises",
        || format!("{player:?} loses to {opponent:?} after {elapsed} periods: {lost:?}, without it {idle:?}"),
    )
}

/// Of two scores in one more game of the period, the better one rates no lower.
///
/// # Errors
/// [`LawViolation`] if it does.
pub fn a_better_score_never_rates_lower<S>(
    system: &S,
    player: &S::Rating,
    elapsed: f64,
    others: &[GameResult<S::Rating>],
    opponent: &S::Rating,
    scores: (Score, Score),
) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let (low, high) = if scores.0 <= scores.1 {
        scores
    } else {
        (scores.1, scores.0)
    };
    let with = |score| {
        let mut games = others.to_vec();
        games.push(GameResult::new(opponent.clone(), score));
        system.update(player, elapsed, &games)
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
pub fn order_of_games_is_irrelevant<S>(
    system: &S,
    player: &S::Rating,
    elapsed: f64,
    games: &[GameResult<S::Rating>],
) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let forward = system.update(player, elapsed, games);
    let mut other = games.to_vec();
    other.reverse();
    for order in ["in reverse", "rotated"] {
        let after = system.update(player, elapsed, &other);
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

/// The same call gives the same answer.
///
/// # Errors
/// [`LawViolation`] if not.
pub fn updates_are_repeatable<S: RatingSystem + ?Sized>(
    system: &S,
    player: &S::Rating,
    elapsed: f64,
    games: &[GameResult<S::Rating>],
) -> Verdict {
    let (first, second) = (
        system.update(player, elapsed, games),
        system.update(player, elapsed, games),
    );
    require(first == second, "updates_are_repeatable", || {
        format!(
            "{player:?} after {elapsed} periods and {}: {first:?}, then {second:?}",
            show(games)
        )
    })
}

/// No game and no time leave the rating as it is.
///
/// # Errors
/// [`LawViolation`] if not.
pub fn nothing_happened_changes_nothing<S: RatingSystem + ?Sized>(system: &S, player: &S::Rating) -> Verdict {
    let after = system.update(player, 0.0, &[]);
    require(after == *player, "nothing_happened_changes_nothing", || {
        format!("{player:?} becomes {after:?} without games or time")
    })
}

/// The longer a player is idle, the wider the deviation, up to for ever.
///
/// # Errors
/// [`LawViolation`] if it narrows, or appears or vanishes.
pub fn inactivity_never_narrows<S>(system: &S, player: &S::Rating, time: f64, more: f64) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let mut last = player.clone();
    for elapsed in [time, time + more, f64::INFINITY] {
        let after = system.update(player, elapsed, &[]);
        let wider = match (last.deviation(), after.deviation()) {
            (Some(before), Some(now)) => at_most(before, now),
            (before, now) => before == now,
        };
        require(wider, "inactivity_never_narrows", || {
            format!("{player:?} after {elapsed} idle periods is {after:?}, earlier {last:?}")
        })?;
        last = after;
    }
    Ok(())
}

/// Being looked at midway does not change what idling does: t and then u periods are t + u.
///
/// # Errors
/// [`LawViolation`] if not.
pub fn inactivity_adds_up<S>(system: &S, player: &S::Rating, time: f64, more: f64) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let once = system.update(player, time + more, &[]);
    let twice = system.update(&system.update(player, time, &[]), more, &[]);
    require(same_estimate(&once, &twice), "inactivity_adds_up", || {
        format!("{player:?} after {time} + {more} idle periods: {once:?} at once, {twice:?} in two steps")
    })
}

/// Negative time and NaN count as no time passed.
///
/// # Errors
/// [`LawViolation`] if not.
pub fn meaningless_time_is_no_time<S: RatingSystem + ?Sized>(
    system: &S,
    player: &S::Rating,
    games: &[GameResult<S::Rating>],
) -> Verdict {
    let none = system.update(player, 0.0, games);
    for elapsed in [-1e-9, -1.0, f64::NEG_INFINITY, f64::NAN] {
        let after = system.update(player, elapsed, games);
        require(after == none, "meaningless_time_is_no_time", || {
            format!(
                "{player:?} after {elapsed} periods and {}: {after:?}, after none {none:?}",
                show(games)
            )
        })?;
    }
    Ok(())
}

/// Rating and deviation stay finite, the deviation is not negative, and the new rating can be
/// played with.
///
/// # Errors
/// [`LawViolation`] if not.
pub fn update_stays_finite<S>(
    system: &S,
    player: &S::Rating,
    elapsed: f64,
    games: &[GameResult<S::Rating>],
) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let after = system.update(player, elapsed, games);
    let sound = after.rating().is_finite()
        && after
            .deviation()
            .is_none_or(|deviation| deviation.is_finite() && deviation >= 0.0)
        && system.expected_score(&after, &after).is_finite();
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
pub fn expectations_are_complementary<S>(system: &S, a: &S::Rating, b: &S::Rating) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let (forward, backward) = (system.expected_score(a, b), system.expected_score(b, a));
    let holds = a.deviation() != b.deviation() || close(forward + backward, 1.0);
    require(holds, "expectations_are_complementary", || {
        format!("{a:?} expects {forward} against {b:?}, who expects {backward}")
    })
}

/// Promised by some: after one game, what one player gained the other lost.
///
/// # Errors
/// [`LawViolation`] if not.
pub fn points_are_only_moved<S>(system: &S, a: &S::Rating, b: &S::Rating, score: Score) -> Verdict
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let after_a = system.update(a, 0.0, &[GameResult::new(b.clone(), score)]);
    let after_b = system.update(b, 0.0, &[GameResult::new(a.clone(), score.reversed())]);
    let (gain, loss) = (after_a.rating() - a.rating(), b.rating() - after_b.rating());
    // Gains are differences of ratings, so their rounding is that of the ratings.
    let holds = (gain - loss).abs() <= slack(a.rating(), b.rating());
    require(holds, "points_are_only_moved", || {
        format!("{a:?} against {b:?}, {score:?}: one gains {gain}, the other loses {loss}")
    })
}
