//! The history of a population: a matchmaker drives its people, region by region, until time is up.

use std::ops::Range;

use itertools::{Itertools, izip};
use matchwright_churn::Outcome;
use matchwright_rating::history::{History, HistoryBuilder, NamedGame, PlayerIndex};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Poisson};
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};

use super::behaviour::{Behaviour, seconds};
use super::home::{Home, REGIONS};
use super::matchmaker::{Arrivals, Matchmaker, Meeting, NearestSkill};
use super::params::{GeneratorError, GeneratorParams};
use super::person::{Person, PlayedMatch, Traits};
use super::truth::{HiddenSide, Truth};
use crate::adapt::score_of;
use crate::random::{Purpose, standard_normal, stream};

/// A generated history and, apart from it, the truth behind it.
#[derive(Clone, Debug)]
pub struct Generated {
    /// What estimators may read.
    pub history: History,
    /// What only a judge may read.
    pub truth: Truth,
}

/// Generates a population and its matches, made by [`NearestSkill`]; the same seed gives the same bytes.
///
/// O(m (log n + w)) for m matches, n players and w players of a region within a wait. Regions are played on the
/// threads of the current pool, whose number does not show.
///
/// # Errors
/// [`GeneratorError`] names the parameter that makes no population.
pub fn generate(params: &GeneratorParams, seed: u64) -> Result<Generated, GeneratorError> {
    generate_with(params, seed, &NearestSkill::of(params))
}

/// The same people under another matchmaker.
///
/// # Errors
/// As [`generate`].
pub fn generate_with(
    params: &GeneratorParams,
    seed: u64,
    matchmaker: &(impl Matchmaker + Sync),
) -> Result<Generated, GeneratorError> {
    let behaviour = Behaviour::new(params)?;
    let mut first = 0;
    let numbers = params.region_sizes().map(|size| {
        first += size;
        first - size..first
    });
    let regions: Vec<(u32, Range<u32>)> = (0..).zip(numbers).collect();
    let worlds = regions.into_par_iter().map(|(region, people)| {
        let world = World::new(&behaviour, seed, region, people);
        world.play_all(matchmaker)
    });
    join(params, worlds.collect())
}

/// One region alone: number `region` of the population that these parameters and this seed make, also beyond those
/// that [`GeneratorParams::players`] asks for, with [`GeneratorParams::region_players`] players.
///
/// For statistics over more matches than memory holds: play a region, count, forget.
///
/// # Errors
/// As [`generate`].
pub fn generate_region(
    params: &GeneratorParams,
    seed: u64,
    region: u32,
) -> Result<Generated, GeneratorError> {
    let behaviour = Behaviour::new(params)?;
    let size = params.region_sizes().nth(region as usize);
    let size = size.unwrap_or(params.region_players);
    let world = World::new(&behaviour, seed, region, 0..size);
    join(params, vec![world.play_all(&NearestSkill::of(params))])
}

/// One history of all regions, and the truth behind it.
fn join(params: &GeneratorParams, worlds: Vec<World<'_>>) -> Result<Generated, GeneratorError> {
    let count = worlds.iter().map(|world| world.played.len()).sum();
    let mut truth = Truth {
        params: params.clone(),
        skills: Vec::new(),
        sensitivities: Vec::new(),
        sides: Vec::with_capacity(count),
        late_matches: worlds.iter().map(|world| world.late_matches).sum(),
    };
    let skills = worlds.iter().flat_map(|world| &world.skills).copied();
    let people = worlds.iter().flat_map(|world| &world.people);
    let sensitivities = people.map(|person| person.traits.sensitivity);
    let lasting: Vec<(f64, f64)> = skills.zip(sensitivities).collect();
    let lists = worlds.into_iter().map(|world| world.played);
    // Of matches at one time those of the first region come first: people are numbered region by region.
    let in_order = lists.kmerge_by(|a, b| (a.time, a.people[0]) < (b.time, b.people[0]));
    let mut names = Vec::new();
    // Nobody plays twice in a second, so that no match repeats another.
    let mut matches = HistoryBuilder::default().keep_repeats(true);
    // A history numbers players as they appear; so must the truth.
    let mut seen: Vec<Option<PlayerIndex>> = vec![None; lasting.len()];
    let mut next: PlayerIndex = 0;
    for played in in_order {
        let [player1, player2] = played.people.map(|person| {
            *seen[person as usize].get_or_insert_with(|| {
                let (skill, sensitivity) = lasting[person as usize];
                truth.skills.push(skill);
                truth.sensitivities.push(sensitivity);
                names.push(format!("p{person:05}"));
                next += 1;
                next - 1
            })
        });
        let side = |side: usize, player| HiddenSide {
            player,
            skill: played.skills[side],
            logit: played.logits[side],
        };
        truth.sides.push([side(0, player1), side(1, player2)]);
        matches.push(&NamedGame::duel(
            played.time,
            [player1, player2].map(|player| names[player as usize].as_str()),
            score_of(played.outcome),
            played.difference,
        ))?;
    }
    Ok(Generated {
        history: matches.finish(),
        truth,
    })
}

/// A match with what only a judge may know of it.
struct Played {
    time: i64,
    people: [u32; 2],
    outcome: Outcome,
    difference: f64,
    skills: [f64; 2],
    logits: [f64; 2],
}

/// The people of a region, and the matches that they have played.
struct World<'a> {
    behaviour: &'a Behaviour<'a>,
    goals: Option<Poisson<f64>>,
    rng: ChaCha8Rng,
    people: Vec<Person>,
    /// By person; apart from the rest, since they are read far more often.
    skills: Vec<f64>,
    /// Where skills wander: the randomness of it, and until when each person's has.
    drift: Option<(ChaCha8Rng, Vec<i64>)>,
    /// The number of the first person among those of all regions.
    first: u32,
    arrivals: Arrivals,
    /// In order of time.
    played: Vec<Played>,
    late_matches: u64,
}

