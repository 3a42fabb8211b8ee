//! `--where` and `--by`: parts of the matches, and forecasts told apart by what was played.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::common::{answer, complaint, heard};

/// A match an hour between two players on one of two maps: the better one wins four of five on `dust`, and every other one
/// on `mill`; some have no map.
fn log() -> String {
    let mut log = "time,winner,loser,map,mode\n".to_owned();
    for at in 0..200 {
        let map = ["dust", "mill", "dust", "mill", ""][at % 5];
        let first_wins = if map == "mill" { at % 2 == 0 } else { at % 7 != 0 };
        let (winner, loser) = if first_wins {
            ("ann", "bob")
        } else {
            ("bob", "ann")
        };
        let time = 1_714_500_000 + 3600 * at;
        writeln!(log, "{time},{winner},{loser},{map},m{}", at % 2).unwrap();
    }
    log
}

fn told(words: &str) -> Value {
    let words: Vec<&str> = words.split(' ').collect();
    serde_json::from_str(&answer(&words, log())).unwrap()
}

#[test]
fn forecasts_are_told_apart_by_the_values_of_a_column() {
    let all = told("rate - --system elo --json");
    let by = told("rate - --system elo --by map --json");
    // Nothing else changes.
    assert_eq!(all["leaderboard"], by["leaderboard"]);
    assert_eq!(all["evaluation"], by["evaluation"]);
    assert_eq!(all["by_context"], Value::Null);
    let rows = by["by_context"].as_array().unwrap();
    let games: Vec<(&Value, &Value)> = rows.iter().map(|row| (&row["value"], &row["games"])).collect();
    assert_eq!(
        games,
        [
            (&json!("dust"), &json!(16)),
            (&json!("mill"), &json!(16)),
            (&Value::Null, &json!(8))
        ]
    );
    // Their mean is that of all.
    let sum: f64 = rows
        .iter()
        .map(|row| row["games"].as_f64().unwrap() * row["log_losses"][0].as_f64().unwrap())
        .sum();
    let mean = by["evaluation"]["two_way"]["log_loss"].as_f64().unwrap();
    assert!((sum / 40.0 - mean).abs() < 1e-9, "{} {mean}", sum / 40.0);
    let text = answer(&["rate", "-", "--system", "elo", "--by", "map"], log());
    assert!(
        text.contains("Log loss of decisive games by map") && text.contains("Favourite won"),
        "{text}"
    );
    let both = told("compare - --systems elo,glicko2 --by map --json");
    assert_eq!(both["by_context"][0]["log_losses"].as_array().unwrap().len(), 2);
    // By the same column as ratings in contexts.
    let blend = told("rate - --system elo --by map --context-games 20 --json");
    assert_eq!(blend["contexts"].as_array().unwrap().len(), 2);
}

#[test]
fn only_matches_of_some_values_are_read() {
    let said = heard(&["rate", "-", "--system", "elo", "--where", "map=dust"], &log());
    assert!(
        said.contains("left out 120 matches of other values than --where names"),
        "{said}"
    );
    let only = told("rate - --system elo --where map=dust,mill --by map --json");
    let games: u64 = only["leaderboard"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["games"].as_u64().unwrap())
        .sum();
    assert_eq!(games, 2 * 160);
    let by = only["by_context"].as_array().unwrap();
    assert_eq!(by.len(), 2);
    // As a file that has no other matches.
    let all = log();
    let dust: Vec<&str> = all
        .lines()
        .enumerate()
        .filter(|(at, line)| *at == 0 || line.contains(",dust,"))
        .map(|(_, line)| line)
        .collect();
    let dust = dust.join("\n");
    let alone: Value =
        serde_json::from_str(&answer(&["rate", "-", "--system", "elo", "--json"], dust)).unwrap();
    assert_eq!(
        told("rate - --system elo --where map=dust --json")["leaderboard"],
        alone["leaderboard"]
    );
}

#[test]
fn what_cannot_be_told_apart_so_is_refused() {
    for (words, said, code) in [
        (
            "rate - --system elo --where map=moon",
            "no match with a value that --where names, and 200 with others: dust (80), mill (80)",
            1,
        ),
        ("rate - --system elo --where mop=dust", "no `mop` for context", 1),
        ("rate - --system elo --by mop", "no `mop` for context", 1),
        (
            "rate - --system elo --where map=dust --by mode",
            "--by: `mode` is asked for, and `map` is the context",
            2,
        ),
        (
            "rate - --system elo --by mode --columns context=map",
            "`map` is the context",
            2,
        ),
        (
            "rate - --system elo --where map",
            "write a column or key and its values",
            2,
        ),
        (
            "rate - --system elo --where map=",
            "write a column or key and its values",
            2,
        ),
        ("rate - --system elo --stream --by map", "cannot be used with", 2),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let heard = complaint(&words, log(), code);
        assert!(heard.contains(said), "{words:?}: {heard}");
    }
}

#[test]
fn what_takes_the_place_of_contexts_that_ratings_look_at_is_refused() {
    let log = log().replace("time,winner,loser,map,mode", "time,winner,loser,map,context");
    for option in ["--by map", "--where map=dust"] {
        let words = format!("rate - --system elo --context-games 20 {option}");
        let heard = complaint(&words.split(' ').collect::<Vec<_>>(), log.as_str(), 2);
        assert!(
            heard.contains("ratings look at the file's column `context`"),
            "{heard}"
        );
    }
    // By the contexts themselves nothing changes.
    let words = "rate - --system elo --context-games 20 --by context --json";
    let by: Value =
        serde_json::from_str(&answer(&words.split(' ').collect::<Vec<_>>(), log.as_str())).unwrap();
    assert_eq!(by["by_context"].as_array().unwrap().len(), 2);
    let lacking = heard(
        &["rate", "-", "--system", "elo", "--where", "map=dust,dusk"],
        &crate::rate_by::log(),
    );
    assert!(lacking.contains("no match has `dusk` (--where)"), "{lacking}");
}
