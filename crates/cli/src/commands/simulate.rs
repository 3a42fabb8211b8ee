//! `matchwright simulate`: worlds under policies before anyone plays under them.

mod answer;
mod effects;
mod fit;
mod log;
pub(crate) mod page;
mod pooled;
mod scene;
mod size;
mod tables;
mod tune;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use matchwright_papers::eomm::study::Shard;
use matchwright_report::Page;
use matchwright_sim::simulate::{Figure, Measured, SimulationError, World, Worlds, WorldsError};
use matchwright_sim::statistics::Summary;
use serde::Serialize;

use crate::arguments::{RunOptions, Simulate, WorldsOptions};
use crate::failure::Failure;
use crate::output::{Folder, Origin, Place};
use crate::parts::worlds::{WorldsFacts, WorldsPart};
use crate::parts::{PartFile, Work};
use crate::progress::Bar;
use crate::threads::threads;
pub(crate) use answer::WorldsAnswer;
pub(crate) use pooled::Pooled;
use scene::Scene;

/// `command` is what repeats the result.
pub(crate) fn run(question: &Simulate, command: String) -> Result<(), Failure> {
    match question {
        Simulate::Run(options) => one(options, command),
        Simulate::Compare(options) => compare(options, command),
        Simulate::Tune(options) => tune::run(options, command),
        Simulate::Size(options) => size::run(options, command),
        Simulate::Fit(options) => fit::run(options, command),
    }
}

/// One world under one policy, the first of those that a comparison of the same seed takes.
fn one(options: &RunOptions, command: String) -> Result<(), Failure> {
    let page = &options.scene.page;
    let scene = Scene::read(
        &options.scene,
        options.policy.as_slice(),
        folder(page.out.as_deref()),
    )?;
    scene.check_plan(1.0, 1.0, 1)?;
    let documents = scene.documents(1);
    let worlds = Worlds {
        hindsight: options.hindsight.hindsight,
        ..scene.worlds(&documents)
    };
    let bar = Bar::new();
    let (found, record) = if page.out.is_some() {
        let (found, record) = worlds.record(0, &bar).map_err(failed)?;
        (found, Some(record))
    } else {
        let worlds = worlds.run(0..1, 1, &bar).map_err(failed)?;
        let mut found = worlds.into_iter().flat_map(|world| world.policies);
        (
            found
                .next()
                .ok_or_else(|| Failure::of("no world was simulated"))?,
            None,
        )
    };
    drop(bar);
    let world = World {
        world: 0,
        policies: vec![found],
    };
    let part = WorldsPart {
        shard: Shard::WHOLE,
        facts: WorldsFacts {
            no_hindsight: scene.no_hindsight(options.hindsight.hindsight),
            ..scene.facts(1, 1)
        },
        worlds: vec![world],
    };
    let answer = WorldsAnswer::of(vec![part]).with_log(record.map(|record| log::log(&record)).transpose()?);
    answer.show(&scene.origin(command, 1)?, page)
}

/// Several policies on the same worlds.
fn compare(options: &WorldsOptions, command: String) -> Result<(), Failure> {
    let (scene, page, sharing) = (&options.scene, &options.scene.page, &options.sharing);
    sharing.check(page.out.as_deref(), page.json)?;
    let scene = Scene::read(scene, &options.policy, sharing.place(page.out.as_deref()))?;
    let count = options.worlds.unwrap_or(scene.imported.scenario.params().worlds);
    let shard = sharing.shard.unwrap_or(Shard::WHOLE);
    let documents = scene.documents(usize::MAX);
    let policies = u32::try_from(documents.len()).unwrap_or(u32::MAX);
    let threads = threads(options.threads.threads, count.saturating_mul(policies))?;
    let share = shard.share(0..count);
    scene.check_plan(
        f64::from(share.end - share.start) * f64::from(policies),
        1.0,
        threads,
    )?;
    let bar = Bar::new();
    let facts = WorldsFacts {
        no_hindsight: scene.no_hindsight(options.hindsight.hindsight),
        ..scene.facts(usize::MAX, count)
    };
    let names = facts.policies.iter().map(|policy| policy.name.clone());
    let live = Live::new(names.collect(), &bar);
    let range = u64::from(share.start)..u64::from(share.end);
    let seen = |policy: usize, found: &Measured| live.add(policy, found);
    let worlds = Worlds {
        hindsight: options.hindsight.hindsight,
        ..scene.worlds(&documents)
    };
    let worlds = worlds.run_seen(range, threads, &bar, &seen).map_err(failed)?;
    drop(bar);
    let part = WorldsPart { shard, facts, worlds };
    let origin = scene.origin(command, count)?;
    if let (Some(_), Some(path)) = (sharing.shard, &page.out) {
        return PartFile::new(&origin, Work::Worlds(Box::new(part))).write(path, &origin, shard);
    }
    WorldsAnswer::of(vec![part]).show(&origin, page)
}

/// Why worlds were not simulated, and how they are where the user means it.
fn failed(error: WorldsError) -> Failure {
    match error {
        WorldsError::Simulation(SimulationError::Wakeups { .. }) => {
            Failure::Usage(format!("{error}; is it meant to look so often? --yes lets it"))
        }
        error => Failure::of(error),
    }
}

/// Writes an answer as JSON and its page with its tables and plots.
fn written(
    folder: &Path,
    answer: (&str, &impl Serialize),
    page: &Page,
    origin: &Origin,
) -> Result<(), Failure> {
    files(answer, page)?.write(folder, origin)
}

fn files((name, answer): (&str, &impl Serialize), page: &Page) -> Result<Folder, Failure> {
    let mut files = Folder::default();
    files.add_json(name, answer)?;
    files.add_page("index.html", page)?;
    Ok(files)
}

fn folder(out: Option<&Path>) -> Option<Place<'_>> {
    out.map(Place::Folder)
}

/// What a terminal shows while worlds are simulated.
const LIVE: [Figure; 4] = [Figure::Cost, Figure::Wait90, Figure::Mismatch, Figure::Lost];

/// A table in the terminal that grows as worlds end.
struct Live<'a> {
    names: Vec<String>,
    bar: &'a Bar,
    /// By policy and figure.
    sums: Mutex<Vec<[Summary; LIVE.len()]>>,
}

impl<'a> Live<'a> {
    fn new(names: Vec<String>, bar: &'a Bar) -> Self {
        let sums = Mutex::new(vec![<[Summary; LIVE.len()]>::default(); names.len()]);
        Self { names, bar, sums }
    }

    fn add(&self, policy: usize, found: &Measured) {
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sums) = sums.get_mut(policy) {
            for (sum, figure) in sums.iter_mut().zip(LIVE) {
                figure.of(found).into_iter().for_each(|value| sum.add(value));
            }
        }
        self.bar.show_below(&tables::live(&self.names, &LIVE, &sums));
    }
}
