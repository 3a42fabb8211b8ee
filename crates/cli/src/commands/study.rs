//! `matchwright study eomm`: the case study on a file of matches or on a generated population.

mod saved;

use std::path::PathBuf;

use matchwright_churn::Folds;
use matchwright_papers::Workers;
use matchwright_papers::eomm::EommStudy;
use matchwright_papers::eomm::study::{Shard, StudyConfig, StudyPart, run_part};
use serde_json::json;

use crate::arguments::{EommOptions, FoldName};
use crate::failure::{Failure, tell};
use crate::input::StudyData;
use crate::output::reproduction::{failure, setting_refused, show};
use crate::output::{Origin, Place, check_places};
use crate::parts::{PartFile, Work};
use crate::progress::Bar;
use crate::threads::threads;
use matchwright_import::TimeUnit;
use matchwright_sim::progress::Progress;
use saved::write_matches;

/// `command` is what repeats the result.
pub(crate) fn run(options: &EommOptions, command: String) -> Result<(), Failure> {
    let config = configuration(options);
    config.check().map_err(|error| setting_refused(&error))?;
    check_options(options)?;
    let bar = Bar::new();
    let data = StudyData::load(options, &bar)?;
    for note in &data.notes {
        tell(note);
    }
    let origin = origin(options, command, &config, &data)?;
    if let Some(path) = &options.save_matches {
        bar.begin("writing the matches", 0);
        write_matches(path, &data.history, &origin)?;
    }
    let shard = options.sharing.shard.unwrap_or(Shard::WHOLE);
    let threads = threads(options.threads, options.rounds)?;
    let (history, truth) = (&data.history, data.truth.as_ref());
    let part = run_part(&config, history, truth, shard, &Workers::new(threads, &bar)).map_err(failure)?;
    drop(bar);
    if let (Some(_), Some(path)) = (options.sharing.shard, &options.page.out) {
        return PartFile::new(&origin, Work::Study(data.origin.clone(), Box::new(part)))
            .write(path, &origin, shard);
    }
    let report = StudyPart::join(vec![part]).map_err(failure)?;
    let (source, report) = (&data.origin, &report);
    show(&EommStudy { source, report }, &origin, &options.page)
}

/// Refuses options that would be ignored, and outputs that would destroy an input.
fn check_options(options: &EommOptions) -> Result<(), Failure> {
    options
        .sharing
        .check(options.page.out.as_deref(), options.page.json)?;
    if options.sharing.shard.is_some() && options.save_matches.is_some() {
        let message =
            "--save-matches with --shard: every part would write the same matches; save them without --shard";
        return Err(Failure::Usage(message.to_owned()));
    }
    if options.reading.time_unit == Some(TimeUnit::Index) {
        let message = "--time-unit index: churn is a pause of some hours, and an order has no hours; give days or years";
        return Err(Failure::Usage(message.to_owned()));
    }
    let reading = options.reading.shown();
    if options.matches.is_none() && !reading.is_empty() {
        let message = format!(
            "{} without --matches: generated matches are not read from a file",
            reading.trim()
        );
        return Err(Failure::Usage(message));
    }
    let inputs = options
        .matches
        .iter()
        .chain(&options.population.population)
        .map(PathBuf::as_path)
        .collect::<Vec<_>>();
    let out = options.sharing.place(options.page.out.as_deref());
    let saved = options.save_matches.as_deref().map(Place::File);
    check_places(&inputs, out.into_iter().chain(saved))
}

fn configuration(options: &EommOptions) -> StudyConfig {
    StudyConfig {
        rounds: options.rounds,
        pools: options.pools.clone(),
        seed: options.random.seed,
        horizon_hours: options.horizon,
        draws: options.draws,
        draw_rate: options.draw_rate,
        fit_rows: options.fit_rows,
        folds: options.fold_count,
        fold_by: match options.folds {
            FoldName::Player => Folds::GroupKFold,
            FoldName::Time => Folds::RollingOrigin,
        },
        state_matches: options.state_matches,
    }
}

/// Threads and folders stay out: they change nothing in the results.
fn origin(
    options: &EommOptions,
    command: String,
    config: &StudyConfig,
    data: &StudyData,
) -> Result<Origin, Failure> {
    let configuration = json!({
        "study": config,
        "population": data.population,
        "reading": options.reading.shown(),
        "source": data.origin,
    });
    let mut origin = Origin::new(command, &configuration)?;
    origin.seed = Some(config.seed);
    origin.inputs.clone_from(&data.inputs);
    Ok(origin)
}
