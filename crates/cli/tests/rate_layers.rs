//! `matchwright rate` with what goes around a system, from outside: the ladder, parties, skills at all times.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::common::{answer, complaint, example, examples_of, matchwright};
use serde_json::Value;

/// Pseudo-random numbers below `below`, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Two against two of 30 players, the first the strongest; in every other side or so the two queued together, which
/// makes each of them better by a third of the distance between the first and the last. Every third game is normal, the
/// others are ranked, which changes nothing of how they end.
fn recipe() -> String {
    let mut dice = Dice(11);
    let mut text = String::new();
    for game in 0..1_500_u64 {
        let mut free: Vec<u64> = (0..30).collect();
        let mut sides = Vec::new();
        for _ in 0..2 {
            let mut draw = || free.swap_remove(usize::try_from(dice.below(free.len() as u64)).unwrap());
            let players = [draw(), draw()];
            let together = dice.below(2) == 1;
            let bonus = if together { 20 } else { 0 };
            let luck: u64 = (0..3).map(|_| dice.below(60)).sum();
            sides.push((players, together, 60 - players[0] - players[1] + bonus + luck));
        }
        let ranks = match sides[0].2.cmp(&sides[1].2) {
            std::cmp::Ordering::Greater => "[1,2]",
            std::cmp::Ordering::Equal => "[1,1]",
            std::cmp::Ordering::Less => "[2,1]",
        };
        let seats = sides.iter().map(|([one, other], together, _)| {
            if *together {
                format!(
                    "[{{\"player\":\"p{one:02}\",\"party\":1}},{{\"player\":\"p{other:02}\",\"party\":1}}]"
                )
            } else {
                format!("[\"p{one:02}\",\"p{other:02}\"]")
            }
        });
        let seats: Vec<String> = seats.collect();
        let time = 1_714_500_000 + 3_600 * game;
        let context = if game % 3 == 0 { "normal" } else { "ranked" };
        writeln!(
            text,
            "{{\"time\":{time},\"context\":\"{context}\",\"teams\":[{}],\"ranks\":{ranks}}}",
            seats.join(",")
        )
        .unwrap();
    }
    text
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn told(arguments: &[&str], input: &str) -> Value {
    serde_json::from_str(&answer(&[&["rate", "--json"], arguments].concat(), input)).unwrap()
}

#[test]
fn the_example_of_parties_is_what_its_recipe_makes() {
    assert!(std::fs::read_to_string(example("parties.jsonl")).unwrap() == recipe());
}

/// The estimate of a coefficient as value, low and high; none if the games cannot tell.
fn coefficient(told: &Value, term: &Value) -> Option<[f64; 3]> {
    let all = told["party_fit"]["fit"]["coefficients"].as_array().unwrap();
    let one = all.iter().find(|one| one["term"] == *term).unwrap();
    let value = one["estimate"]["value"].as_f64()?;
    let half = 1.96 * one["estimate"]["standard_error"].as_f64().unwrap();
    Some([value, value - half, value + half])
}

#[test]
fn parties_are_learnt_with_intervals_and_make_forecasts_better() {
    let file = example("parties.jsonl");
    for system in ["elo", "glicko", "glicko2", "dom", "dota", "trueskill", "weng-lin"] {
        let rate = |bonus| told(&["--system", system, "--party-bonus", bonus, &file], "");
        let (fitted, without) = (rate("fit"), rate("off"));
        let loss = |told: &Value| told["evaluation"]["two_way"]["log_loss"].as_f64().unwrap();
        assert!(loss(&fitted) < loss(&without), "{system}");
        let [value, low, _] = coefficient(&fitted, &serde_json::json!({"size": 2})).unwrap();
        assert!(value > low && low > 0.0, "{system}: {value}");
        assert!(coefficient(&fitted, &serde_json::json!({"size": 3})).is_none());
        assert!(fitted["party_fit"]["within_players"].as_f64().unwrap() > 0.9);
        assert!(without["party_fit"].is_null());
    }
    let text = answer(&["rate", "--system", "elo", "--party-bonus", "fit", &file], "");
    for words in [
        "Party bonus, in rating points",
        "party of 2",
        "no: no such parties",
        "95 % low",
        "standard error",
        "900 games of two sides",
        "300 used for training ratings only",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    // All spread is free: nothing is left to estimate.
    let free = told(
        &[
            "--system",
            "elo",
            "--party-bonus",
            "fit",
            "--free-spread",
            "5000",
            &file,
        ],
        "",
    );
    assert!(coefficient(&free, &"spread".into()).is_none());
}

#[test]
fn what_cannot_be_learnt_of_parties_is_said() {
    let file = example("parties.jsonl");
    let fit = ["rate", "--system", "elo", "--party-bonus", "fit"];
    let told = complaint(&[&fit[..], &[&example("teams.jsonl")]].concat(), "", 1);
    assert!(
        told.contains("no game of two sides") && told.contains("party"),
        "{told}"
    );
    let mut always = String::new();
    for time in 1_800_000_000..1_800_000_040 {
        let friends = r#"[{"player":"a","party":1},{"player":"b","party":1}]"#;
        let ranks = if time % 3 == 0 { "[2,1]" } else { "[1,2]" };
        writeln!(
            always,
            "{{\"time\":{time},\"teams\":[{friends},[\"c\",\"d\"]],\"ranks\":{ranks}}}"
        )
        .unwrap();
    }
    let told = complaint(&[&fit[..], &["-"]].concat(), always.as_str(), 1);
    assert!(told.contains("the same players are always in a party"), "{told}");
    let broken =
        "{\"time\":1,\"teams\":[[{\"player\":\"a\",\"party\":[]},\"b\"],[\"c\",\"d\"]],\"ranks\":[1,2]}\n";
    let told = complaint(&[&fit[..], &["-"]].concat(), broken, 1);
    assert!(
        told.contains("standard input:1:") && told.contains("party"),
        "{told}"
    );
    for (arguments, words) in [
        (
            &["--system", "bradley-terry", "--party-bonus", "fit"][..],
            "weng-lin",
        ),
        (&["--system", "through-time", "--party-bonus", "fit"], "trueskill"),
        (&["--system", "elo", "--free-spread", "5"], "--party-bonus fit"),
        (
            &["--system", "elo", "--party-bonus", "fit", "--free-spread=-5"],
            "--free-spread",
        ),
    ] {
        let told = complaint(&[&["rate"], arguments, &[&file]].concat(), "", 2);
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
}

/// A ladder with nothing left to its defaults but the floor.
const LADDER: [&str; 15] = [
    "--ladder",
    "--promote-at",
    "1500,1600",
    "--average",
    "exponential:0.2",
    "--bonus-pool",
    "60",
    "--bonus-limit",
    "50",
    "--points-k",
    "30",
    "--points-start",
    "100",
    "--promote-after",
    "3",
];

#[test]
fn a_ladder_is_shown_beside_the_rating_that_it_leaves_alone() {
    let file = example("matches.csv");
    let plain = ["--system", "glicko2", &file, "--top", "1000000"];
    let (without, with) = (told(&plain, ""), told(&[&plain[..], &LADDER].concat(), ""));
    assert_eq!(with["evaluation"], without["evaluation"]);
    let boards = [&with, &without].map(|told| told["leaderboard"].as_array().unwrap());
    let mut tiers = [0; 3];
    for (with, without) in boards[0].iter().zip(boards[1]) {
        assert_eq!(
            (&with["player"], &with["rating"]),
            (&without["player"], &without["rating"])
        );
        assert!(without["ladder"].is_null());
        let ladder = &with["ladder"];
        let number = |name: &str| ladder[name].as_f64().unwrap();
        assert!(
            number("points") >= 0.0 && (0.0..=50.0).contains(&number("unspent")),
            "{ladder}"
        );
        let tier = usize::try_from(ladder["tier"].as_u64().unwrap()).unwrap();
        tiers[tier] += 1;
        assert_eq!(ladder["to_promotion"].is_null(), tier == 2);
    }
    assert!(tiers.iter().all(|&players| players > 0), "{tiers:?}");
    let by_points = told(&[&plain[..], &LADDER, &["--rank-by", "points"]].concat(), "");
    let points = by_points["leaderboard"].as_array().unwrap().iter();
    let points: Vec<f64> = points
        .map(|one| one["ladder"]["points"].as_f64().unwrap())
        .collect();
    assert!(points.is_sorted_by(|a, b| a >= b) && points[0] > 150.0);
}

#[test]
fn a_ladder_is_printed_and_written_with_its_command() {
    let file = example("matches.csv");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("r.csv");
    let out = out.to_str().unwrap();
    let text = answer(
        &[
            &["rate", "--system", "glicko2", &file, "--top", "3", "--out", out][..],
            &LADDER,
        ]
        .concat(),
        "",
    );
    assert!(
        text.contains("The ladder") && text.contains("to next tier"),
        "{text}"
    );
    let csv = std::fs::read_to_string(out).unwrap();
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with("points,bonus_spent,bonus_left,average,tier")
    );
    let manifest = std::fs::read_to_string(format!("{out}.manifest.json")).unwrap();
    assert!(
        manifest.contains("--ladder --points-k 30 --points-start 100 --bonus-pool 60 --bonus-limit 50 --average exponential:0.2 --promote-at 1500,1600 --promote-after 3"),
        "{manifest}"
    );
}

#[test]
fn ladders_that_make_no_sense_are_refused_before_anything_is_read() {
    for (arguments, words) in [
        (&["bradley-terry", "--ladder"][..], "elo, scheduled-elo, glicko"),
        (&["elo", "--points-k", "20"], "--ladder"),
        (&["elo", "--promote-at", "1500"], "--ladder"),
        (&["elo", "--rank-by", "points"], "add --ladder"),
        (&["elo", "--ladder", "--promote-at", "1600,1500"], "--promote-at"),
        (&["elo", "--ladder", "--average", "simple:0"], "1 to 10000"),
        (&["elo", "--ladder", "--average", "median:3"], "simple:N"),
        (
            &["elo", "--ladder", "--average", "exponential:2"],
            "exponential:0.2",
        ),
        (&["elo", "--ladder", "--bonus-pool", "never"], "or off"),
        (&["elo", "--ladder", "--points-k=-1"], "--points-k is -1"),
        (&["elo", "--ladder", "--points-floor", "5"], "--points-floor is 5"),
        (&["elo", "--ladder", "--period", "game"], "--bonus-pool off"),
        (
            &["elo", "--ladder", "--bonus-pool", "off", "--bonus-limit", "5"],
            "no pool to limit",
        ),
    ] {
        let told = complaint(
            &[&["rate", "--system"], arguments, &["no-such-file.csv"]].concat(),
            "",
            2,
        );
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
    let off = [
        "--system",
        "elo",
        "--ladder",
        "--period",
        "game",
        "--bonus-pool",
        "off",
    ];
    let told = told(&[&off[..], &[&example("matches.csv")]].concat(), "");
    assert_eq!(told["leaderboard"][0]["ladder"]["spent"], 0.0);
}

#[test]
fn through_time_says_how_it_settled_and_never_looks_ahead() {
    let file = example("teams.jsonl");
    let text = answer(&["rate", "--system", "through-time", &file, "--chart"], "");
    for words in [
        "Skills at each player's last match, estimated from all matches",
        "No forecast looks ahead",
        "Log evidence",
        " deviation: converged.",
        "Ratings over time",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let lines = std::fs::read_to_string(&file).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.csv");
    let forecasts = |input: &str| {
        let path = path.to_str().unwrap();
        let arguments = ["--system", "through-time", "-", "--predictions", path];
        let told = told(&arguments, input);
        let text = std::fs::read_to_string(path).unwrap();
        (told, text.lines().map(str::to_owned).collect::<Vec<_>>())
    };
    let (told_once, whole) = forecasts(&lines);
    // The last game the other way round, in its scores alone.
    let mut turned: Vec<String> = lines.lines().map(str::to_owned).collect();
    let last = turned.last_mut().unwrap();
    let start = last.find("\"scores\":[").unwrap() + 10;
    let scores: Vec<&str> = last[start..].trim_end_matches("]}").rsplit(", ").collect();
    *last = format!("{}{}]}}", &last[..start], scores.join(", "));
    let (told_again, other) = forecasts(&turned.join("\n"));
    let pairs = whole
        .iter()
        .filter(|line| line.starts_with(&whole[whole.len() - 1][..20]))
        .count();
    let until = whole.len() - pairs;
    // The outcome is the last field of a line, and the draw rate is fitted before the scored part.
    assert_eq!(whole[..until], other[..until]);
    assert_ne!(told_once["leaderboard"], told_again["leaderboard"]);
    assert_eq!(told_once["through_time"]["converged"], true);
    assert!(told_once["through_time"]["log_evidence"].as_f64().unwrap() < 0.0);
    let wide = told(&["--system", "through-time", "--set", "gamma=2", &file], "");
    assert!(
        wide["through_time"]["log_evidence"].as_f64() < told_once["through_time"]["log_evidence"].as_f64()
    );
    let no_draws = [
        "rate",
        "--system",
        "through-time",
        "--set",
        "draw_probability=0",
        &file,
    ];
    assert!(complaint(&no_draws, "", 1).contains("share a place"));
    for (arguments, words) in [
        (&["--home-advantage", "fit"][..], "trueskill"),
        (&["--period", "game"], "trueskill"),
        (
            &["--set", "k=3"],
            "unknown field `k`, expected one of `initial_mu`",
        ),
        (&["--set", "gamma=-1"], "`gamma` is -1"),
    ] {
        let all = [&["rate", "--system", "through-time", "-"], arguments].concat();
        let told = complaint(&all, lines.as_str(), 2);
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
}

#[test]
fn a_period_can_be_a_game() {
    let file = example("matches.csv");
    let loss = |period: &str| {
        let told = told(&["--system", "glicko", "--period", period, &file], "");
        told["evaluation"]["two_way"]["log_loss"].as_f64().unwrap()
    };
    assert!((loss("game") - loss("1")).abs() > 1e-6);
    for wrong in ["0", "week", "-2"] {
        let period = format!("--period={wrong}");
        let told = complaint(&["rate", "--system", "glicko", &period, &file], "", 2);
        assert!(told.contains("or game"), "{told}");
    }
}

#[test]
fn ratings_go_on_from_those_that_an_earlier_run_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let all = std::fs::read_to_string(example("matches.csv")).unwrap();
    let lines: Vec<&str> = all.lines().collect();
    let part = |from: usize, to: usize| [&lines[..1], &lines[from..to]].concat().join("\n") + "\n";
    let middle = lines.len() / 2;
    let ratings = |matches: &str, more: &[&str], name: &str| {
        let out = path(name);
        let arguments = [&["rate", "--system", "elo", "--out", &out, "-"], more].concat();
        answer(&arguments, matches);
        let table = std::fs::read_to_string(out).unwrap();
        let rows = table.lines().skip(1).map(|row| {
            let mut cells = row.split(',');
            (
                cells.next().unwrap().to_owned(),
                cells.next().unwrap().parse::<f64>().unwrap(),
            )
        });
        rows.collect::<std::collections::BTreeMap<_, _>>()
    };
    let whole = ratings(&all, &[], "whole.csv");
    ratings(&part(1, middle), &[], "half.csv");
    let half = path("half.csv");
    let rest = part(middle, lines.len());
    let again = ratings(&rest, &["--start-ratings", &half], "again.csv");
    assert!(again.len() > 10);
    for (player, rating) in &again {
        assert!((rating - whole[player]).abs() < 1e-6, "{player}: {rating}");
    }
    assert_ne!(ratings(&rest, &[], "afresh.csv"), again);
    assert_eq!(
        ratings(&rest, &["--stream", "--start-ratings", &half], "streamed.csv"),
        again
    );
    let manifest = std::fs::read_to_string(path("again.csv.manifest.json")).unwrap();
    assert!(manifest.contains("half.csv"), "{manifest}");
    let mut strangers = matchwright();
    let strangers = strangers.args(["rate", "--system", "elo", "--start-ratings", &half, "-"]);
    let strangers = strangers
        .write_stdin("time,player1,player2,score1,score2\n2024-01-01,ann,bob,1,0\n")
        .assert();
    let told = String::from_utf8_lossy(&strangers.success().get_output().stderr).into_owned();
    assert!(
        told.contains("no player of the matches has a rating to start with"),
        "{told}"
    );
    let start = ["--start-ratings", &half];
    for (arguments, words) in [
        (
            ["--system", "trueskill"],
            "of 400 points for odds of ten to one; those of trueskill",
        ),
        (
            ["--system", "bradley-terry"],
            "--start-ratings: models of all matches at once",
        ),
    ] {
        let arguments = [&["rate", "-"], &arguments[..], &start].concat();
        let code = if words.contains("--start") { 2 } else { 1 };
        let told = complaint(&arguments, rest.as_str(), code);
        assert!(told.contains(words), "{told}");
    }
    std::fs::write(path("odd.csv"), "player,rating\nann,\n").unwrap();
    let odd = [
        "rate",
        "--system",
        "elo",
        "--start-ratings",
        &path("odd.csv"),
        "-",
    ];
    let told = complaint(&odd, rest.as_str(), 1);
    assert!(told.contains("odd.csv") && told.contains("ann"), "{told}");
}

#[test]
fn seasons_decay_and_floors_are_options_and_parts_of_a_config() {
    let file = example("matches.csv");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("ratings.csv").to_str().unwrap().to_owned();
    let ratings = |arguments: &[&str]| {
        let all = [&["rate", "--system", "glicko2", "--out", &out, &file], arguments].concat();
        answer(&all, "");
        std::fs::read_to_string(&out).unwrap()
    };
    let plain = ratings(&[]);
    let season = ["--seasons", "every:3", "--season-reset", "0.5,60"];
    let seasons = ratings(&season);
    assert!(seasons != plain);
    assert!(ratings(&["--decay", "2,2"]) != plain);
    assert!(ratings(&["--rank-floors", "1500,10"]) != plain);
    let fast = ["--period", "0.001"];
    let capped = [&fast[..], &["--max-deviation-growth", "0"]].concat();
    assert!(ratings(&capped) != ratings(&fast));
    let manifest = std::fs::read_to_string(format!("{out}.manifest.json")).unwrap();
    assert!(manifest.contains("\"rank_floors\""), "{manifest}");
    let config = folder.path().join("glicko2.toml").to_str().unwrap().to_owned();
    let document = "[glicko2.seasons]\nevery_days = 3\nchange = { share = 0.5, added_deviation = 60 }\n";
    std::fs::write(&config, document).unwrap();
    assert!(ratings(&["--config", &config]) == seasons);
    assert!(ratings(&["--config", &config, "--seasons", "every:2"]) != seasons);
    // Any two dates within the file.
    assert!(ratings(&["--seasons", "2016-01-03, 2016-01-05T12:00:00Z"]) != plain);
    for (arguments, words) in [
        (&["--seasons", "soon"][..], "`soon` is no date such as 2024-07-01"),
        (&["--seasons", "2024-02-30"], "`2024-02-30` is no date"),
        (&["--seasons", "every:0"], "give days from 1"),
        (&["--season-reset", "0.5"], "--seasons"),
        (
            &["--seasons", "every:30", "--season-reset", "1.5"],
            "`season share` is 1.5",
        ),
        (&["--decay", "5"], "such as 5,28"),
        (&["--decay", "5,-1"], "`decay after_days` is -1"),
        (
            &["--decay", "5,28", "--period", "game"],
            "ratings decay by the clock",
        ),
        (&["--max-deviation-growth=-1"], "--max-deviation-growth is -1"),
        (&["--rank-floors", "1200,0"], "`rank_floors step` is 0"),
        (
            &["--rank-floors", "1200,100", "--period", "batch:7"],
            "no rank floors",
        ),
    ] {
        let all = [&["rate", "--system", "glicko2", &file], arguments].concat();
        let told = complaint(&all, "", 2);
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
    let whole = ["rate", "--system", "bradley-terry", "--decay", "5,28", &file];
    assert!(complaint(&whole, "", 2).contains("--decay is a parameter of"));
    let mut late = matchwright();
    let late = late
        .args(["rate", "--system", "elo", "--seasons", "2035-01-01", &file])
        .assert()
        .success();
    let told = String::from_utf8_lossy(&late.get_output().stderr).into_owned();
    assert!(told.contains("--seasons had no effect"), "{told}");
}

#[test]
fn every_command_that_the_help_shows_runs() {
    let examples = examples_of(&["rate"]);
    assert_eq!(examples.len(), 15);
    for arguments in examples {
        // What is written stays in a folder of our own.
        let folder = tempfile::tempdir().unwrap();
        let place = |word: &str| match word.strip_prefix("target/") {
            Some(name) => folder.path().join(name).to_str().unwrap().to_owned(),
            None => word.to_owned(),
        };
        let mut command = matchwright();
        command
            .current_dir(root())
            .args(arguments.iter().map(|word| place(word)));
        command.assert().success();
    }
}
