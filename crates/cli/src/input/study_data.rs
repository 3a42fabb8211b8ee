//! The matches of a study: from a file, or generated.

use std::path::Path;

use matchwright_papers::eomm::StudyOrigin;
use matchwright_rating::history::History;
use matchwright_report::FileRecord;
use matchwright_sim::population::{
    GeneratorError, GeneratorParams, Truth, expected_matches, generate_watched,
};
use matchwright_sim::progress::Progress;

use super::{Document, import_matches};
use crate::arguments::{EommOptions, PopulationOptions, ScaleName};
use crate::failure::{Failure, ShownPath};
use crate::plan;

/// The matches and what is known of where they come from.
pub(crate) struct StudyData {
    pub(crate) history: History,
    pub(crate) truth: Option<Truth>,
    pub(crate) origin: StudyOrigin,
    pub(crate) inputs: Vec<FileRecord>,
    /// What the user should hear.
    pub(crate) notes: Vec<String>,
    pub(crate) population: Option<GeneratorParams>,
}

/// Players of the paper's data set.
const PAPER_PLAYERS: u32 = 1_680_000;
/// Days in which that many generated players play the paper's 36.9 million matches: they play more often than the paper's.
const PAPER_DAYS: f64 = 47.7;

impl StudyData {
    pub(crate) fn load(options: &EommOptions, progress: &dyn Progress) -> Result<Self, Failure> {
        match &options.matches {
            Some(path) => Self::import(path, options, progress),
            None => Self::generate(&options.population, options.random.seed, progress),
        }
    }

    fn import(path: &Path, options: &EommOptions, progress: &dyn Progress) -> Result<Self, Failure> {
        progress.begin("reading the matches", 0);
        let imported = import_matches(path, &options.reading)?;
        Ok(Self {
            notes: imported.notes,
            history: imported.history,
            truth: None,
            origin: StudyOrigin::File {
                name: imported.facts.name.clone(),
                skipped_rows: imported.skipped,
            },
            inputs: vec![imported.facts],
            population: None,
        })
    }

    /// A generated population.
    pub(crate) fn generate(
        options: &PopulationOptions,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Self, Failure> {
        let (mut params, inputs) = match &options.population {
            Some(path) => read_population(path)?,
            None => (GeneratorParams::default(), Vec::new()),
        };
        if options.scale == Some(ScaleName::Paper) {
            (params.players, params.days) = (PAPER_PLAYERS, PAPER_DAYS);
        }
        params.players = options.players.unwrap_or(params.players);
        params.days = options.days.unwrap_or(params.days);
        let given = [
            ("players", options.players.is_some()),
            ("days", options.days.is_some()),
        ];
        let refuse = |error: GeneratorError| {
            let message = error.to_string();
            let option = given.iter().find(|(name, is_given)| {
                *is_given && matches!(error, GeneratorError::Range { name: refused, .. } if refused == *name)
            });
            match (option, &options.population) {
                (Some((name, _)), _) => {
                    let named = format!("population parameter `{name}`");
                    Failure::Usage(message.replacen(&named, &format!("--{name}"), 1))
                }
                (None, Some(path)) => Failure::Failed(format!("{}: {message}", path.shown())),
                (None, None) => Failure::Usage(message),
            }
        };
        params.check().map_err(refuse)?;
        let matches = expected_matches(&params, seed).map_err(refuse)?;
        plan::check(matches, plan::MATCHES, || {
            let path = options
                .population
                .as_deref()
                .map(|path| format!(" of {}", path.shown()));
            let (of, matches) = (path.unwrap_or_default(), plan::counted(matches));
            format!("the population{of} makes some {matches} matches")
        })?;
        let world = generate_watched(&params, seed, progress).map_err(Failure::of)?;
        let late = world.truth.late_matches();
        let notes = (late > 0).then(|| {
            format!(
                "{late} matches delayed: no opponent available, so that the gaps before them are longer than drawn"
            )
        });
        Ok(Self {
            notes: notes.into_iter().collect(),
            history: world.history,
            truth: Some(world.truth),
            origin: StudyOrigin::Generated {
                assumptions: params.assumptions(),
                late_matches: late,
            },
            inputs,
            population: Some(params),
        })
    }
}

fn read_population(path: &Path) -> Result<(GeneratorParams, Vec<FileRecord>), Failure> {
    let document = Document::read(path)?;
    Ok((document.value, vec![document.source.facts]))
}
