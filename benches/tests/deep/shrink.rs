//! A smaller graph that goes wrong as well.

use crate::graph::Graph;

/// Takes out what can be spared while `fails` stays true: vertices in ever smaller lots, then edges, then what
/// costs can be made 0 or halved. Edges and costs only once there are few.
pub(crate) fn shrink(mut graph: Graph, fails: impl Fn(&Graph) -> bool) -> Graph {
    const FEW: usize = 300;
    let mut lot = graph.vertices() / 2;
    while lot > 0 {
        let mut start = 0;
        while start < graph.vertices() {
            let spared = start..start + lot;
            let keep: Vec<_> = (0..graph.vertices()).filter(|v| !spared.contains(v)).collect();
            let smaller = graph.induced(&keep);
            if fails(&smaller) {
                graph = smaller;
            } else {
                start += lot;
            }
        }
        lot /= 2;
    }
    if graph.edges().count() > FEW {
        return graph;
    }
    for change in [|_| None, |_| Some(0.0), |cost: f64| Some((cost / 2.0).trunc())] {
        while let Some(simpler) = one_simpler(&graph, change, &fails) {
            graph = simpler;
        }
    }
    graph
}

/// The graph with one cost changed.
fn one_simpler(
    graph: &Graph,
    change: impl Fn(f64) -> Option<f64>,
    fails: impl Fn(&Graph) -> bool,
) -> Option<Graph> {
    let changed = graph
        .edges()
        .filter(|&(_, _, cost)| change(cost) != Some(cost))
        .map(|(i, j, cost)| graph.with_cost(i, j, change(cost)));
    changed.into_iter().find(|simpler| fails(simpler))
}
