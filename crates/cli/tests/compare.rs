//! `matchwright compare`, and the files of parameters that tuning writes.

use serde_json::Value;

use crate::common::{answer, complaint, example, examples_of, matchwright};

const MATCHES: &str = "../../examples/matches.csv";

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&answer(
        &[&["compare", MATCHES], arguments, &["--json"]].concat(),
        "",
    ))
    .unwrap()
}

#[test]
fn the_examples_of_the_help_run_with_what_the_program_carries() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[String]| {
        matchwright()
            .args(words)
            .current_dir(folder.path())
            .assert()
            .success();
    };
    run(&["examples", "--out", "examples"].map(str::to_owned));
    let examples = examples_of(&["compare"]);
    assert_eq!(examples.len(), 5);
    for example in &examples {
        run(example);
    }
    for file in [
        "compare.json",
        "compare.csv",
        "systems.toml",
        "index.html",
        "manifest.json",
    ] {
        assert!(folder.path().join("target/compare").join(file).exists(), "{file}");
    }
}

#[test]
fn the_best_comes_first_and_the_others_have_their_difference_to_it() {
    let told = json(&["--systems", "elo,glicko2,weng-lin"]);
    let systems = told["systems"].as_array().unwrap();
    let loss = |one: &Value| one["two_way"]["log_loss"].as_f64().unwrap();
    assert!(systems.is_sorted_by_key(loss) && systems.len() == 3);
    assert_eq!(systems[0]["difference"], Value::Null);
    for other in &systems[1..] {
        let [mean, low, high] = ["mean", "low", "high"].map(|end| other["difference"][end].as_f64().unwrap());
        assert!((mean - (loss(other) - loss(&systems[0]))).abs() < 1e-12);
        assert!(low <= mean && mean <= high && low < high, "{other}");
    }
    // The same figures as those of one system by itself.
    let alone = answer(&["rate", "--system", "elo", MATCHES, "--json"], "");
    let alone: Value = serde_json::from_str(&alone).unwrap();
    let elo = systems.iter().find(|one| one["system"] == "elo").unwrap();
    assert_eq!(elo["two_way"], alone["evaluation"]["two_way"]);
    assert_eq!(elo["three_way"]["rps"], alone["evaluation"]["three_way"]["rps"]);
}

#[test]
fn a_sentence_says_what_is_clear_to_the_best_or_to_a_baseline() {
    let systems = ["--systems", "elo,glicko2,dom"];
    let told = json(&systems);
    let verdict = told["verdict"].as_str().unwrap();
    assert!(
        ["elo", "glicko2", "dom"]
            .iter()
            .all(|name| verdict.contains(name)),
        "{verdict}"
    );
    assert_eq!(told["baseline"], told["systems"][0]["system"]);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let shown = answer(&[&["compare", MATCHES, "--out", out], &systems[..]].concat(), "");
    assert!(shown.starts_with(verdict) && shown.contains("Seconds"), "{shown}");
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(page.contains(&format!("<p class=\"mw-answer\">{verdict}</p>")));
    // What differs from run to run is for eyes alone.
    assert!(!page.contains("Seconds"));
    assert!(
        !std::fs::read_to_string(folder.path().join("compare.csv"))
            .unwrap()
            .contains("Seconds")
    );

    let beside = json(&[&systems[..], &["--baseline", "dom"]].concat());
    let verdict = beside["verdict"].as_str().unwrap();
    assert!(verdict.starts_with("Against dom, in nats a game: "), "{verdict}");
    for system in beside["systems"].as_array().unwrap() {
        assert_eq!(system["difference"].is_null(), system["system"] == "dom");
    }
    let there = complaint(
        &["compare", MATCHES, "--systems", "elo", "--baseline", "dom"],
        "",
        2,
    );
    assert!(
        there.contains("--baseline dom: it is not among --systems"),
        "{there}"
    );
    let named = json(&["--systems", "openskill"]);
    assert_eq!(named["systems"][0]["system"], "weng-lin");
}

