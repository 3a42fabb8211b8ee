//! `matchwright import`: what a file of matches is understood as, and the same matches clean.

use std::path::Path;

use matchwright_import::{
    CleanForm, CleanWriter, ImportError, InputName, Match, Matches, Report, RowError, Summary, TakeMatch,
    TimeUnit, write_trf,
};
use matchwright_rating::history::HistoryBuilder;
use matchwright_report::{Column, Table, utc_time};
use matchwright_sim::adapt::enter;
use matchwright_sim::progress::Progress;
use serde::Serialize;

use crate::arguments::ImportOptions;
use crate::failure::{Failure, ShownPath, tell};
use crate::input::{Counts, ReadingDocument, encoding, open};
use crate::output::{Origin, Place, check_places, print, print_json, write_file, write_file_by};
use crate::progress::Bar;

/// Everything as one object.
#[derive(Serialize)]
struct Answer<'a> {
    matches: u64,
    kinds: &'a std::collections::BTreeMap<String, u64>,
    players: usize,
    draws: u64,
    from: Option<String>,
    to: Option<String>,
    first: Option<String>,
    columns: Vec<ColumnRow>,
    skipped_rows: u64,
    notes: &'a [String],
}

/// What a column is taken for.
#[derive(Serialize)]
struct ColumnRow {
    column: String,
    used_as: Option<String>,
}

pub(crate) fn run(options: &ImportOptions, command: String) -> Result<(), Failure> {
    let form = options.out.as_deref().map(form_of).transpose()?;
    let files = [&options.out, &options.save]
        .into_iter()
        .filter_map(|path| path.as_deref());
    let inputs: Vec<_> = std::iter::once(&options.file)
        .chain(&options.reading.reading)
        .collect();
    check_places(inputs, files.map(Place::File))?;
    let bar = Bar::new();
    bar.begin("reading the matches", 0);
    let (input, facts) = open(&options.file)?;
    let in_order = options.reading.time_unit == Some(TimeUnit::Index);
    let mut matches = Matches::open(input, &options.reading.matches(false)?)?;
    let name = matches.name().clone();
    let mut taker = Taker {
        summary: Summary::default(),
        checks: HistoryBuilder::default().keep_repeats(options.reading.keep_repeats),
        clean: Vec::new(),
        keeps: options.out.is_some(),
    };
    matches.hand_over(&mut taker)?;
    let report = matches.report(taker.summary.players())?;
    drop(bar);
    let facts = facts.record();
    let configuration = serde_json::json!({
        "reading": options.reading.shown(),
        "skipped_rows": report.skipped,
    });
    let mut origin = Origin::new(command, &configuration)?;
    origin.inputs = vec![facts];
    if let (Some(path), Some(form)) = (&options.out, form) {
        write(path, form, (&name, &taker.clean), &origin, in_order)?;
        let reading = &options.reading;
        let needed = [
            (in_order, "--time-unit index"),
            (reading.keep_repeats, "--keep-repeats"),
            (reading.names.as_written, "--names-as-written"),
        ];
        let needed: Vec<&str> = needed
            .into_iter()
            .filter(|(is_so, _)| *is_so)
            .map(|(_, option)| option)
            .collect();
        if !needed.is_empty() {
            tell(&format!("{} is read with {}", path.shown(), needed.join(" ")));
        }
    }
    if let Some(path) = &options.save {
        let document = ReadingDocument::of(&options.reading, &report, encoding());
        write_file(path, document.to_toml()?.as_bytes(), &origin)?;
    }
    show(options, &taker.summary, &report, in_order)
}

