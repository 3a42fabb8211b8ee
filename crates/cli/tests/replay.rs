//! `matchwright replay`: logs and policies in, costs, waits and reasons out.

use serde_json::{Value, json};

use crate::common::{answer, complaint, examples_of, matchwright};

const LOG: &str = "../../examples/queue/tickets.csv";

/// A run in a folder of its own, with the examples beside it.
fn json(arguments: &[&str]) -> Value {
    let all = [&["replay", LOG], arguments, &["--json"]].concat();
    serde_json::from_str(&answer(&all, "")).unwrap()
}

#[test]
fn the_examples_of_the_help_run_with_what_the_program_carries() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[String]| {
        let run = matchwright()
            .args(words)
            .current_dir(folder.path())
            .assert()
            .success();
        String::from_utf8_lossy(&run.get_output().stdout).into_owned()
    };
    run(&["examples", "--out", "examples"].map(str::to_owned));
    let examples = examples_of(&["replay"]);
    assert_eq!(examples.len(), 6);
    for example in &examples {
        run(example);
    }
    let files = [
        "replay.json",
        "tickets.csv",
        "matches.csv",
        "replay.html",
        "manifest.json",
    ];
    for file in files {
        assert!(folder.path().join("target/replay").join(file).exists(), "{file}");
    }
}

