//! What people do: the true churn function, and when a person wants to play next.

use std::f64::consts::TAU;

use matchwright_churn::Outcome;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};

use super::home::Home;
use super::params::{GeneratorError, GeneratorParams, LogNormalParams};
use super::person::{Person, PlayedMatch};
use crate::statistics::logistic;

const EIGHT_HOURS: f64 = 8.0 * 3600.0;
const SEVEN_DAYS: f64 = 7.0 * 24.0 * 3600.0;

/// Whole seconds; far beyond any history the cast saturates.
#[allow(clippy::cast_possible_truncation, reason = "saturating is what is wanted")]
pub(super) fn seconds(length: f64) -> i64 {
    length.round() as i64
}

/// How the people of a population behave. All arrivals, and all churn, are decided here, for one person at a time.
///
/// ```text
/// eight-hour churn after an outcome o:  logistic(a + u + b ln(1 + n8h) + c ln(1 + n7d) + thrashed + streak + e(o))
///                                       plus what [`Departures`](super::Departures) adds to the logit
/// seven-day churn of those who do:      logistic(a' + v + effect of the last three outcomes)
/// ```
///
/// [`GeneratorParams`] has the parameters; [`GeneratorParams::assumptions`] says them in words.
///
/// ```
/// use matchwright_churn::Outcome;
/// use matchwright_sim::population::{Behaviour, GeneratorParams, Person, PlayedMatch, Traits};
/// use matchwright_sim::random::{Purpose, stream};
///
/// let params = GeneratorParams::default();
/// let behaviour = Behaviour::new(&params)?;
/// let mut person = Person::new(Traits::default());
/// let won = PlayedMatch { time: 1_500_000_000, outcome: Outcome::Win, goal_difference: 1.0, lead: 0.0 };
/// let decision = behaviour.decide(&mut person, won, &mut stream(1, Purpose::Traits, 0, 0));
/// assert!((decision.churn_logit - params.intercept).abs() < 1e-12);
/// assert!(decision.next_arrival > won.time);
/// # Ok::<(), matchwright_sim::population::GeneratorError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Behaviour<'a> {
    params: &'a GeneratorParams,
    /// Effect on the seven-day logit, by the last three outcomes, the oldest as the first index.
    by_pattern: [[[f64; 3]; 3]; 3],
}

/// What a person decides after a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The true eight-hour churn logit of the match, before the effects of its own outcome and of the opponent.
    pub churn_logit: f64,
    /// When the person wants to play next, Unix seconds.
    pub next_arrival: i64,
}

impl<'a> Behaviour<'a> {
    /// The behaviour that these parameters describe.
    ///
    /// # Errors
    /// [`GeneratorError`] names the parameter that is out of range.
    pub fn new(params: &'a GeneratorParams) -> Result<Self, GeneratorError> {
        params.check()?;
        let mut by_pattern = [[params.seven_day.others.by_index(); 3]; 3];
        // The first of equal patterns counts.
        for (pattern, effect) in params.seven_day.patterns.iter().rev() {
            let place = |letter| Outcome::ALL.iter().position(|outcome| outcome.letter() == letter);
            let places: Option<Vec<usize>> = pattern.chars().map(place).collect();
            if let Some(&[first, second, third]) = places.as_deref() {
                by_pattern[first][second][third] = *effect;
            }
        }
        Ok(Self { params, by_pattern })
    }

