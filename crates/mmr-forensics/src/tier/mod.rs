//! The tier of a division from one snapshot.
//!
//! Points less bonus of a division's players are their ratings less C + K. Who passes C + M is promoted and gone, so
//! the most active cluster below M - K: the place of that edge tells K. [`cluster_tier`] is the source's way, by eye;
//! [`likely_tier`] weighs all tiers against each other, and says how sure it is.

mod cluster;
mod likelihood;

pub use cluster::{ClusterReading, cluster_tier};
pub use likelihood::{TierProbability, TierReading, TierSettings, likely_tier};

use crate::snapshot::{DivisionSnapshot, Member};

/// A player is active who has left at most this share of the season's bonus points unspent.
const ACTIVE_SHARE: f64 = 1.0 / 3.0;

fn is_active(snapshot: &DivisionSnapshot, member: &Member) -> bool {
    member.unspent.get() <= ACTIVE_SHARE * snapshot.total.get()
}
