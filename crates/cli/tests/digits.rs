//! Whole numbers beyond 2^53, which a double does not hold: refused wherever numbers are read, kept where they are names.

use crate::common::{answer, complaint};
use serde_json::Value;

const LOST: &str = "9007199254740993";

/// A file with a text, and its path.
fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_weight_that_would_lose_digits_is_refused_where_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let graph = file(&folder, "g.txt", "2 1\n0 1 5\n");
    let named = file(&folder, "g.csv", "i,j,weight\nann,bob,5\n");
    for (arguments, text, place) in [
        (
            &["pair", "-"][..],
            "4 4\n0 1 9007199254740993\n1 2 9007199254740992\n2 3 9007199254740993\n0 3 9007199254740993\n",
            ":2:5:",
        ),
        (&["pair", "-"], "2 1\n0 1 -9007199254740993\n", ":2:5:"),
        (&["pair", "-"], "2 1\n0 1 9007199254740993.0\n", ":2:5:"),
        (&["pair", "-"], "2 1\n0 1 9.007199254740993e15\n", ":2:5:"),
        (&["pair", "-"], "i,j,weight\nann,bob,9007199254740993\n", ":2:3:"),
        (
            &["pair", "-"],
            "player,rating\nann,9007199254740993\nbob,1\n",
            ":2:2:",
        ),
        (
            &["pair", &graph, "--unmatched-penalties", "-"],
            "0 1\n1 9007199254740993\n",
            ":2:3:",
        ),
        (
            &["pair", &named, "--unmatched-penalties", "-"],
            "ann,1\nbob,9007199254740993\n",
            ":2:4:",
        ),
    ] {
        let said = complaint(arguments, text, 1);
        for word in [place, "lose digits", "2^53"] {
            assert!(said.contains(word), "{arguments:?} {text}: `{word}` in {said}");
        }
    }
}

#[test]
fn a_number_that_would_lose_digits_is_refused_where_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let toml = file(
        &folder,
        "p.toml",
        "[queue]\n\nlongest_wait = 9_007_199_254_740_993\n",
    );
    let json = file(
        &folder,
        "p.json",
        "{\"queue\":\n {\"longest_wait\": 9007199254740993}}",
    );
    let tickets = "ticket,time\na,1714500000\nb,1714500001\n";
    let rate = ["rate", "--system", "elo", "-"];
    let pasted = ["forensics", "top200", "-"];
    for (arguments, text, place) in [
        (
            &rate[..],
            "time,player1,player2,score1,score2\n1714500000,ann,bob,9007199254740993,9007199254740992\n",
            ":2:4:",
        ),
        (
            &rate,
            "{\"time\":1714500000,\"teams\":[\"ann\",\"bob\"],\"scores\":[9007199254740993,1]}",
            ":1:42:",
        ),
        (
            &rate,
            "match,time,player,score\nm,1714500000,ann,9007199254740993\nm,1714500000,bob,1\n",
            ":2:4:",
        ),
        (
            &rate,
            "match,time,player,rank,performance\nm,1714500000,ann,1,9007199254740993\nm,1714500000,bob,2,1\n",
            ":2:5:",
        ),
        (&["lobby", "-"], "id,skill\nann,9007199254740993\n", ":2:2:"),
        (
            &["lobby", "-"],
            "id,skill,ping_eu\nann,1,9007199254740993\n",
            ":2:3:",
        ),
        (
            &["lobby", "-"],
            "{\"id\":\"ann\",\"skill\":9007199254740993}",
            ":1:13:",
        ),
        (
            &["lobby", "-"],
            "{\"id\":\"ann\",\"pings\":{\"eu\":9007199254740993}}",
            ":1:13:",
        ),
        (
            &["lobby", "-"],
            "{\"id\":\"ann\",\"skill\":1,\"uncertainty\":9007199254740993.0}",
            ":1:37:",
        ),
        (
            &["replay", "-", "--policy", "widening"],
            "ticket,time,mmr\na,1714500000,9007199254740993\n",
            ":2:3:",
        ),
        (
            &["replay", "-", "--policy", "widening"],
            "{\"ticket\":\"a\",\"time\":1714500000,\"mmr\":9007199254740993}",
            ":1:33:",
        ),
        (
            &["replay", "-", "--policy", "widening"],
            "{\"ticket\":\"a\",\"time\":1714500000,\"pings\":{\"eu\":9007199254740993}}",
            ":1:33:",
        ),
        (&["replay", "-", "--policy", &toml], tickets, "p.toml:3:16:"),
        (&["replay", "-", "--policy", &json], tickets, "p.json:2:"),
        (
            &pasted,
            "name,league,points,unspent,wins,losses,total\nx,Gold,9007199254740993,1,2,3,4\n",
            ":2:",
        ),
    ] {
        let said = complaint(arguments, text, 1);
        for word in [place, "lose digits", "2^53"] {
            assert!(said.contains(word), "{arguments:?} {text}: `{word}` in {said}");
        }
    }
}

