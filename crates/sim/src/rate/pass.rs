//! The pass itself, for any rating system.

use matchwright_churn::Outcome;
use matchwright_rating::{GameResult, RatingPeriod, RatingSystem, TimeError};

use crate::adapt::score_of;
use crate::history::MatchHistory;

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

/// Where a player stands after his last match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing<R> {
    /// The rating just after that match.
    pub rating: R,
    /// When it was, Unix seconds; none before the first.
    pub last_time: Option<i64>,
    /// Matches won, drawn and lost.
    pub record: [u32; 3],
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
/// [`TimeError`] if time goes back, which a [`MatchHistory`] excludes.
pub fn run<S: RatingSystem>(
    system: &S,
    period: &RatingPeriod,
    history: &MatchHistory,
    point: impl Fn(&S::Rating) -> f64,
    expect: impl Fn(&S::Rating, &S::Rating) -> f64,
) -> Result<RatingRun<S::Rating>, TimeError> {
    let newcomer = || Standing {
        rating: system.initial(),
        last_time: None,
        record: [0; 3],
    };
    let mut standings: Vec<_> = history.players().iter().map(|_| newcomer()).collect();
    let mut predictions = Vec::with_capacity(history.matches().len());
    for game in history.matches() {
        let sides = game.sides();
        let places = sides.map(|(player, ..)| player as usize);
        let mut elapsed = [0.0; 2];
        for (elapsed, place) in elapsed.iter_mut().zip(places) {
            if let Some(last) = standings[place].last_time {
                *elapsed = period.elapsed(last, game.time)?;
            }
        }
        let before = [0, 1].map(|side| system.update(&standings[places[side]].rating, elapsed[side], &[]));
        predictions.push(Prediction {
            expected: expect(&before[0], &before[1]),
            expected_reverse: expect(&before[1], &before[0]),
            gap: point(&before[0]) - point(&before[1]),
            outcome: game.outcome,
        });
        for (side, (_, outcome, _)) in sides.into_iter().enumerate() {
            let standing = &mut standings[places[side]];
            let met = GameResult {
                opponent: before[1 - side].clone(),
                score: score_of(outcome),
            };
            standing.rating = system.update(&standing.rating, elapsed[side], &[met]);
            standing.last_time = Some(game.time);
            let count = &mut standing.record[outcome.index()];
            *count = count.saturating_add(1);
        }
    }
    Ok(RatingRun {
        standings,
        predictions,
    })
}
