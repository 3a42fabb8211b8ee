//! FIDE's reports of tournaments, read and written.
#![allow(clippy::format_push_string, reason = "reports are small")]

use matchwright_import::{MatchOptions, TimeUnit, write_trf};
use proptest::prelude::*;

use crate::matches::{Told, all, open, told};

fn report(more: &str) -> String {
    let mut text = "012 Club championship\n022 Nowhere\n062 4\n".to_owned() + more;
    for (rank, name, rounds) in [
        (1, "Carlsen, Magnus", "     2 w 1     3 b =     4 w +"),
        (2, "Nepo, Ian", "     1 b 0     4 w 1  0000 - U"),
        (3, "Müller, Ann", "     4 w 0     1 w =  0000 - H"),
        (4, "Zed", "     3 b 1     2 b 0     1 b -"),
    ] {
        text += &format!(
            "{:<80}{:>4} {:>4}{rounds}\n",
            format!("001 {rank:>4}      {name:<33} 2000"),
            "1.0",
            rank
        );
    }
    text
}

fn dated() -> String {
    report(&format!("132{}  24/05/01  24/05/02  24/05/03\n", " ".repeat(86)))
}

fn read(text: &str) -> Result<Vec<Told>, String> {
    all(text, &MatchOptions::default()).map_err(|error| error.to_string())
}

#[test]
fn games_are_read_round_by_round_with_the_dates_of_rounds() {
    let games = read(&dated()).unwrap();
    let short: Vec<(i64, u32, &str, u32, &str)> = games
        .iter()
        .map(|(time, sides)| (*time, sides[0].0, &*sides[0].2[0], sides[1].0, &*sides[1].2[0]))
        .collect();
    let day = 86_400;
    let first = 1_714_521_600;
    assert_eq!(
        short,
        [
            (first, 1, "Carlsen, Magnus", 2, "Nepo, Ian"),
            (first, 2, "Müller, Ann", 1, "Zed"),
            (first + day, 1, "Nepo, Ian", 2, "Zed"),
            (first + day, 1, "Müller, Ann", 1, "Carlsen, Magnus"),
        ]
    );
    let full = dated()
        .replace("24/05/01  24/05/02", "2024/05/01  24/05/02")
        .replace("        2024/05/01", "      2024/05/01");
    assert_eq!(read(&full).map(|games| games.len()), Ok(4), "{full}");
    let forfeits = MatchOptions {
        rate_forfeits: true,
        ..MatchOptions::default()
    };
    assert_eq!(all(&dated(), &forfeits).unwrap().len(), 5);
}

#[test]
fn what_contradicts_itself_is_told_at_its_line() {
    for (from, to, wanted) in [
        (
            "     2 w 1",
            "     2 w 0",
            "text:5:92: the result is `0`, and that of the opponent, in line 6, `0`",
        ),
        (
            "     2 w 1",
            "     2 b 1",
            "text:5:92: the opponent, in line 6, has the same colour",
        ),
        (
            "     2 w 1",
            "     9 w 1",
            "text:5:92: the opponent 9 is no player of the report",
        ),
        (
            "     2 w 1",
            "     3 w 1",
            "text:5:92: the opponent, in line 7, has another in this round",
        ),
        ("     2 w 1", "     x w 1", "text:5:92: the opponent is `x`"),
        (
            "001    2",
            "001    1",
            "text:6:5: two players have this starting rank",
        ),
        ("001    2", "001     ", "text:6:5: the starting rank is ``"),
        (
            "Nepo, Ian      ",
            "Carlsen, Magnus",
            "text:6:15: `Carlsen, Magnus` is a player in line 5 as well",
        ),
        ("24/05/02", "24/55/02", "date is `2024-55-02`"),
    ] {
        let what = read(&dated().replacen(from, to, 1)).unwrap_err();
        assert!(what.contains(wanted), "{from} -> {to}: {what}");
    }
    let what = read(&report("")).unwrap_err();
    assert!(what.contains("--time-unit index"), "{what}");
    let index = MatchOptions {
        time_unit: Some(TimeUnit::Index),
        ..MatchOptions::default()
    };
    assert_eq!(all(&report(""), &index).unwrap().len(), 4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_read_as_it_was(games in proptest::collection::vec((0..12_usize, 1..11_usize, 0..3_u32, 0..3_i64), 1..60)) {
        let (mut day, mut text) = (19_800, "date,white,black,result\n".to_owned());
        for (one, more, result, days) in games {
            day += days;
            let date = jiff::Timestamp::from_second(day * 86_400).unwrap().strftime("%Y-%m-%d").to_string();
            let result = ["1", "0.5", "0"][result as usize];
            text += &format!("{date},Player {one},Player {},{result}\n", (one + more) % 12);
        }
        let games: Vec<_> = open(&text, &MatchOptions::default()).unwrap().map(Result::unwrap).collect();
        let mut written = Vec::new();
        prop_assert!(write_trf(&mut written, "A\ntournament", &games, true).unwrap());
        let written = String::from_utf8(written).unwrap();
        let mut read = read(&written).map_err(TestCaseError::fail)?;
        let mut meant: Vec<Told> = games.iter().map(told).collect();
        // Within a round in the order of players.
        let by_day = |(time, sides): &Told| (*time, format!("{sides:?}"));
        read.sort_by_key(by_day);
        meant.sort_by_key(by_day);
        prop_assert_eq!(read, meant);
    }
}

#[test]
fn what_the_format_has_no_place_for_is_not_written() {
    let old = "date,white,black,result\n1950-05-01,ann,bob,1\n";
    let long = format!("date,white,black,result\n2024-05-01,{},bob,1\n", "x".repeat(34));
    let teams = "{\"time\": \"2024-05-01\", \"teams\": [[\"a\", \"b\"], [\"c\"]], \"ranks\": [1, 2]}\n";
    for text in [&*long, teams, old] {
        let games: Vec<_> = open(text, &MatchOptions::default())
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let mut written = Vec::new();
        assert!(!write_trf(&mut written, "", &games, true).unwrap(), "{text}");
        assert!(written.is_empty());
    }
}
