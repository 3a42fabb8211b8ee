//! Several statements of one result: they agree, or the row is refused where they stand.

use crate::common::{answer, complaint, record};
use serde_json::Value;

const RATE: [&str; 6] = ["rate", "--system", "elo", "-", "--evaluate-from", "0.5"];

fn refused(more: &[&str], text: &str) -> String {
    complaint(&[&RATE[..], more].concat(), text, 1)
}

/// Two rows of a wide table, of which the second is as given.
fn wide(columns: &str, good: &str, row: &str) -> String {
    format!("time,{columns}\n1714500000,{good}\n1714500100,{row}\n")
}

#[test]
fn statements_of_a_wide_table_that_disagree_are_refused_at_the_later_one() {
    for (columns, good, row, place, both) in [
        (
            "player1,player2,score1,score2,result",
            "ann,bob,2,1,1",
            "ann,bob,1,2,1",
            ":3:6:",
            ["score1, score2 is `1` and `2`", "result is `1`"],
        ),
        (
            "player1,player2,score1,score2,result",
            "ann,bob,2,1,1",
            "ann,bob,1,2,draw",
            ":3:6:",
            ["score1, score2", "result is `draw`"],
        ),
        (
            "winner,loser,result",
            "ann,bob,1",
            "ann,bob,0",
            ":3:4:",
            ["winner, loser is `ann` and `bob`", "result is `0`"],
        ),
        (
            "winner,loser,result",
            "ann,bob,1",
            "ann,bob,0.5",
            ":3:4:",
            ["winner, loser", "result is `0.5`"],
        ),
        (
            "winner,loser,score1,score2",
            "ann,bob,2,1",
            "ann,bob,1,2",
            ":3:5:",
            ["winner, loser", "score1, score2"],
        ),
        (
            "player1,player2,winner,score1,score2",
            "ann,bob,ann,2,1",
            "ann,bob,bob,2,1",
            ":3:4:",
            ["winner is `bob`", "score1, score2"],
        ),
        (
            "player1,player2,winner,loser",
            "ann,bob,ann,bob",
            "ann,bob,ann,ann",
            ":3:5:",
            ["winner is `ann`", "loser is `ann`"],
        ),
        (
            "home_team,away_team,home_score,away_score,winner",
            "ann,bob,2,1,home",
            "ann,bob,2,1,Away",
            ":3:6:",
            ["winner is `Away`", "home_score, away_score"],
        ),
        (
            "HomeTeam,AwayTeam,FTHG,FTAG,FTR",
            "ann,bob,0,1,A",
            "ann,bob,0,1,H",
            ":3:6:",
            ["FTR is `H`", "FTHG, FTAG is `0` and `1`"],
        ),
    ] {
        let said = refused(&[], &wide(columns, good, row));
        for word in [place, both[0], both[1], "contradict", "--columns "] {
            assert!(said.contains(word), "{columns}: `{word}` in {said}");
        }
        // What is offered makes one of them count alone.
        let options = said
            .split("--columns ")
            .skip(1)
            .map(|rest| match rest.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next().unwrap().to_owned(),
                None => rest
                    .split_whitespace()
                    .next()
                    .unwrap()
                    .trim_end_matches(';')
                    .to_owned(),
            });
        for option in options.take(2) {
            record(&["--columns", &option], &wide(columns, good, row), "ann");
        }
        let skipped = refused_rows(&wide(columns, good, row));
        assert_eq!(skipped, 1, "{columns}");
    }
}

fn refused_rows(text: &str) -> u64 {
    let told = answer(&[&RATE[..], &["--json", "--skip-bad"]].concat(), text);
    let told: Value = serde_json::from_str(&told).unwrap();
    told["skipped_rows"].as_u64().unwrap()
}

