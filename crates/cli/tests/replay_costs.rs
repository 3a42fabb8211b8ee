//! What replays cost: until when a log is looked at, who pays for what, and that no policy is below what hindsight proves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{answer, complaint, example, matchwright};

const TICKETS: &str = "../../examples/queue/tickets.csv";
const TEAMS: &str = "../../examples/queue/teams.jsonl";

/// The answer of `matchwright replay` to these words and this input.
fn replayed(words: &[&str], input: &str) -> Value {
    let all = [&["replay"], words, &["--json"]].concat();
    serde_json::from_str(&answer(&all, input)).unwrap()
}

/// Bounds are a little low, for what rounding may have added to them.
fn is_near(value: &Value, wanted: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - wanted).abs() < 1e-9, "{value} is not {wanted}");
}

/// The same of rows with times in seconds from 0 on.
fn of_rows(rows: &str, words: &[&str]) -> Value {
    replayed(&[&["-", "--time-unit", "seconds"], words].concat(), rows)
}

/// A policy in a folder of its own.
struct Policy {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Policy {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("policy.toml");
        std::fs::write(&path, text).unwrap();
        Self {
            _folder: folder,
            path,
        }
    }

    fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }
}

/// The policies that the program carries which have a queue.
fn shipped() -> Vec<(String, toml::Table)> {
    let files = std::fs::read_dir("../../examples/policies").unwrap();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (
            name,
            std::fs::read_to_string(&path)
                .unwrap()
                .parse::<toml::Table>()
                .unwrap(),
        )
    };
    let mut all: Vec<(String, toml::Table)> = files.map(|file| read(file.unwrap().path())).collect();
    all.retain(|(_, document)| document.contains_key("queue"));
    all.sort_by(|one, other| one.0.cmp(&other.0));
    assert!(all.len() >= 15, "{}", all.len());
    all
}

fn number(value: Option<&toml::Value>) -> Option<f64> {
    let value = value?;
    value.as_float().or(value.as_integer().map(|whole| whole as f64))
}

const ROUNDS: &str = "[queue]\nmethod = 'batch'\nbatch = { every = 120, choose = 'random' }\n[objective]\nof = 'skill'\nlost = 7\n";

#[test]
fn a_ticket_that_rounds_leave_over_waits_until_the_log_ends() {
    let policy = Policy::new(ROUNDS);
    let told = of_rows("ticket,time,skill\na,30,1500\n", &["--policy", policy.path()]);
    let one = &told["policies"][0];
    assert_eq!(
        (&told["tail_seconds"], &one["waiting"]),
        (&300.0.into(), &1.into())
    );
    // It comes, and a round is due 120 s after the origin; the one after it would match nobody, as nobody comes.
    assert_eq!((&one["events"], &one["steps"]), (&1.into(), &2.into()));
    assert_eq!(one["costs_per_player"]["waiting"], 300.0);
    assert_eq!(one["costs_per_player"]["lost"], 7.0);
    let told = of_rows(
        "ticket,time,skill\na,30,1500\n",
        &["--policy", policy.path(), "--tail", "95"],
    );
    assert_eq!(told["policies"][0]["steps"], 2);
    assert_eq!(told["policies"][0]["costs_per_player"]["waiting"], 95.0);
    let run = ["replay", "-", "--time-unit", "seconds", "--policy", policy.path()];
    let said = answer(
        &run,
        "ticket,time,left,skill\na,30,,1500\nb,40,900,1500\nc,50,,1500\n",
    );
    let line = "The log ends 300 s after its last ticket (--tail): who waits then has waited until then, and is lost; \
                1 of the tickets leave later than that";
    assert!(said.contains(line), "{said}");
    complaint(&[&run[..], &["--tail", "-1"]].concat(), "", 2);
}

