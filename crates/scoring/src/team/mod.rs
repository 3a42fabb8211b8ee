//! Players, the pool they wait in, and the candidate: teams of them.

mod candidate;
mod error;
mod factor;
mod parts;
mod player;
mod pool;

pub use candidate::TeamMatch;
pub use error::{PoolError, TeamMatchError};
pub use factor::TeamFactor;
pub(crate) use parts::square;
pub use parts::{BalanceCurve, PairTable, Parts};
pub use player::{Player, PlayerField};
pub use pool::Pool;

pub(crate) use candidate::{Kinds, greatest, range_of};
