//! Plays a population's matches, one after another, each between two of its own players.

use std::collections::BTreeSet;

use matchwright_churn::Outcome;
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Exp, LogNormal, Normal, Poisson};

use super::churn_truth::{Memory, effect_of, eight_hour_logit, logistic, seven_day_probability};
use super::params::{GeneratorError, GeneratorParams};
use super::truth::{Truth, outcome_probabilities};
use crate::history::{HistoryBuilder, MatchHistory, NamedMatch};
use crate::random::{Purpose, stream};

const EIGHT_HOURS: f64 = 8.0 * 3600.0;
const SEVEN_DAYS: f64 = 7.0 * 24.0 * 3600.0;

/// A generated history and, apart from it, the truth behind it.
#[derive(Clone, Debug)]
pub struct Generated {
    /// What anybody may see.
    pub history: MatchHistory,
    /// What only a judge may see.
    pub truth: Truth,
}

/// Generates a population and its matches; the same seed gives the same bytes.
///
/// A player who wants to play takes, among those who want to play within the longest wait, the one
/// nearest to a skill drawn around his own. O(m (log n + w)) for m matches, n players and w players
/// within a wait.
///
/// # Errors
/// [`GeneratorError`] names the parameter that makes no population.
pub fn generate(params: &GeneratorParams, seed: u64) -> Result<Generated, GeneratorError> {
    params.check()?;
    let mut world = World::new(params, seed);
    while let Some(pair) = world.next_pair() {
        world.play(pair);
    }
    Ok(world.finish())
}

/// A player's hidden self.
struct Person {
    skill: f64,
    /// u: how readily he leaves for eight hours.
    habit: f64,
    /// v: how readily he leaves for seven days.
    weekly_habit: f64,
    memory: Memory,
}

struct World<'a> {
    params: &'a GeneratorParams,
    rng: ChaCha8Rng,
    people: Vec<Person>,
    /// Who wants to play next, and from when on.
    ready: BTreeSet<(i64, u32)>,
    end: i64,
    played: Vec<Played>,
    late_matches: u64,
}

struct Pair {
    time: i64,
    first: u32,
    second: u32,
}

/// A match with what only the judge may know of it.
struct Played {
    pair: Pair,
    outcome: Outcome,
    difference: f64,
    logits: [f64; 2],
}

impl<'a> World<'a> {
    fn new(params: &'a GeneratorParams, seed: u64) -> Self {
        let mut traits = stream(seed, Purpose::Traits, 0, 0);
        let people: Vec<Person> = (0..params.players)
            .map(|_| Person::draw(params, &mut traits))
            .collect();
        let mut rng = stream(seed, Purpose::Matches, 0, 0);
        let spread = params.arrival_days.min(params.days) * 24.0 * 3600.0;
        let ready = (0..params.players)
            .map(|person| {
                (
                    params.start.saturating_add(seconds(rng.random::<f64>() * spread)),
                    person,
                )
            })
            .collect();
        Self {
            params,
            rng,
            people,
            ready,
            end: params.start.saturating_add(seconds(params.days * 24.0 * 3600.0)),
            played: Vec::new(),
            late_matches: 0,
        }
    }

    /// The longest ready player and whom he meets; none when time is up.
    fn next_pair(&mut self) -> Option<Pair> {
        let (from, first) = self.ready.pop_first()?;
        if from >= self.end {
            return None;
        }
        let aim = self.people[first as usize].skill + self.normal(self.params.opponent_deviation);
        let until = from.saturating_add(seconds(self.params.longest_wait));
        let nearest = self.ready.range(..=(until, u32::MAX)).min_by(|a, b| {
            let far = |entry: &(i64, u32)| (self.people[entry.1 as usize].skill - aim).abs();
            far(a).total_cmp(&far(b)).then(a.cmp(b))
        });
        let chosen = if let Some(&entry) = nearest {
            entry
        } else {
            self.late_matches += 1;
            *self.ready.first()?
        };
        self.ready.remove(&chosen);
        (chosen.0 < self.end).then_some(Pair {
            time: chosen.0,
            first,
            second: chosen.1,
        })
    }

    fn play(&mut self, pair: Pair) {
        let Pair { time, first, second } = pair;
        let outcome = self.draw_outcome(first, second);
        let difference = self.draw_difference(outcome);
        let logits = [
            self.live_on(first, time, outcome, difference),
            self.live_on(second, time, outcome.reversed(), -difference),
        ];
        self.played.push(Played {
            pair,
            outcome,
            difference,
            logits,
        });
    }

