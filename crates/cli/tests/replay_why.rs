//! Why a ticket waits, as `matchwright replay` tells it: what it promises comes to pass.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{example, is_deep, matchwright, say};

/// When each ticket of a log came and left, in milliseconds.
fn spans(log: &str) -> BTreeMap<String, (i64, Option<i64>)> {
    let text = std::fs::read_to_string(log).unwrap();
    let millis = |cell: &str| {
        (1000.0 * cell.parse::<f64>().ok()?)
            .round()
            .to_string()
            .parse()
            .ok()
    };
    let json = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        (row["id"].to_string(), (row["came"].as_i64().unwrap(), None))
    };
    let csv = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        (cells[0].to_owned(), (millis(cells[1]).unwrap(), millis(cells[2])))
    };
    if log.ends_with("jsonl") {
        return text.lines().map(json).collect();
    }
    text.lines().skip(1).map(csv).collect()
}

/// Every ticket that both logs explain under every policy that takes them, once it is overdue.
#[test]
fn a_promised_match_is_made_then_if_nobody_comes_or_leaves_and_stands_beside_nothing_that_denies_it() {
    let (mut promised, mut held) = (0, 0);
    let most = if is_deep() { 1_000 } else { 250 };
    let policies = std::fs::read_dir(example("policies")).unwrap();
    let policies: Vec<String> = policies
        .map(|file| {
            file.unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    for log in ["teams.jsonl", "tickets.csv"].map(|name| example(&format!("queue/{name}"))) {
        let spans = spans(&log);
        // The fewer teams, the more searches each explanation takes.
        let overdue = if log.ends_with("jsonl") { 10 } else { 60 };
        for policy in &policies {
            let folder = tempfile::tempdir().unwrap();
            let line =
                format!("replay {log} --policy {policy} --overdue {overdue} --explain {most} --out out");
            let mut run = matchwright();
            let run = run.args(line.split(' ')).arg("--json").current_dir(folder.path());
            let run = run.output().unwrap();
            if !run.status.success() {
                continue;
            }
            let told: Value = serde_json::from_slice(&run.stdout).unwrap();
            let tickets = std::fs::read_to_string(folder.path().join("out/tickets.csv")).unwrap();
            let waited: BTreeMap<&str, (bool, f64)> = tickets
                .lines()
                .skip(1)
                .map(|line| {
                    let cells: Vec<&str> = line.split(',').collect();
                    (cells[1], (cells[3] == "matched", cells[5].parse().unwrap()))
                })
                .collect();
            let last = spans.values().map(|span| span.0).max().unwrap();
            let end = last as f64 + 1000.0 * told["tail_seconds"].as_f64().unwrap();
            for one in told["policies"][0]["explained"].as_array().unwrap() {
                let (ticket, why) = (one["ticket"].as_str().unwrap(), &one["why"]);
                let Some(at) = why["earliest"].as_i64() else {
                    continue;
                };
                promised += 1;
                let says = format!("{policy} {overdue} {one:#}");
                assert!(why["too_few"].is_null(), "{says}");
                assert!(!says.contains("nobody "), "{says}");
                let candidates = why["candidates"].as_array().unwrap();
                let times: Vec<i64> = candidates
                    .iter()
                    .filter_map(|one| one["compatible_at"].as_i64())
                    .collect();
                let first = times.iter().min().copied();
                assert!(
                    candidates.is_empty() || first.is_some_and(|first| first <= at),
                    "{says}"
                );
                let came = spans[ticket].0;
                let now = came + 1000 * overdue;
                let is_between = |time: i64| now < time && time <= at;
                let disturbs = |(_, &(came, left)): (&String, &(i64, Option<i64>))| {
                    is_between(came) || left.is_some_and(is_between)
                };
                if at as f64 > end || spans.iter().any(disturbs) {
                    continue;
                }
                held += 1;
                let (is_matched, waited) = waited[ticket];
                let found = came as f64 + 1000.0 * waited;
                assert!(is_matched && (found - at as f64).abs() < 1.0, "{waited} {says}");
            }
        }
    }
    assert!(promised > 150 && held > 10, "{promised} {held}");
    say(&format!("{promised} promised, {held} undisturbed"));
}
