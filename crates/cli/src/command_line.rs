//! The command line as manifests record it: what repeats the results, on any machine.

use std::any::TypeId;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::failure::{Failure, shown};
use matchwright_import::number::{ROUNDED, is_rounded};

/// Options that change no result: where results go, what is printed of them, how the work is shared out, and how long
/// the searches run whose results have a folder of their own. What is too long is refused, never left out.
const WITHOUT_EFFECT: [&str; 14] = [
    "chart",
    "explain",
    "json",
    "max_row",
    "out",
    "plot",
    "predictions",
    "reliability",
    "save",
    "save_matches",
    "seconds",
    "shard",
    "threads",
    "yes",
];

/// Program, subcommands, and all options that decide the results, those at their defaults included; quoted for a POSIX
/// shell. Of paths only the file name is kept.
///
/// `command` is the definition that `matches` was parsed by.
pub(crate) fn command_line(command: &Command, matches: &ArgMatches) -> String {
    let mut words = vec![command.get_name().to_owned()];
    let (mut command, mut matches) = (command, matches);
    while let Some((name, inner)) = matches.subcommand() {
        let Some(definition) = command.find_subcommand(name) else {
            break;
        };
        words.push(name.to_owned());
        (command, matches) = (definition, inner);
    }
    let (positional, options): (Vec<&Arg>, Vec<&Arg>) = command
        .get_arguments()
        .partition(|argument| argument.is_positional());
    for argument in positional.into_iter().chain(options) {
        words.extend(words_of(argument, matches));
    }
    words.join(" ")
}

/// Whether an option of the command was given, rather than left at its default.
pub(crate) fn is_given(matches: &ArgMatches, id: &str) -> bool {
    let mut matches = matches;
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    let is_known = matches.try_contains_id(id).unwrap_or(false);
    is_known && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Refuses an option with a number whose digits a double would lose. Seeds are no doubles, and texts no numbers.
pub(crate) fn check_numbers(command: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    if let Some((name, inner)) = matches.subcommand() {
        let definition = command.find_subcommand(name);
        return definition.map_or(Ok(()), |definition| check_numbers(definition, inner));
    }
    let texts = [
        TypeId::of::<PathBuf>(),
        TypeId::of::<String>(),
        TypeId::of::<u64>(),
    ];
    let is_number = |argument: &&Arg| {
        let value = argument.get_value_parser().type_id();
        argument.get_id() != "columns" && !texts.iter().any(|text| value == *text)
    };
    for argument in command.get_arguments().filter(is_number) {
        let id = argument.get_id().as_str();
        // Those of clap itself, such as --help, have no value to ask for.
        let values = matches.try_get_raw(id).ok().flatten();
        for value in values.into_iter().flatten().map(|value| value.to_string_lossy()) {
            let is_part = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
            let mut words = value.split(|c: char| !is_part(c));
            if let Some(word) = words.find(|word| word.parse().is_ok_and(|number| is_rounded(word, number))) {
                let flag = argument.get_long().unwrap_or(id);
                return Err(Failure::Usage(format!(
                    "--{flag} is `{}`; {ROUNDED}",
                    shown(word)
                )));
            }
        }
    }
    Ok(())
}

/// An argument's words; none where it was not given and has no default, or changes no result.
fn words_of(argument: &Arg, matches: &ArgMatches) -> Vec<String> {
    let id = argument.get_id().as_str();
    // Those of clap itself, such as --help, have no value to ask for.
    let decides = matches.try_contains_id(id).unwrap_or(false) && !WITHOUT_EFFECT.contains(&id);
    let Some(source) = decides.then(|| matches.value_source(id)).flatten() else {
        return Vec::new();
    };
    if !argument.get_action().takes_values() {
        let flag = argument.get_long().filter(|_| source == ValueSource::CommandLine);
        return flag.map(|flag| format!("--{flag}")).into_iter().collect();
    }
    let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
    let raw = matches.get_raw(id).into_iter().flatten();
    let mut values: Vec<String> = raw
        .map(|value| {
            if is_path {
                file_name(Path::new(value))
            } else {
                value.to_string_lossy().into_owned()
            }
        })
        .collect();
    if let Some(delimiter) = argument.get_value_delimiter() {
        values = vec![values.join(&delimiter.to_string())];
    }
    let Some(flag) = argument.get_long() else {
        return values.iter().map(|value| quoted(value).into_owned()).collect();
    };
    // An empty default stands for an option that was not given.
    values.retain(|value| !value.is_empty() || source == ValueSource::CommandLine);
    let word = |value: &String| {
        // What begins with a hyphen could be taken for an option.
        let separator = if value.starts_with('-') && value != "-" {
            '='
        } else {
            ' '
        };
        format!("--{flag}{separator}{}", quoted(value))
    };
    values.iter().map(word).collect()
}

/// The last part of a path, such that it is no option; `-`, standard input, stays.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    if name.starts_with('-') && name != "-" {
        format!("./{name}")
    } else {
        name.into_owned()
    }
}

