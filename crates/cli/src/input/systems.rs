//! A file of rating systems with their parameters, as tuning writes it: a table a system.

use std::path::Path;

use matchwright_report::FileRecord;
use matchwright_sim::rate::{SystemChoice, SystemParams};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::document::Document;
use crate::failure::{Failure, suggestion};
use crate::output::to_toml;

/// What goes with a system beside its own parameters.
const SHARED: [&str; 7] = [
    "period",
    "home_advantage",
    "team_skill",
    "k_schedule",
    "margin",
    "performance",
    "draws",
];

/// Systems with their parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct SystemFile {
    systems: Vec<(SystemChoice, SystemParams)>,
    /// What a manifest says of the file that they are from.
    pub(crate) facts: Option<FileRecord>,
}

impl SystemFile {
    /// Reads and checks all systems of a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Self::of(Document::read(path)?)
    }

    pub(super) fn of(document: Document<Table>) -> Result<Self, Failure> {
        let document = document.check(|table| {
            table
                .into_iter()
                .map(|(name, value)| of_table(&name, value))
                .collect::<Result<Vec<_>, String>>()
        })?;
        Ok(Self {
            systems: document.value,
            facts: Some(document.source.facts),
        })
    }

    /// Sets the parameters of a system.
    pub(crate) fn set(&mut self, choice: SystemChoice, params: SystemParams) {
        self.systems.retain(|(known, _)| *known != choice);
        self.systems.push((choice, params));
    }

    /// The parameters of a system, if the file has it.
    pub(crate) fn get(&self, choice: SystemChoice) -> Option<&SystemParams> {
        let found = self.systems.iter().find(|(known, _)| *known == choice);
        found.map(|(_, params)| params)
    }

    /// The names of the systems, for messages.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.systems.iter().map(|(choice, _)| choice.name()).collect();
        names.join(", ")
    }

    /// The file's text.
    pub(crate) fn to_toml(&self) -> Result<String, Failure> {
        let mut file = Table::new();
        for (choice, params) in &self.systems {
            let mut all = Table::try_from(params).map_err(Failure::of)?;
            let mut table = Table::new();
            for name in SHARED {
                table.extend(all.remove_entry(name));
            }
            let own = all.remove(&field(*choice));
            table.extend(own.map(|own| ("params".to_owned(), own)));
            file.insert(choice.name().to_owned(), Value::Table(table));
        }
        let text = to_toml(&file)?;
        Ok(format!("# Parameters of rating systems, for --config.\n\n{text}"))
    }
}

/// What [`SystemParams`] calls the parameters of a system.
fn field(choice: SystemChoice) -> String {
    choice.name().replace('-', "_")
}

/// The system of a table `[name]`, with `[name.params]` inside.
fn of_table(name: &str, value: Value) -> Result<(SystemChoice, SystemParams), String> {
    let known = SystemChoice::ALL.into_iter().find(|choice| choice.name() == name);
    let choice = known.ok_or_else(|| {
        let names = SystemChoice::ALL.map(SystemChoice::name);
        let hint = suggestion(name, names);
        format!(
            "`{name}` is no rating system{hint} There are {}",
            names.join(", ")
        )
    })?;
    let Value::Table(mut table) = value else {
        return Err(format!("`{name}` must be a table, [{name}]"));
    };
    let known = |key: &&String| *key == "params" || SHARED.contains(&key.as_str());
    if let Some(key) = table.keys().find(|key| !known(key)) {
        return Err(format!(
            "{name}.{key}: there are {} and [{name}.params]",
            SHARED.join(", ")
        ));
    }
    let own = table.remove("params");
    table.extend(own.map(|own| (field(choice), own)));
    let params = SystemParams::deserialize(Value::Table(table))
        .map_err(|error| format!("{name}.params: {}", error.message()))?;
    params.check(choice).map_err(|error| format!("{name}: {error}"))?;
    Ok((choice, params))
}

impl Serialize for SystemFile {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.systems
                .iter()
                .map(|(choice, params)| (choice.name(), params)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::rate::{AdvantageChoice, PeriodChoice};

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
        for choice in SystemChoice::ALL {
            let mut params = SystemParams::default();
            if choice == SystemChoice::Glicko2 {
                params.glicko2.tau = 0.125;
                params.period = PeriodChoice::Game;
                params.home_advantage = AdvantageChoice::Points(12.5);
            }
            file.set(choice, params);
        }
        let again = read(&file.to_toml().unwrap()).unwrap();
        for choice in SystemChoice::ALL {
            assert_eq!(again.get(choice), file.get(choice), "{}", choice.name());
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, wanted) in [
            (
                "[glicko3]\n",
                "`glicko3` is no rating system; did you mean `glicko`?",
            ),
            (
                "[elo]\nk = 3\n",
                "elo.k: there are period, home_advantage, team_skill, k_schedule, margin, performance, draws and [elo.params]",
            ),
            ("[elo.params]\nkk = 3\n", "elo.params: unknown field `kk`"),
            ("[elo.params]\nk = -3\n", "elo: "),
            ("elo = 3\n", "`elo` must be a table, [elo]"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(wanted), "{text}\n{said}");
        }
    }
}