#[test]
fn losses_by_experience_are_those_of_all_decided_games() {
    let told = json(&["--systems", "elo,glicko2"]);
    let classes = told["by_experience"].as_array().unwrap();
    let games = |one: &Value| one["games"].as_f64().unwrap();
    for (place, system) in told["systems"].as_array().unwrap().iter().enumerate() {
        let all: f64 = classes.iter().map(games).sum();
        assert_eq!(all, system["two_way"]["n"].as_f64().unwrap());
        let sum: f64 = classes
            .iter()
            .map(|one| games(one) * one["log_losses"][place].as_f64().unwrap())
            .sum();
        let mean = system["two_way"]["log_loss"].as_f64().unwrap();
        assert!((sum / all - mean).abs() < 1e-9, "{sum} {mean}");
    }
}

#[test]
fn what_tuning_writes_is_read_by_both_commands_and_gives_the_same_forecasts() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (both, one) = (path("both.toml"), path("one.toml"));
    let tuned = json(&["--systems", "elo,glicko", "--tune", &both]);
    let again = json(&["--systems", "elo,glicko", "--config", &both]);
    let evaluated = |told: &Value| {
        let systems = told["systems"].as_array().unwrap().clone();
        let of = |one: &Value| (one["system"].clone(), one["two_way"].clone());
        systems.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(evaluated(&tuned), evaluated(&again));
    let rate = |more: [&str; 2]| -> Value {
        let run = ["rate", "--system", "glicko", MATCHES, "--json", more[0], more[1]];
        serde_json::from_str(&answer(&run, "")).unwrap()
    };
    let (first, second) = (rate(["--tune", &one]), rate(["--config", &both]));
    assert_eq!(first["evaluation"], second["evaluation"]);
    assert!(std::fs::read_to_string(&one).unwrap().contains("[glicko.params]"));
    let text = std::fs::read_to_string(&both).unwrap();
    assert!(
        text.contains("[elo.params]") && text.contains("[glicko.params]"),
        "{text}"
    );
    // An option goes before the file.
    let run = [
        "rate", "--system", "elo", MATCHES, "--json", "--config", &both, "--set", "k=16",
    ];
    let by_hand = answer(&run, "");
    assert_ne!(by_hand, answer(&run[..7], ""));
}

#[test]
fn bad_files_and_names_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    std::fs::write(&path, "[elo.params]\nk = 32\n\n[glicko.params]\nkk = 1\n").unwrap();
    let path = path.to_str().unwrap();
    let said = complaint(&["compare", MATCHES, "--config", path], "", 1);
    assert!(
        said.contains("s.toml") && said.contains("unknown field `kk`, expected one of `initial_rating`"),
        "{said}"
    );
    std::fs::write(path, "[elo.params]\nk = 32\n").unwrap();
    let said = complaint(&["rate", "--system", "glicko", MATCHES, "--config", path], "", 2);
    assert!(said.contains("it has no [glicko], only elo"), "{said}");
    complaint(&["compare", MATCHES, "--systems", "elo,glicko3"], "", 2);
    complaint(&["compare", MATCHES, "--evaluate-from", "1.2"], "", 1);
}

/// The log loss of decisive games.
fn loss_of(options: &[&str]) -> f64 {
    let told: Value =
        serde_json::from_str(&answer(&[&["rate", MATCHES, "--json"], options].concat(), "")).unwrap();
    told["evaluation"]["two_way"]["log_loss"].as_f64().unwrap()
}

#[test]
fn schedules_margins_and_a_cap_change_the_forecasts_of_the_systems_that_have_them() {
    for (system, option, value) in [
        ("scheduled-elo", "--set", "schedule=us_chess"),
        (
            "scheduled-elo",
            "--set",
            "schedule={provisional={games=10,first_k=80,k=16}}",
        ),
        ("elo", "--margin", "2"),
        ("glicko2", "--margin", "world-football"),
        ("trueskill", "--margin", "2"),
        ("elo-mmr", "--set", "beta=300"),
    ] {
        let (plain, changed) = (
            loss_of(&["--system", system]),
            loss_of(&["--system", system, option, value]),
        );
        assert!(
            plain != changed && (plain - changed).abs() < 0.15,
            "{system} {option} {value}: {plain} {changed}"
        );
    }
    // Where deviations grow by much between matches.
    let fast = ["--system", "glicko", "--set", "c=60"];
    let capped = [&fast[..], &["--set", "max_deviation_growth=0"]].concat();
    assert_ne!(loss_of(&fast), loss_of(&capped));
    assert_eq!(
        loss_of(&["--system", "elo", "--margin", "off"]),
        loss_of(&["--system", "elo"])
    );
    for (options, said) in [
        (
            ["bradley-terry", "--margin", "3"],
            "--margin or --performance is a parameter of elo, scheduled-elo, glicko,",
        ),
        (
            ["elo", "--set", "max_deviation_growth=3"],
            "unknown field `max_deviation_growth`, expected one of `k`",
        ),
        (
            ["scheduled-elo", "--set", "schedule=fides"],
            "unknown variant `fides`, expected one of `fide`, `us_chess`, `provisional`, `decaying`",
        ),
        (
            [
                "scheduled-elo",
                "--set",
                "schedule={provisional={games=1,first_k=0,k=32}}",
            ],
            "`first_k` is 0",
        ),
        (["elo", "--margin", "-1"], "--margin"),
        (["elo-mmr", "--set", "gamma=-1"], "`gamma` is -1"),
    ] {
        let found = complaint(
            &[
                "rate",
                MATCHES,
                "--system",
                options[0],
                &format!("{}={}", options[1], options[2]),
            ],
            "",
            2,
        );
        assert!(found.contains(said), "{options:?}: {found}");
    }
}

