//! The workers: one in Rust for the crates, one in C++ for LEMON.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Message, MetadataCommand};
use serde_json::{Map, Value};

use matchwright_benches::workspace_root;

use super::Options;
use super::contender::{Contender, Role};

/// What LEMON's worker is compiled with: the optimisation that Rust's release profile has, for the same processors.
const FLAGS: [&str; 4] = ["-std=c++14", "-O3", "-DNDEBUG", "-DLEMON_ONLY_TEMPLATES"];

/// Tried in this order, after the environment's `CXX`.
const COMPILERS: [&str; 3] = ["c++", "g++", "clang++"];

/// The built workers.
pub(crate) struct Programs {
    rust: PathBuf,
    /// The program and its version; or why there is none; `None` if nobody asked for it.
    lemon: Option<Result<Lemon, String>>,
}

pub(crate) struct Lemon {
    program: PathBuf,
    version: String,
}

impl Programs {
    pub(crate) fn build(options: &Options, folder: &Path) -> Result<Self> {
        let is_lemon = |contender: &Contender| contender.lemon_graph().is_some();
        let wants_lemon = options.contenders().iter().any(is_lemon);
        Ok(Self {
            lemon: wants_lemon.then(|| build_lemon(folder)),
            rust: build_rust()?,
        })
    }

    /// How to start a contender; `None` if its program is not here.
    pub(crate) fn command(&self, contender: Contender) -> Option<Command> {
        let (program, argument) = match contender.lemon_graph() {
            Some(graph) => (&self.lemon.as_ref()?.as_ref().ok()?.program, graph.to_owned()),
            None => (&self.rust, contender.to_string()),
        };
        let mut command = Command::new(program);
        command.arg(argument);
        Some(command)
    }

    /// What a reader of the tables must know about who is missing.
    pub(crate) fn notes(&self) -> Vec<String> {
        match &self.lemon {
            Some(Err(reason)) => vec![format!("LEMON did not take part: {reason}.")],
            Some(Ok(lemon)) => vec![format!("LEMON {}, {}.", lemon.version, FLAGS.join(" "))],
            None => Vec::new(),
        }
    }

    /// The versions of the peers that take part.
    pub(crate) fn versions(&self, options: &Options) -> Result<Value> {
        let metadata = MetadataCommand::new().current_dir(workspace_root()).exec()?;
        let mut versions = Map::new();
        for contender in options.contenders() {
            let name = contender.to_string();
            let package = metadata.packages.iter().find(|package| *package.name == *name);
            if let (Role::Peer, Some(package)) = (contender.role(), package) {
                versions.insert(name, package.version.to_string().into());
            }
        }
        if let Some(Ok(lemon)) = &self.lemon {
            versions.insert("lemon".to_owned(), lemon.version.as_str().into());
        }
        Ok(versions.into())
    }
}

/// Builds the bench target as `cargo bench` would, and asks cargo where it is.
fn build_rust() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = [
        "bench",
        "--package",
        "matchwright-benches",
        "--bench",
        "solver",
        "--no-run",
    ];
    eprintln!("$ cargo {}", arguments.join(" "));
    let output = Command::new(cargo)
        .args(arguments)
        .arg("--message-format=json-render-diagnostics")
        .current_dir(workspace_root())
        .stderr(Stdio::inherit())
        .output()
        .context("could not start cargo")?;
    if !output.status.success() {
        bail!("the solver bench does not build ({})", output.status);
    }
    for message in Message::parse_stream(&output.stdout[..]) {
        if let Message::CompilerArtifact(artifact) = message?
            && artifact.target.is_bench()
            && let Some(program) = artifact.executable
        {
            return Ok(program.into());
        }
    }
    bail!("cargo names no program of the solver bench")
}

fn build_lemon(folder: &Path) -> Result<Lemon, String> {
    let source = workspace_root().join("benches/solver/lemon.cpp");
    let program = folder.join(format!("lemon{}", std::env::consts::EXE_SUFFIX));
    let own_choice = std::env::var("CXX").ok();
    let compilers = own_choice.iter().map(String::as_str).chain(COMPILERS);
    for compiler in compilers {
        let compilation = Command::new(compiler)
            .args(FLAGS)
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .output();
        // A compiler that is not there is no reason yet: the next may be.
        let Ok(output) = compilation else { continue };
        if !output.status.success() {
            return Err(complaint(&String::from_utf8_lossy(&output.stderr)));
        }
        let version = Command::new(&program).arg("version").output();
        let version = version.map_err(|error| format!("its program does not start: {error}"))?;
        return Ok(Lemon {
            program,
            version: String::from_utf8_lossy(&version.stdout).trim().to_owned(),
        });
    }
    Err(format!(
        "no C++ compiler found ({}; CXX names another)",
        COMPILERS.join(", ")
    ))
}

/// A compiler's complaint in one line.
fn complaint(stderr: &str) -> String {
    let first = stderr.lines().find(|line| line.contains("error"));
    let first = first.unwrap_or("the compiler does not say why").trim();
    let missing = first.split_once("fatal error:").map(|(_, what)| what);
    if missing.is_some_and(|what| what.contains("lemon/")) {
        return "its headers are not installed (Debian: liblemon-dev)".to_owned();
    }
    format!("its program does not compile: {first}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_told_from_a_broken_program() {
        let gcc =
            "lemon.cpp:24:10: fatal error: lemon/config.h: No such file or directory\n   24 | #include\n";
        let clang = "lemon.cpp:24:10: fatal error: 'lemon/config.h' file not found\n1 error generated.\n";
        for missing in [gcc, clang] {
            assert!(complaint(missing).contains("liblemon-dev"), "{missing}");
        }
        let broken = "lemon.cpp: In function 'main':\nlemon.cpp:9:5: error: 'x' was not declared\n";
        assert_eq!(
            complaint(broken),
            "its program does not compile: lemon.cpp:9:5: error: 'x' was not declared"
        );
        assert!(complaint("").contains("does not say why"));
    }
}
