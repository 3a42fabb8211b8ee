//! What a change must pass before it lands.

use anyhow::Result;

use crate::layers;
use crate::process::{cargo, rustup_cargo};

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
    oldest_rust()?;
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

/// Builds with the stated `rust-version` where rustup has that toolchain; elsewhere the metadata check
/// of `layers` and clippy's `incompatible_msrv` are all there is.
fn oldest_rust() -> Result<()> {
    let stated = layers::stated_rust_version()?;
    let listed = std::process::Command::new("rustup")
        .args(["toolchain", "list"])
        .output();
    let installed = listed
        .map(|list| String::from_utf8_lossy(&list.stdout).into_owned())
        .unwrap_or_default();
    let prefix = format!("{}.{}", stated.major, stated.minor);
    let found = installed
        .split_whitespace()
        .find(|name| name.starts_with(&prefix));
    if let Some(toolchain) = found {
        return rustup_cargo(
            toolchain,
            ["check", "--workspace", "--exclude", "matchwright-benches"],
        )
        .run();
    }
    eprintln!("skipped: no Rust {stated} here, so nothing was built with the oldest supported one");
    Ok(())
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
