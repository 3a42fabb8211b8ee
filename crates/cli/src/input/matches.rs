//! The importer: the rows of a file become a history, or say why not.

use std::path::Path;

use matchwright_rating::history::{History, HistoryBuilder};
use matchwright_report::FileRecord;

use super::csv_games::CsvGames;
use super::games::Game;
use super::json_games;
use super::rows::{Fault, RowError, is_json, lines};
use super::source::Source;
use crate::arguments::ReadingOptions;
use crate::failure::Failure;

/// A history with what its manifest should say.
pub(crate) struct Imported {
    pub(crate) history: History,
    pub(crate) facts: FileRecord,
    /// Rows that were dropped.
    pub(crate) skipped: u64,
    /// How many, and what was wrong with the first of them; none if none were.
    pub(crate) note: Option<String>,
}

/// Reads a file of matches of one against one; a game of teams is a bad row.
pub(crate) fn import_matches(path: &Path, options: &ReadingOptions) -> Result<Imported, Failure> {
    import(path, options, Game::into_duel)
}

/// Reads a file of games: of one against one, of teams, of many sides.
pub(crate) fn import_games(path: &Path, options: &ReadingOptions) -> Result<Imported, Failure> {
    import(path, options, Ok)
}

fn import(
    path: &Path,
    options: &ReadingOptions,
    accept: fn(Game) -> Result<Game, Fault>,
) -> Result<Imported, Failure> {
    let source = Source::open(path)?;
    let mut import = Import {
        source: &source,
        options,
        builder: HistoryBuilder::default().keep_repeats(options.keep_repeats),
        skipped: 0,
        first_skipped: None,
    };
    let mut unsorted = Vec::new();
    for game in games(&source, options)? {
        let accepted = game.and_then(|game| {
            let line = game.line;
            accept(game).map_err(|fault| RowError::new(line, fault))
        });
        match accepted {
            Ok(game) if options.sort => unsorted.push(game),
            Ok(game) => import.push(&game)?,
            Err(error) => import.skip(error)?,
        }
    }
    unsorted.sort_by_key(|game| game.time);
    unsorted.iter().try_for_each(|game| import.push(game))?;
    let Import {
        builder,
        skipped,
        first_skipped,
        ..
    } = import;
    let rows = if skipped == 1 { "row" } else { "rows" };
    let note = first_skipped.map(|first| format!("skipped {skipped} {rows}; the first: {first}"));
    if builder.is_empty() {
        let note = note.map_or_else(String::new, |note| format!(" ({note})"));
        return Err(source.refuse(format!("no match in it{note}")));
    }
    Ok(Imported {
        history: builder.finish(),
        facts: source.facts,
        skipped,
        note,
    })
}

type Games<'a> = Box<dyn Iterator<Item = Result<Game, RowError>> + 'a>;

fn games<'a>(source: &'a Source, options: &'a ReadingOptions) -> Result<Games<'a>, Failure> {
    let (text, columns) = (&source.text, &options.columns);
    if !is_json(text) {
        // Without its header nothing of a file can be used.
        let games = CsvGames::open(text, columns).map_err(|error| source.in_row(error))?;
        return Ok(Box::new(games));
    }
    Ok(Box::new(lines(text).map(|(line, text)| {
        json_games::game(line, text, columns).map_err(|fault| RowError::new(line, fault))
    })))
}

struct Import<'a> {
    source: &'a Source,
    options: &'a ReadingOptions,
    builder: HistoryBuilder,
    skipped: u64,
    first_skipped: Option<String>,
}

impl Import<'_> {
    fn push(&mut self, game: &Game) -> Result<(), Failure> {
        let pushed = self.builder.push(&game.named());
        pushed.or_else(|error| self.skip(RowError::new(game.line, game.refused(&error))))
    }

    /// Counts a bad row, or stops at it.
    fn skip(&mut self, mut error: RowError) -> Result<(), Failure> {
        // Where the file itself breaks off, how much is lost is unknown: that is never skipped.
        if !error.fatal && !self.options.skip_bad {
            error.fault.1 += " (use --skip-bad to drop such rows)";
        }
        let stops = error.fatal || !self.options.skip_bad;
        let complaint = self.source.in_row(error);
        if stops {
            return Err(complaint);
        }
        self.skipped += 1;
        self.first_skipped.get_or_insert_with(|| complaint.to_string());
        Ok(())
    }
}
