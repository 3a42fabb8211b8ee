//! The importer: the rows of a file become a history, or say why not.

use std::io::{BufRead, Read};
use std::path::Path;

use matchwright_rating::history::{History, HistoryBuilder};

use super::columns::Columns;
use super::csv_rows::CsvRows;
use super::games::ReadGame;
use super::json_rows::JsonRows;
use super::rows::{RawGame, RowError, reading_error};
use super::source::{Source, SourceFacts};
use crate::failure::Failure;

/// How a file is to be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImportOptions {
    pub(crate) columns: Columns,
    /// Drop rows that cannot be used, and count them.
    pub(crate) skip_bad: bool,
    /// Sort by time first.
    pub(crate) sort: bool,
    /// Take repetitions of a match for matches of their own.
    pub(crate) keep_repeats: bool,
}

/// A history with what its manifest should say.
#[derive(Debug)]
pub(crate) struct Imported {
    pub(crate) history: History,
    pub(crate) facts: SourceFacts,
    /// Rows that were dropped.
    pub(crate) skipped: u64,
    /// What was wrong with the first of them.
    pub(crate) first_skipped: Option<String>,
}

/// Reads a file of matches of one against one; a game of teams is a bad row.
pub(crate) fn import_matches(path: &Path, options: &ImportOptions) -> Result<Imported, Failure> {
    import(path, options, ReadGame::into_duel)
}

/// Reads a file of games: of one against one, of teams, of many sides.
pub(crate) fn import_games(path: &Path, options: &ImportOptions) -> Result<Imported, Failure> {
    import(path, options, Ok)
}

fn import(
    path: &Path,
    options: &ImportOptions,
    accept: fn(ReadGame) -> Result<ReadGame, RowError>,
) -> Result<Imported, Failure> {
    let mut source = Source::open(path)?;
    let mut import = Import {
        name: source.name.clone(),
        options,
        skipped: 0,
        first_skipped: None,
    };
    let text = std::mem::replace(&mut source.reader, Box::new(std::io::empty()));
    let history = import.read(text, accept)?;
    let Import {
        skipped,
        first_skipped,
        ..
    } = import;
    Ok(Imported {
        history,
        facts: source.facts(),
        skipped,
        first_skipped,
    })
}

struct Import<'a> {
    name: String,
    options: &'a ImportOptions,
    skipped: u64,
    first_skipped: Option<String>,
}

impl Import<'_> {
    fn read(
        &mut self,
        text: Box<dyn BufRead>,
        accept: fn(ReadGame) -> Result<ReadGame, RowError>,
    ) -> Result<History, Failure> {
        let mut builder = HistoryBuilder::default().keep_repeats(self.options.keep_repeats);
        let rows = match open_rows(text, &self.options.columns) {
            Ok(rows) => rows,
            // Without its header nothing of a file can be used.
            Err(error) => return Err(self.complain(&error)),
        };
        let mut unsorted = Vec::new();
        for row in rows {
            match row.and_then(ReadGame::new).and_then(accept) {
                Ok(game) if self.options.sort => unsorted.push(game),
                Ok(game) => self.push(&mut builder, &game)?,
                // Where the file itself breaks off nobody knows how much is lost: that is never skipped.
                Err(error) if error.fatal => return Err(self.complain(&error)),
                Err(error) => self.skip(&error)?,
            }
        }
        unsorted.sort_by_key(|game: &ReadGame| game.time);
        for game in &unsorted {
            self.push(&mut builder, game)?;
        }
        if builder.is_empty() {
            let skipped = match self.skipped {
                0 => String::new(),
                n => format!(
                    " ({n} rows were skipped; the first: {})",
                    self.first_skipped.as_deref().unwrap_or("")
                ),
            };
            return Err(Failure::Failed(format!("{}: no match in it{skipped}", self.name)));
        }
        Ok(builder.finish())
    }

    fn push(&mut self, builder: &mut HistoryBuilder, game: &ReadGame) -> Result<(), Failure> {
        let pushed = builder.push(&game.named());
        pushed.or_else(|error| self.skip(&game.refused(&error)))
    }

    /// Counts a bad row, or stops at it.
    fn skip(&mut self, error: &RowError) -> Result<(), Failure> {
        let complaint = self.complain(error);
        if !self.options.skip_bad {
            return Err(complaint);
        }
        self.skipped += 1;
        self.first_skipped.get_or_insert_with(|| complaint.to_string());
        Ok(())
    }

    fn complain(&self, error: &RowError) -> Failure {
        Failure::Failed(format!(
            "{}:{}:{}: {}",
            self.name, error.line, error.column, error.message
        ))
    }
}

type Rows = Box<dyn Iterator<Item = Result<RawGame, RowError>>>;

fn open_rows(text: Box<dyn BufRead>, columns: &Columns) -> Result<Rows, RowError> {
    let (json, text) = is_json(text)?;
    if json {
        Ok(Box::new(JsonRows::new(text, columns)))
    } else {
        Ok(Box::new(CsvRows::new(text, columns)?))
    }
}

/// A first `{` means JSON lines, anything else CSV. A byte order mark is passed over.
pub(super) fn is_json(mut text: Box<dyn BufRead>) -> Result<(bool, Box<dyn BufRead>), RowError> {
    const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
    let mut start = Vec::new();
    // Up to the first byte that says something; a mark or blanks alone go on.
    loop {
        let read = text.by_ref().take(1).read_to_end(&mut start);
        if read.map_err(|error| reading_error(1, &error))? == 0 {
            break;
        }
        if start == BYTE_ORDER_MARK {
            start.clear();
        }
        let blank = start.trim_ascii().is_empty();
        if !blank && !BYTE_ORDER_MARK.starts_with(&start) {
            break;
        }
    }
    let json = start.trim_ascii_start().first() == Some(&b'{');
    Ok((json, Box::new(std::io::Cursor::new(start).chain(text))))
}
