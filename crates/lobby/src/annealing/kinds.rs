//! What divisions add to matches of one kind, as seen so far: it spares looking at most of them.

/// What an exchange is given for divisions not yet looked at: no less than this share of those that were.
const LIKELY: f32 = 0.9;

/// By how much that estimate moves with each division looked at, in qualities.
const PACE: f32 = 0.002;

/// One exchange in so many is looked at whatever the estimate says. If it is worth carrying out, the estimate was too
/// low, and begins anew.
pub(super) const PROBED: u32 = 64;

/// Matches whose parties have the same sizes.
#[derive(Debug)]
struct Kind {
    /// How many players are in parties of 1, 2, 3, ...: four bits each.
    sizes: u32,
    /// What the best way to divide one adds, with balances and links: likely at most.
    likely_rest: f32,
}

/// All kinds of matches that came up.
#[derive(Debug)]
pub(super) struct Kinds {
    known: Vec<Kind>,
    /// The size of each player's party, as [`Kind::sizes`] counts it.
    sizes: Vec<u32>,
    /// What divisions of a match without pairs add at most.
    most_rest: f32,
}

impl Kinds {
    /// None yet; of players whose parties have these sizes.
    pub(super) fn new(party_sizes: impl Iterator<Item = usize>, most_rest: f32) -> Self {
        Self {
            known: Vec::new(),
            sizes: party_sizes.map(|size| 1 << (4 * (size - 1))).collect(),
            most_rest,
        }
    }

    /// The kind of a match of these players.
    pub(super) fn of(&mut self, players: &[u32]) -> usize {
        self.of_sizes(self.sizes(players))
    }

    /// The kind of what was a match of this kind before players of such sizes left it and others joined it.
    #[inline]
    pub(super) fn after(&mut self, kind: usize, left: u32, joined: u32) -> usize {
        self.of_sizes(self.known[kind].sizes.wrapping_sub(left).wrapping_add(joined))
    }

    /// How many of these players are in parties of 1, 2, 3, ...: four bits each.
    #[inline]
    pub(super) fn sizes(&self, players: &[u32]) -> u32 {
        let sizes = players.iter().map(|&player| self.sizes[player as usize]);
        sizes.fold(0, u32::wrapping_add)
    }

    #[inline]
    fn of_sizes(&mut self, sizes: u32) -> usize {
        let place = self.known.iter().position(|kind| kind.sizes == sizes);
        place.unwrap_or_else(|| {
            self.known.push(Kind {
                sizes,
                likely_rest: self.most_rest,
            });
            self.known.len() - 1
        })
    }

    /// What the best way to divide a match of this kind adds, likely at most.
    #[inline]
    pub(super) fn likely_rest(&self, kind: usize) -> f32 {
        self.known[kind].likely_rest
    }

    /// Learns what the best way adds to one that was looked at.
    #[inline]
    pub(super) fn learn(&mut self, kind: usize, rest: f32) {
        if rest.is_finite() {
            let likely = &mut self.known[kind].likely_rest;
            *likely += PACE * if rest > *likely { LIKELY } else { LIKELY - 1.0 };
        }
    }

    /// Takes the estimate back to where it began: it hid what gains.
    pub(super) fn begin_anew(&mut self, kind: usize) {
        self.known[kind].likely_rest = self.most_rest;
    }
}
