//! Points: candidates are neighbours in space.

use super::super::engine::{Effort, Engine};
use super::super::halt::Halt;
use super::super::integer::Integer;
use super::super::quantise::Scale;
use super::super::watch::Watch;
use crate::read::Graph;
use crate::read::space::{Duals, Space};

/// Each vertex chooses this many near neighbours: fewer than where reduced costs are less telling than
/// distances.
const NEAREST: usize = 10;

/// Finding these takes as long as this many looks for the nearest one.
const LOOKS: f64 = 3.0;

/// Beyond these dimensions there are too many directions in which another may be chosen.
const MOST_DIMENSIONS: usize = 3;

/// Half of each vertex's least cost as duals, its nearest neighbours as candidates, with one more in each direction in which
/// none of them lies, and a fractional optimum on these.
pub(in super::super) fn start<W: Integer>(
    space: &Space<'_>,
    scale: &Scale,
    engine: &mut Engine<W>,
    known: Option<&[f64]>,
    watch: &mut Watch<'_>,
) -> Result<(), Halt> {
    let vertices = space.vertices();
    engine.enter(None);
    engine.candidates.reset(vertices);
    let level = vec![0.0; vertices];
    let duals = space.arrange(known.unwrap_or(&level));
    let directions = match space.dimensions() {
        few @ ..=MOST_DIMENSIONS => 1 << few,
        _ => 0,
    };
    watch.look(LOOKS, || near_ones(space, &duals, directions, scale, engine))?;
    // A perfect matching of short edges: neighbours in the order of the tree.
    for pair in space.order().chunks_exact(2) {
        engine.add(space, scale, pair[0].min(pair[1]), pair[0].max(pair[1]))?;
    }
    engine.candidates.merge();
    engine.start_fractional(known, scale)?;
    engine.optimise_fractional(space, scale, Effort::Whole, watch)
}

/// Each vertex's nearest become candidates, and one more in each direction in which none of them lies.
fn near_ones<W: Integer>(
    space: &Space<'_>,
    duals: &Duals,
    directions: usize,
    scale: &Scale,
    engine: &mut Engine<W>,
) -> Result<(), Halt> {
    let mut best = Vec::new();
    for (place, &i) in space.order().iter().enumerate() {
        space.nearest(place, NEAREST, duals, &mut best);
        for &(_, j) in &best {
            engine.add(space, scale, i.min(j), i.max(j))?;
        }
        // At the edge of a cluster all of these are in it, but an odd cluster needs a partner in another.
        let has: u32 = best
            .iter()
            .map(|&(_, j)| 1 << space.sides(i, j))
            .fold(0, |has, side| has | side);
        for sides in (0..directions).filter(|sides| has >> sides & 1 == 0) {
            space.nearest_towards(place, sides, duals, &mut best);
            for &(_, j) in &best {
                engine.add(space, scale, i.min(j), i.max(j))?;
            }
        }
    }
    Ok(())
}

/// The largest cost of a pair of neighbours, to choose a scale by.
pub(in super::super) fn largest_cost(space: &Space<'_>) -> Result<f64, Halt> {
    let level = vec![0.0; space.vertices()];
    let duals = space.arrange(&level);
    let mut best = Vec::new();
    let mut largest = 0.0_f64;
    for (place, &i) in space.order().iter().enumerate() {
        space.nearest(place, 1, &duals, &mut best);
        for &(_, j) in &best {
            largest = space.cost(i, j)?.map_or(largest, |cost| largest.max(cost.abs()));
        }
    }
    for pair in space.order().chunks_exact(2) {
        largest = space
            .cost(pair[0], pair[1])?
            .map_or(largest, |cost| largest.max(cost.abs()));
    }
    Ok(largest)
}
