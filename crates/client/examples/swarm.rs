//! A game server and a swarm of bots with hidden skills, parties and bad manners, against a service that runs:
//!
//! ```text
//! matchwright serve &
//! cargo run -p matchwright-client --example swarm -- http://127.0.0.1:7711 40 30
//! ```
//!
//! The last two are how many bots there are and for how many seconds. At the end stands how well the ratings found the skills.
#![allow(
    clippy::print_stdout,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a program that talks to its user"
)]

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{scope, sleep};
use std::time::Duration;

use matchwright_client::{Change, Client, ClientError, MatchResult, NewTicket, Phase, TicketState};

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

/// What became of the bots' tickets.
#[derive(Default)]
struct Counts {
    played: AtomicU64,
    cancelled: AtomicU64,
    left: AtomicU64,
    crashed: AtomicU64,
    refused: AtomicU64,
}

/// One bot, or two who play together: queues, waits for a match and plays it, unless it has bad manners.
fn bot(
    client: &Client,
    names: &[String],
    dice: &mut Dice,
    counts: &Counts,
    ends: &AtomicBool,
) -> Result<(), ClientError> {
    let count = |counter: &AtomicU64| counter.fetch_add(1, Ordering::Relaxed);
    let mut new = NewTicket::of(names[..1].to_vec());
    new.joining = names[1..].to_vec();
    let mut ticket = client.create(&new)?;
    for mate in &names[1..] {
        ticket = client.join(&ticket.id, mate.as_str())?;
    }
    let manners = dice.draw();
    let mut waited = 0;
    // At the end there is no server that would play its match.
    while !ends.load(Ordering::Relaxed) {
        match &ticket.state {
            TicketState::Proposed { proposal, .. } => {
                for name in names {
                    client.accept(proposal, name)?;
                }
            }
            TicketState::Matched { match_id, phase, .. } => match phase {
                // It does not like the looks of it.
                Phase::Allocating | Phase::Assigned if manners < 0.01 => {
                    count(&counts.left);
                    client.leave(match_id, &names[0])?;
                    return Ok(());
                }
                Phase::Ended => {
                    count(&counts.played);
                    return Ok(());
                }
                _ => {}
            },
            TicketState::Left { .. } => return Ok(()),
            _ if manners > 0.98 && waited > 0 => {
                count(&counts.cancelled);
                client.cancel(&ticket.id)?;
                return Ok(());
            }
            // Its client is gone, and the ticket stays until another program of the same player finds it.
            _ if manners > 0.96 => {
                count(&counts.crashed);
                sleep(Duration::from_millis(500));
                client.cancel_all(&names[0])?;
                return Ok(());
            }
            _ => {}
        }
        ticket = client.wait(&ticket, Duration::from_secs(1))?;
        waited += 1;
    }
    Ok(())
}

/// A game server: gives each match a place, plays it in no time, and reports who won.
fn server(client: &Client, skills: &HashMap<String, f64>, ends: &AtomicBool) -> Result<(), ClientError> {
    let mut dice = Dice(99);
    for event in client.events(Some(0)) {
        if ends.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Change::Match(found) = event?.change else {
            continue;
        };
        if found.phase != Phase::Allocating {
            continue;
        }
        let strength = |team: &Vec<String>| team.iter().filter_map(|name| skills.get(name)).sum::<f64>();
        let strengths: Vec<f64> = found.teams.iter().map(strength).collect();
        let [one, other] = strengths[..] else { continue };
        let first_wins = dice.draw() < 1.0 / (1.0 + (other - one).exp());
        let places = if first_wins { [1, 2] } else { [2, 1] };
        // One of its players may have left it by now, and the stream begins with old ones after a restart.
        let played = client
            .assign(&found.id, "127.0.0.1:7777")
            .and_then(|_| client.started(&found.id))
            .and_then(|_| client.report(&found.id, &MatchResult::of_places(places)));
        if let Err(error @ ClientError::Connection { .. }) = played {
            return Err(error);
        }
    }
    Ok(())
}

fn main() -> Result<(), ClientError> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments
        .next()
        .unwrap_or_else(|| "http://127.0.0.1:7711".to_owned());
    let mut number = |default: u64| {
        arguments
            .next()
            .and_then(|text| text.parse().ok())
            .unwrap_or(default)
    };
    let (bots, seconds) = (number(40), number(30));
    let client = Client::new(&address);
    // Parties of two where a team has room for them.
    let most = client
        .queues()?
        .iter()
        .flat_map(|queue| &queue.teams)
        .copied()
        .max();
    let has_parties = most.is_some_and(|most| most > 1);
    let mut dice = Dice(1);
    // A sum of twelve is nearly normal.
    let mut skill = |_| (0..12).map(|_| dice.draw()).sum::<f64>() - 6.0;
    let names: Vec<String> = (0..bots).map(|bot| format!("bot-{bot}")).collect();
    let skills: HashMap<String, f64> = names.iter().cloned().zip((0..bots).map(&mut skill)).collect();
    let (counts, ends) = (Counts::default(), AtomicBool::new(false));
    scope(|scope| {
        scope.spawn(|| {
            if let Err(error) = server(&client, &skills, &ends) {
                println!("the game server: {error}");
            }
        });
        let parties: Vec<&[String]> = if has_parties {
            // Two of three play together.
            let split = |three: &'_ [String]| three.len().min(2);
            names
                .chunks(3)
                .flat_map(|three| [&three[..split(three)], &three[split(three)..]])
                .collect()
        } else {
            names.chunks(1).collect()
        };
        for (seed, party) in (100..).zip(parties.into_iter().filter(|party| !party.is_empty())) {
            let (client, counts, ends) = (&client, &counts, &ends);
            scope.spawn(move || {
                let mut dice = Dice(seed);
                while !ends.load(Ordering::Relaxed) {
                    if bot(client, party, &mut dice, counts, ends).is_err() {
                        // It cools down, or somebody else of its party waits.
                        counts.refused.fetch_add(1, Ordering::Relaxed);
                        sleep(Duration::from_millis(500));
                    }
                    sleep(Duration::from_millis((300.0 * dice.draw()) as u64));
                }
            });
        }
        sleep(Duration::from_secs(seconds));
        ends.store(true, Ordering::Relaxed);
        // The server sees that with the next change.
        let _ = client.create(&NewTicket::of(["the-end"]));
    });
    let told = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    println!(
        "{} tickets played; {} cancelled, {} left a match, {} crashed, {} refused or given up",
        told(&counts.played),
        told(&counts.cancelled),
        told(&counts.left),
        told(&counts.crashed),
        told(&counts.refused)
    );
    let mut pairs = Vec::new();
    for name in &names {
        if let Some(rated) = client.player(name)?.rated.filter(|rated| rated.games > 0) {
            pairs.push((skills[name], rated.rating));
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
