//! EOMM's pairing of pools drawn from one list of players: from duals learnt on the list, and from nothing.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a benchmark may stop at the first surprise"
)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use matchwright_benches::EommCosts;
use matchwright_sim::policy::{
    EngagementMatchmaking, PairingPolicy, PlayerDual, PoolStarts, SamplePlan, StartingDuals, WaitingPool,
};
use matchwright_solver::{CostOracle, DenseCosts, Objective, Workspace};
use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;

/// As many as the study's states.
const LIST: usize = 10_000;
/// As many pools of each size take turns.
const POOLS: usize = 20;

struct Pool {
    costs: DenseCosts,
    players: Vec<PlayerDual>,
}

fn pools(list: &EommCosts, starts: &StartingDuals, size: usize) -> Vec<Pool> {
    let mut rng = ChaCha8Rng::seed_from_u64(size as u64);
    let mut pool = || {
        let chosen = sample(&mut rng, LIST, size).into_vec();
        Pool {
            costs: DenseCosts::from_fn(size, |i, j| list.cost(chosen[i], chosen[j]).unwrap()).unwrap(),
            players: chosen.iter().map(|&i| starts.player(i)).collect(),
        }
    };
    (0..POOLS).map(|_| pool()).collect()
}

fn policies(criterion: &mut Criterion) {
    let list = EommCosts::draw(LIST, 1);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let ends = [Objective::Minimize];
    let [starts] = StartingDuals::learn(&list, ends, SamplePlan::default(), &mut rng).unwrap();
    let (mut workspace, mut duals) = (Workspace::new(), Vec::new());
    let mut group = criterion.benchmark_group("policy eomm, pools of a list");
    for size in [100, 200, 300, 400, 500] {
        let pools = pools(&list, &starts, size);
        let skills = vec![0.0; size];
        for (name, learnt) in [("matchwright", true), ("matchwright from nothing", false)] {
            let mut turns = pools.iter().cycle();
            let id = BenchmarkId::new(name, format!("P={size}"));
            group.bench_function(id, |bencher| {
                bencher.iter(|| {
                    let pool = turns.next().unwrap();
                    let mut waiting = WaitingPool {
                        skills: &skills,
                        costs: &pool.costs,
                        starts: PoolStarts::default(),
                    };
                    if learnt {
                        starts.write_pool(pool.players.iter().copied(), &mut duals);
                        waiting.starts.least = Some(&duals);
                    }
                    EngagementMatchmaking
                        .pair(waiting, &mut rng, &mut workspace)
                        .unwrap()
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, policies);
criterion_main!(benches);
