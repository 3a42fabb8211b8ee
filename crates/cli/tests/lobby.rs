//! `matchwright lobby` from outside: answers, files, and the examples that `--help` shows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::common::{answer, example, examples_of, lineups, matchwright};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Some seconds at the most, on any machine.
fn quick() -> [String; 6] {
    let policy = example("policies/awesomenauts.toml");
    ["--policy", &policy, "--iterations", "20000", "--gap", "5%"].map(str::to_owned)
}

fn lobby(players: &str, more: &[&str]) -> String {
    let quick = quick();
    let options: Vec<&str> = quick.iter().map(String::as_str).collect();
    answer(&[&["lobby", players], &options[..], more].concat(), "")
}

/// What `--json` tells of players given as JSON, under a policy given as TOML.
fn told(players: &[Value], policy: &str, more: &[&str]) -> Value {
    lineups(("policy.toml", policy), players, more)
}

const SKILL: &str = "[scoring.factors.team_skill]\nweight = 2\n";

fn skilled(number: usize) -> Vec<Value> {
    (0..number)
        .map(|k| json!({ "id": format!("p{k}"), "skill": 1000 * k }))
        .collect()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap()
}

#[test]
fn the_plain_answer_comes_first_and_then_the_matches_worst_first() {
    let text = lobby(&example("lobby/players.jsonl"), &[]);
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with("96 players, 16 matches of 3v3, mean quality 0.8"),
        "{first}"
    );
    assert!(
        first.contains(", upper bound 0.") && first.contains(" (gap "),
        "{first}"
    );
    assert!(first.ends_with(", 0 unmatched"), "{first}");
    assert!(!text.contains("enemy_ping"), "{text}");
    let explained = lobby(&example("lobby/players.jsonl"), &["--explain"]);
    assert!(
        explained.contains("enemy_ping") && explained.contains("Loss"),
        "{explained}"
    );
}

#[test]
fn the_numbers_of_an_answer_fit_together() {
    let all: Value = serde_json::from_str(&lobby(&example("lobby/players.jsonl"), &["--json"])).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let matches = list(&all, "matches");
    let mut seen = BTreeSet::new();
    let mut sum = 0.0;
    let mut before = 0.0;
    for one in matches {
        let quality = number(&one["quality"]);
        assert!(quality >= before, "worst first");
        before = quality;
        sum += quality;
        let factors = list(&one["score"], "factors");
        let explained: f64 = factors
            .iter()
            .map(|f| number(&f["share"]) * number(&f["value"]))
            .sum();
        assert!((explained - quality).abs() < 1e-9);
        for team in list(one, "teams") {
            let team = team.as_array().unwrap();
            assert_eq!(team.len(), 3);
            for seat in team {
                assert!(
                    seen.insert(seat["id"].as_str().unwrap().to_owned()),
                    "{seat} plays twice"
                );
            }
        }
    }
    assert_eq!(seen.len(), 96);
    let mean = sum / matches.len() as f64;
    assert!((mean - number(&all["mean_quality"])).abs() < 1e-12);
    let (bound, gap) = (number(&all["upper_bound"]), number(&all["gap"]));
    assert!(bound >= mean && (gap - (bound - mean) / bound).abs() < 1e-12);
    assert_eq!(all["reproducible"], true);
    // Whoever shares a party shares a team.
    for one in matches {
        let parties = |team: usize| -> BTreeSet<&str> {
            let seats = list(one, "teams")[team].as_array().unwrap();
            seats.iter().filter_map(|seat| seat["party"].as_str()).collect()
        };
        assert!(parties(0).is_disjoint(&parties(1)));
    }
}

#[test]
fn a_check_tells_the_same_value_and_what_is_proven() {
    let players = example("lobby/players.jsonl");
    let text = lobby(&players, &["--verify"]);
    assert!(
        text.contains("Checked by code that shares nothing with the search")
            && text.contains(": bound proven."),
        "{text}"
    );
    let all: Value = serde_json::from_str(&lobby(&players, &["--verify", "--json"])).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let (checked, claimed) = (&all["verdict"], number(&all["value_upper_bound"]));
    assert!((number(&checked["value"]) - number(&all["value"])).abs() < 1e-9);
    assert!((number(&checked["upper_bound"]) - claimed).abs() < 1e-6);
    // Few players: their optimum is proven, and checked.
    let few = told(&skilled(12), SKILL, &["--verify"]);
    assert_eq!(few["verdict"]["status"], "Optimal", "{few}");
    let unchecked = told(&skilled(12), SKILL, &[]);
    assert_eq!(unchecked["verdict"], Value::Null);
}

#[test]
fn csv_and_json_lines_are_read_as_the_same_players() {
    let json = lobby(&example("lobby/players.jsonl"), &["--json"]);
    assert_eq!(json, lobby(&example("lobby/players.csv"), &["--json"]));
}

