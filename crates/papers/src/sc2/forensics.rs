//! How well a ladder's hidden constants are inferred, on generated ladders.

use matchwright_mmr_forensics::{
    Answer, ConstantsFit, GameValue, Interval, LadderSeason, LeagueFit, LeagueParams, MovingAverage, PerLoss,
    PerWin, PromotionHistory, TierSettings, WinRate, cluster_tier, fit_constants, likely_tier,
    predict_promotion,
};
use rayon::prelude::*;
use serde::Serialize;

use super::visible_games::{VisibleGamesReport, run_visible_games};
use crate::random::Purpose;
use crate::sc2::ladder::{LadderTruth, LadderWorld, LadderWorldParams, ladder_world};
use crate::settings::within;
use anyhow::{Context, Result};
use matchwright_sim::progress::Progress;
use matchwright_sim::random::derived_seed;

/// Tiers of divisions with at least twenty active players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TierShares {
    /// Divisions.
    pub divisions: u32,
    /// By likelihood.
    pub right: u32,
    /// By the source's method.
    pub right_by_cluster: u32,
    /// The sum of the chances of the tiers that were found likeliest.
    pub claimed: f64,
}

/// How often 95 % intervals held the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Held {
    /// Intervals.
    pub intervals: u32,
    /// Those that held it.
    pub held: u32,
}

impl Held {
    /// The share that held.
    #[must_use]
    pub fn share(&self) -> f64 {
        f64::from(self.held) / f64::from(self.intervals)
    }

    pub(crate) fn count(&mut self, answer: &Answer<Interval>, truth: f64) {
        if let Some(interval) = answer.found() {
            self.intervals += 1;
            self.held += u32::from(interval.holds(truth));
        }
    }
}

/// Mean squared errors of forecasts of promotion within ten games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Brier {
    /// Forecasts.
    pub forecasts: u32,
    /// Sum of squares, ours.
    pub ours: f64,
    /// Sum of squares of the rule "promotion if Pp > M", with the printed M.
    pub rule: f64,
}

/// How far the source's Pp is off the rating, by unspent bonus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PoolRow {
    /// Unspent bonus points up to this, and above that of the row before.
    pub up_to: f64,
    /// Players.
    pub players: u32,
    /// Sum of squares of P + 2 U W - B less the rating's P + U - B, square points.
    pub squares: f64,
}

impl PoolRow {
    /// Root mean square error, points; NaN without players.
    pub(crate) fn error(&self) -> f64 {
        (self.squares / f64::from(self.players)).sqrt()
    }
}

/// What absence was found to cost in a league.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeagueDebt {
    /// Which.
    pub league: String,
    /// Games a week, the truth.
    pub truth: f64,
    /// Estimates, a ladder each.
    pub estimates: Vec<f64>,
    /// Ladders where the bounds held the truth.
    pub held: u32,
}

/// All of one kind of ladders.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WorldReport {
    /// Tiers.
    pub tiers: TierShares,
    /// Intervals of C.
    pub conversion: Held,
    /// Of M.
    pub magic: Held,
    /// Of K.
    pub offset: Held,
    /// Of K where promotions and moves do not contradict each other.
    pub offset_trusted: Held,
    /// Ladders whose moving average was found likeliest.
    pub averages_told: u32,
    /// Ladders where promotions could be compared.
    pub averages_compared: u32,
    /// Promotions of all ladders' histories.
    pub promotions: usize,
    /// Forecasts of all leagues but the one below the highest.
    pub brier: Brier,
    /// Forecasts of promotion to the highest league.
    pub brier_top: Brier,
    /// Errors by pool.
    pub pool: Vec<PoolRow>,
    /// Debts, lowest league first.
    pub debts: Vec<LeagueDebt>,
}

/// Both kinds of ladders.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ForensicsReport {
    /// Ladders of each kind.
    pub count: u32,
    /// Ladders as assumed.
    pub usual: WorldReport,
    /// Ladders that break the assumptions.
    pub broken: WorldReport,
    /// Players of Elo-like ladders, who know nothing but their changes.
    pub visible: VisibleGamesReport,
    /// The same where newcomers' games count double.
    pub visible_broken: VisibleGamesReport,
}

/// Generates ladders of each kind, 1 to 10,000, and finds out what they hide, with the printed season for the names of
/// tiers alone.
///
/// Ladders are worked on by as many threads as rayon has, and added up in order: same seed, same numbers.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a number of ladders out of range.
pub fn run_forensics(ladders: u32, seed: u64, progress: &dyn Progress) -> Result<ForensicsReport> {
    let run = |stage: &str, params: &LadderWorldParams| {
        progress.begin(stage, u64::from(ladders));
        run_ladders(params, ladders, seed, progress)
    };
    Ok(ForensicsReport {
        count: ladders,
        usual: run("ladders as assumed", &LadderWorldParams::default())?,
        broken: run("ladders that break the assumptions", &LadderWorldParams::broken())?,
        visible: run_visible_games(1.0, seed)?,
        visible_broken: run_visible_games(2.0, seed)?,
    })
}

