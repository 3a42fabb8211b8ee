//! The proof that comes with an exact answer.

use crate::error::Barrier;

/// A dual solution in exact integers, which bounds the cost of every pairing from one side.
///
/// With w the costs divided by the resolution and rounded (negated first if the objective is to maximise),
/// and all duals counted in halves so that they are integers, the reduced cost of an allowed pair is
///
/// ```text
/// s_ij = 2 w_ij - y_i - y_j + sum of z_B over the blossoms B that hold both i and j
/// ```
///
/// Every perfect matching M has |M within B| <= (|B| - 1) / 2, so that s >= 0 and z >= 0 prove
///
/// ```text
/// 2 w(M) >= sum of y_i - sum of z_B (|B| - 1) / 2
/// ```
///
/// and a matching for which both sides are equal is a minimum. [`verify`](crate::verify()) checks all of it.
///
/// # Unmatched vertices
/// Where vertex i may stay unmatched at the penalty `p_i` ([`Unmatched`](crate::Unmatched)), the proof also asks for
/// `y_i <= 2 p_i`, with equality for unmatched vertices. For maximum cardinality the penalties are raised by a common
/// amount, M = max of (`y_i` - `2 p_i`), and the [`barrier`](Self::barrier) shows that every matching leaves at least d
/// vertices unmatched; so a matching that leaves d has
///
/// ```text
/// 2 w(M) + sum of 2 p_i over its unmatched vertices >= sum of y_i - sum of z_B (|B| - 1) / 2 - d M
/// ```
///
/// Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", J. Res. Nat. Bur. Standards 69B (1965),
/// theorem P.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Certificate(CertificateParts);

/// An odd set of vertices, more tightly bound to each other than the vertex duals alone can say.
///
/// Blossoms nest, on smooth costs hundreds deep. So that the list of all takes O(n) memory, each names only the
/// vertices that no blossom inside it holds; [`Certificate::blossom_vertices`] has all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Blossom {
    /// The vertices directly inside, ascending: those within no smaller blossom. With the vertices of the blossoms
    /// inside, they are an odd number, 3 or more.
    pub direct_vertices: Vec<usize>,
    /// The blossom directly around: its index, which is smaller than the own; `None` for an outermost blossom.
    pub around: Option<usize>,
    /// Its dual z in halves of a quantised cost, never negative.
    pub dual: i128,
}

/// What a certificate is made of, to build one from somebody else's duals.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CertificateParts {
    /// The true cost of one quantised unit, a power of two.
    pub resolution: f64,
    /// The most by which rounding can have cost the true optimum; see [`Certificate::quantisation_error`].
    pub quantisation_error: f64,
    /// The bound claimed on the true scale; see [`Certificate::dual_bound`].
    pub dual_bound: f64,
    /// y of every vertex, in halves.
    pub vertex_duals: Vec<i128>,
    /// The blossoms, in any order in which those around come before those inside.
    pub blossoms: Vec<Blossom>,
    /// For maximum cardinality: why no fewer vertices can stay unmatched.
    pub barrier: Option<Barrier>,
}

impl Certificate {
    /// The certificate of these parts, unchecked: [`verify`](crate::verify()) is the judge.
    #[must_use]
    pub fn from_parts(parts: CertificateParts) -> Self {
        Self(parts)
    }

    /// The parts again, to look at or to change.
    #[must_use]
    pub fn into_parts(self) -> CertificateParts {
        self.0
    }

    /// The true cost of one quantised unit: a power of two.
    #[must_use]
    pub fn resolution(&self) -> f64 {
        self.0.resolution
    }

    /// The most by which the pairing may miss the true optimum because costs were rounded to multiples of
    /// [`resolution`](Self::resolution): n times the largest rounding error of a cost (n/2 pairs of ours
    /// and n/2 of the true optimum). Exactly 0 if all costs are such multiples; which costs are rounded at
    /// all, [`ExactPairing`](crate::ExactPairing) says.
    #[must_use]
    pub fn quantisation_error(&self) -> f64 {
        self.0.quantisation_error
    }

    /// The bound on the true scale: no pairing costs less (if minimised) or more (if maximised).
    ///
    /// It is the dual sum, taken back (if minimised; raised if maximised) by
    /// [`quantisation_error`](Self::quantisation_error), and rounded in that direction to an `f64`; so it
    /// holds for the true costs, added up without rounding.
    #[must_use]
    pub fn dual_bound(&self) -> f64 {
        self.0.dual_bound
    }

    /// y of every vertex, in halves of a quantised cost.
    #[must_use]
    pub fn vertex_duals(&self) -> &[i128] {
        &self.0.vertex_duals
    }

    /// y of every vertex in costs, to start another solve from (see
    /// [`ExactPairing::solve_from`](crate::ExactPairing::solve_from)): of the negated costs if the objective is to
    /// maximise. Rounded.
    pub fn duals(&self) -> impl Iterator<Item = f64> + '_ {
        let scale = 0.5 * self.0.resolution;
        self.0.vertex_duals.iter().map(move |&dual| dual as f64 * scale)
    }

    /// The blossoms: of any two, one holds the other or they share no vertex. Those around come before those inside.
    ///
    /// [`ExactPairing`](crate::ExactPairing) lists the blossoms with a positive dual, by their smallest vertex and
    /// then from large to small.
    #[must_use]
    pub fn blossoms(&self) -> &[Blossom] {
        &self.0.blossoms
    }

    /// For maximum cardinality: why no fewer vertices can stay unmatched.
    #[must_use]
    pub fn barrier(&self) -> Option<&Barrier> {
        self.0.barrier.as_ref()
    }

    /// All vertices of a blossom, those of the blossoms inside it included, ascending. O(n log n).
    ///
    /// # Panics
    /// If there is no blossom `k`, as indexing does.
    ///
    /// ```
    /// use matchwright_solver::{Blossom, Certificate, CertificateParts};
    ///
    /// let certificate = Certificate::from_parts(CertificateParts {
    ///     resolution: 1.0,
    ///     quantisation_error: 0.0,
    ///     dual_bound: 0.0,
    ///     vertex_duals: vec![0; 6],
    ///     blossoms: vec![
    ///         Blossom { direct_vertices: vec![0, 4], around: None, dual: 2 },
    ///         Blossom { direct_vertices: vec![1, 2, 5], around: Some(0), dual: 6 },
    ///     ],
    ///     barrier: None,
    /// });
    /// assert_eq!(certificate.blossom_vertices(0), [0, 1, 2, 4, 5]);
    /// assert_eq!(certificate.blossom_vertices(1), [1, 2, 5]);
    /// ```
    #[must_use]
    pub fn blossom_vertices(&self, k: usize) -> Vec<usize> {
        let mut vertices = self.0.blossoms[k].direct_vertices.clone();
        // Of the blossoms from k on: whether they lie inside it.
        let mut inside = vec![true];
        for blossom in &self.0.blossoms[k + 1..] {
            let around = blossom.around.and_then(|around| around.checked_sub(k));
            let is_inside = around.and_then(|at| inside.get(at)) == Some(&true);
            inside.push(is_inside);
            if is_inside {
                vertices.extend_from_slice(&blossom.direct_vertices);
            }
        }
        vertices.sort_unstable();
        vertices
    }
}
