//! The files of a run, and the record of how they came about.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use matchwright_report::{FileRecord, Manifest, Table};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use matchwright_benches::workspace_root;

use super::contender::Family;
use super::programs::Programs;
use super::results::Results;
use super::{Options, machine, plots, tables};

/// Where a run writes.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn create(options: &Options) -> Result<Self> {
        let default = || workspace_root().join("target/bench/solver");
        let path = options.out.clone().unwrap_or_else(default);
        fs::create_dir_all(&path).with_context(|| format!("creating {}", path.display()))?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Tables, plots and manifest of a race. Plots of an earlier run are removed: old figures must not stand beside
    /// new ones.
    pub(crate) fn write_race(
        &self,
        options: &Options,
        programs: &Programs,
        results: &Results,
        notes: &[String],
    ) -> Result<()> {
        for family in Family::ALL {
            let old = self.0.join(format!("{family}.svg"));
            if old.exists() {
                fs::remove_file(&old).with_context(|| format!("removing {}", old.display()))?;
            }
        }
        let mut files = vec![
            ("solver.md".to_owned(), tables::markdown(results, notes)),
            ("summary.csv".to_owned(), tables::summary(results, notes).to_csv()),
            ("times.csv".to_owned(), tables::measurements(results).to_csv()),
        ];
        for family in results.families() {
            files.push((format!("{family}.svg"), plots::scaling(results, family)?));
        }
        let mut configuration = configuration(options);
        configuration["sizes"] = options
            .families
            .iter()
            .map(|&family| (family.to_string(), json!(options.sizes(family))))
            .collect();
        let sizes = options.families.iter().flat_map(|&family| options.sizes(family));
        let seeds: BTreeSet<u64> = sizes.flat_map(|n| options.seeds(n)).collect();
        configuration["seeds"] = json!(seeds);
        configuration["contenders"] = names(&options.contenders());
        configuration["peers"] = programs.versions(options)?;
        let seed = seeds.first().copied().filter(|_| seeds.len() == 1);
        self.write(&files, "manifest.json", seed, configuration)
    }

    /// Table and manifest of a spread.
    pub(crate) fn write_spread(&self, options: &Options, summary: &Table, every_seed: &Table) -> Result<()> {
        let files = [
            ("spread.md".to_owned(), summary.to_markdown()),
            ("spread-summary.csv".to_owned(), summary.to_csv()),
            ("spread.csv".to_owned(), every_seed.to_csv()),
        ];
        let mut configuration = configuration(options);
        configuration["contenders"] = names(&options.spread_contenders()?);
        self.write(&files, "spread-manifest.json", None, configuration)
    }

    fn write(
        &self,
        files: &[(String, String)],
        manifest: &str,
        seed: Option<u64>,
        configuration: Value,
    ) -> Result<()> {
        for (name, content) in files {
            self.put(name, content)?;
        }
        let facts = |(name, content): &(String, String)| {
            FileRecord::new(name, content.len() as u64, sha256(content.as_bytes()))
        };
        let record = Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: command(std::env::args().skip(1)),
            seed,
            configuration,
            inputs: Vec::new(),
            outputs: files.iter().map(facts).collect(),
        };
        self.put(manifest, &record.to_json())
    }

    fn put(&self, name: &str, content: &str) -> Result<()> {
        let path = self.0.join(name);
        fs::write(&path, content).with_context(|| format!("writing {}", path.display()))
    }
}

/// The command as given, without the folder.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["cargo xtask".to_owned()];
    let mut arguments = arguments;
    while let Some(word) = arguments.next() {
        if word == "--out" {
            arguments.next();
        } else if !word.starts_with("--out=") {
            words.push(word);
        }
    }
    words.join(" ")
}

/// What every run has, and the machine, without which a time means nothing.
fn configuration(options: &Options) -> Value {
    json!({
        "families": names(&options.families),
        "budget_s": options.budget,
        "machine": machine::description(),
    })
}

fn names(values: &[impl ToString]) -> Value {
    values.iter().map(ToString::to_string).collect()
}

fn sha256(content: &[u8]) -> String {
    let digits =
        |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
    Sha256::digest(content)
        .iter()
        .flat_map(|&byte| digits(byte))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_recorded_without_its_folder() {
        let given = ["bench", "solver", "--out", "here", "--quick", "--out=there"];
        let words = given.map(str::to_owned).into_iter();
        assert_eq!(command(words), "cargo xtask bench solver --quick");
    }

    #[test]
    fn the_hash_is_sha_256() {
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
