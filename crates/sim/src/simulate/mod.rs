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
mod checks;
mod claims;
mod engine;
mod fit;
mod gold;
mod leaving;
mod measures;
mod patience;
mod people;
mod plan;
mod ratings;
mod record;
mod regret;
mod scale;
mod scenario;
mod screen;
mod sizes;
mod worlds;

pub use checks::ScenarioError;
pub use claims::{ClaimParams, ClaimResult, ClaimVerdict, Direction};
pub use engine::{PlayerEnd, Simulated, SimulationError, simulate};
pub use fit::{FitNote, FittedScenario, FittedValue, Observed, PatiencePoint, fit};
pub use gold::GoldParams;
pub use leaving::{ChurnEstimateParams, LeavingParams};
pub use measures::{
    Coverage, FactorMean, Figure, Forecast, ForecastBin, GroupGames, GroupMatches, HourMeans, Measured,
    Measures, OVERDUE, RatingError,
};
pub use patience::Patience;
pub use plan::Plan;
pub use record::{Fate, FullRecord, PlayedMatch, Record, TicketEnd};
pub use regret::{Regret, RegretError};
pub use scenario::{
    AcceptanceParams, AgainParams, ArrivalParams, BurstParams, GroupParams, KnownSkill, NumberParams,
    PeopleParams, PlayParams, QueuesOf, RegionParams, Scenario, ScenarioParams,
};
pub use screen::may_be_best;
pub use sizes::{SizeSearch, SizeTried, Sized, Target, size};
pub use worlds::{Averaged, Compared, Difference, World, Worlds, WorldsError, average, compare, front};
