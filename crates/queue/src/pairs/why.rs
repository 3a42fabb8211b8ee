//! Explanations of a policy of pairs.

use std::collections::BTreeMap;

use super::Pairs;
use super::index::Index;
use super::node::{Node, Ordered, Role, worse_ping};
use super::rules::Accept;
use crate::ids::TicketId;
use crate::state::Pool;
use crate::time::Time;
use crate::why::{Candidate, Change, Obstacle, WaitState, Why};
use crate::window::Compare;

/// How many candidates are shown.
const SHOWN: usize = 5;

/// Up to this many tickets, all are looked at.
pub(super) const ALL: usize = 256;

/// Of more, the nearest in each place in which partners stand: this many.
const NEAREST: usize = 64;

/// At most this many other pools are told apart by their keys.
const POOLS: usize = 1024;

impl Pairs {
    pub(super) fn explain(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let mut why = Why::without_policy(pool, ticket, now);
        let Some(node) = self.index.get(ticket) else {
            return why;
        };
        if !pool.is_matched(&self.queue) {
            why.state = WaitState::Paused;
        }
        let mut candidates: Vec<(Ordered, Candidate, Option<Change>)> = Vec::new();
        why.rejections = self.kept_away(pool, node);
        for other in self.looked_at(pool, node) {
            let (candidate, change) = self.candidate(pool, (node, other), now);
            // Those whom rules keep away are counted.
            if let Some(Obstacle::Window { of, .. }) = candidate.obstacles.first() {
                *why.rejections.entry(of.clone()).or_default() += 1;
            }
            let effort = match &change {
                Some(change) => change.size,
                None if candidate.obstacles.is_empty() => 0.0,
                None => f64::INFINITY,
            };
            candidates.push((Ordered(effort), candidate, change));
        }
        let least = candidates.iter().min_by_key(|entry| (entry.0, entry.1.ticket));
        why.change = least.and_then(|entry| entry.2.clone());
        // Those who are compatible by now are so at once, whenever they became it.
        let at = |candidate: &Candidate| candidate.compatible_at.map_or(Time::MAX, |at| at.max(now));
        candidates.sort_by_key(|entry| (at(&entry.1), entry.0, entry.1.ticket));
        why.candidates = candidates.into_iter().take(SHOWN).map(|entry| entry.1).collect();
        why
    }

    /// All others, if they are few; else the nearest of each place in which partners stand, and those there who waited
    /// longest.
    fn looked_at(&self, pool: &Pool, node: &Node) -> Vec<&Node> {
        if self.index.len() <= ALL {
            return self
                .index
                .nodes()
                .filter(|other| other.ticket != node.ticket)
                .collect();
        }
        let teams = pool.teams(&self.queue);
        let (mut near, _) = self.index.oldest(node, teams);
        self.index
            .walk(node, teams, f64::INFINITY, NEAREST, |partner, _| {
                near.push(partner.ticket);
                (f64::INFINITY, true)
            });
        near.retain(|&ticket| ticket != node.ticket);
        near.sort_unstable();
        near.dedup();
        near.into_iter()
            .filter_map(|ticket| self.index.get(ticket))
            .collect()
    }

    /// How many others keys, sizes or regions keep away, each counted for the first of these. O(sets of regions).
    fn kept_away(&self, pool: &Pool, node: &Node) -> BTreeMap<String, usize> {
        let mut away: BTreeMap<String, usize> = BTreeMap::new();
        let mut add = |name: &str, count: usize| *away.entry(name.to_owned()).or_default() += count;
        let teams = pool.teams(&self.queue);
        let mut left = self.index.len();
        for (role, regions, count) in self.index.counts(node.key) {
            left -= count;
            let share = |region: &(u32, f64)| regions.contains(&region.0);
            if !sizes_fit(teams, node.role, role) {
                // It is none of the others itself.
                let is_own = role == node.role && node.regions.iter().map(|region| &region.0).eq(regions);
                add(Obstacle::Size.name(), count - usize::from(is_own));
            } else if !(node.regions.is_empty() || regions.is_empty() || node.regions.iter().any(share)) {
                add(Obstacle::Region.name(), count);
            }
        }
        for (key, count) in self.index.other_pools(node.key).take(POOLS) {
            left -= count;
            if let Some(name) = pool.key_differences(node.key, key).next() {
                add(name, count);
            }
        }
        add(&pool.key_names().join(", "), left);
        away.retain(|_, count| *count > 0);
        away
    }

