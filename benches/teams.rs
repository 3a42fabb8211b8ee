//! A group into two teams: the splitter to use beside trying all, and what fifty against fifty take.
//!
//! `balance` is one factor, the difference of mean skill. `factors` are six in terms: gaps of skill among all pairs,
//! languages of mates, ping and recent meetings of opponents, balances of skill and experience. `calls` is a function
//! without terms, of some 20 microseconds a call for a hundred players.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a benchmark may stop at the first surprise"
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use matchwright_lobby::{
    Balance, BestSplit, ExhaustiveSplit, Group, LobbyObjective, LobbyTerms, TeamSplitter,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// As many groups of each size take turns.
const GROUPS: u64 = 8;

struct Player {
    skill: f64,
    experience: f64,
    place: [f64; 2],
    language: u8,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Balance,
    Factors,
    Calls,
}

struct Objective {
    players: Vec<Player>,
    recent: Vec<bool>,
    kind: Kind,
}

impl Objective {
    fn draw(players: usize, kind: Kind, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let centres = [[0.0, 0.0], [0.3, 0.2], [1.0, 0.1], [0.8, 0.9]];
        let mut recent = vec![false; players * players];
        for i in 0..players {
            for j in 0..i {
                let met = rng.random_range(0..10) == 0;
                (recent[i * players + j], recent[j * players + i]) = (met, met);
            }
        }
        let mut player = || Player {
            skill: 1500.0 + (0..6).map(|_| rng.random_range(-200.0..200.0)).sum::<f64>(),
            experience: rng.random_range(0.0..10.0),
            place: centres[rng.random_range(0..4)].map(|at: f64| at + rng.random_range(-0.2..0.2)),
            language: rng.random_range(0..5),
        };
        let players = (0..players).map(|_| player()).collect();
        Self {
            players,
            recent,
            kind,
        }
    }

    fn build(&self, names: &[usize], (a, b): (usize, usize)) -> LobbyTerms {
        let player = |i: usize| &self.players[names[i]];
        let levels = |of: fn(&Player) -> f64| (0..names.len()).map(|i| of(player(i))).collect::<Vec<_>>();
        let balance = |of, most: f64, width: f64| {
            Balance::new(levels(of), most, move |gap| {
                most * (1.0 - gap / width).max(0.0).powf(1.3)
            })
        };
        let terms = LobbyTerms::new(names.len()).unwrap();
        if self.kind == Kind::Balance {
            return terms
                .with_balance(balance(|player| player.skill, 1.0, 400.0))
                .unwrap();
        }
        let (mates, rivals) = ((a * (a - 1) + b * (b - 1)) as f64 / 2.0, (a * b) as f64);
        let near = |i, j| 1.0 - ((player(i).skill - player(j).skill).abs() / 1500.0).min(1.0);
        let skill = |i, j| 0.2 * near(i, j) / (mates + rivals);
        let language = |i, j| f64::from(u8::from(player(i).language == player(j).language));
        let ping = |i, j| {
            let [x, y] = [0, 1].map(|axis| player(i).place[axis] - player(j).place[axis]);
            1.0 - x.hypot(y) / 2.0
        };
        let fresh =
            |i: usize, j: usize| f64::from(u8::from(!self.recent[names[i] * self.players.len() + names[j]]));
        terms
            .with_pairs(
                |i, j| Some(skill(i, j) + 0.15 * language(i, j) / mates),
                |i, j| Some(skill(i, j) + (0.2 * ping(i, j) + 0.1 * fresh(i, j)) / rivals),
            )
            .unwrap()
            .with_balance(balance(|player| player.skill, 0.25, 400.0))
            .unwrap()
            .with_balance(balance(|player| player.experience, 0.1, 3.0))
            .unwrap()
    }
}

impl LobbyObjective for Objective {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        let names = [team_a, team_b].concat();
        let places: Vec<usize> = (0..names.len()).collect();
        let (a, b) = places.split_at(team_a.len());
        self.build(&names, (a.len(), b.len())).quality(a, b)
    }

    fn terms(&self, players: &[usize], sizes: (usize, usize)) -> Option<LobbyTerms> {
        (self.kind != Kind::Calls).then(|| self.build(players, sizes))
    }
}

/// A function of about 20 microseconds a call, as a scorer of ten factors is on a hundred players.
fn slow(objective: &Objective) -> impl Fn(&[usize], &[usize]) -> Option<f64> + Sync + '_ {
    |a, b| {
        let skill = |i: usize| objective.players[i].skill;
        let mean = |team: &[usize]| team.iter().map(|&i| skill(i)).sum::<f64>() / team.len() as f64;
        let mut quality = 0.5 * (1.0 - (mean(a) - mean(b)).abs() / 2000.0).max(0.0);
        for &i in a {
            for &j in b {
                let ([x, y], [z, w]) = (objective.players[i].place, objective.players[j].place);
                let ping = (x - z).hypot(y - w).min(2.0);
                quality += 0.5 * (1.0 - ping / 2.0) / (a.len() * b.len()) as f64;
            }
        }
        Some(quality)
    }
}

fn splits(criterion: &mut Criterion) {
    for (name, kind) in [
        ("balance", Kind::Balance),
        ("factors", Kind::Factors),
        ("calls", Kind::Calls),
    ] {
        let mut group = criterion.benchmark_group(format!("teams, {name}"));
        group.sample_size(20);
        group.warm_up_time(Duration::from_millis(300));
        group.measurement_time(Duration::from_secs(2));
        for size in [5, 10, 25, 50] {
            let drawn: Vec<_> = (0..GROUPS)
                .map(|seed| Objective::draw(2 * size, kind, seed))
                .collect();
            let players = Group::equal((0..2 * size).collect::<Vec<_>>(), 2).unwrap();
            let turn = AtomicUsize::new(0);
            let next = || &drawn[turn.fetch_add(1, Ordering::Relaxed) % drawn.len()];
            let input = format!("{size}v{size}");
            let mut time = |contender: &str, splitter: &dyn TeamSplitter| {
                group.bench_function(BenchmarkId::new(contender, &input), |bencher| {
                    bencher.iter(|| {
                        let objective = next();
                        if kind == Kind::Calls {
                            splitter.split(&players, &slow(objective)).unwrap()
                        } else {
                            splitter.split(&players, objective).unwrap()
                        }
                    });
                });
            };
            time("matchwright", &BestSplit::new());
            time("matchwright exchanges", &BestSplit::new().with_splits(0));
            if size == 5 || (size == 10 && kind == Kind::Balance) {
                time("all splits", &ExhaustiveSplit);
            }
            if kind == Kind::Calls {
                continue;
            }
            let gap = |objective: &Objective| BestSplit::new().split(&players, objective).unwrap().gap();
            report(name, &input, drawn.iter().map(gap).fold(0.0, f64::max));
        }
        group.finish();
    }
}

/// The gap beside the times, which are Criterion's.
#[allow(clippy::print_stdout, reason = "a benchmark's output")]
fn report(name: &str, input: &str, widest: f64) {
    println!("teams, {name}, {input}: the widest gap of {GROUPS} groups is {widest:.2e}");
}

criterion_group!(benches, splits);
criterion_main!(benches);