#[test]
fn a_small_log_is_told_as_it_was_checked_by_hand() {
    // 30 points apart meet at once; of the next two the second comes 10 s later and 100 apart: both windows are 100 wide
    // when the later ticket has waited for 60 s.
    let log = "ticket,time,left,skill\na,0,,1500\nb,0,,1530\nc,100,,1500\nd,110,,1600\ne,300,310,1500\n";
    let run = "replay - --policy widening --time-unit seconds --overdue 50 --explain 1";
    let run: Vec<&str> = run.split(' ').collect();
    let said = answer(&run, log);
    let wanted = "\
5 tickets of 5 players in 300 s
Judged by [objective] of the policy `widening`: 1 x mismatch (difference of the teams' mean `skill`), waiting 1 a second, \
600 for each player without a match
The log ends 300 s after its last ticket (--tail): who waits then has waited until then, and is lost
What cannot be observed:
- 4 of 5 tickets were not seen to give up: how long they would have waited is not known
- answers to proposals are not known: all are taken to accept at once
- that waits or matches change who comes to play is not in the log

On this log, `widening` costs 174 per player: 80 % of the tickets get a match, at a mean mismatch of 65, and the mean wait is 28 s.

Cost per player
";
    assert!(said.starts_with(wanted), "{said}");
    // (30 + 100) / 5; 70 + 60 + 10 of waiting; one left.
    let answer = answer(&[&run[..], &["--json"]].concat(), log);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let policy = &answer["policies"][0];
    assert_eq!(policy["costs_per_player"]["mismatch"], 26.0);
    assert_eq!(policy["costs_per_player"]["waiting"], 28.0);
    assert_eq!(policy["costs_per_player"]["lost"], 120.0);
    assert_eq!(
        [
            &policy["matches"],
            &policy["matched"],
            &policy["left"],
            &policy["overdue"]
        ],
        [2, 4, 1, 2]
    );
    assert_eq!(policy["explained"][0]["ticket"], "c");
    for line in [
        "- c (1 player) waited 70.0 s and was then matched; when it became overdue:",
        "d: `skill` 100 of 90.0 allowed, for the other 100 of 80.0; compatible after 70.0 s",
        "matched after 70.0 s if nothing else happens",
        "smallest change that would free it: a match with d, with `skill` wider by 10.0 on its side and 20.0 on the other's",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn a_second_policy_is_compared_and_hindsight_bounds_both() {
    let both = json(&["--policy", "prices", "--against", "widening", "--hindsight"]);
    let cost = |place: usize| both["policies"][place]["cost_per_player"].as_f64().unwrap();
    let difference = both["comparison"]["test"]["difference"].as_f64().unwrap();
    assert!((difference - (cost(0) - cost(1))).abs() < 1e-9);
    assert!(both["comparison"]["margin"].as_f64().unwrap() > 0.0);
    let best = &both["hindsight"];
    assert_eq!(
        (&best["verified"], &best["optimal"]),
        (&true.into(), &true.into())
    );
    let bound = best["bound_per_player"].as_f64().unwrap();
    assert!(bound > 0.0 && best["cost_per_player"].as_f64().unwrap() >= bound);
    for place in [0, 1] {
        let regret = both["policies"][place]["regret_per_player"].as_f64().unwrap();
        assert!((regret - (cost(place) - bound)).abs() < 1e-9);
    }
    // Against itself nothing differs.
    let same = json(&["--policy", "prices", "--against", "prices"]);
    assert_eq!(same["comparison"]["test"]["difference"], 0.0);
    assert_eq!(same["comparison"]["no_interval"], "blocks-agree");
    assert_eq!(same["comparison"]["margin"], Value::Null);
}

/// One ticket a second, whose waits of tens of seconds reach over most of the log.
#[test]
fn a_log_of_fewer_than_three_blocks_of_ten_waits_has_no_interval_and_says_why() {
    let mut log = "ticket,time,skill\n".to_owned();
    log.extend((0..200).map(|at| format!("t{at},{},{}\n", 1_714_500_000 + at, 1000 + 137 * at % 1000)));
    let words = ["replay", "-", "--policy", "prices", "--against", "widening"];
    let said = answer(&words, log.as_str());
    assert!(
        said.contains("no interval: it takes 3 blocks of ten waits"),
        "{said}"
    );
    assert!(!said.contains("95 % interval"), "{said}");
    // The same tickets ten times as far apart: longer waits, but a longer log.
    let said = answer(
        &["replay", LOG, "--policy", "prices", "--against", "widening"],
        "",
    );
    assert!(said.contains("95 % interval"), "{said}");
    let same = answer(&["replay", LOG, "--policy", "prices", "--against", "prices"], "");
    assert!(
        same.contains("no interval: it is the same in every part of the log"),
        "{same}"
    );
}

#[test]
fn one_objective_judges_both_policies() {
    let folder = tempfile::tempdir().unwrap();
    let objective = folder.path().join("other.toml");
    std::fs::write(
        &objective,
        "[objective]\nof = 'skill'\nmismatch = 2\nwaiting = 0\nlost = 50\n",
    )
    .unwrap();
    let own = json(&["--policy", "widening"]);
    let other = json(&["--policy", "widening", "--objective", objective.to_str().unwrap()]);
    let cost = |answer: &Value, of: &str| answer["policies"][0]["costs_per_player"][of].as_f64().unwrap();
    assert!((cost(&other, "mismatch") - 2.0 * cost(&own, "mismatch")).abs() < 1e-9);
    assert_eq!(cost(&other, "waiting"), 0.0);
    let left = other["policies"][0]["left"].as_f64().unwrap();
    assert!((cost(&other, "lost") - 50.0 * left / 300.0).abs() < 1e-9);
}

#[test]
fn patience_makes_estimates_that_are_called_so_and_the_same_for_a_seed() {
    let run = |seed: &str| {
        answer(
            &[
                "replay",
                LOG,
                "--policy",
                "prices",
                "--patience",
                "fitted",
                "--seed",
                seed,
            ],
            "",
        )
    };
    let said = run("7");
    assert!(
        said.contains("Every figure below is an estimate: tickets that did not leave were given"),
        "{said}"
    );
    assert!(
        said.contains("fitted by maximum likelihood to 42 that left and 258 matched"),
        "{said}"
    );
    assert!(said.contains("Cost per player (estimate)") && said.contains("\nWaits (estimate)"));
    assert_eq!(said, run("7"));
    assert_ne!(said, run("8"));
    let fixed = json(&["--policy", "prices", "--patience", "30"]);
    assert_eq!(fixed["patience"]["mean_seconds"], 30.0);
}

#[test]
fn the_same_seed_gives_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str| {
        let out = folder.path().join(name);
        let out = out.to_str().unwrap().to_owned();
        answer(
            &[
                "replay",
                LOG,
                "--policy",
                "widening",
                "--patience",
                "fitted",
                "--hindsight",
                "--out",
                &out,
            ],
            "",
        );
        [
            "replay.json",
            "tickets.csv",
            "matches.csv",
            "replay.html",
            "manifest.json",
        ]
        .map(|file| std::fs::read(folder.path().join(name).join(file)).unwrap())
    };
    assert!(run("one") == run("two"));
}

#[test]
fn without_an_objective_the_default_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("plain.toml");
    std::fs::write(&policy, "[queue]\n[[queue.windows]]\nof = 'skill'\nstart = 100\n").unwrap();
    let said = answer(&["replay", LOG, "--policy", policy.to_str().unwrap()], "");
    assert!(said.contains("Judged by the default, as the policy has no [objective]: 1 x mismatch (difference of the teams' mean `skill`), waiting 1 a second"), "{said}");
}

/// What is said of a policy with this text, without its folder.
fn of_policy(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.toml");
    std::fs::write(&path, text).unwrap();
    let said = complaint(&["replay", LOG, "--policy", path.to_str().unwrap()], "", 1);
    said.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn bad_policies_are_told_with_file_line_column_and_key() {
    for (text, wanted) in [
        (
            "[queue]\naccpet = 'both'\n",
            "p.toml:2:1: unknown field `accpet`, expected one of `method`, `teams`",
        ),
        (
            "[queue]\n[objective]\nwating = 1\n",
            "p.toml:3:1: unknown field `wating`, expected one of `of`, `mismatch`",
        ),
        (
            "[quue]\n",
            "p.toml:1:2: unknown key `quue`: did you mean `queue`?",
        ),
        (
            "[queue]\nlongest_wait = -3\n",
            "p.toml:2:1: queue: `longest_wait` is -3",
        ),
        (
            "[queue]\nmethod = 'batch'\nbatch = { every = -1 }\n",
            "p.toml:3:11: queue.batch.every is -1",
        ),
        (
            "[queue]\n[[queue.windows]]\nof = 'skill'\nstart = 10\n[[queue.windows]]\nof = 'glory'\nstart = -1\n",
            "p.toml:7:1: queue: `start` of the window of `glory` is -1",
        ),
        (
            "[queue]\n[[queue.windows]]\nof = 'skill'\nstart = 10\nmost = 5\n",
            "the window of `skill` starts at 10 and may be 5 at most",
        ),
        (
            "[queue]\n[[queue.windows]]\nof = 'skill'\nper_second = 1\nsteps = [[1, 2]]\n",
            "p.toml:5:1: queue: the window of `skill` has `steps` and `per_second`",
        ),
        (
            "[queue]\n[[queue.windows]]\nof = 'skill'\nafter = -5\n",
            "p.toml:4:1: queue: `after` of the window of `skill` is -5",
        ),
        (
            "[queue]\nteams = [1, 1]\n[queue.queues]\na = [1, 1]\n",
            "p.toml:2:1: queue.teams and queue.queues: give one of the two",
        ),
        (
            "[queue]\nacceptance = { within = -2 }\n",
            "p.toml:2:16: queue.acceptance.within is -2",
        ),
        (
            "[queue]\n[objective]\nof = 'skill'\nlost = -1\n",
            "p.toml:4:1: objective.lost is -1",
        ),
        (
            "[queue]\n[objective]\nof = 'skill'\nwaiting = [[1, 5], [2, 3]]\n",
            "p.toml:4:1: point 1 of objective.waiting",
        ),
        ("[scoring]\n", "there is no table `[queue]`"),
        ("[queue]\nmethod = 'lobbies'\nteams = [5, 5]\n", "queue.method"),
    ] {
        let said = of_policy(text);
        assert!(said.contains(wanted), "{text}\n{said}");
    }
}

#[test]
fn a_log_without_what_a_policy_needs_is_refused_with_what_to_do() {
    let replay = |log: &str, more: &[&str]| {
        let all = [
            &["replay", "-", "--policy", "widening", "--time-unit", "seconds"],
            more,
        ]
        .concat();
        complaint(&all, log, 1)
    };
    let said = replay("ticket,time,mmr\na,0,1\n", &[]);
    assert!(said.contains("no ticket has the number `skill`, which the policy `widening` needs: name its column with --columns skill=COLUMN"), "{said}");
    answer(
        &[
            "replay",
            "-",
            "--policy",
            "widening",
            "--time-unit",
            "seconds",
            "--columns",
            "skill=mmr",
        ],
        "ticket,time,mmr\na,0,1\n",
    );
    let said = replay("ticket,time,skill\na,0,1\nb,0,\n", &[]);
    assert!(said.contains("ticket `b`: it has no number `skill`"), "{said}");
    let said = replay("ticket,time,skill\na,0,1\n", &["--patience", "fitted"]);
    assert!(said.contains("no ticket left after a wait"), "{said}");
    let folder = tempfile::tempdir().unwrap();
    let duos = folder.path().join("duos.toml");
    let text = "[queue]\nmethod = 'batch'\nteams = [2, 2]\nbatch = { every = 60, choose = 'random' }\n\
                [objective]\nof = 'skill'\nlost = 1\n";
    std::fs::write(&duos, text).unwrap();
    let duos = [
        "--objective",
        "widening",
        "--hindsight",
        "--policy",
        duos.to_str().unwrap(),
    ];
    let said = complaint(
        &[&["replay", "-", "--time-unit", "seconds"], &duos[..]].concat(),
        "ticket,time,skill,size\na,0,1,1\n",
        1,
    );
    assert!(
        said.contains("--hindsight: ticket `a` has 1 players and a team 2"),
        "{said}"
    );
    let said = complaint(
        &["replay", "-", "--policy", "widening"],
        "ticket,time,skill\na,0,1\n",
        1,
    );
    assert!(
        said.contains("standard input:2:2: `time` is `0`") && said.contains("--time-unit"),
        "{said}"
    );
    let said = complaint(&["replay", "-", "--policy", "widenig"], "", 2);
    assert!(
        said.contains(
            "--policy widenig: neither a file nor a policy of the program; did you mean `widening`?"
        ),
        "{said}"
    );
    for bad in [
        ["--patience", "-1"],
        ["--overdue", "x"],
        ["--columns", "tiem=a"],
        ["--time-unit", "index"],
    ] {
        complaint(
            &[&["replay", "-", "--policy", "widening"], &bad[..]].concat(),
            "",
            2,
        );
    }
}

#[test]
fn the_prices_in_hindsight_are_a_policy_that_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let first = json(&["--policy", "widening", "--hindsight", "--out", out]);
    let points = first["hindsight"]["prices"]["table"]["points"]
        .as_array()
        .unwrap();
    assert_eq!(points.len(), 6, "300 tickets, 50 a point");
    let prices = folder.path().join("prices.json");
    let again = json(&["--policy", prices.to_str().unwrap(), "--against", "widening"]);
    let cost = |place: usize| again["policies"][place]["cost_per_player"].as_f64().unwrap();
    assert_eq!(again["policies"][0]["name"], "hindsight-prices");
    assert!(cost(0) < cost(1), "{} against {}", cost(0), cost(1));
}

#[test]
fn where_hindsight_pays_nothing_the_regret_has_no_share() {
    let run = [
        "replay",
        "-",
        "--policy",
        "widening",
        "--time-unit",
        "seconds",
        "--hindsight",
    ];
    let said = answer(&run, "ticket,time,skill\na,0,1500\nb,0,1500\n");
    assert!(
        said.contains("Regret of widening: 0 per player.") && !said.contains("NaN"),
        "{said}"
    );
}

#[test]
fn a_running_match_with_a_free_place_is_filled() {
    let player = |id: u64, skill: f64| json!({"id": id, "attributes": {"skill": skill}});
    let ticket = |id: u64, came: i64, players: &[Value]| json!({"id": id, "came": came, "players": players});
    let mut running = ticket(1, 0, &[player(1, 1500.0), player(2, 1510.0), player(3, 1490.0)]);
    running["backfill"] = json!({"match_id": 9, "teams": [0, 0, 1]});
    let newcomer = ticket(2, 1000, &[player(4, 1500.0)]);
    let policy = "[scoring.factors.team_skill]\nweight = 1\nskill_cap = 3000\n\
                  difference = { shape = 'ramp', best = 0, worst = 500 }\n\
                  [queue]\nmethod = 'lobbies'\nteams = [2, 2]\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duos.toml");
    std::fs::write(&path, policy).unwrap();
    let run = ["replay", "-", "--policy", path.to_str().unwrap(), "--json"];
    let told: Value = serde_json::from_str(&answer(&run, format!("{running}\n{newcomer}\n"))).unwrap();
    assert_eq!(
        (&told["policies"][0]["matches"], &told["policies"][0]["matched"]),
        (&1.into(), &2.into())
    );
    running["backfill"] = json!({"teams": [0, 0, 1]});
    let said = complaint(&run, format!("{running}\n{newcomer}\n"), 1);
    assert!(said.contains("line 1") || said.contains(":1:"), "{said}");
    assert!(
        said.contains("`backfill` is no running match") && said.contains("match_id"),
        "{said}"
    );
}

