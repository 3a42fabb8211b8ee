//! Public matches in order of time, from the folder that `MATCHWRIGHT_DATA` names.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use matchwright_rating::history::{History, HistoryBuilder, NamedGame, NamedSeat, NamedSide};

/// A data set with the best log loss that another crate's systems are known to have on its last fifth.
pub(super) struct Data {
    pub(super) name: &'static str,
    pub(super) published: f64,
    pub(super) history: History,
}

/// A public table.
struct Source {
    name: &'static str,
    published: f64,
    file: &'static str,
    time: fn(&str) -> Option<i64>,
    /// Of each side.
    players: [&'static [usize]; 2],
    /// Columns of the time and of both sides' scores.
    columns: [usize; 3],
    /// Of what was played.
    context: Option<usize>,
}

const SOURCES: [Source; 3] = [
    Source {
        name: "Halo 2 beta, one against one",
        published: 0.5908,
        file: "halo2_beta/head_to_head.csv.gz",
        time: seconds,
        players: [&[4], &[5]],
        columns: [0, 6, 7],
        context: Some(3),
    },
    Source {
        name: "international football",
        published: 0.4897,
        file: "football_intl/results.csv.gz",
        time: seconds,
        players: [&[1], &[2]],
        columns: [0, 3, 4],
        context: Some(5),
    },
    Source {
        name: "FRC, three against three",
        published: 0.5846,
        file: "frc_tba/matches.csv.gz",
        time: year,
        players: [&[4, 5, 6], &[7, 8, 9]],
        columns: [0, 10, 11],
        context: None,
    },
];

/// All data sets.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn read(folder: &Path) -> Result<Vec<Data>> {
    SOURCES.iter().map(|source| source.read(folder)).collect()
}

impl Source {
    fn read(&self, folder: &Path) -> Result<Data> {
        let path = folder.join(self.file);
        let file = std::fs::File::open(&path).with_context(|| path.display().to_string())?;
        let mut text = String::new();
        GzDecoder::new(file)
            .read_to_string(&mut text)
            .with_context(|| path.display().to_string())?;
        let mut builder = HistoryBuilder::default().keep_repeats(true);
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            // Rows without a score, and games that are none, are left out.
            if let Some(game) = self.game(&fields) {
                let _ = builder.push(&game);
            }
        }
        Ok(Data {
            name: self.name,
            published: self.published,
            history: builder.finish(),
        })
    }

    fn game<'a>(&self, fields: &[&'a str]) -> Option<NamedGame<'a>> {
        let number = |column: usize| fields.get(column)?.parse::<f64>().ok();
        let [time, first, second] = self.columns;
        let scores = [number(first)?, number(second)?];
        let sides = [0, 1].map(|side: usize| {
            let players = self.players[side].iter();
            NamedSide {
                place: 1 + u32::from(scores[side] < scores[1 - side]),
                score: scores[side],
                seats: players.map(|&column| NamedSeat::whole(fields[column])).collect(),
            }
        });
        Some(NamedGame {
            context: self.context.and_then(|column| fields.get(column).copied()),
            time: (self.time)(fields.get(time)?)?,
            sides: sides.into(),
        })
    }
}

/// `2004` as Unix seconds.
fn year(text: &str) -> Option<i64> {
    date(text.parse().ok()?, 1, 1)
}

/// `2004-08-06` or `2004-08-06T18:13:50` as Unix seconds.
fn seconds(text: &str) -> Option<i64> {
    let (day, clock) = text.split_once('T').unwrap_or((text, "0:0:0"));
    let numbers = |text: &str, by: char| {
        text.split(by)
            .map(|part| part.parse().ok())
            .collect::<Option<Vec<i64>>>()
    };
    let (day, clock) = (numbers(day, '-')?, numbers(clock, ':')?);
    let [year, month, day] = day[..] else { return None };
    let [hour, minute, second] = clock[..] else {
        return None;
    };
    Some(date(year, month, day)? + 3600 * hour + 60 * minute + second)
}

/// Midnight of a day of the Gregorian calendar as Unix seconds.
fn date(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let before = |year: i64| 365 * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
    let february = 28 + i64::from(is_leap(year));
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let month = usize::try_from(month - 1).ok()?;
    let days: i64 = months.get(..month)?.iter().sum();
    Some(86_400 * (before(year) - before(1970) + days + day - 1))
}
