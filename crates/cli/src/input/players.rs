//! Players who wait, as a pool on the scale that a policy is for.

use std::path::Path;

use matchwright_import::{PlayerColumns, PlayerOptions, Players};
use matchwright_report::FileRecord;
use matchwright_scoring::{Player, Pool, PoolError};
use matchwright_sim::adapt::{pool_of, refuse_player};

use super::scale::{Beside, RatedBy, WantedScale};
use super::source::{InputName, Source};
use crate::failure::Failure;

/// A checked pool, and where each of its players stands in the file.
pub(crate) struct ImportedPlayers {
    pub(crate) pool: Pool,
    pub(crate) facts: FileRecord,
    /// Columns or keys that mean nothing that a player has.
    pub(crate) unused: Vec<String>,
    /// What the user should hear: what columns were taken for.
    pub(crate) notes: Vec<String>,
    /// What ratings were multiplied with to bring them to a policy's scale.
    pub(crate) factor: f64,
    beside: Beside,
    name: InputName,
    players: Players,
}

impl ImportedPlayers {
    /// What wrote the ratings, if the manifest beside the file tells.
    pub(crate) const fn rated_by(&self) -> Option<&RatedBy> {
        match &self.beside {
            Beside::Ratings(by) => Some(by),
            Beside::Nothing | Beside::Stale(_) => None,
        }
    }

    /// Brings all ratings to the scale that is wanted, or refuses them; with what the user should hear.
    pub(crate) fn bring(&mut self, wanted: &WantedScale) -> Result<Vec<String>, Failure> {
        let skills = |_: &_| self.pool.players().filter_map(|player| player.skill).collect();
        let brought = wanted.bring(&self.name, &self.beside, skills)?;
        self.factor = brought.factor;
        if brought.factor != 1.0 {
            let mut pool = Pool::default();
            for player in self.pool.players() {
                let scaled = |number: Option<f64>| number.map(|number| number * brought.factor);
                let player = Player {
                    skill: scaled(player.skill),
                    uncertainty: scaled(player.uncertainty),
                    ..player.clone()
                };
                pool.insert(player).map_err(|error| self.complain(&error))?;
            }
            self.pool = pool;
        }
        Ok(brought.notes)
    }

    /// What is wrong with a player, with the line that it stands in.
    pub(crate) fn complain(&self, error: &PoolError) -> Failure {
        refuse_player(&self.players, error).into()
    }

    /// What is wrong with all of them together.
    pub(crate) fn refuse(&self, what: &impl std::fmt::Display) -> Failure {
        self.name.refuse(what)
    }
}

/// Reads all players of a file or standard input and checks them.
pub(crate) fn import_players(
    path: &Path,
    columns: &PlayerColumns,
    as_written: bool,
) -> Result<ImportedPlayers, Failure> {
    let source = Source::open(path)?;
    let beside = Beside::of(path, &source.facts);
    players_of(source, beside, columns, as_written)
}

/// The players that a source has.
pub(super) fn players_of(
    source: Source,
    beside: Beside,
    columns: &PlayerColumns,
    as_written: bool,
) -> Result<ImportedPlayers, Failure> {
    let options = PlayerOptions {
        columns: columns.clone(),
        names_as_written: as_written,
    };
    let players = Players::of(&source.read, &options)?;
    Ok(ImportedPlayers {
        pool: pool_of(&players)?,
        facts: source.facts,
        notes: players.report.notes.clone(),
        unused: players.report.unused.clone(),
        beside,
        factor: 1.0,
        name: source.name,
        players,
    })
}
