//! The public interface of each library as a text in `docs/interface`, so that a commit shows what it changes.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::process::{file_name, folders, rustup_cargo, workspace_root};

/// Writes the texts anew with `cargo public-api`, or fails where they differ from what the sources say.
pub(crate) fn run(check: bool) -> Result<()> {
    let mut differ = Vec::new();
    for package in folders(&workspace_root().join("crates")) {
        if !package.join("src/lib.rs").is_file() {
            continue;
        }
        let name = file_name(&package);
        let text = rustup_cargo("nightly", "public-api --all-features -sss --package")
            .arg(format!("matchwright-{name}"))
            .output()
            .context("needs a nightly Rust and `cargo install --locked cargo-public-api`")?;
        let path: PathBuf = workspace_root().join("docs/interface").join(name + ".txt");
        if std::fs::read_to_string(&path).unwrap_or_default() == text {
            continue;
        }
        if check {
            differ.push(file_name(&path));
        } else {
            std::fs::create_dir_all(workspace_root().join("docs/interface"))?;
            std::fs::write(&path, text).with_context(|| path.display().to_string())?;
        }
    }
    if !differ.is_empty() {
        bail!("`cargo xtask interface` writes these anew: {}", differ.join(", "));
    }
    Ok(())
}
