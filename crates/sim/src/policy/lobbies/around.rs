//! Who is around a ticket, and the best match with it among them.

use std::collections::BTreeSet;
use std::sync::Arc;

use matchwright_queue::{Pool, TicketId, Time, Waiting};

use super::ContinuousLobbies;
use super::places::Kind;
use super::search::{Around, Found, Search};
use crate::policy::neighbours::Neighbours;

/// Regions in which a match is looked for, those with the least ping.
pub(super) const REGIONS: usize = 3;

/// Running matches in each region, the nearest to a ticket that comes, for which players are looked for again.
const RUNNING: usize = 2;

/// Players who are looked at for what they can fill, in matches.
const KINDS: usize = 32;

impl ContinuousLobbies {
    /// The best match with a ticket, over the regions that it likes best.
    pub(super) fn search(
        &mut self,
        pool: &Pool,
        waiting: &Waiting,
        now: Time,
        is_overdue: bool,
    ) -> Option<Found> {
        let mut best: Option<Found> = None;
        for region in self.neighbours.regions(waiting, REGIONS) {
            let around = self.around(pool, waiting, region.as_ref());
            self.players.set_waits(&around.tickets, now);
            let search = Search {
                players: &self.players,
                settings: &self.settings,
                places: &self.places,
                sizes: pool.teams(&self.queue),
                is_thorough: is_overdue && !self.places.is_empty(),
            };
            let found = search.best(waiting, &around).unwrap_or_else(|failure| {
                self.failures.push(failure);
                None
            });
            if let Some((teams, quality)) = found
                && best.as_ref().is_none_or(|best| quality > best.quality)
            {
                best = Some(Found {
                    teams,
                    region,
                    quality,
                });
            }
        }
        best
    }

    /// The ticket and its neighbours, as many as are looked at.
    pub(super) fn around(&self, pool: &Pool, waiting: &Waiting, region: Option<&Arc<str>>) -> Around {
        let total: usize = pool.teams(&self.queue).iter().sum();
        let most = self.settings.neighbours.unwrap_or((4 * total).max(24)).max(total);
        let order = &self.settings.order;
        let mut tickets = vec![waiting.ticket.id];
        let mut count = waiting.ticket.players.len();
        self.neighbours.nearest(waiting, order, region, |ticket| {
            tickets.push(ticket);
            count += self.players.of(ticket).len();
            count < most
        });
        let mut near = tickets.len();
        let mut known: BTreeSet<TicketId> = tickets.iter().copied().collect();
        let mut kinds: Vec<(usize, &Kind, &Neighbours)> = self
            .kinds
            .iter()
            .map(|(kind, neighbours)| (neighbours.count(waiting, region), kind, neighbours))
            .filter(|&(count, kind, _)| count > 0 && (1..=total).contains(&kind.len()))
            .collect();
        kinds.sort_unstable_by_key(|&(count, kind, _)| (count, kind));
        let mut extra = 0;
        for (_, kind, neighbours) in kinds {
            // No match has more of a kind: farther ones can do nothing that these cannot.
            let mut left = total / kind.len();
            neighbours.nearest(waiting, order, region, |ticket| {
                if known.insert(ticket) {
                    tickets.push(ticket);
                    extra += kind.len();
                }
                left -= 1;
                left > 0
            });
            if extra <= most {
                near = tickets.len();
            }
            if extra >= KINDS * total {
                break;
            }
        }
        Around { tickets, near }
    }

    /// The index of running matches, or of parties.
    pub(super) fn index(&mut self, waiting: &Waiting) -> &mut Neighbours {
        match waiting.ticket.backfill {
            Some(_) => &mut self.running,
            None => &mut self.neighbours,
        }
    }

    /// What a ticket can fill, if anything is required.
    pub(super) fn kind(&self, waiting: &Waiting) -> Option<Kind> {
        if self.places.is_empty() || waiting.ticket.backfill.is_some() {
            return None;
        }
        let party = self.players.of(waiting.ticket.id);
        Some(self.places.kind(self.players.pool(), party))
    }

    /// Running matches that a ticket could fill: players are looked for again, for the oldest first.
    pub(super) fn refresh_running(&mut self, waiting: &Waiting) {
        for region in self.running.regions(waiting, REGIONS) {
            let mut near = Vec::new();
            let order = &self.settings.order;
            self.running.nearest(waiting, order, region.as_ref(), |ticket| {
                near.push(ticket);
                near.len() < RUNNING
            });
            let numbered = near
                .into_iter()
                .filter_map(|ticket| Some((*self.entered.get(&ticket)?, ticket)));
            self.fresh.extend(numbered);
        }
    }
}
