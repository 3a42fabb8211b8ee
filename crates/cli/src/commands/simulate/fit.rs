//! `matchwright simulate fit`: a scenario from a log.

use std::fmt::Write;
use std::path::Path;

use matchwright_report::{
    Axis, Column, FileRecord, Page, Plot, Point, Section, Series, Table, brief, count, visible_line,
};
use matchwright_sim::replay::TicketLog;
use matchwright_sim::simulate::{FittedScenario, Observed, PatiencePoint, ScenarioParams, fit};
use serde::Serialize;
use serde_json::json;

use super::{files, folder};
use crate::arguments::FitWorldOptions;
use crate::commands::versus::{rounded, seconds_in_words};
use crate::failure::{Failure, ShownPath, tell};
use crate::input::{Named, import_queue, import_tickets};
use crate::output::{Origin, check_places, comment, print, print_json, to_toml};
use crate::places::check_read;

/// A world and where it is from.
#[derive(Serialize)]
struct FitAnswer {
    log: String,
    tickets: usize,
    #[serde(flatten)]
    fitted: FittedScenario,
    /// The document.
    scenario: String,
}

pub(super) fn run(options: &FitWorldOptions, command: String) -> Result<(), Failure> {
    let page = &options.page;
    check_places([&options.log], folder(page.out.as_deref()))?;
    let imported = import_tickets(&options.log, &options.reading.reading())?;
    imported.notes.iter().for_each(|note| tell(note));
    if imported.log.len() < 2 {
        let what =
            "one ticket has no rate; a world needs two tickets at least, and hundreds to resemble yours";
        return Err(imported.name.refuse(what));
    }
    let journal = imported.journal.as_deref().map(TicketLog::from_journal);
    let journal = journal.transpose().map_err(|error| imported.name.refuse(error))?;
    let mut fitted = fit(Observed {
        log: &imported.log,
        journal: journal.as_ref(),
    });
    let name = options.log.file_name().unwrap_or_default().to_string_lossy();
    fitted.params.name = format!("fitted to {name}");
    let document = journal
        .map(|journal| journal.document)
        .filter(|_| page.out.is_some());
    let policy = document.map(|text| {
        let ending = if text.trim_start().starts_with('{') {
            "json"
        } else {
            "toml"
        };
        (format!("policy.{ending}"), text)
    });
    let mut policies = Policies::default();
    if let Some((name, text)) = &policy {
        policies.add(name.clone(), text.as_bytes().to_vec());
    }
    for given in &options.policy {
        policies.name(given, page.out.is_some())?;
    }
    check_read(folder(page.out.as_deref()))?;
    fitted.params.policies = policies.names;
    let answer = FitAnswer {
        log: options.log.display().to_string(),
        tickets: imported.log.len(),
        scenario: document_of(&fitted, &options.log.display().to_string(), imported.log.len())?,
        fitted,
    };
    if let Some(folder) = &page.out {
        let mut origin = Origin::new(command, &json!({ "policies": answer.fitted.params.policies }))?;
        origin.inputs = std::iter::once(imported.facts).chain(policies.read).collect();
        let page = answer.page(policy.as_ref().map(|(name, _)| name.as_str()));
        let mut files = files(("fit.json", &answer), &page.footer(origin.footer()))?;
        files.add("scenario.toml", answer.scenario.as_str());
        for (name, text) in policies.files {
            files.add(&name, text);
        }
        files.write(folder, &origin)?;
    }
    if page.json {
        return print_json(&answer);
    }
    match &page.out {
        Some(folder) => print(&format!(
            "{}\n\n{}\nScenario: {}\nPage: {}\n",
            answer.sentence(),
            answer.table().to_text(),
            folder.join("scenario.toml").shown(),
            folder.join("index.html").shown()
        )),
        None => print(&answer.scenario),
    }
}

/// What the scenario names, and the files that then stand beside it: it reads no others.
#[derive(Default)]
struct Policies {
    names: Vec<String>,
    files: Vec<(String, Vec<u8>)>,
    /// Those that the files are copies of.
    read: Vec<FileRecord>,
}

impl Policies {
    fn add(&mut self, name: String, text: Vec<u8>) {
        self.names.push(name.clone());
        self.files.push((name, text));
    }

