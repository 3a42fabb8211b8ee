//! EOMM's tables, figures and theory beside what the paper prints.

use anyhow::{Result, ensure};
use itertools::Itertools;
use matchwright_rating::history::History;
use matchwright_sim::population::{GeneratorParams, Truth};
use serde::{Deserialize, Serialize};

use super::gain_law::{GainLawConfig, GainLawReport, run_gain_law};
use super::other_worlds::{OtherWorldsConfig, OtherWorldsPart, OtherWorldsReport, run_other_worlds_part};
use super::study::{
    PatternTable, RegionPatterns, Shard, StudyConfig, StudyPart, StudyReport, has_exact_counts, in_order,
    pattern_table_of_regions, run_part, stream_patterns,
};
use super::study_page::StudyOrigin;
use super::theory::{TheoryConfig, TheoryReport, run_theory};
use crate::workers::Workers;

/// Pool sizes: from four players on, to see how the gain grows with the pool; then the paper's five.
const POOLS: [usize; 10] = [4, 6, 10, 20, 50, 100, 200, 300, 400, 500];

/// Rounds for each P in the paper, and regions enough for 20 million player-matches, which such a run streams.
const FULL_ROUNDS: u32 = 10_000;
const FULL_REGIONS: u32 = 32;

/// What decides a reproduction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EommSettings {
    /// The study.
    pub study: StudyConfig,
    /// The generated players.
    pub population: GeneratorParams,
    /// Number of generated regions over which Table 1 is counted.
    pub stream_regions: u32,
    /// Players who are not as EOMM assumes.
    pub other_worlds: OtherWorldsConfig,
}

impl EommSettings {
    /// This many rounds for each pool size on this population. Table 1 is counted from the population's regions, or
    /// more with more rounds: 20 million player-matches at the paper's 10,000. The other worlds have one region each, of
    /// two populations and, with 60 rounds for each, of up to eight.
    #[must_use]
    pub fn new(rounds: u32, seed: u64, population: GeneratorParams) -> Self {
        let by_rounds = u64::from(FULL_REGIONS) * u64::from(rounds) / u64::from(FULL_ROUNDS);
        let by_rounds = u32::try_from(by_rounds).unwrap_or(u32::MAX).min(4 * FULL_REGIONS);
        Self {
            study: StudyConfig {
                rounds,
                pools: POOLS.to_vec(),
                seed,
                ..StudyConfig::with_large_samples()
            },
            stream_regions: by_rounds.max(population.regions()),
            other_worlds: other_worlds(rounds, &population),
            population,
        }
    }

    /// The same with churn models that are fitted on at most this many player-matches, those of the other worlds as well.
    #[must_use]
    pub fn with_fit_rows(mut self, rows: usize) -> Self {
        self.study.fit_rows = rows;
        let others = &mut self.other_worlds.study;
        others.fit_rows = others.fit_rows.min(rows);
        self
    }

    /// One part of the rounds and regions, on generated matches and their truth; the number of threads does not show.
    ///
    /// # Errors
    /// For settings out of range, or data that cannot be studied.
    pub fn run_part(
        &self,
        history: &History,
        truth: Option<&Truth>,
        shard: Shard,
        workers: &Workers<'_>,
    ) -> Result<EommPart> {
        let (params, seed) = (&self.population, self.study.seed);
        Ok(EommPart {
            study: run_part(&self.study, history, truth, shard, workers)?,
            regions: stream_patterns(params, seed, shard.share(0..self.stream_regions), workers)?,
            other_worlds: run_other_worlds_part(&self.other_worlds, seed, shard, workers)?,
        })
    }
}

fn other_worlds(rounds: u32, population: &GeneratorParams) -> OtherWorldsConfig {
    let region = GeneratorParams {
        players: population.players.min(population.region_players),
        ..population.clone()
    };
    let mut config = OtherWorldsConfig::of(&region);
    config.populations = (rounds / 60).clamp(2, config.populations);
    config.study.rounds = config.study.rounds.min(rounds);
    config
}

/// Everything that was reproduced.
#[derive(Serialize)]
pub struct EommReproduction {
    #[serde(skip)]
    pub(crate) source: StudyOrigin,
    pub(crate) study: StudyReport,
    pub(crate) stream: Stream,
    pub(crate) theory: TheoryReport,
    pub(crate) gain_law: GainLawReport,
    pub(crate) other_worlds: OtherWorldsReport,
}

/// Table 1 from more matches than the study's own.
#[derive(Serialize)]
pub(crate) struct Stream {
    pub(crate) regions: usize,
    pub(crate) player_matches: u64,
    pub(crate) table: PatternTable,
}

/// One part of a run: its rounds and its regions.
#[derive(Serialize, Deserialize)]
pub struct EommPart {
    /// Rounds.
    pub study: StudyPart,
    /// Of the regions that Table 1 is counted from, this part's share.
    pub regions: Vec<RegionPatterns>,
    /// This part's share of the populations that are not as EOMM assumes.
    pub other_worlds: OtherWorldsPart,
}

impl EommReproduction {
    /// All parts of a run joined; the theory, which takes seconds, is computed here.
    ///
    /// # Errors
    /// If the parts are not those of one run.
    pub fn of(parts: Vec<EommPart>, source: StudyOrigin, workers: &Workers<'_>) -> Result<Self> {
        let parts = in_order(parts, |part| part.study.shard())?;
        let all = parts.iter().map(|part| part.regions.len()).sum::<usize>();
        let all = u32::try_from(all)?;
        for part in &parts {
            let shard = part.study.shard();
            let share = shard.share(0..all);
            ensure!(
                part.regions.iter().map(|region| region.region).eq(share),
                "part {shard} counts other regions than those of its share; make it again"
            );
            ensure!(
                has_exact_counts(&serde_json::to_value(&part.regions)?),
                "part {shard} holds a count beyond 2^53; make it again"
            );
            ensure!(
                part.other_worlds.shard() == shard,
                "part {shard} holds another part of the other worlds; make it again"
            );
        }
        let (studies, regions, other_worlds): (Vec<_>, Vec<_>, Vec<_>) = parts
            .into_iter()
            .map(|part| (part.study, part.regions, part.other_worlds))
            .multiunzip();
        let (study, regions) = (StudyPart::join(studies)?, regions.concat());
        let other_worlds = OtherWorldsPart::join(other_worlds)?;
        let seed = study.config.seed;
        workers
            .progress
            .begin("the theory of section 4, on small pools", 0);
        let theory = run_theory(&TheoryConfig::default(), seed)?;
        workers.progress.begin("predicted and measured gain", 0);
        let gain_law = run_gain_law(&GainLawConfig::default(), seed, workers)?;
        Ok(Self {
            source,
            study,
            stream: Stream {
                regions: regions.len(),
                player_matches: regions.iter().map(|region| region.player_matches).sum(),
                table: pattern_table_of_regions(&regions),
            },
            theory,
            gain_law,
            other_worlds,
        })
    }
}
