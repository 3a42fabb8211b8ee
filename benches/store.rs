//! A store of ratings with a million duels: memory, the file, saving what is new, opening, and changing the past; beside a pass
//! over the same duels, whose bits it must have.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may stop at the first surprise, and prints what it found"
)]

use std::time::{Duration, Instant};

use clap::Parser;
use matchwright_benches::{Game, games};
use matchwright_rating::store::{Duel, RatingStore};
use matchwright_rating::{Glicko2, Glicko2Params, Glicko2Rating, RatingPeriod, RatingSystem, Score};

#[derive(Parser)]
struct Options {
    /// Duels
    #[arg(long, default_value_t = 1_000_000)]
    duels: usize,
    /// Players
    #[arg(long, default_value_t = 100_000)]
    players: u32,
    /// Rounds, whose median is printed
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Seed of the duels
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

type Store = RatingStore<Glicko2, Duel<u64>>;

/// By [`Game::result`].
const SCORES: [Score; 3] = [Score::LOSS, Score::DRAW, Score::WIN];
/// Seconds between two duels.
const EVERY: i64 = 30;

fn duel(game: &Game) -> Duel<u64> {
    Duel::new(
        game.first.into(),
        game.second.into(),
        SCORES[usize::from(game.result)],
    )
}

fn empty() -> Store {
    let system = Glicko2Params::default().build().unwrap();
    RatingStore::by_time(system, RatingPeriod::days(1.0).unwrap())
}

fn filled(games: &[Game]) -> Store {
    let mut store = empty();
    for (time, game) in (0..).zip(games) {
        store.add(time * EVERY, duel(game)).unwrap();
    }
    store
}

/// Ratings by player, without a store.
fn pass(games: &[Game], players: u32) -> Vec<Option<(Glicko2Rating, i64)>> {
    let system = *empty().system();
    let day = RatingPeriod::days(1.0).unwrap();
    let mut known = vec![None; players as usize];
    for (time, game) in (0..).zip(games) {
        let time = time * EVERY;
        let look = |player: u32| match known[player as usize] {
            Some((rating, last)) => (rating, day.elapsed(last, time).unwrap()),
            None => (system.initial(), 0.0),
        };
        let (first, second) = (look(game.first), look(game.second));
        let (a, b) = system.update_pair(
            (&first.0, first.1),
            (&second.0, second.1),
            SCORES[usize::from(game.result)],
        );
        known[game.first as usize] = Some((a, time));
        known[game.second as usize] = Some((b, time));
    }
    known
}

fn is_as(store: &Store, known: &[Option<(Glicko2Rating, i64)>]) -> bool {
    (0..).zip(known).all(|(player, known)| {
        let standing = store
            .standing(&player)
            .map(|standing| (standing.rating, standing.last_time));
        standing == *known
    })
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn main() {
    let options = Options::parse();
    let games = games(
        options.players,
        options.duels + 1000 * options.rounds,
        options.seed,
    );
    let (first, later) = games.split_at(options.duels);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ratings");

    let mut kept = None;
    let taken = allocation_counter::measure(|| kept = Some(filled(first)));
    let mut store = kept.unwrap();
    let (known, plain) = timed(|| pass(first, options.players));
    let (again, adding) = timed(|| filled(first));
    println!("{} duels of {} players, Glicko-2", first.len(), options.players);
    println!(
        "the bits of a pass: {}",
        is_as(&store, &known) && is_as(&again, &known)
    );
    drop(again);
    println!(
        "memory: {:.1} MB, at most {:.1} MB",
        mb(taken.bytes_current),
        mb(taken.bytes_max.cast_signed())
    );
    println!(
        "adding: {:.0} ns a duel, {:.2} times the pass",
        adding.as_secs_f64() * 1e9 / first.len() as f64,
        adding.as_secs_f64() / plain.as_secs_f64(),
    );
    let (written, saving) = timed(|| store.save(&path).unwrap());
    println!(
        "file: {:.1} MB, written in {:.0} ms",
        written as f64 / 1e6,
        saving.as_secs_f64() * 1e3
    );

    let (mut saves, mut bytes) = (Vec::new(), 0);
    let mut time = i64::try_from(first.len()).unwrap() * EVERY;
    for some in later.chunks(1000) {
        for game in some {
            store.add(time, duel(game)).unwrap();
            time += EVERY;
        }
        let (written, saving) = timed(|| store.save(&path).unwrap());
        saves.push(saving);
        bytes += written;
    }
    println!(
        "saving 1,000 new duels: {:.2} ms, {:.1} KB",
        median(saves),
        bytes as f64 / 1e3 / options.rounds as f64
    );
    let open = || RatingStore::open(*empty().system(), &path).unwrap();
    let opened: Vec<(Store, Duration)> = (0..options.rounds).map(|_| timed(open)).collect();
    let all = pass(&games, options.players);
    let same = opened.iter().all(|(store, _)| is_as(store, &all));
    println!(
        "opening: {:.0} ms; the bits of a pass: {same}",
        median(opened.into_iter().map(|(_, time)| time).collect())
    );

    let last = games.len() as u64;
    for (what, back) in [
        ("of a minute ago", 2),
        ("of an hour ago", 120),
        ("of two weeks ago", 40_320),
        ("the first", last),
    ] {
        if back > last {
            continue;
        }
        let (game, taking) = timed(|| store.retract(last - back).unwrap());
        assert!(game.is_some());
        println!("retracting a duel {what}: {:.2} ms", taking.as_secs_f64() * 1e3);
    }
}

fn mb(bytes: i64) -> f64 {
    bytes as f64 / 1e6
}
