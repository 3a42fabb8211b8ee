//! `matchwright rate` on teams and free-for-alls, with every system, from outside.

use std::fmt::Write as _;

use crate::common::{answer, complaint, matchwright};
use serde_json::Value;

const SYSTEMS: [&str; 9] = [
    "elo",
    "glicko",
    "glicko2",
    "dom",
    "dota",
    "trueskill",
    "weng-lin",
    "bradley-terry",
    "through-time",
];

pub(crate) const GAMES: &str = r#"{"time":"2024-05-01T18:00:00Z","teams":[["ann","bob"],["cyd","dot"]],"ranks":[1,2]}
{"time":"2024-05-01T19:00:00Z","teams":[["ann","cyd"],["bob","dot"]],"scores":[3,3]}
{"time":"2024-05-02T18:00:00Z","teams":["ann","bob",{"player":"eve"}],"ranks":[2,3,1]}
{"time":"2024-05-03T18:00:00Z","teams":[[{"player":"ann","party":"x"},{"player":"dot","party":"x"}],["cyd",{"player":"bob","share":0.5}]],"ranks":[1,2]}
{"time":"2024-05-04T18:00:00Z","player1":"ann","player2":"bob","result":1}
{"time":"2024-05-05T18:00:00Z","teams":[["dot"],["cyd"]],"scores":[1,4]}
"#;

pub(crate) fn arguments<'a>(system: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["rate", "--system", system, "--evaluate-from", "0.5", "-"], more].concat()
}

pub(crate) fn rate(system: &str, more: &[&str], input: &str) -> Value {
    serde_json::from_str(&answer(
        &[&arguments(system, more)[..], &["--json"]].concat(),
        input,
    ))
    .unwrap()
}

pub(crate) fn refused(input: impl Into<Vec<u8>>) -> String {
    complaint(&arguments("trueskill", &[]), input, 1)
}

/// Pseudo-random numbers below `below`, the same everywhere.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Matches of 24 players, the first the strongest, in teams of two and three and of four alone.
fn example() -> String {
    let mut dice = Dice(7);
    let mut text = String::new();
    for game in 0..400_u64 {
        let mut free: Vec<u64> = (0..24).collect();
        let (sides, size) = [(2, 2_u64), (2, 3), (4, 1)][usize::try_from(dice.below(3)).unwrap()];
        let mut teams = Vec::new();
        for _ in 0..sides {
            let drawn =
                (0..size).map(|_| free.remove(usize::try_from(dice.below(free.len() as u64)).unwrap()));
            let mut side: Vec<u64> = drawn.collect();
            side.sort_unstable();
            teams.push(side);
        }
        let scores: Vec<u64> = teams
            .iter()
            .map(|side| {
                (side
                    .iter()
                    .map(|player| 30 - player + dice.below(40))
                    .sum::<u64>())
                    / (6 * size)
            })
            .collect();
        let name = |player: &u64| format!("\"p{player:02}\"");
        let names = |side: &Vec<u64>| format!("[{}]", side.iter().map(name).collect::<Vec<_>>().join(","));
        let teams: Vec<String> = teams.iter().map(names).collect();
        writeln!(
            text,
            "{{\"time\":{},\"teams\":[{}],\"scores\":{scores:?}}}",
            1_714_500_000 + 7_200 * game,
            teams.join(",")
        )
        .unwrap();
    }
    text
}

fn example_file() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/teams.jsonl")
}

#[test]
fn the_example_is_what_its_recipe_makes() {
    assert!(std::fs::read_to_string(example_file()).unwrap() == example());
}

#[test]
fn every_system_rates_teams_and_free_for_alls_and_orders_the_players_of_the_example() {
    let file = example_file();
    let file = file.to_str().unwrap();
    for system in SYSTEMS {
        let arguments = ["rate", "--system", system, file, "--json", "--top", "24"];
        if system == "bradley-terry" {
            let told = complaint(&arguments, "", 1);
            assert!(
                told.contains("single players") && told.contains("game "),
                "{told}"
            );
            continue;
        }
        let told: Value = serde_json::from_str(&answer(&arguments, "")).unwrap();
        assert_eq!(told["evaluation"]["matches"], 400);
        // Six pairs for each of the free-for-alls.
        assert!(told["evaluation"]["three_way"]["n"].as_u64().unwrap() > 80);
        assert!(
            told["evaluation"]["two_way"]["accuracy"].as_f64().unwrap() > 0.6,
            "{system}"
        );
        let board = told["leaderboard"].as_array().unwrap();
        let rank = |name: &str| board.iter().position(|one| one["player"] == name).unwrap();
        assert!(rank("p00") < rank("p12") && rank("p12") < rank("p23"), "{system}");
        assert!(board.iter().all(|one| one["games"].as_u64().unwrap() > 10));
        let first = &board[0];
        if let Some(deviation) = first["deviation"].as_f64() {
            let reach = first["interval"][1].as_f64().unwrap() - first["rating"].as_f64().unwrap();
            assert!((reach - 1.96 * deviation).abs() < 1e-9);
        } else {
            assert!(["elo", "dom"].contains(&system) && first["interval"].is_null());
        }
    }
}

