//! Proves the borders of ARCHITECTURE.md from cargo's own metadata: which crates may depend on
//! which, what the leaves may pull in by default, and that one `rust-version` holds for all.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use cargo_metadata::semver::Version;
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use crate::process::{cargo, workspace_root};
use crate::rules;

/// The one leaf that knows another: lobbies share the limits and progress of pairings.
const LEAF_EDGE: (&str, &str) = ("matchwright-lobby", "matchwright-solver");

/// Where a crate of ours stands in the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    /// Knows none of ours, dev-dependencies included, but for [`LEAF_EDGE`].
    Leaf,
    /// The only place where leaves meet.
    Sim,
    /// The live queue.
    Service,
    /// What calls it from elsewhere: knows it in its tests alone.
    Client,
    /// Five documents, reproduced.
    Papers,
    /// Tables, plots and pages; knows no domain.
    Report,
    /// The command line.
    Cli,
    /// Automation: knows no crate of ours, so that it builds in seconds.
    Xtask,
    /// Our work beside its peers'.
    Benches,
}

impl Layer {
    fn of(package: &str) -> Option<Self> {
        Some(match package {
            "matchwright-rating"
            | "matchwright-churn"
            | "matchwright-scoring"
            | "matchwright-solver"
            | "matchwright-lobby"
            | "matchwright-queue"
            | "matchwright-mmr-forensics"
            | "matchwright-import" => Self::Leaf,
            "matchwright-sim" => Self::Sim,
            "matchwright-service" => Self::Service,
            "matchwright-client" => Self::Client,
            "matchwright-papers" => Self::Papers,
            "matchwright-report" => Self::Report,
            "matchwright-cli" => Self::Cli,
            "xtask" => Self::Xtask,
            "matchwright-benches" => Self::Benches,
            _ => return None,
        })
    }

    fn may_know(self, other: Self) -> bool {
        match self {
            Self::Leaf | Self::Report | Self::Xtask => false,
            Self::Sim => other == Self::Leaf,
            Self::Service => matches!(other, Self::Leaf | Self::Sim),
            Self::Client => matches!(other, Self::Leaf | Self::Service),
            Self::Papers => matches!(other, Self::Leaf | Self::Sim | Self::Report),
            Self::Cli | Self::Benches => {
                matches!(
                    other,
                    Self::Leaf | Self::Sim | Self::Service | Self::Papers | Self::Report
                )
            }
        }
    }
}

/// What the check needs to know of a package of ours.
#[derive(Debug, Default, Clone)]
struct Crate {
    /// Names of all dependencies: normal, dev and build.
    all: Vec<String>,
    /// Normal dependencies that are not optional.
    required: Vec<String>,
    /// Normal dependencies behind a feature.
    optional: Vec<String>,
}

/// Fails with one line for each border that is crossed.
pub(crate) fn check() -> Result<()> {
    let metadata = read_metadata()?;
    let crates = metadata
        .workspace_packages()
        .iter()
        .map(|p| (p.name.to_string(), describe(p)))
        .collect();
    let mut complaints = border_violations(&crates);
    complaints.extend(weight_violations(&crates));
    let taken = packages_taken()?;
    complaints.extend(taken.iter().filter(|(_, packages, most)| packages > most).map(
        |(folder, packages, most)| format!("{folder} takes {packages} packages to build: {most} at most"),
    ));
    complaints.extend(rust_version_violations(&metadata));
    complaints.extend(rules::complaints()?);
    if !complaints.is_empty() {
        bail!("the house's borders are crossed:\n- {}", complaints.join("\n- "));
    }
    println!("layers: {} crates, every border holds", crates.len());
    for (folder, packages, most) in taken {
        println!("{folder} takes {packages} packages to build, of {most} at most");
    }
    Ok(())
}

fn describe(package: &Package) -> Crate {
    let all = package.dependencies.iter();
    let normal = |is_optional: bool| {
        let normal = package
            .dependencies
            .iter()
            .filter(|d| d.kind == DependencyKind::Normal);
        let kept = normal.filter(|d| d.optional == is_optional);
        kept.map(|d| d.name.clone()).collect()
    };
    Crate {
        all: all.map(|d| d.name.clone()).collect(),
        required: normal(false),
        optional: normal(true),
    }
}