#[test]
fn statements_of_a_json_row_that_disagree_are_refused() {
    for (row, place, both) in [
        (
            r#"{"time":1714500000,"teams":["ann","bob"],"ranks":[1,2],"scores":[0,3]}"#,
            ":1:56:",
            ["ranks is `1` and `2`", "scores is `0` and `3`"],
        ),
        (
            r#"{"time":1714500000,"teams":["ann","bob"],"ranks":[1,1],"scores":[0,3]}"#,
            ":1:56:",
            ["ranks", "scores"],
        ),
        (
            r#"{"time":1714500000,"teams":["ann","bob","cyd"],"ranks":[1,2,3],"scores":[9,3,5]}"#,
            ":1:64:",
            ["ranks is `2` and `3`", "of sides 2 and 3"],
        ),
        (
            r#"{"time":1714500000,"teams":[["ann","cyd"],["bob"]],"winner":"bob","scores":[3,0]}"#,
            ":1:52:",
            ["winner is `bob`", "scores is `3` and `0`"],
        ),
        (
            r#"{"time":1714500000,"teams":["ann","bob"],"result":1,"ranks":[2,1]}"#,
            ":1:42:",
            ["ranks", "result is `1`"],
        ),
        (
            r#"{"time":1714500000,"player1":"ann","player2":"bob","score1":1,"score2":0,"winner":"bob"}"#,
            ":1:74:",
            ["winner is `bob`", "score1, score2"],
        ),
        (
            r#"{"time":1714500000,"winner":"ann","loser":"bob","score1":1,"score2":3}"#,
            ":1:60:",
            ["winner, loser", "score1, score2"],
        ),
    ] {
        let said = refused(&[], row);
        for word in [place, both[0], both[1], "contradict", "--columns "] {
            assert!(said.contains(word), "{row}: `{word}` in {said}");
        }
    }
}

#[test]
fn statements_that_agree_or_are_empty_are_one_result_and_a_winner_decides_equal_scores() {
    let text = wide(
        "player1,player2,score1,score2,result",
        "ann,bob,2,1,1",
        "ann,bob,1,1,0",
    ) + "1714500200,ann,bob,1,1,\n1714500300,ann,bob,,,win\n";
    // Two wins, a draw, and a shoot-out that was lost.
    assert_eq!(record(&[], &text, "ann").0, [2, 1, 1]);
    assert_eq!(
        record(&["--columns", "score1=score1"], &text[..text.len() - 25], "ann").0,
        [1, 2, 0]
    );
    let text = wide("player1,player2,winner", "ann,bob,ann", "ann,bob,draw") + "1714500200,bob,ann,player2\n";
    assert_eq!(record(&[], &text, "ann").0, [2, 1, 0]);
    let text = r#"{"time":1714500000,"teams":["ann","bob"],"ranks":[1,2],"scores":[0,0]}"#;
    assert_eq!(record(&[], text, "ann").0, [1, 0, 0]);
    let text = r#"{"time":1714500000,"teams":["ann","bob"],"ranks":[1,2],"scores":[0,3]}"#;
    assert_eq!(record(&["--columns", "scores=scores"], text, "ann").0, [0, 0, 1]);
    // A score of several sets is no result, and a score in place of one is.
    let text = wide(
        "winner_name,loser_name,score",
        "ann,bob,6-4 3-6 7-5",
        "ann,bob,2-1",
    );
    assert_eq!(record(&[], &text, "ann").0, [2, 0, 0]);
    // A winner who is no player of the game is not passed over.
    let said = refused(
        &[],
        &wide("player1,player2,winner,result", "ann,bob,ann,1", "ann,bob,eve,1"),
    );
    assert!(
        said.contains(":3:4: winner is `eve`") && said.contains("--columns result=result leaves it out"),
        "{said}"
    );
}