#[test]
fn rows_of_all_kinds_are_read_together() {
    let told = rate("trueskill", &[], GAMES);
    assert_eq!(
        (&told["players"], &told["evaluation"]["matches"]),
        (&Value::from(5), &Value::from(6))
    );
    let ann = told["leaderboard"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["player"] == "ann")
        .unwrap();
    assert_eq!(
        (&ann["wins"], &ann["draws"], &ann["losses"]),
        (&Value::from(3), &Value::from(1), &Value::from(1))
    );
    let text = answer(&arguments("trueskill", &[]), GAMES);
    assert!(
        text.contains("pairs of sides") && text.contains("95 % low"),
        "{text}"
    );
}

#[test]
fn every_system_rates_one_against_one_from_csv() {
    let mut text = "time,player1,player2,result\n".to_owned();
    let mut dice = Dice(3);
    for time in 1_800_000_000..1_800_000_200 {
        let (one, two) = (dice.below(10), dice.below(10));
        if one != two {
            let result = if dice.below(8) + two > 4 + one { "1" } else { "0" };
            writeln!(text, "{time},p{one},p{two},{result}").unwrap();
        }
    }
    for system in SYSTEMS {
        if system == "through-time" {
            let accuracy = &rate(system, &[], &text)["evaluation"]["two_way"]["accuracy"];
            assert!(accuracy.as_f64().unwrap() > 0.6, "{accuracy}");
            continue;
        }
        let told = rate(system, &["--home-advantage", "fit"], &text);
        assert!(
            told["evaluation"]["two_way"]["accuracy"].as_f64().unwrap() > 0.6,
            "{system}"
        );
        assert!(told["home_advantage"].as_f64().unwrap().abs() > 0.0);
    }
}

#[test]
fn teams_of_a_table_are_columns_joined_by_a_plus() {
    let table = "day,r1,r2,b1,b2,r,b\n1800000001,ann,bob,cyd,dot,3,1\n1800000002,ann,,bob,,2,2\n1800000003,cyd,ann,dot,bob,0,1\n";
    let columns = "time=day,team1=r1+r2,team2=b1+b2,score1=r,score2=b";
    let told = rate("weng-lin", &["--columns", columns], table);
    let json = r#"{"time":1800000001,"teams":[["ann","bob"],["cyd","dot"]],"scores":[3,1]}
{"time":1800000002,"teams":["ann","bob"],"scores":[2,2]}
{"time":1800000003,"teams":[["cyd","ann"],["dot","bob"]],"scores":[0,1]}
"#;
    assert_eq!(told, rate("weng-lin", &[], json));
    let result = "day,r1,b1,won\n1800000001,ann,bob,1\n1800000002,ann,bob,0\n1800000003,bob,ann,0.5\n";
    let columns = "time=day,team1=r1,team2=b1,result=won";
    assert_eq!(rate("elo", &["--columns", columns], result)["players"], 2);
    let missing = complaint(
        &arguments("elo", &["--columns", "time=day,team1=r1+r9,team2=b1,result=won"]),
        result,
        1,
    );
    assert!(missing.contains("`r9`") && missing.contains("team1"), "{missing}");
    complaint(&arguments("elo", &["--columns", "team1=r1"]), result, 2);
}

