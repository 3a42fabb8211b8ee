//! Penalties of leaving vertices out: lines `i penalty`.

use std::collections::HashMap;

use super::text::{Fault, content, words};
use crate::failure::{Failure, shown};
use crate::input::Source;
use matchwright_import::number::{ROUNDED, is_rounded};

/// Whether a penalty can be used: two of them are added.
pub(crate) fn is_penalty(penalty: f64) -> bool {
    (2.0 * penalty).is_finite()
}

/// Reads the penalties of a graph's vertices; those that are not listed get `others`. Blank lines and lines that begin
/// with `#` are passed over.
pub(crate) fn read_penalties(
    source: &Source,
    vertices: usize,
    names: Option<&[String]>,
    others: Option<f64>,
) -> Result<Vec<f64>, Failure> {
    let mut penalties: Vec<Option<f64>> = vec![None; vertices];
    let places: Option<HashMap<&[u8], usize>> =
        names.map(|names| names.iter().map(String::as_bytes).zip(0..).collect());
    for (line, text) in content(source.text()) {
        let entry = match &places {
            None => entry(text),
            Some(places) => named_entry(text, places),
        };
        let entered = entry.and_then(|(vertex, penalty)| enter(&mut penalties, vertex, penalty));
        entered.map_err(|fault| source.name.at(line, fault))?;
    }
    let missing = |vertex: usize| {
        let what = "list it, or give --unmatched-penalty for all that are not listed";
        let vertex = names.map_or_else(
            || format!("vertex {vertex}"),
            |names| format!("`{}`", shown(&names[vertex])),
        );
        source.name.refuse(format!("{vertex} has no penalty: {what}"))
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

/// A name, which may hold blanks, and its penalty after the last blank or comma.
fn named_entry(line: &[u8], places: &HashMap<&[u8], usize>) -> Result<(usize, f64), Fault> {
    let line = line.trim_ascii();
    let end = line
        .iter()
        .rposition(|byte| byte.is_ascii_whitespace() || *byte == b',')
        .unwrap_or(0);
    let (name, rest) = line.split_at(end);
    let name = name.strip_suffix(b",").unwrap_or(name).trim_ascii();
    let word = std::str::from_utf8(rest).map_or("", |rest| rest.trim_start_matches(',').trim());
    let penalty = word.parse().ok();
    let vertex = places.get(name).ok_or_else(|| {
        let name = shown(&String::from_utf8_lossy(name));
        (
            1,
            format!("`{name}` is not in the graph; a penalty is `NAME PENALTY`"),
        )
    })?;
    match penalty.filter(|penalty| is_penalty(*penalty)) {
        Some(penalty) if is_rounded(word, penalty) => Err((
            end as u64 + 1,
            format!("the penalty is `{}`; {ROUNDED}", shown(word)),
        )),
        Some(penalty) => Ok((*vertex, penalty)),
        None => Err((
            end as u64 + 1,
            "no finite penalty; a penalty is `NAME PENALTY`".to_owned(),
        )),
    }
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
