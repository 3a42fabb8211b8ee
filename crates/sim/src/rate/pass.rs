//! The pass over duels, for any rating system of two players.

use matchwright_churn::Outcome;
use matchwright_rating::history::{Duels, PlayerIndex};
use matchwright_rating::{GameResult, RatingPeriod, RatingSystem, TimeError};

use super::period::Clock;
use crate::adapt::outcome_of;

/// What was expected of a match just before it was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Expected score of the first player.
    pub expected: f64,
    /// Expected score of the second player; with uncertain ratings the two need not add up to 1.
    pub expected_reverse: f64,
    /// First player's rating minus the second's, rating points.
    pub gap: f64,
    /// What then happened to the first player.
    pub outcome: Outcome,
}

impl Prediction {
    /// The same match, seen from its second player.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            expected: self.expected_reverse,
            expected_reverse: self.expected,
            gap: -self.gap,
            outcome: self.outcome.reversed(),
        }
    }
}

/// Where a player stands after the latest match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing<R> {
    /// The rating just after that match.
    pub rating: R,
    /// When it was, Unix seconds; none before the first.
    pub last_time: Option<i64>,
    /// Matches won, drawn and lost.
    pub record: [u32; 3],
}

impl<R> Standing<R> {
    /// Before the first match.
    pub(super) const fn newcomer(rating: R) -> Self {
        Self {
            rating,
            last_time: None,
            record: [0; 3],
        }
    }

    /// A match at `time`, and the rating after it.
    pub(super) fn learn(&mut self, time: i64, outcome: Outcome, rating: R) {
        self.rating = rating;
        self.played(time, outcome);
    }

    /// A match at `time`.
    pub(super) fn played(&mut self, time: i64, outcome: Outcome) {
        self.last_time = Some(time);
        let count = &mut self.record[outcome.index()];
        *count = count.saturating_add(1);
    }
}

/// A rated history.
#[derive(Clone, Debug)]
pub struct RatingRun<R> {
    /// By player index.
    pub standings: Vec<Standing<R>>,
    /// By match.
    pub predictions: Vec<Prediction>,
}

/// Rates a history in time order, predicting each match before learning from it.
///
/// Deviations grow with the real time since a player's last match, in fractions of `period`; there is
/// no daily job. Both players of a match learn from the other's rating before it. O(m).
///
/// `point` reads the number that gaps are taken of. `expect` says what score a first rating expects
/// against a second: the system's own [`RatingSystem::expected_score`], or a prediction that also
/// counts how uncertain the first rating is.
///
/// # Errors
/// [`TimeError`] if time goes back, which a history excludes.
pub fn run<S: RatingSystem>(
    system: &S,
    period: &RatingPeriod,
    duels: Duels<'_>,
    point: impl Fn(&S::Rating) -> f64,
    expect: impl Fn(&S::Rating, &S::Rating) -> f64,
) -> Result<RatingRun<S::Rating>, TimeError> {
    let seen = |_, opponent: &S::Rating| opponent.clone();
    let clock = Clock(Some(*period));
    run_seen(system, clock, duels, point, expect, seen, |_, _, _| {})
}

/// As [`run`], where `seen` says what the opponent looks like to the first player (0) or the second (1), and
/// `observe` is called with the player, the time and the rating after each match.
pub(super) fn run_seen<S: RatingSystem>(
    system: &S,
    clock: Clock,
    duels: Duels<'_>,
    point: impl Fn(&S::Rating) -> f64,
    expect: impl Fn(&S::Rating, &S::Rating) -> f64,
    seen: impl Fn(usize, &S::Rating) -> S::Rating,
    mut observe: impl FnMut(PlayerIndex, i64, &S::Rating),
) -> Result<RatingRun<S::Rating>, TimeError> {
    let players = duels.players().iter();
    let mut standings: Vec<_> = players.map(|_| Standing::newcomer(system.initial())).collect();
    let mut predictions = Vec::with_capacity(duels.len());
    for game in duels.iter() {
        let sides = game.sides();
        let places = sides.map(|(player, ..)| player as usize);
        let mut elapsed = [0.0; 2];
        for (elapsed, place) in elapsed.iter_mut().zip(places) {
            *elapsed = clock.elapsed(standings[place].last_time, game.time)?;
        }
        let before = [0, 1].map(|side| system.update(&standings[places[side]].rating, elapsed[side], &[]));
        let opponents = [0, 1].map(|side| seen(side, &before[1 - side]));
        predictions.push(Prediction {
            expected: expect(&before[0], &opponents[0]),
            expected_reverse: expect(&before[1], &opponents[1]),
            gap: point(&before[0]) - point(&before[1]),
            outcome: outcome_of(game.result),
        });
        for ((side, (player, score, _)), opponent) in sides.into_iter().enumerate().zip(opponents) {
            let standing = &mut standings[places[side]];
            let met = GameResult::new(opponent, score);
            let rating = system.update(&standing.rating, elapsed[side], &[met]);
            observe(player, game.time, &rating);
            standing.learn(game.time, outcome_of(score), rating);
        }
    }
    Ok(RatingRun {
        standings,
        predictions,
    })
}
