//! Costs so near the largest float that sums of a few are none: solved made smaller, with answers made larger again.

use crate::certificate::{Certificate, CertificateParts};
use crate::costs::{CostOracle, Counted, Unmatched};

/// What costs are multiplied by, a power of two: duals and sums of them have room enough then.
const SHRINK: f64 = 1.0 / ENLARGE;

/// What gives them back.
pub(crate) const ENLARGE: f64 = (1_u128 << 127) as f64 * 2.0;

/// The same graph at smaller costs. No bit of a cost is lost that counts: the largest are beyond 2^900, and integers
/// of 118 bits end far above the smallest float.
pub(crate) struct Shrunk<'a> {
    costs: &'a Counted<'a>,
    penalties: Vec<f64>,
}

impl<'a> Shrunk<'a> {
    /// The same graph at smaller costs and penalties.
    pub(crate) fn new(costs: &'a Counted<'a>) -> Self {
        let penalties = costs.unmatched().penalties();
        Self {
            costs,
            penalties: penalties.iter().map(|&penalty| shrink(penalty)).collect(),
        }
    }
}

impl CostOracle for Shrunk<'_> {
    fn vertices(&self) -> usize {
        self.costs.vertices()
    }

    fn unmatched(&self) -> Unmatched<'_> {
        match self.costs.unmatched() {
            Unmatched::Forbidden => Unmatched::Forbidden,
            Unmatched::Penalties(_) => Unmatched::Penalties(&self.penalties),
            Unmatched::MaximumCardinality(_) => Unmatched::MaximumCardinality(&self.penalties),
        }
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.costs.cost(i, j).map(shrink)
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        self.costs
            .for_each_neighbour(i, &mut |j, cost| visit(j, shrink(cost)));
    }

    fn is_sparse(&self) -> bool {
        self.costs.is_sparse()
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        self.costs.cost_row(i, from, out);
        for cost in out {
            *cost = shrink(*cost);
        }
    }
}

/// What would vanish becomes the smallest float instead: a cost that is not 0 must be seen to be rounded.
fn shrink(cost: f64) -> f64 {
    let small = cost * SHRINK;
    if small == 0.0 && cost != 0.0 {
        f64::from_bits(1).copysign(cost)
    } else {
        small
    }
}

/// The proof for the costs as they were. What is beyond the floats then bounds nothing.
pub(crate) fn enlarged(certificate: Certificate) -> Certificate {
    let parts = certificate.into_parts();
    Certificate::from_parts(CertificateParts {
        resolution: parts.resolution * ENLARGE,
        quantisation_error: parts.quantisation_error * ENLARGE,
        dual_bound: parts.dual_bound * ENLARGE,
        ..parts
    })
}
