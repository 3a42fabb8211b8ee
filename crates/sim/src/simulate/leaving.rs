//! Who leaves for good: the truth, by each player's last outcomes, and what a service learns of it from who came again.

use std::collections::BTreeMap;

use matchwright_churn::{ChurnModel, ModelError, Outcome, PatternCounts, TableCounts, TableModel};
use matchwright_queue::Time;
use serde::{Deserialize, Serialize};

use super::checks::{ScenarioError, positive, require, share};
use crate::random::{Purpose, standard_normal, stream};

/// The chance to leave for good after a match, by the player's last three outcomes:
///
/// ```text
/// logit(chance) = logit(p) + u,   p by the pattern, u of the player: normal, mean 0, `propensity`
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct LeavingParams {
    /// p by the last three outcomes, the latest last: `WWL = 0.049`.
    pub patterns: BTreeMap<String, f64>,
    /// p after all others, and before the third match. Default 0.04.
    pub otherwise: f64,
    /// Standard deviation of what is each player's own, log odds. Default 0.
    pub propensity: f64,
}

impl Default for LeavingParams {
    fn default() -> Self {
        Self {
            patterns: BTreeMap::new(),
            otherwise: 0.04,
            propensity: 0.0,
        }
    }
}

impl LeavingParams {
    pub(super) fn check(&self) -> Result<(), ScenarioError> {
        share("again.leaving.otherwise", self.otherwise)?;
        let is_some = (0.0..=100.0).contains(&self.propensity);
        require(
            is_some,
            "again.leaving.propensity",
            self.propensity,
            "a number from 0 to 100",
        )?;
        for (pattern, &chance) in &self.patterns {
            let is_pattern = pattern.len() == 3 && outcomes(pattern).is_some();
            require(
                is_pattern,
                "again.leaving.patterns",
                pattern,
                "names of three letters of W, D and L",
            )?;
            share("again.leaving.patterns", chance)?;
        }
        Ok(())
    }

    /// The truth of one player, `u` standard deviations from the middle.
    pub(super) fn chance(
        &self,
        model: &dyn ChurnModel<[Outcome]>,
        seed: u64,
        player: u32,
        last: &[Outcome],
    ) -> f64 {
        let chance = model.churn_probability(last);
        if self.propensity == 0.0 || chance <= 0.0 || chance >= 1.0 {
            return chance;
        }
        let own = standard_normal(&mut stream(
            seed,
            Purpose::SimulatedPropensities,
            player.into(),
            0,
        ));
        1.0 / (1.0 + (1.0 - chance) / chance * (-self.propensity * own).exp())
    }
}

impl ChurnModel<[Outcome]> for LeavingParams {
    fn churn_probability(&self, last: &[Outcome]) -> f64 {
        let three: String = last
            .iter()
            .rev()
            .take(3)
            .rev()
            .map(|outcome| outcome.letter())
            .collect();
        self.patterns.get(&three).copied().unwrap_or(self.otherwise)
    }
}

fn outcomes(pattern: &str) -> Option<Vec<Outcome>> {
    pattern.chars().map(Outcome::from_letter).collect()
}

/// What the matchmaker learns of who leaves, by counting who came again in time after the same last outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ChurnEstimateParams {
    /// How many of the last outcomes it goes by, 1 to 5. Default 3.
    pub outcomes: usize,
    /// A player who does not queue again within this many hours has left. Default 8.
    pub horizon_hours: f64,
}

impl Default for ChurnEstimateParams {
    fn default() -> Self {
        Self {
            outcomes: 3,
            horizon_hours: 8.0,
        }
    }
}

impl ChurnEstimateParams {
    pub(super) fn check(&self) -> Result<(), ScenarioError> {
        let is_some = (1..=5).contains(&self.outcomes);
        require(is_some, "churn.outcomes", self.outcomes, "a number from 1 to 5")?;
        positive("churn.horizon_hours", self.horizon_hours)
    }
}

/// A new table is made after this many labels.
const LABELS: u32 = 500;
/// As if this many matches had been seen before, one in twenty of them the last.
const PRIOR: PatternCounts = PatternCounts {
    matches: 20,
    churned: 1,
};

/// Each player's last outcomes, and a service's table of who leaves after them.
#[derive(Debug)]
pub(super) struct Leavers {
    params: Option<ChurnEstimateParams>,
    counts: TableCounts,
    model: TableModel,
    fresh: u32,
    /// By player: the last outcomes.
    last: Vec<Vec<Outcome>>,
    /// By player: the match after which it is not known yet whether the player comes again.
    open: Vec<Option<Time>>,
}

/// Outcomes of a player that are kept.
const KEPT: usize = 5;

