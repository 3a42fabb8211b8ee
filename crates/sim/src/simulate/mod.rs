//! A matchmaker before anyone plays under it: a population that queues, waits, gives up, plays and comes again, under any
//! policy.
//!
//! [`simulate`] drives the queue's own [`step`](matchwright_queue::step) from event to event; no tick passes in between.
//! What the policy and the ratings see is what a live service would see: tickets, answers, results. What is true (skills,
//! patience, who comes again) stays in the world, and only [`Record`] is told.
//!
//! Every draw is a function of the seed and of whose it is: a player's third wait is as patient, whatever the policy
//! did to others before. So two policies can be compared on the same world with little noise.

mod agenda;
mod engine;
mod measures;
mod people;
mod ratings;
mod record;
mod scenario;

pub use engine::{PlayerEnd, Simulated, SimulationError, simulate};
pub use measures::{Measured, Measures, RatingError};
pub use record::{Fate, FullRecord, PlayedMatch, Record, TicketEnd};
pub use scenario::{
    AcceptanceParams, AgainParams, ArrivalParams, Patience, PeopleParams, PlayParams, RatingParams,
    RegionParams, Scenario, ScenarioError, ScenarioParams,
};
