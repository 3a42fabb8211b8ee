//! The smallest few of a row.

/// This many values are taken at once, which compilers turn into vector instructions.
const LANES: usize = 8;

/// Makes `list` the `limit` smallest of these weights plus offsets and perhaps a few more, by vertex: (value, vertex).
/// Infinite offsets keep a vertex out. `minima` is memory.
pub(super) fn smallest_few(
    row: &[f64],
    offsets: &[f64],
    limit: usize,
    minima: &mut Vec<f64>,
    list: &mut Vec<(f64, u32)>,
) {
    minima_of_groups(row, offsets, minima);
    // The group minimum that comes in that place is no less than as many values.
    let enough = if minima.len() > limit {
        *minima.select_nth_unstable_by(limit - 1, f64::total_cmp).1
    } else {
        f64::INFINITY
    };
    let mut first = 0;
    for (weights, offsets) in row.chunks(LANES).zip(offsets.chunks(LANES)) {
        let both = weights.iter().zip(offsets);
        let small = both.clone().map(|(weight, offset)| weight + offset <= enough);
        if small.fold(false, |some, small| some | small) {
            for (j, (weight, offset)) in (first..).zip(both) {
                let value = weight + offset;
                if value <= enough && value < f64::INFINITY {
                    // Adding 0 makes one zero of the two, so that they tie.
                    list.push((value + 0.0, j));
                }
            }
        }
        first += 8;
    }
}

/// Cuts a list to the `limit` smallest, ascending, ties by the vertex.
pub(super) fn cut(list: &mut Vec<(f64, u32)>, limit: usize) {
    let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if list.len() > limit {
        list.select_nth_unstable_by(limit - 1, order);
        list.truncate(limit);
    }
    list.sort_unstable_by(order);
}

/// The row is dealt out to groups of eight or so, which compilers can look at side by side.
fn minima_of_groups(row: &[f64], offsets: &[f64], minima: &mut Vec<f64>) {
    minima.clear();
    for (row, offsets) in row.chunks(LANES * LANES).zip(offsets.chunks(LANES * LANES)) {
        let mut least = [f64::INFINITY; LANES];
        for (weights, offsets) in row.chunks(LANES).zip(offsets.chunks(LANES)) {
            for ((weight, offset), least) in weights.iter().zip(offsets).zip(&mut least) {
                let value = weight + offset;
                // False for NaN, a forbidden pair.
                *least = if value < *least { value } else { *least };
            }
        }
        minima.extend(least);
    }
}
