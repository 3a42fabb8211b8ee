//! JSON as services hand it out: objects in objects, lists of players, matches anywhere in a file.

use matchwright_import::MatchOptions;

use crate::matches::{Told, all, open};

fn read(text: &str) -> Vec<Told> {
    all(text, &MatchOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn refused(text: &str) -> String {
    match all(text, &MatchOptions::default()) {
        Ok(games) => panic!("{games:?}"),
        Err(error) => error.to_string(),
    }
}

/// Places and names of each game.
fn short(text: &str) -> Vec<Vec<(u32, String)>> {
    let sides = |(_, sides): Told| {
        sides
            .into_iter()
            .map(|(place, _, names)| (place, names.join("+")))
            .collect()
    };
    read(text).into_iter().map(sides).collect()
}

fn two(first: (u32, &str), second: (u32, &str)) -> Vec<(u32, String)> {
    [first, second]
        .map(|(place, name)| (place, name.to_owned()))
        .to_vec()
}

const LICHESS: &str = r#"{"id":"a","createdAt":1514505150384,"status":"resign","players":{"white":{"user":{"name":"ann","id":"ann"},"rating":1500},"black":{"user":{"name":"bob","id":"bob"},"rating":1510}},"winner":"black","moves":"e4"}
{"id":"b","createdAt":1514505250384,"status":"stalemate","players":{"white":{"user":{"name":"bob","id":"bob"},"rating":1500},"black":{"user":{"name":"ann","id":"ann"},"rating":1510}},"moves":"e4"}
{"id":"c","createdAt":1514505350384,"status":"aborted","players":{"white":{"user":{"name":"bob","id":"bob"},"rating":1500},"black":{"user":{"name":"ann","id":"ann"},"rating":1510}},"moves":""}
"#;

#[test]
fn games_of_lichess_are_read_with_their_draws_and_without_those_that_were_not_played() {
    assert_eq!(
        short(LICHESS),
        [two((2, "ann"), (1, "bob")), two((1, "bob"), (1, "ann"))]
    );
    let mut matches = open(LICHESS, &MatchOptions::default()).unwrap();
    let count = matches.by_ref().count();
    let report = matches.report(["ann", "bob"].into_iter()).unwrap();
    assert_eq!(count, 2);
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.starts_with("left out 1 match")),
        "{:?}",
        report.notes
    );
    assert!(
        report
            .taken
            .contains(&("players.white.user.name".to_owned(), "player1".to_owned())),
        "{:?}",
        report.taken
    );
    assert!(
        report.unused.contains(&"players.white.rating".to_owned()),
        "{:?}",
        report.unused
    );
}

#[test]
fn a_result_of_each_side_is_read_and_both_must_agree() {
    let games = |first: &str, second: &str| {
        format!(
            r#"{{"games": [{{"end_time": 1700000000, "pgn": "[x]", "white": {{"username": "ann", "result": "{first}"}},
            "black": {{"username": "bob", "result": "{second}"}}}}]}}"#
        )
    };
    assert_eq!(short(&games("win", "resigned")), [two((1, "ann"), (2, "bob"))]);
    assert_eq!(short(&games("timeout", "win")), [two((2, "ann"), (1, "bob"))]);
    assert_eq!(short(&games("agreed", "agreed")), [two((1, "ann"), (1, "bob"))]);
    for (first, second) in [("win", "win"), ("loss", "loss"), ("resigned", "agreed")] {
        assert!(
            refused(&games(first, second)).contains("one side wins, or both draw"),
            "{first} {second}"
        );
    }
}

