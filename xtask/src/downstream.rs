//! The packages of `tests/downstream`: strangers to the workspace that implement its traits with
//! default features and pass the public laws, as a user's own crate would.

use std::path::Path;

use anyhow::{Result, bail};

use crate::checks::LEAVES;
use crate::process::{cargo, folders, workspace_root};

pub(crate) fn test_all() -> Result<()> {
    let mut packages = folders(&workspace_root().join("tests/downstream"));
    packages.retain(|package| package.join("Cargo.toml").is_file());
    for leaf in LEAVES {
        let folder = leaf.trim_start_matches("matchwright-");
        if !packages.iter().any(|package| package.ends_with(folder)) {
            bail!(
                "tests/downstream/{folder} is missing: every leaf crate needs a stranger that implements its trait"
            );
        }
    }
    packages.iter().try_for_each(|package| test(package))
}

/// Tests one of them, by its folder.
pub(crate) fn test(package: &Path) -> Result<()> {
    let command = cargo("test").current_dir(&workspace_root().join(package));
    command
        .env("CARGO_TARGET_DIR", workspace_root().join("target/downstream"))
        .seeded(crate::SEED)
        .run()
}
