//! "The Awesomenauts matchmaking algorithm": what it prints, and its search for matches of teams beside others.

pub(crate) mod claims;
pub(crate) mod days;
mod local_search;
mod page;
mod plots;
pub mod printed;
mod reproduction;
mod rounds_page;
mod search;
mod tables;
mod verdicts;

pub use local_search::{Ascent, Awesomenauts};
pub use reproduction::{AwesomenautsReproduction, AwesomenautsSettings, EqualTime, equal_time, reproduce};
pub use search::*;
