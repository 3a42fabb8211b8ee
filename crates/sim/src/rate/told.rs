//! What a pass tells as it goes: predictions, courses of single players, games as they looked before them.

use std::collections::HashMap;

use matchwright_rating::history::PlayerIndex;
use matchwright_rating::{RatingEstimate, TeamGame};

use super::prediction::{Prediction, SidePair};
use super::rated::{Course, CoursePoint, Estimate};

/// Where a pass tells what it finds.
pub struct Told<'a> {
    predicted: &'a mut dyn FnMut(SidePair, Prediction),
    /// Places in `courses`.
    slots: HashMap<PlayerIndex, usize>,
    /// Of the watched players, in the order asked for.
    pub(super) courses: Vec<Course>,
    /// The games of two sides as rated just before them, with their positions in the history, if they are kept.
    pub(super) before: Option<Vec<(usize, TeamGame<Estimate>)>>,
}

impl<'a> Told<'a> {
    /// Tells `predicted` each prediction and keeps nothing else.
    #[must_use]
    pub fn new(predicted: &'a mut dyn FnMut(SidePair, Prediction)) -> Self {
        Self {
            predicted,
            slots: HashMap::new(),
            courses: Vec::new(),
            before: None,
        }
    }

    /// Keeps the courses of these players.
    #[must_use]
    pub fn watch(mut self, watch: &[PlayerIndex]) -> Self {
        self.slots = (watch.iter().enumerate())
            .map(|(slot, &player)| (player, slot))
            .collect();
        self.courses = vec![Course::new(); watch.len()];
        self
    }

    /// What was expected of two sides of a game that is about to be played, and what happened.
    pub fn predicted(&mut self, pair: SidePair, prediction: Prediction) {
        (self.predicted)(pair, prediction);
    }

    /// The game at `index` is about to be played by these.
    pub fn before(&mut self, index: usize, game: &TeamGame<impl RatingEstimate>) {
        if let Some(before) = &mut self.before
            && game.sides().len() == 2
        {
            before.push((index, game.map_seats(|_, _, member| Estimate::of(&member.rating))));
        }
    }

    /// A player's rating just after a game, and when that was.
    pub fn after(&mut self, player: PlayerIndex, time: i64, rating: &impl RatingEstimate) {
        if self.slots.is_empty() {
            return;
        }
        if let Some(&slot) = self.slots.get(&player) {
            self.courses[slot].push(CoursePoint {
                time,
                rating: rating.rating(),
                deviation: rating.deviation(),
            });
        }
    }
}
