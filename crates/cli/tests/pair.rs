//! `matchwright pair` from outside.

use std::io::Write;

use crate::common::{answer, complaint, matchwright};
use serde_json::Value;

/// Pairing (0,1) and (2,3) costs 5, (0,2) and (1,3) costs 4, (0,3) and (1,2) costs 9.
const SQUARE: &str = "4 6\n0 1 2\n2 3 3\n0 2 1\n1 3 3\n0 3 4\n1 2 5\n";

fn json(arguments: &[&str], input: &str) -> Value {
    serde_json::from_str(&answer(&[&["pair", "-", "--json"], arguments].concat(), input)).unwrap()
}

#[test]
fn the_pairs_are_written_one_a_line_and_the_proof_goes_to_standard_error() {
    let run = matchwright()
        .args(["pair", "-", "--verify"])
        .write_stdin(SQUARE)
        .assert()
        .success();
    let output = run.get_output();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "4 2\n0 2\n1 3\n");
    let told = String::from_utf8_lossy(&output.stderr);
    for line in [
        "cost 4",
        "dual_bound 4",
        "verdict optimal, verified",
        "read_seconds",
        "solve_seconds",
    ] {
        assert!(told.lines().any(|l| l.starts_with(line)), "{line} in {told}");
    }
}

#[test]
fn max_pairs_at_the_most() {
    let told = json(&["--objective", "max", "--verify"], SQUARE);
    assert_eq!(told["cost"], 9.0);
    assert_eq!(told["dual_bound"], 9.0);
    assert_eq!(told["pairs"], serde_json::json!([[0, 3], [1, 2]]));
}

#[test]
fn every_solver_answers_and_none_beats_exact() {
    for solver in [
        "exact",
        "local-search",
        "path-growing",
        "greedy",
        "sort-adjacent",
        "random",
        "brute-force",
    ] {
        let told = json(&["--solver", solver], SQUARE);
        let cost = told["cost"].as_f64().unwrap();
        let aimless = ["sort-adjacent", "random"].contains(&solver);
        assert_eq!(told["objective"].is_null(), aimless, "{solver}");
        assert!(cost >= 4.0, "{solver}: {cost}");
        if ["exact", "brute-force"].contains(&solver) {
            assert_eq!(cost, 4.0, "{solver}");
        }
    }
}

#[test]
fn an_approximate_pairing_is_held_against_a_verified_bound() {
    for (objective, best) in [("min", 4.0), ("max", 9.0)] {
        for solver in ["local-search", "path-growing", "greedy"] {
            let told = json(
                &["--solver", solver, "--objective", objective, "--verify"],
                SQUARE,
            );
            let [cost, bound] = ["cost", "dual_bound"].map(|key| told[key].as_f64().unwrap());
            let sign = if objective == "min" { 1.0 } else { -1.0 };
            assert!(
                sign * bound <= sign * best && sign * best <= sign * cost,
                "{told}"
            );
            // Among four vertices an exchange of two pairs reaches everything.
            assert!(solver != "local-search" || cost == best, "{told}");
            assert_eq!(told["quantisation_error"], 0.0);
            let verdict = told["verdict"].as_str().unwrap();
            assert!(verdict.ends_with("verified"), "{verdict}");
            assert_eq!(verdict.starts_with("optimal"), cost == bound, "{told}");
        }
    }
    // What is claimed has a number, checked or not.
    for arguments in [&["--solver", "exact"][..], &["--deadline", "60"], &["--verify"]] {
        assert_eq!(
            json(arguments, SQUARE)["quantisation_error"],
            0.0,
            "{arguments:?}"
        );
    }
    let unasked = json(&["--solver", "local-search"], SQUARE);
    assert!(unasked["dual_bound"].is_null() && unasked["quantisation_error"].is_null());
    assert_eq!(unasked["verdict"], "perfect, nothing proven about its cost");
    // Nothing is known of pairings that aim at nothing.
    assert!(json(&["--solver", "random", "--verify"], SQUARE)["dual_bound"].is_null());
}

#[test]
fn a_verdict_that_speaks_of_an_error_stands_beside_its_number() {
    // So many that not every pair is looked at.
    let mut csv = "player,skill\n".to_owned();
    csv.extend((0..2600).map(|player| format!("p{player},{}\n", 800 + player * 7919 % 1601)));
    let told = json(&[], &csv);
    let verdict = told["verdict"].as_str().unwrap();
    assert!(
        verdict.starts_with("within quantisation_error of the optimum"),
        "{verdict}"
    );
    let error = told["quantisation_error"].as_f64().unwrap();
    assert!(error > 0.0 && error < 1e-6, "{error}");
    let off = told["cost"].as_f64().unwrap() - told["dual_bound"].as_f64().unwrap();
    assert!(off <= 2.0 * error, "{off} {error}");
}

