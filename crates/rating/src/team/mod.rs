//! Players who play in sides: teams, parties and free-for-alls.

mod adapter;
mod game;
mod places;
mod shift;
mod system;

pub use adapter::{TeamAdapter, TeamSkill};
pub use game::{GameError, Member, Side, TeamGame};
pub use shift::ShiftRating;
pub(crate) use places::shares_beaten;
pub(crate) use shift::{limited, moved};
pub use system::TeamRatingSystem;