#[test]
fn the_rows_of_a_long_match_agree() {
    let table = |columns: &str, rows: &[&str]| {
        let rows = rows.iter().map(|row| format!("{row}\n"));
        format!("match,time,player,{columns}\n{}", rows.collect::<String>())
    };
    for (columns, rows, place, words) in [
        (
            "result",
            &["m,1714500000,ann,win", "m,1714500000,bob,draw"][..],
            ":3:4:",
            ["`draw`", "`win` in line 2"],
        ),
        (
            "result",
            &["m,1714500000,ann,win", "m,1714500000,bob,win"],
            ":3:4:",
            ["`win`", "one side wins"],
        ),
        (
            "result",
            &["m,1714500000,ann,loss", "m,1714500000,bob,0"],
            ":3:4:",
            ["`0`", "`loss` in line 2"],
        ),
        (
            "result",
            &[
                "m,1714500000,ann,win",
                "m,1714500000,bob,loss",
                "m,1714500000,cyd,win",
            ],
            ":4:4:",
            ["`win`", "need the same team"],
        ),
        (
            "rank,score",
            &["m,1714500000,ann,1,3", "m,1714500000,bob,2,5"],
            ":3:5:",
            ["rank is `1` and `2`", "score is `3` and `5`"],
        ),
        (
            "score,result",
            &["m,1714500000,ann,3,win", "m,1714500000,bob,5,loss"],
            ":3:4:",
            ["result is `win` and `loss`", "score is `3` and `5`"],
        ),
        (
            "rank,result",
            &["m,1714500000,ann,1,loss", "m,1714500000,bob,2,win"],
            ":3:5:",
            ["rank is", "result is"],
        ),
        (
            "result",
            &["m,1714500000,ann,win", "m,1714500100,bob,loss"],
            ":3:2:",
            ["time is `1714500100`", "`1714500000` in line 2"],
        ),
        (
            // A match id that comes again was a game of four, with ties.
            "result",
            &[
                "m,1714500000,ann,win",
                "m,1714500000,bob,loss",
                "m,1714600000,cyd,win",
                "m,1714600000,dot,loss",
            ],
            ":4:4:",
            ["`win`", "line 2"],
        ),
        (
            "rank",
            &[
                "m,1714500000,ann,1",
                "m,1714500000,bob,2",
                "m,1714600000,cyd,1",
                "m,1714600000,dot,2",
            ],
            ":4:2:",
            ["time is `1714600000`", "an id of its own"],
        ),
    ] {
        let said = refused(&[], &table(columns, rows));
        for word in [place, words[0], words[1]] {
            assert!(said.contains(word), "{rows:?}: `{word}` in {said}");
        }
    }
    // The same time in other letters, and what agrees.
    let agreed = table(
        "rank,score,result",
        &["m,2024-05-01,ann,1,5,W", "m,2024-05-01T00:00:00Z,bob,2,3,L"],
    );
    assert_eq!(record(&[], &agreed, "ann").0, [1, 0, 0]);
    let chosen = table("rank,score", &["m,1714500000,ann,1,3", "m,1714500000,bob,2,5"]);
    assert_eq!(record(&["--columns", "score=score"], &chosen, "ann").0, [0, 0, 1]);
}

#[test]
fn scores_within_teams_are_the_players_own_if_they_differ_anywhere_in_the_file() {
    let table = |first: [u32; 3]| {
        let [a, b, c] = first;
        format!(
            "match,time,team,player,score\nm1,1714500000,x,ann,{a}\nm1,1714500000,x,bob,{b}\nm1,1714500000,x,cyd,{c}\n\
             m1,1714500000,y,dot,12\nm1,1714500000,y,eve,13\n"
        )
    };
    let (won, said) = record(&[], &table([10, 10, 10]), "ann");
    assert_eq!(won, [1, 0, 0], "30 against 25");
    assert!(
        said.contains("as in line 6") && said.contains("the players' own"),
        "{said}"
    );
    // Where they never differ they are the team's.
    let same = "match,time,team,player,score\nm1,1714500000,x,ann,10\nm1,1714500000,x,bob,10\nm1,1714500000,y,dot,12\n";
    let (won, said) = record(&[], same, "ann");
    assert_eq!(won, [0, 0, 1], "10 against 12");
    assert!(said.contains("as the team's"), "{said}");
    // One match far away decides.
    let own = format!("{same}m2,1714600000,x,ann,1\nm2,1714600000,x,bob,2\nm2,1714600000,y,dot,9\n");
    assert_eq!(
        record(&[], &own, "ann").0,
        [1, 0, 1],
        "20 against 12, then 3 against 9"
    );
}

