//! Lobbies: the way of Awesomenauts beside ours on the same pools, and how much of the rest is proven.
//!
//! Whole searches under a deadline, so nothing for a sampler of many short runs: every figure is one search of one
//! pool, and tables tell how many pools there were.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark may stop at the first surprise, and prints what it found"
)]

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::{Parser, ValueEnum};
use matchwright_scoring::{PolicyDocument, Pool, ScoringPolicy};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_solver::{
    Annealing, Awesomenauts, CertifiedLobbies, Lineups, LobbyPool, LobbySolver, LobbyWatch,
};

/// Six factors, as the article weighs them.
const POLICY: &str = include_str!("../examples/policies/awesomenauts.toml");

#[derive(Parser)]
struct Options {
    /// What to measure; all if not given
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// The first and the last seed, both included
    #[arg(long, num_args = 2, default_values_t = [1, 20])]
    seeds: Vec<u64>,
    /// Seconds that the way of Awesomenauts gets at most
    #[arg(long, default_value_t = 60.0)]
    port_seconds: f64,
    /// Searches at a time, each on one core
    #[arg(long, default_value_t = 1)]
    at_a_time: usize,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// 96 and 300 players: Awesomenauts' way beside annealing, at equal time and equal evaluations
    Search,
    /// 24 players: time to the proven optimum, with parties and without
    Small,
    /// 96 players: the gap after one second, and proofs within 30
    Proof,
    /// 300 players: the gap after a minute on two threads
    Bound,
    /// 5,000 players in five seconds: our parts beside 300 at a time
    Large,
}

fn main() {
    let options = Options::parse();
    let all = [Part::Search, Part::Small, Part::Proof, Part::Bound, Part::Large];
    let parts = if options.parts.is_empty() {
        &all[..]
    } else {
        &options.parts
    };
    for part in parts {
        match part {
            Part::Search => {
                search(&options, 96, &[1.0, 5.0], &[5.0, options.port_seconds]);
                search(&options, 300, &[0.1, 1.0], &[5.0, options.port_seconds]);
            }
            Part::Small => small(&options),
            Part::Proof => proof(&options),
            Part::Bound => bound(&options),
            Part::Large => large(&options),
        }
    }
}

/// A pool of players and what they are matched by.
struct Case {
    pool: Pool,
    policy: ScoringPolicy,
    lobbies: LobbyPool,
}

impl Case {
    fn draw(players: usize, in_parties: f64, seed: u64) -> Self {
        let params = LobbyWorldParams {
            players,
            in_parties,
            ..LobbyWorldParams::default()
        };
        let pool = Pool::new(lobby_players(&params, seed).unwrap()).unwrap();
        let document: PolicyDocument = toml::from_str(POLICY).unwrap();
        Self {
            lobbies: lobby_pool(&pool, (3, 3)).unwrap(),
            pool,
            policy: document.scoring.check().unwrap(),
        }
    }

    fn scoring(&self) -> LobbyScoring<'_> {
        LobbyScoring {
            pool: &self.pool,
            policy: &self.policy,
        }
    }
}

