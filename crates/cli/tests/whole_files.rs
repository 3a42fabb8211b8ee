//! What one row cannot tell, all of a file does: ids, winners, places, sums of scores.

use crate::common::{complaint, record};

fn refused(more: &[&str], text: &str) -> String {
    complaint(&[&["rate", "--system", "elo", "-"], more].concat(), text, 1)
}

#[test]
fn the_id_of_a_match_comes_once_at_any_time() {
    for (columns, one, other) in [
        ("match_id,player1,player2,result", "m1,ann,bob,1", "m1,ann,bob,0"),
        ("match_id,player1,player2,result", "m1,ann,bob,1", "m1,bob,ann,1"),
        ("match_id,player1,player2,result", "m1,ann,bob,1", "m1,cyd,dot,1"),
        (
            "id,player1,player2,score1,score2",
            "7,ann,bob,3,1",
            "7,ann,bob,1,3",
        ),
    ] {
        let text = format!("time,{columns}\n2024-05-01,{one}\n2024-05-01,{other}\n");
        let said = refused(&[], &text);
        assert!(said.contains(":3:2:") && said.contains("as in line 2;"), "{said}");
        assert!(record(&["--keep-repeats"], &text, "ann").0 != [0; 3], "{text}");
    }
}

#[test]
fn a_winner_is_a_side_or_a_name_in_all_of_a_file() {
    let games = |rows: [&str; 3]| {
        format!(
            "time,player1,player2,winner\n1714500000,{}\n",
            rows.join("\n1714500001,")
        )
    };
    // Sides, as the first row proves; then players, as the first row does.
    assert_eq!(record(&[], &games(["3,4,1", "5,6,2", "2,1,1"]), "2").0, [1, 0, 0]);
    assert_eq!(record(&[], &games(["3,4,3", "5,6,6", "2,1,1"]), "1").0, [1, 0, 0]);
    assert_eq!(record(&[], &games(["2,1,1", "3,4,3", "5,6,6"]), "1").0, [1, 0, 0]);
    for rows in [["2,1,1", "3,4,1", "5,6,2"], ["3,4,3", "5,6,2", "2,1,1"]] {
        let said = refused(&[], &games(rows));
        assert!(
            said.contains(":3:4:") && said.contains("in other rows the winner"),
            "{said}"
        );
    }
}

#[test]
fn a_winner_may_be_the_list_of_a_team() {
    let columns = ["--columns", "team1=team1,team2=team2"];
    for (one, other, winner) in [
        ("a;b", "c;d", "c;d"),
        ("a;b", "c;d", "\"[\"\"d\"\", \"\"c\"\"]\""),
        ("a|b", "c|d", "d|c"),
    ] {
        let text = format!("time,team1,team2,winner\n1714500000,{one},{other},{winner}\n");
        assert_eq!(record(&columns, &text, "c").0, [1, 0, 0], "{text}");
    }
    let said = refused(&columns, "time,team1,team2,winner\n1714500000,a;b,c;d,a;c\n");
    assert!(said.contains("neither a player of the game"), "{said}");
}

#[test]
fn words_for_nothing_leave_a_statement_out() {
    for (columns, cells) in [
        ("player1,player2,score1,score2,winner", "ann,bob,NA,NA,bob"),
        ("player1,player2,score1,score2,winner", "ann,bob,1,2,NULL"),
        ("player1,player2,score1,score2,result", "ann,bob,1,2,-"),
    ] {
        let text = format!("time,{columns}\n1714500000,{cells}\n");
        assert_eq!(record(&[], &text, "bob").0, [1, 0, 0], "{text}");
    }
    let said = refused(&[], "time,player1,player2,winner\n1714500000,ann,bob,NULL\n");
    assert!(said.contains(":2:4: winner is empty"), "{said}");
}

#[test]
fn places_begin_at_one_number_in_all_of_a_long_table() {
    let long = |rows: &[(&str, &str, u32)]| {
        let rows = rows
            .iter()
            .map(|(game, player, rank)| format!("{game},2024-05-0{game},{player},{rank}\n"));
        format!("match,time,player,rank\n{}", rows.collect::<String>())
    };
    let said = refused(
        &[],
        &long(&[
            ("1", "ann", 1),
            ("1", "bob", 2),
            ("2", "ann", 1),
            ("2", "bob", 2),
            ("2", "cyd", 0),
        ]),
    );
    assert!(
        said.contains(":6:4:") && said.contains("a place, or none?"),
        "{said}"
    );
    let from_0 = long(&[
        ("1", "ann", 0),
        ("1", "bob", 1),
        ("2", "ann", 1),
        ("2", "bob", 2),
        ("2", "cyd", 0),
    ]);
    assert_eq!(record(&[], &from_0, "cyd").0, [1, 0, 0]);
}

#[test]
fn the_scores_of_a_team_are_added_as_they_are_written() {
    let long = |scores: [&str; 4]| {
        let [a, b, c, d] = scores;
        format!(
            "match,time,player,team,score\n1,2024-05-01,a,x,{a}\n1,2024-05-01,b,x,{b}\n1,2024-05-01,c,y,{c}\n1,2024-05-01,d,y,{d}\n"
        )
    };
    assert_eq!(record(&[], &long(["0.1", "0.2", "0.3", "0.0"]), "a").0, [0, 1, 0]);
    let said = refused(&[], &long(["9007199254740992", "1", "9007199254740992", "0"]));
    assert!(
        said.contains("part of a sum") && said.contains("lose digits"),
        "{said}"
    );
}