#[test]
fn what_comes_twice_is_refused() {
    let good = "{\"time\":1714500000,\"player1\":\"ann\",\"player2\":\"bob\",\"result\":1}\n";
    for (text, words) in [
        (
            "time,player1,player2,result,result\n1714500000,ann,bob,1,1\n".to_owned(),
            [":1:5:", "two columns are called `result`"],
        ),
        (
            "time,player1,player2,Player1,result\n1714500000,ann,bob,cyd,1\n".to_owned(),
            [":1:2:", "`player1` and `Player1` differ in case"],
        ),
        (
            "time,winner,loser,Winner\n1714500000,ann,bob,bob\n".to_owned(),
            [":1:", "differ in case or signs alone"],
        ),
        (
            "match,time,player,rank,Rank\nm,1714500000,ann,1,2\nm,1714500000,bob,2,1\n".to_owned(),
            [":1:4:", "`rank` and `Rank`"],
        ),
        (
            format!(
                "{good}{}",
                good.replace("\"result\":1", "\"result\":1,\"result\":0")
            ),
            [":2:", "the key `result` comes twice"],
        ),
        (
            format!(
                "{good}{}",
                good.replace("\"result\":1", "\"result\":1,\"Result\":0")
            ),
            [":2:", "`result` and `Result` differ"],
        ),
        (
            r#"{"time":1714500000,"teams":[[{"player":"ann","player":"cyd"}],["bob"]],"ranks":[1,2]}"#
                .to_owned(),
            [":1:", "the key `player` comes twice"],
        ),
        (
            "match_id,time,player1,player2,result\na,1714500000,ann,bob,1\na,1714500100,bob,cyd,1\n"
                .to_owned(),
            [":3:1:", "match_id is `a`, as in line 2"],
        ),
        (
            format!(
                "{}{}",
                good.replace("{\"time\"", "{\"id\":7,\"time\""),
                good.replace("{\"time\":1714500000", "{\"id\":7,\"time\":1714500009")
            ),
            [":2:2:", "id is `7`, as in line 1"],
        ),
    ] {
        let said = refused(&[], &text);
        for word in words {
            assert!(said.contains(word), "{text}: `{word}` in {said}");
        }
    }
    // What nothing reads may come twice, and what the user names is meant.
    let unused = "time,player1,player2,note,note,result\n1714500000,ann,bob,x,y,1\n";
    assert_eq!(record(&[], unused, "ann").0, [1, 0, 0]);
    let named = "time,player1,player2,Player1,result\n1714500000,ann,bob,cyd,1\n";
    assert_eq!(
        record(&["--columns", "player1=Player1"], named, "cyd").0,
        [1, 0, 0]
    );
}