/// A bad second line, and what the complaint must name: place, matter, mend.
const BROKEN: [(&str, &[&str]); 21] = [
    (
        r#"{"time":"noon","teams":["a","b"],"ranks":[1,2]}"#,
        &[":2:2:", "noon", "RFC 3339"],
    ),
    (
        r#"{"teams":["a","b"],"ranks":[1,2]}"#,
        &[":2:1:", "nothing tells the time"],
    ),
    (
        r#"{"time":1800000000,"teams":"ab","ranks":[1,2]}"#,
        &[":2:20:", "an array of sides", "--skip-bad"],
    ),
    (
        r#"{"time":1800000000,"teams":["a","b"]}"#,
        &[":2:1:", "ranks", "scores", "1 for the winners"],
    ),
    (
        r#"{"time":1800000000,"teams":["a","b"],"ranks":[1,2,3]}"#,
        &[":2:38:", "3 numbers for 2 sides"],
    ),
    (
        r#"{"time":1800000000,"teams":["a","b"],"ranks":1}"#,
        &[":2:38:", "a number for each side"],
    ),
    (
        r#"{"time":1800000000,"teams":["a","b"],"ranks":[1,1.5]}"#,
        &[":2:38:", "`1.5`", "whole numbers"],
    ),
    (
        r#"{"time":1800000000,"teams":["a","b"],"scores":[1,"x"]}"#,
        &[":2:38:", "`x`", "finite"],
    ),
    (
        r#"{"time":1800000000,"teams":[["a"]],"ranks":[1]}"#,
        &[":2:20:", "1 side(s)"],
    ),
    (
        r#"{"time":1800000000,"teams":[["a"],[]],"ranks":[1,2]}"#,
        &[":2:20:", "side 2 has no players"],
    ),
    (
        r#"{"time":1800000000,"teams":[["a","b"],["c","a"]],"ranks":[1,2]}"#,
        &[":2:44:", "`a` plays against itself"],
    ),
    (
        r#"{"time":1800000000,"teams":[["a","a"],["c"]],"ranks":[1,2]}"#,
        &[":2:34:", "`a` is on side 1 twice"],
    ),
    (
        r#"{"time":1800000000,"teams":[["a",1.5],["c"]],"ranks":[1,2]}"#,
        &[":2:34:", "1.5", "quotes"],
    ),
    (
        r#"{"time":1800000000,"teams":[["a",""],["c"]],"ranks":[1,2]}"#,
        &[":2:34:", "empty"],
    ),
    (
        r#"{"time":1800000000,"teams":[[{"nme":"a"}],["c"]],"ranks":[1,2]}"#,
        &[":2:20:", "no `player`"],
    ),
    (
        r#"{"time":1800000000,"teams":[[{"player":"a","shore":1}],["c"]],"ranks":[1,2]}"#,
        &[":2:40:", "did you mean `share`?"],
    ),
    (
        r#"{"time":1800000000,"teams":[[{"player":"a","share":2}],["c"]],"ranks":[1,2]}"#,
        &[":2:40:", "`2`", "from 0 to 1"],
    ),
    (
        r#"{"time":1800000000,"teams":[[{"player":"a","party":[]}],["c"]],"ranks":[1,2]}"#,
        &[":2:40:", "`party` is []", "a number or a text"],
    ),
    (
        r#"{"time":1800000000,"teams":[[{"player":"a","party":" "}],["c"]],"ranks":[1,2]}"#,
        &[":2:40:", "null for who queued alone"],
    ),
    (
        r#"{"time":1800000000,"teams":[[{"player":"a","share":0}],["c"]],"ranks":[1,2]}"#,
        &[":2:20:", "shares of side 1"],
    ),
    (
        r#"{"time":1000000000,"teams":["a","b"],"ranks":[1,2]}"#,
        &[":2:2:", "older", "--sort"],
    ),
];

fn with_line_2(line: &str) -> String {
    let mut lines: Vec<&str> = GAMES.lines().collect();
    lines[1] = line;
    lines.join("\n") + "\n"
}

#[test]
fn broken_games_name_line_column_and_mend_and_can_be_skipped() {
    let without = rate("trueskill", &[], &with_line_2(""));
    for (line, words) in BROKEN {
        let told = refused(with_line_2(line));
        for word in words {
            assert!(told.contains(word), "{line}: `{word}` in {told}");
        }
        assert!(told.contains("standard input:2:"), "{told}");
        let skipping = rate("trueskill", &["--skip-bad"], &with_line_2(line));
        assert_eq!(skipping["skipped_rows"], 1, "{line}");
        assert_eq!(skipping["leaderboard"], without["leaderboard"], "{line}");
    }
    let first = GAMES.lines().next().unwrap();
    let told = refused(with_line_2(first));
    assert!(
        told.contains(":2:1:") && told.contains("repeats") && told.contains("--keep-repeats"),
        "{told}"
    );
    assert_eq!(
        rate("elo", &["--keep-repeats"], &with_line_2(first))["evaluation"]["matches"],
        6
    );
}