#[test]
fn threads_do_not_change_a_byte_of_any_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut folders = Vec::new();
    for threads in ["1", "3"] {
        let out = folder.path().join(threads);
        let players = example("lobby/players.jsonl");
        lobby(&players, &["--threads", threads, "--out", out.to_str().unwrap()]);
        let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
        folders.push(["lineups.json", "matches.csv", "lobby.html", "manifest.json"].map(read));
    }
    assert_eq!(folders[0], folders[1]);
    let [lineups, matches, page, manifest] = &folders[0];
    assert_eq!(lineups, &lobby(&example("lobby/players.jsonl"), &["--json"]));
    assert_eq!(matches.lines().count(), 97);
    assert!(
        matches.starts_with(
            "match,quality,team,player,party,skill,wait_seconds,ping,team_mean_skill,team_win_probability,team_skill,"
        ),
        "{matches}"
    );
    for number in 1..=16 {
        assert!(page.contains(&format!("Match {number}: 0.")), "{number}");
    }
    assert!(
        page.matches("<script").count() == 1
            && page.contains("opponent variation")
            && page.contains("The bound answers")
            && page.contains("Players and their matches")
    );
    // The mean is told once, in the sentence that the page begins with; the policy says nothing of chances to win.
    let lineups: Value = serde_json::from_str(lineups).unwrap();
    let mean = format!("{:.4}", lineups["mean_quality"].as_f64().unwrap());
    assert_eq!(page.matches(&mean).count(), 1, "{mean}");
    assert!(page.contains(">Waited") && page.contains(">Ping") && !page.contains(">Team wins"));
    let manifest: Value = serde_json::from_str(manifest).unwrap();
    let command = manifest["command"].as_str().unwrap();
    assert_eq!(
        command,
        "matchwright lobby players.jsonl --policy awesomenauts.toml --teams 3v3 --iterations 20000 --gap 5% --seed 1"
    );
    assert_eq!(
        (list(&manifest, "inputs").len(), list(&manifest, "outputs").len()),
        (2, 3)
    );
}

#[test]
fn no_time_at_all_still_gives_matches_and_says_that_they_depend_on_the_machine() {
    let policy = example("policies/awesomenauts.toml");
    let players = example("lobby/players.jsonl");
    for deadline in ["0", "1ms", "0.05s"] {
        let arguments = ["lobby", &players, "--policy", &policy, "--deadline", deadline];
        let text = answer(&arguments, "");
        assert!(
            text.starts_with("96 players, 16 matches of 3v3, mean quality 0."),
            "{text}"
        );
        assert!(text.contains("depends on the machine"), "{text}");
        let all: Value = serde_json::from_str(&answer(&[&arguments[..], &["--json"]].concat(), "")).unwrap();
        assert_eq!(all["reproducible"], false);
    }
}

#[test]
fn who_does_not_fill_a_match_is_told_so_and_whoever_waited_plays() {
    let mut players = skilled(8);
    for place in [2, 5] {
        players[place]["wait_seconds"] = json!(3000);
    }
    let all = told(&players, SKILL, &[]);
    let left = list(&all, "unmatched");
    assert_eq!(left.len(), 2);
    for one in left {
        assert!(
            one["why"]
                .as_str()
                .unwrap()
                .starts_with("too few to fill a match: 8 players make 1 match of 6")
        );
        assert!(!["p2", "p5"].contains(&one["id"].as_str().unwrap()), "{one}");
        assert_eq!(one["unmatched_penalty"], 1.0);
    }
    assert_eq!(all["status"], "Optimal");
    let (bound, mean) = (
        all["upper_bound"].as_f64().unwrap(),
        all["arithmetic_mean"].as_f64().unwrap(),
    );
    assert!(bound >= mean - 1e-9 && bound - mean < 1e-6, "{all}");
}

#[test]
fn parties_that_fill_no_team_are_unmatched_for_their_sizes() {
    let mut players = skilled(6);
    for (place, player) in players.iter_mut().enumerate() {
        player["party"] = json!(format!("pair {}", place / 2));
    }
    let all = told(&players, SKILL, &[]);
    assert_eq!(list(&all, "matches").len(), 0);
    assert_eq!(
        (&all["mean_quality"], &all["upper_bound"]),
        (&Value::Null, &Value::Null)
    );
    let left = list(&all, "unmatched");
    assert_eq!(left.len(), 6);
    assert!(
        left.iter()
            .all(|one| one["why"].as_str().unwrap().starts_with("party sizes:")),
        "{all}"
    );
}

