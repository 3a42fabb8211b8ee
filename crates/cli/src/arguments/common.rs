//! Options that several commands share.

use std::path::PathBuf;

use clap::Args;

/// Shared by all commands that generate something.
#[derive(Args)]
pub(crate) struct SeedOption {
    /// Seed of everything random: same seed, same bytes
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Where results go; shared by all commands that make a page.
#[derive(Args)]
pub(crate) struct PageOptions {
    /// Folder for the page, tables, plots and manifest; with --shard, the file for a part
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// Print everything as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
