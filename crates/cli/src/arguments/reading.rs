//! How files of matches are read.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use matchwright_import::{Columns, DateOrder, MatchOptions, TimeFormat, TimeUnit, is_encoding};
use serde::{Deserialize, Serialize};

use super::common::{NamesOption, named};
use crate::failure::Failure;

/// Where matches come from; shared by all commands that read them.
#[derive(Args, Clone, Default)]
pub(crate) struct ReadingOptions {
    /// Which column is what: time=...,player1=...,player2=...,score1=...,score2=...,result=...,winner=...;
    /// team1=...,team2=... where a cell lists a team; date=... where time is a time of day
    #[arg(long, value_name = "NAMES", value_parser = Columns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: Columns,
    /// The names of the columns, for a table without a header line: time,player1,player2,score1,score2
    #[arg(long, value_name = "NAMES")]
    pub(crate) header: Option<String>,
    /// What plain numbers mean as times [default: seconds or milliseconds since 1970, or dates of eight digits, by their size;
    /// others are refused]; `index` takes a file without times in its order
    #[arg(long, value_name = "UNIT", value_parser = named(TimeUnit::ALL))]
    pub(crate) time_unit: Option<TimeUnit>,
    /// How all times are written, as for C's strptime: '%d/%m/%Y %H:%M' [default: found in the file]
    #[arg(long, value_name = "FORMAT", value_parser = TimeFormat::parse, conflicts_with = "time_unit")]
    pub(crate) time_format: Option<TimeFormat>,
    /// What comes first in dates such as 03/05/2024 [default: as all dates of the file tell together]
    #[arg(long, value_name = "PART", value_parser = named(DateOrder::ALL), conflicts_with = "time_format")]
    pub(crate) date_order: Option<DateOrder>,
    /// What is done with matches that were won by a forfeit (`W/O`, `+--`) [default: leave-out, as those without a result]
    #[arg(long, value_enum)]
    pub(crate) forfeits: Option<Forfeits>,
    /// What results call the first side and the second: red,blue [default: as columns are called; also A,B and H,A and the like]
    #[arg(long, value_name = "FIRST,SECOND", value_parser = sides)]
    pub(crate) sides: Option<[String; 2]>,
    /// What a comma in a number is: before decimals (`comma`), or between thousands (`point`) [default: as the numbers of the file tell]
    #[arg(long, value_enum)]
    pub(crate) decimal: Option<DecimalSign>,
    /// Options of reading that `matchwright import --save` wrote; those beside it count more
    #[arg(long, value_name = "FILE")]
    pub(crate) reading: Option<PathBuf>,
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
    /// Read only matches whose column or key has one of these values: map=dust2,mill
    #[arg(long = "where", value_name = "KEY=VALUES", value_parser = Where::parse)]
    pub(crate) only: Option<Where>,
    /// The column by whose values forecasts are told apart.
    #[arg(skip)]
    pub(crate) by: Option<String>,
}

/// Which matches are read: those with one of these values of a column or key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Where {
    key: String,
    values: Vec<String>,
}

impl Where {
    /// `map=dust2,mill`.
    fn parse(text: &str) -> Result<Self, String> {
        let words = || "write a column or key and its values: map=dust2,mill".to_owned();
        let (key, values) = text.split_once('=').ok_or_else(words)?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        if key.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(words());
        }
        Ok(Self {
            key: key.trim().to_owned(),
            values,
        })
    }
}

/// What stands before the decimals of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DecimalSign {
    /// 1.234,5 is a little more than a thousand
    Comma,
    /// 1,234.5 is
    Point,
}

