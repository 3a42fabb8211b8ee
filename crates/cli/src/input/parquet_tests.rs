//! What is written as Parquet is read again.

use bytes::Bytes;

use super::Source;
use crate::failure::Failure;
use crate::output::{ParquetFile, Values};

/// Two row groups of all kinds of values.
fn file() -> Vec<u8> {
    let names = ["a time", "count", "x", "{name"];
    let texts = |texts: &[&'static str]| texts.iter().map(|text| Some(Bytes::from(*text))).collect();
    let columns = |from: i64| {
        [
            Values::Times(vec![Some(1000 * from), None, Some(-1)]),
            Values::Integers(vec![None, Some(from), Some(-3)]),
            Values::Numbers(vec![Some(0.1), Some(2.0), None]),
            Values::Texts(texts(&["a,b", "", "say \"x\"\n"])),
        ]
    };
    let mut stored = Vec::new();
    let mut file = ParquetFile::new(&mut stored, names.into_iter().zip(&columns(0))).unwrap();
    for group in [columns(0), columns(86_400)] {
        file.write(&group).unwrap();
    }
    file.finish().unwrap();
    stored
}

fn read(stored: &[u8]) -> Result<String, Failure> {
    let source = Source::of_text(stored)?;
    String::from_utf8(source.read.into_text()).map_err(Failure::of)
}

#[test]
fn a_file_reads_as_the_csv_that_it_stands_for() {
    let wanted = "\"a time\",\"count\",\"x\",\"{name\"\n\
        1970-01-01T00:00:00Z,\"\",0.1,\"a,b\"\n\"\",0,2,\"\"\n1969-12-31T23:59:59.999Z,-3,\"\",\"say \"\"x\"\"\n\"\n\
        1970-01-02T00:00:00Z,\"\",0.1,\"a,b\"\n\"\",86400,2,\"\"\n1969-12-31T23:59:59.999Z,-3,\"\",\"say \"\"x\"\"\n\"\n";
    assert_eq!(read(&file()).unwrap(), wanted);
}

#[test]
fn every_truncated_file_is_an_error() {
    let stored = file();
    for length in b"PAR1".len()..stored.len() {
        let error = read(&stored[..length]).unwrap_err().to_string();
        assert!(error.contains("cannot be read as Parquet"), "{length}: {error}");
    }
}

#[test]
fn no_damaged_byte_ends_in_a_panic() {
    let stored = file();
    for place in 0..stored.len() {
        for flip in [1, 0x80] {
            let mut damaged = stored.clone();
            damaged[place] ^= flip;
            // Some bytes are of no account, and some change a value.
            let _ = read(&damaged);
        }
    }
}