/// A word that a POSIX shell reads as `word`.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::definition;

    fn recorded(words: &[&str]) -> String {
        let mut command = definition();
        let words = std::iter::once(&"matchwright").chain(words);
        let matches = command.try_get_matches_from_mut(words).unwrap();
        command_line(&command, &matches)
    }

    #[test]
    fn defaults_are_recorded_and_what_changes_no_result_is_not() {
        assert_eq!(
            recorded(&[
                "pair",
                "graphs/ten.txt",
                "--json",
                "--out",
                "/tmp/pairs.txt",
                "--verify"
            ]),
            "matchwright pair ten.txt --solver exact --verify --seed 1"
        );
        let study = "study eomm --rounds 9 --pools 100,50 --threads 2 --shard 1/2 --out part.cbor";
        let line = recorded(&study.split(' ').collect::<Vec<_>>());
        assert!(
            line.starts_with("matchwright study eomm --rounds 9 --pools 100,50 --seed 1 --horizon 8"),
            "{line}"
        );
        assert!(
            !line.contains("threads") && !line.contains("shard") && !line.contains("part"),
            "{line}"
        );
    }

    #[test]
    fn the_recorded_line_is_parsed_as_what_it_records() {
        let odd = "matches of ann's $HOME; \"x\" *.csv";
        let path = format!("some folder/{odd}");
        let given = [
            "rate",
            "--system",
            "elo",
            &path,
            "--home-advantage",
            "-12.5",
            "--players",
            "ann lee,b'ob",
        ];
        let line = recorded(&given);
        assert!(
            line.contains(r#"rate 'matches of ann'\''s $HOME; "x" *.csv' --system elo"#),
            "{line}"
        );
        assert!(
            line.contains("--home-advantage=-12.5") && line.contains(r"--players 'ann lee,b'\''ob'"),
            "{line}"
        );
        // The shell's own reading of the line, word by word.
        let words = std::process::Command::new("sh")
            .args(["-c", &format!("printf '%s\\n' {line}")])
            .output()
            .unwrap();
        let words = String::from_utf8(words.stdout).unwrap();
        let words: Vec<&str> = words.lines().skip(1).collect();
        assert!(words.contains(&odd));
        assert_eq!(recorded(&words), line);
    }

    #[test]
    fn a_file_name_is_never_taken_for_an_option() {
        let line = recorded(&[
            "pair",
            "folder/--seed=2",
            "--unmatched-penalties",
            "-",
            "--unmatched-penalty",
            "-3",
        ]);
        assert_eq!(
            line,
            "matchwright pair ./--seed=2 --solver exact --unmatched-penalty=-3 --unmatched-penalties - --seed 1"
        );
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        assert_eq!(recorded(&words), line);
    }

    #[test]
    fn every_option_without_effect_exists() {
        let mut ids = Vec::new();
        let mut commands = vec![definition()];
        while let Some(command) = commands.pop() {
            ids.extend(
                command
                    .get_arguments()
                    .map(|argument| argument.get_id().to_string()),
            );
            commands.extend(command.get_subcommands().cloned());
        }
        for id in WITHOUT_EFFECT {
            assert!(ids.iter().any(|known| known == id), "{id}");
        }
    }
}
