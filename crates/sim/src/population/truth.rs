//! What only a judge may know: true skills, and true churn after each outcome of each match.

use matchwright_rating::history::PlayerIndex;

use super::params::GeneratorParams;
use crate::statistics::logistic;

/// The truth about one side of one match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrueSide {
    /// The player's skill at that time.
    pub skill: f64,
    /// Eight-hour churn logit after a win, a draw and a loss against an equal; [`Truth::churn`] makes
    /// probabilities of them.
    pub logits: [f64; 3],
}

/// The hidden half of a generated population. Nothing that estimates takes one: functions that fit
/// take a history, functions that judge take a history and its truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    pub(super) params: GeneratorParams,
    /// After the last match.
    pub(super) skills: Vec<f64>,
    pub(super) sensitivities: Vec<f64>,
    /// Of both sides of each match, before the effects of outcome and opponent.
    pub(super) logits: Vec<[f64; 2]>,
    /// Skills of both sides of each match, where they wander; else empty.
    pub(super) skills_then: Vec<[f64; 2]>,
    pub(super) late_matches: u64,
}

impl Truth {
    /// The truth about side 0 or 1 of this match, on which `player` played.
    #[must_use]
    pub fn side(&self, game: usize, side: usize, player: PlayerIndex) -> TrueSide {
        let player = player as usize;
        let logit = self.logits[game][side];
        let effects = self.params.outcome_logits(self.sensitivities[player]);
        let then = self.skills_then.get(game).map(|skills| skills[side]);
        TrueSide {
            skill: then.unwrap_or(self.skills[player]),
            logits: effects.map(|effect| logit + effect),
        }
    }

    /// The eight-hour churn probability of this side after a win, a draw and a loss against an opponent of that skill.
    #[must_use]
    pub fn churn(&self, side: &TrueSide, opponent: f64) -> [f64; 3] {
        let more = self.params.opponent_logit(side.skill - opponent);
        side.logits.map(|logit| logistic(logit + more))
    }

    /// Win, draw and loss probabilities of a player of the first skill against the second.
    #[must_use]
    pub fn outcome_probabilities(&self, skill: f64, opponent: f64) -> [f64; 3] {
        self.params.outcome_probabilities(skill, opponent)
    }

    /// Each player's skill after its last match, in the history's order of players.
    #[must_use]
    pub fn skills(&self) -> &[f64] {
        &self.skills
    }

    /// Matches whose first player had to wait longer than the longest wait for want of opponents, so that the gap
    /// before it is longer than the one drawn.
    #[must_use]
    pub fn late_matches(&self) -> u64 {
        self.late_matches
    }
}
