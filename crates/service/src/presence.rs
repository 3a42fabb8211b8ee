//! [`Presence`]: whose players were seen, and whose were not for too long.

use std::collections::{BTreeSet, HashMap};

use matchwright_queue::Time;

use crate::ledger::{Ledger, Standing};

/// A ticket that is watched is looked at again after this many milliseconds at the earliest.
const SOONEST: i64 = 100;

/// The tickets that wait as long as their players are there. Of this run alone: after a start all count as seen.
#[derive(Default)]
pub(crate) struct Presence {
    /// When a ticket is looked at next: each once.
    due: BTreeSet<(Time, u64)>,
    /// Until when its players count as there.
    until: HashMap<u64, Time>,
}

impl Presence {
    /// Those that wait as a service starts.
    pub(crate) fn new(ledger: &Ledger, now: Time) -> Self {
        let mut presence = Self::default();
        if ledger.has_presence() {
            ledger
                .waiting()
                .for_each(|ticket| presence.expect(ledger, ticket, now));
        }
        presence
    }

    /// When one is looked at next.
    pub(crate) fn next(&self) -> Option<Time> {
        self.due.first().map(|(at, _)| *at)
    }

    /// Looks after a ticket from now on, if it is to be.
    fn expect(&mut self, ledger: &Ledger, ticket: u64, now: Time) {
        let Some(until) = present_until(ledger, ticket, now) else {
            return;
        };
        // Its wait begins anew, whatever it was in before.
        if self.until.insert(ticket, until).is_none() {
            self.due.insert((until, ticket));
        }
    }

    /// Looks after those that the last step has changed, too.
    pub(crate) fn follow(&mut self, ledger: &Ledger, now: Time) {
        if ledger.has_presence() {
            for ticket in ledger.changed_tickets() {
                self.expect(ledger, *ticket, now);
            }
        }
    }

    /// A player of a ticket was seen.
    pub(crate) fn seen(&mut self, ledger: &Ledger, ticket: u64, now: Time) {
        if let Some(until) = self.until.get_mut(&ticket)
            && let Some(later) = present_until(ledger, ticket, now)
        {
            *until = later;
        }
    }

    /// Tickets without a watcher whose players were not seen in time.
    pub(crate) fn gone(
        &mut self,
        ledger: &Ledger,
        now: Time,
        mut is_watched: impl FnMut(u64) -> bool,
    ) -> Vec<u64> {
        let mut gone = Vec::new();
        while let Some((_, ticket)) = self.due.first().copied().filter(|(at, _)| *at <= now) {
            self.due.pop_first();
            let until = self.until.remove(&ticket).unwrap_or(now);
            let Some(later) = present_until(ledger, ticket, now) else {
                continue;
            };
            let is_asked = ledger
                .ticket(ticket)
                .is_some_and(|entry| matches!(entry.state, Standing::Proposed { .. }));
            if until <= now && !is_asked && !is_watched(ticket) {
                gone.push(ticket);
                continue;
            }
            // Not at every moment, however short the time is.
            let soonest = now.plus(SOONEST);
            let until = if until > now { until } else { later.max(soonest) };
            self.until.insert(ticket, until);
            self.due.insert((until, ticket));
        }
        gone
    }
}

/// Until when players who are seen now count as present; `None` for a ticket that does not wait, or has no heartbeat.
fn present_until(ledger: &Ledger, ticket: u64, now: Time) -> Option<Time> {
    let entry = ledger.ticket(ticket)?;
    let waits = matches!(entry.state, Standing::Waiting | Standing::Proposed { .. });
    (waits && entry.heartbeat > 0).then(|| now.plus(i64::from(entry.heartbeat)))
}
