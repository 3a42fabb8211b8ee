//! Plays a population's matches, one after another, each between two of its own players.

use itertools::Itertools;
use matchwright_churn::Outcome;
use matchwright_rating::history::{History, HistoryBuilder, NamedGame, PlayerIndex};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::Distribution;
use rayon::prelude::*;

use super::churn_truth::{Memory, effect_of, logistic};
use super::laws::{Laws, below, spread_normals};
use super::params::{GeneratorError, GeneratorParams};
use super::ready::Ready;
use super::truth::{Truth, outcome_probabilities};
use crate::adapt::score_of;
use crate::random::{Purpose, standard_normal, stream};

const EIGHT_HOURS: f64 = 8.0 * 3600.0;
const SEVEN_DAYS: f64 = 7.0 * 24.0 * 3600.0;

/// A generated history and, apart from it, the truth behind it.
#[derive(Clone, Debug)]
pub struct Generated {
    /// What anybody may see.
    pub history: History,
    /// What only a judge may see.
    pub truth: Truth,
}

/// Generates a population and its matches; the same seed gives the same bytes.
///
/// A player who wants to play takes, among those of his region who want to play within the longest wait, the one
/// nearest to a skill drawn around his own. O(m (log n + w)) for m matches, n players and w players of a region
/// within a wait. Regions are played on the threads of the current pool, whose number does not show.
///
/// # Errors
/// [`GeneratorError`] names the parameter that makes no population.
pub fn generate(params: &GeneratorParams, seed: u64) -> Result<Generated, GeneratorError> {
    params.check()?;
    let sizes: Vec<u32> = params.region_sizes().collect();
    let regions = (0..).zip(sizes).collect::<Vec<(u64, u32)>>();
    let played = regions
        .into_par_iter()
        .map(|(region, size)| World::new(params, seed, region, size).play_all());
    join(params, played.collect())
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
    params.check()?;
    let size = params.region_sizes().nth(region as usize);
    let size = size.unwrap_or(params.region_players);
    let world = World::new(params, seed, region.into(), size).play_all();
    join(params, vec![world])
}

/// A region when time is up.
struct Region {
    skills: Vec<f64>,
    /// In order of time.
    played: Vec<Played>,
    late_matches: u64,
}