#[test]
fn a_rule_that_forbids_is_named_with_the_player() {
    let mut players = skilled(6);
    players[3]["griefer"] = json!(true);
    let all = told(&players, &format!("{SKILL}[scoring.rules.griefers]\n"), &[]);
    let left = list(&all, "unmatched");
    assert_eq!(left.len(), 6);
    for one in left {
        assert_eq!(one["forbidden_by"], "griefers", "{one}");
        assert!(
            one["why"]
                .as_str()
                .unwrap()
                .contains("`p3` plays with griefers only"),
            "{one}"
        );
    }
}

#[test]
fn a_bound_of_1_is_said_to_be_trivial() {
    // Five against five: the bound would take longer than the limits.
    let players = example("lobby/players.jsonl");
    let policy = example("policies/awesomenauts.toml");
    let arguments = [
        "lobby",
        &players,
        "--policy",
        &policy,
        "--teams",
        "5v5",
        "--deadline",
        "1s",
    ];
    let text = answer(&arguments, "");
    let first = text.lines().next().unwrap();
    assert!(first.contains("no upper bound below 1 (gap "), "{text}");
    assert!(text.contains("The upper bound is the trivial one"), "{text}");
    let all: Value = serde_json::from_str(&answer(&[&arguments[..], &["--json"]].concat(), "")).unwrap();
    assert_eq!(
        (&all["bound_source"], &all["upper_bound"]),
        (&json!("trivial"), &json!(1.0))
    );
    let (mean, gap) = (&all["arithmetic_mean"], &all["gap"]);
    assert!((gap.as_f64().unwrap() - (1.0 - mean.as_f64().unwrap())).abs() < 1e-12);
}

#[test]
fn without_a_bound_the_answer_says_why() {
    let all = told(&skilled(10), SKILL, &["--teams", "2v3"]);
    assert_eq!(
        (list(&all, "matches").len(), &all["upper_bound"]),
        (2, &json!(1.0))
    );
    assert!(
        all["no_bound_because"]
            .as_str()
            .unwrap()
            .contains("teams of 2 and 3 are not of one size")
    );
    let spread = format!("{SKILL}[scoring.factors.skill_spread]\n");
    let all = told(&skilled(12), &spread, &[]);
    assert_eq!(
        all["no_bound_because"],
        "`skill_spread` does not add up over players and pairs"
    );
    let note = all["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with("No bound below 1, which no quality exceeds: `skill_spread`"),
        "{note}"
    );
}

/// The qualities of the matches, worst first.
fn qualities(answer: &Value) -> Vec<f64> {
    let matches = list(answer, "matches").iter();
    matches.map(|one| one["quality"].as_f64().unwrap()).collect()
}

/// A total of qualities that rise.
type Judge<'a> = &'a dyn Fn(&[f64]) -> f64;

/// The greatest total of duels of eight players of `skills`: by brute force over all 105 pairings.
fn best_of_duels(skills: &[f64], total: Judge<'_>) -> f64 {
    fn visit(left: &[f64], made: &mut Vec<f64>, judge: &mut dyn FnMut(&[f64])) {
        let Some((first, rest)) = left.split_first() else {
            return judge(made);
        };
        for mate in 0..rest.len() {
            let mut others = rest.to_vec();
            let other = others.remove(mate);
            // The quality of `team_skill` by its default curve.
            made.push(1.0 - ((first - other).abs() / 10_000.0).min(1.0));
            visit(&others, made, judge);
            made.pop();
        }
    }
    let mut best = f64::NEG_INFINITY;
    visit(skills, &mut Vec::new(), &mut |made| {
        let mut rising = made.to_vec();
        rising.sort_by(f64::total_cmp);
        best = best.max(total(&rising));
    });
    best
}

