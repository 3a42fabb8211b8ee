//! Lobbies: the search of Awesomenauts beside ours on the same pools, and proofs of optimality.
//!
//! Whole searches under a deadline, so nothing for a sampler of many short runs: every figure is one search of one
//! pool, and tables tell how many pools there were.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark may stop at the first surprise, and prints what it found"
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::{Parser, ValueEnum};
use matchwright_lobby::{Annealing, CertifiedLobbies, Lineups, LobbyPool, LobbySolver};
use matchwright_papers::awesomenauts::Awesomenauts;
use matchwright_scoring::{PolicyDocument, Pool, ScoringPolicy};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_sim::statistics::quantile;
use matchwright_solver::Limits;

mod best_with;
mod lobby_worlds;

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
    /// Searches at a time, each on one core; ours that race against the clock are always alone
    #[arg(long, default_value_t = 1)]
    at_a_time: usize,
    /// Seconds of each search of `worlds`, and of the whole pool of `best-with`
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Players of the pools of `search`, `worlds` and `certified`
    #[arg(long, num_args = 1.., default_values_t = [96, 300])]
    players: Vec<usize>,
    /// Runs of ours on each pool that `search` takes the median of, from seeds of their own
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    runs: u64,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// 96 and 300 players: Awesomenauts' search against annealing, at equal time and equal evaluations
    Search,
    /// 24 players: time to the proven optimum, with parties and without
    Small,
    /// 96 players: the gap after one second, and proofs within 30
    Proof,
    /// 300 players: the gap after a minute on two threads
    Bound,
    /// 5,000 players in five seconds: our parts against 300 at a time
    Large,
    /// Six generated worlds by team size, 96 and 300 players: what the search finds in a second
    Worlds,
    /// The same worlds, .1 and 1 s: certified lobbies against annealing and against sorting by skill, at equal time
    Certified,
    /// Random pools and deadlines of .05 to 1 s: by how much certified lobbies and their verification overrun them
    Deadlines,
    /// The best match of one player among neighbours in a pool of 10,000: microseconds by part, and quality
    BestWith,
}

fn main() {
    let options = Options::parse();
    let all = [
        Part::Search,
        Part::Small,
        Part::Proof,
        Part::Bound,
        Part::Large,
        Part::Worlds,
        Part::Certified,
        Part::Deadlines,
        Part::BestWith,
    ];
    let parts = if options.parts.is_empty() {
        &all[..]
    } else {
        &options.parts
    };
    for part in parts {
        match part {
            Part::Search => {
                for &players in &options.players {
                    let ours = if players < 200 { [1.0, 5.0] } else { [0.1, 1.0] };
                    search(&options, players, &ours, &[5.0, options.port_seconds]);
                }
            }
            Part::Small => small(&options),
            Part::Proof => proof(&options),
            Part::Bound => bound(&options),
            Part::Large => large(&options),
            Part::Certified => {
                lobby_worlds::print_certified(options.seeds[0]..=options.seeds[1], &options.players);
            }
            Part::Deadlines => lobby_worlds::print_deadlines(options.seeds[0]..=options.seeds[1]),
            Part::BestWith => best_with::print_tables(10_000, options.seeds[0], options.seconds),
            Part::Worlds => {
                let seeds = options.seeds[0]..=options.seeds[1];
                lobby_worlds::print_table(seeds, &options.players, options.seconds);
            }
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
            lobbies: lobby_pool(&pool, [3, 3]).unwrap(),
            pool,
            policy: document.scoring.unwrap().build().unwrap(),
        }
    }

    fn scoring(&self) -> LobbyScoring<'_> {
        LobbyScoring {
            pool: &self.pool,
            policy: &self.policy,
        }
    }
}

