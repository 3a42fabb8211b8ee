//! `matchwright rate --system dota --accounts`: four ratings a player, by what was played and how it queued.

use std::fmt::Write as _;

use serde_json::Value;

use crate::common::{answer, complaint};
use crate::rate_teams::{Dice, rate};

/// Teams of two out of eight players, the first the strongest; every third game normal, every other side a party.
fn games(normal: &str) -> String {
    let (mut dice, mut text) = (Dice(3), String::new());
    for game in 0_u64..300 {
        let mut players: Vec<u64> = (0..8).collect();
        let mut drawn = || players.remove(usize::try_from(dice.below(players.len() as u64)).unwrap());
        let teams = [[drawn(), drawn()], [drawn(), drawn()]];
        let strength = |team: [u64; 2]| 16 - team[0] - team[1];
        let [one, two] = teams.map(strength);
        let first_won = dice.below(one + two) < one;
        let context = if game % 3 == 0 { normal } else { "Ranked" };
        let party = if game % 2 == 0 { "1" } else { "null" };
        let side = |[a, b]: [u64; 2]| {
            format!(r#"[{{"player":"p{a}","party":{party}}},{{"player":"p{b}","party":{party}}}]"#)
        };
        let ranks = if first_won { "[1,2]" } else { "[2,1]" };
        writeln!(
            text,
            r#"{{"time":{},"context":"{context}","teams":[{},{}],"ranks":{ranks}}}"#,
            1_714_500_000 + 600 * game,
            side(teams[0]),
            side(teams[1])
        )
        .unwrap();
    }
    text
}

fn leaders(input: &str, more: &[&str]) -> Vec<Value> {
    let told = rate("dota", &[&["--accounts", "--top", "32"], more].concat(), input);
    told["leaderboard"].as_array().unwrap().clone()
}

#[test]
fn an_account_has_four_ratings_that_never_mix() {
    let all = leaders(&games("normal"), &[]);
    assert_eq!(all.len(), 32);
    let ranked = |row: &&Value| row["kind"] == "ranked";
    for row in &all {
        let [account, kind, queue] = ["account", "kind", "queue"].map(|key| row[key].as_str().unwrap());
        assert_eq!(row["player"], format!("{account} ({kind}, {queue})"));
        let is_shown = row["kind"] == "ranked" && row["games"].as_u64().unwrap() >= 10;
        assert_eq!(row["visible"].is_number(), is_shown, "{row}");
        assert!(!is_shown || row["visible"] == row["rating"]);
    }
    // The ranked games alone give the ranked ratings, digit by digit.
    let only: String = games("normal")
        .split_inclusive('\n')
        .filter(|line| line.contains("Ranked"))
        .collect();
    let alone = leaders(&only, &[]);
    let of_ranked: Vec<&Value> = all.iter().filter(ranked).collect();
    assert_eq!(of_ranked, alone.iter().collect::<Vec<_>>());
}

#[test]
fn who_has_a_party_alone_queued_alone() {
    let numbered = games("normal").replace("\"party\":1", "\"party\":null");
    let each = numbered.split("null").enumerate();
    let each = each.map(|(place, text)| {
        if place == 0 {
            text.to_owned()
        } else {
            format!("{place}{text}")
        }
    });
    for row in leaders(&each.collect::<String>(), &[]) {
        assert_eq!(row["queue"], "solo");
    }
}

#[test]
fn calibration_hides_as_many_games_as_it_is_told() {
    for row in leaders(&games("normal"), &["--calibration-games", "1000"]) {
        let played = row["games"].as_u64().unwrap();
        let left = if row["kind"] == "ranked" { 1000 - played } else { 0 };
        assert_eq!(
            (&row["calibration_games_left"], &row["visible"]),
            (&left.into(), &Value::Null)
        );
    }
    let arguments = [
        "rate",
        "--system",
        "dota",
        "--accounts",
        "--calibration-games",
        "1000",
        "--top",
        "32",
        "-",
    ];
    let text = answer(&arguments, games("normal"));
    for wanted in [
        "owner and friends see",
        "calibrating, 9",
        "hidden",
        "p0 (ranked, solo)",
        "never mix",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
}

#[test]
fn ratings_of_accounts_are_written_with_what_is_shown_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ratings.csv");
    let arguments = ["rate", "--system", "dota", "--accounts", "-", "--out"];
    let file = path.to_str().unwrap();
    answer(&[&arguments[..], &[file]].concat(), games("normal"));
    let text = std::fs::read_to_string(&path).unwrap();
    let header = text.lines().next().unwrap();
    assert!(
        header.ends_with("account,kind,queue,calibration_games_left,visible"),
        "{header}"
    );
    assert_eq!(text.lines().count(), 33);
}

#[test]
fn what_was_played_must_be_said_and_be_of_dota() {
    let accounts = ["rate", "--system", "dota", "--accounts", "-"];
    let said = complaint(&accounts, games("turbo"), 1);
    assert!(
        said.contains("2024-04-30T18:00:00Z says that `turbo` was played"),
        "{said}"
    );
    let said = complaint(&accounts, games("normal").replace("context", "mode"), 1);
    assert!(said.contains("does not say what was played"), "{said}");
    let named = [&accounts[..], &["--columns", "context=mode"]].concat();
    answer(&named, games("normal").replace("context", "mode"));
    let said = complaint(
        &["rate", "--system", "elo", "--accounts", "-"],
        games("normal"),
        2,
    );
    assert!(said.contains("add --system dota"), "{said}");
    for other in [&["--context-games", "5"][..], &["--ladder"], &["--stream"]] {
        let said = complaint(&[&accounts[..], other].concat(), games("normal"), 2);
        assert!(said.contains(other[0]), "{said}");
    }
}
