//! The contracts of [`TeamSplitter`](crate::TeamSplitter), [`MatchFinder`](crate::MatchFinder) and
//! [`LobbySolver`](crate::LobbySolver) as suites that anyone can run on an implementation.

mod drawn;
mod finder;
mod lobby;
mod splitter;
mod violation;

pub use finder::check_finder;
pub use lobby::check_lobbies;
pub use splitter::check_splitter;
pub use violation::{Law, LawViolation};
