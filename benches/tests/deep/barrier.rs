//! Whether a barrier proves that there is no perfect matching, by counting.

use matchwright_solver::Barrier;

use crate::graph::Graph;

/// Takes the barrier's vertices out and counts the odd components that are left.
///
/// # Errors
/// What is not as the barrier says.
pub(crate) fn check(graph: &Graph, barrier: &Barrier) -> Result<(), String> {
    let n = graph.vertices();
    let Barrier {
        vertices,
        odd_components,
        unplaced,
    } = barrier;
    let ascending = |list: &[usize]| {
        list.windows(2).all(|two| two[0] < two[1]) && list.last().is_none_or(|&last| last < n)
    };
    if !ascending(vertices) || !ascending(unplaced) {
        return Err(format!("the barrier {barrier:?} is no set of vertices"));
    }
    let odd = odd_components_without(graph, vertices);
    if odd != *odd_components || odd <= vertices.len() || odd - vertices.len() != unplaced.len() {
        return Err(format!(
            "{odd} odd components are left, but the barrier is {barrier:?}"
        ));
    }
    Ok(())
}

/// Components with an odd number of vertices, by walking through the graph.
fn odd_components_without(graph: &Graph, removed: &[usize]) -> usize {
    let n = graph.vertices();
    let mut seen = vec![false; n];
    for &v in removed {
        seen[v] = true;
    }
    let mut odd = 0;
    for root in 0..n {
        let mut size = 0;
        let mut open = vec![root];
        while let Some(v) = open.pop() {
            if std::mem::replace(&mut seen[v], true) {
                continue;
            }
            size += 1;
            open.extend((0..n).filter(|&to| graph.cost(v, to).is_some() && !seen[to]));
        }
        odd += size % 2;
    }
    odd
}