#[test]
fn one_tail_is_for_both_policies_and_for_hindsight() {
    let tail = |words: &[&str]| {
        replayed(&[&[TICKETS], words].concat(), "")["tail_seconds"]
            .as_f64()
            .unwrap()
    };
    // Twice the longest wait, 300 and 600 s; the log is 1,478 s long.
    assert_eq!(tail(&["--policy", "widening"]), 600.0);
    assert_eq!(tail(&["--policy", "widening", "--against", "prices"]), 1200.0);
    assert_eq!(tail(&["--policy", "random-batch", "--tail", "7"]), 7.0);
    let long = Policy::new("[queue]\nlongest_wait = 5000\n[[queue.windows]]\nof = 'skill'\n");
    let told = tail(&["--policy", long.path()]);
    assert!((told - 1478.274).abs() < 1e-6, "{told}");
    // No longer than 300 s where the log is shorter, and without a longest wait.
    let rows = "ticket,time,skill\na,0,1000\nb,200,3000\n";
    assert_eq!(of_rows(rows, &["--policy", "widening"])["tail_seconds"], 300.0);
    let endless =
        Policy::new("[queue]\n[[queue.windows]]\nof = 'skill'\n[objective]\nof = 'skill'\nlost = 9\n");
    assert_eq!(
        replayed(&[TICKETS, "--policy", endless.path()], "")["tail_seconds"],
        300.0
    );
    // Two wait in vain under both, for 500 and 300 s.
    let wider = Policy::new("[queue]\n[[queue.windows]]\nof = 'skill'\nstart = 50\n");
    let told = of_rows(
        rows,
        &[
            "--policy",
            endless.path(),
            "--against",
            wider.path(),
            "--hindsight",
        ],
    );
    for policy in told["policies"].as_array().unwrap() {
        assert_eq!(policy["costs_per_player"]["waiting"], 400.0);
        is_near(&policy["regret_per_player"], 0.0);
    }
    is_near(&told["hindsight"]["bound_per_player"], 409.0);
}

/// Seconds of the first and the last ticket of a log of the program.
fn ends(log: &str) -> (f64, f64) {
    let text = std::fs::read_to_string(log).unwrap();
    let time = |line: &str| match log {
        TICKETS => line.split(',').nth(1).unwrap().parse().unwrap(),
        _ => {
            serde_json::from_str::<Value>(line).unwrap()["came"]
                .as_f64()
                .unwrap()
                / 1000.0
        }
    };
    let times: Vec<f64> = text
        .lines()
        .filter(|line| !line.starts_with("ticket"))
        .map(time)
        .collect();
    (times[0], times[times.len() - 1])
}

#[test]
fn every_shipped_policy_ends_with_every_shipped_log_after_a_step_for_each_event_and_round_at_most() {
    let mut ran = BTreeMap::new();
    for (name, document) in shipped() {
        for log in [TICKETS, TEAMS] {
            let run = matchwright()
                .args([
                    "replay",
                    log,
                    "--policy",
                    &name,
                    "--objective",
                    "widening",
                    "--json",
                ])
                .assert();
            let run = run.get_output();
            if !run.status.success() {
                let said = String::from_utf8_lossy(&run.stderr);
                assert!(said.contains("no ticket has the number"), "{name}: {said}");
                continue;
            }
            let told: Value = serde_json::from_slice(&run.stdout).unwrap();
            let (start, last) = ends(log);
            let end = last + told["tail_seconds"].as_f64().unwrap();
            let queue = &document["queue"];
            let every = number(queue.get("batch").and_then(|batch| batch.get("every")));
            let by_clock = every.map_or(0.0, |every| (end / every).floor() - (start / every).floor());
            let by_wait = queue
                .get("longest_wait")
                .map_or(0.0, |_| told["tickets"].as_f64().unwrap());
            let policy = &told["policies"][0];
            let (steps, events) = (
                policy["steps"].as_f64().unwrap(),
                policy["events"].as_f64().unwrap(),
            );
            assert!(steps <= events + by_clock + by_wait, "{name} {log}: {policy}");
            *ran.entry(log).or_insert(0) += 1;
        }
    }
    assert!(ran.values().all(|ran| *ran >= 10), "{ran:?}");
}

