//! `cargo xtask test --changed`: the tests of what a change can have broken.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{MetadataCommand, Package};

use crate::downstream;
use crate::process::{Process, cargo, file_name, workspace_root};

/// Packages whose tests can fail.
#[derive(Debug, PartialEq, Eq)]
enum Touched {
    /// All.
    All,
    /// Those in these folders, and all that depend on them.
    Some(BTreeSet<String>),
}

/// What these files touch. One beside the packages touches all of them, unless nothing reads it.
fn touched<'a>(files: impl Iterator<Item = &'a str>) -> Touched {
    let mut packages = BTreeSet::new();
    for file in files {
        let parts: Vec<&str> = file.split('/').collect();
        match parts[..] {
            ["crates", package, _, ..] => packages.insert(format!("crates/{package}")),
            ["xtask", ..] => packages.insert("xtask".to_owned()),
            ["tests", "downstream", package, _, ..] => packages.insert(format!("tests/downstream/{package}")),
            // Examples are packaged with the command line, which runs them.
            ["examples", ..] => {
                packages.insert("crates/cli".to_owned()) | packages.insert("crates/sim".to_owned())
            }
            ["README.md"] => packages.insert("crates/sim".to_owned()),
            ["benches" | ".github" | ".ci", ..]
            | ["docs", "interface", ..]
            | ["deny.toml" | "ARCHITECTURE.md" | "CHANGELOG.md" | "CONTRIBUTING.md" | "SECURITY.md"] => false,
            _ => return Touched::All,
        };
    }
    Touched::Some(packages)
}

/// The packages in `folders` and all that depend on them.
fn with_dependents(packages: &[&Package], folders: &BTreeSet<String>) -> BTreeSet<String> {
    let folder = |package: &Package| {
        let manifest = package.manifest_path.as_std_path();
        let parent = manifest.parent().unwrap_or(manifest);
        parent
            .strip_prefix(workspace_root())
            .unwrap_or(parent)
            .to_string_lossy()
            .replace('\\', "/")
    };
    let mut found: BTreeSet<String> = (packages.iter())
        .filter(|package| folders.contains(&folder(package)))
        .map(|package| package.name.to_string())
        .collect();
    loop {
        let knows = |package: &Package| package.dependencies.iter().any(|one| found.contains(&one.name));
        let more: Vec<String> = (packages.iter())
            .filter(|package| knows(package) && !found.contains(package.name.as_str()))
            .map(|package| package.name.to_string())
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Tests what differs from the commit `since`, uncommitted changes and new files included.
pub(crate) fn test(since: &str) -> Result<()> {
    let base = Process::new("git", &format!("merge-base HEAD {since}")).output()?;
    let differ = Process::new("git", &format!("diff --name-only {}", base.trim())).output()?;
    let new = Process::new("git", "ls-files --others --exclude-standard").output()?;
    let Touched::Some(mut touched) = touched(differ.lines().chain(new.lines())) else {
        println!("something that all packages share has changed: all tests");
        return crate::test();
    };
    let metadata = MetadataCommand::new().current_dir(workspace_root()).exec();
    let metadata = metadata.context("reading `cargo metadata`")?;
    let mut packages = with_dependents(&metadata.workspace_packages(), &touched);
    packages.remove("matchwright-benches");
    for package in downstream::all() {
        let manifest = std::fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
        if packages
            .iter()
            .any(|name| manifest.contains(&format!("\n{name} = ")))
        {
            touched.insert(format!("tests/downstream/{}", file_name(&package)));
        }
    }
    if !packages.is_empty() {
        let names = packages.iter().flat_map(|name| ["--package", name]);
        cargo("test --all-features")
            .args(names)
            .seeded(crate::SEED)
            .run()?;
    }
    let is_there = |folder: &&String| folder.starts_with("tests/") && workspace_root().join(folder).is_dir();
    for package in touched.iter().filter(is_there) {
        downstream::test(Path::new(package))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_touch_the_packages_that_they_are_in_or_all() {
        let some =
            |folders: &[&str]| Touched::Some(folders.iter().map(|&folder| folder.to_owned()).collect());
        let of = |files: &[&str]| touched(files.iter().copied());
        assert_eq!(
            of(&["crates/rating/src/lib.rs", "xtask/src/main.rs"]),
            some(&["crates/rating", "xtask"])
        );
        assert_eq!(
            of(&["tests/downstream/queue/src/lib.rs"]),
            some(&["tests/downstream/queue"])
        );
        assert_eq!(of(&["README.md", "CHANGELOG.md"]), some(&["crates/sim"]));
        assert_eq!(of(&["crates/rating/src/lib.rs", "Cargo.lock"]), Touched::All);
        assert_eq!(of(&[]), some(&[]));
    }

    #[test]
    fn a_leaf_touches_all_that_know_it_and_the_command_line_only_itself() {
        let metadata = MetadataCommand::new()
            .current_dir(workspace_root())
            .exec()
            .unwrap();
        let found =
            |folder: &str| with_dependents(&metadata.workspace_packages(), &[folder.to_owned()].into());
        let of_queue = found("crates/queue");
        assert!(of_queue.contains("matchwright-sim") && of_queue.contains("matchwright-cli"));
        assert!(!of_queue.contains("matchwright-rating"));
        assert_eq!(found("crates/cli"), ["matchwright-cli".to_owned()].into());
    }
}