#[test]
fn what_comes_twice_in_players_tickets_graphs_and_documents_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.json");
    std::fs::write(
        &policy,
        "{\"queue\": {\n \"longest_wait\": 1, \"longest_wait\": 2}}",
    )
    .unwrap();
    let policy = policy.to_str().unwrap();
    for (arguments, text, words) in [
        (
            &["lobby", "-"][..],
            "id,skill,Skill\na,1,2\n",
            [":1:3:", "`skill` and `Skill`"],
        ),
        (
            &["lobby", "-"],
            "{\"id\":\"a\",\"skill\":1,\"skill\":2}",
            [":1:", "`skill` comes twice"],
        ),
        (
            &["replay", "-", "--policy", "widening"],
            "ticket,time,skill,Skill\na,1714500000,1,2\n",
            [":1:4:", "`skill` and `Skill`"],
        ),
        (
            &["replay", "-", "--policy", "widening"],
            "{\"ticket\":\"a\",\"time\":1714500000,\"skill\":1,\"attributes\":{\"skill\":2}}",
            [":1:", "`skill` is told twice"],
        ),
        (
            &["replay", "-", "--policy", "widening"],
            "{\"ticket\":\"a\",\"time\":1714500000,\"pings\":{\"eu\":30},\"ping_eu\":90}",
            [":1:", "90 in the same row"],
        ),
        (
            &["replay", "-", "--policy", "widening"],
            "ticket,time,size,players\na,1714500000,3,x;y\n",
            [":2:3:", "`size` is `3`; the ticket's row names 2"],
        ),
        (
            &["replay", "-", "--policy", "widening"],
            "ticket,time,left,player\na,1714500000,1714500009,x\na,1714500000,1714500010,y\n",
            [":3:3:", "ended otherwise in line 2"],
        ),
        (
            &["pair", "-"],
            "i,j,weight,weight\na,b,1,2\n",
            [":1:4:", "two columns are called `weight`"],
        ),
        (
            &["pair", "-"],
            "i,j,weight,Weight\na,b,1,2\n",
            [":1:4:", "`weight` and `Weight`"],
        ),
        (
            &["replay", "-", "--policy", policy],
            "ticket,time\na,1714500000\n",
            ["policy.json:2:", "comes twice"],
        ),
    ] {
        let said = complaint(arguments, text, 1);
        for word in words {
            assert!(said.contains(word), "{text}: `{word}` in {said}");
        }
    }
}

#[test]
fn keys_of_later_json_rows_are_read_as_those_of_the_first() {
    let first = "{\"time\":1714500000,\"white\":\"ann\",\"black\":\"bob\",\"result\":1}\n";
    for (second, word) in [
        (
            r#"{"time":1714500100,"white":"ann","black":"bob","result":1,"home_score":0,"away_score":3}"#,
            "contradict",
        ),
        (
            r#"{"time":1714500100,"white":"ann","black":"bob","result":1,"home_score":0}"#,
            "`home_score` without `away_score`",
        ),
    ] {
        let said = refused(&[], &format!("{first}{second}"));
        assert!(said.contains(":2:") && said.contains(word), "{said}");
    }
}

#[test]
fn cells_of_json_are_read_as_json_is() {
    let row = |columns: &str, cells: &str| format!("time,{columns}\n1714500000,{cells}\n");
    for (columns, cells, words) in [
        (
            "teams,ranks,ranks",
            r#""[[""a""],[""b""]]","[1,2]","[2,1]""#,
            "two columns are called `ranks`",
        ),
        (
            "teams,teams,ranks",
            r#""[[""a""],[""b""]]","[[""b""],[""a""]]","[1,2]""#,
            "two columns are called `teams`",
        ),
        (
            "teams,scores",
            r#""[[""a""],[""b""]]","[9007199254740993.0,9007199254740992.0]""#,
            "lose digits",
        ),
        (
            "teams,scores",
            r#""[[""a""],[""b""]]","[18446744073709551617,18446744073709551616]""#,
            "lose digits",
        ),
        (
            "teams,ranks",
            r#""[[{""player"":""a"",""share"":1,""share"":0.1}],[""b""]]","[1,2]""#,
            "`share` comes twice",
        ),
    ] {
        let said = refused(&[], &row(columns, cells));
        assert!(said.contains(words), "{said}");
    }
    // A number of teams is no list of them, whose players have columns of their own.
    let (found, _) = record(
        &[],
        "time,player1,player2,score1,score2,teams\n1714500000,ann,bob,1,0,2\n",
        "ann",
    );
    assert_eq!(found, [1, 0, 0]);
    let long = "match,time,player,team,score,teams\n1,1714500000,ann,x,2,2\n1,1714500000,bob,y,1,2\n";
    assert_eq!(record(&[], long, "ann").0, [1, 0, 0]);
}
