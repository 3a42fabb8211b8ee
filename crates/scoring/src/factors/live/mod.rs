//! What live games need beyond the documents: rules about who may meet, roles, regions.

mod best_region;
mod blocks;
mod friends;
mod griefers;
mod ping_limit;
mod recent_team_mates;
mod regions;
mod roles;

pub use best_region::{BestRegion, BestRegionParams};
pub use blocks::{Blocks, BlocksParams};
pub use friends::{Friends, FriendsParams};
pub use griefers::{Griefers, GriefersParams};
pub use ping_limit::{PingLimit, PingLimitParams};
pub use recent_team_mates::{RecentTeamMates, RecentTeamMatesParams};
pub use regions::{Regions, RegionsParams};
pub use roles::{Roles, RolesParams};

use crate::team::{Decomposition, square};

/// The parts of a rule about two players: whether they must not be team mates, and whether not opponents.
fn rule_terms(players: &[usize], broken: impl Fn(usize, usize, bool) -> bool) -> Decomposition {
    Decomposition::PairRule {
        together_forbidden: square(players, |a, b| broken(a, b, true)),
        against_forbidden: square(players, |a, b| broken(a, b, false)),
    }
}