    /// Lets a player see his match and decide when to play again; returns his churn logit before
    /// the outcome.
    fn live_on(&mut self, who: u32, time: i64, outcome: Outcome, difference: f64) -> f64 {
        let person = &mut self.people[who as usize];
        let logit = eight_hour_logit(self.params, person.habit, &mut person.memory, time);
        person.memory.remember(time, outcome, difference);
        let churn = logistic(logit + effect_of(&self.params.outcome_effects, outcome));
        let gap = if self.rng.random::<f64>() < churn {
            self.absence(who)
        } else {
            self.session_gap()
        };
        self.ready.insert((time.saturating_add(seconds(gap).max(1)), who));
        logit
    }

    /// A gap within a session. It is cut so far below eight hours that even the longest wait for an
    /// opponent leaves the next match within them: the label read from time stamps is then the one
    /// drawn here.
    fn session_gap(&mut self) -> f64 {
        let gap = self.params.session_gap;
        self.log_normal_below(gap.median, gap.sigma, EIGHT_HOURS - self.params.longest_wait)
    }

    /// A gap of at least eight hours, or of at least seven days.
    fn absence(&mut self, who: u32) -> f64 {
        let person = &self.people[who as usize];
        let weekly = seven_day_probability(self.params, person.weekly_habit, &person.memory);
        if self.rng.random::<f64>() < weekly {
            let longer =
                Exp::new(1.0 / self.params.absence_mean).map_or(0.0, |law| law.sample(&mut self.rng));
            return SEVEN_DAYS + 1.0 + longer;
        }
        let gap = self.params.return_gap;
        let room = SEVEN_DAYS - EIGHT_HOURS - 1.0 - self.params.longest_wait;
        EIGHT_HOURS + 1.0 + self.log_normal_below(gap.median, gap.sigma, room)
    }

    /// Drawn again until it fits. Medians are checked to lie below the limit, so half of all draws
    /// fit at least.
    fn log_normal_below(&mut self, median: f64, sigma: f64, limit: f64) -> f64 {
        let Ok(law) = LogNormal::new(median.ln(), sigma) else {
            return median;
        };
        loop {
            let gap = law.sample(&mut self.rng);
            if gap < limit {
                return gap;
            }
        }
    }

    fn draw_outcome(&mut self, first: u32, second: u32) -> Outcome {
        let skill = |person: u32| self.people[person as usize].skill;
        let [win, draw, _] = outcome_probabilities(self.params.draw_rate, skill(first), skill(second));
        let u = self.rng.random::<f64>();
        if u < win {
            Outcome::Win
        } else if u < win + draw {
            Outcome::Draw
        } else {
            Outcome::Loss
        }
    }

    fn draw_difference(&mut self, outcome: Outcome) -> f64 {
        let extra = Poisson::new(self.params.goal_mean).map_or(0.0, |law| law.sample(&mut self.rng));
        match outcome {
            Outcome::Win => 1.0 + extra,
            Outcome::Draw => 0.0,
            Outcome::Loss => -1.0 - extra,
        }
    }

    fn normal(&mut self, deviation: f64) -> f64 {
        normal(&mut self.rng, 0.0, deviation)
    }

    /// Puts the matches in order of time: while one pair's second player was still on his way,
    /// other pairs may have begun.
    fn finish(mut self) -> Generated {
        self.played.sort_by_key(|played| played.pair.time);
        let names: Vec<String> = (0..self.people.len())
            .map(|person| format!("p{person:05}"))
            .collect();
        let mut history = HistoryBuilder::default();
        let mut truth = Truth {
            skills: Vec::new(),
            logits: Vec::with_capacity(self.played.len()),
            players: Vec::with_capacity(self.played.len()),
            outcome_effects: Outcome::ALL.map(|o| effect_of(&self.params.outcome_effects, o)),
            draw_rate: self.params.draw_rate,
            late_matches: self.late_matches,
        };
        let mut seen = vec![None; self.people.len()];
        for played in &self.played {
            let people = [played.pair.first as usize, played.pair.second as usize];
            let game = NamedMatch {
                time: played.pair.time,
                player1: &names[people[0]],
                player2: &names[people[1]],
                outcome: played.outcome,
                score_difference: played.difference,
            };
            // In order of time and between two people, so never refused.
            if history.push(&game).is_err() {
                continue;
            }
            truth.logits.push(played.logits);
            // The history numbers players as they appear; so must the truth.
            truth.players.push(people.map(|person| {
                *seen[person].get_or_insert_with(|| {
                    truth.skills.push(self.people[person].skill);
                    truth.skills.len() - 1
                })
            }));
        }
        Generated {
            history: history.finish(),
            truth,
        }
    }
}

