//! `matchwright study eomm` from outside, and the examples that `--help` shows.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::{answer, complaint, examples_of, files, matchwright};
use serde_json::Value;
use sha2::{Digest, Sha256};

const SMALL: [&str; 9] = [
    "study",
    "eomm",
    "--players",
    "400",
    "--days",
    "12",
    "--rounds",
    "20",
    "--pools=20,40",
];

fn study(folder: &Path, more: &[&str]) -> BTreeMap<String, Vec<u8>> {
    matchwright()
        .args(SMALL)
        .args(more)
        .arg("--out")
        .arg(folder)
        .assert()
        .success();
    files(folder)
}

#[test]
fn the_folder_holds_the_page_every_table_and_a_manifest_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let files = study(folder.path(), &[]);
    let manifest: Value = serde_json::from_slice(&files["manifest.json"]).unwrap();
    let listed = manifest["outputs"].as_array().unwrap();
    assert_eq!(listed.len() + 1, files.len());
    for output in listed {
        let content = &files[output["name"].as_str().unwrap()];
        assert_eq!(output["bytes"], content.len());
        let digest = Sha256::digest(content);
        let hex: String = digest
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .concat();
        assert_eq!(output["sha256"], hex);
    }
    assert_eq!(manifest["seed"], 1);
    assert_eq!(manifest["configuration"]["study"]["rounds"], 20);
    assert_eq!(manifest["configuration"]["population"]["players"], 400);
    for name in [
        "index.html",
        "study.json",
        "table2.csv",
        "welch.csv",
        "paired.csv",
        "gains.csv",
        "churn-by-last-three-8h.csv",
    ] {
        assert!(files.contains_key(name), "{name}");
    }
    let page = String::from_utf8(files["index.html"].clone()).unwrap();
    for words in [
        "Table 2",
        "Welch",
        "last three",
        "<svg",
        "What this does not show",
        "generator assumes",
    ] {
        assert!(page.contains(words), "{words}");
    }
    for outside in ["src=\"http", "href=\"http", "@import", "<script src"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let table2 = String::from_utf8(files["table2.csv"].clone()).unwrap();
    assert_eq!(table2.lines().count(), 5, "{table2}");
}

/// The manifest's command makes the same files again.
#[test]
fn the_recorded_command_repeats_the_study() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = study(
        one.path(),
        &["--horizon", "4", "--draws", "davidson", "--fit-rows", "1500"],
    );
    let manifest: Value = serde_json::from_slice(&first["manifest.json"]).unwrap();
    let command = manifest["command"].as_str().unwrap().to_owned();
    let words = command.split_whitespace().skip(1);
    matchwright()
        .args(words)
        .arg("--out")
        .arg(two.path())
        .assert()
        .success();
    assert_eq!(first, files(two.path()));
}

#[test]
fn skipped_rows_are_counted_in_every_report() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let matches =
        std::fs::read_to_string(root.join("examples/matches.csv")).unwrap() + "no,such,match,at,all\n";
    let arguments = [
        "study",
        "eomm",
        "--rounds",
        "2",
        "--pools",
        "20",
        "--skip-bad",
        "--json",
        "--matches",
        "-",
    ];
    let run = matchwright()
        .args(arguments)
        .arg("--out")
        .arg(folder.path())
        .write_stdin(matches)
        .assert()
        .success();
    let told: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(told["source"]["skipped_rows"], 1);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("1 match (1 row) skipped"));
    let files = files(folder.path());
    for name in ["study.json", "manifest.json"] {
        assert!(
            String::from_utf8_lossy(&files[name]).contains("\"skipped_rows\": 1"),
            "{name}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let (one, two, other) = (
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
    );
    let first = study(one.path(), &["--threads", "1"]);
    assert_eq!(first, study(two.path(), &["--threads", "3"]));
    assert_ne!(
        first["table2.csv"],
        study(other.path(), &["--seed", "2"])["table2.csv"]
    );
}

