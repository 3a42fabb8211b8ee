//! The waiting tickets in order of one attribute, by pool and region: who is near a ticket.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use matchwright_queue::{Name, TicketId, Waiting};

/// A float in the order of `total_cmp`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Tickets that may meet: of one pool, in one region; no region for those who accept any.
type Place = (u32, Option<Arc<str>>);

/// Tickets by place and attribute.
#[derive(Debug, Clone, Default)]
pub(super) struct Neighbours {
    places: BTreeMap<Place, BTreeSet<(Ordered, TicketId)>>,
}

impl Neighbours {
    fn places_of(waiting: &Waiting) -> impl Iterator<Item = Place> + '_ {
        let regions = &waiting.ticket.regions;
        let any = regions.is_empty().then_some((waiting.key, None));
        let named = regions
            .keys()
            .map(|name| (waiting.key, Some(name.as_str().into())));
        named.chain(any)
    }

    fn at(waiting: &Waiting, attribute: &str) -> Ordered {
        Ordered(waiting.ticket.mean(attribute).unwrap_or(f64::NAN))
    }

    pub(super) fn insert(&mut self, waiting: &Waiting, attribute: &str) {
        let entry = (Self::at(waiting, attribute), waiting.ticket.id);
        for place in Self::places_of(waiting) {
            self.places.entry(place).or_default().insert(entry);
        }
    }

    pub(super) fn remove(&mut self, waiting: &Waiting, attribute: &str) {
        let entry = (Self::at(waiting, attribute), waiting.ticket.id);
        for place in Self::places_of(waiting) {
            if let Some(set) = self.places.get_mut(&place) {
                set.remove(&entry);
                if set.is_empty() {
                    self.places.remove(&place);
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The regions in which a ticket can play, its least ping first, `most` at most; `[None]` if nobody names any.
    pub(super) fn regions(&self, waiting: &Waiting, most: usize) -> Vec<Option<Arc<str>>> {
        let mut own: Vec<(Ordered, &Name)> = waiting
            .ticket
            .regions
            .iter()
            .map(|(name, &ping)| (Ordered(ping), name))
            .collect();
        if !own.is_empty() {
            own.sort();
            return own
                .into_iter()
                .take(most)
                .map(|(_, name)| Some(name.as_str().into()))
                .collect();
        }
        // One who accepts any goes where most others are.
        let key = waiting.key;
        let named = self
            .places
            .range((key, None)..)
            .take_while(|entry| entry.0.0 == key);
        let mut sizes: Vec<(usize, Option<Arc<str>>)> =
            named.map(|(place, set)| (set.len(), place.1.clone())).collect();
        sizes.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        sizes.truncate(most);
        if sizes.is_empty() {
            vec![None]
        } else {
            sizes.into_iter().map(|entry| entry.1).collect()
        }
    }

    /// Those in a region, and those who accept any.
    fn sets(
        &self,
        waiting: &Waiting,
        region: Option<&Arc<str>>,
    ) -> impl Iterator<Item = &BTreeSet<(Ordered, TicketId)>> {
        let places = [Some(region.cloned()), region.map(|_| None)];
        let key = waiting.key;
        places
            .into_iter()
            .flatten()
            .filter_map(move |name| self.places.get(&(key, name)))
    }

    /// How many a ticket meets in a region, itself included.
    pub(super) fn count(&self, waiting: &Waiting, region: Option<&Arc<str>>) -> usize {
        self.sets(waiting, region).map(BTreeSet::len).sum()
    }

    /// The nearest to a ticket in a region, nearest first, itself left out, while `take` wants more.
    pub(super) fn nearest(
        &self,
        waiting: &Waiting,
        attribute: &str,
        region: Option<&Arc<str>>,
        mut take: impl FnMut(TicketId) -> bool,
    ) {
        let middle = (Self::at(waiting, attribute), waiting.ticket.id);
        let mut sides: Vec<Box<dyn Iterator<Item = &(Ordered, TicketId)>>> = Vec::new();
        for set in self.sets(waiting, region) {
            sides.push(Box::new(set.range(..middle).rev()));
            sides.push(Box::new(
                set.range(middle..).filter(move |entry| entry.1 != middle.1),
            ));
        }
        let mut heads: Vec<Option<&(Ordered, TicketId)>> = sides.iter_mut().map(Iterator::next).collect();
        loop {
            let away = |entry: &(Ordered, TicketId)| Ordered((entry.0.0 - middle.0.0).abs());
            let best = heads
                .iter()
                .enumerate()
                .filter_map(|(side, head)| head.map(|head| (away(head), head.1, side)))
                .min();
            let Some((_, ticket, side)) = best else { return };
            if !take(ticket) {
                return;
            }
            heads[side] = sides[side].next();
        }
    }
}

/// Whether two tickets accept a region in common.
pub(super) fn share_region(one: &Waiting, other: &Waiting) -> bool {
    let (one, other) = (&one.ticket.regions, &other.ticket.regions);
    one.is_empty() || other.is_empty() || one.keys().any(|region| other.contains_key(region))
}
