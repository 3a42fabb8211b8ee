//! What is longer than its stated limit is refused where it stands, and little is read of it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::common::{complaint, example, heard};

const MIB: usize = 1 << 20;

/// Commands that read a file of rows; `FILE` stands for it.
const READERS: [&str; 12] = [
    "rate --system elo FILE",
    "compare FILE",
    "study eomm --matches FILE",
    "replay FILE --policy widening",
    "simulate fit FILE",
    "lobby FILE --policy even",
    "pair FILE",
    "pair FILE --columns player1=player1,player2=player2,weight=score1",
    "forensics top200 FILE",
    "season pull FILE",
    "season ledger FILE",
    "season bases FILE",
];

/// The complaint of a command about a file of its own.
fn refused(line: &str, file: &Path) -> String {
    let words = line.split_whitespace();
    let words: Vec<&str> = words
        .map(|word| {
            if word == "FILE" {
                file.to_str().unwrap()
            } else {
                word
            }
        })
        .collect();
    let told = complaint(&words, "", 1);
    assert!(told.len() < 2000, "{line}: {} bytes of complaint", told.len());
    told
}

fn packed(folder: &Path, name: &str, text: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    fs::write(&path, zstd::encode_all(text, 1).unwrap()).unwrap();
    path
}

const ROWS: &[u8] = b"time,player1,player2,score1,score2\n2024-01-01,ann,bob,1,0\n";

#[test]
fn a_row_that_is_too_long_is_refused_at_its_line_by_every_reader() {
    let folder = tempfile::tempdir().unwrap();
    let long = [ROWS, &vec![b'x'; 9 * MIB][..], b"\n2024-01-02,ann,bob,1,0\n"].concat();
    let long = packed(folder.path(), "long.csv.zst", &long);
    for line in READERS {
        let told = refused(line, &long);
        assert!(
            told.contains("long.csv.zst:3:") && told.contains("--max-row"),
            "{line}: {told}"
        );
    }
    // Of many lines, and of one that many objects share.
    let quoted = [ROWS, b"3,\"", "y\n".repeat(5 * MIB).as_bytes()].concat();
    let told = refused(READERS[0], &packed(folder.path(), "quoted.csv.zst", &quoted));
    assert!(
        told.contains("quoted.csv.zst:3:1: the row is longer than 8 MiB") && told.contains("quote"),
        "{told}"
    );
    let array = [b"[{\"time\": \"", &vec![b'x'; 9 * MIB][..], b"\"}]"].concat();
    let told = refused(READERS[0], &packed(folder.path(), "array.json.zst", &array));
    assert!(told.contains("array.json.zst:1:2: the row is longer"), "{told}");
}

#[test]
fn a_longer_row_is_read_where_the_user_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let note = "n".repeat(9 * MIB);
    let rows = format!(
        "time,player1,player2,score1,score2,note\n2024-01-01,ann,bob,1,0,{note}\n2024-01-02,ann,bob,0,1,\n"
    );
    let file = packed(folder.path(), "notes.csv.zst", rows.as_bytes());
    let file = file.to_str().unwrap();
    let rate = ["rate", "--system", "elo", file];
    complaint(&rate, "", 1);
    heard(&[&rate[..], &["--max-row", "16MiB"]].concat(), "");
    let told = complaint(&[&rate[..], &["--max-row", "1KiB"]].concat(), "", 2);
    assert!(told.contains("64 KiB or more"), "{told}");
    let short = [ROWS, &vec![b'x'; 70_000][..]].concat();
    let told = complaint(&["rate", "--system", "elo", "-", "--max-row", "64KiB"], short, 1);
    assert!(
        told.contains("standard input:3:1: the row is longer than 64 KiB"),
        "{told}"
    );
}

#[test]
fn what_unpacks_to_far_more_than_its_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let many = [ROWS, &vec![b'\n'; 70 * MIB][..]].concat();
    let many = packed(folder.path(), "many.csv.zst", &many);
    for line in [READERS[0], READERS[3]] {
        let told = refused(line, &many);
        assert!(told.contains("more than 200 times its size"), "{line}: {told}");
    }
}

#[test]
fn a_document_that_is_too_long_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let policy = format!("# {}\n[scoring]\n", "x".repeat(9 * MIB));
    let season = folder.path().join("long.toml");
    fs::write(&season, &policy).unwrap();
    let long = packed(folder.path(), "packed.toml", policy.as_bytes());
    let tickets = example("queue/tickets.csv");
    for file in [&season, &long] {
        let file = file.to_str().unwrap();
        for line in [
            &["replay", &tickets, "--policy", file][..],
            &["simulate", "run", file],
            &[
                "rate",
                "--system",
                "elo",
                "--config",
                file,
                &example("matches.csv"),
            ],
        ] {
            let told = complaint(line, "", 1);
            assert!(told.contains("it is longer than 1 MiB"), "{line:?}: {told}");
        }
    }
}

#[test]
fn a_table_of_too_many_columns_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..3000).map(|place| format!("ping_r{place}")).collect();
    let table = folder.path().join("wide.csv");
    fs::write(&table, format!("time,player1,{}\n", names.join(","))).unwrap();
    let keys: Vec<String> = names.iter().map(|name| format!("\"{name}\": 1")).collect();
    let object = folder.path().join("wide.jsonl");
    fs::write(&object, format!("{{\"time\": 1, {}}}\n", keys.join(","))).unwrap();
    for file in [table, object] {
        for line in [
            "rate --system elo FILE",
            "replay FILE --policy widening",
            "lobby FILE --policy even",
        ] {
            let told = refused(line, &file);
            assert!(told.contains("no more than 2048 are read"), "{line}: {told}");
        }
    }
}

#[test]
fn many_names_are_told_in_one_short_line() {
    let names: Vec<String> = (0..2000)
        .map(|place| format!("{}{place}", "n".repeat(300)))
        .collect();
    let table = format!(
        "time,player,skill,{}\n2024-01-01,ann,1,{}\n",
        names.join(","),
        "1,".repeat(1999) + "1"
    );
    let told = heard(&["replay", "-", "--policy", "widening"], &table);
    assert!(
        told.contains("and 1988 more") && told.len() < 20_000,
        "{} bytes",
        told.len()
    );
}

/// A Parquet file with a column of texts, each row the same.
fn same_texts(path: &Path, text: &str, rows: usize) {
    let schema = "message m { required binary time (UTF8); required binary player1 (UTF8); required binary player2 (UTF8); \
                  required binary score1 (UTF8); required binary score2 (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = fs::File::create(path).unwrap();
    let properties = Arc::new(
        WriterProperties::builder()
            .set_dictionary_page_size_limit(64 * MIB)
            .build(),
    );
    let mut writer = SerializedFileWriter::new(file, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for value in ["2024-01-01", text, "bob", "1", "0"] {
        let mut column = group.next_column().unwrap().unwrap();
        let values = vec![ByteArray::from(value); rows];
        column
            .typed::<ByteArrayType>()
            .write_batch(&values, None, None)
            .unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn a_parquet_file_whose_rows_are_far_longer_than_itself_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("texts.parquet");
    same_texts(&path, &"x".repeat(MIB / 8), 2000);
    assert!(fs::metadata(&path).unwrap().len() < 200_000);
    let told = refused("rate --system elo --keep-repeats FILE", &path);
    assert!(told.contains("more than 200 times its size"), "{told}");
    same_texts(&path, &"x".repeat(9 * MIB), 8);
    let told = refused(READERS[0], &path);
    assert!(
        told.contains("row 1, column 1: the row is longer than 8 MiB"),
        "{told}"
    );
}
