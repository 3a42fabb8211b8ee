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
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// Times of the matches of the last seven days.
    recent: VecDeque<i64>,
    /// How many of those, the oldest, are not of the last eight hours.
    before_session: usize,
    /// The first of the recent times and of the session's, kept here since most looks change neither.
    oldest: i64,
    session_began: i64,
    /// Outcome and goal difference of the last three matches, newest last; of which `known` come first.
    last: [(Outcome, f64); 3],
    known: usize,
}

/// Of no match.
const NEVER: i64 = i64::MAX;

impl Default for Memory {
    fn default() -> Self {
        Self {
            recent: VecDeque::new(),
            before_session: 0,
            oldest: NEVER,
            session_began: NEVER,
            last: [(Outcome::Draw, 0.0); 3],
            known: 0,
        }
    }
}

impl Memory {
    /// A match at `time`, never before those already remembered or counted.
    pub(super) fn remember(&mut self, time: i64, outcome: Outcome, goal_difference: f64) {
        self.recent.push_back(time);
        self.oldest = self.oldest.min(time);
        self.session_began = self.session_began.min(time);
        if self.known == 3 {
            self.last.rotate_left(1);
        } else {
            self.known += 1;
        }
        self.last[self.known - 1] = (outcome, goal_difference);
    }

    /// Matches of the last eight hours and seven days before `time`. O(1) amortised, since time only goes on.
    fn counts(&mut self, time: i64) -> (usize, usize) {
        while self.oldest < time - SEVEN_DAYS {
            self.recent.pop_front();
            self.before_session = self.before_session.saturating_sub(1);
            self.oldest = self.recent.front().copied().unwrap_or(NEVER);
            self.session_began = self.session_began.max(self.oldest);
        }
        while self.session_began < time - EIGHT_HOURS {
            self.before_session += 1;
            self.session_began = self.recent.get(self.before_session).copied().unwrap_or(NEVER);
        }
        (self.recent.len() - self.before_session, self.recent.len())
    }

    fn last(&self) -> &[(Outcome, f64)] {
        &self.last[..self.known]
    }
}

/// So many counts have their logarithm at hand: more matches in a week than all but a few players have.
const LOGARITHMS: u16 = 512;

/// The true churn function of a population, with what does not depend on the player worked out once.
pub(super) struct ChurnLaw<'a> {
    params: &'a GeneratorParams,
    /// ln(1 + n) by n.
    logarithms: Vec<f64>,
    /// Effect on the seven-day logit, by the last three outcomes, the oldest as the first index.
    by_pattern: [[[f64; 3]; 3]; 3],
}

impl<'a> ChurnLaw<'a> {
    pub(super) fn of(params: &'a GeneratorParams) -> Self {
        let mut by_pattern = [[[0.0; 3]; 3]; 3];
        for first in Outcome::ALL {
            for second in Outcome::ALL {
                for third in Outcome::ALL {
                    by_pattern[first.index()][second.index()][third.index()] =
                        pattern_effect(params, [first, second, third]);
                }
            }
        }
        Self {
            params,
            logarithms: (0..LOGARITHMS).map(|n| f64::from(n).ln_1p()).collect(),
            by_pattern,
        }
    }

    fn log_one_plus(&self, n: usize) -> f64 {
        let known = self.logarithms.get(n).copied();
        known.unwrap_or_else(|| (n as f64).ln_1p())
    }

    /// The eight-hour churn logit of a match at `time`, before the match's own outcome is added.
    pub(super) fn eight_hour_logit(&self, habit: f64, memory: &mut Memory, time: i64) -> f64 {
        let p = self.params;
        let (in_session, in_week) = memory.counts(time);
        let mut logit = p.intercept
            + habit
            + p.session_effect * self.log_one_plus(in_session)
            + p.week_effect * self.log_one_plus(in_week);
        let last = memory.last();
        if last.len() == 3 && last.iter().map(|(_, d)| d).sum::<f64>() / 3.0 < p.thrashed_below {
            logit += p.thrashed_effect;
        }
        if let [.., (Outcome::Win, _), (Outcome::Win, _)] = last {
            logit += p.streak_effect;
        }
        logit
    }

    /// The probability that somebody who left for eight hours leaves for seven days; `memory` includes
    /// the match he left after.
    pub(super) fn seven_day_probability(&self, weekly_habit: f64, memory: &Memory) -> f64 {
        let effects = &self.params.seven_day;
        let effect = match *memory.last() {
            [(first, _), (second, _), (third, _)] => {
                self.by_pattern[first.index()][second.index()][third.index()]
            }
            [.., (last, _)] => effect_of(&effects.others, last),
            [] => effects.others.draw,
        };
        logistic(effects.intercept + weekly_habit + effect)
    }
}

/// The published effect of this pattern, or else that of its last outcome.
fn pattern_effect(p: &GeneratorParams, pattern: [Outcome; 3]) -> f64 {
    let letters = pattern.map(Outcome::letter);
    let published = p.seven_day.patterns.iter();
    let published = published.filter(|(name, _)| name.chars().eq(letters));
    let effect = published.map(|(_, effect)| *effect).next();
    effect.unwrap_or_else(|| effect_of(&p.seven_day.others, pattern[2]))
}

pub(super) fn effect_of(effects: &OutcomeEffects, outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win => effects.win,
        Outcome::Draw => effects.draw,
        Outcome::Loss => effects.loss,
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
        let law = ChurnLaw::of(&p);
        let logit = |memory: &mut Memory| law.eight_hour_logit(0.3, memory, 10_000);
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
        let law = ChurnLaw::of(&p);
        let at =
            |outcomes: [Outcome; 3]| law.seven_day_probability(0.0, &memory(&outcomes.map(|o| (o, 0.0))));
        assert_abs_diff_eq!(at([Win, Win, Win]), logistic(-2.398 - 0.477), epsilon = 1e-12);
        assert_abs_diff_eq!(at([Draw, Loss, Win]), logistic(-2.398 - 0.806), epsilon = 1e-12);
        assert_abs_diff_eq!(at([Win, Draw, Win]), logistic(-2.398 - 0.808), epsilon = 1e-12);
        assert_abs_diff_eq!(at([Win, Draw, Loss]), logistic(-2.398 - 0.355), epsilon = 1e-12);
    }
}
