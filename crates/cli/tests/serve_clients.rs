//! The lines of docs/clients.md, in each language whose tools are there.

use std::process::Command;

use serde_json::Value;

use crate::serve::Served;

/// The code of a language on the page, for the service at this address.
fn code(language: &str, address: &str) -> String {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/clients.md")).unwrap();
    let from = format!("```{language}\n");
    let begin = page.find(&from).unwrap() + from.len();
    let end = begin + page[begin..].find("\n```").unwrap();
    page[begin..end].replace("localhost:7711", address)
}

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok()
}

/// Plays a match with the code of a language; the last word that it prints is the winner's rating.
fn plays(language: &str, tool: &str, ending: &str) {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(&folder.path().join("data"), &[]);
    let file = folder.path().join(format!("client.{ending}"));
    std::fs::write(&file, code(language, &served.address)).unwrap();
    let run = Command::new(tool).arg(file).output().unwrap();
    let (told, complained) = (
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr),
    );
    assert!(run.status.success(), "{tool}: {told}{complained}");
    let rating = told.split_whitespace().last().unwrap();
    assert!(rating.parse::<f64>().unwrap() > 1600.0, "{told}");
    let (_, stats) = served.call("GET", "/v1/stats", &Value::Null);
    assert_eq!(stats["results"], 1, "{stats}");
    served.end("-TERM");
}

#[test]
fn the_shells_lines_play_a_match() {
    if !is_there("curl") {
        println!("skipped: there is no curl");
        return;
    }
    plays("sh", "sh", "sh");
}

#[test]
fn pythons_lines_play_a_match() {
    if !is_there("python3") {
        println!("skipped: there is no python3");
        return;
    }
    plays("python", "python3", "py");
}

/// Since Node 20 all that they use is there without an import.
fn has_node_20() -> bool {
    let told = Command::new("node").arg("--version").output();
    let version = told.map_or_else(
        |_| String::new(),
        |told| String::from_utf8_lossy(&told.stdout).into_owned(),
    );
    let major = version.trim_start_matches('v').split('.').next();
    major.and_then(|major| major.parse().ok()) >= Some(20_u32)
}

/// They are JavaScript as well, so that no compiler is needed.
#[test]
fn the_lines_of_typescript_play_a_match() {
    if !has_node_20() {
        println!("skipped: there is no node, or none of version 20 or later");
        return;
    }
    plays("typescript", "node", "mjs");
}
