//! Ratings of the same matches by this project and by the crate `skillratings`: time a match on one thread, as ratios of
//! rounds that take turns, and how far the ratings are apart at the end.
//!
//! Then teams of two sides: ours into the lists of the game before, from games kept in the cache.
//!
//! At last the whole command from CSV text in a file to Elo's ratings, in matches a second.
//!
//! The largest difference is taken over ratings, deviations and volatilities of all players, and must stay below a limit.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may stop at the first surprise, and prints what it found"
)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use clap::Parser;
use matchwright_benches::{Game, games};
use matchwright_rating::{
    EloParams, GameResult, GaussianRating, Glicko2Params, Glicko2Rating, GlickoParams, RatingEstimate,
    RatingSystem, Score, Side, TeamGame, TeamRatingSystem, TrueSkillParams, WengLinParams,
};
use skillratings::elo::{EloConfig, EloRating, elo};
use skillratings::glicko::{GlickoConfig, GlickoRating, glicko};
use skillratings::glicko2::{self, Glicko2Config, glicko2};
use skillratings::trueskill::{TrueSkillConfig, TrueSkillRating, trueskill, trueskill_two_teams};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin, weng_lin_two_teams};
use skillratings::{Outcomes, Rating};

#[derive(Parser)]
struct Options {
    /// Matches
    #[arg(long, default_value_t = 1_000_000)]
    matches: usize,
    /// Players
    #[arg(long, default_value_t = 100_000)]
    players: u32,
    /// Rounds, each of which times both
    #[arg(long, default_value_t = 11)]
    rounds: usize,
    /// Seed of the matches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

/// By [`Game::result`].
const SCORES: [Score; 3] = [Score::LOSS, Score::DRAW, Score::WIN];
const OUTCOMES: [Outcomes; 3] = [Outcomes::LOSS, Outcomes::DRAW, Outcomes::WIN];
const PLACES: [(u32, u32); 3] = [(2, 1), (1, 1), (1, 2)];

/// One pass over the games: `rate` gives both new ratings.
fn pass<R: Copy>(initial: R, players: u32, games: &[Game], rate: impl Fn(&R, &R, usize) -> (R, R)) -> Vec<R> {
    let mut ratings = vec![initial; players as usize];
    for game in games {
        let (first, second) = (game.first as usize, game.second as usize);
        (ratings[first], ratings[second]) = rate(&ratings[first], &ratings[second], game.result.into());
    }
    ratings
}

/// Both players by an update of their own, each against the other as the last game left it.
fn each<S: RatingSystem<Rating: Copy>>(
    system: &S,
) -> impl Fn(&S::Rating, &S::Rating, usize) -> (S::Rating, S::Rating) {
    |first, second, result| {
        let score = SCORES[result];
        (
            system.update(first, 1.0, &[GameResult::new(*second, score)]),
            system.update(second, 1.0, &[GameResult::new(*first, score.reversed())]),
        )
    }
}

/// Both players in one call.
fn pair<S: RatingSystem>(system: &S) -> impl Fn(&S::Rating, &S::Rating, usize) -> (S::Rating, S::Rating) {
    |first, second, result| system.update_pair((first, 1.0), (second, 1.0), SCORES[result])
}

/// Both players in one call of a system for teams.
fn duel<S: TeamRatingSystem>(system: &S) -> impl Fn(&S::Rating, &S::Rating, usize) -> (S::Rating, S::Rating) {
    |first, second, result| {
        let (place, other) = PLACES[result];
        system.update_duel((first, place), (second, other))
    }
}

/// The largest difference between two lists of ratings.
fn difference<A: RatingEstimate, B: Rating>(ours: &[A], theirs: &[B]) -> f64 {
    let differences = ours.iter().zip(theirs).map(|(a, b)| {
        let deviations = a.deviation().unwrap_or(0.0) - b.uncertainty().unwrap_or(0.0);
        (a.rating() - b.rating()).abs().max(deviations.abs())
    });
    differences.fold(0.0, f64::max)
}

struct Race<'a> {
    options: &'a Options,
    games: &'a [Game],
}

