//! The tickets of a pair policy in order of their first attribute, one ordered set for each pool, size and region.

use std::collections::{BTreeMap, BTreeSet};

use super::rules::Rules;
use crate::hash::NumberMap;
use crate::ids::TicketId;
use crate::state::Waiting;
use crate::time::Time;

/// A float in the order of `total_cmp`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ordered(pub(crate) f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// What a ticket brings to a match of two teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Role {
    /// A party that is a whole team of so many.
    Team(usize),
    /// A running match that lacks so many players, all on one team.
    Lacks(usize),
}

/// Where a ticket stands: its pool, what it brings, and a region, 0 for tickets that accept any.
type Place = (u32, Role, u32);

/// A waiting ticket as the policy sees it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) ticket: TicketId,
    pub(crate) joined: Time,
    pub(crate) key: u32,
    pub(crate) role: Role,
    /// Its number among all that ever entered.
    pub(crate) entered: u64,
    /// By window: where the ticket stands, and what its uncertainty or price adds to the width.
    pub(crate) coordinates: Vec<f64>,
    pub(crate) extras: Vec<f64>,
    /// The regions that it accepts, by number, with its pings; none for any.
    pub(crate) regions: Vec<(u32, f64)>,
}

impl Node {
    /// The ping to a region; 0 for a ticket that accepts any.
    pub(crate) fn ping(&self, region: u32) -> f64 {
        let known = self.regions.iter().find(|entry| entry.0 == region);
        known.map_or(0.0, |entry| entry.1)
    }

    /// The place in the order: its first coordinate.
    fn at(&self) -> f64 {
        self.coordinates.first().copied().unwrap_or(0.0)
    }
}

/// The greater ping of two tickets to a region.
pub(crate) fn worse_ping(a: &Node, b: &Node, region: Option<u32>) -> f64 {
    region.map_or(0.0, |region| a.ping(region).max(b.ping(region)))
}

/// The mismatch and worse ping of a partner, its age, and the region.
type Nearest = ((Ordered, Ordered), (Time, TicketId), Option<u32>);

/// The tickets of a policy, found by neighbourhood.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    nodes: NumberMap<TicketId, Node>,
    places: NumberMap<Place, BTreeSet<(Ordered, TicketId)>>,
    /// The pools with their oldest tickets first.
    ages: NumberMap<u32, BTreeSet<(Time, TicketId)>>,
    /// Region names, in the order of their numbers, from 1.
    regions: Vec<Box<str>>,
    region_numbers: BTreeMap<Box<str>, u32>,
    /// The greatest extra of the first window that was ever there.
    pub(crate) most_extra: f64,
}

impl Index {
    pub(crate) fn get(&self, ticket: TicketId) -> Option<&Node> {
        self.nodes.get(&ticket)
    }

