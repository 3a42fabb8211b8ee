//! Players who play in sides: teams, parties and free-for-alls.

mod game;
mod shift;
mod system;

pub use game::{GameError, Member, Side, TeamGame};
pub use shift::ShiftRating;
pub(crate) use shift::moved;
pub use system::TeamRatingSystem;
