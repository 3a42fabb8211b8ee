//! How well a ladder's hidden constants are inferred, on generated ladders.

use matchwright_mmr_forensics::{
    ConstantsFit, GameValue, LadderSeason, LeagueFit, LeagueParams, MovingAverage, PerLoss, PerWin,
    PromotionHistory, TierSettings, WinRate, cluster_tier, fit_constants, likely_tier, predict_promotion,
};
use rayon::prelude::*;
use serde::Serialize;

use super::held::Held;
use super::pools::{PoolRow, pool_errors};
use super::visible_games::{VisibleGamesReport, run_visible_games};
use crate::random::Purpose;
use crate::sc2::ladder::{LadderTruth, LadderWorld, LadderWorldParams, ladder_world};
use crate::settings::within;
use anyhow::{Context, Result};
use matchwright_sim::progress::Progress;
use matchwright_sim::random::derived_seed;
use matchwright_sim::statistics::Summary;

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
    /// Divisions with a cluster of the best.
    pub clusters: u32,
    /// Sum of how far these clusters lie above M - K, points.
    pub above_edge: f64,
    /// Sum of its squares.
    pub above_edge_squares: f64,
}

impl TierShares {
    /// How far the clusters lie above M - K, points.
    #[must_use]
    pub fn above_edge(&self) -> Summary {
        let n = f64::from(self.clusters);
        let mean = self.above_edge / n;
        let variance = (self.above_edge_squares - n * mean * mean).max(0.0) / (n - 1.0);
        Summary::from_moments(self.clusters.into(), mean, variance.sqrt())
    }

    fn plus(self, other: Self) -> Self {
        Self {
            divisions: self.divisions + other.divisions,
            right: self.right + other.right,
            right_by_cluster: self.right_by_cluster + other.right_by_cluster,
            claimed: self.claimed + other.claimed,
            clusters: self.clusters + other.clusters,
            above_edge: self.above_edge + other.above_edge,
            above_edge_squares: self.above_edge_squares + other.above_edge_squares,
        }
    }
}

/// Forecasts of promotion within ten games, and their squared errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Brier {
    /// Forecasts.
    pub forecasts: u32,
    /// Those that promotion followed.
    pub promoted: u32,
    /// Sum of squares, ours.
    pub ours: f64,
    /// Sum of squares of the rule "promotion if Pp > M", with the printed M.
    pub rule: f64,
    /// By how much the mean of our squares is below the rule's, a ladder each.
    pub leads: Vec<f64>,
}

impl Brier {
    /// Our Brier score.
    pub(crate) fn score(&self) -> f64 {
        self.ours / f64::from(self.forecasts)
    }

    /// That of the rule.
    pub(crate) fn rule_score(&self) -> f64 {
        self.rule / f64::from(self.forecasts)
    }

    /// That of the same chance each time, the share that promotion followed.
    pub(crate) fn base_score(&self) -> f64 {
        let share = f64::from(self.promoted) / f64::from(self.forecasts);
        share * (1.0 - share)
    }

    fn plus(mut self, other: &Self) -> Self {
        self.forecasts += other.forecasts;
        self.promoted += other.promoted;
        self.ours += other.ours;
        self.rule += other.rule;
        self.leads.extend(&other.leads);
        self
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
        self.tiers = self.tiers.plus(other.tiers);
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
        self.brier = self.brier.plus(&other.brier);
        self.brier_top = self.brier_top.plus(&other.brier_top);
        for (sum, more) in self.pool.iter_mut().zip(&other.pool) {
            sum.players += more.players;
            sum.ladders.extend(&more.ladders);
        }
        add_debts(&mut self.debts, &other.debts);
        self
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
                sum.promoted += u32::from(is_promoted);
                sum.ours += (forecast.chance - outcome).powi(2);
                sum.rule += (rule - outcome).powi(2);
            }
        }
        for brier in [&mut self.brier, &mut self.brier_top] {
            brier.leads = vec![brier.rule_score() - brier.score()];
        }
        Ok(())
    }
}

fn tier_settings(params: &LadderWorldParams) -> TierSettings {
    TierSettings {
        late_hours: params.late_hours,
        ..TierSettings::default()
    }
}

