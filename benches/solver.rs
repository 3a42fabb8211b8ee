//! Exact minimum-weight perfect matching on complete graphs, one thread, from costs in memory. mwmatching takes
//! its edges away at every solve, so its time holds a copy of them.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a benchmark may stop at the first surprise"
)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use matchwright_benches::{Instance, eomm, uniform};
use matchwright_solver::{DenseCosts, ExactPairing, PairingSolver, Workspace};
use rustworkx_core::max_weight_matching::max_weight_matching;
use rustworkx_core::petgraph::graph::{EdgeReference, NodeIndex, UnGraph};

fn exact(criterion: &mut Criterion) {
    for (family, make) in [("eomm", eomm as fn(usize, u64) -> Instance), ("uniform", uniform)] {
        let mut group = criterion.benchmark_group(format!("pairing {family}"));
        group.sample_size(10);
        for n in [100, 200, 300] {
            let instance = make(n, 1);
            let optimum = instance.optimum();
            group.bench_with_input(
                BenchmarkId::new("matchwright", n),
                &instance,
                |bencher, instance| {
                    let costs = instance.dense();
                    let mut workspace = Workspace::new();
                    bencher.iter(|| {
                        let pairing = ExactPairing::minimum().solve(&mut workspace, &costs).unwrap();
                        assert_eq!(pairing.cost(), optimum);
                    });
                },
            );
            group.bench_with_input(
                BenchmarkId::new("mwmatching", n),
                &instance,
                |bencher, instance| {
                    bencher.iter(|| {
                        let edges = instance
                            .costs
                            .iter()
                            .map(|&(i, j, cost)| (i, j, FLIP - cost))
                            .collect();
                        let mates = mwmatching::Matching::new(edges).max_cardinality().solve();
                        assert_eq!(instance.cost_of(|i| mates[i]), optimum);
                    });
                },
            );
            group.bench_with_input(
                BenchmarkId::new("rustworkx-core", n),
                &instance,
                |bencher, instance| {
                    let graph: UnGraph<(), i32> = UnGraph::from_edges(
                        instance
                            .costs
                            .iter()
                            .map(|&(i, j, cost)| (NodeIndex::new(i), NodeIndex::new(j), FLIP - cost)),
                    );
                    bencher.iter(|| {
                        let weight = |edge: EdgeReference<'_, i32>| Ok::<i128, ()>((*edge.weight()).into());
                        let pairs = max_weight_matching(&graph, true, weight, false).unwrap();
                        assert_eq!(pairs.len() * 2, instance.n);
                    });
                },
            );
        }
        group.finish();
    }
}

/// Peers maximise: they get this less the cost.
const FLIP: i32 = 4_000_000;

trait Solved {
    fn dense(&self) -> DenseCosts;
    fn optimum(&self) -> f64;
    fn cost_of(&self, mate: impl Fn(usize) -> usize) -> f64;
}

impl Solved for Instance {
    fn dense(&self) -> DenseCosts {
        let mut next = self.costs.iter();
        DenseCosts::from_fn(self.n, |_, _| {
            next.next().map_or(f64::NAN, |&(_, _, cost)| cost.into())
        })
        .unwrap()
    }

    fn optimum(&self) -> f64 {
        ExactPairing::minimum()
            .solve(&mut Workspace::new(), &self.dense())
            .unwrap()
            .cost()
    }

    fn cost_of(&self, mate: impl Fn(usize) -> usize) -> f64 {
        self.costs
            .iter()
            .filter(|&&(i, j, _)| mate(i) == j)
            .map(|&(_, _, cost)| f64::from(cost))
            .sum()
    }
}

criterion_group!(benches, exact);
criterion_main!(benches);