#[test]
fn fixtures_of_leagues_are_read_from_anywhere_in_an_object() {
    let text = r#"{"competition": {"id": 1, "name": "League"}, "resultSet": {"count": 3},
 "matches": [
  {"id": 7, "utcDate": "2023-08-11T19:00:00Z", "status": "FINISHED", "homeTeam": {"id": 1, "name": "Ajax"}, "awayTeam": {"id": 2, "name": "Brugge"},
   "score": {"winner": "AWAY_TEAM", "fullTime": {"home": 0, "away": 3}, "halfTime": {"home": 0, "away": 2}}, "referees": [{"name": "x"}]},
  {"id": 8, "utcDate": "2023-08-12T19:00:00Z", "status": "FINISHED", "homeTeam": {"id": 2, "name": "Brugge"}, "awayTeam": {"id": 1, "name": "Ajax"},
   "score": {"winner": "DRAW", "fullTime": {"home": 1, "away": 1}, "halfTime": {"home": 0, "away": 0}}},
  {"id": 9, "utcDate": "2024-08-12T19:00:00Z", "status": "TIMED", "homeTeam": {"id": 2, "name": "Brugge"}, "awayTeam": {"id": 1, "name": "Ajax"},
   "score": {"winner": null, "fullTime": {"home": null, "away": null}, "halfTime": {"home": null, "away": null}}}]}"#;
    assert_eq!(
        short(text),
        [two((2, "Ajax"), (1, "Brugge")), two((1, "Brugge"), (1, "Ajax"))]
    );
    let contradicts = text.replace("AWAY_TEAM", "HOME_TEAM");
    assert!(
        refused(&contradicts).contains("score.winner"),
        "{}",
        refused(&contradicts)
    );
    let rounds = r#"{"name": "Cup", "rounds": [
  {"name": "1", "matches": [{"date": "2020-09-12", "time": "15:00", "team1": "Ajax", "team2": "Brugge", "score": {"ht": [0, 1], "ft": [0, 3]}}]},
  {"name": "2", "matches": [{"date": "2020-09-13", "team1": "Ajax", "team2": "Brugge", "score": {"ft": [1, 0]}},
                            {"date": "2020-09-20", "team1": "Ajax", "team2": "Brugge"}]}]}"#;
    assert_eq!(
        short(rounds),
        [two((2, "Ajax"), (1, "Brugge")), two((1, "Ajax"), (2, "Brugge"))]
    );
    let cut = &rounds[..rounds.len() - 2];
    assert!(refused(cut).contains("it was cut off"), "{}", refused(cut));
}

#[test]
fn lists_of_players_are_sides_by_team_slot_or_result() {
    let players = |win: bool| {
        let one = |place: usize| {
            let team = if place < 2 { 100 } else { 200 };
            format!(
                r#"{{"puuid": "p{place}", "teamId": {team}, "win": {}, "placement": 0, "challenges": {{"x": 1}}}}"#,
                (place < 2) == win
            )
        };
        (0..4).map(one).collect::<Vec<_>>().join(", ")
    };
    let game = |day: u32, win: bool| {
        format!(
            r#"{{"metadata": {{"matchId": "EU_{day}", "participants": ["p0"]}}, "info": {{"gameCreation": {}, "gameId": {day}, "participants": [{}]}}}}"#,
            1_700_000_000_000_u64 + u64::from(day) * 3_600_000,
            players(win)
        )
    };
    let (won, lost) = (two((1, "p0+p1"), (2, "p2+p3")), two((2, "p0+p1"), (1, "p2+p3")));
    assert_eq!(
        short(&format!("[{}, {}]", game(1, true), game(2, false))),
        [won.clone(), lost.clone()]
    );
    assert_eq!(short(&game(1, true)), [won]);
    let dota = |win: bool, hidden: &str| {
        format!(
            r#"{{"match_id": 7, "start_time": 1700000000, "radiant_win": {win}, "picks_bans": [{{"hero_id": 1}}],
            "players": [{{"account_id": "p0", "player_slot": 0}}, {{"account_id": "p1", "player_slot": 1}},
            {{"account_id": "p2", "player_slot": 128}}, {{"account_id": "p3", "player_slot": 129}}, {{"account_id": {hidden}, "player_slot": 130}}]}}"#
        )
    };
    for hidden in ["null", "4294967295"] {
        assert_eq!(short(&dota(false, hidden)), std::slice::from_ref(&lost));
    }
    let sides = r#"{"result": {"matches": [{"playedAt": "2024-05-01T10:00:00Z", "teams": [{"players": ["ann", {"name": "bob", "rating": 7}], "score": 3},
        {"players": ["cyd", "dot"], "score": 5}]}]}}"#;
    assert!(
        refused(sides).contains("`players` lists names and objects"),
        "{}",
        refused(sides)
    );
    let sides = sides.replace(r#"{"name": "bob", "rating": 7}"#, r#""bob""#);
    assert_eq!(short(&sides), [two((2, "ann+bob"), (1, "cyd+dot"))]);
}

#[test]
fn a_column_of_names_with_dots_is_as_good_as_nested_keys() {
    let table =
        "createdAt,players.white.user.name,players.black.user.name,winner\n1514505150384,ann,bob,white\n";
    assert_eq!(short(table), [two((1, "ann"), (2, "bob"))]);
    let given = MatchOptions {
        columns: matchwright_import::Columns::parse(
            "player1=players.black.user.name,player2=players.white.user.name",
        )
        .unwrap(),
        ..MatchOptions::default()
    };
    assert_eq!(all(LICHESS, &given).unwrap()[0].1[0].2, ["bob"]);
}