#[test]
fn a_journal_of_the_queue_is_a_log() {
    let journal = journal();
    let replay = |bytes: &[u8]| -> (Value, String) {
        let run = matchwright()
            .args(["replay", "-", "--policy", "widening", "--json"])
            .write_stdin(bytes)
            .assert()
            .success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        (serde_json::from_slice(&run.get_output().stdout).unwrap(), said)
    };
    let (whole, said) = replay(&journal);
    assert_eq!(
        (&whole["tickets"], &whole["policies"][0]["matches"]),
        (&4.into(), &2.into())
    );
    assert!(!said.contains("byte"), "{said}");
    assert_eq!(whole["recomputed"], json!({"same": 5, "difference": null}));
    let (cut, said) = replay(&journal[..journal.len() - 3]);
    assert_eq!(cut["tickets"], 3);
    assert!(
        said.contains("standard input: byte ") && said.contains("the log ends there"),
        "{said}"
    );
    let said = complaint(
        &["replay", "-", "--policy", "widening"],
        journal[..30].to_vec(),
        1,
    );
    assert!(said.contains("standard input: byte "), "{said}");
}

#[test]
fn the_first_step_of_a_journal_that_comes_out_otherwise_is_told() {
    // Tickets 20 points apart met at once; narrower windows would have kept them waiting.
    let narrow = |text: &str| text.replace("start = 40", "start = 10");
    let text = std::fs::read_to_string("../../examples/policies/widening.toml").unwrap();
    assert_ne!(narrow(&text), text);
    let told = |document: &str| {
        let run = ["replay", "-", "--policy", "widening"];
        let said = answer(&run, journal_of(document));
        said.lines()
            .find(|line| line.starts_with("Journal: "))
            .map(str::to_owned)
            .unwrap()
    };
    let same = "come out the same, computed again under the policies that it records";
    assert_eq!(told(&text), format!("Journal: all 5 records {same}."));
    let other = told(&narrow(&text));
    assert!(
        other.starts_with(&format!("Journal: 2 records {same}; then byte ")),
        "{other}"
    );
    assert!(other.contains("at 2000 ms: decision "), "{other}");
    let unknown = told("[queue]\nwindow = 3\n");
    assert!(
        unknown.contains("then not computed again: byte ") && unknown.contains("window"),
        "{unknown}"
    );
}

