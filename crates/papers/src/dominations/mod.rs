//! The alliance ratings of `DomiNations`: what the document prints, and what they do over many games.

pub(crate) mod claims;
mod inflation;
mod newcomers;
mod page;
mod plots;
pub mod printed;
mod reproduction;
mod tables;

pub use inflation::{InflationConfig, InflationRow, run_inflation};
pub use newcomers::{NewcomerReport, NewcomerRow, NewcomersConfig, run_newcomers};
pub use reproduction::{DominationsReproduction, DominationsSettings, reproduce};
