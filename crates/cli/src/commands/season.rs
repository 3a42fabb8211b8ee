//! `matchwright season`: the pull of a season's start, the ledger of points, and bases side by side. One file a question.

mod bases;
mod ledger;
mod pull;

use std::collections::BTreeSet;
use std::path::Path;

use matchwright_import::text::listed;
use matchwright_import::{Player, PlayerColumns, PlayerOptions, Players, Value};
use matchwright_rating::ParamError;
use matchwright_report::FileRecord;

use crate::arguments::Season;
use crate::failure::{Failure, shown, tell};
use crate::input::{InputName, Source};

/// Answers the question; `command` is what repeats it.
pub(crate) fn run(question: &Season, command: String) -> Result<(), Failure> {
    match question {
        Season::Pull(options) => pull::run(options, command),
        Season::Ledger(options) => ledger::run(options, command),
        Season::Bases(options) => bases::run(options, command),
    }
}

/// A file with a player or alliance a row.
struct Roster {
    name: InputName,
    facts: FileRecord,
    players: Players,
}

impl Roster {
    fn read(path: &Path, columns: &PlayerColumns, names_as_written: bool) -> Result<Self, Failure> {
        let source = Source::open(path)?;
        let options = PlayerOptions {
            columns: columns.clone(),
            names_as_written,
        };
        let players = Players::of(&source.read, &options)?;
        players.report.notes.iter().for_each(|note| tell(note));
        Ok(Self {
            name: source.name,
            facts: source.facts,
            players,
        })
    }

    fn all(&self) -> &[Player] {
        &self.players.players
    }

    /// Says which columns or keys mean something of a player that the question does not look at.
    fn tell_ignored(&self, used: &[&str]) {
        let keys = self.all().iter().flat_map(|player| player.values.keys());
        let ignored: BTreeSet<&str> = keys
            .map(String::as_str)
            .filter(|key| !used.contains(key))
            .collect();
        let taken = &self.players.report.taken;
        let names = ignored.into_iter().map(|key| {
            let column = taken.iter().find(|(_, meaning)| meaning == key);
            column.map_or_else(|| shown(key), |(column, _)| shown(column))
        });
        if let Some(names) = listed(names) {
            tell(&format!("not looked at here: {names}"));
        }
    }

    /// Whether any player has it.
    fn has(&self, key: &str) -> bool {
        self.all().iter().any(|player| player.values.contains_key(key))
    }

    /// The numbers of all players, which they must have.
    fn numbers(&self, key: &str) -> Result<Vec<f64>, Failure> {
        if !self.has(key) {
            let what =
                format!("no column or key `{key}`, which every row needs: --columns {key}=COLUMN names it");
            return Err(self.name.refuse(what));
        }
        let number = |player: &Player| {
            let number = player.values.get(key).and_then(Value::number);
            number.ok_or_else(|| self.refuse(player, format!("has no {key}, which every row needs")))
        };
        self.all().iter().map(number).collect()
    }

    /// What is wrong with a player, in the line where it begins.
    fn refuse(&self, player: &Player, what: impl std::fmt::Display) -> Failure {
        self.name
            .in_line(player.line, format!("`{}` {what}", shown(&player.id)))
    }
}

/// A parameter out of its range, by the option that sets it.
fn refused(error: &ParamError) -> Failure {
    let option = format!("--{}", error.name().replace('_', "-"));
    Failure::Usage(
        error
            .to_string()
            .replacen(&format!("`{}`", error.name()), &option, 1),
    )
}