impl Person {
    fn draw(params: &GeneratorParams, rng: &mut ChaCha8Rng) -> Self {
        let habit = normal(rng, 0.0, params.habit_deviation);
        Self {
            skill: normal(rng, params.skill_mean, params.skill_deviation),
            habit,
            weekly_habit: params.weekly_share * habit + normal(rng, 0.0, params.weekly_noise),
            memory: Memory::default(),
        }
    }
}

/// Deviations are checked to be finite and not negative, where the law always exists.
fn normal(rng: &mut impl Rng, mean: f64, deviation: f64) -> f64 {
    Normal::new(mean, deviation).map_or(mean, |law| law.sample(rng))
}

/// Whole seconds; far beyond any history the cast saturates.
#[allow(clippy::cast_possible_truncation, reason = "saturating is what is wanted")]
fn seconds(length: f64) -> i64 {
    length.round() as i64
}

#[cfg(test)]
mod tests {
    use super::super::params::LogNormalGap;
    use super::*;

    fn small() -> GeneratorParams {
        GeneratorParams {
            players: 600,
            days: 20.0,
            ..GeneratorParams::default()
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_population_and_another_seed_another() {
        let one = generate(&small(), 5).unwrap();
        let two = generate(&small(), 5).unwrap();
        let other = generate(&small(), 6).unwrap();
        assert_eq!(one.history, two.history);
        assert_eq!(one.truth, two.truth);
        assert_ne!(one.history, other.history);
    }

    #[test]
    fn the_truth_lines_up_with_the_history() {
        let world = generate(&small(), 1).unwrap();
        assert_eq!(world.truth.skills().len(), world.history.players().len());
        assert_eq!(world.truth.logits.len(), world.history.matches().len());
        for (game, players) in world.history.matches().iter().zip(&world.truth.players) {
            assert_eq!([game.player1 as usize, game.player2 as usize], *players);
        }
    }

    /// The drawn decisions can be read back from time stamps: the observed eight-hour churn agrees
    /// with the mean of the true probabilities, within four standard errors.
    #[test]
    fn labels_read_from_time_stamps_follow_the_true_churn_function() {
        observed_churn_is_the_true_one(&GeneratorParams {
            players: 2_000,
            ..small()
        });
    }

    /// Also where gaps within a session would often outlast eight hours, were they not cut.
    #[test]
    fn gaps_within_a_session_stay_within_it() {
        let session_gap = LogNormalGap {
            median: 4.0 * 3600.0,
            sigma: 1.0,
        };
        observed_churn_is_the_true_one(&GeneratorParams {
            players: 2_000,
            session_gap,
            ..small()
        });
    }

    fn observed_churn_is_the_true_one(params: &GeneratorParams) {
        use matchwright_churn::{Horizon, Label, label_matches};
        let world = generate(params, 3).unwrap();
        let (_, end) = world.history.span().unwrap();
        let mut matches_of = vec![Vec::new(); world.history.players().len()];
        for (k, game) in world.history.matches().iter().enumerate() {
            for (side, (player, outcome, _)) in game.sides().into_iter().enumerate() {
                matches_of[player as usize]
                    .push((game.time, world.truth.side(k, side).churn[outcome.index()]));
            }
        }
        let (mut expected, mut observed, mut variance, mut n) = (0.0, 0.0, 0.0, 0.0);
        for games in &matches_of {
            let times: Vec<i64> = games.iter().map(|g| g.0).collect();
            let labels = label_matches(&times, Horizon::hours(8), end).unwrap();
            for (label, (_, churn)) in labels.iter().zip(games) {
                if *label == Label::Censored {
                    continue;
                }
                n += 1.0;
                expected += churn;
                variance += churn * (1.0 - churn);
                observed += f64::from(u8::from(*label == Label::Churned));
            }
        }
        let z = (observed - expected) / f64::sqrt(variance);
        assert!(
            n > 10_000.0 && z.abs() < 4.0,
            "n {n}, observed {observed}, expected {expected}, z {z}"
        );
        let late = world.truth.late_matches();
        assert!(late * 50 < world.history.matches().len() as u64, "{late}");
    }

    #[test]
    fn a_parameter_out_of_range_is_named() {
        for (params, name) in [
            (
                GeneratorParams {
                    players: 1,
                    ..small()
                },
                "players",
            ),
            (
                GeneratorParams {
                    draw_rate: f64::NAN,
                    ..small()
                },
                "draw_rate",
            ),
            (
                GeneratorParams {
                    skill_deviation: -1.0,
                    ..small()
                },
                "skill_deviation",
            ),
            (
                GeneratorParams {
                    days: f64::INFINITY,
                    ..small()
                },
                "days",
            ),
        ] {
            let message = generate(&params, 1).unwrap_err().to_string();
            assert!(message.contains(name), "{message}");
        }
    }
}
