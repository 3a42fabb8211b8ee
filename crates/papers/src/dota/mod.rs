//! "Dota 2: Matchmaking" (Valve, 7 December 2013): what it prints, and what its ratings do over many games.

pub(crate) mod claims;
mod fractions;
mod matching;
mod matching_page;
mod page;
mod parties;
mod performance;
mod plots;
pub mod printed;
pub(crate) mod reproduction;
mod tables;
mod win_rates;

pub use fractions::{HiddenFractions, hidden_fractions};
pub use parties::{PartiesConfig, PartiesReport, TermRecovery, run_parties};
pub use performance::{PerformanceConfig, PerformanceReport, run_performance};
pub use reproduction::{DotaReproduction, DotaSettings, reproduce};
pub use win_rates::{WinRatesConfig, run_win_rates};
