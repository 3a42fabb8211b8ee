//! A strong alliance that starts anew among settled ones: how long it stays below its place, and what that costs those
//! whom it meets there.

use anyhow::Result;
use matchwright_rating::{
    DomMmrParams, DomRating, GameResult, Glicko2Params, Glicko2Rating, ParamError, RatingEstimate,
    RatingSystem, Score,
};
use matchwright_sim::random::{derived_seed, standard_normal, stream};
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, paired_test};
use rand::RngExt;
use serde::Serialize;

use crate::random::Purpose;
use crate::settings::within;
use crate::workers::Workers;

/// Standard deviation of strengths around the start of newcomers, points.
const STRENGTH_DEVIATION: f64 = 1_200.0;
/// Matchmaking by rating, with a normal error of this deviation: neighbours meet.
const MATCHING_DEVIATION: f64 = 200.0;
/// Points of the league for one of Glicko-2's: the league's curve is four times as wide as Elo's.
const GLICKO_SCALE: f64 = 4.0;

/// What decides [`run_league`], apart from the seed. The document gives no numbers: all are ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeagueConfig {
    /// The schedule of K; its streaks are left out, which would make up for a newcomer's K.
    pub dom: DomMmrParams,
    /// K of newcomers, in multiples of `dom`'s settled K. Default 1, 2 and 4.
    pub newcomer_k: Vec<f64>,
    /// Deviations of newcomers under Glicko-2, its points. Default 60, about that of the settled, and 350.
    pub deviations: Vec<f64>,
    /// Settled alliances; odd, so that with the newcomer all can meet. Default 199.
    pub veterans: u32,
    /// Rounds, in each of which every alliance has a war. Default 60.
    pub rounds: u32,
    /// Worlds. Default 300.
    pub worlds: u32,
    /// Strength of the newcomer, points. Default 14,500.
    pub strength: f64,
}

impl Default for LeagueConfig {
    fn default() -> Self {
        Self {
            dom: DomMmrParams::default(),
            newcomer_k: vec![1.0, 2.0, 4.0],
            deviations: vec![60.0, 350.0],
            veterans: 199,
            rounds: 60,
            worlds: 300,
            strength: 14_500.0,
        }
    }
}

/// What a newcomer did in one world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct NewcomerWorld {
    /// Wars until its rating was first half way to its strength; one more than were played, if it never was.
    pub wars_to_half: f64,
    /// Points that its opponents lost in the wars against it, less those that they won.
    pub taken: f64,
    /// The same where it comes with a settled rating at its strength: an alliance that did not start anew.
    pub taken_if_known: f64,
    /// Wars that it won against alliances weaker by 1,000 points or more.
    pub preyed: f64,
    /// The same of the one that did not start anew.
    pub preyed_if_known: f64,
}

/// One way to rate newcomers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeagueRow {
    /// How, in words.
    pub system: String,
    /// Each world.
    pub worlds: Vec<NewcomerWorld>,
}

impl LeagueRow {
    /// Over the worlds.
    #[must_use]
    pub fn mean(&self, figure: impl Fn(&NewcomerWorld) -> f64) -> Estimate {
        Summary::of(self.worlds.iter().map(figure)).estimate()
    }

    /// Against 0, over the worlds.
    #[must_use]
    pub fn test(&self, figure: impl Fn(&NewcomerWorld) -> f64) -> MeanTest {
        paired_test(self.worlds.iter().map(figure))
    }

    /// Less those of another way, world by world.
    #[must_use]
    pub fn less(&self, other: &Self, figure: impl Fn(&NewcomerWorld) -> f64) -> MeanTest {
        let pairs = self.worlds.iter().zip(&other.worlds);
        paired_test(pairs.map(|(one, other)| figure(one) - figure(other)))
    }
}

/// All ways, the schedule's first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeagueReport {
    /// What decided it.
    pub config: LeagueConfig,
    /// By K of newcomers, in the order of the configuration.
    pub by_k: Vec<LeagueRow>,
    /// By their deviation under Glicko-2, likewise.
    pub by_deviation: Vec<LeagueRow>,
}

