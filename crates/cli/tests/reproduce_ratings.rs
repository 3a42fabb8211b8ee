//! `matchwright reproduce dota` and `reproduce dominations` from outside.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::{answer, complaint, examples_of, matchwright};
use serde_json::Value;

const DOTA: [&str; 10] = [
    "reproduce",
    "dota",
    "--data-sets",
    "10",
    "--games",
    "400",
    "--worlds",
    "2",
    "--hours",
    "0.2",
];
const DOMINATIONS: [&str; 10] = [
    "reproduce",
    "dominations",
    "--newcomers",
    "100",
    "--rounds",
    "10",
    "--worlds",
    "2",
    "--hours",
    "12",
];

fn written(arguments: &[&str], more: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    matchwright()
        .args(arguments)
        .args(more)
        .arg("--out")
        .arg(folder.path())
        .assert()
        .success();
    let entries = std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
    entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// The cells of a CSV file without quotes.
fn cells(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Vec<Vec<String>> {
    let text = String::from_utf8(files[name].clone()).unwrap();
    text.lines()
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

fn links_are_there(files: &BTreeMap<String, Vec<u8>>) {
    let page = String::from_utf8(files["index.html"].clone()).unwrap();
    assert!(crate::common::sentence(&page).starts_with("Of the document's statements "));
    for outside in ["<script src", "<link", "src=\"http", "href=\"http"] {
        assert!(!page.contains(outside), "{outside}: the page works offline");
    }
    assert!(page.contains("class=\"mw-headlines\""), "the message first");
    for name in files.keys().filter(|name| *name != "index.html") {
        assert!(
            page.contains(&format!("href=\"./{name}\"")),
            "{name} is not linked"
        );
    }
    let manifest: Value = serde_json::from_slice(&files["manifest.json"]).unwrap();
    assert_eq!(manifest["outputs"].as_array().unwrap().len() + 1, files.len());
    assert_eq!(manifest["seed"], 1);
}

#[test]
fn the_percentiles_and_the_match_of_dota_come_out_as_printed() {
    let files = written(&DOTA, &[]);
    links_are_there(&files);
    for (name, column) in [("percentiles.csv", 3), ("party-match.csv", 8)] {
        let rows = cells(&files, name);
        assert!(rows.len() > 8, "{name}");
        for row in &rows[1..] {
            assert_eq!(row[column].parse::<f64>().unwrap(), 0.0, "{name}: {row:?}");
        }
    }
    let match_rows = cells(&files, "party-match.csv");
    let party_f: Vec<_> = match_rows.iter().filter(|row| row[1] == "F").collect();
    assert_eq!(party_f.len(), 2);
    // From whole numbers it is off, and the page says so.
    assert!(party_f.iter().all(|row| row[5].parse::<f64>().unwrap() != 0.0));
    let page = String::from_utf8(files["index.html"].clone()).unwrap();
    assert!(page.contains("Party F gets +0 and +1"), "the correction");
    // Seven criteria, four of which the published match tells; ten games until an account is shown.
    let criteria = cells(&files, "criteria.csv");
    assert_eq!(criteria.len(), 8);
    assert_eq!(
        criteria[1..].iter().filter(|row| !row[2].is_empty()).count(),
        4,
        "{criteria:?}"
    );
    let account = cells(&files, "account.csv");
    let shown = account[1..].iter().position(|row| !row[3].contains("calibrated"));
    assert_eq!(shown, Some(10), "{account:?}");
    for name in ["thresholds.csv", "leads.svg", "experience.svg", "scenario.csv"] {
        assert!(files.contains_key(name), "{name}");
    }
}

#[test]
fn the_figures_of_dominations_stand_beside_ours() {
    let files = written(&DOMINATIONS, &[]);
    links_are_there(&files);
    let printed = cells(&files, "printed.csv");
    assert_eq!(printed.len(), 5);
    let bases = cells(&files, "bases.csv");
    let ten = bases.iter().find(|row| row[0].starts_with("10")).unwrap();
    assert!((ten[2].parse::<f64>().unwrap() - 60.0).abs() < 1e-9, "{ten:?}");
    assert_eq!(cells(&files, "windows.csv").len(), 5);
    // Seven queues, and the old one with five ranges.
    assert_eq!(cells(&files, "queues.csv").len(), 1 + 9 + 5);
    let pull = cells(&files, "pull.csv");
    let after: Vec<f64> = pull[1..].iter().map(|row| row[1].parse().unwrap()).collect();
    assert!(after.windows(2).all(|pair| pair[0] < pair[1]));
    for name in [
        "k-by-wars.csv",
        "k-by-streak.csv",
        "k-by-glory.csv",
        "newcomers.csv",
        "newcomers.svg",
        "scenario.csv",
        "sizes.csv",
        "old-and-new.svg",
    ] {
        assert!(files.contains_key(name), "{name}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_others() {
    for arguments in [DOTA, DOMINATIONS] {
        let first = written(&arguments, &[]);
        assert_eq!(first, written(&arguments, &[]));
        assert_ne!(
            first["reproduction.json"],
            written(&arguments, &["--seed", "2"])["reproduction.json"]
        );
    }
}

#[test]
fn tables_are_printed_and_json_is_whole() {
    let text = answer(&DOTA, "");
    for caption in ["MMR by percentile", "The published match, row by row", "13,515"] {
        assert!(text.contains(caption), "{caption}");
    }
    let text = answer(&DOMINATIONS, "");
    for caption in [
        "K by streak",
        "New alliances",
        "The season's pull",
        "Points made and destroyed",
    ] {
        assert!(text.contains(caption), "{caption}");
    }
    let mut json = DOMINATIONS.to_vec();
    json.push("--json");
    let read: Value = serde_json::from_str(&answer(&json, "")).unwrap();
    assert_eq!(read["k_by_wars"][0][1], 256.0);
}

#[test]
fn impossible_settings_are_usage_errors_that_name_them() {
    for (arguments, name) in [
        (["reproduce", "dota", "--data-sets", "1"], "--data-sets is 1"),
        (["reproduce", "dota", "--games", "0"], "games"),
        (["reproduce", "dominations", "--newcomers", "1"], "newcomers"),
        (["reproduce", "dominations", "--rounds", "0"], "rounds"),
        (["reproduce", "dota", "--worlds", "1"], "--worlds is 1"),
        (["reproduce", "dominations", "--hours", "0"], "--hours is 0"),
    ] {
        let told = complaint(&arguments, "", 2);
        assert!(told.contains(name), "{told}");
    }
}

#[test]
fn the_examples_of_help_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut ran = 0;
    for paper in ["dota", "dominations"] {
        for example in examples_of(&["reproduce", paper]) {
            matchwright()
                .args(example)
                .current_dir(folder.path())
                .assert()
                .success();
            ran += 1;
        }
        assert!(Path::new(&folder.path().join("target").join(paper)).exists());
    }
    assert_eq!(ran, 4);
}

/// On one ladder there are a few intervals of each kind, of which all or all but some hold.
#[test]
fn what_one_ladder_shows_by_chance_is_inconclusive() {
    let folder = tempfile::tempdir().unwrap();
    let words = "reproduce sc2 --ladders 1 --seed 2 --out".split(' ');
    matchwright().args(words).arg(folder.path()).assert().success();
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(
        !page.contains("Not confirmed") && !page.contains("Failed"),
        "{page}"
    );
    assert!(
        page.contains("a hundred intervals of C") && page.contains("n: 1 ladders"),
        "{page}"
    );
}
