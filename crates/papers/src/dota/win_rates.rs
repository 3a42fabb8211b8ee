//! What a win rate says of skill, in a world where ratings move with each game.

use matchwright_rating::{DotaMmrParams, GaussianRating, PercentileTable, Side, TeamGame, TeamRatingSystem};
use matchwright_sim::random::{standard_normal, stream};
use matchwright_sim::statistics::{Estimate, Summary, correlation};

use crate::random::Purpose;

/// What decides [`run_win_rates`], apart from the seed.
#[derive(Clone, Debug, PartialEq)]
pub struct WinRatesConfig {
    /// The system.
    pub dota: DotaMmrParams,
    /// Players of a world; a multiple of 10.
    pub players: usize,
    /// Worlds; 2 or more, for an error.
    pub worlds: u32,
    /// After how many games of each player win rates are looked at, rising.
    pub after: Vec<u32>,
    /// The standard deviation of what a match's ratings may be apart, points.
    pub apart: f64,
}

impl Default for WinRatesConfig {
    fn default() -> Self {
        Self {
            dota: DotaMmrParams::default(),
            players: 1_000,
            worlds: 8,
            after: vec![50, 200, 1_000],
            apart: 100.0,
        }
    }
}

/// The correlation of win rate and true skill over the players of a world, after each of these numbers of games: means
/// over worlds.
///
/// True skills are the printed percentiles' and stay; ratings start as far off as a known player's uncertainty and move by
/// the library's update. Players of about the same rating play five against five, divided evenly by rating; each performs
/// by true skill and the same uncertainty, and the better mean wins.
///
/// # Errors
/// For settings that the library refuses.
pub fn run_win_rates(config: &WinRatesConfig, seed: u64) -> anyhow::Result<Vec<(u32, Estimate)>> {
    let mut found = vec![Vec::new(); config.after.len()];
    for world in 0..config.worlds {
        for (all, one) in found.iter_mut().zip(run_world(config, seed, world)?) {
            all.push(one);
        }
    }
    let of = |values: &Vec<f64>| Summary::of(values.iter().copied()).estimate();
    Ok(config.after.iter().copied().zip(found.iter().map(of)).collect())
}

/// Which of ten players in the order of rating are on the first side.
const FIRST_SIDE: [usize; 5] = [0, 3, 4, 7, 8];

fn run_world(config: &WinRatesConfig, seed: u64, world: u32) -> anyhow::Result<Vec<f64>> {
    let dota = config.dota.build()?;
    let known = dota.params().floor;
    let percentiles = PercentileTable::dota_2013();
    let place = |player: usize| (player as f64 + 0.5) / config.players as f64;
    let skills: Vec<f64> = (0..config.players)
        .map(|player| percentiles.quantile(place(player)))
        .collect::<Result<_, _>>()?;
    let mut rng = stream(seed, Purpose::WinRates, world.into(), 0);
    let start = |skill: &f64| GaussianRating::new(skill + known * standard_normal(&mut rng), known);
    let mut ratings: Vec<GaussianRating> = skills.iter().map(start).collect::<Result<_, _>>()?;
    let mut wins = vec![0.0; config.players];
    let mut found = Vec::new();
    for game in 1..=config.after.last().copied().unwrap_or(0) {
        let mut rng = stream(seed, Purpose::WinRates, world.into(), game.into());
        let mut order: Vec<(f64, usize)> = ratings
            .iter()
            .enumerate()
            .map(|(player, rating)| (rating.rating() + config.apart * standard_normal(&mut rng), player))
            .collect();
        order.sort_by(|one, other| one.0.total_cmp(&other.0));
        for ten in order.chunks_exact(10) {
            let sides: [Vec<usize>; 2] = [true, false].map(|first| {
                let of = ten.iter().enumerate();
                of.filter(|(place, _)| FIRST_SIDE.contains(place) == first)
                    .map(|(_, one)| one.1)
                    .collect()
            });
            let mut played = |side: &[usize]| -> f64 {
                side.iter()
                    .map(|&player| skills[player] + known * standard_normal(&mut rng))
                    .sum()
            };
            let winner = usize::from(played(&sides[1]) > played(&sides[0]));
            let rated = |side: usize| {
                let own = sides[side].iter().map(|&player| ratings[player]);
                Side::new(if side == winner { 1 } else { 2 }, own.collect::<Vec<_>>())
            };
            let after = TeamRatingSystem::update(&dota, &TeamGame::new(vec![rated(0), rated(1)])?);
            for (side, after) in sides.iter().zip(after) {
                for (&player, after) in side.iter().zip(after) {
                    ratings[player] = after;
                }
            }
            sides[winner].iter().for_each(|&player| wins[player] += 1.0);
        }
        if config.after.contains(&game) {
            found.push(correlation(wins.iter().copied().zip(skills.iter().copied())));
        }
    }
    Ok(found)
}
