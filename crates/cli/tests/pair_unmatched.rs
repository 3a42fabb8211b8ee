//! `matchwright pair` where not everyone plays, from outside.

use crate::common::{answer, complaint, matchwright};
use serde_json::{Value, json};

/// A path of four with a cheap middle, and a fifth vertex that likes the second.
const PATH: &str = "5 4\n0 1 6\n1 2 1\n2 3 6\n1 4 9\n";

/// Every solver can answer: all pairs are allowed.
const COMPLETE: &str = "3 3\n0 1 4\n0 2 6\n1 2 8\n";

fn told(arguments: &[&str], input: &str) -> Value {
    let all = [&["pair", "-", "--json", "--verify"], arguments].concat();
    serde_json::from_str(&answer(&all, input)).unwrap()
}

#[test]
fn pairs_are_made_only_where_they_are_worth_their_penalties() {
    let told = told(&["--unmatched-penalty", "2.5"], PATH);
    assert_eq!(told["pairs"], json!([[1, 2]]));
    assert_eq!(told["unmatched"], json!([0, 3, 4]));
    assert_eq!((&told["cost"], &told["dual_bound"]), (&json!(8.5), &json!(8.5)));
    assert_eq!(told["verdict"], "optimal, verified");
    assert_eq!(told.get("barrier"), None);
}

#[test]
fn as_few_as_possible_stay_unmatched_with_the_reason_why() {
    let told = told(&["--fewest-unmatched"], PATH);
    assert_eq!(told["pairs"], json!([[0, 1], [2, 3]]));
    assert_eq!((&told["unmatched"], &told["cost"]), (&json!([4]), &json!(12.0)));
    assert_eq!(
        told["barrier"]["odd_components"],
        told["barrier"]["vertices"].as_array().unwrap().len() + 1
    );
    assert_eq!(told["verdict"], "optimal, verified");
}

#[test]
fn penalties_say_which_of_the_fewest() {
    let told = told(
        &[
            "--fewest-unmatched",
            "--unmatched-penalties",
            &penalties("4 10\n0 5\n"),
        ],
        PATH,
    );
    // 9 + 6 + 5 is less than 6 + 6 + 10.
    assert_eq!((&told["unmatched"], &told["cost"]), (&json!([0]), &json!(20.0)));
}

/// A file of penalties; left to the system to clean up.
fn penalties(text: &str) -> String {
    let (_, path) = tempfile::NamedTempFile::new().unwrap().keep().unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn penalties_of_single_vertices_come_from_a_file() {
    // Vertex 3 has waited: it is worth 6 to get 8 off.
    let file = penalties("# who has waited\n\n3 8\n");
    let told = told(
        &["--unmatched-penalty", "2.5", "--unmatched-penalties", &file],
        PATH,
    );
    assert_eq!(told["pairs"], json!([[2, 3]]));
    assert_eq!(told["cost"], 6.0 + 3.0 * 2.5);
    let all = penalties("0 9\n1 9\n2 9\n3 9\n4 0\n");
    let told = self::told(&["--unmatched-penalties", &all], PATH);
    assert_eq!(told["unmatched"], json!([4]));
}

#[test]
fn a_penalty_is_paid_also_when_maximised() {
    let told = told(&["--objective", "max", "--unmatched-penalty", "-4"], PATH);
    assert_eq!((&told["pairs"], &told["cost"]), (&json!([[1, 4]]), &json!(21.0)));
    let told = self::told(&["--objective", "max", "--unmatched-penalty", "4"], PATH);
    // 9 + 6 - 4.
    assert_eq!((&told["unmatched"], &told["cost"]), (&json!([0]), &json!(11.0)));
}

#[test]
fn who_sits_out_is_listed_after_the_pairs() {
    let run = matchwright()
        .args(["pair", "-", "--fewest-unmatched", "--verify"])
        .write_stdin("4 3\n0 1 1\n0 2 2\n0 3 3\n")
        .assert()
        .success();
    let output = run.get_output();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "4 1\n0 1\n2 -\n3 -\n");
    let told = String::from_utf8_lossy(&output.stderr);
    for line in [
        "cost 1",
        "dual_bound 1",
        "unmatched 2",
        "barrier of 1: without it there are 3 odd components",
        "verdict optimal, verified",
    ] {
        assert!(told.lines().any(|l| l.starts_with(line)), "{line} in {told}");
    }
}

#[test]
fn every_solver_answers() {
    for solver in [
        "exact",
        "local-search",
        "path-growing",
        "greedy",
        "sort-adjacent",
        "random",
        "brute-force",
    ] {
        for arguments in [&["--unmatched-penalty", "3"][..], &["--fewest-unmatched"]] {
            let told = told(&[&["--solver", solver], arguments].concat(), COMPLETE);
            let out = told["unmatched"].as_array().unwrap().len();
            assert_eq!(out + 2 * told["pairs"].as_array().unwrap().len(), 3, "{solver}");
            let least = if arguments.len() == 2 { 7.0 } else { 4.0 };
            let cost = told["cost"].as_f64().unwrap();
            let best = ["exact", "brute-force"].contains(&solver);
            assert!(
                if best { cost == least } else { cost >= least },
                "{solver}: {cost}"
            );
        }
    }
    let told = told(&["--solver", "random", "--fewest-unmatched"], COMPLETE);
    assert_eq!(told["verdict"], "nothing proven about its cost");
}

