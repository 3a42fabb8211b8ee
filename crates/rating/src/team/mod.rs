//! Players who play in sides: teams, parties and free-for-alls.

mod adapter;
mod field;
mod game;
mod places;
mod ranking;
mod shift;
mod system;

pub use adapter::{TeamAdapter, TeamSkill};
pub(crate) use field::{Field, mean_over};
#[cfg(feature = "history")]
pub(crate) use game::LEAST_SHARE;
pub(crate) use game::length;
pub use game::{GameError, Member, Side, TeamGame};
pub(crate) use places::shares_beaten;
pub use ranking::PlaceProbabilities;
pub use shift::ShiftRating;
pub(crate) use shift::{limited, moved};
pub use system::TeamRatingSystem;
