//! `matchwright reproduce DOCUMENT`: what a document prints beside ours, as tables, plots and one offline page.

use std::path::Path;
use std::sync::Arc;

use matchwright_papers::eomm::study::Shard;
use matchwright_papers::eomm::{EommReproduction, EommSettings};
use matchwright_papers::{Reproduction, Workers, awesomenauts, dominations, dota, sc2};
use matchwright_sim::population::GeneratorParams;
use serde::Serialize;
use serde_json::json;

use crate::arguments::{
    AwesomenautsOptions, DominationsOptions, DotaOptions, PageOptions, Paper, ReproduceOptions, Sc2Options,
};
use crate::failure::{Failure, tell};
use crate::input::StudyData;
use crate::output::reproduction::{failure, setting_refused, show, write_page};
use crate::output::{Origin, Place, check_places, print};
use crate::parts::{PartFile, Work};
use crate::progress::Bar;
use crate::threads::threads;

/// `command` is what repeats the result.
pub(crate) fn run(paper: &Paper, command: String) -> Result<(), Failure> {
    match paper {
        Paper::Eomm(options) => eomm(options, command),
        Paper::Dota(options) => dota(options, command),
        Paper::Dominations(options) => dominations(options, command),
        Paper::Awesomenauts(options) => awesomenauts(options, command),
        Paper::Sc2(options) => sc2(options, command),
    }
}

fn eomm(options: &ReproduceOptions, command: String) -> Result<(), Failure> {
    let seed = options.random.seed;
    options
        .sharing
        .check(options.page.out.as_deref(), options.page.json)?;
    let threads = threads(options.threads, options.rounds)?;
    let inputs: Vec<&Path> = options.population.population.iter().map(AsRef::as_ref).collect();
    check_places(&inputs, options.sharing.place(options.page.out.as_deref()))?;
    let settings = |population| {
        let mut settings = EommSettings::new(options.rounds, seed, population);
        settings.stream_regions = options.stream_regions.unwrap_or(settings.stream_regions);
        match options.fit_rows {
            Some(rows) => settings.with_fit_rows(rows),
            None => settings,
        }
    };
    // Refused before a population is generated.
    let refused = settings(GeneratorParams::default()).study.check();
    refused.map_err(|error| setting_refused(&error))?;
    let bar = Bar::new();
    let data = StudyData::generate(&options.population, seed, &bar)?;
    for note in &data.notes {
        tell(note);
    }
    let params = data.population.clone().unwrap_or_default();
    let settings = settings(params);
    let mut configuration = serde_json::to_value(&settings).map_err(Failure::of)?;
    configuration["source"] = json!(data.origin);
    let mut origin = seeded(command, &configuration, seed)?;
    origin.inputs.clone_from(&data.inputs);
    let shard = options.sharing.shard.unwrap_or(Shard::WHOLE);
    let workers = Workers::new(threads, &bar);
    let part = settings
        .run_part(&data.history, data.truth.as_ref(), shard, &workers)
        .map_err(failure)?;
    if let (Some(_), Some(path)) = (options.sharing.shard, &options.page.out) {
        let work = Work::Reproduction(data.origin, Box::new(part));
        return PartFile::new(&origin, work).write(path, &origin, shard);
    }
    let all = EommReproduction::of(vec![part], data.origin, &workers).map_err(failure)?;
    drop(bar);
    show(&all, &origin, &options.page)
}

fn dota(options: &DotaOptions, command: String) -> Result<(), Failure> {
    check_folder(&options.page)?;
    let (seed, mut settings) = (options.random.seed, dota::DotaSettings::default());
    settings.performance.games = options.games;
    settings.parties.data_sets = options.data_sets;
    settings.worlds = options.queue.size();
    let bar = Bar::begun("generating games of teams and parties");
    let all = dota::reproduce(&settings, seed, Arc::new(bar)).map_err(failure)?;
    show(&all, &seeded(command, &settings, seed)?, &options.page)
}

fn dominations(options: &DominationsOptions, command: String) -> Result<(), Failure> {
    check_folder(&options.page)?;
    let (seed, mut settings) = (options.random.seed, dominations::DominationsSettings::default());
    settings.newcomers.climb.newcomers = options.newcomers;
    settings.inflation.rounds = options.rounds;
    settings.worlds = options.queue.size();
    let bar = Bar::begun("generating wars of alliances");
    let all = dominations::reproduce(&settings, seed, Arc::new(bar)).map_err(failure)?;
    show(&all, &seeded(command, &settings, seed)?, &options.page)
}

fn sc2(options: &Sc2Options, command: String) -> Result<(), Failure> {
    check_folder(&options.page)?;
    let (seed, ladders) = (options.random.seed, options.ladders);
    let bar = Bar::new();
    let all = sc2::reproduce(ladders, seed, &bar).map_err(failure)?;
    drop(bar);
    let configuration = json!({ "ladders": ladders });
    show(&all, &seeded(command, &configuration, seed)?, &options.page)
}

fn awesomenauts(options: &AwesomenautsOptions, command: String) -> Result<(), Failure> {
    let threads = threads(options.threads, u32::MAX)?;
    check_folder(&options.page)?;
    let (players, pools) = (options.players, options.pools);
    let (starts, streams) = (options.starts, options.streams);
    let (seed, effort) = (options.random.seed, options.effort);
    let settings = awesomenauts::AwesomenautsSettings::of_size(players, pools, starts, streams);
    let mut settings = settings
        .with_effort(effort)
        .map_err(|error| failure(error.into()))?;
    settings.worlds = options.queue.size();
    let all = awesomenauts::reproduce(&settings, seed, threads, Arc::new(Bar::new())).map_err(failure)?;
    let bar = Bar::new();
    let timed = options
        .seconds
        .map(|seconds| awesomenauts::equal_time(&settings.race, seed, seconds, &bar))
        .transpose()
        .map_err(failure)?;
    drop(bar);
    let origin = seeded(command, &settings, seed)?;
    show(&all, &origin, &options.page)?;
    timed.map_or(Ok(()), |timed| show_timed(options, &timed, origin))
}

/// Files of their own in a folder of their own: the others depend on the options alone.
fn show_timed(
    options: &AwesomenautsOptions,
    timed: &awesomenauts::EqualTime,
    mut origin: Origin,
) -> Result<(), Failure> {
    origin.command = format!("{} --seconds {}", origin.command, timed.seconds);
    let page = timed.page(&origin.command);
    if let Some(folder) = &options.page.out {
        let json = awesomenauts::EqualTime::JSON;
        write_page(&page, (json, timed), &folder.join("equal-time"), &origin)?;
    }
    if options.page.json {
        return Ok(());
    }
    page.tables()
        .try_for_each(|table| print(&format!("\n{}", table.to_text())))
}

/// Refused before anything is generated.
fn check_folder(options: &PageOptions) -> Result<(), Failure> {
    check_places(None::<&Path>, options.out.as_deref().map(Place::Folder))
}

fn seeded(command: String, settings: &impl Serialize, seed: u64) -> Result<Origin, Failure> {
    let mut origin = Origin::new(command, settings)?;
    origin.seed = Some(seed);
    Ok(origin)
}
