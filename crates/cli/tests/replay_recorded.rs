//! `matchwright replay`: what really happened beside policies, and what kept tickets waiting.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::common::answer;

const LOG: &str = "../../examples/queue/tickets.csv";

fn json(arguments: &[&str]) -> Value {
    let all = [&["replay", LOG], arguments, &["--json"]].concat();
    serde_json::from_str(&answer(&all, "")).unwrap()
}

/// The example was made under `widening`, so that it costs to the last digit what that policy pays again.
#[test]
fn what_really_happened_is_judged_as_policies_are() {
    let both = json(&["--policy", "prices", "--against", "widening"]);
    let (recorded, widening) = (&both["recorded"], &both["policies"][1]);
    for key in [
        "costs_per_player",
        "matches",
        "left",
        "overdue",
        "waits",
        "mismatch",
    ] {
        assert_eq!(recorded[key], widening[key], "{key}");
    }
    assert_eq!(both["not_recorded"], Value::Null);
    let less = &both["policies"][0]["less_recorded"];
    assert_eq!(less["test"], both["comparison"]["test"]);
    assert_eq!(widening["less_recorded"]["test"]["difference"], 0.0);
    // Without --against the sentence is about what happened.
    let said = answer(&["replay", LOG, "--policy", "prices"], "");
    let sentence = "On this log, no clear difference between `prices` and what really happened: `prices` costs 73 (36 %) less per \
                    player, 95 % interval from 173 less to 27 more: waits are 15 s shorter, matches 30 less even, 7.3 % more of \
                    the tickets get a match.";
    assert!(said.contains(sentence), "{said}");
    assert!(
        said.contains("As recorded: what really happened, by the log."),
        "{said}"
    );
    // The files name matches as the log does.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    answer(
        &[
            "replay",
            LOG,
            "--policy",
            "prices",
            "--out",
            out.to_str().unwrap(),
        ],
        "",
    );
    let matches = std::fs::read_to_string(out.join("matches.csv")).unwrap();
    assert!(matches.lines().any(|line| line.starts_with("as recorded,m6,")));
    let tickets = std::fs::read_to_string(out.join("tickets.csv")).unwrap();
    assert!(
        tickets
            .lines()
            .any(|line| line.starts_with("as recorded,t4,1,matched,m6,"))
    );
}

