//! The duals at the end, in the words of the certificate.

use super::blossom::{Forest, NONE};
use super::integer::{Integer, Overflow};
use super::quantise::Scale;
use super::unmatched::UnmatchedRule;
use crate::certificate::{Blossom, Certificate, CertificateParts};
use crate::pairing::{Pairing, SumBuffers};

/// Memory for answers: what callers gave back, and scratch.
#[derive(Debug, Default)]
pub(super) struct Spare {
    pub(super) mates: Vec<usize>,
    pub(super) sum: SumBuffers,
    duals: Vec<i128>,
    blossoms: Vec<Blossom>,
    lists: Vec<Vec<usize>>,
    seen: Vec<bool>,
    /// Of each node seen: the blossom of the list that it is, or that is directly around.
    within: Vec<Option<usize>>,
    climbed: Vec<usize>,
    sizes: Vec<usize>,
}

impl Spare {
    /// Takes the memory of an answer.
    pub(super) fn refill(&mut self, pairing: Pairing) {
        let (mates, certificate) = pairing.into_mates_and_certificate();
        self.mates = mates;
        let Some(certificate) = certificate else { return };
        let parts = certificate.into_parts();
        self.duals = parts.vertex_duals;
        self.blossoms = parts.blossoms;
        for blossom in self.blossoms.drain(..).rev() {
            let mut list = blossom.direct_vertices;
            list.clear();
            self.lists.push(list);
        }
    }
}

impl<W: Integer> Forest<W> {
    /// The certificate of the matching that stands when every search has ended well. O(n).
    pub(super) fn certificate(
        &self,
        scale: &Scale,
        spare: &mut Spare,
        unmatched: &UnmatchedRule,
    ) -> Result<Certificate, Overflow> {
        let blossoms = self.blossoms_with_dual(spare);
        let mut vertex_duals = std::mem::take(&mut spare.duals);
        vertex_duals.clear();
        vertex_duals.extend(self.dual.iter().map(|&y| y.wide()));
        certify(vertex_duals, blossoms, scale, &mut spare.sizes, unmatched)
    }

    /// Blossoms with a positive dual, by their smallest vertex, then from large to small.
    ///
    /// In this order they are met when one climbs from each vertex in turn to the last node that is new, and goes
    /// down again. What lies directly inside a blossom without a dual lies directly inside the next one around that
    /// has one.
    fn blossoms_with_dual(&self, spare: &mut Spare) -> Vec<Blossom> {
        let vertices = self.vertices();
        let mut list = std::mem::take(&mut spare.blossoms);
        let Spare {
            lists,
            seen,
            within,
            climbed,
            ..
        } = spare;
        seen.clear();
        seen.resize(self.parent.len(), false);
        within.clear();
        within.resize(self.parent.len(), None);
        for v in 0..vertices {
            let mut node = self.parent[v];
            while node != NONE && !seen[node] {
                climbed.push(node);
                node = self.parent[node];
            }
            let mut innermost = if node == NONE { None } else { within[node] };
            while let Some(node) = climbed.pop() {
                let dual = self.inside(node).dual.wide();
                if dual > 0 {
                    list.push(Blossom {
                        direct_vertices: lists.pop().unwrap_or_default(),
                        around: innermost,
                        dual,
                    });
                    innermost = Some(list.len() - 1);
                }
                (seen[node], within[node]) = (true, innermost);
            }
            if let Some(blossom) = innermost {
                list[blossom].direct_vertices.push(v);
            }
        }
        list
    }
}

/// The certificate of duals that no pair violates.
pub(super) fn certificate_without_blossoms<W: Integer>(
    duals: &[W],
    scale: &Scale,
    unmatched: &UnmatchedRule,
) -> Result<Certificate, Overflow> {
    let vertex_duals = duals.iter().map(|&y| y.wide()).collect();
    certify(vertex_duals, Vec::new(), scale, &mut Vec::new(), unmatched)
}

/// The certificate of duals in halves, with the bound that they make.
pub(super) fn certify(
    vertex_duals: Vec<i128>,
    blossoms: Vec<Blossom>,
    scale: &Scale,
    sizes: &mut Vec<usize>,
    unmatched: &UnmatchedRule,
) -> Result<Certificate, Overflow> {
    // An optimum may consist of unmatched vertices alone, each with a penalty that was rounded.
    let rounded = if unmatched.penalties.is_empty() { 1 } else { 2 };
    let vertices = rounded * vertex_duals.len();
    let sum = dual_sum(&vertex_duals, &blossoms, sizes).and_then(|sum| {
        let raised = raised_by(&vertex_duals, scale, unmatched)?;
        sum.checked_sub(raised.checked_mul(unmatched.deficiency as i128)?)
    });
    Ok(Certificate::from_parts(CertificateParts {
        resolution: scale.resolution,
        quantisation_error: scale.error(vertices),
        dual_bound: scale.bound(sum.ok_or(Overflow)?, vertices),
        vertex_duals,
        blossoms,
        barrier: unmatched.barrier.clone(),
    }))
}

/// For maximum cardinality: the least by which all penalties must be raised to be no smaller than the duals.
fn raised_by(vertex_duals: &[i128], scale: &Scale, unmatched: &UnmatchedRule) -> Option<i128> {
    if unmatched.deficiency == 0 {
        return Some(0);
    }
    let above = vertex_duals
        .iter()
        .zip(&unmatched.penalties)
        .map(|(&y, &penalty)| {
            // Dropped: a penalty beyond the scale proves nothing here.
            let penalty = scale.halves::<i128>(penalty).ok()?;
            y.checked_sub(penalty)
        });
    above.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// sum y - sum z (|B| - 1) / 2, in halves; `None` beyond 128 bits.
fn dual_sum(vertex_duals: &[i128], blossoms: &[Blossom], sizes: &mut Vec<usize>) -> Option<i128> {
    let mut sum = vertex_duals
        .iter()
        .try_fold(0_i128, |sum, &y| sum.checked_add(y))?;
    sizes.clear();
    sizes.extend(blossoms.iter().map(|blossom| blossom.direct_vertices.len()));
    for (k, blossom) in blossoms.iter().enumerate().rev() {
        if let Some(around) = blossom.around {
            sizes[around] += sizes[k];
        }
        let pairs = (sizes[k] / 2) as i128;
        sum = sum.checked_sub(pairs.checked_mul(blossom.dual)?)?;
    }
    Some(sum)
}