/// Plays all worlds under each way to rate newcomers, with the same alliances and the same luck; the numbers do not
/// depend on the number of threads.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range; a parameter that a rating system refuses.
pub fn run_league(config: &LeagueConfig, seed: u64, workers: &Workers<'_>) -> Result<LeagueReport> {
    within("veterans", config.veterans, &(3..=10_000))?;
    within("rounds", config.rounds, &(1..=10_000))?;
    within("worlds", config.worlds, &(2..=1_000_000))?;
    within("strength", config.strength, &(-1e8..=1e8))?;
    let schedule = |&times: &f64| {
        let dom = DomMmrParams {
            newcomer_k: times * config.dom.k,
            streak_step: 0.0,
            ..config.dom
        };
        let system = dom.build()?;
        let league = League {
            config,
            scale: 1.0,
            zero: 0.0,
            settled: |glory| DomRating::new(glory, 300, 0),
            newcomer: system.initial(),
            system,
        };
        let worlds = league.play_all(seed, workers)?;
        Ok(LeagueRow {
            system: format!("K {} for newcomers", dom.newcomer_k),
            worlds,
        })
    };
    let glicko = |&deviation: &f64| {
        let params = Glicko2Params::default();
        let newcomer = Glicko2Rating::new(params.initial_rating, deviation, params.initial_volatility)?;
        let league = League {
            config,
            scale: GLICKO_SCALE,
            zero: config.dom.initial - GLICKO_SCALE * params.initial_rating,
            settled: |rating| Glicko2Rating::new(rating, 60.0, 0.06),
            newcomer,
            system: params.build()?,
        };
        let worlds = league.play_all(seed, workers)?;
        Ok(LeagueRow {
            system: format!("Glicko-2, deviation {deviation} for newcomers"),
            worlds,
        })
    };
    Ok(LeagueReport {
        by_k: config.newcomer_k.iter().map(schedule).collect::<Result<_>>()?,
        by_deviation: config.deviations.iter().map(glicko).collect::<Result<_>>()?,
        config: config.clone(),
    })
}

/// Settled alliances and one more, under a rating system. Points of the league are zero + scale * rating.
struct League<'a, S: RatingSystem, F> {
    config: &'a LeagueConfig,
    scale: f64,
    zero: f64,
    settled: F,
    newcomer: S::Rating,
    system: S,
}

struct Alliance<R> {
    strength: f64,
    rating: R,
}

