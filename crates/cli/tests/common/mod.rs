//! What the tests of the command line share.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

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

/// The sentence that a page begins with: one that ends, says a number or that there is none, and has nothing that is not a
/// number in it.
pub(crate) fn sentence(page: &str) -> String {
    let begin = "<p class=\"mw-answer\">";
    assert!(page.contains(begin), "a page begins with a sentence");
    let from = page.find(begin).unwrap() + begin.len();
    let length = page[from..].find("</p>").unwrap();
    let text = page[from..from + length].to_owned();
    let text = text
        .replace("&quot;", "\"")
        .replace("&gt;", ">")
        .replace("&lt;", "<")
        .replace("&amp;", "&");
    assert!(
        text.len() > 20 && text.ends_with('.') && !text.contains('\n'),
        "{text}"
    );
    assert!(
        ["NaN", "inf ", "-0 ", "  "].iter().all(|bad| !text.contains(bad)),
        "{text}"
    );
    text
}

/// What it wrote to standard error, after it ended well.
pub(crate) fn heard(arguments: &[&str], input: &str) -> String {
    complaint(arguments, input, 0)
}

/// What it wrote to standard output, after it ended well; `line` is split at spaces, and its paths are those of `folder`.
pub(crate) fn answer_in(folder: &Path, line: &str) -> String {
    let run = matchwright()
        .args(line.split_whitespace())
        .current_dir(folder)
        .assert()
        .success();
    String::from_utf8_lossy(&run.get_output().stdout).into_owned()
}

/// The same, as `--json` tells it.
pub(crate) fn json_in(folder: &Path, line: &str) -> Value {
    serde_json::from_str(&answer_in(folder, &format!("{line} --json"))).unwrap()
}

/// Wins, draws and losses of a player, and what the run said besides.
pub(crate) fn record(more: &[&str], text: &str, player: &str) -> ([u64; 3], String) {
    let run = matchwright()
        .args(
            [
                &["rate", "--system", "elo", "-", "--evaluate-from", "0.5", "--json"],
                more,
            ]
            .concat(),
        )
        .write_stdin(text)
        .assert()
        .success();
    let told: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let board = told["leaderboard"].as_array().unwrap();
    let one = board.iter().find(|one| one["player"] == player).unwrap();
    let record = ["wins", "draws", "losses"].map(|key| one[key].as_u64().unwrap());
    (
        record,
        String::from_utf8_lossy(&run.get_output().stderr).into_owned(),
    )
}

/// `../../examples/NAME`.
pub(crate) fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Each on a line of its own.
pub(crate) fn lines(all: impl IntoIterator<Item = impl Display>) -> String {
    all.into_iter()
        .fold(String::new(), |text, one| text + &format!("{one}\n"))
}

/// What `lobby --json` tells of players under a policy, which is in a file of this name.
pub(crate) fn lineups((file, policy): (&str, &str), players: &[Value], more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    std::fs::write(&path, policy).unwrap();
    let lobby = ["lobby", "-", "--json", "--iterations", "2000", "--policy"];
    let arguments = [&lobby[..], &[path.to_str().unwrap()], more].concat();
    serde_json::from_str(&answer(&arguments, lines(players))).unwrap()
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

/// Whether tests take all of the time that they need: `cargo xtask test --deep`.
pub(crate) fn is_deep() -> bool {
    std::env::var_os("MATCHWRIGHT_DEEP").is_some()
}

/// Past the capture of test output, so that the output of a test run says what was left out.
pub(crate) fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}