#[test]
fn pairs_and_players_may_be_json() {
    let csv = "from,to,cost\nann,bob,2\ncyd,dot,3\nann,cyd,1\nbob,dot,3\n";
    let lines = "{\"from\":\"ann\",\"to\":\"bob\",\"cost\":2}\n{\"from\":\"cyd\",\"to\":\"dot\",\"cost\":3}\n\
                 {\"from\":\"ann\",\"to\":\"cyd\",\"cost\":1}\n{\"from\":\"bob\",\"to\":\"dot\",\"cost\":3}\n";
    let array = format!("[\n{}\n]\n", lines.trim().replace('\n', ",\n"));
    let wanted = answer(&["pair", "-"], csv);
    assert!(wanted.contains("ann,cyd"), "{wanted}");
    assert_eq!(answer(&["pair", "-"], lines), wanted);
    assert_eq!(answer(&["pair", "-"], array), wanted);
    let players = "[{\"player\":\"ann\",\"rating\":1500},{\"player\":\"bob\",\"rating\":1400}]";
    let rated = answer(&["pair", "-"], players);
    assert_eq!(
        rated,
        answer(&["pair", "-"], "player,rating\nann,1500\nbob,1400\n")
    );
}

/// Ann and Dan are 8.06 apart, Bob and Cyd 4.47; the next best pairs cost 5 and 7.62.
const POINTS: &str = "name,x,y\nann,0,0\nbob,3,4\ncyd,5,0\ndan,-4,7\n";

#[test]
fn points_cost_their_distances_which_may_be_rounded() {
    let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let best = distance([0.0, 0.0], [-4.0, 7.0]) + distance([3.0, 4.0], [5.0, 0.0]);
    let told = json(&["--verify"], POINTS);
    assert_eq!(told["pairs"], serde_json::json!([["ann", "dan"], ["bob", "cyd"]]));
    assert!((told["cost"].as_f64().unwrap() - best).abs() < 1e-12);
    let rounded = json(&["--distances", "rounded", "--verify"], POINTS);
    assert_eq!(
        (&rounded["cost"], &rounded["dual_bound"]),
        (&12.0.into(), &12.0.into())
    );
    assert_eq!(rounded["verdict"], "optimal, verified");
    let run = |arguments: &[&str], input: &str| {
        let run = matchwright()
            .arg("pair")
            .arg("-")
            .args(arguments)
            .write_stdin(input)
            .assert();
        String::from_utf8_lossy(&run.success().get_output().stderr).into_owned()
    };
    let told = run(&["--distances", "rounded"], POINTS);
    assert!(
        told.contains("costs the distance of its points, rounded to a whole number"),
        "{told}"
    );
    let told = run(&["--distances", "rounded"], SQUARE);
    assert!(told.contains("--distances had no effect"), "{told}");
    // In space, with columns of other names.
    let told = json(
        &["--columns", "x=east,y=north,z=up"],
        "id,east,north,up\na,0,0,0\nb,2,3,6\n",
    );
    assert_eq!(told["cost"], 7.0);
    let both = complaint(&["pair", "-"], "id,rating,x,y\na,1,0,0\nb,2,3,6\n", 1);
    assert!(both.contains("--columns x=COLUMN,y=COLUMN"), "{both}");
}

#[test]
fn an_empty_graph_has_an_empty_pairing() {
    assert_eq!(answer(&["pair", "-", "--verify"], "0 0\n"), "0 0\n");
}

#[test]
fn comments_blank_lines_marks_and_gzip_are_understood() {
    let commented = SQUARE.replace("4 6\n", "\u{feff}# a square\n\n4 6\n\n");
    assert_eq!(answer(&["pair", "-"], commented.clone()), "4 2\n0 2\n1 3\n");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(commented.as_bytes()).unwrap();
    let bytes = gzip.finish().unwrap();
    assert_eq!(answer(&["pair", "-"], bytes.clone()), "4 2\n0 2\n1 3\n");
    let cut = complaint(&["pair", "-"], &bytes[..bytes.len() / 2], 1);
    assert!(cut.contains("cut off"), "{cut}");
}

/// Input, and what the complaint must name: place and matter.
const BROKEN: [(&str, &[&str]); 18] = [
    ("", &[":1:1:", "empty"]),
    ("4\n", &[":1:2:", "edges"]),
    ("x 6\n", &[":1:1:", "`x`"]),
    ("4 6 9\n", &[":1:5:", "`9`"]),
    ("-4 6\n", &[":1:1:", "`-4`"]),
    ("2 1\n0 1 NaN\n", &[":2:5:", "NaN"]),
    ("2 1\n0 1 inf\n", &[":2:5:", "inf"]),
    ("2 1\n0 1 1e999\n", &[":2:5:", "1e999"]),
    ("2 1\n0 1\n", &[":2:", "weight"]),
    ("2 1\n0 1 2 3\n", &[":2:7:", "`3`"]),
    ("2 1\n0 a 2\n", &[":2:3:", "`a`"]),
    ("2 1\n0 -1 2\n", &[":2:3:", "`-1`"]),
    ("2 1\n0 2 5\n", &[":2:1:", "2"]),
    ("2 1\n0 0 5\n", &[":2:1:", "0"]),
    ("4 3\n0 1 5\n2 3 1\n1 0 5\n", &[":4:1:", "0", "1"]),
    ("4 3\n0 1 5\n", &["promises 3", "1 follow"]),
    ("3 3\n0 1 1\n1 2 1\n0 2 1\n", &["odd"]),
    ("18446744073709551615 1\n0 1 1\n", &["vertices"]),
];

