//! Prints a generated log of a queue: `queue_tickets pairs|teams NUMBER SEED`.
//!
//! The files of `examples/queue` are:
//!
//! ```sh
//! cargo run -p matchwright-sim --example queue_tickets -- pairs 300 1 > examples/queue/tickets.csv
//! cargo run -p matchwright-sim --example queue_tickets -- teams 160 1 > examples/queue/teams.jsonl
//! ```
//!
//! `pairs` are tickets of one player each, some twelve a minute, whose patience has a mean of four minutes; those who
//! stay are matched by a policy that widens. `teams` are tickets of one to five players, and none leaves.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{Write, stdout};

use matchwright_queue::{Attributes, Member, PlayerId, Ticket, Time, Value};
use matchwright_sim::arrivals::{Arrival, ArrivalsParams};
use matchwright_sim::policy::load;
use matchwright_sim::random::{Purpose, standard_normal, stream};
use matchwright_sim::replay::{Fate, Judge, LoggedTicket, ReplaySettings, TicketLog, replay};
use rand::RngExt;
use serde_json::json;

const POLICY: &str = include_str!("../../../examples/policies/widening.toml");
/// Milliseconds from a home to each region's servers.
const PINGS: [(&str, [f64; 3]); 3] = [
    ("eu", [25.0, 110.0, 240.0]),
    ("us", [110.0, 30.0, 170.0]),
    ("asia", [230.0, 180.0, 35.0]),
];
/// 2026-03-06T18:00:00Z.
const START: i64 = 1_772_820_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [form, number, seed] = &words[..] else {
        return Err("give `pairs` or `teams`, the number of tickets and a seed".into());
    };
    let (tickets, seed) = (number.parse()?, seed.parse()?);
    let text = match form.as_str() {
        "pairs" => pairs(tickets, seed)?,
        "teams" => teams(tickets, seed)?,
        _ => return Err("the first word must be `pairs` or `teams`".into()),
    };
    stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn arrivals(tickets: usize, seed: u64, rate_per_second: f64) -> Result<Vec<Arrival>, Box<dyn Error>> {
    let params = ArrivalsParams {
        rate_per_second,
        mean_patience_seconds: Some(240.0),
        ..ArrivalsParams::one_a_second(tickets, seed)
    };
    Ok(params.build()?)
}

/// Pings of a ticket to the regions that it accepts: all below 150 ms.
fn regions(seed: u64, ticket: u64) -> Vec<(&'static str, f64)> {
    let mut random = stream(seed, Purpose::QueueTickets, ticket, 0);
    let home = random.random_range(0..PINGS.len());
    let ping = |(region, from): (&'static str, [f64; 3])| {
        (
            region,
            (from[home] + 12.0 * standard_normal(&mut random)).abs().round(),
        )
    };
    PINGS
        .map(ping)
        .into_iter()
        .filter(|(_, ping)| *ping < 150.0)
        .collect()
}

fn pairs(tickets: usize, seed: u64) -> Result<String, Box<dyn Error>> {
    let logged = |(id, arrival): (u64, Arrival)| {
        let ticket = Ticket::of_one(id, id).with("skill", arrival.rating.round());
        let ticket = regions(seed, id)
            .into_iter()
            .fold(ticket, |ticket, (region, ping)| ticket.with_region(region, ping));
        LoggedTicket {
            ticket,
            came: Time::from_millis(START + arrival.at_ms),
            left: arrival.leaves_at_ms.map(|at| Time::from_millis(START + at)),
            matched: None,
        }
    };
    let log = TicketLog::new((1..).zip(arrivals(tickets, seed, 0.2)?).map(logged).collect())?;
    // As they were matched by a policy that widens.
    let mut policy = load(toml::from_str(POLICY)?)?;
    let judge = Judge::new(policy.objective.clone(), None).ok_or("the policy has an objective")?;
    let played = replay(&log, &mut policy, &judge, ReplaySettings::default(), &mut |_| {})?;
    let mut text = "ticket,time,left,match,skill,ping_eu,ping_us,ping_asia\n".to_owned();
    for (logged, played) in log.tickets().iter().zip(&played.tickets) {
        #[expect(clippy::cast_possible_truncation, reason = "a wait of whole milliseconds")]
        let ended = logged.came.plus((1000.0 * played.waited).round() as i64);
        let seconds = |time: Time| format!("{:.3}", time.millis() as f64 / 1000.0);
        let (left, made) = match played.fate {
            Fate::Matched(made) => (seconds(ended), format!("m{made}")),
            Fate::Left => (seconds(ended), String::new()),
            Fate::Waits | Fate::Refused | Fate::Unknown => (String::new(), String::new()),
        };
        let ticket = &logged.ticket;
        let pings = PINGS.map(|(region, _)| {
            ticket
                .regions
                .get(region)
                .map_or_else(String::new, f64::to_string)
        });
        let skill = ticket.mean("skill").unwrap_or(f64::NAN);
        writeln!(
            text,
            "t{},{},{left},{made},{skill},{}",
            ticket.id,
            seconds(logged.came),
            pings.join(",")
        )?;
    }
    Ok(text)
}

/// Sizes of parties, by how common they are.
const SIZES: [usize; 12] = [1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 5];

fn teams(tickets: usize, seed: u64) -> Result<String, Box<dyn Error>> {
    let (mut text, mut next) = (String::new(), 1);
    for (id, arrival) in (1..).zip(arrivals(tickets, seed, 0.5)?) {
        let mut random = stream(seed, Purpose::QueueTickets, id, 1);
        let size = SIZES[random.random_range(0..SIZES.len())];
        let member = |_| {
            let skill = (arrival.rating + 120.0 * standard_normal(&mut random)).round();
            let experience: f64 = random.random_range(20..3000).into();
            let language = ["en", "de", "fr"][random.random_range(0..3)];
            next += 1;
            Member {
                id: PlayerId(next - 1),
                attributes: Attributes::from([
                    ("skill".to_owned(), Value::Number(skill)),
                    ("experience".to_owned(), Value::Number(experience)),
                    ("languages".to_owned(), Value::Texts(vec![language.to_owned()])),
                ]),
            }
        };
        let players: Vec<Member> = (0..size).map(member).collect();
        let ticket = regions(seed, id).into_iter().fold(
            Ticket {
                players,
                ..Ticket::of(id, [])
            },
            |ticket, (region, ping)| ticket.with_region(region, ping),
        );
        let mut line = serde_json::to_value(&ticket)?;
        line["came"] = json!(START + arrival.at_ms);
        writeln!(text, "{line}")?;
    }
    Ok(text)
}
