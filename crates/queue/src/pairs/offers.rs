//! Pairs that are compatible now, as the younger of two offers itself to the older.

use super::Pairs;
use super::node::{Node, Ordered, Rank, worse_ping};
use super::rules::OFFERS;
use crate::ids::TicketId;
use crate::time::Time;

/// How near, the pair, its cost and worse ping, and the region.
pub(super) type Offer = ((Rank, (Ordered, Ordered)), Pair, (Ordered, Ordered), Option<u32>);

/// Two tickets, the older first: who has waited longer comes first among equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) first: (Time, TicketId),
    pub(super) second: (Time, TicketId),
}

impl Pair {
    fn of(a: &Node, b: &Node) -> Self {
        let (a, b) = ((a.joined, a.ticket), (b.joined, b.ticket));
        Self {
            first: a.min(b),
            second: a.max(b),
        }
    }
}

/// The cost of a pair and the worse ping, and the region where they are least, the first by name.
pub(super) type Admitted = ((Ordered, Ordered), Option<u32>);

impl Pairs {
    /// The pair of two tickets, as the younger offers itself to the older.
    pub(super) fn offer(&self, a: &Node, b: &Node, region: Option<u32>) -> Offer {
        let mismatch = Ordered(self.rules.mismatch(a, b, region));
        let cost = (mismatch, Ordered(worse_ping(a, b, region)));
        let (older, younger) = if a.age() < b.age() { (a, b) } else { (b, a) };
        let rank = younger.rank(older);
        let nearness = if self.rules.is_ordered() {
            (rank, cost)
        } else {
            ((mismatch, false, rank.2, rank.3), cost)
        };
        (nearness, Pair::of(a, b), cost, region)
    }

    /// The offers of one ticket to the [`OFFERS`] nearest who came before it, each in its best region.
    pub(super) fn keep_nearest(&self, offers: &mut Vec<Offer>) {
        let name = |offer: &Offer| self.index.region_name(offer.3);
        offers.sort_unstable_by(|a, b| (a.1, a.2, name(a)).cmp(&(b.1, b.2, name(b))));
        offers.dedup_by_key(|offer| offer.1);
        offers.sort_unstable_by_key(|offer| (offer.0, offer.1));
        offers.truncate(OFFERS);
    }
}
