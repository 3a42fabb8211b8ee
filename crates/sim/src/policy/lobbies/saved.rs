//! What the policy notes in a journal and saves in a snapshot.

use std::collections::BTreeMap;

use matchwright_queue::journal::{from_saved, to_saved};
use matchwright_queue::{LearnedPrices, Pool, Proposed, TicketId, Time};
use serde::{Deserialize, Serialize};

use super::priced::Pays;
use super::{ContinuousLobbies, Note, Passes};

/// The version of what is noted and saved.
const VERSION: u32 = 1;

/// A note from bytes.
pub(super) fn read(note: &[u8]) -> Result<Note, String> {
    from_saved(VERSION, note)
}

/// What a snapshot tells.
#[derive(Serialize, Deserialize)]
struct Saved {
    count: u64,
    passes: Passes,
    tickets: Vec<SavedTicket>,
    prices: Option<LearnedPrices>,
}

/// What it tells of a waiting ticket.
#[derive(Serialize, Deserialize)]
struct SavedTicket {
    ticket: TicketId,
    number: u64,
    /// Whether nothing was looked for yet.
    is_fresh: bool,
    starts: Option<Time>,
    /// What each of its players pays.
    pays: Pays,
}

impl ContinuousLobbies {
    pub(super) fn with_note(&mut self, proposed: Proposed, note: &Note, _: Time) -> Proposed {
        proposed.with_note(&self.queue, to_saved(VERSION, note))
    }

    /// All that the waiting tickets do not tell.
    pub(super) fn to_saved(&self) -> Vec<u8> {
        let ticket = |(&ticket, &number): (&TicketId, &u64)| SavedTicket {
            ticket,
            number,
            is_fresh: self.fresh.contains(&(number, ticket)),
            starts: self.times.get(&ticket).copied(),
            pays: self
                .priced
                .as_ref()
                .map(|priced| priced.pays(ticket))
                .unwrap_or_default(),
        };
        let saved = Saved {
            count: self.count,
            passes: self.passes,
            tickets: self.entered.iter().map(ticket).collect(),
            prices: self.priced.as_ref().map(|priced| priced.prices().learned()),
        };
        to_saved(VERSION, &saved)
    }

    /// Takes it up.
    pub(super) fn take_saved(
        &mut self,
        pool: &Pool,
        waiting: &[TicketId],
        now: Time,
        saved: &[u8],
    ) -> Result<(), String> {
        let saved: Saved = from_saved(VERSION, saved)?;
        match (&mut self.priced, saved.prices) {
            (Some(priced), Some(learned)) => priced.prices_mut().take(learned)?,
            (None, None) => {}
            _ => return Err("prices of a policy without, or none of one with prices".to_owned()),
        }
        let known = saved.tickets.into_iter().map(|known| (known.ticket, known));
        let mut known: BTreeMap<TicketId, SavedTicket> = known.collect();
        for (&ticket, waiting) in waiting
            .iter()
            .filter_map(|ticket| Some((ticket, pool.get(*ticket)?)))
        {
            // One that could not be looked at cannot be now.
            let Some(known) = known.remove(&ticket) else {
                continue;
            };
            if let Some(fault) = known.pays.fault() {
                return Err(format!("a player who pays {fault}"));
            }
            if self.insert(waiting) {
                self.pays(waiting, Some(known.pays), now);
                self.entered.insert(ticket, known.number);
                if known.is_fresh {
                    self.fresh.insert((known.number, ticket));
                }
                self.keep(ticket, known.starts);
            }
        }
        if let Some(ticket) = known.into_keys().next() {
            return Err(format!("ticket {ticket}, which does not wait"));
        }
        self.passes = saved.passes;
        self.count = saved.count;
        Ok(())
    }
}
