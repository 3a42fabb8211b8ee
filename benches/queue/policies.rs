//! Every policy's total cost and regret: 1v1, 3v3 and 5v5 with parties, in several worlds each.
//!
//! The policies of the seeds are tuned over a grid, by their mean cost on worlds of their own; prices are as they are by
//! default. Then all are compared with each other and with hindsight, on other worlds.

use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::progress::Quiet;
use matchwright_sim::replay::Judge;
use matchwright_sim::simulate::{
    ArrivalParams, Difference, Figure, Patience, PeopleParams, ScenarioParams, World, Worlds,
};
use matchwright_sim::statistics::Summary;

use super::Options;

/// Worlds on which policies are tuned.
const TUNING: u64 = 2;
/// Seeds of the worlds on which policies are tuned, and of those on which they are compared; the constants of prices were
/// chosen on worlds of seed 1.
const SEEDS: [u64; 2] = [2, 3];

const SCORING: &str = "
[scoring.factors.team_skill]
weight = 3
difference = { shape = 'ramp', best = 0, worst = 1000 }
[scoring.factors.player_skill]
weight = 2
difference = { shape = 'ramp', best = 0, worst = 2000 }
[scoring.factors.premades]
weight = 0.5
";

/// A world, and what it costs there to wait a second and to be lost, beside 1 for a point of difference, or a match of no
/// quality.
#[derive(Clone, Copy)]
struct Setting {
    name: &'static str,
    /// Parties a second.
    per_second: f64,
    hours: f64,
    waiting: f64,
    lost: f64,
    /// Mean, seconds.
    patience: Option<f64>,
}

/// A policy with what is tuned of it.
struct Family {
    name: &'static str,
    /// Tables `[queue]`, without teams.
    grid: Vec<String>,
}

pub(crate) fn policies(options: &Options) {
    for &size in &options.sizes {
        println!("\n## {size}v{size}, {} worlds each\n", options.worlds);
        println!(
            "| world | policy | tuned to | cost a player | more than prices, percent | 95 % interval | regret, percent | mean wait, s | 99 % of waits below, s | mismatch |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|");
        for setting in settings(size) {
            compared(size, setting, options.worlds);
        }
    }
}

fn settings(size: usize) -> [Setting; 4] {
    let duels = size == 1;
    let (waiting, dear) = if duels {
        (1.0, 4.0)
    } else {
        (1.0 / 3000.0, 1.0 / 300.0)
    };
    let dense = Setting {
        name: "dense",
        per_second: 1.0,
        hours: if duels { 1.0 } else { 0.4 },
        waiting,
        lost: 0.0,
        patience: None,
    };
    [
        dense,
        Setting {
            name: "dear waits",
            waiting: dear,
            ..dense
        },
        Setting {
            name: "thin",
            per_second: 0.2,
            hours: 5.0 * dense.hours,
            ..dense
        },
        Setting {
            name: "leavers",
            lost: 300.0 * waiting,
            patience: Some(120.0),
            ..dense
        },
    ]
}

/// What the seeds' policies may be tuned to, in this world's units of waiting; prices first.
fn families(size: usize, setting: Setting) -> Vec<Family> {
    let c = setting.waiting;
    let product = |a: &[f64], b: &[f64], text: &dyn Fn(f64, f64) -> String| -> Vec<String> {
        a.iter()
            .flat_map(|&a| b.iter().map(move |&b| (a, b)))
            .map(|(a, b)| text(a, b))
            .collect()
    };
    let family = |name, grid| Family { name, grid };
    if size == 1 {
        let window = |start: f64, growth: f64| {
            let (start, growth) = (start * c.sqrt(), growth * c);
            format!(
                "accept = 'both'\nlongest_wait = 600\nwindows = [{{ of = 'rating', start = {start}, per_second = {growth} }}]"
            )
        };
        let round = |every: f64, _: f64| {
            format!(
                "method = 'batch'\nbatch = {{ every = {every}, choose = 'difference' }}\nwindows = [{{ of = 'rating', start = 100000 }}]"
            )
        };
        return vec![
            family("prices", vec!["longest_wait = 600\nprices = {}".to_owned()]),
            family(
                "widening windows",
                product(&[5.0, 10.0, 20.0, 40.0], &[0.5, 1.0, 2.0, 4.0, 8.0], &window),
            ),
            family(
                "batches",
                product(
                    &[10.0, 20.0, 30.0, 45.0, 60.0, 90.0, 120.0, 240.0],
                    &[0.0],
                    &round,
                ),
            ),
        ];
    }
    let threshold = |accept: &'static str, after: f64| {
        let text = move |quality: f64, fall: f64| {
            let fall = fall * c;
            format!(
                "method = 'lobbies'\nlongest_wait = 600\naccept = '{accept}'\nthreshold = {{ quality = {quality}, after = {after}, fall_per_second = {fall:.9} }}"
            )
        };
        product(&[0.8, 0.85, 0.9, 0.93, 0.96], &[1.0, 5.0, 20.0], &text)
    };
    let round =
        |every: f64, _: f64| format!("method = 'batch'\nexchanges = 20000\nbatch = {{ every = {every} }}");
    vec![
        family(
            "prices",
            vec!["method = 'lobbies'\nlongest_wait = 600\nprices = {}".to_owned()],
        ),
        family("falling threshold, sum", threshold("sum", 0.0)),
        family("falling threshold, either", threshold("either", 0.0)),
        family("falling threshold, both", threshold("both", 0.0)),
        family("Dota threshold, sum after 10 s", threshold("sum", 10.0)),
        family(
            "batches",
            product(&[10.0, 20.0, 40.0, 80.0, 160.0], &[0.0], &round),
        ),
    ]
}

