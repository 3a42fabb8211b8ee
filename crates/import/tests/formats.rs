//! One content in every format.

use matchwright_import::{
    EdgeForm, EdgeOptions, Edges, Input, MatchOptions, PlayerOptions, Players, Source, TicketOptions,
    Tickets, TimeUnit,
};
use proptest::prelude::*;

use super::matches::{TABLE, all, open, options};

fn source(text: &str) -> Source {
    Source::read(Input::new("text", std::io::Cursor::new(text.as_bytes().to_vec()))).unwrap()
}

/// A table without quotes as lines of JSON, with numbers where all of its cells but those of texts are.
fn lines_of(table: &str, texts: &[&str]) -> String {
    let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let object = |row: Vec<&str>| {
        let both = header.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        let key = |(name, cell): (&&str, &str)| {
            let quote = if texts.contains(name) { "\"" } else { "" };
            format!("\"{name}\":{quote}{cell}{quote}")
        };
        format!("{{{}}}", both.map(key).collect::<Vec<_>>().join(","))
    };
    rows.map(object).collect::<Vec<_>>().join("\n")
}

fn array_of(lines: &str) -> String {
    format!("[{}]", lines.replace('\n', ",\n "))
}

#[test]
fn matches_are_the_same_in_every_format() {
    let lines = lines_of(TABLE, &["player1", "player2"]);
    let long = "match,time,player,score\n1,1,ann,3\n1,1,bob,1\n2,2,bob,0\n2,2,cyd,0\n3,3,cyd,1\n3,3,ann,2\n";
    let wanted = all(TABLE, &options()).unwrap();
    for text in [
        lines.clone(),
        array_of(&lines),
        TABLE.replace(',', ";"),
        TABLE.replace(',', "\t").replace('\n', "\r\n"),
        long.to_owned(),
    ] {
        assert_eq!(all(&text, &options()).unwrap(), wanted, "{text}");
    }
}

#[test]
fn players_tickets_and_edges_are_the_same_in_every_format() {
    let table = "player,skill,region,ping_eu,ping_us,churn_win,churn_draw,churn_loss,can_host\n\
                 ann,1500,eu,30,90,0.1,0.2,0.3,true\nbob,,us,,20,,,,\n";
    let players = |text: &str| {
        let players = Players::of(&source(text), &PlayerOptions::default())
            .unwrap()
            .players;
        players
            .into_iter()
            .map(|player| (player.id, player.values))
            .collect::<Vec<_>>()
    };
    let lines = lines_of(table, &["player", "region"]);
    let wanted = players(table);
    assert_eq!(wanted.len(), 2);
    assert_eq!(players(&lines), wanted);
    assert_eq!(players(&array_of(&lines)), wanted);

    let table = "ticket,player,time,left,skill,queue,ping_eu\na,ann,1,,1500,duel,30\na,bob,1,,1600,duel,40\nb,cyd,2,9,1400,duel,\n";
    let options = TicketOptions {
        time_unit: Some(TimeUnit::Seconds),
        ..TicketOptions::default()
    };
    let tickets = |text: &str| {
        let read = Tickets::of(&source(text), &options).unwrap();
        let unplaced = |ticket| matchwright_import::Ticket { line: 0, ..ticket };
        read.tickets.into_iter().map(unplaced).collect::<Vec<_>>()
    };
    let lines = lines_of(table, &["ticket", "player", "queue"]);
    let wanted = tickets(table);
    assert_eq!(
        wanted.iter().map(|one| one.players.len()).collect::<Vec<_>>(),
        [2, 1]
    );
    assert_eq!(tickets(&lines), wanted);
    assert_eq!(tickets(&array_of(&lines)), wanted);

    let table = "source,target,cost\nann,bob,1.5\nbob,cyd,-2\n";
    let edges = |text: &str| {
        let read = Edges::of(&source(text), &EdgeOptions::default()).unwrap();
        let EdgeForm::Pairs(edges) = read.form else {
            panic!("pairs")
        };
        let edges = edges.iter().map(|edge| (edge.ends, edge.weight));
        (read.names, edges.collect::<Vec<_>>())
    };
    let lines = lines_of(table, &["source", "target"]);
    assert_eq!(edges(&lines), edges(table));
    assert_eq!(edges(&array_of(&lines)), edges(table));
    assert_eq!(edges(table).1, [([0, 1], 1.5), ([1, 2], -2.0)]);
}

