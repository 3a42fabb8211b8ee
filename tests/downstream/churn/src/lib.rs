//! A stranger's churn model: players tire, and sooner after a loss.

use matchwright_churn::{ChurnModel, Outcome};

/// What this game knows of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Player {
    /// How the last match ended.
    pub last: Outcome,
    /// Hours since the session began, not negative.
    pub session_hours: f64,
}

/// Churn that grows with the length of the session, faster after a loss.
#[derive(Debug, Clone, Copy)]
pub struct Tiring {
    /// Hours after which a winner has half left.
    pub half_life_hours: f64,
}

impl ChurnModel<Player> for Tiring {
    fn churn_probability(&self, player: &Player) -> f64 {
        let half_life = if player.last == Outcome::Loss {
            self.half_life_hours / 2.0
        } else {
            self.half_life_hours
        };
        1.0 - 0.5_f64.powf(player.session_hours / half_life)
    }
}