fn run(size: usize, setting: Setting, queues: &[String], stage: usize, worlds: u64) -> Vec<World> {
    let (waiting, lost) = (setting.waiting, setting.lost);
    let objective = if size == 1 {
        format!("[objective]\nof = 'rating'\nwaiting = {waiting}\nlost = {lost}\n")
    } else {
        format!("[objective]\nwaiting = {waiting:.9}\nlost = {lost}\n{SCORING}")
    };
    let document = |queue: &String| -> PolicyDocument {
        toml::from_str(&format!(
            "[queue]\nteams = [{size}, {size}]\n{queue}\n{objective}"
        ))
        .unwrap()
    };
    let policies: Vec<PolicyDocument> = queues.iter().map(document).collect();
    let loaded = load(policies[0].clone()).unwrap();
    let judge = Judge::new(loaded.objective, loaded.scoring).unwrap();
    let parties = match size {
        1 => vec![1.0],
        3 => vec![0.6, 0.25, 0.15],
        _ => vec![0.6, 0.2, 0.1, 0.05, 0.05],
    };
    let params = ScenarioParams {
        hours: setting.hours,
        warm_up_hours: 0.1 * setting.hours,
        arrivals: ArrivalParams {
            per_second: setting.per_second,
            ..ArrivalParams::default()
        },
        people: PeopleParams {
            parties,
            ..PeopleParams::default()
        },
        patience: setting.patience.map(Patience::Exponential),
        ..ScenarioParams::default()
    };
    let scenario = params.build().unwrap();
    let all = Worlds {
        scenario: &scenario,
        policies: &policies,
        judge: &judge,
        seed: SEEDS[stage],
        hindsight: stage == 1,
    };
    all.run(0..worlds, 0, &Quiet).unwrap()
}

fn values(worlds: &[World], policy: usize, figure: Figure) -> Vec<f64> {
    worlds
        .iter()
        .filter_map(|world| figure.of(&world.policies[policy]))
        .collect()
}

fn mean(worlds: &[World], policy: usize, figure: Figure) -> f64 {
    Summary::of(values(worlds, policy, figure)).mean()
}

/// The table's rows of one world.
fn compared(size: usize, setting: Setting, worlds: u64) {
    let families = families(size, setting);
    let tuned: Vec<String> = families
        .iter()
        .map(|family| match &family.grid[..] {
            [only] => only.clone(),
            grid => {
                let found = run(size, setting, grid, 0, TUNING);
                let cost = |place: &usize| mean(&found, *place, Figure::Cost);
                let best = (0..grid.len()).min_by(|a, b| cost(a).total_cmp(&cost(b)));
                grid[best.unwrap()].clone()
            }
        })
        .collect();
    let found = run(size, setting, &tuned, 1, worlds);
    let ours = values(&found, 0, Figure::Cost);
    let our_mean = mean(&found, 0, Figure::Cost);
    for (place, family) in families.iter().enumerate() {
        let costs = values(&found, place, Figure::Cost);
        let percent = 100.0 / our_mean;
        let more = Difference::of(costs.iter().zip(&ours).map(|(one, ours)| percent * (one - ours)));
        let (more, [low, high]) = more.map_or((f64::NAN, [f64::NAN; 2]), |one| {
            (one.mean, one.interval.unwrap_or([f64::NAN; 2]))
        });
        let of = |figure| mean(&found, place, figure);
        println!(
            "| {} | {} | {} | {:.4} | {more:.1} | {low:.1} to {high:.1} | {:.1} | {:.1} | {:.0} | {:.4} |",
            setting.name,
            family.name,
            tuned[place].replace('\n', "; "),
            of(Figure::Cost),
            of(Figure::Regret),
            of(Figure::WaitMean),
            of(Figure::Wait99),
            of(Figure::Mismatch),
        );
    }
}
