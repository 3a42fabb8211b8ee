//! A lineup.

use matchwright_queue::TicketId;

/// A lineup: the tickets of each match, team by team.
pub type Lineup = Vec<Vec<Vec<TicketId>>>;
