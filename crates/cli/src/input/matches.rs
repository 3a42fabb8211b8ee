//! The importer: the rows of a file become a history, or say why not.

use std::collections::HashMap;
use std::fmt::Display;
use std::io::BufRead;
use std::path::Path;

use matchwright_rating::history::{History, HistoryBuilder};
use matchwright_report::FileRecord;

use super::bad_rows::BadRows;
use super::case_twins::case_twins;
use super::columns::MEANINGS;
use super::csv::Table;
use super::csv_games::CsvGames;
use super::first_sides::FirstSides;
use super::games::{Game, Games, Owned};
use super::json_games::{Fitting, JsonGames, JsonReading};
use super::json_rows::JsonRows;
use super::letters::Undecided;
use super::long_games::{is_long, long_games};
use super::names::NamesWithComma;
use super::rows::{RowError, is_json};
use super::source::{InputName, Stream};
use super::table_games::{has_teams, table_games};
use super::time::{TimeError, TimeReader};
use super::unused::{Unused, unused_note};
use crate::arguments::ReadingOptions;
use crate::failure::Failure;

/// A history with what its manifest should say.
pub(crate) struct Imported {
    pub(crate) history: History,
    pub(crate) facts: FileRecord,
    /// Rows that were dropped.
    pub(crate) skipped: u64,
    /// Columns or keys that nothing looks at.
    pub(crate) unused: Vec<String>,
    /// The first match in order of time in which two sides share a place.
    pub(crate) first_draw: Option<MatchLine>,
    /// What the user should hear: rows that were skipped, and what plain numbers were taken for as times.
    pub(crate) notes: Vec<String>,
}

/// Where a match stands.
pub(crate) struct MatchLine {
    name: InputName,
    line: u64,
}

impl MatchLine {
    /// What is wrong with it.
    pub(crate) fn refuse(&self, what: impl Display) -> Failure {
        self.name.in_line(self.line, what)
    }
}

/// Reads a file of matches of one against one; a game of teams is a bad row.
pub(crate) fn import_matches(path: &Path, options: &ReadingOptions) -> Result<Imported, Failure> {
    import(Stream::open(path)?, options, true, None)
}

/// Reads a file of games: of one against one, of teams, of many sides.
pub(crate) fn import_games(path: &Path, options: &ReadingOptions) -> Result<Imported, Failure> {
    import(Stream::open(path)?, options, false, None)
}

/// Reads games from text.
#[cfg(test)]
pub(super) fn games_of_text(text: &[u8], options: &ReadingOptions) -> Result<Imported, Failure> {
    import(Stream::of_text(text)?, options, false, None)
}

/// Reads a file of games and hands them to `play` in pieces, in order, none of which is kept: what comes back is a history of
/// players alone.
pub(crate) fn stream_games(
    path: &Path,
    options: &ReadingOptions,
    play: &mut Play<'_>,
) -> Result<Imported, Failure> {
    import(Stream::open(path)?, options, false, Some(play))
}

/// What is done with a piece of a history; with the first draw so far.
type Play<'p> = dyn FnMut(&History, Option<&MatchLine>) -> Result<(), Failure> + 'p;
/// So many games are handed over at once.
const PIECE: usize = 1 << 16;

fn import(
    mut stream: Stream,
    options: &ReadingOptions,
    only_duels: bool,
    play: Option<&mut Play<'_>>,
) -> Result<Imported, Failure> {
    let times = TimeReader::new(options.time_unit);
    let mut import = Import {
        builder: HistoryBuilder::default().keep_repeats(options.keep_repeats),
        bad: BadRows::new(stream.name.clone(), options.skip_bad, ["match", "matches"]),
        play,
        first_sides: FirstSides::default(),
        name: stream.name.clone(),
        first_draw: None,
        comma: NamesWithComma::new(options.names.as_written),
    };
    let (since, until) = (
        bound(options, "--since", options.since.as_ref())?,
        bound(options, "--until", options.until.as_ref())?,
    );
    let (mut unsorted, mut outside) = (Vec::new(), 0_u64);
    let mut ids = HashMap::new();
    let mut take_one = |import: &mut Import<'_, '_>, game: Result<Game<'_>, RowError>| {
        let game = match game {
            Ok(game) => game,
            Err(error) => return import.bad.take(error),
        };
        let duel = if only_duels { game.check_duel() } else { Ok(()) };
        let time = duel.and_then(|()| game.time(&times));
        let time = match time.and_then(|time| {
            game.check_id((time, options.keep_repeats), &mut ids)
                .map(|()| time)
        }) {
            Ok(time) => time,
            Err(error) => return import.bad.take(error),
        };
        if since.is_some_and(|since| time < since) || until.is_some_and(|until| time >= until) {
            outside += 1;
        } else if options.sort {
            unsorted.push((time, game.into_owned()));
        } else {
            import.push(time, &game)?;
        }
        Ok(())
    };
    let mut undecided = Undecided::default();
    let mut take = |games: Vec<Result<Game<'_>, RowError>>| {
        if games.len() > 1 {
            let names = games.iter().flatten().flat_map(Game::names);
            import.builder.foresee(names);
        }
        let mut take_one = |game: Result<Game<'_>, RowError>| take_one(&mut import, game);
        let mut games = games.into_iter();
        games.try_for_each(|game| undecided.pass(game, &mut take_one))
    };
    let (mut found, mut met) = (Vec::new(), Ok(Vec::new()));
    let unused = Unused::default();
    let taken = games(&mut stream, options, &unused).and_then(|(mut games, notes)| {
        found = notes;
        games.each(&mut take)?;
        met = games.finish();
        Ok(())
    });
    taken.map_err(|failure| stream.damage().unwrap_or(failure))?;
    undecided.finish(&mut |game: Result<Game<'_>, RowError>| take_one(&mut import, game))?;
    let met = met.map_err(|error| stream.name.in_row(error))?;
    unsorted.sort_by_key(|(time, _)| *time);
    unsorted
        .iter()
        .try_for_each(|(time, game)| import.push(*time, game))?;
    import.hand_over()?;
    let unused = unused.names();
    found.extend(unused_note(&unused, &MEANINGS));
    found.extend(import.bad.note());
    found.extend(times.note());
    found.extend(met);
    found.extend(import.names_note()?);
    found.extend(
        (outside > 0).then(|| format!("left out {outside} matches before --since or from --until on")),
    );
    if import.builder.so_far().players().is_empty() {
        return Err(match outside {
            0 => import.bad.refuse_all("no match in it"),
            _ => stream.name.refuse("no match between --since and --until"),
        });
    }
    Ok(Imported {
        history: import.builder.finish(),
        facts: stream.facts(),
        skipped: import.bad.skipped(),
        first_draw: import.first_draw,
        notes: found,
        unused,
    })
}