#[test]
fn an_approximate_lineup_is_held_against_a_verified_bound() {
    for solver in ["local-search", "path-growing", "greedy"] {
        for (arguments, least) in [
            (&["--unmatched-penalty", "3"][..], 7.0),
            (&["--fewest-unmatched"], 4.0),
        ] {
            let told = told(&[&["--solver", solver], arguments].concat(), COMPLETE);
            let [cost, bound] = ["cost", "dual_bound"].map(|key| told[key].as_f64().unwrap());
            assert!(bound <= least && least <= cost, "{told}");
            let verdict = told["verdict"].as_str().unwrap();
            assert_eq!(
                verdict.starts_with("optimal by its bound"),
                cost == bound,
                "{told}"
            );
        }
    }
}

#[test]
fn vertices_without_any_edge_stay_unmatched() {
    assert_eq!(
        answer(&["pair", "-", "--fewest-unmatched"], "4 1\n1 3 2\n"),
        "4 1\n1 3\n0 -\n2 -\n"
    );
    assert_eq!(
        answer(&["pair", "-", "--unmatched-penalty", "1"], "2 0\n"),
        "2 0\n0 -\n1 -\n"
    );
    assert_eq!(answer(&["pair", "-", "--fewest-unmatched"], "0 0\n"), "0 0\n");
    let told = complaint(
        &["pair", "-", "--fewest-unmatched"],
        "18446744073709551615 0\n",
        1,
    );
    assert!(told.contains("leave those out"), "{told}");
}

#[test]
fn broken_penalties_name_place_and_matter() {
    for (text, words) in [
        ("0 x\n", &[":1:3:", "`x`"][..]),
        ("0 1\n1 NaN\n", &[":2:3:", "NaN"]),
        ("0 1e308\n", &[":1:3:", "1e308"]),
        ("5 1\n", &[":1:1:", "vertex 5"]),
        ("-1 1\n", &[":1:1:", "`-1`"]),
        ("0 1\n\n0 2\n", &[":3:1:", "already"]),
        ("0\n", &[":1:", "no penalty"]),
        ("0 1 2\n", &[":1:5:", "`2`"]),
        (
            "0 1\n1 1\n2 1\n4 1\n",
            &["vertex 3 has no penalty", "--unmatched-penalty"],
        ),
    ] {
        let told = complaint(&["pair", "-", "--unmatched-penalties", &penalties(text)], PATH, 1);
        for word in words {
            assert!(told.contains(word), "{text:?}: `{word}` in {told}");
        }
    }
    complaint(&["pair", "-", "--unmatched-penalties", "no-such-file"], PATH, 1);
}

#[test]
fn options_that_make_no_sense_are_code_2() {
    for arguments in [
        &["--unmatched-penalty", "NaN"][..],
        &["--unmatched-penalty", "inf"],
        &["--unmatched-penalty", "1e308"],
        &["--unmatched-penalty", "much"],
        &["--unmatched-penalty"],
        &["--unmatched-penalty", "1", "--unmatched-penalties", "-"],
    ] {
        complaint(&[&["pair", "-"], arguments].concat(), PATH, 2);
    }
}

#[test]
fn a_written_lineup_says_what_it_was_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(file("path.txt"), PATH).unwrap();
    std::fs::write(file("waits.txt"), "3 8\n").unwrap();
    let run = matchwright()
        .args([
            "pair",
            &file("path.txt"),
            "--unmatched-penalty",
            "2.5",
            "--unmatched-penalties",
            &file("waits.txt"),
        ])
        .args(["--out", &file("pairs.txt"), "--json"])
        .assert()
        .success();
    let told: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!((told.get("pairs"), &told["unmatched"]), (None, &json!([0, 1, 4])));
    let written = std::fs::read_to_string(file("pairs.txt")).unwrap();
    assert_eq!(written, "5 1\n2 3\n0 -\n1 -\n4 -\n");
    let manifest = std::fs::read_to_string(file("pairs.txt.manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(
        manifest["command"],
        "matchwright pair path.txt --solver exact --unmatched-penalty 2.5 --unmatched-penalties waits.txt --seed 1"
    );
    assert_eq!(manifest["inputs"][1]["name"], "waits.txt");
    assert_eq!(manifest["configuration"]["unmatched_penalty"], 2.5);
    // Nothing is written over the penalties.
    let told = complaint(
        &[
            "pair",
            &file("path.txt"),
            "--fewest-unmatched",
            "--unmatched-penalties",
            &file("waits.txt"),
            "--out",
            &file("waits.txt"),
        ],
        "",
        2,
    );
    assert!(told.contains("written over"), "{told}");
}

#[test]
fn without_these_options_everyone_must_be_paired() {
    let told = complaint(&["pair", "-"], PATH, 1);
    assert!(told.contains("perfect"), "{told}");
    let told = complaint(&["pair", "-"], "4 1\n1 3 2\n", 1);
    assert!(told.contains("some vertex has none"), "{told}");
    let all: Value = serde_json::from_str(&answer(&["pair", "-", "--json"], "2 1\n0 1 3\n")).unwrap();
    assert_eq!(all.get("unmatched"), None);
}
