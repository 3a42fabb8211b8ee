//! The packages of `tests/downstream`: strangers to the workspace that implement its traits with
//! default features and pass the public laws, as a user's own crate would.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::checks::LEAVES;
use crate::process::{cargo, workspace_root};

pub(crate) fn test_all() -> Result<()> {
    let packages = packages()?;
    let tested = |leaf: &str| packages.iter().any(|package| package.ends_with(leaf));
    for leaf in LEAVES {
        let folder = leaf.trim_start_matches("matchwright-");
        if !tested(folder) {
            bail!(
                "tests/downstream/{folder} is missing: every leaf crate needs a stranger that implements its trait"
            );
        }
    }
    let target = workspace_root().join("target/downstream");
    for package in packages {
        cargo(["test"])
            .current_dir(&package)
            .env("CARGO_TARGET_DIR", &target)
            .run()?;
    }
    Ok(())
}

fn packages() -> Result<Vec<PathBuf>> {
    let folder = workspace_root().join("tests/downstream");
    let entries = std::fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut packages = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.join("Cargo.toml").is_file() {
            packages.push(path);
        }
    }
    packages.sort();
    Ok(packages)
}
