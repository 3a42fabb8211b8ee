//! Exact pairing: every contender on the same graphs, one thread, each in a process of its own.
//!
//! 1. [`options`]: who solves what. [`programs`]: the workers are built, LEMON's if the machine has it.
//! 2. [`race`]: for each graph, each contender that is still in is asked to solve it, as often as [`repeats`]
//!    says, by [`worker`]; all must find the same optimum ([`agreement`]). Who would take longer than the
//!    [`budget`] drops out.
//! 3. [`results`] become [`tables`] and [`output`] files, with a record of the [`machine`].
//!
//! [`infeasible`] graphs are solved by ours alone: how long a refusal and a maximum matching take.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program talks to its user"
)]

mod agreement;
mod budget;
mod contender;
mod infeasible;
mod machine;
mod options;
mod output;
mod programs;
mod race;
mod repeats;
mod results;
mod tables;
mod worker;

use anyhow::{Result, bail};
use clap::Parser;

use options::Options;
use programs::Programs;

fn main() -> Result<()> {
    run(&Options::parse())
}

fn run(options: &Options) -> Result<()> {
    let folder = output::folder(options)?;
    // Before the build, which is a load of our own.
    let load = machine::load();
    let programs = Programs::build(options, &folder)?;
    let results = race::run(options, &|contender| programs.command(contender), &folder)?;
    let mut notes = programs.notes();
    notes.extend(load.and_then(machine::warning));
    let mut tables = tables::all(&results, &notes);
    tables.push(infeasible::table(&options.infeasible_sizes())?);
    for table in &tables {
        println!("{}", table.to_text());
    }
    output::write(&folder, options, &programs, &tables)?;
    println!("written to {}", folder.display());
    if let Some(failure) = results.our_failures().first() {
        bail!("{failure}");
    }
    Ok(())
}
