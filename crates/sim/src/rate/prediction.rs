//! What was expected of a match, of whom, and where its players stand.

use matchwright_churn::Outcome;

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

/// Whose prediction one is: two sides of a game, by their positions in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SidePair {
    /// The game's index in its history.
    pub game: usize,
    /// The side that the prediction is seen from.
    pub side: usize,
    /// The side that it meets.
    pub other: usize,
}

impl SidePair {
    /// The two sides of the duel at `game`, seen from the first.
    pub(super) const fn of_duel(game: usize) -> Self {
        Self {
            game,
            side: 0,
            other: 1,
        }
    }
}
