//! `matchwright reproduce eomm`: the paper's tables, figures and theory, beside what it prints. The other documents
//! are in the folder.

pub(crate) mod awesomenauts;
pub(crate) mod dominations;
pub(crate) mod dota;
pub(crate) mod sc2;

use std::path::Path;

use matchwright_report::{Plot, Table};
use matchwright_sim::gain_law::{GainLawConfig, GainLawReport, run_gain_law};
use matchwright_sim::population::GeneratorParams;
use matchwright_sim::study::{
    PatternTable, Progress, Shard, StreamPart, StudyConfig, StudyPart, StudyReport, pattern_table_of_regions,
    run_part,
};
use matchwright_sim::theory::{TheoryConfig, TheoryReport, run_theory};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::study::{Data, threads};
use crate::arguments::{PageOptions, ReproduceOptions};
use crate::failure::{Failure, tell};
use crate::output::{Folder, Origin, check_places, print_first, print_json, print_tables};
use crate::page::{StudyOrigin, reproduction_page, reproduction_plots, reproduction_tables};
use crate::parts::{PartFile, Work};
use crate::progress::Bar;

/// From four players on, to see how the gain grows with the pool; then the paper's five sizes.
const POOLS: [usize; 10] = [4, 6, 10, 20, 50, 100, 200, 300, 400, 500];

/// Rounds for each P in the paper, and regions enough for 20 million player-matches, which such a run streams.
const FULL_ROUNDS: u32 = 10_000;
const FULL_REGIONS: u32 = 32;

/// Everything that was reproduced.
#[derive(Serialize)]
pub(crate) struct Reproduction {
    pub(crate) study: StudyReport,
    pub(crate) stream: Stream,
    pub(crate) theory: TheoryReport,
    pub(crate) gain_law: GainLawReport,
}

/// Table 1 from more matches than the study's own.
#[derive(Serialize)]
pub(crate) struct Stream {
    pub(crate) regions: usize,
    pub(crate) player_matches: u64,
    pub(crate) table: PatternTable,
}

/// What a part of a run brings: its rounds and its regions.
#[derive(Serialize, Deserialize)]
pub(crate) struct ReproductionPart {
    pub(crate) study: StudyPart,
    pub(crate) stream: StreamPart,
}

pub(crate) fn run(options: &ReproduceOptions) -> Result<(), Failure> {
    let config = StudyConfig {
        rounds: options.rounds,
        pools: POOLS.to_vec(),
        seed: options.random.seed,
        ..StudyConfig::with_large_samples()
    };
    config
        .check()
        .map_err(|error| Failure::Usage(error.to_string()))?;
    options
        .sharing
        .check(options.page.out.as_deref(), options.page.json)?;
    let threads = threads(options.threads, options.rounds)?;
    let inputs: Vec<&Path> = options.population.population.iter().map(AsRef::as_ref).collect();
    let outputs: Vec<&Path> = options.page.out.iter().map(AsRef::as_ref).collect();
    check_places(&inputs, &outputs)?;
    let bar = Bar::new();
    let data = Data::generate(&options.population, options.random.seed, &bar)?;
    for note in &data.notes {
        tell(note);
    }
    let params = data.population.clone().unwrap_or_default();
    let regions = regions_to_stream(options, &params);
    let origin = origin(options, &config, &data, regions)?;
    let shard = options.sharing.shard.unwrap_or(Shard::WHOLE);
    let study = run_part(&config, &data.history, data.truth.as_ref(), shard, threads, &bar);
    let part = ReproductionPart {
        study: study.map_err(Failure::of)?,
        stream: StreamPart::run(&params, options.random.seed, regions, shard, threads, &bar)
            .map_err(Failure::of)?,
    };
    if let (Some(_), Some(path)) = (options.sharing.shard, &options.page.out) {
        let work = Work::Reproduction(Box::new(part));
        return PartFile::new(&origin, &data.origin, work).write(path, &origin, shard);
    }
    let all = Reproduction::of(vec![part], threads, &bar)?;
    drop(bar);
    show(
        &all,
        &data.origin,
        &origin,
        options.page.out.as_deref(),
        options.page.json,
    )
}

