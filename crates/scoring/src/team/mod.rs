//! Players, the pool they wait in, and the candidate: teams of them.

mod candidate;
mod decomposition;
mod error;
mod factor;
mod player;
mod pool;
mod scorer;

pub use candidate::TeamMatch;
pub(crate) use decomposition::square;
pub use decomposition::{BalanceCurve, Decomposition, PairTable};
pub use error::{PoolError, TeamMatchError};
pub use factor::TeamFactor;
pub use player::{Player, PlayerField};
pub use pool::Pool;
pub use scorer::TeamScorer;

pub(crate) use candidate::{PairKinds, greatest, range_of};
