//! The ladder that players saw through in 2011, beside ours.

use crate::sc2::claims::forensics::standing;
use crate::sc2::{ForensicsReport, run_forensics};
use anyhow::Result;
use matchwright_mmr_forensics::{GamesToPromotion, LadderSeason, PerLoss, WinRate, games_to_promotion};
use matchwright_sim::progress::Progress;
use serde::Serialize;

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
    /// As printed, with `decimals` decimals.
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

/// Reproduces the document, with this many ladders of each kind, 1 to 10,000.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn reproduce(ladders: u32, seed: u64, progress: &dyn Progress) -> Result<Sc2Reproduction> {
    let ladders = run_forensics(ladders, seed, progress)?;
    let season = LadderSeason::default();
    Ok(Sc2Reproduction {
        worked: worked(&season)?,
        corrected: corrected(&season)?,
        season,
        ladders,
    })
}

fn worked(season: &LadderSeason) -> Result<Vec<Worked>> {
    let params = season.params();
    let even = standing(1000.0, 2000.0, 2669.0, 0.5)?.differential();
    let better = standing(1000.0, 2000.0, 2669.0, 0.55)?.differential();
    let record = WinRate::from_record(293, 238)?;
    let bronze = standing(3821.0, 9.0, 2671.0, record.get())?;
    let rank_0 = season.division("Bronze", Some("Rank 0"))?;
    let games = match games_to_promotion(475.0 - 331.0, WinRate::HALF, params.game, params.lag_games)? {
        GamesToPromotion::Soon(games) | GamesToPromotion::Games(games) => games,
        GamesToPromotion::Never => f64::INFINITY,
    };
    let edge = rank_0.edge().unwrap_or(f64::NAN);
    let above = bronze.differential_in(&rank_0) - rank_0.magic().unwrap_or(f64::NAN);
    let (minutes, per_game) = (params.minutes_per_point, params.game.per_game(WinRate::HALF));
    let before = bronze.differential();
    let rows = [
        ("Pp of P 1000, U 2000, B 2669 at W .50", 331.0, 0, even),
        ("the same at W .55", 531.0, 0, better),
        ("W of 293 wins and 238 losses", 0.5518, 4, record.get()),
        ("Pp of P 3821, U 9, B 2671, before K", 1160.0, 0, before),
        ("with K -500 of Rank 0 Bronze, less M", 160.0, 0, above),
        ("its rating, the middle of Silver", 1160.0, 0, bronze.mmr(&rank_0)),
        ("Pp to pass in Rank 0 Bronze, before K", 1000.0, 0, edge),
        ("points a game at W .50 by 24 W - 11", 1.0, 0, per_game),
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
        let player = standing(0.0, 1000.0, 1000.0, share.get())?;
        let mut equal = params.game;
        equal.per_loss = PerLoss::new(equal.per_win.get())?;
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
