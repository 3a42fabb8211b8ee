//! The true churn function, and the memory of a player that it looks at.

use std::collections::VecDeque;

use matchwright_churn::Outcome;

use super::params::{GeneratorParams, OutcomeEffects};

const EIGHT_HOURS: i64 = 8 * 3600;
const SEVEN_DAYS: i64 = 7 * 24 * 3600;

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// What the true churn function remembers of a player.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// Times of the matches of the last seven days.
    recent: VecDeque<i64>,
    /// Outcome and goal difference of the last three matches, newest last.
    last: VecDeque<(Outcome, f64)>,
}

impl Memory {
    pub(super) fn remember(&mut self, time: i64, outcome: Outcome, goal_difference: f64) {
        self.recent.push_back(time);
        if self.last.len() == 3 {
            self.last.pop_front();
        }
        self.last.push_back((outcome, goal_difference));
    }

    /// Matches of the last eight hours and seven days before `time`.
    fn counts(&mut self, time: i64) -> (usize, usize) {
        while self.recent.front().is_some_and(|&t| t < time - SEVEN_DAYS) {
            self.recent.pop_front();
        }
        let older = self.recent.partition_point(|&t| t < time - EIGHT_HOURS);
        (self.recent.len() - older, self.recent.len())
    }

    /// The last three outcomes, oldest first, once there are three.
    fn pattern(&self) -> Option<[char; 3]> {
        let mut letters = self.last.iter().map(|(outcome, _)| letter(*outcome));
        Some([letters.next()?, letters.next()?, letters.next()?])
    }
}

/// The eight-hour churn logit of a match at `time`, before the match's own outcome is added.
pub(super) fn eight_hour_logit(p: &GeneratorParams, habit: f64, memory: &mut Memory, time: i64) -> f64 {
    let (in_session, in_week) = memory.counts(time);
    let mut logit = p.intercept
        + habit
        + p.session_effect * (in_session as f64).ln_1p()
        + p.week_effect * (in_week as f64).ln_1p();
    if memory.last.len() == 3 && memory.last.iter().map(|(_, d)| d).sum::<f64>() / 3.0 < p.thrashed_below {
        logit += p.thrashed_effect;
    }
    let won = memory
        .last
        .iter()
        .rev()
        .take(2)
        .filter(|(outcome, _)| *outcome == Outcome::Win)
        .count();
    if won == 2 {
        logit += p.streak_effect;
    }
    logit
}

/// The probability that somebody who left for eight hours leaves for seven days; `memory` includes
/// the match he left after.
pub(super) fn seven_day_probability(p: &GeneratorParams, weekly_habit: f64, memory: &Memory) -> f64 {
    let published = memory.pattern().and_then(|pattern| {
        let named = |name: &str| name.chars().eq(pattern);
        p.seven_day
            .patterns
            .iter()
            .find(|(name, _)| named(name))
            .map(|(_, effect)| *effect)
    });
    let last = memory.last.back().map_or(Outcome::Draw, |(outcome, _)| *outcome);
    let effect = published.unwrap_or_else(|| effect_of(&p.seven_day.others, last));
    logistic(p.seven_day.intercept + weekly_habit + effect)
}

pub(super) fn effect_of(effects: &OutcomeEffects, outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win => effects.win,
        Outcome::Draw => effects.draw,
        Outcome::Loss => effects.loss,
    }
}

fn letter(outcome: Outcome) -> char {
    match outcome {
        Outcome::Win => 'W',
        Outcome::Draw => 'D',
        Outcome::Loss => 'L',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Draw, Loss, Win};
    use approx::assert_abs_diff_eq;

    fn memory(outcomes: &[(Outcome, f64)]) -> Memory {
        let mut memory = Memory::default();
        for (time, &(outcome, difference)) in (0..).step_by(600).zip(outcomes) {
            memory.remember(time, outcome, difference);
        }
        memory
    }

    #[test]
    fn each_term_of_the_eight_hour_logit_enters_once() {
        let p = GeneratorParams {
            intercept: 0.566,
            ..GeneratorParams::default()
        };
        let logit = |memory: &mut Memory| eight_hour_logit(&p, 0.3, memory, 10_000);
        assert_abs_diff_eq!(logit(&mut Memory::default()), 0.866, epsilon = 1e-12);
        let counts = 0.866 + 0.25 * 4.0_f64.ln() - 0.35 * 4.0_f64.ln();
        let losses = [(Outcome::Loss, -1.0); 3];
        assert_abs_diff_eq!(logit(&mut memory(&losses)), counts, epsilon = 1e-12);
        let thrashed = [(Outcome::Loss, -2.0); 3];
        assert_abs_diff_eq!(logit(&mut memory(&thrashed)), counts + 0.15, epsilon = 1e-12);
        let won = [(Outcome::Loss, -1.0), (Outcome::Win, 1.0), (Outcome::Win, 1.0)];
        assert_abs_diff_eq!(logit(&mut memory(&won)), counts + 0.12, epsilon = 1e-12);
    }

    #[test]
    fn counts_forget_what_is_too_old() {
        let mut memory = memory(&[(Outcome::Win, 1.0), (Outcome::Win, 1.0)]);
        assert_eq!(memory.counts(700), (2, 2));
        assert_eq!(memory.counts(EIGHT_HOURS + 300), (1, 2));
        assert_eq!(memory.counts(SEVEN_DAYS + 300), (0, 1));
    }

    #[test]
    fn published_patterns_have_their_own_effect_and_the_rest_follow_the_last_outcome() {
        let mut p = GeneratorParams::default();
        p.seven_day.intercept = -2.398;
        let at =
            |outcomes: [Outcome; 3]| seven_day_probability(&p, 0.0, &memory(&outcomes.map(|o| (o, 0.0))));
        assert_abs_diff_eq!(at([Win, Win, Win]), logistic(-2.398 - 0.477), epsilon = 1e-12);
        assert_abs_diff_eq!(at([Draw, Loss, Win]), logistic(-2.398 - 0.806), epsilon = 1e-12);
        assert_abs_diff_eq!(at([Win, Draw, Win]), logistic(-2.398 - 0.808), epsilon = 1e-12);
        assert_abs_diff_eq!(at([Win, Draw, Loss]), logistic(-2.398 - 0.355), epsilon = 1e-12);
    }
}
