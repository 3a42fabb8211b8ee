//! What ratings in contexts gain beside those of all games: in generated worlds beside an oracle that knows how skills are
//! spread, in worlds without contexts, and in football by tournament; and the slope of the tuned forecasts.

use anyhow::Result;
use matchwright_rating::history::{History, HistoryBuilder, NamedSeat};
use matchwright_rating::{DrawKind, RatingParams, SystemName};
use matchwright_sim::progress::Quiet;
use matchwright_sim::rate::{LossDifference, decided_losses, evaluate_games, rate_games, tune_games};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::data::Data;
use super::{LEARNT, SEED, mean};
use matchwright_sim::statistics::share_of;

const CONTEXTS: usize = 3;
const NAMES: [&str; CONTEXTS] = ["clay", "grass", "hard"];

/// A game: both players, the context, and whether the first won.
type Played = ([usize; 2], usize, bool);

/// Skills in each context: normal in common and, with `spread`, in each.
struct World {
    players: usize,
    spread: f64,
    games: Vec<Played>,
}

impl World {
    fn new(seed: u64, players: usize, games: usize, spread: f64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        let skills: Vec<[f64; CONTEXTS]> = (0..players)
            .map(|_| {
                let common = normal();
                [0; CONTEXTS].map(|_| common + spread * normal())
            })
            .collect();
        let mut game = || {
            let one = rng.random_range(0..players);
            let other = (one + rng.random_range(1..players)) % players;
            // Six in ten, three in ten and one in ten.
            let context = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2][rng.random_range(0..10_usize)];
            let lead = skills[one][context] - skills[other][context];
            let won = rng.random::<f64>() < 1.0 / (1.0 + (-lead).exp());
            ([one, other], context, won)
        };
        Self {
            players,
            spread,
            games: (0..games).map(|_| game()).collect(),
        }
    }

    fn history(&self) -> Result<History> {
        let mut builder = HistoryBuilder::default();
        for (&(players, context, won), time) in self.games.iter().zip(0_i64..) {
            let mut game = builder.start(3600 * time);
            game.context(NAMES[context]);
            for (player, won) in players.into_iter().zip([won, !won]) {
                let name = format!("p{player}");
                game.side(2 - u32::from(won), 0.0).seat(NamedSeat::whole(&name));
            }
            game.finish()?;
        }
        Ok(builder.finish())
    }

    /// Losses of the last part by who knows the variances of skills, with all that games in one context tell of the others;
    /// or, without `contexts`, by who knows the variance of all together and takes them for one.
    fn oracle(&self, contexts: bool) -> Vec<f64> {
        let spread = self.spread * self.spread;
        let prior = |one: usize, other: usize| {
            let own = if one == other { spread } else { 0.0 };
            if contexts { 1.0 + own } else { 1.0 + spread }
        };
        let prior: Matrix = [0, 1, 2].map(|one| [0, 1, 2].map(|other| prior(one, other)));
        let mut beliefs = vec![([0.0; CONTEXTS], prior); self.players];
        let learnt = share_of(self.games.len(), LEARNT);
        let mut losses = Vec::new();
        for (index, &(players, context, won)) in self.games.iter().enumerate() {
            let context = if contexts { context } else { 0 };
            let [one, other] = players.map(|player| &beliefs[player]);
            let lead = one.0[context] - other.0[context];
            let variances = [one, other].map(|(_, covariance)| covariance[context][context]);
            let chance = 1.0 / (1.0 + (-damping(variances[0] + variances[1]) * lead).exp());
            if index >= learnt {
                losses.push(-(if won { chance } else { 1.0 - chance }).ln());
            }
            for (side, player) in players.into_iter().enumerate() {
                let (lead, won) = if side == 0 { (lead, won) } else { (-lead, !won) };
                let damped = damping(variances[1 - side]);
                learn(&mut beliefs[player], context, (damped * lead, damped), won);
            }
        }
        losses
    }
}

type Matrix = [[f64; CONTEXTS]; CONTEXTS];

/// What a doubt of this variance about a lead leaves of its log odds (MacKay's approximation).
fn damping(variance: f64) -> f64 {
    1.0 / (1.0 + std::f64::consts::PI * variance / 8.0).sqrt()
}