    /// What was given.
    pub(super) const fn params(&self) -> &'a GeneratorParams {
        self.params
    }

    /// When a person first wants to play, Unix seconds.
    pub fn first_arrival(&self, home: &Home, rng: &mut impl Rng) -> i64 {
        let (start, spread) = (
            self.params.start,
            self.params.arrival_days.min(self.params.days) * 86_400.0,
        );
        self.start_of_session(home, start, rng, |rng| rng.random::<f64>() * spread)
    }

    /// A moment after `from` at which a session begins: drawn again until its hour suits, so that the lengths drawn
    /// weigh by [`GeneratorParams::daily_swing`].
    fn start_of_session<R: Rng>(
        &self,
        home: &Home,
        from: i64,
        rng: &mut R,
        after: impl Fn(&mut R) -> f64,
    ) -> i64 {
        let (swing, peak) = (self.params.daily_swing, self.params.peak_hour);
        loop {
            let time = from.saturating_add(seconds(after(rng)));
            let hour = time as f64 / 3600.0 + home.clock;
            let weight = 1.0 + swing * (TAU * (hour - peak) / 24.0).cos();
            // Without a swing every hour suits, and no number is drawn.
            if swing == 0.0 || rng.random::<f64>() * (1.0 + swing) < weight {
                return time;
            }
        }
    }

    /// Lets a person see the end of its match, and decide when to play again. Its matches come in the order of time.
    pub fn decide(&self, person: &mut Person, played: PlayedMatch, rng: &mut impl Rng) -> Decision {
        let churn_logit = self.eight_hour_logit(person, played.time);
        person.remember(played);
        let by_outcome = self.params.outcome_logits(person.traits.sensitivity);
        let logit =
            churn_logit + by_outcome[played.outcome.index()] + self.params.opponent_logit(played.lead);
        let next_arrival = if rng.random::<f64>() < logistic(logit) {
            self.return_after_absence(person, played.time, rng)
        } else {
            // Cut so far below eight hours that even the longest wait for an opponent leaves the next match within
            // them: the label read from time stamps is then the one drawn here.
            let longest = EIGHT_HOURS - self.params.longest_wait;
            let gap = below(longest, self.params.session_gap, rng);
            played.time.saturating_add(seconds(gap).max(1))
        };
        Decision {
            churn_logit,
            next_arrival,
        }
    }

    /// The eight-hour churn logit of a match at `time`, before what the match itself adds.
    fn eight_hour_logit(&self, person: &mut Person, time: i64) -> f64 {
        let p = self.params;
        let (in_session, in_week) = person.counts(time);
        let mut logit = p.intercept
            + person.traits.habit
            + p.session_effect * (in_session as f64).ln_1p()
            + p.week_effect * (in_week as f64).ln_1p();
        let last = person.last();
        if let [Some(c), Some(b), Some(a)] = last
            && (a.goal_difference + b.goal_difference + c.goal_difference) / 3.0 < p.thrashed_below
        {
            logit += p.thrashed_effect;
        }
        let won = |played: Option<PlayedMatch>| played.is_some_and(|played| played.outcome == Outcome::Win);
        if won(last[0]) && won(last[1]) {
            logit += p.streak_effect;
        }
        logit
    }

    /// The probability that a person who churns for eight hours does so for seven days; it remembers the match after
    /// which it churns.
    fn seven_day_probability(&self, person: &Person) -> f64 {
        let effects = &self.params.seven_day;
        let index = person
            .last()
            .map(|played| played.map(|played| played.outcome.index()));
        let effect = match index {
            [Some(third), Some(second), Some(first)] => self.by_pattern[first][second][third],
            [Some(last), ..] => effects.others.by_index()[last],
            _ => effects.others.draw,
        };
        logistic(effects.intercept + person.traits.weekly_habit + effect)
    }

    /// At least eight hours later, or at least seven days.
    fn return_after_absence(&self, person: &Person, from: i64, rng: &mut impl Rng) -> i64 {
        let home = &person.traits.home;
        if rng.random::<f64>() < self.seven_day_probability(person) {
            return self.start_of_session(home, from, rng, |rng| {
                let longer: f64 = Exp1.sample(rng);
                SEVEN_DAYS + 1.0 + self.params.absence_mean * longer
            });
        }
        let room = SEVEN_DAYS - EIGHT_HOURS - 1.0 - self.params.longest_wait;
        let gap = self.params.return_gap;
        self.start_of_session(home, from, rng, |rng| EIGHT_HOURS + 1.0 + below(room, gap, rng))
    }
}

