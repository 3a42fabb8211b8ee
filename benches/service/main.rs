//! The live service: durable tickets a second, and how soon players are told.
//!
//! Client and server share the machine. Beside each figure stands how long the device takes to sync; where 99 of 100 syncs take more than
//! 2 ms, the run says nothing of the service.
#![allow(
    missing_docs,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may stop at the first surprise, and prints what it found"
)]

mod client;
mod library;
mod network;
mod teams;

use std::path::Path;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use matchwright_queue::Value;
use matchwright_service::{NewPlayer, NewTicket, Service, Settings};

#[derive(Parser)]
struct Options {
    /// What to measure; all if not given
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Tickets that wait for ever
    #[arg(long, default_value_t = 100_000)]
    open: u64,
    /// How long each part runs
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Creates a second of `told`, `slow-sync` and `growth`
    #[arg(long, default_value_t = 5000)]
    rate: u64,
    /// Creates a second of `teams`
    #[arg(long, default_value_t = 2000)]
    team_rate: u64,
    /// How long `growth` runs
    #[arg(long, default_value_t = 2)]
    minutes: u64,
    /// Only how soon the service of this folder answers again
    #[arg(long, hide = true)]
    reopen: Option<std::path::PathBuf>,
    /// Only a service on this folder, which tells its address
    #[arg(long, hide = true)]
    serve: Option<std::path::PathBuf>,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Durable creates a second through the library, as many as it takes
    Library,
    /// Creates with a watched match over HTTP, as many as it takes
    Calls,
    /// From the time at which a match is possible until both are told, over HTTP at a steady rate
    Told,
    /// The same where each sync takes 10 ms
    SlowSync,
    /// Twice the rate that it takes for a while, then the steady rate again
    Overload,
    /// The memory of a ticket that waits, and of one who watches
    Memory,
    /// How soon a service with a million events behind it answers again
    Recovery,
    /// Creates of parties at a steady rate under Dota's policy
    Teams,
    /// From the start of a process to its first match
    Start,
    /// The memory of a service minute by minute, where all matches are played
    Growth,
}

fn main() {
    let options = Options::parse();
    if let Some(folder) = &options.reopen {
        library::reopen(folder);
    }
    if let Some(folder) = &options.serve {
        network::serve_new(folder);
    }
    let all = Part::value_variants();
    let parts = if options.parts.is_empty() {
        all
    } else {
        &options.parts
    };
    for part in parts {
        match part {
            Part::Library => library::creates(&options),
            Part::Calls => network::calls(&options),
            Part::Told => network::told(&options, None),
            Part::SlowSync => network::told(&options, Some(Duration::from_millis(10))),
            Part::Overload => network::overload(&options),
            Part::Memory => library::memory(&options),
            Part::Recovery => library::recovery(&options),
            Part::Teams => teams::creates(&options),
            Part::Start => network::start(),
            Part::Growth => library::growth(&options),
        }
    }
}

/// Players of the same level meet. A level is no rating, so results do not change it.
const POLICY: &str = "name = 'bench'\n[queue]\n[[queue.windows]]\nof = 'level'\nstart = 10";

fn ticket(player: String, level: f64) -> NewTicket {
    NewTicket {
        players: vec![NewPlayer {
            id: player,
            attributes: [("level".to_owned(), Value::Number(level))].into(),
        }],
        regions: [("eu".to_owned(), 20.0), ("us".to_owned(), 90.0)].into(),
        ..NewTicket::default()
    }
}

/// Tickets that no other ticket fits.
fn fill(service: &Service, open: u64) {
    // Those of the runs have positive levels.
    let waits = |number| ticket(format!("waits-{number}"), -1000.0 * (number as f64 + 1.0));
    create_all(service, (0..open).map(waits));
}

fn create_all(service: &Service, tickets: impl Iterator<Item = NewTicket>) {
    let mut pending = Vec::new();
    for ticket in tickets {
        pending.push(service.create(None, ticket));
        if pending.len() == 1024 {
            pending.drain(..).for_each(|one| _ = one.wait().unwrap());
        }
    }
    for one in pending {
        one.wait().unwrap();
    }
}

fn open(folder: &Path, options: &Options) -> Service {
    let service = Service::open_folder(folder, POLICY, Settings::default()).unwrap();
    fill(&service, options.open);
    service
}

/// The least time, in milliseconds, that at least this many thousandths of all times do not exceed.
fn quantile(sorted: &[Duration], of_thousand: usize) -> f64 {
    let rank = (of_thousand * sorted.len()).div_ceil(1000);
    let time = sorted.get(rank.saturating_sub(1));
    time.map_or(0.0, |time| 1000.0 * time.as_secs_f64())
}

/// Quantiles of times, from the least on.
fn shown(times: &[Duration]) -> String {
    let [half, last, rare] = [500, 990, 999].map(|share| quantile(times, share));
    format!("p50 {half:.1}, p99 {last:.1}, p99.9 {rare:.1} ms")
}

/// How long the device of this folder takes for 4,000 bytes: half and 99 of 100 of 500 syncs, in milliseconds.
fn device(folder: &Path) -> String {
    use std::io::{Seek, SeekFrom, Write};

    let path = folder.join("probe");
    let mut file = std::fs::File::create(&path).unwrap();
    file.write_all(&vec![0; 4 << 20]).unwrap();
    file.sync_all().unwrap();
    let mut times = Vec::new();
    for number in 0..500 {
        file.seek(SeekFrom::Start(number * 4096)).unwrap();
        file.write_all(&[1; 4000]).unwrap();
        let began = Instant::now();
        file.sync_data().unwrap();
        times.push(began.elapsed());
    }
    std::fs::remove_file(path).unwrap();
    times.sort_unstable();
    let last = quantile(&times, 990);
    let verdict = if last > 2.0 {
        "; too slow for this run to say anything"
    } else {
        ""
    };
    format!(
        "device: sync of 4,000 bytes p50 {:.2}, p99 {last:.2} ms{verdict}",
        quantile(&times, 500)
    )
}
