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
            for sizes in self.sizes(pool, waiting) {
                let search = Search {
                    players: &self.players,
                    settings: &self.settings,
                    places: &self.places,
                    sizes,
                    is_thorough: is_overdue && !self.places.is_empty(),
                };
                let found = search.best(waiting, &self.fitting(&around, sizes));
                let found = found.unwrap_or_else(|failure| {
                    self.failures.push(failure);
                    None
                });
                let Some((teams, quality)) = found else { continue };
                let quality = (quality - self.lost_by(pool, sizes.iter().sum())).max(0.0);
                if best.as_ref().is_none_or(|best| quality > best.quality) {
                    best = Some(Found {
                        teams,
                        region: region.clone(),
                        quality,
                    });
                }
            }
        }
        best
    }

    /// The sizes of the teams that a ticket could be in; a running match is filled.
    pub(super) fn sizes<'a>(
        &self,
        pool: &'a Pool,
        waiting: &'a Waiting,
    ) -> impl Iterator<Item = &'a [usize]> + use<'a> {
        let party = waiting.ticket.players.len();
        let fits = move |sizes: &&[usize]| sizes.iter().any(|&size| size >= party);
        let full = waiting.ticket.backfill.is_some();
        let all: Vec<&[usize]> = pool.sizes(&self.queue).collect();
        all.into_iter()
            .enumerate()
            .filter(move |(place, sizes)| if full { *place == 0 } else { fits(sizes) })
            .map(|(_, sizes)| sizes)
    }

    /// Those around a ticket, itself included, whose party fits a team of these sizes.
    pub(super) fn fitting(&self, around: &Around, sizes: &[usize]) -> Around {
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let fits = |ticket: &&TicketId| self.players.of(**ticket).len() <= largest;
        let (near, far) = around.tickets.split_at(around.near);
        // The first is asked for, a running match whatever its size.
        let mut tickets: Vec<TicketId> = near[..1].to_vec();
        tickets.extend(near[1..].iter().filter(fits));
        let near = tickets.len();
        tickets.extend(far.iter().filter(fits));
        Around { tickets, near }
    }

    /// What a match of this many players loses in quality by those that it lacks.
    pub(super) fn lost_by(&self, pool: &Pool, players: usize) -> f64 {
        let full: usize = pool.teams(&self.queue).iter().sum();
        self.settings.missing_cost * full.saturating_sub(players) as f64 / full.max(1) as f64
    }

    /// Exchanges that the search for a match with one ticket tries.
    pub(super) fn exchanges(&self, pool: &Pool) -> u64 {
        let sizes = pool.sizes(&self.queue).count() as u64;
        self.settings.exchanges.saturating_mul(sizes.max(1))
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
