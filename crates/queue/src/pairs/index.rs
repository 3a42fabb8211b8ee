//! The tickets of a pair policy in order of their first attribute, one ordered set for each pool, size and region.

use std::collections::{BTreeMap, BTreeSet};

use super::node::{AtWindow, Entry, Node, Ordered, Role, Standing, region_numbers, worse_ping};
use super::rules::{Accept, Rules};
use crate::hash::NumberMap;
use crate::ids::TicketId;
use crate::sorted::SortedSet;
use crate::state::Waiting;
use crate::time::Time;
use crate::window::Window;

/// Where a ticket stands: its pool, what it brings, and a region, 0 for tickets that accept any. Those with regions stand
/// in each of these, and all together in [`ANYWHERE`].
type Place = (u32, Role, u32);

/// In place of a region: all who name regions, for those who accept any.
const ANYWHERE: u32 = u32::MAX;

/// This many of those who have waited longest in a place are looked at one by one where the windows of one side may be
/// enough, so that a ticket that fits no other does not widen the reach of the rest.
const OLDEST: usize = 8;

/// How many tickets name each set of regions, which are in the order of their names.
type CountsByRegions = BTreeMap<Box<[u32]>, usize>;

/// The tickets of a place.
#[derive(Debug, Clone, Default)]
struct Members {
    /// By their first coordinate, and those alike by age.
    order: SortedSet<Standing>,
    /// By age, where the rules need it.
    ages: SortedSet<(Time, TicketId)>,
    /// As it stands among the places with partners.
    live: Option<(Time, TicketId)>,
}

/// The mismatch and worse ping of a partner, its age, and the region.
type Nearest = ((Ordered, Ordered), (Time, TicketId), Option<u32>);

/// The tickets of a policy, found by neighbourhood.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    /// Whether tickets are looked at by age: where windows are lifted, and where those of one side may be enough.
    is_lifted: bool,
    is_one_sided: bool,
    nodes: NumberMap<TicketId, Box<Node>>,
    places: NumberMap<Place, Members>,
    /// The regions of the places that there are, by pool and role.
    regions_of: BTreeMap<(u32, Role), BTreeSet<u32>>,
    /// How many tickets name each set of regions, by pool and role.
    counts: BTreeMap<(u32, Role), CountsByRegions>,
    /// The oldest ticket of each place in which all have partners, windows aside.
    live: BTreeSet<(Time, TicketId, Place)>,
    /// Region names by their numbers, from 1, with how many tickets name each; the numbers of none are given anew.
    regions: Vec<(Box<str>, usize)>,
    region_numbers: BTreeMap<Box<str>, u32>,
    free_regions: Vec<u32>,
    /// The extras of the first window that are not 0, with how many have each.
    extras: BTreeMap<Ordered, usize>,
}

impl Index {
    /// The partner of an entry, if it is there and has been all the time.
    pub(super) fn partner(&self, entry: &Entry) -> Option<&Node> {
        let partner = self.get(entry.partner);
        partner.filter(|node| entry.entered > 0 && node.entered == entry.entered)
    }

    /// One without tickets, which knows the regions of this one by the same numbers.
    pub(crate) fn emptied(&self) -> Self {
        Self {
            regions: self.regions.clone(),
            region_numbers: self.region_numbers.clone(),
            free_regions: self.free_regions.clone(),
            is_lifted: self.is_lifted,
            is_one_sided: self.is_one_sided,
            ..Self::default()
        }
    }

    /// Of no tickets yet.
    pub(crate) fn new(rules: &Rules) -> Self {
        Self {
            is_lifted: rules.is_lifted(),
            is_one_sided: rules.accept != Accept::Both,
            ..Self::default()
        }
    }

    /// Whether a place keeps its tickets by age.
    const fn is_aged(&self, region: u32) -> bool {
        self.is_one_sided || (self.is_lifted && region != ANYWHERE)
    }

    pub(crate) fn get(&self, ticket: TicketId) -> Option<&Node> {
        self.nodes.get(&ticket).map(|node| &**node)
    }

    pub(super) fn get_mut(&mut self, ticket: TicketId) -> Option<&mut Node> {
        self.nodes.get_mut(&ticket).map(|node| &mut **node)
    }

