//! The hindsight optimum of generated logs, and its time.

use std::time::Instant;

use matchwright_sim::arrivals::{Arrival, ArrivalsParams};
use matchwright_sim::replay::hindsight::{HindsightParams, Stay};
use matchwright_solver::Limits;

use super::Options;

/// A world by tickets and seed.
type World = fn(usize, u64) -> ArrivalsParams;

/// Ratings Normal(1500, 300), one ticket a second, none leaves: a mismatch of a point costs 1.
pub(crate) fn hindsight(options: &Options) {
    let Options { tickets, .. } = options;
    println!("## Hindsight optimum, {tickets} tickets\n");
    println!(
        "| rate | c/K | seed | cost a player | pairs asked for | permitted | seconds | verified | in seconds |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let worlds: [(&str, World); 2] = [
        ("steady", ArrivalsParams::one_a_second),
        ("swinging", ArrivalsParams::swinging),
    ];
    for (rate, world) in worlds {
        for second in [1.0, 4.0] {
            let mut costs = Vec::new();
            for seed in options.seeds[0]..=options.seeds[1] {
                let solved = Solved::of(&world(*tickets, seed).build().unwrap(), second);
                println!("| {rate} | {second} | {seed} | {solved} |");
                costs.push(solved.cost_per_player);
            }
            let mean = costs.iter().sum::<f64>() / costs.len() as f64;
            println!("| {rate} | {second} | mean | {mean:.2} | | | | | |");
        }
    }
}

/// The same with more tickets than are solved at once.
pub(crate) fn slices(options: &Options) {
    println!("\n## Hindsight bound in slices, 200,000 tickets\n");
    println!(
        "| c/K | seed | cost a player | pairs asked for | permitted | seconds | verified | in seconds | gap, percent |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let seed = options.seeds[0];
    let arrivals = ArrivalsParams::one_a_second(200_000, seed).build().unwrap();
    for second in [1.0, 4.0] {
        let solved = Solved::of(&arrivals, second);
        println!("| {second} | {seed} | {solved} | {:.3} |", 100.0 * solved.gap);
    }
}

/// What is printed of a log's optimum.
struct Solved {
    cost_per_player: f64,
    gap: f64,
    evaluations: u64,
    permitted_pairs: u64,
    seconds: f64,
    verified: &'static str,
    verification_seconds: f64,
}

impl Solved {
    /// The optimum where a second of waiting costs as much as `second` points.
    fn of(arrivals: &[Arrival], second: f64) -> Self {
        let tickets: Vec<Stay> = arrivals.iter().map(Stay::from).collect();
        let ratings: Vec<f64> = arrivals.iter().map(|one| one.rating).collect();
        let mismatch = |i: usize, j: usize| Some((ratings[i] - ratings[j]).abs());
        let waiting = |seconds: f64| second * seconds;
        let params = HindsightParams {
            ratings: Some(&ratings),
            waiting_cost: &waiting,
            ..HindsightParams::new(&tickets, &mismatch)
        };
        let problem = params.build().unwrap();
        let start = Instant::now();
        let found = problem.solve(&Limits::unlimited()).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let verdict = problem.verify(&found, &Limits::unlimited()).unwrap();
        let verification_seconds = start.elapsed().as_secs_f64();
        Self {
            cost_per_player: found.cost_per_player(),
            gap: found.gap(),
            evaluations: found.evaluations,
            permitted_pairs: found.permitted_pairs,
            seconds,
            verified: if verdict.optimal { "optimal" } else { "bound" },
            verification_seconds,
        }
    }
}

impl std::fmt::Display for Solved {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            cost_per_player,
            evaluations,
            permitted_pairs,
            seconds,
            verified,
            verification_seconds,
            ..
        } = self;
        write!(
            formatter,
            "{cost_per_player:.2} | {evaluations} | {permitted_pairs} | {seconds:.2} | {verified} | {verification_seconds:.1}"
        )
    }
}