/// Ladders of one kind, summed up; each is a step of `progress`.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_ladders(
    params: &LadderWorldParams,
    ladders: u32,
    seed: u64,
    progress: &dyn Progress,
) -> Result<WorldReport> {
    within("ladders", ladders, &(1..=10_000))?;
    let reports = (0..u64::from(ladders))
        .into_par_iter()
        .map(|number| {
            let report = ladder(params, derived_seed(seed, Purpose::Ladders, number, 0));
            progress.advance(1);
            report
        })
        .collect::<Result<Vec<WorldReport>>>()?;
    let sum = reports.into_iter().reduce(|sum, more| sum.plus(&more));
    sum.context("there are no ladders")
}

impl WorldReport {
    fn plus(mut self, other: &Self) -> Self {
        self.tiers.divisions += other.tiers.divisions;
        self.tiers.right += other.tiers.right;
        self.tiers.right_by_cluster += other.tiers.right_by_cluster;
        self.tiers.claimed += other.tiers.claimed;
        let held = [
            (&mut self.conversion, other.conversion),
            (&mut self.magic, other.magic),
            (&mut self.offset, other.offset),
            (&mut self.offset_trusted, other.offset_trusted),
        ];
        for (sum, more) in held {
            sum.intervals += more.intervals;
            sum.held += more.held;
        }
        self.averages_told += other.averages_told;
        self.averages_compared += other.averages_compared;
        self.promotions += other.promotions;
        let below = (&mut self.brier, other.brier);
        for (sum, more) in [below, (&mut self.brier_top, other.brier_top)] {
            sum.forecasts += more.forecasts;
            sum.ours += more.ours;
            sum.rule += more.rule;
        }
        for (sum, more) in self.pool.iter_mut().zip(&other.pool) {
            sum.players += more.players;
            sum.squares += more.squares;
        }
        for (sum, more) in self.debts.iter_mut().zip(&other.debts) {
            sum.estimates.extend(&more.estimates);
            sum.held += more.held;
        }
        self
    }

    fn count_tiers(
        &mut self,
        world: &LadderWorld,
        truth: &LadderTruth,
        printed: &LadderSeason,
        settings: &TierSettings,
    ) -> Result<()> {
        let shares = &mut self.tiers;
        for (number, division) in world.late.iter().enumerate() {
            if truth.active[number] < 20 || printed.league(&division.league)?.magic.is_none() {
                continue;
            }
            shares.divisions += 1;
            if let Some(reading) = likely_tier(division, printed, settings)?.found() {
                shares.right += u32::from(reading.tier == truth.tiers[number]);
                shares.claimed += reading.tiers[0].chance;
            }
            let cluster = cluster_tier(division, printed)?;
            let found = cluster.is_some_and(|found| found.tier == truth.tiers[number]);
            shares.right_by_cluster += u32::from(found);
        }
        Ok(())
    }

    fn count_intervals(&mut self, fit: &ConstantsFit, truth: &LadderTruth) {
        for (place, (league, params)) in fit.leagues.iter().zip(&truth.season.params().leagues).enumerate() {
            // That of the lowest league is given.
            if place > 0 {
                self.conversion.count(&league.conversion, params.conversion);
            }
            if let Some(value) = params.magic {
                self.magic.count(&league.magic, value);
            }
            for tier in &league.tiers {
                let known = params.tiers.iter().find(|params| params.name == tier.tier);
                if let Some(value) = known.and_then(|params| params.offset) {
                    self.offset.count(&tier.offset, value);
                    if !tier.is_doubtful() {
                        self.offset_trusted.count(&tier.offset, value);
                    }
                }
            }
        }
    }

    /// Forecasts of promotion within ten games, every tenth game.
    fn count_forecasts(
        &mut self,
        world: &LadderWorld,
        fit: &ConstantsFit,
        printed: &LadderSeason,
    ) -> Result<()> {
        const AHEAD: usize = 10;
        let average = match fit.averages.found() {
            Some(fits) => fits[0].average,
            None => MovingAverage::Simple { games: 10 },
        };
        let game = match fit.gains.found() {
            Some(gains) => GameValue {
                per_win: PerWin::new(gains.per_win.value)?,
                per_loss: PerLoss::new(gains.per_loss.value)?,
            },
            None => GameValue::OBSERVED,
        };
        let leagues = &printed.params().leagues;
        let last = leagues.iter().rev().nth(1).map(|league| &league.name);
        for history in &world.histories {
            let Some((threshold, edge)) = thresholds(fit, printed, world, history) else {
                continue;
            };
            let games = history.differentials.len();
            let is_top = Some(&history.league) == last;
            let sum = if is_top {
                &mut self.brier_top
            } else {
                &mut self.brier
            };
            for at in (history.from + AHEAD..games).step_by(AHEAD) {
                let is_promoted = history.promoted && games - at <= AHEAD;
                if games - at < AHEAD && !is_promoted {
                    continue;
                }
                let seen = &history.differentials[at.saturating_sub(400)..at];
                let forecast = predict_promotion(seen, threshold, &average, WinRate::HALF, game, 10)?;
                let outcome = f64::from(u8::from(is_promoted));
                let rule = f64::from(u8::from(history.differentials[at - 1] > edge));
                sum.forecasts += 1;
                sum.ours += (forecast.chance - outcome).powi(2);
                sum.rule += (rule - outcome).powi(2);
            }
        }
        Ok(())
    }
}

