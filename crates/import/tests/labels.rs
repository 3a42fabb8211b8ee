//! What results call the sides, and commas in numbers: decided by all of a column, or asked.

use matchwright_import::MatchOptions;

use crate::matches::{all, open};

fn firsts(results: &[&str], options: &MatchOptions) -> Result<Vec<u32>, String> {
    let rows = (1..)
        .zip(results)
        .map(|(day, result)| format!("2024-05-{day:02};ann;bob;{result}\n"));
    let text = "time;player1;player2;winner\n".to_owned() + &rows.collect::<String>();
    let games = all(&text, options).map_err(|error| error.to_string())?;
    Ok(games.into_iter().map(|(_, sides)| sides[0].0).collect())
}

#[test]
fn letters_of_sides_are_told_apart_by_those_beside_them() {
    let plain = MatchOptions::default();
    assert_eq!(firsts(&["A", "B", "draw"], &plain), Ok(vec![1, 2, 1]));
    assert_eq!(firsts(&["A", "H", "A"], &plain), Ok(vec![2, 1, 2]));
    assert_eq!(firsts(&["White", "black"], &plain), Ok(vec![1, 2]));
    assert_eq!(firsts(&["ann", "bob"], &plain), Ok(vec![1, 2]));
}

#[test]
fn words_that_do_not_tell_are_refused_with_both_readings_and_each_works() {
    for results in [&["red", "blue", "red"][..], &["A", "A"]] {
        let what = firsts(results, &MatchOptions::default()).unwrap_err();
        let lines: Vec<&str> = what
            .split("--sides ")
            .skip(1)
            .map(|line| line.split([' ', ';']).next().unwrap().trim_end_matches(','))
            .collect();
        assert_eq!(lines.len(), 2, "{what}");
        let read = |line: &str| {
            let (one, other) = line.split_once(',').unwrap();
            let sides = Some([one.to_owned(), other.to_owned()]);
            firsts(
                results,
                &MatchOptions {
                    sides,
                    ..MatchOptions::default()
                },
            )
            .unwrap()
        };
        let (one, other) = (read(lines[0]), read(lines[1]));
        assert!(
            one.iter().zip(&other).all(|(one, other)| one + other == 3),
            "{what}"
        );
    }
}

#[test]
fn commas_are_decimal_as_the_numbers_of_a_file_tell_or_the_user() {
    let text = |scores: &[&str]| {
        let rows = (1..)
            .zip(scores)
            .map(|(day, score)| format!("2024-05-{day:02};ann;bob;{score};1\n"));
        "time;player1;player2;score1;score2\n".to_owned() + &rows.collect::<String>()
    };
    let read = |scores: &[&str], decimal_comma| {
        let options = MatchOptions {
            decimal_comma,
            ..MatchOptions::default()
        };
        let games = all(&text(scores), &options).map_err(|error| error.to_string())?;
        Ok::<Vec<f64>, String>(games.into_iter().map(|(_, sides)| sides[0].1).collect())
    };
    assert_eq!(read(&["1,500", "2,5"], None), Ok(vec![1.5, 2.5]));
    assert_eq!(read(&["1,500", "1,234,000"], None), Ok(vec![1500.0, 1_234_000.0]));
    let what = read(&["1,500", "2"], None).unwrap_err();
    assert!(
        what.starts_with("text:2:4: score1 is `1,500`")
            && what.contains("--decimal comma or --decimal point"),
        "{what}"
    );
    assert_eq!(read(&["1,500"], Some(true)), Ok(vec![1.5]));
    assert_eq!(read(&["1,500"], Some(false)), Ok(vec![1500.0]));
    let mut matches = open(&text(&["0,5"]), &MatchOptions::default()).unwrap();
    assert_eq!(matches.by_ref().count(), 1);
    let notes = matches.report(["ann", "bob"].into_iter()).unwrap().notes;
    assert!(
        notes.contains(&"commas in numbers are decimal".to_owned()),
        "{notes:?}"
    );
}

#[test]
fn what_the_user_calls_the_sides_comes_first_and_names_are_no_labels() {
    let sides = |one: &str, other: &str| MatchOptions {
        sides: Some([one.to_owned(), other.to_owned()]),
        ..MatchOptions::default()
    };
    assert_eq!(firsts(&["0", "1"], &sides("0", "1")), Ok(vec![1, 2]));
    assert_eq!(firsts(&["2", "1"], &sides("2", "1")), Ok(vec![1, 2]));
    let text = "time,team1,team2,winner\n2024-05-01,Team B,Team A,A\n2024-05-02,Team B,Team A,B\n";
    let what = all(text, &MatchOptions::default()).unwrap_err().to_string();
    assert!(what.contains("neither a player of the game nor a draw"), "{what}");
    let games = "date,player,opponent,game1,game2,result\n2024-05-01,ann,bob,11,9,W\n";
    assert!(all(games, &MatchOptions::default()).is_err());
}

#[test]
fn a_result_of_each_side_is_no_draw_for_being_the_same() {
    let text = |one: &str, other: &str| {
        format!(
            "date,white,black,white_result,black_result\n2024-05-01,ann,bob,{one},{other}\n2024-05-02,ann,bob,win,loss\n"
        )
    };
    let read = |one, other| all(&text(one, other), &MatchOptions::default()).map(|games| games.len());
    assert_eq!(read("stalemate", "stalemate").unwrap(), 2);
    for word in ["pending", "*", "W/O", "abandoned"] {
        assert_eq!(read(word, word).unwrap(), 1, "{word}");
    }
    assert!(read("resigned", "resigned").is_err());
}

