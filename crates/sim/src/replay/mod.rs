//! Logs of a queue, looked at again: under other policies, and with hindsight.
//!
//! - [`replay`]: a log under a policy, and what it costs by an objective ([`Judge`]).
//! - [`hindsight`]: the least that any policy could have paid for a log of pairs, with its proof.

pub mod hindsight;
mod judge;
mod log;
mod run;

pub use judge::Judge;
pub use log::{LogError, LoggedTicket, TicketLog, Unobserved};
pub use run::{Fate, Replay, ReplaySettings, ReplayedMatch, ReplayedTicket, replay};
