//! The history of a population: a matchmaker drives its people, region by region, until time is up.

use std::ops::Range;

use itertools::Itertools;
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
use super::truth::{Truth, outcome_probabilities};
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
        skills: Vec::new(),
        logits: Vec::with_capacity(count),
        players: Vec::with_capacity(count),
        outcome_effects: params.outcome_effects.by_index(),
        draw_rate: params.draw_rate,
        late_matches: worlds.iter().map(|world| world.late_matches).sum(),
    };
    let skills: Vec<f64> = worlds.iter().flat_map(|world| &world.skills).copied().collect();
    let lists = worlds.into_iter().map(|world| world.played);
    // Of matches at one time those of the first region come first: people are numbered region by region.
    let in_order = lists.kmerge_by(|a, b| (a.time, a.people[0]) < (b.time, b.people[0]));
    let mut names = Vec::new();
    // Nobody plays twice in a second, so that no match repeats another.
    let mut matches = HistoryBuilder::default().keep_repeats(true);
    // A history numbers players as they appear; so must the truth.
    let mut seen: Vec<Option<PlayerIndex>> = vec![None; skills.len()];
    let mut next: PlayerIndex = 0;
    for played in in_order {
        let [player1, player2] = played.people.map(|person| {
            *seen[person as usize].get_or_insert_with(|| {
                truth.skills.push(skills[person as usize]);
                names.push(format!("p{person:05}"));
                next += 1;
                next - 1
            })
        });
        truth.logits.push(played.logits);
        truth
            .players
            .push([player1, player2].map(|player| player as usize));
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
        let outcome = self.draw_outcome(people);
        let difference = self.draw_difference(outcome);
        let sides = [
            (people[0], outcome, difference),
            (people[1], outcome.reversed(), -difference),
        ];
        let logits = sides.map(|(person, outcome, goal_difference)| {
            let played = PlayedMatch {
                time,
                outcome,
                goal_difference,
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
            logits,
        };
        // In order of time: before the second player of a meeting arrives, other matches may begin.
        let before = self.played.iter().rposition(|other| other.time <= time);
        self.played.insert(before.map_or(0, |place| place + 1), played);
    }

    fn draw_outcome(&mut self, people: [u32; 2]) -> Outcome {
        let [own, other] = people.map(|person| self.skills[person as usize]);
        let [win, draw, _] = outcome_probabilities(self.behaviour.params().draw_rate, own, other);
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
    let place = region as usize % REGIONS.len();
    let person = |(number, (skill, habit)): (u64, (f64, f64))| {
        let habit = params.habit_deviation * habit;
        Person::new(Traits {
            skill: params.skill_mean + params.skill_deviation * skill,
            habit,
            weekly_habit: params.weekly_share * habit + params.weekly_noise * standard_normal(&mut rng),
            home: Home::draw(place, &mut stream(seed, Purpose::Homes, region.into(), number)),
            ..Traits::default()
        })
    };
    (0..).zip(skills.into_iter().zip(habits)).map(person).collect()
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
mod tests {
    use super::super::params::LogNormalParams;
    use super::*;
    use crate::adapt::outcome_of;
    use matchwright_rating::history::Game;

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
        let params = GeneratorParams {
            region_players: 200,
            ..small()
        };
        let world = generate(&params, 1).unwrap();
        assert_eq!(world.truth.skills().len(), world.history.players().len());
        assert_eq!(world.truth.logits.len(), world.history.len());
        for (game, players) in world.history.duels().unwrap().iter().zip(&world.truth.players) {
            assert_eq!([game.player1 as usize, game.player2 as usize], *players);
        }
    }

    #[test]
    fn every_slice_of_the_normal_distribution_has_one_player() {
        let mut numbers = stratified_normals(&mut stream(1, Purpose::Traits, 0, 0), 1000);
        let normal = Normal::standard();
        assert!(!numbers.is_sorted());
        numbers.sort_by(f64::total_cmp);
        for (k, number) in (0_u32..).zip(&numbers) {
            let place = 1000.0 * normal.cdf(*number);
            assert!(
                (f64::from(k) - 1e-6..f64::from(k + 1) + 1e-6).contains(&place),
                "{k} {place}"
            );
        }
    }

    /// People meet in the order in which they come.
    struct FirstCome;

    impl Matchmaker for FirstCome {
        fn next_meeting(&self, arrivals: &mut Arrivals, _: &[f64], _: &mut ChaCha8Rng) -> Option<Meeting> {
            let (first, second) = (arrivals.pop_first()?, arrivals.pop_first()?);
            Some(Meeting {
                time: second.0,
                people: [first.1, second.1],
                delayed: false,
            })
        }
    }

    #[test]
    fn another_matchmaker_drives_the_same_people() {
        let params = small();
        let [near, any] = [
            generate(&params, 1).unwrap(),
            generate_with(&params, 1, &FirstCome).unwrap(),
        ];
        let skills = |world: &Generated| {
            let mut skills = world.truth.skills().to_vec();
            skills.sort_by(f64::total_cmp);
            skills
        };
        assert_eq!(skills(&near), skills(&any));
        let mean_gap = |world: &Generated| {
            let games = 0..world.history.len();
            let count = games.len() as f64;
            let gap = |game| world.truth.side(game, 0).skill - world.truth.side(game, 1).skill;
            games.map(|game| gap(game).abs()).sum::<f64>() / count
        };
        assert!(mean_gap(&near) < 0.9 * mean_gap(&any));
        assert!(any.history.games().is_sorted_by_key(Game::time));
    }

    /// Later versions must not change what a seed gives, or they must say so.
    #[test]
    fn the_matches_of_a_seed_are_a_promise() {
        let params = GeneratorParams {
            region_players: 200,
            ..small()
        };
        let world = generate(&params, 5).unwrap();
        assert_eq!((world.history.len(), world.truth.late_matches()), (5855, 2817));
        let region = generate_region(&params, 5, 7).unwrap().history;
        let last = region.duels().unwrap().iter().last().unwrap();
        assert_eq!(
            (
                last.time,
                last.player1,
                last.player2,
                outcome_of(last.result),
                last.score_difference
            ),
            (1_453_333_591, 91, 0, Outcome::Win, 2.0)
        );
    }

    #[test]
    fn no_match_of_a_generated_history_repeats_another() {
        let params = GeneratorParams {
            region_players: 60,
            ..small()
        };
        let history = generate(&params, 2).unwrap().history;
        let mut builder = HistoryBuilder::default();
        for duel in history.duels().unwrap().iter() {
            let names =
                [duel.player1, duel.player2].map(|player| history.players()[player as usize].as_str());
            let named = NamedGame::duel(duel.time, names, duel.result, duel.score_difference);
            builder.push(&named).unwrap();
        }
        assert_eq!(builder.finish(), history);
    }

    #[test]
    fn regions_are_worlds_of_their_own_that_share_a_calendar() {
        let params = GeneratorParams {
            players: 650,
            region_players: 200,
            ..small()
        };
        assert_eq!(params.region_sizes().collect::<Vec<_>>(), [217, 217, 216]);
        let whole = generate(&params, 5).unwrap();
        let parts: Vec<_> = (0..3)
            .map(|region| generate_region(&params, 5, region).unwrap())
            .collect();
        let matches: usize = parts.iter().map(|part| part.history.len()).sum();
        assert_eq!(whole.history.len(), matches);
        assert!(whole.history.games().is_sorted_by_key(Game::time));
        // Nobody meets a player of another region, and each region's truth is the same alone.
        let region = |player: u32| {
            whole.history.players()[player as usize][1..]
                .parse::<u32>()
                .unwrap()
                / 217
        };
        let mut at = [0; 3];
        for (k, game) in whole.history.duels().unwrap().iter().enumerate() {
            let own = region(game.player1) as usize;
            assert_eq!(own, region(game.player2) as usize);
            assert_eq!(whole.truth.side(k, 1), parts[own].truth.side(at[own], 1));
            at[own] += 1;
        }
        // Beyond those asked for there are more.
        assert_eq!(generate_region(&params, 5, 7).unwrap().truth.skills().len(), 200);
        let alone = GeneratorParams {
            players: 217,
            ..params
        };
        assert_eq!(generate(&alone, 5).unwrap().history, parts[0].history);
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
        let session_gap = LogNormalParams {
            median: 4.0 * 3600.0,
            sigma: 1.0,
        };
        observed_churn_is_the_true_one(&GeneratorParams {
            players: 2_000,
            session_gap,
            ..small()
        });
    }

    /// The hours of a region's sessions have the density 1 + swing cos(2 pi (h - peak) / 24) on its own clock, and the
    /// labels stay those of the true churn function.
    #[test]
    fn sessions_begin_at_the_hours_that_people_like() {
        let params = GeneratorParams {
            players: 2_000,
            daily_swing: 0.6,
            peak_hour: 18.0,
            ..small()
        };
        observed_churn_is_the_true_one(&params);
        let behaviour = Behaviour::new(&params).unwrap();
        for (region, clock) in [(0, 1.0), (1, -6.0), (8, -3.0)] {
            let people = draw_people(&params, 1, region, 2_000);
            let mut rng = stream(1, Purpose::Matches, 0, 0);
            let hours = people.iter().map(|person| {
                assert_eq!(
                    (person.traits.home.clock, person.traits.home.pings.len()),
                    (clock, 5)
                );
                (behaviour.first_arrival(&person.traits.home, &mut rng) as f64 / 3600.0 + clock) % 24.0
            });
            // Their mean cosine is swing / 2, with a standard error below 1 / sqrt(2 * 2000) = .016.
            let cosine: f64 = hours
                .map(|hour| (std::f64::consts::TAU * (hour - 18.0) / 24.0).cos())
                .sum::<f64>();
            assert!((cosine / 2000.0 - 0.3).abs() < 0.064, "{cosine}");
        }
    }

    fn observed_churn_is_the_true_one(params: &GeneratorParams) {
        use matchwright_churn::{Horizon, Label, label_matches};
        let world = generate(params, 3).unwrap();
        let (_, end) = world.history.span().unwrap();
        let mut matches_of = vec![Vec::new(); world.history.players().len()];
        for (k, game) in world.history.duels().unwrap().iter().enumerate() {
            for (side, (player, result, _)) in game.sides().into_iter().enumerate() {
                let outcome = outcome_of(result);
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
        assert!(late * 50 < world.history.len() as u64, "{late}");
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
