//! Logs of a queue, looked at again: under other policies, and with hindsight.
//!
//! - [`replay`]: a log under a policy, and what it costs by an objective ([`Judge`]).
//! - [`recorded`]: what really happened in it, judged likewise.
//! - [`Moment`]: what kept tickets waiting, rule by rule.
//! - [`compare`]: two replays of one log, with an interval; [`FittedPatience`]: how long matched tickets might have waited.
//! - [`hindsight`]: the least that any policy could have paid for a log of pairs, with its proof; [`best_lineups`]: the
//!   cheapest matches of teams that a search finds.

mod compare;
pub mod hindsight;
mod journal;
mod judge;
mod kept;
mod lineups;
mod log;
mod optimum;
mod patience;
mod recorded;
mod run;
mod waits;

pub use compare::{Comparison, NoInterval, compare};
pub use journal::{Answer, Answered, JournalLog, JournalLogError};
pub use judge::Judge;
pub use kept::{Keeper, Moment};
pub use lineups::{BestLineups, Lineup, LineupSearch, best_lineups};
pub use log::{LEAST_TAIL, LogError, LoggedTicket, TicketLog, Unobserved, WaitSpan};
pub use optimum::{LogEnd, Optimum, OptimumError, optimum, regret};
pub use patience::FittedPatience;
pub use recorded::{LoggedMatch, MatchMember, NotRecorded, Recorded, recorded};
pub use run::{
    Costs, Fate, Replay, ReplayError, ReplaySettings, ReplayedMatch, ReplayedTicket, keep_common, replay,
};
pub use waits::GroupWaits;
#[cfg(feature = "simulate")]
pub(crate) use waits::{WaitEnd, WaitSums, nearest_region};
