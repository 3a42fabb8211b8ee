//! EOMM for teams: the expected churn of a match's players.

mod team_churn;

pub use team_churn::{TeamChurn, team_churn};
