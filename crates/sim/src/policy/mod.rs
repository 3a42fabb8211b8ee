//! Policies of a queue that need scoring, pairing or lobbies, and the document that holds a whole policy: usable in a
//! live service, without population or measures.
//!
//! | policy | matches |
//! |---|---|
//! | [`Pairs`](matchwright_queue::Pairs) with [`SolverPairs`] | two tickets, as soon as windows or prices admit them |
//! | [`ContinuousLobbies`] | teams of tickets, as soon as a match is good enough |
//! | [`Batch`] | all who wait, in rounds |

mod attributes;
mod batch;
mod document;
mod exact;
mod failures;
mod lobbies;
mod neighbours;
mod players;
mod quality;
mod round;
mod scale;

pub use attributes::{decides_by_scoring, scored_attributes};
pub use batch::Batch;
pub use document::{DocumentError, LoadedPolicy, MakePolicy, PolicyDocument, load};
pub use exact::{SharedPairing, SolverPairs};
pub use lobbies::ContinuousLobbies;
pub use players::{PlayerError, player_of};
#[cfg(feature = "replay")]
pub(crate) use scale::width;
pub use scale::{RatingScale, Spread, is_alike};
