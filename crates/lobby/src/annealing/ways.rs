//! The ways to divide a match's players among its teams, laid out for several at a time.

/// Ways worked on at a time: three instructions do them, of which none waits for another.
pub(super) const LANES: usize = 12;

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
    /// For each pair of places, in which ways it is of one team: one bit each.
    kept: Vec<u64>,
    /// Group by group, for each pair of places 1 if it is of one team, else 0, less the share of pairs that are of one
    /// team. Pairs are (1, 0), (2, 0), (2, 1), ...
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
        let pairs = (0..places).flat_map(|i| (0..i).map(move |j| (i, j)));
        let kept = pairs.map(|(i, j)| {
            let ways = firsts.iter().enumerate();
            ways.filter(|&(_, first)| first >> i & 1 == first >> j & 1)
                .fold(0, |bits, (way, _)| bits | 1 << way)
        });
        let kept = kept.collect();
        let mates = share_of_mates(sizes);
        let (mut together, mut shares) = (Vec::new(), Vec::new());
        for group in firsts.chunks(LANES) {
            // The last group is filled up with ways that are there already.
            let is_first = |lane: usize, place: usize| group.get(lane).unwrap_or(&group[0]) >> place & 1 == 1;
            for i in 0..places {
                together.extend((0..i).map(|j| {
                    let of_one = |lane| f32::from(u8::from(is_first(lane, i) == is_first(lane, j)));
                    std::array::from_fn(|lane| of_one(lane) - mates)
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
            kept,
            together,
            shares,
            places,
        })
    }

    /// All ways, one bit each.
    #[inline]
    pub(super) fn all(&self) -> u64 {
        (1 << self.firsts.len()) - 1
    }

    /// For each pair of places the ways in which it is of one team, one bit each.
    #[inline]
    pub(super) fn kept(&self) -> &[u64] {
        &self.kept
    }

    /// The places of the first team in this way, one bit each.
    pub(super) fn first(&self, way: usize) -> u32 {
        self.firsts[way]
    }

    /// For each group of ways: for each pair of places 1 if it is of one team, else 0, less the share of such pairs.
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

/// How many of a match's pairs are of one team, as a share.
#[allow(clippy::cast_precision_loss, reason = "a handful of players")]
pub(super) fn share_of_mates(sizes: (usize, usize)) -> f32 {
    let pairs_of = |size: usize| (size * size.saturating_sub(1) / 2) as f32;
    (pairs_of(sizes.0) + pairs_of(sizes.1)) / pairs_of(sizes.0 + sizes.1)
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
        let that_keep = |sets: &[u32]| {
            let pairs = (0..6).flat_map(|i| (0..i).map(move |j| 1 << i | 1 << j));
            let kept = pairs.zip(ways.kept());
            let kept = kept.filter(|(pair, _)| sets.iter().any(|set| set & pair == *pair));
            kept.fold(ways.all(), |all, (_, kept)| all & kept).count_ones()
        };
        assert_eq!(that_keep(&[]), 10);
        assert_eq!(that_keep(&[0b11]), 4);
        assert_eq!(that_keep(&[0b111]), 1);
        assert_eq!(that_keep(&[0b11, 0b1100]), 2);
        assert_eq!(that_keep(&[0b11, 0b1100, 0b11_0000]), 0);
    }
}
