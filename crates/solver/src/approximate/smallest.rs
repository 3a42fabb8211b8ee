//! The smallest few of a row.

use super::graph::Row;

/// So many at once, which compilers turn into vector instructions.
const LANES: usize = 8;

/// The smallest of `factor` times the cost plus the vertex' offset; infinite if nobody is allowed.
pub(super) fn least(row: &Row<'_>, factor: f64, offsets: &[f64], minima: &mut Vec<f64>) -> f64 {
    let smaller = |least, value| if value < least { value } else { least };
    match row {
        Row::Dense(row) => {
            minima_of_groups(row, factor, offsets, minima);
            minima.iter().copied().fold(f64::INFINITY, smaller)
        }
        Row::Sparse(row) => {
            let values = row.iter().map(|&(j, cost)| factor * cost + offsets[j as usize]);
            values.fold(f64::INFINITY, smaller)
        }
    }
}

/// Makes `list` the `limit` smallest of these values and perhaps a few more, by vertex: (value, vertex).
/// Infinite offsets keep a vertex out. `minima` is memory.
pub(super) fn smallest_few(
    row: &Row<'_>,
    factor: f64,
    offsets: &[f64],
    limit: usize,
    minima: &mut Vec<f64>,
    list: &mut Vec<(f64, u32)>,
) {
    list.clear();
    match row {
        Row::Dense(row) => {
            minima_of_groups(row, factor, offsets, minima);
            // The group minimum that comes in that place is no less than as many values.
            let enough = if minima.len() > limit {
                *minima.select_nth_unstable_by(limit - 1, f64::total_cmp).1
            } else {
                f64::INFINITY
            };
            select(row, factor, offsets, enough, list);
        }
        Row::Sparse(row) => {
            // Adding 0 makes one zero of the two, so that they tie.
            let values = row
                .iter()
                .map(|&(j, cost)| (factor * cost + offsets[j as usize] + 0.0, j));
            list.extend(values.filter(|&(value, _)| value < f64::INFINITY));
        }
    }
}

/// Makes `list` the `limit` smallest, ascending, ties by the vertex.
pub(super) fn smallest(
    row: &Row<'_>,
    factor: f64,
    offsets: &[f64],
    limit: usize,
    minima: &mut Vec<f64>,
    list: &mut Vec<(f64, u32)>,
) {
    smallest_few(row, factor, offsets, limit, minima, list);
    let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if list.len() > limit {
        list.select_nth_unstable_by(limit - 1, order);
        list.truncate(limit);
    }
    list.sort_unstable_by(order);
}

/// The row is dealt out to groups of eight or so, which compilers can look at side by side.
fn minima_of_groups(row: &[f64], factor: f64, offsets: &[f64], minima: &mut Vec<f64>) {
    minima.clear();
    for (row, offsets) in row.chunks(LANES * LANES).zip(offsets.chunks(LANES * LANES)) {
        let (costs, costs_left) = row.as_chunks::<LANES>();
        let (offsets, offsets_left) = offsets.as_chunks::<LANES>();
        let mut least = [f64::INFINITY; LANES];
        for (costs, offsets) in costs.iter().zip(offsets) {
            for lane in 0..LANES {
                let value = factor * costs[lane] + offsets[lane];
                // False for NaN, a forbidden pair.
                least[lane] = if value < least[lane] { value } else { least[lane] };
            }
        }
        for ((cost, offset), least) in costs_left.iter().zip(offsets_left).zip(&mut least) {
            *least = (factor * cost + offset).min(*least);
        }
        minima.extend(least);
    }
}

/// Lists the finite values up to `enough`.
fn select(row: &[f64], factor: f64, offsets: &[f64], enough: f64, list: &mut Vec<(f64, u32)>) {
    let mut first = 0;
    for (costs, offsets) in row.chunks(LANES).zip(offsets.chunks(LANES)) {
        let both = costs.iter().zip(offsets);
        let small = both
            .clone()
            .map(|(cost, offset)| factor * cost + offset <= enough);
        if small.fold(false, |some, small| some | small) {
            for (j, (cost, offset)) in (first..).zip(both) {
                let value = factor * cost + offset;
                if value <= enough && value < f64::INFINITY {
                    list.push((value + 0.0, j));
                }
            }
        }
        first += 8;
    }
}
