//! Sparse graphs: where there are many edges, samples tell the duals, as [`levels`](super::levels) has it.
//!
//! A sample of half the vertices has a quarter of the edges. The first is so small that all its edges are candidates;
//! from each to the next, twice as large, new vertices get what their neighbours leave them, and candidates are
//! those of the least reduced costs.

use super::super::engine::{Effort, Engine};
use super::super::halt::Halt;
use super::super::integer::Integer;
use super::super::quantise::Scale;
use super::super::watch::Watch;
use super::choices;
use super::levels::Samples;
use super::select::Selection;
use crate::costs::Adjacency;
use crate::read::lists::Lists;
use crate::read::{Graph, short};

/// Duals that are nearly right, candidates by these, and a fractional optimum on the candidates.
pub(in super::super) fn start<W: Integer>(
    lists: &Lists<'_>,
    scale: &Scale,
    engine: &mut Engine<W>,
    known: Option<&[f64]>,
    watch: &mut Watch<'_>,
) -> Result<(), Halt> {
    let vertices = lists.vertices();
    if all_will_do(lists.edges(), vertices) {
        engine.enter(None);
        watch.look(1.0, || engine.take_all(lists, scale))?;
        if known.is_some() {
            engine.start_fractional(known, scale)?;
        }
        return engine.optimise_fractional(lists, scale, Effort::Whole, watch);
    }
    let (mut first, mut edges) = (vertices, lists.edges());
    while !all_will_do(edges, first) {
        (first, edges) = (first.div_ceil(2), edges / 4);
    }
    let (mut memory, mut places) = (Adjacency::default(), vec![u32::MAX; vertices]);
    let solve = |sample: Option<&[u32]>, duals: &mut [f64], engine: &mut Engine<W>, watch: &mut Watch<'_>| {
        let Some(sample) = sample else {
            return level(lists, duals, scale, engine, Effort::Whole, watch);
        };
        places.fill(u32::MAX);
        for (place, &v) in (0..).zip(sample) {
            places[v as usize] = place;
        }
        let part = lists.among(sample, &places, &mut memory);
        level(&part, duals, scale, engine, Effort::Sample, watch)
    };
    Samples::default().climb((vertices, first), known, scale, (engine, watch), solve)
}

/// Whether so few edges are best taken as they are.
fn all_will_do(edges: usize, vertices: usize) -> bool {
    edges <= 3 * choices(vertices) * vertices
}

/// Solves one sample, or the whole graph, from duals: minus infinity where there is none yet.
fn level<W: Integer>(
    lists: &Lists<'_>,
    duals: &mut [f64],
    scale: &Scale,
    engine: &mut Engine<W>,
    effort: Effort,
    watch: &mut Watch<'_>,
) -> Result<(), Halt> {
    if duals.iter().all(|&dual| dual == f64::NEG_INFINITY) {
        engine.take_all(lists, scale)?;
        return engine.optimise_fractional(lists, scale, effort, watch);
    }
    extend(lists, duals);
    engine.cap(duals);
    take_least(lists, duals, scale, engine)?;
    engine.start_fractional(Some(duals), scale)?;
    engine.optimise_fractional(lists, scale, effort, watch)
}

/// Duals for the vertices that have none: what those leave them that have one; without such neighbours half of the
/// least cost.
fn extend(lists: &Lists<'_>, duals: &mut [f64]) {
    let new: Vec<usize> = (0..duals.len())
        .filter(|&i| duals[i] == f64::NEG_INFINITY)
        .collect();
    let left = |i: usize| {
        // Who has no dual counts as infinitely far.
        let left = lists.row(i).map(|(j, cost)| cost - duals[j as usize]);
        let left = left.fold(f64::INFINITY, f64::min);
        let half = || 0.5 * lists.row(i).map(|(_, cost)| cost).fold(f64::INFINITY, f64::min);
        [left, half()]
            .into_iter()
            .find(|dual| dual.is_finite())
            .unwrap_or(0.0)
    };
    let values: Vec<f64> = new.iter().map(|&i| left(i)).collect();
    for (i, value) in new.into_iter().zip(values) {
        duals[i] = value;
    }
}

/// Each vertex's smallest reduced costs become candidates.
fn take_least<W: Integer>(
    lists: &Lists<'_>,
    duals: &[f64],
    scale: &Scale,
    engine: &mut Engine<W>,
) -> Result<(), Halt> {
    let vertices = lists.vertices();
    let mut selection = Selection::<f64>::default();
    selection.reset(vertices, choices(vertices), f64::INFINITY);
    for i in 0..vertices {
        // From its own number on: of ties all would choose the same first few.
        let later = lists.row(i).skip_while(|&(j, _)| j < short(i));
        let earlier = lists.row(i).take_while(|&(j, _)| j < short(i));
        for (j, cost) in later.chain(earlier) {
            selection.offer(i, j, cost - duals[i] - duals[j as usize]);
        }
    }
    selection.finish();
    engine.candidates.reset(vertices);
    engine.add_all(lists, scale, selection.pairs())?;
    engine.candidates.merge();
    Ok(())
}