#[test]
fn an_option_that_would_lose_digits_is_refused() {
    for arguments in [
        &["pair", "graph.txt", "--unmatched-penalty", LOST][..],
        &["rate", "--system", "elo", "-", "--performance", LOST],
        &[
            "rate",
            "--system",
            "elo",
            "-",
            "--home-advantage",
            "-9007199254740993",
        ],
    ] {
        let said = complaint(arguments, "", 2);
        assert!(said.contains("lose digits"), "{arguments:?}: {said}");
    }
}

#[test]
fn what_a_double_holds_is_read_and_names_keep_their_digits() {
    let told =
        |text: &str| -> Value { serde_json::from_str(&answer(&["pair", "-", "--json"], text)).unwrap() };
    assert_eq!(
        told("2 1\n0 1 9007199254740992\n")["cost"],
        9_007_199_254_740_992.0
    );
    assert_eq!(told("2 1\n0 1 1e300\n")["cost"], 1e300);
    // Names of 64 bits, as numbers and as texts.
    let rate = ["rate", "--system", "elo", "-", "--json"];
    let games =
        "{\"time\":1714500000,\"player1\":76561198012345678,\"player2\":76561198012345679,\"result\":1}";
    let told: Value = serde_json::from_str(&answer(&rate, games)).unwrap();
    assert_eq!(told["leaderboard"][0]["player"], "76561198012345678");
    assert_eq!(told["players"], 2);
    // Seeds are no doubles.
    answer(
        &[
            "pair",
            "-",
            "--solver",
            "random",
            "--seed",
            "18446744073709551615",
        ],
        "2 1\n0 1 5\n",
    );
    let tickets = "{\"ticket\":76561198012345678,\"time\":1714500000,\"skill\":1}\n\
                   {\"ticket\":76561198012345679,\"time\":1714500001,\"skill\":2}\n";
    answer(&["replay", "-", "--policy", "widening"], tickets);
    answer(
        &["replay", "-", "--policy", "widening"],
        "ticket,time,skill,steam_id\na,1714500000,1,76561198012345678\nb,1714500001,2,76561198012345679\n",
    );
}

#[test]
fn a_cost_beyond_what_keeps_its_digits_is_told_to_be_rounded() {
    let graph = |weight: u64| format!("4 4\n0 1 {weight}\n2 3 2\n0 2 {weight}\n1 3 4\n");
    assert!(
        complaint(&["pair", "-", "--verify"], graph(9_007_199_254_740_991), 0)
            .contains("last digits are rounded")
    );
    assert!(!complaint(&["pair", "-", "--verify"], graph(9_007_199_254_740_000), 0).contains("rounded"));
}

#[test]
fn no_cost_is_minus_zero() {
    for (arguments, text) in [
        (&["pair", "-"][..], "2 1\n0 1 -0\n"),
        (&["pair", "-", "--fewest-unmatched"], "1 0\n"),
        (&["pair", "-", "--objective", "max"], "2 1\n0 1 -0\n"),
        (&["pair", "-", "--objective", "max", "--verify"], "2 1\n0 1 0\n"),
    ] {
        let said = complaint(arguments, text, 0);
        assert!(
            said.contains("cost 0\n") && !said.contains("-0"),
            "{arguments:?}: {said}"
        );
        let json = answer(&[arguments, &["--json"]].concat(), text);
        assert!(!json.contains("-0"), "{arguments:?}: {json}");
    }
}
