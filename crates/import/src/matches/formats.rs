//! Which format a file has, and what reads its games.

use std::rc::Rc;

use super::MatchOptions;
use crate::cell::decimals::Decimals;
use crate::cell::time_unit::TimeUnit;
use crate::error::RowError;
use crate::foreign::is_pgn;
use crate::input::Text;
use crate::limits::CHUNK;
use crate::matches::columns::Columns;
use crate::matches::csv_games::{CsvGames, has_numbers};
use crate::matches::games::{Games, Owned, Wanted};
use crate::matches::headless::suggested;
use crate::matches::json_games::{Fitting, JsonGames, JsonReading};
use crate::matches::json_members::{MemberRows, is_game, member_games};
use crate::matches::labels::Labels;
use crate::matches::long_games::{is_long, is_wide, long_games};
use crate::matches::pgn_games::PgnGames;
use crate::matches::sample::Sample;
use crate::matches::table_games::{has_teams, table_games};
use crate::matches::trf::{is_trf, trf_games};
use crate::row::csv::Table;
use crate::row::json_row::JsonRow;
use crate::row::json_rows::JsonRows;
use crate::row::lines::is_json;
use crate::text::{listed, shown};
use crate::unused::ColumnUse;

/// The games of a file, and notes on how they are read.
type Found = (Box<dyn Games>, Vec<String>);

/// At most this many rows of JSON are looked at before the first is taken.
const LOOKED_AT: usize = 64;

pub(super) fn games(
    mut text: Text<'static>,
    options: &MatchOptions,
    unused: &Rc<ColumnUse>,
) -> Result<Found, RowError> {
    let columns = &options.columns;
    let reading = (options.names_as_written, Rc::clone(unused));
    let wanted = Wanted {
        in_order: options.time_unit == Some(TimeUnit::Index) && !columns.chosen(&["time"]),
        forfeits: options.rate_forfeits,
    };
    let is_table = !(is_pgn(text.start()) || is_trf(text.start()) || is_json(text.start()));
    if options.header.is_some() && !is_table {
        let what = "--header names the columns of a table without a header line, and this is none";
        return Err(RowError::new(1, (1, what.to_owned())));
    }
    let (is_pgn, is_trf) = (is_pgn(text.start()), is_trf(text.start()));
    if is_pgn || is_trf {
        let (fitting, _) = Fitting::new(columns, None);
        let told = (
            Labels::of(options.sides.as_ref(), std::iter::empty()),
            Decimals::default(),
        );
        // `Carlsen, Magnus` is one.
        let mut reading = JsonReading::new(fitting, (true, reading.1), told, wanted).of_chess();
        if is_trf {
            let games = trf_games(text, &mut reading)?;
            return Ok((Box::new(Owned(games.into_iter())), Vec::new()));
        }
        return Ok((Box::new(PgnGames::new(text, reading)), Vec::new()));
    }
    if is_json(text.start()) {
        return json_games(text, options, reading, wanted);
    }
    let start = text.start().to_vec();
    // Without its header nothing of a file can be used.
    let mut table = Table::open(text, "match")?;
    let (mut above, mut twice) = (None, None);
    if let Some(names) = &options.header {
        table = table.named(names);
    } else if let Some(header) = numbered(&table.header, columns) {
        let names = listed(header.iter().filter(|name| !table.header.contains(name)).cloned());
        twice = names.map(|names| format!("columns that come twice are those of two sides: {names}"));
        table.header = header;
    } else if !(has_teams(&table, columns) || is_long(&table, columns) || is_wide(&table, columns))
        && let Some((before, header)) = header_below(&start, columns)
    {
        table = table.below(header)?;
        above = Some((before, header.1));
    }
    let (start, note) = match above {
        None => (&start[..], None),
        Some((before, line)) => (
            &start[before..],
            Some(format!(
                "the header was found in line {line}; what stands above it was passed over"
            )),
        ),
    };
    let sample = Sample {
        text: start,
        sides: options.sides.as_ref(),
        decimal_comma: options.decimal_comma,
    };
    let (games, notes) = table_of_games(table, options, reading, (&sample, wanted))?;
    Ok((games, note.into_iter().chain(twice).chain(notes).collect()))
}