#[test]
fn no_shipped_policy_pays_less_than_the_bound_on_a_shipped_log() {
    let mut bounded = 0;
    for (name, document) in shipped() {
        if !document.contains_key("objective") {
            continue;
        }
        for log in [TICKETS, TEAMS] {
            for tail in ["0", "200"] {
                let words = [
                    "replay",
                    log,
                    "--policy",
                    &name,
                    "--hindsight",
                    "--tail",
                    tail,
                    "--json",
                ];
                let run = matchwright().args(words).assert();
                let run = run.get_output();
                if !run.status.success() {
                    continue;
                }
                let told: Value = serde_json::from_slice(&run.stdout).unwrap();
                let regret = told["policies"][0]["regret_per_player"].as_f64().unwrap();
                assert!(regret >= 0.0, "{name} {log}: {regret}");
                bounded += 1;
            }
        }
    }
    assert!(bounded >= 16, "{bounded}");
}

/// Columns and rows of two who never meet under windows of 300 points.
const APART: &str = "ticket,time,left,skill\na,1000000000,1000000060,1000\nb,1000000001,1000000061,5000\n";

#[test]
fn without_a_price_of_lost_tickets_there_is_no_bound_and_a_line_says_why() {
    let text = std::fs::read_to_string("../../examples/policies/widening.toml").unwrap();
    let free = Policy::new(&text.replace("lost = 600", ""));
    let words = ["-", "--policy", free.path(), "--hindsight"];
    let told = replayed(&words, APART);
    assert_eq!(told["policies"][0]["cost_per_player"], 60.0);
    assert_eq!(
        (&told["hindsight"], &told["policies"][0]["regret_per_player"]),
        (&Value::Null, &Value::Null)
    );
    let said = answer(&[&["replay"], &words[..]].concat(), APART);
    let line = "No bound and no regret: [objective] has no `lost`, the price of a player who gets no match";
    assert!(
        said.contains(line) && !said.contains("no policy pays less"),
        "{said}"
    );
    assert_eq!(told["no_hindsight"].as_str().unwrap().find(line), Some(0));
    // With it, the bound is what waiting and leaving cost: less than a match of two who are 4,000 apart.
    let told = replayed(&["-", "--policy", "widening", "--hindsight"], APART);
    is_near(&told["hindsight"]["bound_per_player"], 660.0);
    is_near(&told["policies"][0]["regret_per_player"], 0.0);
    assert_eq!(told["no_hindsight"], Value::Null);
}

/// Two singles, and a party that a queue of 1v1 refuses.
const PARTY: &str = "ticket,time,size,skill\na,0,1,1500\nb,10,1,1520\nc,20,2,1500\n";

fn pairs(lost: &str) -> Policy {
    let windows = "[[queue.windows]]\nof = 'skill'\nstart = 100\n";
    Policy::new(&format!(
        "name = 'pairs'\n[queue]\n{windows}[objective]\nof = 'skill'\n{lost}"
    ))
}

/// Two against two, whose first round is after 60 s.
fn teams(lost: &str) -> Policy {
    let queue = "[queue]\nmethod = 'batch'\nteams = [2, 2]\nbatch = { every = 60, choose = 'random' }\n";
    Policy::new(&format!(
        "name = 'teams'\n{queue}[objective]\nof = 'skill'\n{lost}"
    ))
}

