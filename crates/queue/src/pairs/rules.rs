//! When two tickets become compatible: windows, the handshake, and the longest wait.

use super::node::Node;
use crate::time::Time;
use crate::window::{Compare, Window, least};

/// Whose windows must admit a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Accept {
    /// Those of both sides: a handshake.
    #[default]
    Both,
    /// Those of one side, all of them.
    Either,
    /// The widths of both sides together, for each attribute.
    Sum,
}

/// Where many pairs are compatible at once, each ticket offers itself to at most this many who
/// came before it, the nearest first.
pub(crate) const OFFERS: usize = 32;

/// The windows of a policy and how they admit matches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rules {
    /// The first is the one by which tickets are in order.
    pub(crate) windows: Vec<Window>,
    pub(crate) accept: Accept,
    /// After this many milliseconds all windows between a ticket and any other are lifted, except one of prices.
    pub(crate) longest_wait: Option<i64>,
    /// The first window is that of prices.
    pub(crate) is_priced: bool,
}

/// What one window compares of two tickets in one region.
#[derive(Debug, Clone, Copy)]
struct Sides {
    /// How far the other is, as each side sees it: the same for both but for pings.
    distances: [f64; 2],
    is_ping: bool,
}

impl Rules {
    /// The first time at which the windows of two tickets admit a match in a region; `None`: never.
    pub(crate) fn compatible_at(&self, a: &Node, b: &Node, region: Option<u32>) -> Option<Time> {
        let by_windows = self.windows_admit_at(a, b, region);
        by_windows.into_iter().chain(self.lifted_at(a, b)).min()
    }

    /// Whether all windows are lifted after the longest wait; those of prices are not.
    pub(crate) const fn is_lifted(&self) -> bool {
        self.longest_wait.is_some() && !self.is_priced
    }

    /// When the longest wait of one of two tickets is over.
    pub(crate) fn overdue_at(&self, a: &Node, b: &Node) -> Option<Time> {
        Some(a.joined.min(b.joined).plus(self.longest_wait?))
    }

    /// When all windows of two tickets are lifted; with prices pings are, once prices cover the distance.
    fn lifted_at(&self, a: &Node, b: &Node) -> Option<Time> {
        let lifted = self.overdue_at(a, b)?;
        if !self.is_priced {
            return Some(lifted);
        }
        if self.windows.len() == 1 {
            return None;
        }
        let distance = Window::distance(a.windows.first()?.coordinate, b.windows.first()?.coordinate);
        self.sum_reached(0, a, b, distance).map(|at| at.max(lifted))
    }

    fn windows_admit_at(&self, a: &Node, b: &Node, region: Option<u32>) -> Option<Time> {
        let mut sides = [Some(a.joined), Some(b.joined)];
        let mut both = a.joined.max(b.joined);
        for (at, window) in self.windows.iter().enumerate() {
            let seen = self.sides(at, a, b, region);
            let reached = |side: usize, node: &Node| {
                let waited = window.reached(node.windows[at].extra, seen.distances[side])?;
                Some(node.joined.plus(waited))
            };
            if seen.is_ping || self.accept == Accept::Both {
                both = both.max(reached(0, a)?).max(reached(1, b)?);
            } else if self.accept == Accept::Sum {
                both = both.max(self.sum_reached(at, a, b, seen.distances[0])?);
            } else {
                for (side, node) in [a, b].into_iter().enumerate() {
                    sides[side] = sides[side]
                        .zip(reached(side, node))
                        .map(|(one, other)| one.max(other));
                }
            }
        }
        if self.accept == Accept::Either {
            let first = sides.into_iter().flatten().min()?;
            both = both.max(first);
        }
        Some(both)
    }

    fn sides(&self, at: usize, a: &Node, b: &Node, region: Option<u32>) -> Sides {
        if self.windows[at].params().compare == Compare::Ping {
            let ping = |node: &Node| region.map_or(0.0, |region| node.ping(region));
            return Sides {
                distances: [ping(a), ping(b)],
                is_ping: true,
            };
        }
        let distance = Window::distance(a.windows[at].coordinate, b.windows[at].coordinate);
        Sides {
            distances: [distance; 2],
            is_ping: false,
        }
    }