#[test]
fn a_file_of_parameters_holds_schedules_and_margins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    let text = "[scheduled-elo.params]\nschedule = \"us_chess\"\n\
        [scheduled-elo.margin.logarithmic]\ntypical = 2.0\ndamping = 2200.0\n";
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let (read, given) = (
        loss_of(&["--system", "scheduled-elo", "--config", path]),
        loss_of(&[
            "--system",
            "scheduled-elo",
            "--set",
            "schedule=us_chess",
            "--margin",
            "2",
        ]),
    );
    assert!((read - given).abs() < 1e-12, "{read} {given}");
    let tuned = folder.path().join("tuned.toml");
    let tuned = tuned.to_str().unwrap();
    let before = loss_of(&["--system", "elo", "--tune", tuned]);
    assert_eq!(before, loss_of(&["--system", "elo", "--config", tuned]));
    // What is given replaces what the file says.
    let by_hand = loss_of(&[
        "--system",
        "scheduled-elo",
        "--config",
        path,
        "--set",
        "schedule=fide",
        "--margin",
        "off",
    ]);
    assert_eq!(
        by_hand,
        loss_of(&["--system", "scheduled-elo", "--set", "schedule=fide"])
    );
}

#[test]
fn the_constant_forecast_is_that_of_the_evaluated_outcomes() {
    // Of the last five, by hand: three wins, a draw, a loss.
    let results = ["1", "0", "1", "0", "0.5", "1", "1", "0", "0.5", "1"];
    let rows = (1_600_000_000..)
        .zip(results)
        .map(|(time, result)| format!("{time},ann,bob,{result}"));
    let matches = format!(
        "time,player1,player2,result\n{}\n",
        rows.collect::<Vec<_>>().join("\n")
    );
    let arguments = [
        "compare",
        "-",
        "--systems",
        "elo,glicko",
        "--evaluate-from",
        "0.5",
    ];
    let found = answer(&[&arguments[..], &["--json"]].concat(), matches.as_str());
    let found: Value = serde_json::from_str(&found).unwrap();
    for (measure, wanted) in [
        ("accuracy", 0.75),
        ("log_loss", 0.562_335_144_6),
        ("brier", 0.1875),
        ("ece", 0.0),
        ("three_way_log_loss", 0.950_270_539_2),
        ("rps", 0.2),
    ] {
        let value = found["constant"][measure].as_f64().unwrap();
        assert!((value - wanted).abs() < 1e-9, "{measure}: {value}");
    }
    assert!(answer(&arguments, matches).contains(" constant "));
}

#[test]
fn what_a_system_cannot_do_is_said_before_any_is_rated() {
    let teams = example("teams.jsonl");
    let told = complaint(&["compare", "--systems", "elo,bradley-terry", &teams], "", 1);
    assert!(told.contains("bradley-terry: game 2 has a team in it"), "{told}");
    assert!(!told.contains("rating by"), "{told}");
    let winners = "time,winner,loser\n2024-05-01,a,b\n2024-05-02,b,a\n2024-05-03,a,b\n";
    let told = complaint(
        &["rate", "--system", "elo", "--home-advantage", "fit", "-"],
        winners,
        1,
    );
    assert!(
        told.contains("where a file names winners first, fit none"),
        "{told}"
    );
}
