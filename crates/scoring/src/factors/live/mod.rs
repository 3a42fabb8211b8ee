//! What live games need beyond the documents: rules about who may meet, roles, regions.

mod best_region;
mod blocks;
mod friends;
mod griefers;
mod ping_limit;
mod recent_team_mates;
mod regions;
mod roles;

pub use best_region::BestRegion;
pub use blocks::Blocks;
pub use friends::Friends;
pub use griefers::Griefers;
pub use ping_limit::PingLimit;
pub use recent_team_mates::RecentTeamMates;
pub use regions::Regions;
pub use roles::Roles;

use crate::team::{Decomposition, square};

/// The parts of a rule about two players: whether they must not be team mates, and whether not opponents.
fn rule_terms(players: &[usize], broken: impl Fn(usize, usize, bool) -> bool) -> Decomposition {
    Decomposition::PairRule {
        together_forbidden: square(players, |a, b| broken(a, b, true)),
        against_forbidden: square(players, |a, b| broken(a, b, false)),
    }
}
