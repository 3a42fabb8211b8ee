//! [`TicketLog`]: who came to a queue when, and what became of them, as it was recorded.

use std::collections::HashSet;

use matchwright_queue::{Attributes, PlayerId, Ticket, TicketId, Time};
use thiserror::Error;

use super::recorded::LoggedMatch;

/// A ticket as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedTicket {
    /// The ticket.
    pub ticket: Ticket,
    /// When it came.
    pub came: Time,
    /// When it gave up, if it did.
    pub left: Option<Time>,
    /// When it was matched, if it was and that is known: when it stopped waiting, which is before its players accepted.
    pub matched: Option<Time>,
}

/// A time in which a ticket waited and could give up: not while its players were asked to accept a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaitSpan {
    /// Seconds after the ticket came at which it began.
    pub from: f64,
    /// Seconds after the ticket came at which it ended.
    pub to: f64,
    /// Whether the ticket then gave up.
    pub gave_up: bool,
}

impl LoggedTicket {
    /// Until when it may wait, in a log that ends then: until it left or its time was over.
    #[must_use]
    pub fn until(&self, end: Time) -> Time {
        let ends = [self.left, self.ticket.expires];
        ends.into_iter().flatten().fold(end, Time::min).max(self.came)
    }
}

/// No tail need be shorter, seconds.
pub const LEAST_TAIL: f64 = 300.0;

/// Milliseconds from 1970 within which all times lie: 12,000 years, so that no difference overflows.
const MOST_MILLIS: i64 = 12_000 * 366 * 86_400_000;

/// Whether a time is one that a log may have.
pub(super) fn is_in_range(time: Time) -> bool {
    (-MOST_MILLIS..=MOST_MILLIS).contains(&time.millis())
}

/// Tickets in the order in which they came.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TicketLog {
    tickets: Vec<LoggedTicket>,
    /// What a journal tells of the waits.
    waits: Option<Vec<WaitSpan>>,
    /// The matches that really were.
    matches: Vec<LoggedMatch>,
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
    /// A time at which nobody plays.
    #[error("ticket {ticket} has a time more than 12,000 years from 1970")]
    Time { ticket: TicketId },
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
            let ends = [logged.left, logged.matched].into_iter().flatten();
            if !ends.clone().chain([logged.came]).all(is_in_range) {
                return Err(LogError::Time { ticket });
            }
            if ends.into_iter().any(|end| end < logged.came) {
                return Err(LogError::Order { ticket });
            }
            if logged.left.is_some() && logged.matched.is_some() {
                return Err(LogError::TwoEnds { ticket });
            }
        }
        tickets.sort_by_key(|logged| (logged.came, logged.ticket.id));
        Ok(Self::of_sorted(tickets))
    }

    /// Of tickets that are in order and checked.
    pub(super) fn of_sorted(tickets: Vec<LoggedTicket>) -> Self {
        Self {
            tickets,
            waits: None,
            matches: Vec::new(),
        }
    }

    /// With what is known of the waits.
    pub(super) fn with_waits(self, waits: Vec<WaitSpan>) -> Self {
        Self {
            waits: Some(waits),
            ..self
        }
    }

    /// With the matches that really were, whose tickets are of the log: who is in one was matched. O(n).
    #[must_use]
    pub fn with_matches(self, matches: Vec<LoggedMatch>) -> Self {
        Self { matches, ..self }
    }

    /// The matches that really were, as far as they are told.
    #[must_use]
    pub fn matches(&self) -> &[LoggedMatch] {
        &self.matches
    }

    /// The same log with other attributes of its tickets.
    #[must_use]
    pub fn map_attributes(mut self, mut change: impl FnMut(&mut Attributes)) -> Self {
        for LoggedTicket { ticket, .. } in &mut self.tickets {
            let members = ticket.players.iter_mut().map(|member| &mut member.attributes);
            members.chain([&mut ticket.attributes]).for_each(&mut change);
        }
        self
    }

    /// The times in which tickets waited and could give up: of a journal all, without those in which their players were
    /// asked to accept; else one for each ticket whose end is known, from when it came until it left or was matched.
    #[must_use]
    pub fn waits(&self) -> Vec<WaitSpan> {
        let of_ticket = |logged: &LoggedTicket| {
            let end = logged.left.or(logged.matched)?;
            Some(WaitSpan {
                from: 0.0,
                to: end.seconds_since(logged.came),
                gave_up: logged.left.is_some(),
            })
        };
        match &self.waits {
            Some(waits) => waits.clone(),
            None => self.tickets.iter().filter_map(of_ticket).collect(),
        }
    }

    /// Tickets of which it is not known how long they waited.
    pub(crate) fn unknown_waits(&self) -> usize {
        let is_unknown = |logged: &&LoggedTicket| logged.left.or(logged.matched).is_none();
        let unknown = || self.tickets.iter().filter(is_unknown).count();
        self.waits.as_ref().map_or_else(unknown, |_| 0)
    }

    /// The tickets, by the times when they came, then by name.
    #[must_use]
    pub fn tickets(&self) -> &[LoggedTicket] {
        &self.tickets
    }

    /// By place, which tickets have one of these names. O(n).
    #[must_use]
    pub fn places(&self, names: impl IntoIterator<Item = TicketId>) -> Vec<bool> {
        let names: HashSet<TicketId> = names.into_iter().collect();
        self.tickets
            .iter()
            .map(|one| names.contains(&one.ticket.id))
            .collect()
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

    /// From the first ticket to the last, seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        let ends = self.tickets.first().zip(self.tickets.last());
        ends.map_or(0.0, |(first, last)| last.came.seconds_since(first.came))
    }

    /// For how many seconds after its last ticket the log is looked at under policies with these longest waits: twice the
    /// longest of them, but no more than the log is long, and [`LEAST_TAIL`] at least. A policy without a longest wait
    /// asks for no more.
    ///
    /// One tail for all that is compared: who waits at its end pays for that wait.
    #[must_use]
    pub fn tail(&self, longest_waits: impl IntoIterator<Item = Option<f64>>) -> f64 {
        let longest = longest_waits.into_iter().flatten().fold(0.0, f64::max);
        (2.0 * longest).min(self.seconds()).max(LEAST_TAIL)
    }

    /// When it ends: this many seconds after its last ticket came.
    #[must_use]
    pub fn end(&self, tail: f64) -> Time {
        let last = self.tickets.last().map_or(Time::default(), |last| last.came);
        last.plus(millis(tail))
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
        let mut lines = Vec::new();
        match (self.patience, all) {
            (0, _) => {}
            (1, 1) => lines.push(
                "the ticket was not seen to give up: how long it would have waited is not known".to_owned(),
            ),
            (1, _) => lines.push(format!(
                "1 of {all} tickets was not seen to give up: how long it would have waited is not known"
            )),
            (some, _) => lines.push(format!(
                "{some} of {all} tickets were not seen to give up: how long they would have waited is not known"
            )),
        }
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

#[expect(
    clippy::cast_possible_truncation,
    reason = "a float becomes the nearest integer there is"
)]
pub(super) fn millis(seconds: f64) -> i64 {
    (seconds * 1000.0).round() as i64
}