/// A time that bounds what is read, in the unit of the file's.
fn bound(options: &ReadingOptions, name: &str, time: Option<&String>) -> Result<Option<i64>, Failure> {
    let read = |text: &String| {
        let read = TimeReader::new(options.time_unit).read(text);
        read.map_err(|error| {
            let (TimeError::Unreadable(what) | TimeError::NoUnit(what)) = error;
            Failure::Usage(format!("{name} is {what}"))
        })
    };
    time.map(read).transpose()
}

/// The games of a file, with what there is to say of how they are read.
fn games<'a>(
    stream: &'a mut Stream,
    options: &'a ReadingOptions,
    unused: &'a Unused,
) -> Result<(Box<dyn Games + 'a>, Vec<String>), Failure> {
    // What is wrong with the beginning is told by the next read.
    if !stream.reader.fill_buf().is_ok_and(is_json) {
        // Without its header nothing of a file can be used.
        let columns = &options.columns;
        let as_written = options.names.as_written;
        let opened = Table::open(&mut stream.reader, "match").and_then(|table| {
            if has_teams(&table, columns) {
                let (games, note) = table_games(table, columns, (as_written, unused))?;
                return Ok((Box::new(games) as Box<dyn Games>, note.into_iter().collect()));
            }
            if is_long(&table, columns) {
                let (games, notes) = long_games(table, columns, (as_written, unused))?;
                return Ok((Box::new(Owned(games)) as Box<dyn Games>, notes));
            }
            let (games, note) = CsvGames::new(table, columns, (as_written, unused))?;
            Ok((Box::new(games) as Box<dyn Games>, note.into_iter().collect()))
        });
        return opened.map_err(|error| stream.name.in_row(error));
    }
    let mut rows = JsonRows::new(&mut stream.reader);
    let first = rows.advance().transpose();
    let text = first.as_ref().and_then(|row| Some(&row.as_ref().ok()?.text[..]));
    let (fitting, note) = Fitting::new(&options.columns, text);
    let rest = std::iter::from_fn(move || rows.advance().transpose());
    let games = JsonGames {
        rows: first.into_iter().chain(rest),
        reading: JsonReading::new(fitting, (options.names.as_written, unused)),
    };
    Ok((Box::new(games), note.into_iter().collect()))
}

struct Import<'r, 'p> {
    builder: HistoryBuilder,
    bad: BadRows,
    play: Option<&'r mut Play<'p>>,
    first_sides: FirstSides,
    name: InputName,
    first_draw: Option<MatchLine>,
    comma: NamesWithComma,
}

impl Import<'_, '_> {
    fn push(&mut self, time: i64, game: &Game<'_>) -> Result<(), Failure> {
        match game.enter(time, &mut self.builder) {
            Ok(()) => {
                self.first_sides.add(game.first_won());
                if self.first_draw.is_none() && game.has_draw() {
                    let (name, line) = (self.name.clone(), game.line);
                    self.first_draw = Some(MatchLine { name, line });
                }
                self.comma.meet(game.line, game.names());
            }
            Err(error) => self.bad.take(game.refused(&error))?,
        }
        if self.builder.len() < PIECE {
            return Ok(());
        }
        self.hand_over()
    }

    /// What there is to say of the names of players, and of sides.
    fn names_note(&self) -> Result<impl Iterator<Item = String> + use<>, Failure> {
        let names = || self.builder.so_far().players().iter().map(String::as_str);
        let commas = self
            .comma
            .check(names())
            .map_err(|error| self.name.in_row(error))?;
        let twins = case_twins("players", names());
        Ok(commas.into_iter().chain(twins).chain(self.first_sides.note()))
    }

    /// Hands over the games so far and forgets them, if they are streamed.
    fn hand_over(&mut self) -> Result<(), Failure> {
        if let Some(play) = &mut self.play {
            play(self.builder.so_far(), self.first_draw.as_ref())?;
            self.builder.forget_games();
        }
        Ok(())
    }
}
