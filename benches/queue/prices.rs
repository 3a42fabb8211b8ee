//! Prices against widening windows on the same logs.

use matchwright_queue::{
    Event, Pairs, PairsParams, PolicyLabel, PriceStart, PricesParams, QueueSettings, State, Ticket, Time,
    WindowParams, step,
};
use matchwright_sim::arrivals::{Arrival, ArrivalsParams};
use matchwright_sim::statistics::paired_test;

use super::Options;

/// Points at first, times the root of c/K; points a second, times c/K; and the greatest width.
const STARTS: [f64; 6] = [0.0, 5.0, 10.0, 20.0, 40.0, 80.0];
const GROWTHS: [f64; 6] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0];
const MOST: [Option<f64>; 2] = [None, Some(300.0)];

/// The cost a player, K d / 2 + c w with K = 1, and the 99th percentile of the waits.
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
    cost += second * waits.iter().sum::<f64>();
    waits.sort_by(f64::total_cmp);
    (cost / waits.len() as f64, waits[waits.len() * 99 / 100])
}

fn mean(values: &[(f64, f64)]) -> (f64, f64) {
    let of = |one: fn(&(f64, f64)) -> f64| values.iter().map(one).sum::<f64>() / values.len() as f64;
    (of(|value| value.0), of(|value| value.1))
}

/// Every policy on the logs of all seeds; prices beside the windows that cost least on the mean of them.
pub(crate) fn prices(options: &Options) {
    println!(
        "\n## Prices and widening windows, {} tickets, seeds {} to {}\n",
        options.tickets, options.seeds[0], options.seeds[1]
    );
    println!(
        "| rate | c/K | policy | cost a player | 99 % of waits below, s | less than windows, percent | 95 % interval |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (rate, second) in [("steady", 1.0), ("steady", 4.0), ("swinging", 1.0)] {
        let world = if rate == "steady" {
            ArrivalsParams::one_a_second
        } else {
            ArrivalsParams::swinging
        };
        let logs: Vec<Vec<Arrival>> = (options.seeds[0]..=options.seeds[1])
            .map(|seed| world(options.tickets, seed).build().unwrap())
            .collect();
        let all = |params: &PairsParams| -> Vec<(f64, f64)> {
            logs.iter().map(|log| run(log, params, second)).collect()
        };
        let (name, best) = best_windows(second, &all);
        let (cost, wait) = mean(&best);
        println!("| {rate} | {second} | {name} | {cost:.2} | {wait:.0} | | |");
        let density = PriceStart::Density {
            mean: 1500.0,
            deviation: 300.0,
            per_second: 1.0,
        };
        for (name, learn, start) in [
            ("prices, density given", None, density.clone()),
            ("prices, density given and learned", Some(0.02), density),
            ("prices, learned from the first on", Some(0.02), PriceStart::Learn),
        ] {
            let prices = PricesParams {
                learn,
                start,
                ..PricesParams::of("rating", 1.0, second)
            };
            let found = all(&PairsParams {
                prices: Some(prices),
                ..PairsParams::default()
            });
            let test = paired_test(
                best.iter()
                    .zip(&found)
                    .map(|(windows, prices)| windows.0 - prices.0),
            );
            let (of_prices, wait) = mean(&found);
            let margin = test.margin(0.95);
            let percent = |difference: f64| 100.0 * difference / cost;
            println!(
                "| {rate} | {second} | {name} | {of_prices:.2} | {wait:.0} | {:.1} | {:.1} to {:.1} |",
                percent(cost - of_prices),
                percent(cost - of_prices - margin),
                percent(cost - of_prices + margin)
            );
        }
    }
}

/// The windows that cost least, with what they cost on each log.
fn best_windows(second: f64, all: &dyn Fn(&PairsParams) -> Vec<(f64, f64)>) -> (String, Vec<(f64, f64)>) {
    let mut best: Option<(String, Vec<(f64, f64)>)> = None;
    for (start, growth, most) in STARTS.iter().flat_map(|&start| {
        GROWTHS
            .iter()
            .flat_map(move |&growth| MOST.map(|most| (start, growth, most)))
    }) {
        let window = WindowParams {
            start: start * second.sqrt(),
            per_second: growth * second,
            most,
            ..WindowParams::of("rating")
        };
        let name = format!(
            "windows from {} by {} a second, {}",
            window.start,
            window.per_second,
            most.map_or("no limit".to_owned(), |most| format!("{most} at most"))
        );
        let found = all(&PairsParams {
            windows: vec![window],
            ..PairsParams::default()
        });
        if best.as_ref().is_none_or(|best| mean(&found).0 < mean(&best.1).0) {
            best = Some((name, found));
        }
    }
    best.unwrap()
}
