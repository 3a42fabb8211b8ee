//! `matchwright pair --deadline` from outside. No test depends on how fast the machine is.

use std::fmt::Write as _;

use crate::common::{answer, complaint, matchwright};
use serde_json::{Value, json};

/// A complete graph with weights that have no pattern.
fn graph(vertices: u64) -> String {
    let mut text = format!("{vertices} {}\n", vertices * (vertices - 1) / 2);
    for i in 0..vertices {
        for j in i + 1..vertices {
            writeln!(text, "{i} {j} {}", (i * 7919 + j * 104_729 + i * j * 31) % 1009).unwrap();
        }
    }
    text
}

fn told(arguments: &[&str], input: &str) -> Value {
    serde_json::from_str(&answer(&[&["pair", "-", "--json"], arguments].concat(), input)).unwrap()
}

#[test]
fn no_time_at_all_gives_a_pairing_and_the_gap_that_is_proven() {
    let graph = graph(60);
    for objective in ["min", "max"] {
        let best = told(&["--objective", objective], &graph);
        let hasty = told(&["--objective", objective, "--deadline", "0", "--verify"], &graph);
        let number = |told: &Value, key: &str| told[key].as_f64().unwrap();
        let sign = if objective == "min" { 1.0 } else { -1.0 };
        assert!(
            sign * number(&hasty, "cost") >= sign * number(&best, "cost"),
            "{hasty}"
        );
        assert!(
            sign * number(&hasty, "dual_bound") <= sign * number(&best, "cost"),
            "{hasty}"
        );
        assert_eq!(
            number(&hasty, "gap"),
            sign * (number(&hasty, "cost") - number(&hasty, "dual_bound"))
        );
        assert!(number(&hasty, "gap") > 0.0, "{hasty}");
        assert_eq!(
            (&hasty["deadline_reached"], &hasty["reproducible"]),
            (&json!(true), &json!(false))
        );
        assert_eq!(hasty["pairs"].as_array().unwrap().len(), 30);
        assert_eq!(
            hasty["verdict"],
            "the optimum lies between dual_bound and cost, not verified: time"
        );
    }
}

#[test]
fn a_bound_that_nobody_checked_is_not_called_optimal() {
    let hasty = told(&["--deadline", "0"], &graph(60));
    assert_eq!(
        hasty["verdict"],
        "the optimum lies between dual_bound and cost, bound not checked (--verify checks it)"
    );
}

#[test]
fn time_enough_gives_the_optimum_and_its_proof() {
    let graph = graph(20);
    let best = told(&["--verify"], &graph);
    let calm = told(&["--deadline", "100000", "--verify"], &graph);
    for key in ["cost", "dual_bound", "pairs", "verdict"] {
        assert_eq!(calm[key], best[key], "{key}");
    }
    assert_eq!(calm["verdict"], "optimal, verified");
    assert_eq!(calm["gap"], 0.0);
    assert_eq!(
        (&calm["deadline_reached"], &calm["reproducible"]),
        (&json!(false), &json!(true))
    );
}

/// As `lobby` reads them.
#[test]
fn a_deadline_is_written_with_a_unit_or_in_seconds() {
    for deadline in ["2m", "100s", "100000ms", "1m 40s", "100", "1e2"] {
        let told = told(&["--deadline", deadline], &graph(20));
        assert_eq!(told["deadline_reached"], false, "{deadline}");
    }
}

#[test]
fn without_a_deadline_there_is_no_gap() {
    let told = told(&[], &graph(20));
    for key in ["gap", "deadline_reached", "reproducible"] {
        assert_eq!(told.get(key), None, "{key}");
    }
    let run = matchwright()
        .args(["pair", "-"])
        .write_stdin(graph(20))
        .assert()
        .success();
    let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(!text.contains("gap") && !text.contains("deadline"), "{text}");
}

#[test]
fn the_gap_and_that_the_run_is_not_reproducible_are_told() {
    let run = matchwright()
        .args(["pair", "-", "--deadline", "0"])
        .write_stdin(graph(60))
        .assert()
        .success();
    let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(text.lines().any(|line| line.starts_with("gap ")), "{text}");
    let of_deadline = text.lines().find(|line| line.starts_with("deadline ")).unwrap();
    assert!(of_deadline.contains("not reproducible"), "{text}");
}

#[test]
fn a_written_file_says_in_its_manifest_that_it_is_not_reproducible() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("pairs.txt");
    matchwright()
        .args(["pair", "-", "--deadline", "0", "--out"])
        .arg(&out)
        .write_stdin(graph(60))
        .assert()
        .success();
    let manifest = std::fs::read_to_string(folder.path().join("pairs.txt.manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(
        manifest["command"],
        "matchwright pair - --solver exact --deadline 0 --seed 1"
    );
    let configuration = &manifest["configuration"];
    assert_eq!(configuration["deadline_seconds"], 0.0);
    assert_eq!(
        (&configuration["deadline_reached"], &configuration["reproducible"]),
        (&json!(true), &json!(false))
    );
}

#[test]
fn a_deadline_is_a_time_and_for_the_exact_solver_alone() {
    for arguments in [
        &["pair", "-", "--deadline", "-1"][..],
        &["pair", "-", "--deadline", "soon"],
        &["pair", "-", "--deadline", "NaN"],
        &["pair", "-", "--deadline", "inf"],
        &["pair", "-", "--deadline", "1", "--solver", "greedy"],
        &["pair", "-", "--deadline", "1", "--fewest-unmatched"],
        &["pair", "-", "--deadline", "1", "--unmatched-penalty", "2"],
    ] {
        complaint(arguments, "2 1\n0 1 1\n", 2);
    }
}

#[test]
fn where_nobody_can_be_paired_no_deadline_helps() {
    // A star: the centre can be paired with one of its three leaves only.
    let told = complaint(&["pair", "-", "--deadline", "0"], "4 3\n0 1 1\n0 2 1\n0 3 1\n", 1);
    assert!(
        told.contains("vertices 2, 3 cannot be placed, since without vertex 0"),
        "{told}"
    );
}