#[test]
fn the_search_maximises_the_total_of_the_policy() {
    let skills = [100.0, 900.0, 1_000.0, 4_000.0, 4_900.0, 5_100.0, 8_800.0, 9_000.0];
    let numbered = skills.iter().enumerate();
    let players: Vec<Value> = numbered
        .map(|(place, skill)| json!({ "id": format!("p{place}"), "skill": skill }))
        .collect();
    let of = |total: &str| {
        let policy = format!("[scoring]\n{total}\n{SKILL}");
        told(&players, &policy, &["--teams", "1v1", "--verify"])
    };
    let mean = of("");
    let harmonic = |rising: &[f64]| rising.len() as f64 / rising.iter().map(|q| q.recip()).sum::<f64>();
    let square = |rising: &[f64]| (rising.iter().map(|q| q * q).sum::<f64>() / rising.len() as f64).sqrt();
    let cases: [(&str, &str, Judge<'_>); 5] = [
        (
            "total = { exponent = -1 }",
            "power mean of exponent -1",
            &harmonic,
        ),
        ("total = { exponent = 2 }", "power mean of exponent 2", &square),
        ("total = { quantile = 0 }", "quantile 0", &|rising| rising[0]),
        ("total = \"median\"", "median", &|rising| {
            f64::midpoint(rising[1], rising[2])
        }),
        ("total = { quantile = 1 }", "quantile 1", &|rising| rising[3]),
    ];
    for (written, words, total) in cases {
        let answer = of(written);
        let (found, best) = (total(&qualities(&answer)), best_of_duels(&skills, total));
        assert!((found - best).abs() < 1e-9, "{written}: {found}, best {best}");
        assert!(total(&qualities(&mean)) <= found + 1e-12, "{written}");
        assert!((answer["mean_quality"].as_f64().unwrap() - found).abs() < 1e-12);
        assert_eq!(answer["mean_quality_is"], words);
        let average = qualities(&answer).iter().sum::<f64>() / 4.0;
        assert!((answer["arithmetic_mean"].as_f64().unwrap() - average).abs() < 1e-12);
        assert!(answer["upper_bound"].as_f64().unwrap() >= found - 1e-12 || !written.contains("-1"));
        let note = answer["notes"][0].as_str().unwrap();
        let bound = if written.contains("-1") {
            "holds for it as well"
        } else {
            "none are known of this total"
        };
        assert!(
            note.contains(words) && note.contains("maximises") && note.contains(bound),
            "{note}"
        );
        assert_ne!(answer["status"], "Optimal");
    }
    assert_eq!(
        (list(&mean, "notes").len(), &mean["status"]),
        (1, &json!("Optimal"))
    );
}

#[test]
fn a_policy_in_json_is_the_same_policy() {
    let policy = json!({ "scoring": { "factors": { "team_skill": { "weight": 2 } } } });
    let from_json = lineups(("policy.json", &policy.to_string()), &skilled(12), &[]);
    assert_eq!(from_json, told(&skilled(12), SKILL, &[]));
}

#[test]
fn the_example_players_are_what_the_generator_draws() {
    let drawn = lobby_players(&LobbyWorldParams::default(), 1).unwrap();
    let lines = drawn
        .iter()
        .map(|player| serde_json::to_string(player).unwrap() + "\n");
    let text = std::fs::read_to_string(example("lobby/players.jsonl")).unwrap();
    assert_eq!(text, lines.collect::<Vec<_>>().concat());
}

/// Every line that `--help` shows as an example, run as shown.
#[test]
fn the_examples_of_help_run() {
    let folder = tempfile::tempdir().unwrap();
    for place in ["lobby", "policies"] {
        let (from, to) = (
            root().join("examples").join(place),
            folder.path().join("examples").join(place),
        );
        std::fs::create_dir_all(&to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
    let examples = examples_of(&["lobby"]);
    assert_eq!(examples.len(), 4);
    for example in examples {
        matchwright()
            .args(example)
            .current_dir(folder.path())
            .assert()
            .success();
    }
}

/// Three teams of two: all of one skill class meet, parties stay together, and the page, the tables and the verdict have them.
#[test]
fn matches_of_three_teams_are_made_checked_and_shown() {
    let players: Vec<Value> = (0..13)
        .map(|k| json!({ "id": format!("p{k}"), "skill": 1000 * (k % 2), "party": if k == 1 || k == 7 { json!("duo") } else { Value::Null } }))
        .collect();
    let policy = "[scoring.factors.player_skill]\nskill_cap = 5000\ndifference = { shape = \"ramp\", best = 0, worst = 2000 }\n";
    let all = told(&players, policy, &["--teams", "2v2v2", "--verify"]);
    assert_eq!(all["teams"], json!([2, 2, 2]));
    let matches = list(&all, "matches");
    assert_eq!((matches.len(), list(&all, "unmatched").len()), (2, 1));
    for one in matches {
        assert_eq!(one["quality"], 1.0);
        assert!(one["win_probability"].is_null());
        let teams = list(one, "teams");
        assert!(teams.len() == 3 && teams.iter().all(|team| team.as_array().unwrap().len() == 2));
    }
    let duo = |team: &Value| {
        team.as_array()
            .unwrap()
            .iter()
            .filter(|seat| seat["party"] == "duo")
            .count()
    };
    assert!(
        matches
            .iter()
            .flat_map(|one| list(one, "teams"))
            .any(|team| duo(team) == 2)
    );
    // No quality exceeds 1: nothing else is known of more than two teams.
    assert!(
        all["no_bound_because"].as_str().unwrap().contains("3 teams"),
        "{all}"
    );
    let text = lobby(&example("lobby/players.jsonl"), &["--teams", "4v4v4v4"]);
    assert!(text.starts_with("96 players, 6 matches of 4v4v4v4"), "{text}");
    assert!(text.contains("Team 4"), "{text}");
}
