//! Sparse graphs: candidates by reduced cost, as long as there are fewer of them than edges.

use super::super::engine::{Effort, Engine};
use super::super::halt::Halt;
use super::super::integer::Integer;
use super::super::quantise::Scale;
use super::super::read::Graph;
use super::super::read::lists::Lists;
use super::super::watch::Watch;
use super::choices;
use super::select::Selection;

/// Times that duals are raised before candidates are chosen.
const SWEEPS: usize = 4;

/// Duals that are feasible everywhere, candidates by these, and a fractional optimum on the candidates.
pub(in super::super) fn start<W: Integer>(
    lists: &Lists<'_>,
    scale: &Scale,
    engine: &mut Engine<W>,
    known: Option<&[f64]>,
    watch: &mut Watch<'_>,
) -> Result<(), Halt> {
    let vertices = lists.vertices();
    if lists.edges() <= 3 * choices(vertices) * vertices {
        engine.take_all(lists, scale)?;
        if known.is_some() {
            engine.start_fractional(known, scale);
        }
        return engine.optimise_fractional(lists, scale, Effort::Whole, watch);
    }
    let duals = known.map_or_else(|| raised(lists), <[f64]>::to_vec);
    let mut selection = Selection::<f64>::default();
    selection.reset(vertices, choices(vertices), f64::INFINITY);
    for i in 0..vertices {
        for (j, cost) in lists.row(i) {
            selection.offer(i, j, cost - duals[i] - duals[j as usize]);
        }
    }
    selection.finish();
    engine.candidates.reset(vertices);
    let mut outcome = Ok(());
    selection.for_each_pair(|i, j| {
        if outcome.is_ok() {
            outcome = engine.add(lists, scale, i, j);
        }
    });
    outcome?;
    engine.candidates.merge();
    engine.start_fractional(Some(&duals), scale);
    engine.optimise_fractional(lists, scale, Effort::Whole, watch)
}

/// Half of the least cost of each vertex, raised some times by half of what all leave it: y and its c-transform v are
/// feasible with one another, hence so is (y + v) / 2.
fn raised(lists: &Lists<'_>) -> Vec<f64> {
    let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
    let least = |i: usize, duals: Option<&[f64]>| {
        let slacks = lists
            .row(i)
            .map(|(j, cost)| cost - duals.map_or(0.0, |duals| duals[j as usize]));
        finite(slacks.fold(f64::INFINITY, f64::min))
    };
    let mut duals: Vec<f64> = (0..lists.vertices()).map(|i| 0.5 * least(i, None)).collect();
    for _ in 0..SWEEPS {
        let left = (0..duals.len()).map(|i| 0.5 * (duals[i] + least(i, Some(&duals))));
        duals = left.collect();
    }
    duals
}