/// What is done with matches that were won by a forfeit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

    /// The same, with this column for what forecasts are told apart by.
    pub(crate) fn by(&self, key: Option<&String>) -> Self {
        Self {
            by: key.cloned(),
            ..self.clone()
        }
    }

    /// Refuses to leave the file's own contexts for others, where ratings look at them.
    pub(crate) fn check_contexts(&self, unused: &[String]) -> Result<(), Failure> {
        let is_displaced = unused.iter().any(|name| name == "context");
        let only = self.only.as_ref().map(|only| ("--where", &only.key));
        match only.or(self.by.as_ref().map(|by| ("--by", by))) {
            Some((option, key)) if is_displaced => Err(Failure::Usage(format!(
                "{option}: ratings look at the file's column `context`, which `{key}` would take the place of; leave out what looks \
                 at contexts, or {option}"
            ))),
            _ => Ok(()),
        }
    }

    /// As the library has them.
    ///
    /// # Errors
    /// If two columns are asked for where one can say what was played.
    pub(crate) fn matches(&self, only_duels: bool) -> Result<MatchOptions, Failure> {
        let only = self.only.as_ref();
        let named = only.map(|only| ("--where", &only.key));
        let mut columns = self.columns.clone();
        for (option, key) in named.into_iter().chain(self.by.iter().map(|by| ("--by", by))) {
            let in_context = columns.in_context(key);
            columns = in_context.map_err(|what| Failure::Usage(format!("{option}: {what}")))?;
        }
        Ok(MatchOptions {
            columns,
            only: only.map_or_else(Vec::new, |only| only.values.clone()),
            header: self.header.clone(),
            time_unit: self.time_unit,
            time_format: self.time_format.clone(),
            date_order: self.date_order,
            rate_forfeits: self.rates_forfeits(),
            sides: self.sides.clone(),
            decimal_comma: self.decimal.map(|sign| sign == DecimalSign::Comma),
            skip_bad: self.skip_bad,
            names_as_written: self.names.as_written,
            sort: self.sort,
            keep_repeats: self.keep_repeats,
            since: self.since.clone(),
            until: self.until.clone(),
            only_duels,
        })
    }

    /// As on a command line; empty where nothing was asked for.
    pub(crate) fn shown(&self) -> String {
        let columns = self.columns.shown();
        let columns = (!columns.is_empty()).then(|| format!(" --columns {columns}"));
        let header = self.header.as_ref().map(|names| format!(" --header '{names}'"));
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
        let order = self
            .date_order
            .map(|order| format!(" --date-order {}", order.name()));
        let sides = self
            .sides
            .as_ref()
            .map(|[one, other]| format!(" --sides {one},{other}"));
        let decimal = self
            .decimal
            .and_then(|sign| Some(format!(" --decimal {}", sign.to_possible_value()?.get_name())));
        let since = self.since.as_ref().map(|time| format!(" --since {time}"));
        let until = self.until.as_ref().map(|time| format!(" --until {time}"));
        let only = self
            .only
            .as_ref()
            .map(|only| format!(" --where {}={}", only.key, only.values.join(",")));
        let named = columns
            .into_iter()
            .chain(only)
            .chain(header)
            .chain(unit)
            .chain(format)
            .chain(order)
            .chain(sides)
            .chain(decimal)
            .chain(since)
            .chain(until)
            .collect();
        flags.fold(named, |shown: String, flag| shown + flag)
    }
}

/// Two names of sides.
fn sides(text: &str) -> Result<[String; 2], String> {
    let both: Vec<String> = text.split(',').map(|side| side.trim().to_owned()).collect();
    match <[String; 2]>::try_from(both) {
        Ok([one, other]) if !one.is_empty() && !other.is_empty() && !one.eq_ignore_ascii_case(&other) => {
            Ok([one, other])
        }
        _ => Err("two names are needed that differ, the first side's first: red,blue".to_owned()),
    }
}

/// A name that an encoding has.
pub(super) fn encoding(name: &str) -> Result<String, String> {
    if is_encoding(name) {
        return Ok(name.to_owned());
    }
    Err("no encoding has this name; try latin1, windows-1252, windows-1251, utf-16le or shift_jis".to_owned())
}
