//! Ctrl-C in a search under a deadline: what was found so far is the answer. No test depends on how fast the machine is,
//! but that no search here ends by itself within a quarter of an hour.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::common::example;

/// A search, begun: the program, and its standard error from there on.
fn begun(arguments: &[&str]) -> (Child, BufReader<std::process::ChildStderr>) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("matchwright"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("Ctrl-C ends it with the best so far") {
        line.clear();
        assert_ne!(
            told.read_line(&mut line).unwrap(),
            0,
            "the search ended by itself"
        );
    }
    (child, told)
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// Standard output of a search that Ctrl-C ended, and all that it told from there on.
fn ended(mut child: Child, mut told: BufReader<std::process::ChildStderr>) -> (String, String) {
    let (mut out, mut said) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    told.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    (out, said)
}

#[test]
fn ctrl_c_in_a_search_for_lobbies_writes_the_best_so_far_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let (players, policy) = (
        example("lobby/players.jsonl"),
        example("policies/awesomenauts.toml"),
    );
    let search = [
        "lobby",
        &players,
        "--policy",
        &policy,
        "--deadline",
        "15m",
        "--threads",
        "1",
        "--out",
        out,
    ];
    let (child, told) = begun(&search);
    interrupt(&child);
    let (out, said) = ended(child, told);
    assert!(said.contains("stopping"), "{said}");
    assert!(out.contains("Stopped by Ctrl-C after"), "{out}");
    let written = std::fs::read_to_string(folder.path().join("lineups.json")).unwrap();
    let written: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(written["matches"].as_array().unwrap().len(), 16);
    assert!(
        written["notes"].to_string().contains("Stopped by Ctrl-C"),
        "{written}"
    );
    assert_eq!(written["reproducible"], false);
}

#[test]
fn a_second_ctrl_c_ends_the_program() {
    let (players, policy) = (
        example("lobby/players.jsonl"),
        example("policies/awesomenauts.toml"),
    );
    let search = [
        "lobby",
        &players,
        "--policy",
        &policy,
        "--deadline",
        "15m",
        "--threads",
        "1",
    ];
    let (mut child, mut told) = begun(&search);
    // Two signals at once may be seen as one.
    interrupt(&child);
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    assert!(line.contains("stopping"), "{line}");
    interrupt(&child);
    // Unless the search was quicker.
    let code = child.wait().unwrap().code();
    assert!(matches!(code, Some(130 | 0)), "{code:?}");
}

/// A ring with two chords from each vertex: so many that pairing them takes seconds.
fn large_graph() -> String {
    const VERTICES: u64 = 300_000;
    let mut text = format!("{VERTICES} {}\n", 3 * VERTICES);
    let mut state = 1_u64;
    for step in [1, 1009, 50_021] {
        for vertex in 0..VERTICES {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let weight = (state >> 33) % 1000;
            writeln!(text, "{vertex} {} {weight}", (vertex + step) % VERTICES).unwrap();
        }
    }
    text
}

#[test]
fn ctrl_c_in_the_exact_solver_pairs_the_rest_and_proves_the_gap() {
    let folder = tempfile::tempdir().unwrap();
    let [graph, out] = ["graph.txt", "pairs.txt"].map(|name| folder.path().join(name));
    std::fs::write(&graph, large_graph()).unwrap();
    let [graph, out] = [&graph, &out].map(|path| path.to_str().unwrap());
    let (child, told) = begun(&["pair", graph, "--deadline", "15m", "--json", "--out", out]);
    interrupt(&child);
    let (answer, said) = ended(child, told);
    assert!(said.contains("stopping"), "{said}");
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["interrupted"], true);
    assert_eq!(answer["deadline_reached"], false);
    assert!(answer["gap"].as_f64().unwrap() > 0.0, "{answer}");
    assert_eq!(std::fs::read_to_string(out).unwrap().lines().count(), 150_001);
    let manifest = std::fs::read_to_string(format!("{out}.manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["configuration"]["interrupted"], true);
    assert_eq!(manifest["configuration"]["reproducible"], false);
}