/// The lineups of a search that ends when its time ends, and the seconds that it took.
fn within(seconds: f64, solver: &dyn LobbySolver, case: &Case) -> (Lineups, f64) {
    let start = Instant::now();
    let watch = |_: &matchwright_solver::Progress| start.elapsed().as_secs_f64() / seconds;
    let limits = Limits::unlimited().with_watch(&watch);
    let lineups = solver.solve_within(&case.lobbies, &case.scoring(), &limits);
    (lineups.unwrap(), start.elapsed().as_secs_f64())
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
    quantile(values, 0.5)
}

/// The result of one search: mean quality, and evaluations a second in millions.
type Searched = (f64, f64);

fn searched((lineups, seconds): (Lineups, f64)) -> Searched {
    (lineups.mean_quality(), lineups.work as f64 / seconds / 1e6)
}

/// What one pool gave for each of our times, run by run.
type Ours = Vec<Vec<Searched>>;

/// What one pool gave for each of the port's times, and for both at equal evaluations.
struct Port {
    found: Vec<Searched>,
    equal: (f64, f64),
}

/// Evaluations for the comparison at equal numbers.
const EVALUATIONS: u64 = 1_000_000;

/// Seeds of runs on one pool are this far apart.
const NEXT_RUN: u64 = 1 << 32;

/// The same options with these seeds, alone on the machine.
fn alone(options: &Options, seeds: Vec<u64>) -> Options {
    Options {
        seeds,
        parts: Vec::new(),
        players: Vec::new(),
        at_a_time: 1,
        ..*options
    }
}

fn search(options: &Options, players: usize, ours: &[f64], port: &[f64]) {
    // A tenth of a second is short: alone on the machine, and the median of several runs.
    let by_ours: Vec<Ours> = for_seeds(&alone(options, options.seeds.clone()), |seed| {
        let case = Case::draw(players, 0.4, seed);
        let run = |time: f64, run: u64| {
            let annealing = Annealing::new(seed + run * NEXT_RUN).with_moves(u64::MAX);
            searched(within(time, &annealing, &case))
        };
        let runs = |&time: &f64| (0..options.runs).map(|number| run(time, number)).collect();
        ours.iter().map(runs).collect()
    });
    let by_port: Vec<Port> = for_seeds(options, |seed| {
        let case = Case::draw(players, 0.4, seed);
        let rival = Awesomenauts {
            starts: usize::MAX,
            ..Awesomenauts::new(seed)
        };
        let equal = |solver: &dyn LobbySolver| {
            let limits = Limits::unlimited().with_work(EVALUATIONS);
            let lineups = solver.solve_within(&case.lobbies, &case.scoring(), &limits);
            lineups.unwrap().mean_quality()
        };
        Port {
            found: port
                .iter()
                .map(|&time| searched(within(time, &rival, &case)))
                .collect(),
            equal: (equal(&Annealing::new(seed)), equal(&rival)),
        }
    });
    println!(
        "\n## {players} players, 3 against 3, 40 % in parties, {} pools, one core each\n\nAnnealing: the median of {} \
         runs on each pool, alone on the machine. Awesomenauts: one run on each pool, {} at a time.\n",
        by_port.len(),
        options.runs,
        options.at_a_time.max(1)
    );
    print_qualities((ours, &by_ours), (port, &by_port));
    print_wins((ours, &by_ours), (port, &by_port));
}

/// The median of our runs on each pool, for the k-th of our times.
fn medians_of(pools: &[Ours], k: usize) -> impl Iterator<Item = Searched> + Clone + '_ {
    pools.iter().map(move |pool| medians(&pool[k]))
}

/// Mean qualities and rates by search and time.
fn print_qualities((ours, by_ours): (&[f64], &[Ours]), (port, by_port): (&[f64], &[Port])) {
    println!("| search | seconds | mean quality | M evaluations a second |\n|---|---:|---:|---:|");
    let line = |name: &str, time: f64, found: Vec<Searched>| {
        let quality = mean(found.iter().map(|found| found.0));
        let rate = mean(found.iter().map(|found| found.1));
        println!("| {name} | {time} | {quality:.5} | {rate:.2} |");
    };
    for (k, &time) in ours.iter().enumerate() {
        line("annealing", time, medians_of(by_ours, k).collect());
    }
    for (k, &time) in port.iter().enumerate() {
        line(
            "Awesomenauts",
            time,
            by_port.iter().map(|pool| pool.found[k]).collect(),
        );
    }
}