fn border_violations(crates: &BTreeMap<String, Crate>) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, package) in crates {
        let Some(layer) = Layer::of(name) else {
            complaints.push(format!("{name} has no layer: give it one in xtask/src/layers.rs"));
            continue;
        };
        for dependency in &package.all {
            let Some(other) = Layer::of(dependency) else {
                continue;
            };
            if !layer.may_know(other) && (name.as_str(), dependency.as_str()) != LEAF_EDGE {
                complaints.push(format!(
                    "{name} ({layer:?}) must not depend on {dependency} ({other:?})"
                ));
            }
        }
    }
    complaints
}

/// What a leaf needs besides thiserror: special functions, where nothing in the standard library serves.
const LIBM: (&str, &str) = ("matchwright-mmr-forensics", "libm");
/// The leaf that reads files, and so needs CSV, JSON and dates: its packages are counted instead.
const READER: &str = "matchwright-import";

/// Leaves but [`READER`] stay light: by default they pull in thiserror and nothing else but [`LIBM`], and rating offers only serde
/// with its documents, and rand.
fn weight_violations(crates: &BTreeMap<String, Crate>) -> Vec<String> {
    let mut complaints = Vec::new();
    let client = crates.get("matchwright-client").into_iter();
    let ours = client.flat_map(|client| client.required.iter().chain(&client.optional));
    let ours = ours.filter(|name| Layer::of(name).is_some());
    complaints.extend(
        ours.map(|name| {
            format!("matchwright-client pulls in {name}: a game has none of ours to build for it")
        }),
    );
    for (name, package) in crates
        .iter()
        .filter(|(name, _)| Layer::of(name) == Some(Layer::Leaf) && *name != READER)
    {
        for dependency in &package.required {
            let edge = (name.as_str(), dependency.as_str());
            if dependency != "thiserror" && ![LEAF_EDGE, LIBM].contains(&edge) {
                complaints.push(format!(
                    "{name} always pulls in {dependency}: put it behind a feature"
                ));
            }
        }
        let may_offer = [
            "serde",
            "serde_json",
            "toml",
            "rand",
            "rand_chacha",
            "postcard",
            "crc32fast",
        ];
        for dependency in package
            .optional
            .iter()
            .filter(|name| !may_offer.contains(&name.as_str()))
        {
            if name == "matchwright-rating" {
                complaints.push(format!(
                    "{name} offers {dependency}: only serde, toml, serde_json, rand, postcard and crc32fast may stand behind features"
                ));
            }
        }
    }
    complaints
}

/// Whose packages are counted, and how many there may be beside its own.
const MOST_PACKAGES: [(&str, usize); 3] = [
    ("crates/import", 18),
    ("crates/sim", 15),
    ("tests/downstream/team-queue", 30),
];

/// How many packages these take to build by default, and how many they may.
fn packages_taken() -> Result<Vec<(&'static str, usize, usize)>> {
    let taken = |(folder, most)| {
        let tree = cargo("tree --edges normal --prefix none").current_dir(&workspace_root().join(folder));
        let tree = tree.output()?;
        // A package that is there again is marked so behind its name and version.
        let packages: BTreeSet<Vec<&str>> = (tree.lines())
            .map(|line| line.split_whitespace().take(2).collect())
            .collect();
        Ok((folder, packages.len() - 1, most))
    };
    MOST_PACKAGES.into_iter().map(taken).collect()
}

/// The `rust-version` that the workspace states.
pub(crate) fn stated_rust_version() -> Result<Version> {
    let metadata = read_metadata()?;
    let stated = metadata
        .workspace_packages()
        .iter()
        .find_map(|p| p.rust_version.clone());
    stated.context("no package states a rust-version")
}

fn read_metadata() -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command
        .current_dir(workspace_root())
        .exec()
        .context("reading `cargo metadata`")
}

