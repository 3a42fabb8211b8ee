//! A file of rating systems with their parameters, as tuning writes it: a table a system.

use std::path::Path;

use matchwright_rating::{RatingDocument, RatingParams, SystemName};
use matchwright_report::FileRecord;
use serde::Serialize;

use super::document::Document;
use crate::failure::Failure;
use crate::output::to_toml;

/// Systems with their parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct SystemFile {
    pub(crate) document: RatingDocument,
    /// What a manifest says of the file that they are from.
    pub(crate) facts: Option<FileRecord>,
}

impl SystemFile {
    /// Reads and checks all systems of a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Document::read(path).map(Self::of)
    }

    pub(super) fn of(document: Document<RatingDocument>) -> Self {
        Self {
            document: document.value,
            facts: Some(document.source.facts),
        }
    }

    /// Sets the parameters of a system.
    pub(crate) fn set(&mut self, params: RatingParams) {
        self.document.set(params);
    }

    /// The parameters of a system, if the file has it.
    pub(crate) fn get(&self, name: SystemName) -> Option<&RatingParams> {
        self.document.get(name)
    }

    /// The names of the systems, for messages.
    pub(crate) fn names(&self) -> String {
        let systems = self.document.systems.iter();
        let names: Vec<&str> = systems.map(|params| params.system.name().name()).collect();
        names.join(", ")
    }

    /// The file's text.
    pub(crate) fn to_toml(&self) -> Result<String, Failure> {
        let text = to_toml(&self.document)?;
        Ok(format!("# Parameters of rating systems, for --config.\n\n{text}"))
    }
}

impl Serialize for SystemFile {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_rating::{AdvantageChoice, Glicko2Params, PeriodChoice};

    fn read(text: &str) -> Result<SystemFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.toml");
        std::fs::write(&path, text).unwrap();
        let failure = |failure: Failure| failure.to_string();
        SystemFile::read(&path).map_err(|error| failure(error).replace(&*path.to_string_lossy(), "s.toml"))
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut file = SystemFile::default();
        for &name in SystemName::ALL {
            file.set(RatingParams::of(name));
        }
        file.set(RatingParams {
            period: PeriodChoice::Game,
            home_advantage: AdvantageChoice::Points(12.5),
            ..RatingParams::of(Glicko2Params {
                tau: 0.125,
                ..Glicko2Params::default()
            })
        });
        let again = read(&file.to_toml().unwrap()).unwrap();
        for &name in SystemName::ALL {
            assert_eq!(again.get(name), file.get(name), "{name}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, wanted) in [
            (
                "[glicko3]\n",
                "s.toml:1:2: `glicko3`: unknown variant `glicko3`, expected one of `elo`,",
            ),
            (
                "[elo]\nk = 3\n",
                "s.toml:2:1: unknown field `k`, expected one of `period`, `team_skill`,",
            ),
            (
                "[elo.params]\nkk = 3\n",
                "s.toml:2:1: unknown field `kk`, expected one of `k`, `initial`, `curve`",
            ),
            (
                "[elo.params]\nk = -3\n",
                "s.toml:1:2: `k` is -3: give a number above 0",
            ),
            ("elo = 3\n", "s.toml:1:7: `elo`: invalid type: integer `3`"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(wanted), "{text}\n{said}");
        }
    }
}
