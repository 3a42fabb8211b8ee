//! `--skip-bad`: a bad row is dropped with its match or ticket, none of which is left with fewer players.

use crate::common::{complaint, matchwright};
use serde_json::Value;

/// What a run that ends well says as JSON and besides.
fn told(arguments: &[&str], text: &str) -> (Value, String) {
    let run = matchwright().args(arguments).write_stdin(text).assert().success();
    let told = serde_json::from_slice(&run.get_output().stdout).unwrap();
    (
        told,
        String::from_utf8_lossy(&run.get_output().stderr).into_owned(),
    )
}

const RATE: [&str; 8] = [
    "rate",
    "--system",
    "elo",
    "-",
    "--evaluate-from",
    "0.5",
    "--json",
    "--skip-bad",
];

const HEAD: &str = "match,time,player,rank\n";
/// A whole match of three.
const WHOLE: &str = "w,1714600000,ann,1\nw,1714600000,bob,2\nw,1714600000,cyd,3\n";

#[test]
fn a_bad_row_drops_its_match_and_is_told_with_its_reason_and_line() {
    for (rows, note) in [
        (
            "m,1714500000,ann,1\nm,1714500000,bob,2\nm,1714500000,cyd,third\n",
            "1 match (3 rows) skipped: rank `third`, line 4\n",
        ),
        (
            "m,1714500000,ann,1\nm,noon,bob,2\nm,1714500000,cyd,3\n",
            "1 match (3 rows) skipped: time `noon`, which is no time",
        ),
        (
            "m,1714500000,ann,1\nm,1714500000,,2\nm,1714500000,cyd,3\n",
            "1 match (3 rows) skipped: player is empty, line 3\n",
        ),
        (
            // Rows that were left behind are still of that match.
            "m,1714500000,ann\nm,1714500000,bob,2\nm,1714500000,cyd,3\n",
            "1 match (3 rows) skipped: the row has 3 fields and the header 4, line 2\n",
        ),
        (
            "m,1714500000,ann,1\nm,1714500000,bob,2,3\nm,1714500000,cyd,3\n",
            "1 match (3 rows) skipped: the row has 5 fields and the header 4, line 3\n",
        ),
        (
            "m,1714500000,ann,1\nm,1714500000,bob,2\nm,1714500000,ann,3\n",
            "1 match (3 rows) skipped: player `ann` plays against itself, on sides 1 and 3, line 4\n",
        ),
        (
            "m,1714500000,ann,third\nm,1714500000,bob,fifth\nm,1714500000,cyd,3\n",
            "1 match (3 rows) skipped: rank `third`, line 2\n",
        ),
    ] {
        for more in [&[][..], &["--stream"]] {
            let (told, said) = told(&[&RATE[..], more].concat(), &format!("{HEAD}{rows}{WHOLE}"));
            assert!(said.contains(note), "{rows}: `{note}` in {said}");
            assert_eq!(told["skipped_rows"], 3, "{rows}");
            let games = |told: &Value| -> u64 {
                let board = told["leaderboard"].as_array().unwrap();
                board.iter().map(|one| one["games"].as_u64().unwrap()).sum()
            };
            assert_eq!((told["players"].as_u64(), games(&told)), (Some(3), 3), "{rows}");
        }
    }
}