/// A step of the normal approximation to what a result tells of a skill, and by its covariances of all others.
fn learn(
    (means, covariance): &mut ([f64; CONTEXTS], Matrix),
    at: usize,
    (lead, damped): (f64, f64),
    won: bool,
) {
    let expected = 1.0 / (1.0 + (-lead).exp());
    let before = covariance[at][at];
    let after = 1.0 / (1.0 / before + damped * damped * expected * (1.0 - expected));
    let step = after * damped * (f64::from(u8::from(won)) - expected);
    let gains = covariance.map(|row| row[at] / before);
    for (one, gain) in gains.into_iter().enumerate() {
        means[one] += gain * step;
        for (other, further) in gains.into_iter().enumerate() {
            covariance[one][other] -= gain * further * (before - after);
        }
    }
}

/// Losses of the last part and the slope of its log odds.
fn judged(history: &History, params: &RatingParams) -> Result<(Vec<f64>, f64)> {
    let rated = rate_games(params, history, LEARNT, &[])?;
    let (predictions, pairs) = (&rated.predictions, &rated.pairs);
    let (evaluation, forecasts) = evaluate_games(history, predictions, pairs, LEARNT, DrawKind::default())?;
    let first = pairs.partition_point(|pair| pair.game < evaluation.evaluated_from);
    let slope = evaluation.two_way.log_odds_slope.unwrap_or(f64::NAN);
    Ok((decided_losses(&forecasts[first..]), slope))
}

/// What tuning found, beside the same without contexts: a row, and the gain in log loss.
fn row(name: &str, system: SystemName, history: &History) -> Result<(String, f64)> {
    let tuned = tune_games(&RatingParams::of(system), history, LEARNT, &Quiet)?.params;
    let plain = RatingParams {
        context_games: None,
        log_odds_scale: 1.0,
        ..tuned.clone()
    };
    let ((before, _), (after, slope)) = (judged(history, &plain)?, judged(history, &tuned)?);
    let games = tuned
        .context_games
        .map_or("-".to_owned(), |games| games.to_string());
    let apart = LossDifference::between(&after, &before, SEED).map_or(String::new(), |apart| {
        format!("{:+.4}, {:+.4} to {:+.4}", apart.mean, apart.low, apart.high)
    });
    let row = format!(
        "| {name} | {} | {:.4} | {:.4} | {apart} | {games} | {:.3} | {slope:.3} |",
        system.name(),
        mean(&before),
        mean(&after),
        tuned.log_odds_scale
    );
    Ok((row, mean(&before) - mean(&after)))
}

/// Prints a row for each world and system.
pub(super) fn print(data: Vec<Data>, systems: &[SystemName]) -> Result<()> {
    println!(
        "| matches | system | log loss without contexts | with | difference, 95 % | games | scale | slope | oracle's gain | share |\n\
         |---|---|---:|---:|---|---:|---:|---:|---:|---:|"
    );
    let kinds = [
        (400, 40_000, 0.5),
        (400, 10_000, 0.5),
        (400, 40_000, 0.3),
        (2_000, 40_000, 0.5),
        (400, 40_000, 0.0),
    ];
    let mut gains: Vec<(f64, f64)> = vec![(0.0, 0.0); systems.len()];
    for (players, games, spread) in kinds {
        for seed in 1..=3 {
            let world = World::new(seed, players, games, spread);
            let history = world.history()?;
            let oracle = mean(&world.oracle(false)) - mean(&world.oracle(true));
            let name = format!("{players} players, {games} games, spread {spread}, seed {seed}");
            for (&system, sum) in systems.iter().zip(&mut gains) {
                let (row, gain) = row(&name, system, &history)?;
                let share = if spread > 0.0 {
                    format!("{:.2}", gain / oracle)
                } else {
                    String::new()
                };
                println!("{row} {oracle:.4} | {share} |");
                if spread > 0.0 {
                    *sum = (sum.0 + gain, sum.1 + oracle);
                }
            }
        }
    }
    for data in data {
        for &system in systems {
            println!("{} | |", row(data.name, system, &data.history)?.0);
        }
    }
    println!();
    for (system, (gain, oracle)) in systems.iter().zip(gains) {
        println!(
            "{}: {:.3} of the oracle's gain over all worlds with contexts",
            system.name(),
            gain / oracle
        );
    }
    Ok(())
}
