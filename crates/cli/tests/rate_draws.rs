//! Draws in `matchwright rate` and `compare`, from outside: those that cannot be, and how their rate is learnt.

use std::fmt::Write as _;

use crate::common::{answer, complaint};
use serde_json::Value;

/// Duels of six players an hour apart; the games of these numbers are drawn.
fn duels(games: u32, drawn: &[u32]) -> String {
    let mut text = "time,player1,player2,result\n".to_owned();
    for game in 0..games {
        let result = if drawn.contains(&game) {
            "0.5"
        } else if game * 7 % 5 < 3 {
            "1"
        } else {
            "0"
        };
        let (one, other) = (game % 6, (game + 1 + game % 4) % 6);
        writeln!(text, "{},p{one},q{other},{result}", 1_714_521_600 + 3600 * game).unwrap();
    }
    text
}

fn evaluation(arguments: &[&str], input: &str) -> Value {
    let told: Value = serde_json::from_str(&answer(arguments, input)).unwrap();
    told["evaluation"].clone()
}

const NO_DRAWS: [[&str; 5]; 2] = [
    ["rate", "--system", "trueskill", "--set", "draw_probability=0"],
    ["rate", "--system", "through-time", "--set", "draw_probability=0"],
];

#[test]
fn a_draw_probability_of_0_forecasts_0() {
    let folder = tempfile::tempdir().unwrap();
    let forecasts = folder.path().join("forecasts.csv");
    for system in NO_DRAWS {
        let more = ["-", "--json", "--predictions", forecasts.to_str().unwrap()];
        let found = evaluation(&[&system[..], &more].concat(), &duels(40, &[]));
        assert_eq!(
            (&found["draw_rate"], &found["draws"]),
            (&0.0.into(), &"never".into())
        );
        let table = std::fs::read_to_string(&forecasts).unwrap();
        let mut rows = table.lines();
        assert_eq!(
            rows.next().unwrap(),
            "time,player1,player2,p_win,p_draw,p_loss,score"
        );
        for row in rows {
            let cells: Vec<f64> = row.split(',').skip(3).map(|cell| cell.parse().unwrap()).collect();
            assert_eq!(cells[1], 0.0, "{row}");
            assert!((cells[0] + cells[2] - 1.0).abs() < 2e-6, "{row}");
        }
    }
    let streamed = [&NO_DRAWS[0][..], &["-", "--json", "--stream"]].concat();
    assert_eq!(evaluation(&streamed, &duels(40, &[]))["draw_rate"], 0.0);
    // One above it is the margin of the updates; the rate of the forecasts is learnt.
    let some = [
        "rate",
        "--system",
        "trueskill",
        "--set",
        "draw_probability=0.1",
        "-",
        "--json",
    ];
    assert!(evaluation(&some, &duels(40, &[]))["draw_rate"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_draw_is_refused_where_there_can_be_none() {
    let matches = duels(40, &[17, 30]);
    for system in NO_DRAWS {
        let told = complaint(&[&system[..], &["-"]].concat(), matches.as_str(), 1);
        for words in [
            "standard input:19: ",
            "2024-05-01T17:00:00Z",
            "`p5` and `q1`",
            "share a place",
            "--set draw_probability=0.1",
        ] {
            assert!(told.contains(words), "{words}: {told}");
        }
    }
    let streamed = [&NO_DRAWS[0][..], &["-", "--stream"]].concat();
    let told = complaint(&streamed, matches.as_str(), 1);
    assert!(
        told.contains("standard input:19: ") && told.contains("2024-05-01T17:00:00Z"),
        "{told}"
    );
    // Too few matches to evaluate, and a place that two of three share.
    let shared = "{\"time\":5,\"teams\":[\"ann\",\"bob\",\"cid\"],\"ranks\":[2,1,2]}\n";
    let told = complaint(
        &[&NO_DRAWS[0][..], &["--time-unit", "index", "-"]].concat(),
        shared,
        1,
    );
    assert!(
        told.contains("standard input:1: `ann` and `cid` share a place"),
        "{told}"
    );
}

#[test]
fn compare_refuses_a_draw_where_a_system_has_none_and_names_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("systems.toml");
    std::fs::write(&config, "[trueskill.params]\ndraw_probability = 0\n").unwrap();
    let arguments = ["compare", "-", "--config", config.to_str().unwrap(), "--json"];
    let told = complaint(&arguments, duels(40, &[17]), 1);
    assert!(
        told.contains("trueskill: standard input:19: ") && told.contains("share a place"),
        "{told}"
    );
    let told: Value = serde_json::from_str(&answer(&arguments, duels(40, &[]))).unwrap();
    for one in told["systems"].as_array().unwrap() {
        let rate = one["draw_rate"].as_f64().unwrap();
        assert_eq!(rate == 0.0, one["system"] == "trueskill", "{one}");
    }
}

#[test]
fn a_stream_learns_the_rate_of_draws_from_the_same_matches_as_the_whole() {
    // The first 4,000 matches, which are drawn, lie before the latest 65,536 that are learnt from.
    let mut text = "time,player1,player2,result\n".to_owned();
    for game in 0..72_000_u32 {
        let result = if game < 4000 || game % 25 == 0 {
            0.5
        } else {
            f64::from(game % 2)
        };
        writeln!(
            text,
            "{},p{},q{},{result}",
            1_714_521_600 + 60 * game,
            game % 37,
            game % 41
        )
        .unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("matches.csv");
    std::fs::write(&file, text).unwrap();
    let arguments = [
        "rate",
        file.to_str().unwrap(),
        "--system",
        "elo",
        "--evaluate-from",
        "0.98",
        "--json",
    ];
    let whole = evaluation(&arguments, "");
    let streamed = evaluation(&[&arguments[..], &["--stream"]].concat(), "");
    for (name, value) in whole.as_object().unwrap() {
        let (one, other) = (value, &streamed[name]);
        match (one.as_f64(), other.as_f64()) {
            (Some(one), Some(other)) => assert!((one - other).abs() < 1e-6, "{name}: {one} and {other}"),
            _ if name == "three_way" => {
                for (name, value) in one.as_object().unwrap() {
                    let (one, other) = (value.as_f64().unwrap(), other[name].as_f64().unwrap());
                    assert!((one - other).abs() < 1e-6, "{name}: {one} and {other}");
                }
            }
            _ => {}
        }
    }
    let rate = whole["draw_rate"].as_f64().unwrap();
    assert!((0.038..0.044).contains(&rate), "{rate}");
}

#[test]
fn a_world_that_draws_needs_ratings_that_can() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = folder.path().join("world.toml");
    let world = |rate: f64| {
        format!(
            "policies = [\"widening\"]\nhours = 1\n[play]\ndraw_rate = {rate}\n[rating.system.trueskill.params]\ndraw_probability = 0\n"
        )
    };
    std::fs::write(&scenario, world(0.1)).unwrap();
    let told = complaint(&["simulate", "run", scenario.to_str().unwrap()], "", 1);
    assert!(
        told.contains("play.draw_rate") && told.contains("draw probability of 0"),
        "{told}"
    );
}
