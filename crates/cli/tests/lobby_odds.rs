//! The odds that `matchwright lobby` tells of teams of unequal sizes, and the gap that its bounds leave.

use std::fmt::Write as _;
use std::path::Path;

use crate::common::{answer, lines, lineups, matchwright};
use serde_json::{Value, json};

/// `matches` rated by a system into `ratings.csv` of a folder, with the manifest beside it.
fn rated(folder: &Path, system: &str, more: &[&str]) -> String {
    let file = folder.join("ratings.csv").to_str().unwrap().to_owned();
    // Everybody beats everybody once, so that all end up much alike.
    let mut matches = "time,player1,player2,result\n".to_owned();
    for (game, (one, other)) in (0..5)
        .flat_map(|one| (0..5).map(move |other| (one, other)))
        .enumerate()
    {
        if one != other {
            writeln!(matches, "{},p{one},p{other},1", 1_714_521_600 + game).unwrap();
        }
    }
    answer(
        &[
            &[
                "rate",
                "--system",
                system,
                "-",
                "--out",
                &file,
                "--min-games",
                "0",
            ],
            more,
        ]
        .concat(),
        matches,
    );
    file
}

fn told(arguments: &[&str]) -> Value {
    serde_json::from_str(&answer(&[&["lobby"], arguments, &["--json"]].concat(), "")).unwrap()
}

/// A policy on the scale of the ratings, whatever that is.
fn policy(folder: &Path, points_for_ten_to_one: f64) -> String {
    let file = folder.join("policy.toml").to_str().unwrap().to_owned();
    let text = format!("[scoring.factors.win_probability]\nweight = 1\nscale = {points_for_ten_to_one:.6}\n");
    std::fs::write(&file, text).unwrap();
    file
}

fn odds(answer: &Value) -> Vec<Option<f64>> {
    let matches = answer["matches"].as_array().unwrap().iter();
    matches.map(|one| one["win_probability"].as_f64()).collect()
}

fn notes(answer: &Value) -> String {
    let notes = answer["notes"].as_array().unwrap().iter();
    notes
        .map(|note| note.as_str().unwrap())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn one_against_three_has_the_odds_of_the_system_that_rated_them() {
    let folder = tempfile::tempdir().unwrap();
    // Points for odds of ten to one, and the most that one of five equals has against three.
    for (system, points, most) in [
        ("trueskill", 8.502, 0.05),
        ("weng-lin", 13.568, 0.05),
        ("elo-mmr", 351.7, 0.05),
        ("glicko", 400.0, 0.01),
        ("glicko2", 400.0, 0.01),
    ] {
        let players = rated(folder.path(), system, &[]);
        let policy = policy(folder.path(), points);
        let found = told(&[&players, "--policy", &policy, "--teams", "1v3"]);
        let [Some(win)] = odds(&found)[..] else {
            panic!("{system}: {found}")
        };
        assert!(win > 0.0 && win < most, "{system}: {win}");
        let says = format!("told by {system}");
        assert!(notes(&found).contains(&says), "{found}");
        // Teams of one size are the policy's.
        let found = told(&[&players, "--policy", &policy, "--teams", "2v2"]);
        let [Some(win)] = odds(&found)[..] else {
            panic!("{system}: {found}")
        };
        assert!((win - 0.5).abs() < 0.1, "{system}: {win}");
        assert!(!notes(&found).contains("told by"), "{found}");
    }
    // Where a team is the mean of its players, one is as good as three.
    let players = rated(folder.path(), "elo", &[]);
    let found = told(&[
        &players,
        "--policy",
        &policy(folder.path(), 400.0),
        "--teams",
        "1v3",
    ]);
    assert!((odds(&found)[0].unwrap() - 0.5).abs() < 0.1, "{found}");
    assert!(notes(&found).contains("told by elo"), "{found}");
}

#[test]
fn ratings_that_were_brought_to_a_policy_have_the_odds_of_their_own_scale() {
    let folder = tempfile::tempdir().unwrap();
    let players = rated(folder.path(), "trueskill", &[]);
    let own = policy(folder.path(), 8.502_345);
    let [Some(wanted)] = odds(&told(&[&players, "--policy", &own, "--teams", "1v3"]))[..] else {
        panic!("no odds")
    };
    let elo = policy(folder.path(), 400.0);
    let brought = told(&[
        &players,
        "--policy",
        &elo,
        "--teams",
        "1v3",
        "--rating-scale",
        "8.502345",
    ]);
    let [Some(win)] = odds(&brought)[..] else {
        panic!("{brought}")
    };
    assert!((win - wanted).abs() < 1e-6, "{win} {wanted}");
}

#[test]
fn without_the_system_the_odds_of_unequal_teams_are_left_out_with_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let players = rated(folder.path(), "glicko", &[]);
    let policy = policy(folder.path(), 400.0);
    let arguments = [players.as_str(), "--policy", &policy, "--teams", "1v3"];
    let left_out = |found: &Value| {
        assert_eq!(odds(found), [None], "{found}");
        let notes = notes(found);
        assert!(
            notes.contains("a team of 1 beats one of 3 is left out"),
            "{notes}"
        );
        assert!(notes.contains("compares mean skills"), "{notes}");
    };
    // A file that was edited is no longer that of the manifest.
    let text = std::fs::read_to_string(&players).unwrap();
    std::fs::write(&players, text.replace("p0,", "p9,")).unwrap();
    left_out(&told(&arguments));
    std::fs::remove_file(format!("{players}.manifest.json")).unwrap();
    left_out(&told(&arguments));
    let shown = answer(&[&["lobby"], &arguments[..]].concat(), "");
    assert!(
        !shown.contains("Team 1 wins") && shown.contains("is left out"),
        "{shown}"
    );
    // Bradley-Terry compares single players.
    let players = rated(folder.path(), "bradley-terry", &[]);
    let found = told(&[&players, "--policy", &policy, "--teams", "1v3"]);
    assert_eq!(odds(&found), [None], "{found}");
    assert!(notes(&found).contains("bradley-terry"), "{found}");
    // Without a factor that tells odds there are none, and nothing is left out.
    let file = folder.path().join("skill.toml");
    std::fs::write(&file, "[scoring.factors.team_skill]\nweight = 1\n").unwrap();
    let found = told(&[&players, "--policy", file.to_str().unwrap(), "--teams", "1v3"]);
    assert!(
        odds(&found) == [None] && !notes(&found).contains("left out"),
        "{found}"
    );
}

