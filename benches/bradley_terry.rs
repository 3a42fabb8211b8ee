//! Bradley-Terry strengths on several worlds, beside Newton's method with conjugate gradients on the diagonal alone.
//!
//! `ladder` and `wide` are players in order of skill who meet one of the next 10, or of the next fiftieth of all;
//! `random` draws both; `hubs` draws few of them often; `leagues` are twenty ladders with six games between each two
//! neighbouring ones. Everyone also drew with the next in skill, so that the likelihood has a maximum without a prior.
#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark may stop at the first surprise"
)]

use std::time::Instant;

use matchwright_rating::{BradleyTerryParams, Comparison, Score};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Who meets whom, by place in the order of skill.
#[derive(Debug, Clone, Copy, PartialEq)]
enum World {
    Ladder,
    Wide,
    Random,
    Hubs,
    Leagues,
}

const LEAGUES: usize = 20;

impl World {
    const ALL: [Self; 5] = [Self::Ladder, Self::Wide, Self::Random, Self::Hubs, Self::Leagues];

    fn meeting(self, players: usize, rng: &mut ChaCha8Rng) -> (usize, usize) {
        let first = rng.random_range(0..players);
        let league = players / LEAGUES;
        match self {
            Self::Ladder => (first, first + rng.random_range(1..=10)),
            Self::Wide => (first, first + rng.random_range(1..=players / 50)),
            Self::Random => (first, rng.random_range(0..players)),
            // A random number below a random number, and so on: a few are in most games.
            Self::Hubs => {
                let mut skewed =
                    |factors: u32| (0..factors).fold(players, |most, _| rng.random_range(0..most) + 1);
                let [one, two] = [4, 2].map(|factors| (skewed(factors) - 1) * 7919 % players);
                (one, two)
            }
            Self::Leagues => {
                let second = first + rng.random_range(1..=10);
                let same = second / league == first / league;
                (first, if same { second } else { first })
            }
        }
    }

    /// Games of players numbered at random; skills are normal with a standard deviation of 1.5.
    fn games(self, players: usize, count: usize, seed: u64) -> Vec<Comparison> {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let mut skills: Vec<f64> = (0..players)
            .map(|_| 1.5 * (0..12).map(|_| rng.random_range(-0.5..0.5)).sum::<f64>())
            .collect();
        skills.sort_by(f64::total_cmp);
        let mut numbers: Vec<usize> = (0..players).collect();
        for last in (1..players).rev() {
            numbers.swap(last, rng.random_range(0..=last));
        }
        let mut meetings: Vec<_> = (0..count).map(|_| self.meeting(players, rng)).collect();
        if self == Self::Leagues {
            let league = players / LEAGUES;
            let mut pick = |number: usize| number * league + rng.random_range(0..league);
            meetings.extend((0..6 * (LEAGUES - 1)).map(|game| (pick(game / 6), pick(game / 6 + 1))));
        }
        meetings.retain(|&(first, second)| first != second && second < players);
        let game = |(first, second): (usize, usize)| {
            let won = rng.random::<f64>() < 1.0 / (1.0 + (skills[second] - skills[first]).exp());
            let score = if won { Score::WIN } else { Score::LOSS };
            Comparison::new(numbers[first], numbers[second], score)
        };
        let mut games: Vec<Comparison> = meetings.into_iter().map(game).collect();
        games.extend(
            numbers
                .windows(2)
                .map(|pair| Comparison::new(pair[0], pair[1], Score::DRAW)),
        );
        games
    }
}

fn ours(players: usize, games: &[Comparison]) -> Vec<f64> {
    let fit = BradleyTerryParams::default().build().unwrap().fit(players, games);
    fit.unwrap().log_strengths().to_vec()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Newton's method, each step by conjugate gradients on the diagonal to 1e-10.
fn diagonal(players: usize, games: &[Comparison]) -> Vec<f64> {
    let mut strengths = vec![0.0_f64; players];
    loop {
        let (mut gradient, mut scale) = (vec![0.0_f64; players], vec![0.0_f64; players]);
        let mut edges = Vec::with_capacity(games.len());
        for game in games {
            let (first, second) = (game.first, game.second);
            let p = 1.0 / (1.0 + (strengths[second] - strengths[first]).exp());
            let (surplus, weight) = (game.score.value() - p, p * (1.0 - p));
            gradient[first] += surplus;
            gradient[second] -= surplus;
            scale[first] += weight;
            scale[second] += weight;
            edges.push((first, second, weight));
        }
        if gradient.iter().all(|slope| slope.abs() < 1e-10) {
            return strengths;
        }
        let multiply = |vector: &[f64]| {
            let mut product = vec![0.0; players];
            for &(first, second, weight) in &edges {
                let flow = weight * (vector[first] - vector[second]);
                product[first] += flow;
                product[second] -= flow;
            }
            product
        };
        for (strength, step) in strengths
            .iter_mut()
            .zip(conjugate_gradients(multiply, &scale, gradient))
        {
            *strength += step;
        }
    }
}

fn conjugate_gradients(
    multiply: impl Fn(&[f64]) -> Vec<f64>,
    scale: &[f64],
    mut residual: Vec<f64>,
) -> Vec<f64> {
    let scaled = |residual: &[f64]| -> Vec<f64> { residual.iter().zip(scale).map(|(r, d)| r / d).collect() };
    // The common level of the strengths is not in the games.
    let centre = |residual: &mut [f64]| {
        let mean = residual.iter().sum::<f64>() / residual.len() as f64;
        for r in residual {
            *r -= mean;
        }
    };
    centre(&mut residual);
    let mut search = scaled(&residual);
    let mut solution = vec![0.0; scale.len()];
    let mut size = dot(&residual, &search);
    let goal = 1e-20 * size;
    while size > goal {
        let image = multiply(&search);
        let step = size / dot(&search, &image);
        for (((x, r), s), i) in solution.iter_mut().zip(&mut residual).zip(&search).zip(&image) {
            *x += step * s;
            *r -= step * i;
        }
        centre(&mut residual);
        let next = scaled(&residual);
        let new_size = dot(&residual, &next);
        for (s, n) in search.iter_mut().zip(&next) {
            *s = n + new_size / size * *s;
        }
        size = new_size;
    }
    solution
}

fn main() {
    println!("| world | players | games | seconds | diagonal, seconds | diagonal / ours |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (players, count) in [(2_000, 20_000), (10_000, 100_000), (50_000, 500_000)] {
        for world in World::ALL {
            let games = world.games(players, count, 1);
            let start = Instant::now();
            let strengths = ours(players, &games);
            let seconds = start.elapsed().as_secs_f64();
            let name = format!("{world:?}").to_lowercase();
            print!("| {name} | {players} | {} | {seconds:.3} |", games.len());
            // Minutes on the largest ladder.
            if players > 10_000 {
                println!(" | |");
                continue;
            }
            let start = Instant::now();
            let other = diagonal(players, &games);
            let slower = start.elapsed().as_secs_f64();
            println!(" {slower:.3} | {:.2} |", slower / seconds);
            let p = |w: &[f64], game: &Comparison| 1.0 / (1.0 + (w[game.second] - w[game.first]).exp());
            let apart = games
                .iter()
                .map(|game| (p(&strengths, game) - p(&other, game)).abs());
            assert!(apart.fold(0.0, f64::max) < 1e-7, "{world:?}: another optimum");
        }
    }
}
