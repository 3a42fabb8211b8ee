//! What `--help` shows, and what comes with the program for users who have nothing else: examples, schemas, completions
//! and a manual.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::{answer, complaint, examples_of, matchwright};

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// In a folder with nothing but what `matchwright examples` wrote.
#[test]
fn the_examples_that_the_program_carries_are_those_that_its_help_uses() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| {
        let run = matchwright()
            .args(words)
            .current_dir(folder.path())
            .assert()
            .success();
        String::from_utf8_lossy(&run.get_output().stdout).into_owned()
    };
    run(&["examples", "--out", "examples"]);
    let mut ran = 0;
    for command in [
        &["forensics"][..],
        &["forensics", "mmr"],
        &["forensics", "games"],
        &["forensics", "tier"],
        &["forensics", "history"],
        &["forensics", "fit"],
        &["forensics", "top200"],
        &["season"],
        &["season", "pull"],
        &["season", "ledger"],
        &["season", "bases"],
        &["examples"],
        &["schema"],
        &["completions"],
        &["man"],
    ] {
        for example in examples_of(command) {
            run(&example.iter().map(String::as_str).collect::<Vec<_>>());
            ran += 1;
        }
    }
    assert_eq!(ran, 35);
    for file in ["tiers/index.html", "next-season.csv", "points.svg", "bases.csv"] {
        assert!(folder.path().join("target").join(file).exists(), "{file}");
    }
}

#[test]
fn examples_are_listed_printed_and_written_as_they_are_in_the_repository() {
    let listed = answer(&["examples"], "");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/place");
    let written = answer(&["examples", "--out", out.to_str().unwrap()], "");
    let mut names = BTreeSet::new();
    for line in written.lines() {
        let name = Path::new(line).strip_prefix(&out).unwrap().to_str().unwrap();
        let ours = std::fs::read(root().join("examples").join(name)).unwrap();
        assert_eq!(std::fs::read(line).unwrap(), ours, "{name}");
        assert_eq!(answer(&["examples", name], "").into_bytes(), ours, "{name}");
        assert!(
            listed.lines().any(|line| line.starts_with(&format!("{name} "))),
            "{name}"
        );
        names.insert(name.to_owned());
    }
    assert!(names.len() >= 28, "{names:?}");
    let policies = answer(&["examples", "policies"], "");
    let files = std::fs::read_dir(root().join("examples/policies"))
        .unwrap()
        .count();
    assert_eq!(policies.matches("policies/").count(), files, "{policies}");
    let said = complaint(&["examples", "matchs.csv"], "", 2);
    assert!(
        said.contains("there is no example `matchs.csv`; did you mean `matches.csv`?"),
        "{said}"
    );
}

#[test]
fn an_example_that_was_changed_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    answer(&["examples", "policies", "--out", out], "");
    let policy = folder.path().join("policies/dota.toml");
    // The same again is no harm.
    answer(&["examples", "policies", "--out", out], "");
    std::fs::write(&policy, "mine\n").unwrap();
    let said = complaint(&["examples", "--out", out], "", 1);
    assert!(
        said.contains("dota.toml is there already and is another file"),
        "{said}"
    );
    assert_eq!(std::fs::read_to_string(&policy).unwrap(), "mine\n");
    assert!(!folder.path().join("matches.csv").exists());
}

#[test]
fn the_schema_of_policies_is_printed() {
    assert!(answer(&["schema"], "").contains("policy "));
    let schema = answer(&["schema", "policy"], "");
    assert_eq!(
        schema,
        std::fs::read_to_string(root().join("docs/policy.schema.json")).unwrap()
    );
    let said = complaint(&["schema", "polizy"], "", 2);
    assert!(said.contains("did you mean `policy`?"), "{said}");
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = answer(&["completions", shell], "");
        for word in ["rate", "forensics", "time-unit", "party-bonus"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert!(
            shell == "elvish" || shell == "powershell" || script.contains("scheduled-elo"),
            "{shell}"
        );
    }
    complaint(&["completions", "dos"], "", 2);
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let folder = tempfile::tempdir().unwrap();
    answer(&["man", "--out", folder.path().to_str().unwrap()], "");
    let page = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(page("matchwright.1").contains("matchwright\\-rate(1)"));
    let rate = page("matchwright-rate.1");
    assert!(
        rate.contains("\\-\\-time\\-unit") && rate.contains("matchwright rate \\-\\-system glicko2"),
        "{rate}"
    );
    assert!(page("matchwright-forensics-mmr.1").contains("matchwright\\-forensics\\-mmr"));
}

#[test]
fn help_breaks_its_lines_where_the_terminal_ends() {
    for (columns, widest) in [("60", 60), ("80", 80), ("300", 100)] {
        for command in [
            &["rate"][..],
            &["lobby"],
            &["replay"],
            &["pair"],
            &["study", "eomm"],
            &["forensics", "tier"],
        ] {
            let run = matchwright()
                .args(command)
                .arg("--help")
                .env("COLUMNS", columns)
                .assert()
                .success();
            let help = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
            let lines = || help.lines().filter(|line| !line.starts_with("  "));
            let longest = lines().map(|line| line.chars().count()).max().unwrap();
            assert!(longest <= widest, "{command:?} at {columns}: {longest}");
            // Paragraphs are filled, not cut where the source breaks them.
            let prose = |line: &&str| line.len() > widest * 3 / 4;
            assert!(
                lines().filter(prose).count() >= 2,
                "{command:?} at {columns}: {help}"
            );
        }
    }
}
