//! The six factors of "The Awesomenauts matchmaking algorithm" (Ronimo Games, 16 September 2018).
//!
//! The article gives the measures, three of the qualities (premades), two caps of skill and one of ping. Where it
//! gives no figure, the defaults here are ours, and say so.

mod enemy_ping;
mod hosts;
mod opponent_variation;
mod player_skill;
mod premades;
mod team_skill;

pub use enemy_ping::EnemyPing;
pub use hosts::Hosts;
pub use opponent_variation::OpponentVariation;
pub use player_skill::PlayerSkill;
pub use premades::Premades;
pub use team_skill::TeamSkill;

use crate::error::{ScoringError, within};
use crate::team::Pool;

/// A skill that nobody at the top stands out of, because there are too few to match them with each other.
fn capped(pool: &Pool, player: usize, cap: Option<f64>) -> f64 {
    let skill = pool.skill(player);
    // Not `min`, which would make a cap of NaN.
    if skill.is_nan() {
        skill
    } else {
        cap.map_or(skill, |cap| skill.min(cap))
    }
}

fn check_cap(cap: Option<f64>) -> Result<(), ScoringError> {
    let checked = cap.map(|cap| within("skill_cap", cap, -1e12..=f64::INFINITY));
    checked.transpose().map(drop)
}
