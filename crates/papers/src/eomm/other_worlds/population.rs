//! One population of one world: the study, its pairs judged twice, and the pairs of a matchmaker that knows the truth.

use anyhow::{Context, Result};
use matchwright_churn::Outcome;
use matchwright_rating::history::Duel;
use matchwright_sim::adapt::outcome_of;
use matchwright_sim::population::{Generated, generate};
use matchwright_sim::progress::Quiet;
use matchwright_sim::random::{derived_seed, stream};
use matchwright_sim::statistics::correlation;
use matchwright_solver::{CostOracle, DenseCosts, Pairing, Workspace};
use serde::{Deserialize, Serialize};

use super::config::{OtherWorldsConfig, World};
use crate::eomm::Method;
use crate::eomm::study::{Models, Pair, StudyConfig, duels_of};
use crate::random::Purpose;

/// Players who are expected to stay, given the pairs, over all rounds of a population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Under SkillMM.
    pub skill: f64,
    /// Under RandomMM: the expectation over all its pairings.
    pub random: f64,
    /// Under EOMM, which pairs by the fitted models.
    pub eomm: f64,
    /// Under the pairing that is best for the true model.
    pub informed: f64,
}

impl Kept {
    /// What one keeps beyond another, as a share of what that keeps.
    pub(super) fn gain(ours: f64, theirs: f64) -> f64 {
        (ours - theirs) / theirs
    }

    /// Under this method; none for WorstMM, which no studio would run.
    #[must_use]
    pub fn under(&self, method: Method) -> Option<f64> {
        match method {
            Method::Worst => None,
            Method::Skill => Some(self.skill),
            Method::Random => Some(self.random),
            Method::Eomm => Some(self.eomm),
        }
    }
}

/// What one population of a world gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PopulationResult {
    /// The number of the population, whose seed it shares with those of the other worlds.
    pub number: u32,
    /// By the models that the study fitted: what EOMM promises.
    pub fitted: Kept,
    /// By the generator's truth.
    pub truth: Kept,
    /// Share of draws among the matches.
    pub draw_rate: f64,
    /// Correlation of a draw with the size of the gap of ratings just before the match: the study's figure.
    pub draw_gap_correlation: f64,
    /// Share of draws by that gap, tenth by tenth.
    pub draws_by_gap: Vec<f64>,
    /// Correlation of a draw with the size of the gap of true skills.
    pub true_draw_gap_correlation: f64,
}

/// Generates the population of this number in this world and studies it, on the current thread.
pub(super) fn study(
    config: &OtherWorldsConfig,
    seed: u64,
    number: u32,
    world: &World,
) -> Result<PopulationResult> {
    let seed = derived_seed(seed, Purpose::OtherWorlds, number.into(), 0);
    let mut params = config.population.clone();
    params.departures.clone_from(&world.departures);
    let generated = generate(&params, seed)?;
    let study = StudyConfig {
        seed,
        ..config.study.clone()
    };
    let models = Models::fit(&study, &generated.history, Some(&generated.truth), &Quiet)?;
    let [fitted, truth] = play(&study, &models, &generated)?;
    Ok(PopulationResult {
        number,
        fitted,
        truth,
        draw_rate: models.data.draw_rate,
        draw_gap_correlation: models.data.draw_gap_correlation,
        draws_by_gap: models.data.draws_by_gap,
        true_draw_gap_correlation: true_draw_gap_correlation(&generated)?,
    })
}

/// All rounds, under the fitted models and under the truth.
fn play(study: &StudyConfig, models: &Models, generated: &Generated) -> Result<[Kept; 2]> {
    let size = study.pools[0];
    let arena = models.arena(study, Some(&generated.truth));
    let (mut workspace, mut by_models, mut by_truth) =
        (Workspace::new(), DenseCosts::default(), DenseCosts::default());
    let mut kept = [Kept::default(); 2];
    for round in 0..study.rounds {
        let pool = arena.pool(size, round)?;
        let truth = pool.truth.as_ref().context("the pool has no truth")?;
        by_models.copy_from(&pool.graph())?;
        // A pair without an edge is refused by name.
        by_truth.refill(size, |i, j| {
            truth.pair(i, j).as_ref().map_or(f64::NAN, Pair::edge)
        })?;
        let (skills, mut rng) = (pool.skills(), stream(study.seed, Purpose::Pairing, 0, 0));
        let mut pair =
            |method: Method, costs: &DenseCosts| method.pair(&skills, costs, &mut rng, &mut workspace);
        let skill = pair(Method::Skill, &by_models)?;
        let eomm = pair(Method::Eomm, &by_models)?;
        let informed = pair(Method::Eomm, &by_truth)?;
        for (kept, costs) in kept.iter_mut().zip([&by_models, &by_truth]) {
            kept.skill += staying(&skill, costs);
            kept.random += staying_at_random(costs);
            kept.eomm += staying(&eomm, costs);
            kept.informed += staying(&informed, costs);
        }
    }
    Ok(kept)
}

/// How many of the pool are expected to stay.
fn staying(pairing: &Pairing, costs: &DenseCosts) -> f64 {
    let churning = pairing.pairs().filter_map(|(i, j)| costs.cost(i, j));
    costs.vertices() as f64 - churning.sum::<f64>()
}

/// The same on average over all pairings: each pair is in one of size - 1.
fn staying_at_random(costs: &DenseCosts) -> f64 {
    let size = costs.vertices();
    let all = (0..size).flat_map(|i| (0..i).filter_map(move |j| costs.cost(i, j)));
    size as f64 - all.sum::<f64>() / (size as f64 - 1.0)
}

fn true_draw_gap_correlation(generated: &Generated) -> Result<f64> {
    let games = duels_of(&generated.history)?.iter().enumerate();
    Ok(correlation(games.map(|(game, duel): (usize, Duel)| {
        let skill = |side: usize| generated.truth.side(game, side, duel.sides()[side].0).skill;
        let [own, other] = [0, 1].map(skill);
        let is_drawn = outcome_of(duel.result) == Outcome::Draw;
        (f64::from(u8::from(is_drawn)), (own - other).abs())
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_solver::{BruteForce, PairingSolver, SortAdjacent};

    #[test]
    fn random_matchmaking_keeps_what_all_pairings_keep_on_average() {
        let costs = DenseCosts::from_fn(6, |i, j| ((i * 5 + j * 5) % 7) as f64 / 7.0).unwrap();
        let (mut sum, mut count) = (0.0, 0.0);
        BruteForce::visit_pairings(6, &mut |mates: &[usize]| {
            let pairs = mates.iter().enumerate().filter(|(i, mate)| i < mate);
            sum += 6.0 - pairs.map(|(i, &mate)| costs.cost(i, mate).unwrap()).sum::<f64>();
            count += 1.0;
        })
        .unwrap();
        assert!((staying_at_random(&costs) - sum / count).abs() < 1e-12);
        let neighbours = SortAdjacent::by_index().solve(&costs).unwrap();
        let churning: f64 = [(0, 1), (2, 3), (4, 5)]
            .iter()
            .map(|&(i, j)| costs.cost(i, j).unwrap())
            .sum();
        assert!((staying(&neighbours, &costs) - (6.0 - churning)).abs() < 1e-12);
    }
}
