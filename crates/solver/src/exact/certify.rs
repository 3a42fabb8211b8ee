//! The duals at the end, in the words of the certificate.

use super::forest::{Forest, NONE};
use super::quantise::Scale;
use crate::certificate::{Blossom, Certificate, CertificateParts};

impl Forest {
    /// The certificate of the matching that stands when every search has ended well.
    pub(super) fn certificate(&mut self, scale: &Scale) -> Certificate {
        let blossoms = self.blossoms_with_dual();
        let inside = |set: &Blossom| (set.vertices.len() / 2) as i128 * i128::from(set.dual);
        let vertices: i128 = self.dual.iter().map(|&y| i128::from(y)).sum();
        let bound = vertices - blossoms.iter().map(inside).sum::<i128>();
        Certificate::from_parts(CertificateParts {
            resolution: scale.resolution,
            quantisation_error: self.vertices() as f64 * scale.largest_error,
            dual_bound: scale.true_cost(bound),
            vertex_duals: self.dual.clone(),
            blossoms,
        })
    }

    /// Blossoms with a positive dual, by their smallest vertex, then from large to small.
    fn blossoms_with_dual(&mut self) -> Vec<Blossom> {
        let mut list = Vec::new();
        for node in self.vertices()..self.parent.len() {
            let in_use =
                self.parent[node] != NONE || self.base[node] != NONE && self.top[self.base[node]] == node;
            let dual = self.cycle(node).map_or(0, |cycle| cycle.dual);
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
