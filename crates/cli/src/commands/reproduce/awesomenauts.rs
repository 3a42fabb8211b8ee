//! `matchwright reproduce awesomenauts`: what "The Awesomenauts matchmaking algorithm" says of its search, measured.

use std::time::{Duration, Instant};

use matchwright_report::{Plot, Table};
use matchwright_sim::statistics::{Estimate, Summary};
use matchwright_sim::study::Progress;
use matchwright_sim::trials::{
    BatchesConfig, BatchesReport, Contender, PortConfig, PortReport, RaceConfig, RaceReport, RestartsConfig,
    RestartsReport, StartsConfig, StartsReport, TotalsConfig, TotalsReport, TrialError, run_batches,
    run_port, run_race, run_restarts, run_starts, run_totals,
};
use serde::Serialize;
use serde_json::json;

use super::{Shown, show_pages};
use crate::arguments::AwesomenautsOptions;
use crate::commands::study::threads;
use crate::failure::Failure;
use crate::output::{Folder, Origin, check_places, print};
use crate::page::{
    awesomenauts_page, awesomenauts_plots, awesomenauts_tables, equal_time_page, equal_time_table,
};
use crate::progress::Bar;

/// Everything that was reproduced, but for what a clock decides.
#[derive(Serialize)]
pub(crate) struct AwesomenautsReproduction {
    pub(crate) race: RaceReport,
    pub(crate) restarts: RestartsReport,
    pub(crate) batches: BatchesReport,
    pub(crate) starts: StartsReport,
    pub(crate) port: PortReport,
    pub(crate) totals: TotalsReport,
}

/// Searches at equal time: another machine finds other totals.
#[derive(Serialize)]
pub(crate) struct EqualTime {
    pub(crate) seconds: f64,
    pub(crate) players: usize,
    pub(crate) pools: usize,
    pub(crate) rows: Vec<EqualTimeRow>,
}

/// One search.
#[derive(Serialize)]
pub(crate) struct EqualTimeRow {
    pub(crate) contender: Contender,
    pub(crate) total: Estimate,
    /// Pools on which no other total is better.
    pub(crate) best: usize,
}

/// What decides each trial.
struct Configs {
    race: RaceConfig,
    restarts: RestartsConfig,
    batches: BatchesConfig,
    starts: StartsConfig,
    port: PortConfig,
    totals: TotalsConfig,
}

impl Configs {
    fn of(options: &AwesomenautsOptions) -> Self {
        let (players, pools) = (options.players, options.pools);
        let restarts = RestartsConfig::default();
        Self {
            race: RaceConfig {
                players,
                pools,
                ..RaceConfig::default()
            },
            restarts: RestartsConfig {
                players,
                starts: options.starts,
                few: restarts.few.min(options.starts),
                ..restarts
            },
            batches: BatchesConfig {
                streams: options.streams,
                ..BatchesConfig::default()
            },
            starts: StartsConfig {
                players,
                pools,
                ..StartsConfig::default()
            },
            port: PortConfig {
                players,
                pools,
                ..PortConfig::default()
            },
            totals: TotalsConfig {
                players,
                pools,
                ..TotalsConfig::default()
            },
        }
    }
}

impl Shown for AwesomenautsReproduction {
    fn tables(&self) -> Vec<(String, Table)> {
        awesomenauts_tables(self)
    }

    fn plots(&self) -> Vec<(String, Plot)> {
        awesomenauts_plots(self)
    }

    fn page(&self, command: &str) -> String {
        awesomenauts_page(self, command)
    }
}

