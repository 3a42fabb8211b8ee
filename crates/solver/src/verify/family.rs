//! Blossoms as a laminar family: a forest in which two vertices share the blossoms above where they meet.

use super::error::VerifyError;
use crate::certificate::Blossom;

/// The set of all vertices, around every blossom.
const ALL: usize = 0;

/// The nesting of the blossoms, checked. Sets are numbered from 1 in the certificate's order; 0 is the set of all
/// vertices.
pub(super) struct Family {
    sets: Vec<Set>,
    /// The innermost set around each vertex.
    innermost: Vec<usize>,
}

/// A blossom.
#[derive(Debug, Clone, Copy, Default)]
struct Set {
    /// The set directly around.
    around: usize,
    /// How many sets are around.
    depth: usize,
    /// One of the sets around, to climb by.
    jump: usize,
    /// How many vertices it has, those of the blossoms inside included.
    size: usize,
    dual: i128,
    /// The duals of this blossom and of all around it, summed.
    total_dual: i128,
}

impl Family {
    /// Checks that the blossoms are odd sets of `0..vertices` with duals >= 0, and that any two are nested or apart:
    /// they are, if each lies inside one that is listed before, and each vertex directly inside one at most. O(n +
    /// blossoms).
    pub(super) fn new(blossoms: &[Blossom], vertices: usize) -> Result<Self, VerifyError> {
        let mut family = Self {
            sets: Vec::with_capacity(blossoms.len() + 1),
            innermost: vec![ALL; vertices],
        };
        family.sets.push(Set::default());
        for blossom in blossoms {
            family.nest(blossom)?;
        }
        for set in (1..family.sets.len()).rev() {
            let Set { around, size, .. } = family.sets[set];
            family.sets[around].size += size;
        }
        let sizes = family.sets[1..].iter().map(|set| set.size);
        match sizes
            .enumerate()
            .find(|(_, size)| *size < 3 || size.is_multiple_of(2))
        {
            Some((blossom, size)) => Err(VerifyError::NotOdd { blossom, size }),
            None => Ok(family),
        }
    }

    /// Adds a blossom inside one of those before, or outside all.
    fn nest(&mut self, added: &Blossom) -> Result<(), VerifyError> {
        let set = self.sets.len();
        let blossom = set - 1;
        let around = match added.around {
            None => ALL,
            Some(around) if around < blossom => around + 1,
            Some(around) => return Err(VerifyError::Around { blossom, around }),
        };
        if added.dual < 0 {
            return Err(VerifyError::NegativeBlossom {
                blossom,
                dual: added.dual,
            });
        }
        for &vertex in &added.direct_vertices {
            match self.innermost.get_mut(vertex) {
                Some(innermost) if *innermost == ALL => *innermost = set,
                _ => return Err(VerifyError::BlossomVertex { blossom, vertex }),
            }
        }
        let outer = self.sets[around];
        let total_dual = outer.total_dual.checked_add(added.dual);
        self.sets.push(Set {
            around,
            depth: outer.depth + 1,
            jump: self.jump_from(around),
            size: added.direct_vertices.len(),
            dual: added.dual,
            total_dual: total_dual.ok_or(VerifyError::DualOverflow)?,
        });
        Ok(())
    }

    /// Where a set inside `around` jumps to: over two jumps of equal length, or else one step. So the lengths of
    /// jumps are those of the digits of a depth in skew binary numbers, and depend on the depth alone.
    ///
    /// Myers, "An applicative random-access stack", Inf. Process. Lett. 17 (1983),
    /// `doi:10.1016/0020-0190(83)90106-0`.
    fn jump_from(&self, around: usize) -> usize {
        let first = self.sets[around].jump;
        let second = self.sets[first].jump;
        let depths = [around, first, second].map(|set| self.sets[set].depth);
        if depths[0] - depths[1] == depths[1] - depths[2] {
            second
        } else {
            around
        }
    }

    /// The innermost set that holds both vertices. O(log depth).
    fn common(&self, i: usize, j: usize) -> usize {
        let (mut a, mut b) = (self.innermost[i], self.innermost[j]);
        if self.sets[a].depth < self.sets[b].depth {
            (a, b) = (b, a);
        }
        let depth = self.sets[b].depth;
        while self.sets[a].depth > depth {
            let Set { around, jump, .. } = self.sets[a];
            a = if self.sets[jump].depth >= depth {
                jump
            } else {
                around
            };
        }
        while a != b {
            let (one, other) = (&self.sets[a], &self.sets[b]);
            (a, b) = if one.jump == other.jump {
                (one.around, other.around)
            } else {
                (one.jump, other.jump)
            };
        }
        a
    }

    /// The sum of the duals of all blossoms that hold both vertices. O(log depth).
    pub(super) fn shared_dual(&self, i: usize, j: usize) -> i128 {
        self.sets[self.common(i, j)].total_dual
    }

    /// sum z (|B| - 1) / 2; `None` beyond 128 bits.
    pub(super) fn dual_sum(&self) -> Option<i128> {
        self.sets[1..].iter().try_fold(0_i128, |sum, set| {
            let pairs = (set.size / 2) as i128;
            sum.checked_add(pairs.checked_mul(set.dual)?)
        })
    }

