//! Times as people write them: what all of a column tells, and the lines that mend what it does not.

use matchwright_import::{DateOrder, MatchOptions, TimeFormat, TimeUnit};

use crate::matches::{all, open};

/// 2024-05-01.
const DAY: i64 = 1_714_521_600;
const A_DAY: i64 = 86_400;

/// A file with these times, one a match.
fn file(times: &[&str]) -> String {
    let rows = times.iter().map(|time| format!("\"{time}\",ann,bob,1\n"));
    "time,player1,player2,result\n".to_owned() + &rows.collect::<String>()
}

fn read(text: &str, options: &MatchOptions) -> Result<Vec<i64>, String> {
    let games = all(text, options).map_err(|error| error.to_string())?;
    Ok(games.into_iter().map(|(time, _)| time).collect())
}

fn of(times: &[&str]) -> Result<Vec<i64>, String> {
    read(&file(times), &MatchOptions::default())
}

fn notes(text: &str, options: &MatchOptions) -> Vec<String> {
    let mut matches = open(text, options).unwrap();
    assert!(matches.by_ref().all(|game| game.is_ok()));
    matches.report(["ann", "bob"].into_iter()).unwrap().notes
}

#[test]
fn one_date_of_the_file_tells_what_comes_first_in_all_of_them() {
    // The first two wait for the third.
    assert_eq!(
        of(&["01/05/2024", "02/05/2024", "13/05/2024", "01/06/2024"]),
        Ok(vec![DAY, DAY + A_DAY, DAY + 12 * A_DAY, DAY + 31 * A_DAY])
    );
    assert_eq!(
        of(&["5/1/2024 6:30 PM", "5/13/2024 12:00 AM"]),
        Ok(vec![DAY + 66_600, DAY + 12 * A_DAY])
    );
    assert_eq!(
        of(&["01.05.2024", "2.5.24 18:30"]),
        Ok(vec![DAY, DAY + A_DAY + 66_600])
    );
    let told = notes(&file(&["01/05/2024", "13/05/2024"]), &MatchOptions::default());
    assert!(
        told.contains(&"dates are read with the day first, as `13/05/2024` shows".to_owned()),
        "{told:?}"
    );
}

#[test]
fn a_file_that_does_not_tell_is_refused_with_both_lines_which_work() {
    let times = ["03/05/2024", "05/05/2024", "04/06/2024"];
    let what = of(&times).unwrap_err();
    assert!(
        what.starts_with("text:2:1: time is `03/05/2024`: what comes first?"),
        "{what}"
    );
    for (order, date, days) in [
        (DateOrder::Day, "2024-05-03", [2, 4, 34]),
        (DateOrder::Month, "2024-03-05", [-57, 4, -25]),
    ] {
        let line = format!("--date-order {} if it is {date}", order.name());
        assert!(what.contains(&line), "{what}");
        let options = MatchOptions {
            date_order: Some(order),
            ..MatchOptions::default()
        };
        let wanted: Vec<i64> = days.iter().map(|day| DAY + day * A_DAY).collect();
        assert_eq!(read(&file(&times), &options), Ok(wanted));
    }
    // With a time of day.
    for time in ["03/05/2024 18:30", "3-5-24 6:30 PM", "3/5/2024, 6:30:05 p.m."] {
        let what = of(&[time]).unwrap_err();
        assert!(what.contains("--date-order day if it is 2024-05-03"), "{what}");
        let options = MatchOptions {
            date_order: Some(DateOrder::Day),
            ..MatchOptions::default()
        };
        assert_eq!(
            read(&file(&[time]), &options).unwrap()[0] / A_DAY,
            (DAY + 2 * A_DAY) / A_DAY
        );
    }
}

#[test]
fn years_of_two_digits_may_come_first_as_well() {
    // No file tells of the first two by themselves.
    let what = of(&["24-05-01", "24-05-02"]).unwrap_err();
    for line in [
        "--date-order day if it is 2001-05-24",
        "--date-order year if it is 2024-05-01",
    ] {
        assert!(what.contains(line), "{what}");
    }
    assert_eq!(of(&["24-05-01", "99-05-02"]).map(|times| times[0]), Ok(DAY));
    assert_eq!(of(&["01/05/24", "14/08/93"]), Ok(vec![DAY, 745_286_400]));
    // 2024-01-05.
    assert_eq!(
        of(&["01/05/24", "5/13/24"]),
        Ok(vec![1_704_412_800, DAY + 12 * A_DAY])
    );
}

