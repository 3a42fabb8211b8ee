//! What is not looked at is named before the result: columns, keys, attributes, options.

use serde_json::Value;

use crate::common::{answer, example, heard};

fn assert_heard(arguments: &[&str], input: &str, parts: &[&str]) {
    let said = heard(arguments, input);
    for part in parts {
        assert!(said.contains(part), "`{part}` of {arguments:?} in {said}");
    }
}

fn assert_silent(arguments: &[&str], input: &str, parts: &[&str]) {
    let said = heard(arguments, input);
    for part in parts {
        assert!(!said.contains(part), "`{part}` of {arguments:?} in {said}");
    }
}

/// Some games between three players, with these columns and cells behind.
fn games(columns: &str, cells: &str) -> String {
    let row = |k: usize| {
        let (one, two) = [("ann", "bob"), ("bob", "cyd"), ("cyd", "ann")][k % 3];
        format!("2024-01-{:02},{one},{two},{}{cells}\n", k + 1, k % 2)
    };
    let rows: String = (0..20).map(row).collect();
    format!("time,player1,player2,result{columns}\n{rows}")
}

const NOT_USED: &str = "columns that were not used:";

#[test]
fn columns_of_matches_that_nothing_uses_are_named_by_every_command_that_reads_matches() {
    let wide = games(",region,map", ",dan,x");
    let named = [NOT_USED, "`map`, `region`"];
    assert_heard(&["rate", "--system", "elo", "-"], &wide, &named);
    assert_heard(&["rate", "--system", "elo", "-", "--stream"], &wide, &named);
    assert_heard(&["compare", "-", "--systems", "elo"], &wide, &named);
    assert_silent(&["rate", "--system", "elo", "-"], &games("", ""), &[NOT_USED]);
    let told: Value = serde_json::from_str(&answer(
        &["rate", "--system", "elo", "-", "--json"],
        wide.as_str(),
    ))
    .unwrap();
    assert_eq!(told["not_used"], serde_json::json!(["map", "region"]));
    // Keys of JSON, those of later rows and those of teams, too.
    let json = "{\"time\":1714500000,\"player1\":\"ann\",\"player2\":\"bob\",\"result\":1,\"map\":\"x\"}\n\
        {\"time\":1714500100,\"player1\":\"ann\",\"player2\":\"bob\",\"result\":0,\"ranked\":true}\n\
        {\"time\":1714500200,\"teams\":[[\"ann\"],[\"bob\"]],\"ranks\":[1,2],\"mode\":\"duel\"}\n";
    assert_heard(
        &["rate", "--system", "elo", "-"],
        json,
        &[NOT_USED, "`map`, `mode`, `ranked`"],
    );
    // A row for each player.
    let long = "match,time,player,rank,score,hero\n1,2024-01-01,ann,1,9,x\n1,2024-01-01,bob,2,3,y\n";
    assert_heard(&["rate", "--system", "elo", "-"], long, &[NOT_USED, "`hero`"]);
    // Scores beside ranks are read: they must agree. Where the user names one, the other is not.
    let chosen = ["rate", "--system", "elo", "-", "--columns", "rank=rank"];
    assert_heard(&chosen, long, &[NOT_USED, "`hero`", "`score`"]);
    // Of many, the first are named and the others counted.
    let many: Vec<String> = (0..20).map(|k| format!(",c{k:02}")).collect();
    let cells = ",".repeat(20);
    assert_heard(
        &["rate", "--system", "elo", "-"],
        &games(&many.concat(), &cells),
        &["`c00`", "`c11` and 8 more"],
    );
    // Before the result.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out");
    let both = std::fs::File::create(&file).unwrap();
    let path = folder.path().join("games.csv");
    std::fs::write(&path, &wide).unwrap();
    std::process::Command::new(assert_cmd::cargo::cargo_bin!("matchwright"))
        .args(["rate", "--system", "elo", path.to_str().unwrap()])
        .stdout(both.try_clone().unwrap())
        .stderr(both)
        .status()
        .unwrap();
    let all = std::fs::read_to_string(file).unwrap();
    assert!(
        all.find(NOT_USED).unwrap() < all.find("Ratings, best first").unwrap(),
        "{all}"
    );
}