/// How often our searches end above the port's, pool by pool.
fn print_wins((ours, by_ours): (&[f64], &[Ours]), (port, by_port): (&[f64], &[Port])) {
    println!(
        "\n| annealing | Awesomenauts | annealing above | equal | below | single runs above or equal (%) |\n\
         |---|---|---:|---:|---:|---:|"
    );
    let line = |ours: &str, port: &str, pairs: Vec<(f64, f64)>, single: Option<f64>| {
        let count = |test: &dyn Fn(f64) -> bool| pairs.iter().filter(|(a, b)| test(a - b)).count();
        let (above, below) = (count(&|gap| gap > SAME), count(&|gap| gap < -SAME));
        let same = pairs.len() - above - below;
        let single = single.map_or_else(String::new, |share| format!("{:.1}", 100.0 * share));
        println!("| {ours} | {port} | {above} | {same} | {below} | {single} |");
    };
    for (i, a) in ours.iter().enumerate() {
        for (k, b) in port.iter().enumerate() {
            let of_port = || by_port.iter().map(|pool| pool.found[k].0);
            let pairs = medians_of(by_ours, i)
                .map(|found| found.0)
                .zip(of_port())
                .collect();
            let single = by_ours.iter().zip(of_port()).flat_map(|(pool, of_port)| {
                pool[i]
                    .iter()
                    .map(move |found| f64::from(u8::from(found.0 - of_port > -SAME)))
            });
            line(&format!("{a} s"), &format!("{b} s"), pairs, Some(mean(single)));
        }
    }
    let equal = by_port.iter().map(|pool| pool.equal).collect();
    line("a million exchanges", "a million splits", equal, None);
}

/// Qualities no further apart are the same.
const SAME: f64 = 1e-9;

/// The median quality and the median rate.
fn medians(runs: &[Searched]) -> Searched {
    let of = |part: fn(&Searched) -> f64| median(&mut runs.iter().map(part).collect::<Vec<_>>());
    (of(|run| run.0), of(|run| run.1))
}

fn small(options: &Options) {
    println!("\n## 24 players, 3 against 3: the proven optimum\n");
    println!("| in parties | pools | proven | median (ms) | greatest (ms) |\n|---|---:|---:|---:|---:|");
    for in_parties in [0.4, 0.0] {
        let (first, last) = (options.seeds[0], options.seeds[1]);
        let ten_times = alone(options, vec![first, first + 10 * (last - first + 1) - 1]);
        let solved = for_seeds(&ten_times, |seed| {
            let case = Case::draw(24, in_parties, seed);
            let solver = CertifiedLobbies::new(seed).with_moves(u64::MAX);
            let (lineups, seconds) = within(60.0, &solver, &case);
            (lineups.is_optimal(), 1e3 * seconds)
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
        let solver = CertifiedLobbies::new(seed)
            .with_moves(u64::MAX)
            .with_threads(threads);
        let (lineups, seconds) = within(time, &solver, &case);
        (
            lineups.is_optimal(),
            100.0 * lineups.gap().unwrap_or(1.0),
            seconds,
        )
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
    let first = options.seeds[0];
    let five = alone(options, vec![first, (first + 4).min(options.seeds[1])]);
    for part in [1000, 300] {
        let found = for_seeds(&five, |seed| {
            let case = Case::draw(5000, 0.4, seed);
            let solver = Annealing::new(seed).with_moves(u64::MAX);
            let solver = solver.with_threads(2).with_parts_of(part);
            within(5.0, &solver, &case).0.mean_quality()
        });
        println!(
            "| {part} | {} | {:.5} |",
            found.len(),
            mean(found.iter().copied())
        );
    }
}