/// Writes matches, all of which must have a place in the form.
fn write(
    path: &Path,
    form: Form,
    (name, games): (&InputName, &[Match<'_>]),
    origin: &Origin,
    in_order: bool,
) -> Result<(), Failure> {
    match form {
        Form::Clean(form) => {
            if let Some(game) = games.iter().find(|game| !form.holds(game)) {
                let what = "a match that is more than one player against one has no place in this CSV; write JSON lines: --out \
                            FILE.jsonl";
                return Err(name.in_line(game.line(), what).into());
            }
            write_file_by(path, origin, |file| {
                let mut writer = CleanWriter::new(file, form, in_order);
                games.iter().try_for_each(|game| writer.write(game).map(drop))
            })
        }
        Form::Trf => {
            let mut report = Vec::new();
            let called = path.file_stem().unwrap_or_default().to_string_lossy();
            let is_written = write_trf(&mut report, &called, games, !in_order);
            if !is_written.map_err(Failure::io("writing a report"))? {
                let what = "a report of a tournament has a place for matches of one against one alone, of at most 9999 players with names of \
                            at most 33 characters, in at most 999 rounds of 1970 to 2069; write JSON lines: --out FILE.jsonl";
                return Err(name.refuse(what).into());
            }
            tell("scores, times of day and names of matches have no place in a report of a tournament");
            write_file_by(path, origin, |file| file.write_all(&report))
        }
    }
}

/// How clean matches are written, by the name of their file.
fn form_of(path: &Path) -> Result<Form, Failure> {
    let ending = |path: &Path| {
        path.extension()
            .map(|ending| ending.to_string_lossy().to_lowercase())
    };
    let packed = ending(path).filter(|ending| ["gz", "zst"].contains(&&**ending));
    let inner = packed
        .and_then(|_| ending(Path::new(path.file_stem()?)))
        .or_else(|| ending(path));
    match inner.as_deref() {
        Some("csv") => Ok(Form::Clean(CleanForm::Csv)),
        Some("jsonl" | "ndjson") => Ok(Form::Clean(CleanForm::JsonLines)),
        Some("trf") => Ok(Form::Trf),
        _ => Err(Failure::Usage(format!(
            "{}: the name must end in .csv, .jsonl or .trf (.gz, .zst), which says what to write",
            path.shown()
        ))),
    }
}

/// What is written, by the name of its file.
#[derive(Clone, Copy)]
enum Form {
    Clean(CleanForm),
    /// FIDE's report of a tournament.
    Trf,
}

/// Counts matches, and keeps them if they are written again.
struct Taker {
    summary: Summary,
    /// What a history refuses no command can use.
    checks: HistoryBuilder,
    clean: Vec<Match<'static>>,
    keeps: bool,
}

/// After this many games, those that were checked are forgotten.
const PIECE: usize = 1 << 16;

impl TakeMatch for Taker {
    type Error = ImportError;

    fn take(&mut self, game: &Match<'_>) -> Result<Result<(), RowError>, ImportError> {
        if let Err(error) = enter(&mut self.checks, game) {
            return Ok(Err(error));
        }
        if self.checks.len() >= PIECE {
            self.checks.forget_games();
        }
        self.summary.add(game);
        if self.keeps {
            self.clean.push(game.clone().into_owned());
        }
        Ok(Ok(()))
    }
}

fn show(options: &ImportOptions, summary: &Summary, report: &Report, in_order: bool) -> Result<(), Failure> {
    let time = |seconds: i64| {
        if in_order {
            seconds.to_string()
        } else {
            utc_time(seconds)
        }
    };
    let taken = report.taken.iter().map(|(column, meaning)| ColumnRow {
        column: column.clone(),
        used_as: Some(meaning.clone()),
    });
    let unused = report.unused.iter().map(|column| ColumnRow {
        column: column.clone(),
        used_as: None,
    });
    let columns: Vec<ColumnRow> = taken.chain(unused).collect();
    let first = summary
        .first
        .as_ref()
        .map(|game| format!("line {}, {}: {}", game.line(), time(game.time()), in_words(game)));
    // The table has them.
    let notes: Vec<String> = report
        .notes
        .iter()
        .filter(|note| !note.starts_with("columns that were not used"))
        .cloned()
        .collect();
    if options.json {
        return print_json(&Answer {
            matches: summary.matches,
            kinds: &summary.kinds,
            players: summary.players().len(),
            draws: summary.draws,
            from: summary.span.map(|(from, _)| time(from)),
            to: summary.span.map(|(_, to)| time(to)),
            first,
            columns,
            skipped_rows: report.skipped,
            notes: &notes,
        });
    }
    let counts = Counts::of(summary).in_words(summary.players().len(), in_order);
    let mut text = format!("{counts}\n");
    text.extend(first.map(|first| format!("first: {first}\n")));
    text.push('\n');
    text += &columns_table(&columns).to_text();
    let gap = (!notes.is_empty()).then_some("");
    let lines = std::iter::once(text.trim_end()).chain(gap);
    let lines = lines.chain(notes.iter().map(String::as_str));
    print(&(lines.collect::<Vec<_>>().join("\n") + "\n"))
}

fn columns_table(columns: &[ColumnRow]) -> Table {
    Table::of("Columns", columns)
        .column(Column::text("column"), |row| &row.column)
        .column(Column::text("used as"), |row| {
            row.used_as.as_deref().unwrap_or("not used")
        })
        .build()
}

/// `ann beat bob 3 : 1`.
fn in_words(game: &Match<'_>) -> String {
    let sides: Vec<_> = game.sides().collect();
    let names = |side: usize| {
        let members = sides[side].members.iter().map(|member| &*member.name);
        members.collect::<Vec<_>>().join(", ")
    };
    let score = |side: usize| sides[side].score;
    if sides.len() != 2 {
        let mut order: Vec<usize> = (0..sides.len()).collect();
        order.sort_by_key(|side| sides[*side].place);
        let places = order
            .into_iter()
            .map(|side| format!("{}. {}", sides[side].place, names(side)));
        return places.collect::<Vec<_>>().join("; ");
    }
    let (one, other) = if sides[1].place < sides[0].place {
        (1, 0)
    } else {
        (0, 1)
    };
    let verb = if sides[0].place == sides[1].place {
        "drew with"
    } else {
        "beat"
    };
    let has_scores = sides.iter().any(|side| side.score != 0.0);
    let scores = if has_scores {
        format!(" {} : {}", score(one), score(other))
    } else {
        String::new()
    };
    format!("{} {verb} {}{scores}", names(one), names(other))
}
