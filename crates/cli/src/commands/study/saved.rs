//! The matches of a study as a file, in the columns that the importer expects.

use std::io::{self, Write};
use std::path::Path;

use bytes::Bytes;
use matchwright_rating::history::{Duel, Duels, History};
use matchwright_report::{Cell, Column, Table};

use crate::failure::Failure;
use crate::output::{Origin, ParquetFile, Values, is_parquet, write_file_by};

/// Matches that are written at a time.
const CHUNK: usize = 1 << 18;

/// Writes the matches in the format that the file's name ends with, some at a time.
pub(super) fn write_matches(path: &Path, history: &History, origin: &Origin) -> Result<(), Failure> {
    let duels = history.duels();
    let duels = duels.ok_or_else(|| Failure::Failed("games of teams are not saved".to_owned()))?;
    let chunk = |from: usize| {
        (from..duels.len().min(from + CHUNK))
            .map(|index| duels.at(index))
            .collect()
    };
    // One at least, which has the header.
    let chunks = (0..duels.len().max(1)).step_by(CHUNK).map(chunk);
    write_file_by(path, origin, |file| {
        if is_parquet(path) {
            write_parquet(duels, chunks, file)
        } else {
            write_csv(duels, chunks, file)
        }
    })
}

/// Goals of the loser are not part of the generator's world: only the difference is.
fn scores(game: &Duel) -> [f64; 2] {
    [game.score_difference.max(0.0), (-game.score_difference).max(0.0)]
}

fn write_csv(
    duels: Duels<'_>,
    chunks: impl Iterator<Item = Vec<Duel>>,
    mut file: impl Write,
) -> io::Result<()> {
    let player = |index: u32| &duels.players()[index as usize];
    for (number, chunk) in chunks.enumerate() {
        let table = Table::of("Matches", &chunk)
            .column(Column::text("time"), |game| Cell::Time(game.time))
            .column(Column::text("player1"), |game| player(game.player1))
            .column(Column::text("player2"), |game| player(game.player2))
            .column(Column::number("score1", 0), |game| scores(game)[0])
            .column(Column::number("score2", 0), |game| scores(game)[1]);
        let text = table.build().to_csv();
        let header = if number == 0 {
            0
        } else {
            text.find('\n').map_or(0, |end| end + 1)
        };
        file.write_all(&text.as_bytes()[header..])?;
    }
    Ok(())
}

fn write_parquet(
    duels: Duels<'_>,
    chunks: impl Iterator<Item = Vec<Duel>>,
    file: impl Write + Send,
) -> io::Result<()> {
    // One text of all names, of which each cell is a part.
    let mut ends = Vec::with_capacity(duels.players().len());
    let mut all = String::new();
    for name in duels.players() {
        all.push_str(name);
        ends.push(all.len());
    }
    let all = Bytes::from(all);
    let name = |player: u32| {
        let place = player as usize;
        let start = place.checked_sub(1).map_or(0, |before| ends[before]);
        Some(all.slice(start..ends[place]))
    };
    let columns = |games: &[Duel]| {
        [
            Values::Times(
                games
                    .iter()
                    .map(|game| Some(game.time.saturating_mul(1000)))
                    .collect(),
            ),
            Values::Texts(games.iter().map(|game| name(game.player1)).collect()),
            Values::Texts(games.iter().map(|game| name(game.player2)).collect()),
            Values::Numbers(games.iter().map(|game| Some(scores(game)[0])).collect()),
            Values::Numbers(games.iter().map(|game| Some(scores(game)[1])).collect()),
        ]
    };
    let names = ["time", "player1", "player2", "score1", "score2"];
    let mut file = ParquetFile::new(file, names.into_iter().zip(&columns(&[])))?;
    for chunk in chunks {
        file.write(&columns(&chunk))?;
    }
    file.finish()
}
