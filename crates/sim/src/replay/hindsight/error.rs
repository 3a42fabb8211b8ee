//! What can be wrong with a log, or with a claim about it.

use matchwright_solver::{SolveError, VerifyError};
use thiserror::Error;

use super::params::MOST_TICKETS;

/// Why a log has no hindsight optimum. Tickets count from 0.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum HindsightError {
    /// A ticket that came before the one ahead of it.
    #[error("ticket {ticket} came before ticket {}: sort the log by time", ticket - 1)]
    OutOfOrder { ticket: usize },
    /// A ticket that left before it came.
    #[error("ticket {ticket} left before it came")]
    LeavesEarly { ticket: usize },
    /// A log that ends before its last ticket.
    #[error("the log ends at {ends_ms} ms, before its last ticket at {last_ms} ms")]
    EndsEarly { ends_ms: i64, last_ms: i64 },
    /// Waits that milliseconds cannot count.
    #[error("ticket {ticket} may wait for 2^53 milliseconds or more")]
    TooLong { ticket: usize },
    /// More tickets than can be solved.
    #[error("{tickets} tickets are more than {MOST_TICKETS}: split the log")]
    TooManyTickets { tickets: usize },
    /// Not one rating for each ticket.
    #[error("{ratings} ratings for {tickets} tickets: give one for each")]
    RatingCount { ratings: usize, tickets: usize },
    /// A rating that is no number.
    #[error("the rating of ticket {ticket} is {rating}: give a finite number")]
    Rating { ticket: usize, rating: f64 },
    /// A weight or price that is negative or no number.
    #[error("`{name}` is {value}: give a finite number, 0 or more")]
    Weight { name: &'static str, value: f64 },
    /// Slices too small for a pair.
    #[error("`most_at_once` is {most_at_once}: give 2 or more")]
    SliceSize { most_at_once: usize },
    /// A cost of waiting that falls, is not 0 at 0, or is no number.
    #[error(
        "waiting {seconds} s costs {cost}, less time {before}: the cost of waiting is finite, 0 at 0 and never falls"
    )]
    WaitingCost { seconds: f64, cost: f64, before: f64 },
    /// A mismatch that is negative or no number.
    #[error("the mismatch of tickets {i} and {j} is {mismatch}: give a finite number, 0 or more")]
    Mismatch { i: usize, j: usize, mismatch: f64 },
    /// A mismatch that is smaller than the gap in rating.
    #[error("the mismatch of tickets {i} and {j} is less than the gap in their ratings: give no `ratings`")]
    RatingGap { i: usize, j: usize },
    /// The solver found no matching.
    #[error(transparent)]
    Solve(SolveError),
    /// A certificate that does not hold.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// A result that is not what it says.
    #[error("the {what} of the result are not those of this log")]
    Claim { what: &'static str },
}
