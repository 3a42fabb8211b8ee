//! The ways to divide a match's players among its teams, laid out for several at a time.

/// Ways worked on at a time: one instruction does them.
pub(super) const LANES: usize = 4;

/// Players of a match, at most.
pub(super) const MOST_PLAYERS: usize = 8;

/// Ways of a match, at most: 4 against 4 have 35, 3 against 5 have 56.
const MOST_WAYS: usize = 36;

/// Groups of [`LANES`] ways, at most.
pub(super) const MOST_GROUPS: usize = MOST_WAYS / LANES;

/// Pairs of a match's players, at most.
pub(super) const MOST_PAIRS: usize = MOST_PLAYERS * (MOST_PLAYERS - 1) / 2;

/// All ways to divide the places of a match among teams of these sizes.
///
/// Of teams of one size the first place is in the first, as swapping teams changes nothing.
#[derive(Debug)]
pub(super) struct Ways {
    /// Way by way, the places of the first team, one bit each.
    firsts: Vec<u32>,
    /// For each set of places, which ways leave it together: one bit each.
    whole: Vec<u64>,
    /// Group by group, for each pair of places whether it is of one team: 1 or 0. Pairs are (1, 0), (2, 0), (2, 1), ...
    together: Vec<[f32; LANES]>,
    /// Group by group, what each place's level adds to the difference of the teams' means.
    shares: Vec<[f32; LANES]>,
    places: usize,
}

impl Ways {
    /// The ways for teams of these sizes, if they are few enough to look at all of them.
    pub(super) fn of(sizes: (usize, usize)) -> Option<Self> {
        let places = sizes.0 + sizes.1;
        if places > MOST_PLAYERS {
            return None;
        }
        let is_way = |first: &u32| {
            let size = first.count_ones() as usize;
            size == sizes.0 && (sizes.0 != sizes.1 || first & 1 == 1)
        };
        let firsts: Vec<u32> = (0..1_u32 << places).filter(is_way).collect();
        if firsts.len() > MOST_WAYS {
            return None;
        }
        let is_whole = |first: u32, set: u32| first & set == 0 || first & set == set;
        let whole = (0..1_u32 << places).map(|set| {
            let ways = firsts.iter().enumerate();
            ways.filter(|&(_, &first)| is_whole(first, set))
                .fold(0, |bits, (way, _)| bits | 1 << way)
        });
        let whole = whole.collect();
        let (mut together, mut shares) = (Vec::new(), Vec::new());
        for group in firsts.chunks(LANES) {
            // The last group is filled up with ways that are there already.
            let is_first = |lane: usize, place: usize| group.get(lane).unwrap_or(&group[0]) >> place & 1 == 1;
            for i in 0..places {
                together.extend((0..i).map(|j| {
                    std::array::from_fn(|lane| f32::from(u8::from(is_first(lane, i) == is_first(lane, j))))
                }));
            }
            #[allow(clippy::cast_precision_loss, reason = "a handful of players")]
            shares.extend((0..places).map(|place| {
                std::array::from_fn(|lane| {
                    if is_first(lane, place) {
                        1.0 / sizes.0 as f32
                    } else {
                        -1.0 / sizes.1 as f32
                    }
                })
            }));
        }
        Some(Self {
            firsts,
            whole,
            together,
            shares,
            places,
        })
    }

    /// The ways that leave all of these sets of places together, one bit each.
    #[inline]
    pub(super) fn that_keep(&self, sets: impl Iterator<Item = usize>) -> u64 {
        let all = self.whole[0];
        sets.fold(all, |ways, set| ways & self.whole[set])
    }

    /// The places of the first team in this way, one bit each.
    pub(super) fn first(&self, way: usize) -> u32 {
        self.firsts[way]
    }

    /// For each group of ways: for each pair of places whether it is of one team.
    #[inline]
    pub(super) fn together(&self) -> std::slice::ChunksExact<'_, [f32; LANES]> {
        self.together.chunks_exact(self.pairs().max(1))
    }

    /// For each group of ways: what each place's level adds to the difference of the teams' means.
    #[inline]
    pub(super) fn shares(&self) -> std::slice::ChunksExact<'_, [f32; LANES]> {
        self.shares.chunks_exact(self.places)
    }

    const fn pairs(&self) -> usize {
        self.places * self.places.saturating_sub(1) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_as_there_should_be() {
        for (sizes, count) in [
            ((1, 1), 1),
            ((2, 2), 3),
            ((3, 3), 10),
            ((4, 4), 35),
            ((1, 3), 4),
            ((3, 2), 10),
            ((7, 1), 8),
            ((2, 5), 21),
        ] {
            assert_eq!(Ways::of(sizes).unwrap().firsts.len(), count, "{sizes:?}");
        }
        assert!(Ways::of((5, 3)).is_none());
        assert!(Ways::of((5, 5)).is_none());
    }

    #[test]
    fn parties_stay_together_in_the_ways_that_keep_them() {
        let ways = Ways::of((3, 3)).unwrap();
        assert_eq!(ways.that_keep(std::iter::empty()).count_ones(), 10);
        assert_eq!(ways.that_keep([0b11].into_iter()).count_ones(), 4);
        assert_eq!(ways.that_keep([0b111].into_iter()).count_ones(), 1);
        assert_eq!(ways.that_keep([0b11, 0b1100].into_iter()).count_ones(), 2);
        assert_eq!(ways.that_keep([0b11, 0b1100, 0b11_0000].into_iter()), 0);
    }
}
