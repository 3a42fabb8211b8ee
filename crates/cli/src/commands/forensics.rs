//! `matchwright forensics`: from what a ladder shows to what it hides. One file a question.

mod fit;
mod history;
mod rating;
mod snapshots;
mod tier;
mod top;

use std::io::{IsTerminal, Read};
use std::path::Path;

use matchwright_mmr_forensics::{Answer, Interval, LadderSeason, LadderSeasonParams};
use matchwright_report::{Page, Section};
use serde_json::{Value, json};

use crate::arguments::{Forensics, PageOptions, SeasonOption};
use crate::failure::Failure;
use crate::input::{Source, SourceFacts};
use crate::output::{Folder, Origin, check_places, print, print_json};

pub(crate) fn run(question: &Forensics) -> Result<(), Failure> {
    match question {
        Forensics::Mmr(options) => rating::mmr(options),
        Forensics::Games(options) => rating::games(options),
        Forensics::Tier(options) => tier::run(options),
        Forensics::History(options) => history::run(options),
        Forensics::Fit(options) => fit::run(options),
        Forensics::Top200(options) => top::run(options),
    }
}

/// An answer: in words, in tables and plots, and as one value.
struct Shown {
    /// For the command that a manifest records, without the program's name.
    command: String,
    answer: Vec<String>,
    /// Tables and plots.
    results: Section,
    value: Value,
    inputs: Vec<SourceFacts>,
}

impl Shown {
    fn show(self, options: &PageOptions, season: &Season, paths: &[&Path]) -> Result<(), Failure> {
        let command = format!("matchwright forensics {}", self.command);
        let mut origin = Origin::new(command, &json!({ "season": season.ladder }))?;
        origin.inputs = self.inputs.into_iter().chain(season.facts.clone()).collect();
        let start = Page::new("What the ladder hides");
        let page = self
            .answer
            .iter()
            .fold(start, Page::lead)
            .section(self.results)
            .files_section([
                ("Everything, as JSON", "answer.json"),
                ("Version, command, configuration, hashes", "manifest.json"),
            ])
            .footer(origin.footer());
        if let Some(folder) = &options.out {
            check_places(paths, &[folder.as_path()])?;
            let mut files = Folder::default();
            files.add_page("index.html", &page)?;
            files.add_json("answer.json", &self.value)?;
            files.write(folder, &origin)?;
        }
        if options.json {
            return print_json(&self.value);
        }
        for line in &self.answer {
            print(&format!("{line}\n"))?;
        }
        for table in page.tables() {
            print(&format!("\n{}", table.to_text()))?;
        }
        for plot in page.plots() {
            let colours = std::io::stdout().is_terminal();
            // A plot without a point to show has been said in words.
            if let Ok(text) = plot.to_terminal((78, 16), colours) {
                print(&format!("\n{text}"))?;
            }
        }
        Ok(())
    }
}

/// A season, and the file that it is from.
struct Season {
    ladder: LadderSeason,
    facts: Option<SourceFacts>,
}

impl Season {
    fn read(option: &SeasonOption) -> Result<Self, Failure> {
        let Some(path) = &option.season else {
            return Ok(Self {
                ladder: LadderSeason::default(),
                facts: None,
            });
        };
        let mut source = Source::open(path)?;
        let mut text = String::new();
        let reading = Failure::io(format!("reading {}", source.name));
        source.reader.read_to_string(&mut text).map_err(reading)?;
        let is_json = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        let params: LadderSeasonParams = if is_json {
            serde_json::from_str(&text)
                .map_err(|error| Failure::Failed(format!("{}: {error}", source.name)))?
        } else {
            toml::from_str(&text).map_err(|error| Failure::Failed(format!("{}: {error}", source.name)))?
        };
        let ladder = params
            .check()
            .map_err(|error| Failure::Failed(format!("{}: {error}", source.name)))?;
        Ok(Self {
            ladder,
            facts: Some(source.facts()),
        })
    }
}

/// Words of an option's value, quoted where a shell wants it.
fn word(text: &str) -> String {
    if text.contains(char::is_whitespace) {
        format!("'{text}'")
    } else {
        text.to_owned()
    }
}

/// What follows a column's name, and the part of an interval that the column shows.
type End = (&'static str, fn(&Interval) -> f64);

/// An estimate, then the ends of its interval.
const ENDS: [End; 3] = [
    ("", |interval| interval.value),
    (" low", |interval| interval.low),
    (" high", |interval| interval.high),
];

/// Why there is no answer, as a sentence.
fn why_not<T>(answer: &Answer<T>) -> Option<String> {
    match answer {
        Answer::Found(_) => None,
        Answer::NotIdentifiable(reason) => Some(format!(
            "not identifiable: {}; what would help: {}.",
            reason.why, reason.remedy
        )),
    }
}
