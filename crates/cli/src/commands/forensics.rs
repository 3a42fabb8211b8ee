//! `matchwright forensics`: from what a ladder shows to what it hides. One file a question.

mod fit;
mod history;
mod rating;
mod snapshots;
mod tier;
mod top;

use std::io::IsTerminal;
use std::path::PathBuf;

use matchwright_mmr_forensics::{Answer, Interval, LadderSeason, LadderSeasonParams};
use matchwright_report::{FileRecord, Page, Point, Section, visible_line};
use serde_json::{Value, json};

use crate::arguments::{Forensics, PageOptions, ShownOptions};
use crate::failure::Failure;
use crate::input::Document;
use crate::output::{Folder, Origin, Place, check_places, print, print_drawn, print_json};
use crate::progress::Bar;

/// Answers the question; `command` is what repeats it.
pub(crate) fn run(question: &Forensics, command: String) -> Result<(), Failure> {
    let (shown, inputs): (&ShownOptions, Vec<&PathBuf>) = match question {
        Forensics::Mmr(options) => (&options.shown, Vec::new()),
        Forensics::Games(options) => (&options.shown, Vec::new()),
        Forensics::Tier(options) => (&options.shown, vec![&options.table]),
        Forensics::History(options) => (&options.shown, vec![&options.table]),
        Forensics::Fit(options) => (
            &options.shown,
            options.snapshots.iter().chain(&options.histories).collect(),
        ),
        Forensics::Top200(options) => (&options.shown, vec![&options.table]),
    };
    let inputs = inputs.into_iter().chain(&shown.season);
    check_places(inputs, shown.page.out.as_deref().map(Place::Folder))?;
    let (season, file) = match &shown.season {
        Some(path) => {
            let document = Document::read(path)?.check(LadderSeasonParams::build)?;
            (document.value, Some(document.source.facts))
        }
        None => (LadderSeason::default(), None),
    };
    let bar = Bar::begun("inferring what the ladder hides");
    let findings = match question {
        Forensics::Mmr(options) => rating::mmr(options, &season),
        Forensics::Games(options) => rating::games(options, &season),
        Forensics::Tier(options) => tier::tiers(options, &season),
        Forensics::History(options) => history::history(options, &season),
        Forensics::Fit(options) => fit::fit(options, &season),
        Forensics::Top200(options) => top::top(options, &season),
    };
    drop(bar);
    let findings = findings?;
    let mut origin = Origin::new(command, &json!({ "season": season }))?;
    origin.inputs = findings.inputs.iter().cloned().chain(file).collect();
    show(findings, &shown.page, &origin)
}

/// What was found out: in words, in tables and plots, and as one value.
struct Findings {
    words: Vec<String>,
    /// Tables and plots.
    results: Section,
    value: Value,
    inputs: Vec<FileRecord>,
}

/// Writes the findings into the folder, if one is given, and prints them.
fn show(findings: Findings, options: &PageOptions, origin: &Origin) -> Result<(), Failure> {
    let (first, others) = findings.words.split_first().unzip();
    let first = first.map(|words| format!("{}.", words.trim_end_matches('.')));
    let page = Page::new("What the ladder hides").answer(first.unwrap_or_default());
    let others: &[String] = others.unwrap_or_default();
    let page = others
        .iter()
        .fold(page, Page::lead)
        .section(findings.results.open())
        .files_section([
            ("Everything, as JSON", "answer.json"),
            ("Version, command, configuration, hashes", "manifest.json"),
        ])
        .footer(origin.footer());
    if let Some(folder) = &options.out {
        let mut files = Folder::default();
        files.add_page("index.html", &page)?;
        files.add_json("answer.json", &findings.value)?;
        files.write(folder, origin)?;
    }
    if options.json {
        return print_json(&findings.value);
    }
    for line in &findings.words {
        print(&format!("{}\n", visible_line(line)))?;
    }
    for table in page.tables() {
        print(&format!("\n{}", table.to_text()))?;
    }
    let colours = std::io::stdout().is_terminal();
    for plot in page.plots() {
        // A plot without a point to show has been said in words.
        if let Ok(text) = plot.to_terminal((78, 16), colours) {
            print_drawn(&format!("\n{text}"))?;
        }
    }
    Ok(())
}

/// An estimate with the ends of its interval: `12.0 (10.5 to 13.5)`.
fn with_ends(interval: &Interval, decimals: usize) -> String {
    let Interval { value, low, high } = interval;
    format!("{value:.decimals$} ({low:.decimals$} to {high:.decimals$})")
}

/// Values by their places, from 1.
fn by_place(values: &[f64]) -> Vec<Point> {
    let places = (1..).zip(values);
    places
        .map(|(place, value)| Point::new(f64::from(place), *value))
        .collect()
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
