//! Prices against widening windows on the same logs, in several worlds.

use matchwright_queue::{
    Accept, Event, Pairs, PairsParams, PolicyLabel, PriceStart, PricesParams, QueueSettings, State, Ticket,
    Time, WindowParams, step,
};
use matchwright_sim::arrivals::{Arrival, ArrivalsParams};
use matchwright_sim::random::stream;
use matchwright_sim::statistics::paired_test;
use rand::RngExt;

use super::Options;

/// Points at first, times the root of c/K, and points a second, times c/K.
const STARTS: [f64; 7] = [0.0, 10.0, 20.0, 30.0, 40.0, 60.0, 80.0];
const GROWTHS: [f64; 7] = [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

/// Seconds, as the example policy of prices has it.
const LONGEST_WAIT: f64 = 600.0;

/// Where skills come from, around 1500.
#[derive(Clone, Copy, PartialEq)]
enum Skills {
    /// Of a standard deviation of 300.
    Normal,
    /// From 0 to 3,000.
    Uniform,
    /// Of the normal distribution's quartiles, within 5,000 of the middle.
    Cauchy,
}

/// A world: its skills, arrivals a second, whether their rate swings tenfold, and the cost c of a second beside K = 1.
type World = (&'static str, Skills, f64, bool, f64);

const WORLDS: [World; 7] = [
    ("normal", Skills::Normal, 1.0, false, 1.0),
    ("normal, dear waits", Skills::Normal, 1.0, false, 4.0),
    ("normal, swinging rate", Skills::Normal, 1.0, true, 1.0),
    ("normal, sparse", Skills::Normal, 0.1, false, 1.0),
    ("uniform", Skills::Uniform, 1.0, false, 1.0),
    ("Cauchy", Skills::Cauchy, 1.0, false, 1.0),
    ("Cauchy, sparse", Skills::Cauchy, 0.1, false, 1.0),
];

fn log((_, skills, rate_per_second, swings, _): World, tickets: usize, seed: u64) -> Vec<Arrival> {
    let params = if swings {
        ArrivalsParams::swinging(tickets, seed)
    } else {
        ArrivalsParams::one_a_second(tickets, seed)
    };
    let params = ArrivalsParams {
        rate_per_second,
        ..params
    };
    let mut log = params.build().unwrap();
    let mut random = stream(seed, 7701_u64, 0, 0);
    for arrival in &mut log {
        arrival.rating = match skills {
            Skills::Normal => arrival.rating,
            Skills::Uniform => 3000.0 * random.random::<f64>(),
            Skills::Cauchy => loop {
                let quantile = random.random::<f64>() - 0.5;
                let away = 0.674_49 * 300.0 * (std::f64::consts::PI * quantile).tan();
                if away.abs() <= 5000.0 {
                    break 1500.0 + away;
                }
            },
        };
    }
    log
}

/// The cost a player, K d / 2 + c w with K = 1, and the 99th percentile of the waits. All are matched in the end.
fn run(arrivals: &[Arrival], params: &PairsParams, second: f64) -> (f64, f64) {
    let mut policy = Pairs::new("", params.build().unwrap());
    let mut state = State::new(PolicyLabel::default(), QueueSettings::default());
    let (mut cost, mut waits) = (0.0, Vec::new());
    let (mut wakeup, mut next): (Option<Time>, usize) = (None, 0);
    loop {
        let arrival = arrivals.get(next).map(|arrival| Time::from_millis(arrival.at_ms));
        let Some(now) = [arrival, wakeup].into_iter().flatten().min() else {
            break;
        };
        let mut events = Vec::new();
        if arrival == Some(now) {
            let id = next as u64 + 1;
            events.push(Event::create(
                id,
                Ticket::of_one(id, id).with("rating", arrivals[next].rating),
            ));
            next += 1;
        }
        let outcome = step(&mut state, &mut policy, now, &events).unwrap();
        for made in outcome.matches() {
            cost += made.lobby.mismatch;
            waits.extend(made.joined.iter().map(|&joined| now.seconds_since(joined)));
        }
        wakeup = outcome.wakeup;
    }
    assert_eq!(waits.len(), arrivals.len() / 2 * 2);
    cost += second * waits.iter().sum::<f64>();
    waits.sort_by(f64::total_cmp);
    (cost / waits.len() as f64, waits[waits.len() * 99 / 100])
}

fn mean(values: &[(f64, f64)]) -> (f64, f64) {
    let of = |one: fn(&(f64, f64)) -> f64| values.iter().map(one).sum::<f64>() / values.len() as f64;
    (of(|value| value.0), of(|value| value.1))
}

/// Prices as the example policy has them on the logs of all seeds, and what others cost there: the windows that cost least on
/// the mean of these very logs, by each handshake; and prices that are told the density.
pub(crate) fn prices(options: &Options) {
    println!(
        "\n## Prices and widening windows, {} tickets, seeds {} to {}\n",
        options.tickets, options.seeds[0], options.seeds[1]
    );
    println!(
        "| world | policy | cost a player | 99 % of waits below, s | prices cost less by, percent | 95 % interval |"
    );
    println!("|---|---|---|---|---|---|");
    for world in WORLDS {
        let (name, skills, per_second, _, second) = world;
        let logs: Vec<Vec<Arrival>> = (options.seeds[0]..=options.seeds[1])
            .map(|seed| log(world, options.tickets, seed))
            .collect();
        let all = |params: &PairsParams| -> Vec<(f64, f64)> {
            logs.iter().map(|log| run(log, params, second)).collect()
        };
        let by_prices = |learn, start| {
            all(&PairsParams {
                prices: Some(PricesParams {
                    learn,
                    start,
                    ..PricesParams::of("rating", 1.0, second)
                }),
                longest_wait: Some(LONGEST_WAIT),
                ..PairsParams::default()
            })
        };
        let ours = by_prices(Some(0.02), PriceStart::Learn);
        let (cost, wait) = mean(&ours);
        println!("| {name} | prices | {cost:.2} | {wait:.0} | | |");
        let mut others = vec![
            best_windows("both", Accept::Both, second, &all),
            best_windows("sum", Accept::Sum, second, &all),
        ];
        if skills == Skills::Normal {
            let density = PriceStart::Density {
                mean: 1500.0,
                deviation: 300.0,
                per_second,
            };
            others.push(("prices, density given".to_owned(), by_prices(None, density)));
        }
        for (policy, theirs) in others {
            let less = theirs.iter().zip(&ours).map(|(theirs, ours)| theirs.0 - ours.0);
            let margin = paired_test(less).margin(0.95);
            let (of_theirs, wait) = mean(&theirs);
            let percent = |difference: f64| 100.0 * difference / of_theirs;
            println!(
                "| {name} | {policy} | {of_theirs:.2} | {wait:.0} | {:.1} | {:.1} to {:.1} |",
                percent(of_theirs - cost),
                percent(of_theirs - cost - margin),
                percent(of_theirs - cost + margin)
            );
        }
    }
}

/// The windows that cost least, with what they cost on each log.
fn best_windows(
    handshake: &str,
    accept: Accept,
    second: f64,
    all: &dyn Fn(&PairsParams) -> Vec<(f64, f64)>,
) -> (String, Vec<(f64, f64)>) {
    let mut best: Option<(String, Vec<(f64, f64)>)> = None;
    for (start, growth) in STARTS
        .iter()
        .flat_map(|&start| GROWTHS.map(|growth| (start, growth)))
    {
        let window = WindowParams {
            start: start * second.sqrt(),
            per_second: growth * second,
            ..WindowParams::of("rating")
        };
        let name = format!(
            "windows, {handshake}: {} and {} a second",
            window.start, window.per_second
        );
        let found = all(&PairsParams {
            windows: vec![window],
            accept,
            ..PairsParams::default()
        });
        if best.as_ref().is_none_or(|best| mean(&found).0 < mean(&best.1).0) {
            best = Some((name, found));
        }
    }
    best.unwrap()
}
