//! How files of matches are read.

use clap::{Args, ValueEnum};
use matchwright_import::{Columns, TimeFormat, TimeUnit, is_encoding};

use super::common::{NamesOption, named};

/// Where matches come from; shared by all commands that read them.
#[derive(Args, Default)]
pub(crate) struct ReadingOptions {
    /// Which column is what: time=...,player1=...,player2=...,score1=...,score2=...,result=...,winner=...;
    /// team1=...,team2=... where a cell lists a team; date=... where time is a time of day
    #[arg(long, value_name = "NAMES", value_parser = Columns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: Columns,
    /// What plain numbers mean as times [default: seconds or milliseconds since 1970, or dates of eight digits, by their size;
    /// others are refused]; `index` takes a file without times in its order
    #[arg(long, value_name = "UNIT", value_parser = named(TimeUnit::ALL))]
    pub(crate) time_unit: Option<TimeUnit>,
    /// How all times are written, as for C's strptime: '%d/%m/%Y %H:%M' [default: found in the file]
    #[arg(long, value_name = "FORMAT", value_parser = TimeFormat::parse, conflicts_with = "time_unit")]
    pub(crate) time_format: Option<TimeFormat>,
    /// What is done with matches that were won by a forfeit (`W/O`, `+--`) [default: leave-out, as those without a result]
    #[arg(long, value_enum)]
    pub(crate) forfeits: Option<Forfeits>,
    /// Drop rows that cannot be used, each with its match, and say how many and why
    #[arg(long)]
    pub(crate) skip_bad: bool,
    #[command(flatten)]
    pub(crate) names: NamesOption,
    /// Sort the matches by time first
    #[arg(long)]
    pub(crate) sort: bool,
    /// Keep matches that look like repetitions: same time, players and scores
    #[arg(long)]
    pub(crate) keep_repeats: bool,
    /// Leave out matches before this time, a date or as times are written in the file
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Leave out matches from this time on
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
}

/// What is done with matches that were won by a forfeit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Forfeits {
    /// Left out and counted
    LeaveOut,
    /// Rated as any other match
    Rate,
}

impl ReadingOptions {
    pub(crate) fn rates_forfeits(&self) -> bool {
        self.forfeits == Some(Forfeits::Rate)
    }

    /// As on a command line; empty where nothing was asked for.
    pub(crate) fn shown(&self) -> String {
        let columns = self.columns.shown();
        let columns = (!columns.is_empty()).then(|| format!(" --columns {columns}"));
        let unit = self.time_unit.map(|unit| format!(" --time-unit {}", unit.name()));
        let flags = [
            (self.skip_bad, " --skip-bad"),
            (self.names.as_written, " --names-as-written"),
            (self.sort, " --sort"),
            (self.rates_forfeits(), " --forfeits rate"),
            (self.keep_repeats, " --keep-repeats"),
        ];
        let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag);
        let format = self
            .time_format
            .as_ref()
            .map(|format| format!(" --time-format '{format}'"));
        let since = self.since.as_ref().map(|time| format!(" --since {time}"));
        let until = self.until.as_ref().map(|time| format!(" --until {time}"));
        let named = columns
            .into_iter()
            .chain(unit)
            .chain(format)
            .chain(since)
            .chain(until)
            .collect();
        flags.fold(named, |shown: String, flag| shown + flag)
    }
}

/// A name that an encoding has.
pub(super) fn encoding(name: &str) -> Result<String, String> {
    if is_encoding(name) {
        return Ok(name.to_owned());
    }
    Err("no encoding has this name; try latin1, windows-1252, windows-1251, utf-16le or shift_jis".to_owned())
}
