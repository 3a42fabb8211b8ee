//! Which of several optimal pairings is the answer.
//!
//! The rule: of all pairings with the least sum of quantised costs, the one whose mates come first in
//! lexicographic order. Vertex 0 gets the smallest mate that it can have, then vertex 1, and so on.

use matchwright_solver::Pairing;

use crate::brute::least;
use crate::graph::Graph;
use crate::peers::{ALONE, ask_rustworkx};

/// The first of the optimal mates of a small graph, by trying all.
pub(crate) fn first_of_all(
    graph: &Graph,
    weight: impl Fn(usize, usize) -> Option<i128>,
) -> Option<Vec<usize>> {
    least(graph.vertices(), weight).map(|(_, mates)| mates)
}

/// The mates of the first vertices in the first of the optimal pairings, by a peer: costs are raised by the
/// mates' numbers as digits behind all that the costs can say, as many as 120 bits hold.
///
/// `None` if there is no room for a digit.
pub(crate) fn first_mates(
    graph: &Graph,
    weight: impl Fn(usize, usize) -> Option<i128>,
) -> Option<Vec<usize>> {
    let n = graph.vertices();
    let weights: Vec<_> = graph
        .edges()
        .filter_map(|(i, j, _)| Some((i, j, weight(i, j)?)))
        .collect();
    let least = weights.iter().map(|edge| edge.2).min()?;
    let span = weights.iter().map(|edge| edge.2 - least).max()?;
    let bits = |value: i128| i128::BITS - value.leading_zeros();
    let size = i128::try_from(n).ok()?;
    // A pairing's sum takes log n more bits than a cost, duals may take as many again.
    let digits = 118_u32.checked_sub(bits(span) + 2 * bits(size))? / bits(size);
    let digits = usize::try_from(digits).ok()?.min(n);
    let digit = |i: usize, j: usize| match digits.checked_sub(1 + i) {
        Some(place) => i128::try_from(j).unwrap_or(0) << (place * bits(size) as usize),
        None => 0,
    };
    let above = digits * bits(size) as usize;
    let raised =
        |&(i, j, w): &(usize, usize, i128)| (i, j, ((w - least) << above) + digit(i, j) + digit(j, i));
    let raised: Vec<_> = weights.iter().map(raised).collect();
    let largest = raised.iter().map(|edge| edge.2).max()?;
    let mut mates = ask_rustworkx(n, &raised, largest);
    mates.truncate(digits);
    (digits > 0 && !mates.contains(&ALONE)).then_some(mates)
}

/// A cost as the certificate of `pairing` counts it, to be made small.
pub(crate) fn quantised(graph: &Graph, pairing: &Pairing, i: usize, j: usize) -> Option<i128> {
    let certificate = pairing.certificate()?;
    let cost = pairing.objective()?.as_minimum(graph.cost(i, j)?);
    let steps = (cost / certificate.resolution()).round_ties_even();
    // Exact: an integer of at most 120 bits.
    #[allow(clippy::cast_possible_truncation, reason = "such an integer")]
    (steps.abs() < 2.0_f64.powi(120)).then_some(steps as i128)
}
