//! What was found in each world, with errors across its populations.

use matchwright_sim::statistics::{Estimate, MeanTest, RatioOfMeans, Summary, paired_test, ratio_of_means};
use serde::Serialize;

use super::config::{OtherWorldsConfig, World, WorldKind};
use super::population::{Kept, PopulationResult};
use crate::eomm::Method;

/// Every world.
#[derive(Clone, Debug, Serialize)]
pub struct OtherWorldsReport {
    /// As given.
    pub config: OtherWorldsConfig,
    /// Seed of the populations' seeds.
    pub seed: u64,
    /// In the order of the configuration: the base world first.
    pub worlds: Vec<WorldResult>,
    /// At which share of what losing instead of winning does EOMM's true gain over SkillMM is gone, if one-sided matches
    /// repel by it: on the line from the base world to the weakest such effect.
    pub break_even: Option<RatioOfMeans>,
}

/// One world.
#[derive(Clone, Debug, Serialize)]
pub struct WorldResult {
    /// Which.
    pub world: World,
    /// EOMM over SkillMM and over RandomMM.
    pub gains: [Gains; 2],
    /// How draws and gaps go together.
    pub draws: DrawGap,
    /// Each population.
    pub populations: Vec<PopulationResult>,
}

/// What EOMM retains beyond another method, as a share of what that retains. Tests are against 0, over populations.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Gains {
    /// Over which method.
    pub over: Method,
    /// By the models that it was fitted with.
    pub promised: MeanTest,
    /// By the truth.
    pub truth: MeanTest,
    /// By the truth, of the pairing that is best for it.
    pub attainable: MeanTest,
    /// Truth less promised.
    pub excess: MeanTest,
    /// Truth less that of the base world, by populations of one number.
    pub change: MeanTest,
    /// Truth as a part of what was promised.
    pub of_promised: RatioOfMeans,
    /// Truth as a part of that of the base world.
    pub of_base: RatioOfMeans,
}

/// Correlation of a draw with the size of the gap of a match.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DrawGap {
    /// Share of draws.
    pub rate: Estimate,
    /// With the gap of ratings, as the study measures it.
    pub measured: Estimate,
    /// With the gap of true skills.
    pub truth: Estimate,
    /// Share of draws in the tenths of the matches with the smallest and with the largest gaps of ratings.
    pub ends: [Estimate; 2],
    /// Measured less truth: above 0 where ratings show less of it than there is.
    pub understated: MeanTest,
}

impl OtherWorldsReport {
    /// The level of all intervals.
    pub const LEVEL: f64 = 0.95;

    /// The worlds that break this assumption, the weakest first.
    pub fn of_kind(&self, kind: WorldKind) -> impl Iterator<Item = &WorldResult> {
        self.worlds.iter().filter(move |result| result.world.kind == kind)
    }

    /// Of the populations of each world, in the order of the configuration.
    pub(crate) fn of(config: OtherWorldsConfig, seed: u64, results: Vec<Vec<PopulationResult>>) -> Self {
        let base = results.first().cloned().unwrap_or_default();
        let worlds: Vec<WorldResult> = config
            .worlds
            .iter()
            .zip(results)
            .map(|(world, populations)| WorldResult {
                world: world.clone(),
                gains: [Method::Skill, Method::Random].map(|over| Gains::of(over, &populations, &base)),
                draws: DrawGap::of(&populations),
                populations,
            })
            .collect();
        let mut weakest = worlds.iter();
        let weakest = weakest.find(|result| result.world.kind == WorldKind::Opponent);
        let break_even = weakest.map(|weakest| {
            let strength = weakest.world.departures.one_sided_effect / config.outcome_difference();
            let gain = |of: &PopulationResult| Kept::gain(of.truth.eomm, of.truth.skill);
            let pairs = base.iter().zip(&weakest.populations);
            let pairs = pairs.map(|(base, weakest)| (strength * gain(base), gain(base) - gain(weakest)));
            ratio_of_means(&pairs.collect::<Vec<_>>(), OtherWorldsReport::LEVEL)
        });
        Self {
            config,
            seed,
            worlds,
            break_even,
        }
    }
}

impl WorldResult {
    /// What EOMM gains over this method: SkillMM or RandomMM.
    #[must_use]
    pub fn over(&self, method: Method) -> Option<&Gains> {
        self.gains.iter().find(|gains| gains.over == method)
    }
}

impl Gains {
    fn of(over: Method, populations: &[PopulationResult], base: &[PopulationResult]) -> Self {
        let gain = |kept: &Kept, ours: f64| Kept::gain(ours, kept.under(over).unwrap_or(f64::NAN));
        let truth_of = |of: &PopulationResult| gain(&of.truth, of.truth.eomm);
        let promised: Vec<f64> = populations
            .iter()
            .map(|of| gain(&of.fitted, of.fitted.eomm))
            .collect();
        let truth: Vec<f64> = populations.iter().map(truth_of).collect();
        let base: Vec<f64> = base.iter().map(truth_of).collect();
        let attainable = populations.iter().map(|of| gain(&of.truth, of.truth.informed));
        let against =
            |other: &[f64]| -> Vec<(f64, f64)> { truth.iter().copied().zip(other.iter().copied()).collect() };
        let difference =
            |pairs: Vec<(f64, f64)>| paired_test(pairs.into_iter().map(|(one, other)| one - other));
        Self {
            over,
            excess: difference(against(&promised)),
            change: difference(against(&base)),
            of_promised: ratio_of_means(&against(&promised), OtherWorldsReport::LEVEL),
            of_base: ratio_of_means(&against(&base), OtherWorldsReport::LEVEL),
            attainable: paired_test(attainable),
            truth: paired_test(truth.iter().copied()),
            promised: paired_test(promised),
        }
    }
}

impl DrawGap {
    fn of(populations: &[PopulationResult]) -> Self {
        let of =
            |figure: fn(&PopulationResult) -> f64| Summary::of(populations.iter().map(figure)).estimate();
        Self {
            rate: of(|population| population.draw_rate),
            measured: of(|population| population.draw_gap_correlation),
            truth: of(|population| population.true_draw_gap_correlation),
            ends: [
                of(|population| population.draws_by_gap.first().copied().unwrap_or(f64::NAN)),
                of(|population| population.draws_by_gap.last().copied().unwrap_or(f64::NAN)),
            ],
            understated: paired_test(
                populations
                    .iter()
                    .map(|of| of.draw_gap_correlation - of.true_draw_gap_correlation),
            ),
        }
    }
}
