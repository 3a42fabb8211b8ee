//! Individual performance beside the result, in games of five against five.

use matchwright_rating::{DotaMmr, DotaMmrParams, GaussianRating, Side, TeamGame};
use rand::{Rng, RngExt};
use serde::Serialize;

use crate::error::inside;
use crate::random::Purpose;
use matchwright_sim::random::{standard_normal, stream};
use matchwright_sim::statistics::{Estimate, Summary};

/// What decides [`run_performance`], apart from the seed. The document gives no numbers but the percentiles: the
/// spread is near theirs, the rest is ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PerformanceConfig {
    /// The system.
    pub dota: DotaMmrParams,
    /// Games; 2 to 10,000,000. Default 5,000.
    pub games: u32,
    /// The standard deviation of the players' skill within a game, points; 0 to 1e6. Default 300.
    pub skill_deviation: f64,
}

impl Default for PerformanceConfig {
    fn default() -> Self {
        Self {
            dota: DotaMmrParams::default(),
            games: 5_000,
            skill_deviation: 300.0,
        }
    }
}

/// What results and performances did to ratings. Errors are those of means over games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PerformanceReport {
    /// What decided it.
    pub config: PerformanceConfig,
    /// The share of winners whose MMR fell.
    pub winners_down: Estimate,
    /// The share of losers whose MMR rose.
    pub losers_up: Estimate,
    /// Points that the winning team's mean MMR rose by.
    pub winners_mean: Estimate,
    /// Points that the losing team's mean MMR rose by; negative.
    pub losers_mean: Estimate,
    /// Teams whose mean went against the result.
    pub teams_against: u64,
    /// Points that a member's MMR moved from what the result alone gives: mean absolute value over the third of
    /// players of least, middle and largest uncertainty.
    pub individual: [f64; 3],
    /// The same as a share of the points for the result.
    pub individual_share: [f64; 3],
}

/// Plays games of random teams and updates them with and without performances.
///
/// Uncertainties are even from the floor to the most. Skill is MMR plus a normal number with that uncertainty,
/// performance is skill plus a normal number with the floor's: the spread of a player who is known. The team that
/// performs better in the mean wins.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
///
/// ```
/// use matchwright_papers::dota::{PerformanceConfig, run_performance};
///
/// let small = PerformanceConfig { games: 200, ..PerformanceConfig::default() };
/// let report = run_performance(&small, 1)?;
/// assert!(report.losers_up.mean > 0.0 && report.teams_against == 0);
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn run_performance(config: &PerformanceConfig, seed: u64) -> anyhow::Result<PerformanceReport> {
    let games = f64::from(config.games);
    inside("games", games, &(2.0..=1e7), "from 2 to 10000000")?;
    let deviation = config.skill_deviation;
    inside("skill deviation", deviation, &(0.0..=1e6), "from 0 to 1e6 points")?;
    let dota = config.dota.build()?;
    let mut counts = Counts::default();
    for game in 0..config.games {
        let mut rng = stream(seed, Purpose::Performance, game.into(), 0);
        counts.add(&dota, config, &mut rng)?;
    }
    Ok(counts.report(config))
}

#[derive(Default)]
struct Counts {
    down: Vec<f64>,
    up: Vec<f64>,
    winners: Vec<f64>,
    losers: Vec<f64>,
    against: u64,
    own: [f64; 3],
    by_result: [f64; 3],
    players: [f64; 3],
}