fn tier_shares(
    world: &LadderWorld,
    truth: &LadderTruth,
    printed: &LadderSeason,
    settings: &TierSettings,
) -> Result<TierShares> {
    let mut shares = TierShares::default();
    for (number, division) in world.late.iter().enumerate() {
        let tier = &truth.tiers[number];
        let known = truth.season.division(&division.league, Some(tier))?;
        let Some(edge) = known.edge().filter(|_| truth.active[number] >= 20) else {
            continue;
        };
        shares.divisions += 1;
        if let Some(reading) = likely_tier(division, printed, settings)?.found() {
            shares.right += u32::from(reading.tier == *tier);
            shares.claimed += reading.tiers[0].chance;
        }
        if let Some(found) = cluster_tier(division, printed)? {
            shares.right_by_cluster += u32::from(found.tier == *tier);
            shares.clusters += 1;
            shares.above_edge += found.cluster - edge;
            shares.above_edge_squares += (found.cluster - edge).powi(2);
        }
    }
    Ok(shares)
}

/// The tiers of some ladders' divisions, summed up; nothing else is inferred.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_tiers(params: &LadderWorldParams, ladders: u32, seed: u64) -> Result<TierShares> {
    within("ladders", ladders, &(1..=10_000))?;
    let printed = LadderSeason::default();
    let shares = (0..u64::from(ladders))
        .into_par_iter()
        .map(|number| {
            let (world, truth) = ladder_world(params, derived_seed(seed, Purpose::Ladders, number, 0))?;
            tier_shares(&world, &truth, &printed, &tier_settings(params))
        })
        .collect::<Result<Vec<_>>>()?;
    let sum = shares.into_iter().fold(TierShares::default(), TierShares::plus);
    Ok(sum)
}

fn ladder(params: &LadderWorldParams, seed: u64) -> Result<WorldReport> {
    let (world, truth) = ladder_world(params, seed)?;
    let printed = LadderSeason::default();
    let settings = tier_settings(params);
    let snapshots = [&world.early[..], &world.late];
    let fit = fit_constants(&snapshots, &world.histories, &printed, &settings)?;
    let averages = fit.averages.found();
    let mut report = WorldReport {
        averages_told: u32::from(averages.is_some_and(|fits| fits[0].average == params.average)),
        averages_compared: u32::from(averages.is_some()),
        tiers: tier_shares(&world, &truth, &printed, &settings)?,
        promotions: world.histories.iter().filter(|history| history.promoted).count(),
        pool: pool_errors(&world, &truth)?,
        debts: debts(params, &fit),
        ..WorldReport::default()
    };
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

/// What absence is found to cost on some ladders; nothing else is reported.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_debts(params: &LadderWorldParams, ladders: u32, seed: u64) -> Result<Vec<LeagueDebt>> {
    within("ladders", ladders, &(1..=10_000))?;
    let of_ladder = |number: u64| -> Result<Vec<LeagueDebt>> {
        let (world, _) = ladder_world(params, derived_seed(seed, Purpose::Ladders, number, 0))?;
        let snapshots = [&world.early[..], &world.late];
        let printed = LadderSeason::default();
        let fit = fit_constants(&snapshots, &world.histories, &printed, &tier_settings(params))?;
        Ok(debts(params, &fit))
    };
    let all = (0..u64::from(ladders)).into_par_iter().map(of_ladder);
    let all = all.collect::<Result<Vec<_>>>()?;
    let sum = all.into_iter().reduce(|mut sum, more| {
        add_debts(&mut sum, &more);
        sum
    });
    sum.context("there are no ladders")
}

fn add_debts(sum: &mut [LeagueDebt], more: &[LeagueDebt]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        sum.estimates.extend(&more.estimates);
        sum.held += more.held;
    }
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
        let error = |row: &PoolRow| row.mean(|errors| errors.published).mean;
        assert!(error(&usual.pool[0]) < error(&usual.pool[5]), "{usual:?}");
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let error = run_forensics(0, 1, &Quiet).unwrap_err().to_string();
        assert!(error.starts_with("ladders"), "{error}");
    }
}
