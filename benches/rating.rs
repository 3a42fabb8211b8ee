//! One pass of rating updates over the same games.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a benchmark may stop at the first surprise"
)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use matchwright_benches::games;
use matchwright_rating::{EloParams, GameResult, Glicko2Params, RatingSystem, Score};
use skillratings::Outcomes;
use skillratings::elo::{EloConfig, EloRating, elo};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

const PLAYERS: usize = 1_000;
const GAMES: usize = 20_000;

/// Both players of each game learn from the other's rating before it.
fn pass<S: RatingSystem>(system: &S, games: &[(usize, usize, bool)]) -> Vec<S::Rating> {
    let mut ratings = vec![system.initial(); PLAYERS];
    for &(first, second, won) in games {
        let (one, two) = (ratings[first].clone(), ratings[second].clone());
        let score = if won { Score::WIN } else { Score::LOSS };
        ratings[first] = system.update(&one, 1.0, &[GameResult::new(two.clone(), score)]);
        ratings[second] = system.update(&two, 1.0, &[GameResult::new(one, score.reversed())]);
    }
    ratings
}

fn peer_pass<R: Copy>(
    initial: R,
    games: &[(usize, usize, bool)],
    play: impl Fn(&R, &R, &Outcomes) -> (R, R),
) -> Vec<R> {
    let mut ratings = vec![initial; PLAYERS];
    for &(first, second, won) in games {
        let outcome = if won { Outcomes::WIN } else { Outcomes::LOSS };
        (ratings[first], ratings[second]) = play(&ratings[first], &ratings[second], &outcome);
    }
    ratings
}

fn ratings(criterion: &mut Criterion) {
    let games = games(PLAYERS, GAMES, 1);
    let input = format!("{GAMES} games");
    let mut group = criterion.benchmark_group("rating elo");
    group.bench_function(BenchmarkId::new("matchwright", &input), |bencher| {
        let system = EloParams::default().build().unwrap();
        bencher.iter(|| pass(&system, &games));
    });
    group.bench_function(BenchmarkId::new("skillratings", &input), |bencher| {
        let config = EloConfig::new();
        bencher.iter(|| {
            peer_pass(EloRating::new(), &games, |a, b, outcome| {
                elo(a, b, outcome, &config)
            })
        });
    });
    group.finish();
    let mut group = criterion.benchmark_group("rating glicko2");
    group.bench_function(BenchmarkId::new("matchwright", &input), |bencher| {
        let system = Glicko2Params::default().build().unwrap();
        bencher.iter(|| pass(&system, &games));
    });
    group.bench_function(BenchmarkId::new("skillratings", &input), |bencher| {
        let config = Glicko2Config::new();
        bencher.iter(|| {
            peer_pass(Glicko2Rating::new(), &games, |a, b, outcome| {
                glicko2(a, b, outcome, &config)
            })
        });
    });
    group.finish();
}

criterion_group!(benches, ratings);
criterion_main!(benches);
