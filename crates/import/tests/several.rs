//! Rows of more than two sides, each with a rank or a score of its own.

use matchwright_import::{Columns, MatchOptions};

use crate::matches::{all, open};

/// Each game's places by name.
fn places(text: &str) -> Result<Vec<Vec<(u32, String)>>, String> {
    let games = all(text, &MatchOptions::default()).map_err(|error| error.to_string())?;
    let game = |(_, sides): (i64, Vec<(u32, f64, Vec<String>)>)| {
        let side = |(place, _, names): (u32, f64, Vec<String>)| (place, names.join("+"));
        sides.into_iter().map(side).collect()
    };
    Ok(games.into_iter().map(game).collect())
}

fn game(sides: &[(u32, &str)]) -> Vec<(u32, String)> {
    sides
        .iter()
        .map(|(place, name)| (*place, (*name).to_owned()))
        .collect()
}

#[test]
fn each_player_with_a_rank_or_score_is_a_side() {
    let wanted = [
        game(&[(2, "ann"), (1, "bob"), (3, "cyd"), (3, "dot")]),
        game(&[(1, "cyd"), (2, "ann"), (3, "eve")]),
    ];
    for text in [
        "date,player1,player2,player3,player4,rank1,rank2,rank3,rank4\n\
         2024-05-01,ann,bob,cyd,dot,2,1,3,3\n2024-05-02,cyd,ann,eve,,1,2,3,\n",
        "date;Player 1;Player 1 Score;Player 2;Player 2 Score;Player 3;Player 3 Score;Player 4;Player 4 Score\n\
         2024-05-01;ann;7,5;bob;9;cyd;3;dot;3\n2024-05-02;cyd;8;ann;7,5;eve;1;-;\n",
        "date,player_a,player_b,player_c,player_d,place_a,place_b,place_c,place_d,points_a,points_b,points_c,points_d\n\
         2024-05-01,ann,bob,cyd,dot,2,1,3,3,5,6,1,1\n2024-05-02,cyd,ann,eve,,1,2,3,,9,8,7,\n",
        "date,player1,player2,player3,player4,score1,score2,score3,score4,winner\n\
         2024-05-01,ann,bob,cyd,dot,2,9,1,1,bob\n2024-05-02,cyd,ann,eve,,7,2,1,,cyd\n",
    ] {
        assert_eq!(places(text).unwrap(), wanted, "{text}");
    }
}

#[test]
fn what_a_seat_lacks_or_contradicts_is_refused_at_its_place() {
    let header = "date,player1,player2,player3,rank1,rank2,rank3,winner\n";
    for (row, what) in [
        (
            "2024-05-01,ann,,cyd,1,2,3,ann",
            "text:2:3: player2 is empty, and rank2 is not",
        ),
        ("2024-05-01,ann,,,1,,,ann", "its player has no opponent"),
        (
            "2024-05-01,ann,bob,cyd,1,2,3,bob",
            "name the one that counts: --columns ranks=rank1 or --columns winner=winner",
        ),
    ] {
        let told = places(&format!("{header}{row}\n")).unwrap_err();
        assert!(told.contains(what), "{row}: {told}");
    }
    // Each line that is told works.
    let text = format!("{header}2024-05-01,ann,bob,cyd,1,2,3,bob\n");
    for (columns, place) in [("ranks=rank1", 1), ("winner=winner", 2)] {
        let columns = Columns::parse(columns).unwrap();
        let options = MatchOptions {
            columns,
            ..MatchOptions::default()
        };
        assert_eq!(all(&text, &options).unwrap()[0].1[0].0, place);
    }
    // Who did not finish is left out, and counted.
    let some = format!("{header}2024-05-01,ann,bob,cyd,1,2,,ann\n2024-05-02,ann,bob,cyd,1,2,DNF,ann\n");
    assert_eq!(places(&some).unwrap(), [&game(&[(1, "ann"), (2, "bob")])[..]; 2]);
    let mut matches = open(&some, &MatchOptions::default()).unwrap();
    assert_eq!(matches.by_ref().count(), 2);
    let notes = matches.report(["ann", "bob"].into_iter()).unwrap().notes;
    assert!(
        notes
            .iter()
            .any(|note| note.starts_with("left out 2 sides that did not finish")),
        "{notes:?}"
    );
}

#[test]
fn players_with_teams_or_with_two_scores_are_no_sides_of_their_own() {
    for header in [
        "date,player1,player2,player3,player4,score1,score2\n2024-05-01,ann,bob,cyd,dot,1,2\n",
        "date,player1,player2,player3,player1_team,player2_team,player3_team,player1_rank,player2_rank,player3_rank,winner\n\
         2024-05-01,ann,bob,cyd,1,2,1,1,2,1,ann\n",
    ] {
        let what = places(header).unwrap_err();
        assert!(what.contains("seems to be one more player"), "{what}");
    }
    let json = r#"{"date": "2024-05-01", "player1": "ann", "player2": "bob", "player3": "cyd", "score1": 1, "score2": 2, "score3": 3}"#;
    let what = places(json).unwrap_err();
    assert!(what.contains("seems to be one more player"), "{what}");
}

#[test]
fn columns_of_several_sides_are_told_for_what_they_are() {
    let text = "date,player1,player2,player3,rank1,rank2,rank3,room\n2024-05-01,ann,bob,cyd,1,2,3,x\n";
    let mut matches = open(text, &MatchOptions::default()).unwrap();
    assert_eq!(matches.by_ref().count(), 1);
    let report = matches.report(["ann", "bob", "cyd"].into_iter()).unwrap();
    let taken = ["date time", "player1 player", "player2 player", "player3 player"];
    let taken = taken
        .into_iter()
        .chain(["rank1 rank", "rank2 rank", "rank3 rank"]);
    let told = report
        .taken
        .iter()
        .map(|(name, meaning)| format!("{name} {meaning}"));
    assert_eq!(told.collect::<Vec<_>>(), taken.collect::<Vec<_>>());
    assert_eq!(report.unused, ["room"]);
}

#[test]
fn headers_of_hundreds_of_players_and_titles_in_quotes_are_read_or_refused() {
    let many = |name: &str| {
        let all: Vec<String> = (1..=300).map(|number| format!("{name}{number}")).collect();
        all.join(",")
    };
    let header = format!("date,{},{}", many("player"), many("rank"));
    let text = format!("{header}\n2024-05-01,{},{}\n", many("p"), many(""));
    let read = places(&text).unwrap();
    assert_eq!((read[0].len(), &read[0][299].1[..]), (300, "p300"));
    // The line of the header stands within a quote that opens above it.
    for text in [
        "\"title\ndate,player1,player2,result\n2024-05-01,ann,bob,1\"\n",
        "\"title\ndate,player1,player2,result\"\n2024-05-01,ann,bob,1\n",
    ] {
        let what = places(text).unwrap_err();
        assert!(what.contains("quote"), "{what}");
    }
}
