//! EOMM's edges among player states, with what belongs to one state alone computed once.

use matchwright_rating::{DrawModel, GaussianRating, Glicko, OutcomeProbabilities};
use matchwright_scoring::{ChurnByOutcome, OutcomeChances, churn_edge};
use matchwright_solver::CostOracle;

use matchwright_sim::adapt::chances_of;

/// A state as its edges see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// Rating, points.
    pub(crate) rating: f64,
    /// g(RD).
    weight: f64,
    /// Churn after each outcome.
    pub(crate) churn: ChurnByOutcome,
}

impl State {
    pub(crate) fn new(rating: &GaussianRating, churn: ChurnByOutcome) -> Self {
        Self {
            rating: rating.rating(),
            weight: Glicko::weight(rating),
            churn,
        }
    }
}

/// The complete graph of some states. Its costs are EOMM's edges (Eq. 4-6).
#[derive(Clone, Copy)]
pub(crate) struct StateGraph<'a> {
    pub(crate) system: &'a Glicko,
    pub(crate) outcomes: &'a (dyn DrawModel + Send + Sync),
    pub(crate) states: &'a [State],
}

impl StateGraph<'_> {
    /// The chances of state `i` against state `j`: the same numbers as of
    /// [`chances_between`](matchwright_sim::adapt::chances_between), in less time.
    pub(crate) fn chances(&self, i: usize, j: usize) -> Option<OutcomeChances> {
        let (player, opponent) = (&self.states[i], &self.states[j]);
        let lead = player.rating - opponent.rating;
        let expected = self.system.expected_score_by_weight(lead, opponent.weight);
        let reverse = self.system.expected_score_by_weight(-lead, player.weight);
        chances_of(&self.outcomes.outcome_probabilities(expected, reverse))
    }

    /// NaN, which no graph accepts, where the chances are no distribution.
    pub(crate) fn edge(&self, i: usize, j: usize) -> f64 {
        let edge = |chances| churn_edge(&chances, &self.states[i].churn, &self.states[j].churn);
        self.chances(i, j).map_or(f64::NAN, edge)
    }
}

/// States of a row that are looked at together: few enough for the stack, enough to fill vectors.
const TOGETHER: usize = 64;

impl StateGraph<'_> {
    /// The edges of `state` with `others`: [`edge`](Self::edge)'s numbers to the bit, with arithmetic and outcome
    /// model each in a loop of its own.
    fn edges_of(&self, state: &State, others: &[State], out: &mut [f64]) {
        debug_assert!(others.len() <= TOGETHER && others.len() == out.len());
        let count = others.len();
        let (mut leads, mut weights) = ([0.0; TOGETHER], [0.0; TOGETHER]);
        for ((lead, weight), other) in leads.iter_mut().zip(&mut weights).zip(others) {
            (*lead, *weight) = (state.rating - other.rating, other.weight);
        }
        let (mut expected, mut reverse) = ([0.0; TOGETHER], [0.0; TOGETHER]);
        let system = self.system;
        system.expected_scores_by_weight(&leads[..count], &weights[..count], &mut expected);
        for lead in &mut leads[..count] {
            *lead = -*lead;
        }
        system.expected_scores_by_weight(&leads[..count], &[state.weight; TOGETHER], &mut reverse);
        let nothing = OutcomeProbabilities {
            win: 0.0,
            draw: 0.0,
            loss: 0.0,
        };
        let mut probabilities = [nothing; TOGETHER];
        let probabilities = &mut probabilities[..count];
        self.outcomes
            .outcome_probabilities_of(&expected, &reverse, probabilities);
        for ((out, probabilities), other) in out.iter_mut().zip(probabilities).zip(others) {
            let edge = |chances| churn_edge(&chances, &state.churn, &other.churn);
            *out = chances_of(probabilities).map_or(f64::INFINITY, edge);
        }
    }
}

impl CostOracle for StateGraph<'_> {
    fn vertices(&self) -> usize {
        self.states.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some(self.edge(i, j))
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        let others = &self.states[from..from + out.len()];
        for (out, others) in out.chunks_mut(TOGETHER).zip(others.chunks(TOGETHER)) {
            self.edges_of(&self.states[i], others, out);
        }
        if let Some(own) = i.checked_sub(from).and_then(|own| out.get_mut(own)) {
            *own = f64::NAN;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eomm::study::glicko;
    use crate::random::Purpose;
    use matchwright_rating::DrawKind;
    use matchwright_sim::adapt::chances_between;
    use matchwright_sim::random::stream;
    use rand::RngExt;

    #[test]
    fn chances_are_those_of_the_rating_system_to_the_bit() {
        let system = glicko().unwrap();
        let mut rng = stream(1, Purpose::Checks, 0, 0);
        let mut rating = || {
            let deviation = rng.random_range(0.0..400.0);
            GaussianRating::new(rng.random_range(-4000.0..8000.0), deviation).unwrap()
        };
        let ratings: Vec<GaussianRating> = (0..150).map(|_| rating()).collect();
        let churn = ChurnByOutcome::new(0.1, 0.2, 0.3).unwrap();
        let states: Vec<State> = ratings.iter().map(|rating| State::new(rating, churn)).collect();
        for draws in [DrawKind::Fixed, DrawKind::Davidson, DrawKind::RaoKupper] {
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
                for from in [0, 1, i, 100] {
                    let mut row = vec![0.0; ratings.len() - from];
                    graph.cost_row(i, from, &mut row);
                    for (j, cost) in (from..).zip(row) {
                        let edge = if i == j { f64::NAN } else { graph.edge(i, j) };
                        assert_eq!(cost.to_bits(), edge.to_bits(), "{i} {j}");
                    }
                }
            }
        }
    }
}