    /// How many tickets there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn region_name(&self, region: Option<u32>) -> Option<&str> {
        let place = (region? as usize).checked_sub(1)?;
        self.regions.get(place).map(|name| &**name)
    }

    #[expect(clippy::cast_possible_truncation, reason = "far fewer than 2^32 regions")]
    fn region_number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.region_numbers.get(name) {
            return number;
        }
        self.regions.push(name.into());
        let number = self.regions.len() as u32;
        self.region_numbers.insert(name.into(), number);
        number
    }

    /// The node of a waiting ticket; `None` for one that no pair can hold.
    pub(crate) fn node(&mut self, waiting: &Waiting, teams: &[usize], rules: &Rules) -> Option<Node> {
        let ticket = &waiting.ticket;
        let role = match &ticket.backfill {
            None => Role::Team(ticket.players.len()),
            Some(backfill) => {
                let there = |team: usize| backfill.teams.iter().filter(|&&other| other == team).count();
                // None if a team is too large, as it may be in one of several queues or under a new policy.
                let lacking = teams.iter().enumerate();
                let lacking: Option<Vec<usize>> = lacking
                    .map(|(team, size)| size.checked_sub(there(team)))
                    .collect();
                let mut lacking = lacking?.into_iter().filter(|&lacking| lacking > 0);
                Role::Lacks(lacking.next().filter(|_| lacking.next().is_none())?)
            }
        };
        let (mut coordinates, mut extras) = (Vec::new(), Vec::new());
        for window in &rules.windows {
            let number = window.number(ticket).unwrap_or(f64::NAN);
            coordinates.push(window.coordinate(number));
            extras.push(window.extra(ticket));
        }
        let regions = ticket
            .regions
            .iter()
            .map(|(name, &ping)| (self.region_number(name), ping))
            .collect();
        Some(Node {
            ticket: ticket.id,
            joined: waiting.joined,
            key: waiting.key,
            role,
            entered: 0,
            coordinates,
            extras,
            regions,
        })
    }

    fn places_of(node: &Node) -> impl Iterator<Item = Place> + '_ {
        let any = node.regions.is_empty().then_some(0);
        let regions = node.regions.iter().map(|entry| entry.0).chain(any);
        regions.map(|region| (node.key, node.role, region))
    }

    pub(crate) fn insert(&mut self, node: Node) {
        for place in Self::places_of(&node) {
            let set = self.places.entry(place).or_default();
            set.insert((Ordered(node.at()), node.ticket));
        }
        self.ages
            .entry(node.key)
            .or_default()
            .insert((node.joined, node.ticket));
        let extra = node.extras.first().copied().unwrap_or(0.0);
        self.most_extra = self.most_extra.max(extra);
        self.nodes.insert(node.ticket, node);
    }

    pub(crate) fn remove(&mut self, ticket: TicketId) -> Option<Node> {
        let node = self.nodes.remove(&ticket)?;
        for place in Self::places_of(&node) {
            if let Some(set) = self.places.get_mut(&place) {
                set.remove(&(Ordered(node.at()), ticket));
            }
        }
        if let Some(ages) = self.ages.get_mut(&node.key) {
            ages.remove(&(node.joined, ticket));
        }
        Some(node)
    }

    /// When the oldest ticket of a pool came.
    pub(crate) fn oldest(&self, key: u32) -> Time {
        let ages = self.ages.get(&key).and_then(BTreeSet::first);
        ages.map_or(Time::MAX, |entry| entry.0)
    }

    /// All tickets of a policy, in no order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.values()
    }

    /// Visits those who could play with `node`, as the rules of the core go, from the nearest in the first attribute on,
    /// while `visit`, called with the partner, the region and the distance, wants them: it returns how far it would go.
    /// Partners that share several regions are visited for each.
    pub(crate) fn walk(
        &self,
        node: &Node,
        teams: &[usize],
        mut reach: f64,
        mut visit: impl FnMut(&Node, Option<u32>) -> f64,
    ) {
        let mut partners = Vec::with_capacity(2);
        Self::partner_roles(node.role, teams, |role| partners.push(role));
        let own = node.regions.iter().map(|entry| entry.0);
        let regions: Vec<u32> = if node.regions.is_empty() {
            // Every region that there is, and those who accept any.
            (0..=self.regions.len())
                // Dropped: there are no more regions than numbers for them.
                .map_while(|region| u32::try_from(region).ok())
                .collect()
        } else {
            own.chain([0]).collect()
        };
        for role in partners {
            for &region in &regions {
                let Some(set) = self.places.get(&(node.key, role, region)) else {
                    continue;
                };
                reach = self.walk_set(set, node, reach, region, &mut visit);
            }
        }
    }

    /// What a ticket of this role can play with.
    pub(crate) fn partner_roles(role: Role, teams: &[usize], mut visit: impl FnMut(Role)) {
        match role {
            Role::Team(size) => {
                let other = match *teams {
                    [a, b] if a == size => Some(b),
                    [a, b] if b == size => Some(a),
                    _ => None,
                };
                other.map(Role::Team).into_iter().for_each(&mut visit);
                visit(Role::Lacks(size));
            }
            Role::Lacks(size) => visit(Role::Team(size)),
        }
    }

    /// Outwards in one ordered set, the nearer side first.
    fn walk_set(
        &self,
        set: &BTreeSet<(Ordered, TicketId)>,
        node: &Node,
        mut reach: f64,
        region: u32,
        visit: &mut impl FnMut(&Node, Option<u32>) -> f64,
    ) -> f64 {
        let at = node.at();
        let middle = (Ordered(at), node.ticket);
        let mut below = set.range(..middle).rev().peekable();
        let mut above = set.range(middle..).peekable();
        let away = |entry: Option<&&(Ordered, TicketId)>| {
            // What cannot be compared is beyond every window.
            entry
                .map(|entry| (entry.0.0 - at).abs())
                .map(|away| if away.is_nan() { f64::INFINITY } else { away })
        };
        loop {
            let (down, up) = (away(below.peek()), away(above.peek()));
            let next = match (down, up) {
                (None, None) => return reach,
                (Some(down), Some(up)) if down <= up => (down, below.next()),
                (Some(down), None) => (down, below.next()),
                (_, Some(up)) => (up, above.next()),
            };
            if next.0 > reach {
                return reach;
            }
            let Some(partner) = next.1.filter(|entry| entry.1 != node.ticket) else {
                continue;
            };
            let Some(partner) = self.nodes.get(&partner.1) else {
                continue;
            };
            let shared = |region: u32| (region > 0).then_some(region);
            if region == 0 && !node.regions.is_empty() {
                // The partner goes anywhere: the region is one of this ticket's own.
                for &(own, _) in &node.regions {
                    reach = visit(partner, Some(own));
                }
            } else {
                reach = visit(partner, shared(region));
            }
        }
    }

    /// Whether there is anyone whom `node` could play with, windows aside; the nearest, with the region.
    pub(crate) fn nearest(
        &self,
        node: &Node,
        teams: &[usize],
        rules: &Rules,
    ) -> Option<(TicketId, Option<u32>)> {
        let mut best: Option<Nearest> = None;
        self.walk(node, teams, f64::INFINITY, |partner, region| {
            let mismatch = rules.mismatch(node, partner, region);
            let cost = (Ordered(mismatch), Ordered(worse_ping(node, partner, region)));
            let age = (partner.joined, partner.ticket);
            let of = |region| self.region_name(region);
            if best.is_none_or(|best| (cost, age, of(region)) < (best.0, best.1, of(best.2))) {
                best = Some((cost, age, region));
            }
            match best {
                Some(best) if rules.is_ordered() => best.0.0.0,
                _ => f64::INFINITY,
            }
        });
        best.map(|best| (best.1.1, best.2))
    }
}