#[test]
fn broken_graphs_name_place_and_matter() {
    for (input, words) in BROKEN {
        let told = complaint(&["pair", "-"], input, 1);
        for word in words {
            assert!(told.contains(word), "{input:?}: `{word}` in {told}");
        }
    }
    let told = complaint(&["pair", "-"], b"2 1\n0 1 \xff\n".to_vec(), 1);
    assert!(told.contains(":2:5:"), "{told}");
}

#[test]
fn who_cannot_be_placed_is_named() {
    // A star: the centre can be paired with one of its three leaves only.
    let told = complaint(&["pair", "-"], "4 3\n0 1 1\n0 2 1\n0 3 1\n", 1);
    assert!(told.contains("perfect"), "{told}");
    // Two vertices have no edge at all.
    let told = complaint(&["pair", "-"], "4 2\n0 1 1\n1 2 1\n", 1);
    assert!(told.contains('3'), "{told}");
}

#[test]
fn a_usage_error_is_code_2() {
    for arguments in [
        &["pair"][..],
        &["pair", "-", "--objective", "best"],
        &["pear"],
        &["pair", "-", "--solver", "magic"],
        &["pair", "-", "--solver", "random", "--objective", "max"],
    ] {
        complaint(arguments, "", 2);
    }
    complaint(&["pair", "no-such-file.txt"], "", 1);
    complaint(&["pair", "."], "", 1);
}

/// A sentinel for "never" beside small weights: the usual idiom, and a range that 54 bits cannot hold.
#[test]
fn weights_of_very_different_size_are_paired_right() {
    let sentinel = "4 6\n0 1 0.24\n2 3 0.24\n0 2 0.22\n1 3 0.22\n0 3 1e15\n1 2 1e15\n";
    let told = json(&["--verify"], sentinel);
    assert_eq!(told["cost"], 0.44);
    assert!(told["dual_bound"].as_f64().unwrap() <= 0.44, "{told}");
    assert!(told["verdict"].as_str().unwrap().starts_with("optimal"), "{told}");
}

#[cfg(unix)]
#[test]
fn nobody_listening_on_standard_error_is_no_panic() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("matchwright"))
        .args(["pair", "no-such-file"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_written_file_has_a_manifest_with_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("square.txt");
    std::fs::write(&graph, SQUARE).unwrap();
    let out = folder.path().join("pairs.txt");
    matchwright()
        .arg("pair")
        .arg(&graph)
        .arg("--out")
        .arg(&out)
        .assert()
        .success()
        .stdout("");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "4 2\n0 2\n1 3\n");
    let manifest = std::fs::read_to_string(folder.path().join("pairs.txt.manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["inputs"][0]["name"], "square.txt");
    assert_eq!(manifest["inputs"][0]["bytes"], SQUARE.len());
    assert_eq!(manifest["outputs"][0]["sha256"].as_str().unwrap().len(), 64);
    assert!(
        manifest["command"]
            .as_str()
            .unwrap()
            .starts_with("matchwright pair square.txt")
    );
}

/// Known optima, with the certificate checked on each.
#[test]
fn published_optima_are_reached_and_proven() {
    let Some(folder) = std::env::var_os("MATCHWRIGHT_INSTANCES") else {
        crate::common::say(
            "skipped: MATCHWRIGHT_INSTANCES is not set, so there are no known optima to reach",
        );
        return;
    };
    let optima = [
        ("eomm-100-1", 49_103_462.0),
        ("eomm-100-2", 49_883_533.0),
        ("eomm-300-1", 151_471_638.0),
        ("uniform-100-1", 780_638.0),
        ("uniform-100-2", 719_439.0),
        ("uniform-300-1", 861_836.0),
        ("euclid-100-1", 3_161_538.0),
        ("euclid-100-2", 3_150_360.0),
        ("euclid-300-1", 5_451_551.0),
    ];
    for (name, optimum) in optima {
        let file = std::path::Path::new(&folder).join(format!("{name}.txt.gz"));
        let run = matchwright()
            .arg("pair")
            .arg(file)
            .args(["--verify", "--json"])
            .assert()
            .success();
        let told: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
        assert_eq!(told["cost"], optimum, "{name}");
        assert_eq!(told["dual_bound"], optimum, "{name}");
        assert_eq!(told["verdict"], "optimal, verified", "{name}");
    }
}
