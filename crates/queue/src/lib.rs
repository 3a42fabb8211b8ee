//! When to stop waiting: a deterministic core for queues of tickets, the same in simulation, replay and live service.
//!
//! [`step`] takes a [`State`], a [`MatchPolicy`], the time and the [`Event`]s that happened, and returns what was decided
//! and when to call again. It reads no clock, starts no thread, draws no random number, and does no I/O but by the feature `files`.
//!
//! | item | answers |
//! |---|---|
//! | [`step`], [`follow`] | what happens now? what happened then, from a journal? |
//! | [`Ticket`], [`Event`], [`Decision`], [`Refusal`] | who waits, what came in, what was decided, why not |
//! | [`State`], [`Pool`], [`WaitEstimates`] | who waits by now, and how long will it take? |
//! | [`MatchPolicy`], [`PolicySet`] | what to match: your own policy, one for each queue |
//! | [`Pairs`], [`WindowParams`], [`PricesParams`] | matches of two within widening windows, or by prices |
//! | [`QueueParams`], [`ObjectiveParams`] | the tables `[queue]` and `[objective]` of a policy document |
//! | [`Why`] | what keeps a ticket waiting, and what would free it? |
//! | `journal` | steps and snapshots as bytes |
//! | `live` | a queue that lives in files: what was told is on the device |
//!
//! Every change of a state is a [`Decision`]. A ticket that did nothing wrong keeps the time at which it came, whatever
//! becomes of a proposal or match; an event counts once; an answer to a proposal that is over changes nothing.
//!
//! # Features
//! - `serde`: events, decisions, states and settings as data.
//! - `schema`: the JSON schema of the tables of a policy document.
//! - `journal`: records of steps as bytes, states rebuilt from any prefix of them, and a queue that lives in them.
//! - `files`: such a queue in a folder; else its files are anyone's `Storage`.
//! - `laws`: the contract of [`MatchPolicy`] as a suite that anyone can run on an implementation.

mod document;
mod estimates;
mod event;
mod hash;
mod ids;
#[cfg(feature = "journal")]
pub mod journal;
#[cfg(feature = "laws")]
pub mod laws;
#[cfg(feature = "journal")]
pub mod live;
mod named;
mod outcome;
mod pairs;
mod policies;
mod policy;
mod prices;
mod settings;
#[cfg(feature = "serde")]
mod shared;
mod sorted;
mod state;
mod ticket;
mod time;
mod why;
mod window;

pub use document::{
    AcceptanceParams, BatchParams, Choose, EstimatesParams, LimitsParams, Method, MethodName, Objective,
    ObjectiveError, ObjectiveParams, PricesTable, QueueError, QueueParams, QueuePlan, Schedule,
    SmallerParams, Threshold, ThresholdParams, WaitingCost,
};
pub use estimates::{Group, WaitEstimate, WaitEstimates};
pub use event::{Event, EventKind, PolicyChange, PolicyLabel};
pub use ids::{EventId, MatchId, PlayerId, ProposalId, TicketId};
pub use named::{Name, Named};
pub use outcome::{
    Decision, EndReason, LeaveReason, Lobby, LobbyFault, Match, Outcome, Proposal, QueueStatus, Refusal,
};
pub use pairs::{Accept, CheapestFirst, ChoosePairs, Pairs, PairsError, PairsParams, PairsSettings};
pub use policies::PolicySet;
#[cfg(feature = "journal")]
pub use policy::Adopted;
pub use policy::{Budget, MatchPolicy, Proposed, foresee};
pub use prices::{LearnedPrices, PriceStart, Prices, PricesError, PricesParams};
pub use settings::QueueSettings;
pub use state::{Answer, ApplyError, Counters, Pool, State, StepError, Waiting, follow, step, step_within};
pub use ticket::{Attributes, Backfill, Member, Ticket, Value};
pub use time::Time;
pub use why::{Candidate, Change, Obstacle, TooFew, WaitState, Why};
pub use window::{Aggregate, Compare, Window, WindowError, WindowParams};

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
