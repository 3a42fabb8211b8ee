//! Individual performance beside the result, in games of five against five.

use matchwright_rating::{DotaMmr, DotaMmrParams, GaussianRating, Side, TeamGame};
use rand::{Rng, RngExt};
use serde::Serialize;

use crate::random::Purpose;
use crate::settings::within;
use matchwright_sim::random::{standard_normal, stream};
use matchwright_sim::statistics::{Estimate, Summary};

/// The standard deviation of the players' skill within a game, points.
const SKILL_DEVIATION: f64 = 300.0;

/// What decides [`run_performance`], apart from the seed. The document gives no numbers but the percentiles: the
/// spread is near theirs, the rest is ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PerformanceConfig {
    /// The system.
    pub dota: DotaMmrParams,
    /// Games; 2 to 10,000,000. Default 5,000.
    pub games: u32,
}

impl Default for PerformanceConfig {
    fn default() -> Self {
        Self {
            dota: DotaMmrParams::default(),
            games: 5_000,
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
    /// Points that a member's MMR moved from what the result alone gives, as a share of the points for the result: means
    /// over the third of players of least, middle and largest uncertainty.
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
    within("games", config.games, &(2..=10_000_000))?;
    let dota = config.dota.build()?;
    let mut counts = Counts::default();
    for game in 0..config.games {
        let mut rng = stream(seed, Purpose::Performance, game.into(), 0);
        counts.add(&dota, config, &mut rng)?;
    }
    let [winners_down, losers_up] = counts.against.map(|shares| Summary::of(shares).estimate());
    let [winners_mean, losers_mean] = counts.means.map(|means| Summary::of(means).estimate());
    Ok(PerformanceReport {
        config: config.clone(),
        winners_down,
        losers_up,
        winners_mean,
        losers_mean,
        teams_against: counts.teams_against,
        individual_share: std::array::from_fn(|third| counts.own[third] / counts.by_result[third]),
    })
}

/// Sums over games; pairs are of winners and losers, triples of the thirds of uncertainty.
#[derive(Default)]
struct Counts {
    /// The share of a team whose MMR went against the result.
    against: [Vec<f64>; 2],
    means: [Vec<f64>; 2],
    teams_against: u64,
    own: [f64; 3],
    by_result: [f64; 3],
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
            let (place, sign) = if side == winner { (0, 1.0) } else { (1, -1.0) };
            let against = moves.iter().filter(|points| sign * **points < 0.0).count() as f64;
            self.against[place].push(against / moves.len() as f64);
            self.means[place].push(mean(&moves));
            self.teams_against += u64::from(sign * mean(&moves) < 0.0);
            for ((points, plain), rating) in moves.iter().zip(plain).zip(before) {
                let third = third(&config.dota, rating.deviation());
                self.own[third] += (points - plain).abs();
                self.by_result[third] += plain.abs();
            }
        }
        Ok(())
    }
}

/// 0, 1 or 2: the third of the range in which an uncertainty lies.
fn third(dota: &DotaMmrParams, uncertainty: f64) -> usize {
    let width = dota.max_uncertainty - dota.floor;
    let place = 3.0 * (uncertainty - dota.floor) / width;
    usize::from(place >= 1.0) + usize::from(place >= 2.0)
}

fn team(config: &PerformanceConfig, rng: &mut impl Rng) -> anyhow::Result<(Vec<GaussianRating>, Vec<f64>)> {
    let (floor, most) = (config.dota.floor, config.dota.max_uncertainty);
    let mut ratings = Vec::with_capacity(5);
    let mut performances = Vec::with_capacity(5);
    for _ in 0..5 {
        let mmr = config.dota.initial_mmr + SKILL_DEVIATION * standard_normal(rng);
        let uncertainty = floor + (most - floor) * rng.random::<f64>();
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
        assert_eq!(report.individual_share, [0.0; 3]);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let config = PerformanceConfig { games: 1, ..small() };
        let error = run_performance(&config, 1).unwrap_err().to_string();
        assert!(error.starts_with("games"), "{error}");
    }
}
