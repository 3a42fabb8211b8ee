//! The figures of "Dota 2: Matchmaking" beside ours, and what its rating does.

use std::sync::Arc;

use crate::dota::printed::{MATCH, PERCENTILES, PrintedPlayer, SIDES};
use crate::dota::{
    HiddenFractions, PartiesConfig, PartiesReport, PerformanceConfig, PerformanceReport, hidden_fractions,
    run_parties, run_performance,
};
use anyhow::Result;
use matchwright_rating::{
    CalibrationParams, DotaMmrParams, GameResult, GaussianRating, PartyBonus, PartyBonusParams,
    PercentileTable, RankedRules, RatingSystem, Score,
};
use matchwright_sim::progress::Progress;
use matchwright_sim::statistics::normal_quantile;
use serde::Serialize;

use super::claims::inputs::DotaInputs;
use super::matching::{self, Matching};
use crate::check::simulated::WorldSize;
use crate::climb::{ClimbConfig, climb};

/// Everything that was reproduced.
#[derive(Serialize)]
pub struct DotaReproduction {
    pub(crate) percentiles: Percentiles,
    pub(crate) bonus: PartyBonusParams,
    pub(crate) parties: Vec<Party>,
    pub(crate) rules: RankedRules,
    pub(crate) calibration: CalibrationParams,
    pub(crate) dota: DotaMmrParams,
    pub(crate) steps: Vec<Step>,
    pub(crate) newcomer: Newcomer,
    pub(crate) performance: PerformanceReport,
    pub(crate) regression: PartiesReport,
    pub(crate) matching: Matching,
    /// What the statements of the page look at, with the runs made so far.
    #[serde(skip)]
    pub(crate) inputs: DotaInputs,
}

/// The printed percentiles, the function through them, and the nearest normal curve.
#[derive(Serialize)]
pub(crate) struct Percentiles {
    #[serde(skip)]
    pub(crate) table: PercentileTable,
    /// Percent, printed, ours, the normal's.
    pub(crate) rows: Vec<[f64; 4]>,
    pub(crate) normal_mean: f64,
    pub(crate) normal_deviation: f64,
    pub(crate) normal_misfit: f64,
}

/// One party of the printed match.
#[derive(Serialize)]
pub(crate) struct Party {
    pub(crate) side: &'static str,
    pub(crate) letter: char,
    pub(crate) players: Vec<PrintedPlayer>,
    pub(crate) found: HiddenFractions,
}

/// What one game does at one uncertainty.
#[derive(Serialize)]
pub(crate) struct Step {
    pub(crate) uncertainty: f64,
    /// Points for a win against an equal who is known.
    pub(crate) even_win: f64,
    /// The uncertainty after it, and after a win and a loss at nine to one.
    pub(crate) after_even: f64,
    pub(crate) after_expected: f64,
    pub(crate) after_upset: f64,
}

/// A strong newcomer through calibration.
#[derive(Serialize)]
pub(crate) struct Newcomer {
    pub(crate) strength: f64,
    pub(crate) newcomers: u32,
    /// Mean MMR after 0, 1, ... games: as a newcomer, and as one known from the start.
    pub(crate) uncertain: Vec<f64>,
    pub(crate) known: Vec<f64>,
    pub(crate) uncertainty: Vec<f64>,
}

/// Games of a newcomer that are shown: those of a calibration, twice over.
const GAMES: u32 = 20;

impl Party {
    /// The party of this letter among the players of a side.
    pub(crate) fn of(
        players: &[PrintedPlayer],
        side: &'static str,
        letter: char,
        bonus: &PartyBonus,
    ) -> Self {
        let members = players.iter().filter(|one| one.party == letter);
        let players: Vec<PrintedPlayer> = members.copied().collect();
        let of = |value: fn(&PrintedPlayer) -> f64| players.iter().map(value).collect::<Vec<f64>>();
        let found = hidden_fractions(bonus, &of(|one| one.mmr), &of(|one| one.adjusted));
        Self {
            side,
            letter,
            players,
            found,
        }
    }

    /// The members' printed MMR.
    pub(crate) fn mmr(&self) -> Vec<f64> {
        self.players.iter().map(|player| player.mmr).collect()
    }

    /// What each member's adjusted MMR is above the plain one, such as `+3`.
    pub(crate) fn bonuses(&self) -> Vec<String> {
        let players = self.players.iter();
        players
            .map(|player| format!("+{}", player.adjusted - player.mmr))
            .collect()
    }
}