#[test]
fn rows_over_several_lines_are_read_and_faults_told_at_their_lines() {
    let text = "{\n  \"time\": \"2024-05-01\",\n  \"player1\": \"ann\",\n  \"player2\": \"bob\",\n  \"result\": 1\n}\n{\n  \"time\": \"2024-05-02\",\n  \
                \"player1\": \"ann\",\n  \"player2\": \"bob\",\n  \"result\": 7\n}\n";
    let what = refused(text);
    assert!(what.starts_with("text:11:3: result is `7`"), "{what}");
    assert_eq!(short(&text.replace('7', "0")).len(), 2);
}

#[test]
fn all_arrays_with_matches_are_read_and_what_holds_others_is_the_match() {
    let one = |day: u32, more: &str| {
        format!(
            r#"{{"time": "2024-05-{day:02}", "player1": "ann", "player2": "bob", "score1": 2, "score2": 1{more}}}"#
        )
    };
    let days = format!(
        r#"{{"2024-05-01": [{}], "2024-05-02": [{}, {}], "none": [{{"x": 1}}]}}"#,
        one(1, ""),
        one(2, ""),
        one(3, "")
    );
    assert_eq!(short(&days).len(), 3);
    let history = format!(r#", "history": [{}]"#, one(9, ""));
    let lines = format!("{}\n{}\n", one(1, &history), one(2, ""));
    assert_eq!(
        read(&lines).iter().map(|game| game.0).collect::<Vec<_>>(),
        [1_714_521_600, 1_714_608_000]
    );
    let inner = format!(r#"{{"matches": [{}, {}]}}"#, one(1, &history), one(2, ""));
    assert_eq!(short(&inner).len(), 2);
    let sets = one(1, r#", "sets": [{"home": 6, "away": 4, "winner": "home"}]"#);
    assert_eq!(short(&sets), [two((1, "ann"), (2, "bob"))]);
}

#[test]
fn who_won_beside_a_list_of_players_must_go_with_what_the_list_says() {
    let game = |winner: &str, rank: &str| {
        format!(
            r#"{{"time": "2024-05-01", "winner": {winner}, "players": [{{"name": "ann", "team": "red"{rank}1}}, {{"name": "bob", "team": "blue"{rank}2}}]}}"#
        )
    };
    assert_eq!(
        short(&game("\"blue\"", ", \"x\": ")),
        [two((2, "ann"), (1, "bob"))]
    );
    assert_eq!(
        short(&game("\"ann\"", ", \"rank\": ")),
        [two((1, "ann"), (2, "bob"))]
    );
    assert_eq!(
        short(&game("\"draw\"", ", \"x\": ")),
        [two((1, "ann"), (1, "bob"))]
    );
    assert_eq!(
        short(&game("null", ", \"rank\": ")),
        [two((1, "ann"), (2, "bob"))]
    );
    assert!(refused(&game("\"blue\"", ", \"rank\": ")).contains("winner"));
    assert!(
        refused(&game("\"Green\"", ", \"x\": "))
            .contains("`winner` is `Green`, which is no side or player of the match")
    );
    let sides = r#"{"time": "2024-05-01", "teams": [{"team": "red", "members": ["ann"], "winner": true}, {"team": "blue", "members": ["bob"], "winner": false}]}"#;
    assert_eq!(short(sides), [two((1, "ann"), (2, "bob"))]);
}

#[test]
fn a_status_is_held_against_the_result() {
    let game = |status: &str, home: u32, away: u32, winner: &str| {
        format!(
            r#"{{"date": "2024-05-01", "home": {{"name": "A"{}}}, "away": {{"name": "B"{}}}, "goals": {{"home": {home}, "away": {away}}}, "status": {{"short": "{status}"}}}}"#,
            if winner.is_empty() {
                String::new()
            } else {
                format!(", \"winner\": {winner}")
            },
            if winner.is_empty() {
                String::new()
            } else {
                format!(", \"winner\": {}", winner != "true")
            },
        )
    };
    assert_eq!(short(&game("FT", 2, 1, "true")), [two((1, "A"), (2, "B"))]);
    assert_eq!(short(&game("PEN", 1, 1, "false")), [two((2, "A"), (1, "B"))]);
    assert!(refused(&game("PEN", 1, 1, "")).contains("which the result beside it does not say"));
    assert!(refused(&game("draw", 2, 1, "")).contains("which the result beside it does not say"));
    for status in ["1H", "HT", "Postp.", "running", "NS"] {
        assert!(short(&game(status, 0, 0, "")).is_empty(), "{status}");
    }
}

#[test]
fn a_player_has_one_name_in_all_rows_and_computers_have_one() {
    let rows = r#"{"time":"2024-05-01","home":{"id":1,"name":"A"},"away":{"id":2,"name":"B"},"result":1}
{"time":"2024-05-02","home":{"id":1},"away":{"id":2},"result":1}"#;
    assert!(
        refused(rows).contains("text:2:1: no `home.name` for the first player"),
        "{}",
        refused(rows)
    );
    let computer = LICHESS.replace(
        r#""black":{"user":{"name":"ann","id":"ann"},"rating":1510}"#,
        r#""black":{"aiLevel":3}"#,
    );
    assert_eq!(short(&computer)[1], two((1, "bob"), (1, "lichess AI level 3")));
}

#[test]
fn long_names_are_refused_before_they_cost() {
    let inner: Vec<String> = (0..1500).map(|key| format!("\"k{key}\": 1")).collect();
    let text = format!(
        r#"{{"time": "2024-05-01", "player1": "a", "player2": "b", "result": 1, "{}": {{{}}}}}"#,
        "K".repeat(300_000),
        inner.join(", ")
    );
    assert!(refused(&text).contains("is longer than 1 KiB"));
}

#[test]
fn typed_values_of_databases_are_what_they_hold() {
    let text = r#"{"_id":{"$oid":"a"},"date":{"$date":{"$numberLong":"1714521600000"}},"player1":"ann","player2":"bob","result":{"$numberInt":"1"}}
{"_id":{"$oid":"b"},"date":{"$date":{"$numberLong":"1714608000000"}},"player1":"ann","player2":"bob","result":{"$numberDouble":"0.5"}}"#;
    assert_eq!(
        read(text).iter().map(|game| game.0).collect::<Vec<_>>(),
        [1_714_521_600, 1_714_608_000]
    );
    let sides = r#"{"date":"2024-05-01","blue":{"players":[{"name":"ann","id":{"platform":"x"}}],"goals":3},"orange":{"players":[{"name":"bob"}],"goals":1}}"#;
    let given = MatchOptions {
        columns: matchwright_import::Columns::parse(
            "player1=blue.players,player2=orange.players,score1=blue.goals,score2=orange.goals",
        )
        .unwrap(),
        ..MatchOptions::default()
    };
    assert_eq!(all(sides, &given).unwrap()[0].1[0].2, ["ann"]);
}

#[test]
fn matches_with_one_id_are_not_joined() {
    let game = |id: u32, one: &str, other: &str| {
        format!(
            r#"{{"match_id": {id}, "time": "2024-05-01", "players": [{{"name": "{one}", "team": 1, "win": true}}, {{"name": "{other}", "team": 2, "win": false}}]}}"#
        )
    };
    assert_eq!(
        short(&format!("{}\n{}\n", game(7, "ann", "bob"), game(8, "cyd", "dot"))).len(),
        2
    );
    let what = refused(&format!("{}\n{}\n", game(7, "ann", "bob"), game(7, "cyd", "dot")));
    assert!(
        what.starts_with("text:2:2: match_id is `7`, as in line 1"),
        "{what}"
    );
    let slots = r#"{"time": 1700000000, "radiant_win": true, "players": [{"name": "a", "player_slot": 0}, {"name": "b", "player_slot": null}]}"#;
    assert!(refused(slots).contains("no team"), "{}", refused(slots));
}

#[test]
fn factions_and_teams_named_by_their_colours_are_sides() {
    let faceit = r#"{"items": [{"match_id": "m1", "finished_at": 1714521600,
        "teams": {"faction1": {"team_id": "t1", "players": [{"player_id": "p1", "nickname": "ann"}, {"player_id": "p2", "nickname": "bob"}]},
                  "faction2": {"team_id": "t2", "players": [{"player_id": "p3", "nickname": "cyd"}, {"player_id": "p4", "nickname": "dot"}]}},
        "results": {"winner": "faction2", "score": {"faction1": 0, "faction2": 1}}}]}"#;
    let games = short(faceit);
    assert_eq!(games.len(), 1);
    assert_eq!([games[0][0].0, games[0][1].0], [2, 1], "{games:?}");
    assert_eq!(games[0][0].1.matches('+').count(), 1, "{games:?}");
    let ballchasing = r#"{"list": [{"id": "r1", "date": "2024-05-01T18:00:00Z",
        "blue": {"goals": 3, "players": [{"name": "ann", "id": {"platform": "steam", "id": "1"}}]},
        "orange": {"goals": 1, "players": [{"name": "bob", "id": {"platform": "steam", "id": "2"}}]}}]}"#;
    assert_eq!(short(ballchasing), [two((1, "ann"), (2, "bob"))]);
}
