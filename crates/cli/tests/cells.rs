//! Cells that hold more or less than one player: lists, words for nobody, letters, and winners in the first column.

use serde_json::Value;

use crate::common::{answer, complaint, matchwright};

const RATE: [&str; 6] = ["rate", "--system", "trueskill", "--evaluate-from", "0.5", "-"];

/// What `rate` says of games, and what it notes.
fn rated(more: &[&str], input: &str) -> (Value, String) {
    let run = matchwright()
        .args(RATE)
        .args(more)
        .arg("--json")
        .write_stdin(input)
        .assert()
        .success();
    let output = run.get_output();
    let out = serde_json::from_slice(&output.stdout).unwrap();
    (out, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn refused(more: &[&str], input: &str) -> String {
    complaint(&[&RATE, more].concat(), input, 1)
}

fn players(out: &Value) -> Vec<&str> {
    let all = out["leaderboard"].as_array().unwrap();
    let mut names: Vec<&str> = all.iter().map(|row| row["player"].as_str().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Three games: a header, and the two sides of a row.
fn games(header: &str, [one, other]: [&str; 2]) -> String {
    let row = |hour: u32| format!("2024-05-0{hour}T18:00:00Z,{one},{other}\n");
    format!("time,{header}\n{}{}{}", row(1), row(2), row(3))
}

#[test]
fn a_list_in_one_cell_is_a_list_or_says_how_to_write_one() {
    for (one, other) in [
        ("a;b;c", "d;e;f"),
        ("a|b|c", "d|e|f"),
        ("\"a,b,c\"", "\"d,e,f\""),
        ("\"a, b, c\"", "\"d, e, f\""),
        ("\"a\nb\nc\"", "\"d\ne\nf\""),
        ("\"{a,b,c}\"", "\"{d,e,f}\""),
    ] {
        for header in ["winner,loser", "team1,team2", "white,black"] {
            let result = header == "winner,loser";
            let (more, end) = if result { ("", "") } else { (",result", ",1") };
            let text = games(&format!("{header}{more}"), [one, &format!("{other}{end}")]);
            let said = refused(&[], &text);
            let names: Vec<&str> = header.split(',').collect();
            let mend = format!("--columns team1={},team2={}", names[0], names[1]);
            assert!(
                said.contains("standard input:2:2:") && said.contains(&mend),
                "{said}"
            );
            // What is said works where it is pasted.
            let mend: Vec<&str> = mend.split(' ').collect();
            let (out, _) = rated(&mend, &text);
            assert_eq!(players(&out), ["a", "b", "c", "d", "e", "f"], "{text}");
            assert!(said.contains("--names-as-written"), "{said}");
            let (out, _) = rated(&["--names-as-written"], &text);
            assert_eq!(players(&out).len(), 2, "{text}");
        }
    }
    // An array can be nothing else.
    let text = games("winner,loser", ["\"['a', 'b']\"", "\"[\"\"c\"\", \"\"d\"\"]\""]);
    assert_eq!(players(&rated(&[], &text).0), ["a", "b", "c", "d"]);
}

#[test]
fn json_takes_arrays_and_lists_as_csv_does() {
    let row = |one: &str, other: &str| {
        let day = |day: u32| {
            format!("{{\"time\":\"2024-05-0{day}T18:00:00Z\",\"winner\":{one},\"loser\":{other}}}\n")
        };
        [day(1), day(2), day(3)].concat()
    };
    let arrays = row("[\"a\",\"b\"]", "[\"c\",\"d\"]");
    assert_eq!(players(&rated(&[], &arrays).0), ["a", "b", "c", "d"]);
    let texts = row("\"a;b\"", "\"c;d\"");
    let said = refused(&[], &texts);
    assert!(said.contains("--columns team1=winner,team2=loser"), "{said}");
    let (out, _) = rated(&["--columns", "team1=winner,team2=loser"], &texts);
    assert_eq!(players(&out), ["a", "b", "c", "d"]);
    let said = refused(
        &[],
        "{\"time\":\"2024-05-01\",\"teams\":[[\"a|b\"],[\"c\"]],\"ranks\":[1,2]}",
    );
    assert!(
        said.contains("1:32") && said.contains("write [\"a\", \"b\"]"),
        "{said}"
    );
}

#[test]
fn one_separator_serves_a_file() {
    let text = "time,winner,loser\n2024-05-01,a;b,c;d\n2024-05-02,a|c,b;d\n";
    let said = refused(&["--columns", "team1=winner,team2=loser"], text);
    assert!(
        said.contains(":3:2:") && said.contains("line 2 has `;`"),
        "{said}"
    );
    let text = "time,winner,loser\n2024-05-01,\"Smith, J;Jones, B\",\"Dee, C\"\n2024-05-02,\"Dee, C\",\"Smith, J\"\n";
    let (out, _) = rated(&["--columns", "team1=winner,team2=loser"], text);
    assert_eq!(players(&out), ["Dee, C", "Jones, B", "Smith, J"]);
}

#[test]
fn a_comma_before_a_blank_is_part_of_a_name_unless_all_names_look_like_pairs() {
    let names = "time,player1,player2,result\n2024-05-01,\"Smith, John\",\"O'Neil, Sean\",1\n\
                 2024-05-02,\"Smith, Jane\",\"O'Neil, Sean\",0\n2024-05-03,\"Smith, John\",Madonna,1\n";
    let (out, said) = rated(&[], names);
    assert_eq!(players(&out).len(), 4);
    assert!(
        said.contains("`Smith, John`, are taken for one player each"),
        "{said}"
    );
    let pairs = "time,player1,player2,result\n2024-05-01,\"Ann, Bob\",\"Cyd, Dot\",1\n2024-05-02,\"Ann, Cyd\",\"Bob, Dot\",0\n";
    let said = refused(&[], pairs);
    assert!(
        said.contains("standard input:2:1: `Ann, Bob`: one player, or two?"),
        "{said}"
    );
    assert_eq!(players(&rated(&["--names-as-written"], pairs).0).len(), 4);
}

#[test]
fn a_row_for_each_player_has_one_player() {
    let text = "match,time,player,team,rank\n1,2024-05-01,a;b,x,1\n1,2024-05-01,c;d,y,2\n";
    let said = refused(&[], text);
    assert!(
        said.contains(":2:3:") && said.contains("write a row for each"),
        "{said}"
    );
}

#[test]
fn words_for_nobody_are_no_players() {
    for word in [
        "-", "--", "NULL", "null", "N/A", "NA", "NaN", "nan", "None", "\\N", "<NA>", "BYE", "bye", "TBD",
        "Null",
    ] {
        let row = format!(
            "time,player1,player2,result\n2024-05-01,ann,bob,1\n2024-05-02,ann,{word},1\n2024-05-03,bob,ann,1\n"
        );
        let said = refused(&[], &row);
        assert!(
            said.contains(&format!(
                "standard input:3:3: player2 is `{word}`, which stands for nobody"
            )),
            "{said}"
        );
        let (out, said) = rated(&["--skip-bad"], &row);
        assert!(
            players(&out) == ["ann", "bob"] && said.contains("1 match (1 row) skipped"),
            "{said}"
        );
        let (out, _) = rated(&["--names-as-written"], &row);
        assert_eq!(players(&out).len(), 3, "{word}");
        let json = format!(
            "{{\"time\":\"2024-05-01\",\"teams\":[[\"ann\"],[{}]],\"ranks\":[1,2]}}",
            Value::from(word)
        );
        assert!(refused(&[], &json).contains("stands for nobody"), "{word}");
        let long = format!("match,time,player,rank\n1,2024-05-01,ann,1\n1,2024-05-01,{word},2\n");
        assert!(refused(&[], &long).contains("stands for nobody"), "{word}");
    }
}

#[test]
fn an_empty_seat_of_a_team_is_told() {
    let columns = ["--columns", "team1=r1+r2,team2=b1+b2"];
    let text =
        "time,r1,r2,b1,b2,result\n2024-05-01,a,b,c,d,1\n2024-05-02,a,b,c,NULL,1\n2024-05-03,a,,d,c,0\n";
    let (out, said) = rated(&columns, text);
    assert_eq!(players(&out), ["a", "b", "c", "d"]);
    assert!(said.contains("stand for nobody: `NULL`"), "{said}");
    assert!(
        said.contains(
            "2 matches have an empty seat and sides of unequal size, the first in line 3, 2 against 1"
        ),
        "{said}"
    );
    let said = refused(&columns, &text.replace("NULL", "Null"));
    assert!(said.contains(":3:5: b2 is `Null`"), "{said}");
    // Equal sides need no word.
    let (_, said) = rated(
        &columns,
        "time,r1,r2,b1,b2,result\n2024-05-01,a,,c,,1\n2024-05-02,a,b,c,d,1\n",
    );
    assert!(!said.contains("unequal"), "{said}");
}

/// The parties of the players of a match, of two sides of three.
fn parties(labels: [[&str; 3]; 2]) -> String {
    let mut text = "match,time,player,team,party,rank\n".to_owned();
    for game in 1..3 {
        for (team, side) in labels.iter().enumerate() {
            text.extend(side.iter().enumerate().map(|(seat, label)| {
                let rank = team + 1;
                format!("{game},2024-05-0{game},p{team}{seat},t{team},{label},{rank}\n")
            }));
        }
    }
    text
}

#[test]
fn the_party_0_is_what_the_column_says() {
    let bonus = |text: &str| rated(&[], text).1;
    assert!(
        bonus(&parties([["0", "7", "7"], ["0", "0", "8"]])).contains("parties `0` are taken for no party")
    );
    // Labels of their own for who is alone: 0 is a party.
    assert!(!bonus(&parties([["0", "0", "1"], ["2", "2", "3"]])).contains("no party"));
    let said = refused(&[], &parties([["0", "0", "0"], ["1", "1", "1"]]));
    assert!(
        said.contains(":2:5: party is `0`: a party like the others, or no party?"),
        "{said}"
    );
    let json = "{\"time\":\"2024-05-01\",\"teams\":[[{\"player\":\"a\",\"party\":0},\"b\"],[{\"player\":\"c\",\"party\":0},\
                {\"player\":\"d\",\"party\":5},{\"player\":\"e\",\"party\":5}]],\"ranks\":[1,2]}";
    let said = refused(&[], json);
    assert!(said.contains("write null for who queued alone"), "{said}");
    // A word for nobody is no party of strangers.
    let words = parties([["NULL", "NULL", "-"], ["NULL", "", "x"]]);
    let plain = parties([["", "", ""], ["", "", ""]]);
    assert_eq!(
        rated(&[], &words).0["leaderboard"],
        rated(&[], &plain).0["leaderboard"]
    );
}

#[test]
fn t_is_true_beside_f_a_tie_beside_w_and_l_and_nothing_alone() {
    let wide = |results: [&str; 3]| {
        let [one, two, three] = results;
        format!(
            "time,player1,player2,result\n2024-05-01,ann,bob,{one}\n2024-05-02,ann,bob,{two}\n2024-05-03,ann,bob,{three}\n"
        )
    };
    let rated = |text: &str| rated(&[], text).0["leaderboard"].clone();
    let [won, tied] = [["1", "0", "1"], ["0.5", "0", "0.5"]].map(|results| rated(&wide(results)));
    assert_ne!(won, tied);
    for results in [["T", "F", "T"], ["t", "f", "t"], ["T", "false", "T"]] {
        assert_eq!(rated(&wide(results)), won, "{results:?}");
    }
    assert_eq!(rated(&wide(["T", "L", "T"])), tied);
    for (results, line) in [
        (["T", "T", "T"], 2),
        (["D", "T", "D"], 3),
        (["F", "F", "F"], 2),
        (["T", "F", "W"], 4),
    ] {
        let said = refused(&[], &wide(results));
        if results[2] != "W" {
            assert!(
                said.contains(&format!("standard input:{line}:4: result is `")),
                "{said}"
            );
        }
    }
    let long = |one: &str, other: &str| {
        format!("match,time,player,result\n1,2024-05-01,ann,{one}\n1,2024-05-01,bob,{other}\n")
    };
    assert_eq!(rated(&long("T", "F")), rated(&long("win", "loss")));
    assert!(refused(&[], &long("T", "T")).contains("`T`: true, or a tie?"));
    let tie = "2,2024-05-02,ann,W\n2,2024-05-02,bob,L\n";
    assert_eq!(
        rated(&(long("T", "T") + tie)),
        rated(&(long("draw", "draw") + tie))
    );
}

#[test]
fn a_score_beside_a_named_winner_is_no_result() {
    for score in ["3-6", "6-3", "6-3 6-4", ""] {
        let text = format!(
            "date,winner_name,loser_name,score\n2024-05-01,ann,bob,{score}\n2024-05-02,ann,bob,{score}\n"
        );
        let (out, _) = rated(&[], &text);
        assert_eq!(out["leaderboard"][0]["player"], "ann", "{score}");
    }
    let json = "{\"time\":\"2024-05-01\",\"winner\":\"ann\",\"loser\":\"bob\",\"score\":\"3-6\"}\n";
    assert_eq!(rated(&[], json).0["leaderboard"][0]["player"], "ann");
}

#[test]
fn more_than_70_percent_of_first_sides_winning_is_said() {
    let text = |won: u32, of: u32| {
        let row = |game: u32| {
            let result = u32::from(game < won);
            format!(
                "2024-05-{:02},p{},p{},{result}\n",
                game + 1,
                game % 4,
                (game + 1) % 4
            )
        };
        "time,player1,player2,result\n".to_owned() + &(0..of).map(row).collect::<String>()
    };
    let said = rated(&[], &text(18, 25)).1;
    assert!(
        said.contains("the first side won 18 of 25 decided games"),
        "{said}"
    );
    assert!(!rated(&[], &text(17, 25)).1.contains("first side won"));
    assert!(!rated(&[], &text(19, 19)).1.contains("first side won"));
    // Where the columns say who won, the order is no news.
    let named = text(25, 25).replace("player1,player2,result", "winner,loser,extra");
    assert!(!rated(&[], &named).1.contains("first side won"));
}

#[test]
fn names_that_differ_in_case_alone_are_named() {
    let text = "time,player1,player2,result\n2024-05-01,Ann,bob,1\n2024-05-02,ann,bob,1\n";
    let said = rated(&[], text).1;
    assert!(
        said.contains("players that differ in case alone") && said.contains("`Ann` and `ann`"),
        "{said}"
    );
    assert!(!answer(&RATE, text.replace("Ann", "ann")).is_empty());
}

/// How often each player won, drew and lost.
fn records(out: &Value) -> Vec<(String, [u64; 3])> {
    let all = out["leaderboard"].as_array().unwrap();
    let record = |row: &Value| ["wins", "draws", "losses"].map(|key| row[key].as_u64().unwrap());
    let mut all: Vec<_> = all
        .iter()
        .map(|row| (row["player"].as_str().unwrap().to_owned(), record(row)))
        .collect();
    all.sort();
    all
}

#[test]
fn an_empty_seat_in_a_list_is_told() {
    let columns = ["--columns", "team1=team1,team2=team2"];
    for one in [
        "a;",
        "\"[\"\"a\"\",null]\"",
        "\"[\"\"a\"\", \"\"\"\"]\"",
        "\"['a', None]\"",
        "\"[a,,]\"",
        "a;NULL",
    ] {
        let text = format!("time,team1,team2,result\n2024-05-01,{one},c;d,1\n");
        let (out, said) = rated(&columns, &text);
        assert_eq!(players(&out), ["a", "c", "d"], "{text}");
        assert!(
            said.contains("an empty seat and sides of unequal size"),
            "{text}{said}"
        );
    }
    for one in [
        "a;b",
        "\"['a', 'b',]\"",
        "\"['a' 'b']\"",
        "\"{a;b}\"",
        "\"[a;b]\"",
        "\"(a|b)\"",
    ] {
        let text = format!("time,team1,team2,result\n2024-05-01,{one},\"[\"\"c\"\",\"\"d\"\"]\",1\n");
        let (out, said) = rated(&columns, &text);
        assert_eq!(players(&out), ["a", "b", "c", "d"], "{text}");
        assert!(!said.contains("empty seat"), "{text}{said}");
    }
}

#[test]
fn an_array_of_names_as_written_is_still_a_list() {
    let text =
        "time,team1,team2,result\n2024-05-01,\"[\"\"a;x\"\",\"\"b\"\"]\",\"[\"\"c\"\",\"\"NULL\"\"]\",1\n";
    for more in [
        &["--names-as-written"][..],
        &["--names-as-written", "--columns", "team1=team1,team2=team2"],
    ] {
        assert_eq!(players(&rated(more, text).0), ["NULL", "a;x", "b", "c"]);
    }
    // What only looks like one is a name.
    let text = "time,player1,player2,result\n2024-05-01,\"[a, b]\",[7],1\n";
    assert_eq!(
        players(&rated(&["--names-as-written"], text).0),
        ["[7]", "[a, b]"]
    );
}

#[test]
fn more_words_for_nobody_and_names_without_their_digits_are_no_players() {
    let uuid = "00000000-0000-0000-0000-000000000000";
    for word in [
        "??", ".", "<none>", "[none]", "(empty)", "<empty>", "\u{2212}", "T.B.D.", "undef", "#REF!",
        "#VALUE!", "N\\A", "\u{200b}", uuid,
    ] {
        let text = format!("time,player1,player2,result\n2024-05-01,ann,{word},1\n");
        assert!(refused(&[], &text).contains("stands for nobody"), "{word}");
    }
    for word in ["7.656119801234568e16", "7.65612E+16"] {
        let text = format!("time,player1,player2,result\n2024-05-01,ann,{word},1\n");
        let said = refused(&[], &text);
        assert!(said.contains(":2:3:") && said.contains("lost digits"), "{said}");
        assert_eq!(players(&rated(&["--names-as-written"], &text).0).len(), 2);
    }
    let text = "time,player1,player2,result\n2024-05-01,1,2,1\n2024-05-02,1.0,2,1\n2024-05-03,1e15,2,1\n";
    assert!(rated(&[], text).1.contains("`1` and `1.0`"));
}

#[test]
fn teams_of_a_long_table_are_what_all_rows_of_the_match_say() {
    let long = |teams: [&str; 4]| {
        let rows = ["a", "b", "c", "d"].into_iter().zip(teams).zip([1, 1, 2, 2]);
        let rows = rows.map(|((player, team), rank)| format!("m,2024-05-01,{player},{team},{rank}\n"));
        format!("match,time,player,team,rank\n{}", rows.collect::<String>())
    };
    let plain = rated(&[], &long(["x", "x", "y", "y"])).0["leaderboard"].clone();
    let (out, _) = rated(&[], &long(["NA", "NA", "EU", "EU"]));
    assert_eq!(out["leaderboard"], plain);
    // Of all players it says that there are no teams.
    let alone = rated(&[], &long([""; 4])).0["leaderboard"].clone();
    assert_eq!(rated(&[], &long(["NA"; 4])).0["leaderboard"], alone);
    for teams in [["x", "x", "y", ""], ["NULL", "x", "y", "y"]] {
        let said = refused(&[], &long(teams));
        assert!(
            said.contains("the player has no team, where others of the match have one"),
            "{said}"
        );
    }
    let (out, said) = rated(&[], &long(["Red", "red", "blue", "blue"]));
    assert_eq!(records(&out)[0].1, [0, 1, 0]);
    assert!(
        said.contains("teams that differ in case alone") && said.contains("`Red` and `red`"),
        "{said}"
    );
}

#[test]
fn a_fault_of_a_long_table_says_what_else_may_be_the_matter() {
    let text = "match,time,player,rank,won\n1,2024-05-01,a,top,1\n1,2024-05-01,b,mid,0\n2,2024-05-02,a,top,1\n2,2024-05-02,b,mid,0\n";
    assert!(refused(&[], text).contains("--columns result=won leaves it out"));
    // A position of words is a role, not a rank.
    rated(&[], &text.replace("rank", "position"));
    let text = "match,time,player,result\n1,2024-05-01,a,win\n1,2024-05-01,b,loss\n1,2024-05-02,a,win\n1,2024-05-02,c,loss\n";
    let said = refused(&[], text);
    assert!(
        said.contains("rows in lines 2 and 4 are of other times"),
        "{said}"
    );
}

#[test]
fn the_party_0_of_a_fraction_is_that_of_a_whole_number() {
    for zero in ["0", "0.0"] {
        let (_, said) = rated(&[], &parties([[zero, zero, "7"], [zero, zero, "8"]]));
        assert!(said.contains("taken for no party"), "{zero}: {said}");
    }
}
