//! What a policy of pairs notes and saves, so that one that was recovered decides alike within any budget.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::node::Entry;
use super::node::{Node, Standing};
use super::{Pairs, Proposed};
use crate::ids::TicketId;
use crate::journal::{from_saved, to_saved};
use crate::policy::Budget;
use crate::prices::LearnedPrices;
use crate::state::Pool;
use crate::time::Time;

/// The version of what is noted and saved.
const VERSION: u32 = 2;

/// What a call of [`propose`](crate::MatchPolicy::propose) did: how many tickets that were to come it looked at, how many
/// whose time had come it went through, and whether it reached the last of these.
type Note = (u64, u64, bool);

/// What a snapshot tells.
#[derive(Serialize, Deserialize)]
struct Saved {
    youngest: (Time, TicketId),
    cursor: Option<Standing>,
    tickets: Vec<SavedTicket>,
    learned: Option<LearnedPrices>,
}

/// What it tells of a waiting ticket.
#[derive(Serialize, Deserialize)]
struct SavedTicket(
    TicketId,
    /// Whether some came before it that joined later.
    bool,
    /// What its price adds to its width.
    f64,
    /// When it becomes compatible, whether that was found to be over, and with whom, if that one is still there.
    Option<(Time, bool, Option<TicketId>)>,
);

/// What version 1 told of a policy with prices.
#[derive(Deserialize)]
struct Saved1 {
    allowances: Vec<(TicketId, f64)>,
    learned: LearnedPrices,
}

impl Pairs {
    /// Says what was done, so that whoever follows does the same.
    pub(super) fn with_note(&mut self, proposed: Proposed, note: Note) -> Proposed {
        self.is_noted = true;
        proposed.with_note(&self.queue, to_saved(VERSION, &note))
    }

    /// Does what was noted.
    pub(super) fn repeat(&mut self, pool: &Pool, now: Time, note: &[u8]) {
        let (collected, walked, has_ended): Note = match from_saved(VERSION, note) {
            Ok(note) => note,
            Err(failure) => return self.failures.push(failure),
        };
        self.collect(pool, now, collected, &mut Budget::default());
        let (mut gone, mut at) = (Vec::new(), self.cursor);
        for _ in 0..walked {
            at = self.timetable.next_due(at);
            let Some(next) = at else { break };
            gone.push(next);
            self.renew(next.2, pool, now);
        }
        self.move_on(&gone, has_ended);
    }

    pub(super) fn to_saved(&self) -> Vec<u8> {
        let ticket = |node: &Node| {
            let entry = Some(node.next).filter(|entry| entry.at < Time::MAX).map(|entry| {
                let partner = self.index.partner(&entry).map(|partner| partner.ticket);
                (entry.at, self.timetable.is_due(node), partner)
            });
            SavedTicket(node.ticket, node.is_back, node.extra(), entry)
        };
        let mut tickets: Vec<SavedTicket> = self.index.nodes().map(ticket).collect();
        tickets.sort_unstable_by_key(|ticket| ticket.0);
        let saved = Saved {
            youngest: self.youngest,
            cursor: self.cursor,
            tickets,
            learned: self.prices.as_ref().map(crate::prices::Prices::learned),
        };
        to_saved(VERSION, &saved)
    }

    pub(super) fn take_saved(
        &mut self,
        pool: &Pool,
        waiting: &[TicketId],
        now: Time,
        saved: &[u8],
    ) -> Result<(), String> {
        let saved = match (from_saved(VERSION, saved), &self.prices) {
            (Ok(saved), _) => saved,
            // Dropped: version 1 told nothing.
            (Err(_), None) if saved.is_empty() => return self.take_first(pool, waiting, now, &[]),
            (Err(error), Some(_)) => {
                // Dropped: what the present version says is told.
                let Saved1 { allowances, learned } = from_saved(1, saved).map_err(|_| error)?;
                self.take_learned(Some(learned))?;
                return self.take_first(pool, waiting, now, &allowances);
            }
            (Err(error), None) => return Err(error),
        };
        let Saved {
            youngest,
            cursor,
            tickets,
            learned,
        } = saved;
        self.take_learned(learned)?;
        let known = tickets.iter().map(|ticket| (ticket.0, ticket));
        let known: BTreeMap<TicketId, &SavedTicket> = known.collect();
        for &ticket in waiting {
            let Some(mut node) = self.node(pool, ticket) else {
                continue;
            };
            let SavedTicket(_, is_back, adds, _) = known
                .get(&ticket)
                .ok_or_else(|| format!("nothing of ticket {ticket}, which waits"))?;
            self.add(&mut node, *adds)?;
            node.is_back = *is_back;
            self.index.insert(node, pool.teams(&self.queue));
        }
        for SavedTicket(ticket, _, _, entry) in &tickets {
            let (at, is_due, partner) = entry.unwrap_or((Time::MAX, false, None));
            let partner = partner.filter(|partner| partner != ticket);
            let entry = Entry::new(at, partner.and_then(|partner| self.index.get(partner)));
            let node = self.index.get_mut(*ticket);
            let node = node.ok_or_else(|| format!("ticket {ticket}, which does not wait"))?;
            self.timetable.set(node, entry, is_due);
        }
        (self.youngest, self.cursor) = (youngest, cursor);
        Ok(())
    }

    fn take_learned(&mut self, learned: Option<LearnedPrices>) -> Result<(), String> {
        match (&mut self.prices, learned) {
            (Some(prices), Some(learned)) => prices.take(learned),
            (None, None) => Ok(()),
            _ => Err("prices of a policy without, or none of one with prices".to_owned()),
        }
    }

    /// What a ticket's price adds to its width.
    fn add(&self, node: &mut Node, adds: f64) -> Result<(), String> {
        if !(0.0..=f64::MAX).contains(&adds) {
            return Err(format!("ticket {} with a price of {adds}", node.ticket));
        }
        if let (Some(_), Some(first)) = (&self.prices, node.windows.first_mut()) {
            first.extra += adds;
        }
        Ok(())
    }

    /// What version 1 told: tickets come in again, with the prices of the moment when they came.
    fn take_first(
        &mut self,
        pool: &Pool,
        waiting: &[TicketId],
        now: Time,
        allowances: &[(TicketId, f64)],
    ) -> Result<(), String> {
        let allowances: BTreeMap<TicketId, f64> = allowances.iter().copied().collect();
        for &ticket in waiting {
            if let Some(mut node) = self.node(pool, ticket) {
                self.add(&mut node, allowances.get(&ticket).copied().unwrap_or(0.0))?;
                self.insert(node, pool, now);
            }
        }
        Ok(())
    }
}
