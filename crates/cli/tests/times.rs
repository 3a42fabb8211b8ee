//! Plain numbers as times: what they may mean has to be said, and every run says what they were taken for.

use crate::common::{complaint, matchwright};

/// Matches at these times, one a line.
fn matches(times: &[&str]) -> String {
    let pairs = [["ann", "bob"], ["bob", "cyd"], ["cyd", "ann"]];
    let rows = times.iter().zip(pairs.iter().cycle());
    let row = |(time, [one, other]): (&&str, &[&str; 2])| format!("{time},{one},{other},1\n");
    "time,player1,player2,result\n".to_owned() + &rows.map(row).collect::<String>()
}

/// What a run that ends well writes to standard output and to standard error.
fn told(more: &[&str], input: &str) -> [String; 2] {
    let run = matchwright()
        .args(["rate", "--system", "glicko", "--evaluate-from", "0.5", "-"])
        .args(more)
        .write_stdin(input)
        .assert()
        .success();
    let output = run.get_output();
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

#[test]
fn a_year_is_not_taken_for_seconds_in_silence() {
    let years = matches(&["1995", "1996", "1997", "1998"]);
    let json = r#"{"time":1995,"player1":"ann","player2":"bob","result":1}"#;
    for (input, place) in [(&years[..], "standard input:2:1:"), (json, "standard input:1:2:")] {
        for command in [
            &["rate", "--system", "elo", "-"][..],
            &["rate", "--system", "elo", "--skip-bad", "-"],
            &["study", "eomm", "--matches", "-"],
        ] {
            let said = complaint(command, input, 1);
            for wanted in [
                place,
                "time is `1995`",
                "the year",
                "--time-unit years, days, excel, index, seconds or milliseconds",
            ] {
                assert!(said.contains(wanted), "{said}");
            }
            assert!(!said.contains("--skip-bad"), "{said}");
        }
    }
}

#[test]
fn every_run_says_what_plain_numbers_were_taken_for() {
    for (unit, times, taken_for, last) in [
        (
            "years",
            ["1995", "1996", "1997", "1998.5"],
            "years, the first, 1995, is 1995-01-01",
            "1998-07-",
        ),
        (
            "days",
            ["0", "1", "2", "3"],
            "days since 1970, the first, 0, is 1970-01-01",
            "1970-01-04",
        ),
        (
            "seconds",
            ["0", "1", "2", "3"],
            "seconds since 1970, the first, 0, is 1970-01-01",
            "1970-01-01T00:00:03Z",
        ),
        (
            "index",
            ["4", "5", "6", "9"],
            "the order of the matches alone, the first is 4",
            "   9",
        ),
    ] {
        let [out, said] = told(&["--time-unit", unit], &matches(&times));
        assert!(said.contains(taken_for), "{said}");
        assert!(out.contains(last), "{out}");
    }
    let large = matches(&["1091816030", "1091816031", "1091816032", "1091816033"]);
    let [_, said] = told(&[], &large);
    assert!(
        said.contains("taken for seconds since 1970, the first, 1091816030, is 2004-08-06T18:13:50Z"),
        "{said}"
    );
}

#[test]
fn a_whole_year_is_its_first_of_january_and_a_fraction_is_of_its_own_length() {
    for (year, date) in [
        ("2013", "2013-01-01T00:00:00Z"),
        ("2017", "2017-01-01T00:00:00Z"),
        ("2021", "2021-01-01T00:00:00Z"),
        ("1872", "1872-01-01T00:00:00Z"),
        ("2023.5", "2023-07-02T12:00:00Z"),
        ("2024.5", "2024-07-02T00:00:00Z"),
    ] {
        let [_, said] = told(&["--time-unit", "years"], &matches(&[year, "2030", "2031"]));
        assert!(said.contains(&format!("{year}, is {date}")), "{said}");
    }
    // As bounds, too.
    let bounds = ["--time-unit", "years", "--since", "2017", "--json"];
    let [out, _] = told(&bounds, &matches(&["2016-12-31T23:59:59Z", "2017-01-01", "2018"]));
    let out: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(out["evaluation"]["matches"], 2);
}

#[test]
fn dates_are_untouched_by_a_unit() {
    let dates = matches(&["1872-11-30", "1873-03-08", "1874-03-07T14:00:00Z", "1875-03-06"]);
    let [plain, said] = told(&[], &dates);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("4 matches of 1v1, no draws, 3 players, from 1872-11-30"),
        "{said}"
    );
    let [out, said] = told(&["--time-unit", "years"], &dates);
    assert_eq!(out, plain);
    assert!(said.contains("--time-unit years had no effect"), "{said}");
}

/// Deviations grow with time alone.
#[test]
fn under_an_index_no_time_passes_and_under_years_it_does() {
    let times = matches(&["1995", "1996", "1997", "1998"]);
    let deviation = |unit: &str, more: &[&str]| {
        let [out, _] = told(&[&["--time-unit", unit, "--json"], more].concat(), &times);
        let out: serde_json::Value = serde_json::from_str(&out).unwrap();
        out["leaderboard"][0]["deviation"].as_f64().unwrap()
    };
    assert!(deviation("years", &[]) > deviation("days", &[]) + 10.0);
    assert!(deviation("days", &[]) > deviation("index", &[]) + 0.02);
    // A period a game does not look at the time.
    let per_game = |unit| deviation(unit, &["--period", "game"]);
    assert_eq!(per_game("years"), per_game("index"));
}

#[test]
fn the_clock_is_not_asked_where_there_is_an_order_alone() {
    let order = matches(&["1", "2", "3", "4"]);
    let ladder = ["rate", "--system", "elo", "-", "--ladder", "--time-unit", "index"];
    let said = complaint(&ladder, order.as_str(), 2);
    assert!(
        said.contains("--time-unit index") && said.contains("--bonus-pool off"),
        "{said}"
    );
    let study = ["study", "eomm", "--matches", "-", "--time-unit", "index"];
    assert!(complaint(&study, order.as_str(), 2).contains("--time-unit index"));
    // Without a file there is nothing to read times from.
    assert!(
        complaint(&["study", "eomm", "--time-unit", "days"], "", 2)
            .contains("--time-unit days without --matches")
    );
}

#[test]
fn a_stray_number_among_dates_is_one_bad_row() {
    let mixed = matches(&["1995-01-01", "1995-01-02", "7", "1995-01-04", "1995-01-05"]);
    let said = complaint(&["rate", "--system", "elo", "-"], mixed.as_str(), 1);
    assert!(
        said.contains("standard input:4:1:") && said.contains("--skip-bad"),
        "{said}"
    );
    let [_, said] = told(&["--skip-bad"], &mixed);
    assert!(said.contains("1 match (1 row) skipped"), "{said}");
}

#[test]
fn the_unit_is_in_the_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("ratings.csv");
    let years = matches(&["1995", "1996", "1997", "1998"]);
    told(&["--time-unit", "years", "--out", out.to_str().unwrap()], &years);
    let manifest = std::fs::read_to_string(folder.path().join("ratings.csv.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["configuration"]["reading"], " --time-unit years");
    assert!(
        manifest["command"]
            .as_str()
            .unwrap()
            .contains("--time-unit years")
    );
}