/// A number below the limit, drawn again until it fits. Medians are checked to lie below the limit, so half of all
/// draws fit at least.
fn below(limit: f64, gap: LogNormalParams, rng: &mut impl Rng) -> f64 {
    loop {
        let drawn = gap.sample(rng);
        if drawn < limit {
            return drawn;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::person::Traits;
    use super::*;
    use crate::random::{Purpose, stream};
    use Outcome::{Draw, Loss, Win};
    use approx::assert_abs_diff_eq;

    fn person(habit: f64, matches: &[(Outcome, f64)]) -> Person {
        let mut person = Person::new(Traits {
            habit,
            ..Traits::default()
        });
        for (time, &(outcome, goal_difference)) in (0..).step_by(600).zip(matches) {
            person.remember(PlayedMatch {
                time,
                outcome,
                goal_difference,
                lead: 0.0,
            });
        }
        person
    }

    #[test]
    fn each_term_of_the_eight_hour_logit_enters_once() {
        let p = GeneratorParams {
            intercept: 0.566,
            ..GeneratorParams::default()
        };
        let behaviour = Behaviour::new(&p).unwrap();
        let logit = |matches: &[_]| behaviour.eight_hour_logit(&mut person(0.3, matches), 10_000);
        assert_abs_diff_eq!(logit(&[]), 0.866, epsilon = 1e-12);
        let counts = 0.866 + 0.25 * 4.0_f64.ln() - 0.35 * 4.0_f64.ln();
        assert_abs_diff_eq!(logit(&[(Loss, -1.0); 3]), counts, epsilon = 1e-12);
        assert_abs_diff_eq!(logit(&[(Loss, -2.0); 3]), counts + 0.15, epsilon = 1e-12);
        let won = [(Loss, -1.0), (Win, 1.0), (Win, 1.0)];
        assert_abs_diff_eq!(logit(&won), counts + 0.12, epsilon = 1e-12);
    }

    #[test]
    fn published_patterns_have_their_own_effect_and_the_rest_follow_the_last_outcome() {
        let mut p = GeneratorParams::default();
        p.seven_day.intercept = -2.398;
        let behaviour = Behaviour::new(&p).unwrap();
        let at = |outcomes: [Outcome; 3]| {
            behaviour.seven_day_probability(&person(0.0, &outcomes.map(|outcome| (outcome, 0.0))))
        };
        assert_abs_diff_eq!(at([Win, Win, Win]), logistic(-2.398 - 0.477), epsilon = 1e-12);
        assert_abs_diff_eq!(at([Draw, Loss, Win]), logistic(-2.398 - 0.806), epsilon = 1e-12);
        assert_abs_diff_eq!(at([Win, Draw, Win]), logistic(-2.398 - 0.808), epsilon = 1e-12);
        assert_abs_diff_eq!(at([Win, Draw, Loss]), logistic(-2.398 - 0.355), epsilon = 1e-12);
    }

    #[test]
    fn decisions_depend_on_the_persons_own_matches_and_numbers_alone() {
        let params = GeneratorParams::default();
        let behaviour = Behaviour::new(&params).unwrap();
        let lives = |person: &mut Person, rng: &mut _| {
            let mut time = behaviour.first_arrival(&person.traits.home, rng);
            let mut decisions = Vec::new();
            for outcome in [Win, Loss, Loss, Draw, Win, Win, Loss] {
                let played = PlayedMatch {
                    time,
                    outcome,
                    goal_difference: 0.0,
                    lead: 0.0,
                };
                decisions.push(behaviour.decide(person, played, rng));
                time = decisions[decisions.len() - 1].next_arrival;
            }
            decisions
        };
        let own = || stream(1, Purpose::Traits, 0, 7);
        let alone = lives(&mut person(0.2, &[]), &mut own());
        lives(&mut person(-1.0, &[]), &mut stream(1, Purpose::Traits, 0, 8));
        assert_eq!(lives(&mut person(0.2, &[]), &mut own()), alone);
        assert!(alone.is_sorted_by_key(|decision| decision.next_arrival));
    }
}
