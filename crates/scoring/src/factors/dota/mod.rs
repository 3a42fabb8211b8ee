//! The seven criteria of "Dota 2: Matchmaking" (Valve, 7 December 2013), section on what makes a good match.
//!
//! The article says what is measured, not how much of it is bad: the curves' figures are ours, for its scale of
//! rating (half of the players between 2000 and 2731).

mod aggregate;
mod best_against_best;
mod experience;
mod languages;
mod party_count;
mod skill_spread;
mod wait;
mod win_probability;

pub use aggregate::Aggregate;
pub use best_against_best::BestAgainstBest;
pub use experience::{Experience, experience_level};
pub use languages::Languages;
pub use party_count::PartyCount;
pub use skill_spread::SkillSpread;
pub use wait::{Wait, waiting_cost};
pub use win_probability::{WinProbability, win_probability};
