//! Penalties of leaving vertices out: lines `i penalty`.

use super::text::{Fault, content, words};
use crate::failure::Failure;
use crate::input::Source;

/// Whether a penalty can be used: two of them are added.
pub(crate) fn is_penalty(penalty: f64) -> bool {
    (2.0 * penalty).is_finite()
}

/// Reads the penalties of a graph's vertices; those that are not listed get `others`. Blank lines and lines that begin
/// with `#` are passed over.
pub(crate) fn read_penalties(
    source: &Source,
    vertices: usize,
    others: Option<f64>,
) -> Result<Vec<f64>, Failure> {
    let mut penalties: Vec<Option<f64>> = vec![None; vertices];
    for (line, text) in content(&source.text) {
        let entered = entry(text).and_then(|(vertex, penalty)| enter(&mut penalties, vertex, penalty));
        entered.map_err(|fault| source.name.at(line, fault))?;
    }
    let missing = |vertex| {
        let what = "list it, or give --unmatched-penalty for all that are not listed";
        source
            .name
            .refuse(format!("vertex {vertex} has no penalty: {what}"))
    };
    let penalties = penalties.into_iter().enumerate();
    penalties
        .map(|(vertex, penalty)| penalty.or(others).ok_or_else(|| missing(vertex)))
        .collect()
}

fn entry(line: &[u8]) -> Result<(usize, f64), Fault> {
    let [vertex, penalty] = words(line, ["vertex", "penalty"], "a penalty is `i penalty`")?;
    Ok((vertex.vertex()?, penalty.number(is_penalty)?))
}

fn enter(penalties: &mut [Option<f64>], vertex: usize, penalty: f64) -> Result<(), Fault> {
    let vertices = penalties.len();
    let Some(slot) = penalties.get_mut(vertex) else {
        let what = format!("vertex {vertex} is not in the graph: vertices run from 0 to below {vertices}");
        return Err((1, what));
    };
    match slot.replace(penalty) {
        Some(_) => Err((
            1,
            format!("vertex {vertex} has a penalty already: keep one of the two"),
        )),
        None => Ok(()),
    }
}
