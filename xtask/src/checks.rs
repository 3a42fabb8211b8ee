//! What a change must pass before it lands.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use crate::process::{LEAVES, cargo, file_name, folders, rustup_cargo, workspace_root};
use crate::{downstream, layers};

pub(crate) fn ci() -> Result<()> {
    cargo("fmt --all -- --check").run()?;
    cargo("clippy --workspace --all-targets --all-features -- -D warnings").run()?;
    for leaf in LEAVES {
        cargo(&format!("clippy --all-targets --package {leaf} -- -D warnings")).run()?;
    }
    cargo("clippy --package matchwright-cli --no-default-features -- -D warnings").run()?;
    layers::check()?;
    oldest_rust()?;
    cargo("doc --workspace --exclude matchwright-benches --exclude xtask --no-deps --all-features")
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()?;
    // Links to what stands behind a feature are broken without it.
    for package in LEAVES
        .iter()
        .chain(&["matchwright-sim", "matchwright-service", "matchwright-client"])
    {
        cargo(&format!("doc --no-deps --package {package}"))
            .env("RUSTDOCFLAGS", "-D warnings")
            .run()?;
    }
    package()?;
    downstream::check_each()?;
    crate::test()
}

/// The deep test of the exact solver, all of it or one graph; before all of it every test with cases of its own, the tests of its inputs, and through the
/// readers a million files of known meaning and ten million that were changed at random; a million events through a queue in files
/// that crashes, a service under ten thousand seeds of crashes and faults, under 500 kills and with a million results; ten million files, policies, calls and tokens of it that were changed at random, and the laws of every policy under a thousand seeds. With the checks of debug builds, optimised.
pub(crate) fn deep(graph: Option<&str>) -> Result<()> {
    if graph.is_none() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let tests = crate::workspace_tests().env("MATCHWRIGHT_DEEP", "1");
        tests.seeded(now.as_secs()).run()?;
        cargo("test --package matchwright-benches --lib --bins").run()?;
        cargo("test --package matchwright-cli --bins -- --ignored --nocapture").run()?;
        cargo(
            "test --package matchwright-queue --all-features --test queue over_a_million_events -- --ignored",
        )
        .run()?;
        cargo("test --package matchwright-service --all-features -- --ignored").run()?;
        cargo("test --package matchwright-cli --test cli five_hundred_kills -- --ignored --nocapture")
            .run()?;
        cargo("test --package matchwright-cli --test cli a_million_results -- --ignored").run()?;
        cargo("test --package matchwright-sim --test sim public_laws -- --ignored --nocapture").run()?;
    }
    let options = graph.map_or(vec!["--all"], |graph| vec!["--graph", graph]);
    let deep = cargo("test --package matchwright-benches --test deep --");
    deep.args(options).run()
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
    let mut names = installed.split_whitespace();
    if let Some(toolchain) = names.find(|name| name.starts_with(&prefix)) {
        return rustup_cargo(toolchain, "check --workspace --exclude matchwright-benches").run();
    }
    eprintln!("skipped: no Rust {stated} here, so nothing was built with the oldest supported one");
    Ok(())
}

/// Builds every publishable crate from the archive that would be uploaded.
///
/// Cargo takes an archive for immutable: it unpacks and compiles a name and version once. Ours change
/// under one version, so what it kept of them is cleared first; the rest of the folder spares a rebuild
/// of everybody else's crates.
fn package() -> Result<()> {
    let target = workspace_root().join("target/package-check");
    forget_ours(&target.join("debug/.fingerprint"))?;
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    if let Some(home) = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))) {
        // The cache of a registry without a host: what cargo makes for packages not yet uploaded.
        let caches = folders(&home.join("registry/src")).into_iter();
        for cache in caches.filter(|cache| file_name(cache).starts_with('-')) {
            forget_ours(&cache)?;
        }
    }
    cargo("package --workspace --exclude xtask --exclude matchwright-benches --allow-dirty --quiet --target-dir")
        .arg(&target)
        .run()
}

/// Removes the folders of our packages from one of cargo's caches.
fn forget_ours(cache: &Path) -> Result<()> {
    let all = folders(cache).into_iter();
    for folder in all.filter(|folder| file_name(folder).starts_with("matchwright-")) {
        std::fs::remove_dir_all(&folder).with_context(|| format!("clearing {}", folder.display()))?;
    }
    Ok(())
}
