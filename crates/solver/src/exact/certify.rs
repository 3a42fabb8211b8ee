//! The duals at the end, in the words of the certificate.

use super::blossom::Forest;
use super::integer::{Integer, Overflow};
use super::quantise::Scale;
use crate::certificate::{Blossom, Certificate, CertificateParts};

impl<W: Integer> Forest<W> {
    /// The certificate of the matching that stands when every search has ended well.
    pub(super) fn certificate(&mut self, scale: &Scale) -> Result<Certificate, Overflow> {
        let blossoms = self.blossoms_with_dual();
        let vertex_duals: Vec<_> = self.dual.iter().map(|&y| y.wide()).collect();
        let mut sum = 0_i128;
        for &y in &vertex_duals {
            sum = sum.checked_add(y).ok_or(Overflow)?;
        }
        for set in &blossoms {
            let pairs = (set.vertices.len() / 2) as i128;
            let inside = pairs.checked_mul(set.dual).ok_or(Overflow)?;
            sum = sum.checked_sub(inside).ok_or(Overflow)?;
        }
        Ok(Certificate::from_parts(CertificateParts {
            resolution: scale.resolution,
            quantisation_error: scale.error(self.vertices()),
            dual_bound: scale.bound(sum, self.vertices()),
            vertex_duals,
            blossoms,
        }))
    }

    /// Blossoms with a positive dual, by their smallest vertex, then from large to small.
    fn blossoms_with_dual(&mut self) -> Vec<Blossom> {
        let mut list = Vec::new();
        for node in self.vertices()..self.parent.len() {
            let in_use = self.is_in_use(node);
            let dual = self.cycle(node).map_or(0, |cycle| cycle.dual.wide());
            if in_use && dual > 0 {
                let mut vertices = Vec::new();
                self.gather(node, &mut vertices);
                vertices.sort_unstable();
                list.push(Blossom { vertices, dual });
            }
        }
        list.sort_by_key(|blossom| (blossom.vertices[0], std::cmp::Reverse(blossom.vertices.len())));
        list
    }
}