#[test]
fn the_folder_of_a_queue_is_read_as_its_journal() {
    use std::sync::Arc;

    use matchwright_queue::live::{Files, Loaded, Loader, Options, Queue};
    use matchwright_queue::{Event, Ticket, Time};

    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let document = std::fs::read_to_string("../../examples/policies/widening.toml").unwrap();
    let load: Loader = Arc::new(|document: &str| {
        let document = toml::from_str(document).map_err(|error| error.to_string())?;
        let loaded = matchwright_sim::policy::load(document).map_err(|error| error.to_string())?;
        Ok(Loaded {
            label: loaded.label,
            settings: loaded.settings,
            policy: loaded.policy,
        })
    });
    let files = Files::new(&data).unwrap();
    let mut queue: Queue<()> = Queue::open(files, &document, &load, Options::default()).unwrap();
    for id in 1..=4_u64 {
        let ticket = Ticket::of_one(id, id).with("skill", 1500.0 + (400 * (id / 3) + 20 * (id % 2)) as f64);
        let now = Time::from_millis(1000 * i64::try_from(id).unwrap());
        queue
            .advance(now, &[Event::create(id, ticket)], |_, _| {})
            .unwrap();
    }
    // While the queue runs, and by a journal of the same steps.
    let path = data.to_str().unwrap();
    let told = answer(&["replay", path, "--policy", "widening"], Vec::new());
    let of_journal = answer(&["replay", "-", "--policy", "widening"], journal());
    assert_eq!(told.replace(path, "standard input"), of_journal);
    let segment = data.join("segment-00000000000000000000");
    let mut bytes = std::fs::read(&segment).unwrap();
    bytes[60] ^= 1;
    std::fs::write(&segment, bytes).unwrap();
    let said = complaint(&["replay", path, "--policy", "widening"], Vec::new(), 1);
    assert!(
        said.contains("segment-00000000000000000000: byte 29: a checksum fails"),
        "{said}"
    );
}

/// Four tickets, a second apart, under the policy `widening`.
fn journal() -> Vec<u8> {
    journal_of(&std::fs::read_to_string("../../examples/policies/widening.toml").unwrap())
}

/// The same, of a journal that says the policy was that of `document`.
fn journal_of(document: &str) -> Vec<u8> {
    use matchwright_queue::journal::JournalWriter;
    use matchwright_queue::{Event, State, Ticket, Time, step};

    let text = std::fs::read_to_string("../../examples/policies/widening.toml").unwrap();
    let mut loaded = matchwright_sim::policy::load(toml::from_str(&text).unwrap()).unwrap();
    let mut state = State::new(loaded.label, loaded.settings);
    let (mut writer, mut bytes) = JournalWriter::begin(document, &state, &*loaded.policy).unwrap();
    for id in 1..=4_u64 {
        let now = Time::from_millis(1000 * i64::try_from(id).unwrap());
        let events = [Event::create(
            id,
            Ticket::of_one(id, id).with("skill", 1500.0 + (400 * (id / 3) + 20 * (id % 2)) as f64),
        )];
        let outcome = step(&mut state, &mut *loaded.policy, now, &events).unwrap();
        bytes.extend(writer.step(now, &events, &outcome).unwrap());
    }
    bytes
}
