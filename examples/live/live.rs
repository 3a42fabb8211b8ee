//! A game server and a swarm of bots, against a service that runs: see README.md beside it.
#![allow(
    clippy::print_stdout,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a program that talks to its user"
)]

mod bots;
mod server;

use std::thread::sleep;
use std::time::Duration;

use matchwright_client::{Client, ClientError};

const USAGE: &str = "Usage: live [URL] [BOTS] [SECONDS], by default http://127.0.0.1:7711 40 30";

/// Numbers that look random (splitmix64).
struct Dice(u64);

impl Dice {
    /// From 0 to 1.
    fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The hidden skill of a bot, which its name alone decides: nearly normal, with mean 0 and deviation 1.
fn skill(name: &str) -> f64 {
    let seed = name
        .bytes()
        .fold(1, |seed: u64, byte| seed.wrapping_mul(257) + u64::from(byte));
    let mut dice = Dice(seed);
    (0..12).map(|_| dice.draw()).sum::<f64>() - 6.0
}

fn main() -> Result<(), ClientError> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [url, count, seconds] = [(0, "http://127.0.0.1:7711"), (1, "40"), (2, "30")]
        .map(|(place, default)| given.get(place).map_or(default, |text| text.as_str()));
    let (Ok(count), Ok(seconds), 0..=3) = (count.parse(), seconds.parse(), given.len()) else {
        println!("{USAGE}");
        return Ok(());
    };
    let client = Client::new(url);
    // It ends with the program: a stream of events has no end.
    std::thread::spawn({
        let client = client.clone();
        move || {
            if let Err(error) = server::serve(&client) {
                println!("the game server: {error}");
            }
        }
    });
    let names: Vec<String> = (0..count).map(|bot: u64| format!("bot-{bot}")).collect();
    let swarm = bots::Swarm::new(&client, &names)?;
    swarm.play(|| sleep(Duration::from_secs(seconds)));
    println!("{swarm}");
    let mut pairs = Vec::new();
    for name in &names {
        if let Some(rated) = client.player(name)?.rated.filter(|rated| rated.games > 0) {
            pairs.push((skill(name), rated.rating));
        }
    }
    match pairs.len() {
        0..3 => println!("too few bots have played to say how well ratings found skills"),
        bots => println!(
            "correlation of skill and rating of {bots} bots: {:.2}",
            correlation(&pairs)
        ),
    }
    Ok(())
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len().max(1) as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}
