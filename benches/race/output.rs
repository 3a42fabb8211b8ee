//! The files of a run, and the record of how they came about.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use matchwright_report::{FileRecord, Manifest, Table};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use matchwright_benches::workspace_root;

use super::programs::Programs;
use super::{Options, machine};

/// Where a run writes.
pub(crate) fn folder(options: &Options) -> Result<PathBuf> {
    let default = || workspace_root().join("target/bench/solver");
    let path = options.out.clone().unwrap_or_else(default);
    fs::create_dir_all(&path).with_context(|| format!("creating {}", path.display()))?;
    Ok(path)
}

/// The tables as Markdown and CSV, and a manifest.
pub(crate) fn write(folder: &Path, options: &Options, programs: &Programs, tables: &[Table]) -> Result<()> {
    let markdown: Vec<String> = tables.iter().map(Table::to_markdown).collect();
    let csv: Vec<String> = tables.iter().map(Table::to_csv).collect();
    let files = [("solver.md", markdown.join("\n")), ("solver.csv", csv.join("\n"))];
    let facts = |(name, content): &(&str, String)| {
        FileRecord::new(*name, content.len() as u64, sha256(content.as_bytes()))
    };
    let sizes = options.families.iter().flat_map(|&family| options.sizes(family));
    let seeds: BTreeSet<u64> = sizes.flat_map(|n| options.seeds(n)).collect();
    let record = Manifest {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command(std::env::args().skip(1)),
        seed: seeds.first().copied().filter(|_| seeds.len() == 1),
        configuration: json!({
            "families": names(&options.families),
            "budget_s": options.budget,
            "machine": machine::description(),
            "seeds": seeds,
            "contenders": names(&options.contenders()),
            "peers": programs.versions(options)?,
        }),
        inputs: Vec::new(),
        outputs: files.iter().map(facts).collect(),
    };
    put(folder, "manifest.json", &record.to_json())?;
    files
        .iter()
        .try_for_each(|(name, content)| put(folder, name, content))
}

fn put(folder: &Path, name: &str, content: &str) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, content).with_context(|| format!("writing {}", path.display()))
}

/// The command as given, without the folder.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let mut is_folder = false;
    let kept = arguments.filter(|word| {
        let skip = is_folder || word == "--out" || word.starts_with("--out=");
        is_folder = word == "--out";
        !skip
    });
    format!("cargo xtask {}", kept.collect::<Vec<_>>().join(" "))
}

fn names(values: &[impl ToString]) -> Value {
    values.iter().map(ToString::to_string).collect()
}

fn sha256(content: &[u8]) -> String {
    let digits = |&byte: &u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16));
    Sha256::digest(content)
        .iter()
        .flat_map(digits)
        .flatten()
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