impl<'a> World<'a> {
    fn new(behaviour: &'a Behaviour<'a>, seed: u64, region: u32, numbers: Range<u32>) -> Self {
        let params = behaviour.params();
        let count = numbers.end - numbers.start;
        let people = draw_people(params, seed, region, count);
        let mut rng = stream(seed, Purpose::Matches, region.into(), 0);
        Self {
            goals: Poisson::new(params.goal_mean).ok(),
            skills: people.iter().map(|person| person.traits.skill).collect(),
            drift: (params.departures.skill_drift > 0.0).then(|| {
                let rng = stream(seed, Purpose::Drift, region.into(), 0);
                (rng, vec![params.start; people.len()])
            }),
            arrivals: (0..count)
                .zip(&people)
                .map(|(number, person)| (behaviour.first_arrival(&person.traits.home, &mut rng), number))
                .collect(),
            people,
            rng,
            behaviour,
            first: numbers.start,
            played: Vec::new(),
            late_matches: 0,
        }
    }

    /// Plays until time is up.
    fn play_all(mut self, matchmaker: &impl Matchmaker) -> Self {
        let params = self.behaviour.params();
        let end = params.start.saturating_add(seconds(params.days * 24.0 * 3600.0));
        while let Some(meeting) = matchmaker.next_meeting(&mut self.arrivals, &self.skills, &mut self.rng)
            && meeting.time < end
        {
            self.play(meeting);
        }
        self
    }

    fn play(&mut self, meeting: Meeting) {
        let Meeting {
            time,
            people,
            delayed,
        } = meeting;
        self.late_matches += u64::from(delayed);
        self.drift_until(time, people);
        let skills = people.map(|person| self.skills[person as usize]);
        let outcome = self.draw_outcome(skills);
        let difference = self.draw_difference(outcome);
        let sides = [
            (people[0], outcome, difference, skills[0] - skills[1]),
            (people[1], outcome.reversed(), -difference, skills[1] - skills[0]),
        ];
        let logits = sides.map(|(person, outcome, goal_difference, lead)| {
            let played = PlayedMatch {
                time,
                outcome,
                goal_difference,
                lead,
            };
            let decision = (self.behaviour).decide(&mut self.people[person as usize], played, &mut self.rng);
            self.arrivals.insert((decision.next_arrival, person));
            decision.churn_logit
        });
        let played = Played {
            time,
            people: people.map(|person| self.first + person),
            outcome,
            difference,
            skills,
            logits,
        };
        // In order of time: before the second player of a meeting arrives, other matches may begin.
        let before = self.played.iter().rposition(|other| other.time <= time);
        self.played.insert(before.map_or(0, |place| place + 1), played);
    }

    /// What the skills of these two have become since each last played.
    fn drift_until(&mut self, time: i64, people: [u32; 2]) {
        let daily = self.behaviour.params().departures.skill_drift;
        if let Some((rng, until)) = &mut self.drift {
            for person in people.map(|person| person as usize) {
                let days = time.saturating_sub(until[person]).max(0) as f64 / 86_400.0;
                self.skills[person] += daily * days.sqrt() * standard_normal(rng);
                until[person] = time;
            }
        }
    }

    fn draw_outcome(&mut self, [own, other]: [f64; 2]) -> Outcome {
        let [win, draw, _] = self.behaviour.params().outcome_probabilities(own, other);
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
        let extra = self.goals.map_or(0.0, |law| law.sample(&mut self.rng));
        match outcome {
            Outcome::Win => 1.0 + extra,
            Outcome::Draw => 0.0,
            Outcome::Loss => -1.0 - extra,
        }
    }
}

/// The people of a region, with skills and habits from equally likely slices of their distributions; they live in the
/// places of the world in turn, region by region.
fn draw_people(params: &GeneratorParams, seed: u64, region: u32, count: u32) -> Vec<Person> {
    let mut rng = stream(seed, Purpose::Traits, region.into(), 0);
    let skills = stratified_normals(&mut rng, count);
    let habits = stratified_normals(&mut rng, count);
    let spread = params.departures.sensitivity_deviation;
    let sensitivities = match spread {
        0.0 => vec![0.0; count as usize],
        _ => stratified_normals(&mut stream(seed, Purpose::Sensitivities, region.into(), 0), count),
    };
    let place = region as usize % REGIONS.len();
    let person = |(number, (skill, habit, sensitivity)): (u64, (f64, f64, f64))| {
        let habit = params.habit_deviation * habit;
        Person::new(Traits {
            skill: params.skill_mean + params.skill_deviation * skill,
            habit,
            weekly_habit: params.weekly_share * habit + params.weekly_noise * standard_normal(&mut rng),
            sensitivity: spread * sensitivity,
            home: Home::draw(place, &mut stream(seed, Purpose::Homes, region.into(), number)),
            ..Traits::default()
        })
    };
    let traits = izip!(skills, habits, sensitivities);
    (0..).zip(traits).map(person).collect()
}

/// Standard normal numbers in random order, one from each of equally likely slices: stratified, so that every region
/// has its share of the few who play most, and populations differ less than if each person were drawn alone.
fn stratified_normals(rng: &mut ChaCha8Rng, count: u32) -> Vec<f64> {
    let normal = Normal::standard();
    let mut draw = |k: u32| normal.inverse_cdf((f64::from(k) + rng.random::<f64>()) / f64::from(count));
    let mut numbers: Vec<f64> = (0..count).map(&mut draw).collect();
    numbers.shuffle(rng);
    numbers
}

#[cfg(test)]
mod tests;
