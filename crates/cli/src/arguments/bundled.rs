//! Options of `matchwright examples`, `schema`, `completions` and `man`: what comes with the program.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

pub(super) const EXAMPLES_EXAMPLES: &str = "\
Examples:
  matchwright examples                              # what there is
  matchwright examples policies/awesomenauts.toml   # to standard output
  matchwright examples --out examples               # all, as help uses them
  matchwright examples policies --out examples      # a folder of them

A file that is there already, and is another one, is never written over.

Exit codes: 0 done, 1 failed, 2 usage.";

pub(super) const SCHEMA_EXAMPLES: &str = "\
Examples:
  matchwright schema            # what there is
  matchwright schema policy     # to standard output

An editor with a plugin for JSON Schema or TOML completes and checks documents by it.

Exit codes: 0 done, 1 failed, 2 usage.";

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  matchwright completions bash
  matchwright completions fish

bash reads what is in ~/.local/share/bash-completion/completions/matchwright,
fish what is in ~/.config/fish/completions/matchwright.fish.

Exit codes: 0 done, 1 failed, 2 usage.";

pub(super) const MAN_EXAMPLES: &str = "\
Examples:
  matchwright man --out target/man

One page for each command: `man -l target/man/matchwright-rate.1` shows one.

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Args)]
pub(crate) struct ExamplesOptions {
    /// An example, or a folder of them [default: all]
    pub(crate) name: Option<String>,
    /// Write them into this folder, under their names
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct SchemaOptions {
    /// What the schema describes
    pub(crate) name: Option<String>,
}

#[derive(Args)]
pub(crate) struct CompletionsOptions {
    /// For which shell
    pub(crate) shell: Shell,
}

#[derive(Args)]
pub(crate) struct ManOptions {
    /// Folder for the pages
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}