#[test]
fn saved_matches_give_the_same_study_when_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("matches.csv");
    let more = ["--save-matches", saved.to_str().unwrap(), "--json"];
    let generated: Value = serde_json::from_str(&answer(&[&SMALL[..], &more].concat(), "")).unwrap();
    let read = [
        "study",
        "eomm",
        "--rounds",
        "20",
        "--pools=20,40",
        "--json",
        "--matches",
        saved.to_str().unwrap(),
    ];
    let read: Value = serde_json::from_str(&answer(&read, "")).unwrap();
    assert_eq!(read["data"], generated["data"]);
    let mean = |told: &Value| {
        told["pools"][0]["fitted"]["methods"][3]["expected"]["mean"]
            .as_f64()
            .unwrap()
    };
    assert_eq!(mean(&read), mean(&generated));
    assert_eq!(
        (&read["truth_known"], &generated["truth_known"]),
        (&Value::Bool(false), &Value::Bool(true))
    );
}

#[test]
fn what_cannot_be_run_is_said_with_the_right_code() {
    for more in [
        &["--pools", "3"][..],
        &["--pools", "x"],
        &["--rounds", "0"],
        &["--threads", "0"],
        &["--matches", "a", "--players", "3"],
        &["--matches", "a", "--scale", "paper"],
        &["--scale", "paper", "--players", "3"],
    ] {
        complaint(&[&["study", "eomm"], more].concat(), "", 2);
    }
    for more in [
        &["--players", "1"][..],
        &["--draw-rate", "NaN"],
        &["--columns", "time=x"],
        &["--skip-bad"],
    ] {
        complaint(&[&["study", "eomm"], more].concat(), "", 2);
    }
    assert!(
        complaint(&["study", "eomm", "--matches", "no-such-file.csv"], "", 1).contains("no-such-file.csv")
    );
    let few = "time,player1,player2,result\n2024-01-01,a,b,1\n2024-01-02,b,a,1\n";
    let told = complaint(&["study", "eomm", "--matches", "-"], few, 1);
    assert!(
        told.contains("matches") || told.contains("player-matches"),
        "{told}"
    );
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("odd.toml");
    std::fs::write(&odd, "skil_mean = 1\n").unwrap();
    let told = complaint(&["study", "eomm", "--population", odd.to_str().unwrap()], "", 1);
    assert!(told.contains("odd.toml:1:1: unknown field `skil_mean`"), "{told}");
}

#[test]
fn games_of_teams_are_bad_rows_of_a_study_and_sides_of_one_player_are_not() {
    let duel = r#"{"time":1800000001,"teams":["a",["b"]],"ranks":[1,2]}"#;
    let teams = r#"{"time":1800000002,"teams":[["a","c"],["b"]],"ranks":[1,2]}"#;
    let told = complaint(
        &["study", "eomm", "--matches", "-"],
        format!("{duel}\n{teams}\n"),
        1,
    );
    assert!(
        told.contains(":2:20:") && told.contains("more players than one against one"),
        "{told}"
    );
}

/// Every line that `--help` shows as an example, run as shown in a folder with the examples.
#[test]
fn the_examples_of_help_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&root.join("examples"), &folder.path().join("examples"));
    let mut ran = 0;
    for command in [
        &["study", "eomm"][..],
        &["merge"],
        &["reproduce", "eomm"],
        &["rate"],
        &["pair"],
    ] {
        for example in examples_of(command) {
            matchwright()
                .args(example)
                .current_dir(folder.path())
                .assert()
                .success();
            ran += 1;
        }
    }
    assert!(ran >= 13, "{ran}");
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The program cannot know who played: also generated matches come from files.
#[test]
fn matches_from_a_file_are_not_called_real() {
    let folder = tempfile::tempdir().unwrap();
    let [matches, out] = ["matches.csv", "page"].map(|name| folder.path().join(name));
    let generate = "study eomm --players 300 --days 12 --rounds 4 --pools 10 --fit-rows 2000 --save-matches";
    matchwright()
        .args(generate.split(' '))
        .arg(&matches)
        .assert()
        .success();
    let again = "study eomm --rounds 4 --pools 10 --fit-rows 2000 --matches";
    let run = matchwright()
        .args(again.split(' '))
        .arg(&matches)
        .arg("--out")
        .arg(&out)
        .assert()
        .success();
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains(" matches from ") && page.contains("matches.csv"));
    assert!(crate::common::sentence(&page).starts_with("In pools of 10 EOMM "));
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(!page.contains("real matches") && !text.contains("real matches"));
    assert!(!answer(&["study", "eomm", "--help"], "").contains("real matches"));
}

