//! `matchwright import`: what a file is understood as, the clean file, and options that are used again.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{answer, answer_in, complaint, example, json_in};

const LEAGUE: &str = "sep=;\nDatum;Heim;Gast;Ergebnis;Platz\n31.12.2023;ann;bob;1,0;x\n05.01.2024;bob;cyd;0,5;x\n06.01.2024;cyd;ann;W/O;x\n";
const COLUMNS: &str = "time=Datum,player1=Heim,player2=Gast,result=Ergebnis";

#[test]
fn a_file_is_told_in_words_column_by_column() {
    let told = answer(&["import", "-", "--columns", COLUMNS], LEAGUE);
    for wanted in [
        "2 matches of 1v1, 1 draw, 3 players, from 2023-12-31T00:00:00Z to 2024-01-05T00:00:00Z",
        "first: line 3, 2023-12-31T00:00:00Z: ann beat bob",
        " Datum      time",
        " Ergebnis   result",
        " Platz      not used",
        "commas in numbers are decimal",
        "left out 1 match that was not played to a result; --forfeits rate rates those that a forfeit has won",
    ] {
        assert!(told.contains(wanted), "{wanted}\n{told}");
    }
    let json: Value =
        serde_json::from_str(&answer(&["import", "-", "--json", "--columns", COLUMNS], LEAGUE)).unwrap();
    assert_eq!(json["matches"], 2);
    assert_eq!(
        json["columns"][4],
        serde_json::json!({"column": "Platz", "used_as": null})
    );
    let teams = answer(&["import", &example("teams.jsonl")], "");
    assert!(
        teams.starts_with("400 matches: 131 of 2v2, 110 of 3v3, 159 of 4 players each for itself"),
        "{teams}"
    );
}

/// The ratings of a file, as bytes.
fn ratings(folder: &Path, line: &str) -> Value {
    let mut told = json_in(
        folder,
        &format!("rate --system trueskill --evaluate-from 0.5 {line}"),
    );
    told["not_used"] = Value::Null;
    told
}

#[test]
fn a_clean_file_holds_the_same_matches_and_needs_no_options() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (file, clean) in [
        ("matches.csv", "clean.csv"),
        ("matches.csv", "clean.jsonl.gz"),
        ("teams.jsonl", "clean.jsonl"),
        ("parties.jsonl", "clean.ndjson.zst"),
    ] {
        let file = example(file);
        answer_in(folder, &format!("import {file} --out {clean}"));
        assert_eq!(ratings(folder, &file), ratings(folder, clean), "{file} {clean}");
        assert!(folder.join(format!("{clean}.manifest.json")).exists());
    }
    let refused = complaint(&["import", &example("teams.jsonl"), "--out", "x.csv"], "", 1);
    assert!(
        refused.contains("has no place in this CSV; write JSON lines"),
        "{refused}"
    );
    let refused = complaint(&["import", &example("teams.jsonl"), "--out", "x.json"], "", 2);
    assert!(
        refused.contains("the name must end in .csv, .jsonl or .trf"),
        "{refused}"
    );
    let refused = complaint(&["import", &example("teams.jsonl"), "--out", "x.trf"], "", 1);
    assert!(refused.contains("one against one alone"), "{refused}");
    let club = "date,white,black,result\n2024-05-01,ann,bob,1-0\n2024-05-08,bob,ann,0.5\n";
    fs::write(folder.join("club.csv"), club).unwrap();
    answer_in(folder, "import club.csv --out club.trf");
    assert_eq!(ratings(folder, "club.csv"), ratings(folder, "club.trf"));
}

#[test]
fn what_all_of_a_file_told_is_saved_and_used_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let header = "Datum;Heim;Gast;Tore Heim;Tore Gast\n";
    let (may, june) = ("28/05/2024;ann;bob;1,5;0,5\n", "03/06/2024;ann;bob;1,500;0,250\n");
    fs::write(folder.join("may.csv"), format!("{header}{may}")).unwrap();
    fs::write(folder.join("june.csv"), format!("{header}{june}")).unwrap();
    answer_in(folder, "import may.csv --save reading.toml");
    let read = "import june.csv --reading reading.toml";
    let told = answer_in(folder, read);
    assert!(
        told.contains("2024-06-03") && told.contains("1.5 : 0.25"),
        "{told}"
    );
    assert_eq!(
        told,
        answer_in(folder, "import june.csv --date-order day --decimal comma")
    );
    assert!(answer_in(folder, &format!("{read} --date-order month")).contains("2024-03-06"));
}

