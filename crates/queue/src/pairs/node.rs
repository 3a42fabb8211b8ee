//! [`Node`]: a waiting ticket as the policy of pairs sees it, and its places in orders.

use crate::ids::TicketId;
use crate::time::Time;

/// A float in the order of `total_cmp`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// A party that is a whole team of this many players.
    Team(u16),
    /// A running match that lacks this many players, all on one team.
    Lacks(u16),
}

impl Role {
    /// A whole team of this many players; `None` for 2^16 or more, of which no pairs are made.
    pub(crate) fn team(players: usize) -> Option<Self> {
        // Dropped: too many.
        u16::try_from(players).map(Self::Team).ok()
    }
}

/// The first coordinate of a ticket, when it came, and the ticket.
pub(crate) type Standing = (Ordered, Time, TicketId);

/// A waiting ticket as the policy sees it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) ticket: TicketId,
    pub(crate) joined: Time,
    pub(crate) key: u32,
    pub(crate) role: Role,
    /// Its number among all that ever entered, of which the last 2^32 differ.
    pub(crate) entered: u32,
    /// Whether some entered before it that came later.
    pub(crate) is_back: bool,
    /// When it becomes compatible, and with whom.
    pub(crate) next: Entry,
    /// By window.
    pub(crate) windows: Box<[AtWindow]>,
    /// The regions that it accepts, by number, with its pings; none for any.
    pub(crate) regions: Box<[(u32, f64)]>,
}

/// Where a ticket stands in a window, and what its uncertainty or price adds to the width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AtWindow {
    pub(crate) coordinate: f64,
    pub(crate) extra: f64,
}

impl Node {
    /// The ping to a region; 0 for a ticket that accepts any.
    pub(crate) fn ping(&self, region: u32) -> f64 {
        let known = self.regions.iter().find(|entry| entry.0 == region);
        known.map_or(0.0, |entry| entry.1)
    }

    /// When it came, for the order of age.
    pub(crate) fn age(&self) -> (Time, TicketId) {
        (self.joined, self.ticket)
    }

    pub(crate) fn standing(&self) -> Standing {
        (Ordered(self.at()), self.joined, self.ticket)
    }

    /// The place of an older ticket in the order in which this one finds it among its neighbours: the nearer first, the one
    /// below before the one above; of those alike whom this one comes to first.
    pub(crate) fn rank(&self, older: &Self) -> Rank {
        let away = (self.at() - older.at()).abs();
        let away = Ordered(if away.is_nan() { f64::INFINITY } else { away });
        if older.standing() < self.standing() {
            (
                away,
                false,
                -older.joined.millis().max(-i64::MAX),
                !older.ticket.0,
            )
        } else {
            (away, true, older.joined.millis(), older.ticket.0)
        }
    }

    /// The place in the order: its first coordinate.
    pub(super) fn at(&self) -> f64 {
        self.windows.first().map_or(0.0, |first| first.coordinate)
    }

    /// What is added to the width of the first window.
    pub(crate) fn extra(&self) -> f64 {
        self.windows.first().map_or(0.0, |first| first.extra)
    }
}

/// The regions of a ticket by their numbers.
pub(super) fn region_numbers(node: &Node) -> Box<[u32]> {
    node.regions.iter().map(|entry| entry.0).collect()
}

/// A place in the order of neighbours.
pub(crate) type Rank = (Ordered, bool, i64, u64);

/// The greater ping of two tickets to a region.
pub(crate) fn worse_ping(a: &Node, b: &Node, region: Option<u32>) -> f64 {
    region.map_or(0.0, |region| a.ping(region).max(b.ping(region)))
}

/// A partner with whom a ticket becomes compatible at a time, unless that one leaves before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The last moment there is stands for no partner.
    pub(super) at: Time,
    pub(super) partner: TicketId,
    /// The partner's number of entry; 0 if it had left when a snapshot was taken.
    pub(super) entered: u32,
}

impl Entry {
    pub(super) const NONE: Self = Self {
        at: Time::MAX,
        partner: TicketId(0),
        entered: 0,
    };

    pub(super) fn new(at: Time, partner: Option<&Node>) -> Self {
        Self {
            at,
            partner: partner.map_or(TicketId(0), |partner| partner.ticket),
            entered: partner.map_or(0, |partner| partner.entered),
        }
    }
}