pub(crate) fn run(options: &AwesomenautsOptions) -> Result<(), Failure> {
    let threads = threads(options.threads, u32::MAX)?;
    let outputs: Vec<_> = options.page.out.iter().map(AsRef::as_ref).collect();
    check_places(&[], &outputs)?;
    let configs = Configs::of(options);
    let seed = options.random.seed;
    let bar = Bar::new();
    // The trials refuse nothing but settings; the cheap ones come first, so that a wrong one is told at once.
    let all = AwesomenautsReproduction {
        port: run_port(&configs.port, seed, threads, &bar).map_err(usage)?,
        starts: run_starts(&configs.starts, seed, threads, &bar).map_err(usage)?,
        totals: run_totals(&configs.totals, seed, threads, &bar).map_err(usage)?,
        race: run_race(&configs.race, seed, threads, &bar).map_err(usage)?,
        restarts: run_restarts(&configs.restarts, seed, threads, &bar).map_err(usage)?,
        batches: run_batches(&configs.batches, seed, threads, &bar).map_err(usage)?,
    };
    let timed = options
        .seconds
        .map(|seconds| equal_time(&configs.race, seed, seconds, &bar))
        .transpose()?;
    drop(bar);
    let origin = origin(options, &configs)?;
    show_pages(&all, &origin, &options.page)?;
    match timed {
        Some(timed) => show_timed(options, &timed, &origin),
        None => Ok(()),
    }
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "errors are mapped where they are made"
)]
fn usage(error: TrialError) -> Failure {
    Failure::Usage(error.to_string())
}

fn origin(options: &AwesomenautsOptions, configs: &Configs) -> Result<Origin, Failure> {
    let configuration = json!({
        "race": configs.race,
        "restarts": configs.restarts,
        "batches": configs.batches,
        "starts": configs.starts,
        "port": configs.port,
        "totals": configs.totals,
    });
    let command = format!(
        "matchwright reproduce awesomenauts --seed {} --players {} --pools {} --starts {} --streams {}",
        options.random.seed, options.players, options.pools, options.starts, options.streams
    );
    let mut origin = Origin::new(command, &configuration)?;
    origin.seed = Some(options.random.seed);
    Ok(origin)
}

/// All contenders on each pool in turn, on one thread, so that none is slowed by another.
fn equal_time(config: &RaceConfig, seed: u64, time: Duration, bar: &Bar) -> Result<EqualTime, Failure> {
    bar.begin("searches at equal time", config.pools as u64);
    let mut pools: Vec<Vec<f64>> = Vec::new();
    for number in 0..config.pools {
        let mut clock = || -> Box<dyn Fn() -> f64 + Sync> {
            let begin = Instant::now();
            // No time at all is used up at once.
            Box::new(move || begin.elapsed().as_secs_f64() / time.as_secs_f64())
        };
        pools.push(config.totals_while((seed, number), &mut clock).map_err(usage)?);
        bar.advance(1);
    }
    let contenders = config.contenders.iter().copied().enumerate();
    let rows = contenders.map(|(place, contender)| {
        let best = |pool: &&Vec<f64>| pool.iter().all(|total| *total <= pool[place] + 1e-9);
        EqualTimeRow {
            contender,
            total: Summary::of(pools.iter().map(|pool| pool[place])).estimate(),
            best: pools.iter().filter(best).count(),
        }
    });
    Ok(EqualTime {
        seconds: time.as_secs_f64(),
        players: config.players,
        pools: config.pools,
        rows: rows.collect(),
    })
}

/// Files of their own in a folder of their own: the others depend on the options alone.
fn show_timed(options: &AwesomenautsOptions, timed: &EqualTime, origin: &Origin) -> Result<(), Failure> {
    let table: Table = equal_time_table(timed);
    if let Some(folder) = &options.page.out {
        let mut origin = origin.clone();
        origin.command = format!("{} --seconds {}", origin.command, timed.seconds);
        let mut files = Folder::default();
        files.add("index.html", equal_time_page(timed, &origin.command));
        files.add("equal-time.csv", table.to_csv());
        let text = serde_json::to_string_pretty(timed).map_err(Failure::of)?;
        files.add("equal-time.json", text + "\n");
        files.write(&folder.join("equal-time"), &origin)?;
    }
    if options.page.json {
        return Ok(());
    }
    print(&("\n".to_owned() + &table.to_text()))
}
