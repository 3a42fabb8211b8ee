//! `matchwright reproduce awesomenauts` from outside.

use std::collections::BTreeMap;

use crate::common::{answer, complaint, examples_of, matchwright};
use serde_json::Value;

const SMALL: [&str; 16] = [
    "reproduce",
    "awesomenauts",
    "--pools",
    "2",
    "--players",
    "24",
    "--starts",
    "20",
    "--streams",
    "2",
    "--effort",
    "0.01",
    "--worlds",
    "2",
    "--hours",
    "0.5",
];

fn written(more: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    matchwright()
        .args(SMALL)
        .args(more)
        .arg("--out")
        .arg(folder.path())
        .assert()
        .success();
    let mut files = BTreeMap::new();
    for place in ["", "equal-time"] {
        let Ok(entries) = std::fs::read_dir(folder.path().join(place)) else {
            continue;
        };
        for entry in entries.map(Result::unwrap).filter(|entry| entry.path().is_file()) {
            let name = format!("{place}/{}", entry.file_name().to_string_lossy());
            files.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
    files
}

fn text(files: &BTreeMap<String, Vec<u8>>, name: &str) -> String {
    String::from_utf8(files[name].clone()).unwrap()
}

#[test]
fn the_files_depend_on_the_seed_alone_and_what_a_clock_decides_has_files_of_its_own() {
    let one = written(&["--threads", "1"]);
    let mut timed = written(&["--threads", "3", "--seconds", "0.02"]);
    let apart: Vec<String> = timed
        .keys()
        .filter(|name| name.starts_with("equal-time/"))
        .cloned()
        .collect();
    assert_eq!(apart.len(), 4, "{apart:?}");
    let page = text(&timed, "equal-time/index.html");
    assert!(crate::common::sentence(&page).contains(" a pool on this machine the best search is "));
    assert!(page.contains("depends on the machine") && page.contains("our annealing"));
    timed.retain(|name, _| !name.starts_with("equal-time/"));
    assert_eq!(one, timed);
    assert_ne!(
        one["/reproduction.json"],
        written(&["--seed", "2"])["/reproduction.json"]
    );
    let page = text(&one, "/index.html");
    assert!(crate::common::sentence(&page).starts_with("Of the document's statements "));
    for outside in ["<script src", "<link", "src=\"http", "href=\"http"] {
        assert!(!page.contains(outside), "{outside}: the page works offline");
    }
    for name in one.keys().filter(|name| *name != "/index.html") {
        assert!(
            page.contains(&format!("href=\".{name}\"")),
            "{name} is not linked"
        );
    }
    let manifest: Value = serde_json::from_slice(&one["/manifest.json"]).unwrap();
    assert_eq!(manifest["outputs"].as_array().unwrap().len() + 1, one.len());
    // Three races of five searches.
    assert_eq!(text(&one, "/equal-evaluations.csv").lines().count(), 16);
    let read: Value = serde_json::from_slice(&one["/reproduction.json"]).unwrap();
    assert_eq!(read["race"]["above_bound"], 0);
    assert_eq!(read["port"]["count"]["splits"], 4 * 3 / 2 * 36 * 20);
    assert!(read["port"]["best_at_end"].as_f64().unwrap() <= 1e-9);
}

#[test]
fn tables_are_printed_or_all_as_json() {
    let printed = answer(&SMALL, "");
    for caption in [
        "Searches at equal evaluations",
        "The best of n starts",
        "Batches of different sizes",
        "Sorted by skill",
        "Lineups made for other totals",
    ] {
        assert!(printed.contains(caption), "{caption}");
    }
}

#[test]
fn impossible_settings_are_usage_errors_that_name_them() {
    for (option, value, name) in [
        ("--players", "11", "players"),
        ("--pools", "1", "pools"),
        ("--starts", "1", "starts"),
        ("--streams", "1", "streams"),
        ("--effort", "0", "effort"),
        ("--threads", "0", "threads"),
        ("--seconds", "-1", "seconds"),
    ] {
        let mut arguments = SMALL.to_vec();
        match arguments.iter().position(|given| *given == option) {
            Some(place) => arguments[place + 1] = value,
            None => arguments.extend([option, value]),
        }
        if value == "-1" {
            arguments.pop();
            arguments.pop();
            arguments.push("--seconds=-1");
        }
        let told = complaint(&arguments, "", 2);
        assert!(told.contains(name), "{told}");
    }
}

/// Two pools cannot refute a statement about means, whatever they happen to show.
#[test]
fn what_two_pools_show_by_chance_is_inconclusive() {
    for seed in ["1", "2"] {
        let folder = tempfile::tempdir().unwrap();
        let words = "reproduce awesomenauts --effort 0.01 --pools 2 --players 24 --starts 20 --streams 2 --worlds 2 --hours 0.5 --seed";
        let words = words.split(' ').chain([seed, "--out"]);
        matchwright().args(words).arg(folder.path()).assert().success();
        let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
        assert!(
            !page.contains("Not confirmed") && !page.contains("Failed"),
            "seed {seed}"
        );
        assert!(page.contains("Inconclusive") && page.contains("n: 2 pools"));
    }
}

#[test]
fn the_examples_of_help_run() {
    let folder = tempfile::tempdir().unwrap();
    let examples = examples_of(&["reproduce", "awesomenauts"]);
    assert_eq!(examples.len(), 2);
    for example in examples {
        matchwright()
            .args(example)
            .current_dir(folder.path())
            .assert()
            .success();
    }
    assert!(folder.path().join("awn/index.html").exists());
}