impl Race<'_> {
    fn ours<R: Copy>(&self, initial: R, rate: impl Fn(&R, &R, usize) -> (R, R)) -> Vec<R> {
        pass(initial, self.options.players, self.games, rate)
    }

    fn theirs<R: Copy>(&self, initial: R, rate: impl Fn(&R, &R, &Outcomes) -> (R, R)) -> Vec<R> {
        pass(initial, self.options.players, self.games, |a, b, result| {
            rate(a, b, &OUTCOMES[result])
        })
    }

    /// Prints a row: medians and the ratio of each round.
    fn row<A, B>(
        &self,
        name: &str,
        (difference, limit): (f64, f64),
        ours: impl Fn() -> Vec<A>,
        theirs: impl Fn() -> Vec<B>,
    ) {
        assert!(
            difference <= limit,
            "{name}: ratings differ by {difference:e}, more than {limit:e}"
        );
        let (mut own, mut other, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.options.rounds {
            let start = Instant::now();
            black_box(ours());
            let middle = Instant::now();
            black_box(theirs());
            let (first, second) = ((middle - start).as_secs_f64(), middle.elapsed().as_secs_f64());
            own.push(first);
            other.push(second);
            ratios.push(second / first);
        }
        for list in [&mut own, &mut other, &mut ratios] {
            list.sort_by(f64::total_cmp);
        }
        let median = |list: &[f64]| list[list.len() / 2];
        let a_match = |list: &[f64]| median(list) * 1e9 / self.games.len() as f64;
        println!(
            "| {name} | {:.1} | {:.1} | {:.2} | {:.2} to {:.2} | {difference:.1e} | {} |",
            a_match(&own),
            a_match(&other),
            median(&ratios),
            ratios[0],
            ratios[ratios.len() - 1],
            size_of::<A>(),
        );
    }

    fn elo(&self) {
        let initial = EloRating::new();
        let params = EloParams {
            initial: initial.rating,
            ..EloParams::default()
        };
        let system = params.build().unwrap();
        let ours = || self.ours(system.initial(), pair(&system));
        let config = EloConfig::new();
        let theirs = || self.theirs(initial, |a, b, outcome| elo(a, b, outcome, &config));
        self.row("Elo", (difference(&ours(), &theirs()), 1e-9), ours, theirs);
    }

    /// Where deviations grow, `skillratings` counts opponents as the last game left them: so do two updates, while one
    /// call for both counts them as the time since left them.
    fn glicko(&self) {
        let system = |c| {
            let params = GlickoParams {
                c,
                min_deviation: 0.0,
                ..GlickoParams::default()
            };
            params.build().unwrap()
        };
        let theirs = |c| {
            let config = GlickoConfig { c };
            self.theirs(GlickoRating::new(), move |a, b, outcome| {
                glicko(a, b, outcome, &config)
            })
        };
        let still = system(0.0);
        let ours = || self.ours(still.initial(), pair(&still));
        let apart = difference(&ours(), &theirs(0.0));
        self.row("Glicko, c = 0", (apart, 1e-9), ours, || theirs(0.0));
        let growing = system(63.2);
        let ours = || self.ours(growing.initial(), each(&growing));
        let apart = difference(&ours(), &theirs(63.2));
        self.row("Glicko, c = 63.2, two updates", (apart, 1e-9), ours, || {
            theirs(63.2)
        });
    }

    /// Two updates, for the same reason. The ratings are compared with a search for the volatility that goes on to
    /// 1e-12; the time is that of the peer's default, 1e-6.
    fn glicko2(&self) {
        let params = Glicko2Params {
            max_deviation: 1e6,
            ..Glicko2Params::default()
        };
        let system = params.build().unwrap();
        let ours = || self.ours(system.initial(), each(&system));
        let theirs = |convergence_tolerance| {
            let config = Glicko2Config {
                convergence_tolerance,
                ..Glicko2Config::new()
            };
            let rate = move |a: &_, b: &_, outcome: &_| glicko2(a, b, outcome, &config);
            self.theirs(glicko2::Glicko2Rating::new(), rate)
        };
        let (a, b) = (ours(), theirs(1e-12));
        let volatility =
            |(a, b): (&Glicko2Rating, &glicko2::Glicko2Rating)| (a.volatility() - b.volatility).abs();
        let volatilities = a.iter().zip(&b).map(volatility).fold(0.0, f64::max);
        let apart = difference(&a, &b).max(volatilities);
        self.row("Glicko-2, two updates", (apart, 1e-6), ours, || theirs(1e-6));
    }

    fn trueskill(&self) {
        let system = TrueSkillParams::default().build().unwrap();
        let ours = || self.ours(system.initial(), duel(&system));
        let config = TrueSkillConfig::new();
        let theirs = || {
            self.theirs(TrueSkillRating::new(), |a, b, outcome| {
                trueskill(a, b, outcome, &config)
            })
        };
        self.row("TrueSkill", (difference(&ours(), &theirs()), 1e-5), ours, theirs);
    }

    fn weng_lin(&self) {
        let system = WengLinParams::default().build().unwrap();
        let ours = || self.ours(system.initial(), duel(&system));
        let config = WengLinConfig {
            uncertainty_tolerance: system.params().kappa,
            ..WengLinConfig::new()
        };
        let theirs = || {
            self.theirs(WengLinRating::new(), |a, b, outcome| {
                weng_lin(a, b, outcome, &config)
            })
        };
        self.row("Weng-Lin", (difference(&ours(), &theirs()), 1e-9), ours, theirs);
    }
}

