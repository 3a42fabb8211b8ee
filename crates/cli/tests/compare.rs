//! `matchwright compare`, and the files of parameters that tuning writes.

use serde_json::Value;

use crate::common::{answer, complaint, examples_of, matchwright};

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
    assert_eq!(examples.len(), 3);
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
        "rate", "--system", "elo", MATCHES, "--json", "--config", &both, "--k", "16",
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
        said.contains("s.toml") && said.contains("glicko.params: unknown field `kk`"),
        "{said}"
    );
    std::fs::write(path, "[elo.params]\nk = 32\n").unwrap();
    let said = complaint(&["rate", "--system", "glicko", MATCHES, "--config", path], "", 2);
    assert!(said.contains("it has no [glicko], only elo"), "{said}");
    complaint(&["compare", MATCHES, "--systems", "elo,glicko3"], "", 2);
    complaint(&["compare", MATCHES, "--evaluate-from", "1.2"], "", 1);
}
