//! `matchwright rate` and the importer behind it, from outside.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::common::{answer, complaint, matchwright};
use serde_json::Value;

pub(crate) const MATCHES: &str = "\
time,player1,player2,score1,score2
2024-01-01T10:00:00Z,ann,bob,3,1
2024-01-01T11:00:00Z,bob,cyd,2,2
2024-01-02T10:00:00Z,cyd,ann,0,4
2024-01-03T10:00:00Z,ann,bob,1,0
2024-01-04T10:00:00Z,bob,cyd,5,1
";

fn rate(more: &[&str], input: &str) -> Value {
    let arguments = [
        &["rate", "--system", "elo", "--evaluate-from", "0.5", "--json", "-"],
        more,
    ]
    .concat();
    serde_json::from_str(&answer(&arguments, input)).unwrap()
}

pub(crate) fn refused(input: impl Into<Vec<u8>>) -> String {
    complaint(
        &["rate", "--system", "elo", "--evaluate-from", "0.5", "-"],
        input,
        1,
    )
}

/// The fourth line of the file replaced.
fn with_line_4(line: &str) -> String {
    MATCHES.replace("2024-01-02T10:00:00Z,cyd,ann,0,4", line)
}

#[test]
fn the_winner_of_all_his_games_leads() {
    let told = rate(&[], MATCHES);
    assert_eq!(told["players"], 3);
    let best = &told["leaderboard"][0];
    assert_eq!(
        (
            best["player"].as_str(),
            best["wins"].as_u64(),
            best["losses"].as_u64()
        ),
        (Some("ann"), Some(3), Some(0))
    );
    assert_eq!(told["evaluation"]["evaluated_from"], 2);
    assert_eq!(told["evaluation"]["three_way"]["n"], 3);
}

#[test]
fn csv_json_lines_results_and_gzip_say_the_same() {
    let from_csv = rate(&[], MATCHES);
    let mut json_lines = String::new();
    let mut results = "utc,white,black,result\n".to_owned();
    for line in MATCHES.lines().skip(1) {
        let f: Vec<&str> = line.split(',').collect();
        writeln!(
            json_lines,
            "{{\"time\":\"{}\",\"player1\":\"{}\",\"player2\":\"{}\",\"score1\":{},\"score2\":\"{}\"}}\n",
            f[0], f[1], f[2], f[3], f[4]
        )
        .unwrap();
        let result = match f[3].cmp(f[4]) {
            std::cmp::Ordering::Greater => "1-0",
            std::cmp::Ordering::Equal => "0.5",
            std::cmp::Ordering::Less => "0",
        };
        writeln!(results, "{},{},{},{result}", f[0], f[1], f[2]).unwrap();
    }
    assert_eq!(rate(&[], &json_lines), from_csv);
    assert_eq!(
        rate(&["--columns", "time=utc,player1=white,player2=black"], &results),
        from_csv
    );
    assert_eq!(rate(&[], &format!("\u{feff}{MATCHES}")), from_csv);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(MATCHES.as_bytes()).unwrap();
    let arguments = ["rate", "--system", "elo", "--evaluate-from", "0.5", "--json", "-"];
    assert_eq!(
        serde_json::from_str::<Value>(&answer(&arguments, gzip.finish().unwrap())).unwrap(),
        from_csv
    );
}

/// A bad fourth line, and what the complaint must name: place, matter, mend.
const BROKEN: [(&str, &[&str]); 12] = [
    ("yesterday,cyd,ann,0,4", &[":4:1:", "`yesterday`", "RFC 3339"]),
    (
        "170418960000000,cyd,ann,0,4",
        &[":4:1:", "milliseconds", "--time-unit"],
    ),
    (
        "2024-01-02T10:00:00Z,cyd,ann,NaN,4",
        &[":4:4:", "score1 is `NaN`", "--skip-bad"],
    ),
    (
        "2024-01-02T10:00:00Z,cyd,ann,0,inf",
        &[":4:5:", "score2 is `inf`"],
    ),
    ("2024-01-02T10:00:00Z,cyd,ann,0,", &[":4:5:", "score2"]),
    (
        "2024-01-02T10:00:00Z,,ann,0,4",
        &[":4:2:", "player1", "two players"],
    ),
    (
        "2024-01-02T10:00:00Z,ann,ann,0,4",
        &[":4:3:", "`ann` plays against itself", "--skip-bad"],
    ),
    (
        "2024-01-01T11:00:00Z,bob,cyd,2,2",
        &[":4:1:", "repeats", "remove it"],
    ),
    ("2023-12-31T10:00:00Z,cyd,ann,0,4", &[":4:1:", "older", "--sort"]),
    ("2024-01-02T10:00:00Z,cyd,ann,0", &[":4:5:", "4 fields", "5"]),
    ("2024-01-02T10:00:00Z,cyd,ann,0,4,7", &[":4:6:", "6 fields"]),
    ("2024-01-02T10:00:00Z,cyd,ann,1e308,-1e308", &[":4:4:", "score1"]),
];

