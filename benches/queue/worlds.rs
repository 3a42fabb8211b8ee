//! Simulated worlds: 1v1 at several sizes, and what a ticket costs in each; teams; whether promised waits are kept.

use std::collections::BTreeMap;
use std::time::Instant;

use matchwright_queue::{Event, EventKind, Outcome, Time};
use matchwright_rating::{RatingParams, SystemName};
use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::progress::Quiet;
use matchwright_sim::replay::Judge;
use matchwright_sim::simulate::{
    AcceptanceParams, AgainParams, ArrivalParams, KnownSkill, Measures, NumberParams, Patience, PeopleParams,
    PlayedMatch, Record, RegionParams, ScenarioParams, TicketEnd, Worlds, simulate,
};
use matchwright_sim::statistics::Summary;

use matchwright_sim::simulate::Figure;

use super::Options;

const WINDOWS: &str = "
[queue]
accept = 'both'
longest_wait = 300
[[queue.windows]]
of = 'rating'
start = 20
per_second = 5
[objective]
of = 'rating'
lost = 300.0
";

/// Windows so narrow that a hundred thousand wait: two hundred a second who meet after some five hundred seconds.
const NARROW: &str = "
[queue]
accept = 'both'
[[queue.windows]]
of = 'rating'
per_second = 0.000015
[objective]
of = 'rating'
";

const PRICES: &str = include_str!("../../examples/policies/prices.toml");
const DOTA: &str = include_str!("../../examples/policies/dota.toml");

/// 1v1 with rating by Glicko: a day of 10,000 players, a week of 100,000, a fourth of a day of a million; some 7 matches a
/// player a day, 5 million in the week.
pub(crate) fn worlds() {
    println!("\n## Simulated worlds of 1v1\n");
    header();
    for (players, hours) in [(10_000_u32, 24.0), (100_000, 168.0), (1_000_000, 6.0)] {
        let scenario = ScenarioParams {
            hours,
            arrivals: arrivals(f64::from(players) * 5.0 / 86_400.0),
            people: PeopleParams {
                players: Some(players),
                ..PeopleParams::default()
            },
            patience: Some(Patience::Exponential(300.0)),
            again: AgainParams {
                next_match: [0.7, 0.7, 0.65],
                ..AgainParams::default()
            },
            rating: KnownSkill {
                system: Some(RatingParams::of(SystemName::Glicko)),
                ..KnownSkill::default()
            },
            ..ScenarioParams::default()
        };
        measured(&format!("{hours} hours of {players} players"), scenario, WINDOWS);
    }
    let crowd = ScenarioParams {
        hours: 1.0,
        arrivals: arrivals(200.0),
        people: PeopleParams {
            players: Some(1_000_000),
            ..PeopleParams::default()
        },
        ..ScenarioParams::default()
    };
    measured("an hour of 1000000 players who wait long", crowd, NARROW);
}

/// 5v5 with parties under the Dota policy, all ten asked, until as many matches are made as the option says.
pub(crate) fn teams(options: &Options) {
    println!("\n## Simulated worlds of 5v5 with parties, Dota policy\n");
    header();
    // Ten players a second, in parties of two on average, of whom nine in ten play.
    let hours = options.matches as f64 / 0.9 / 3600.0;
    measured(
        "two hundred thousand who come when they like",
        dota(5.0, hours),
        DOTA,
    );
    let mut crowd: ScenarioParams =
        toml::from_str(include_str!("../../examples/scenarios/dota.toml")).unwrap();
    crowd.arrivals.per_second *= 50.0;
    measured("scenario dota, fifty times the arrivals", crowd, DOTA);
}

fn dota(per_second: f64, hours: f64) -> ScenarioParams {
    let number = NumberParams {
        mean: 60.0,
        deviation: 25.0,
        with_skill: 0.5,
        least: Some(0.0),
        of_party: false,
    };
    let languages = [("en", 0.6), ("ru", 0.25), ("es", 0.15)].map(|(word, share)| (word.to_owned(), share));
    ScenarioParams {
        hours,
        arrivals: arrivals(per_second),
        people: PeopleParams {
            players: Some(200_000),
            parties: vec![0.45, 0.28, 0.12, 0.05, 0.1],
            numbers: [("experience".to_owned(), number)].into(),
            words: [("languages".to_owned(), languages.into())].into(),
            ..PeopleParams::default()
        },
        patience: Some(Patience::Exponential(600.0)),
        acceptance: AcceptanceParams {
            chance: 0.99,
            declines: 0.5,
            mean_seconds: 4.0,
        },
        again: AgainParams {
            next_match: [0.0; 3],
            ..AgainParams::default()
        },
        ..ScenarioParams::default()
    }
}

fn arrivals(per_second: f64) -> ArrivalParams {
    ArrivalParams {
        per_second,
        ..ArrivalParams::default()
    }
}