#[test]
fn a_refused_ticket_is_lost() {
    let policy = pairs("lost = 50");
    let told = of_rows(PARTY, &["--policy", policy.path(), "--hindsight"]);
    let one = &told["policies"][0];
    assert_eq!(
        (&one["refused"], &told["tickets_with_costs"]),
        (&1.into(), &3.into())
    );
    // 20 of mismatch, 10 of waiting, and 50 for each of two: over four players.
    assert_eq!(one["cost_per_player"], 32.5);
    assert_eq!(one["costs_per_player"]["lost"], 25.0);
    is_near(&told["hindsight"]["bound_per_player"], 32.5);
    is_near(&one["regret_per_player"], 0.0);
    // Who admits nobody pays for everybody.
    let nobody = of_rows(
        "ticket,time,size,skill\na,0,2,1500\nb,0,2,1500\n",
        &["--policy", policy.path(), "--hindsight"],
    );
    assert_eq!(nobody["policies"][0]["cost_per_player"], 50.0);
    is_near(&nobody["hindsight"]["bound_per_player"], 50.0);
}

#[test]
fn a_ticket_that_was_refused_though_it_could_play_is_regretted() {
    // The player of c waits already: it is refused, and could have played with d.
    let rows = "ticket,time,player,skill\na,0,ann,1500\nb,9,ann,1500\nc,10,cyd,1500\nd,10,dan,1500\n";
    let policy = pairs("lost = 50");
    let told = of_rows(rows, &["--policy", policy.path(), "--hindsight", "--tail", "0"]);
    let one = &told["policies"][0];
    assert_eq!((&one["refused"], &one["waiting"]), (&1.into(), &1.into()));
    // a waits for 10 s with c or d, and the other until the end; in hindsight b plays too.
    assert_eq!(one["cost_per_player"], 27.5);
    is_near(&told["hindsight"]["bound_per_player"], 2.75);
    is_near(&one["regret_per_player"], 24.75);
}

#[test]
fn without_a_price_costs_are_over_the_tickets_that_both_policies_admit() {
    let (pairs, teams) = (pairs(""), teams(""));
    let words = ["--policy", pairs.path(), "--against", teams.path()];
    let told = of_rows(PARTY, &words);
    // a and b alone: 20 of mismatch and 10 of waiting under one, rounds after 60 s with the party under the other.
    assert_eq!(told["tickets_with_costs"], 2);
    assert_eq!(told["policies"][0]["cost_per_player"], 15.0);
    assert_eq!(told["policies"][1]["costs_per_player"]["waiting"], 55.0);
    let mismatch = told["policies"][1]["costs_per_player"]["mismatch"]
        .as_f64()
        .unwrap();
    let difference = told["comparison"]["test"]["difference"].as_f64().unwrap();
    assert!((difference - (15.0 - 55.0 - mismatch)).abs() < 1e-9, "{told}");
    let said = answer(
        &[&["replay", "-", "--time-unit", "seconds"], &words[..]].concat(),
        PARTY,
    );
    let note = "Over the players of the 2 of 3 tickets that both policies admit: [objective] has no `lost`";
    assert!(said.contains(note), "{said}");
    let nobody = of_rows("ticket,time,size,skill\na,0,2,1500\nb,0,2,1500\n", &words);
    assert_eq!(nobody["policies"][0]["cost_per_player"], Value::Null);
    assert_eq!(nobody["policies"][1]["cost_per_player"], Value::Null);
    assert_eq!(nobody["comparison"]["test"]["difference"], Value::Null);
}

#[test]
fn who_refuses_most_of_a_log_does_not_cost_less_for_it() {
    let costs = |objective: &str| {
        let words = [
            TEAMS,
            "--policy",
            "widening",
            "--against",
            "threshold-teams",
            "--objective",
            objective,
        ];
        let told = replayed(&words, "");
        assert_eq!(
            (&told["policies"][0]["refused"], &told["policies"][1]["refused"]),
            (&60.into(), &10.into())
        );
        let cost = |place: usize| told["policies"][place]["cost_per_player"].as_f64().unwrap();
        (cost(0), cost(1), told["tickets_with_costs"].as_u64().unwrap())
    };
    let (widening, teams, tickets) = costs("widening");
    assert!(widening > teams && tickets == 160, "{widening} {teams}");
    let free = Policy::new("[queue]\n[objective]\nof = 'skill'\n");
    assert_eq!(costs(free.path()).2, 100);
}

