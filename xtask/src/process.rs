//! Running cargo as a child process, with the command shown first; and listing folders.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Leaf crates, which must also build alone with their default features.
pub(crate) const LEAVES: [&str; 8] = [
    "matchwright-rating",
    "matchwright-churn",
    "matchwright-scoring",
    "matchwright-solver",
    "matchwright-lobby",
    "matchwright-queue",
    "matchwright-mmr-forensics",
    "matchwright-import",
];

/// The folder of the workspace: the parent of this package's own.
pub(crate) fn workspace_root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// A command that prints itself before it runs.
pub(crate) struct Process(Command);

/// `cargo` with these arguments, separated by blanks, run from the workspace's root.
pub(crate) fn cargo(arguments: &str) -> Process {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    Process::new(program, arguments)
}

/// `cargo` of another toolchain.
pub(crate) fn rustup_cargo(toolchain: &str, arguments: &str) -> Process {
    Process::new("rustup", &format!("run {toolchain} cargo {arguments}"))
}

/// The folders in a folder, by name; none if there is no such folder.
pub(crate) fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(of).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

/// The last part of a path.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

impl Process {
    /// A program with these arguments, separated by blanks, run from the workspace's root.
    pub(crate) fn new(program: impl AsRef<OsStr>, arguments: &str) -> Self {
        let mut command = Command::new(program);
        command
            .args(arguments.split_whitespace())
            .current_dir(workspace_root());
        Self(command)
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.0.arg(argument);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.0.args(arguments);
        self
    }

    pub(crate) fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.0.env(key, value);
        self
    }

    /// Generated tests draw their cases from this seed, unless the environment names another.
    pub(crate) fn seeded(self, seed: u64) -> Self {
        const NAME: &str = "PROPTEST_RNG_SEED";
        let seed = std::env::var(NAME).unwrap_or_else(|_| seed.to_string());
        eprintln!("{NAME}={seed}");
        self.env(NAME, seed)
    }

    pub(crate) fn current_dir(mut self, folder: &Path) -> Self {
        self.0.current_dir(folder);
        self
    }

    /// Runs to the end; a failure names the command.
    pub(crate) fn run(mut self) -> Result<()> {
        let shown = self.shown();
        eprintln!("$ {shown}");
        let status = self
            .0
            .status()
            .with_context(|| format!("could not start `{shown}`"))?;
        if !status.success() {
            bail!("`{shown}` failed ({status})");
        }
        Ok(())
    }

    /// What it prints; a failure names the command.
    pub(crate) fn output(mut self) -> Result<String> {
        let shown = self.shown();
        let output = self.0.stderr(Stdio::inherit()).output();
        let output = output.with_context(|| format!("could not start `{shown}`"))?;
        if !output.status.success() {
            bail!("`{shown}` failed ({})", output.status);
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn shown(&self) -> String {
        let program = Path::new(self.0.get_program()).file_stem().unwrap_or_default();
        let arguments = self.0.get_args().map(OsStr::to_string_lossy);
        std::iter::once(program.to_string_lossy())
            .chain(arguments)
            .collect::<Vec<_>>()
            .join(" ")
    }
}
