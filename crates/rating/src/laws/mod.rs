//! The contracts of [`RatingSystem`] and, in [`team`], of
//! [`TeamRatingSystem`](crate::TeamRatingSystem) as checks that anyone can run on an implementation
//! (feature `laws`).
//!
//! Each law is a method of [`Laws`] that takes its inputs; [`check_all`]
//! draws inputs and tries every law that a rating system must keep, [`check_promise`] one that only
//! some systems make. Both are deterministic for a seed, and a violation says which law broke on
//! which numbers.
//!
//! ```
//! use matchwright_rating::{EloParams, EloRating, laws};
//!
//! let elo = EloParams::default().build()?;
//! let sampler = |draw: &mut laws::Draw| EloRating::new(draw.uniform(0.0, 3000.0)).unwrap();
//! laws::check_all(&elo, sampler, 1, 200)?;
//! laws::check_promise(&elo, laws::Promise::ZeroSum, sampler, 1, 200)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod law;
pub mod team;
pub mod time;

mod draw;
mod endurance;
mod settings;

pub use draw::Draw;
pub use endurance::{check_endurance, check_team_endurance};
pub use law::Laws;
pub use settings::check_tunable;
pub use team::law::TeamLaws;
pub use team::{TeamPromise, check_free_for_all, check_team_promise, check_teams};

use thiserror::Error;

use crate::score::{GameResult, Score};
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::ShiftRating;

/// A law that did not hold, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the law `{law}` is broken: {detail}")]
pub struct LawViolation {
    /// The method of [`Laws`] or [`TeamLaws`], or the function of [`time`], that failed.
    pub law: &'static str,
    /// The numbers on which it failed.
    pub detail: String,
}

/// A law that holds for some systems only, because not every system claims it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Promise {
    /// The two players' expectations sum to 1 where their deviations are equal:
    /// [`Laws::expectations_are_complementary`].
    Complement,
    /// What one player gains the other loses: [`Laws::points_are_only_moved`].
    ZeroSum,
}

/// Tries every law of the trait's contract on `cases` drawn situations.
///
/// `sampler` makes the ratings: let it cover what the system should bear, extremes included. Times
/// (none, fractions, ages, for ever, negative, NaN), scores and the number of games (one case in 50
/// has a thousand) are drawn here.
///
/// # Errors
/// The first [`LawViolation`]; the same one for the same `seed`.
pub fn check_all<S>(
    system: &S,
    mut sampler: impl FnMut(&mut Draw) -> S::Rating,
    seed: u64,
    cases: u32,
) -> Result<(), LawViolation>
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let draw = &mut Draw::new(seed);
    let laws = Laws(system);
    let idle = |player: &S::Rating, periods: f64| system.update(player, periods, &[]);
    laws.update_stays_finite(&system.initial(), 0.0, &[])?;
    for case in 0..cases {
        let (a, b) = (sampler(draw), sampler(draw));
        let count = if case % 50 == 49 { 1000 } else { draw.below(9) };
        let games: Vec<_> = (0..count)
            .map(|_| GameResult::new(sampler(draw), draw.score()))
            .collect();
        let (elapsed, more) = (draw.periods(), draw.periods());

        laws.expected_score_is_a_probability(&a, &b)?;
        laws.equal_ratings_expect_one_half(&a)?;
        laws.a_forecast_is_a_probability(&a, &b)?;
        laws.a_win_never_lowers(&a, &b, elapsed)?;
        laws.a_loss_never_raises(&a, &b, elapsed)?;
        laws.a_better_score_never_rates_lower(&a, elapsed, &games, &b, (draw.score(), draw.score()))?;
        laws.order_of_games_is_irrelevant(&a, elapsed, &games)?;
        laws.updates_are_repeatable(&a, elapsed, &games)?;
        laws.a_pair_is_two_updates((&a, elapsed), (&b, more), draw.score())?;
        laws.nothing_happened_changes_nothing(&a)?;
        time::inactivity_never_narrows(idle, &a, elapsed, more)?;
        time::inactivity_adds_up(idle, &a, elapsed, more)?;
        laws.meaningless_time_is_no_time(&a, &games)?;
        laws.update_stays_finite(&a, elapsed, &games)?;
        laws.update_stays_finite(&a, f64::INFINITY, &games)?;
    }
    for score in [Score::WIN, Score::DRAW, Score::LOSS] {
        laws.a_shorter_game_says_less(&system.initial(), score)?;
    }
    Ok(())
}

/// Tries on `cases` drawn situations that better ratings expect more, for ratings that can be shifted.
///
/// Apart from [`check_all`], because it asks more of the rating's type than the trait does.
///
/// # Errors
/// The first [`LawViolation`]; the same one for the same `seed`.
pub fn check_order<S>(
    system: &S,
    mut sampler: impl FnMut(&mut Draw) -> S::Rating,
    seed: u64,
    cases: u32,
) -> Result<(), LawViolation>
where
    S: RatingSystem + ?Sized,
    S::Rating: ShiftRating,
{
    let draw = &mut Draw::new(seed);
    let laws = Laws(system);
    for _ in 0..cases {
        let (a, b, points) = (sampler(draw), sampler(draw), draw.log_uniform(1e-6, 1e7));
        laws.a_stronger_opponent_leaves_less_to_expect(&a, &b, points)?;
        laws.a_stronger_player_expects_more(&a, &b, points)?;
    }
    Ok(())
}

/// Tries a law that `system` makes beyond the contract on `cases` drawn situations.
///
/// # Errors
/// The first [`LawViolation`]. [`Promise::Complement`] speaks of equal deviations: if the sampler
/// never draws such a pair, that is a violation too, because nothing was shown.
pub fn check_promise<S>(
    system: &S,
    promise: Promise,
    mut sampler: impl FnMut(&mut Draw) -> S::Rating,
    seed: u64,
    cases: u32,
) -> Result<(), LawViolation>
where
    S: RatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let draw = &mut Draw::new(seed);
    let laws = Laws(system);
    let mut tried = 0_u32;
    for _ in 0..cases {
        let (a, b) = (sampler(draw), sampler(draw));
        match promise {
            Promise::Complement if a.deviation() != b.deviation() => continue,
            Promise::Complement => laws.expectations_are_complementary(&a, &b)?,
            Promise::ZeroSum => laws.points_are_only_moved(&a, &b, draw.score())?,
        }
        tried += 1;
    }
    if tried == 0 {
        let detail = format!("none of {cases} drawn pairs has equal deviations: mend the sampler");
        let law = "expectations_are_complementary";
        return Err(LawViolation { law, detail });
    }
    Ok(())
}

impl Draw {
    /// A win, a draw, a loss, or now and then something between.
    fn score(&mut self) -> Score {
        match self.below(4) {
            0 => Score::WIN,
            1 => Score::DRAW,
            2 => Score::LOSS,
            // A uniform draw is always a score; a loss stands in for the branch that cannot be.
            _ => Score::new(self.uniform(0.0, 1.0)).unwrap_or(Score::LOSS),
        }
    }

    /// A time that a caller might pass and the contract allows: none, a fraction, some, an age.
    fn periods(&mut self) -> f64 {
        match self.below(4) {
            0 => 0.0,
            1 => self.uniform(0.0, 1.0),
            2 => self.uniform(0.0, 100.0),
            _ => self.log_uniform(1e-9, 1e9),
        }
    }
}