#[test]
fn a_policy_that_makes_other_matches_than_the_bound_knows_has_no_regret() {
    let keys = |keys: &str, name: &str| {
        let windows = "[[queue.windows]]\nof = 'skill'\nstart = 100\n";
        Policy::new(&format!(
            "name = '{name}'\n[queue]\n{keys}{windows}[objective]\nof = 'skill'\nlost = 500\n"
        ))
    };
    let (keyed, free) = (keys("keys = ['mode']\n", "keyed"), keys("", "free"));
    let rows = "ticket,time,mode,skill\na,0,x,1500\nb,0,y,1500\n";
    let told = of_rows(
        rows,
        &["--policy", keyed.path(), "--against", free.path(), "--hindsight"],
    );
    // Who may not meet under the first policy meets at once under the second, for less than the bound.
    is_near(&told["hindsight"]["bound_per_player"], 800.0);
    assert_eq!(told["policies"][1]["cost_per_player"], 0.0);
    is_near(&told["policies"][0]["regret_per_player"], 0.0);
    assert_eq!(told["policies"][1]["regret_per_player"], Value::Null);
    // The other way round the bound is for both.
    let told = of_rows(
        rows,
        &["--policy", free.path(), "--against", keyed.path(), "--hindsight"],
    );
    is_near(&told["policies"][1]["regret_per_player"], 800.0);
}

/// Half an hour of the tickets of a log, in a folder with it.
fn world(folder: &Path, lost: &str) -> [String; 2] {
    std::fs::copy(TEAMS, folder.join("teams.jsonl")).unwrap();
    let scenario = "hours = 0.2\n[arrivals]\nlog = 'teams.jsonl'\n[people]\n";
    let policy = format!(
        "name = 'pairs'\n[queue]\n[[queue.windows]]\nof = 'skill'\nstart = 100\n[objective]\nof = 'skill'\n{lost}\n"
    );
    let path = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    [path("world.toml", scenario), path("pairs.toml", &policy)]
}

#[test]
fn in_simulated_worlds_too_who_is_refused_is_lost_or_there_is_no_cost() {
    let folder = tempfile::tempdir().unwrap();
    let run = |lost: &str, more: &[&str]| {
        let [world, policy] = world(folder.path(), lost);
        let words = ["simulate", "run", &world, "--policy", &policy];
        answer(&[&words[..], more].concat(), "")
    };
    let told: Value = serde_json::from_str(&run("lost = 1000", &["--json", "--hindsight"])).unwrap();
    let one = &told["each"][0]["policies"][0];
    let tickets = &one["tickets"];
    let count = |fate: &str| tickets[fate].as_f64().unwrap_or(0.0);
    assert_eq!(count("refused"), 60.0, "{tickets}");
    // The other tickets are of one player each; all have 275 players.
    assert_eq!(one["players"], 275);
    let lost = 1000.0 * (175.0 + count("waits") + count("left")) / 275.0;
    assert!(
        (one["costs"]["lost"].as_f64().unwrap() - lost).abs() < 1e-9,
        "{one}"
    );
    let (paid, least) = (&one["regret"]["paid"], &one["regret"]["hindsight"]);
    assert!(
        paid.as_f64().unwrap() >= least.as_f64().unwrap() && one["regret"]["is_bound"] == true,
        "{one}"
    );
    let free: Value = serde_json::from_str(&run("", &["--json", "--hindsight"])).unwrap();
    assert_eq!(free["each"][0]["policies"][0]["regret"], Value::Null);
    let has = |figure: &str| {
        free["figures"]
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["figure"] == figure)
    };
    assert!(has("wait_mean") && !has("cost") && !has("regret"));
    let said = run("", &["--hindsight"]);
    assert!(
        said.contains("No hindsight and no regret: [objective] has no `lost`"),
        "{said}"
    );
    assert!(
        said.contains("No cost where tickets were refused (60 under pairs)"),
        "{said}"
    );
}

