//! What the tests of the command line share.

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::Command;

/// The program, as its users run it.
pub(crate) fn matchwright() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("matchwright"))
}

/// What it wrote to standard error, after it ended with this exit code.
pub(crate) fn complaint(arguments: &[&str], input: impl Into<Vec<u8>>, code: i32) -> String {
    let run = matchwright()
        .args(arguments)
        .write_stdin(input)
        .assert()
        .code(code);
    let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(!text.contains("panicked"), "{text}");
    text
}

/// What it wrote to standard output, after it ended well.
pub(crate) fn answer(arguments: &[&str], input: impl Into<Vec<u8>>) -> String {
    let run = matchwright()
        .args(arguments)
        .write_stdin(input)
        .assert()
        .success();
    String::from_utf8_lossy(&run.get_output().stdout).into_owned()
}

/// The words of each example that the help of a command shows, without the name of the program.
pub(crate) fn examples_of(command: &[&str]) -> Vec<Vec<String>> {
    // Where a line ends in a backslash it goes on.
    let help = answer(&[command, &["--help"]].concat(), "").replace("\\\n", " ");
    let example = |line: &str| -> Option<Vec<String>> {
        let words = line.strip_prefix("  matchwright ")?.split('#').next()?;
        let word = |word: &str| word.replace("rank_0", "rank 0");
        Some(
            words
                .replace("'rank 0'", "rank_0")
                .split_whitespace()
                .map(word)
                .collect(),
        )
    };
    help.lines().filter_map(example).collect()
}

/// All files of a folder, by name.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|e| {
            (
                e.file_name().to_string_lossy().into_owned(),
                std::fs::read(e.path()).unwrap(),
            )
        })
        .collect()
}

/// Past the capture of test output, so that the output of a test run says what was left out.
pub(crate) fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}
