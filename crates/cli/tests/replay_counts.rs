//! `matchwright replay`: what is counted, and reasons that do not contradict each other.

use serde_json::Value;

use crate::common::{answer, lines};

/// A policy document in a folder of its own, and a log under it.
fn replay(policy: &str, log: &str, more: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, policy).unwrap();
    let run = [
        "replay",
        "-",
        "--time-unit",
        "seconds",
        "--overdue",
        "30",
        "--policy",
        path.to_str().unwrap(),
    ];
    answer(&[&run[..], more].concat(), log)
}

fn json(policy: &str, log: &str) -> Value {
    serde_json::from_str(&replay(policy, log, &["--json"])).unwrap()
}

const WINDOWS: &str = "[queue]\naccept = \"both\"\n[[queue.windows]]\nof = \"skill\"\nstart = 50\nper_second = 0\n\
                       [objective]\nof = \"skill\"\n";

const TRIOS: &str = "[queue]\nmethod = \"lobbies\"\nteams = [3, 3]\nkeys = [\"mode\"]\n\
                     [scoring.factors.team_skill]\nweight = 1\nskill_cap = 3000\n\
                     difference = { shape = \"ramp\", best = 0, worst = 500 }\n";

#[test]
fn players_are_counted_once_however_often_they_come() {
    let log = "ticket,time,player,skill\n1,0,ann,1500\n2,1,bob,1510\n3,100,ann,1500\n4,101,bob,1510\n5,102,cyd,1500\n";
    let said = replay(WINDOWS, log, &[]);
    assert!(said.starts_with("5 tickets of 3 players in 102 s\n"), "{said}");
    assert_eq!(json(WINDOWS, log)["players"], 3);
    let one = replay(WINDOWS, "ticket,time,skill\na,0,1500\n", &[]);
    assert!(one.starts_with("1 ticket of 1 player in 0.0 s\n"), "{one}");
    assert!(
        one.contains("- the ticket was not seen to give up: how long it would have waited"),
        "{one}"
    );
    let again = replay(
        WINDOWS,
        "ticket,time,player,skill\n1,0,ann,1500\n2,100,ann,1500\n",
        &[],
    );
    assert!(
        again.contains("- 1 arrival is of a player who came before"),
        "{again}"
    );
}

#[test]
fn a_ticket_that_left_or_still_waits_counts_in_every_wait() {
    // Of ten tickets six are matched, after 0 and 10 s; three leave and one has nobody.
    let mut log = "ticket,time,left,skill,region\n".to_owned();
    log += &lines((0..6).map(|ticket| {
        let (pair, second) = (ticket / 2, ticket % 2);
        format!("{ticket},{},,{},eu", 100 * pair + 10 * second, 1500 + 10 * second)
    }));
    log += "6,301,305,1900,us\n7,302,340,2200,us\n8,303,310,2500,us\n9,304,,2800,us\n";
    let said = json(WINDOWS, &log);
    let waits = &said["policies"][0]["waits"][0];
    let counts = ["tickets", "left", "declined", "waiting", "refused"].map(|key| waits[key].as_u64());
    assert_eq!(counts, [10, 3, 0, 1, 0].map(Some));
    // Three waits of 0 s and three of 10 s: the fifth and the sixth of all ten are of 10 s.
    assert_eq!(waits["median"], 10.0);
    assert!(waits["q90"].is_null() && waits["q99"].is_null(), "{waits}");
    let text = replay(WINDOWS, &log, &[]);
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.contains(" unnamed   all "))
        .collect();
    let cells: Vec<&str> = rows[0].split_whitespace().collect();
    assert_eq!(
        cells,
        [
            "unnamed", "all", "10", "30.0", "10.0", "37.9", "10.0", "open", "open", "300.0"
        ],
        "{text}"
    );
}

#[test]
fn too_few_players_are_not_nobody_and_no_rejection() {
    // Four of the six that a match needs, and one who plays another mode.
    let log =
        "ticket,time,skill,mode\na,0,1500,x\nb,1,1510,x\nc,2,1490,x\nd,3,1505,x\ne,4,1500,y\nf,90,1500,y\n";
    let said = json(TRIOS, log);
    let all = said["policies"][0]["explained"].as_array().unwrap().clone();
    let of = |name: &str| all.iter().find(|one| one["ticket"] == name).unwrap();
    let why = &of("a")["why"];
    assert_eq!(why["rejections"], serde_json::json!({ "mode": 1 }));
    assert_eq!(why["too_few"], serde_json::json!({ "others": 3, "missing": 2 }));
    let lines = of("a")["lines"].to_string();
    assert!(
        lines.contains("3 players are waiting whom it may meet; a match needs 2 more")
            && !lines.contains("nobody"),
        "{lines}"
    );
    assert!(lines.contains("kept away: 1 by `mode`"), "{lines}");
    let alone = of("e")["lines"].to_string();
    assert!(
        alone.contains("nobody is waiting whom it may meet; a match needs 5 more"),
        "{alone}"
    );
    assert!(!alone.contains("nobody else"), "{alone}");
}

#[test]
fn parties_that_make_no_teams_are_not_nobody() {
    let log = "ticket,time,skill,size\na,0,1500,2\nb,1,1510,2\nc,2,1490,2\nd,90,1500,1\n";
    let said = json(&TRIOS.replace("keys = [\"mode\"]\n", ""), log);
    let why = &said["policies"][0]["explained"][0];
    let lines = why["lines"].to_string();
    assert!(
        lines.contains("sizes that make no match") && !lines.contains("nobody"),
        "{lines}"
    );
    assert_eq!(
        why["why"]["rejections"],
        serde_json::json!({ "size": 2 }),
        "{why}"
    );
}

#[test]
fn a_round_is_no_match_for_those_who_are_too_few_or_too_far_apart() {
    let rounds = "[queue]\nmethod = \"batch\"\nbatch = { every = 60 }\nteams = [3, 3]\n\
                  [scoring.factors.team_skill]\nweight = 1\nskill_cap = 3000\n\
                  difference = { shape = \"ramp\", best = 0, worst = 500 }\n";
    let log = "ticket,time,left,skill\na,0,200,1500\nb,1,200,1510\nc,2,200,1490\n";
    let lines = json(rounds, log)["policies"][0]["explained"][0]["lines"].to_string();
    assert!(
        lines.contains("2 players are waiting whom it may meet; a match needs 3 more")
            && !lines.contains("matched after"),
        "{lines}"
    );
    // Windows of 50 that never widen.
    let pairs = WINDOWS.replace(
        "[queue]\n",
        "[queue]\nmethod = \"batch\"\nbatch = { every = 60, choose = \"difference\" }\n",
    );
    let log = "ticket,time,left,skill\na,0,200,1500\nb,1,200,1700\n";
    let lines = json(&pairs, log)["policies"][0]["explained"][0]["lines"].to_string();
    assert!(
        lines.contains("never compatible") && !lines.contains("matched after"),
        "{lines}"
    );
}
