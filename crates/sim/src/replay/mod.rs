//! Logs of a queue under other policies.

mod judge;
mod log;
mod run;

pub use judge::Judge;
pub use log::{LogError, LoggedTicket, TicketLog, Unobserved};
pub use run::{Fate, Replay, ReplaySettings, ReplayedMatch, ReplayedTicket, replay};
