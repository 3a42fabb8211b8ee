//! Dates and times of day in two columns: joined, or refused where they contradict each other.

use crate::common::{complaint, matchwright};

const RATE: [&str; 6] = ["rate", "--system", "glicko", "--evaluate-from", "0.5", "-"];

/// When the last match of a file was, as the leaderboard says.
fn last(more: &[&str], input: impl Into<Vec<u8>>) -> String {
    let run = matchwright()
        .args(RATE)
        .args(more)
        .write_stdin(input)
        .assert()
        .success();
    String::from_utf8_lossy(&run.get_output().stdout).into_owned()
}

fn refused(input: impl Into<Vec<u8>>) -> String {
    complaint(&RATE, input, 1)
}

fn wide(date: &str, time: &str) -> String {
    format!("date,time,player1,player2,result\n{date},{time},ann,bob,1\n")
}

#[test]
fn a_date_and_a_time_of_day_are_joined() {
    for (date, time, wanted) in [
        ("2024-05-09", "18:30", "2024-05-09T18:30:00Z"),
        ("2024-05-09", "18:30:07", "2024-05-09T18:30:07Z"),
        ("2024-05-09", "6:30 PM", "2024-05-09T18:30:00Z"),
        ("2024-05-09", "18:30+02:00", "2024-05-09T16:30:00Z"),
        ("2024-05-09 00:00:00", "9:05", "2024-05-09T09:05:00Z"),
        ("20240509", "18:30", "2024-05-09T18:30:00Z"),
        // What agrees is no contradiction, on any meridian.
        ("2024-05-01", "1714586500", "2024-05-01T18:01:40Z"),
        ("2024-05-02", "1714586500", "2024-05-01T18:01:40Z"),
        ("2024-05-01", "2024-05-01T18:01:40Z", "2024-05-01T18:01:40Z"),
        ("2024-05-09", "", "2024-05-09"),
        ("", "2024-05-09T18:30:00Z", "2024-05-09T18:30:00Z"),
    ] {
        let told = last(&[], wide(date, time));
        assert!(told.contains(wanted), "{date} {time}: {told}");
        let json = format!(
            "{{\"date\":\"{date}\",\"time\":\"{time}\",\"player1\":\"ann\",\"player2\":\"bob\",\"result\":1}}"
        );
        let told = last(&[], json);
        assert!(told.contains(wanted), "{date} {time}: {told}");
        let long = format!("match,date,time,player,rank\n1,{date},{time},ann,1\n1,{date},{time},bob,2\n");
        let told = last(&[], long);
        assert!(told.contains(wanted), "{date} {time}: {told}");
    }
}

#[test]
fn columns_of_other_names_are_joined_as_well() {
    for (names, more) in [
        ("UTCDate,UTCTime", ""),
        ("Match Date,kick_off", ""),
        ("date,start_time", ""),
        ("tag,uhr", "date=tag,time=uhr"),
        ("date,uhr", "time=uhr"),
    ] {
        let text = wide("2024-05-09", "18:30").replace("date,time", names);
        let told = last(&["--columns", more], text);
        assert!(told.contains("2024-05-09T18:30:00Z"), "{names}: {told}");
    }
}

#[test]
fn what_contradicts_itself_or_has_no_date_is_refused() {
    for (date, time, place) in [
        ("2024-05-09", "1714586500", "standard input:2:2:"),
        ("2024-05-09", "2024-05-01T18:30:00Z", "standard input:2:2:"),
        ("2024-05-09", "66600000000", "standard input:2:2:"),
        ("2024-05-09T12:00:00Z", "18:30", "standard input:2:2:"),
        ("May 9", "18:30", "standard input:2:2:"),
        ("", "18:30", "standard input:2:2:"),
    ] {
        let said = refused(wide(date, time));
        assert!(said.contains(place) && said.contains("time is `"), "{said}");
    }
    let said = refused("time,player1,player2,result\n18:30,ann,bob,1\n");
    assert!(
        said.contains("a time of day without its date") && said.contains("--columns date=COLUMN"),
        "{said}"
    );
    // Who names the column of the times has chosen.
    assert!(last(&["--columns", "time=time"], wide("2024-05-09", "1714586500")).contains("2024-05-01"));
    assert!(last(&["--columns", "time=date"], wide("2024-05-09", "1714586500")).contains("2024-05-09"));
}

#[test]
fn tickets_come_and_leave_at_times_of_day() {
    let replay = |text: &str| {
        let run = matchwright()
            .args(["replay", "-", "--policy", "widening", "--json"])
            .write_stdin(text)
            .assert();
        let output = run.get_output().clone();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.success(), text[0].clone(), text[1].clone())
    };
    let apart = "date,time,left,player,skill\n2024-05-09,18:30:00,18:31:00,ann,1500\n2024-05-09,18:30:20,18:31:00,bob,1510\n";
    let joined = "time,left,player,skill\n2024-05-09T18:30:00Z,2024-05-09T18:31:00Z,ann,1500\n\
                  2024-05-09T18:30:20Z,2024-05-09T18:31:00Z,bob,1510\n";
    let (one, other) = (replay(apart), replay(joined));
    assert!(one.0 && other.0, "{} {}", one.2, other.2);
    let figures = |text: &str| {
        let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
        value.as_object_mut().map(|all| all.remove("log"));
        value
    };
    assert_eq!(figures(&one.1), figures(&other.1));
    let (is_read, _, said) = replay(&apart.replace("date", "day"));
    assert!(
        !is_read && said.contains(":2:2: `time` is `18:30:00`, a time of day without its date"),
        "{said}"
    );
    let (is_read, _, said) = replay(&apart.replace("18:30:00", "1714586500"));
    assert!(!is_read && said.contains("two different times"), "{said}");
    let (is_read, _, said) = replay(&apart.replace("18:31:00", "00:10:00"));
    assert!(!is_read && said.contains("left before it came"), "{said}");
}

#[test]
fn a_date_in_another_spelling_is_held_against_the_time_beside_it() {
    let time = "2024-05-10T18:30:00Z";
    for date in [
        "05/10/2024",
        "10.05.2024",
        "10 May 2024",
        "May 10, 2024",
        "2024-05",
        "2024",
        "2024/5/10",
        "NULL",
        "-",
        "Matchday 3",
        "Fri, 10 May 2024 20:30:00 CEST",
        "05/10/2024 6:30 PM",
        "May 10th, 2024",
        "Marathon 2024",
    ] {
        let told = last(&[], wide(&format!("\"{date}\""), time));
        assert!(told.contains(time), "{date}: {told}");
    }
    for date in [
        "05/12/2024",
        "10.06.2024",
        "9 April 2024",
        "2023-05",
        "2023",
        "45421",
        "10/10/2024",
    ] {
        let said = refused(wide(date, time));
        assert!(
            said.contains(":2:2:") && said.contains("two different times"),
            "{date}: {said}"
        );
    }
    // Without a time of day there is a date alone.
    assert!(last(&[], wide("2024-05-09", "")).contains("2024-05-09"));
}
