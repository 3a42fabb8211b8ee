//! The rules that both the generator and the judge read.

use super::params::GeneratorParams;
use crate::statistics::logistic;

impl GeneratorParams {
    /// Win, draw and loss probabilities of a player of the first skill against the second.
    pub(super) fn outcome_probabilities(&self, skill: f64, opponent: f64) -> [f64; 3] {
        let rarer = |width: f64| (-((skill - opponent) / width).powi(2)).exp();
        let draw = self.draw_rate * self.departures.draw_width.map_or(1.0, rarer);
        let decided = 1.0 - draw;
        let win = decided * decided_score(skill - opponent);
        [win, draw, decided - win]
    }

    /// What win, draw and loss add to the eight-hour churn logit of a player whose factor is 1 + `sensitivity`.
    pub(super) fn outcome_logits(&self, sensitivity: f64) -> [f64; 3] {
        self.outcome_effects
            .by_index()
            .map(|effect| effect * (1.0 + sensitivity))
    }

    /// What a match against an opponent that much weaker, or stronger, adds to it.
    pub(super) fn opponent_logit(&self, lead: f64) -> f64 {
        let effect = self.departures.one_sided_effect;
        // Without an effect no exponential is taken.
        if effect == 0.0 {
            return 0.0;
        }
        effect * (2.0 * decided_score(lead) - 1.0).abs()
    }
}

/// The expected score in decided matches of a player this many points ahead.
fn decided_score(lead: f64) -> f64 {
    logistic(lead * std::f64::consts::LN_10 / 400.0)
}