#[test]
fn broken_rows_name_line_column_and_mend() {
    for (line, words) in BROKEN {
        let told = refused(with_line_4(line));
        for word in words {
            assert!(told.contains(word), "{line}: `{word}` in {told}");
        }
        assert!(told.contains("standard input"), "{told}");
    }
}

#[test]
fn skip_bad_counts_what_it_skipped_and_keeps_the_rest() {
    let without = rate(&[], &with_line_4("").replace("\n\n", "\n"));
    for (line, _) in BROKEN {
        let told = rate(&["--skip-bad"], &with_line_4(line));
        assert_eq!(told["skipped_rows"], 1, "{line}");
        assert_eq!(told["leaderboard"], without["leaderboard"], "{line}");
    }
    let arguments = [
        "rate",
        "--system",
        "elo",
        "--evaluate-from",
        "0.5",
        "--skip-bad",
        "-",
    ];
    let run = matchwright()
        .args(arguments)
        .write_stdin(with_line_4(BROKEN[2].0))
        .assert()
        .success();
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(
        told.contains("1 match (1 row) skipped") && told.contains("line 4"),
        "{told}"
    );
}

#[test]
fn text_that_is_not_utf_8_is_named_and_can_be_skipped() {
    let bad = [MATCHES.as_bytes(), b"2024-01-05T10:00:00Z,b\xf6b,ann,1,0\n"].concat();
    let told = refused(bad.clone());
    assert!(
        told.contains(":7:2:") && told.contains("UTF-8") && told.contains("--encoding latin1"),
        "{told}"
    );
    let arguments = [
        "rate",
        "--system",
        "elo",
        "--evaluate-from",
        "0.5",
        "--json",
        "--skip-bad",
        "-",
    ];
    let told: Value = serde_json::from_str(&answer(&arguments, bad)).unwrap();
    assert_eq!(told["skipped_rows"], 1);
}

/// Windows line ends and blank lines do not shift the line that a complaint names.
#[test]
fn lines_are_named_right_whatever_ends_them() {
    for text in [
        with_line_4(BROKEN[2].0).replace('\n', "\r\n"),
        with_line_4(BROKEN[2].0),
    ] {
        assert!(refused(text.clone()).contains(":4:4:"));
        let spaced = text.replacen("2024-01-01T10", "\r\n\n2024-01-01T10", 1);
        assert!(refused(spaced).contains(":6:4:"));
    }
}

#[test]
fn an_open_quote_is_named_and_never_skipped() {
    let open = MATCHES.replace("11:00:00Z,bob", "11:00:00Z,\"bob");
    for arguments in [
        &["rate", "--system", "elo", "-"][..],
        &["rate", "--system", "elo", "--skip-bad", "-"],
    ] {
        let told = complaint(arguments, open.clone(), 1);
        assert!(told.contains(":3:1:") && told.contains("never closed"), "{told}");
    }
}

#[test]
fn repetitions_can_be_kept() {
    let line = "2024-01-02T10:00:00Z,cyd,ann,0,4\n";
    let twice = MATCHES.replace(line, &line.repeat(2));
    assert!(refused(twice.clone()).contains("--keep-repeats"));
    assert_eq!(rate(&["--keep-repeats"], &twice)["evaluation"]["matches"], 6);
}

#[test]
fn ids_whose_digits_cannot_be_kept_are_refused() {
    let told = refused("{\"time\":1,\"player1\":100000000000000000901,\"player2\":2,\"result\":1}\n");
    assert!(told.contains("player1") && told.contains("quotes"), "{told}");
}

#[test]
fn json_lines_may_begin_with_blanks() {
    let line = "   \n\n {\"time\":1,\"player1\":1,\"player2\":2,\"result\":NaN}\n";
    let told = refused(line);
    assert!(told.contains(":3:") && told.contains("JSON"), "{told}");
}

