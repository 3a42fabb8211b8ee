//! EOMM for teams: who of a match is expected to stop playing.

mod team_churn;

pub use team_churn::{TeamChurn, team_churn};