#[test]
fn options_of_reading_are_saved_and_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("league.csv"), LEAGUE).unwrap();
    let options = format!("--columns {COLUMNS} --forfeits rate --sides x,y --decimal comma --skip-bad");
    answer_in(
        folder,
        &format!("import league.csv {options} --save reading.toml"),
    );
    let again = answer_in(
        folder,
        "import league.csv --reading reading.toml --save again.toml",
    );
    // What the file has told is among them.
    let options = format!("{options} --date-order day");
    assert_eq!(again, answer_in(folder, &format!("import league.csv {options}")));
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("reading.toml"), read("again.toml"));
    assert_eq!(
        ratings(folder, "league.csv --reading reading.toml"),
        ratings(folder, &format!("league.csv {options}"))
    );
    for (document, wanted) in [
        ("colums = \"time=x\"\n", "unknown field `colums`"),
        ("columns = \"tme=x\"\n", "did you mean `time`?"),
        ("time-unit = \"weeks\"\n", "there is no unit `weeks`"),
        (
            "time-format = \"%d.%m.%Y\"\ntime-unit = \"days\"\n",
            "it goes with no `time-unit`",
        ),
        ("encoding = \"klingon\"\n", "no encoding is called `klingon`"),
        ("time-format = \"%\"\n", "time-format"),
        ("date-order = \"week\"\n", "`week` is none of day, month and year"),
    ] {
        let path = folder.join("wrong.toml");
        fs::write(&path, document).unwrap();
        let what = complaint(&["import", "-", "--reading", path.to_str().unwrap()], LEAGUE, 1);
        assert!(
            what.contains(wanted) && what.contains("wrong.toml"),
            "{document}: {what}"
        );
    }
}

#[test]
fn what_is_no_file_of_matches_is_named_for_what_it_is() {
    for (bytes, wanted) in [
        (
            &b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest"[..],
            "it is an Excel 97 file, or another of old Office programs; save it as .xlsx or .csv",
        ),
        (b"%PDF-1.7 ...", "it is a PDF"),
        (b"SQLite format 3\0...", "it is an SQLite database"),
        (b"BZh91AY", "it is packed with bzip2"),
        (b"<!DOCTYPE html><html>", "it is a web page"),
        (b"PK\x03\x04....", "cannot be read as an Excel workbook"),
    ] {
        let what = complaint(&["import", "-"], bytes, 1);
        assert!(what.contains(wanted), "{what}");
    }
}

/// A long table with a column of this name, in which the rows of a match differ.
fn torn_of(name: &str, long: &str) -> String {
    long.replace("mode", name)
        .replacen("bob,2,clay", "bob,2,grass", 1)
}

#[test]
fn what_was_played_is_read_from_a_column_called_context_or_named_so() {
    let folder = tempfile::tempdir().unwrap();
    let wide = "time,player1,player2,result,Surface\n2024-01-01,ann,bob,1,clay\n2024-01-02,ann,bob,0,\n";
    let long = "match,time,player,rank,mode\n1,2024-01-01,ann,1,clay\n1,2024-01-01,bob,2,clay\n2,2024-01-02,ann,2,\n2,2024-01-02,bob,1,\n";
    let lines = "{\"time\":\"2024-01-01\",\"player1\":\"ann\",\"player2\":\"bob\",\"result\":1,\"kind\":\"clay\"}\n\
                 {\"time\":\"2024-01-02\",\"player1\":\"ann\",\"player2\":\"bob\",\"result\":0}\n";
    let listed = "[{\"id\":1,\"time\":\"2024-01-01\",\"map\":\"clay\",\"players\":[{\"name\":\"ann\",\"team\":1,\"win\":true},{\"name\":\"bob\",\"team\":2,\"win\":false}]},\
                  {\"id\":2,\"time\":\"2024-01-02\",\"players\":[{\"name\":\"ann\",\"team\":1,\"win\":false},{\"name\":\"bob\",\"team\":2,\"win\":true}]}]";
    for (column, file) in [
        ("Surface", wide),
        ("mode", long),
        ("kind", lines),
        ("map", listed),
    ] {
        let clean = folder.path().join(format!("{column}.csv"));
        let clean = clean.to_str().unwrap();
        let columns = format!("context={column}");
        let told = answer(&["import", "-", "--columns", &columns, "--out", clean], file);
        assert!(told.contains("context"), "{told}");
        let text = fs::read_to_string(clean).unwrap();
        assert!(
            text.starts_with("time,player1,player2,result,score1,score2,match_id,context\n"),
            "{text}"
        );
        let ends: Vec<&str> = text
            .lines()
            .skip(1)
            .filter_map(|line| line.rsplit(',').next())
            .collect();
        assert_eq!(ends, ["clay", ""], "{column}");
        // The clean file says it by the name itself.
        let lines = folder.path().join(format!("{column}.jsonl"));
        answer(&["import", clean, "--out", lines.to_str().unwrap()], "");
        let text = fs::read_to_string(lines).unwrap();
        assert_eq!(text.matches("\"context\":\"clay\"").count(), 1, "{text}");
    }
    let torn = long.replacen("bob,2,clay", "bob,2,grass", 1);
    let said = complaint(&["import", "-", "--columns", "context=mode"], torn, 1);
    assert!(
        said.contains(":3:5: mode is `grass`")
            && said.contains("`grass`, and `clay` in line 2 of the same match"),
        "{said}"
    );
    // What is called so by chance is left alone.
    for chance in [
        torn_of("context", long),
        lines
            .replace("\"clay\"", "{\"app\":1}")
            .replace("kind", "context"),
        wide.replace("Surface", "Context"),
    ] {
        let clean = folder.path().join("chance.csv");
        answer(&["import", "-", "--out", clean.to_str().unwrap()], chance.clone());
        let kept = fs::read_to_string(clean).unwrap().contains("clay");
        assert_eq!(kept, chance.contains("Context"), "{chance}");
    }
    for file in [wide, long, lines, listed] {
        let said = complaint(&["import", "-", "--columns", "context=court"], file, 1);
        assert!(said.contains("no `court` for context"), "{said}");
    }
}