/// Upper ends of the rows of unspent bonus.
const POOLS: [f64; 6] = [25.0, 100.0, 250.0, 500.0, 1_000.0, f64::MAX];

fn ladder(params: &LadderWorldParams, seed: u64) -> Result<WorldReport> {
    let (world, truth) = ladder_world(params, seed)?;
    let printed = LadderSeason::default();
    let settings = TierSettings {
        late_hours: params.late_hours,
        ..TierSettings::default()
    };
    let snapshots = [&world.early[..], &world.late];
    let fit = fit_constants(&snapshots, &world.histories, &printed, &settings)?;
    let averages = fit.averages.found();
    let mut report = WorldReport {
        averages_told: u32::from(averages.is_some_and(|fits| fits[0].average == params.average)),
        averages_compared: u32::from(averages.is_some()),
        promotions: world.histories.iter().filter(|history| history.promoted).count(),
        pool: pool_errors(&world)?,
        debts: debts(params, &fit),
        ..WorldReport::default()
    };
    report.count_tiers(&world, &truth, &printed, &settings)?;
    report.count_intervals(&fit, &truth);
    report.count_forecasts(&world, &fit, &printed)?;
    Ok(report)
}

/// What the fit says of a history's division: M - K, and that of the printed season.
fn thresholds(
    fit: &ConstantsFit,
    printed: &LadderSeason,
    world: &LadderWorld,
    history: &PromotionHistory,
) -> Option<(f64, f64)> {
    let mut divisions = world.late.iter();
    let place = divisions.position(|division| division.name == history.division)?;
    let tier = fit.tiers[place].as_deref()?;
    let edge = printed.division(&history.league, Some(tier)).ok()?.edge()?;
    let mut leagues = fit.leagues.iter();
    let league = leagues.find(|league| league.league == history.league)?;
    let offset = match league.tiers.iter().find(|other| other.tier == tier) {
        Some(tier) => tier.offset.found().map(|interval| interval.value),
        None => Some(0.0),
    };
    let magic = league.magic.found().zip(offset);
    let fitted = magic.map(|(magic, offset)| magic.value - offset);
    Some((fitted.unwrap_or(edge), edge))
}

fn pool_errors(world: &LadderWorld) -> Result<Vec<PoolRow>> {
    let empty = |up_to| PoolRow {
        up_to,
        ..PoolRow::default()
    };
    let mut rows = POOLS.map(empty).to_vec();
    for division in &world.late {
        for member in &division.members {
            let standing = division.standing(member)?;
            let error = standing.differential() - standing.differential_now();
            if let Some(row) = rows.iter_mut().find(|row| member.unspent.get() <= row.up_to) {
                row.players += 1;
                row.squares += error * error;
            }
        }
    }
    Ok(rows)
}

fn debts(params: &LadderWorldParams, fit: &ConstantsFit) -> Vec<LeagueDebt> {
    let printed = LadderSeason::default();
    let leagues = fit.leagues.iter().zip(&printed.params().leagues);
    let with_edge = leagues.filter(|(_, league)| league.magic.is_some());
    let debt = |(place, (fit, league)): (usize, (&LeagueFit, &LeagueParams))| {
        let truth = params.debt + params.debt_by_league * place as f64;
        let found = fit.debt.found().map(|debt| debt.games_per_week);
        LeagueDebt {
            league: league.name.clone(),
            truth,
            estimates: found.iter().map(|games| games.value).collect(),
            held: u32::from(found.is_some_and(|games| games.holds(truth))),
        }
    };
    with_edge.enumerate().map(debt).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    #[test]
    fn few_ladders_are_found_out_alike_each_time_and_forecasts_beat_the_rule() {
        let report = run_forensics(2, 1, &Quiet).unwrap();
        assert_eq!(report, run_forensics(2, 1, &Quiet).unwrap());
        let usual = &report.usual;
        assert!(
            f64::from(usual.tiers.right) >= 0.93 * f64::from(usual.tiers.divisions),
            "{usual:?}"
        );
        assert_eq!((usual.averages_told, usual.averages_compared), (2, 2));
        assert!(
            usual.brier.ours < usual.brier.rule && usual.brier_top.ours < usual.brier_top.rule,
            "{usual:?}"
        );
        let error = |row: &PoolRow| row.squares / f64::from(row.players);
        assert!(error(&usual.pool[0]) < error(&usual.pool[2]), "{usual:?}");
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let error = run_forensics(0, 1, &Quiet).unwrap_err().to_string();
        assert!(error.starts_with("ladders"), "{error}");
    }
}
