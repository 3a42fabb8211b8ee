//! The ladder that players saw through in 2011, beside ours.

use crate::sc2::{ForensicsConfig, ForensicsReport, run_forensics};
use anyhow::Result;
use matchwright_mmr_forensics::{
    GamesToPromotion, LadderSeason, PoolTotal, RankPoints, Standing, Unspent, WinRate, games_to_promotion,
};
use matchwright_report::Page;
use serde::Serialize;

use super::page::sc2_page;
use crate::reproduction::Reproduction;

/// Everything that was reproduced.
#[derive(Serialize)]
pub struct Sc2Reproduction {
    pub(crate) season: LadderSeason,
    pub(crate) worked: Vec<Worked>,
    pub(crate) corrected: Vec<Corrected>,
    pub(crate) ladders: ForensicsReport,
}

/// A number that the document works out.
#[derive(Clone, Serialize)]
pub(crate) struct Worked {
    pub(crate) what: &'static str,
    /// As printed, with so many decimals.
    pub(crate) published: f64,
    pub(crate) decimals: i32,
    pub(crate) ours: f64,
}

impl Worked {
    pub(crate) fn agrees(&self) -> bool {
        let scale = 10_f64.powi(self.decimals);
        (self.ours * scale).round() == (self.published * scale).round()
    }
}

/// What spending the pool is worth, by the share of wins.
#[derive(Serialize)]
pub(crate) struct Corrected {
    pub(crate) share: f64,
    /// 2 U W for 1,000 unspent points.
    pub(crate) published: f64,
    /// U (3 W - 1) / W.
    pub(crate) equal: Option<f64>,
    /// With 13 points a win and 11 a loss.
    pub(crate) observed: Option<f64>,
    pub(crate) per_game: f64,
}

impl Reproduction for Sc2Reproduction {
    fn content(&self) -> Page {
        sc2_page(self)
    }
}

/// Reproduces the document.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn reproduce(config: &ForensicsConfig, seed: u64) -> Result<Sc2Reproduction> {
    let ladders = run_forensics(config, seed)?;
    let season = LadderSeason::default();
    Ok(Sc2Reproduction {
        worked: worked(&season)?,
        corrected: corrected(&season)?,
        season,
        ladders,
    })
}

fn standing(points: f64, unspent: f64, total: f64, share: WinRate) -> Result<Standing> {
    Ok(Standing::new(
        RankPoints::new(points)?,
        Unspent::new(unspent)?,
        PoolTotal::new(total)?,
        share,
    )?)
}

fn worked(season: &LadderSeason) -> Result<Vec<Worked>> {
    let params = season.params();
    let share = |share| WinRate::new(share);
    let even = standing(1000.0, 2000.0, 2669.0, WinRate::HALF)?;
    let better = standing(1000.0, 2000.0, 2669.0, share(0.55)?)?;
    let record = WinRate::from_record(293, 238)?;
    let bronze = standing(3821.0, 9.0, 2671.0, record)?;
    let rank_0 = season.division("Bronze", Some("Rank 0"))?;
    let in_rank_0 = bronze.differential_in(&rank_0);
    let games = match games_to_promotion(475.0 - 331.0, WinRate::HALF, params.game, params.lag_games) {
        GamesToPromotion::Soon(games) | GamesToPromotion::Games(games) => games,
        GamesToPromotion::Never => f64::INFINITY,
    };
    let edge = rank_0.edge().unwrap_or(f64::NAN);
    let above = in_rank_0 - rank_0.magic().unwrap_or(f64::NAN);
    let minutes = params.minutes_per_point;
    let rows = [
        (
            "Pp of P 1000, U 2000, B 2669 at W .50",
            331.0,
            0,
            even.differential(),
        ),
        ("the same at W .55", 531.0, 0, better.differential()),
        ("W of 293 wins and 238 losses", 0.5518, 4, record.get()),
        (
            "Pp of P 3821, U 9, B 2671, before K",
            1160.0,
            0,
            bronze.differential(),
        ),
        ("with K -500 of Rank 0 Bronze, less M", 160.0, 0, above),
        ("its rating, the middle of Silver", 1160.0, 0, bronze.mmr(&rank_0)),
        ("Pp to pass in Rank 0 Bronze, before K", 1000.0, 0, edge),
        (
            "points a game at W .50 by 24 W - 11",
            1.0,
            0,
            params.game.per_game(WinRate::HALF),
        ),
        ("games from 331 to 475 at W .50", 149.0, 0, games),
        ("minutes from a pool of 2669 to 2671", 224.0, 0, 2.0 * minutes),
        ("bonus points a week", 90.0, 0, 7.0 * 1440.0 / minutes),
    ];
    let row = |(what, published, decimals, ours)| Worked {
        what,
        published,
        decimals,
        ours,
    };
    Ok(rows.map(row).to_vec())
}

fn corrected(season: &LadderSeason) -> Result<Vec<Corrected>> {
    let params = season.params();
    let mut rows = Vec::new();
    for percent in [35, 40, 45, 48, 50, 52, 55, 60, 70] {
        let share = WinRate::from_percent(f64::from(percent))?;
        let player = standing(0.0, 1000.0, 1000.0, share)?;
        let mut equal = params.game;
        equal.per_loss = matchwright_mmr_forensics::PerLoss::new(equal.per_win.get())?;
        rows.push(Corrected {
            share: share.get(),
            published: player.differential() + 1000.0,
            equal: player.differential_spent(equal).map(|value| value + 1000.0),
            observed: player.differential_spent(params.game).map(|value| value + 1000.0),
            per_game: params.game.per_game(share),
        });
    }
    Ok(rows)
}