/// What decides the generated parts of [`reproduce`], apart from the seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DotaSettings {
    /// Individual performance.
    pub performance: PerformanceConfig,
    /// The regression of party bonuses.
    pub parties: PartiesConfig,
    /// Worlds of the queue.
    pub worlds: WorldSize,
}

/// Reproduces the document, on as many threads as there are cores, which never changes the result.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn reproduce(
    settings: &DotaSettings,
    seed: u64,
    progress: Arc<dyn Progress>,
) -> Result<DotaReproduction> {
    let inputs = matching::inputs(settings.worlds, seed, progress)?;
    let newcomer = newcomer(seed)?;
    Ok(DotaReproduction {
        percentiles: percentiles()?,
        bonus: PartyBonusParams::default(),
        parties: printed_parties()?,
        rules: RankedRules::default(),
        calibration: CalibrationParams::default(),
        dota: DotaMmrParams::default(),
        steps: steps()?,
        performance: run_performance(&settings.performance, seed)?,
        regression: run_parties(&settings.parties, seed)?,
        matching: matching::run(&inputs, &newcomer)?,
        newcomer,
        inputs: inputs.quiet(),
    })
}

fn percentiles() -> Result<Percentiles> {
    let table = PercentileTable::new(&PERCENTILES)?;
    let normal = table.best_normal();
    let rows = PERCENTILES.iter().map(|&(percent, printed)| {
        let share = percent / 100.0;
        let of_normal = normal_quantile(normal.mean, normal.standard_deviation, share);
        Ok([percent, printed, table.quantile(share)?, of_normal])
    });
    Ok(Percentiles {
        rows: rows.collect::<Result<_>>()?,
        normal_mean: normal.mean,
        normal_deviation: normal.standard_deviation,
        normal_misfit: normal.misfit,
        table,
    })
}

/// The parties of the printed match, single players included, in the order of their best.
fn printed_parties() -> Result<Vec<Party>> {
    let bonus = PartyBonusParams::default().build()?;
    let mut parties: Vec<Party> = Vec::new();
    for (players, side) in MATCH.iter().zip(SIDES) {
        for &PrintedPlayer { party: letter, .. } in players {
            if parties.iter().all(|party| party.letter != letter) {
                parties.push(Party::of(players, side, letter, &bonus));
            }
        }
    }
    Ok(parties)
}

fn steps() -> Result<Vec<Step>> {
    let params = DotaMmrParams::default();
    let dota = params.build()?;
    let rating = |mmr, uncertainty| GaussianRating::new(mmr, uncertainty);
    let (floor, most) = (params.floor, params.max_uncertainty);
    let mut steps = Vec::new();
    for k in 0..=6 {
        let uncertainty = floor + (most - floor) * f64::from(k) / 6.0;
        let player = rating(2_250.0, uncertainty)?;
        // Whom one beats nine times in ten: 1.2816 deviations of the difference below.
        let weak = rating(2_250.0 - 1.2816 * uncertainty.hypot(floor), floor)?;
        let after = |opponent, score| dota.update(&player, 0.0, &[GameResult::new(opponent, score)]);
        let even = after(rating(2_250.0, floor)?, Score::WIN);
        steps.push(Step {
            uncertainty,
            even_win: even.rating() - 2_250.0,
            after_even: even.deviation(),
            after_expected: after(weak, Score::WIN).deviation(),
            after_upset: after(weak, Score::LOSS).deviation(),
        });
    }
    Ok(steps)
}

fn newcomer(seed: u64) -> Result<Newcomer> {
    let params = DotaMmrParams::default();
    let dota = params.build()?;
    let config = ClimbConfig {
        games: GAMES,
        ..ClimbConfig::default()
    };
    // The 90th percentile of the print.
    let strength = 3_200.0;
    let run = |uncertainty| {
        let start = GaussianRating::new(params.initial_mmr, uncertainty)?;
        let settled = |mmr| GaussianRating::new(mmr, params.floor);
        climb(&dota, &start, strength, settled, &config, seed)
    };
    let (uncertain, known) = (run(params.initial_uncertainty)?, run(params.floor)?);
    Ok(Newcomer {
        strength,
        newcomers: config.newcomers,
        uncertain: uncertain.ratings,
        known: known.ratings,
        uncertainty: uncertain.deviations,
    })
}