#[test]
fn pairs_and_players_of_a_graph_have_their_unused_columns_named() {
    let players = "id,skill,party,region,blocks\nann,1500,x,eu,bob\nbob,1510,x,us,\n";
    assert_heard(
        &["pair", "-"],
        players,
        &[NOT_USED, "`blocks`, `party`, `region`"],
    );
    let pairs = "player1,player2,player3,weight\nann,bob,cyd,1\n";
    assert_heard(&["pair", "-"], pairs, &[NOT_USED, "`player3`"]);
    let told: Value = serde_json::from_str(&answer(&["pair", "-", "--json"], pairs)).unwrap();
    assert_eq!(told["not_used"], serde_json::json!(["player3"]));
}

#[test]
fn what_players_have_and_a_policy_does_not_look_at_is_named_before_the_lobbies() {
    let players =
        "id,skill,blocks,region,roles,wait_seconds,rank\nann,1500,bob,eu,tank,3,1\nbob,1500,,us,,4,2\n";
    let duel = ["lobby", "-", "--teams", "1v1"];
    let said = heard(&duel, players);
    for part in [
        "the policy `even` does not look at: ",
        "region (`[scoring.rules.regions]` would)",
        "blocks (`[scoring.rules.blocks]` would)",
        "roles",
        "`rank`",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(
        !said.contains("wait_seconds") && !said.contains("skill,"),
        "{said}"
    );
    let told: Value = serde_json::from_str(&answer(&[&duel[..], &["--json"]].concat(), players)).unwrap();
    assert_eq!(
        told["not_looked_at"],
        serde_json::json!(["region", "roles", "blocks"])
    );
    assert_eq!(told["not_used"], serde_json::json!(["rank"]));
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.toml");
    std::fs::write(
        &policy,
        "[scoring.factors.team_skill]\n[scoring.factors.roles]\nteam = { tank = 1 }\n[scoring.rules.blocks]\n[scoring.rules.regions]\n",
    )
    .unwrap();
    let asked = [&duel[..], &["--policy", policy.to_str().unwrap()]].concat();
    assert_silent(&asked, players, &["does not look at"]);
}

#[test]
fn attributes_of_tickets_that_a_policy_does_not_look_at_are_named_for_each_policy() {
    let row = |k: u64| {
        let came = 1_700_000_000 + 9 * k;
        format!("t{k},{came},{},{},m{},eu\n", 1400 + 37 * (k % 7), 50 * k, k % 2)
    };
    let rows: String = (0..30).map(row).collect();
    let log = format!("ticket,time,skill,experience,mode,home\n{rows}");
    let replay = ["replay", "-", "--policy", "widening"];
    let named = "the policy `widening` does not look at: experience, home, mode";
    assert_heard(&replay, &log, &[named]);
    let both = [&replay[..], &["--against", "prices"]].concat();
    let together = "the policy `widening` and the policy `prices` do not look at: experience, home, mode";
    assert_heard(&both, &log, &[together]);
    let told: Value =
        serde_json::from_str(&answer(&[&both[..], &["--json"]].concat(), log.as_str())).unwrap();
    assert_eq!(told["not_looked_at"], serde_json::json!([together]));
    // A key of the queue is looked at.
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.toml");
    let text = std::fs::read_to_string(example("policies/widening.toml")).unwrap();
    std::fs::write(
        &policy,
        text.replace("accept = \"both\"", "accept = \"both\"\nkeys = [\"mode\"]"),
    )
    .unwrap();
    let keyed = ["replay", "-", "--policy", policy.to_str().unwrap()];
    assert_heard(&keyed, &log, &["does not look at: experience, home\n"]);
    // Keys of a ticket's players beside their id and attributes.
    let ticket = |k: u64| {
        let came = 1_700_000_000_000 + 9000 * k;
        format!(
            "{{\"id\":{k},\"came\":{came},\"players\":[{{\"id\":{k},\"elo\":1,\"attributes\":{{\"skill\":{}}}}}]}}\n",
            1400 + 37 * k
        )
    };
    let json: String = (1..9).map(ticket).collect();
    assert_heard(&replay, &json, &[NOT_USED, "`players.elo`"]);
    // A column in whose place another was named.
    let named = [&replay[..], &["--columns", "skill=experience"]].concat();
    assert_heard(&named, &log, &[NOT_USED, "`skill`"]);
}

#[test]
fn columns_of_a_pasted_table_that_nothing_uses_are_named() {
    let table = std::fs::read_to_string(example("ladder/division.tsv")).unwrap();
    let wider = |(place, line): (usize, &str)| format!("{line}\t{}\n", ["Race", "Zerg"][place.min(1)]);
    let with_one_more: Vec<String> = table.lines().enumerate().map(wider).collect();
    let with_one_more = with_one_more.concat();
    assert_heard(&["forensics", "tier", "-"], &with_one_more, &[NOT_USED, "`Race`"]);
    assert_silent(&["forensics", "tier", "-"], &table, &[NOT_USED]);
}

#[test]
fn options_that_change_nothing_are_named() {
    let rate = |more: &[&'static str]| [&["rate", "--system", "elo", "-"], more].concat();
    let plain = games("", "");
    let scores = games(",score1,score2", ",3,1").replace(",result", ",ended");
    for (more, said) in [
        (
            &["--margin", "3"][..],
            "--margin had no effect: no game of two sides has scores",
        ),
        (
            &["--margin", "3", "--stream"],
            "--margin had no effect: no game of two sides has scores",
        ),
        (&["--party-bonus", "line"], "--party-bonus had no effect"),
        (&["--team-skill", "sum"], "--team-skill had no effect"),
        (&["--performance", "0.5"], "--performance changes nothing"),
        (&["--time-unit", "years"], "--time-unit years had no effect"),
    ] {
        assert_heard(&rate(more), &plain, &[said]);
    }
    assert_silent(&rate(&["--margin", "3"]), &scores, &["had no effect"]);
    assert_silent(&rate(&[]), &plain, &["had no effect", "does not look at"]);
    let parties = example("parties.jsonl");
    assert_heard(
        &["rate", "--system", "elo", &parties],
        "",
        &["what the system does not look at: parties"],
    );
    assert_silent(
        &["rate", "--system", "elo", &parties, "--party-bonus", "line"],
        "",
        &["does not look at", "had no effect"],
    );
}

#[test]
fn options_that_change_nothing_under_a_system_or_its_matches_are_named() {
    let rate = |more: &[&'static str]| [&["rate", "-", "--system"], more].concat();
    let plain = games("", "");
    let no_growth = "--period had no effect: ";
    for system in ["elo", "dom", "elo-mmr", "dota", "bradley-terry"] {
        assert_heard(&rate(&[system, "--period", "3"]), &plain, &[no_growth]);
    }
    for more in [
        &["trueskill", "--set", "tau_per_period=0", "--period", "3"][..],
        &["weng-lin", "--set", "tau_per_period=0", "--period", "game"],
        &["through-time", "--set", "gamma=0", "--period", "3"],
        &["glicko", "--set", "c=0", "--period", "3"],
    ] {
        assert_heard(&rate(more), &plain, &[no_growth]);
    }
    for more in [
        &["glicko2", "--period", "3"][..],
        &["dota", "--set", "growth=3", "--period", "3"],
        &["elo", "--period", "batch:3"],
        &["elo"],
    ] {
        assert_silent(&rate(more), &plain, &["had no effect"]);
    }
    let index = rate(&["glicko", "--time-unit", "index", "--period", "3"]);
    assert_heard(&index, &plain.replace("2024-01-", ""), &[no_growth]);
    for (more, said) in [
        (
            &["trueskill", "--set", "draw_probability=0", "--draws", "fixed"][..],
            "--draws had no effect: the draw probability is 0, so that there are no draws",
        ),
        (
            &["elo", "--ladder", "--promote-after", "3"],
            "--promote-after had no effect: --promote-at has the averages",
        ),
    ] {
        assert_heard(&rate(more), &plain, &[said]);
    }
    let alone = "{\"time\":1714500000,\"teams\":[[{\"player\":\"ann\",\"performance\":3}],[\"bob\"]],\"ranks\":[1,2]}\n";
    assert_heard(
        &rate(&["elo", "--performance", "0.5"]),
        alone,
        &["--performance had no effect: every side is one player"],
    );
    let three = "{\"time\":1714500000,\"teams\":[[\"ann\"],[\"bob\"],[\"cyd\"]],\"scores\":[3,2,1]}\n";
    assert_heard(
        &rate(&["elo", "--margin", "3"]),
        three,
        &["--margin had no effect: no game of two sides has scores"],
    );
}

#[test]
fn options_of_other_commands_that_change_nothing_are_named() {
    let plain = games("", "");
    let compare = |systems| ["compare", "-", "--seed", "3", "--systems", systems];
    let no_seed = "--seed had no effect: one system alone is compared with none";
    assert_heard(&compare("elo"), &plain, &[no_seed]);
    assert_silent(&compare("elo,glicko"), &plain, &[no_seed]);
    let lobby = ["lobby", "-", "--teams", "1v1", "--json", "--explain"];
    assert_heard(
        &lobby,
        "id,skill\nann,1500\nbob,1500\n",
        &["--explain had no effect: --json has every factor"],
    );
    let tier = "forensics games --league diamond --differential 0 --tier";
    let tier: Vec<&str> = tier.split(' ').chain(["rank 2"]).collect();
    assert_heard(
        &tier,
        "",
        &["--tier had no effect: a differential counts for its league"],
    );
    let graph = "2 1\n0 1 5\n";
    for (more, said) in [
        (
            &["--names-as-written"][..],
            "--names-as-written had no effect: vertices are numbers",
        ),
        (&["--solver", "brute-force", "--verify"], "--verify had no effect"),
        (&["--seed", "3"][..], "--seed had no effect: only --solver random"),
        (
            &["--columns", "weight=x"],
            "--columns had no effect: an edge list has none",
        ),
        (
            &["--solver", "sort-adjacent", "--verify"],
            "--verify had no effect",
        ),
    ] {
        assert_heard(&[&["pair", "-"], more].concat(), graph, &[said]);
    }
    assert_silent(&["pair", "-"], graph, &["had no effect"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("penalties.txt");
    std::fs::write(&path, "0 3\n1 3\n").unwrap();
    let penalties = ["pair", "-", "--unmatched-penalty", "9", "--unmatched-penalties"];
    let penalties = [&penalties[..], &[path.to_str().unwrap()]].concat();
    let listed = "--unmatched-penalty had no effect: --unmatched-penalties has every vertex";
    assert_heard(&penalties, graph, &[listed]);
    std::fs::write(&path, "0 3\n").unwrap();
    assert_silent(&penalties, graph, &[listed]);
    let log = example("queue/tickets.csv");
    assert_heard(
        &["replay", &log, "--policy", "widening", "--seed", "3"],
        "",
        &["--seed had no effect: only --patience"],
    );
}

#[test]
fn keys_of_a_scenario_that_change_nothing_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.toml");
    let world = "policies = [\"widening\"]\nhours = 1\n[arrivals]\nper_second = 0.02\n";
    let more = "[people.numbers.glory]\nmean = 5\ndeviation = 1\n[people.words.mode]\nrush = 1\n\
        [acceptance]\nchance = 0.9\n[again]\npause_seconds = 5\n\
        [rating]\nsystem = \"glicko2\"\nerror_deviation = 50\n";
    std::fs::write(&path, format!("{world}{more}")).unwrap();
    let run = ["simulate", "run", path.to_str().unwrap()];
    assert_heard(
        &run,
        "",
        &[
            "no policy looks at: glory, mode",
            "`acceptance` had no effect",
            "`again` had no effect",
            "`rating.error_deviation` had no effect",
        ],
    );
    std::fs::write(&path, world).unwrap();
    assert_silent(&run, "", &["no policy looks at", "had no effect"]);
    // A scoring that only judges keeps nobody apart.
    let policy = folder.path().join("policy.toml");
    let text = std::fs::read_to_string(example("policies/widening.toml")).unwrap();
    let scoring = "[scoring.factors.team_skill]\n[scoring.rules.blocks]\n";
    std::fs::write(&policy, format!("{text}\n{scoring}")).unwrap();
    let run = [&run[..], &["--policy", policy.to_str().unwrap()]].concat();
    assert_heard(&run, "", &["does not go by its [scoring]"]);
}