#[test]
fn parameters_go_with_their_systems() {
    for (system, more, word) in [
        ("elo", &["--set", "beta=3"][..], "expected one of `k`"),
        (
            "weng-lin",
            &["--set", "model=elo"],
            "expected one of `bradley_terry_full`, `bradley_terry_partial`",
        ),
        ("weng-lin", &["--team-skill", "sum"], "glicko2"),
        ("weng-lin", &["--party-bonus", "line"], "dota"),
        (
            "trueskill",
            &["--set", "draw_probability=1.5"],
            "--set draw_probability=1.5",
        ),
        ("elo", &["--rank-by", "conservative"], "no deviation"),
        ("elo", &["--home-advantage", "home"], "fit"),
        (
            "bradley-terry",
            &["--home-advantage", "30"],
            "--home-advantage fit",
        ),
        ("bradley-terry", &["--plot", "x.svg"], "no course"),
        ("elo", &["--players", "zoe", "--chart"], "`zoe`"),
        ("elo", &["--players", "ann"], "--plot FILE or --chart"),
        ("elo", &["--chart", "--json"], "--json"),
    ] {
        let told = complaint(&arguments(system, more), GAMES, 2);
        assert!(told.contains(word), "{system} {more:?}: {told}");
    }
    let file = example_file();
    let file = file.to_str().unwrap();
    let rate = |more: &[&str]| answer(&[&["rate", file, "--json"], more].concat(), "");
    let changes: [(&str, &[&str]); 10] = [
        ("elo", &["--team-skill", "sum"]),
        ("dom", &["--set", "k=60"]),
        ("dota", &["--set", "step=0.3"]),
        ("glicko", &["--home-advantage", "-20"]),
        ("trueskill", &["--set", "beta=8"]),
        (
            "trueskill",
            &[
                "--set",
                "draw_probability=0.3",
                "--set",
                "tau=0.2",
                "--set",
                "tau_per_period=0.1",
            ],
        ),
        ("weng-lin", &["--set", "model=thurstone_mosteller_full"]),
        ("weng-lin", &["--set", "tau=0.3"]),
        ("trueskill", &["--rank-by", "rating"]),
        ("elo", &["--min-games", "65"]),
    ];
    for (system, change) in changes {
        let plain = rate(&["--system", system]);
        let changed = rate(&[&["--system", system], change].concat());
        assert_ne!(plain, changed, "{system} {change:?}");
    }
}

#[test]
fn parties_count_when_they_are_asked_to() {
    let told = |more: &[&str]| rate("dota", more, GAMES)["leaderboard"].clone();
    // The two of the party are less than 137 points apart, which is worth nothing yet.
    assert_eq!(told(&[]), told(&["--party-bonus", "line"]));
    let mut games = String::new();
    for time in 0..60 {
        writeln!(
            games,
            "{{\"time\":18000000{time:02},\"teams\":[\"ann\",\"bob\"],\"ranks\":[1,2]}}"
        )
        .unwrap();
    }
    games += r#"{"time":1800000100,"teams":[[{"player":"ann","party":1},{"player":"bob","party":1}],["cyd","dot"]],"ranks":[1,2]}"#;
    let told = |more: &[&str]| rate("dota", more, &games)["leaderboard"].clone();
    assert_ne!(told(&[]), told(&["--party-bonus", "line"]));
}

