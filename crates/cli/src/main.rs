//! `matchwright`: study and rate from files of matches, pair, make lobbies. Importers, progress, commands and
//! pages live here; what they compute comes from the libraries.
mod arguments;
mod bundled;
mod command_line;
mod commands;
mod failure;
mod graph;
mod input;
mod interrupt;
mod output;
mod parts;
mod places;
mod plan;
mod progress;
mod threads;

use std::process::ExitCode;

use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue};
use matchwright_report::{steers, visible_line};

use crate::arguments::{Arguments, Command, Season, Study};
use crate::command_line::{check_numbers, command_line, is_given};
use crate::failure::Failure;
use crate::input::{set_encoding, set_longest_row};

/// 0 when done, 1 when the work failed, 2 when the command line makes no sense.
fn main() -> ExitCode {
    let mut definition = arguments::definition();
    let matches = definition
        .try_get_matches_from_mut(std::env::args_os())
        .unwrap_or_else(|error| complain(&shortened(error)));
    let mut arguments = Arguments::from_arg_matches(&matches)
        .unwrap_or_else(|error| complain(&shortened(error).format(&mut definition)));
    if let Some(bytes) = arguments.max_row {
        set_longest_row(bytes);
    }
    if let Some(name) = &arguments.encoding {
        set_encoding(name);
    }
    if arguments.yes {
        plan::want_all();
    }
    // For manifests: the command that makes the same files.
    let line = command_line(&definition, &matches);
    let done = check_numbers(&definition, &matches)
        .and_then(|()| load_reading(&mut arguments.command))
        .and_then(|()| run(&arguments.command, line, is_given(&matches, "seed")));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closes the pipe has all it wants.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            failure::tell(&format!(
                "matchwright: {}",
                failure::short_numbers(&failure.to_string())
            ));
            failure.exit_code()
        }
    }
}

/// Takes up the document of `--reading`.
fn load_reading(command: &mut Command) -> Result<(), Failure> {
    match command {
        Command::Import(options) => options.reading.load(),
        Command::Rate(options) => options.reading.load(),
        Command::Compare(options) => options.reading.load(),
        Command::Study {
            study: Study::Eomm(options),
        } => options.reading.load(),
        Command::Season {
            question: Season::Ledger(options),
        } => options.reading.load(),
        _ => Ok(()),
    }
}

/// `has_seed`: a seed was given.
fn run(command: &Command, line: String, has_seed: bool) -> Result<(), Failure> {
    match command {
        Command::Study {
            study: Study::Eomm(options),
        } => commands::study::run(options, line),
        Command::Reproduce { paper } => commands::reproduce::run(paper, line),
        Command::Claims(arguments) => commands::claims::run(arguments),
        Command::Merge(options) => commands::merge::run(options),
        Command::Import(options) => commands::import::run(options, line),
        Command::Rate(options) => commands::rate::run(options, line),
        Command::Compare(options) => commands::compare::run(options, line, has_seed),
        Command::Pair(options) => commands::pair::run(options, line, has_seed),
        Command::Lobby(options) => commands::lobby::run(options, line),
        Command::Replay(options) => commands::replay::run(options, line, has_seed),
        Command::Simulate { question } => commands::simulate::run(question, line),
        #[cfg(feature = "serve")]
        Command::Serve(options) => commands::serve::run(options),
        Command::Forensics { question } => commands::forensics::run(question, line),
        Command::Season { question } => commands::season::run(question, line),
        Command::Examples(options) => commands::bundled::examples(options),
        Command::Schema(options) => commands::bundled::schema(options),
        Command::Completions(options) => commands::shell::completions(options),
        Command::Man(options) => commands::shell::man(options),
    }
}

/// Ends with the complaint, or the help that was asked for.
fn complain(error: &clap::Error) -> ! {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let mut text = error.to_string();
    let mut is_shown = true;
    // clap shows the name of an option without its value.
    for word in words.flat_map(|word| {
        [
            word.clone(),
            word.split('=').next().unwrap_or_default().to_owned(),
        ]
    }) {
        if word.contains(steers) {
            text = text.replace(&word, &visible_line(&word));
            is_shown = false;
        }
    }
    if is_shown && !text.contains(|c| steers(c) && c != '\n') {
        error.exit();
    }
    text.trim_end().lines().for_each(failure::tell);
    std::process::exit(error.exit_code())
}

/// The complaint with a long word of the command line cut.
fn shortened(mut error: clap::Error) -> clap::Error {
    for kind in [
        ContextKind::InvalidValue,
        ContextKind::InvalidArg,
        ContextKind::InvalidSubcommand,
    ] {
        if let Some(ContextValue::String(word)) = error.get(kind) {
            let word = ContextValue::String(failure::shown(word));
            error.insert(kind, word);
        }
    }
    error
}