#[test]
fn long_and_strange_text_is_shown_short_and_escaped() {
    let told = refused(with_line_4(&format!("{}\u{1b}[31m,cyd,ann,0,4", "x".repeat(9))));
    assert!(!told.contains('\u{1b}') && told.contains("xxx"), "{told}");
    let told = refused(with_line_4(&format!("{},cyd,ann,0,4", "x".repeat(100_000))));
    assert!(told.len() < 1_000, "{}", told.len());
}

#[test]
fn an_input_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.csv");
    std::fs::write(&file, MATCHES).unwrap();
    let file = file.to_str().unwrap();
    complaint(&["rate", "--system", "elo", file, "--out", file], "", 2);
    let (out, same) = (folder.path().join("o.csv"), folder.path().join("o.csv"));
    let (out, same) = (out.to_str().unwrap(), same.to_str().unwrap());
    complaint(
        &[
            "rate",
            "--system",
            "elo",
            file,
            "--out",
            out,
            "--predictions",
            same,
        ],
        "",
        2,
    );
    assert_eq!(std::fs::read_to_string(file).unwrap(), MATCHES);
}

#[test]
fn ratings_are_written_even_if_nothing_can_be_scored() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("o.csv");
    let draws = "time,player1,player2,result\n2024-01-01,a,b,0.5\n2024-01-02,a,b,0.5\n2024-01-03,a,b,0.5\n";
    answer(
        &["rate", "--system", "elo", "-", "--out", out.to_str().unwrap()],
        draws,
    );
    assert_eq!(std::fs::read_to_string(out).unwrap().lines().count(), 3);
}

/// A flipped bit may garble a row; the stream is at fault, not the row.
#[test]
fn a_damaged_gzip_is_named_whatever_row_it_garbles() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    gzip.write_all(MATCHES.as_bytes()).unwrap();
    let mut bytes = gzip.finish().unwrap();
    let comma = bytes.iter().rposition(|byte| *byte == b',').unwrap();
    bytes[comma] ^= 1;
    for more in [&[][..], &["--skip-bad"]] {
        let arguments = [&["rate", "--system", "elo", "-"], more].concat();
        let said = complaint(&arguments, bytes.clone(), 1);
        assert!(said.contains("gzip") && said.contains("damaged"), "{said}");
    }
}

#[test]
fn a_truncated_gzip_is_named() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    gzip.write_all(MATCHES.as_bytes()).unwrap();
    let whole = gzip.finish().unwrap();
    let told = refused(&whole[..whole.len() - 30]);
    assert!(told.contains("cut off"), "{told}");
    let skipping = ["rate", "--system", "elo", "--skip-bad", "-"];
    assert!(complaint(&skipping, &whole[..whole.len() - 30], 1).contains("cut off"));
    let mut damaged = whole;
    // Within the checksum, the eight to five last bytes.
    let checksum = damaged.len() - 6;
    damaged[checksum] ^= 0x55;
    let told = refused(damaged);
    assert!(told.contains("damaged"), "{told}");
}

#[test]
fn files_without_a_usable_match_are_named() {
    assert!(refused("").contains("empty"));
    assert!(refused("\n").contains("empty"));
    assert!(refused("time,player1,player2,score1,score2\n").contains("no match"));
    let told = refused("time,guests,hosts,score1,score2\n1,a,b,1,0\n");
    assert!(
        told.contains("player1") && told.contains("guests, hosts") && told.contains("--columns"),
        "{told}"
    );
    let told = refused("time,player1,player1,player2,score1,score2\n");
    assert!(told.contains("two columns"), "{told}");
    let told = refused("{\"time\":1}\n");
    assert!(told.contains(":1:") && told.contains("player1"), "{told}");
    let told = refused("{\"time\":1,\n");
    assert!(told.contains(":1:") && told.contains("JSON"), "{told}");
}

#[test]
fn unsorted_files_can_be_sorted() {
    let mut lines: Vec<&str> = MATCHES.lines().collect();
    lines[1..].reverse();
    let reversed = lines.join("\n");
    assert!(refused(reversed.clone()).contains("--sort"));
    assert_eq!(
        rate(&["--sort"], &reversed)["leaderboard"],
        rate(&[], MATCHES)["leaderboard"]
    );
}

