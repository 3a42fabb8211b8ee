//! Patience: how long tickets that were matched would have waited on, which no log tells and a model may.

use matchwright_queue::Time;
use rand_distr::{Distribution, Exp1};

use super::log::{LoggedTicket, TicketLog};
use crate::random::{Purpose, stream};

/// An exponential patience, fitted by maximum likelihood to the waits of a log.
///
/// ```text
/// rate = leavers / sum of waits,   waits of matched tickets end before the patience does (censored)
/// ```
///
/// While players are asked to accept a match they do not wait; who declines does not give up.
///
/// Where patience is memoryless, this is the estimate of its rate with the least variance in large logs; logs of real
/// players show many who leave within seconds, of whom it makes a mean. Cox and Oakes, "Analysis of Survival Data",
/// 1984, section 3.2.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct FittedPatience {
    /// The mean patience in seconds: 1 / rate.
    pub mean_seconds: f64,
    /// Its standard error, `mean / sqrt(leavers)`.
    pub standard_error: f64,
    /// Tickets that gave up.
    pub leavers: usize,
    /// Tickets whose wait ended otherwise: matched, declined, or in the end of a journal.
    pub censored: usize,
    /// Tickets of which it is not known how long they waited: not used.
    pub unknown: usize,
}

impl TicketLog {
    /// The exponential patience that fits best; `None` if no ticket left, or none waited. O(n).
    ///
    /// ```
    /// use matchwright_queue::{Ticket, Time};
    /// use matchwright_sim::replay::{LoggedTicket, TicketLog};
    ///
    /// let at = |seconds: i64| Some(Time::from_millis(1000 * seconds));
    /// let ticket = |id, left, matched| LoggedTicket { ticket: Ticket::of_one(id, id), came: Time::default(), left, matched };
    /// // 10 + 20 + 30 seconds of waiting, and one ticket that left.
    /// let log = TicketLog::new(vec![ticket(1, at(10), None), ticket(2, None, at(20)), ticket(3, None, at(30))])?;
    /// assert_eq!(log.fitted_patience().map(|patience| patience.mean_seconds), Some(60.0));
    /// # Ok::<(), matchwright_sim::replay::LogError>(())
    /// ```
    #[must_use]
    pub fn fitted_patience(&self) -> Option<FittedPatience> {
        let waits = self.waits();
        let leavers = waits.iter().filter(|wait| wait.gave_up).count();
        let waited: f64 = waits.iter().map(|wait| wait.to - wait.from).sum();
        let unknown = self.unknown_waits();
        let mean_seconds = waited / leavers as f64;
        (leavers > 0 && waited > 0.0).then(|| FittedPatience {
            mean_seconds,
            standard_error: mean_seconds / (leavers as f64).sqrt(),
            leavers,
            censored: self.len() - leavers - unknown,
            unknown,
        })
    }

    /// The log with a time of leaving for each ticket that was not seen to leave: an exponential patience of this mean in
    /// seconds, from the time on at which the ticket was last seen waiting (when it was matched, else when it came), since
    /// such a patience does not depend on the wait so far.
    ///
    /// What a policy does with such a log is an estimate. The same seed gives the same times. O(n).
    #[must_use]
    pub fn with_patience(&self, mean_seconds: f64, seed: u64) -> Self {
        let with_patience = |(place, logged): (u64, &LoggedTicket)| {
            let mut logged = logged.clone();
            if logged.left.is_none() {
                let mut random = stream(seed, Purpose::Patience, place, 0);
                let drawn: f64 = Exp1.sample(&mut random);
                let seen = logged.matched.take().unwrap_or(logged.came);
                logged.left = Some(later(seen, mean_seconds * drawn));
            }
            logged
        };
        Self::of_sorted((0..).zip(self.tickets()).map(with_patience).collect())
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a float becomes the nearest integer there is"
)]
fn later(time: Time, seconds: f64) -> Time {
    time.plus((seconds * 1000.0).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrivals::ArrivalsParams;
    use matchwright_queue::Ticket;

    /// Tickets that leave after an exponential patience of 50 s, and are matched before if they wait for 30 s.
    fn log() -> TicketLog {
        let params = ArrivalsParams {
            mean_patience_seconds: Some(50.0),
            ..ArrivalsParams::one_a_second(10_000, 3)
        };
        let logged = |(id, arrival): (u64, crate::arrivals::Arrival)| {
            let (came, leaves) = (arrival.at_ms, arrival.leaves_at_ms.unwrap());
            let is_matched = leaves - came > 30_000;
            LoggedTicket {
                ticket: Ticket::of_one(id, id),
                came: Time::from_millis(came),
                left: (!is_matched).then(|| Time::from_millis(leaves)),
                matched: is_matched.then(|| Time::from_millis(came + 30_000)),
            }
        };
        TicketLog::new((1..).zip(params.build().unwrap()).map(logged).collect()).unwrap()
    }

    #[test]
    fn the_fit_finds_the_patience_though_most_tickets_are_matched_first() {
        let fitted = log().fitted_patience().unwrap();
        assert_eq!(fitted.leavers + fitted.censored, 10_000);
        assert!(
            (fitted.mean_seconds - 50.0).abs() < 4.0 * fitted.standard_error,
            "{fitted:?}"
        );
    }

    #[test]
    fn drawn_patience_begins_where_the_log_ends_and_has_the_given_mean() {
        let (log, with) = (log(), log().with_patience(50.0, 7));
        let (mut sum, mut count) = (0.0, 0.0_f64);
        for (before, after) in log.tickets().iter().zip(with.tickets()) {
            assert_eq!(before.left.is_some(), before.left == after.left);
            if let Some(matched) = before.matched {
                sum += after.left.unwrap().seconds_since(matched);
                count += 1.0;
            }
        }
        assert!(
            (sum / count / 50.0 - 1.0).abs() < 4.0 / count.sqrt(),
            "{}",
            sum / count
        );
        assert_eq!(with, log.with_patience(50.0, 7));
        assert_ne!(with, log.with_patience(50.0, 8));
    }

    #[test]
    fn without_leavers_there_is_no_fit() {
        let came = LoggedTicket {
            ticket: Ticket::of_one(1, 1),
            came: Time::default(),
            left: None,
            matched: Some(Time::from_millis(10)),
        };
        assert_eq!(TicketLog::new(vec![came]).unwrap().fitted_patience(), None);
    }
}
