//! Exact pairing: every contender on the same graphs, one thread, each in a process of its own.
//!
//! 1. [`options`]: who solves what. [`programs`]: the workers are built, LEMON's if the machine has it.
//! 2. [`race`]: for each graph, each contender that is still in is asked to solve it, as often as [`repeats`]
//!    says, by [`worker`]; all must find the same optimum ([`agreement`]). Who would take longer than the
//!    [`budget`] drops out.
//! 3. [`results`] become [`tables`], [`plots`] and [`output`] files, with a record of the [`machine`].
//!
//! [`spread`] is another question: how much slower than the median our slowest graph is.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program talks to its user"
)]

mod agreement;
mod budget;
mod contender;
mod machine;
mod options;
mod output;
mod plots;
mod programs;
mod race;
mod repeats;
mod results;
mod spread;
mod statistics;
mod tables;
mod worker;

use anyhow::{Result, bail};
use clap::Parser;

use options::Options;
use output::Folder;
use programs::Programs;

fn main() -> Result<()> {
    run(&Options::parse())
}

fn run(options: &Options) -> Result<()> {
    let folder = Folder::create(options)?;
    // Before the build, which is a load of our own.
    let load = machine::load();
    if options.spread {
        return spread::run(options, &folder);
    }
    let programs = Programs::build(options, folder.path())?;
    let results = race::run(options, &|contender| programs.command(contender), folder.path())?;
    let mut notes = programs.notes();
    notes.extend(load.and_then(machine::warning));
    println!("{}", tables::text(&results, &notes));
    folder.write_race(options, &programs, &results, &notes)?;
    println!("written to {}", folder.path().display());
    if let Some(failure) = results.our_failures().first() {
        bail!("{failure}");
    }
    Ok(())
}
