//! Points of a ladder with a bonus pool, beside games played.

use matchwright_rating::{
    BonusPoolParams, EloParams, EloRating, GameResult, LadderPointsParams, PointsRating, RatingSystem, Score,
};
use rand::RngExt;
use serde::Serialize;

use crate::random::Purpose;
use crate::settings::within;
use matchwright_sim::random::stream;
use matchwright_sim::statistics::{Estimate, correlation};

/// Points that one game moves at most before any bonus, and K of the hidden rating: the document's average win of 13
/// and average loss of 11 together.
const K: f64 = 24.0;

/// What decides [`run_points`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointsConfig {
    /// The pool. Default a point each 112 minutes, as the document has it.
    pub pool: BonusPoolParams,
    /// Players of each setting, all equally good; 20 to 100,000. Default 1,000.
    pub players: u32,
    /// Weeks of the season; 1 to 1,000. Default 20.
    pub weeks: u32,
    /// The fewest and the most games a week, spread evenly over the players; from 1 to 1,000. Default 1 to 14: then half
    /// of the games won spend no more than the pool's 90 points a week.
    pub games_per_week: [u32; 2],
    /// Expected shares of games won, by opponents who are that much better; each in \[0.2, 0.8\]. Default 0.50, 0.48,
    /// 0.45.
    pub win_shares: Vec<f64>,
}

impl Default for PointsConfig {
    fn default() -> Self {
        Self {
            pool: BonusPoolParams::default(),
            players: 1_000,
            weeks: 20,
            games_per_week: [1, 14],
            win_shares: vec![0.50, 0.48, 0.45],
        }
    }
}

/// The players of one setting who won at most half of their games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointsRow {
    /// Whether there was a pool.
    pub with_pool: bool,
    /// Players who won at most half; only these count below.
    pub players: u64,
    /// The share of their games that they won.
    pub won: f64,
    /// Correlation of points with games played; its standard error is (1 - r^2) / sqrt(n - 3).
    pub correlation: Estimate,
    /// The share of them who ended with more points than they started with.
    pub gained: f64,
}

/// Plays a season for each share of games won, once with the pool and once without, with the same luck.
///
/// Hidden ratings follow Elo and start where they belong. Opponents are settled players, rated so far above a
/// player's hidden rating that the share is what one expects. No floor holds points up, so that what they gain is
/// the pool's.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
///
/// ```
/// use matchwright_papers::sc2::{PointsConfig, run_points};
///
/// let small = PointsConfig { players: 100, win_shares: vec![0.45], ..PointsConfig::default() };
/// let rows = run_points(&small, 1)?;
/// assert!(rows[0].with_pool && rows[0].correlation.mean > 0.9);
/// assert!(!rows[1].with_pool && rows[1].correlation.mean < 0.5);
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn run_points(config: &PointsConfig, seed: u64) -> anyhow::Result<Vec<PointsRow>> {
    within("players", config.players, &(20..=100_000))?;
    within("weeks", config.weeks, &(1..=1_000))?;
    let [fewest, most] = config.games_per_week;
    within("the most games a week", most, &(1..=1_000))?;
    within("the fewest games a week", fewest, &(1..=most))?;
    let mut rows = Vec::new();
    for (setting, &win_share) in (0..).zip(&config.win_shares) {
        within("a share of wins", win_share, &(0.2..=0.8))?;
        for with_pool in [true, false] {
            rows.push(season(config, win_share, with_pool, setting, seed)?);
        }
    }
    Ok(rows)
}

struct Player {
    games: f64,
    wins: f64,
    gained: f64,
}

fn season(
    config: &PointsConfig,
    win_share: f64,
    with_pool: bool,
    setting: u64,
    seed: u64,
) -> anyhow::Result<PointsRow> {
    let elo = EloParams {
        k: K,
        ..EloParams::default()
    }
    .build()?;
    let points = LadderPointsParams {
        k: K,
        floor: -1e9,
        bonus: with_pool.then_some(config.pool),
        ..LadderPointsParams::default()
    };
    let ladder = points.wrap(elo)?;
    // Elo's 400 log10 of the odds.
    let lead = 400.0 * ((1.0 - win_share) / win_share).log10();
    let true_rating = ladder.initial().hidden().value();
    let week = 7.0 * 1_440.0 / config.pool.minutes_per_period;
    let mut players = Vec::new();
    for number in 0..config.players {
        let mut rng = stream(seed, Purpose::Points, setting, number.into());
        let [fewest, most] = config.games_per_week;
        let per_week = fewest + number % (most - fewest + 1);
        let games = per_week * config.weeks;
        let mut rating = ladder.initial();
        let mut wins = 0.0;
        for _ in 0..games {
            let level = rating.hidden().value() + lead;
            let opponent = PointsRating::new(EloRating::new(level)?, 0.0, 0.0, 0.0)?;
            let won = rng.random::<f64>() < elo.params().curve.expected(true_rating, level);
            let score = if won { Score::WIN } else { Score::LOSS };
            wins += score.value();
            let idle = week / f64::from(per_week);
            rating = ladder.update(&rating, idle, &[GameResult::new(opponent, score)]);
        }
        players.push(Player {
            games: f64::from(games),
            wins,
            gained: rating.points() - ladder.params().start,
        });
    }
    players.retain(|player| 2.0 * player.wins <= player.games);
    Ok(row(&players, with_pool))
}

fn row(players: &[Player], with_pool: bool) -> PointsRow {
    let sum = |value: fn(&Player) -> f64| players.iter().map(value).sum::<f64>();
    let r = correlation(players.iter().map(|player| (player.games, player.gained)));
    let count = players.len() as f64;
    PointsRow {
        with_pool,
        players: players.len() as u64,
        won: sum(|player| player.wins) / sum(|player| player.games),
        correlation: (r, (1.0 - r * r) / (count - 3.0).sqrt()).into(),
        gained: sum(|player| f64::from(u8::from(player.gained > 0.0))) / count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_the_pool_points_follow_games_and_without_it_they_do_not() {
        let config = PointsConfig {
            players: 280,
            weeks: 10,
            ..PointsConfig::default()
        };
        let rows = run_points(&config, 1).unwrap();
        assert_eq!(rows.len(), 6);
        for row in &rows {
            assert!(row.won <= 0.5 && row.players > 100, "{row:?}");
            if row.with_pool {
                assert!(row.correlation.mean > 0.9 && row.gained > 0.9, "{row:?}");
            } else {
                assert!(row.correlation.mean < 0.3, "{row:?}");
            }
        }
        assert_eq!(rows, run_points(&config, 1).unwrap());
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let config = PointsConfig {
            win_shares: vec![f64::NAN],
            ..PointsConfig::default()
        };
        let error = run_points(&config, 1).unwrap_err().to_string();
        assert!(error.starts_with("a share of wins"), "{error}");
    }
}