    /// One of the command line: a file by its whole path where the scenario is only printed, as it may be written into any
    /// folder.
    fn name(&mut self, given: &str, has_folder: bool) -> Result<(), Failure> {
        let Named::File(path) = Named::policy("--policy", Path::new(given))? else {
            self.names.push(given.to_owned());
            return Ok(());
        };
        let source = import_queue(&Named::File(path.clone()))?.source;
        if !has_folder {
            let whole = std::path::absolute(&path).map_err(Failure::of)?;
            self.names.push(whole.display().to_string());
            return Ok(());
        }
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        let is_taken = |name: &str| {
            let written = ["scenario.toml", "fit.json", "manifest.json"].into_iter();
            let mut all = written.chain(self.files.iter().map(|(name, _)| name.as_str()));
            all.any(|taken| taken.eq_ignore_ascii_case(name))
        };
        let numbered = (2..).map(|number| format!("{number}-{own}"));
        let name = std::iter::once(own.to_string())
            .chain(numbered)
            .find(|name| !is_taken(name));
        self.add(name.unwrap_or_default(), source.read.into_text());
        self.read.push(source.facts);
        Ok(())
    }
}

/// The document: what differs from the defaults, section by section, each after what is known of it.
fn document_of(fitted: &FittedScenario, log: &str, tickets: usize) -> Result<String, Failure> {
    let table = |params: &ScenarioParams| toml::Table::try_from(params).map_err(Failure::of);
    let (all, default) = (table(&fitted.params)?, table(&ScenarioParams::default())?);
    let mut text = comment(&format!(
        "A world fitted to {log}: {} tickets.",
        count(tickets as u64)
    ));
    text += &comment("Estimates with their standard errors; what is not here has its default.");
    if fitted.params.policies.is_empty() {
        text += &comment("It names no policies: add them, or give --policy.");
    }
    text.push('\n');
    let is_section = |value: &toml::Value| match value {
        toml::Value::Array(values) => values.iter().any(toml::Value::is_table),
        other => other.is_table(),
    };
    let changed = all
        .iter()
        .filter(|(key, value)| default.get(*key) != Some(*value));
    let (sections, plain): (Vec<_>, Vec<_>) = changed.partition(|(_, value)| is_section(value));
    for (key, value) in plain {
        let line = toml::Table::from_iter([(key.clone(), value.clone())]);
        text += &to_toml(&line)?;
    }
    let mut named = Vec::new();
    for (key, value) in sections {
        let section = match (value, default.get(key)) {
            (toml::Value::Table(of), Some(toml::Value::Table(default))) => {
                let differs = |(key, value): &(&String, &toml::Value)| default.get(*key) != Some(*value);
                let of = of
                    .iter()
                    .filter(differs)
                    .map(|(key, value)| (key.clone(), value.clone()));
                toml::Value::Table(of.collect())
            }
            (value, _) => value.clone(),
        };
        let section = toml::Table::from_iter([(key.clone(), section)]);
        let _ = write!(text, "\n{}{}", known_of(fitted, key), to_toml(&section)?);
        named.push(key.as_str());
    }
    // What is said of sections that have their defaults.
    for note in &fitted.notes {
        if !named.contains(&note.section) {
            named.push(note.section);
            let _ = write!(text, "\n# [{}]\n{}", note.section, known_of(fitted, note.section));
        }
    }
    Ok(text)
}

/// Estimates and notes of a section, as comments.
fn known_of(fitted: &FittedScenario, section: &str) -> String {
    let mut text = String::new();
    for one in &fitted.estimates {
        let key = one
            .key
            .strip_prefix(section)
            .filter(|rest| rest.starts_with(['.', ' ']));
        if let Some(key) = key {
            let key = key.trim_start_matches(['.', ' ']);
            let mut line = format!("{key}: {:.5}", Short(one.value));
            if one.standard_error.is_finite() {
                let _ = write!(line, " +- {:.2}", Short(one.standard_error));
            }
            if let Some([low, high]) = one.interval {
                let _ = write!(line, ", 95 % interval {:.3} to {:.3}", Short(low), Short(high));
            }
            let _ = write!(line, ", from {} {}", count(one.count), one.of);
            text += &comment(&line);
        }
    }
    for note in fitted.notes.iter().filter(|note| note.section == section) {
        text += &comment(&note.text);
    }
    text
}

/// A number with as many significant digits as the precision says, written as plainly as possible.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = f.precision().unwrap_or(5).max(1);
        let rounded: f64 = format!("{:.*e}", digits - 1, self.0).parse().unwrap_or(self.0);
        write!(f, "{rounded}")
    }
}