/// One history of all regions, and the truth behind it.
fn join(params: &GeneratorParams, regions: Vec<Region>) -> Result<Generated, GeneratorError> {
    let mut truth = Truth {
        skills: Vec::new(),
        logits: Vec::new(),
        players: Vec::new(),
        outcome_effects: Outcome::ALL.map(|o| effect_of(&params.outcome_effects, o)),
        draw_rate: params.draw_rate,
        late_matches: regions.iter().map(|region| region.late_matches).sum(),
    };
    let count = regions.iter().map(|region| region.played.len()).sum();
    let mut skills: Vec<f64> = Vec::new();
    let mut lists = Vec::new();
    for (number, region) in regions.into_iter().enumerate() {
        let first = skills.len();
        skills.extend(region.skills);
        lists.push(
            region
                .played
                .into_iter()
                .map(move |played| (number, first, played)),
        );
    }
    let in_order = lists
        .into_iter()
        .kmerge_by(|a, b| (a.2.pair.time, a.0) < (b.2.pair.time, b.0));
    let mut names = Vec::new();
    // Nobody plays twice in a second, so that no match repeats another.
    let mut matches = HistoryBuilder::default().keep_repeats(true);
    truth.logits.reserve_exact(count);
    truth.players.reserve_exact(count);
    // A history numbers players as they appear; so must the truth.
    let mut seen: Vec<Option<PlayerIndex>> = vec![None; skills.len()];
    let mut next: PlayerIndex = 0;
    for (_, first, played) in in_order {
        let [player1, player2] = [played.pair.first, played.pair.second].map(|person| {
            let person = first + person as usize;
            *seen[person].get_or_insert_with(|| {
                truth.skills.push(skills[person]);
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
            played.pair.time,
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

/// A player's hidden self but for his skill.
struct Person {
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
    /// By person; apart from the rest, since they are read far more often.
    skills: Vec<f64>,
    laws: Laws<'a>,
    /// Who wants to play next, and from when on.
    ready: Ready,
    end: i64,
    /// In order of time.
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
    fn new(params: &'a GeneratorParams, seed: u64, region: u64, players: u32) -> Self {
        let mut traits = stream(seed, Purpose::Traits, region, 0);
        let skills = spread_normals(&mut traits, players);
        let habits = spread_normals(&mut traits, players);
        let people = habits.into_iter();
        let people = people
            .map(|habit| Person::new(params, habit, &mut traits))
            .collect();
        let skill = |deviations: f64| params.skill_mean + params.skill_deviation * deviations;
        let mut rng = stream(seed, Purpose::Matches, region, 0);
        let spread = params.arrival_days.min(params.days) * 24.0 * 3600.0;
        let end = params.start.saturating_add(seconds(params.days * 24.0 * 3600.0));
        let mut ready = Ready::new(params.start, end, seconds(params.longest_wait));
        for person in 0..players {
            let from = params.start.saturating_add(seconds(rng.random::<f64>() * spread));
            ready.insert((from, person));
        }
        Self {
            params,
            rng,
            skills: skills.into_iter().map(skill).collect(),
            laws: Laws::of(params),
            people,
            ready,
            end,
            played: Vec::new(),
            late_matches: 0,
        }
    }

    /// Plays until time is up.
    fn play_all(mut self) -> Region {
        while let Some(pair) = self.next_pair() {
            self.play(pair);
        }
        Region {
            skills: self.skills,
            played: self.played,
            late_matches: self.late_matches,
        }
    }

    /// The longest ready player and whom he meets; none when time is up.
    fn next_pair(&mut self) -> Option<Pair> {
        let (from, first) = self.ready.pop_first()?;
        if from >= self.end {
            return None;
        }
        let aim =
            self.skills[first as usize] + self.params.opponent_deviation * standard_normal(&mut self.rng);
        let until = from.saturating_add(seconds(self.params.longest_wait));
        let skills = &self.skills;
        let far = |entry: &(i64, u32)| (skills[entry.1 as usize] - aim).abs();
        let nearest = self.ready.up_to(until).map(|entry| (far(entry), *entry));
        let nearest = nearest.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let chosen = if let Some((_, entry)) = nearest {
            entry
        } else {
            self.late_matches += 1;
            self.ready.first()?
        };
        self.ready.remove(chosen);
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
        let played = Played {
            pair,
            outcome,
            difference,
            logits,
        };
        // In order of time: while one pair's second player was still on his way, other pairs may have begun.
        let before = self.played.iter().rposition(|other| other.pair.time <= time);
        self.played.insert(before.map_or(0, |place| place + 1), played);
    }

    /// Lets a player see his match and decide when to play again; returns his churn logit before
    /// the outcome.
    fn live_on(&mut self, who: u32, time: i64, outcome: Outcome, difference: f64) -> f64 {
        let person = &mut self.people[who as usize];
        let logit = self
            .laws
            .churn
            .eight_hour_logit(person.habit, &mut person.memory, time);
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
        let limit = EIGHT_HOURS - self.params.longest_wait;
        below(
            self.laws.session_gap,
            limit,
            self.params.session_gap.median,
            &mut self.rng,
        )
    }

    /// A gap of at least eight hours, or of at least seven days.
    fn absence(&mut self, who: u32) -> f64 {
        let person = &self.people[who as usize];
        let weekly = (self.laws.churn).seven_day_probability(person.weekly_habit, &person.memory);
        if self.rng.random::<f64>() < weekly {
            let longer = self.laws.absence.map_or(0.0, |law| law.sample(&mut self.rng));
            return SEVEN_DAYS + 1.0 + longer;
        }
        let room = SEVEN_DAYS - EIGHT_HOURS - 1.0 - self.params.longest_wait;
        EIGHT_HOURS
            + 1.0
            + below(
                self.laws.return_gap,
                room,
                self.params.return_gap.median,
                &mut self.rng,
            )
    }

    fn draw_outcome(&mut self, first: u32, second: u32) -> Outcome {
        let skill = |person: u32| self.skills[person as usize];
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
        let extra = self.laws.goals.map_or(0.0, |law| law.sample(&mut self.rng));
        match outcome {
            Outcome::Win => 1.0 + extra,
            Outcome::Draw => 0.0,
            Outcome::Loss => -1.0 - extra,
        }
    }
}

impl Person {
    /// `habit` in standard deviations.
    fn new(params: &GeneratorParams, habit: f64, rng: &mut ChaCha8Rng) -> Self {
        let habit = params.habit_deviation * habit;
        Self {
            habit,
            weekly_habit: params.weekly_share * habit + params.weekly_noise * standard_normal(rng),
            memory: Memory::default(),
        }
    }
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