impl Counts {
    fn add(&mut self, dota: &DotaMmr, config: &PerformanceConfig, rng: &mut impl Rng) -> anyhow::Result<()> {
        let (mut sides, mut played) = (Vec::new(), Vec::new());
        for _ in 0..2 {
            let (ratings, performances) = team(config, rng)?;
            sides.push(ratings);
            played.push(performances);
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let winner = usize::from(mean(&played[1]) > mean(&played[0]));
        let place = |side: usize| if side == winner { 1 } else { 2 };
        let game = TeamGame::new(vec![
            Side::new(place(0), sides[0].clone()),
            Side::new(place(1), sides[1].clone()),
        ])?;
        let after = dota.update_with_performance(&game, &played)?;
        let by_result = matchwright_rating::TeamRatingSystem::update(dota, &game);
        for (side, before) in sides.iter().enumerate() {
            let moved = |after: &[GaussianRating]| -> Vec<f64> {
                let pairs = after.iter().zip(before);
                pairs
                    .map(|(after, before)| after.rating() - before.rating())
                    .collect()
            };
            let (moves, plain) = (moved(&after[side]), moved(&by_result[side]));
            let sign = if side == winner { 1.0 } else { -1.0 };
            let against = moves.iter().filter(|points| sign * **points < 0.0).count() as f64;
            let share = against / moves.len() as f64;
            let (shares, means) = if side == winner {
                (&mut self.down, &mut self.winners)
            } else {
                (&mut self.up, &mut self.losers)
            };
            shares.push(share);
            means.push(mean(&moves));
            self.against += u64::from(sign * mean(&moves) < 0.0);
            for ((points, plain), rating) in moves.iter().zip(plain).zip(before) {
                let third = third(&config.dota, rating.deviation());
                self.own[third] += (points - plain).abs();
                self.by_result[third] += plain.abs();
                self.players[third] += 1.0;
            }
        }
        Ok(())
    }

    fn report(self, config: &PerformanceConfig) -> PerformanceReport {
        let estimate = |values: Vec<f64>| Summary::of(values).estimate();
        let ratio = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|third| a[third] / b[third]);
        PerformanceReport {
            config: config.clone(),
            winners_down: estimate(self.down),
            losers_up: estimate(self.up),
            winners_mean: estimate(self.winners),
            losers_mean: estimate(self.losers),
            teams_against: self.against,
            individual: ratio(self.own, self.players),
            individual_share: ratio(self.own, self.by_result),
        }
    }
}

/// 0, 1 or 2: the third of the range in which an uncertainty lies.
fn third(dota: &DotaMmrParams, uncertainty: f64) -> usize {
    let width = dota.max_uncertainty - dota.floor;
    let place = 3.0 * (uncertainty - dota.floor) / width;
    if place < 1.0 {
        0
    } else if place < 2.0 {
        1
    } else {
        2
    }
}

fn team(config: &PerformanceConfig, rng: &mut impl Rng) -> anyhow::Result<(Vec<GaussianRating>, Vec<f64>)> {
    let DotaMmrParams {
        initial_mmr,
        floor,
        max_uncertainty,
        ..
    } = config.dota;
    let mut ratings = Vec::with_capacity(5);
    let mut performances = Vec::with_capacity(5);
    for _ in 0..5 {
        let mmr = initial_mmr + config.skill_deviation * standard_normal(rng);
        let uncertainty = floor + (max_uncertainty - floor) * rng.random::<f64>();
        ratings.push(GaussianRating::new(mmr, uncertainty)?);
        performances.push(mmr + uncertainty * standard_normal(rng) + floor * standard_normal(rng));
    }
    Ok((ratings, performances))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> PerformanceConfig {
        PerformanceConfig {
            games: 1_000,
            ..PerformanceConfig::default()
        }
    }

    #[test]
    fn some_go_against_the_result_and_no_team_does() {
        let report = run_performance(&small(), 1).unwrap();
        for share in [report.winners_down, report.losers_up] {
            assert!((0.001..0.4).contains(&share.mean), "{report:?}");
        }
        assert!(report.winners_mean.mean > 0.0 && report.losers_mean.mean < 0.0);
        assert_eq!(report.teams_against, 0);
        assert!(report.individual_share[0] < report.individual_share[2]);
    }

    #[test]
    fn without_a_weight_nobody_goes_against_the_result() {
        let config = PerformanceConfig {
            dota: DotaMmrParams {
                performance_weight: 0.0,
                ..DotaMmrParams::default()
            },
            ..small()
        };
        let report = run_performance(&config, 1).unwrap();
        assert_eq!((report.winners_down.mean, report.losers_up.mean), (0.0, 0.0));
        assert_eq!(report.individual, [0.0; 3]);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let config = PerformanceConfig { games: 1, ..small() };
        let error = run_performance(&config, 1).unwrap_err().to_string();
        assert!(error.starts_with("games"), "{error}");
    }
}