#[test]
fn optimal_lineups_leave_no_gap_whatever_the_certificate_says() {
    // One match and one left over are worth 0 together, beside which any rounding of a bound is much.
    let players: Vec<Value> = (0..5)
        .map(|k| json!({ "id": format!("p{k}"), "skill": 1000 + 10 * k }))
        .collect();
    let skill = "[scoring.factors.team_skill]\nweight = 1\n";
    for teams in ["1v1", "2v2"] {
        let found = lineups(("policy.toml", skill), &players, &["--teams", teams, "--verify"]);
        assert_eq!(found["status"], "Optimal", "{found}");
        assert_eq!(found["gap"], 0.0, "{found}");
        assert_eq!(found["upper_bound"], found["arithmetic_mean"], "{found}");
        assert_eq!(found["value_upper_bound"], found["value"], "{found}");
        let (value, bound) = (&found["verdict"]["value"], &found["verdict"]["upper_bound"]);
        let left = bound.as_f64().unwrap() - value.as_f64().unwrap();
        assert!((0.0..1e-7).contains(&left), "{found}");
    }
}

#[test]
fn the_trivial_bound_leaves_a_gap_that_is_told() {
    // Unequal teams have no bound of their own: what is left to 1 is known all the same.
    let players: Vec<Value> = (0..10)
        .map(|k| json!({ "id": format!("p{k}"), "skill": 1000 + k }))
        .collect();
    let skill = "[scoring.factors.team_skill]\nweight = 2\n";
    let found = lineups(("policy.toml", skill), &players, &["--teams", "2v3"]);
    let (mean, gap) = (
        found["arithmetic_mean"].as_f64().unwrap(),
        found["gap"].as_f64().unwrap(),
    );
    assert_eq!(
        (&found["upper_bound"], &found["bound_source"]),
        (&json!(1.0), &json!("trivial"))
    );
    assert!(mean > 0.99 && (gap - (1.0 - mean)).abs() < 1e-12, "{found}");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("policy.toml");
    std::fs::write(&file, skill).unwrap();
    let page = folder.path().join("page");
    let run = matchwright()
        .args(["lobby", "-", "--iterations", "2000", "--teams", "2v3", "--policy"])
        .args([file.as_path(), Path::new("--out"), page.as_path()])
        .write_stdin(lines(&players))
        .assert()
        .success();
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    let first = text.lines().next().unwrap();
    assert!(
        first.contains(&format!("no upper bound below 1 (gap {:.2} %)", 100.0 * gap)),
        "{text}"
    );
    let page = std::fs::read_to_string(page.join("lobby.html")).unwrap();
    let sentence = crate::common::sentence(&page);
    assert!(
        sentence.contains(" % below the best there is; all 10 players play."),
        "{sentence}"
    );
}