#[test]
fn dates_that_contradict_each_other_are_refused_in_their_line() {
    let what = of(&["01/05/2024", "13/05/2024", "05/14/2024"]).unwrap_err();
    assert!(
        what.starts_with(
            "text:4:1: time is `05/14/2024`, with the month first, and `13/05/2024` has the day first"
        ),
        "{what}"
    );
    // Rows that cannot be used tell nothing less, and are dropped alone.
    let skipping = MatchOptions {
        skip_bad: true,
        ..MatchOptions::default()
    };
    let text = file(&["01/05/2024", "99/99/2024", "13/05/2024"]);
    assert_eq!(read(&text, &skipping), Ok(vec![DAY, DAY + 12 * A_DAY]));
}

#[test]
fn plain_numbers_are_taken_by_their_size_and_all_alike() {
    assert_eq!(of(&["20240501", "20240502"]), Ok(vec![DAY, DAY + A_DAY]));
    assert_eq!(of(&["20240501183000"]), Ok(vec![DAY + 66_600]));
    assert_eq!(of(&["1714521600000", "1714521601500"]), Ok(vec![DAY, DAY + 1]));
    let what = of(&["1714521600", "1714521600000"]).unwrap_err();
    assert!(
        what.contains("of another kind") && what.starts_with("text:3:1:"),
        "{what}"
    );
    let what = of(&["20240501", "20241301"]).unwrap_err();
    assert!(what.starts_with("text:3:1:"), "{what}");
    let told = notes(&file(&["1714521600000"]), &MatchOptions::default());
    assert!(
        told.iter()
            .any(|note| note.contains("taken for milliseconds since 1970")),
        "{told:?}"
    );
}

#[test]
fn a_file_without_times_is_taken_in_its_order_where_that_is_asked_for() {
    let wide = "player1,player2,result\nann,bob,1\nbob,ann,0\n";
    let json = "{\"player1\": \"ann\", \"player2\": \"bob\", \"result\": 1}\n{\"player1\": \"ann\", \"player2\": \"bob\", \"result\": 0}\n";
    let long = "match,player,rank\n1,ann,1\n1,bob,2\n2,ann,2\n2,bob,1\n";
    let index = MatchOptions {
        time_unit: Some(TimeUnit::Index),
        ..MatchOptions::default()
    };
    for text in [wide, json, long] {
        let what = read(text, &MatchOptions::default()).unwrap_err();
        assert!(what.contains("--time-unit index"), "{what}");
        assert_eq!(read(text, &index), Ok(vec![0, 1]), "{text}");
        assert!(
            notes(text, &index)
                .contains(&"no column of times: the matches are taken in the order of the file".to_owned())
        );
    }
}

#[test]
fn a_date_beside_a_time_of_day_may_be_told_by_a_later_one() {
    let text = "date,time,player1,player2,result\n01/05/2024,18:30,ann,bob,1\n13/05/2024,18:30,ann,bob,1\n";
    assert_eq!(
        read(text, &MatchOptions::default()),
        Ok(vec![DAY + 66_600, DAY + 12 * A_DAY + 66_600])
    );
}

#[test]
fn a_form_that_times_do_not_have_is_told() {
    let options = MatchOptions {
        time_format: TimeFormat::parse("%d/%m/%Y").ok(),
        ..MatchOptions::default()
    };
    let what = read(&file(&["2024-05-01"]), &options).unwrap_err();
    assert!(what.contains("not of --time-format `%d/%m/%Y`"), "{what}");
    let since = MatchOptions {
        since: Some("2024-05-02".to_owned()),
        ..options
    };
    assert_eq!(
        read(&file(&["01/05/2024", "02/05/2024"]), &since),
        Ok(vec![DAY + A_DAY])
    );
}

#[test]
fn an_open_date_in_any_row_of_a_match_is_told() {
    let long = "match,time,player,rank\n1,2024-05-05,ann,1\n1,2024-05-05,bob,2\n2,05/05/2024,ann,1\n2,05/06/2024,bob,2\n";
    let what = read(long, &MatchOptions::default()).unwrap_err();
    assert!(
        what.starts_with("text:5:2: time is `05/06/2024`: what comes first?"),
        "{what}"
    );
    // Among times that are clear it is one bad row, which can be skipped.
    let skipping = MatchOptions {
        skip_bad: true,
        ..MatchOptions::default()
    };
    assert_eq!(read(long, &skipping), Ok(vec![DAY + 4 * A_DAY]));
    assert_eq!(
        read(&file(&["2024-05-01", "03/05/2024"]), &skipping),
        Ok(vec![DAY])
    );
}

