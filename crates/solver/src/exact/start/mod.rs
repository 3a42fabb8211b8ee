//! The start of a solve: duals that are nearly right, and the candidates that go with them.
//!
//! | graph | duals | candidates |
//! |---|---|---|
//! | few edges or vertices | half of each vertex's least weight | all edges |
//! | [`levels`]: rows | solved on a sample, extended to the next larger one | the smallest reduced costs |
//! | [`nearby`]: points | half the distance to the nearest neighbour | the nearest, less their duals |
//! | [`edges`]: sparse | raised step by step from half the least weight | the smallest reduced costs |

pub(super) mod edges;
pub(super) mod levels;
pub(super) mod nearby;
pub(super) mod select;

/// How many candidates each vertex chooses; others may choose it besides. More of them cost more to search, fewer
/// leave more pairs to be found by pricing, which is the dearer the larger the graph.
pub(super) fn choices(vertices: usize) -> usize {
    let doublings = (vertices / 1024)
        .checked_ilog2()
        .map_or(0, |log| log as usize + 1);
    match vertices {
        0..128 => 8,
        128..256 => 12,
        _ => 16 + 4 * doublings,
    }
}
