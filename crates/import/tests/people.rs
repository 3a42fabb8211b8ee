//! Files as people have them, each with what it means: found by giving the reader to people who had not seen it.

use matchwright_import::{Columns, MatchOptions};

use crate::matches::{all, open};

/// The games of a file, each as its sides in order with their places: `1 ann+bob, 2 cyd+dot`.
fn games(text: &str, options: &MatchOptions) -> Result<Vec<String>, String> {
    let games = all(text, options).map_err(|error| error.to_string())?;
    let side = |(place, _, names): &(u32, f64, Vec<String>)| format!("{place} {}", names.join("+"));
    let game = |sides: &[(u32, f64, Vec<String>)]| sides.iter().map(side).collect::<Vec<_>>().join(", ");
    Ok(games.iter().map(|(_, sides)| game(sides)).collect())
}

/// All of it, as a command does: names may look like lists of two by all of them.
fn whole(text: &str) -> Result<Vec<String>, String> {
    let games = read(text)?;
    let mut matches = open(text, &MatchOptions::default()).unwrap();
    let players: Vec<String> = matches
        .by_ref()
        .flat_map(|game| game.unwrap().names().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let report = matches.report(players.iter().map(String::as_str));
    report.map(|_| games).map_err(|error| error.to_string())
}

fn read(text: &str) -> Result<Vec<String>, String> {
    games(text, &MatchOptions::default())
}

/// Files with their games.
const MEANT: &[(&str, &[&str])] = &[
    (
        "Date,Winner,Loser,Tie\n2024-01-05,Ann,Bob,\n2024-01-06,Bob,Cyd,yes\n",
        &["1 Ann, 2 Bob", "1 Bob, 1 Cyd"],
    ),
    (
        "date,player1,player2,winner,draw\n2024-01-05,Ann,Bob,Ann,0\n2024-01-06,Bob,Cyd,,1\n",
        &["1 Ann, 2 Bob", "1 Bob, 1 Cyd"],
    ),
    (
        "Date,Player 1,Player 2,Winner,Notes\n2024-01-05,Ann,Bob,Ann,\n2024-01-06,Bob,Cyd,Cyd,forfeit\n",
        &["1 Ann, 2 Bob"],
    ),
    (
        "Datum;Heim;Gast;Ergebnis;Bemerkung\n05.01.2024;Ann;Bob;3:1;\n13.01.2024;Bob;Cyd;3:0;kampflos\n",
        &["1 Ann, 2 Bob"],
    ),
    (
        "match,date,player,rank\n1,2024-01-05,ann,1\n1,2024-01-05,bob,2\n1,2024-01-05,cyd,DNF\n2,2024-01-06,ann,1\n2,2024-01-06,bob,2\n",
        &["1 ann, 2 bob", "1 ann, 2 bob"],
    ),
    (
        "Date,Player 1,Score 1,Player 2,Score 2,Player 3,Score 3\n2024-01-05,ann,12,bob,8,cyd,\n2024-01-06,ann,1,bob,8,cyd,9\n",
        &["1 ann, 2 bob", "3 ann, 2 bob, 1 cyd"],
    ),
    (
        "Date,White,Black,Result\n2024-01-05,Ann,Bob,1-0\n2024-01-06,Cyd,Dot,0-0\n2024-01-07,Bob,Cyd,1/2-1/2\n",
        &["1 Ann, 2 Bob", "1 Bob, 1 Cyd"],
    ),
    (
        "Date, Player 1, Player 2, Score\n2024-01-05, \"Ann\", \"Bob\", 3-1\n",
        &["1 Ann, 2 Bob"],
    ),
    (
        "Date,Blue 1,Blue 2,Red 1,Red 2,Winner\n2024-01-05,ann,bob,cyd,dot,Blue\n2024-01-06,ann,cyd,bob,dot,Red\n",
        &["1 ann+bob, 2 cyd+dot", "2 ann+cyd, 1 bob+dot"],
    ),
    (
        "Date,Winner 1,Winner 2,Loser 1,Loser 2\n2024-01-05,Ann,Bob,Cyd,Dot\n",
        &["1 Ann+Bob, 2 Cyd+Dot"],
    ),
    (
        "date,team1_player1,team1_player2,team2_player1,team2_player2,score1,score2\n2024-01-05,a,b,c,d,1,2\n",
        &["2 a+b, 1 c+d"],
    ),
    (
        "date,home,away,result\n2024-01-05,Ann,Bob,1\n2024-01-06,Cyd,Bob,2\n",
        &["1 Ann, 2 Bob", "2 Cyd, 1 Bob"],
    ),
    (
        "date,home,away,winner,loser_score,winner_score\n2024-01-05,Ann,Bob,Bob,1,3\n",
        &["2 Ann, 1 Bob"],
    ),
    (
        "tourney_date,winner_id,winner_name,loser_id,loser_name,score\n20230102,126203,Fritz,126610,Berrettini,7-6 7-6\n\
         20230103,126610,Berrettini,128034,Hurkacz,W/O\n",
        &["1 Fritz, 2 Berrettini"],
    ),
    (
        "Date,Player 1,Player 2,Result\n2024-01-05,Ann,Bob,Ann\n2024-01-06,Bob,Cyd,Cyd\n2024-01-07,Bob,Cyd,Draw\n",
        &["1 Ann, 2 Bob", "2 Bob, 1 Cyd", "1 Bob, 1 Cyd"],
    ),
    (
        "Date,Home,Away,Score,Pens\n2022-12-17,Croatia,Morocco,2-1,\n2022-12-18,Argentina,France,3-3,4-2\n",
        &["1 Croatia, 2 Morocco", "1 Argentina, 2 France"],
    ),
    (
        "Date,Home,Away,Score\n2024-01-05,Ann,Bob,2:1 (1:0)\n2024-01-06,Bob,Cyd,2:3 n.V.\n2024-01-07,Bob,Cyd,1-2 (OT)\n",
        &["1 Ann, 2 Bob", "2 Bob, 1 Cyd", "2 Bob, 1 Cyd"],
    ),
    (
        "Date,Player,Score,Player,Score\n2024-01-05,Ann,3,Bob,1\n2024-01-06,Cyd,0,Bob,2\n",
        &["1 Ann, 2 Bob", "2 Cyd, 1 Bob"],
    ),
    (
        "date|player1|player2|result\n2024-01-05|Ann|Bob|1\n",
        &["1 Ann, 2 Bob"],
    ),
    (
        "Club championship 2024\n\nDate;White;Black;Result\n2024-01-05;Ann;Bob;1-0\n",
        &["1 Ann, 2 Bob"],
    ),
    (
        "match,date,player,place\n1,2024-01-05,ann,1st\n1,2024-01-05,bob,T2\n1,2024-01-05,cyd,T2\n",
        &["1 ann, 2 bob, 2 cyd"],
    ),
    (
        "match,date,player,winner\n1,2024-01-05,ann,0\n1,2024-01-05,bob,1\n",
        &["2 ann, 1 bob"],
    ),
    (
        "gameid,date,game,side,playername,teamname,result\nG_1,2024-01-17 07:10:17,1,Blue,ann,T1,1\nG_1,2024-01-17 07:10:17,1,Red,bob,GEN,0\n\
         G_2,2024-01-17 08:10:17,1,Blue,ann,T1,0\nG_2,2024-01-17 08:10:17,1,Red,bob,GEN,1\n",
        &["1 ann, 2 bob", "2 ann, 1 bob"],
    ),
    (
        "date,P1,P2,P3,S1,S2,S3\n2024-01-05,ann,bob,cyd,3,9,1\n",
        &["2 ann, 1 bob, 3 cyd"],
    ),
    (
        "Date,Home,Away,HS,AS,Walkover\n2024-01-05,Ann,Bob,1,2,\n2024-01-06,Ann,Bob,0,3,X\n",
        &["2 Ann, 1 Bob"],
    ),
    (
        "date,player1,player2,winner\n2024-01-05,Ann,Bob,0\n2024-01-06,Ann,Bob,1\n2024-01-07,Ann,Bob,2\n",
        &["1 Ann, 1 Bob", "1 Ann, 2 Bob", "2 Ann, 1 Bob"],
    ),
    (
        "{\"time\":\"2024-01-05\",\"winner\":2,\"players\":[{\"name\":\"Ann\",\"team\":2},{\"name\":\"Bob\",\"team\":1}]}\n",
        &["1 Ann, 2 Bob"],
    ),
    (
        "{\"time\":\"2024-01-05\",\"winner\":\"T\",\"players\":[{\"name\":\"Ann\",\"team\":\"CT\"},{\"name\":\"Bob\",\"team\":\"T\"}]}\n",
        &["2 Ann, 1 Bob"],
    ),
    (
        "Date,Winner,Loser,Score\n2024-01-05,Ann,Bob,3-1\n2024-01-07,Ann,Cat,draw\n",
        &["1 Ann, 2 Bob", "1 Ann, 1 Cat"],
    ),
    (
        "Date,Home,Away,Home Score,Away Score,Pen Home,Pen Away\n2024-01-05,Ann,Bob,1,1,4,3\n2024-01-06,Bob,Cat,0,2,,\n",
        &["1 Ann, 2 Bob", "2 Bob, 1 Cat"],
    ),
    (
        "date,Player A,Player B,Points 1,Points 2,Frames 1,Frames 2\n2024-01-05,x,y,31,33,2,1\n",
        &["1 x, 2 y"],
    ),
    (
        "date,player1,player2,winner,state,forfeited\n2024-01-05,Ann,Bob,Ann,complete,\n2024-01-06,Bob,Cat,Bob,complete,true\n",
        &["1 Ann, 2 Bob"],
    ),
    (
        "date,player1,player2,score1,score2,status\n2024-01-05,Ann,Bob,3,1,confirmed\n2024-01-06,Bob,Cat,0,0,awaiting result\n\
         2024-01-07,Bob,Cat,0,0,7:00 pm ET\n2024-01-08,Bob,Cat,0,0,not reported\n",
        &["1 Ann, 2 Bob"],
    ),
    (
        "id,played_at,player1_id,player1_name,player2_id,player2_name,winner_id\n1,2024-01-05,11,Ann,12,Bob,11\n2,2024-01-06,12,Bob,13,Cat,13\n",
        &["1 11, 2 12", "2 12, 1 13"],
    ),
    (
        "Date,Home,Away,Score\n2022-12-18,Ann,Bob,3-3 (4-2)\n",
        &["1 Ann, 2 Bob"],
    ),
    (
        "{\"time\":\"2024-01-05\",\"winner\":\"Ann\",\"loser\":\"Bob\",\"notes\":[],\"pens\":[1],\"score\":null}\n",
        &["1 Ann, 2 Bob"],
    ),
    // Sets in columns beside who won.
    (
        "date,player1,player2,winner,s1,s2,s3\n2024-01-05,Ann,Bob,Ann,6-4,3-6,7-5\n",
        &["1 Ann, 2 Bob"],
    ),
    // Notes that name a round, or how a game went.
    (
        "date,player1,player2,score1,score2,notes\n2024-01-05,Ann,Bob,3,1,open\n2024-01-06,Ann,Bob,1,1,penalties\n\
         2024-01-07,Ann,Bob,3,0,cancelled\n2024-01-08,Ann,Bob,3,0,break\n",
        &["1 Ann, 2 Bob", "1 Ann, 1 Bob", "1 Ann, 2 Bob"],
    ),
    (
        "date,player1,player2,score1,score2,status\n2024-01-05,Ann,Bob,3,1,3:1 (Team Ann)\n",
        &["1 Ann, 2 Bob"],
    ),
];

#[test]
fn they_are_read_as_they_were_meant() {
    let wrong: Vec<String> = MEANT
        .iter()
        .filter(|(text, wanted)| read(text).is_ok_and(|found| found != *wanted) || read(text).is_err())
        .map(|(text, _)| format!("{text}{:?}", read(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_is_open_is_refused_with_lines_that_work() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "Date,Team 1,Team 2,Score 1,Score 2\n2024-05-01,Ann/Bob,Cyd/Dot,21,15\n2024-05-02,Cyd/Bob,Ann/Dot,19,21\n",
            "team1=Team 1,team2=Team 2",
            &["1 Ann+Bob, 2 Cyd+Dot", "2 Cyd+Bob, 1 Ann+Dot"],
        ),
        (
            "date,player1,player2,player2_won\n2024-01-05,Ann,Bob,FALSE\n2024-01-06,Cyd,Bob,TRUE\n",
            "player1=player2,player2=player1,result=player2_won",
            &["2 Bob, 1 Ann", "1 Bob, 2 Cyd"],
        ),
        (
            "date,player1,player2,winner\n2024-01-05,Ann,Bob,0\n2024-01-06,Cyd,Bob,1\n",
            "result=winner",
            &["2 Ann, 1 Bob", "1 Cyd, 2 Bob"],
        ),
    ];
    for (text, line, wanted) in cases {
        let what = whole(text).unwrap_err();
        assert!(what.contains(line), "{what}");
        let columns = Columns::parse(line).unwrap();
        let options = MatchOptions {
            columns,
            ..MatchOptions::default()
        };
        assert_eq!(games(text, &options).unwrap(), *wanted, "{line}");
    }
    let teams = r#"{"date":"2024-01-05","teams":[["ann","bob"],["cyd","dot"]],"winner":0}
        {"date":"2024-01-06","teams":[["ann","cyd"],["bob","dot"]],"winner":1}"#;
    let bad = MatchOptions {
        skip_bad: true,
        ..MatchOptions::default()
    };
    assert!(games(teams, &bad).unwrap().is_empty());
    assert!(read(teams).unwrap_err().contains("--sides 0,1"));
    let sides = Some(["0", "1"].map(str::to_owned));
    let told = games(
        teams,
        &MatchOptions {
            sides,
            ..MatchOptions::default()
        },
    );
    assert_eq!(told.unwrap(), ["1 ann+bob, 2 cyd+dot", "2 ann+cyd, 1 bob+dot"]);
    let squads = "match,date,player,rank\n1,2024-01-05,Ann,12\n1,2024-01-05,Bob,5\n2,2024-01-06,Bob,5\n2,2024-01-06,Cat,40\n";
    let columns = Columns::parse("rank=rank").unwrap();
    let options = MatchOptions {
        columns,
        ..MatchOptions::default()
    };
    assert_eq!(games(squads, &options).unwrap(), ["2 Ann, 1 Bob", "1 Bob, 2 Cat"]);
    let case = "date,player1,player2,winner\n2024-01-05,Ann,Bob,ann\n";
    assert!(
        read(case)
            .unwrap_err()
            .contains("`Ann` differs in case or signs alone")
    );
}

#[test]
fn what_cannot_be_told_is_refused() {
    for (text, wanted) in [
        (
            "Date,Player 1,Player 2,Opponent 1,Opponent 2,Result\n2024-01-05,Ana,Bea,Cris,Dani,W\n",
            "seems to be one more player",
        ),
        (
            "Date,Winner,Loser,Mate of winner,Mate of loser\n2024-01-05,Ana,Cris,Bea,Dani\n",
            "seems to be one more player",
        ),
        (
            "match,date,player,rank,sets won\n1,2024-01-05,Ann,12,3\n1,2024-01-05,Bob,5,1\n2,2024-01-06,Bob,5,3\n2,2024-01-06,Cat,40,0\n",
            "rank is 1 or 0 in no match: if these are places, give --columns rank=rank",
        ),
        (
            "Date,Player,Opponent,Result\n2024-01-05,Ann,Bob,W\n",
            "player1=Player,player2=Opponent",
        ),
        (
            "Datum,Spieler 1,Spieler 2,Ergebnis\n2024-01-06,Bob,spielfrei,3:0\n",
            "`spielfrei`, which stands for nobody",
        ),
        (
            "Date,Team 1,Team 2,Score 1,Score 2\n2024-01-05,Ana and Bea,Cris and Dani,2,1\n2024-01-06,Ana and Cris,Bea and Dani,0,2\n",
            "one player, or two?",
        ),
    ] {
        let what = whole(text).unwrap_err();
        assert!(what.contains(wanted), "{text}{what}");
    }
}

#[test]
fn the_time_of_the_match_comes_before_that_of_its_record() {
    for (text, wanted) in [
        (
            "Timestamp,Date of match,Player 1,Player 2,Winner\n3/14/2024 18:22:07,3/1/2024,ann,bob,ann\n3/15/2024 18:22:07,3/20/2024,bob,cyd,cyd\n",
            1_709_251_200,
        ),
        (
            "id,created_at,updated_at,started_at,player1,player2,winner\n1,2024-06-01,2024-06-02,2024-03-01,ann,bob,ann\n",
            1_709_251_200,
        ),
    ] {
        assert_eq!(
            all(text, &MatchOptions::default()).unwrap()[0].0,
            wanted,
            "{text}"
        );
    }
}

#[test]
fn options_to_paste_are_in_quotes_where_names_have_blanks() {
    let text = "Match Date,Player A,Player B,Goals A,Goals B\n2024-01-05,ann,bob,1,2\n";
    let mut matches = open(text, &MatchOptions::default()).unwrap();
    assert_eq!(matches.by_ref().count(), 1);
    let notes = matches.report(["ann", "bob"].into_iter()).unwrap().notes;
    assert!(
        notes[0].contains("--columns \"time=Match Date,player1=Player A,"),
        "{notes:?}"
    );
}