#[test]
fn a_regret_within_rounding_of_the_bound_is_none() {
    for policy in ["widening", "prices"] {
        let told = replayed(&["-", "--policy", policy, "--hindsight"], APART);
        assert_eq!(told["policies"][0]["regret_per_player"], 0.0, "{policy}: {told}");
    }
}

#[test]
fn nothing_is_said_of_tickets_whose_patience_is_not_known_where_all_left() {
    let said = answer(&["replay", "-", "--policy", "widening"], APART);
    assert!(!said.contains("not seen to give up"), "{said}");
    let one_stays = APART.replace(",1000000061", ",");
    let said = answer(&["replay", "-", "--policy", "widening"], one_stays);
    assert!(said.contains("1 of 2 tickets was not seen to give up"), "{said}");
}

/// `widening` with another price of lost players, over the teams of which it refuses 60 of 160.
#[test]
fn a_price_of_lost_players_that_is_none_or_too_low_is_no_price_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(example("policies/widening.toml")).unwrap();
    let replay = |lost: &str, more: &str| {
        let text = text
            .replace("lost = 600", lost)
            .replace("\"widening\"", "\"other\"");
        std::fs::write(folder.path().join("other.toml"), text).unwrap();
        let log = example("queue/teams.jsonl");
        let line = format!("replay {log} --policy other.toml --against threshold-teams {more}");
        let mut run = matchwright();
        let run = run
            .args(line.split_whitespace())
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(run.status.success());
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(run.stdout), text(run.stderr))
    };
    let (none, _) = replay("", "--json");
    let (zero, _) = replay("lost = 0", "--json");
    let costs = |told: &str| {
        let told: Value = serde_json::from_str(told).unwrap();
        let of = |place: usize| told["policies"][place]["cost_per_player"].as_f64().unwrap();
        (of(0), of(1), told["tickets_with_costs"].as_u64().unwrap())
    };
    assert_eq!(costs(&zero), costs(&none));
    assert!(costs(&zero).2 < 160);
    let (told, _) = replay("lost = 0", "--hindsight");
    assert!(
        told.contains("No bound and no regret: [objective] has no `lost`"),
        "{told}"
    );
    // 600 s of threshold-teams, at 1 each; by skill it has no window. 300 s and 300 points of its own.
    for (lost, is_cheap) in [
        ("lost = 5", true),
        ("lost = 599", true),
        ("lost = 600", false),
        ("lost = 0", false),
    ] {
        let (_, said) = replay(lost, "");
        assert_eq!(
            said.contains("is less than 600, what the longest wait"),
            is_cheap,
            "{said}"
        );
    }
    let scenario = example("scenarios/ladder-season.toml");
    let scenario = std::fs::read_to_string(scenario)
        .unwrap()
        .replace("hours = 72", "hours = 0.2");
    let scenario = scenario
        .replace("hours = 24", "hours = 0.05")
        .replace("[\"widening\", \"prices\"]", "[\"other.toml\"]");
    std::fs::write(
        folder.path().join("world.toml"),
        scenario.split_once("[[claims]]").unwrap().0,
    )
    .unwrap();
    replay("lost = 5", "");
    let run = matchwright()
        .args([
            "simulate",
            "compare",
            "world.toml",
            "--worlds",
            "1",
            "--policy",
            "other.toml",
            "--policy",
            "prices",
        ])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(
        said.contains("`lost = 5`") && said.contains("is less than 600"),
        "{said}"
    );
}

/// The mean is that of the tickets that waited.
#[test]
fn the_mean_wait_says_that_it_leaves_out_who_was_refused() {
    let told = answer(
        &["replay", &example("queue/teams.jsonl"), "--policy", "widening"],
        "",
    );
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("with a match or without, of those that were not refused"),
        "{told}"
    );
}
