//! [`TicketLog`]: who came to a queue when, and what became of them, as it was recorded.

use std::collections::HashSet;

use matchwright_queue::{PlayerId, Ticket, TicketId, Time};
use thiserror::Error;

/// A ticket as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedTicket {
    /// The ticket.
    pub ticket: Ticket,
    /// When it came.
    pub came: Time,
    /// When it gave up, if it did.
    pub left: Option<Time>,
    /// When it was matched, if it was and that is known.
    pub matched: Option<Time>,
}

/// Tickets in the order in which they came.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TicketLog {
    tickets: Vec<LoggedTicket>,
}

/// Why tickets make no log.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum LogError {
    /// A name that is there twice.
    #[error(
        "ticket {ticket} is there twice (entries {first} and {second}): give each ticket a name of its own"
    )]
    Twice {
        ticket: TicketId,
        first: usize,
        second: usize,
    },
    /// A ticket without players.
    #[error("ticket {ticket} has no players")]
    NoPlayers { ticket: TicketId },
    /// A ticket that ends before it begins.
    #[error("ticket {ticket} leaves or is matched before it comes")]
    Order { ticket: TicketId },
    /// Both ends.
    #[error("ticket {ticket} both left and was matched: give the one that happened")]
    TwoEnds { ticket: TicketId },
    /// No tickets.
    #[error("the log has no tickets")]
    Empty,
}

impl TicketLog {
    /// The log of these tickets, in any order. O(n log n).
    ///
    /// # Errors
    /// [`LogError`] names the first ticket that cannot be.
    pub fn new(mut tickets: Vec<LoggedTicket>) -> Result<Self, LogError> {
        if tickets.is_empty() {
            return Err(LogError::Empty);
        }
        let mut by_name: Vec<(TicketId, usize)> = tickets
            .iter()
            .zip(0..)
            .map(|(one, at)| (one.ticket.id, at))
            .collect();
        by_name.sort_unstable();
        if let Some(twice) = by_name.windows(2).find(|two| two[0].0 == two[1].0) {
            return Err(LogError::Twice {
                ticket: twice[0].0,
                first: twice[0].1,
                second: twice[1].1,
            });
        }
        for logged in &tickets {
            let ticket = logged.ticket.id;
            if logged.ticket.players.is_empty() {
                return Err(LogError::NoPlayers { ticket });
            }
            if [logged.left, logged.matched]
                .into_iter()
                .flatten()
                .any(|end| end < logged.came)
            {
                return Err(LogError::Order { ticket });
            }
            if logged.left.is_some() && logged.matched.is_some() {
                return Err(LogError::TwoEnds { ticket });
            }
        }
        tickets.sort_by_key(|logged| (logged.came, logged.ticket.id));
        Ok(Self { tickets })
    }

    /// Of tickets that are in order and checked.
    pub(super) fn of_sorted(tickets: Vec<LoggedTicket>) -> Self {
        Self { tickets }
    }

    /// The tickets, by the times when they came, then by name.
    #[must_use]
    pub fn tickets(&self) -> &[LoggedTicket] {
        &self.tickets
    }

    /// How many tickets there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tickets.len()
    }

    /// Whether there are none: never, as a log has one at least.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tickets.is_empty()
    }

    /// What cannot be known of another policy from this log.
    #[must_use]
    pub fn unobserved(&self) -> Unobserved {
        let mut players: HashSet<PlayerId> = HashSet::new();
        let mut again = 0;
        for logged in &self.tickets {
            again += logged
                .ticket
                .players
                .iter()
                .filter(|member| !players.insert(member.id))
                .count();
        }
        let count =
            |of: &dyn Fn(&LoggedTicket) -> bool| self.tickets.iter().filter(|logged| of(logged)).count();
        Unobserved {
            patience: count(&|logged| logged.left.is_none()),
            returns: again,
            recorded_leavers: count(&|logged| logged.left.is_some()),
        }
    }
}

/// What a log does not tell of another policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Unobserved {
    /// Tickets that did not leave: how long they would have waited is not known.
    pub patience: usize,
    /// Players who came again: when they do depends on when their last match began and ended.
    pub returns: usize,
    /// Tickets whose patience is known, because they left.
    pub recorded_leavers: usize,
}

impl Unobserved {
    /// In words, one line for each.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let all = self.patience + self.recorded_leavers;
        let mut lines = vec![match (self.patience, all) {
            (1, 1) => {
                "the ticket was not seen to give up: how long it would have waited is not known".to_owned()
            }
            (1, _) => format!(
                "1 of {all} tickets was not seen to give up: how long it would have waited is not known"
            ),
            (some, _) => format!(
                "{some} of {all} tickets were not seen to give up: how long they would have waited is not known"
            ),
        }];
        match self.returns {
            0 => {}
            1 => lines.push(
                "1 arrival is of a player who came before, and who under another policy would come at another time"
                    .to_owned(),
            ),
            some => lines.push(format!(
                "{some} arrivals are of players who came before: under another policy they would come at other times"
            )),
        }
        lines.push("answers to proposals are not known: all are taken to accept at once".to_owned());
        lines.push("that waits or matches change who comes to play is not in the log".to_owned());
        lines
    }
}
