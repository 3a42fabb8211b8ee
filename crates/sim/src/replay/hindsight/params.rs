//! A log of tickets and what it is charged for, with its checks.

use serde::{Deserialize, Serialize};

use super::waiting::{self, Minorant};
use super::{HindsightError, HindsightProblem};
use crate::arrivals::Arrival;

/// The cost of waiting this many seconds.
pub type WaitingCost<'a> = &'a (dyn Fn(f64) -> f64 + Sync);

/// The mismatch of two tickets by their places in the log, smaller first, points; `None` if a rule forbids the pair.
pub type Mismatch<'a> = &'a (dyn Fn(usize, usize) -> Option<f64> + Sync);

/// More tickets than this are refused.
pub(super) const MOST_TICKETS: usize = 1 << 27;
/// Times differ by no more: whole numbers as floats.
const LONGEST_MS: i64 = 1 << 53;

/// A ticket of a log, of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stay {
    /// When it came, milliseconds.
    pub came_ms: i64,
    /// When it left unmatched, milliseconds; `None` if it was matched or never left, so that it might have waited on.
    pub may_wait_until_ms: Option<i64>,
}

impl From<&Arrival> for Stay {
    fn from(arrival: &Arrival) -> Self {
        Self {
            came_ms: arrival.at_ms,
            may_wait_until_ms: arrival.leaves_at_ms,
        }
    }
}

/// A log and what it is charged for, unchecked until [`build`](Self::build).
#[derive(Clone, Copy)]
pub struct HindsightParams<'a> {
    /// The tickets in order of time.
    pub tickets: &'a [Stay],
    /// `d_ij`, 0 or more.
    pub mismatch: Mismatch<'a>,
    /// A rating for each ticket such that no mismatch is less than the gap in it: then pairs far apart in rating need
    /// not be looked at. Default: none is known.
    pub ratings: Option<&'a [f64]>,
    /// K, cost per point of mismatch, 0 or more. Default 1.
    pub mismatch_weight: f64,
    /// C: finite, 0 at 0 and never falling. Default: 1 a second.
    pub waiting_cost: WaitingCost<'a>,
    /// L, 0 or more. Default: none, so that as many tickets as possible are matched.
    pub lost_price: Option<f64>,
    /// When the log ends, no earlier than its last ticket: an unmatched ticket that never left has waited until then.
    /// Default: such a ticket is charged no waiting, which is a bound wherever the log ends.
    pub ends_ms: Option<i64>,
    /// By place: tickets that a policy refused, which pay L without a wait if they have no match. Default: none.
    pub refused: &'a [bool],
    /// Longer logs are solved in slices of at most this many tickets, 2 or more. Default 50,000.
    pub most_at_once: usize,
}

impl<'a> HindsightParams<'a> {
    /// The log with all defaults.
    #[must_use]
    pub fn new(tickets: &'a [Stay], mismatch: Mismatch<'a>) -> Self {
        Self {
            tickets,
            mismatch,
            ratings: None,
            mismatch_weight: 1.0,
            waiting_cost: &|seconds| seconds,
            lost_price: None,
            ends_ms: None,
            refused: &[],
            most_at_once: 50_000,
        }
    }

    /// The problem of this log, checked. O(n).
    ///
    /// # Errors
    /// [`HindsightError`] names the first number that is wrong. Mismatches are checked when they are read.
    pub fn build(self) -> Result<HindsightProblem<'a>, HindsightError> {
        let longest_ms = self.check_times()?;
        if let Some(ratings) = self.ratings {
            if ratings.len() != self.tickets.len() {
                return Err(HindsightError::RatingCount {
                    ratings: ratings.len(),
                    tickets: self.tickets.len(),
                });
            }
            if let Some(ticket) = ratings.iter().position(|rating| !rating.is_finite()) {
                return Err(HindsightError::Rating {
                    ticket,
                    rating: ratings[ticket],
                });
            }
        }
        let price = self.lost_price.unwrap_or(0.0);
        for (name, value) in [("mismatch_weight", self.mismatch_weight), ("lost_price", price)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(HindsightError::Weight { name, value });
            }
        }
        if self.most_at_once < 2 {
            return Err(HindsightError::SliceSize {
                most_at_once: self.most_at_once,
            });
        }
        let curve = waiting::tabulate(self.waiting_cost, longest_ms)?;
        let mut problem = HindsightProblem {
            params: self,
            typical: 0.0,
            minorant: Minorant::default(),
        };
        problem.typical = problem.typical_cost()?;
        problem.minorant = Minorant::choose(&curve, problem.typical);
        Ok(problem)
    }

    /// The longest wait that may be charged.
    fn check_times(&self) -> Result<i64, HindsightError> {
        let tickets = self.tickets;
        if tickets.len() > MOST_TICKETS {
            return Err(HindsightError::TooManyTickets {
                tickets: tickets.len(),
            });
        }
        if let Some(before) = tickets.windows(2).position(|two| two[0].came_ms > two[1].came_ms) {
            return Err(HindsightError::OutOfOrder { ticket: before + 1 });
        }
        let last = tickets.last().map_or(0, |ticket| ticket.came_ms);
        let ends = self.ends_ms.unwrap_or(last);
        if !tickets.is_empty() && ends < last {
            return Err(HindsightError::EndsEarly {
                ends_ms: ends,
                last_ms: last,
            });
        }
        let mut longest = 0;
        for (ticket, one) in tickets.iter().enumerate() {
            let until = one.may_wait_until_ms.unwrap_or(ends);
            if until < one.came_ms {
                return Err(HindsightError::LeavesEarly { ticket });
            }
            let stay = until.max(ends).checked_sub(one.came_ms);
            let stay = stay.filter(|&stay| stay < LONGEST_MS);
            longest = longest.max(stay.ok_or(HindsightError::TooLong { ticket })?);
        }
        Ok(longest)
    }
}

impl std::fmt::Debug for HindsightParams<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("HindsightParams")
            .field("tickets", &self.tickets.len())
            .field("mismatch_weight", &self.mismatch_weight)
            .field("lost_price", &self.lost_price)
            .field("ends_ms", &self.ends_ms)
            .field("most_at_once", &self.most_at_once)
            .finish_non_exhaustive()
    }
}