#[test]
fn what_was_skipped_is_counted_by_reason() {
    let rows = "a,1714500000,ann,third\na,1714500000,bob,2\nb,1714500001,ann,1\nb,1714500001,bob,fifth\n\
                c,1714500002,ann,1\nc,1714500002,,2\n";
    let (told, said) = told(&RATE, &format!("{HEAD}{rows}{WHOLE}"));
    let note =
        "3 matches (6 rows) skipped: rank `third`, line 2 (2 matches); player is empty, line 7 (1 match)\n";
    assert!(said.contains(note), "{said}");
    assert_eq!(told["skipped_rows"], 6);
    // Where a row is a match.
    let wide = "time,player1,player2,score1,score2\n1714500000,ann,bob,x,1\n1714500001,ann,bob,1,1\n1714500002,ann,,2,1\n";
    let (_, said) = self::told(&RATE, wide);
    let note =
        "2 matches (2 rows) skipped: score1 `x`, line 2 (1 match); player2 is empty, line 4 (1 match)\n";
    assert!(said.contains(note), "{said}");
    let json = "{\"time\":1714500000,\"teams\":[\"ann\",\"bob\"],\"ranks\":[1,\"third\"]}\n\
                {\"time\":1714500001,\"teams\":[\"ann\",\"bob\"],\"ranks\":[1,2]}\n";
    let (_, said) = self::told(&RATE, json);
    assert!(
        said.contains("1 match (1 row) skipped: ranks `third`, line 1\n"),
        "{said}"
    );
}

#[test]
fn a_row_of_a_match_that_is_not_known_is_never_skipped() {
    for (head, row) in [
        (HEAD, ",1714500000,cyd,3\n"),
        ("time,match,player,rank\n", "1714500000,cyd,3\n"),
        ("time,match,player,rank\n", "1714500000,x,y,m,cyd,3\n"),
    ] {
        let is_first = head == HEAD;
        let good = |name: &str, player: &str, rank: u8| {
            if is_first {
                format!("{name},1714500000,{player},{rank}\n")
            } else {
                format!("1714500000,{name},{player},{rank}\n")
            }
        };
        let text = format!("{head}{}{}{row}", good("m", "ann", 1), good("m", "bob", 2));
        let said = complaint(&RATE, text, 1);
        assert!(
            said.contains(":4:") && said.contains("no match can be dropped for the row"),
            "{row}: {said}"
        );
    }
}

const REPLAY: [&str; 6] = ["replay", "-", "--skip-bad", "--json", "--policy", "widening"];

#[test]
fn a_bad_row_drops_its_ticket() {
    for (text, note) in [
        (
            "ticket,player,time,skill\na,x,1714500000,1\na,y,noon,2\na,z,1714500000,3\nb,v,1714500001,1\nc,w,1714500002,2\n",
            "1 ticket (3 rows) skipped: `time` `noon`, which is no time",
        ),
        (
            "player,party,time,skill\nx,p,1714500000,1\ny,p,1714500000,high\nv,,1714500001,1\nw,,1714500002,2\n",
            "1 ticket (2 rows) skipped: `skill` `high`, line 3\n",
        ),
        (
            "player,party,time,skill\nx,p,1714500000,1\ny,p,soon,2\nv,,1714500001,1\nw,,1714500002,2\n",
            "1 ticket (2 rows) skipped: `time` `soon`",
        ),
        (
            "ticket,player,skill,time\na,x,1,1714500000\na,y,1\nb,v,1,1714500001\nc,w,1,1714500002\na,z,1,1714500000\n",
            "1 ticket (3 rows) skipped: the row has 3 fields and the header 4, line 3\n",
        ),
        (
            "ticket,time,skill,size\na,1714500000,1,none\nb,1714500001,1,1\nc,1714500002,1,1\n",
            "1 ticket (1 row) skipped: `size` `none`, line 2\n",
        ),
        (
            "ticket,player,skill,time,size\na,x,1,1714500000,3\na,y,1,1714500000,3\nb,v,1,1714500001,1\nc,w,1,1714500002,1\n",
            "1 ticket (2 rows) skipped: `size` `3`, line 2\n",
        ),
    ] {
        let run = matchwright().args(REPLAY).write_stdin(text).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(note), "{text}: `{note}` in {said}");
        let told: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
        assert_eq!(told["tickets"], 2, "{text}: {told}");
    }
    let unknown = "player,ticket,time\nx,a,1714500000\ny,a,1714500000\n\"v,w\"\nw,c,1714500002\n";
    let said = complaint(&REPLAY, unknown, 1);
    assert!(
        said.contains(":4:") && said.contains("no ticket can be dropped for the row"),
        "{said}"
    );
}