    /// How many tickets there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn region_name(&self, region: Option<u32>) -> Option<&str> {
        let place = (region? as usize).checked_sub(1)?;
        self.regions.get(place).map(|region| &*region.0)
    }

    /// The number of a region, which one more ticket names.
    #[expect(clippy::cast_possible_truncation, reason = "far fewer than 2^32 regions")]
    fn region_number(&mut self, name: &str) -> u32 {
        let known = self.region_numbers.get(name).copied();
        let number = known.unwrap_or_else(|| {
            let number = self.free_regions.pop().unwrap_or_else(|| {
                self.regions.push((Box::default(), 0));
                self.regions.len() as u32
            });
            self.regions[number as usize - 1] = (name.into(), 0);
            self.region_numbers.insert(name.into(), number);
            number
        });
        self.regions[number as usize - 1].1 += 1;
        number
    }

    /// One ticket less names a region.
    fn forget_region(&mut self, number: u32) {
        let (name, count) = &mut self.regions[number as usize - 1];
        *count -= 1;
        if *count == 0 {
            self.region_numbers.remove(&std::mem::take(name));
            self.free_regions.push(number);
        }
    }

    /// The node of a waiting ticket; `None` for one that no pair can hold.
    pub(crate) fn node(&mut self, waiting: &Waiting, teams: &[usize], rules: &Rules) -> Option<Node> {
        let ticket = &waiting.ticket;
        let role = match &ticket.backfill {
            None => Role::team(ticket.players.len())?,
            Some(backfill) => {
                let there = |team: usize| backfill.teams.iter().filter(|&&other| other == team).count();
                // None if a team is too large, as it may be in one of several queues or under a new policy.
                let lacking = teams.iter().enumerate();
                let lacking: Option<Vec<usize>> = lacking
                    .map(|(team, size)| size.checked_sub(there(team)))
                    .collect();
                let mut lacking = lacking?.into_iter().filter(|&lacking| lacking > 0);
                let only = lacking.next().filter(|_| lacking.next().is_none())?;
                // Dropped: too many.
                Role::Lacks(u16::try_from(only).ok()?)
            }
        };
        let at = |window: &Window| AtWindow {
            coordinate: window.coordinate(window.number(ticket).unwrap_or(f64::NAN)),
            extra: window.extra(ticket),
        };
        let windows = rules.windows.iter().map(at).collect();
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
            is_back: false,
            next: Entry::NONE,
            windows,
            regions,
        })
    }

    fn places_of(node: &Node) -> impl Iterator<Item = Place> + '_ {
        let any = if node.regions.is_empty() { 0 } else { ANYWHERE };
        let regions = node.regions.iter().map(|entry| entry.0).chain([any]);
        regions.map(|region| (node.key, node.role, region))
    }

    pub(crate) fn insert(&mut self, node: Node, teams: &[usize]) {
        for place in Self::places_of(&node) {
            let is_aged = self.is_aged(place.2);
            let members = self.places.entry(place).or_default();
            members.order.insert(node.standing(), ());
            if is_aged {
                members.ages.insert(node.age(), ());
            }
            if members.order.len() <= 2 {
                let regions = self.regions_of.entry((node.key, node.role)).or_default();
                regions.insert(place.2);
                self.refresh_partners(place, teams);
            }
            self.refresh(place, teams);
        }
        let alike = self.counts.entry((node.key, node.role)).or_default();
        *alike.entry(region_numbers(&node)).or_default() += 1;
        let extra = node.extra();
        if extra > 0.0 {
            *self.extras.entry(Ordered(extra)).or_default() += 1;
        }
        self.nodes.insert(node.ticket, Box::new(node));
        // Where many came and went a hash map has taken twice the room that it needs.
        if self.nodes.capacity() > 64 + 2 * self.nodes.len() {
            self.nodes.shrink_to(self.nodes.len() + self.nodes.len() / 8);
        }
    }

    pub(crate) fn remove(&mut self, ticket: TicketId, teams: &[usize]) -> Option<Node> {
        let node = *self.nodes.remove(&ticket)?;
        for place in Self::places_of(&node) {
            let Some(members) = self.places.get_mut(&place) else {
                continue;
            };
            members.order.remove(&node.standing());
            members.ages.remove(&node.age());
            let left = members.order.len();
            self.refresh(place, teams);
            if left == 0 {
                self.places.remove(&place);
                let pool = (node.key, node.role);
                if let Some(regions) = self.regions_of.get_mut(&pool) {
                    regions.remove(&place.2);
                    if regions.is_empty() {
                        self.regions_of.remove(&pool);
                    }
                }
            }
            if left <= 1 {
                self.refresh_partners(place, teams);
            }
        }
        self.count_less(&node);
        node.regions
            .iter()
            .for_each(|region| self.forget_region(region.0));
        let extra = Ordered(node.extra());
        if let Some(count) = self.extras.get_mut(&extra) {
            *count -= 1;
            if *count == 0 {
                self.extras.remove(&extra);
            }
        }
        Some(node)
    }

    /// One ticket less of its pool, role and regions.
    fn count_less(&mut self, node: &Node) {
        let pool = (node.key, node.role);
        let Some(alike) = self.counts.get_mut(&pool) else {
            return;
        };
        let regions = region_numbers(node);
        if let Some(count) = alike.get_mut(&regions) {
            *count -= 1;
            if *count == 0 {
                alike.remove(&regions);
            }
        }
        if alike.is_empty() {
            self.counts.remove(&pool);
        }
    }

    /// How many tickets of a pool there are of each role and set of regions.
    pub(crate) fn counts(&self, key: u32) -> impl Iterator<Item = (Role, &[u32], usize)> {
        let roles = (key, Role::Team(0))..=(key, Role::Lacks(u16::MAX));
        self.counts.range(roles).flat_map(|(&(_, role), alike)| {
            let alike = alike.iter();
            alike.map(move |(regions, &count)| (role, &**regions, count))
        })
    }

    /// How many tickets of a role there are in each pool but one.
    pub(crate) fn other_pools(&self, key: u32) -> impl Iterator<Item = (u32, usize)> {
        let others = self.counts.iter().filter(move |entry| entry.0.0 != key);
        others.map(|(&(key, _), alike)| (key, alike.values().sum()))
    }

    /// The greatest extra of the first window.
    pub(crate) fn most_extra(&self) -> f64 {
        self.extras.last_key_value().map_or(0.0, |entry| entry.0.0)
    }

    fn count(&self, place: Place) -> usize {
        self.places.get(&place).map_or(0, |members| members.order.len())
    }

    /// The oldest ticket that has a partner, windows aside.
    pub(crate) fn oldest_live(&self) -> Option<(Time, TicketId)> {
        self.live.first().map(|first| (first.0, first.1))
    }

    /// Whether those of a place have partners: others in it, or any in another.
    fn has_partners(&self, place: Place, teams: &[usize]) -> bool {
        let (key, role, region) = place;
        let mut has = false;
        Self::partner_roles(role, teams, |partner| {
            let there = |region| {
                let count = self.count((key, partner, region));
                count > usize::from(partner == role && region == place.2)
            };
            has |= there(0) || there(if region == 0 { ANYWHERE } else { region });
        });
        has
    }

    /// Puts a place among those with partners, or takes it out.
    fn refresh(&mut self, place: Place, teams: &[usize]) {
        if !self.is_lifted {
            return;
        }
        let has_partners = place.2 != ANYWHERE && self.has_partners(place, teams);
        let Some(members) = self.places.get_mut(&place) else {
            return;
        };
        let oldest = members.ages.first().copied().filter(|_| has_partners);
        if members.live != oldest {
            if let Some((joined, ticket)) = members.live {
                self.live.remove(&(joined, ticket, place));
            }
            members.live = oldest;
            if let Some((joined, ticket)) = oldest {
                self.live.insert((joined, ticket, place));
            }
        }
    }

    /// The same for the places of those who could play with a place's first ticket, or could with its last.
    fn refresh_partners(&mut self, (key, role, region): Place, teams: &[usize]) {
        let mut partners = Vec::new();
        Self::partner_roles(role, teams, |role| partners.push(role));
        for role in partners {
            if region == ANYWHERE {
                self.refresh((key, role, 0), teams);
                continue;
            }
            if region > 0 {
                self.refresh((key, role, region), teams);
                continue;
            }
            let regions = self.regions_of.get(&(key, role));
            let regions: Vec<u32> = regions.into_iter().flatten().copied().collect();
            for region in regions {
                self.refresh((key, role, region), teams);
            }
        }
    }

    /// Where those stand who could play with `node`, as the rules of the core go.
    fn partner_places(&self, node: &Node, teams: &[usize]) -> Vec<Place> {
        let mut places = Vec::with_capacity(4);
        Self::partner_roles(node.role, teams, |role| {
            let own = node.regions.iter().map(|entry| entry.0);
            let any = node.regions.is_empty().then_some(ANYWHERE);
            places.extend(own.chain(any).chain([0]).map(|region| (node.key, role, region)));
        });
        places.retain(|place| self.places.contains_key(place));
        places
    }

    /// The oldest few of each place of its partners, and when the oldest of all others came.
    pub(crate) fn oldest(&self, node: &Node, teams: &[usize]) -> (Vec<TicketId>, Time) {
        let (mut few, mut next) = (Vec::new(), Time::MAX);
        for place in self.partner_places(node, teams) {
            let mut ages = self.places[&place].ages.iter().map(|entry| entry.0);
            few.extend(ages.by_ref().take(OLDEST).map(|entry| entry.1));
            next = next.min(ages.next().map_or(Time::MAX, |entry| entry.0));
        }
        (few, next)
    }

    /// All tickets of a policy, in no order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.values().map(|node| &**node)
    }

    /// Visits those who could play with `node`, as the rules of the core go, from the nearest in the first attribute on,
    /// while `visit`, called with the partner and the region, wants them: it returns how far it would go, and whether the
    /// partner counts among the `most` of each place.
    /// Partners that share several regions are visited for each.
    pub(crate) fn walk(
        &self,
        node: &Node,
        teams: &[usize],
        mut reach: f64,
        most: usize,
        mut visit: impl FnMut(&Node, Option<u32>) -> (f64, bool),
    ) {
        for place in self.partner_places(node, teams) {
            let order = &self.places[&place].order;
            reach = self.walk_set(order, node, (reach, most), place.2, &mut visit);
        }
    }

    /// Visits some tickets, in each region that they share with `node`.
    pub(crate) fn visit(&self, node: &Node, tickets: &[TicketId], mut visit: impl FnMut(&Node, Option<u32>)) {
        for partner in tickets.iter().filter_map(|ticket| self.get(*ticket)) {
            if partner.ticket == node.ticket {
                continue;
            }
            match (node.regions.is_empty(), partner.regions.is_empty()) {
                (true, true) => visit(partner, None),
                (true, false) => partner.regions.iter().for_each(|one| visit(partner, Some(one.0))),
                (false, true) => node.regions.iter().for_each(|one| visit(partner, Some(one.0))),
                (false, false) => {
                    let shared = |one: &&(u32, f64)| partner.regions.iter().any(|other| other.0 == one.0);
                    let shared = node.regions.iter().filter(shared);
                    shared.for_each(|one| visit(partner, Some(one.0)));
                }
            }
        }
    }

    /// What a ticket of this role can play with.
    pub(crate) fn partner_roles(role: Role, teams: &[usize], mut visit: impl FnMut(Role)) {
        match role {
            Role::Team(size) => {
                let other = match *teams {
                    [a, b] if Role::team(a) == Some(role) => Some(b),
                    [a, b] if Role::team(b) == Some(role) => Some(a),
                    _ => None,
                };
                other.and_then(Role::team).into_iter().for_each(&mut visit);
                visit(Role::Lacks(size));
            }
            Role::Lacks(size) => visit(Role::Team(size)),
        }
    }

    /// Outwards in one ordered set, the nearer side first.
    fn walk_set(
        &self,
        set: &SortedSet<Standing>,
        node: &Node,
        (mut reach, mut most): (f64, usize),
        region: u32,
        visit: &mut impl FnMut(&Node, Option<u32>) -> (f64, bool),
    ) -> f64 {
        let at = node.at();
        let middle = node.standing();
        let (below, above) = set.around(&middle);
        let (mut below, mut above) = (below.peekable(), above.peekable());
        let away = |entry: Option<&&Standing>| {
            // What cannot be compared is beyond every window.
            entry
                .map(|entry| (entry.0.0 - at).abs())
                .map(|away| if away.is_nan() { f64::INFINITY } else { away })
        };
        while most > 0 {
            let (down, up) = (away(below.peek()), away(above.peek()));
            let next = match (down, up) {
                (None, None) => break,
                (Some(down), Some(up)) if down <= up => (down, below.next()),
                (Some(down), None) => (down, below.next()),
                (_, Some(up)) => (up, above.next()),
            };
            if next.0 > reach {
                break;
            }
            let Some(partner) = next.1.filter(|entry| entry.2 != node.ticket) else {
                continue;
            };
            let Some(partner) = self.nodes.get(&partner.2) else {
                continue;
            };
            let mut is_counted = false;
            let mut in_region = |region| {
                let (next, counts) = visit(partner, region);
                reach = next;
                is_counted |= counts;
            };
            // Who goes anywhere plays in the other's regions.
            match region {
                0 if node.regions.is_empty() => in_region(None),
                0 => node.regions.iter().for_each(|one| in_region(Some(one.0))),
                ANYWHERE => partner.regions.iter().for_each(|one| in_region(Some(one.0))),
                _ => in_region(Some(region)),
            }
            most -= usize::from(is_counted);
        }
        reach
    }

    /// Whether there is anyone whom `node` could play with, windows aside; the nearest, with the region.
    pub(crate) fn nearest(
        &self,
        node: &Node,
        teams: &[usize],
        rules: &Rules,
    ) -> Option<(TicketId, Option<u32>)> {
        let mut best: Option<Nearest> = None;
        let most = rules.most_looked_at();
        self.walk(node, teams, f64::INFINITY, most, |partner, region| {
            let mismatch = rules.mismatch(node, partner, region);
            let cost = (Ordered(mismatch), Ordered(worse_ping(node, partner, region)));
            let age = (partner.joined, partner.ticket);
            let of = |region| self.region_name(region);
            if best.is_none_or(|best| (cost, age, of(region)) < (best.0, best.1, of(best.2))) {
                best = Some((cost, age, region));
            }
            match best {
                Some(best) if rules.is_ordered() => (best.0.0.0, true),
                _ => (f64::INFINITY, true),
            }
        });
        best.map(|best| (best.1.1, best.2))
    }
}