    /// When the widths of both together reach the distance.
    fn sum_reached(&self, at: usize, a: &Node, b: &Node, distance: f64) -> Option<Time> {
        let window = &self.windows[at];
        let (extra_a, extra_b) = (a.windows[at].extra, b.windows[at].extra);
        let widest = window.widest(extra_a) + window.widest(extra_b);
        if distance.is_nan() || widest < distance {
            return None;
        }
        let start = a.joined.max(b.joined);
        let (waited_a, waited_b) = (start.since(a.joined), start.since(b.joined));
        let width = |more: i64| {
            window.width(extra_a, waited_a.saturating_add(more))
                + window.width(extra_b, waited_b.saturating_add(more))
        };
        // Straight on from the start; exact where the windows are straight.
        let (now, soon) = (width(0), width(1000));
        let guess = (distance - now) / ((soon - now) / 1000.0).max(1e-12);
        let more = if now >= distance {
            0
        } else {
            least(guess.min(1e15), |more| width(more) >= distance)?
        };
        Some(start.plus(more))
    }

    /// The greatest distance in the first attribute at which a ticket can be compatible with any other at `time`, given
    /// the longest wait and the greatest extra among the others. Infinite without windows, or for the first window on
    /// pings.
    pub(crate) fn reach(&self, node: &Node, time: Option<Time>, oldest: Time, most_extra: f64) -> f64 {
        let Some(window) = self.windows.first().filter(|_| self.is_ordered()) else {
            return f64::INFINITY;
        };
        let width = |extra: f64, joined: Time| {
            time.map_or(window.widest(extra), |time| {
                window.width(extra, time.since(joined).max(0))
            })
        };
        let own = width(node.extra(), node.joined);
        match self.accept {
            Accept::Both => own,
            Accept::Either => own.max(width(most_extra, oldest)),
            Accept::Sum => own + width(most_extra, oldest),
        }
    }

    /// How many neighbours of a place are looked at, the nearest first, where their order is that of nearness: about half
    /// of them came before.
    pub(crate) fn most_looked_at(&self) -> usize {
        if self.is_ordered() { 2 * OFFERS } else { usize::MAX }
    }

    /// Whether neighbours in the order of tickets are neighbours in the mismatch.
    pub(crate) fn is_ordered(&self) -> bool {
        let first = self.windows.first();
        first.is_some_and(|window| window.params().compare != Compare::Ping)
    }

    /// How bad a match of these two is: their distance in the first attribute that is no ping, else the worse ping.
    pub(crate) fn mismatch(&self, a: &Node, b: &Node, region: Option<u32>) -> f64 {
        let of = |at: usize| {
            let seen = self.sides(at, a, b, region);
            seen.distances[0].max(seen.distances[1])
        };
        let first = (0..self.windows.len()).find(|&at| self.windows[at].params().compare != Compare::Ping);
        let distance = first.or((!self.windows.is_empty()).then_some(0)).map_or(0.0, of);
        // Two strengths without a ratio are as far apart as can be.
        if distance.is_nan() {
            f64::INFINITY
        } else {
            distance
        }
    }

    /// For explanations: of each window its distance and width on both sides at a time.
    pub(crate) fn widths(
        &self,
        a: &Node,
        b: &Node,
        region: Option<u32>,
        time: Time,
    ) -> impl Iterator<Item = (&Window, [f64; 2], [f64; 2])> {
        let (a, b) = (a.clone(), b.clone());
        self.windows.iter().enumerate().map(move |(at, window)| {
            let width = |node: &Node| window.width(node.windows[at].extra, time.since(node.joined).max(0));
            (
                window,
                self.sides(at, &a, &b, region).distances,
                [width(&a), width(&b)],
            )
        })
    }

    /// The longest wait in seconds that the windows allow, given permitted tickets at every moment.
    ///
    /// A handshake has no bound without a longest wait: those who come may always be newer than those who leave.
    pub(crate) fn liveness(&self) -> Option<f64> {
        let lifted = self.longest_wait.map(crate::time::seconds);
        let reaches = |window: &Window| {
            if window.params().compare == Compare::Ping {
                return None;
            }
            window
                .reached(0.0, window.params().range?)
                .map(crate::time::seconds)
        };
        if self.is_priced {
            let covered = reaches(self.windows.first()?)?;
            // Beside prices there are pings alone.
            return if self.windows.len() == 1 {
                Some(covered)
            } else {
                lifted.map(|lifted| lifted.max(covered))
            };
        }
        let grown = match self.accept {
            Accept::Both => {
                let flat = |window: &Window| reaches(window) == Some(0.0);
                self.windows.iter().all(flat).then_some(0.0)
            }
            Accept::Either | Accept::Sum => {
                let waits = self.windows.iter().map(reaches);
                waits
                    .collect::<Option<Vec<f64>>>()
                    .map(|waits| waits.into_iter().fold(0.0, f64::max))
            }
        };
        lifted.into_iter().chain(grown).reduce(f64::min)
    }
}
