//! `matchwright`: study and rate from files of real matches, pair, make lobbies. Importers, progress, commands and
//! pages live here; what they compute comes from the libraries.
mod arguments;
mod commands;
mod failure;
mod graph;
mod input;
mod output;
mod page;
mod parts;
mod progress;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command, Study};

/// 0 when done, 1 when the work failed, 2 when the command line makes no sense.
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.command {
        Command::Study {
            study: Study::Eomm(options),
        } => commands::study::run(options),
        Command::Reproduce { paper } => commands::reproduce::run(paper),
        Command::Claims(arguments) => commands::claims::run(arguments),
        Command::Merge(options) => commands::merge::run(options),
        Command::Rate(options) => commands::rate::run(options),
        Command::Pair(options) => commands::pair::run(options),
        Command::Lobby(options) => commands::lobby::run(options),
        Command::Forensics { question } => commands::forensics::run(question),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever closed the pipe has seen enough.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            failure::tell(&format!("matchwright: {failure}"));
            failure.exit_code()
        }
    }
}
