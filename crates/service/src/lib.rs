//! A live queue with names, requests, matches, results and ratings: durable and embeddable; over HTTP by feature `http`.
//!
//! [`Service`] is a handle that can be cloned. One thread follows what is asked in steps, syncs each step to the device, and only
//! then answers; another saves the state beside it. Tickets, players and matches go by names; a request that is sent again is
//! answered again, across restarts; results are rated in the order of the journal, and a ticket's rating is the store's.

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod admission;
mod backfill;
mod beside;
mod desk;
mod durability;
mod folder;
#[cfg(feature = "http")]
pub mod http;
mod ledger;
mod limits;
mod note;
mod pending;
mod presence;
mod problem;
mod ratings;
mod request;
mod service;
mod settings;
mod shard;
mod stats;
mod view;

pub use backfill::NewBackfill;
pub use durability::Relaxed;
pub use folder::{Contents, PlayedMatch, backup, results, verify};
pub use pending::Pending;
pub use problem::Problem;
pub use ratings::Rated;
pub use request::{Created, MatchResult, NewPlayer, NewTicket, RequestKey};
pub use service::{Changes, Service};
pub use settings::{Settings, StoreNumber, policies};
pub use shard::Told;
pub use stats::Stats;
pub use view::{Change, Left, MatchView, Phase, PlayerView, QueueView, StepChanges, TicketState, TicketView};