/// Real players, real states, and a churn model fitted on them.
#[test]
fn the_study_runs_on_real_matches_and_says_what_they_cannot_show() {
    let Some(data) = std::env::var_os("MATCHWRIGHT_DATA") else {
        crate::common::say("skipped: MATCHWRIGHT_DATA is not set, so there are no real matches to study");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    matchwright()
        .args([
            "study",
            "eomm",
            "--rounds",
            "30",
            "--pools",
            "100",
            "--columns",
            "time=end_time",
            "--matches",
        ])
        .arg(Path::new(&data).join("halo2_beta/head_to_head.csv.gz"))
        .arg("--out")
        .arg(folder.path())
        .assert()
        .success();
    let files = files(folder.path());
    let report: Value = serde_json::from_slice(&files["study.json"]).unwrap();
    assert_eq!(
        (&report["data"]["matches"], &report["data"]["players"]),
        (&6028.into(), &1653.into())
    );
    assert_eq!(
        report["labels"]["churned"].as_u64().unwrap() + report["labels"]["returned"].as_u64().unwrap(),
        11_380
    );
    let holdout = &report["churn"]["holdout"];
    assert!(holdout["log_loss"].as_f64() < holdout["constant_log_loss"].as_f64());
    let page = String::from_utf8(files["index.html"].clone()).unwrap();
    for words in [
        "What these data cannot show",
        "simulated from the very model",
        "too short for churn over seven days",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn parts_run_apart_and_merged_are_the_files_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let small = "study eomm --players 300 --days 12 --rounds 7 --pools 20,30 --fit-rows 2000";
    let small: Vec<&str> = small.split(' ').collect();
    let run = |more: &[&str]| matchwright().args(&small).args(more).assert().success();
    run(&["--out", &at("whole")]);
    for of in ["1", "2", "3"] {
        let parts: Vec<String> = (1..=of.parse().unwrap())
            .map(|k: u32| at(&format!("{k}-of-{of}.cbor")))
            .collect();
        for (k, part) in (1..).zip(&parts) {
            run(&[
                "--shard",
                &format!("{k}/{of}"),
                "--threads",
                &k.to_string(),
                "--out",
                part,
            ]);
            let manifest = std::fs::read_to_string(format!("{part}.manifest.json")).unwrap();
            assert!(manifest.contains(&format!("--shard {k}/{of}\"")), "{manifest}");
        }
        let merged = at(&format!("merged-{of}"));
        let mut arguments = vec!["merge"];
        arguments.extend(parts.iter().rev().map(String::as_str));
        arguments.extend(["--out", &merged]);
        matchwright().args(&arguments).assert().success();
        assert_eq!(
            files(Path::new(&merged)),
            files(&folder.path().join("whole")),
            "{of} parts"
        );
    }
}

#[test]
fn parts_that_do_not_belong_together_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let make = |seed: &str, shard: &str, name: &str| {
        let small = "study eomm --players 200 --days 10 --rounds 4 --pools 10 --fit-rows 1000 --seed";
        let mut arguments: Vec<&str> = small.split(' ').collect();
        let out = at(name);
        arguments.extend([seed, "--shard", shard, "--out", &out]);
        matchwright().args(&arguments).assert().success();
        out
    };
    let (one, two) = (make("1", "1/2", "one"), make("1", "2/2", "two"));
    let (other, third) = (make("2", "2/2", "other"), make("1", "2/3", "third"));
    let cut = at("cut");
    let bytes = std::fs::read(&two).unwrap();
    std::fs::write(&cut, &bytes[..2000]).unwrap();
    // The last byte is of a number, which any other byte leaves a number.
    let (flipped, longer) = (at("flipped"), at("longer"));
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    std::fs::write(&flipped, &changed).unwrap();
    std::fs::write(&longer, [&bytes[..], &bytes[..]].concat()).unwrap();
    let older = at("older");
    let mark = b"matchwright part ";
    let place = bytes.windows(mark.len()).position(|seen| seen == mark).unwrap() + mark.len();
    changed.clone_from(&bytes);
    changed[place] = b'0';
    std::fs::write(&older, &changed).unwrap();
    for (parts, words) in [
        (vec![&one], &["1 of 2 parts are missing: 2"][..]),
        (vec![&one, &one], &["part 1/2 is given twice"]),
        (vec![&one, &third], &["1/2", "2/3", "numbers of parts differ"]),
        (vec![&one, &other], &["--seed 1", "--seed 2", "same command"]),
        (vec![&one, &cut], &["cut", "broken off"]),
        (vec![&one, &flipped], &["flipped", "altered"]),
        (vec![&one, &longer], &["longer", "altered"]),
        (vec![&one, &older], &["older", "another build"]),
    ] {
        let arguments = [vec!["merge"], parts.iter().map(|part| part.as_str()).collect()].concat();
        let failed = matchwright().args(&arguments).assert().code(1);
        let told = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
        assert!(words.iter().all(|word| told.contains(word)), "{told}");
    }
    matchwright()
        .args(["merge", &one, &two, "--json"])
        .assert()
        .success();
    matchwright()
        .args(["study", "eomm", "--shard", "2/2"])
        .assert()
        .code(2);
    matchwright().arg("merge").assert().code(2);
}

/// A reproduction in miniature: what the paper prints beside ours, in parts as in one run.
#[test]
fn a_reproduction_in_parts_is_that_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let small = "reproduce eomm --players 800 --days 14 --rounds 4 --stream-regions 3 --fit-rows 2000";
    let run = |more: &[&str]| matchwright().args(small.split(' ')).args(more).assert().success();
    run(&["--out", &at("whole")]);
    let (one, two) = (at("1.cbor"), at("2.cbor"));
    run(&["--shard", "1/2", "--threads", "1", "--out", &one]);
    run(&["--shard", "2/2", "--threads", "2", "--out", &two]);
    let merged = at("merged");
    matchwright()
        .args(["merge", &two, &one, "--out", &merged])
        .assert()
        .success();
    let whole = files(&folder.path().join("whole"));
    assert_eq!(files(Path::new(&merged)), whole);

    let text = |name: &str| String::from_utf8(whole[name].clone()).unwrap();
    let table = text("table2-beside-the-paper.csv");
    assert!(
        table.starts_with("P,Method,Expected,Expected_se,Published,"),
        "{table}"
    );
    let eomm = table.lines().find(|line| line.starts_with("500,EOMM,")).unwrap();
    assert_eq!(eomm.split(',').nth(4), Some("261.19"), "{table}");
    let page = text("index.html");
    // What it says of the run is of this run.
    for words in [
        "matches over 14 days",
        "p of a difference",
        "Of the gain of the largest",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("half a year."));
    for heading in [
        "class=\"mw-headlines\"",
        "Table 1",
        "Table 2",
        "rechecked",
        "The theory of section 4",
        "How much there is to gain",
        "What survives if the model is wrong",
    ] {
        assert!(page.contains(heading), "{heading}");
    }
    // Ten patterns are printed; significance is the paper's own.
    assert_eq!(
        text("table1-beside-the-paper.csv")
            .lines()
            .filter(|line| line.contains(" %,"))
            .count(),
        10
    );
    assert!(text("significance-rechecked.csv").contains("cannot be told apart"));
    let worlds = text("other-worlds.csv");
    assert!(
        worlds.lines().count() == 10 && worlds.contains("all four together,"),
        "{worlds}"
    );
    let manifest: Value = serde_json::from_slice(&whole["manifest.json"]).unwrap();
    assert_eq!(manifest["configuration"]["stream_regions"], 3);
}