/// A search that ends when its time ends, and the seconds that it took.
fn within(
    seconds: f64,
    search: impl FnOnce(LobbyWatch<'_>) -> Result<Lineups, matchwright_solver::LobbyError>,
) -> (Lineups, f64) {
    let start = Instant::now();
    let lineups = search(&|_| start.elapsed().as_secs_f64() / seconds).unwrap();
    (lineups, start.elapsed().as_secs_f64())
}

/// The results for all seeds, in their order, several at a time.
fn for_seeds<T: Send>(options: &Options, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let seeds: Vec<u64> = (options.seeds[0]..=options.seeds[1]).collect();
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let worker = || {
            let mut mine = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(&seed) = seeds.get(at) else { return mine };
                mine.push((at, work(seed)));
                eprint!(".");
            }
        };
        let workers: Vec<_> = (0..options.at_a_time.max(1))
            .map(|_| scope.spawn(worker))
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    eprintln!();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count().max(1) as f64
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What one pool gave: a total and evaluations a second for each of our times and each of the port's, and for both at
/// equal evaluations.
struct Duel {
    ours: Vec<(f64, f64)>,
    port: Vec<(f64, f64)>,
    equal: [f64; 2],
}

/// Evaluations for the comparison at equal numbers.
const EVALUATIONS: u64 = 1_000_000;

fn search(options: &Options, players: usize, ours: &[f64], port: &[f64]) {
    let duels = for_seeds(options, |seed| {
        let case = Case::draw(players, 0.4, seed);
        let (pool, scoring) = (&case.lobbies, case.scoring());
        let mean_and_rate = |(lineups, seconds): (Lineups, f64)| {
            (lineups.mean_quality(), lineups.tried as f64 / seconds / 1e6)
        };
        let equal = [
            Annealing::new(seed).with_moves(EVALUATIONS).solve(pool, &scoring),
            Awesomenauts::new(seed)
                .with_starts(usize::MAX)
                .with_evaluations(EVALUATIONS)
                .solve(pool, &scoring),
        ];
        Duel {
            ours: ours
                .iter()
                .map(|&time| {
                    mean_and_rate(within(time, |watch| {
                        Annealing::new(seed).solve_while(pool, &scoring, watch)
                    }))
                })
                .collect(),
            port: port
                .iter()
                .map(|&time| {
                    mean_and_rate(within(time, |watch| {
                        Awesomenauts::new(seed).solve_while(pool, &scoring, watch)
                    }))
                })
                .collect(),
            equal: equal.map(|lineups| lineups.unwrap().mean_quality()),
        }
    });
    let mut text = format!(
        "\n## {players} players, 3 against 3, 40 % in parties, {} pools, one core each\n\n",
        duels.len()
    );
    text.push_str("| search | seconds | mean quality | M evaluations a second |\n|---|---:|---:|---:|\n");
    for (name, times) in [("annealing", ours), ("Awesomenauts", port)] {
        for (k, time) in times.iter().enumerate() {
            let of = |duel: &Duel| {
                if name == "annealing" {
                    duel.ours[k]
                } else {
                    duel.port[k]
                }
            };
            let quality = mean(duels.iter().map(|duel| of(duel).0));
            let rate = mean(duels.iter().map(|duel| of(duel).1));
            writeln!(text, "| {name} | {time} | {quality:.5} | {rate:.2} |").unwrap();
        }
    }
    text.push_str(
        "\n| annealing | Awesomenauts | annealing above | equal | below |\n|---|---|---:|---:|---:|\n",
    );
    let mut line = |ours: &str, port: &str, pairs: Vec<(f64, f64)>| {
        let count = |test: &dyn Fn(f64) -> bool| pairs.iter().filter(|(a, b)| test(a - b)).count();
        let (above, below) = (count(&|gap| gap > 1e-9), count(&|gap| gap < -1e-9));
        let same = pairs.len() - above - below;
        writeln!(text, "| {ours} | {port} | {above} | {same} | {below} |").unwrap();
    };
    for (i, a) in ours.iter().enumerate() {
        for (k, b) in port.iter().enumerate() {
            let pairs = duels
                .iter()
                .map(|duel| (duel.ours[i].0, duel.port[k].0))
                .collect();
            line(&format!("{a} s"), &format!("{b} s"), pairs);
        }
    }
    let equal = duels.iter().map(|duel| (duel.equal[0], duel.equal[1])).collect();
    line("a million exchanges", "a million splits", equal);
    println!("{text}");
}

fn small(options: &Options) {
    println!("\n## 24 players, 3 against 3: the proven optimum\n");
    println!("| in parties | pools | proven | median (ms) | greatest (ms) |\n|---|---:|---:|---:|---:|");
    for in_parties in [0.4, 0.0] {
        let ten_times = Options {
            seeds: vec![
                options.seeds[0],
                options.seeds[0] + 10 * (options.seeds[1] - options.seeds[0] + 1) - 1,
            ],
            parts: Vec::new(),
            at_a_time: 1,
            ..*options
        };
        let solved = for_seeds(&ten_times, |seed| {
            let case = Case::draw(24, in_parties, seed);
            let solver = CertifiedLobbies::new(seed);
            let (lineups, seconds) = within(60.0, |watch| {
                solver.solve_while(&case.lobbies, &case.scoring(), watch)
            });
            (lineups.optimal, 1e3 * seconds)
        });
        let proven = solved.iter().filter(|solved| solved.0).count();
        let mut times: Vec<f64> = solved.iter().map(|solved| solved.1).collect();
        let most = times.iter().copied().fold(0.0, f64::max);
        let (share, pools) = (100.0 * in_parties, times.len());
        println!(
            "| {share} % | {pools} | {proven} | {:.1} | {most:.1} |",
            median(&mut times)
        );
    }
}

fn proof(options: &Options) {
    println!("\n## 96 players, 3 against 3: certified on one core\n");
    println!(
        "| seconds | pools | proven | median gap (%) | greatest gap (%) | median seconds | greatest seconds |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for time in [1.0, 30.0] {
        gaps(options, 96, time, 1);
    }
}

fn bound(options: &Options) {
    println!("\n## 300 players, 3 against 3: certified on two threads\n");
    println!(
        "| seconds | pools | proven | median gap (%) | greatest gap (%) | median seconds | greatest seconds |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    gaps(options, 300, 60.0, 2);
}

fn gaps(options: &Options, players: usize, time: f64, threads: usize) {
    let solved = for_seeds(options, |seed| {
        let case = Case::draw(players, 0.4, seed);
        let solver = CertifiedLobbies::new(seed).with_threads(threads);
        let (lineups, seconds) = within(time, |watch| {
            solver.solve_while(&case.lobbies, &case.scoring(), watch)
        });
        (lineups.optimal, 100.0 * lineups.gap().unwrap_or(1.0), seconds)
    });
    let proven = solved.iter().filter(|solved| solved.0).count();
    let column = |of: fn(&(bool, f64, f64)) -> f64| {
        let mut values: Vec<f64> = solved.iter().map(of).collect();
        (median(&mut values), values[values.len() - 1])
    };
    let ((gap, most_gap), (seconds, most)) = (column(|one| one.1), column(|one| one.2));
    let pools = solved.len();
    println!("| {time} | {pools} | {proven} | {gap:.3} | {most_gap:.3} | {seconds:.2} | {most:.2} |");
}

fn large(options: &Options) {
    println!("\n## 5,000 players, 3 against 3, five seconds on two threads\n");
    println!("| at a time | pools | mean quality |\n|---:|---:|---:|");
    let five = Options {
        seeds: vec![options.seeds[0], (options.seeds[0] + 4).min(options.seeds[1])],
        parts: Vec::new(),
        at_a_time: 1,
        ..*options
    };
    for part in [1000, 300] {
        let found = for_seeds(&five, |seed| {
            let case = Case::draw(5000, 0.4, seed);
            let solver = Annealing::new(seed).with_threads(2).with_parts_of(part);
            let (lineups, _) = within(5.0, |watch| {
                solver.solve_while(&case.lobbies, &case.scoring(), watch)
            });
            lineups.mean_quality()
        });
        println!(
            "| {part} | {} | {:.5} |",
            found.len(),
            mean(found.iter().copied())
        );
    }
}
