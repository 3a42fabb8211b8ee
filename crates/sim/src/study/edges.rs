//! EOMM's edges among player states, with what belongs to one state alone worked out once.

use matchwright_rating::{Glicko, GlickoRating, OutcomeModel};
use matchwright_scoring::{ChurnByOutcome, OutcomeChances, churn_edge};
use matchwright_solver::CostOracle;

use crate::adapt::chances_of;

/// A state as its edges see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// Rating, points.
    pub(super) rating: f64,
    /// g(RD).
    weight: f64,
    /// Churn after each outcome.
    pub(super) churn: ChurnByOutcome,
}

impl State {
    pub(super) fn new(rating: &GlickoRating, churn: ChurnByOutcome) -> Self {
        Self {
            rating: rating.rating(),
            weight: rating.weight(),
            churn,
        }
    }
}

/// The complete graph of some states. Its costs are EOMM's edges (Eq. 4-6).
#[derive(Clone, Copy)]
pub(super) struct StateGraph<'a> {
    pub(super) system: &'a Glicko,
    pub(super) outcomes: &'a (dyn OutcomeModel + Send + Sync),
    pub(super) states: &'a [State],
}

impl StateGraph<'_> {
    /// The chances of state `i` against state `j`: the same numbers as of
    /// [`chances_between`](crate::adapt::chances_between), in less time.
    pub(super) fn chances(&self, i: usize, j: usize) -> Option<OutcomeChances> {
        let (player, opponent) = (&self.states[i], &self.states[j]);
        let lead = player.rating - opponent.rating;
        let expected = self.system.expected_score_by_weight(lead, opponent.weight);
        let reverse = self.system.expected_score_by_weight(-lead, player.weight);
        chances_of(&self.outcomes.probabilities(expected, reverse))
    }

    /// NaN, which no graph accepts, where the chances are no distribution.
    pub(super) fn edge(&self, i: usize, j: usize) -> f64 {
        let edge = |chances| churn_edge(&chances, &self.states[i].churn, &self.states[j].churn);
        self.chances(i, j).map_or(f64::NAN, edge)
    }
}

impl CostOracle for StateGraph<'_> {
    fn vertices(&self) -> usize {
        self.states.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some(self.edge(i, j))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapt::chances_between;
    use crate::random::{Purpose, stream};
    use crate::rate::{DrawChoice, SystemParams};
    use rand::RngExt;

    #[test]
    fn chances_are_those_of_the_rating_system_to_the_bit() {
        let system = SystemParams::default().glicko.check().unwrap();
        let mut rng = stream(1, Purpose::Traits, 0, 0);
        let mut rating = || {
            let deviation = rng.random_range(0.0..400.0);
            GlickoRating::new(rng.random_range(-4000.0..8000.0), deviation).unwrap()
        };
        let ratings: Vec<GlickoRating> = (0..60).map(|_| rating()).collect();
        let churn = ChurnByOutcome::new(0.1, 0.2, 0.3).unwrap();
        let states: Vec<State> = ratings.iter().map(|rating| State::new(rating, churn)).collect();
        for draws in [DrawChoice::Fixed, DrawChoice::Davidson, DrawChoice::RaoKupper] {
            let outcomes = draws.model(0.23).unwrap();
            let graph = StateGraph {
                system: &system,
                outcomes: &*outcomes,
                states: &states,
            };
            for (i, a) in ratings.iter().enumerate() {
                for (j, b) in ratings.iter().enumerate() {
                    assert_eq!(graph.chances(i, j), chances_between(&system, &*outcomes, a, b));
                }
            }
        }
    }
}
