//! When to stop waiting: a deterministic core for queues of tickets, the same in simulation, replay and live service.
//!
//! [`step`] takes a [`State`], a [`MatchPolicy`], the time and the [`Event`]s that happened, and returns what was decided
//! and when to call again. It reads no clock, starts no thread, does no I/O and draws no random number.

mod document;
mod estimates;
mod event;
mod hash;
mod ids;
#[cfg(feature = "journal")]
pub mod journal;
#[cfg(feature = "laws")]
pub mod laws;
mod outcome;
mod pairs;
mod policies;
mod policy;
mod prices;
mod settings;
mod state;
mod ticket;
mod time;
mod why;
mod window;

pub use document::{
    AcceptanceParams, BatchParams, Choose, EstimatesParams, LimitsParams, Method, MethodName, Objective,
    ObjectiveError, ObjectiveParams, PricesTable, QueueError, QueueParams, QueuePlan, Schedule, Threshold,
    ThresholdParams, WaitingCost,
};
pub use estimates::{Group, WaitEstimate, WaitEstimates};
pub use event::{Event, EventKind, PolicyChange, PolicyLabel};
pub use ids::{EventId, MatchId, PlayerId, ProposalId, TicketId};
pub use outcome::{
    Decision, EndReason, LeaveReason, Lobby, LobbyFault, Match, Outcome, Proposal, QueueStatus, Refusal,
};
pub use pairs::{Accept, CheapestFirst, ChoosePairs, Pairs, PairsError, PairsParams, PairsSettings};
pub use policies::PolicySet;
pub use policy::{Budget, MatchPolicy};
pub use prices::{PriceStart, Prices, PricesError, PricesParams};
pub use settings::QueueSettings;
pub use state::{ApplyError, Counters, Pool, State, StepError, Waiting, follow, step, step_within};
pub use ticket::{Attributes, Backfill, Member, Ticket, Value};
pub use time::Time;
pub use why::{Candidate, Change, Obstacle, WaitState, Why};
pub use window::{Aggregate, Compare, Window, WindowError, WindowParams};