fn header() {
    println!(
        "| world | matches | tickets | most at once | seconds | of the processor | matches a second of it | microseconds of it a ticket | cost a player | peak memory, MB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
}

fn measured(name: &str, params: ScenarioParams, policy: &str) {
    let scenario = params.build().unwrap();
    let mut policy = load(toml::from_str::<PolicyDocument>(policy).unwrap()).unwrap();
    let judge = Judge::new(policy.objective.clone(), policy.scoring.clone()).unwrap();
    let mut measures = Measures::new(&scenario, &judge);
    let mut crowd = Crowd::default();
    let (start, before) = (Instant::now(), processor_seconds());
    let mut both: (&mut dyn Record, &mut dyn Record) = (&mut measures, &mut crowd);
    let ended = simulate(&scenario, &mut policy, 1, &mut both, &mut |_| {}).unwrap();
    let (seconds, processor) = (start.elapsed().as_secs_f64(), processor_seconds() - before);
    let found = measures.finish(&ended.players);
    let tickets: u64 = found.tickets.values().sum();
    println!(
        "| {name} | {} | {tickets} | {} | {seconds:.1} | {processor:.1} | {:.0} | {:.2} | {:.5} | {:.0} |",
        found.matches,
        crowd.most,
        found.matches as f64 / processor,
        1e6 * processor / tickets as f64,
        Figure::Cost.of(&found).unwrap_or(f64::NAN),
        megabytes("VmHWM:"),
    );
}

/// How many tickets wait, and the most at once.
#[derive(Default)]
struct Crowd {
    now: u64,
    most: u64,
}

impl Record for Crowd {
    fn ticket(&mut self, _end: &TicketEnd) {
        self.now = self.now.saturating_sub(1);
    }

    fn played(&mut self, _made: &PlayedMatch) {}

    fn step(&mut self, _now: Time, events: &[Event], _outcome: &Outcome) {
        let came = events
            .iter()
            .filter(|event| matches!(event.kind, EventKind::Create(_)));
        self.now += came.count() as u64;
        self.most = self.most.max(self.now);
    }
}

/// Time that this process has had of a processor, where the system tells; in hundredths.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks: Vec<f64> = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse().ok())
        .collect();
    ticks.iter().sum::<f64>() / 100.0
}

/// Memory of this process by a name of its status, where the system tells: what it has (`VmRSS:`), or the most so far (`VmHWM:`).
pub(crate) fn megabytes(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    number.unwrap_or(f64::NAN) / 1000.0
}

/// Of tickets that came after the first day the share matched within the wait that 80 % were promised.
pub(crate) fn promises() {
    println!("\n## Promised waits of 80 %, days after the first\n");
    println!("| world | policy | promised, a world | kept, % | standard error |");
    println!("|---|---|---|---|---|");
    let widening = WINDOWS.replace("[queue]", "[queue]\nestimates = { by = 'rating', band = 200 }");
    for (name, params) in promise_worlds() {
        for (policy, text) in [("widening", widening.as_str()), ("prices", PRICES)] {
            promised(name, policy, params.clone(), text);
        }
    }
    let mut teams = dota(0.3, 60.0);
    teams.warm_up_hours = 24.0;
    teams.arrivals.by_hour = swing();
    promised("parties, hours", "dota", teams, DOTA);
}

/// Four to one over the day.
fn swing() -> Vec<f64> {
    let busy = |hour: i32| 2.5 - 1.5 * (2.0 * std::f64::consts::PI * f64::from(hour - 4) / 24.0).cos();
    (0..24).map(busy).collect()
}

fn promise_worlds() -> BTreeMap<&'static str, ScenarioParams> {
    let base = ScenarioParams {
        hours: 96.0,
        warm_up_hours: 24.0,
        arrivals: arrivals(0.15),
        ..ScenarioParams::default()
    };
    let hours = ScenarioParams {
        arrivals: ArrivalParams {
            by_hour: swing(),
            ..base.arrivals.clone()
        },
        ..base.clone()
    };
    let patience = ScenarioParams {
        patience: Some(Patience::Weibull {
            shape: 0.7,
            scale: 120.0,
        }),
        ..hours.clone()
    };
    let region = |name: &str, share, offset_hours, pings: [f64; 2]| RegionParams {
        name: name.to_owned(),
        share,
        offset_hours,
        pings: ["east", "west"]
            .map(str::to_owned)
            .into_iter()
            .zip(pings)
            .collect(),
    };
    let regions = ScenarioParams {
        regions: vec![
            region("east", 3.0, 0.0, [20.0, 90.0]),
            region("west", 1.0, 9.0, [90.0, 20.0]),
        ],
        ..patience.clone()
    };
    [
        ("steady", base),
        ("hours", hours),
        ("hours, patience", patience),
        ("hours, patience, regions", regions),
    ]
    .into()
}

fn promised(name: &str, policy: &str, params: ScenarioParams, text: &str) {
    const WORLDS: u64 = 6;
    let scenario = params.build().unwrap();
    let policies = [toml::from_str::<PolicyDocument>(text).unwrap()];
    let loaded = load(policies[0].clone()).unwrap();
    let judge = Judge::new(loaded.objective, loaded.scoring).unwrap();
    let worlds = Worlds {
        scenario: &scenario,
        policies: &policies,
        judge: &judge,
        seed: 1,
        hindsight: false,
    };
    let found = worlds.run(0..WORLDS, 0, &Quiet).unwrap();
    let coverage = || found.iter().map(|world| world.policies[0].coverage);
    let kept = Summary::of(coverage().filter_map(|one| one.share())).estimate();
    let tickets = Summary::of(coverage().map(|one| one.promised as f64)).mean();
    println!(
        "| {name} | {policy} | {tickets:.0} | {:.2} | {:.2} |",
        100.0 * kept.mean,
        100.0 * kept.standard_error
    );
}
