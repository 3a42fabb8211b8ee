//! The alliance ratings of `DomiNations`: what the document prints, and what they do over many games.

pub(crate) mod claims;
mod inflation;
mod league;
mod matching;
mod matching_page;
mod newcomers;
mod page;
mod plots;
pub mod printed;
mod reproduction;
mod tables;
mod wars;

pub use inflation::{InflationConfig, InflationRow, run_inflation};
pub use league::{LeagueConfig, LeagueReport, LeagueRow, NewcomerWorld, run_league};
pub use newcomers::{NewcomerReport, NewcomerRow, NewcomersConfig, run_newcomers};
pub use reproduction::{DominationsReproduction, DominationsSettings, reproduce};
pub use wars::{OLD_RANGES, Queue, Setting, WarWorld, WarsConfig, WarsReport, run_wars};
