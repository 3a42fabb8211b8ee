//! The contracts of [`TeamSplitter`](crate::TeamSplitter) and [`LobbySolver`](crate::LobbySolver) as suites that anyone
//! can run on an implementation.

mod drawn;
mod lobby;
mod splitter;
mod violation;

pub use lobby::check_lobbies;
pub use splitter::check_splitter;
pub use violation::{Law, LawViolation};
