//! Violated pairs by their ends: the order in which duals are lowered.

use std::cmp::Reverse;

/// Memory for the order.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// By vertex: how many violated pairs it is in.
    counts: Vec<u32>,
    /// The ends of violated pairs, with the place of the pair.
    list: Vec<(usize, u32)>,
}

impl Ends {
    /// Every pair under both its ends, the ends in most pairs first: one dual too high violates up to n pairs, of which
    /// most are of no interest once it is lowered.
    pub(super) fn sort<W>(&mut self, vertices: usize, violated: &[(u32, u32, W)]) -> &[(usize, u32)] {
        self.counts.clear();
        self.counts.resize(vertices, 0);
        self.list.clear();
        for (at, &(i, j, _)) in (0..).zip(violated) {
            for v in [i as usize, j as usize] {
                self.counts[v] += 1;
                self.list.push((v, at));
            }
        }
        let counts = &self.counts;
        self.list
            .sort_unstable_by_key(|&(v, at)| (Reverse(counts[v]), v, at));
        &self.list
    }
}