#[test]
fn plots_and_files_are_written_with_manifests_and_charts_are_plain() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (plot, reliability) = (path("course.svg"), path("reliability.svg"));
    let (out, predictions) = (path("r.csv"), path("p.csv"));
    let file = example_file();
    let run = |more: &[&str]| {
        let common = ["rate", "--system", "trueskill", file.to_str().unwrap(), "--chart"];
        answer(&[&common[..], more].concat(), "")
    };
    let files = [
        "--plot",
        &plot,
        "--reliability",
        &reliability,
        "--out",
        &out,
        "--predictions",
        &predictions,
    ];
    let text = run(&[&files[..], &["--players", "p00, p23"]].concat());
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(
        text.contains("a p00   b p23") && text.contains("Predicted and observed wins"),
        "{text}"
    );
    let charts = text.lines().skip_while(|line| *line != "Ratings over time");
    assert!(
        charts.clone().count() > 30 && charts.into_iter().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    let svg = std::fs::read_to_string(&plot).unwrap();
    assert!(svg.contains("p23") && svg.contains("opacity=") && svg.contains("2024-05"));
    assert!(
        std::fs::read_to_string(&reliability)
            .unwrap()
            .contains("perfect calibration")
    );
    let forecasts = std::fs::read_to_string(&predictions).unwrap();
    for line in forecasts.lines().skip(1) {
        let p: f64 = line
            .split(',')
            .skip(3)
            .take(3)
            .map(|f| f.parse::<f64>().unwrap())
            .sum();
        assert!((p - 1.0).abs() < 1e-9, "{line}");
    }
    for name in ["course.svg", "reliability.svg", "r.csv", "p.csv"] {
        let manifest = std::fs::read_to_string(path(&format!("{name}.manifest.json"))).unwrap();
        assert!(
            manifest.contains("teams.jsonl --system trueskill --evaluate-from 0.8")
                && manifest.contains("--players 'p00, p23'"),
            "{manifest}"
        );
    }
}

#[test]
fn charts_follow_the_leaders_where_nobody_is_named_and_are_the_same_bytes_every_time() {
    let file = example_file();
    let run = || {
        let arguments = ["rate", "--system", "trueskill", file.to_str().unwrap(), "--chart"];
        answer(&arguments, "")
    };
    assert!(run().contains("f p"));
    assert_eq!(run(), run());
    let one_place = ["--plot", "target/x.svg", "--reliability", "target/x.svg"];
    complaint(&arguments("elo", &one_place), GAMES, 2);
}

#[test]
fn help_shows_the_format_and_the_systems() {
    let help = answer(&["rate", "--help"], "");
    for system in SYSTEMS {
        assert!(help.contains(system), "{system}");
    }
    for words in [
        "\"teams\"",
        "\"ranks\"",
        "\"share\": 0.5",
        "team1=red1+red2+red3",
        "--home-advantage",
        "examples/teams.jsonl",
    ] {
        assert!(help.contains(words), "{words}");
    }
    // What it shows can be read.
    let shown: Vec<&str> = help
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("{\"time\""))
        .collect();
    assert_eq!(rate("elo", &[], &shown.join("\n"))["evaluation"]["matches"], 2);
}

#[test]
fn a_study_of_one_against_one_says_that_it_takes_no_teams() {
    let told = complaint(&["study", "eomm", "--matches", "-"], GAMES, 1);
    assert!(
        told.contains(":1:") && told.contains("matchwright rate"),
        "{told}"
    );
}

/// Robots in threes, with partners that change all the time.
#[test]
fn a_public_table_of_teams_is_read() {
    let Some(data) = std::env::var_os("MATCHWRIGHT_DATA") else {
        crate::common::say(
            "skipped: MATCHWRIGHT_DATA is not set, so there is no public table of teams to read",
        );
        return;
    };
    let columns = "time=year,team1=red1+red2+red3,team2=blue1+blue2+blue3,score1=red_score,score2=blue_score";
    let file = std::path::Path::new(&data).join("frc_tba/matches.csv.gz");
    let rate = |system: &str| -> Value {
        let mut command = matchwright();
        // The same teams meet again in a year, hence --keep-repeats.
        command.args([
            "rate",
            "--system",
            system,
            "--json",
            "--keep-repeats",
            "--skip-bad",
            "--time-unit",
            "years",
            "--columns",
            columns,
        ]);
        serde_json::from_slice(&command.arg(&file).assert().success().get_output().stdout).unwrap()
    };
    for (system, accuracy, log_loss) in [("trueskill", 0.68, 0.60), ("weng-lin", 0.69, 0.59)] {
        let told = rate(system);
        // In 23 rows a team is on both sides.
        assert_eq!(
            (&told["evaluation"]["matches"], &told["skipped_rows"]),
            (&Value::from(145_784), &Value::from(23))
        );
        let two = &told["evaluation"]["two_way"];
        assert!(two["accuracy"].as_f64().unwrap() > accuracy, "{system}: {two}");
        assert!(two["log_loss"].as_f64().unwrap() < log_loss, "{system}: {two}");
    }
}
