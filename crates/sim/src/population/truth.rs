//! What only a judge may know: true skills, and true churn after each outcome of each match.

use matchwright_churn::Outcome;

use super::behaviour::logistic;

/// The truth about one side of one match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrueSide {
    /// The player's skill.
    pub skill: f64,
    /// Eight-hour churn probability after a win, a draw and a loss.
    pub churn: [f64; 3],
}

/// The hidden half of a generated population. Nothing that estimates takes one: functions that fit
/// take a history, functions that judge take a history and its truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    pub(super) skills: Vec<f64>,
    /// Logit before the outcome's own effect, for the first and second player of each match.
    pub(super) logits: Vec<[f64; 2]>,
    /// The two players of each match, as places in `skills`.
    pub(super) players: Vec<[usize; 2]>,
    pub(super) outcome_effects: [f64; 3],
    pub(super) draw_rate: f64,
    pub(super) late_matches: u64,
}

impl Truth {
    /// The truth about side 0 or 1 of this match.
    #[must_use]
    pub fn side(&self, game: usize, side: usize) -> TrueSide {
        let logit = self.logits[game][side];
        TrueSide {
            skill: self.skills[self.players[game][side]],
            churn: self.outcome_effects.map(|effect| logistic(logit + effect)),
        }
    }

    /// Win, draw and loss probabilities of a player of the first skill against the second.
    #[must_use]
    pub fn outcome_probabilities(&self, skill: f64, opponent: f64) -> [f64; 3] {
        outcome_probabilities(self.draw_rate, skill, opponent)
    }

    /// Each player's skill, in the history's order of players.
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

/// Constant draws and a logistic rest: the generator's own rule of play.
pub(super) fn outcome_probabilities(draw_rate: f64, skill: f64, opponent: f64) -> [f64; 3] {
    let decided = 1.0 - draw_rate;
    let win = decided * logistic((skill - opponent) * std::f64::consts::LN_10 / 400.0);
    let mut probabilities = [0.0; 3];
    probabilities[Outcome::Win.index()] = win;
    probabilities[Outcome::Draw.index()] = draw_rate;
    probabilities[Outcome::Loss.index()] = decided - win;
    probabilities
}