#[test]
fn numbers_of_results_stand_for_what_all_of_a_column_says() {
    let plain = MatchOptions::default();
    let of = |results: &[&str]| {
        let rows = (1..)
            .zip(results)
            .map(|(day, result)| format!("2024-05-{day:02},ann,bob,{result}\n"));
        let text = "time,player1,player2,result\n".to_owned() + &rows.collect::<String>();
        let games = all(&text, &MatchOptions::default()).map_err(|error| error.to_string())?;
        Ok::<_, String>(
            games
                .into_iter()
                .map(|(_, sides)| [sides[0].0, sides[1].0])
                .collect::<Vec<_>>(),
        )
    };
    let (won, drawn, lost) = ([1, 2], [1, 1], [2, 1]);
    assert_eq!(of(&["1", "0", "-1"]), Ok(vec![won, drawn, lost]));
    assert_eq!(of(&["1", "0", "2"]), Ok(vec![won, drawn, lost]));
    assert_eq!(of(&["1", "X", "2"]), Ok(vec![won, drawn, lost]));
    assert_eq!(of(&["1", "0", "0.5"]), Ok(vec![won, lost, drawn]));
    assert!(of(&["1", "-1", "0.5"]).is_err());
    assert!(of(&["1", "-3"]).is_err_and(|what| !what.contains("--sides")));
    assert!(of(&["1", "May-03"]).is_err_and(|what| !what.contains("--sides")));
    // What the first rows did not tell is refused.
    let long: Vec<String> = (0..9000)
        .map(|day| format!("{},ann,bob,{}\n", 1_700_000_000 + day, day % 2))
        .collect();
    let long = long.concat();
    let long = format!("time,player1,player2,result\n{long}1800000000,ann,bob,2\n");
    let what = all(&long, &plain).unwrap_err().to_string();
    assert!(
        what.contains("is `0` a draw, or a win of the second side"),
        "{what}"
    );
}

#[test]
fn more_players_than_two_are_not_passed_over() {
    for header in [
        "date,Player 1,Player 2,Player 3,winner",
        "date,winner,loser,winner2,loser2",
        "date,player1,partner1,player2,partner2,result",
    ] {
        let text = format!("{header}\n2024-05-01,ann,bob,cyd,ann,1\n");
        let what = all(&text, &MatchOptions::default()).unwrap_err().to_string();
        assert!(
            what.contains("seems to be one more player; name those of both sides, --columns ")
                && what.contains("team1="),
            "{what}"
        );
    }
}

#[test]
fn a_point_between_thousands_is_asked_for() {
    let text = "Date;Player 1;Player 2;Score 1;Score 2\n2024-05-01;ann;bob;1.200;1.100\n2024-05-02;bob;cyd;950;1.300\n";
    let what = all(text, &MatchOptions::default()).unwrap_err().to_string();
    assert!(
        what.contains("a point before decimals, or between thousands? --decimal comma or --decimal point"),
        "{what}"
    );
    let read = |decimal_comma| {
        let games = all(
            text,
            &MatchOptions {
                decimal_comma,
                ..MatchOptions::default()
            },
        )
        .unwrap();
        games[1].1[1].1
    };
    assert!((read(Some(true)) - 1300.0).abs() < 1e-9 && (read(Some(false)) - 1.3).abs() < 1e-9);
}

#[test]
fn shoot_outs_comments_and_empty_rows_are_what_they_are() {
    let text = "date,home_team,away_team,home_score,away_score,home_penalties,away_penalties\n2024-05-01,A,B,1,1,3,4\n2024-05-02,A,B,2,1,,\n,,,,,,\n\
                2024-05-03,A,B,1,1,,\n2024-05-04,A,B,,,,\n";
    let games = all(text, &MatchOptions::default()).unwrap();
    let places: Vec<[u32; 2]> = games.iter().map(|(_, sides)| [sides[0].0, sides[1].0]).collect();
    assert_eq!(places, [[2, 1], [1, 2], [1, 1]]);
    let tennis = "Date,Winner,Loser,Comment\n2024-05-01,ann,bob,Completed\n2024-05-02,ann,bob,Walkover\n2024-05-03,ann,bob,Retired\n";
    assert_eq!(all(tennis, &MatchOptions::default()).unwrap().len(), 2);
}

#[test]
fn a_header_below_a_title_is_found_and_told() {
    let text = "Club championship 2024,,,\n,,,\ndate,white,black,result\n2024-05-01,ann,bob,1\n";
    let below: String = text.lines().skip(2).map(|line| line.to_owned() + "\n").collect();
    let plain = MatchOptions::default();
    assert_eq!(all(text, &plain).unwrap(), all(&below, &plain).unwrap());
    let mut matches = open(text, &plain).unwrap();
    assert_eq!(
        matches
            .by_ref()
            .map(|game| game.unwrap().line())
            .collect::<Vec<_>>(),
        [4]
    );
    let notes = matches.report(["ann", "bob"].into_iter()).unwrap().notes;
    assert_eq!(
        notes[0],
        "the header was found in line 3; what stands above it was passed over"
    );
}