#[test]
fn a_value_of_json_that_is_none_of_its_key_is_refused_there() {
    for (text, said) in [
        (
            r#"{"id":"a","skill":"high"}"#,
            "text:1:11: `skill`: `\"high\"`; a number is needed",
        ),
        (
            r#"{"id":"a","pings":[3]}"#,
            "text:1:11: `pings`: `[3]`; milliseconds by name are needed",
        ),
        (
            r#"{"id":"a","churn":{"win":0.5}}"#,
            "text:1:11: churn is given after some outcomes only",
        ),
        (
            r#"{"id":"a","experience":1.5}"#,
            "text:1:11: `experience`: `1.5`; a whole number of games",
        ),
        (
            r#"{"id":"a","roles":"tank;heal"}"#,
            "text:1:11: `roles` is a text; write a list: [\"tank\",\"heal\"]",
        ),
        (r#"{"skill":3}"#, "text:1:1: no key `id`"),
        (
            "[{\"id\":\"a\"},\n {\"id\":\"a\"}]",
            "text:2:1: player `a` is there twice",
        ),
    ] {
        let refused = Players::of(&source(text), &PlayerOptions::default())
            .unwrap_err()
            .to_string();
        assert!(refused.starts_with(said), "{text}: {refused}");
    }
    for (text, said) in [
        (
            r#"{"from":"a","to":"b","cost":"2"}"#,
            "text:1:22: `cost` is `\"2\"`; a number is needed",
        ),
        (
            r#"{"from":3,"to":"b","cost":2}"#,
            "text:1:2: `from` is `3`; a name goes in quotes",
        ),
        ("from,to,cost\na,,2\n", "text:2:2: to is empty"),
    ] {
        let refused = Edges::of(&source(text), &EdgeOptions::default())
            .unwrap_err()
            .to_string();
        assert!(refused.starts_with(said), "{text}: {refused}");
    }
}

#[cfg(feature = "compression")]
#[test]
fn packed_matches_are_unpacked_and_damage_is_told() {
    use std::io::Write as _;

    use matchwright_import::Matches;

    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(TABLE.as_bytes()).unwrap();
    let gzip = packer.finish().unwrap();
    let zstd = zstd::encode_all(TABLE.as_bytes(), 3).unwrap();
    let count = |bytes: Vec<u8>| {
        let matches = Matches::open(Input::new("packed", std::io::Cursor::new(bytes)), &options())?;
        matches.collect::<Result<Vec<_>, _>>().map(|all| all.len())
    };
    for bytes in [gzip, zstd] {
        assert_eq!(count(bytes.clone()).unwrap(), 3);
        let cut = count(bytes[..bytes.len() - 3].to_vec()).unwrap_err().to_string();
        assert!(cut.starts_with("packed:"), "{cut}");
    }
}

#[cfg(not(feature = "compression"))]
#[test]
fn what_is_packed_is_named_where_it_is_not_read() {
    use matchwright_import::Matches;

    let gzip = std::io::Cursor::new(vec![0x1f, 0x8b, 8, 0]);
    let refused = Matches::open(Input::new("packed", gzip), &options())
        .err()
        .unwrap();
    assert!(refused.to_string().starts_with("packed: it is gzip"), "{refused}");
}

proptest! {
    /// Duels of any names, times and scores are read as they were written, whatever separates the fields. No name that begins with a
    /// `p` stands for nobody, as `nan` does.
    #[test]
    fn generated_duels_are_read_as_they_were_written(
        games in proptest::collection::vec((0_i64..1_000_000_000, "p[a-z]{2,7}", "P[A-Z]{2,7}", 0_u8..9, 0_u8..9), 1..20),
        separator in prop::sample::select(vec![",", ";", "\t"]),
    ) {
        let mut games = games;
        games.sort_by_key(|game| game.0);
        let row = |(time, one, other, score, second): &(i64, String, String, u8, u8)| {
            [time.to_string(), one.clone(), other.clone(), score.to_string(), second.to_string()].join(separator)
        };
        let header = ["time", "player1", "player2", "score1", "score2"].join(separator);
        let text = std::iter::once(header).chain(games.iter().map(row)).collect::<Vec<_>>().join("\n");
        let wanted: Vec<_> = games
            .iter()
            .map(|(time, one, other, score, second)| {
                let place = |mine: u8, other: u8| 1 + u32::from(mine < other);
                let sides = vec![
                    (place(*score, *second), f64::from(*score), vec![one.clone()]),
                    (place(*second, *score), f64::from(*second), vec![other.clone()]),
                ];
                (*time, sides)
            })
            .collect();
        prop_assert_eq!(all(&text, &options()).unwrap(), wanted);
    }
}

#[test]
fn a_table_without_a_header_is_refused_with_a_line_that_reads_it() {
    for (text, names) in [
        (
            "2024-05-01,ann,bob,2,1\n2024-05-02,bob,ann,0,0\n",
            "time,player1,player2,score1,score2",
        ),
        ("ann;bob;1-0;01.05.2024\n", "player1,player2,result,time"),
        (
            "17;2024-05-01 18:00;ann;bob;0.5\n",
            "score1,time,player1,player2,score2",
        ),
    ] {
        let what = all(text, &MatchOptions::default()).unwrap_err().to_string();
        assert!(what.ends_with(&format!("--header {names}")), "{what}");
        let options = MatchOptions {
            header: Some(names.to_owned()),
            ..MatchOptions::default()
        };
        let games = all(text, &options).unwrap();
        assert_eq!(games.len(), text.lines().count(), "{text}");
        assert_eq!(games[0].1[0].2, ["ann"], "{text}");
    }
    let options = MatchOptions {
        header: Some("time,player1,player2,result".to_owned()),
        ..MatchOptions::default()
    };
    let what = all("{\"time\": 1}\n", &options).unwrap_err().to_string();
    assert!(what.contains("--header"), "{what}");
}

#[test]
fn headers_of_files_that_were_joined_are_passed_over_and_counted() {
    let wide = "time,player1,player2,result\n2024-05-01,ann,bob,1\n";
    let long = "match,time,player,result\n1,2024-05-01,ann,win\n1,2024-05-01,bob,loss\n";
    let header = long.lines().next().unwrap();
    for (text, wanted, note) in [
        (
            wide.repeat(3),
            3,
            "2 lines that repeat the header were passed over",
        ),
        (
            format!("{long}{header}\n"),
            1,
            "a line that repeats the header was passed over",
        ),
    ] {
        let options = MatchOptions {
            keep_repeats: true,
            ..MatchOptions::default()
        };
        let mut matches = open(&text, &options).unwrap();
        let games: Vec<_> = matches.by_ref().collect::<Result<_, _>>().unwrap();
        let notes = matches.report(["ann", "bob"].into_iter()).unwrap().notes;
        assert_eq!(games.len(), wanted);
        assert!(notes.iter().any(|said| said == note), "{notes:?}");
    }
}

#[test]
fn rows_of_whole_teams_are_passed_over_beside_those_of_their_players() {
    let header = "gameid,date,side,position,playername,result\n";
    let rows = "1,2024-05-01,Blue,top,ann,1\n1,2024-05-01,Blue,jng,bob,1\n1,2024-05-01,Red,top,cyd,0\n1,2024-05-01,Red,jng,dot,0\n";
    let teams = "1,2024-05-01,Blue,team,,1\n1,2024-05-01,Red,team,,0\n";
    let mut matches = open(&format!("{header}{rows}{teams}"), &MatchOptions::default()).unwrap();
    let games: Vec<_> = matches.by_ref().collect::<Result<_, _>>().unwrap();
    assert_eq!((games.len(), games[0].names().count()), (1, 4));
    let notes = matches.report(["ann"].into_iter()).unwrap().notes;
    let wanted = "2 rows without a player are those of whole teams, and were passed over";
    assert!(notes.iter().any(|said| said == wanted), "{notes:?}");
    // One that does not say so lacks its player.
    let what = all(
        &format!("{header}{rows}1,2024-05-01,Blue,sup,,1\n"),
        &MatchOptions::default(),
    );
    assert!(
        what.unwrap_err()
            .to_string()
            .contains(":6:5: playername is empty")
    );
    // A team without players is not known to be one.
    let alone = "2,2024-05-02,Blue,team,,1\n2,2024-05-02,Red,top,cyd,0\n";
    let what = all(&format!("{header}{rows}{alone}"), &MatchOptions::default()).unwrap_err();
    assert!(what.to_string().contains("playername is empty"), "{what}");
}

#[test]
fn names_that_do_not_fit_a_table_are_refused() {
    let read = |names: &str, text: &str| {
        let options = MatchOptions {
            header: Some(names.to_owned()),
            ..MatchOptions::default()
        };
        all(text, &options)
            .map(|games| games.len())
            .map_err(|error| error.to_string())
    };
    let row = "2024-05-01,ann,bob,1\n";
    for (names, what) in [
        (
            "time,player1,player2,result,venue",
            "the row has 4 fields and the header 5",
        ),
        ("time,player1,player1,result", "two columns are called `player1`"),
        ("", "nothing tells the time"),
    ] {
        let said = read(names, row).unwrap_err();
        assert!(said.contains(what), "{names}: {said}");
    }
    let names = "time,player1,player2,result";
    assert!(read(names, "").unwrap_err().contains("the file is empty"));
    assert_eq!(read(names, "\"2024-05-01\",\"ann\",\"bob\",1"), Ok(1));
    // A file that has a header all the same.
    assert_eq!(read(names, &format!("{names}\n{row}")), Ok(1));
}
