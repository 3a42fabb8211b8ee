//! Games of chess as programs exchange them.

use matchwright_import::{MatchOptions, TimeUnit};

use crate::matches::{Told, all, open};

const GAMES: &str = "[Event \"Rated\"]\n[White \"Carlsen, Magnus\"]\n[Black \"Ian \\\"Nepo\\\" N\"]\n[UTCDate \"2024.05.01\"]\n[UTCTime \"10:00:01\"]\n\
    [Result \"1-0\"]\n\n1. e4 { [%eval 0.17]\n[%clk 0:03:00] } 1... c5 (1... e5 2. Nf3) ; {\n2. Nf3 d6 1-0\n\n\
    [Event \"Rated\"]\n[White \"Ian \\\"Nepo\\\" N\"]\n[Black \"Carlsen, Magnus\"]\n[Date \"2024.05.02\"]\n% escaped\n\n1. d4 1/2-1/2\n\
    [Event \"Open\"]\n[White \"A\"]\n[Black \"B\"]\n[Date \"2024.05.03\"]\n[Result \"*\"]\n\n*\n";

fn read(text: &str) -> Result<Vec<Told>, String> {
    all(text, &MatchOptions::default()).map_err(|error| error.to_string())
}

#[test]
fn tags_are_read_and_moves_passed_over() {
    let games = read(GAMES).unwrap();
    let names = |game: &Told| {
        game.1
            .iter()
            .map(|side| (side.0, side.2[0].clone()))
            .collect::<Vec<_>>()
    };
    let side = |place: u32, name: &str| (place, name.to_owned());
    assert_eq!(games.len(), 2, "{games:?}");
    assert_eq!((games[0].0, games[1].0), (1_714_557_601, 1_714_608_000));
    assert_eq!(
        names(&games[0]),
        [side(1, "Carlsen, Magnus"), side(2, "Ian \"Nepo\" N")]
    );
    assert_eq!(
        names(&games[1]),
        [side(1, "Ian \"Nepo\" N"), side(1, "Carlsen, Magnus")]
    );
    assert_eq!(read(&GAMES.replace('\n', "\r\n")), Ok(games));
}

#[test]
fn what_is_wrong_is_told_at_its_line() {
    for (from, to, wanted) in [
        ("[Black \"B\"]", "[Black \"?\"]", "text:21:1: Black is empty"),
        ("[Black \"B\"]", "[Black B]", "text:21:1: `[Black B]` is no tag"),
        (
            "[Black \"B\"]",
            "[Black \"B]",
            "text:21:1: `[Black \"B]` is no tag",
        ),
        (
            "[White \"A\"]",
            "[White \"A\"] [White \"A\"]",
            "text:20:1: the tag `White` is there twice",
        ),
        (
            "d6 1-0",
            "d6 0-1",
            "text:6:1: Result is \"1-0\", and the moves end in `0-1`",
        ),
        ("0:03:00] }", "0:03:00]", "text:8:1: the comment is not closed"),
        (
            "2024.05.02",
            "2024.??.??",
            "text:15:1: Date is \"2024.??.??\", of which the day is not known; --time-unit index",
        ),
        ("[Date \"2024.05.02\"]\n", "", "nothing tells the time"),
        ("[Result \"*\"]\n\n*", "\n", "neither scores nor a result"),
    ] {
        let text = GAMES.replacen(from, to, 1);
        let what = read(&text).unwrap_err();
        assert!(what.contains(wanted), "{from} -> {to}: {what}");
        let dropped = all(
            &text,
            &MatchOptions {
                skip_bad: true,
                ..MatchOptions::default()
            },
        );
        assert!(!dropped.unwrap().is_empty(), "{from} -> {to}");
    }
    let unknown = GAMES.replace("2024.05.0", "2024.??.0");
    let in_order = MatchOptions {
        time_unit: Some(TimeUnit::Index),
        ..MatchOptions::default()
    };
    assert_eq!(all(&unknown, &in_order).unwrap().len(), 2);
    let without = GAMES.replace("2024.05.", "2024.??.");
    let options = MatchOptions {
        time_unit: Some(TimeUnit::Index),
        ..MatchOptions::default()
    };
    let is_time = |line: &&str| line.contains("Date") || line.contains("Time");
    let without: Vec<&str> = without.lines().filter(|line| !is_time(line)).collect();
    let without = without.join("\n");
    assert_eq!(all(&without, &options).unwrap().len(), 2);
}

#[test]
fn games_without_tags_or_moves_are_not_lost() {
    let game = "[White \"a\"]\n[Black \"b\"]\n[Date \"2024.05.01\"]\n[Result \"1/2\"]\n\n";
    let moves = format!("{game}1. e4 1/2-1/2\n\n1. d4 d5 1-0\n");
    let what = read(&moves).unwrap_err();
    assert!(what.starts_with("text:8:"), "{what}");
    assert_eq!(read(&format!("{game}{game}{game}")).unwrap().len(), 3);
    let behind = format!("{game}1. e4 1/2-1/2 ; so\nmore\n");
    assert!(
        read(&behind)
            .unwrap_err()
            .contains("moves behind the end of the game")
    );
}

#[test]
fn games_against_nobody_and_those_that_were_not_played_are_not_rated() {
    let game = |black: &str, how: &str| {
        format!(
            "[White \"a\"]\n[Black \"{black}\"]\n[Date \"2024.05.01\"]\n[Result \"1-0\"]\n[Termination \"{how}\"]\n\n1-0\n"
        )
    };
    assert!(
        read(&game("BYE", "Normal"))
            .unwrap_err()
            .contains("Black is empty")
    );
    assert_eq!(read(&game("b", "time forfeit")).unwrap().len(), 1);
    for how in ["forfeit", "unplayed", "Unterminated"] {
        assert_eq!(read(&game("b", how)).unwrap().len(), 0, "{how}");
    }
}

#[test]
fn a_report_names_the_tags() {
    let mut matches = open(GAMES, &MatchOptions::default()).unwrap();
    assert_eq!(matches.by_ref().count(), 2);
    let report = matches
        .report(["Carlsen, Magnus", "Ian \"Nepo\" N"].into_iter())
        .unwrap();
    assert!(
        report.taken.contains(&("White".to_owned(), "player1".to_owned())),
        "{:?}",
        report.taken
    );
    assert_eq!(report.unused, ["Event"]);
}