#[test]
fn a_game_that_was_not_played_tells_what_comes_first_as_well() {
    let text = "time,player1,player2,result\n01/05/2024,ann,bob,1-0\n13/05/2024,ann,bob,*\n";
    assert_eq!(read(text, &MatchOptions::default()), Ok(vec![DAY]));
}

#[test]
fn the_order_of_the_file_is_taken_where_no_time_is_named_or_there() {
    let index = |columns: &str| MatchOptions {
        time_unit: Some(TimeUnit::Index),
        columns: matchwright_import::Columns::parse(columns).unwrap(),
        ..MatchOptions::default()
    };
    let text = "player1,player2,result\nann,bob,1\n";
    assert!(read(text, &index("time=strat")).unwrap_err().contains("`strat`"));
    let some = "{\"time\": 100, \"player1\": \"ann\", \"player2\": \"bob\", \"result\": 1}\n{\"player1\": \"ann\", \"player2\": \"bob\", \"result\": 0}\n";
    let what = read(some, &index("")).unwrap_err();
    assert!(
        what.starts_with("text:2:") && what.contains("in some rows"),
        "{what}"
    );
}

#[test]
fn forms_that_say_more_than_can_be_read_are_refused() {
    let with = |format: &str, time: &str| {
        let options = MatchOptions {
            time_format: TimeFormat::parse(format).ok(),
            ..MatchOptions::default()
        };
        read(&file(&[time]), &options)
    };
    assert_eq!(
        with("%d/%m/%Y %H:%M %z", "01/05/2024 20:30 +0200"),
        Ok(vec![DAY + 66_600])
    );
    assert!(
        TimeFormat::parse("%d/%m/%Y %H:%M %Q")
            .unwrap_err()
            .contains("time zone")
    );
    assert!(with("%d/%m/%Y", "31/12/9999").is_err_and(|what| what.contains("31/12/9999")));
    let since = |time: &str, format: Option<&str>| {
        let options = MatchOptions {
            since: Some(time.to_owned()),
            time_format: format.map(|format| TimeFormat::parse(format).unwrap()),
            ..MatchOptions::default()
        };
        read(&file(&["05.01.2024", "06.01.2024"]), &options)
    };
    // The first of May, and the second.
    assert_eq!(since("06.01.2024", Some("%m.%d.%Y")), Ok(vec![DAY + 31 * A_DAY]));
    assert!(since("03/05/2024", None).unwrap_err().contains("two days"));
}

#[test]
fn weeks_and_months_of_other_languages_are_read() {
    for text in [
        "2024-W18-3",
        "1. Mai 2024",
        "1 mayo 2024",
        "1 de mayo de 2024",
        "1er mai 2024",
        "1 maggio 2024",
        "1 mei 2024",
        "2024-W18-3 UTC",
    ] {
        assert_eq!(of(&[text]), Ok(vec![DAY]), "{text}");
    }
    assert_eq!(of(&["31. Dezember 2023"]), Ok(vec![DAY - 122 * A_DAY]));
    assert_eq!(of(&["1 août 2024"]), Ok(vec![DAY + 92 * A_DAY]));
    // June and July.
    assert!(of(&["1 jui 2024"]).is_err());
}

#[test]
fn days_of_spreadsheets_need_their_unit_which_the_message_names() {
    let times = ["45413", "45414.5"];
    let what = of(&times).unwrap_err();
    assert!(
        what.contains("a day as spreadsheets count them") && what.contains("excel"),
        "{what}"
    );
    let options = MatchOptions {
        time_unit: Some(TimeUnit::Excel),
        ..MatchOptions::default()
    };
    assert_eq!(
        read(&file(&times), &options),
        Ok(vec![DAY, DAY + A_DAY + A_DAY / 2])
    );
}

#[test]
fn times_of_which_the_last_digits_are_cut_are_refused_and_read_if_they_are_meant() {
    let times = ["1.71452E+12"];
    let what = of(&times).unwrap_err();
    assert!(what.contains("--time-unit seconds or milliseconds"), "{what}");
    let options = MatchOptions {
        time_unit: Some(TimeUnit::Milliseconds),
        ..MatchOptions::default()
    };
    assert_eq!(read(&file(&times), &options), Ok(vec![1_714_520_000]));
    assert_eq!(of(&["1.714521600e9"]), Ok(vec![DAY]));
}