#[test]
fn parameters_that_a_system_has_no_use_for_are_usage_errors() {
    for arguments in [
        &["rate", "--system", "glicko", "--set", "k=20", "-"][..],
        &["rate", "--system", "elo", "--set", "tau=0.5", "-"],
        &["rate", "--system", "elo", "--columns", "plyer1=x", "-"],
        &["rate", "--system", "chess", "-"],
        &["rate", "-"],
    ] {
        complaint(arguments, MATCHES, 2);
    }
    for (flag, value, word) in [
        ("--set", "k=NaN", "NaN"),
        ("--evaluate-from", "1.5", "1.5"),
        ("--period", "0", "0"),
    ] {
        let told = complaint(&["rate", "--system", "elo", flag, value, "-"], MATCHES, 2);
        assert!(told.contains(word), "{told}");
    }
}

#[test]
fn ratings_and_predictions_are_written_with_manifests() {
    let folder = tempfile::tempdir().unwrap();
    let (out, predictions) = (folder.path().join("r.csv"), folder.path().join("p.csv"));
    let arguments = ["rate", "--system", "glicko2", "--evaluate-from", "0.5", "-"];
    let run = matchwright()
        .args(arguments)
        .arg("--out")
        .arg(&out)
        .arg("--predictions")
        .arg(&predictions)
        .write_stdin(MATCHES)
        .assert()
        .success();
    assert!(String::from_utf8_lossy(&run.get_output().stdout).contains("Log loss"));
    let ratings = std::fs::read_to_string(out).unwrap();
    assert_eq!(ratings.lines().count(), 4);
    assert!(
        ratings.starts_with(
            "player,rating,deviation,volatility,wins,draws,losses,last_time,games,low95,high95,conservative\nann,"
        ),
        "{ratings}"
    );
    let forecasts = std::fs::read_to_string(predictions).unwrap();
    assert_eq!(forecasts.lines().count(), 6);
    for line in forecasts.lines().skip(1) {
        let p: f64 = line
            .split(',')
            .skip(3)
            .take(3)
            .map(|f| f.parse::<f64>().unwrap())
            .sum();
        assert!((p - 1.0).abs() < 1e-9, "{line}");
    }
    for name in ["r.csv.manifest.json", "p.csv.manifest.json"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
}

#[test]
fn matches_outside_of_a_range_of_dates_are_left_out() {
    let all = rate(&[], MATCHES);
    let some = rate(&["--since", "2024-01-02", "--until", "2024-01-04"], MATCHES);
    let count = |told: &Value| told["evaluation"]["matches"].as_u64().unwrap();
    assert_eq!((count(&all), count(&some)), (5, 2));
    let arguments = ["rate", "--system", "elo", "-", "--since", "2025-01-01"];
    let said = complaint(&arguments, MATCHES, 1);
    assert!(said.contains("no match between --since and --until"), "{said}");
    let said = complaint(&["rate", "--system", "elo", "-", "--until", "soon"], MATCHES, 2);
    assert!(said.contains("--until is "), "{said}");
}

#[test]
fn matches_of_a_batch_count_all_at_once() {
    let three = "time,player1,player2,result\n2024-01-01,ann,bob,win\n2024-01-02,ann,bob,loss\n2024-02-01,bob,ann,draw\n";
    let rate = |period| {
        let arguments = [
            "rate",
            "--system",
            "glicko",
            "--period",
            period,
            "--evaluate-from",
            "0.4",
            "--json",
            "-",
        ];
        let answer: Value = serde_json::from_str(&answer(&arguments, three)).unwrap();
        answer["leaderboard"][0]["rating"].as_f64().unwrap()
    };
    // A win and a loss in one period against the same player leave both where they were.
    assert_eq!(rate("batch:14"), 1500.0);
    assert_ne!(rate("14"), 1500.0);
}

#[test]
fn ratings_of_too_few_matches_to_evaluate_are_shown() {
    let matches = "time,player1,player2,score1,score2\n1600000000,ann,bob,1,0\n";
    for stream in [&[][..], &["--stream"]] {
        let said = answer(&[&["rate", "--system", "elo", "-"], stream].concat(), matches);
        assert!(said.contains("ann") && !said.contains("Log loss"), "{said}");
    }
    let said = complaint(&["rate", "--system", "elo", "-", "--chart"], matches, 1);
    assert!(
        said.contains("too few matches: 0 of 1 to train on and 1 to evaluate"),
        "{said}"
    );
}