#[test]
fn what_a_log_does_not_tell_of_what_happened_is_said() {
    let run = ["replay", "-", "--policy", "widening", "--time-unit", "seconds"];
    let log = "ticket,time,left,matched,match,team,skill\n\
               a,0,,10,m1,,1500\nb,5,,10,m1,,1530\n\
               c,20,,30,m2,,1500\n\
               d,40,,50,,,1500\n\
               e,60,,,m3,,1500\nf,60,,,m3,,1510\n\
               g,80,,,,,1500\nh,85,95,,,,1500\n";
    let said = answer(&run, log);
    for words in [
        "over the players of the 3 of 8 tickets of which that is known",
        "how 1 ticket ended is not in the log",
        "when 2 tickets of a match stopped waiting is not in the log",
        "with whom 1 ticket played is not in the log",
        "1 match had players who are not in the log",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    let told: Value = serde_json::from_str(&answer(&[&run[..], &["--json"]].concat(), log)).unwrap();
    let recorded = &told["recorded"];
    assert_eq!(
        [
            &recorded["matches"],
            &recorded["matched"],
            &recorded["left"],
            &recorded["unknown"]
        ],
        [2, 6, 1, 1]
    );
    // a waited for 10 s, b for 5, h for 10; a and b are 30 apart; h left.
    let waiting = recorded["costs_per_player"]["waiting"].as_f64().unwrap();
    assert!((waiting - 25.0 / 3.0).abs() < 1e-9, "{waiting}");
    assert_eq!(recorded["costs_per_player"]["mismatch"], 10.0);
    assert_eq!(recorded["costs_per_player"]["lost"], 200.0);
    // Nothing is told of a log that was matched nowhere.
    let nothing = answer(
        &[&run[..], &["--json"]].concat(),
        "ticket,time,left,skill\na,0,,1\nb,0,9,900\n",
    );
    assert!(!nothing.contains("\"recorded\""), "{nothing}");
}

/// Of four, who played with whom is told by a column.
#[test]
fn teams_of_several_tickets_are_judged_where_the_log_names_them() {
    let policy = "[queue]\nteams = [2, 2]\n[[queue.windows]]\nof = 'skill'\nstart = 500\n[objective]\nof = 'skill'\nlost = 600\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("twos.toml");
    std::fs::write(&path, policy).unwrap();
    let rows = [(1, 1500), (2, 1500), (1, 1560), (2, 1520)];
    let log = |named: bool| {
        let mut log = "ticket,time,matched,match,team,skill\n".to_owned();
        log.extend((0..).zip(rows).map(|(at, (team, skill))| {
            let team = if named { team.to_string() } else { String::new() };
            format!("t{at},0,5,m1,{team},{skill}\n")
        }));
        log
    };
    let run = [
        "replay",
        "-",
        "--time-unit",
        "seconds",
        "--policy",
        path.to_str().unwrap(),
        "--json",
    ];
    let told: Value = serde_json::from_str(&answer(&run, log(true))).unwrap();
    // 1530 against 1510.
    assert_eq!(told["recorded"]["mismatch"]["mean"], 20.0);
    let told: Value = serde_json::from_str(&answer(&run, log(false))).unwrap();
    assert_eq!(told["recorded"]["mismatch"], Value::Null);
    assert_eq!(
        told["not_recorded"],
        json!(["the teams of 1 match are not in the log: a column `team` names them"])
    );
}

#[test]
fn what_kept_tickets_waiting_is_counted_by_rule_over_time() {
    let told = json(&["--policy", "widening", "--moments", "20"]);
    let policy = &told["policies"][0];
    let moments = policy["moments"].as_array().unwrap();
    assert_eq!(moments.len(), 20);
    for moment in moments {
        let [waiting, asked] = ["waiting", "asked"].map(|key| moment[key].as_u64().unwrap());
        let kept: u64 = moment["kept"]
            .as_object()
            .unwrap()
            .values()
            .map(|count| count.as_u64().unwrap())
            .sum();
        assert_eq!(kept, asked);
        assert!(asked <= waiting && (asked > 0 || waiting == 0));
    }
    let kept = policy["kept"].as_array().unwrap();
    let share: f64 = kept.iter().map(|one| one["share"].as_f64().unwrap()).sum();
    assert!((share - 1.0).abs() < 1e-9);
    assert_eq!(kept[0]["by"], "skill");
    let none = json(&["--policy", "widening", "--moments", "0"]);
    assert_eq!(none["policies"][0]["kept"], Value::Null);
    assert_eq!(none["policies"][0]["cost_per_player"], policy["cost_per_player"]);
}

/// A log of pairs that came at once, one pair a minute, with the end of each row: 30 points apart, matched at once.
fn pairs(count: usize, end: impl Fn(usize) -> String) -> String {
    let mut log = "ticket,time,matched,match,team,skill\n".to_owned();
    for at in 0..count {
        let (minute, skill) = (60 * (at / 2), 1500 + 30 * (at % 2));
        writeln!(log, "t{at},{minute},{},{skill}", end(at)).unwrap();
    }
    log
}

fn of(log: &str, more: &str) -> Value {
    let words = format!("replay - --policy widening --time-unit seconds --json{more}");
    serde_json::from_str(&answer(&words.split(' ').collect::<Vec<_>>(), log)).unwrap()
}

#[test]
fn a_column_that_says_only_whether_there_was_a_match_names_none() {
    for flag in ["true", "1", "yes"] {
        let log = pairs(20, |at| format!("{},{flag},", 60 * (at / 2) + 5));
        let told = of(&log, "");
        assert_eq!(told["recorded"]["matched"], 20, "{flag}");
        assert_eq!(told["recorded"]["matches"], 0);
        let line = "with whom 20 tickets played is not in the log: a column `match` names the match";
        assert_eq!(told["not_recorded"], json!([line]));
    }
}

#[test]
fn a_match_whose_other_team_is_not_in_the_log_is_not_judged() {
    let log = pairs(20, |at| format!("{},m{},red", 60 * (at / 2) + 5, at / 2));
    let told = of(&log, "");
    assert_eq!(
        told["not_recorded"],
        json!(["10 matches had players who are not in the log"])
    );
}

/// Without matches a team is a key or a number of policies.
#[test]
fn a_team_without_a_match_is_an_attribute() {
    let policy = "[queue]\nkeys = ['team']\n[[queue.windows]]\nof = 'skill'\nstart = 500\n[objective]\nof = 'skill'\nlost = 600\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("teams.toml");
    std::fs::write(&path, policy).unwrap();
    let log = "ticket,time,team,skill\na,0,red,1500\nb,0,blue,1500\nc,5,red,1500\n";
    let words = [
        "replay",
        "-",
        "--time-unit",
        "seconds",
        "--policy",
        path.to_str().unwrap(),
        "--json",
    ];
    let told: Value = serde_json::from_str(&answer(&words, log)).unwrap();
    let waiting = |told: &Value| {
        told["policies"][0]["costs_per_player"]["waiting"]
            .as_f64()
            .unwrap()
    };
    // a waits 5 s for c, and b to the end, 300 s after c came; were all of one team, a and b would meet at once.
    assert!((waiting(&told) - 310.0 / 3.0).abs() < 1e-9, "{told}");
    let alike: Value = serde_json::from_str(&answer(&words, log.replace("blue", "red"))).unwrap();
    assert!((waiting(&alike) - 100.0).abs() < 1e-9, "{alike}");
}

/// Of half of the tickets and more a sentence is about those alone, of fewer there is none.
#[test]
fn a_sentence_says_of_how_many_tickets_it_is() {
    let sentence = |known: usize| {
        let log = pairs(40, |at| {
            if at < known {
                format!("{},m{},", 60 * (at / 2) + 5, at / 2)
            } else {
                ",,".to_owned()
            }
        });
        let words = "replay - --policy widening --time-unit seconds";
        let said = answer(&words.split(' ').collect::<Vec<_>>(), log);
        said.lines()
            .find(|line| line.starts_with("On "))
            .unwrap()
            .to_owned()
    };
    assert!(
        sentence(40).starts_with("On this log, `widening` "),
        "{}",
        sentence(40)
    );
    assert!(sentence(40).contains("what really happened"));
    let part = sentence(30);
    assert!(
        part.starts_with("On the 30 of 40 tickets of this log that have costs in both, "),
        "{part}"
    );
    assert!(!part.contains("even"), "{part}");
    assert!(!sentence(10).contains("what really happened"), "{}", sentence(10));
}

#[test]
fn a_match_that_the_end_of_the_log_cuts_is_judged_for_those_before_it() {
    // The last pair is matched 100 s after the last ticket came, and later.
    let log = pairs(20, |at| {
        let late = [100, 400][at % 2];
        let matched = if at < 18 { 60 * (at / 2) + 5 } else { 540 + late };
        format!("{matched},m{},", at / 2)
    });
    let told = of(&log, " --tail 200");
    assert_eq!(told["not_recorded"], Value::Null);
    assert_eq!(told["recorded"]["matches"], 10);
    assert_eq!(
        [
            &told["recorded"]["matched"],
            &told["recorded"]["waiting"],
            &told["recorded"]["unknown"]
        ],
        [&json!(19), &json!(1), &Value::Null]
    );
}