impl Leavers {
    pub(super) fn new(params: Option<ChurnEstimateParams>) -> Result<Self, ModelError> {
        let mut counts = TableCounts::new(params.unwrap_or_default().outcomes)?;
        counts.add_counts(&[], PRIOR)?;
        Ok(Self {
            params,
            model: TableModel::new(counts.clone())?,
            counts,
            fresh: 0,
            last: Vec::new(),
            open: Vec::new(),
        })
    }

    /// The last outcomes of a player, the latest last.
    pub(super) fn last(&self, player: u32) -> &[Outcome] {
        self.last.get(player as usize).map_or(&[], Vec::as_slice)
    }

    /// A player's match is over; when the service takes the player for gone, if it learns.
    pub(super) fn played(&mut self, player: u32, outcome: Outcome, now: Time) -> Option<f64> {
        let player = player as usize;
        if self.last.len() <= player {
            self.last.resize(player + 1, Vec::new());
            self.open.resize(player + 1, None);
        }
        let last = &mut self.last[player];
        if last.len() == KEPT {
            last.remove(0);
        }
        last.push(outcome);
        self.open[player] = self.params.map(|_| now);
        self.params.map(|params| 3600.0 * params.horizon_hours)
    }

    /// A player waits again.
    pub(super) fn came(&mut self, player: u32) -> Result<(), ModelError> {
        let open = self.open.get_mut(player as usize).and_then(Option::take);
        open.map_or(Ok(()), |_| self.label(player, false))
    }

    /// The time is over in which a player could come again after the match that ended then.
    pub(super) fn expired(&mut self, player: u32, ended: Time) -> Result<(), ModelError> {
        let is_open = |at: &&mut Option<Time>| **at == Some(ended);
        let open = self
            .open
            .get_mut(player as usize)
            .filter(is_open)
            .and_then(Option::take);
        open.map_or(Ok(()), |_| self.label(player, true))
    }

    fn label(&mut self, player: u32, is_gone: bool) -> Result<(), ModelError> {
        self.counts.add(&self.last[player as usize], is_gone)?;
        self.fresh += 1;
        if self.fresh >= LABELS {
            self.fresh = 0;
            self.model = TableModel::new(self.counts.clone())?;
        }
        Ok(())
    }

    /// The chances that a player leaves after a win, a draw and a loss, as the service knows them: from `model`, or from
    /// what it learnt.
    pub(super) fn estimate(&self, player: u32, model: Option<&dyn ChurnModel<[Outcome]>>) -> [f64; 3] {
        let after = |outcome| {
            let mut last = self.last(player).to_vec();
            last.push(outcome);
            model.unwrap_or(&self.model).churn_probability(&last[..])
        };
        [Outcome::Win, Outcome::Draw, Outcome::Loss].map(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_finds_out_who_leaves_from_who_came_again() {
        let leaving = LeavingParams {
            patterns: [("LLL".to_owned(), 0.6), ("WWW".to_owned(), 0.1)].into(),
            otherwise: 0.3,
            propensity: 0.0,
        };
        let mut leavers = Leavers::new(Some(ChurnEstimateParams::default())).unwrap();
        let mut rng = stream(1, Purpose::SimulatedPauses, 0, 0);
        for player in 0..4000 {
            for game in 0..6 {
                use rand::RngExt;
                let outcome = if rng.random() { Outcome::Win } else { Outcome::Loss };
                let at = Time::from_millis(game);
                leavers.played(player, outcome, at);
                if rng.random::<f64>() < leaving.churn_probability(leavers.last(player)) {
                    leavers.expired(player, at).unwrap();
                    break;
                }
                leavers.came(player).unwrap();
                // The time of a match that was followed by another says nothing more.
                leavers.expired(player, at).unwrap();
            }
        }
        leavers.last[0] = vec![Outcome::Loss, Outcome::Loss];
        let [win, _, loss] = leavers.estimate(0, None);
        assert!(
            (win - 0.3).abs() < 0.06 && (loss - 0.6).abs() < 0.06,
            "{win} {loss}"
        );
    }

    #[test]
    fn what_is_a_players_own_moves_the_odds_and_not_the_order() {
        let params = LeavingParams {
            propensity: 1.0,
            ..LeavingParams::default()
        };
        let chances: Vec<f64> = (0..2000)
            .map(|player| params.chance(&params, 3, player, &[]))
            .collect();
        let above = chances.iter().filter(|&&chance| chance > 0.04).count();
        assert!((900..1100).contains(&above), "{above}");
        assert!(chances.iter().all(|chance| (0.0..1.0).contains(chance)));
        let none = LeavingParams::default();
        assert_eq!(none.chance(&none, 3, 5, &[]), 0.04);
    }
}