    /// Every blossom with a positive dual holds (|B| - 1) / 2 of the pairs. A pair lies inside the innermost blossom
    /// that holds it, and inside all around that. O(n log depth + blossoms).
    pub(super) fn check_inside_pairs(&self, mates: &[usize]) -> Result<(), VerifyError> {
        let mut inside = vec![0; self.sets.len()];
        for (i, &j) in mates.iter().enumerate().filter(|&(i, &j)| i < j) {
            inside[self.common(i, j)] += 1;
        }
        for set in (1..self.sets.len()).rev() {
            inside[self.sets[set].around] += inside[set];
        }
        let counts = self.sets.iter().zip(inside).skip(1).enumerate();
        for (blossom, (set, inside)) in counts.filter(|(_, (set, _))| set.dual > 0) {
            let needed = (set.size - 1) / 2;
            if inside != needed {
                return Err(VerifyError::LooseBlossom {
                    blossom,
                    inside,
                    needed,
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn sets(list: &[(&[usize], Option<usize>, i128)]) -> Vec<Blossom> {
        list.iter()
            .map(|&(vertices, around, dual)| Blossom {
                direct_vertices: vertices.to_vec(),
                around,
                dual,
            })
            .collect()
    }

    #[test]
    fn vertices_share_the_duals_above_where_they_meet() {
        let blossoms = sets(&[
            (&[3, 4], None, 10),
            (&[0, 1, 2], Some(0), 4),
            (&[5, 6, 7], None, 1),
        ]);
        let family = Family::new(&blossoms, 9).unwrap();
        let shared = |i: usize, others: &[usize]| -> Vec<_> {
            others.iter().map(|&j| family.shared_dual(i, j)).collect()
        };
        assert_eq!(shared(0, &[1, 2, 3, 4, 5, 8]), [14, 14, 10, 10, 0, 0]);
        assert_eq!(shared(3, &[0, 4, 7]), [10, 10, 0]);
        assert_eq!(shared(8, &[0, 5]), [0, 0]);
        // 10 (5 - 1) / 2 + 4 + 1.
        assert_eq!(family.dual_sum(), Some(25));
        let large = Family::new(&sets(&[(&[0, 1, 2, 3, 4], None, 1 << 126)]), 5).unwrap();
        assert_eq!(large.dual_sum(), None);
    }

    /// Chains, bushes and what lies between, with a vertex in each set that has no other inside.
    #[test]
    fn jumps_meet_where_single_steps_do() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for reach in [1, 2, 5, 40, 300] {
            let around: Vec<_> = (0..300_usize)
                .map(|k| {
                    let above = k.saturating_sub(rng.random_range(1..=reach));
                    (k > 0 && rng.random_range(0..50) > 0).then_some(above)
                })
                .collect();
            let blossoms: Vec<_> = (0..300)
                .map(|k| Blossom {
                    direct_vertices: vec![2 * k, 2 * k + 1],
                    around: around[k],
                    dual: 1 << (k % 100),
                })
                .collect();
            // Sizes are even, as only `new` minds.
            let mut family = Family {
                sets: vec![Set::default()],
                innermost: vec![ALL; 600],
            };
            for blossom in &blossoms {
                family.nest(blossom).unwrap();
            }
            let chain = |k: usize| -> Vec<_> { std::iter::successors(Some(k), |&k| around[k]).collect() };
            for _ in 0..2000 {
                let (a, b) = (rng.random_range(0..300), rng.random_range(0..300));
                let others = chain(b);
                let shared = chain(a).into_iter().filter(|k| others.contains(k));
                let expected: i128 = shared.map(|k| blossoms[k].dual).sum();
                assert_eq!(family.shared_dual(2 * a, 2 * b + 1), expected);
            }
        }
    }

    #[test]
    fn pairs_are_counted_in_all_blossoms_around() {
        let blossoms = sets(&[
            (&[5, 6], None, 1),
            (&[3, 4], Some(0), 0),
            (&[0, 1, 2], Some(1), 1),
        ]);
        let family = Family::new(&blossoms, 8).unwrap();
        family.check_inside_pairs(&[1, 0, 3, 2, 5, 4, 7, 6]).unwrap();
        // The second has no dual, so it need not be full.
        family.check_inside_pairs(&[1, 0, 5, 7, 6, 2, 4, 3]).unwrap();
        family.check_inside_pairs(&[7, 2, 1, 4, 3, 6, 5, 0]).unwrap();
        let error = family.check_inside_pairs(&[7, 6, 5, 4, 3, 2, 1, 0]).unwrap_err();
        assert_eq!(
            error,
            VerifyError::LooseBlossom {
                blossom: 2,
                inside: 0,
                needed: 1
            }
        );
    }

    #[test]
    fn what_is_no_laminar_family_of_odd_sets_is_refused() {
        let error = |list: &[_]| Family::new(&sets(list), 6).map(|_| ()).unwrap_err();
        let vertex = |blossom, vertex| VerifyError::BlossomVertex { blossom, vertex };
        for size in [0, 1, 2, 4] {
            let even = VerifyError::NotOdd { blossom: 0, size };
            assert_eq!(error(&[(&[0, 1, 2, 3][..size], None, 1)]), even);
        }
        // An odd number by itself, but not with the blossom inside.
        assert_eq!(
            error(&[(&[0], None, 1), (&[1, 2, 3], Some(0), 1)]),
            VerifyError::NotOdd { blossom: 0, size: 4 }
        );
        assert_eq!(
            error(&[(&[0, 1, 2], None, -1)]),
            VerifyError::NegativeBlossom { blossom: 0, dual: -1 }
        );
        assert_eq!(error(&[(&[0, 1, 0], None, 1)]), vertex(0, 0));
        assert_eq!(error(&[(&[0, 1, 6], None, 1)]), vertex(0, 6));
        assert_eq!(
            error(&[(&[2, 3, 4], None, 1), (&[0, 1, 2], None, 1)]),
            vertex(1, 2)
        );
        for around in [1, 2, 5, usize::MAX] {
            assert_eq!(
                error(&[
                    (&[3, 4], None, 1),
                    (&[0, 1, 2], Some(around), 1),
                    (&[5], Some(0), 1)
                ]),
                VerifyError::Around { blossom: 1, around }
            );
        }
    }
}
