//! One person: lasting traits, and the memory of its matches that the true churn function reads.

use std::collections::VecDeque;

use matchwright_churn::Outcome;

use super::home::Home;

const EIGHT_HOURS: i64 = 8 * 3600;
const SEVEN_DAYS: i64 = 7 * 24 * 3600;

/// What lasts of a person, whatever happens to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traits {
    /// Skill, in the rating points of its world; where skills wander, the first.
    pub skill: f64,
    /// Games played before the generated time.
    pub experience: u64,
    /// u: its own part of the eight-hour churn logit.
    pub habit: f64,
    /// v: its own part of the seven-day churn logit.
    pub weekly_habit: f64,
    /// Outcomes move its eight-hour churn logit by 1 + this times what they move that of others.
    pub sensitivity: f64,
    /// Where it plays from.
    pub home: Home,
    /// The number of the party that it queues with; none: alone.
    pub party: Option<usize>,
}

/// A match as one of its players sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedMatch {
    /// When, Unix seconds.
    pub time: i64,
    /// What came out of it for this player.
    pub outcome: Outcome,
    /// This player's goals less the opponent's.
    pub goal_difference: f64,
    /// This player's skill less the opponent's, rating points.
    pub lead: f64,
}

/// A person and what it remembers; [`Behaviour`](super::Behaviour) decides for it.
#[derive(Clone, Debug)]
pub struct Person {
    /// What lasts.
    pub traits: Traits,
    /// Times of the matches of the last seven days.
    recent: VecDeque<i64>,
    /// How many of those, the oldest, are not of the last eight hours.
    before_session: usize,
    /// The last three matches, newest first.
    last: [Option<PlayedMatch>; 3],
}

impl Person {
    /// A person who has not played yet.
    #[must_use]
    pub fn new(traits: Traits) -> Self {
        Self {
            traits,
            recent: VecDeque::new(),
            before_session: 0,
            last: [None; 3],
        }
    }

    /// Never before a match that it remembers or a time that was asked about.
    pub(super) fn remember(&mut self, played: PlayedMatch) {
        self.recent.push_back(played.time);
        self.last.rotate_right(1);
        self.last[0] = Some(played);
    }

    /// Matches of the last eight hours and seven days before `time`. O(1) amortised, since time only goes on.
    pub(super) fn counts(&mut self, time: i64) -> (usize, usize) {
        while self
            .recent
            .front()
            .is_some_and(|&oldest| oldest < time - SEVEN_DAYS)
        {
            self.recent.pop_front();
            self.before_session = self.before_session.saturating_sub(1);
        }
        let before = |played: Option<&i64>| played.is_some_and(|&played| played < time - EIGHT_HOURS);
        while before(self.recent.get(self.before_session)) {
            self.before_session += 1;
        }
        (self.recent.len() - self.before_session, self.recent.len())
    }

    /// The last three matches or as many as there were, newest first.
    pub(super) const fn last(&self) -> [Option<PlayedMatch>; 3] {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_forget_what_is_too_old() {
        let mut person = Person::new(Traits::default());
        for time in [0, 600] {
            person.remember(PlayedMatch {
                time,
                outcome: Outcome::Win,
                goal_difference: 1.0,
                lead: 0.0,
            });
        }
        assert_eq!(person.counts(700), (2, 2));
        assert_eq!(person.counts(EIGHT_HOURS + 300), (1, 2));
        assert_eq!(person.counts(SEVEN_DAYS + 300), (0, 1));
    }
}
