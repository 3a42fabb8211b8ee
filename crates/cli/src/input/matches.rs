//! The rows of a file of matches become a history, or say why not.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use matchwright_import::{Input, Match, Matches, RowError, Summary, TakeMatch, TimeUnit};
use matchwright_rating::history::{History, HistoryBuilder, StartRating};
use matchwright_report::{FileRecord, count, counted, utc_time};
use matchwright_sim::adapt::enter;

use super::source::{Facts, InputName, open};
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
    import(open(path)?, (options, Vec::new()), true, None)
}

/// Reads a file of games: of one against one, of teams, of many sides.
///
/// `starts`: ratings that players have before their first.
pub(crate) fn import_games(
    path: &Path,
    options: &ReadingOptions,
    starts: Vec<(String, StartRating)>,
) -> Result<Imported, Failure> {
    import(open(path)?, (options, starts), false, None)
}

/// Reads games from text.
#[cfg(test)]
pub(super) fn games_of_text(text: &[u8], options: &ReadingOptions) -> Result<Imported, Failure> {
    import(
        super::source::input_of_text(text),
        (options, Vec::new()),
        false,
        None,
    )
}

/// Reads a file of games and hands them to `play` in pieces, in order, none of which is kept: what comes back is a history of
/// players alone.
pub(crate) fn stream_games(
    path: &Path,
    options: (&ReadingOptions, Vec<(String, StartRating)>),
    play: &mut Play<'_>,
) -> Result<Imported, Failure> {
    import(open(path)?, options, false, Some(play))
}

/// What is done with a piece of a history; with the first draw so far.
type Play<'p> = dyn FnMut(&History, Option<&MatchLine>) -> Result<(), Failure> + 'p;
/// How many games are handed over at once.
const PIECE: usize = 1 << 16;

fn import(
    (input, facts): (Input, Facts),
    (options, starts): (&ReadingOptions, Vec<(String, StartRating)>),
    only_duels: bool,
    play: Option<&mut Play<'_>>,
) -> Result<Imported, Failure> {
    let mut matches = Matches::open(input, &options.matches(only_duels)?)?;
    let mut import = Import {
        builder: HistoryBuilder::default()
            .keep_repeats(options.keep_repeats)
            .with_starts(starts),
        play,
        name: matches.name().into(),
        first_draw: None,
        counts: Counts::default(),
    };
    matches.hand_over(&mut import)?;
    import.hand_over()?;
    let players = import.builder.so_far().players();
    let report = matches.report(players.iter().map(String::as_str))?;
    let in_order = options.time_unit == Some(TimeUnit::Index);
    let read = import.counts.in_words(players.len(), in_order);
    Ok(Imported {
        history: import.builder.finish(),
        facts: facts.record(),
        skipped: report.skipped,
        first_draw: import.first_draw,
        notes: std::iter::once(read).chain(report.notes).collect(),
        unused: report.unused,
    })
}

struct Import<'r, 'p> {
    builder: HistoryBuilder,
    play: Option<&'r mut Play<'p>>,
    name: InputName,
    first_draw: Option<MatchLine>,
    counts: Counts,
}

/// What a file holds, in short.
#[derive(Default)]
pub(crate) struct Counts {
    /// How many matches of each kind.
    kinds: BTreeMap<String, u64>,
    draws: u64,
    span: Option<(i64, i64)>,
}

impl Counts {
    fn add(&mut self, game: &Match<'_>) {
        *self.kinds.entry(game.kind()).or_default() += 1;
        self.draws += u64::from(game.has_draw());
        let time = game.time();
        self.span = Some(
            self.span
                .map_or((time, time), |(from, to)| (from.min(time), to.max(time))),
        );
    }

    /// The same of a file that was counted.
    pub(crate) fn of(summary: &Summary) -> Self {
        Self {
            kinds: summary.kinds.clone(),
            draws: summary.draws,
            span: summary.span,
        }
    }

    /// `5,000 matches of 5v5, no draws, 600 players, from 2024-01-01T00:00:00Z to 2024-06-30T00:00:00Z`
    pub(crate) fn in_words(&self, players: usize, in_order: bool) -> String {
        let time = |seconds: i64| {
            if in_order {
                seconds.to_string()
            } else {
                utc_time(seconds)
            }
        };
        let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let matches = number(self.kinds.values().sum());
        let matches = match self.kinds.iter().next() {
            Some((kind, _)) if self.kinds.len() == 1 => {
                format!("{} of {kind}", counted(matches, "match", "matches"))
            }
            _ => {
                let kinds = self.kinds.iter();
                let kinds = kinds.map(|(kind, games)| format!("{} of {kind}", count(*games)));
                let kinds = kinds.collect::<Vec<_>>().join(", ");
                format!("{}: {kinds}", counted(matches, "match", "matches"))
            }
        };
        let draws = match self.draws {
            0 => "no draws".to_owned(),
            draws => counted(number(draws), "draw", "draws"),
        };
        let span = self.span.map_or_else(String::new, |(from, to)| {
            format!(", from {} to {}", time(from), time(to))
        });
        let players = counted(players, "player", "players");
        format!("{matches}, {draws}, {players}{span}")
    }
}

impl TakeMatch for Import<'_, '_> {
    type Error = Failure;

    fn foresee<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        self.builder.foresee(names);
    }

    fn take(&mut self, game: &Match<'_>) -> Result<Result<(), RowError>, Failure> {
        if let Err(error) = enter(&mut self.builder, game) {
            return Ok(Err(error));
        }
        self.counts.add(game);
        if self.first_draw.is_none() && game.has_draw() {
            let (name, line) = (self.name.clone(), game.line());
            self.first_draw = Some(MatchLine { name, line });
        }
        if self.builder.len() >= PIECE {
            self.hand_over()?;
        }
        Ok(Ok(()))
    }
}

impl Import<'_, '_> {
    /// Hands over the games so far and forgets them, if they are streamed.
    fn hand_over(&mut self) -> Result<(), Failure> {
        if let Some(play) = &mut self.play {
            play(self.builder.so_far(), self.first_draw.as_ref())?;
            self.builder.forget_games();
        }
        Ok(())
    }
}
