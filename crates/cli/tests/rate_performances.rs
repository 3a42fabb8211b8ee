//! `matchwright rate --performance`: how well each player of a side did.

use std::fmt::Write as _;

use serde_json::Value;

use crate::common::{complaint, matchwright};
use crate::rate_teams::{Dice, GAMES, arguments, rate, refused};

/// Two against two, six hours apart: the result is a toss of a coin, and of both members of a side the one whose name comes
/// first always does better. As a long table and as JSON lines.
fn performed() -> (String, String) {
    let mut dice = Dice(11);
    let (mut table, mut lines) = ("match,time,team,player,result,kills\n".to_owned(), String::new());
    for game in 0..60 {
        let time = 1_800_000_000 + 21_600 * game;
        let mut players = ["ann", "bob", "cyd", "dot"];
        for left in (1..4).rev() {
            players.swap(left, usize::try_from(dice.below(left as u64 + 1)).unwrap());
        }
        players[..2].sort_unstable();
        players[2..].sort_unstable();
        let won = dice.below(2);
        for (seat, player) in players.into_iter().enumerate() {
            let (team, kills) = (seat / 2, 9 - 4 * (seat % 2));
            let result = if team as u64 == won { "win" } else { "loss" };
            writeln!(table, "{game},{time},{team},{player},{result},{kills}").unwrap();
        }
        let side = |side: usize| {
            let member = |seat: usize| {
                let kills = 9 - 4 * (seat % 2);
                format!(r#"{{"player":"{}","performance":{kills}}}"#, players[seat])
            };
            format!("[{},{}]", member(2 * side), member(2 * side + 1))
        };
        let ranks = if won == 0 { "1,2" } else { "2,1" };
        let (one, two) = (side(0), side(1));
        writeln!(
            lines,
            r#"{{"time":{time},"teams":[{one},{two}],"ranks":[{ranks}]}}"#
        )
        .unwrap();
    }
    (table, lines)
}

#[test]
fn performances_of_a_table_and_of_json_lines_count_when_they_are_asked_to() {
    let (table, lines) = performed();
    for system in [
        "elo",
        "scheduled-elo",
        "glicko",
        "glicko2",
        "dom",
        "dota",
        "trueskill",
        "weng-lin",
        "elo-mmr",
    ] {
        let told = |more: &[&str], input: &str| rate(system, more, input);
        let plain = told(&[], &table);
        let weighted = told(&["--performance", "0.5"], &table);
        assert_eq!(weighted, told(&["--performance", "0.5"], &lines), "{system}");
        assert_eq!(plain, told(&["--performance", "0"], &lines), "{system}");
        let of = |told: &Value, name: &str| {
            let players = told["leaderboard"].as_array().unwrap();
            let player = players.iter().find(|one| one["player"] == name);
            player.unwrap()["rating"].as_f64().unwrap()
        };
        let spread = |told: &Value| of(told, "ann") - of(told, "dot");
        assert!(spread(&weighted) > spread(&plain).max(0.0), "{system}");
    }
    let bad = table.replacen(",9\n", ",many\n", 1);
    let told = refused(bad);
    assert!(
        told.contains("standard input:2:6: kills is `many`; performances must be finite numbers"),
        "{told}"
    );
    let told = refused(lines.replacen(":9}", ":\"many\"}", 1));
    assert!(
        told.contains("standard input:1:") && told.contains("performance is `many`"),
        "{told}"
    );
    // What is unknown counts once.
    assert_eq!(
        rate(
            "elo",
            &["--performance", "1"],
            &lines.replace(",\"performance\":9", ",\"performance\":null")
        ),
        rate("elo", &[], &lines)
    );
    for (system, weight, word) in [("elo", "11", "--performance"), ("bradley-terry", "1", "weng-lin")] {
        let told = complaint(&arguments(system, &["--performance", weight]), &*lines, 2);
        assert!(told.contains(word), "{told}");
    }
    let told = matchwright()
        .args(arguments("elo", &["--performance", "1"]))
        .write_stdin(GAMES)
        .assert()
        .success();
    let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    assert!(told.contains("no player has a performance"), "{told}");
}
