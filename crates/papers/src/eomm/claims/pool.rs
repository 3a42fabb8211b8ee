//! Random pools of players for checks that need no study: skills and churn of the generator's make.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use matchwright_rating::{DrawModel, FixedDraw, GaussianRating};
use matchwright_scoring::{ChurnByOutcome, EommScorer};
use matchwright_sim::adapt::chances_between;
use matchwright_sim::random::standard_normal;
use matchwright_sim::statistics::logistic;
use matchwright_solver::DenseCosts;
use rand::Rng;

/// Players who wait.
pub(crate) struct Pool {
    pub(crate) ratings: Vec<GaussianRating>,
    pub(crate) churn: Vec<ChurnByOutcome>,
}

impl Pool {
    /// This many players: skill N(mean, deviation), deviation of the rating around 70, churn near one half with a habit
    /// of one's own and the generator's effects of the outcome.
    pub(crate) fn draw(inputs: &EommInputs, players: usize, rng: &mut impl Rng) -> Result<Self> {
        let generator = &inputs.generator;
        let effects = &generator.outcome_effects;
        let mut pool = Self {
            ratings: Vec::with_capacity(players),
            churn: Vec::with_capacity(players),
        };
        for _ in 0..players {
            let skill = generator.skill_mean + generator.skill_deviation * standard_normal(rng);
            let deviation = (70.0 * (0.35 * standard_normal(rng)).exp()).clamp(30.0, 200.0);
            let habit = generator.habit_deviation * standard_normal(rng);
            let [win, draw, loss] =
                [effects.win, effects.draw, effects.loss].map(|effect| logistic(habit + effect));
            pool.ratings.push(GaussianRating::new(skill, deviation)?);
            pool.churn.push(ChurnByOutcome::new(win, draw, loss)?);
        }
        Ok(pool)
    }

    /// Skills, rating points.
    pub(crate) fn skills(&self) -> Vec<f64> {
        self.ratings.iter().map(GaussianRating::rating).collect()
    }

    /// EOMM's graph, under the rating system of the inputs.
    pub(crate) fn graph(&self, inputs: &EommInputs) -> Result<DenseCosts> {
        self.graph_under(inputs, &FixedDraw::EOMM)
    }

    /// The same under another outcome model.
    pub(crate) fn graph_under(&self, inputs: &EommInputs, model: &dyn DrawModel) -> Result<DenseCosts> {
        let system = inputs.glicko.build()?;
        let chances =
            |&i: &usize, &j: &usize| chances_between(&system, model, &self.ratings[i], &self.ratings[j]);
        let eomm = EommScorer::new(chances, |&i: &usize| self.churn[i]);
        // Chances that are missing become NaN, which the graph refuses by name.
        DenseCosts::from_fn(self.churn.len(), |i, j| eomm.cost(&i, &j).unwrap_or(f64::NAN))
            .context("the graph of churn")
    }
}
