//! Results as people write them, and games that were not played.

use matchwright_import::MatchOptions;

use crate::matches::{all, open};

/// Who came first in each game: 1, 2, or 0 for a draw.
fn winners(text: &str, options: &MatchOptions) -> Result<Vec<u32>, String> {
    let games = all(text, options).map_err(|error| error.to_string())?;
    let winner = |places: Vec<u32>| match places[..] {
        [1, 2] => 1,
        [2, 1] => 2,
        _ => 0,
    };
    Ok(games
        .into_iter()
        .map(|(_, sides)| winner(sides.iter().map(|side| side.0).collect()))
        .collect())
}

fn of(results: &[&str], options: &MatchOptions) -> Result<Vec<u32>, String> {
    let rows = (1..)
        .zip(results)
        .map(|(day, result)| format!("2024-05-{day:02},ann,bob,\"{result}\"\n"));
    let text = "time,white,black,result\n".to_owned() + &rows.collect::<String>();
    winners(&text, options)
}

fn forfeits() -> MatchOptions {
    MatchOptions {
        rate_forfeits: true,
        ..MatchOptions::default()
    }
}

#[test]
fn results_are_read_as_books_print_them() {
    let results = [
        "1-0",
        "1\u{2013}0",
        "\u{bd}\u{2013}\u{bd}",
        "=",
        "0 - 1",
        "2:1 (3:2 pen)",
        "1:1 (2:4 pen)",
        "0.5-0.5",
    ];
    assert_eq!(
        of(&results, &MatchOptions::default()),
        Ok(vec![1, 1, 0, 0, 2, 1, 2, 0])
    );
}

#[test]
fn games_that_were_not_played_are_left_out_and_counted() {
    let results = ["1-0", "+--", "--+", "W/O", "*", "0-1", "abandoned", "\u{2013}/+"];
    assert_eq!(of(&results, &MatchOptions::default()), Ok(vec![1, 2]));
    assert_eq!(of(&results, &forfeits()), Ok(vec![1, 1, 2, 2, 2]));
    let text =
        "time,white,black,result\n2024-05-01,ann,bob,1-0\n2024-05-02,ann,bob,+--\n2024-05-03,ann,bob,*\n";
    let mut matches = open(text, &MatchOptions::default()).unwrap();
    assert_eq!(matches.by_ref().count(), 1);
    let notes = matches.report(["ann", "bob"].into_iter()).unwrap().notes;
    assert!(
        notes
            .iter()
            .any(|note| note.starts_with("left out 2 matches that were not played to a result")),
        "{notes:?}"
    );
}

#[test]
fn a_score_beside_who_won_is_no_result_but_tells_a_walkover() {
    let text = "tourney_date,winner_name,loser_name,score\n20240501,ann,bob,6-4 3-6 7-5\n20240502,bob,ann,W/O\n20240503,bob,ann,6-0 2-1 RET\n";
    assert_eq!(winners(text, &MatchOptions::default()), Ok(vec![1, 1]));
    assert_eq!(winners(text, &forfeits()), Ok(vec![1, 1, 1]));
    let json = r#"{"time": "2024-05-01", "white": "ann", "black": "bob", "winner": "bob", "score": "W/O"}
{"time": "2024-05-02", "white": "ann", "black": "bob", "winner": "bob", "score": "2-1"}
"#;
    assert_eq!(winners(json, &MatchOptions::default()), Ok(vec![2]));
    assert_eq!(winners(json, &forfeits()), Ok(vec![2, 2]));
}

#[test]
fn a_forfeit_does_not_contradict_who_is_named() {
    let text = "time,white,black,winner,result\n2024-05-01,ann,bob,bob,+--\n";
    assert!(
        winners(text, &forfeits())
            .unwrap_err()
            .contains("another side is said to have won")
    );
    let named = "time,winner_name,loser_name,score\n2024-05-01,ann,bob,0-1F\n";
    assert_eq!(winners(named, &forfeits()), Ok(vec![1]));
    // What is no text says nothing.
    let json = r#"{"time": "2024-05-01", "white": "ann", "black": "bob", "winner": "bob", "score": [2, 1]}"#;
    assert_eq!(winners(json, &MatchOptions::default()), Ok(vec![2]));
}

#[test]
fn tables_with_a_row_for_each_player_know_the_same_results() {
    let text = "match,time,player,result\n1,2024-05-01,ann,=\n1,2024-05-01,bob,\u{bd}\n2,2024-05-02,ann,won\n2,2024-05-02,bob,lost\n\
                3,2024-05-03,ann,W/O\n3,2024-05-03,bob,\n";
    assert_eq!(winners(text, &MatchOptions::default()), Ok(vec![0, 1]));
    let ranks = "match,time,player,rank\n1,2024-05-01,ann,1\n1,2024-05-01,bob,DNF\n";
    let what = winners(ranks, &MatchOptions::default());
    assert_eq!(what, Ok(Vec::new()));
}

#[test]
fn a_file_of_games_that_were_not_played_says_so() {
    let mut matches = open(
        "time,white,black,result\n2024-05-01,ann,bob,+--\n",
        &MatchOptions::default(),
    )
    .unwrap();
    assert_eq!(matches.by_ref().count(), 0);
    let what = matches.report(std::iter::empty()).unwrap_err().to_string();
    assert!(
        what.contains("no match that was played to a result (1 were not)"),
        "{what}"
    );
}

#[test]
fn columns_of_yes_and_no_tell_what_was_not_played() {
    for (column, cells, played) in [
        ("walkover", ["true", "false", ""], 2),
        ("is_forfeit", ["1", "0", "0"], 2),
        ("Cancelled", ["yes", "no", "no"], 2),
        ("played", ["false", "true", "true"], 2),
        ("isPlayed", ["0", "1", "1"], 2),
        ("unrelated", ["0", "1", "1"], 3),
    ] {
        let rows = (1..)
            .zip(cells)
            .map(|(day, cell)| format!("2024-05-0{day},ann,bob,{day},0,{cell}\n"));
        let text = format!("time,player1,player2,score1,score2,{column}\n") + &rows.collect::<String>();
        assert_eq!(
            all(&text, &MatchOptions::default()).unwrap().len(),
            played,
            "{column}"
        );
    }
    let rates = MatchOptions {
        rate_forfeits: true,
        ..MatchOptions::default()
    };
    let text = "{\"time\": \"2024-05-01\", \"player1\": \"ann\", \"player2\": \"bob\", \"result\": 1, \"walkover\": true}\n";
    assert_eq!(all(text, &rates).unwrap().len(), 1);
}
