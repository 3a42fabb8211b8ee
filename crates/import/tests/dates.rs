//! Times as people write them: what all of a column tells, and the lines that mend what it does not.

use matchwright_import::{MatchOptions, TimeUnit};

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
        what.starts_with("text:2:1: time is `03/05/2024`: is the day first, or the month?"),
        "{what}"
    );
    for (line, date, days) in [
        ("--time-format '%d/%m/%Y'", "2024-05-03", [2, 4, 34]),
        ("--time-format '%m/%d/%Y'", "2024-03-05", [-57, 4, -25]),
    ] {
        assert!(what.contains(&format!("{line} if it is {date}")), "{what}");
        let format = line.split('\'').nth(1).unwrap().to_owned();
        let options = MatchOptions {
            time_format: Some(format),
            ..MatchOptions::default()
        };
        let wanted: Vec<i64> = days.iter().map(|day| DAY + day * A_DAY).collect();
        assert_eq!(read(&file(&times), &options), Ok(wanted));
    }
    // With a time of day.
    for (time, first) in [
        ("03/05/2024 18:30", "%d/%m/%Y %H:%M"),
        ("3-5-24 6:30 PM", "%d-%m-%y %I:%M %p"),
        ("3/5/2024, 6:30:05 pm", "%d/%m/%Y, %I:%M:%S %p"),
    ] {
        let what = of(&[time]).unwrap_err();
        assert!(
            what.contains(&format!("--time-format '{first}' if it is 2024-05-03")),
            "{what}"
        );
        let options = MatchOptions {
            time_format: Some(first.to_owned()),
            ..MatchOptions::default()
        };
        assert_eq!(
            read(&file(&[time]), &options).unwrap()[0] / A_DAY,
            (DAY + 2 * A_DAY) / A_DAY
        );
    }
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
        time_format: Some("%d/%m/%Y".to_owned()),
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
