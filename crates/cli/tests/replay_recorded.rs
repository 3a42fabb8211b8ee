//! `matchwright replay`: what really happened beside policies, and what kept tickets waiting.

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
        "1 match had one ticket in the log, and others that are not",
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
