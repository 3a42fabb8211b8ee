//! The history of a population: a matchmaker drives its people, region by region, until time is up.

use std::fmt::Write as _;
use std::ops::Range;

use itertools::{Itertools, izip};
use matchwright_churn::Outcome;
use matchwright_rating::history::{History, HistoryBuilder, NamedSeat};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Poisson};
use statrs::distribution::{ContinuousCDF, Normal};

use super::behaviour::{Behaviour, seconds};
use super::home::{Home, REGIONS};
use super::matchmaker::{Arrivals, Matchmaker, Meeting, NearestSkill};
use super::params::{GeneratorError, GeneratorParams};
use super::person::{Person, PlayedMatch, Traits};
use super::truth::Truth;
use crate::progress::{Progress, Quiet};
use crate::random::{Purpose, standard_normal, stream};
use crate::threads::each;

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
    generate_watched(params, seed, &Quiet)
}

/// As [`generate`], and tells how far it is.
///
/// # Errors
/// As [`generate`].
pub fn generate_watched(
    params: &GeneratorParams,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Generated, GeneratorError> {
    play_regions(params, seed, &NearestSkill::of(params), progress)
}

/// How many matches such a population makes, before it is generated: as many a player and day as fifty players make in
/// two days who are all there from the start. Too many where people leave soon.
///
/// # Errors
/// As [`generate`].
pub fn expected_matches(params: &GeneratorParams, seed: u64) -> Result<f64, GeneratorError> {
    let sample = GeneratorParams {
        players: params.players.min(50),
        days: params.days.min(2.0),
        arrival_days: 0.0,
        ..params.clone()
    };
    let made = generate(&sample, seed)?.history.len() as f64;
    let times = f64::from(params.players) / f64::from(sample.players) * (params.days / sample.days);
    Ok(made * times)
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
    play_regions(params, seed, matchmaker, &Quiet)
}

fn play_regions(
    params: &GeneratorParams,
    seed: u64,
    matchmaker: &(impl Matchmaker + Sync),
    progress: &dyn Progress,
) -> Result<Generated, GeneratorError> {
    let behaviour = Behaviour::new(params)?;
    let mut first = 0;
    let numbers = params.region_sizes().map(|size| {
        first += size;
        first - size..first
    });
    let regions: Vec<(u32, Range<u32>)> = (0..).zip(numbers).collect();
    progress.begin("generating the population and its matches", regions.len() as u64);
    let worlds = each(&regions, 1, |(region, people)| {
        let world = World::new(&behaviour, seed, *region, people.clone());
        let played = world.play_all(matchmaker);
        progress.advance(1);
        played
    });
    join(params, worlds, progress)
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
    join(params, vec![world.play_all(&NearestSkill::of(params))], &Quiet)
}

/// One history of all regions, and the truth behind it.
fn join(
    params: &GeneratorParams,
    regions: Vec<Region>,
    progress: &dyn Progress,
) -> Result<Generated, GeneratorError> {
    let count = regions.iter().map(|region| region.played.len()).sum();
    progress.begin("putting the matches in order of time", count as u64);
    let has_drift = params.departures.skill_drift > 0.0;
    let mut truth = Truth {
        params: params.clone(),
        skills: Vec::new(),
        sensitivities: Vec::new(),
        logits: Vec::with_capacity(count),
        skills_then: Vec::with_capacity(if has_drift { count } else { 0 }),
        late_matches: regions.iter().map(|region| region.late_matches).sum(),
    };
    let lasting: Vec<(f64, f64)> = regions
        .iter()
        .flat_map(|region| &region.lasting)
        .copied()
        .collect();
    // Of matches at one time those of the first region come first: people are numbered region by region.
    let in_order = regions
        .into_iter()
        .map(Region::into_matches)
        .kmerge_by(|(a, _), (b, _)| (a.time, a.people[0]) < (b.time, b.people[0]));
    // Nobody plays twice in a second, so that no match repeats another.
    let mut matches = HistoryBuilder::default().keep_repeats(true);
    // A history numbers players as they appear; so must the truth.
    let mut is_known = vec![false; lasting.len()];
    let mut name = String::new();
    for (played, skills) in in_order {
        let time = params.start.saturating_add(played.time.into());
        let difference = f64::from(played.difference);
        let mut game = matches.start(time);
        for (person, difference) in played.people.into_iter().zip([difference, -difference]) {
            if !std::mem::replace(&mut is_known[person as usize], true) {
                let (skill, sensitivity) = lasting[person as usize];
                truth.skills.push(skill);
                truth.sensitivities.push(sensitivity);
            }
            name.clear();
            // Writing to memory cannot fail.
            let _ = write!(name, "p{person:05}");
            // Only the difference of scores is part of this world: the first side has it.
            let score = if person == played.people[0] {
                difference
            } else {
                0.0
            };
            game.side(1 + u32::from(difference < 0.0), score)
                .seat(NamedSeat::whole(&name));
        }
        game.finish()?;
        truth.logits.push(played.logits);
        truth.skills_then.extend(skills);
        if truth.logits.len().is_multiple_of(STEP) {
            progress.advance(STEP as u64);
        }
    }
    Ok(Generated {
        history: matches.finish(),
        truth,
    })
}

/// Matches between two reports of progress.
const STEP: usize = 1 << 16;

/// A match with what only a judge may know of it: 32 bytes, of which there are tens of millions.
struct Played {
    logits: [f64; 2],
    /// Seconds since the beginning.
    time: u32,
    people: [u32; 2],
    /// Goals of the first less those of the second, whole: its sign is the outcome.
    difference: f32,
}

/// What a region has played.
struct Region {
    /// Each person's last skill and its sensitivity.
    lasting: Vec<(f64, f64)>,
    /// In order of time.
    played: Vec<Played>,
    /// Where skills wander, those of both people at each match.
    skills_then: Vec<[f64; 2]>,
    late_matches: u64,
}

impl Region {
    /// The matches, each with the skills of that time if they wander.
    fn into_matches(self) -> impl Iterator<Item = (Played, Option<[f64; 2]>)> {
        let skills = self.skills_then.into_iter().map(Some);
        let skills = skills.chain(std::iter::repeat(None));
        self.played.into_iter().zip(skills)
    }
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
    skills_then: Vec<[f64; 2]>,
    late_matches: u64,
}

impl<'a> World<'a> {
    fn new(behaviour: &'a Behaviour<'a>, seed: u64, region: u32, numbers: Range<u32>) -> Self {
        let params = behaviour.params();
        let count = numbers.end - numbers.start;
        let people = draw_people(params, seed, region, count);
        let mut rng = stream(seed, Purpose::Matches, region.into(), 0);
        Self {
            // Dropped: a mean of 0 has no distribution, and no goals.
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
            skills_then: Vec::new(),
            late_matches: 0,
        }
    }

    /// Plays until time is up.
    fn play_all(mut self, matchmaker: &impl Matchmaker) -> Region {
        let params = self.behaviour.params();
        let end = params.start.saturating_add(seconds(params.days * 24.0 * 3600.0));
        while let Some(meeting) = matchmaker.next_meeting(&mut self.arrivals, &self.skills, &mut self.rng)
            && meeting.time < end
        {
            self.play(meeting);
        }
        self.played.shrink_to_fit();
        let sensitivities = self.people.iter().map(|person| person.traits.sensitivity);
        Region {
            lasting: self.skills.into_iter().zip(sensitivities).collect(),
            played: self.played,
            skills_then: self.skills_then,
            late_matches: self.late_matches,
        }
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
        let since_start = time.saturating_sub(self.behaviour.params().start);
        let played = Played {
            logits,
            // A history ends within a century, and goals are few.
            time: u32::try_from(since_start).unwrap_or(u32::MAX),
            people: people.map(|person| self.first + person),
            #[allow(clippy::cast_possible_truncation, reason = "a small whole number")]
            difference: difference as f32,
        };
        // In order of time: before the second player of a meeting arrives, other matches may begin.
        let before = self.played.iter().rposition(|other| other.time <= played.time);
        let place = before.map_or(0, |place| place + 1);
        self.played.insert(place, played);
        if self.drift.is_some() {
            self.skills_then.insert(place, skills);
        }
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
