//! What a change must pass before it lands.

use anyhow::Result;

use crate::layers;
use crate::process::cargo;

/// Leaf crates, which must also build alone with their default features.
pub(crate) const LEAVES: [&str; 4] = [
    "matchwright-rating",
    "matchwright-churn",
    "matchwright-scoring",
    "matchwright-solver",
];

pub(crate) fn ci() -> Result<()> {
    cargo(["fmt", "--all", "--", "--check"]).run()?;
    cargo([
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ])
    .run()?;
    for leaf in LEAVES {
        cargo(["clippy", "--all-targets", "--package"])
            .arg(leaf)
            .arg("--")
            .arg("-D")
            .arg("warnings")
            .run()?;
    }
    layers::check()?;
    cargo([
        "doc",
        "--workspace",
        "--exclude",
        "matchwright-benches",
        "--exclude",
        "xtask",
        "--no-deps",
        "--all-features",
    ])
    .env("RUSTDOCFLAGS", "-D warnings")
    .run()?;
    package()?;
    crate::test()
}

/// Builds every publishable crate from the archive that would be uploaded.
fn package() -> Result<()> {
    cargo([
        "package",
        "--workspace",
        "--exclude",
        "xtask",
        "--exclude",
        "matchwright-benches",
        "--allow-dirty",
        "--quiet",
    ])
    .run()
}
