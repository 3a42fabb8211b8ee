//! `matchwright rate` on files as other people write them.

use serde_json::Value;

use crate::common::{answer, complaint, matchwright};
use crate::rate::refused;

/// Public files in their own formats.
#[test]
fn real_files_of_several_formats_are_read() {
    let Some(data) = std::env::var_os("MATCHWRIGHT_DATA") else {
        crate::common::say("skipped: MATCHWRIGHT_DATA is not set, so there are no real files to read");
        return;
    };
    let data = std::path::Path::new(&data);
    let run = |file: &str, more: &[&str]| -> Value {
        let mut command = matchwright();
        command
            .args(["rate", "--system", "glicko2", "--json"])
            .arg(data.join(file))
            .args(more);
        serde_json::from_slice(&command.assert().success().get_output().stdout).unwrap()
    };
    let halo = run("halo2_beta/head_to_head.csv.gz", &["--columns", "time=end_time"]);
    assert_eq!(halo["evaluation"]["matches"], 6028);
    assert_eq!(halo["players"], 1653);
    let football = "time=date,player1=home_team,player2=away_team,score1=home_score,score2=away_score";
    // The file tells one match twice, once from each side.
    let football = run(
        "football_intl/results.csv.gz",
        &["--columns", football, "--skip-bad"],
    );
    assert_eq!(football["evaluation"]["matches"], 49519);
    assert_eq!(football["skipped_rows"], 1);
    let chess = "time=utc_date_time,player1=white,player2=black";
    let chess = run(
        "lichess_sample/sample-encounters.csv",
        &["--columns", chess, "--sort"],
    );
    assert_eq!(chess["evaluation"]["matches"], 1000);
}

#[test]
fn a_table_with_a_row_for_each_player_is_that_of_its_matches() {
    let wide = "{\"time\": 100000000, \"teams\": [[\"ann\", \"bob\"], [\"cyd\", \"dot\"]], \"scores\": [5, 3]}\n\
                {\"time\": 100000100, \"teams\": [[\"ann\"], [\"cyd\"], [\"bob\"]], \"scores\": [7, 7, 1]}\n\
                {\"time\": 100000200, \"teams\": [[\"dot\"], [\"ann\"]], \"scores\": [2, 9]}\n";
    // Rows of one match need not stand together; the scores of a team's players add up.
    let long = "Match ID,date,name,side,points\n\
                m1,100000000,ann,red,2\nm1,100000000,cyd,blue,3\nm2,100000100,ann,,7\n\
                m1,100000000,bob,red,3\nm1,100000000,dot,blue,0\nm2,100000100,cyd,,7\nm2,100000100,bob,,1\n\
                m3,100000200,dot,,2\nm3,100000200,ann,,9\n";
    let rate = |text: &str| {
        let run = [
            "rate",
            "--system",
            "trueskill",
            "-",
            "--json",
            "--evaluate-from",
            "0.5",
        ];
        let told: Value = serde_json::from_str(&answer(&run, text)).unwrap();
        told["leaderboard"].clone()
    };
    assert_eq!(rate(wide), rate(long));
    for (outcome, values) in [
        ("rank", ["1", "2"]),
        ("result", ["win", "loss"]),
        ("won", ["true", "false"]),
    ] {
        let rows = (0..3).map(|game| {
            let time = 100_000_000 + game;
            format!(
                "{game},{time},ann,{}\n{game},{time},bob,{}\n",
                values[0], values[1]
            )
        });
        let text = format!("game,time,player,{outcome}\n{}", rows.collect::<String>());
        let board = rate(&text);
        assert_eq!(
            (&board[0]["player"], &board[0]["wins"]),
            (&"ann".into(), &3.into()),
            "{outcome}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_row_of_a_player_stands_at_its_line_and_spoils_its_match_alone() {
    let head = "match,time,player,team,rank\nm1,100000000,ann,a,1\nm1,100000000,bob,b,2\n";
    let run = ["rate", "--system", "elo", "-"];
    for (rows, wanted) in [
        ("m2,100000001,,a,1\n", ":4:3: player is empty"),
        (",100000001,ann,a,1\n", ":4:1: match is empty"),
        (
            "m2,100000001,ann,a,first\nm2,100000001,bob,b,2\n",
            ":4:5: rank is `first`",
        ),
        (
            "m2,100000001,ann,a,1\nm2,100000001,bob,a,2\n",
            ":5:5: rank is `2`, and `1` in line 4 of the same team",
        ),
    ] {
        let said = complaint(&run, format!("{head}{rows}"), 1);
        assert!(said.contains(&format!("standard input{wanted}")), "{said}");
    }
    let text =
        "match,time,player,team,rank\nm0,99999999,,a,1\nm0,99999999,eve,b,2\n".to_owned() + &head[28..];
    let more = "m2,100000100,ann,a,2\nm2,100000100,bob,b,1\nm3,100000200,bob,b,1\nm3,100000200,ann,a,2\n";
    let skipped = [
        &run[..],
        &[
            "--skip-bad",
            "--json",
            "--evaluate-from",
            "0.5",
            "--time-unit",
            "seconds",
        ],
    ]
    .concat();
    let told: Value = serde_json::from_str(&answer(&skipped, text + more)).unwrap();
    assert_eq!(
        (&told["players"], &told["evaluation"]["matches"]),
        (&2.into(), &3.into())
    );
    let said = complaint(&run, "match,time,player\nm1,1,ann\n", 1);
    assert!(
        said.contains("needs the columns match, time, player and rank, score or result"),
        "{said}"
    );
}

/// Exports as spreadsheets and federations write them, with the lines that messages tell.
#[test]
fn exports_are_read_at_once_or_by_the_line_that_is_told() {
    let rows = |dates: [&str; 3]| {
        let results = ["1-0", "+--", "\u{bd}-\u{bd}"];
        let pairs = dates.iter().zip(results);
        let rows = pairs.map(|(date, result)| format!("{date};J\u{f6}rg;ann;{result}\r\n"));
        "sep=;\r\ntourney_date;white;black;result\r\n".to_owned() + &rows.collect::<String>()
    };
    let told = rows(["05/01/2024", "06/01/2024", "13/01/2024"]);
    let utf_16: Vec<u8> = format!("\u{feff}{told}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let board = |told: Value| {
        let players = told["leaderboard"].as_array().unwrap().iter();
        players
            .map(|one| one["player"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let read = |more: &[&str], input: Vec<u8>| {
        let arguments = [&["rate", "--system", "elo", "--json", "-"][..], more].concat();
        let told: Value = serde_json::from_str(&answer(&arguments, input)).unwrap();
        assert_eq!(told["matches"].as_u64().unwrap_or(2), 2, "{told}");
        board(told)
    };
    assert_eq!(read(&[], utf_16), ["J\u{f6}rg", "ann"]);
    let latin: Vec<u8> = (told.chars())
        .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
        .collect();
    assert_eq!(read(&["--encoding", "latin1"], latin), ["J\u{f6}rg", "ann"]);
    let open = rows(["05/01/2024", "06/01/2024", "07/01/2024"]);
    let what = refused(open.clone());
    assert!(what.contains("--date-order day if it is 2024-01-05"), "{what}");
    assert_eq!(
        read(&["--date-order", "day"], open.into_bytes()),
        ["J\u{f6}rg", "ann"]
    );
    complaint(
        &["rate", "--system", "elo", "-", "--encoding", "latin9000"],
        "",
        2,
    );
    let what = complaint(&["rate", "--system", "elo", "-", "--time-format", "%H:%M"], "", 2);
    assert!(what.contains("tells the day"), "{what}");
}