    /// What keeps two tickets apart, and the least that would have to change; `None` where rules keep them apart, or
    /// nothing does.
    fn candidate(
        &self,
        pool: &Pool,
        (node, other): (&Node, &Node),
        now: Time,
    ) -> (Candidate, Option<Change>) {
        let mut obstacles: Vec<Obstacle> = Vec::new();
        if node.key != other.key {
            let differences = pool.key_differences(node.key, other.key);
            obstacles.extend(differences.map(|name| Obstacle::Key(name.to_owned())));
        }
        if !sizes_fit(pool.teams(&self.queue), node.role, other.role) {
            obstacles.push(Obstacle::Size);
        }
        let regions = shared_regions(node, other);
        if regions.is_empty() {
            obstacles.push(Obstacle::Region);
        }
        let is_permitted = obstacles.is_empty();
        // The region in which the two are compatible first, then that of the least pings.
        let at = |region: &Option<u32>| {
            let at = self.rules.compatible_at(node, other, *region);
            (at.unwrap_or(Time::MAX), Ordered(worse_ping(node, other, *region)))
        };
        let region = regions.iter().min_by_key(|region| at(region)).copied().flatten();
        let compatible_at = self
            .rules
            .compatible_at(node, other, region)
            .filter(|_| is_permitted);
        let mut change = Change {
            with: other.ticket,
            widen: Vec::new(),
            size: 0.0,
        };
        if compatible_at.is_none_or(|at| at > now) {
            for missing in self.missing(node, other, region, now) {
                change.widen.push((missing.of.to_owned(), missing.by));
                change.size += missing.size();
                obstacles.push(Obstacle::Window {
                    of: missing.of.to_owned(),
                    distances: missing.distances,
                    widths: missing.widths,
                });
            }
        }
        let candidate = Candidate {
            ticket: other.ticket,
            obstacles,
            compatible_at,
        };
        let is_a_change = is_permitted && !change.widen.is_empty() && change.size.is_finite();
        (candidate, is_a_change.then_some(change))
    }

    /// The windows that are too narrow. If one side is enough, those of the side that lacks less in sum.
    fn missing(&self, node: &Node, other: &Node, region: Option<u32>, now: Time) -> Vec<Missing<'_>> {
        // Beside prices, which are not lifted.
        let is_overdue = self.rules.overdue_at(node, other).is_some_and(|at| at <= now);
        let pings_count = !(self.rules.is_priced && is_overdue);
        let of = |sides: [bool; 2]| {
            let windows = self.rules.widths(node, other, region, now);
            let counting = windows.filter(|entry| pings_count || entry.0.params().compare != Compare::Ping);
            let missing = counting.map(|(window, distances, widths)| {
                let is_ping = window.params().compare == Compare::Ping;
                let by = if !is_ping && self.rules.accept == Accept::Sum {
                    [shortage(distances[0], widths[0] + widths[1]), 0.0]
                } else {
                    [0, 1].map(|side| {
                        let counts = is_ping || sides[side];
                        if counts {
                            shortage(distances[side], widths[side])
                        } else {
                            0.0
                        }
                    })
                };
                Missing {
                    of: window.params().name(),
                    distances,
                    widths,
                    by,
                }
            });
            missing
                .filter(|missing| missing.by != [0.0; 2])
                .collect::<Vec<_>>()
        };
        if self.rules.accept != Accept::Either {
            return of([true; 2]);
        }
        let (own, others) = (of([true, false]), of([false, true]));
        let size = |missing: &[Missing<'_>]| missing.iter().map(Missing::size).sum::<f64>();
        if size(&own) <= size(&others) { own } else { others }
    }
}

fn sizes_fit(teams: &[usize], role: Role, other: Role) -> bool {
    let mut fit = false;
    Index::partner_roles(role, teams, |role| fit |= role == other);
    fit
}

/// The regions that both accept; `[None]` if both accept any.
fn shared_regions(a: &Node, b: &Node) -> Vec<Option<u32>> {
    let all = |node: &Node| node.regions.iter().map(|entry| Some(entry.0)).collect::<Vec<_>>();
    match (a.regions.is_empty(), b.regions.is_empty()) {
        (true, true) => vec![None],
        (true, false) => all(b),
        (false, true) => all(a),
        (false, false) => {
            let both = |region: &Option<u32>| b.regions.iter().any(|entry| Some(entry.0) == *region);
            all(a).into_iter().filter(both).collect()
        }
    }
}

/// A window that is too narrow.
struct Missing<'a> {
    of: &'a str,
    distances: [f64; 2],
    widths: [f64; 2],
    /// How much wider it must be, on the ticket's side and on the other's.
    by: [f64; 2],
}

impl Missing<'_> {
    /// The shares of the distances that are not covered, in sum; infinite where no width is enough.
    fn size(&self) -> f64 {
        let share = |side: usize| match self.by[side] {
            0.0 => 0.0,
            by if by.is_finite() => by / self.distances[side],
            _ => f64::INFINITY,
        };
        share(0) + share(1)
    }
}

/// How much is added to a width so that it is no less than a distance; infinite if nothing is enough.
fn shortage(distance: f64, width: f64) -> f64 {
    if width >= distance {
        return 0.0;
    }
    let by = distance - width;
    if by.is_nan() {
        f64::INFINITY
    } else if width + by < distance {
        by.next_up()
    } else {
        by
    }
}