impl<S, F> League<'_, S, F>
where
    S: RatingSystem + Sync,
    S::Rating: RatingEstimate + Sync,
    F: Fn(f64) -> Result<S::Rating, ParamError> + Sync,
{
    fn play_all(&self, seed: u64, workers: &Workers<'_>) -> Result<Vec<NewcomerWorld>> {
        let worlds = self.config.worlds as usize;
        workers.in_order("leagues with a newcomer", worlds, |world| {
            let seed = derived_seed(seed, Purpose::League, world as u64, 0);
            let anew = self.play(seed, self.newcomer.clone())?;
            let known = self.play(seed, self.settled_at(self.config.strength)?)?;
            Ok(NewcomerWorld {
                taken_if_known: known.taken,
                preyed_if_known: known.preyed,
                ..anew
            })
        })
    }

    fn settled_at(&self, points: f64) -> Result<S::Rating> {
        Ok((self.settled)((points - self.zero) / self.scale)?)
    }

    fn points(&self, rating: &S::Rating) -> f64 {
        self.zero + self.scale * rating.rating()
    }

    /// One world, in which the last alliance comes with this rating.
    fn play(&self, seed: u64, rating: S::Rating) -> Result<NewcomerWorld> {
        let (config, mut rng) = (self.config, stream(seed, Purpose::League, 0, 0));
        let mut all = Vec::new();
        for _ in 0..config.veterans {
            let strength = config.dom.initial + STRENGTH_DEVIATION * standard_normal(&mut rng);
            let rating = self.settled_at(strength)?;
            all.push(Alliance { strength, rating });
        }
        let newcomer = all.len();
        let half = f64::midpoint(self.points(&rating), config.strength);
        all.push(Alliance {
            strength: config.strength,
            rating,
        });
        let mut found = NewcomerWorld {
            wars_to_half: f64::from(config.rounds) + 1.0,
            ..NewcomerWorld::default()
        };
        let mut wars = 0.0;
        for round in 1..=config.rounds {
            let mut rng = stream(seed, Purpose::League, round.into(), 0);
            let mut order: Vec<(f64, usize, f64)> = Vec::new();
            for (at, one) in all.iter().enumerate() {
                let near = self.points(&one.rating) + MATCHING_DEVIATION * standard_normal(&mut rng);
                order.push((near, at, rng.random()));
            }
            order.sort_by(|a, b| a.0.total_cmp(&b.0));
            for pair in order.chunks_exact(2) {
                let (a, b) = (pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1));
                let luck = if pair[0].1 == b { pair[0].2 } else { pair[1].2 };
                let before = self.points(&all[a].rating);
                let won = self.war(&mut all, a, b, luck);
                if b == newcomer {
                    wars += 1.0;
                    found.taken += before - self.points(&all[a].rating);
                    let is_prey = won && all[a].strength + 1_000.0 <= config.strength;
                    found.preyed += f64::from(u8::from(is_prey));
                }
            }
            if self.points(&all[newcomer].rating) >= half {
                found.wars_to_half = found.wars_to_half.min(wars);
            }
        }
        Ok(found)
    }

    /// One war, which the luck in \[0, 1) of `b` decides; whether `b` won. In truth the curve is that of the schedule.
    fn war(&self, all: &mut [Alliance<S::Rating>], a: usize, b: usize, luck: f64) -> bool {
        let curve = &self.config.dom.curve;
        let won = luck < curve.expected(all[b].strength, all[a].strength);
        let score = if won { Score::WIN } else { Score::LOSS };
        let (first, second) = (all[a].rating.clone(), all[b].rating.clone());
        let after = |own: &S::Rating, other: &S::Rating, score| {
            self.system
                .update(own, 1.0, &[GameResult::new(other.clone(), score)])
        };
        all[b].rating = after(&second, &first, score);
        all[a].rating = after(&first, &second, score.reversed());
        won
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    fn small() -> LeagueConfig {
        LeagueConfig {
            veterans: 39,
            rounds: 30,
            worlds: 30,
            ..LeagueConfig::default()
        }
    }

    #[test]
    fn with_one_k_opponents_lose_what_the_newcomer_gains() {
        let config = LeagueConfig {
            newcomer_k: vec![1.0],
            deviations: Vec::new(),
            dom: DomMmrParams::constant_k(128.0),
            rounds: 120,
            ..small()
        };
        let report = run_league(&config, 1, &Workers::new(1, &Quiet)).unwrap();
        let row = &report.by_k[0];
        // Points only change hands: all that lifts it from 12,000 to where it belongs was theirs.
        let taken = row.mean(|world| world.taken);
        assert!((1_800.0..2_900.0).contains(&taken.mean), "{taken:?}");
        assert!(row.mean(|world| world.taken_if_known).mean.abs() < 300.0);
    }

    #[test]
    fn a_larger_k_for_newcomers_takes_less_and_threads_do_not_show() {
        let run = |threads| run_league(&small(), 2, &Workers::new(threads, &Quiet)).unwrap();
        let report = run(1);
        assert_eq!(report, run(3));
        let [one, _, four] = &report.by_k[..] else {
            panic!("{report:?}")
        };
        assert!(four.less(one, |world| world.wars_to_half).t < -4.0);
        assert!(four.less(one, |world| world.taken).t < -4.0);
    }
}
