//! The laws of what an oracle offers beside `cost`: the same costs, faster to read.

use super::violation::Law;
use crate::costs::{CostOracle, DenseCosts};

/// Distances may be computed in another order than costs: they are compared up to this part, as by the exact solver.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// What an oracle's costs should be.
type Truth<'a> = &'a dyn Fn(usize, usize) -> Option<f64>;

/// Which law is broken, and how.
type Broken = (Law, String);

/// Checks all forms but the neighbours, and samples of the vertices in all their forms.
pub(super) fn check_forms(costs: &dyn CostOracle) -> Result<(), Broken> {
    let truth = |i: usize, j: usize| costs.cost(i, j);
    check_readings(costs, &truth)?;
    for vertices in samples(costs.vertices()) {
        let Some(sample) = costs.among(&vertices) else {
            continue;
        };
        let truth = |i: usize, j: usize| costs.cost(vertices[i] as usize, vertices[j] as usize);
        let found = if sample.vertices() == vertices.len() {
            check_costs(&*sample, &truth).and_then(|()| check_readings(&*sample, &truth))
        } else {
            Err((Law::Sample, format!("{} vertices", sample.vertices())))
        };
        found.map_err(|(_, detail)| (Law::Sample, format!("among {vertices:?}: {detail}")))?;
    }
    Ok(())
}

/// Vertices that a solver might ask for: none, all, every second, the later half; two of them in another order.
fn samples(vertices: usize) -> impl Iterator<Item = Vec<u32>> {
    let all: Vec<u32> = (0..).take(vertices).collect();
    let every_second: Vec<u32> = all.iter().copied().step_by(2).collect();
    let later = all[vertices / 2..].to_vec();
    let backwards: Vec<u32> = all.iter().rev().copied().step_by(3).collect();
    let mut turned = all.clone();
    turned.rotate_left(vertices / 3);
    [Vec::new(), all, every_second, later, backwards, turned].into_iter()
}

/// The costs themselves, and the neighbours.
fn check_costs(costs: &dyn CostOracle, truth: Truth<'_>) -> Result<(), Broken> {
    let vertices = costs.vertices();
    for i in 0..vertices {
        check_pairs(costs, i, truth, Law::Sample)?;
        check_neighbours(costs, i, truth)?;
    }
    Ok(())
}

/// The costs of `i`, to the bit.
fn check_pairs(costs: &dyn CostOracle, i: usize, truth: Truth<'_>, law: Law) -> Result<(), Broken> {
    for j in (0..costs.vertices()).filter(|&j| j != i) {
        let (found, cost) = (costs.cost(i, j), truth(i, j));
        if found.map(f64::to_bits) != cost.map(f64::to_bits) {
            return Err((law, format!("({i}, {j}) costs {found:?} instead of {cost:?}")));
        }
    }
    Ok(())
}

/// Exactly the allowed partners of `i` are visited, once each, at their cost.
pub(super) fn check_neighbours(costs: &dyn CostOracle, i: usize, truth: Truth<'_>) -> Result<(), Broken> {
    let mut visited = Vec::new();
    costs.for_each_neighbour(i, &mut |j, cost| visited.push((j, cost)));
    visited.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let others = (0..costs.vertices()).filter(|&j| j != i);
    let allowed: Vec<_> = others.filter_map(|j| Some((j, truth(i, j)?))).collect();
    if visited == allowed {
        Ok(())
    } else {
        let detail = format!("vertex {i} visits {visited:?} instead of {allowed:?}");
        Err((Law::Neighbours, detail))
    }
}

/// Rows, bounds, the matrix and the space.
fn check_readings(costs: &dyn CostOracle, truth: Truth<'_>) -> Result<(), Broken> {
    let vertices = costs.vertices();
    let mut bounded = None;
    for i in 0..vertices {
        // Whole, empty, and cut where the vertex itself is just in, or not.
        for (from, to) in [
            (0, vertices),
            (0, i),
            (i, vertices),
            (i + 1, vertices),
            (vertices / 3, vertices - vertices / 4),
        ] {
            check_row(costs, i, from, to.max(from), truth)?;
            check_bounds(costs, i, from, to.max(from), truth, &mut bounded)?;
        }
    }
    costs
        .as_dense()
        .map_or(Ok(()), |matrix| check_matrix(matrix, vertices, truth))?;
    check_space(costs, truth)
}

fn check_row(
    costs: &dyn CostOracle,
    i: usize,
    from: usize,
    to: usize,
    truth: Truth<'_>,
) -> Result<(), Broken> {
    // Neither a cost nor forbidden: it shows where nothing was written.
    let mut row = vec![f64::INFINITY; to - from];
    costs.cost_row(i, from, &mut row);
    for (j, found) in (from..).zip(row) {
        let cost = if i == j { None } else { truth(i, j) };
        let same = cost.map_or(found.is_nan(), |cost| cost.to_bits() == found.to_bits());
        if !same {
            let detail = format!("({i}, {j}) costs {cost:?}, but {found} in the row {from}..{to}");
            return Err((Law::Rows, detail));
        }
    }
    Ok(())
}

/// `bounded` is whether there were bounds before.
fn check_bounds(
    costs: &dyn CostOracle,
    i: usize,
    from: usize,
    to: usize,
    truth: Truth<'_>,
    bounded: &mut Option<bool>,
) -> Result<(), Broken> {
    let mut bounds = vec![f32::INFINITY; to - from];
    let found = costs.lower_bounds(i, from, &mut bounds);
    if *bounded.get_or_insert(found) != found {
        let detail = format!("bounds for some rows, none for others: {found} for {i} in {from}..{to}");
        return Err((Law::LowerBounds, detail));
    }
    let others = (from..).zip(bounds).filter(|&(j, _)| found && j != i);
    for (j, bound) in others {
        // A bound of NaN is none.
        if let Some(cost) = truth(i, j).filter(|&cost| f64::from(bound) > cost || bound.is_nan()) {
            let detail = format!("({i}, {j}) costs {cost}, but its bound in {from}..{to} is {bound}");
            return Err((Law::LowerBounds, detail));
        }
    }
    Ok(())
}

fn check_matrix(matrix: &DenseCosts, vertices: usize, truth: Truth<'_>) -> Result<(), Broken> {
    if matrix.vertices() != vertices {
        let detail = format!("a matrix of {} vertices", matrix.vertices());
        return Err((Law::Matrix, detail));
    }
    (0..vertices).try_for_each(|i| check_pairs(matrix, i, truth, Law::Matrix))
}

fn check_space(costs: &dyn CostOracle, truth: Truth<'_>) -> Result<(), Broken> {
    let vertices = costs.vertices();
    let broken = |detail| Err((Law::Coordinates, detail));
    let Some(space) = costs.coordinates() else {
        return Ok(());
    };
    let (dimensions, values) = (space.dimensions, space.values.len());
    if dimensions == 0 || Some(values) != vertices.checked_mul(dimensions) {
        return broken(format!("{values} coordinates in {dimensions} dimensions"));
    }
    if let Some(at) = space.values.iter().position(|value| !value.is_finite()) {
        let vertex = at / dimensions;
        return broken(format!("vertex {vertex} lies at {:?}", space.point(vertex)));
    }
    for i in 0..vertices {
        for j in 0..i {
            let distance = space.distance(i, j);
            if let Some(cost) = truth(i, j).filter(|&cost| cost < distance - ROUNDING * distance) {
                return broken(format!("({i}, {j}) costs {cost}, but lies {distance} apart"));
            }
        }
    }
    Ok(())
}
