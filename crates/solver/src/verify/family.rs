//! Blossoms as a laminar family: a forest in which two vertices share the blossoms above where they meet.

use super::error::VerifyError;
use crate::certificate::Blossom;

const NONE: usize = usize::MAX;

/// The nesting of the blossoms, checked.
pub(super) struct Family {
    /// The smallest blossom around each vertex, as its rank; `NONE` outside all.
    innermost: Vec<usize>,
    /// By rank, from large to small: the next larger blossom around it.
    parent: Vec<usize>,
    /// By rank: the duals of this blossom and of all around it, summed.
    total_dual: Vec<i128>,
    /// By rank: the last vertex that marked it in `shared_dual`.
    mark: Vec<usize>,
}

impl Family {
    /// Checks that the blossoms are odd sets of `0..vertices` with duals >= 0, and that any two are nested
    /// or apart.
    pub(super) fn new(blossoms: &[Blossom], vertices: usize) -> Result<Self, VerifyError> {
        let mut by_size: Vec<_> = (0..blossoms.len()).collect();
        by_size.sort_by_key(|&b| std::cmp::Reverse(blossoms[b].vertices.len()));
        let mut family = Self {
            innermost: vec![NONE; vertices],
            parent: Vec::with_capacity(blossoms.len()),
            total_dual: Vec::with_capacity(blossoms.len()),
            mark: vec![NONE; blossoms.len()],
        };
        for blossom in by_size {
            family.nest(blossom, &blossoms[blossom])?;
        }
        Ok(family)
    }

    /// Adds a blossom no larger than those before. It is nested in or apart from each of them exactly if
    /// its vertices all have the same smallest blossom so far.
    fn nest(&mut self, blossom: usize, set: &Blossom) -> Result<(), VerifyError> {
        let size = set.vertices.len();
        if size < 3 || size.is_multiple_of(2) {
            return Err(VerifyError::NotOdd { blossom, size });
        }
        if set.dual < 0 {
            return Err(VerifyError::NegativeBlossom {
                blossom,
                dual: set.dual,
            });
        }
        let rank = self.parent.len();
        let mut parent = None;
        for &vertex in &set.vertices {
            let Some(innermost) = self
                .innermost
                .get_mut(vertex)
                .filter(|innermost| **innermost != rank)
            else {
                return Err(VerifyError::BlossomVertex { blossom, vertex });
            };
            if *parent.get_or_insert(*innermost) != *innermost {
                return Err(VerifyError::NotNested { blossom, vertex });
            }
            *innermost = rank;
        }
        let parent = parent.unwrap_or(NONE);
        let above = self.total_dual.get(parent).copied().unwrap_or(0);
        self.parent.push(parent);
        let total = above.checked_add(set.dual).ok_or(VerifyError::DualOverflow)?;
        self.total_dual.push(total);
        Ok(())
    }

    /// Marks the blossoms around `i`, for [`shared_dual`](Self::shared_dual).
    pub(super) fn mark_around(&mut self, i: usize) {
        let mut at = self.innermost[i];
        while at != NONE {
            self.mark[at] = i;
            at = self.parent[at];
        }
    }

    /// The sum of the duals of all blossoms that hold both the vertex `i` marked last and `j`.
    pub(super) fn shared_dual(&self, i: usize, j: usize) -> i128 {
        if self.innermost[i] == NONE {
            return 0;
        }
        let mut at = self.innermost[j];
        while at != NONE && self.mark[at] != i {
            at = self.parent[at];
        }
        self.total_dual.get(at).copied().unwrap_or(0)
    }
}

/// Every blossom with a positive dual holds (|B| - 1) / 2 of the pairs.
pub(super) fn check_inside_pairs(blossoms: &[Blossom], mates: &[usize]) -> Result<(), VerifyError> {
    let mut holder = vec![NONE; mates.len()];
    for (blossom, set) in blossoms.iter().enumerate().filter(|(_, set)| set.dual > 0) {
        for &vertex in &set.vertices {
            holder[vertex] = blossom;
        }
        let inside = set
            .vertices
            .iter()
            .filter(|&&vertex| holder[mates[vertex]] == blossom)
            .count()
            / 2;
        let needed = (set.vertices.len() - 1) / 2;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(list: &[(&[usize], i128)]) -> Vec<Blossom> {
        list.iter()
            .map(|&(vertices, dual)| Blossom {
                vertices: vertices.to_vec(),
                dual,
            })
            .collect()
    }

    #[test]
    fn vertices_share_the_duals_above_where_they_meet() {
        let blossoms = sets(&[(&[0, 1, 2], 4), (&[0, 1, 2, 3, 4], 10), (&[5, 6, 7], 1)]);
        let mut family = Family::new(&blossoms, 9).unwrap();
        family.mark_around(0);
        assert_eq!(
            [1, 2, 3, 4, 5, 8].map(|j| family.shared_dual(0, j)),
            [14, 14, 10, 10, 0, 0]
        );
        family.mark_around(3);
        assert_eq!([0, 4, 7].map(|j| family.shared_dual(3, j)), [10, 10, 0]);
        family.mark_around(8);
        assert_eq!([0, 5].map(|j| family.shared_dual(8, j)), [0, 0]);
    }

    #[test]
    fn what_is_no_laminar_family_of_odd_sets_is_refused() {
        let error = |list| Family::new(&sets(list), 6).map(|_| ()).unwrap_err();
        assert_eq!(
            error(&[(&[0, 1], 1)]),
            VerifyError::NotOdd { blossom: 0, size: 2 }
        );
        assert_eq!(error(&[(&[0], 1)]), VerifyError::NotOdd { blossom: 0, size: 1 });
        assert_eq!(
            error(&[(&[0, 1, 2], -1)]),
            VerifyError::NegativeBlossom { blossom: 0, dual: -1 }
        );
        assert_eq!(
            error(&[(&[0, 1, 0], 1)]),
            VerifyError::BlossomVertex {
                blossom: 0,
                vertex: 0
            }
        );
        assert_eq!(
            error(&[(&[0, 1, 6], 1)]),
            VerifyError::BlossomVertex {
                blossom: 0,
                vertex: 6
            }
        );
        assert_eq!(
            error(&[(&[2, 3, 4], 1), (&[0, 1, 2], 1)]),
            VerifyError::NotNested {
                blossom: 1,
                vertex: 2
            }
        );
    }
}
