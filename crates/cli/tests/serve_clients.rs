//! The lines of docs/clients.md, in each language whose tools are there.

use std::path::Path;
use std::process::Command;

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

/// What it prints; `None` where the tool is not there.
fn printed(tool: &str, file: &Path) -> Option<String> {
    if Command::new(tool).arg("--version").output().is_err() {
        println!("skipped: there is no {tool}");
        return None;
    }
    let run = Command::new(tool).arg(file).output().unwrap();
    let (told, complained) = (
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr),
    );
    assert!(run.status.success(), "{tool}: {told}{complained}");
    Some(told.into_owned())
}

/// Plays a match with the code of a language; the last word that it prints is the winner's rating.
fn plays(language: &str, tool: &str, ending: &str) {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(&folder.path().join("data"), &[]);
    let file = folder.path().join(format!("client.{ending}"));
    std::fs::write(&file, code(language, &served.address)).unwrap();
    if let Some(told) = printed(tool, &file) {
        let rating = told.split_whitespace().last().unwrap();
        assert!(rating.parse::<f64>().unwrap() > 1600.0, "{told}");
        let results = format!("http://{}/v1/stats", served.address);
        let stats = ureq::get(results)
            .call()
            .unwrap()
            .body_mut()
            .read_to_string()
            .unwrap();
        assert!(stats.contains("\"results\":1,"), "{stats}");
    }
    served.end("-TERM");
}

#[test]
fn the_shells_lines_play_a_match() {
    if Command::new("curl").arg("--version").output().is_err() {
        println!("skipped: there is no curl");
        return;
    }
    plays("sh", "sh", "sh");
}

#[test]
fn pythons_lines_play_a_match() {
    plays("python", "python3", "py");
}

/// They are JavaScript as well, so that no compiler is needed.
#[test]
fn the_lines_of_typescript_play_a_match() {
    plays("typescript", "node", "mjs");
}