impl FitAnswer {
    fn table(&self) -> Table {
        Table::of("Estimates", &self.fitted.estimates)
            .column(Column::text("What"), |one| one.key.as_str())
            .column(Column::significant("Estimate", 5), |one| one.value)
            .column(Column::significant("Standard error", 2), |one| {
                Some(one.standard_error).filter(|error| error.is_finite())
            })
            .optional_column(Column::significant("95 % from", 3), |one| Some(one.interval?[0]))
            .optional_column(Column::significant("to", 3), |one| Some(one.interval?[1]))
            .column(Column::integer("From"), |one| one.count)
            .column(Column::text("Of"), |one| one.of)
            .build()
            .file("estimates")
    }

    /// How many came how often, and how long they would wait.
    fn sentence(&self) -> String {
        let estimate = |wanted: &str| {
            self.fitted
                .estimates
                .iter()
                .find(|one| one.key.starts_with(wanted))
        };
        let tickets = count(self.tickets as u64);
        let rate = estimate("arrivals.per_second").map(|one| {
            // On the scale of logarithms, as no rate is below 0.
            let factor = (1.96 * one.standard_error / one.value).exp();
            let ends = [one.value / factor, one.value * factor];
            let margin = Some(0.5 * (ends[1] - ends[0])).filter(|margin| margin.is_finite());
            let ends = margin.map(|_| {
                let ends = ends.map(|end| rounded(end, margin));
                format!(" (95 % interval {} to {})", ends[0], ends[1])
            });
            format!(
                "came at {} parties a second{}",
                rounded(one.value, margin),
                ends.unwrap_or_default()
            )
        });
        let half = self.fitted.patience.iter().find(|one| one.left >= 0.5);
        let patience = match (half, self.fitted.patience.last()) {
            (Some(half), _) => format!(
                "half of them would give up within {}",
                seconds_in_words(half.seconds)
            ),
            (None, Some(last)) => format!(
                "{} % of them would give up within {}, which is as far as the log shows",
                brief(100.0 * last.left, 2),
                seconds_in_words(last.seconds)
            ),
            _ => {
                let mut notes = self.fitted.notes.iter();
                let note = notes.find(|note| note.section == "patience");
                let why = note.map_or_else(String::new, |note| {
                    format!(": {}", note.text.trim_end_matches('.'))
                });
                format!("how long they would wait cannot be seen{why}")
            }
        };
        format!(
            "The {tickets} tickets of {} {}; {patience}.",
            visible_line(&self.log),
            rate.unwrap_or_else(|| "have no rate".to_owned())
        )
    }

    fn page(&self, policy: Option<&str>) -> Page {
        let notes = self.fitted.notes.iter();
        let notes = notes.map(|note| format!("{}: {}", note.section, note.text));
        let mut files = vec![
            ("The scenario, for `matchwright simulate run`", "scenario.toml"),
            ("Everything, as JSON", "fit.json"),
        ];
        files.extend(policy.map(|name| ("The policy that was in force", name)));
        files.push(("Version, command, seed, configuration, hashes", "manifest.json"));
        Page::new(format!("A world fitted to {}", self.log))
            .answer(self.sentence())
            .section(Section::new("What was estimated").open().table(self.table()))
            .section(
                Section::new("What was taken how, and what was not observed")
                    .open()
                    .list(notes),
            )
            .section(Section::new("Patience and hours").plots(self.plots()))
            .section(Section::new("The scenario").preformatted(self.scenario.as_str()))
            .files_section(files)
    }

    fn plots(&self) -> Vec<Plot> {
        let mut plots = Vec::new();
        if !self.fitted.patience.is_empty() {
            let points = self.fitted.patience.iter();
            let of = |value: fn(&PatiencePoint) -> f64| {
                let points = points.clone();
                points.map(move |one| Point::new(one.seconds, 100.0 * value(one)))
            };
            plots.push(
                Plot::new("Parties that have given up, were none matched")
                    .caption("Product-limit estimate with 95 % intervals; matched tickets are censored.")
                    .x(Axis::new("Waited").unit("s"))
                    .y(Axis::new("Given up").unit("%"))
                    .series(Series::line_and_points("given up", of(|one| one.left)))
                    .series(Series::line("95 % from", of(|one| one.interval[0])).dashed())
                    .series(Series::line("95 % to", of(|one| one.interval[1])).dashed()),
            );
        }
        let hours = &self.fitted.params.arrivals.by_hour;
        if !hours.is_empty() {
            let points = (0..)
                .zip(hours)
                .map(|(hour, busy)| Point::new(f64::from(hour), *busy));
            plots.push(
                Plot::new("Arrivals by local hour")
                    .caption("1 is the mean of the day.")
                    .x(Axis::new("Hour"))
                    .y(Axis::new("Arrivals"))
                    .series(Series::step("arrivals", points)),
            );
        }
        plots
    }
}