/// A game's teams as a peer takes them, and who won.
type Teams<R> = (Vec<R>, Vec<R>, Outcomes);

impl Race<'_> {
    /// Games of `size` against `size`, over and over.
    fn teams<S: TeamRatingSystem<Rating = GaussianRating>, R: Rating + Copy>(
        &self,
        (name, size, limit): (&str, usize, f64),
        system: &S,
        rate: impl Fn(&[R], &[R], &Outcomes) -> (Vec<R>, Vec<R>),
    ) {
        let mut values = self.games.iter().map(|game| f64::from(game.first % 997) / 997.0);
        let mut team = || -> Vec<(f64, f64)> {
            let numbers: Vec<f64> = values.by_ref().take(2 * size).collect();
            numbers
                .chunks_exact(2)
                .map(|pair| (15.0 + 20.0 * pair[0], 2.0 + 5.0 * pair[1]))
                .collect()
        };
        let drawn: Vec<_> = (0..TEAM_GAMES).map(|game| (team(), team(), game % 3)).collect();
        let ours: Vec<TeamGame<GaussianRating>> = drawn
            .iter()
            .map(|(one, two, result)| {
                let rated = |team: &[(f64, f64)]| -> Vec<GaussianRating> {
                    team.iter()
                        .map(|&(mu, sigma)| GaussianRating::new(mu, sigma).unwrap())
                        .collect()
                };
                let (place, other) = PLACES[*result];
                TeamGame::new(vec![Side::new(place, rated(one)), Side::new(other, rated(two))]).unwrap()
            })
            .collect();
        let theirs: Vec<Teams<R>> = drawn
            .iter()
            .map(|(one, two, result)| {
                let rated = |team: &[(f64, f64)]| -> Vec<R> {
                    team.iter()
                        .map(|&(mu, sigma)| R::new(Some(mu), Some(sigma)))
                        .collect()
                };
                (rated(one), rated(two), OUTCOMES[*result])
            })
            .collect();
        let apart = ours.iter().zip(&theirs).map(|(game, (one, two, outcome))| {
            let after = system.update(game);
            let (one, two) = rate(one, two, outcome);
            difference(&after[0], &one).max(difference(&after[1], &two))
        });
        let apart = apart.fold(0.0, f64::max);
        let turns = self.games.len() / (TEAM_GAMES * (size + 4));
        let timed = Race {
            options: self.options,
            games: &self.games[..turns * TEAM_GAMES],
        };
        let play_ours = || {
            let mut after = Vec::new();
            for game in ours.iter().cycle().take(timed.games.len()) {
                system.update_into(black_box(game), &mut after);
                black_box(&after);
            }
            after.concat()
        };
        let play_theirs = || {
            let games = theirs.iter().cycle().take(timed.games.len());
            games
                .map(|(one, two, outcome)| black_box(rate(one, two, outcome)))
                .last()
        };
        timed.row(
            &format!("{name}, {size} against {size}"),
            (apart, limit),
            play_ours,
            || play_theirs().into_iter().collect::<Vec<_>>(),
        );
    }

    fn all_teams(&self) {
        let trueskill = TrueSkillParams::default().build().unwrap();
        let weng_lin = WengLinParams::default().build().unwrap();
        let (config, weng_lin_config) = (
            TrueSkillConfig::new(),
            WengLinConfig {
                uncertainty_tolerance: weng_lin.params().kappa,
                ..WengLinConfig::new()
            },
        );
        for size in [1, 5, 10, 50] {
            self.teams(
                ("TrueSkill", size, 1e-4),
                &trueskill,
                |a: &[TrueSkillRating], b, outcome| trueskill_two_teams(a, b, outcome, &config),
            );
            self.teams(
                ("Weng-Lin", size, 1e-9),
                &weng_lin,
                |a: &[WengLinRating], b, outcome| weng_lin_two_teams(a, b, outcome, &weng_lin_config),
            );
        }
    }
}

