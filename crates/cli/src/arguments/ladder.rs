//! The options of a ladder around a rating system.

use clap::Args;
use matchwright_rating::{AveragedParams, BonusPoolParams, LadderParams, LadderPointsParams, MovingAverage};

use super::common::number_or;

/// What a ladder shows beside the rating, which it does not change.
#[derive(Args)]
#[command(next_help_heading = "Ladder, around any system that learns game by game")]
pub(crate) struct LadderOptions {
    /// Show displayed points, bonus pool, moving average and tier beside the rating, which they do not change
    #[arg(long)]
    pub(crate) ladder: bool,
    /// Most points that a game moves before any bonus [default: 24]
    #[arg(long, value_name = "POINTS", requires = "ladder")]
    pub(crate) points_k: Option<f64>,
    /// Points at the start [default: 0]
    #[arg(long, value_name = "POINTS", requires = "ladder")]
    pub(crate) points_start: Option<f64>,
    /// Points below which no loss takes anyone [default: 0]
    #[arg(long, value_name = "POINTS", requires = "ladder")]
    pub(crate) points_floor: Option<f64>,
    /// Minutes in which a player's bonus pool gains a point, from the first game on, or off [default: 112]
    #[arg(long, value_name = "MINUTES|off", requires = "ladder", value_parser = PoolName::parse)]
    pub(crate) bonus_pool: Option<PoolName>,
    /// Most points that the pool holds [default: no limit]
    #[arg(long, value_name = "POINTS", requires = "ladder")]
    pub(crate) bonus_limit: Option<f64>,
    /// Average over the ratings after each game: simple:N, weighted:N, modified:N, exponential:ALPHA [default:
    /// simple:10]
    #[arg(long, value_name = "KIND:N", requires = "ladder", value_parser = average)]
    pub(crate) average: Option<MovingAverage>,
    /// Averages to pass for promotion into tier 1, 2 and so on, in rating points, rising
    #[arg(long, value_name = "POINTS,...", requires = "ladder", value_delimiter = ',')]
    pub(crate) promote_at: Vec<f64>,
    /// Games before the average counts for promotion [default: 10]
    #[arg(long, value_name = "GAMES", requires = "ladder")]
    pub(crate) promote_after: Option<u32>,
}

impl LadderOptions {
    /// The ladder, if one is asked for.
    pub(crate) fn params(&self) -> Option<LadderParams> {
        let bonus = || BonusPoolParams {
            max_unspent: self.bonus_limit.unwrap_or(BonusPoolParams::default().max_unspent),
            ..BonusPoolParams::default()
        };
        let plain = LadderPointsParams::default();
        let points = LadderPointsParams {
            k: self.points_k.unwrap_or(plain.k),
            start: self.points_start.unwrap_or(plain.start),
            floor: self.points_floor.unwrap_or(plain.floor),
            bonus: match self.bonus_pool {
                None => Some(bonus()),
                Some(PoolName::Minutes(minutes)) => Some(BonusPoolParams {
                    minutes_per_point: minutes,
                    ..bonus()
                }),
                Some(PoolName::Off) => None,
            },
        };
        let plain = AveragedParams::default();
        let averaged = AveragedParams {
            average: self.average.unwrap_or(plain.average),
            thresholds: self.promote_at.clone(),
            min_games: self.promote_after.unwrap_or(plain.min_games),
        };
        self.ladder.then_some(LadderParams { points, averaged })
    }
}

/// How a bonus pool fills.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PoolName {
    Minutes(f64),
    Off,
}

impl PoolName {
    fn parse(text: &str) -> Result<Self, String> {
        let minutes = number_or("off", text, "minutes above 0", |minutes| minutes > 0.0)?;
        Ok(minutes.map_or(Self::Off, Self::Minutes))
    }
}

/// `simple:10`: a moving average with its number.
fn average(text: &str) -> Result<MovingAverage, String> {
    let (kind, number) = text.split_once(':').unwrap_or((text, ""));
    let games = || {
        let games = number.parse().ok().filter(|games| (1..=10_000).contains(games));
        games.ok_or_else(|| format!("{kind} needs a number of games from 1 to 10000, such as {kind}:10"))
    };
    let alpha = || {
        let alpha = number.parse().ok().filter(|alpha| (1e-9..=1.0).contains(alpha));
        alpha.ok_or("exponential needs its smoothing factor, above 0 and up to 1, such as exponential:0.2")
    };
    Ok(match kind {
        "simple" => MovingAverage::Simple { games: games()? },
        "weighted" => MovingAverage::Weighted { games: games()? },
        "modified" => MovingAverage::Modified { games: games()? },
        "exponential" => MovingAverage::Exponential { alpha: alpha()? },
        _ => return Err("give simple:N, weighted:N, modified:N or exponential:ALPHA".to_owned()),
    })
}
