//! What live games need beyond the documents: rules about who may meet, roles, regions.

mod blocks;
mod griefers;
mod recent_team_mates;

pub use blocks::{Blocks, BlocksParams};
pub use griefers::{Griefers, GriefersParams};
pub use recent_team_mates::{RecentTeamMates, RecentTeamMatesParams};

use crate::team::{Parts, square};

/// The parts of a rule about two players: whether they must not be team mates, and whether not opponents.
fn rule_parts(players: &[usize], broken: impl Fn(usize, usize, bool) -> bool) -> Parts {
    Parts::PairRule {
        together_forbidden: square(players, |a, b| broken(a, b, true)),
        against_forbidden: square(players, |a, b| broken(a, b, false)),
    }
}