/// One `rust-version` for all of ours, and no dependency that asks for more.
fn rust_version_violations(metadata: &Metadata) -> Vec<String> {
    let mut complaints = Vec::new();
    let ours = metadata.workspace_packages();
    let Some(stated) = ours.iter().find_map(|p| p.rust_version.clone()) else {
        return vec!["no package states a rust-version".to_owned()];
    };
    for package in &ours {
        if package.rust_version.as_ref() != Some(&stated) {
            complaints.push(format!("{} does not inherit rust-version {stated}", package.name));
        }
    }
    let is_ours = |package: &Package| metadata.workspace_members.contains(&package.id);
    for package in metadata.packages.iter().filter(|p| !is_ours(p)) {
        if package
            .rust_version
            .as_ref()
            .is_some_and(|needed| exceeds(needed, &stated))
        {
            complaints.push(format!(
                "{} {} needs a newer Rust than the stated {stated}",
                package.name, package.version
            ));
        }
    }
    complaints
}

fn exceeds(needed: &Version, stated: &Version) -> bool {
    (needed.major, needed.minor, needed.patch) > (stated.major, stated.minor, stated.patch)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house() -> BTreeMap<String, Crate> {
        let leaf = Crate {
            all: vec!["thiserror".into()],
            required: vec!["thiserror".into()],
            ..Crate::default()
        };
        let lobby = Crate {
            all: vec!["thiserror".into(), "matchwright-solver".into()],
            required: vec!["thiserror".into(), "matchwright-solver".into()],
            ..Crate::default()
        };
        let sim = Crate {
            all: vec!["matchwright-rating".into(), "matchwright-solver".into()],
            ..Crate::default()
        };
        BTreeMap::from([
            ("matchwright-rating".into(), leaf.clone()),
            ("matchwright-solver".into(), leaf),
            ("matchwright-lobby".into(), lobby),
            ("matchwright-sim".into(), sim),
        ])
    }

    fn with_edge(from: &str, to: &str) -> BTreeMap<String, Crate> {
        let mut crates = house();
        crates.entry(from.into()).or_default().all.push(to.into());
        crates
    }

    #[test]
    fn the_house_as_drawn_has_no_complaint() {
        assert!(border_violations(&house()).is_empty());
        assert!(weight_violations(&house()).is_empty());
    }

    #[test]
    fn a_leaf_that_knows_a_leaf_is_named() {
        let complaints = border_violations(&with_edge("matchwright-rating", "matchwright-solver"));
        assert_eq!(complaints.len(), 1);
        assert!(complaints[0].contains("matchwright-rating") && complaints[0].contains("matchwright-solver"));
    }

    #[test]
    fn lobby_knows_solver_and_solver_does_not_know_lobby() {
        assert_eq!(
            border_violations(&with_edge("matchwright-solver", "matchwright-lobby")).len(),
            1
        );
        assert_eq!(
            border_violations(&with_edge("matchwright-lobby", "matchwright-rating")).len(),
            1
        );
    }

    #[test]
    fn nothing_may_know_the_command_line_or_the_automation() {
        for from in [
            "matchwright-sim",
            "matchwright-report",
            "xtask",
            "matchwright-cli",
            "matchwright-benches",
        ] {
            for to in ["matchwright-cli", "xtask"] {
                assert_eq!(border_violations(&with_edge(from, to)).len(), 1, "{from} -> {to}");
            }
        }
    }

    #[test]
    fn sim_and_report_do_not_know_each_other() {
        assert_eq!(
            border_violations(&with_edge("matchwright-sim", "matchwright-report")).len(),
            1
        );
        assert_eq!(
            border_violations(&with_edge("matchwright-report", "matchwright-sim")).len(),
            1
        );
    }

    #[test]
    fn a_crate_without_a_layer_is_refused() {
        assert_eq!(
            border_violations(&with_edge("matchwright-common", "thiserror")).len(),
            1
        );
    }

    #[test]
    fn a_heavy_leaf_is_refused() {
        let mut crates = house();
        crates
            .entry("matchwright-rating".into())
            .or_default()
            .required
            .push("nalgebra".into());
        crates
            .entry("matchwright-rating".into())
            .or_default()
            .optional
            .push("nalgebra".into());
        assert_eq!(weight_violations(&crates).len(), 2);
    }
}
