//! The packages of `tests/downstream`: strangers to the workspace that implement its traits with
//! default features and pass the public laws, as a user's own crate would.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::process::{LEAVES, cargo, folders, workspace_root};

/// Tests all of them, built together.
pub(crate) fn test_all() -> Result<()> {
    let packages = all();
    for leaf in LEAVES {
        let folder = leaf.trim_start_matches("matchwright-");
        if !packages.iter().any(|package| package.ends_with(folder)) {
            bail!(
                "tests/downstream/{folder} is missing: every leaf crate needs a stranger that implements its trait"
            );
        }
    }
    run("test --workspace", Path::new("tests/downstream"))
}

/// Builds each by itself: beside others it would have their features of ours as well.
pub(crate) fn check_each() -> Result<()> {
    all().iter().try_for_each(|package| run("check --tests", package))
}

/// Tests one of them, by its folder.
pub(crate) fn test(package: &Path) -> Result<()> {
    run("test", package)
}

/// Their folders.
pub(crate) fn all() -> Vec<PathBuf> {
    let mut packages = folders(&workspace_root().join("tests/downstream"));
    packages.retain(|package| package.join("Cargo.toml").is_file());
    packages
}

fn run(command: &str, folder: &Path) -> Result<()> {
    let command = cargo(command).current_dir(&workspace_root().join(folder));
    command
        .env("CARGO_TARGET_DIR", workspace_root().join("target/downstream"))
        .seeded(crate::SEED)
        .run()
}
