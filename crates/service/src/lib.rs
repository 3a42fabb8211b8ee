//! A live queue with names, requests, matches, results and ratings: durable, embeddable, without a network.
//!
//! [`Service`] is a handle that can be cloned. One thread follows what is asked in steps, syncs each step to the device, and only
//! then answers; another saves the state beside it. Tickets, players and matches go by names; a request that is sent again is
//! answered again, across restarts; results are rated in the order of the journal, and a ticket's rating is the store's.

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod desk;
mod ledger;
mod note;
mod pending;
mod problem;
mod ratings;
mod request;
mod service;
mod settings;
mod shard;
mod view;

pub use pending::Pending;
pub use problem::Problem;
pub use ratings::Rated;
pub use request::{Created, MatchResult, NewPlayer, NewTicket, RequestKey};
pub use service::Service;
pub use settings::{Settings, StoreNumber, policies};
pub use view::{Left, MatchView, Phase, PlayerView, TicketState, TicketView};