/// The header with a number behind each name that comes twice, if the names of players do so: `Player,Score,Player,Score`.
fn numbered(header: &[String], columns: &Columns) -> Option<Vec<String>> {
    if header.iter().any(|name| name == columns.name("teams")) {
        return None;
    }
    let before = |at: usize| header[..at].iter().filter(|known| **known == header[at]).count();
    let count = |name: &String| header.iter().filter(|known| *known == name).count();
    let number = |(at, name): (usize, &String)| match count(name) {
        2 if !name.is_empty() => format!("{name} {}", 1 + before(at)),
        _ => name.clone(),
    };
    let numbered: Vec<String> = header.iter().enumerate().map(number).collect();
    // Nearly no header has any.
    if numbered == header {
        return None;
    }
    let (fitted, _) = columns.fitted(&numbered);
    let sides = fitted.sides();
    let mut players = sides.iter().flat_map(|(_, names)| names);
    players
        .all(|name| numbered.iter().any(|known| known == name) && !header.iter().any(|known| known == name))
        .then_some(numbered)
}

fn table_of_games(
    table: Table<'static>,
    options: &MatchOptions,
    reading: (bool, Rc<ColumnUse>),
    (sample, wanted): (&Sample<'_>, Wanted),
) -> Result<Found, RowError> {
    let columns = &options.columns;
    if has_teams(&table, columns) {
        let (games, note) = table_games(table, columns, reading, wanted)?;
        return Ok((Box::new(games), note.into_iter().collect()));
    }
    let unused = Rc::clone(&reading.1);
    if is_long(&table, columns) {
        let (games, notes) = long_games(table, columns, (reading.0, &unused), sample, wanted.in_order)?;
        return Ok((Box::new(Owned(games.into_iter())), notes));
    }
    let suggested = suggested(&table.header).filter(|_| options.header.is_none());
    let found = CsvGames::new(table, columns, (reading.0, &unused), sample, wanted);
    let (games, notes) = found.map_err(|mut error| {
        if let Some(names) = suggested {
            let what = format!("the header seems to be a match already; name its columns: --header {names}");
            error.fault = (1, what);
        }
        error
    })?;
    Ok((Box::new(games), notes))
}

/// Headers are looked for in this many lines, as titles may stand above them.
const TITLES: usize = 20;

/// Where the columns are named further down: how many bytes stand before, and the separator and line of the header.
fn header_below(start: &[u8], columns: &Columns) -> Option<(usize, (u8, u64))> {
    let mut before = 0;
    for (number, line) in (1..=TITLES).zip(start.split_inclusive(|byte| *byte == b'\n')) {
        before += line.len();
        let table = Table::open(Text::of(&start[before..]), "match").ok()?;
        if is_wide(&table, columns) || is_long(&table, columns) {
            // Empty rows are passed over.
            return Some((before, (table.separator(), number as u64 + table.records.line())));
        }
    }
    None
}

fn json_games(
    text: Text<'static>,
    options: &MatchOptions,
    reading: (bool, Rc<ColumnUse>),
    wanted: Wanted,
) -> Result<Found, RowError> {
    let columns = &options.columns;
    let named = columns.clone();
    let (mut rows, found) = JsonRows::find(text, move |element| is_game(element, &named));
    let wrapped = found.map(|keys| {
        format!(
            "matches are read from `{}`, and where else in the file there are any",
            shown(&keys)
        )
    });
    let (mut first, mut bytes) = (Vec::new(), 0);
    while first.len() < LOOKED_AT && bytes < CHUNK {
        match rows.advance().transpose() {
            Some(Ok(row)) => {
                bytes += row.text.len();
                first.push(Ok(row));
            }
            // Behind the rows before it; nothing may follow.
            Some(Err(error)) => {
                first.push(Err(error));
                break;
            }
            None => break,
        }
    }
    let start = first.first().and_then(|row| Some(&row.as_ref().ok()?.text[..]));
    let rows_of_players = start.and_then(|start| MemberRows::of(start, columns));
    let (mut fitting, note) = Fitting::new(columns, start);
    let looked_at: Vec<JsonRow> = first.iter().flatten().cloned().collect();
    let results = fitting.texts(&looked_at, |meaning| {
        ["result", "winner", "loser"].contains(&meaning)
    });
    let labels = Labels::of(options.sides.as_ref(), results.iter().map(String::as_str));
    let numbers = fitting.texts(&looked_at, has_numbers);
    let decimals = Decimals::of(options.decimal_comma, numbers.iter().map(String::as_str));
    let rest = std::iter::from_fn(move || rows.advance().transpose());
    let rows = first.into_iter().chain(rest);
    if let Some(members) = rows_of_players {
        let (games, notes) = member_games(rows, &members, reading, wanted.in_order)?;
        return Ok((
            Box::new(Owned(games.into_iter())),
            wrapped.into_iter().chain(notes).collect(),
        ));
    }
    let games = JsonGames {
        rows,
        reading: JsonReading::new(fitting, reading, (labels, decimals), wanted),
    };
    Ok((Box::new(games), wrapped.into_iter().chain(note).collect()))
}