impl Reproduction {
    /// What all parts give together; the theory, which takes seconds, is worked out here.
    pub(crate) fn of(
        parts: Vec<ReproductionPart>,
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<Self, Failure> {
        let (studies, streams): (Vec<_>, Vec<_>) =
            parts.into_iter().map(|part| (part.study, part.stream)).unzip();
        let study = StudyPart::join(studies).map_err(Failure::of)?;
        let regions = StreamPart::join(streams).map_err(Failure::of)?;
        let seed = study.config.seed;
        progress.begin("the theory of section 4, on small pools", 0);
        let theory = run_theory(&TheoryConfig::default(), seed).map_err(Failure::of)?;
        progress.begin("the law of the gain", 0);
        let gain_law = run_gain_law(&GainLawConfig::default(), seed, threads).map_err(Failure::of)?;
        Ok(Self {
            study,
            stream: Stream {
                regions: regions.len(),
                player_matches: regions.iter().map(|region| region.player_matches).sum(),
                table: pattern_table_of_regions(&regions),
            },
            theory,
            gain_law,
        })
    }
}

/// As many as asked for; else the study's own, or more with more rounds: 20 million player-matches at the paper's
/// size.
fn regions_to_stream(options: &ReproduceOptions, params: &GeneratorParams) -> u32 {
    let by_rounds = u64::from(FULL_REGIONS) * u64::from(options.rounds) / u64::from(FULL_ROUNDS);
    let by_rounds = u32::try_from(by_rounds).unwrap_or(u32::MAX).min(4 * FULL_REGIONS);
    options
        .stream_regions
        .unwrap_or_else(|| by_rounds.max(params.regions()))
}

fn origin(
    options: &ReproduceOptions,
    config: &StudyConfig,
    data: &Data,
    regions: u32,
) -> Result<Origin, Failure> {
    let configuration = json!({
        "study": config,
        "population": data.population,
        "stream_regions": regions,
        "theory": TheoryConfig::default(),
        "gain_law": GainLawConfig::default(),
        "source": data.origin,
    });
    let mut command = format!(
        "matchwright reproduce eomm --rounds {} --seed {} --stream-regions {regions}",
        options.rounds, options.random.seed
    );
    let file = data
        .inputs
        .first()
        .map(|facts| format!(" --population {}", facts.name));
    let players = options
        .population
        .players
        .map(|players| format!(" --players {players}"));
    let days = options.population.days.map(|days| format!(" --days {days}"));
    command.extend([file, players, days].into_iter().flatten());
    let mut origin = Origin::new(command, &configuration)?;
    origin.seed = Some(options.random.seed);
    origin.inputs.clone_from(&data.inputs);
    Ok(origin)
}

/// Writes and prints the whole.
pub(crate) fn show(
    all: &Reproduction,
    source: &StudyOrigin,
    origin: &Origin,
    out: Option<&Path>,
    json: bool,
) -> Result<(), Failure> {
    if let Some(folder) = out {
        write(folder, all, source, origin)?;
    }
    if json {
        return print_json(all);
    }
    print_first(&reproduction_tables(all), out)
}

fn write(folder: &Path, all: &Reproduction, source: &StudyOrigin, origin: &Origin) -> Result<(), Failure> {
    let mut files = Folder::default();
    files.add("index.html", reproduction_page(all, source, &origin.command));
    for (name, table) in reproduction_tables(all) {
        files.add(&format!("{name}.csv"), table.to_csv());
    }
    for (name, plot) in reproduction_plots(all) {
        files.add(&format!("{name}.svg"), plot.to_svg().map_err(Failure::of)?);
    }
    let text = serde_json::to_string_pretty(all).map_err(Failure::of)?;
    files.add("reproduction.json", text + "\n");
    files.write(folder, origin)
}

/// What is shown of a document's reproduction, each table and plot by the name of its file.
trait Shown: Serialize {
    fn tables(&self) -> Vec<(String, Table)>;
    fn plots(&self) -> Vec<(String, Plot)>;
    /// The page, which tells the command that makes it.
    fn page(&self, command: &str) -> String;
}

/// Writes everything into the folder, if there is one, and prints all tables.
fn show_pages(all: &impl Shown, origin: &Origin, options: &PageOptions) -> Result<(), Failure> {
    let tables = all.tables();
    if let Some(folder) = &options.out {
        let mut files = Folder::default();
        files.add("index.html", all.page(&origin.command));
        for (name, table) in &tables {
            files.add(&format!("{name}.csv"), table.to_csv());
        }
        for (name, plot) in all.plots() {
            files.add(&format!("{name}.svg"), plot.to_svg().map_err(Failure::of)?);
        }
        let text = serde_json::to_string_pretty(all).map_err(Failure::of)?;
        files.add("reproduction.json", text + "\n");
        files.write(folder, origin)?;
    }
    if options.json {
        return print_json(all);
    }
    print_tables(&tables, options.out.as_deref())
}