/// Few enough to stay in the cache, so that the work is timed and not the memory.
const TEAM_GAMES: usize = 48;

/// From CSV text in a file to Elo's ratings: the whole command on one thread, its forecasts evaluated and players ranked.
fn csv(options: &Options, games: &[Game]) {
    let built = std::env::current_exe().unwrap();
    let program = built.parent().and_then(Path::parent).unwrap().join("matchwright");
    if !program.exists() {
        println!(
            "\nCSV to Elo: skipped, since `cargo build --release -p matchwright-cli` did not make the program yet"
        );
        return;
    }
    let mut text = "time,player1,player2,score1,score2\n".to_owned();
    for (time, game) in (1_600_000_000..).zip(games) {
        let (one, other) = [("0", "1"), ("1", "1"), ("1", "0")][usize::from(game.result)];
        writeln!(text, "{time},p{},p{},{one},{other}", game.first, game.second).unwrap();
    }
    let file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    std::fs::write(file.path(), &text).unwrap();
    let mut command = Command::new(program);
    command
        .args(["rate", "--system", "elo", "--stream"])
        .arg(file.path());
    command.env("RAYON_NUM_THREADS", "1");
    let mut times: Vec<f64> = (0..options.rounds)
        .map(|_| {
            let start = Instant::now();
            assert!(command.output().unwrap().status.success());
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let [best, median] = [0, times.len() / 2].map(|place| games.len() as f64 / times[place] / 1e6);
    println!("\nCSV to Elo, the whole command: {median:.2} M matches a second (median), {best:.2} M (best)");
}

fn main() {
    let options = Options::parse();
    let games = games(options.players, options.matches, options.seed);
    let race = Race {
        options: &options,
        games: &games,
    };
    let &Options {
        matches,
        players,
        rounds,
        ..
    } = &options;
    println!("## Ratings: {matches} matches of {players} players, {rounds} rounds, one thread\n");
    println!(
        "| system | ns a match | skillratings | ratio | of the rounds | largest difference | bytes a rating |"
    );
    println!("|---|---:|---:|---:|---|---:|---:|");
    race.elo();
    race.glicko();
    race.glicko2();
    race.trueskill();
    race.weng_lin();
    race.all_teams();
    csv(&options, &games);
}
